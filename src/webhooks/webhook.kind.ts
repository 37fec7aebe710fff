import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Sealer, Sealers } from "../platform/database/seal.js";
import type { Tx } from "../platform/database/transaction.js";
import { OutboundClient, type OutboundError } from "../platform/outbound/outbound.client.js";
import type { Mail, OutboxEntry, OutboxKind, OutboxPayload, Send } from "../platform/outbox/outbox-kind.js";
import { OutboxService, Undeliverable } from "../platform/outbox/outbox.service.js";
import { FIND_TO_SEND, type QueuedDelivery, RECORD_ATTEMPT, type ToSend } from "./deliveries.queries.js";
import { NOTE_FAILURE, OWNERS } from "./endpoints.queries.js";
import { type EndpointSecrets, signatureHeaders } from "./signature.js";
import { WebhookDeliveryEntity, WebhookEndpointEntity } from "./webhook.entity.js";
import type { WebhookEvent } from "./webhook-events.js";
import type { WebhookAttemptDto } from "./webhooks.dto.js";
import { IsNull, Not } from "typeorm";

const TIMEOUT_MS = 15_000;
/** How long to wait after the first and the second attempt. The third is the last. */
const WAITS_SECONDS = [60, 900];
/** A receiver may ask us to wait, but no longer than this. */
const MAX_RETRY_AFTER_SECONDS = 3_600;
const EXCERPT_BYTES = 2_048;
const GONE = 410;

interface Payload extends OutboxPayload {
  deliveryId: string;
  type: string;
  body: string;
}

/** An attempt that the receiver did not confirm. */
class Unconfirmed extends Error {
  constructor(
    readonly attempt: WebhookAttemptDto,
    readonly retryAfter?: number,
  ) {
    super(attempt.error!);
  }
}

/** Sends events to the endpoints of tenants. */
@Injectable()
export class WebhookKind implements OutboxKind<Payload> {
  readonly name = "webhook";
  readonly available = true;
  private readonly sealer: Sealer;

  constructor(
    private readonly outbox: OutboxService,
    private readonly client: OutboundClient,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("webhooks");
    outbox.register(this);
  }

  /** Stores a delivery. @returns its id */
  async deliver(
    tx: Tx,
    endpoint: { id: string; url: string },
    { id: eventId, ...event }: WebhookEvent,
  ): Promise<string> {
    const id = uuid();
    const outboxId = uuid();
    const { type } = event;
    const { occurredAt, data } = event;
    const body = JSON.stringify({ id: eventId, type, occurredAt, idempotencyKey: id, data });
    await tx.insert(WebhookDeliveryEntity, {
      id,
      endpointId: endpoint.id,
      eventId,
      type,
      body,
      status: tx.caller.environment === "live" ? "queued" : "captured",
      outboxId,
    });
    await this.enqueue(tx, endpoint, [{ id, outboxId, type, body }]);
    return id;
  }

  /** Each endpoint is a receiver of its own, so that a slow one delays no other. */
  async enqueue(
    tx: Tx,
    { id: endpointId, url }: { id: string; url: string },
    deliveries: readonly QueuedDelivery[],
  ): Promise<void> {
    const shared = {
      channel: this.name,
      channelId: null,
      conversationId: null,
      position: null,
      receiver: `${this.name} ${endpointId}`,
    };
    const entries = deliveries.map(({ id, outboxId, type, body }) => ({
      id: outboxId,
      payload: { to: url, deliveryId: id, type, body },
    }));
    await this.outbox.addAll(tx, this, shared, entries);
  }

  seal(secrets: EndpointSecrets, tenantId: string, endpointId: string): Buffer {
    return this.sealer.seal(secrets, tenantId + endpointId);
  }

  unseal(sealed: Buffer, tenantId: string, endpointId: string): EndpointSecrets {
    return this.sealer.open<EndpointSecrets>(sealed, tenantId + endpointId);
  }

  show({ to, type, body }: Payload): Mail {
    return { to, subject: type, body };
  }

  async prepare(tx: Tx, _entry: OutboxEntry, { deliveryId, body }: Payload): Promise<Send> {
    const [found] = await tx.query(FIND_TO_SEND, { deliveryId });
    if (found?.status !== "active")
      return () => Promise.reject(new Undeliverable(`The endpoint is ${found ? "disabled" : "deleted"}`));
    const { current, previous } = this.unseal(found.sealed, tx.caller.tenantId, found.endpointId);
    return () => this.post(found, body, found.overlaps && previous !== null ? [current, previous] : [current]);
  }

  /** @throws Unconfirmed */
  private async post({ url, eventId }: ToSend, body: string, secrets: readonly string[]): Promise<WebhookAttemptDto> {
    const at = new Date();
    const attempt = (rest: Omit<WebhookAttemptDto, "at" | "durationMs">): WebhookAttemptDto => ({
      at: at.toISOString(),
      durationMs: Math.max(0, Date.now() - at.getTime()),
      ...rest,
    });
    const answer = await this.client
      .exchange(url, {
        method: "POST",
        timeoutMs: TIMEOUT_MS,
        excerptBytes: EXCERPT_BYTES,
        content: body,
        headers: {
          "content-type": "application/json",
          ...signatureHeaders(eventId, Math.floor(at.getTime() / 1_000), body, secrets),
        },
      })
      .catch((error: unknown) => {
        throw new Unconfirmed(
          attempt({ responseStatus: null, response: null, error: (error as OutboundError).message }),
        );
      });
    const { status: responseStatus, retryAfter } = answer;
    const response = printable(answer.text);
    if (responseStatus >= 200 && responseStatus <= 299) return attempt({ responseStatus, response, error: null });
    const error = `The server answered with status ${responseStatus}`;
    throw new Unconfirmed(attempt({ responseStatus, response, error }), retryAfter);
  }

  retryAfterSeconds(attempts: number, error: unknown): number | undefined {
    const wait = WAITS_SECONDS[attempts - 1];
    if (wait === undefined || error instanceof Undeliverable || isGone(error)) return undefined;
    const asked = error instanceof Unconfirmed ? (error.retryAfter ?? 0) : 0;
    return Math.max(wait * (0.75 + Math.random() / 2), Math.min(asked, MAX_RETRY_AFTER_SECONDS));
  }

  async settle(tx: Tx, { id }: OutboxEntry, outcome: "sent" | "postponed" | "dead", result: unknown): Promise<void> {
    const attempt = result instanceof Unconfirmed ? result.attempt : outcome === "sent" ? result : unsent(result);
    const status = outcome === "sent" ? "succeeded" : outcome === "dead" ? "failed" : "queued";
    const [found] = await tx.query(RECORD_ATTEMPT, { outboxId: id, status, attempt: JSON.stringify(attempt) });
    if (!found) return;
    if (outcome === "sent")
      await tx.update(
        WebhookEndpointEntity,
        { id: found.endpointId, failingSince: Not(IsNull()) },
        { failingSince: null },
      );
    else if (result instanceof Unconfirmed) await this.noteFailure(tx, found.endpointId, isGone(result));
  }

  async requeued(tx: Tx, id: string): Promise<void> {
    await tx.update(WebhookDeliveryEntity, { outboxId: id }, { status: "queued" });
  }

  private async noteFailure(tx: Tx, id: string, gone: boolean): Promise<void> {
    const [noted] = await tx.query(NOTE_FAILURE, { id, gone });
    if (noted?.status !== "disabled") return;
    tx.changesTenant();
    const why = gone ? "it answered with status 410 (Gone)" : "every attempt to reach it has failed for five days";
    for (const { email } of await tx.query(OWNERS))
      await this.outbox.mail(tx, {
        to: email,
        subject: "A webhook endpoint was disabled",
        body: `Parley sends no more events to ${noted.url}, because ${why}.\n\nOnce it works again, make it active: PATCH /api/webhook-endpoints/${id} with {"status": "active"}. Then redeliver what failed: POST /api/webhook-endpoints/${id}/redeliver.\n`,
      });
  }
}

const isGone = (error: unknown): boolean => error instanceof Unconfirmed && error.attempt.responseStatus === GONE;

/** An attempt that ended before anything was sent. */
const unsent = (error: unknown): WebhookAttemptDto => ({
  at: new Date().toISOString(),
  durationMs: 0,
  responseStatus: null,
  response: null,
  error: (error as Error).message,
});

/** PostgreSQL takes no NUL, and whoever reads the answer in a terminal wants no control characters. */
const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
