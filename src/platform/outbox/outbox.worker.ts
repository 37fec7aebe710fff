import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../caller/caller.js";
import { Database } from "../database/database.js";
import type { Tx } from "../database/transaction.js";
import { Mailer } from "./mailer.js";
import { type Mail, Outbox, type Parcel, type Send, TooSoon, Undeliverable } from "./outbox.service.js";

/** Sent by one process at once: through all channels, and about as many through one, so that a slow receiver holds up nobody else. */
const MOST_AT_ONCE = 40;
const MOST_OF_ONE = 5;
/** A worker that dies leaves its messages to others after this. No attempt takes as long. */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 30_000;
const MOST_ATTEMPTS = 10;
/** How long, and how often, it is tried to note that a message has left; with the attempt it is less than the lease. */
const NOTE_MS = 25_000;
const NOTE_AGAIN_MS = 500;
/** The receiver of the service's own mails. */
const OURS = "";

/** `until` is the lease: whoever finds another one has lost the message to another worker. */
interface Claimed {
  tenantId: string;
  id: string;
  channelId: string | null;
  until: string;
}
/** A message that is taken up. */
interface Attempt {
  sealed: Buffer;
  attempts: number;
  parcel: Parcel | null;
  send: Send;
}

/**
 * Sends what is due, each conversation's messages one after the other. Any number of workers share the queue: each row is
 * one worker's until its lease ends.
 */
@Injectable()
export class OutboxWorker {
  private readonly log = new Logger("outbox");
  private readonly underWay = new Map<Promise<void>, string>();
  private filling?: Promise<void>;

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly mailer: Mailer,
  ) {}

  /** Returns when nothing is due and nothing under way; until then others may begin. */
  @Interval(1_000)
  async tick(): Promise<void> {
    await this.fill();
    while (this.underWay.size) await Promise.all(this.underWay.keys());
  }

  /** Takes up what there is room for. */
  private fill(): Promise<void> {
    this.filling ??= this.takeAll()
      .catch((error: unknown) => this.log.warn(`the queue cannot be read: ${(error as Error).message}`))
      .finally(() => {
        this.filling = undefined;
      });
    return this.filling;
  }

  private async takeAll(): Promise<void> {
    for (;;) {
      const room = Math.min(MOST_AT_ONCE - this.underWay.size, MOST_OF_ONE);
      if (room <= 0) return;
      const claimed = await this.claim(room);
      for (const one of claimed) this.begin(one);
      if (claimed.length < room) return;
    }
  }

  private begin(claimed: Claimed): void {
    const work: Promise<void> = this.send(claimed)
      .catch((error: unknown) =>
        this.log.warn(`message ${claimed.id} is tried again when its lease ends: ${(error as Error).message}`),
      )
      .then(() => {
        this.underWay.delete(work);
        return this.fill();
      });
    this.underWay.set(work, claimed.channelId ?? OURS);
  }

  /** What is due, but for what goes where enough is under way, and what an earlier message of its conversation is still before. */
  private claim(most: number): Promise<Claimed[]> {
    const counts = new Map<string, number>();
    for (const receiver of this.underWay.values()) counts.set(receiver, (counts.get(receiver) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count >= MOST_OF_ONE).map(([receiver]) => receiver);
    const ours = this.mailer.available && !full.includes(OURS);
    return this.db.global<Claimed>(
      `update outbox_queue set due_at = clock_timestamp() + make_interval(secs => $1)
      where (tenant_id, id) in (select q.tenant_id, q.id from outbox_queue q
        where q.due_at <= clock_timestamp() and case when q.channel_id is null then $3 else q.channel_id <> all($4::uuid[]) end
          and not exists (select from outbox_queue e where e.tenant_id = q.tenant_id and e.conversation_id = q.conversation_id and e.position < q.position)
        order by q.due_at limit $2 for update skip locked)
      returning tenant_id as "tenantId", id, channel_id as "channelId", due_at::text as until`,
      [LEASE_SECONDS, most, ours, full.filter((receiver) => receiver !== OURS)],
    );
  }

  private async send({ tenantId, id, until }: Claimed): Promise<void> {
    const caller = system("outbox", tenantId, "live");
    let attempt: Attempt | undefined;
    let reference: string | null;
    try {
      attempt = await this.db.transaction(caller, (tx) => this.takeUp(tx, id, until));
      if (!attempt) return;
      reference = (await inTime(attempt.send())) ?? null;
    } catch (error) {
      await this.db.transaction(caller, (tx) => this.postpone(tx, id, attempt, error));
      return;
    }
    const { parcel } = attempt;
    // What has left and is not noted would leave once more: a database that is away for a moment is waited for.
    await persistently(() =>
      this.db.transaction(caller, async (tx) => {
        tx.unseen();
        if ((await this.outbox.left(tx, id, reference)) && parcel) await this.outbox.carries.settle(tx, parcel, "sent");
      }),
    );
  }

  /**
   * Begins an attempt, with the whole lease before it.
   * @returns undefined where another worker has it by now, it does not wait to be sent, or it has to wait for its channel
   */
  private async takeUp(tx: Tx, id: string, until: string): Promise<Attempt | undefined> {
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
    // What cannot be opened has failed, as what cannot be sent: the attempt counts.
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

  /** Where it was not even taken up, its lease says when it is tried again. */
  private async postpone(tx: Tx, id: string, attempt: Attempt | undefined, error: unknown): Promise<void> {
    if (!attempt) throw error;
    tx.unseen();
    const { attempts, parcel } = attempt;
    const dead = attempts >= MOST_ATTEMPTS || error instanceof Undeliverable;
    this.log.warn(`message ${id} ${dead ? "given up" : "postponed"} after attempt ${attempts}`);
    const [waits] = await tx.query(
      `update outbox_message set status = :status, last_error = :reason where tenant_id = :tenant and id = :id and status = 'queued' returning 1`,
      { id, status: dead ? "dead" : "queued", reason: (error as Error).message.slice(0, 500) },
    );
    // In the meantime somebody learned that it had arrived.
    if (!waits) return;
    if (dead) await tx.query("delete from outbox_queue where tenant_id = :tenant and id = :id", { id });
    else {
      // With it those behind it: until then nobody need look at them.
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

async function persistently(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + NOTE_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(NOTE_AGAIN_MS);
    }
  }
}

/** What hangs is left behind: nobody may hold on to a message longer than the lease. */
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
