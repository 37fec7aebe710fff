import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import type { Caller } from "../../platform/caller/caller.js";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";
import { PRIORITIES, type Priority } from "../conversation.entity.js";

export const CASE_STATUSES = namedEnum("CaseStatus", "The state of a case.", [
  "submitted",
  "in_progress",
  "waiting_on_customer",
  "resolved",
]);
export type CaseStatus = (typeof CASE_STATUSES)[number];
export const FIELD_TYPES = namedEnum("CaseFieldType", "The type of a field.", [
  "text",
  "number",
  "boolean",
  "date",
  "select",
]);
export type FieldType = (typeof FIELD_TYPES)[number];

/** A field of a case type. */
export interface FieldDefinition {
  key: string;
  label: string;
  type: FieldType;
  options: string[];
  required: boolean;
}
export type FieldValue = string | number | boolean | null;

/** A case type of a tenant, with its fields. */
@Entity("case_type")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Unique("case_type_key", ["tenantId", "key"])
export class CaseTypeEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() key: string;
  @Text() name: string;
  @Column({ type: "jsonb", default: () => `'[]'` }) fields: FieldDefinition[];
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** Work for a team, about one or more conversations. */
@Entity("support_case")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("case_type", ["tenantId", "typeId"], ["tenantId", "id"])
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Unique("support_case_number", ["tenantId", "workspaceId", "number"])
@Index("support_case_recent", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("support_case_by_status", ["tenantId", "workspaceId", "status", "createdAt", "id"])
@Index("support_case_of_assignee", ["tenantId", "assigneeId", "createdAt", "id"], { where: "assignee_id is not null" })
@Index("support_case_of_contact", ["tenantId", "contactId", "createdAt", "id"], { where: "contact_id is not null" })
@Check("support_case_status", isOneOf("status", CASE_STATUSES))
@Check("support_case_priority", isOneOf("priority", PRIORITIES))
@Check("support_case_erased", `redacted_at is null or (title = '' and fields = '{}' and contact_id is null)`)
export class CaseEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  /** Counts 1, 2, 3 … within the workspace, without gaps. */
  @Int() number: number;
  @Uuid({ nullable: true }) typeId: string | null;
  @Text() title: string;
  @Text({ default: "submitted" }) status: CaseStatus;
  @Text({ default: "none" }) priority: Priority;
  @Uuid({ nullable: true }) contactId: string | null;
  @Uuid({ nullable: true }) assigneeId: string | null;
  @Column({ type: "jsonb", default: () => `'{}'` }) fields: Record<string, FieldValue>;
  @Time({ nullable: true }) dueAt: Date | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
  /** The contact was erased, and the text of the case with it. */
  @Time({ nullable: true }) redactedAt: Date | null;
}

/**
 * The newest number in a workspace. The row stays locked until the transaction of the new case ends, so a rollback
 * leaves no gap.
 */
@Entity("case_counter")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class CaseCounterEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @Int() last: number;
}

@Entity("case_conversation")
@ForeignKey("support_case", ["tenantId", "caseId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("case_conversation_of_conversation", ["tenantId", "conversationId", "caseId"])
export class CaseConversationEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) caseId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
}

export const CASE_EVENT_TYPES = namedEnum("CaseEventType", "What happened to a case.", [
  "created",
  "status",
  "priority",
  "assignee",
  "title",
  "fields",
  "due",
  "contact",
  "conversation_linked",
  "conversation_unlinked",
]);
export type CaseEventType = (typeof CASE_EVENT_TYPES)[number];

/** One change of a case. */
@Entity("case_event")
@ForeignKey("support_case", ["tenantId", "caseId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("case_event_of_case", ["tenantId", "caseId", "occurredAt", "id"])
@Check("case_event_type", isOneOf("type", CASE_EVENT_TYPES))
export class CaseEventEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() caseId: string;
  @Text() type: CaseEventType;
  @Text() actorKind: Caller["kind"];
  @Uuid({ nullable: true }) actorId: string | null;
  @Column({ type: "jsonb", nullable: true }) before: unknown;
  @Column({ type: "jsonb", nullable: true }) after: unknown;
  @Now() occurredAt: Date;
}
