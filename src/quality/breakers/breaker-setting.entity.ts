import { Check, Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";
import {
  BREAKER_ACTIONS,
  type BreakerAction,
  WATCHED_METRICS,
  type WatchedMetric,
} from "../../platform/outcomes/circuit-breaker.entity.js";

/** When a metric trips a breaker in a workspace, and what happens then. Metrics without a row have their defaults. */
@Entity("breaker_setting")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("breaker_setting_metric", isOneOf("metric", WATCHED_METRICS))
@Check("breaker_setting_action", isOneOf("action", BREAKER_ACTIONS))
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
