import { Check, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";
import { SOURCE_ERROR_CODES, type SourceErrorCode } from "./source-problem.js";

export const SOURCE_KINDS = namedEnum("SourceKind", "What a source is.", {
  website: "the pages below an address",
  file: "a PDF, a Word document, a page, or a text in Markdown",
  help_centre: "the articles of a help centre, from its API or as an export",
});
export type SourceKind = (typeof SOURCE_KINDS)[number];
export const SOURCE_SCHEDULES = namedEnum("SourceSchedule", "How often a source is read again by itself.", [
  "never",
  "daily",
  "weekly",
]);
export type SourceSchedule = (typeof SOURCE_SCHEDULES)[number];
export const SOURCE_STATUSES = namedEnum("SourceStatus", "How far the reading of a source is.", {
  waiting: "is read as soon as there is room",
  reading: "is being read",
  ready: "was read",
  failed: "could not be read; `error` says why",
});
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** Where knowledge comes from. What was read there is proposed, and a person approves it. */
@Entity("source")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("source_of_workspace", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("source_url", ["tenantId", "workspaceId", "url"], { unique: true, where: "url is not null" })
@Check("source_kind", isOneOf("kind", SOURCE_KINDS))
@Check("source_schedule", isOneOf("schedule", SOURCE_SCHEDULES))
@Check("source_status", isOneOf("status", SOURCE_STATUSES))
@Check("source_error", "(error is null) = (error_code is null)")
@Check("source_error_code", `error_code is null or ${isOneOf("error_code", SOURCE_ERROR_CODES)}`)
@Check("source_origin", "(url is null) <> (attachment_id is null)")
export class SourceEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() kind: SourceKind;
  @Text({ nullable: true }) url: string | null;
  /** An upload that is in no message. The daily job removes it a day later, when it has long been read. */
  @Uuid({ nullable: true }) attachmentId: string | null;
  @Text({ nullable: true }) fileName: string | null;
  @Text({ default: "never" }) schedule: SourceSchedule;
  @Text({ default: "waiting" }) status: SourceStatus;
  @Time({ nullable: true }) lastReadAt: Date | null;
  /** Of the last reading. */
  @Int({ default: 0 }) pages: number;
  @Int({ default: 0 }) failedPages: number;
  @Int({ default: 0 }) found: number;
  /** For people to read. */
  @Text({ nullable: true }) error: string | null;
  @Text({ nullable: true }) errorCode: SourceErrorCode | null;
  @Int({ nullable: true }) errorValue: number | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** A page that was read, with what tells whether it has changed since. */
@Entity("source_page")
@ForeignKey("source", ["tenantId", "sourceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class SourcePageEntity {
  @TenantId() tenantId: string;
  @Id() sourceId: string;
  @PrimaryColumn({ type: "text" }) url: string;
  @Text({ nullable: true }) etag: string | null;
  @Text({ nullable: true }) lastModified: string | null;
  /** Of a site with more pages than one reading reads, those that were read longest ago come first. */
  @Now() readAt: Date;
}

/**
 * A section that was proposed, and what became of it. No foreign keys to the entries: somebody who deletes one does not want it
 * again until its text changes.
 */
@Entity("source_section")
@ForeignKey("source", ["tenantId", "sourceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class SourceSectionEntity {
  @TenantId() tenantId: string;
  @Id() sourceId: string;
  /** The hash of its address and its question. */
  @PrimaryColumn({ type: "text" }) key: string;
  /** Empty for a file. */
  @Text() url: string;
  /** The hash of what it said at the last reading. Null: it was gone. */
  @Text({ nullable: true }) digest: string | null;
  /** The approved entry that comes from it, and the hash of what it said then. */
  @Uuid({ nullable: true }) entryId: string | null;
  @Text({ nullable: true }) entryDigest: string | null;
  /** The last proposal: what it says now, or, if it is gone, an end. */
  @Uuid({ nullable: true }) proposalId: string | null;
}

/** Sites that are being read, by whoever has the lease. One installation reads a site once at a time. Its rows are those of control. */
@Entity("site_reading")
export class SiteReadingEntity {
  /** Host and port. */
  @PrimaryColumn({ type: "text" }) site: string;
  @Uuid() lease: string;
  @Time() endsAt: Date;
}

/** When sources are read next, of all tenants. Holds only ids and times. */
@Entity("source_due")
@ForeignKey("source", ["tenantId", "sourceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("source_due_next", ["dueAt"])
@Index("source_due_turn", ["tenantId", "dueAt"])
export class SourceDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) sourceId: string;
  /** While it is being read: the end of the lease. */
  @Time() dueAt: Date;
  /** Whose turn it is: only the reading with this token may propose anything. */
  @Uuid({ nullable: true }) lease: string | null;
}
