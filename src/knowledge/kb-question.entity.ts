import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Id, Int, TenantId, Text, Time, Uuid } from '../database/columns.js';

/** One way to ask for an entry that is approved or pending. Written by triggers of `kb_entry`. */
@Entity('kb_question')
@ForeignKey('kb_entry', ['tenantId', 'entryId'], ['tenantId', 'id'], { onDelete: 'CASCADE' })
@Index('kb_question_by_model', ['tenantId', 'model', 'entryId', 'n'])
export class KbQuestionEntity {
  @TenantId() tenantId: string;
  @Id() entryId: string;
  @PrimaryColumn({ type: 'integer' }) n: number;
  @Uuid() workspaceId: string;
  @Column({ type: 'boolean' }) approved: boolean;
  @Text() said: string;
  @Time({ nullable: true }) validUntil: Date | null;
  @Int({ array: true }) terms: number[];
  /** What it means, as `model` has it: 32-bit floats, little-endian, of length 1. Null where the model gave none. */
  @Column({ type: 'bytea', nullable: true }) vector: Buffer | null;
  /** The model that was asked, and its dimensions; empty where none was. */
  @Text({ default: '' }) model: string;
}

/** An entry under each of its terms: a term's list is read as far as is wanted, which an inverted index would not allow. */
@Entity('kb_posting')
export class KbPostingEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: 'boolean' }) approved: boolean;
  @PrimaryColumn({ type: 'integer' }) term: number;
  @Id() entryId: string;
  /** Those of its questions that have the term. In the key, so that the index alone answers. */
  @PrimaryColumn({ type: 'smallint', array: true }) ns: number[];
}
