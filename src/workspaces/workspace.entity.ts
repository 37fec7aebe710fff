import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";

export const WORKSPACE_STATUSES = namedEnum("WorkspaceStatus", "The state of a workspace.", {
  active: "in use",
  inactive: "the assistant is off, and all else works",
  archived: "readable; new conversations and replies are refused",
});
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** How long identity events are kept, in months, unless the workspace says otherwise. */
export const IDENTITY_RETENTION_MONTHS = { min: 3, default: 24, max: 84 } as const;

@Entity("brand")
@ForeignKey("tenant", ["tenantId"], ["id"])
export class BrandEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() name: string;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

@Entity("workspace")
@ForeignKey("brand", ["tenantId", "brandId"], ["tenantId", "id"])
@Check("workspace_status", isOneOf("status", WORKSPACE_STATUSES))
@Check(
  "workspace_retention",
  `identity_retention_months between ${IDENTITY_RETENTION_MONTHS.min} and ${IDENTITY_RETENTION_MONTHS.max}`,
)
@Index("workspace_of_brand", ["tenantId", "brandId"])
@Index("workspace_deleted", ["tenantId", "id"], { where: "deleted_at is not null" })
@Unique("workspace_brand", ["tenantId", "id", "brandId"])
export class WorkspaceEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() brandId: string;
  @Text() name: string;
  @Text({ default: "active" }) status: WorkspaceStatus;
  /** ISO 639-1. */
  @Text({ default: "en" }) primaryLanguage: string;
  /** IANA name. */
  @Text({ default: "UTC" }) timezone: string;
  @Column({ type: "boolean", default: true }) assistantEnabled: boolean;
  /** Markdown below each mail, such as legal information. */
  @Text({ nullable: true }) mailFooter: string | null;
  /** The picture above it. */
  @Text({ nullable: true }) mailLogoUrl: string | null;
  @Uuid({ nullable: true }) logoId: string | null;
  @Column({ type: "smallint", default: IDENTITY_RETENTION_MONTHS.default }) identityRetentionMonths: number;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
  /** From this time on the workspace is gone for every caller. A job deletes its rows afterwards. */
  @Time({ nullable: true }) deletedAt: Date | null;
}

export const MAX_LOGO_BYTES = 100 * 1_024;

/** A picture that a workspace had as its logo. The newest ones are kept, because mails that have left show them. */
@Entity("workspace_logo")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("workspace_logo_size", `octet_length(bytes) <= ${MAX_LOGO_BYTES}`)
@Index("workspace_logo_of", ["tenantId", "workspaceId", "createdAt"])
export class WorkspaceLogoEntity {
  @TenantId() tenantId: string;
  /** Random: it is part of a public address. */
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() contentType: string;
  @Column({ type: "bytea" }) bytes: Buffer;
  @Now() createdAt: Date;
}

/** The deleted workspaces of all tenants whose rows are still to be deleted. It holds only ids and counts. */
@Entity("purge_queue")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class PurgeQueueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  /** How many rows are deleted so far, by kind. */
  @Column({ type: "jsonb", default: () => `'{}'` }) removed: Record<string, number>;
}
