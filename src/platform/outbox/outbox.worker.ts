import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../caller/caller.js";
import { Database } from "../database/database.js";
import { sql } from "../database/sql.js";
import { globalQuery } from "../database/statements.js";
import type { Tx } from "../database/transaction.js";
import type { DueQueue, DueRow } from "../jobs/due-queue.js";
import { JobRunner } from "../jobs/job-runner.js";
import { Mailer } from "./mailer.js";
import { type Mail, Outbox, type Parcel, type Send, TooSoon, Undeliverable } from "./outbox.service.js";

/** Messages that this process sends at once: over all channels, and over one, so that a slow receiver does not delay the others. */
const CONCURRENCY = 40;
const CONCURRENCY_PER_CHANNEL = 5;
/** Longer than any attempt takes. */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 30_000;
const MAX_ATTEMPTS = 10;
/** How long, and how often, to retry recording that a message was sent. With the attempt it is less than the lease. */
const RECORD_MS = 25_000;
const RECORD_AGAIN_MS = 500;

/**
 * Claims what is due, except for channels that are at their limit, and for messages that come after an unsent one of their
 * conversation. `ownMail`: whether the service's own mail may be claimed too.
 */
const CLAIM = globalQuery<
  { leaseSeconds: number; limit: number; ownMail: boolean; fullChannels: readonly string[] },
  DueMessage
>(
  "outbox.claim",
  ({ leaseSeconds, limit, ownMail, fullChannels }) => sql`
    update outbox_queue d set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where (d.tenant_id, d.id) in (
      select q.tenant_id, q.id from outbox_queue q
      where q.due_at <= clock_timestamp()
        and case when q.channel_id is null then ${ownMail} else not (q.channel_id = any(${fullChannels}::uuid[])) end
        and not exists (
          select from outbox_queue e
          where e.tenant_id = q.tenant_id and e.conversation_id = q.conversation_id and e.position < q.position)
      order by q.due_at limit ${limit} for update skip locked)
    returning d.tenant_id as "tenantId", d.id, d.channel_id as "channelId", d.due_at::text as until`,
);

/** A due message. `until` is the lease: if it has changed, another worker has the message. No channel: the service's own mail. */
interface DueMessage extends DueRow {
  channelId: string | null;
  until: string;
}
/** An attempt to send a message. */
interface Attempt {
  sealed: Buffer;
  attempts: number;
  parcel: Parcel | null;
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
    private readonly outbox: Outbox,
    private readonly mailer: Mailer,
  ) {
    this.queue = jobs.queue<DueMessage>({
      name: "outbox",
      claim: (limit, inProgress) => this.claim(limit, inProgress),
      concurrency: CONCURRENCY,
      // One statement must not claim more for a channel than its limit.
      batch: CONCURRENCY_PER_CHANNEL,
      followUps: true,
      work: (caller, due) => this.send(caller, due),
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private claim(limit: number, inProgress: readonly DueMessage[]): Promise<DueMessage[]> {
    const counts = new Map<string | null, number>();
    for (const { channelId } of inProgress) counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count >= CONCURRENCY_PER_CHANNEL).map(([channelId]) => channelId);
    return this.jobs.acrossTenants(CLAIM, {
      leaseSeconds: LEASE_SECONDS,
      limit,
      ownMail: this.mailer.available && !full.includes(null),
      fullChannels: full.filter((channelId) => channelId !== null),
    });
  }

  private async send(caller: SystemCaller, { id, until }: DueMessage): Promise<void> {
    let attempt: Attempt | undefined;
    let reference: string | null;
    try {
      attempt = await this.db.transaction(caller, (tx) => this.beginAttempt(tx, id, until));
      if (!attempt) return;
      reference = (await inTime(attempt.send())) ?? null;
    } catch (error) {
      await this.db.transaction(caller, (tx) => this.postpone(tx, id, attempt, error));
      return;
    }
    const { parcel } = attempt;
    // A message that was sent and not recorded would be sent again: wait for a database that is away for a moment.
    await untilRecorded(() =>
      this.db.transaction(caller, async (tx) => {
        tx.unseen();
        if ((await this.outbox.left(tx, id, reference)) && parcel) await this.outbox.carries.settle(tx, parcel, "sent");
      }),
    );
  }

  /**
   * Begins an attempt and renews the lease.
   * @returns undefined where another worker has the message by now, it is no longer queued, or its channel is disabled
   */
  private async beginAttempt(tx: Tx, id: string, until: string): Promise<Attempt | undefined> {
    tx.unseen();
    const [message] = await tx.query<{ sealed: Buffer | null; attempts: number; triedAt: Date | null; parcel: Parcel }>(
      `with renewed as (
        update outbox_queue set due_at = clock_timestamp() + make_interval(secs => :lease) where tenant_id = :tenant and id = :id and due_at = :until::timestamptz returning tenant_id, id
      ), message as (
        update outbox_message m set attempts = m.attempts + 1, first_tried_at = coalesce(m.first_tried_at, clock_timestamp()) from renewed r where m.tenant_id = r.tenant_id and m.id = r.id and m.status = 'queued' returning m.*
      ) select m.sealed, m.attempts, before.first_tried_at as "triedAt", json_build_object('id', r.id, 'channel', m.channel, 'channelId', m.channel_id, 'conversationId', m.conversation_id, 'position', m.position) as parcel
      from renewed r left join message m on m.id = r.id left join outbox_message before on before.tenant_id = m.tenant_id and before.id = m.id`,
      { id, until, lease: LEASE_SECONDS },
    );
    if (!message) return undefined;
    if (!message.sealed) {
      await tx.query("delete from outbox_queue where tenant_id = :tenant and id = :id", { id });
      return undefined;
    }
    const { sealed, attempts, triedAt } = message;
    const parcel = message.parcel.channelId === null ? null : message.parcel;
    const attempt = (send: Send): Attempt => ({ sealed, attempts, parcel, send });
    // A message that cannot be unsealed counts as a failed attempt.
    let mail: Mail;
    try {
      mail = this.outbox.unseal(tx.caller.tenantId, id, sealed);
    } catch (error) {
      return attempt(() => {
        throw error;
      });
    }
    if (!parcel) return attempt(() => this.mailer.send(id, mail, { "Auto-Submitted": "auto-generated" }));
    const send = await this.outbox.carries.prepare(tx, parcel, mail, triedAt);
    if (send) return attempt(send);
    await tx.query(
      `with parked as (update outbox_queue set due_at = 'infinity' where tenant_id = :tenant and id = :id)
      update outbox_message set attempts = attempts - 1 where tenant_id = :tenant and id = :id`,
      { id },
    );
    return undefined;
  }

  /** Without an attempt the message is due again when its lease ends. */
  private async postpone(tx: Tx, id: string, attempt: Attempt | undefined, error: unknown): Promise<void> {
    if (!attempt) throw error;
    tx.unseen();
    const { attempts, parcel } = attempt;
    const dead = attempts >= MAX_ATTEMPTS || error instanceof Undeliverable;
    this.log.warn(`message ${id} ${dead ? "given up" : "postponed"} after attempt ${attempts}`);
    const [waits] = await tx.query(
      `update outbox_message set status = :status, last_error = :reason where tenant_id = :tenant and id = :id and status = 'queued' returning 1`,
      { id, status: dead ? "dead" : "queued", reason: (error as Error).message.slice(0, 500) },
    );
    // In the meantime its delivery was reported.
    if (!waits) return;
    if (dead) await tx.query("delete from outbox_queue where tenant_id = :tenant and id = :id", { id });
    else {
      // Also the messages after it: until then they need not be looked at.
      await tx.query(
        `update outbox_queue set due_at = clock_timestamp() + make_interval(secs => :seconds)
        where tenant_id = :tenant and (id = :id or (conversation_id = :conversationId::uuid and position > :position::int and due_at < 'infinity'))`,
        {
          id,
          conversationId: parcel?.conversationId,
          position: parcel?.position,
          seconds: Math.max(
            Math.min(2 ** attempts, 3_600) * (0.75 + Math.random() / 2),
            error instanceof TooSoon ? error.seconds : 0,
          ),
        },
      );
    }
    if (parcel) await this.outbox.carries.settle(tx, parcel, dead ? "dead" : "postponed", error);
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

/** Stops waiting after `ATTEMPT_MS`: an attempt must not outlive its lease. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("It was not taken in time")), ATTEMPT_MS);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
