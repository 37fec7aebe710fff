import { useSyncExternalStore } from "react";

interface Look {
  memberId: string;
  endsAt: number;
}

/** Who looks at which conversation, as events tell. Whoever looks says so again every few seconds, so nothing needs to be read. */
let looks: ReadonlyMap<string, readonly Look[]> = new Map();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function change(next: ReadonlyMap<string, readonly Look[]>): void {
  looks = next;
  for (const listener of listeners) listener();
  clearTimeout(timer);
  const ends = [...looks.values()].flat().map(({ endsAt }) => endsAt);
  if (ends.length > 0) timer = setTimeout(forgetEnded, Math.max(0, Math.min(...ends) - Date.now()) + 1);
}

function forgetEnded(): void {
  const now = Date.now();
  const left = [...looks].map(([id, found]) => [id, found.filter(({ endsAt }) => endsAt > now)] as const);
  change(new Map(left.filter(([, found]) => found.length > 0)));
}

/** @param until null if the member has left */
export function looksAt(conversationId: string, memberId: string, until: string | null): void {
  const others = (looks.get(conversationId) ?? []).filter((look) => look.memberId !== memberId);
  const now = until === null ? others : [...others, { memberId, endsAt: Date.parse(until) }];
  const next = new Map(looks);
  if (now.length > 0) next.set(conversationId, now);
  else next.delete(conversationId);
  change(next);
}

/** The members who look at each conversation. */
export const useLooks = (): ReadonlyMap<string, readonly { memberId: string }[]> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => looks,
  );
