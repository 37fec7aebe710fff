import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const TEST_RUN_KINDS = namedEnum("AssistantTestRunKind", "What a run plays.", {
  tests: "tests",
  rehearsal: "tests, and the conversations of the last 30 days",
});
export type TestRunKind = (typeof TEST_RUN_KINDS)[number];
export const TEST_RUN_CAUSES = namedEnum("AssistantTestRunCause", "Why a run was begun.", {
  asked: "somebody asked for it",
  change: "an entry, the agent, the settings or a procedure were changed",
});
export type TestRunCause = (typeof TEST_RUN_CAUSES)[number];
export const TEST_RUN_STATUSES = namedEnum("AssistantTestRunStatus", "How far a run is.", {
  waiting: "it is played as soon as there is room",
  playing: "it is being played",
  done: "it was played",
  failed: "it could not be played; `error` says why",
});
export type TestRunStatus = (typeof TEST_RUN_STATUSES)[number];

/** A conversation that is made up or saved, and what the assistant must do in it. */
@Entity("assistant_test")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("assistant_test_name", ["tenantId", "workspaceId", "name"])
@Index("assistant_test_of_conversation", ["tenantId", "conversationId"], { where: "conversation_id is not null" })
export class AssistantTestEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() name: string;
  /** The one that it was saved from, which may quote its contact: it goes with the conversation. */
  @Uuid({ nullable: true }) conversationId: string | null;
  @Text({ default: "none" }) assuranceLevel: AssuranceLevel;
  /** `TestTurn[]` */
  @Column({ type: "jsonb" }) turns: object;
  /** `ToolAnswer[]` */
  @Column({ type: "jsonb", default: () => "'[]'" }) toolAnswers: object;
  /** `TestResult` of the last run against what is in use. */
  @Column({ type: "jsonb", nullable: true }) lastResult: object | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** Tests, and conversations, that are played. What was asked for, and what came of it. */
@Entity("assistant_test_run")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assistant_test_run_of_workspace", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("assistant_test_run_after_change", ["tenantId", "workspaceId"], {
  unique: true,
  where: "status = 'waiting' and cause = 'change'",
})
@Check("assistant_test_run_kind", isOneOf("kind", TEST_RUN_KINDS))
@Check("assistant_test_run_cause", isOneOf("cause", TEST_RUN_CAUSES))
@Check("assistant_test_run_status", isOneOf("status", TEST_RUN_STATUSES))
export class AssistantTestRunEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text({ default: "tests" }) kind: TestRunKind;
  @Text({ default: "asked" }) cause: TestRunCause;
  @Text({ default: "waiting" }) status: TestRunStatus;
  /** So often a process has begun with it. */
  @Int({ default: 0 }) attempts: number;
  /** `DraftDto`. Null: what is in use. */
  @Column({ type: "jsonb", nullable: true }) draft: object | null;
  /** Null: all tests. */
  @Uuid({ array: true, nullable: true }) testIds: string[] | null;
  /** `RunResult`, once it is done. */
  @Column({ type: "jsonb", nullable: true }) result: object | null;
  @Text({ nullable: true }) error: string | null;
  @Now() createdAt: Date;
  @Time({ nullable: true }) endedAt: Date | null;
}

/** A conversation in which the assistant would do something else. It holds nothing that its contact wrote. */
@Entity("assistant_test_change")
@ForeignKey("assistant_test_run", ["tenantId", "runId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assistant_test_change_of_conversation", ["tenantId", "conversationId"])
export class AssistantTestChangeEntity {
  @TenantId() tenantId: string;
  @Id() runId: string;
  /** 0, 1, 2 …: the newest conversation first. */
  @PrimaryColumn({ type: "integer" }) position: number;
  @Uuid() conversationId: string;
  /** The first message of the turn that changes. */
  @Uuid() messageId: string;
  /** 1, 2, 3 … */
  @Int() turn: number;
  /** `PlayedTurn` */
  @Column({ type: "jsonb" }) before: object;
  @Column({ type: "jsonb" }) after: object;
}

/** When runs are played, of all tenants. Holds only ids and times. */
@Entity("assistant_test_due")
@ForeignKey("assistant_test_run", ["tenantId", "runId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assistant_test_due_next", ["dueAt"])
@Index("assistant_test_due_turn", ["tenantId", "dueAt"])
export class AssistantTestDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) runId: string;
  /** While it is played: the end of the lease. */
  @Time() dueAt: Date;
  /** Whose turn it is: only the process with this token may write what came of it. */
  @Uuid({ nullable: true }) lease: string | null;
}
