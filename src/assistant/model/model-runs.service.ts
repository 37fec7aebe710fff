import { Injectable } from "@nestjs/common";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { LanguageModel, type ModelTask } from "../language-model.js";
import { foundOf, type KbHit, type Plan, type Retrieved, type Step } from "../plan.js";
import { LOCK_RUN } from "../tools/steps.queries.js";
import { type OfferedTool, ToolCalls } from "../tools/tool-calls.js";
import { ModelConversation } from "./model-conversation.js";
import { ADD_STEPS, PREPARE } from "./model-runs.queries.js";
import { type Completion, ModelError, ModelServer } from "./model-server.js";
import { InvalidReply, type Reply, replyOf, RESPOND } from "./reply.js";

const MAX_STEPS = 8;
/** An output that cannot be used is explained to the model so often. */
const MAX_INVALID = 2;

interface Spent {
  run: number;
  /** By all runs of the workspace, as far as they have written it. */
  today: number;
}

/** Thrown where the run ends before the model says how. */
class Ends extends Error {
  constructor(readonly plan: Plan) {
    super(plan.action);
  }
}
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
    private readonly db: Database,
    private readonly config: Config,
  ) {
    super();
  }

  get configured(): boolean {
    return this.server.configured;
  }

  async think(task: ModelTask): Promise<{ plan: Plan; hits: readonly KbHit[] }> {
    const hits: KbHit[] = [];
    try {
      return { plan: await this.carryOut(task, hits), hits };
    } catch (error) {
      if (error instanceof Ends) return { plan: error.plan, hits };
      throw error;
    }
  }

  private async carryOut(task: ModelTask, hits: KbHit[]): Promise<Plan> {
    const { caller, run } = task;
    // Before anything that the contact wrote is read, so that no text can change the list.
    const offered = (await this.tools.offered(caller, run)).filter(({ name }) => name !== RESPOND.name);
    const [prepared] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(PREPARE, { id: run.id });
    });
    if (!prepared) throw new Ends({ action: "discard", reason: "The agent is gone" });
    const spent: Spent = { run: 0, today: prepared.tokensToday };
    hits.push(...(await this.search(task, spent)));
    const conversation = new ModelConversation(task, {
      offered,
      instructions: prepared.instructions,
      hits,
      made: await this.tools.made(caller, run),
      unsupportedSentences: prepared.unsupportedSentences,
    });
    let invalid = 0;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { completion, reply } = await this.ask(task, conversation, offered, spent);
      if (reply instanceof InvalidReply) {
        if (invalid++ === MAX_INVALID) throw failed("The language model's answers cannot be used");
        conversation.explain(completion, reply);
      } else if (reply.action !== "call") return conversation.settle(reply);
      else await this.call(task, conversation, completion, reply, spent);
    }
    throw failed(`The language model did not come to an end in ${MAX_STEPS} steps`);
  }

  private async search(task: ModelTask, spent: Spent): Promise<KbHit[]> {
    const began = Date.now();
    const hits = await task.retrieve();
    const { question, language, context } = task;
    const detail: Retrieved = {
      question,
      language,
      clarified: context.clarified !== null,
      entries: hits.map(foundOf),
    };
    await this.write(task, spent, [stepOf("retrieve", began, detail)]);
    return hits;
  }

  private async ask(
    task: ModelTask,
    conversation: ModelConversation,
    offered: readonly OfferedTool[],
    spent: Spent,
  ): Promise<{ completion: Completion; reply: Reply | InvalidReply }> {
    const { ASSISTANT_RUN_TOKENS: ofRun, ASSISTANT_DAY_TOKENS: ofDay } = this.config;
    if (spent.run >= ofRun) throw usedUp("The tokens for one message are used up");
    if (spent.today >= ofDay) throw usedUp("The workspace's tokens for today are used up");
    const began = Date.now();
    const functions = [
      ...offered.map(({ name, description, parameters }) => ({ name, description, parameters })),
      RESPOND,
    ];
    let completion: Completion;
    try {
      completion = await this.server.complete(conversation.messages, functions, task.deadline);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      await this.write(task, spent, [stepOf("model", began, { model: this.server.model, error: error.message })]);
      throw failed(error.message);
    }
    const { inputTokens, outputTokens } = completion;
    spent.run += inputTokens + outputTokens;
    const reply = readable(completion);
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
    { caller, run }: ModelTask,
    spent: Spent,
    steps: readonly Step[],
    tokens = { inputTokens: 0, outputTokens: 0 },
  ): Promise<void> {
    const [still] = await this.db.transaction(caller, async (tx) => {
      await tx.query(LOCK_RUN, { id: run.id });
      const written = await tx.query(ADD_STEPS, {
        id: run.id,
        attempts: run.attempts,
        steps: JSON.stringify(steps),
        ...tokens,
      });
      if (written[0]) tx.changesWorkspace(written[0].workspaceId);
      else tx.changesNothingVisible();
      return written;
    });
    if (still) spent.today = still.tokensToday;
    const off = still ? still.off : "The conversation was erased";
    if (off !== null) throw new Ends({ action: "discard", reason: off });
  }
}

const usedUp = (reason: string): Ends => new Ends({ action: "hand_off", why: "usedUp", reason });

function readable(completion: Completion): Reply | InvalidReply {
  try {
    return replyOf(completion);
  } catch (error) {
    if (error instanceof InvalidReply) return error;
    throw error;
  }
}

const stepOf = (type: Step["type"], began: number, detail: object): Step => ({
  type,
  at: new Date(began).toISOString(),
  durationMs: Date.now() - began,
  detail,
});
