import { Injectable } from "@nestjs/common";
import pLimit from "p-limit";
import type { Decision, Thresholds } from "../../assistant/context/decision.js";
import { decideOn, HITS, type Judged, thatCount } from "../../assistant/judgement.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../../knowledge/review/entry-search.service.js";
import type { Considered } from "../../knowledge/review/search.queries.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { redactor } from "../redaction/redact.js";
import { type Entry, GET_ENTRIES, GET_PEOPLE } from "./asked-again.queries.js";

/** What is not looked at by then is left out. */
const BUDGET_MS = 1_500;
/** Questions of one statement. The server of embeddings takes so many at once. */
const BATCH = 16;
/** Statements under way at once: PostgreSQL works on one while this process ranks the other. */
const AT_ONCE = 2;

export interface Hit extends Judged {
  entry: Entry;
}
/** Where questions are asked again. */
export interface Place {
  workspaceId: string;
  primaryLanguage: string;
  thresholds: Thresholds;
}

/** Asks questions of the past again. It searches, ranks and decides as the assistant does. */
@Injectable()
export class AskedAgain {
  /** One at a time, so that they leave time for the searches of others. */
  private readonly inTurn = pLimit(1);

  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
  ) {}

  /** @param work gets the time at which it has to be done, as `performance.now()` */
  alone<T>(work: (until: number) => Promise<T>): Promise<T> {
    return this.inTurn(() => work(performance.now() + BUDGET_MS));
  }

  /**
   * What the assistant decides, in the order of the questions. Those that there is no time for are left out at the end.
   * @param variantsOf each is decided about with all of these entries or without some
   */
  async decideAll<Q extends { question: string; language: string }>(
    caller: Caller,
    place: Place,
    asked: readonly Q[],
    until: number,
    variantsOf: (one: Q) => Considered[],
  ): Promise<Decision<Hit>[][]> {
    const batches = Array.from({ length: Math.ceil(asked.length / BATCH) }, (_, i) =>
      asked.slice(i * BATCH, (i + 1) * BATCH),
    );
    const limit = pLimit(AT_ONCE);
    const entries = new Map<string, Entry>();
    const done = await Promise.all(
      batches.map((batch) =>
        limit(() => (performance.now() < until ? this.decide(caller, place, batch, variantsOf, entries) : [])),
      ),
    );
    const missing = done.findIndex((decided, i) => decided.length < batches[i]!.length);
    return done.slice(0, missing < 0 ? undefined : missing).flat();
  }

  /** @param entries those that were read before, to which it adds */
  private async decide<Q extends { question: string; language: string }>(
    caller: Caller,
    { workspaceId, thresholds, primaryLanguage }: Place,
    batch: readonly Q[],
    variantsOf: (one: Q) => Considered[],
    entries: Map<string, Entry>,
  ): Promise<Decision<Hit>[][]> {
    const variants = batch.map(variantsOf);
    const found = (await this.finder.considered(caller, workspaceId, variants.flat())).map((ranked) =>
      ranked.slice(0, HITS),
    );
    const ids = [...new Set(found.flat().map((hit) => hit.id))].filter((one) => !entries.has(one));
    if (ids.length)
      for (const entry of (await this.db.read(caller, GET_ENTRIES, { ids })).parse()) entries.set(entry.id, entry);
    const context = { thresholds, primaryLanguage };
    let n = 0;
    return batch.map(({ question, language }, i) =>
      variants[i]!.map(() => {
        const hits = found[n++]!.flatMap(({ id, confidence }) => {
          const entry = entries.get(id);
          return entry ? [{ entry, confidence }] : [];
        });
        const counted = thatCount(hits, question, [language, primaryLanguage]);
        return decideOn(question, counted, context, { language, clarified: false });
      }),
    );
  }

  /** Leaves personal data out of what was said in these conversations. */
  async redactorOf(
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
