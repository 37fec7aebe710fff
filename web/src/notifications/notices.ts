import type { Conversation } from "../api/parley.js";
import type { Heard } from "../live/heard.js";

/** Why the member is notified: the names of the preferences. */
type Reason = "mine" | "mentions" | "urgent" | "unassigned";
/** `conversationId` is undefined for an attention item without a conversation. */
export interface Notice {
  reason: Reason;
  conversationId: string | undefined;
}

type State = Pick<Conversation, "assigneeId" | "handlingMode" | "priority">;
/** Of so many conversations it is known who has them. */
const MAX_KNOWN = 5_000;

/**
 * Finds what a member wants to be notified of among the events, which say ids and states only.
 * @returns a function that takes each event, and returns its notices
 */
export function noticesFor(memberId: string): (event: Heard) => Notice[] {
  const known = new Map<string, State>();
  /** Messages of conversations of which nothing is known. The event of the conversation follows. */
  const open = new Map<string, string>();

  const ofMessage = (conversationId: string, { assigneeId, handlingMode, priority }: State): Notice[] => {
    if (assigneeId === memberId) return [{ reason: "mine", conversationId }];
    if (priority === "urgent") return [{ reason: "urgent", conversationId }];
    return assigneeId === null && handlingMode === "human" ? [{ reason: "unassigned", conversationId }] : [];
  };

  return ({ type, data }) => {
    const { conversationId } = data as { conversationId?: string };
    if (type === "reset") known.clear();
    else if (type === "attention_item.created" && data.severity === "urgent")
      return [{ reason: "urgent", conversationId }];
    if (conversationId === undefined) return [];
    if (type === "message.created") {
      if ((data.mentions as string[] | undefined)?.includes(memberId)) return [{ reason: "mentions", conversationId }];
      const state = known.get(conversationId);
      if (!state) open.set(conversationId, data.direction as string);
      else if (data.direction === "inbound") return ofMessage(conversationId, state);
    } else if (type === "conversation.created" || type === "conversation.updated") {
      const state = data as unknown as State;
      const before = known.get(conversationId);
      const direction = open.get(conversationId);
      open.delete(conversationId);
      known.delete(conversationId);
      known.set(conversationId, state);
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
      if (direction === "inbound") return ofMessage(conversationId, state);
      const became = before ? before.priority !== "urgent" : direction === undefined;
      if (state.priority === "urgent" && became) return [{ reason: "urgent", conversationId }];
    }
    return [];
  };
}
