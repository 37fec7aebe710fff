import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";

export const ENDPOINT_STATUSES = namedEnum("WebhookEndpointStatus", "Whether events are sent to an endpoint.", [
  "active",
  "disabled",
]);
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** An address of the tenant's own that is told what happens. */
@Entity("webhook_endpoint")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Check("webhook_endpoint_status", isOneOf("status", ENDPOINT_STATUSES))
export class WebhookEndpointEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() url: string;
  @Text({ nullable: true }) description: string | null;
  @Text({ array: true }) events: string[];
  @Text({ default: "active" }) status: EndpointStatus;
  /** Encrypted: `EndpointSecrets`. */
  @Column({ type: "bytea" }) sealed: Buffer;
  /** Until then the previous secret signs too. */
  @Time({ nullable: true }) previousUntil: Date | null;
  /**
   * What had been committed when it was made or became active: a snapshot of PostgreSQL. It gets everything else. A time would not do,
   * because the clock may go back.
   */
  @Text() activeAfter: string;
  /** The epoch of the feed in which the numbers of the snapshot count. */
  @Text() activeEpoch: string;
  /** When the first attempt failed after the last one that did not. */
  @Time({ nullable: true }) failingSince: Date | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

export const DELIVERY_STATUSES = namedEnum("WebhookDeliveryStatus", "How far a delivery got.", {
  queued: "is sent, or sent again, later",
  succeeded: "the endpoint accepted it",
  failed: "no further attempt is made",
  captured: "kept and not sent, on the test side",
});
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * One event for one endpoint. The row stays when the outbox has sent it, so that it can be read and sent again. It may outlive its
 * endpoint for a moment: the deliveries of a deleted endpoint are nobody's to see, and are deleted in small transactions.
 */
@Entity("webhook_delivery")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("webhook_delivery_event", ["tenantId", "endpointId", "eventId"], { unique: true })
@Index("webhook_delivery_outbox", ["tenantId", "outboxId"], { unique: true })
@Index("webhook_delivery_recent", ["tenantId", "endpointId", "createdAt", "id"])
@Index("webhook_delivery_by_status", ["tenantId", "endpointId", "status", "createdAt", "id"])
@Index("webhook_delivery_by_age", ["tenantId", "createdAt"])
@Check("webhook_delivery_status", isOneOf("status", DELIVERY_STATUSES))
export class WebhookDeliveryEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() endpointId: string;
  @Uuid() eventId: string;
  @Text() type: string;
  /** The payload: fixed when the event occurs. */
  @Text() body: string;
  @Text() status: DeliveryStatus;
  /** The outbox entry that sends it, or sent it last. */
  @Uuid() outboxId: string;
  @Column({ type: "jsonb", default: [] }) attempts: object[];
  @Now() createdAt: Date;
}

/**
 * Up to where the feed of a side was turned into deliveries. There is a row for each side with an active endpoint: ids, times and a position.
 */
@Entity("webhook_due")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("webhook_due_next", ["dueAt"])
export class WebhookDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @Column({ type: "bigint" }) transactionId: string;
  @Column({ type: "bigint" }) position: string;
  @Text() epoch: string;
  /** When the feed is read next. While a process reads it: the end of the lease. */
  @Time() dueAt: Date;
  @Column({ type: "boolean", default: false }) claimed: boolean;
}
