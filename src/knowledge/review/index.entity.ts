import { Column, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** One way in which an entry that is approved or pending is asked for. Written by triggers of the entries' table. */
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

/** An entry under each of its terms: a term's list is read as far as is wanted, which an inverted index would not allow. */
export abstract class Posting {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "boolean" }) approved: boolean;
  @PrimaryColumn({ type: "integer" }) term: number;
  @Id() entryId: string;
  /** Those of its texts that have the term. In the key, so that the index alone answers. */
  @PrimaryColumn({ type: "smallint", array: true }) ns: number[];
}
