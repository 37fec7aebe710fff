import type { Conversation, parley, Schemas } from "../../api/parley.js";

/** What becomes of the conversation with a reply. */
export type After = Pick<Schemas["SendReply"], "then" | "snoozeUntil">;

type Server = (typeof parley)["conversations"];

/** One thing that a member does with a conversation. */
export interface Step {
  name: "resolve" | "reopen" | "takeOver" | "release" | "assign" | "wait" | "snooze" | "labels" | "read" | "unread";
  /** What the conversation is from now on, shown before the server answers. */
  change: Partial<Conversation>;
  run: (server: Server) => Promise<unknown>;
}

/** What a member can do with a conversation as it is. */
export const stepsOf = ({ id, assigneeId, labels, unreadCount }: Conversation, memberId: string) => ({
  resolve: (): Step => ({
    name: "resolve",
    change: { status: "resolved" },
    run: (server) => server.resolve(id, {}),
  }),
  reopen: (): Step => ({
    name: "reopen",
    change: { status: "open" },
    run: (server) => server.reopen(id),
  }),
  wait: (): Step => ({
    name: "wait",
    change: { status: "pending", snoozedUntil: null, waitingSince: null },
    run: (server) => server.wait(id),
  }),
  takeOver: (): Step => ({
    name: "takeOver",
    change: { handlingMode: "human", assigneeId: memberId },
    run: (server) => server.takeOver(id, { force: assigneeId !== null }),
  }),
  release: (): Step => ({
    name: "release",
    change: { handlingMode: "assistant", assigneeId: null },
    run: (server) => server.release(id),
  }),
  assign: (to: string | null): Step => ({
    name: "assign",
    change: { assigneeId: to },
    run: (server) => (to === null ? server.unassign(id) : server.assign(id, { memberId: to })),
  }),
  snooze: (until: string): Step => ({
    name: "snooze",
    change: { status: "snoozed", snoozedUntil: until },
    run: (server) => server.snooze(id, { until }),
  }),
  read: (): Step => ({
    name: "read",
    change: { unreadCount: 0 },
    run: (server) => server.markRead(id),
  }),
  unread: (): Step => ({
    name: "unread",
    change: { unreadCount: Math.max(unreadCount, 1) },
    run: (server) => server.markUnread(id),
  }),
  label: ({ add, remove }: { add: string[]; remove: string[] }): Step => ({
    name: "labels",
    change: { labels: [...labels.filter((name) => !remove.includes(name)), ...add] },
    run: (server) => server.changeLabels(id, { add, remove }),
  }),
});

/** What a reply does to the conversation besides, if it does anything. */
export function stepWith({ then, snoozeUntil = "" }: After, to: ReturnType<typeof stepsOf>): Step | undefined {
  if (then === "pending") return to.wait();
  if (then === "snooze") return to.snooze(snoozeUntil);
  return then && to.resolve();
}

/** What gives a conversation the status that it had. A second resolution would ask the contact for a rating again. */
function statusAgain({ status, snoozedUntil }: Conversation, to: ReturnType<typeof stepsOf>): Step | undefined {
  if (status === "resolved") return undefined;
  if (status === "pending") return to.wait();
  return status === "snoozed" && snoozedUntil !== null ? to.snooze(snoozedUntil) : to.reopen();
}

/** What takes a step back. @param before the conversation before the step */
export function backFrom({ name, change }: Step, before: Conversation, memberId: string): Step | undefined {
  const now = { ...before, ...change };
  const to = stepsOf(now, memberId);
  switch (name) {
    case "resolve":
      // What is resolved can neither be snoozed nor wait.
      return before.status === "resolved" ? undefined : to.reopen();
    case "snooze":
    case "reopen":
      return statusAgain(before, to);
    case "wait":
      return before.status === "pending" ? undefined : statusAgain(before, to);
    case "takeOver":
      return before.handlingMode === "assistant" ? to.release() : to.assign(before.assigneeId);
    case "assign":
      return to.assign(before.assigneeId);
    case "release":
      return to.takeOver();
    case "read":
      // How many there were is not known to the server any more.
      return before.unreadCount === 0 ? undefined : to.unread();
    case "unread":
      return before.unreadCount === 0 ? to.read() : undefined;
    case "labels":
      return to.label({
        add: before.labels.filter((label) => !now.labels.includes(label)),
        remove: now.labels.filter((label) => !before.labels.includes(label)),
      });
  }
}
