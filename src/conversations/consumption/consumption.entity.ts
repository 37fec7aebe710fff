import { Column, Entity, PrimaryColumn } from "typeorm";
import { Int, TenantId } from "../../platform/database/columns.js";

/**
 * Messages and tokens per day (UTC) and workspace. A trigger counts messages when they are written. Each connection counts in its
 * own slot, so that connections do not wait for each other. The daily job merges the slots of past days into slot 0.
 * There are no foreign keys, so the counts stay after their workspace is deleted.
 */
@Entity("consumption")
export class ConsumptionEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "date" }) day: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @PrimaryColumn({ type: "smallint" }) slot: number;
  @Int() inbound: number;
  @Int() outbound: number;
  /** What the assistant's language model read and wrote. */
  @Column({ type: "bigint", default: 0 }) inputTokens: string;
  @Column({ type: "bigint", default: 0 }) outputTokens: string;
}
