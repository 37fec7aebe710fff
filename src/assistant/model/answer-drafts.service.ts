import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Context } from "../context/context.queries.js";
import type { KbHit } from "../plan.js";
import { ground } from "./grounding.js";
import { ModelConversation } from "./model-conversation.js";
import { ModelOnDemand } from "./model-on-demand.service.js";
import { PREPARE_DRAFT } from "./model-runs.queries.js";
import { ModelError } from "./model-server.js";
import { InvalidReply, replyOf, respondIn } from "./reply.js";
import { sentencesOf } from "./sentences.js";

/** A sentence of a draft, and the entry that says it. Null for courtesy, which claims nothing. */
export interface DraftSentence {
  text: string;
  kbEntryId: string | null;
}

/** Lets the language model write an answer for a person to read and send. It calls no tools, and nothing of it is stored. */
@Injectable()
export class AnswerDraftsService {
  constructor(
    private readonly model: ModelOnDemand,
    private readonly db: Database,
  ) {}

  get configured(): boolean {
    return this.model.configured;
  }

  /**
   * What is left of the model's answer after the assistant's own check, with the source of each sentence. However sure the model is: a
   * person decides.
   * @returns undefined if it fails, if nothing rests on an entry, or if the workspace has used up its tokens
   */
  async write(
    caller: Caller,
    context: Context,
    language: string,
    hits: readonly KbHit[],
  ): Promise<DraftSentence[] | undefined> {
    const { workspaceId } = context;
    const [prepared] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(PREPARE_DRAFT, { workspaceId });
    });
    if (!prepared) return undefined;
    const { wording, tokensToday, ...given } = prepared;
    const conversation = new ModelConversation(
      {
        context: { ...context, thresholds: { ...context.thresholds, answerConfidence: 0 } },
        language,
        answered: false,
      },
      { ...given, wording, offered: [], hits, made: [] },
    );
    try {
      const completion = await this.model.ask(
        caller,
        { workspaceId, tokensToday },
        { messages: conversation.messages, respond: respondIn(wording) },
      );
      const reply = replyOf(completion, wording);
      if (reply.action !== "answer") return undefined;
      conversation.check(reply);
      const plan = conversation.settle(reply);
      return plan.action === "answer" ? linked(plan.body, hits) : undefined;
    } catch (error) {
      if (error instanceof ModelError || error instanceof InvalidReply) return undefined;
      throw error;
    }
  }
}

/** Each sentence of what passed the check, with the entry that it rests on. */
function linked(body: string, hits: readonly KbHit[]): DraftSentence[] {
  const sources = hits.map(({ entry }) => ({ id: `E:${entry.id}`, question: entry.question, text: entry.answer }));
  return body
    .split(/(?<=\n)/)
    .flatMap((line) => {
      const sentences = sentencesOf(line.trimEnd());
      return sentences.length
        ? [...sentences.slice(0, -1), sentences.at(-1)! + line.slice(line.trimEnd().length)]
        : [line];
    })
    .map((text) => ({ text, kbEntryId: ground(text, sources).sources[0]?.slice(2) ?? null }));
}
