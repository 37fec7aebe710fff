import { Injectable } from "@nestjs/common";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Understood } from "../procedures/engine.js";
import { ProcedureReader, type Question, type ReadingTask } from "../procedures/reading.js";
import { isObject } from "../tools/argument-schema.js";
import { PREPARE } from "./model-runs.queries.js";
import { type Completion, ModelError, ModelServer } from "./model-server.js";
import { ModelSteps, stepOf } from "./model-steps.service.js";
import { MEANINGS, type Meaning, RESPOND_WITH_MEANING, toRead } from "./procedure-prompt.js";
import { InvalidReply, responseIn } from "./reply.js";

/** So long the contact waits for it, at most. */
const READING_MS = 8_000;
/** What is left of the run's time for what comes after it. */
const KEPT_MS = 3_000;
const MAX_VALUE = 2_000;

@Injectable()
export class ProcedureReaderService extends ProcedureReader {
  constructor(
    private readonly server: ModelServer,
    private readonly steps: ModelSteps,
    private readonly db: Database,
    private readonly config: Config,
  ) {
    super();
  }

  async read(
    task: ReadingTask,
    question: Question,
    text: string,
  ): Promise<{ understood?: Understood; off: string | null }> {
    if (!this.server.configured || (await this.isUsedUp(task))) return { off: null };
    const began = Date.now();
    const until = Math.min(began + READING_MS, task.deadline - KEPT_MS);
    let completion: Completion;
    try {
      completion = await this.server.complete(toRead(question, text), [RESPOND_WITH_MEANING], until);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const failed = stepOf("model", began, { model: this.server.model, error: error.message });
      return { off: (await this.steps.write(task, [failed])).off };
    }
    const { model, inputTokens, outputTokens } = completion;
    const step = stepOf("model", began, { model: model || this.server.model, inputTokens, outputTokens });
    const { off } = await this.steps.write(task, [step], { inputTokens, outputTokens });
    const understood = understoodIn(completion, question);
    return { off, ...(understood && { understood }) };
  }

  private async isUsedUp({ caller, run }: ReadingTask): Promise<boolean> {
    const [prepared] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(PREPARE, { id: run.id });
    });
    return !prepared || prepared.tokensToday >= this.config.ASSISTANT_DAY_TOKENS;
  }
}

/** Undefined: it is no answer to the question, or nothing that can be used. */
function understoodIn(completion: Completion, question: Question): Understood | undefined {
  let given: unknown;
  try {
    given = responseIn(completion);
  } catch (error) {
    if (error instanceof InvalidReply) return undefined;
    throw error;
  }
  if (!isObject(given) || !MEANINGS.includes(given.means as Meaning)) return undefined;
  const { step = question.step, value } = given;
  switch (given.means as Meaning) {
    case "value":
      return typeof step === "string" && typeof value === "string" && value.length <= MAX_VALUE
        ? { means: "value", step: step || question.step, value }
        : undefined;
    case "no":
    case "why":
    case "stop":
      return { means: given.means as "no" | "why" | "stop" };
    case "question":
    case "unclear":
      return undefined;
  }
}
