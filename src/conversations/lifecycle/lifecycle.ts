import { namedEnum } from "../../platform/enums/named-enum.js";

/** How long after it was resolved a message from the contact reopens a conversation. Later it starts a new one. */
export const REOPEN_DAYS = 7;

export const CONVERSATION_STATUSES = namedEnum("ConversationStatus", "The state of a conversation.", {
  open: "waits for your side",
  pending: "waits for the contact",
  snoozed: "opens by itself at `snoozedUntil`",
  resolved: `done; a message within ${REOPEN_DAYS} days opens it again`,
});
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];
export const HANDLING_MODES = namedEnum("HandlingMode", "Who answers a conversation.", ["assistant", "human"]);
export type HandlingMode = (typeof HANDLING_MODES)[number];
export const RESOLUTIONS = namedEnum("Resolution", "How a conversation ended.", [
  "answered",
  "escalated",
  "abandoned",
  "duplicate",
  "spam",
]);
export type Resolution = (typeof RESOLUTIONS)[number];

/** What an event does to a field of the state. `if empty`: a value that is there stays. */
export type Effect = "none" | "zero" | "one if zero" | "one more" | "now" | "now if empty" | "given" | "given if empty";

/** The fields that make a conversation's state, besides its status and who handles it. */
export type StateField =
  | "assigneeId"
  | "waitingSince"
  | "unreadCount"
  | "firstReplyAt"
  | "snoozedUntil"
  | "resolvedAt"
  | "resolvedBy"
  | "resolution";

export interface Transition {
  /** When it happens, as docs/conversations.md says it. */
  when: string;
  /** The status after it. Left out: the status stays. */
  to?: ConversationStatus;
  /** In these statuses it changes nothing at all, because it is done already. */
  done?: readonly ConversationStatus[];
  /** In these statuses it is refused: 409. */
  refused?: readonly ConversationStatus[];
  /** Who handles the conversation after it. Left out: that stays. Done already if it is like that. */
  handledBy?: HandlingMode;
  /** Only while the assistant may act: it handles the conversation, and that is not resolved. Else it changes nothing. */
  byAssistant?: true;
  /** A resolution that it gives by itself. */
  as?: Resolution;
  sets?: Partial<Record<StateField, Effect>>;
}

const UNRESOLVED = { resolvedAt: "none", resolvedBy: "none", resolution: "none" } as const;
const ANSWERED = { waitingSince: "none", unreadCount: "zero" } as const;

/**
 * Everything that moves a conversation, and what it changes. The statements that do so are made from here, and so is the picture in
 * docs/conversations.md. Two others write parts of this state: a cancelled reply gives back what it took, and former members lose theirs. `test/server/e2e/transitions.spec.ts` tries every event in every state.
 */
export const LIFECYCLE = {
  contactWrites: {
    when: "the contact writes",
    to: "open",
    sets: { waitingSince: "now if empty", unreadCount: "one more", snoozedUntil: "none", ...UNRESOLVED },
  },
  reply: {
    when: "you or the assistant reply",
    sets: { ...ANSWERED, firstReplyAt: "now if empty" },
  },
  replyTakesOver: {
    when: "your reply takes over",
    handledBy: "human",
    sets: { assigneeId: "given if empty" },
  },
  replyThenWait: {
    when: "`reply` then `pending`",
    to: "pending",
    sets: { snoozedUntil: "none", ...UNRESOLVED },
  },
  replyThenSnooze: {
    when: "`reply` then `snooze`",
    to: "snoozed",
    sets: { snoozedUntil: "given", ...UNRESOLVED },
  },
  replyThenResolve: {
    when: "`reply` then `resolve`",
    to: "resolved",
    done: ["resolved"],
    sets: { snoozedUntil: "none", resolvedAt: "now", resolvedBy: "given", resolution: "none" },
  },
  replyIsCancelled: {
    when: "a reply that moved it is cancelled",
    to: "open",
    sets: { snoozedUntil: "none", ...UNRESOLVED },
  },
  wait: {
    when: "`wait`; the assistant asks back",
    to: "pending",
    done: ["pending"],
    refused: ["resolved"],
    sets: { waitingSince: "none", snoozedUntil: "none" },
  },
  snooze: {
    when: "`snooze`",
    to: "snoozed",
    refused: ["resolved"],
    sets: { snoozedUntil: "given" },
  },
  snoozeEnds: {
    when: "a snooze ends",
    to: "open",
    done: ["open", "pending", "resolved"],
    sets: { snoozedUntil: "none" },
  },
  resolve: {
    when: "`resolve`",
    to: "resolved",
    done: ["resolved"],
    sets: { ...ANSWERED, snoozedUntil: "none", resolvedAt: "now", resolvedBy: "given", resolution: "given" },
  },
  assistantResolves: {
    when: "the assistant resolves",
    to: "resolved",
    byAssistant: true,
    as: "answered",
    sets: { ...ANSWERED, snoozedUntil: "none", resolvedAt: "now", resolvedBy: "none", resolution: "given" },
  },
  spam: {
    when: "a form's trap is filled in",
    to: "resolved",
    as: "spam",
    sets: { ...ANSWERED, resolvedAt: "now", resolution: "given" },
  },
  reopen: {
    when: "`reopen`",
    to: "open",
    done: ["open"],
    sets: { snoozedUntil: "none", ...UNRESOLVED },
  },
  erase: {
    when: "the contact is erased",
    to: "resolved",
    done: ["resolved"],
    as: "abandoned",
    sets: { ...ANSWERED, snoozedUntil: "none", resolvedAt: "now", resolution: "given" },
  },
  takeOver: {
    when: "`take-over`",
    handledBy: "human",
    sets: { assigneeId: "given" },
  },
  handOver: {
    when: "the assistant hands over",
    handledBy: "human",
    byAssistant: true,
  },
  release: {
    when: "`release`",
    handledBy: "assistant",
    sets: { assigneeId: "none" },
  },
  assign: {
    when: "`assign`",
    sets: { assigneeId: "given" },
  },
  unassign: {
    when: "`unassign`",
    sets: { assigneeId: "none" },
  },
  read: {
    when: "`read`",
    sets: { unreadCount: "zero" },
  },
  unread: {
    when: "`unread`",
    sets: { unreadCount: "one if zero" },
  },
} as const satisfies Record<string, Transition>;

export type LifecycleEvent = keyof typeof LIFECYCLE;

export const THENS = namedEnum("ReplyThen", "What becomes of a conversation with a reply.", {
  pending: "it waits for the contact",
  snooze: "it is snoozed until `snoozeUntil`",
  resolve: "it is resolved",
});
export type Then = (typeof THENS)[number];
/** What a reply can do besides, and the event of it. */
export const THEN = {
  pending: "replyThenWait",
  snooze: "replyThenSnooze",
  resolve: "replyThenResolve",
} as const satisfies Record<Then, LifecycleEvent>;
