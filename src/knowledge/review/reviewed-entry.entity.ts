import { Column, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const ENTRY_STATUSES = namedEnum("EntryStatus", "Where an entry is in its review.", {
  pending: "waits for a review",
  approved: "in use",
  rejected: "refused by a reviewer",
  archived: "no longer in use",
});
export type EntryStatus = (typeof ENTRY_STATUSES)[number];
export const ENTRY_SOURCES = namedEnum("EntrySource", "Where an entry comes from.", [
  "manual",
  "learning",
  "import",
  "source",
]);
export type EntrySource = (typeof ENTRY_SOURCES)[number];

export const STATUS_CHECK = isOneOf("status", ENTRY_STATUSES);
export const SOURCE_CHECK = isOneOf("source", ENTRY_SOURCES);
export const CONFIDENCE_CHECK = "confidence between 0 and 1";

/** The columns of every kind of entry that is proposed, reviewed, used and archived. */
export abstract class ReviewedEntry {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() status: EntryStatus;
  @Text({ default: "manual" }) source: EntrySource;
  @Column({ type: "double precision", nullable: true }) confidence: number | null;
  @Column({ type: "jsonb", default: () => `'[]'` }) evidence: object;
  @Uuid({ nullable: true }) duplicateOfId: string | null;
  @Uuid({ nullable: true }) reviewedBy: string | null;
  @Time({ nullable: true }) reviewedAt: Date | null;
  @Text({ nullable: true }) rejectionReason: string | null;
  @Time({ nullable: true }) validUntil: Date | null;
  @Int({ default: 0 }) retrieved: number;
  @Int({ default: 0 }) answered: number;
  @Int({ default: 0 }) helpful: number;
  @Int({ default: 1 }) version: number;
  /** Who wrote the current version, and why. */
  @Uuid({ nullable: true }) changedBy: string | null;
  @Text({ nullable: true }) changeReason: string | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** An earlier version of an entry. */
export abstract class ReviewedEntryVersion {
  @TenantId() tenantId: string;
  @Id() entryId: string;
  @PrimaryColumn({ type: "integer" }) version: number;
  @Column({ type: "jsonb" }) content: object;
  @Uuid({ nullable: true }) changedBy: string | null;
  @Text({ nullable: true }) reason: string | null;
  @Time() createdAt: Date;
}
