import { v5 as uuidOf } from "uuid";
import { dataOf } from "../feed/event-types.js";
import type { Position, Step } from "../feed/feed.queries.js";
import type { ResourceType } from "../feed/resources.js";
import { namedEnum } from "../platform/enums/named-enum.js";
import {
  AttentionItemEventDto,
  ConversationEventDto,
  KbEntryEventDto,
  MessageEventDto,
  PendingActionEventDto,
  PolicyEntryEventDto,
  TestEventDto,
} from "./webhook-payloads.dto.js";

/** The tag of the operations about webhooks, and of the webhooks themselves. */
export const WEBHOOKS_TAG = "Webhooks (preview)";

/**
 * When each event is sent, and what its `data` is. The list of events, `openapi.json` and the table of the guide come from here or are
 * compared with it.
 */
const EVENTS = {
  "conversation.created": { when: "A conversation began", data: ConversationEventDto },
  "conversation.resolved": { when: "Its status became `resolved`", data: ConversationEventDto },
  "conversation.status_changed": {
    when: "Its status changed; `previousStatus` says from what",
    data: ConversationEventDto,
  },
  "message.received": { when: "A contact wrote", data: MessageEventDto },
  "message.sent": { when: "A reply was made, and is no longer held", data: MessageEventDto },
  "attention_item.created": { when: "Something needs a person", data: AttentionItemEventDto },
  "pending_action.created": { when: "An agent asks for an approval", data: PendingActionEventDto },
  "pending_action.status_changed": {
    when: "It was approved, rejected, carried out, or has expired",
    data: PendingActionEventDto,
  },
  "kb_entry.proposed": { when: "A pending entry waits for review", data: KbEntryEventDto },
  "policy_entry.proposed": { when: "A pending entry waits for review", data: PolicyEntryEventDto },
} as const;
export type WebhookEventType = keyof typeof EVENTS;
export const WEBHOOK_EVENTS = namedEnum(
  "WebhookEventType",
  "An event that a webhook endpoint can ask for.",
  Object.keys(EVENTS) as WebhookEventType[],
);
/** What `POST /{id}/test` sends. Every endpoint takes it. */
export const TEST_EVENT = "webhook.test";
export const DELIVERED_EVENTS = namedEnum("WebhookDeliveryType", "The event of a delivery; `webhook.test` is a test.", [
  ...WEBHOOK_EVENTS,
  TEST_EVENT,
]);
/** Everything that an endpoint can get. */
export const DELIVERED = {
  ...EVENTS,
  [TEST_EVENT]: { when: "You asked for a test", data: TestEventDto },
};

/** The resources of the feed that these events are about. */
export const RESOURCES_WITH_EVENTS: readonly ResourceType[] = [
  "conversation",
  "message",
  "attention_item",
  "pending_action",
  "kb_entry",
  "policy_entry",
];

/** Something that happened, as each endpoint is told of it. */
export interface WebhookEvent {
  /** The same for every endpoint and every attempt. */
  id: string;
  type: WebhookEventType | typeof TEST_EVENT;
  occurredAt: string;
  data: Record<string, unknown>;
}

/** The events of a step. @param cursor the position of the step in `GET /api/changes` */
export function eventsOfStep(
  tenantId: string,
  epoch: string,
  step: Step & { at: Position },
  cursor: string,
): WebhookEvent[] {
  return typesOf(step).map((type) => ({
    // Of its place in the feed: who reads a step twice finds the same event.
    id: uuidOf(`${epoch} ${step.at.join(" ")} ${type}`, tenantId),
    type,
    occurredAt: step.occurredAt,
    data: { ...dataOf(step), cursor },
  }));
}

function typesOf({ resourceType, change, state }: Step): WebhookEventType[] {
  const status = state?.status;
  if (resourceType === "conversation" && change !== "created")
    return status === "resolved"
      ? ["conversation.status_changed", "conversation.resolved"]
      : ["conversation.status_changed"];
  if (resourceType === "pending_action")
    return [change === "created" ? "pending_action.created" : "pending_action.status_changed"];
  switch (resourceType) {
    case "conversation":
      return ["conversation.created"];
    case "attention_item":
      return ["attention_item.created"];
    case "message":
      return state?.direction === "inbound"
        ? ["message.received"]
        : state?.direction === "outbound" && state.deliveryStatus !== "held"
          ? ["message.sent"]
          : [];
    case "kb_entry":
      return status === "pending" ? ["kb_entry.proposed"] : [];
    case "policy_entry":
      return status === "pending" ? ["policy_entry.proposed"] : [];
    default:
      return [];
  }
}
