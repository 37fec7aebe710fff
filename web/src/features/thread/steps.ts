import { useSyncExternalStore } from "react";
import { type Conversation, parley } from "../../api/parley.js";
import { environment } from "../../session/session.js";

/** One thing that a member does with a conversation. */
export interface Step {
  name: "resolve" | "reopen" | "takeOver" | "release" | "assign" | "snooze" | "labels";
  /** What the conversation is from now on, shown before the server answers. */
  change: Partial<Conversation>;
  run: () => Promise<unknown>;
}

/** What a member can do with a conversation as it is. */
export const stepsOf = ({ id, assigneeId, labels }: Conversation, memberId: string) => ({
  resolve: (): Step => ({
    name: "resolve",
    change: { status: "resolved" },
    run: () => parley.conversations.resolve(id, {}),
  }),
  reopen: (): Step => ({
    name: "reopen",
    change: { status: "open" },
    run: () => parley.conversations.reopen(id),
  }),
  takeOver: (): Step => ({
    name: "takeOver",
    change: { handlingMode: "human", assigneeId: memberId },
    run: () => parley.conversations.takeOver(id, { force: assigneeId !== null }),
  }),
  release: (): Step => ({
    name: "release",
    change: { handlingMode: "assistant", assigneeId: null },
    run: () => parley.conversations.release(id),
  }),
  assign: (to: string | null): Step => ({
    name: "assign",
    change: { assigneeId: to },
    run: () => (to === null ? parley.conversations.unassign(id) : parley.conversations.assign(id, { memberId: to })),
  }),
  snooze: (until: string): Step => ({
    name: "snooze",
    change: { status: "snoozed", snoozedUntil: until },
    run: () => parley.conversations.snooze(id, { until }),
  }),
  label: ({ add, remove }: { add: string[]; remove: string[] }): Step => ({
    name: "labels",
    change: { labels: [...labels.filter((name) => !remove.includes(name)), ...add] },
    run: () => parley.conversations.changeLabels(id, { add, remove }),
  }),
});

/** What takes a step back. @param before the conversation before the step */
export function backFrom({ name, change }: Step, before: Conversation, memberId: string): Step | undefined {
  const now = { ...before, ...change };
  const to = stepsOf(now, memberId);
  switch (name) {
    case "resolve":
      return to.reopen();
    case "snooze":
      return before.status === "snoozed" && before.snoozedUntil !== null ? to.snooze(before.snoozedUntil) : to.reopen();
    case "takeOver":
      return before.handlingMode === "assistant" ? to.release() : to.assign(before.assigneeId);
    case "assign":
      return to.assign(before.assigneeId);
    case "release":
      return to.takeOver();
    case "labels":
      return to.label({
        add: before.labels.filter((label) => !now.labels.includes(label)),
        remove: now.labels.filter((label) => !before.labels.includes(label)),
      });
    case "reopen":
      // A second resolution would ask the contact for a rating again.
      return undefined;
  }
}

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
