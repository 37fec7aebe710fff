import { Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Time } from "../../platform/database/columns.js";

/**
 * When snoozes end, for all tenants. Holds only ids and times, for the job to claim. If a snooze ended early, its row
 * stays until its time comes.
 */
@Entity("snooze_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("snooze_due_next", ["dueAt"])
@Index("snooze_due_turn", ["tenantId", "dueAt"])
export class SnoozeDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Time() dueAt: Date;
}
