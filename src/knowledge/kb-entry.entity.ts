import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Id, Int, Now, TenantId, Text, Time, Uuid } from '../database/columns.js';

export const KB_STATUSES = ['pending', 'approved', 'rejected', 'archived'] as const;
export type KbStatus = (typeof KB_STATUSES)[number];

@Entity('kb_entry')
@ForeignKey('workspace', ['tenantId', 'workspaceId'], ['tenantId', 'id'])
@ForeignKey('kb_entry', ['tenantId', 'duplicateOfId'], ['tenantId', 'id'])
@Index('kb_entry_of_workspace', ['tenantId', 'workspaceId', 'createdAt', 'id'])
@Index('kb_entry_by_status', ['tenantId', 'workspaceId', 'status', 'createdAt', 'id'])
@Index('kb_entry_duplicates', ['tenantId', 'duplicateOfId'], { where: 'duplicate_of_id is not null' })
@Check('kb_entry_status', `status in ('pending', 'approved', 'rejected', 'archived')`)
@Check('kb_entry_source', `source in ('manual', 'learning', 'import')`)
@Check('kb_entry_confidence', 'confidence between 0 and 1')
export class KbEntryEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() status: KbStatus;
  @Text() question: string;
  @Text() answer: string;
  @Text({ array: true, default: () => `'{}'` }) alternateQuestions: string[];
  @Text() language: string;
  @Text({ array: true, default: () => `'{}'` }) labels: string[];
  @Text({ default: 'manual' }) source: 'manual' | 'learning' | 'import';
  @Column({ type: 'double precision', nullable: true }) confidence: number | null;
  @Column({ type: 'jsonb', default: () => `'[]'` }) evidence: object;
  @Uuid({ nullable: true }) duplicateOfId: string | null;
  @Uuid({ nullable: true }) reviewedBy: string | null;
  @Time({ nullable: true }) reviewedAt: Date | null;
  @Text({ nullable: true }) rejectionReason: string | null;
  @Time({ nullable: true }) validUntil: Date | null;
  @Int({ default: 0 }) retrieved: number;
  @Int({ default: 0 }) answered: number;
  @Int({ default: 0 }) helpful: number;
  @Int({ default: 1 }) version: number;
  /** Who wrote the version that stands, and why. */
  @Uuid({ nullable: true }) changedBy: string | null;
  @Text({ nullable: true }) changeReason: string | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** What an entry was before it was edited. */
@Entity('kb_entry_version')
@ForeignKey('kb_entry', ['tenantId', 'entryId'], ['tenantId', 'id'], { onDelete: 'CASCADE' })
export class KbEntryVersionEntity {
  @TenantId() tenantId: string;
  @Id() entryId: string;
  @PrimaryColumn({ type: 'integer' }) version: number;
  @Column({ type: 'jsonb' }) content: object;
  @Uuid({ nullable: true }) changedBy: string | null;
  @Text({ nullable: true }) reason: string | null;
  @Time() createdAt: Date;
}
