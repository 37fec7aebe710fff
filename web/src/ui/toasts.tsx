import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

const manager = Toast.createToastManager();

/** Says at the edge of the page what happened. Failures stay longer and are read out at once. */
export function toast(text: string, { failed = false }: { failed?: boolean } = {}): void {
  manager.add({
    description: text,
    timeout: failed ? 12_000 : 4_000,
    priority: failed ? "high" : "low",
    type: failed ? "failed" : "done",
  });
}

export const Toasts = (): ReactNode => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="fixed end-3 bottom-3 z-50 flex w-[min(24rem,calc(100vw-1.5rem))] flex-col gap-2 max-md:bottom-16">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function List(): ReactNode {
  const { toasts } = Toast.useToastManager();
  const { t } = useTranslation();
  return toasts.map((one) => (
    <Toast.Root
      key={one.id}
      toast={one}
      className={`flex items-start gap-2 rounded-lg border bg-raised py-2 ps-3 pe-1 shadow-popup ${one.type === "failed" ? "border-danger/60 text-danger" : "border-line"}`}
    >
      <Toast.Description className="min-w-0 flex-1 py-1 break-words" />
      <Toast.Close
        aria-label={t("common.close")}
        className="inline-flex size-8 items-center justify-center rounded-md hover:bg-hover"
      >
        <X size={16} />
      </Toast.Close>
    </Toast.Root>
  ));
}
