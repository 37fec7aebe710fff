import { useSyncExternalStore } from "react";
import { environment } from "../../session/session.js";

/** For so long the last step can be taken back. */
export const BACK_MS = 10_000;

/** How the member takes their last step back, and when it was. */
interface Back {
  run: () => void;
  at: number;
  /** Who did it, and on which side. */
  by: string;
}
let last: Back | undefined;
const listeners = new Set<() => void>();
function keep(next: Back | undefined): void {
  last = next;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Remembers how a step is taken back. That is done once. @returns does it, and forgets it */
export function remember(memberId: string, takeBack: () => void): { back: () => void; forget: () => void } {
  const forget = (): void => {
    clearTimeout(timer);
    if (last === one) keep(undefined);
  };
  let isOver = false;
  const back = (): void => {
    if (isOver) return;
    isOver = true;
    forget();
    takeBack();
  };
  const timer = setTimeout(() => forget(), BACK_MS);
  const one = { run: back, at: Date.now(), by: `${environment()} ${memberId}` };
  keep(one);
  return { back, forget };
}

/** The member's last step, as long as it can be taken back. */
export function useLastStep(memberId: string): Back | undefined {
  const back = useSyncExternalStore(subscribe, () => last);
  return back?.by === `${environment()} ${memberId}` ? back : undefined;
}
