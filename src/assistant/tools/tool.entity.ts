import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { DEMANDED_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const TOOL_EFFECTS = namedEnum("ToolEffect", "Whether a tool changes something.", ["read", "write"]);
export type ToolEffect = (typeof TOOL_EFFECTS)[number];

/** Something of the tenant's own that an agent can use: an endpoint that is called with arguments. */
@Entity("tool")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("tool_name", ["tenantId", "workspaceId", "name"])
@Check("tool_effect", isOneOf("effect", TOOL_EFFECTS))
@Check("tool_timeout", "timeout_seconds between 1 and 30")
@Check("tool_expiry", "expires_after_hours between 1 and 168")
export class ToolEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() name: string;
  @Text() description: string;
  /** JSON Schema of the arguments. */
  @Column({ type: "jsonb" }) parameters: object;
  @Text() effect: ToolEffect;
  @Text() url: string;
  /** `ToolCredentialsDto`, encrypted. */
  @Column({ type: "bytea", nullable: true }) sealed: Buffer | null;
  /** Two calls with the same key have one effect. */
  @Column({ type: "boolean" }) idempotent: boolean;
  @Text({ nullable: true }) statusUrl: string | null;
  @Int() timeoutSeconds: number;
  /** Paths of the values in an answer that the contact may read. An empty list: none. */
  @Text({ array: true, default: () => `'{}'` }) publicFields: string[];
  /** So long people have to approve a call. */
  @Int() expiresAfterHours: number;
  /** A change raises it. */
  @Int({ default: 1 }) version: number;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** A call of a run that was made, or refused. Written before the call, so that a process that dies leaves its trace. */
@Entity("tool_call")
@ForeignKey("assistant_run", ["tenantId", "runId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("tool_call_once", ["tenantId", "runId", "argumentsHash"], { unique: true, where: `called and effect = 'write'` })
@Index("tool_call_of_conversation", ["tenantId", "conversationId", "createdAt"])
@Index("tool_call_of_run", ["tenantId", "runId"])
@Check("tool_call_effect", isOneOf("effect", TOOL_EFFECTS))
@Check("tool_call_ended", "(outcome is null) = (ended_at is null)")
export class ToolCallEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() runId: string;
  @Text() tool: string;
  @Column({ type: "jsonb" }) arguments: object;
  @Text() argumentsHash: string;
  @Text() effect: ToolEffect;
  /** False if it was refused. */
  @Column({ type: "boolean" }) called: boolean;
  /** `ToolOutcome`. Null while the tool works. */
  @Column({ type: "jsonb", nullable: true }) outcome: object | null;
  @Time({ default: () => "clock_timestamp()" }) createdAt: Date;
  @Time({ nullable: true }) endedAt: Date | null;
}

export const PENDING_ACTION_STATUSES = namedEnum("PendingActionStatus", "How far a pending action is.", {
  pending: "waits for a person",
  approved: "is carried out now",
  rejected: "a person decided against it",
  expired: "nobody approved it in time",
  executed: "the tool has done it",
  failed: "it was not done, or nobody knows: `result` says which",
});
export type PendingActionStatus = (typeof PENDING_ACTION_STATUSES)[number];

/** A call that a person has to approve. */
@Entity("pending_action")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("pending_action_of_conversation", ["tenantId", "conversationId", "createdAt", "id"])
@Index("pending_action_recent", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("pending_action_by_status", ["tenantId", "workspaceId", "status", "createdAt", "id"])
@Index("pending_action_of_run", ["tenantId", "runId"])
@Index("pending_action_by_age", ["tenantId", "createdAt"])
@Check("pending_action_status", isOneOf("status", PENDING_ACTION_STATUSES))
@Check("pending_action_level", isOneOf("required_assurance_level", DEMANDED_LEVELS))
export class PendingActionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() conversationId: string;
  @Uuid() agentId: string;
  @Uuid() runId: string;
  /** The keys and members behind the runs that asked for it: they may not approve. */
  @Uuid({ array: true, default: () => `'{}'` }) requestedBy: string[];
  @Text() tool: string;
  @Column({ type: "jsonb" }) arguments: object;
  /** SHA-256 in hexadecimal: see `hashOf`. */
  @Text() argumentsHash: string;
  /** An argument may have come out of a tool's answer. */
  @Column({ type: "boolean" }) tainted: boolean;
  /** Why a person is asked. */
  @Text() guardrail: string;
  /** The policies among that. Empty if something else asked. */
  @Uuid({ array: true }) policyEntryIds: string[];
  @Text({ nullable: true }) requiredAssuranceLevel: DemandedLevel | null;
  @Text({ default: "pending" }) status: PendingActionStatus;
  @Time() expiresAt: Date;
  @Uuid({ nullable: true }) decidedBy: string | null;
  @Time({ nullable: true }) decidedAt: Date | null;
  /** Why it was rejected. */
  @Text({ nullable: true }) reason: string | null;
  /** When a process began to call the tool. If that process dies, nobody knows what came of it. */
  @Time({ nullable: true }) startedAt: Date | null;
  @Column({ type: "jsonb", nullable: true }) result: object | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** The actions of all tenants that expire or are to be carried out. Holds only ids and times. */
@Entity("pending_action_due")
@ForeignKey("pending_action", ["tenantId", "actionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("pending_action_due_next", ["dueAt"])
@Index("pending_action_due_turn", ["tenantId", "dueAt"])
export class PendingActionDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) actionId: string;
  @Time() dueAt: Date;
}
