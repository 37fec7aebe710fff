import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { FEED_END } from "../feed/feed.queries.js";
import { type Caller, system, type SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import { Json, type Ok, ok } from "../platform/http/json.js";
import { Afterwards } from "../platform/jobs/afterwards.js";
import { OutboundClient, OutboundError } from "../platform/outbound/outbound.client.js";
import {
  COUNT_ENDPOINTS,
  GET_ENDPOINT,
  LIST_ENDPOINTS,
  REMOVE_DELIVERIES_OF_DELETED,
  START,
  UPDATE_ENDPOINT,
} from "./endpoints.queries.js";
import { newSecret } from "./signature.js";
import { WebhookEndpointEntity } from "./webhook.entity.js";
import { WebhookKind } from "./webhook.kind.js";
import type {
  CreateWebhookEndpointDto,
  NewWebhookEndpointDto,
  UpdateWebhookEndpointDto,
  WebhookEndpointDto,
} from "./webhooks.dto.js";

/** On each side. Every event costs a delivery for each of them. */
const MAX_ENDPOINTS = 20;
const OVERLAP = "24 hours";
/** So many deliveries of a deleted endpoint are deleted in one transaction. */
const BATCH = 500;

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly db: Database,
    private readonly client: OutboundClient,
    private readonly kind: WebhookKind,
    private readonly afterwards: Afterwards,
  ) {}

  list(caller: Caller): Promise<Json<WebhookEndpointDto[]>> {
    return this.db.read(caller, LIST_ENDPOINTS, {});
  }

  get(caller: Caller, id: string): Promise<Json<WebhookEndpointDto>> {
    return this.db.read(caller, GET_ENDPOINT, { id });
  }

  /** @throws BadRequestException (the URL), ConflictException (too many) */
  create(
    caller: Caller,
    { url, events, description = null }: CreateWebhookEndpointDto,
  ): Promise<Json<NewWebhookEndpointDto>> {
    this.assertCallable(url);
    return this.db.transaction(caller, async (tx) => {
      // Locks the side, so that two requests cannot both make the last endpoint.
      const epoch = await this.start(tx);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_ENDPOINTS);
      if (count >= MAX_ENDPOINTS) throw new ConflictException(`There are ${MAX_ENDPOINTS} endpoints already`);
      const id = uuid();
      const secret = newSecret();
      await tx.insert(WebhookEndpointEntity, {
        id,
        url,
        events,
        description,
        sealed: this.kind.seal({ current: secret, previous: null }, caller.tenantId, id),
        activeAfter: () => "pg_current_snapshot()::text",
        activeEpoch: epoch,
      });
      return this.withSecret(tx, id, secret);
    });
  }

  /** @throws BadRequestException (the URL), NotFoundException */
  update(caller: Caller, id: string, changes: UpdateWebhookEndpointDto): Promise<Json<WebhookEndpointDto>> {
    if (changes.url !== undefined) this.assertCallable(changes.url);
    return this.db.transaction(caller, async (tx) => {
      const setsDescription = changes.description !== undefined;
      const [updated] = await tx.query(UPDATE_ENDPOINT, { id, ...changes, setsDescription });
      if (!updated) throw notFound();
      if (changes.status === "active") await this.start(tx);
      return tx.read(GET_ENDPOINT, { id });
    });
  }

  /** From then on nothing is sent to it. Its deliveries follow after the answer. The daily task deletes those that a killed process leaves behind. */
  async delete(caller: Caller, id: string): Promise<Json<Ok>> {
    const answer = await this.db.transaction(caller, async (tx) => {
      if (!(await tx.delete(WebhookEndpointEntity, { id }))) throw notFound();
      return ok();
    });
    this.afterwards.do(async () => {
      await this.removeDeliveriesOfDeleted(system("webhooks", caller.tenantId, caller.environment));
    });
    return answer;
  }

  /** In small transactions, because the change feed waits for each. @returns how many */
  async removeDeliveriesOfDeleted(caller: SystemCaller, stopping = () => false): Promise<number> {
    let total = 0;
    for (let removed = BATCH; removed === BATCH && !stopping(); total += removed)
      removed = await this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        return (await tx.query(REMOVE_DELIVERIES_OF_DELETED, { batch: BATCH })).length;
      });
    return total;
  }

  /** Makes a new secret. The one before signs too for a day. @throws NotFoundException */
  rotateSecret(caller: Caller, id: string): Promise<Json<NewWebhookEndpointDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { sealed } = await tx.findOrThrow(WebhookEndpointEntity, { id }, { lock: "no key update" });
      const previous = this.currentIn(sealed, caller.tenantId, id);
      const secret = newSecret();
      await tx.update(
        WebhookEndpointEntity,
        { id },
        {
          sealed: this.kind.seal({ current: secret, previous }, caller.tenantId, id),
          previousUntil: () => `now() + interval '${OVERLAP}'`,
          updatedAt: () => "now()",
        },
      );
      return this.withSecret(tx, id, secret);
    });
  }

  /** Null if it was sealed under a key that is gone: it signs nothing any more, and a new one is what helps. */
  private currentIn(sealed: Buffer, tenantId: string, id: string): string | null {
    try {
      return this.kind.unseal(sealed, tenantId, id).current;
    } catch {
      return null;
    }
  }

  private async withSecret(tx: Tx, id: string, secret: string): Promise<Json<NewWebhookEndpointDto>> {
    const { text } = await tx.read(GET_ENDPOINT, { id });
    return new Json<NewWebhookEndpointDto>(`${text.slice(0, -1)},"secret":"${secret}"}`, 201, true);
  }

  /** From the end of the feed on, if no endpoint was active. @returns the epoch of the feed */
  private async start(tx: Tx): Promise<string> {
    const { epoch, end } = (await tx.read(FEED_END, {})).parse();
    await tx.query(START, { transactionId: end[0], position: end[1], epoch });
    return epoch;
  }

  /** @throws BadRequestException */
  private assertCallable(url: string): void {
    try {
      this.client.registrable(url);
    } catch (error) {
      if (error instanceof OutboundError) throw new BadRequestException(`url: ${error.message}`);
      throw error;
    }
  }
}
