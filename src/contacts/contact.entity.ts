import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Id, Int, Now, TenantId, Text, Time, Uuid } from '../database/columns.js';

/** A person who writes or calls. */
@Entity('contact')
@ForeignKey('tenant', ['tenantId'], ['id'])
@ForeignKey('contact', ['tenantId', 'mergedIntoId'], ['tenantId', 'id'])
@Unique('contact_external_id', ['tenantId', 'externalId'])
@Index('contact_recent', ['tenantId', 'createdAt', 'id'])
@Check('contact_erased', `erased_at is null or (external_id is null and name is null and language is null and account_id is null and labels = '{}' and attributes = '{}' and merged_into_id is null)`)
@Index('contact_merged_into', ['tenantId', 'mergedIntoId'], { where: 'merged_into_id is not null' })
export class ContactEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text({ nullable: true }) externalId: string | null;
  @Text({ nullable: true }) name: string | null;
  /** ISO 639-1. */
  @Text({ nullable: true }) language: string | null;
  @Uuid({ nullable: true }) accountId: string | null;
  @Text({ array: true, default: () => `'{}'` }) labels: string[];
  @Column({ type: 'jsonb', default: () => `'{}'` }) attributes: object;
  @Column({ type: 'boolean', default: false }) blocked: boolean;
  @Uuid({ nullable: true }) mergedIntoId: string | null;
  @Time({ nullable: true }) lastSeenAt: Date | null;
  /** The key or member that made it: a restricted caller sees a contact before it appears in a workspace. */
  @Uuid({ nullable: true }) createdBy: string | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
  /** From then on an empty shell, which only its conversations name and nothing shows. */
  @Time({ nullable: true }) erasedAt: Date | null;
}

/** An email address or phone number of a contact. Several contacts may claim one; once verified it is one contact's. */
@Entity('contact_point')
@ForeignKey('contact', ['tenantId', 'contactId'], ['tenantId', 'id'], { onDelete: 'CASCADE' })
@Check('contact_point_kind', `kind in ('email', 'phone')`)
@Unique('contact_point_once', ['tenantId', 'contactId', 'kind', 'value'])
@Index('contact_point_verified', ['tenantId', 'kind', 'value'], { unique: true, where: 'verified_at is not null' })
@Index('contact_point_value', ['tenantId', 'kind', 'value'])
export class ContactPointEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() contactId: string;
  @Text() kind: 'email' | 'phone';
  /** An email in lower case, or a phone number in E.164. */
  @Text() value: string;
  @Int() position: number;
  @Time({ nullable: true }) verifiedAt: Date | null;
}
