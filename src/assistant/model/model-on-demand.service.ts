import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { outsideRequest } from "../../platform/caller/request-context.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import { RetryLater } from "../../platform/http/errors.js";
import { RateLimiter } from "../../platform/http/rate-limit.js";
import { COUNT_TOKENS } from "./model-runs.queries.js";
import { type Completion, ModelError, type ModelFunction, type ModelMessage, ModelServer } from "./model-server.js";

/** So long a person waits for the model. */
const ANSWER_MS = 20_000;
/** So often a minute one caller may ask it, over all processes. */
const MAX_BY_CALLER = 30;

export interface Spending {
  workspaceId: string;
  /** All tokens of the workspace today. */
  tokensToday: number;
}

/** The workspace's tokens for today are used up. */
export class UsedUp extends ModelError {}

/** The language model, for a person who waits for what it says. */
@Injectable()
export class ModelOnDemand implements OnModuleDestroy {
  private readonly byCaller: RateLimiter;

  constructor(
    private readonly server: ModelServer,
    private readonly db: Database,
    private readonly config: Config,
  ) {
    this.byCaller = new RateLimiter(MAX_BY_CALLER, rateLease(db));
  }

  onModuleDestroy(): void {
    this.byCaller.stop();
  }

  get configured(): boolean {
    return this.server.configured;
  }

  /**
   * Asks once. What it costs counts for the workspace, also if nothing comes of it.
   * @throws RetryLater: the caller asks too often; UsedUp; ModelError
   */
  async ask(
    caller: Caller,
    { workspaceId, tokensToday }: Spending,
    { messages, respond }: { messages: readonly ModelMessage[]; respond: ModelFunction },
  ): Promise<Completion> {
    if (tokensToday >= this.config.ASSISTANT_DAY_TOKENS)
      throw new UsedUp("The workspace's tokens for today are used up");
    const { allowed, resetSeconds } = await this.byCaller.take(`model ${caller.tenantId} ${callerId(caller)}`);
    if (!allowed)
      throw new RetryLater(
        `Too many requests: at most ${MAX_BY_CALLER} a minute. Try again in ${resetSeconds} seconds`,
        resetSeconds,
      );
    const completion = await this.server.complete(messages, [respond], Date.now() + ANSWER_MS);
    const { inputTokens, outputTokens } = completion;
    await this.db.transaction(outsideRequest(caller), (tx) => {
      tx.changesWorkspace(workspaceId);
      return tx.query(COUNT_TOKENS, { workspaceId, inputTokens, outputTokens });
    });
    return completion;
  }
}
