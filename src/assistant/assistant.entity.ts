import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";
import { HAND_OVER_REASONS, type HandOverReason } from "../quality/reports/hand-over-reasons.js";

export const RUN_OUTCOMES = namedEnum("AgentRunOutcome", "How a run of the assistant ended.", {
  answered: "it answered",
  clarified: "it asked back",
  small_talk: "it greeted, said what it is, or said that the contact is welcome",
  handed_off: "it handed over to people",
  superseded: "the contact wrote again before it began",
  discarded: "nothing was to be said any more",
  failed: "something went wrong, and people took over",
});
export type RunOutcome = (typeof RUN_OUTCOMES)[number];
export const STEP_TYPES = namedEnum("AgentStepType", "What a step of the assistant did.", {
  retrieve: "it looked for entries",
  model: "it asked a language model",
  policy: "it evaluated policies",
  tool: "it called a tool",
  procedure: "it took a step of a procedure",
  send: "it wrote to the contact",
});
export type StepType = (typeof STEP_TYPES)[number];

/** A run that waits for a person's approval, or until the contact has shown who they are. */
export const WAITS_FOR = namedEnum("AgentWaitsFor", "What a run of the assistant waits for.", {
  approval: "a person's decision about an action",
  verification: "the contact's proof of who they are",
});
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What the assistant does about one message of a contact. Written in the transaction that stores the message. */
@Entity("assistant_run")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("assistant_run_of_message", ["tenantId", "conversationId", "sequence"])
@Index("assistant_run_open", ["tenantId", "conversationId"], { where: "outcome is null" })
@Index("assistant_run_recent", ["tenantId", "workspaceId", "createdAt"])
@Index("assistant_run_by_age", ["tenantId", "createdAt"])
@Check("assistant_run_outcome", isOneOf("outcome", RUN_OUTCOMES))
@Check("assistant_run_ended", `(outcome is null) = (ended_at is null)`)
@Check(
  "assistant_run_hand_over_reason",
  `hand_over_reason is null or ${isOneOf("hand_over_reason", HAND_OVER_REASONS)}`,
)
@Check("assistant_run_waits", `waits_for is null or (waits_for in ('approval', 'verification') and outcome is null)`)
export class AssistantRunEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() conversationId: string;
  @Uuid() messageId: string;
  /** Of the message. A reply is only written while nothing newer has been said. */
  @Int() sequence: number;
  @Uuid() agentId: string;
  /** The keys and members that brought in what was said in the contact's name since the contact wrote themselves. What the run asks for is their request. */
  @Uuid({ array: true, default: () => `'{}'` }) requestedBy: string[];
  /** As they were when the run was written. */
  @Int() instructionsVersion: number;
  /** How often a process has begun with it. */
  @Int({ default: 0 }) attempts: number;
  /** So many of the attempts ended well: the run waited after them, and went on later. */
  @Int({ default: 0 }) waits: number;
  /** Nobody works on it until that has come. */
  @Text({ nullable: true }) waitsFor: WaitsFor | null;
  /** So long it waits for proof of identity. What waits for an approval ends when the action does. */
  @Time({ nullable: true }) waitsUntil: Date | null;
  /** Null until it has ended. */
  @Text({ nullable: true }) outcome: RunOutcome | null;
  /** Why it ended so. */
  @Text({ nullable: true }) reason: string | null;
  /** If it handed over. */
  @Text({ nullable: true }) handOverReason: HandOverReason | null;
  @Now() createdAt: Date;
  @Time({ nullable: true }) startedAt: Date | null;
  @Time({ nullable: true }) endedAt: Date | null;
}

/** One thing that a run did. */
@Entity("assistant_step")
@ForeignKey("assistant_run", ["tenantId", "runId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("assistant_step_type", isOneOf("type", STEP_TYPES))
export class AssistantStepEntity {
  @TenantId() tenantId: string;
  @Id() runId: string;
  /** 0, 1, 2 … */
  @PrimaryColumn({ type: "integer" }) position: number;
  @Text() type: StepType;
  @Time() at: Date;
  @Int() durationMs: number;
  /** What the API shows of it besides, by field. */
  @Column({ type: "jsonb" }) detail: object;
}

/**
 * The conversations of all tenants with a run that has not ended. One row for each conversation, so that its runs go one after
 * the other. Holds only ids and times.
 */
@Entity("assistant_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assistant_due_next", ["dueAt"])
@Index("assistant_due_turn", ["tenantId", "dueAt"])
export class AssistantDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  /** While a process works on it: the end of the lease. */
  @Time() dueAt: Date;
  @Column({ type: "boolean", default: false }) claimed: boolean;
  /** How long a run of this conversation may take. The lease is a little longer. */
  @Int() limitSeconds: number;
}

/** When the assistant answers, asks back or hands over in a workspace. Without a row: the defaults. */
@Entity("assistant_settings")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check(
  "assistant_settings_shares",
  "answer_confidence between 0 and 1 and margin between 0 and 1 and clarify_confidence between 0 and 1",
)
export class AssistantSettingsEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @Column({ type: "double precision" }) answerConfidence: number;
  @Column({ type: "double precision" }) margin: number;
  @Column({ type: "double precision" }) clarifyConfidence: number;
}
