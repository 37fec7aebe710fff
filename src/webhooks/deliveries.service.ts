import { ConflictException, Injectable } from "@nestjs/common";
import { v4, v7 as uuid } from "uuid";
import { recordAuditEntry } from "../audit/audit-entries.js";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import { Json, type Page } from "../platform/http/json.js";
import { DELIVERY_STATE, GET_DELIVERY, listDeliveries, REQUEUE, REQUEUE_FAILED } from "./deliveries.queries.js";
import { WebhookEndpointEntity } from "./webhook.entity.js";
import { WebhookKind } from "./webhook.kind.js";
import { TEST_EVENT } from "./webhook-events.js";
import type { ListWebhookDeliveriesDto, RedeliveredDto, WebhookDeliveryDto } from "./webhooks.dto.js";

/** So many deliveries are queued again in one transaction. */
const BATCH = 500;
const DISABLED = "The endpoint is disabled: make it active first";
const CAPTURED = "On the test side nothing leaves";

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly db: Database,
    private readonly kind: WebhookKind,
  ) {}

  list(
    caller: Caller,
    endpointId: string,
    { status, limit = 25, cursor }: ListWebhookDeliveriesDto,
  ): Promise<Json<Page<WebhookDeliveryDto>>> {
    return this.db.page(caller, listDeliveries(status !== undefined), { endpointId, status }, { limit, cursor });
  }

  /** Sends a test event the way that all events go. @throws NotFoundException, ConflictException (the endpoint is disabled) */
  test(caller: Caller, endpointId: string): Promise<Json<WebhookDeliveryDto>> {
    return this.db.transaction(caller, async (tx) => {
      const endpoint = await this.activeEndpoint(tx, endpointId);
      const occurredAt = new Date().toISOString();
      const id = await this.kind.deliver(tx, endpoint, {
        id: v4(),
        type: TEST_EVENT,
        occurredAt,
        data: { endpointId },
      });
      return (await tx.read(GET_DELIVERY, { id })).created();
    });
  }

  /**
   * Sends a delivery again, with all its attempts before it. One that is queued does not change.
   * @throws NotFoundException, ConflictException (the endpoint is disabled, or on the test side)
   */
  redeliver(caller: Caller, id: string): Promise<Json<WebhookDeliveryDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      if (await this.requeue(tx, id))
        await recordAuditEntry(tx, {
          change: "updated",
          resourceType: "webhookDelivery",
          resourceId: id,
          fields: ["status"],
        });
      else {
        const [found] = await tx.query(DELIVERY_STATE, { id });
        if (!found) throw notFound();
        if (found.status === "captured") throw new ConflictException(CAPTURED);
        if (found.status !== "queued") throw new ConflictException(DISABLED);
      }
      return tx.read(GET_DELIVERY, { id });
    });
  }

  /** Sends again what failed since a time. @throws NotFoundException, ConflictException (the endpoint is disabled) */
  redeliverSince(caller: Caller, endpointId: string, since: string): Promise<Json<RedeliveredDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const { url } = await this.activeEndpoint(tx, endpointId);
      const outboxIds = Array.from({ length: BATCH }, () => uuid());
      const failed = await tx.query(REQUEUE_FAILED, { endpointId, since, outboxIds });
      if (failed.length) {
        await this.kind.enqueue(tx, { id: endpointId, url }, failed);
        await recordAuditEntry(tx, {
          change: "updated",
          resourceType: "webhookEndpoint",
          resourceId: endpointId,
          counts: { redelivered: failed.length },
        });
      }
      return Json.of({ redelivered: failed.length });
    });
  }

  private async activeEndpoint(tx: Tx, id: string): Promise<WebhookEndpointEntity> {
    const endpoint = await tx.findOrThrow(WebhookEndpointEntity, { id }, { lock: "share" });
    if (endpoint.status !== "active") throw new ConflictException(DISABLED);
    return endpoint;
  }

  private async requeue(tx: Tx, id: string): Promise<boolean> {
    const [queued] = await tx.query(REQUEUE, { id, outboxId: uuid() });
    if (queued) await this.kind.enqueue(tx, { id: queued.endpointId, url: queued.url }, [queued]);
    return queued !== undefined;
  }
}
