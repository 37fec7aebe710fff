import { HttpException, Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { recordOutcomes } from "../../platform/outcomes/record-outcomes.js";
import { type BuiltIn, isBuiltIn } from "../tools/built-in.js";
import { BuiltInToolsService } from "../tools/built-in.service.js";
import { type Bound, LOCK_CONVERSATION } from "../tools/tool-calls.queries.js";
import { outcomeOfTool } from "../tools/tool-calls.service.js";
import { type Called, ToolClient } from "../tools/tool-client.js";
import { ActionCheck } from "./action-check.js";
import { FollowUp } from "./follow-up.js";
import type { FailureCode, PendingActionResultDto } from "./pending-actions.dto.js";
import {
  type Action,
  CLAIM,
  CLOSE,
  FIND_ACTION,
  FINISH,
  LAG,
  POSTPONE,
  SETTLE_ATTENTION,
} from "./pending-actions.queries.js";
import { PendingActionEntity } from "../tools/tool.entity.js";
import { IsNull } from "typeorm";

/** Longer than a call may take: its turn, the call, the turn of its status check and that check, 30 s each, are 120 s. */
const LEASE_SECONDS = 180;
const CONCURRENCY = 4;

const UNKNOWN = "It is not known whether it was carried out. Check it where the tool works";

/** What is to be done about an action that is due. */
type Work = { action: Action } & (
  | { kind: "call"; bound: Bound; values: Record<string, unknown> }
  /** A process has called the tool and died. */
  | { kind: "abandoned"; bound: Bound | null; values: Record<string, unknown> }
);

/**
 * Carries out what was approved, and ends what nobody approved in time. The tool is called once: an action that a process has
 * begun, and not finished, is never begun again.
 */
@Injectable()
export class PendingActionsJob {
  private readonly queue: DueQueue<DueRow>;
  /** In processes that run jobs. */
  private runs = false;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly check: ActionCheck,
    private readonly client: ToolClient,
    private readonly builtIn: BuiltInToolsService,
    private readonly followUp: FollowUp,
  ) {
    this.queue = jobs.queue<DueRow>({
      name: "pending-actions",
      claim: (room) => jobs.acrossTenants(CLAIM, { ...room, leaseSeconds: LEASE_SECONDS }),
      lag: LAG,
      concurrency: CONCURRENCY,
      work: (caller, due) => this.work(caller, due.id),
    });
  }

  /** Finds what other processes approved, what has expired, and what those that died left. */
  @Interval(1_000)
  poll(): Promise<void> {
    this.runs = true;
    return this.tick();
  }

  tick(): Promise<void> {
    return this.queue.tick();
  }

  /** Something was approved. */
  wake(): void {
    if (this.runs && !this.queue.stopping) void this.tick();
  }

  private async work(caller: SystemCaller, id: string): Promise<void> {
    const work = await this.db.transaction(caller, (tx) => this.begin(tx, id));
    if (!work) return;
    const { action } = work;
    const called = work.kind === "call" ? await this.call(caller, work) : await this.lookAfter(caller, work);
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(LOCK_CONVERSATION, { conversationId: action.conversationId });
      const { status, result } = resultOf(called);
      const [finished] = await tx.query(FINISH, { id, status, result: JSON.stringify(result) });
      if (!finished) return;
      const ended = { ...action, ...finished };
      tx.changesWorkspace(action.workspaceId);
      if (!isBuiltIn(action.tool)) {
        const bad = called.kind !== "answered" && called.bad;
        await recordOutcomes(tx, [outcomeOfTool(action.workspaceId, action.tool, bad)]);
      }
      if (status === "executed") await this.followUp.executed(tx, ended);
      else await this.followUp.refused(tx, ended, "failed", result.message);
    });
  }

  /** @returns undefined if nothing is left to do */
  private async begin(tx: Tx, id: string): Promise<Work | undefined> {
    tx.changesNothingVisible();
    const [found] = await tx.query(FIND_ACTION, { id });
    if (!found) return undefined;
    await tx.query(LOCK_CONVERSATION, { conversationId: found.conversationId });
    const [action] = await tx.query(FIND_ACTION, { id });
    if (!action) return undefined;
    if (action.status === "pending" && action.expired) return this.expire(tx, action);
    if (action.status !== "approved") return void (await tx.query(POSTPONE, { id }));
    const standing = await this.check.standing(tx, action);
    if (action.started) {
      const bound = standing.kind === "allowed" ? standing.bound : null;
      return { kind: "abandoned", action, bound, values: action.arguments };
    }
    if (standing.kind === "denied") return this.fail(tx, action, "denied", standing.reason);
    // What is carried out is what the approver has seen, to the byte.
    const { hash, arguments: values } = standing.checked;
    // Once: whoever finds it begun knows that a process has died of it.
    const approved = { id, status: "approved", startedAt: IsNull(), argumentsHash: hash } as const;
    if (!(await tx.update(PendingActionEntity, approved, { startedAt: () => "clock_timestamp()" })))
      return this.fail(tx, action, "changed", "The tool, the arguments, the contact or the policies have changed");
    return { kind: "call", action, bound: standing.bound, values };
  }

  private async expire(tx: Tx, action: Action): Promise<undefined> {
    if (!(await tx.query(CLOSE, { id: action.id, status: "expired", by: null, reason: null })).length) return;
    tx.changesWorkspace(action.workspaceId);
    await tx.query(SETTLE_ATTENTION, { conversationId: action.conversationId, by: null });
    await this.followUp.refused(tx, action, "expired", null);
  }

  private async fail(tx: Tx, action: Action, code: FailureCode, message: string): Promise<undefined> {
    tx.changesWorkspace(action.workspaceId);
    await tx.query(FINISH, { id: action.id, status: "failed", result: JSON.stringify({ code, message, value: null }) });
    await this.followUp.refused(tx, action, "failed", message);
  }

  private async call(
    caller: SystemCaller,
    { action, bound, values }: Extract<Work, { kind: "call" }>,
  ): Promise<Called> {
    const { id, tool } = action;
    if (!isBuiltIn(tool))
      return this.client.call({ tenantId: caller.tenantId, tool, own: bound.tool!, bound, arguments: values, key: id });
    try {
      const outcome = await this.builtIn.use(caller, tool as Exclude<BuiltIn, "ask_verification">, values, bound, id);
      if (outcome.kind === "result") return { kind: "answered", value: outcome.value };
      return { kind: "failed", error: "reason" in outcome ? outcome.reason : "It waits", status: 0, bad: false };
    } catch (error) {
      if (error instanceof HttpException) return { kind: "failed", error: error.message, status: 0, bad: false };
      throw error;
    }
  }

  /** It is not called again. The tool may say what became of it, where it can be asked. */
  private async lookAfter(
    caller: SystemCaller,
    { action, bound, values }: Extract<Work, { kind: "abandoned" }>,
  ): Promise<Called> {
    const unknown: Called = { kind: "unknown", error: "The process that called the tool has died", bad: true };
    if (!bound?.tool) return unknown;
    const { id, tool } = action;
    const { tenantId } = caller;
    return (
      (await this.client.statusOf({ tenantId, tool, own: bound.tool, bound, arguments: values, key: id })) ?? unknown
    );
  }
}

function resultOf(called: Called): { status: "executed" | "failed"; result: PendingActionResultDto } {
  switch (called.kind) {
    case "answered":
      return { status: "executed", result: { code: null, message: null, value: called.value } };
    case "failed":
      return { status: "failed", result: { code: "failed", message: called.error, value: null } };
    case "unknown":
      return { status: "failed", result: { code: "unknown", message: `${called.error}. ${UNKNOWN}`, value: null } };
  }
}
