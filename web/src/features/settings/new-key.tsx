import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";

/** Shows a new key, this once. Only "I have stored it" closes it, so that no stray click loses the key. */
export function NewKey({ value, onStored }: { value: string; onStored: () => void }): ReactNode {
  const { t } = useTranslation();
  const shown = useRef<HTMLElement>(null);
  return (
    <Dialog open sticky wide onClose={() => undefined} title={t("apiKeys.created")}>
      <p className="mb-2 text-sm text-muted" id="new-key-label">
        {t("apiKeys.key")}
      </p>
      <code
        ref={shown}
        aria-labelledby="new-key-label"
        className="block rounded-md border border-line bg-canvas p-3 font-mono break-all select-all"
      >
        {value}
      </code>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Copy value={value} shown={shown} />
        <Button look="primary" onClick={onStored}>
          {t("apiKeys.stored")}
        </Button>
      </div>
    </Dialog>
  );
}
