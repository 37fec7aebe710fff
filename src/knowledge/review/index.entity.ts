import { Column, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** One way to ask for an approved or pending entry. Written by triggers on the entries' table. */
export abstract class IndexedText {
  @TenantId() tenantId: string;
  @Id() entryId: string;
  @PrimaryColumn({ type: "integer" }) n: number;
  @Uuid() workspaceId: string;
  @Column({ type: "boolean" }) approved: boolean;
  @Text() said: string;
  @Time({ nullable: true }) validUntil: Date | null;
  @Int({ array: true }) terms: number[];
}

/**
 * An entry under each of its terms. A search can stop reading a term's list early, which an inverted index would not
 * allow.
 */
export abstract class Posting {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "boolean" }) approved: boolean;
  @PrimaryColumn({ type: "integer" }) term: number;
  @Id() entryId: string;
  /** The texts of the entry that have the term. Part of the key, so that an index-only scan is enough. */
  @PrimaryColumn({ type: "smallint", array: true }) ns: number[];
}
