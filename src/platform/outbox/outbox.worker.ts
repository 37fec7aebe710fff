import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../caller/caller.js";
import { Database } from "../database/database.js";
import type { Tx } from "../database/transaction.js";
import type { DueQueue, DueRow } from "../jobs/due-queue.js";
import type { Room } from "../jobs/due-rows.js";
import { JobRunner } from "../jobs/job-runner.js";
import { withTimeout } from "../outbound/with-timeout.js";
import type { OutboxEntry, OutboxPayload, Send } from "./outbox-kind.js";
import { OutboxMessageEntity, OutboxQueueEntity } from "./outbox.entity.js";
import { BEGIN_ATTEMPT, CLAIM_DUE, OUTBOX_LAG, PARK, POSTPONE } from "./outbox.queries.js";
import { OutboxMetrics } from "./outbox-metrics.js";
import { OutboxService } from "./outbox.service.js";
import { retryAfterSeconds } from "./retry-schedule.js";

/**
 * Messages that this process sends at once: in all, and to one receiver of a tenant, such as a channel, so that a slow one
 * does not delay the others.
 */
const CONCURRENCY = 40;
const CONCURRENCY_PER_RECEIVER = 5;
const BATCH = 5;
/** Longer than any attempt takes. */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 30_000;
/** How long, and how often, to retry recording that a message was sent. With the attempt it is less than the lease. */
const RECORD_MS = 25_000;
const RECORD_AGAIN_MS = 500;

/** A due message. `until` is the lease: if it has changed, another worker has the message. */
interface DueMessage extends DueRow {
  receiver: string;
  until: string;
}
/** An attempt to send a message. */
interface Attempt {
  sealed: Buffer;
  attempts: number;
  entry: OutboxEntry;
  send: Send;
}

/** Sends the messages that are due, those of one conversation in order. */
@Injectable()
export class OutboxWorker {
  private readonly log = new Logger("outbox");
  private readonly queue: DueQueue<DueMessage>;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly outbox: OutboxService,
    private readonly metrics: OutboxMetrics,
  ) {
    this.queue = jobs.queue<DueMessage>({
      name: "outbox",
      claim: (room, inProgress) => this.claim(room, inProgress),
      lag: () => jobs.acrossTenants(OUTBOX_LAG, { kinds: outbox.availableKinds }),
      concurrency: CONCURRENCY,
      // Small claims, so that each sees what the one before has made busy.
      batch: BATCH,
      followUps: true,
      work: (caller, due) => this.send(caller, due),
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private claim(room: Room, inProgress: readonly DueMessage[]): Promise<DueMessage[]> {
    const counts = new Map<string, number>();
    for (const { tenantId, receiver } of inProgress) {
      const key = `${tenantId} ${receiver}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return this.jobs.acrossTenants(CLAIM_DUE, {
      ...room,
      leaseSeconds: LEASE_SECONDS,
      kinds: this.outbox.availableKinds,
      perReceiver: CONCURRENCY_PER_RECEIVER,
      receivers: [...counts.keys()],
      onTheWay: [...counts.values()],
    });
  }

  private async send(caller: SystemCaller, { id, until }: DueMessage): Promise<void> {
    let attempt: Attempt | undefined;
    let result: string | object | void;
    try {
      attempt = await this.db.transaction(caller, (tx) => this.beginAttempt(tx, id, until));
      if (!attempt) return;
      result = await withTimeout(attempt.send(), ATTEMPT_MS, () => new Error("It was not taken in time"));
    } catch (error) {
      await this.db.transaction(caller, (tx) => this.postpone(tx, id, attempt, error));
      const dead = attempt && this.retryAfter(attempt, error) === undefined;
      if (attempt) this.metrics.attempted(attempt.entry.kind, dead ? "dead" : "postponed");
      return;
    }
    const { entry } = attempt;
    // A message that was sent and not recorded would be sent again: wait for a database that is away for a moment.
    await untilRecorded(() =>
      this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        const reference = typeof result === "string" ? result : null;
        if (await this.outbox.left(tx, id, reference))
          await this.outbox.kind(entry.kind).settle?.(tx, entry, "sent", result);
      }),
    );
    this.metrics.attempted(entry.kind, "sent");
  }

  /**
   * Begins an attempt and renews the lease.
   * @returns undefined where another worker has the message by now, it is no longer queued, or its channel is disabled
   */
  private async beginAttempt(tx: Tx, id: string, until: string): Promise<Attempt | undefined> {
    tx.changesNothingVisible();
    const [message] = await tx.query(BEGIN_ATTEMPT, { id, until, leaseSeconds: LEASE_SECONDS });
    if (!message) return undefined;
    if (!message.sealed || message.attempts === null) {
      await tx.delete(OutboxQueueEntity, { id });
      if (message.wasHeld) await this.outbox.captured(tx, id);
      return undefined;
    }
    if (message.wasHeld) await this.outbox.kind(message.entry.kind).released?.(tx, id);
    const { sealed, attempts, triedAt, entry } = message;
    const attempt = (send: Send): Attempt => ({ sealed, attempts, entry, send });
    // A message that cannot be unsealed counts as a failed attempt.
    let payload: OutboxPayload;
    try {
      payload = this.outbox.unseal(tx.caller.tenantId, id, sealed);
    } catch (error) {
      return attempt(() => {
        throw error;
      });
    }
    const send = await this.outbox.kind(entry.kind).prepare(tx, entry, payload, triedAt);
    if (send) return attempt(send);
    await tx.query(PARK, { id });
    return undefined;
  }

  private retryAfter({ attempts, entry }: Attempt, error: unknown): number | undefined {
    const kind = this.outbox.kind(entry.kind);
    return kind.retryAfterSeconds ? kind.retryAfterSeconds(attempts, error) : retryAfterSeconds(attempts, error);
  }

  /** Without an attempt the message is due again when its lease ends. */
  private async postpone(tx: Tx, id: string, attempt: Attempt | undefined, error: unknown): Promise<void> {
    if (!attempt) throw error;
    tx.changesNothingVisible();
    const { attempts, entry } = attempt;
    const seconds = this.retryAfter(attempt, error);
    const dead = seconds === undefined;
    this.log.warn(`message ${id} ${dead ? "given up" : "postponed"} after attempt ${attempts}`);
    const waiting = await tx.update(
      OutboxMessageEntity,
      { id, status: "queued" },
      { status: dead ? "dead" : "queued", lastError: (error as Error).message.slice(0, 500) },
    );
    // In the meantime its delivery was reported.
    if (!waiting) return;
    if (dead) await tx.delete(OutboxQueueEntity, { id });
    else
      await tx.query(POSTPONE, {
        id,
        conversationId: entry.conversationId,
        position: entry.position,
        seconds,
      });
    await this.outbox.kind(entry.kind).settle?.(tx, entry, dead ? "dead" : "postponed", error);
  }
}

async function untilRecorded(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + RECORD_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(RECORD_AGAIN_MS);
    }
  }
}
