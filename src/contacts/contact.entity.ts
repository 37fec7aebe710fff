import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";

/** Contacts that lists and searches show. A merged contact can only be read by its id. */
const LISTED = "erased_at is null and deleted_at is null and merged_into_id is null";
/** Those that a caller made. A channel makes most contacts, which are in no maker's list. */
const MADE = `created_by is not null and ${LISTED}`;

/** A person who writes or calls. */
@Entity("contact")
@ForeignKey("tenant", ["tenantId"], ["id"])
@ForeignKey("contact", ["tenantId", "mergedIntoId"], ["tenantId", "id"])
@ForeignKey("account", ["tenantId", "accountId"], ["tenantId", "id"])
@Unique("contact_external_id", ["tenantId", "externalId"])
@Index("contact_recent", ["tenantId", "createdAt", "id"], { where: LISTED })
@Index("contact_by_last_seen", ["tenantId", "lastSeenAt", "id"], { where: LISTED })
@Index("contact_by_last_seen_of_maker", ["tenantId", "createdBy", "lastSeenAt", "id"], { where: MADE })
@Index("contact_by_name", ["tenantId", "sortName", "id"], { where: LISTED })
@Index("contact_by_name_of_maker", ["tenantId", "createdBy", "sortName", "id"], { where: MADE })
@Index("contact_blocked", ["tenantId", "id"], { where: `blocked and ${LISTED}` })
@Index("contact_recent_of_maker", ["tenantId", "createdBy", "createdAt", "id"], { where: LISTED })
@Index("contact_recent_of_account", ["tenantId", "accountId", "createdAt", "id"], { where: LISTED })
@Index("contact_of_account", ["tenantId", "accountId"], { where: "account_id is not null" })
@Index("contact_deleted", ["tenantId", "deletedAt"], { where: "deleted_at is not null and erased_at is null" })
@Check("contact_merged_into_another", "merged_into_id <> id")
@Check(
  "contact_erased",
  `erased_at is null or (external_id is null and name is null and language is null and account_id is null and labels = '{}' and attributes = '{}' and merged_into_id is null and sort_name = chr(1114111))`,
)
@Index("contact_merged_into", ["tenantId", "mergedIntoId"], { where: "merged_into_id is not null" })
export class ContactEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text({ nullable: true }) externalId: string | null;
  /** As of an address: where a signed visitor with this externalId is the contact. */
  @Uuid({ array: true, nullable: true }) externalIdVouchedWithin: string[] | null;
  @Text({ nullable: true }) name: string | null;
  /** ISO 639-1. */
  @Text({ nullable: true }) language: string | null;
  @Uuid({ nullable: true }) accountId: string | null;
  @Text({ array: true, default: () => `'{}'` }) labels: string[];
  @Column({ type: "jsonb", default: () => `'{}'` }) attributes: object;
  @Column({ type: "boolean", default: false }) blocked: boolean;
  /** Never a contact that was merged itself. */
  @Uuid({ nullable: true }) mergedIntoId: string | null;
  /** When a message came from the contact, to within a minute; `-infinity` if none has. A trigger sets it. */
  @Time({ default: () => "'-infinity'" }) lastSeenAt: Date;
  /** The name as lists are sorted by it, behind all others if there is none. A trigger sets it. */
  @Text({ collation: "C", default: () => "chr(1114111)" }) sortName: string;
  /**
   * The key or member that created it. A restricted caller can see a contact that it created before the contact
   * appears in a workspace.
   */
  @Uuid({ nullable: true }) createdBy: string | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
  /** From this time the contact is an empty shell. Only its conversations reference it, and it is never shown. */
  @Time({ nullable: true }) erasedAt: Date | null;
  /** From this time the contact is hidden from all callers. 30 days later it becomes a shell too. */
  @Time({ nullable: true }) deletedAt: Date | null;
}

/**
 * An email address or phone number of a contact. Several contacts may claim the same one. Once it is verified, it
 * belongs to one contact only.
 */
@Entity("contact_point")
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("contact_point_kind", `kind in ('email', 'phone')`)
@Unique("contact_point_once", ["tenantId", "contactId", "kind", "value"])
@Index("contact_point_verified", ["tenantId", "kind", "value"], { unique: true, where: "verified_at is not null" })
@Index("contact_point_value", ["tenantId", "kind", "value"])
export class ContactPointEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() contactId: string;
  @Text() kind: "email" | "phone";
  /** An email in lower case, or a phone number in E.164. */
  @Text() value: string;
  @Int() position: number;
  @Time({ nullable: true }) verifiedAt: Date | null;
  /** Since when the address is on this contact. A merge, or removing and adding it again, begins anew. */
  @Time({ default: () => "clock_timestamp()" }) addedAt: Date;
  /**
   * The workspaces that whoever gave the address reached; null for the whole tenant. A message finds the contact by the address
   * in these alone: otherwise a caller of one workspace could claim somebody's address in advance, and be them in another.
   */
  @Uuid({ array: true, nullable: true }) vouchedWithin: string[] | null;
  /** The contact was created with it. */
  @Column({ type: "boolean", default: false }) original: boolean;
}

/**
 * A workspace that a contact appears in, with the columns that lists are ordered by. Lets a restricted caller list the
 * contacts of its workspaces. Kept by triggers on conversations and contacts.
 */
@Entity("contact_workspace")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("contact_workspace_by_last_seen", ["tenantId", "workspaceId", "contactLastSeenAt", "contactId"])
@Index("contact_workspace_by_name", ["tenantId", "workspaceId", "contactSortName", "contactId"])
@Index("contact_workspace_recent", ["tenantId", "workspaceId", "contactCreatedAt", "contactId"])
export class ContactWorkspaceEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) contactId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @Time() contactCreatedAt: Date;
  @Time() contactLastSeenAt: Date;
  @Text({ collation: "C" }) contactSortName: string;
}

/** The labels of each contact, so that the few with a label are found. Kept by a trigger on `contact`, which has the labels. */
@Entity("contact_label")
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("contact_label_of", ["tenantId", "label", "contactId"])
export class ContactLabelEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) contactId: string;
  @PrimaryColumn({ type: "text" }) label: string;
}

/**
 * The search index of contacts and accounts. Triggers write it, and only `search_directory` reads it, as the schema's
 * owner (like the search of conversations). The application's role has no rights on it.
 */
@Entity("directory_entry")
@Index("directory_entry_grams", ["grams"], { type: "gin" })
export class DirectoryEntryEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() kind: "contact" | "account";
  @Uuid({ nullable: true }) createdBy: string | null;
  /** Names, addresses and your own id, without accents and in lower case, one per line. */
  @Text() text: string;
  /** Trigrams, the beginnings of words, and these with one letter left out. Each is hashed with the tenant. */
  @Column({ type: "bigint", array: true }) grams: string[];
}
