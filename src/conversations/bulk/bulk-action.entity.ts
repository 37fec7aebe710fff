import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import type { BulkChangeDto } from "./bulk-actions.dto.js";

/** One change of many conversations, with who asked for it. */
@Entity("bulk_action")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("bulk_action_by_age", ["tenantId", "createdAt"])
@Check("bulk_action_author", `author_kind in ('member', 'apiKey')`)
export class BulkActionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() authorKind: "member" | "apiKey";
  @Uuid() authorId: string;
  @Column({ type: "jsonb" }) action: BulkChangeDto;
  @Int() total: number;
  @Now() createdAt: Date;
}

/**
 * A conversation that a bulk action has not changed: not yet, or, with an `error`, not at all. The change removes the row in
 * the same transaction, so that no conversation is changed twice, whatever dies.
 */
@Entity("bulk_action_item")
@ForeignKey("bulk_action", ["tenantId", "actionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("bulk_action_item_pending", ["tenantId", "actionId", "conversationId"], { where: "error is null" })
export class BulkActionItemEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) actionId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Text({ nullable: true }) error: string | null;
}

/** The bulk actions that are not done, of all tenants. Holds only ids and times, for the job to claim. */
@Entity("bulk_action_due")
@ForeignKey("bulk_action", ["tenantId", "actionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("bulk_action_due_next", ["dueAt"])
@Index("bulk_action_due_turn", ["tenantId", "dueAt"])
export class BulkActionDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) actionId: string;
  @Time() dueAt: Date;
}
