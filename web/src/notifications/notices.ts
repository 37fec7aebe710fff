import {
  type ConversationState as State,
  type Happening,
  type Reason,
  reasonFor,
} from "../../../src/notices/reason.js";
import type { Heard } from "../live/heard.js";

/** `conversationId` is undefined for an attention item without a conversation. */
export interface Notice {
  reason: Reason;
  conversationId: string | undefined;
}

/** Of so many conversations it is known who has them. */
const MAX_KNOWN = 5_000;

/**
 * Finds what a member wants to be notified of among the events, which say ids and states only. The server pushes by the same rule.
 * @returns a function that takes each event, and returns its notices
 */
export function noticesFor(memberId: string): (event: Heard) => Notice[] {
  const known = new Map<string, State>();
  /** Messages of conversations of which nothing is known. The event of the conversation follows. */
  const open = new Map<string, string>();

  const noticeOf = (conversationId: string | undefined, happening: Happening): Notice[] => {
    const reason = reasonFor(memberId, happening);
    return reason ? [{ reason, conversationId }] : [];
  };

  return ({ type, data }) => {
    const { conversationId } = data as { conversationId?: string };
    if (type === "reset") known.clear();
    else if (type === "attention_item.created" && data.severity === "urgent")
      return noticeOf(conversationId, { kind: "urgent" });
    if (conversationId === undefined) return [];
    if (type === "message.created") {
      const memberIds = data.mentions as string[] | undefined;
      if (memberIds?.includes(memberId)) return noticeOf(conversationId, { kind: "mention", memberIds });
      const state = known.get(conversationId);
      if (!state) open.set(conversationId, data.direction as string);
      else if (data.direction === "inbound") return noticeOf(conversationId, { kind: "received", conversation: state });
    } else if (type === "conversation.created" || type === "conversation.updated") {
      const state = data as unknown as State;
      const before = known.get(conversationId);
      const direction = open.get(conversationId);
      open.delete(conversationId);
      known.delete(conversationId);
      known.set(conversationId, state);
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
      if (direction === "inbound") return noticeOf(conversationId, { kind: "received", conversation: state });
      const became = before ? before.priority !== "urgent" : direction === undefined;
      if (state.priority === "urgent" && became) return noticeOf(conversationId, { kind: "urgent" });
    }
    return [];
  };
}
