import { Check, Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text } from "../../platform/database/columns.js";
import type { BreakerAction, WatchedMetric } from "../../platform/outcomes/circuit-breaker.entity.js";

/** When a metric trips a breaker in a workspace, and what happens then. Metrics without a row have their defaults. */
@Entity("breaker_setting")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("breaker_setting_metric", `metric in ('answer', 'csat', 'delivery', 'handoff', 'tool')`)
@Check("breaker_setting_action", `action in ('pause_assistant', 'require_approval', 'notify')`)
@Check(
  "breaker_setting_values",
  "threshold between 0.01 and 0.99 and window_days between 1 and 90 and minimum_sample between 20 and 100000",
)
export class BreakerSettingEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "text" }) metric: WatchedMetric;
  @Column({ type: "boolean" }) enabled: boolean;
  /** The highest share of bad outcomes that is accepted. */
  @Column({ type: "double precision" }) threshold: number;
  @Int() windowDays: number;
  @Int() minimumSample: number;
  @Text() action: BreakerAction;
}
