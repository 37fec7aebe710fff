import { Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Time } from "../../platform/database/columns.js";

/**
 * When a snooze ends, of all tenants: ids and times only, for the job to claim. One that ended otherwise leaves its row
 * until then.
 */
@Entity("snooze_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("snooze_due_next", ["dueAt"])
export class SnoozeDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Time() dueAt: Date;
}
