import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../caller/caller.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Sealer } from '../database/seal.js';
import { page, time } from '../database/statement.js';
import type { Tx } from '../database/transaction.js';
import { Json, type Page } from '../http/json.js';
import type { PagingDto } from '../http/paging.dto.js';
import type { CapturedMessageDto } from './outbox.dto.js';
import { OutboxMessageEntity } from './outbox.entity.js';

/** A mail in plain text. */
export interface Mail { to: string; subject: string; body: string }

interface SealedRow { id: string; channel: 'email'; status: string; sealed: string; createdAt: string }

const MESSAGES = page<SealedRow, { status: string; limit: number; after0?: string; after1?: string }>(
  'outbox.list', { none: 'only for owners, admins and whoever runs the server' }, {
    rows: `select m.* from outbox_message m where m.tenant_id = :tenant and m.status = :status
        and (:after0::timestamptz is null or (m.created_at, m.id) < (:after0::timestamptz, :after1::uuid))
      order by m.created_at desc, m.id desc limit :limit + 1`,
    position: [time('r.created_at'), 'r.id'],
    item: `r.id, r.channel, r.status, encode(r.sealed, 'base64') as sealed, ${time('r.created_at')} as "createdAt"`,
  });

/** Everything that leaves for the outside is written here, in the transaction that causes it; on the test side it stays here. */
@Injectable()
export class Outbox {
  private readonly sealer: Sealer;

  constructor(private readonly db: Database, config: Config) {
    this.sealer = new Sealer(config.secretKey, 'outbox');
  }

  async mail(tx: Tx, mail: Mail): Promise<void> {
    const { tenantId, environment } = tx.caller;
    const id = uuid();
    const live = environment === 'live';
    await tx.insert(OutboxMessageEntity, { id, channel: 'email', status: live ? 'queued' : 'captured', sealed: this.sealer.seal(mail, tenantId + id), recipient: this.recipient(tenantId, mail.to) });
    if (live) await tx.query('insert into outbox_queue (tenant_id, id) values (:tenant, :id)', { id });
  }

  private recipient(tenantId: string, address: string): Buffer {
    return this.sealer.hash(`${tenantId} ${address.toLowerCase()}`);
  }

  /** Deletes what was sent, or waits to be sent, to these addresses, in whichever capacity their owner got it. */
  async eraseContact(tx: Tx, addresses: readonly string[]): Promise<{ mails: number }> {
    const recipients = addresses.map((address) => this.recipient(tx.caller.tenantId, address));
    const gone = await tx.query('delete from outbox_message where tenant_id = :tenant and recipient = any(:recipients::bytea[]) returning 1', { recipients });
    return { mails: gone.length };
  }

  unseal(tenantId: string, id: string, sealed: Buffer): Mail {
    return this.sealer.open<Mail>(sealed, tenantId + id);
  }

  /** What has not left: captured (test side) or queued, newest first. */
  async list(caller: Caller, status: 'captured' | 'queued', { limit = 25, cursor }: PagingDto): Promise<Json<Page<CapturedMessageDto>>> {
    const { data, ...rest } = (await this.db.page(caller, MESSAGES, { status }, { limit, cursor })).parse();
    return Json.of({
      data: data.map(({ id, channel, sealed, createdAt }) => ({ id, channel, ...this.unseal(caller.tenantId, id, Buffer.from(sealed, 'base64')), createdAt })),
      ...rest,
    });
  }
}
