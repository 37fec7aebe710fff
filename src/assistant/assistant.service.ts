import { Injectable } from "@nestjs/common";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearch } from "../knowledge/review/entry-search.service.js";
import type { Hit } from "../knowledge/review/search.queries.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Context } from "./context.queries.js";
import { decide, type Decision } from "./decision.js";
import { asksForPerson, chosenOf, isCourtesy, languageOf } from "./phrases.js";
import type { Found, Plan, Thought } from "./plan.js";
import { hasWords, questionOf, turnOf } from "./question.js";
import { ifAskedSo, withoutSameAnswers } from "./same-answers.js";
import { fill, textsIn } from "./texts.js";

/** Entries that the decision is made from. */
const HITS = 8;

interface KbHit extends Hit<KbEntryDto> {
  confidence: number;
}

/** Decides what to do about a message, from the approved entries alone. It writes nothing. */
@Injectable()
export class AssistantService {
  constructor(private readonly search: EntrySearch<KbEntryDto, KbSaid>) {}

  async think(caller: Caller, context: Context, sequence: number): Promise<Thought> {
    const question = questionOf(context, sequence);
    const language = context.language ?? languageOf(question) ?? context.primaryLanguage;
    const thought: Thought = {
      question,
      language,
      found: [],
      plan: { action: "hand_off", why: "nothingFound" },
      steps: [],
    };
    if (isCourtesy(question) && wasAnswered(context, sequence))
      return { ...thought, plan: { action: "discard", reason: "Nothing was asked" } };
    if (asksForPerson(question)) return { ...thought, plan: { action: "hand_off", why: "wantsPerson" } };
    const began = Date.now();
    const { hits, plan } = await this.consult(caller, context, question, language);
    const found = hits.map(foundOf);
    const detail = { question, entries: found, decision: plan.action };
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
  ): Promise<{ hits: KbHit[]; plan: Plan }> {
    const { workspaceId, clarified } = context;
    const chosen = clarified && isAnswered(context, clarified.sequence) && chosenOf(clarified.options, question);
    if (chosen) {
      const hits = await this.hits(caller, workspaceId, chosen.question);
      const meant = hits.find(({ entry }) => entry.id === chosen.kbEntryId);
      if (meant) return { hits: [meant], plan: planOf({ action: "answer", hit: meant }) };
    }
    const all = hasWords(question) ? await this.hits(caller, workspaceId, question) : [];
    const spoken = ifAskedSo(all, question).filter(({ entry }) =>
      [language, context.primaryLanguage].includes(entry.language),
    );
    const hits = withoutSameAnswers(spoken);
    return { hits, plan: planOf(decideIn(hits, context, language)) };
  }

  private async hits(caller: Caller, workspaceId: string, q: string): Promise<KbHit[]> {
    return (await this.search.search(caller, workspaceId, { q, limit: HITS })).parse();
  }
}

/** The contact's own language counts where an approved entry answers in it, and the workspace's otherwise. */
function decideIn(
  hits: readonly KbHit[],
  { thresholds, primaryLanguage, clarified }: Context,
  language: string,
): Decision<KbHit> {
  const decided = (spoken: string): Decision<KbHit> =>
    decide(
      hits.filter(({ entry }) => entry.language === spoken),
      thresholds,
      !clarified,
    );
  const own = decided(language);
  if (own.action === "answer" || language === primaryLanguage) return own;
  const primary = decided(primaryLanguage);
  return primary.action === "answer" || own.action === "hand_off" ? primary : own;
}

const foundOf = ({ entry: { id, question }, confidence }: KbHit): Found => ({ kbEntryId: id, question, confidence });

function planOf(decision: Decision<KbHit>): Plan {
  if (decision.action === "answer")
    return { action: "answer", entry: foundOf(decision.hit), body: decision.hit.entry.answer };
  if (decision.action === "hand_off")
    return { action: "hand_off", why: decision.cause === "kb_gap" ? "nothingFound" : "unsure" };
  const [first, second] = decision.hits;
  const body = fill(textsIn(first.entry.language).clarify, {
    first: first.entry.question,
    second: second.entry.question,
  });
  return { action: "clarify", entries: [foundOf(first), foundOf(second)], body };
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
