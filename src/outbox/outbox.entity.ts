import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Id, Int, Now, TenantId, Text, Time } from '../database/columns.js';

/** Something that leaves for the outside, written with the change that causes it. */
@Entity('outbox_message')
@ForeignKey('tenant', ['tenantId'], ['id'])
@Index('outbox_message_recent', ['tenantId', 'status', 'createdAt', 'id'])
@Index('outbox_message_of_recipient', ['tenantId', 'recipient'])
@Check('outbox_message_channel', `channel in ('email')`)
@Check('outbox_message_status', `status in ('queued', 'sent', 'captured', 'dead')`)
export class OutboxMessageEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() channel: 'email';
  @Text() status: 'queued' | 'sent' | 'captured' | 'dead';
  /** Recipient, subject and body, sealed: mails carry invitations and links. Empty once it was sent. */
  @Column({ type: 'bytea' }) sealed: Buffer;
  /** Keyed hash of the address, to find what somebody was sent without opening it all. */
  @Column({ type: 'bytea', nullable: true }) recipient: Buffer | null;
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  @Now() createdAt: Date;
  @Time({ nullable: true }) sentAt: Date | null;
}

/** What waits to be sent, of all tenants: ids and times only, for the worker to claim. */
@Entity('outbox_queue')
@ForeignKey('outbox_message', ['tenantId', 'id'], ['tenantId', 'id'], { onDelete: 'CASCADE' })
@Index('outbox_queue_due', ['dueAt'])
export class OutboxQueueEntity {
  @PrimaryColumn({ type: 'uuid' }) tenantId: string;
  @PrimaryColumn({ type: 'uuid' }) id: string;
  /** Not before then; while one worker has it, the end of its lease. */
  @Time({ default: () => 'now()' }) dueAt: Date;
}
