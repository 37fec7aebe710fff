import { type ReactNode, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";

/** Shows a secret, this once. Only "I have stored it" closes it, so that no stray click loses it. */
export function ShownOnce({
  title,
  label,
  value,
  onStored,
}: {
  title: string;
  label: string;
  value: string;
  onStored: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const shown = useRef<HTMLPreElement>(null);
  return (
    <Dialog open sticky wide onClose={() => undefined} title={title}>
      <p className="mb-2 text-sm text-muted" id={id}>
        {label}
      </p>
      <pre
        ref={shown}
        aria-labelledby={id}
        className="rounded-md border border-line bg-canvas p-3 font-mono break-all whitespace-pre-wrap select-all"
      >
        {value}
      </pre>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Copy value={value} shown={shown} />
        <Button look="primary" onClick={onStored}>
          {t("apiKeys.stored")}
        </Button>
      </div>
    </Dialog>
  );
}
