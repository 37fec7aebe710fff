import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.js";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** For content that must not be lost by a click beside it or by Escape. */
  sticky?: boolean;
  wide?: boolean;
  /** Only the content, from edge to edge. The title is then for screen readers. */
  bare?: boolean;
}

/** A window over the page. Escape, or a click beside it, closes it. The focus returns to where it was. */
export function Dialog({ open, onClose, title, children, sticky, wide, bare }: Props): ReactNode {
  const { t } = useTranslation();
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason, cancel }) => {
        if (next) return;
        if (sticky && (reason === "escape-key" || reason === "outside-press")) cancel();
        else onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Popup
          className={`fixed start-1/2 top-[8vh] z-50 flex max-h-[84vh] w-[calc(100vw-1.5rem)] -translate-x-1/2 flex-col rounded-lg border border-line bg-raised shadow-popup rtl:translate-x-1/2 ${wide ? "max-w-2xl" : "max-w-md"}`}
        >
          <div className={bare ? "sr-only" : "flex items-center gap-2 border-b border-line py-2 ps-4 pe-2"}>
            <Base.Title className="min-w-0 flex-1 text-lg font-semibold">{title}</Base.Title>
            {!sticky && !bare && (
              <Base.Close
                render={
                  <IconButton label={t("common.close")}>
                    <X size={16} />
                  </IconButton>
                }
              />
            )}
          </div>
          {bare ? children : <div className="overflow-y-auto p-4">{children}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
