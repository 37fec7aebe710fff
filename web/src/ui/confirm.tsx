import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";

interface Props {
  open: boolean;
  title: string;
  /** What happens then. */
  children: ReactNode;
  /** The verb of the button. */
  verb: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ open, title, children, verb, danger, busy = false, onConfirm, onClose }: Props): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="mb-4">{children}</div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look={danger ? "danger" : "primary"} disabled={busy} onClick={onConfirm}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
