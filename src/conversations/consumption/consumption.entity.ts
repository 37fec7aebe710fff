import { Entity, PrimaryColumn } from "typeorm";
import { Int, TenantId } from "../../platform/database/columns.js";

/**
 * Messages of a day, UTC, in a workspace, counted by a trigger as they are written. Each connection counts in a slot of its own,
 * so that nobody waits for another; the daily run folds the slots of past days into slot 0. It points at nothing: what was
 * consumed stays counted.
 */
@Entity("consumption")
export class ConsumptionEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "date" }) day: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @PrimaryColumn({ type: "smallint" }) slot: number;
  @Int() inbound: number;
  @Int() outbound: number;
}
