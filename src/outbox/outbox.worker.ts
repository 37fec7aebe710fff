import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { createTransport, type Transporter } from 'nodemailer';
import { system } from '../caller/caller.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { Outbox } from './outbox.service.js';

const BATCH = 10;
/** A worker that dies leaves its messages to others after this. */
const LEASE_SECONDS = 60;
const MOST_ATTEMPTS = 10;
const TIMEOUT_MS = 20_000;

/** `until` is the lease: whoever finds another one has lost the message to another worker. */
interface Claimed { tenantId: string; id: string; until: string }

/** Sends what is due. Any number of workers share the queue: each row is one worker's until its lease ends. */
@Injectable()
export class OutboxWorker {
  private readonly log = new Logger('outbox');
  private readonly mailer?: Transporter;
  private busy = false;

  constructor(private readonly db: Database, private readonly outbox: Outbox, private readonly config: Config) {
    if (config.SMTP_URL) this.mailer = createTransport(config.SMTP_URL, { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS } as object);
  }

  @Interval(1_000)
  async tick(): Promise<void> {
    if (this.busy || !this.mailer) return;
    this.busy = true;
    try {
      while ((await this.sendDue()) === BATCH);
    } catch (error) {
      this.log.warn(`the queue cannot be read: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  /** @returns how many messages were taken up */
  private async sendDue(): Promise<number> {
    const claimed = await this.db.global<Claimed>(`update outbox_queue set due_at = now() + make_interval(secs => $1)
      where (tenant_id, id) in (select q.tenant_id, q.id from outbox_queue q where q.due_at <= now() order by q.due_at limit $2 for update skip locked)
      returning tenant_id as "tenantId", id, due_at::text as until`, [LEASE_SECONDS, BATCH]);
    for (const one of claimed) await this.send(one);
    return claimed.length;
  }

  private async send({ tenantId, id, until }: Claimed): Promise<void> {
    const caller = system('outbox', tenantId, 'live');
    const message = await this.db.transaction(caller, (tx) => this.takeUp(tx, id, until));
    if (!message) return;
    try {
      const { to, subject, body } = this.outbox.unseal(tenantId, id, message.sealed);
      // The same Message-ID at each attempt: a mailbox that got it before can tell.
      await this.mailer!.sendMail({ from: this.config.MAIL_FROM, to, subject, text: body, messageId: `<${id}@parley>` });
      await this.db.transaction(caller, async (tx) => {
        // Nobody reads it any more, and it may hold a link.
        await tx.query(`update outbox_message set status = 'sent', sent_at = now(), last_error = null, sealed = '' where tenant_id = :tenant and id = :id`, { id });
        await tx.query('delete from outbox_queue where tenant_id = :tenant and id = :id', { id });
      });
    } catch (error) {
      await this.postpone(caller.tenantId, id, message.attempts, (error as Error).message);
    }
  }

  /**
   * Begins an attempt, with the whole lease before it: those ahead of it in the batch may have taken long.
   * @returns undefined where another worker has it by now, or it does not wait to be sent
   */
  private async takeUp(tx: Tx, id: string, until: string): Promise<{ sealed: Buffer; attempts: number } | undefined> {
    const renewed = await tx.query('update outbox_queue set due_at = clock_timestamp() + make_interval(secs => :lease) where tenant_id = :tenant and id = :id and due_at = :until::timestamptz returning id', { id, until, lease: LEASE_SECONDS });
    if (!renewed.length) return undefined;
    const [message] = await tx.query<{ sealed: Buffer; attempts: number }>(`update outbox_message set attempts = attempts + 1 where tenant_id = :tenant and id = :id and status = 'queued' returning sealed, attempts`, { id });
    if (!message) await tx.query('delete from outbox_queue where tenant_id = :tenant and id = :id', { id });
    return message;
  }

  private async postpone(tenantId: string, id: string, attempts: number, reason: string): Promise<void> {
    const dead = attempts >= MOST_ATTEMPTS;
    this.log.warn(`message ${id} ${dead ? 'given up' : 'postponed'} after attempt ${attempts}`);
    await this.db.transaction(system('outbox', tenantId, 'live'), async (tx) => {
      await tx.query('update outbox_message set status = :status, last_error = :reason where tenant_id = :tenant and id = :id',
        { id, status: dead ? 'dead' : 'queued', reason: reason.slice(0, 500) });
      if (dead) await tx.query('delete from outbox_queue where tenant_id = :tenant and id = :id', { id });
      else {
        await tx.query('update outbox_queue set due_at = now() + make_interval(secs => :seconds) where tenant_id = :tenant and id = :id',
          { id, seconds: Math.min(2 ** attempts, 3_600) * (0.75 + Math.random() / 2) });
      }
    });
  }
}
