import { useSyncExternalStore } from "react";

/** Until when the contact of each conversation counts as typing, in milliseconds. */
let typing: ReadonlyMap<string, number> = new Map();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function change(next: ReadonlyMap<string, number>): void {
  typing = next;
  for (const listener of listeners) listener();
  clearTimeout(timer);
  if (typing.size > 0) timer = setTimeout(forgetEnded, Math.max(0, Math.min(...typing.values()) - Date.now()) + 1);
}

function forgetEnded(): void {
  const now = Date.now();
  change(new Map([...typing].filter(([, until]) => until > now)));
}

/** @param until null if they have stopped, or have written */
export function contactTypes(conversationId: string, until: string | null): void {
  if (until === null && !typing.has(conversationId)) return;
  const next = new Map(typing);
  if (until === null) next.delete(conversationId);
  else next.set(conversationId, Date.parse(until));
  change(next);
}

/** Whether the contact is typing. */
export const useContactTypes = (conversationId: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => typing.has(conversationId),
  );
