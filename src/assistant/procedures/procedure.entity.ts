import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const PROCEDURE_STATUSES = namedEnum("ProcedureStatus", "Whether a procedure begins.", {
  draft: "it is written still",
  active: "it begins",
  paused: "it does not begin; what has begun goes on",
});
export type ProcedureStatus = (typeof PROCEDURE_STATUSES)[number];
export const PROCEDURE_ENDINGS = namedEnum("ProcedureEnding", "How the run of a procedure ended.", {
  completed: "it came to its end",
  cancelled: "the contact did not want it any more",
  left: "the contact began another procedure",
  handed_over: "people took over, or the conversation was resolved",
});
export type ProcedureEnding = (typeof PROCEDURE_ENDINGS)[number];

/** What lets a procedure begin. */
export interface StartsWith {
  /** Ids of entries: where one of them would answer, the procedure begins. */
  entries: string[];
  /** Words that a message has in this order. */
  phrases: string[];
}

/** Steps that the assistant takes with a contact, without a model. */
@Entity("procedure")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("agent", ["tenantId", "agentId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("procedure_name", ["tenantId", "workspaceId", "name"])
@Index("procedure_of_agent", ["tenantId", "agentId"])
@Check("procedure_status", isOneOf("status", PROCEDURE_STATUSES))
export class ProcedureEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() agentId: string;
  @Text() name: string;
  @Text() status: ProcedureStatus;
  /** Of the steps: a change of them raises it. */
  @Int({ default: 1 }) version: number;
  @Column({ type: "jsonb" }) startsWith: StartsWith;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** One version of a procedure's steps. What has begun with it goes on with it. */
@Entity("procedure_version")
@ForeignKey("procedure", ["tenantId", "procedureId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class ProcedureVersionEntity {
  @TenantId() tenantId: string;
  @Id() procedureId: string;
  @PrimaryColumn({ type: "integer" }) version: number;
  /** `Step[]` */
  @Column({ type: "jsonb" }) steps: object;
  @Uuid({ nullable: true }) changedBy: string | null;
  @Now() createdAt: Date;
}

/** A procedure in a conversation: one at a time. */
@Entity("procedure_run")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("procedure_version", ["tenantId", "procedureId", "version"], ["tenantId", "procedureId", "version"], {
  onDelete: "CASCADE",
})
@Index("procedure_run_open", ["tenantId", "conversationId"], { unique: true, where: "ended_at is null" })
@Index("procedure_run_by_age", ["tenantId", "startedAt"])
@Index("procedure_run_of_conversation", ["tenantId", "conversationId"])
@Index("procedure_run_of_version", ["tenantId", "procedureId", "version"])
@Check("procedure_run_ending", isOneOf("ending", PROCEDURE_ENDINGS))
@Check("procedure_run_ended", "(ending is null) = (ended_at is null)")
export class ProcedureRunEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() procedureId: string;
  @Int() version: number;
  /** `State`: where it stands, and what the contact and the tools have said. `jsonb` would bring what a contact chooses from by its number into another order. */
  @Column({ type: "json" }) state: object;
  @Now() startedAt: Date;
  @Time({ nullable: true }) endedAt: Date | null;
  @Text({ nullable: true }) ending: ProcedureEnding | null;
}
