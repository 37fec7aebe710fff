import { HttpException, Injectable } from "@nestjs/common";
import { v5 as uuidOf, v7 as uuid } from "uuid";
import { raise } from "../../conversations/attention/raise.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { recordOutcomes } from "../../platform/outcomes/record-outcomes.js";
import { boundOf, shownTo } from "./argument-schema.js";
import { BUILT_IN, type BuiltIn, isBuiltIn } from "./built-in.js";
import { BuiltInToolsService } from "./built-in.service.js";
import { ADD_TO_SUMMARY, type ChangingCall, lineOf, stateOf } from "./calls-made.js";
import { FIND_ESCALATED, LOCK_RUN, stepsAsJson, WRITE_STEPS } from "./steps.queries.js";
import {
  endCall,
  ASK_FOR_APPROVAL,
  BEGIN_CALL,
  type Bound,
  FIND_CALL,
  GET_BOUND,
  LIST_MADE,
  LIST_OFFERED,
  LOCK_CONVERSATION,
  REFUSE_CALL,
} from "./tool-calls.queries.js";
import {
  type CallAbout,
  failureOf,
  type MadeCall,
  type OfferedTool,
  ToolCalls,
  type ToolOutcome,
  type ToolRequest,
  type ToolRun,
  type ToolStep,
  UNKNOWN,
} from "./tool-calls.js";
import { type Called, ToolClient } from "./tool-client.js";
import { type Checked, ToolGate, type Verdict } from "./tool-gate.js";
import type { ToolEffect } from "./tool.entity.js";
import { ASK_VERIFICATION, VerificationDialogue } from "./verification-dialogue.js";

/** So many of the newest calls of a conversation are told to the model. */
const MAX_MADE = 50;
/** How long people have to approve a call of one of our own tools. */
const EXPIRES_AFTER_HOURS = 24;

/** A call that may be made. */
interface Cleared {
  id: string;
  bound: Bound;
  checked: Checked;
}
/** As for `ToolCalls.call`. */
interface RestsOn {
  tainted: boolean;
  since: number | null;
}
interface Decided {
  verdict?: Verdict;
  values?: object;
  outcome?: ToolOutcome;
  cleared?: Cleared;
}

@Injectable()
export class ToolCallsService extends ToolCalls {
  constructor(
    private readonly db: Database,
    private readonly gate: ToolGate,
    private readonly client: ToolClient,
    private readonly builtIn: BuiltInToolsService,
    private readonly dialogue: VerificationDialogue,
  ) {
    super();
  }

  async offered(caller: SystemCaller, { conversationId, agentId }: ToolRun): Promise<OfferedTool[]> {
    const [found] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(LIST_OFFERED, { conversationId, agentId });
    });
    if (!found) return [];
    const ours = found.tools.filter(isBuiltIn).map((name) => ({ name, ...BUILT_IN[name] }));
    const own = found.own.map(({ parameters, ...tool }) => ({
      ...tool,
      parameters: shownTo(parameters),
      bound: boundOf(parameters).map(([name]) => name),
    }));
    return [...ours, ...own];
  }

  async made(caller: SystemCaller, { conversationId }: ToolRun): Promise<MadeCall[]> {
    const made = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(LIST_MADE, { conversationId, max: MAX_MADE });
    });
    return made.map(({ runId, tool, arguments: values, outcome, actionId, status, result }) => ({
      runId,
      tool,
      arguments: values,
      outcome: actionId
        ? outcomeOf(actionId, status!, result)
        : ((outcome as ToolOutcome | null) ?? { kind: "result", value: { error: UNKNOWN } }),
    }));
  }

  async call(
    caller: SystemCaller,
    run: ToolRun,
    { tool, arguments: given }: ToolRequest,
    { tainted, since = null, deadline, said, told }: CallAbout,
  ): Promise<ToolOutcome> {
    const began = Date.now();
    const { verdict, outcome, cleared } = await this.db.transaction(caller, async (tx) => {
      const decided = await this.decide(tx, run, tool, given, { tainted, since });
      const { verdict, values = {}, outcome } = decided;
      if (verdict) {
        const { effect, reason } = verdict;
        await record(tx, run, stepOf("policy", began, { tool, arguments: values, effect, reason }));
      } else await record(tx, run, stepOf("tool", began, { tool, arguments: values, failure: failureOf(outcome!) }));
      return decided;
    });
    if (outcome?.kind === "waits" && outcome.for === "verification") {
      const level = verdict?.requiredAssuranceLevel ?? "identified";
      const asked = await this.dialogue.ask(caller, run, level, { said, told });
      if (asked.kind === "failed") return { kind: "escalated", reason: asked.reason };
    }
    return cleared ? this.make(caller, run, tool, cleared, deadline) : outcome!;
  }

  /** Decides, and notes what was decided, while the conversation is locked: nothing that it rests on changes meanwhile. */
  private async decide(tx: Tx, run: ToolRun, tool: string, given: unknown, about: RestsOn): Promise<Decided> {
    tx.changesNothingVisible();
    const { conversationId, agentId, id: runId, attempts } = run;
    const [locked] = await tx.query(LOCK_CONVERSATION, { conversationId });
    const [bound] = locked ? await tx.query(GET_BOUND, { conversationId, agentId, tool, runId, attempts }) : [];
    if (!bound) return { outcome: { kind: "refused", reason: "The conversation does not exist any more" } };
    if (bound.off !== null) return { outcome: { kind: "refused", reason: bound.off } };
    const checked = this.gate.check(tx.caller.tenantId, tool, given, bound);
    if (typeof checked === "string") return { outcome: { kind: "refused", reason: checked } };
    const verdict = await this.gate.decide(tx, tool, checked, bound, about.tainted, { runId });
    const { hash, effect, arguments: values } = checked;
    if (tool === ASK_VERIFICATION)
      return bound.level === "none"
        ? { verdict, values, outcome: { kind: "waits", for: "verification", pendingActionId: null } }
        : { verdict, values, outcome: { kind: "result", value: { assuranceLevel: bound.level } } };
    const call = { id: uuid(), conversationId, runId, tool, arguments: JSON.stringify(values), hash, effect };
    const decided = { verdict, values };
    switch (verdict.effect) {
      case "deny": {
        tx.changesWorkspace(bound.workspaceId);
        const outcome: ToolOutcome = { kind: "refused", reason: verdict.reason };
        await block(tx, conversationId, tool, verdict.reason);
        const [again] = await tx.query(REFUSE_CALL, { ...call, outcome: JSON.stringify(outcome) });
        return { ...decided, outcome: again ? { kind: "escalated", reason: verdict.reason } : outcome };
      }
      case "escalate":
        tx.changesWorkspace(bound.workspaceId);
        if (!(await tx.query(FIND_ESCALATED, { runId, tool })).length)
          await block(tx, conversationId, tool, verdict.reason);
        return { ...decided, outcome: { kind: "escalated", reason: verdict.reason } };
      case "verify":
        return { ...decided, outcome: { kind: "waits", for: "verification", pendingActionId: null } };
      case "require_approval":
        return { ...decided, outcome: await this.askForApproval(tx, call, bound, verdict, about) };
      case "allow":
        return { ...decided, ...(await this.begin(tx, call, bound, checked)) };
    }
  }

  private async askForApproval(
    tx: Tx,
    call: { id: string; conversationId: string; runId: string; tool: string; arguments: string; hash: string },
    bound: Bound,
    { reason, requiredAssuranceLevel, policyEntryIds }: Verdict,
    about: RestsOn,
  ): Promise<ToolOutcome> {
    tx.changesWorkspace(bound.workspaceId);
    const { agentId, conversationId } = bound;
    const [action] = await tx.query(ASK_FOR_APPROVAL, {
      ...call,
      agentId,
      ...about,
      guardrail: reason,
      level: requiredAssuranceLevel,
      policyEntryIds,
      expiresAfterHours: bound.tool?.expiresAfterHours ?? EXPIRES_AFTER_HOURS,
    });
    if (action!.added)
      await raise(tx, {
        conversationId,
        type: "approval_required",
        severity: "high",
        reason: `The assistant asks to use ${call.tool}: ${reason}`,
      });
    return { kind: "waits", for: "approval", pendingActionId: action!.id };
  }

  /** A process may have died in the call: what changes something is made again only if the tool takes it as the same call. */
  private async begin(
    tx: Tx,
    call: {
      id: string;
      conversationId: string;
      runId: string;
      tool: string;
      arguments: string;
      hash: string;
      effect: ToolEffect;
    },
    bound: Bound,
    checked: Checked,
  ): Promise<Pick<Decided, "outcome" | "cleared">> {
    const [begun] = await tx.query(BEGIN_CALL, call);
    if (begun) return { cleared: { id: begun.id, bound, checked } };
    const [before] = await tx.query(FIND_CALL, { runId: call.runId, hash: call.hash });
    if (before!.outcome) return { outcome: before!.outcome as ToolOutcome };
    if (isBuiltIn(call.tool) ? call.tool !== "propose_booking" : bound.tool?.idempotent)
      return { cleared: { id: before!.id, bound, checked } };
    return { outcome: { kind: "escalated", reason: `${call.tool}: ${UNKNOWN}` } };
  }

  private async make(
    caller: SystemCaller,
    run: ToolRun,
    tool: string,
    { id, bound, checked }: Cleared,
    deadline: number | undefined,
  ): Promise<ToolOutcome> {
    const began = Date.now();
    const { arguments: values, hash, effect } = checked;
    const own = isBuiltIn(tool) ? null : bound.tool!;
    let outcome: ToolOutcome;
    let bad = false;
    if (own) {
      // The same for each process that makes this call of this run.
      const key = uuidOf(hash, run.id);
      const call = { tenantId: caller.tenantId, tool, own, bound, arguments: values, key, deadline };
      const called = await this.client.call(call);
      outcome = outcomeOfCall(tool, effect, called);
      bad = called.kind !== "answered" && called.bad;
    } else outcome = await this.ours(caller, tool, values, bound, id);
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(LOCK_CONVERSATION, { conversationId: run.conversationId });
      const ended = await endCall(tx, id, outcome);
      const failure = failureOf(outcome);
      const over = await record(tx, run, stepOf("tool", began, { tool, arguments: values, failure }));
      if (own) await recordOutcomes(tx, [outcomeOfTool(bound.workspaceId, tool, bad)]);
      if (ended && effect === "write") await this.tellLate(tx, run, { tool, arguments: values, outcome }, over);
    });
    return outcome;
  }

  /** The run is over, or people have the conversation by now: nobody else tells them what has changed meanwhile. */
  private async tellLate(tx: Tx, { conversationId, agentId, id }: ToolRun, call: ChangingCall, over: boolean) {
    const [bound] = await tx.query(GET_BOUND, { conversationId, agentId, tool: call.tool, runId: id });
    if (!bound || (!over && bound.off === null) || stateOf(call.outcome) === "notDone") return;
    tx.changesWorkspace(bound.workspaceId);
    await tx.query(ADD_TO_SUMMARY, { id: conversationId, line: lineOf(call, bound.primaryLanguage) });
    const reason = lineOf(call, "en");
    await raise(tx, { conversationId, type: "handoff_requested", severity: "high", reason });
  }

  private async ours(
    caller: SystemCaller,
    tool: string,
    values: Record<string, unknown>,
    bound: Bound,
    key: string,
  ): Promise<ToolOutcome> {
    try {
      return await this.builtIn.use(caller, tool as Exclude<BuiltIn, "ask_verification">, values, bound, key);
    } catch (error) {
      if (error instanceof HttpException) return { kind: "refused", reason: error.message };
      throw error;
    }
  }
}

/** For the breakers. */
export const outcomeOfTool = (workspaceId: string, tool: string, bad: boolean) =>
  ({ workspaceId, metric: "tool", entityType: "tool", entityId: tool, scale: 1, value: Number(bad), bad }) as const;

/** A person finds out what became of a change that nobody answered for. A question that got no answer can be asked again. */
function outcomeOfCall(tool: string, effect: "read" | "write", called: Called): ToolOutcome {
  if (called.kind === "answered") return { kind: "result", value: called.value };
  if (called.kind === "unknown" && effect === "write")
    return { kind: "escalated", reason: `${tool}: ${called.error}. ${UNKNOWN}` };
  return { kind: "result", value: { error: called.error } };
}

const block = (tx: Tx, conversationId: string, tool: string, reason: string): Promise<void> =>
  raise(tx, { conversationId, type: "guardrail_block", severity: "medium", reason: `${tool} was not used: ${reason}` });

/** What the model is told of an action. */
function outcomeOf(id: string, status: string, result: { value?: unknown; message?: string } | null): ToolOutcome {
  switch (status) {
    case "executed":
      return { kind: "result", value: result?.value ?? null };
    case "rejected":
      return { kind: "refused", reason: "A person decided against it" };
    case "expired":
      return { kind: "refused", reason: "Nobody approved it in time" };
    case "failed":
      return { kind: "result", value: { error: result?.message ?? UNKNOWN } };
    default:
      return { kind: "waits", for: "approval", pendingActionId: id };
  }
}

const stepOf = (type: ToolStep["type"], began: number, detail: object): ToolStep => ({
  type,
  at: new Date(began).toISOString(),
  durationMs: Date.now() - began,
  detail,
});

/** The conversation is locked. @returns whether the run is over */
async function record(tx: Tx, { id: runId }: ToolRun, step: ToolStep): Promise<boolean> {
  const [run] = await tx.query(LOCK_RUN, { id: runId });
  if (!run) return true;
  await tx.query(WRITE_STEPS, { runId, steps: stepsAsJson([step]) });
  tx.changesWorkspace(run.workspaceId);
  return run.over;
}
