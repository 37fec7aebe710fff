import { Inject, Injectable } from "@nestjs/common";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../knowledge/review/entry-search.service.js";
import type { Caller, SystemCaller } from "../platform/caller/caller.js";
import { clarification } from "./clarification.js";
import type { Context, Said } from "./context/context.queries.js";
import {
  decideOn,
  differenceFrom,
  fresh,
  HITS,
  inLanguages,
  type Judgement,
  thatCount,
  together,
} from "./judgement.js";
import { LanguageModel } from "./language-model.js";
import { goesOn, isQuestion, partsOf } from "./context/parts.js";
import { asksForPerson } from "./context/person.js";
import { chosenOf } from "./context/phrases.js";
import { complains, isTroubled } from "./context/polarity.js";
import type { Why } from "./context/why.js";
import { foundOf, type KbHit, type Plan, type Retrieved, type Thought } from "./plan.js";
import {
  answeredUntil,
  hasWords,
  isAnswerIn,
  lastWordsOf,
  questionBefore,
  questionOf,
  saidBefore,
  saidNothingOwn,
  turnOf,
  withoutProofs,
} from "./context/question.js";
import type { Begun } from "./runs.queries.js";
import { afterAnswer, smallTalk } from "./small-talk.js";
import { languageIn } from "./context/spoken.js";
import { type ProcedureResult, ProcedureRuns, type ProcedureTask } from "./procedures/procedure-runs.service.js";
import type { Known } from "./procedures/procedure-store.js";
import { VerificationDialogue } from "./tools/verification-dialogue.js";

const GONE = "The procedure that the language model began is gone";
const NOTHING_OWN = "The mail has no words of the contact's own";

/** Decides what to do about a message: from the approved entries alone, or with a language model. */
@Injectable()
export class AssistantService {
  constructor(
    @Inject(EntrySearchService) private readonly search: Pick<EntrySearchService<KbEntryDto, KbSaid>, "search">,
    private readonly model: LanguageModel,
    @Inject(VerificationDialogue) private readonly dialogue: Pick<VerificationDialogue, "answer">,
    @Inject(ProcedureRuns) private readonly procedures: Pick<ProcedureRuns, "known" | "goOn" | "begin">,
  ) {}

  /** @param deadline as `Date.now()` */
  async think(caller: SystemCaller, run: Begun, given: Context, deadline: number): Promise<Thought> {
    const { sequence } = run;
    // Otherwise the run goes on after it waited, and what the contact said was read before.
    const isNew = turnOf(given.messages, sequence).length > 0;
    const lastWords = lastWordsOf(given, sequence);
    const hidden = withoutProofs(given);
    if (isNew && (asksForPerson(lastWords) || asksForPerson(questionOf(hidden, sequence))))
      return await thoughtOf(hidden, sequence, { action: "hand_off", why: "wantsPerson" });
    if (isNew && saidNothingOwn(given, sequence))
      return await thoughtOf(hidden, sequence, { action: "hand_off", why: "passedOn", reason: NOTHING_OWN });
    const asksForProof = this.model.configured || given.procedures;
    const verified = isNew && asksForProof ? await this.dialogue.answer(caller, run, lastWords) : undefined;
    if (verified?.kind === "asked") return await thoughtOf(hidden, sequence, { action: "wait", for: "verification" });
    if (verified?.kind === "failed")
      return await thoughtOf(hidden, sequence, { action: "hand_off", why: "passedOn", reason: verified.reason });
    // Unless it answered a question, be it to a process that has died since, what the contact wrote is theirs to ask.
    const proven = verified ? answeredUntil(given, verified.until) : given;
    const isAnswer = isAnswerIn(proven, sequence);
    const context = withoutProofs(proven, false);
    const answered = wasAnswered(context, sequence);
    const thought = await thoughtOf(context, sequence, { action: "hand_off", why: "nothingFound" });
    const { question, language } = thought;
    const task = { caller, run, context, language, isNew: isNew && !isAnswer, deadline };
    const known = given.procedures ? await this.procedures.known(task) : undefined;
    const goesOn = known && (await this.procedures.goOn(task, known));
    if (goesOn) return proceeding(thought, goesOn);
    const said = saidBefore(context, sequence);
    const isAsked = context.clarified !== null && isAnswered(context, context.clarified.sequence);
    const talk = { context, question, language, name: run.agentName, said, isAsked };
    const small = isNew ? smallTalk(talk) : undefined;
    if (small) return { ...thought, plan: small };
    const begins = known && isNew ? await this.begin(task, known, question, said) : undefined;
    if (begins) return proceeding(thought, begins);
    if (this.model.configured) {
      const retrieve = (): Promise<KbHit[]> => this.retrieve(caller, run, context, question, language);
      const byDefault = () => this.consult(caller, context, question, language, said);
      const procedures = (isNew && known?.starts) || [];
      const about = { caller, run, context, question, language, retrieve, byDefault, procedures, answered, deadline };
      const { plan, hits } = await this.model.think(about);
      const found = { ...thought, found: hits.map(foundOf) };
      if (plan.action !== "begin") return { ...found, plan };
      const begun = known && (await this.procedures.begin(task, known, plan));
      return begun ? proceeding(found, begun) : { ...found, plan: { action: "hand_off", why: "failed", reason: GONE } };
    }
    const after = isNew ? afterAnswer(talk) : undefined;
    if (after) return { ...thought, plan: after };
    const began = Date.now();
    const { hits, plan, chosen } = await this.consult(caller, context, question, language, said);
    const found = hits.map(foundOf);
    const clarified = context.clarified !== null && plan.action !== "clarify";
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

  /** A procedure begins by a phrase of the message, or by an entry that would answer it. */
  private async begin(task: ProcedureTask, known: Known, question: string, said: readonly Said[]) {
    const byPhrase = await this.procedures.begin(task, known, { phrases: true });
    if (byPhrase || !known.starts.some(({ startsWith }) => startsWith.entries.length)) return byPhrase;
    const { plan } = await this.consult(task.caller, task.context, question, task.language, said);
    if (plan.action !== "answer") return undefined;
    return this.procedures.begin(task, known, { entryIds: plan.citations.map(({ kbEntryId }) => kbEntryId) });
  }

  private async consult(
    caller: Caller,
    context: Context,
    question: string,
    language: string,
    said: readonly Said[],
  ): Promise<{ hits: KbHit[]; plan: Plan; chosen?: boolean }> {
    const { workspaceId, primaryLanguage, clarified } = context;
    const options = clarified && isAnswered(context, clarified.sequence) ? clarified.options : null;
    const chosen = options?.length ? chosenOf(options, question) : undefined;
    if (chosen && !chosen.length) return { hits: [], plan: { action: "hand_off", why: "unsure" } };
    if (chosen) {
      const meant = await Promise.all(chosen.map((option) => this.hits(caller, workspaceId, option.question)));
      const hits = meant.flatMap((found, n) => found.filter(({ entry }) => entry.id === chosen[n]!.kbEntryId));
      if (hits.length === chosen.length) return { hits, plan: answerWith(hits, said), chosen: true };
    }
    const { whole, searched, rest } = partsOf(question);
    const all = await Promise.all(
      [whole, ...searched].map(async (text): Promise<Judgement<KbHit> & { found: KbHit[] }> => {
        const found = await this.found(caller, workspaceId, text);
        const hits = thatCount(found, text, [language, primaryLanguage]);
        return {
          text,
          found,
          hits,
          decision: decideOn(text, hits, context, { language, clarified: clarified?.again ?? false }),
        };
      }),
    );
    const counted = together(all[0]!, all.slice(1), rest);
    const [{ text, hits, decision }] = counted as [Judgement<KbHit>];
    if (decision.action === "answer") {
      const answers = counted.flatMap((one) => (one.decision.action === "answer" ? [one.decision.hit] : []));
      const plan = answerWith(answers, said);
      return answers.length > 1 ? { hits: answers, plan, chosen: true } : { hits: [...hits], plan };
    }
    if (decision.action === "clarify") {
      // Who has read an answer is not asked whether they mean its question.
      const [first, other] = fresh(decision.hits, said).map(({ entry }) => ({ ...entry, kbEntryId: entry.id }));
      const wasAsked = (one: typeof first): boolean =>
        clarified?.options?.some(({ kbEntryId }) => kbEntryId === one?.kbEntryId) ?? false;
      // Who was asked about an entry and says it in other words does not mean it, or was not understood.
      if (wasAsked(first)) return { hits: [...hits], plan: { action: "hand_off", why: "unsure" } };
      const second = wasAsked(other) ? undefined : other;
      return {
        hits: [...hits],
        plan: first
          ? clarification(first, second, { isSorry: complains(text) })
          : { action: "hand_off", why: "repeated" },
      };
    }
    const closest = all.find((one) => one.text === text)?.found[0];
    const isClose = closest && closest.confidence >= context.thresholds.clarifyConfidence;
    const difference = isClose ? differenceFrom(closest.entry, text) : undefined;
    const why = difference ?? whyNothing(question, decision.cause, said);
    return { hits: [...hits], plan: { action: "hand_off", why } };
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

  /** The entries found for the question, in the contact's language and in the workspace's. What the question means is for the model to judge. */
  private async spoken(
    caller: Caller,
    { workspaceId, primaryLanguage }: Context,
    question: string,
    language: string,
  ): Promise<KbHit[]> {
    const found = await this.found(caller, workspaceId, question);
    return inLanguages(found, question, [language, primaryLanguage]);
  }

  private async found(caller: Caller, workspaceId: string, question: string): Promise<KbHit[]> {
    return hasWords(question) ? this.hits(caller, workspaceId, question) : [];
  }

  private async hits(caller: Caller, workspaceId: string, q: string): Promise<KbHit[]> {
    return (await this.search.search(caller, workspaceId, { q, limit: HITS })).parse();
  }
}

const proceeding = (thought: Thought, { plan, steps, saved }: ProcedureResult): Thought => ({
  ...thought,
  plan,
  steps: [...thought.steps, ...steps],
  procedure: saved,
});

/** What is known before anything is looked for. */
export async function thoughtOf(context: Context, sequence: number, plan: Plan): Promise<Thought> {
  const language = await languageIn(context, sequence);
  return { question: questionOf(context, sequence), language, found: [], plan, steps: [] };
}

/** What was said is never said again: if the contact still asks, people know more. */
function answerWith(found: readonly KbHit[], said: readonly Said[]): Plan {
  const hits = fresh(found, said);
  if (!hits.length) return { action: "hand_off", why: "repeated" };
  return {
    action: "answer",
    body: hits.map(({ entry }) => entry.answer).join("\n\n"),
    citations: hits.map(({ entry, confidence }) => ({ kbEntryId: entry.id, score: confidence })),
    confidence: Math.min(...hits.map(({ confidence }) => confidence)),
  };
}

/** Why it is handed over where no entry is close: what the contact reads then has to fit what they wrote. */
function whyNothing(question: string, cause: "kb_gap" | "low_confidence", said: readonly Said[]): Why {
  const isAfterAnswer = said.at(-1)?.authorType === "assistant";
  if (isAfterAnswer && !isQuestion(question) && isTroubled(question)) return "notHelped";
  if (complains(question)) return "complaint";
  if (isAfterAnswer && goesOn(question)) return "repeated";
  return cause === "kb_gap" ? "nothingFound" : "unsure";
}

/** Whether the contact got a reply before this turn. */
const wasAnswered = (context: Context, sequence: number): boolean => saidBefore(context, sequence).length > 0;

/** Whether the message after that one, of our side, is the last thing that was said before this turn. */
const isAnswered = ({ messages }: Context, sequence: number): boolean =>
  messages.filter(
    (message) => message.sequence > sequence && message.direction === "outbound" && message.authorType !== "system",
  ).length === 1;
