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
  identity_event: "identityEventId",
  kb_entry: "kbEntryId",
  policy_entry: "policyEntryId",
};

/** What an event says of a row of the feed: ids and states. Undefined for resources that have no events. */
export function dataOf({
  resourceType,
  resourceId,
  workspaceId,
  conversationId,
  state,
}: Occurrence): Record<string, unknown> | undefined {
  const idName = ID_NAMES[resourceType];
  if (idName === undefined) return undefined;
  const { previousStatus, released: _, ...known } = state ?? {};
  return {
    ...(conversationId !== null && { conversationId }),
    workspaceId,
    [idName]: resourceId,
    ...known,
    ...(previousStatus != null && previousStatus !== known.status && { previousStatus }),
  };
}

/**
 * The events of a row of the feed: thin, with ids and states. Whoever wants more reads the resource. Rows of other resources
 * have none.
 */
export function eventsOf(row: Occurrence): StreamEvent[] {
  const data = dataOf(row);
  if (!data) return [];
  const { resourceType, change } = row;
  const event = { type: `${resourceType}.${change}`, data };
  const isReceived = resourceType === "message" && change === "created" && data.direction === "inbound";
  return isReceived ? [{ type: "channel.message_received", data }, event] : [event];
}
