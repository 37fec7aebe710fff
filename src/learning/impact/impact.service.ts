import { ConflictException, Injectable } from "@nestjs/common";
import pLimit from "p-limit";
import type { Decision } from "../../assistant/context/decision.js";
import { decideIn, HITS, type Judged, thatCount } from "../../assistant/judgement.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../../knowledge/review/entry-search.service.js";
import type { Ranked } from "../../knowledge/review/ranking.js";
import type { Considered } from "../../knowledge/review/search.queries.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { redactor } from "../redaction/redact.js";
import type { ImpactChangeDto, ImpactDecisionDto, ImpactExampleDto, KbEntryImpactDto } from "./impact.dto.js";
import { type Asked, type Entry, GET_ENTRIES, GET_PEOPLE, GET_SUBJECT, type Subject } from "./impact.queries.js";

const DAYS = 30;
const MAX_QUESTIONS = 1_000;
const MAX_EXAMPLES = 5;
/** What is not looked at by then is left out: the oldest questions. */
const BUDGET_MS = 1_500;
/** Questions of one statement. The server of embeddings takes so many at once. */
const BATCH = 16;
/** Statements under way at once: PostgreSQL works on one while this process ranks the other. */
const AT_ONCE = 2;

type Change = "newlyAnswered" | "answeredOtherwise" | "newlyAmbiguous" | "noLongerAnswered";
const CHANGES: readonly Change[] = ["newlyAnswered", "answeredOtherwise", "newlyAmbiguous", "noLongerAnswered"];

interface Hit extends Judged {
  entry: Entry;
}
/** A question in one language, with each time that it was asked. */
interface Group {
  question: string;
  language: string;
  asked: Asked[];
}
interface Both {
  before: Decision<Hit>;
  after: Decision<Hit>;
}

/** What an entry changes about the questions of the last days. It searches, ranks and decides as the assistant does. */
@Injectable()
export class ImpactService {
  /** One preview at a time, so that they leave time for the searches of others. */
  private readonly inTurn = pLimit(1);

  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
  ) {}

  /** @throws NotFoundException, ConflictException: the entry is rejected or archived */
  async preview(caller: Caller, id: string): Promise<Json<KbEntryImpactDto>> {
    return this.inTurn(async () => {
      const until = performance.now() + BUDGET_MS;
      const subject = (await this.db.read(caller, GET_SUBJECT, { id, days: DAYS, most: MAX_QUESTIONS })).parse();
      if (subject.status !== "pending" && subject.status !== "approved")
        throw new ConflictException(`Only a pending or approved entry has an impact; this one is ${subject.status}`);
      const groups = groupsOf(subject);
      const compared = await this.compareAll(caller, id, subject, groups, until);
      const skipped = groups.slice(compared.length).reduce((sum, { asked }) => sum + asked.length, 0);
      return Json.of({
        kbEntryId: id,
        since: subject.since,
        questions: subject.asked.length - skipped,
        skipped,
        ...(await this.report(caller, subject, groups, compared)),
      });
    });
  }

  /** In the order of the groups. Those that there is no time for are left out at the end. */
  private async compareAll(
    caller: Caller,
    id: string,
    subject: Subject,
    groups: readonly Group[],
    until: number,
  ): Promise<Both[]> {
    const batches = Array.from({ length: Math.ceil(groups.length / BATCH) }, (_, i) =>
      groups.slice(i * BATCH, (i + 1) * BATCH),
    );
    const limit = pLimit(AT_ONCE);
    const entries = new Map<string, Entry>();
    const done = await Promise.all(
      batches.map((batch) =>
        limit(() => (performance.now() < until ? this.compare(caller, id, subject, batch, entries) : [])),
      ),
    );
    const missing = done.findIndex((both, i) => both.length < batches[i]!.length);
    return done.slice(0, missing < 0 ? undefined : missing).flat();
  }

  /** @param entries those that were read before, to which it adds */
  private async compare(
    caller: Caller,
    id: string,
    { workspaceId, status, replaces, thresholds, primaryLanguage }: Subject,
    groups: readonly Group[],
    entries: Map<string, Entry>,
  ): Promise<Both[]> {
    const variants = groups.flatMap(({ question }): Considered[] => [
      { question, without: [id], withEntry: null },
      { question, without: replaces === null ? [] : [replaces], withEntry: status === "pending" ? id : null },
    ]);
    const found = (await this.finder.considered(caller, workspaceId, variants)).map((ranked) => ranked.slice(0, HITS));
    const ids = [...new Set(found.flat().map((hit) => hit.id))].filter((one) => !entries.has(one));
    if (ids.length)
      for (const entry of (await this.db.read(caller, GET_ENTRIES, { ids })).parse()) entries.set(entry.id, entry);
    const context = { thresholds, primaryLanguage };
    const decided = (ranked: readonly Ranked[], { question, language }: Group): Decision<Hit> => {
      const hits = ranked.flatMap(({ id: of, confidence }) => {
        const entry = entries.get(of);
        return entry ? [{ entry, confidence }] : [];
      });
      return decideIn(thatCount(hits, question, [language, primaryLanguage]), context, { language, clarified: false });
    };
    return groups.map((group, i) => ({
      before: decided(found[2 * i]!, group),
      after: decided(found[2 * i + 1]!, group),
    }));
  }

  private async report(
    caller: Caller,
    { workspaceId }: Subject,
    groups: readonly Group[],
    compared: readonly Both[],
  ): Promise<Record<Change, ImpactChangeDto>> {
    const changed = new Map(CHANGES.map((change) => [change, { count: 0, examples: [] as (Asked & Both)[] }]));
    compared.forEach((both, i) => {
      const change = changeOf(both);
      if (!change) return;
      const { asked } = groups[i]!;
      const into = changed.get(change)!;
      into.count += asked.length;
      if (into.examples.length < MAX_EXAMPLES) into.examples.push({ ...asked[0]!, ...both });
    });
    const conversationIds = [...changed.values()].flatMap(({ examples }) => examples.map((one) => one.conversationId));
    const redact = await this.redactorOf(caller, workspaceId, conversationIds);
    const shown = (example: Asked & Both): ImpactExampleDto => ({
      conversationId: example.conversationId,
      messageId: example.messageId,
      question: redact(example.conversationId, example.question),
      before: decisionOf(example.before),
      after: decisionOf(example.after),
    });
    return Object.fromEntries(
      [...changed].map(([change, { count, examples }]) => [change, { count, examples: examples.map(shown) }]),
    ) as Record<Change, ImpactChangeDto>;
  }

  private async redactorOf(
    caller: Caller,
    workspaceId: string,
    conversationIds: readonly string[],
  ): Promise<(conversationId: string, text: string) => string> {
    if (!conversationIds.length) return (_, text) => text;
    const { contacts, members, ours } = (
      await this.db.read(caller, GET_PEOPLE, { workspaceId, conversationIds })
    ).parse();
    const of = new Map(
      contacts.map(({ conversationId, names, identifiers }) => [
        conversationId,
        redactor({ contact: names, members, identifiers, ours }),
      ]),
    );
    const others = redactor({ contact: [], members, identifiers: [], ours });
    return (conversationId, text) => (of.get(conversationId) ?? others)(text);
  }
}

/** The questions about which something may change, each once, the newest first. */
function groupsOf({ asked }: Subject): Group[] {
  const groups = new Map<string, Group>();
  for (const one of asked) {
    if (!one.touched) continue;
    const { language } = one;
    const key = `${language} ${one.question}`;
    const group = groups.get(key);
    if (group) group.asked.push(one);
    else groups.set(key, { question: one.question, language, asked: [one] });
  }
  return [...groups.values()];
}

function changeOf({ before, after }: Both): Change | undefined {
  if (after.action === "answer") {
    if (before.action !== "answer") return "newlyAnswered";
    return before.hit.entry.answer === after.hit.entry.answer ? undefined : "answeredOtherwise";
  }
  if (after.action === "clarify") return before.action === "clarify" ? undefined : "newlyAmbiguous";
  return before.action === "answer" ? "noLongerAnswered" : undefined;
}

function decisionOf(decision: Decision<Hit>): ImpactDecisionDto {
  const hits = decision.action === "answer" ? [decision.hit] : decision.action === "clarify" ? decision.hits : [];
  return {
    decision: decision.action,
    entries: hits.map(({ entry }) => ({ kbEntryId: entry.id, question: entry.question })),
  };
}
