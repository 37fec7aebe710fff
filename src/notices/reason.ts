// The rule of notices, for the server and for the dashboard. It imports nothing.

/** Why a member is notified: the names of the preferences. */
export type Reason = "mine" | "mentions" | "urgent" | "unassigned";

/** Of a conversation, as far as it matters here. */
export interface ConversationState {
  assigneeId: string | null;
  handlingMode: string;
  priority: string;
}

/** What happened that somebody may want to know. */
export type Happening =
  /** A note names them. */
  | { kind: "mention"; memberIds: readonly string[] }
  /** A contact wrote. */
  | { kind: "received"; conversation: ConversationState }
  /** A conversation or an attention item became urgent. */
  | { kind: "urgent" };

/** Why a member is told of it; undefined if they are not. Whether they want to be is up to their preferences. */
export function reasonFor(memberId: string, happening: Happening): Reason | undefined {
  if (happening.kind === "urgent") return "urgent";
  if (happening.kind === "mention") return happening.memberIds.includes(memberId) ? "mentions" : undefined;
  const { assigneeId, handlingMode, priority } = happening.conversation;
  if (assigneeId === memberId) return "mine";
  if (priority === "urgent") return "urgent";
  return assigneeId === null && handlingMode === "human" ? "unassigned" : undefined;
}
