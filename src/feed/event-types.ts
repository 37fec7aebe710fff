import type { Occurrence } from "./feed.queries.js";

/** An event as a stream sends it. */
export interface StreamEvent {
  type: string;
  data: Record<string, unknown>;
}

/** The name of the id that says which resource an event is about. */
const ID_NAMES: Partial<Record<Occurrence["resourceType"], string>> = {
  conversation: "conversationId",
  message: "messageId",
  attention_item: "attentionItemId",
  kb_entry: "kbEntryId",
  policy_entry: "policyEntryId",
};

/**
 * The events of a row of the feed: thin, with ids and states. Whoever wants more reads the resource. Rows of other resources
 * have none.
 */
export function eventsOf({
  resourceType,
  change,
  resourceId,
  workspaceId,
  conversationId,
  state,
}: Occurrence): StreamEvent[] {
  const idName = ID_NAMES[resourceType];
  if (idName === undefined) return [];
  const { previousStatus, ...known } = state ?? {};
  const data = {
    ...(conversationId !== null && { conversationId }),
    workspaceId,
    [idName]: resourceId,
    ...known,
    ...(previousStatus != null && previousStatus !== known.status && { previousStatus }),
  };
  const event = { type: `${resourceType}.${change}`, data };
  const isReceived = resourceType === "message" && change === "created" && known.direction === "inbound";
  return isReceived ? [{ type: "channel.message_received", data }, event] : [event];
}
