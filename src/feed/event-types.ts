import { namedEnum } from "../platform/enums/named-enum.js";
import type { Change } from "./resource-change.entity.js";
import type { ResourceType } from "./resources.js";

/** What happened, for those who are told of it as it happens. */
export interface Occurrence {
  resourceType: ResourceType;
  change: Change;
  resourceId: string;
  workspaceId: string | null;
  conversationId: string | null;
  state: Record<string, unknown> | null;
  /** Of a contact: where it has conversations. Members of these workspaces hear of it. */
  contactIn?: string[] | null;
  /** As the API shows it now; null if it is gone. Only where it was asked for. */
  resource?: Record<string, unknown> | null;
  /** Of a conversation, in the same way. */
  contact?: Record<string, unknown> | null;
}

/** An event as a stream sends it. */
export interface StreamEvent {
  type: string;
  data: Record<string, unknown>;
}

/** The name of the id that says which resource an event is about. */
const ID_NAMES: Partial<Record<ResourceType, string>> = {
  conversation: "conversationId",
  message: "messageId",
  contact: "contactId",
  attention_item: "attentionItemId",
  pending_action: "pendingActionId",
  identity_event: "identityEventId",
  kb_entry: "kbEntryId",
  policy_entry: "policyEntryId",
};

/** What events carry besides ids and states, if a client wants it. `contact`: that of a conversation. */
export const INCLUDED = namedEnum("EventInclude", "What an event of a stream carries besides ids and states.", {
  resource: "what the event is about, as the API shows it now",
  contact: "the contact of a conversation",
});
export type Included = (typeof INCLUDED)[number];

/** The resources that have events. */
export const STREAMED_RESOURCES = Object.keys(ID_NAMES) as ResourceType[];

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
  const {
    previousStatus,
    previousPriority: _priority,
    released: _released,
    formerAccountId: _account,
    ...known
  } = state ?? {};
  return {
    ...(conversationId !== null && { conversationId }),
    workspaceId,
    [idName]: resourceId,
    ...known,
    ...(previousStatus != null && previousStatus !== known.status && { previousStatus }),
  };
}

/**
 * The events of a row of the feed: ids and states, and what is included as it was when the row was read. Rows of other resources
 * have none.
 */
export function eventsOf(row: Occurrence, included: readonly Included[]): StreamEvent[] {
  const { resourceType, change } = row;
  const thin = dataOf(row);
  // A new contact comes with its conversation, and an import makes thousands of them.
  if (!thin || (resourceType === "contact" && change === "created")) return [];
  const data = { ...thin };
  if (included.includes("resource")) data.resource = row.resource ?? null;
  if (included.includes("contact") && resourceType === "conversation") data.contact = row.contact ?? null;
  const event = { type: `${resourceType}.${change}`, data };
  const isReceived = resourceType === "message" && change === "created" && data.direction === "inbound";
  return isReceived ? [{ type: "channel.message_received", data }, event] : [event];
}
