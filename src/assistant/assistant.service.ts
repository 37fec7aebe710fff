import { Injectable } from "@nestjs/common";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../knowledge/review/entry-search.service.js";
import type { Caller, SystemCaller } from "../platform/caller/caller.js";
import { clarification } from "./clarification.js";
import type { Context } from "./context/context.queries.js";
import type { Decision } from "./context/decision.js";
import { decideIn, HITS, thatCount } from "./judgement.js";
import { LanguageModel } from "./language-model.js";
import { isCourtesy } from "./context/courtesy.js";
import { asksForPerson } from "./context/person.js";
import { chosenOf } from "./context/phrases.js";
import { foundOf, type KbHit, type Plan, type Retrieved, type Thought } from "./plan.js";
import {
  hasWords,
  lastWordsOf,
  questionBefore,
  questionOf,
  saidNothingOwn,
  turnOf,
  withoutProofs,
} from "./context/question.js";
import type { Begun } from "./runs.queries.js";
import { languageIn } from "./context/spoken.js";
import { VerificationDialogue } from "./tools/verification-dialogue.js";

const NOTHING_OWN = "The mail has no words of the contact's own";

/** Decides what to do about a message: from the approved entries alone, or with a language model. */
@Injectable()
export class AssistantService {
  constructor(
    private readonly search: EntrySearchService<KbEntryDto, KbSaid>,
    private readonly model: LanguageModel,
    private readonly dialogue: VerificationDialogue,
  ) {}

  /** @param deadline as `Date.now()` */
  async think(caller: SystemCaller, run: Begun, given: Context, deadline: number): Promise<Thought> {
    const { sequence } = run;
    // Otherwise the run goes on after it waited, and what the contact said was read before.
    const isNew = turnOf(given.messages, sequence).length > 0;
    const lastWords = lastWordsOf(given, sequence);
    const hidden = withoutProofs(given);
    if (isNew && (asksForPerson(lastWords) || asksForPerson(questionOf(hidden, sequence))))
      return thoughtOf(hidden, sequence, { action: "hand_off", why: "wantsPerson" });
    if (isNew && saidNothingOwn(given, sequence))
      return thoughtOf(hidden, sequence, { action: "hand_off", why: "passedOn", reason: NOTHING_OWN });
    const verified = isNew && this.model.configured ? await this.dialogue.answer(caller, run, lastWords) : undefined;
    if (verified?.kind === "asked") return thoughtOf(hidden, sequence, { action: "wait", for: "verification" });
    if (verified?.kind === "failed")
      return thoughtOf(hidden, sequence, { action: "hand_off", why: "passedOn", reason: verified.reason });
    // Unless it answered a question, what the contact wrote is theirs to ask.
    const context = verified ? hidden : withoutProofs(given, false);
    const answered = wasAnswered(context, sequence);
    const thought = thoughtOf(context, sequence, { action: "hand_off", why: "nothingFound" });
    const { question, language } = thought;
    if (isNew && isCourtesy(question) && answered)
      return { ...thought, plan: { action: "discard", reason: "Nothing was asked" } };
    if (this.model.configured) {
      const retrieve = (): Promise<KbHit[]> => this.retrieve(caller, run, context, question, language);
      const byDefault = () => this.consult(caller, context, question, language);
      const task = { caller, run, context, question, language, retrieve, byDefault, answered, deadline };
      const { plan, hits } = await this.model.think(task);
      return { ...thought, found: hits.map(foundOf), plan };
    }
    const began = Date.now();
    const { hits, plan, chosen } = await this.consult(caller, context, question, language);
    const found = hits.map(foundOf);
    const clarified = context.clarified !== null;
    const retrieved: Retrieved = { question, language, clarified, entries: found, ...(chosen && { chosen }) };
    const detail = { ...retrieved, decision: plan.action };
    const step = {
      type: "retrieve",
      at: new Date(began).toISOString(),
      durationMs: Date.now() - began,
      detail,
    } as const;
    return { ...thought, found, plan, steps: [step] };
  }

  private async consult(
    caller: Caller,
    context: Context,
    question: string,
    language: string,
  ): Promise<{ hits: KbHit[]; plan: Plan; chosen?: boolean }> {
    const { workspaceId, clarified } = context;
    const chosen = clarified && isAnswered(context, clarified.sequence) && chosenOf(clarified.options ?? [], question);
    if (chosen) {
      const hits = await this.hits(caller, workspaceId, chosen.question);
      const meant = hits.find(({ entry }) => entry.id === chosen.kbEntryId);
      if (meant) return { hits: [meant], plan: planOf({ action: "answer", hit: meant }), chosen: true };
    }
    const hits = await this.spoken(caller, context, question, language);
    return { hits, plan: planOf(decideIn(hits, context, { language, clarified: clarified !== null })) };
  }

  /** As `spoken`. A question that says little by itself, such as "and for food?", is also searched with what came before it. */
  private async retrieve(
    caller: Caller,
    { sequence }: Begun,
    context: Context,
    question: string,
    language: string,
  ): Promise<KbHit[]> {
    const hits = await this.spoken(caller, context, question, language);
    const before = questionBefore(context, sequence);
    if (!before || (hits[0]?.confidence ?? 0) >= context.thresholds.answerConfidence) return hits;
    const more = await this.spoken(caller, context, `${before}\n${question}`, language);
    const known = new Set(hits.map(({ entry }) => entry.id));
    return [...hits, ...more.filter(({ entry }) => !known.has(entry.id))].slice(0, HITS);
  }

  /** The entries found for the question, in the contact's language and in the workspace's. */
  private async spoken(
    caller: Caller,
    { workspaceId, primaryLanguage }: Context,
    question: string,
    language: string,
  ): Promise<KbHit[]> {
    const all = hasWords(question) ? await this.hits(caller, workspaceId, question) : [];
    return thatCount(all, question, [language, primaryLanguage]);
  }

  private async hits(caller: Caller, workspaceId: string, q: string): Promise<KbHit[]> {
    return (await this.search.search(caller, workspaceId, { q, limit: HITS })).parse();
  }
}

/** What is known before anything is looked for. */
export function thoughtOf(context: Context, sequence: number, plan: Plan): Thought {
  const language = languageIn(context, sequence);
  return { question: questionOf(context, sequence), language, found: [], plan, steps: [] };
}

function planOf(decision: Decision<KbHit>): Plan {
  if (decision.action === "answer") {
    const { entry, confidence } = decision.hit;
    return {
      action: "answer",
      body: entry.answer,
      citations: [{ kbEntryId: entry.id, score: confidence }],
      confidence,
    };
  }
  if (decision.action === "hand_off")
    return { action: "hand_off", why: decision.cause === "kb_gap" ? "nothingFound" : "unsure" };
  const [first, second] = decision.hits.map(({ entry }) => ({ ...entry, kbEntryId: entry.id }));
  return clarification(first!, second!);
}

/** Whether the contact got a reply before this turn. */
const wasAnswered = ({ messages }: Context, sequence: number): boolean => {
  const began = turnOf(messages, sequence)[0]?.sequence ?? sequence;
  return messages.some(
    (message) => message.sequence < began && message.direction === "outbound" && message.authorType !== "system",
  );
};

/** Whether the message after that one, of our side, is the last thing that was said before this turn. */
const isAnswered = ({ messages }: Context, sequence: number): boolean =>
  messages.filter(
    (message) => message.sequence > sequence && message.direction === "outbound" && message.authorType !== "system",
  ).length === 1;
