import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { requestOf } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { languageOf } from "../context/language.js";
import { withLinksOf } from "../context/links.js";
import { hasWords, ownWordsOf } from "../context/question.js";
import { ModelOnDemand, type Spending, UsedUp } from "../model/model-on-demand.service.js";
import { ModelError, type ModelFunction, type ModelMessage } from "../model/model-server.js";
import { InvalidReply, responseIn } from "../model/reply.js";
import { RESPOND_WITH_SENTENCES, RESPOND_WITH_TEXT, toRewrite, toSummarise } from "./prompts.js";
import { proven, shownOf } from "./proof.js";
import { FIND_MESSAGE, FIND_PLACE, LIST_SAID } from "./writing.queries.js";
import {
  MAX_TEXT,
  type MessagesSummaryDto,
  type RewriteTextDto,
  type RewrittenTextDto,
  type Silence,
} from "./writing.dto.js";

/** What the language model does for a person who reads and answers. It sees no other conversation, and nothing of it is kept or sent. */
@Injectable()
export class WritingService {
  constructor(
    private readonly db: Database,
    private readonly model: ModelOnDemand,
  ) {}

  /** @throws NotFoundException, RetryLater */
  async rewrite(
    caller: Caller,
    conversationId: string,
    { text, as, language }: RewriteTextDto,
  ): Promise<Json<RewrittenTextDto>> {
    const place = await this.before(caller, async (tx) => (await tx.query(FIND_PLACE, { conversationId }))[0]);
    const messages = toRewrite(text, as, language ?? place.primaryLanguage);
    return this.answer(caller, await this.textOf(caller, place, messages, text));
  }

  /** @throws NotFoundException, RetryLater */
  async translate(caller: Caller, id: string, language: string): Promise<Json<RewrittenTextDto>> {
    const message = await this.before(caller, async (tx) => (await tx.query(FIND_MESSAGE, { id }))[0]);
    const text = ownWordsOf(message, message).trim();
    const silent = message.isProof
      ? "withheld"
      : text.length > MAX_TEXT
        ? "too_long"
        : !hasWords(text) || (await languageOf(text)) === language
          ? "same_language"
          : undefined;
    if (silent) return this.answer(caller, { text: null, reason: silent });
    return this.answer(caller, await this.textOf(caller, message, toRewrite(text, "translation", language), text));
  }

  /** @throws NotFoundException, RetryLater */
  async summarise(caller: Caller, conversationId: string, language?: string): Promise<Json<MessagesSummaryDto>> {
    const { said, ...place } = await this.before(caller, async (tx) => {
      const [found] = await tx.query(FIND_PLACE, { conversationId });
      return found && { ...found, said: await tx.query(LIST_SAID, { conversationId }) };
    });
    const shown = shownOf(said);
    const { reply, reason } = await this.ask(
      caller,
      place,
      toSummarise(
        shown.map(({ id, from, text }) => ({ id, from, text })),
        language ?? place.primaryLanguage,
      ),
      RESPOND_WITH_SENTENCES,
    );
    const sentences = reply && proven(reply.sentences, shown);
    return this.answer(caller, { sentences: sentences ?? null, reason: sentences ? null : (reason ?? "no_answer") });
  }

  private async textOf(
    caller: Caller,
    spending: Spending,
    messages: readonly ModelMessage[],
    source: string,
  ): Promise<RewrittenTextDto> {
    const { reply, reason } = await this.ask(caller, spending, messages, RESPOND_WITH_TEXT);
    const given = reply?.text;
    const text = typeof given === "string" && given.length <= 2 * MAX_TEXT ? withLinksOf(source, given).trim() : "";
    return hasWords(text) ? { text, reason: null } : { text: null, reason: reason ?? "no_answer" };
  }

  /** What is read before the model is asked. A repeat of a request that was carried out ends here. */
  private async before<T>(caller: Caller, read: (tx: Tx) => Promise<T | undefined>): Promise<T> {
    const found = await this.db.separateTransaction(caller, (tx) => {
      tx.changesNothingVisible();
      return read(tx);
    });
    if (!found) throw notFound();
    return found;
  }

  private async ask(
    caller: Caller,
    spending: Spending,
    messages: readonly ModelMessage[],
    respond: ModelFunction,
  ): Promise<{ reply?: Record<string, unknown>; reason?: Silence }> {
    if (!this.model.configured) return { reason: "no_model" };
    try {
      const reply = responseIn(await this.model.ask(caller, spending, { messages, respond }));
      return typeof reply === "object" && reply !== null ? { reply: reply as Record<string, unknown> } : {};
    } catch (error) {
      if (error instanceof UsedUp) return { reason: "no_tokens" };
      if (error instanceof ModelError || error instanceof InvalidReply) return { reason: "no_answer" };
      throw error;
    }
  }

  /** Texts of a conversation are not kept for a repeat, where no erasure would find them. */
  private async answer<T>(caller: Caller, said: T): Promise<Json<T>> {
    const answer = new Json<T>(JSON.stringify(said), 200, true);
    if (!requestOf(caller)?.idempotency) return answer;
    return this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return Promise.resolve(answer);
    });
  }
}
