import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../database/columns.js";

export type Metric = "answer" | "csat_asked" | "csat" | "delivery" | "handoff" | "tool";
export type OutcomeEntityType = "workspace" | "channel" | "member" | "agent" | "kb_entry" | "tool";

/**
 * The queue of outcomes, across all tenants: how something ended, well or badly. Rows are written in the transaction in
 * which it happened, so that no writer waits for a counter. A job counts and deletes them.
 */
@Entity("outcome")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outcome_of_metric", ["tenantId", "workspaceId", "metric"])
@Check("outcome_metric", `metric in ('answer', 'csat_asked', 'csat', 'delivery', 'handoff', 'tool')`)
@Check("outcome_entity_type", `entity_type in ('workspace', 'channel', 'member', 'agent', 'kb_entry', 'tool')`)
@Check("outcome_weight", "weight in (1, -1)")
export class OutcomeEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "bigint", generated: "identity", generatedIdentity: "ALWAYS" }) id: string;
  @Uuid() workspaceId: string;
  @Text() metric: Metric;
  @Text() entityType: OutcomeEntityType;
  /** A UUID, or the name of a tool. */
  @Text() entityId: string;
  /** The highest possible value. */
  @Column({ type: "smallint" }) scale: number;
  @Column({ type: "smallint" }) value: number;
  @Column({ type: "boolean" }) bad: boolean;
  /** -1 takes an earlier outcome back, such as the delivery of a message that has bounced. */
  @Column({ type: "smallint", default: 1 }) weight: number;
  @Time({ default: () => "clock_timestamp()" }) at: Date;
}

/** How often each value occurred on a day (UTC). Settled outcomes stay in the statistics but no longer trip a breaker. */
@Entity("outcome_count")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outcome_count_of_entity", ["tenantId", "entityType", "entityId", "metric", "day", "workspaceId"])
export class OutcomeCountEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "text" }) metric: Metric;
  @PrimaryColumn({ type: "text" }) entityType: OutcomeEntityType;
  @PrimaryColumn({ type: "date" }) day: string;
  @PrimaryColumn({ type: "text" }) entityId: string;
  @PrimaryColumn({ type: "smallint" }) scale: number;
  @PrimaryColumn({ type: "smallint" }) value: number;
  @Int() total: number;
  @Int() bad: number;
  @Int({ default: 0 }) settledTotal: number;
  @Int({ default: 0 }) settledBad: number;
}

/** The same by month, for ratings only, because their statistics cover years. */
@Entity("rating_month")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class RatingMonthEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "text" }) metric: Metric;
  @PrimaryColumn({ type: "text" }) entityType: OutcomeEntityType;
  /** The first day of the month. */
  @PrimaryColumn({ type: "date" }) month: string;
  @PrimaryColumn({ type: "text" }) entityId: string;
  @PrimaryColumn({ type: "smallint" }) scale: number;
  @PrimaryColumn({ type: "smallint" }) value: number;
  @Int() total: number;
}
