import { useSyncExternalStore } from "react";

/** Whom a new conversation is written to, if the page that it began on says so. */
interface Composing {
  contactId?: string;
}

let now: Composing | undefined;
const listeners = new Set<() => void>();
const change = (next: Composing | undefined): void => {
  now = next;
  for (const listener of listeners) listener();
};

/** Opens the window in which a member starts a conversation. */
export const compose = (contactId?: string): void => change(contactId === undefined ? {} : { contactId });
export const endComposing = (): void => change(undefined);

/** What is being composed; undefined while the window is closed. */
export const useComposing = (): Composing | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
