import { X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { languageOf } from "../api/failure.js";

interface Toast {
  id: number;
  text: string;
  failed: boolean;
}

const DONE_MS = 4_000;
/** Failures stay longer: a person has to read why. */
const FAILED_MS = 12_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
const close = (id: number): void => change(toasts.filter((one) => one.id !== id));

/** Says at the edge of the page what happened. */
export function toast(text: string, { failed = false }: { failed?: boolean } = {}): void {
  const id = ++lastId;
  change([...toasts, { id, text, failed }]);
  setTimeout(() => close(id), failed ? FAILED_MS : DONE_MS);
}

/** Where toasts appear. Screen readers read failures at once, the others when they have ended their sentence. */
export function Toasts(): ReactNode {
  const { t } = useTranslation();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="pointer-events-none fixed end-3 bottom-3 z-50 w-[min(24rem,calc(100vw-1.5rem))] max-md:bottom-16">
      {[true, false].map((failed) => (
        <div key={String(failed)} role={failed ? undefined : "status"}>
          {shown
            .filter((one) => one.failed === failed)
            .map(({ id, text }) => (
              <div
                key={id}
                role={failed ? "alert" : undefined}
                className={`pointer-events-auto mt-2 flex items-start gap-2 rounded-lg border bg-raised py-2 ps-3 pe-1 shadow-popup ${failed ? "border-danger/60 text-danger" : "border-line"}`}
              >
                <p lang={languageOf(text)} className="min-w-0 flex-1 py-1 break-words">
                  {text}
                </p>
                <button
                  type="button"
                  aria-label={t("common.close")}
                  onClick={() => close(id)}
                  className="inline-flex size-8 items-center justify-center rounded-md hover:bg-hover"
                >
                  <X size={16} />
                </button>
              </div>
            ))}
        </div>
      ))}
    </div>
  );
}
