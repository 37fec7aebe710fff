import { useSyncExternalStore } from "react";
import { environment } from "../../session/session.js";

/** So many conversations are remembered, the last ones. */
const MAX = 200;
const keyOf = (memberId: string): string => `parley.translated.${environment()}.${memberId}`;
const listeners = new Set<() => void>();

const listed = (memberId: string): string[] => JSON.parse(localStorage.getItem(keyOf(memberId)) ?? "[]") as string[];

/** Whether the member has the conversation translated. This browser remembers which, and nothing of what is in them. */
export const useTranslating = (memberId: string, conversationId: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => listed(memberId).includes(conversationId),
  );

export function setTranslating(memberId: string, conversationId: string, isOn: boolean): void {
  const others = listed(memberId).filter((id) => id !== conversationId);
  localStorage.setItem(keyOf(memberId), JSON.stringify((isOn ? [...others, conversationId] : others).slice(-MAX)));
  for (const listener of listeners) listener();
}
