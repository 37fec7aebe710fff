import { X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { languageOf } from "../api/failure.js";
import { PageLink } from "./page-link.js";

/** What the member can do about it: go somewhere, or have something done. Either closes the toast. */
type Action = { label: string } & ({ to: string } | { run: () => void });

interface Toast {
  id: number;
  text: string;
  failed: boolean;
  action: Action | undefined;
  ms: number;
}

/** Only what stays until somebody closes it is there for longer. */
const LASTING_MS = 1e6;
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

interface Options {
  failed?: boolean;
  action?: Action;
  ms?: number;
}

/** Says at the edge of the page what happened. */
export const toast = (text: string, options?: Options): void => void showToast(text, options);

/** @returns takes it off the page before its time is over */
export function showToast(
  text: string,
  { failed = false, action, ms = failed ? FAILED_MS : DONE_MS }: Options = {},
): () => void {
  const id = ++lastId;
  // The third takes the place of the oldest that is neither a failure nor there to stay, or else of the newest.
  const kept = toasts[1]
    ? toasts.toSpliced(
        toasts.findIndex((one) => !one.failed && one.ms < LASTING_MS),
        1,
      )
    : toasts;
  change([...kept, { id, text, failed, action, ms }]);
  const timer = setTimeout(() => close(id), ms);
  return () => {
    clearTimeout(timer);
    close(id);
  };
}

/** Where toasts appear: over neither the navigation nor the field of a reply and its buttons. Screen readers read failures at once, the others when they have ended their sentence. */
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
    <div className="notices">
      {[true, false].map((failed) => (
        <div key={String(failed)} role={failed ? undefined : "status"}>
          {shown
            .filter((one) => one.failed === failed)
            .map(({ id, text, action }) => (
              <div
                key={id}
                role={failed ? "alert" : undefined}
                className={`pointer-events-auto mt-2 flex items-start gap-2 rounded-lg border bg-raised py-2 ps-3 pe-1 shadow-popup ${failed ? "border-danger/60 text-danger" : "border-line"}`}
              >
                <p lang={languageOf(text)} className="min-w-0 flex-1 py-1 break-words">
                  {text}
                </p>
                {action && <Act action={action} onDone={() => close(id)} />}
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

function Act({ action, onDone }: { action: Action; onDone: () => void }): ReactNode {
  const look = "inline-flex h-8 shrink-0 items-center rounded-md px-2 font-medium text-accent hover:bg-hover";
  if ("to" in action)
    return (
      <PageLink to={action.to} onFollow={onDone} className={look}>
        {action.label}
      </PageLink>
    );
  return (
    <button
      type="button"
      className={look}
      onClick={() => {
        onDone();
        action.run();
      }}
    >
      {action.label}
    </button>
  );
}
