import { Injectable } from "@nestjs/common";
import type { Wording } from "../../knowledge/agents/agent.entity.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { type Begin, LanguageModel, type ModelTask } from "../language-model.js";
import { foundOf, type KbHit, type Plan, type Retrieved, type Step } from "../plan.js";
import type { Why } from "../context/why.js";
import { isObject } from "../tools/argument-schema.js";
import { type OfferedTool, ToolCalls } from "../tools/tool-calls.js";
import { ModelConversation } from "./model-conversation.js";
import { PREPARE } from "./model-runs.queries.js";
import { type Completion, ModelError, ModelServer } from "./model-server.js";
import { ModelSteps, stepOf } from "./model-steps.service.js";
import { BEGIN_PROCEDURE, beginsOneOf, InvalidReply, type Reply, replyOf, respondIn, RESPOND } from "./reply.js";

/** Functions that are no tools of the tenant. */
const OURS: readonly string[] = [RESPOND.name, BEGIN_PROCEDURE];

const MAX_STEPS = 8;
/** An output that cannot be used is explained to the model so often. */
const MAX_INVALID = { quotes: 1, own: 2 };
/** What is kept of the time for the answer without the model: this share of it, and no more than that. */
const KEPT_SHARE = 0.3;
const KEPT_MS = 3_000;

interface Spent {
  run: number;
  /** By all runs of the workspace, as far as they have written it. */
  today: number;
}

/** A run at work. */
interface Work {
  task: ModelTask;
  /** As `Date.now()`: then the model is given up. */
  until: number;
  spent: Spent;
  hits: KbHit[];
  /** A tool was called, so that an entry is no answer to what happened. */
  called: boolean;
  wording: Wording;
}

/** Thrown where the run ends before the model says how. */
class Ends extends Error {
  constructor(readonly plan: Plan) {
    super(plan.action);
  }

  /** Whether the model is what failed. */
  get isFailure(): boolean {
    return this.plan.action === "hand_off" && FAILURES.includes(this.plan.why);
  }
}
const FAILURES: readonly Why[] = ["failed", "usedUp"];
const failed = (reason: string): Ends => new Ends({ action: "hand_off", why: "failed", reason });

/**
 * Lets the language model work on a message, in a few steps. It decides nothing by itself: what it writes is checked against what
 * was retrieved, and what it wants to call is decided by `ToolCalls`. Each step is written before the next begins.
 */
@Injectable()
export class ModelRunsService extends LanguageModel {
  constructor(
    private readonly server: ModelServer,
    private readonly tools: ToolCalls,
    private readonly steps: ModelSteps,
    private readonly db: Database,
    private readonly config: Config,
  ) {
    super();
  }

  get configured(): boolean {
    return this.server.configured;
  }

  async think(task: ModelTask): Promise<{ plan: Plan | Begin; hits: readonly KbHit[] }> {
    const kept = Math.ceil(Math.min(KEPT_MS, (task.deadline - Date.now()) * KEPT_SHARE));
    const spent: Spent = { run: 0, today: 0 };
    const work: Work = { task, until: task.deadline - kept, spent, hits: [], called: false, wording: "quotes" };
    try {
      try {
        return { plan: await this.carryOut(work), hits: work.hits };
      } catch (error) {
        if (error instanceof Ends && error.isFailure && !work.called) return await this.without(work, error);
        throw error;
      }
    } catch (error) {
      if (error instanceof Ends) return { plan: error.plan, hits: work.hits };
      throw error;
    }
  }

  /** The model cannot answer: what the entries answer by themselves is answered, and the rest is handed over, as the model's failure. */
  private async without({ task, spent }: Work, failure: Ends): Promise<{ plan: Plan; hits: readonly KbHit[] }> {
    const began = Date.now();
    const { plan, hits, chosen } = await task.byDefault();
    if (plan.action === "hand_off") throw failure;
    const detail = { ...retrievedBy(task, hits), ...(chosen && { chosen }), decision: plan.action };
    await this.write(task, spent, [stepOf("retrieve", began, detail)]);
    return { plan, hits };
  }

  private async carryOut(work: Work): Promise<Plan | Begin> {
    const { task, spent } = work;
    const { caller, run } = task;
    // Before anything that the contact wrote is read, so that no text can change the list.
    const offered = (await this.tools.offered(caller, run)).filter(({ name }) => !OURS.includes(name));
    const [prepared] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(PREPARE, { id: run.id });
    });
    if (!prepared) throw new Ends({ action: "discard", reason: "The agent is gone" });
    const { instructions, unsupportedSentences, wording, tokensToday } = prepared;
    Object.assign(work, { wording });
    spent.today = tokensToday;
    const made = await this.tools.made(caller, run);
    work.called = made.some(({ runId }) => runId === run.id);
    work.hits.push(...(await this.search(task, spent)));
    const { hits } = work;
    const conversation = new ModelConversation(task, {
      offered,
      instructions,
      hits,
      made,
      unsupportedSentences,
      wording,
    });
    let invalid = 0;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { completion, reply } = await this.ask(work, conversation, offered);
      if (reply instanceof InvalidReply) {
        if (invalid++ === MAX_INVALID[wording]) throw failed("The language model's answers cannot be used");
        conversation.explain(completion, reply);
      } else if (reply.action !== "call") return conversation.settle(reply);
      else {
        const begins = begunIn(reply, task);
        if (begins) return begins;
        work.called ||= reply.calls.some(({ request }) => request.tool !== "search_knowledge");
        await this.call(task, conversation, completion, reply, spent);
      }
    }
    throw failed(`The language model did not come to an end in ${MAX_STEPS} steps`);
  }

  private async search(task: ModelTask, spent: Spent): Promise<KbHit[]> {
    const began = Date.now();
    const hits = await task.retrieve();
    await this.write(task, spent, [stepOf("retrieve", began, retrievedBy(task, hits))]);
    return hits;
  }

  private async ask(
    { task, until, spent, wording }: Work,
    conversation: ModelConversation,
    offered: readonly OfferedTool[],
  ): Promise<{ completion: Completion; reply: Reply | InvalidReply }> {
    const { ASSISTANT_RUN_TOKENS: ofRun, ASSISTANT_DAY_TOKENS: ofDay } = this.config;
    if (spent.run >= ofRun) throw usedUp("The tokens for one message are used up");
    if (spent.today >= ofDay) throw usedUp("The workspace's tokens for today are used up");
    const began = Date.now();
    const functions = [
      ...offered.map(({ name, description, parameters }) => ({ name, description, parameters })),
      ...(task.procedures.length ? [beginsOneOf(task.procedures.map(({ name }) => name))] : []),
      respondIn(wording),
    ];
    let completion: Completion;
    try {
      completion = await this.server.complete(conversation.messages, functions, until);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      await this.write(task, spent, [stepOf("model", began, { model: this.server.model, error: error.message })]);
      throw failed(error.message);
    }
    const { inputTokens, outputTokens } = completion;
    spent.run += inputTokens + outputTokens;
    const reply = readable(completion, wording, conversation);
    const detail = {
      model: completion.model || this.server.model,
      inputTokens,
      outputTokens,
      ...(reply instanceof InvalidReply ? { error: reply.message } : { action: reply.action }),
    };
    await this.write(task, spent, [stepOf("model", began, detail)], { inputTokens, outputTokens });
    return { completion, reply };
  }

  private async call(
    task: ModelTask,
    conversation: ModelConversation,
    completion: Completion,
    { calls }: Extract<Reply, { action: "call" }>,
    spent: Spent,
  ): Promise<void> {
    conversation.begin(completion);
    for (const call of calls) {
      const allowed = conversation.admit(call);
      if (allowed.action === "tell") {
        conversation.tell(call, { refused: allowed.reason });
        continue;
      }
      if (allowed.action === "end") throw new Ends(allowed.plan);
      const { caller, run, deadline } = task;
      const { request, tainted } = allowed;
      const outcome = await this.tools.call(caller, run, request, { tainted, deadline });
      await this.write(task, spent, []);
      const ended = conversation.learn(call, outcome);
      if (ended) throw new Ends(ended);
    }
  }

  /** Writes steps, counts what all runs have spent today, and ends the run if there is nothing to say any more. */
  private async write(
    task: ModelTask,
    spent: Spent,
    steps: readonly Step[],
    tokens?: Pick<Completion, "inputTokens" | "outputTokens">,
  ): Promise<void> {
    const { off, tokensToday } = await this.steps.write(task, steps, tokens);
    spent.today = tokensToday ?? spent.today;
    if (off !== null) throw new Ends({ action: "discard", reason: off });
  }
}

/** A name that there is not is refused as an unknown tool is. */
function begunIn({ calls }: Extract<Reply, { action: "call" }>, { procedures }: ModelTask): Begin | undefined {
  const asked = calls.flatMap(({ request: { tool, arguments: given } }) =>
    tool === BEGIN_PROCEDURE && isObject(given) ? [given.name] : [],
  );
  const found = procedures.find(({ name }) => asked.includes(name));
  return found && { action: "begin", procedureId: found.procedureId };
}

const usedUp = (reason: string): Ends => new Ends({ action: "hand_off", why: "usedUp", reason });

function readable(completion: Completion, wording: Wording, conversation: ModelConversation): Reply | InvalidReply {
  try {
    const reply = replyOf(completion, wording);
    conversation.check(reply);
    return reply;
  } catch (error) {
    if (error instanceof InvalidReply) return error;
    throw error;
  }
}

const retrievedBy = ({ question, language, context }: ModelTask, hits: readonly KbHit[]): Retrieved => ({
  question,
  language,
  clarified: context.clarified !== null,
  entries: hits.map(foundOf),
});
