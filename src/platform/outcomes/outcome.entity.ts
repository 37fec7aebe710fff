import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../database/columns.js";

export type Metric = "csat_asked" | "csat" | "delivery" | "handoff" | "tool";
export type OutcomeEntityType = "workspace" | "channel" | "member" | "agent" | "kb_entry" | "tool";

/**
 * Something that ended well or badly, of all tenants: written in the transaction in which it happened, so that nobody waits for a
 * counter, until a job counts it and deletes it.
 */
@Entity("outcome")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outcome_of_metric", ["tenantId", "workspaceId", "metric"])
@Check("outcome_metric", `metric in ('csat_asked', 'csat', 'delivery', 'handoff', 'tool')`)
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
  /** The highest value that there is. */
  @Column({ type: "smallint" }) scale: number;
  @Column({ type: "smallint" }) value: number;
  @Column({ type: "boolean" }) bad: boolean;
  /** -1 takes an earlier one back, such as that a message was sent which has now come back. */
  @Column({ type: "smallint", default: 1 }) weight: number;
  @Time({ default: () => "clock_timestamp()" }) at: Date;
}

/** How often each value came up on a day, UTC. What was settled counts on in the statistics, and no longer trips a breaker. */
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

/** The same by month, of ratings alone: they are asked for over years. */
@Entity("rating_month")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class RatingMonthEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "text" }) metric: Metric;
  @PrimaryColumn({ type: "text" }) entityType: OutcomeEntityType;
  /** Its first day. */
  @PrimaryColumn({ type: "date" }) month: string;
  @PrimaryColumn({ type: "text" }) entityId: string;
  @PrimaryColumn({ type: "smallint" }) scale: number;
  @PrimaryColumn({ type: "smallint" }) value: number;
  @Int() total: number;
}
