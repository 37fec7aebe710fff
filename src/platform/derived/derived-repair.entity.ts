import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { Text, Time } from "../database/columns.js";

/**
 * What a trigger could not derive from a change, for all tenants: an index entry, a count or an audit entry that
 * `RepairJob` still has to write. Only the functions of `derived.sql` write and remove rows.
 */
@Entity("derived_repair")
@Index("derived_repair_due", ["dueAt"])
@Index("derived_repair_of_tenant", ["tenantId", "dueAt"])
export class DerivedRepairEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  /** The function `derive_<kind>` writes it. */
  @Text() kind: string;
  /** Ids and counts, never a text of a person. */
  @Column({ type: "jsonb" }) subject: object;
  @Time({ default: () => "now()" }) dueAt: Date;
  @Column({ type: "integer", default: 0 }) attempts: number;
}
