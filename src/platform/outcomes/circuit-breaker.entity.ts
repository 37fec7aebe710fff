import { Check, Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../database/columns.js";
import { isOneOf, namedEnum } from "../enums/named-enum.js";

export const WATCHED_METRICS = namedEnum("QualityMetric", "What is measured.", [
  "answer",
  "csat",
  "delivery",
  "handoff",
  "tool",
]);
export type WatchedMetric = (typeof WATCHED_METRICS)[number];
export const BREAKER_ENTITIES = namedEnum("QualityEntityType", "What a score or circuit breaker is about.", [
  "agent",
  "kb_entry",
  "channel",
  "tool",
]);
export type BreakerEntityType = (typeof BREAKER_ENTITIES)[number];
export const BREAKER_ACTIONS = namedEnum("CircuitBreakerAction", "What a circuit breaker does when it trips.", [
  "pause_assistant",
  "require_approval",
  "notify",
]);
export type BreakerAction = (typeof BREAKER_ACTIONS)[number];
export const BREAKER_STATES = namedEnum("CircuitBreakerState", "Whether a circuit breaker is in effect.", [
  "tripped",
  "resolved",
]);
export type BreakerState = (typeof BREAKER_STATES)[number];

/**
 * Something went wrong too often. The row itself has the effect: an agent is paused in the workspace while the row is
 * tripped, and continues when it is resolved.
 */
@Entity("circuit_breaker")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("circuit_breaker_tripped", ["tenantId", "entityType", "entityId", "workspaceId", "metric"], {
  unique: true,
  where: `state = 'tripped'`,
})
@Index("circuit_breaker_recent", ["tenantId", "workspaceId", "trippedAt", "id"])
@Index("circuit_breaker_recent_tripped", ["tenantId", "workspaceId", "trippedAt", "id"], { where: `state = 'tripped'` })
@Check("circuit_breaker_metric", isOneOf("metric", WATCHED_METRICS))
@Check("circuit_breaker_entity_type", isOneOf("entity_type", BREAKER_ENTITIES))
@Check("circuit_breaker_action", isOneOf("action", BREAKER_ACTIONS))
@Check("circuit_breaker_state", isOneOf("state", BREAKER_STATES))
@Check("circuit_breaker_resolved", `(state = 'resolved') = (resolved_at is not null)`)
export class CircuitBreakerEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() entityType: BreakerEntityType;
  /** A UUID, or the name of a tool. */
  @Text() entityId: string;
  @Text() metric: WatchedMetric;
  @Text() action: BreakerAction;
  /** As set when it tripped. */
  @Column({ type: "double precision" }) threshold: number;
  @Int() windowDays: number;
  /** Over the newest `sampleDays`: the share of bad outcomes among `sampleSize`, and its lower bound. */
  @Int() sampleDays: number;
  @Int() sampleSize: number;
  @Column({ type: "double precision" }) observed: number;
  @Column({ type: "double precision" }) low: number;
  @Text({ default: "tripped" }) state: BreakerState;
  @Time() trippedAt: Date;
  @Uuid({ nullable: true }) resolvedBy: string | null;
  @Time({ nullable: true }) resolvedAt: Date | null;
  @Text({ nullable: true }) note: string | null;
}
