import { setTimeout as sleep } from "node:timers/promises";
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
  Optional,
} from "@nestjs/common";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { inTurns } from "../../platform/database/turns.js";
import { notFound } from "../../platform/http/errors.js";
import { Cursors } from "../../platform/http/cursor.js";
import { Json, type Page } from "../../platform/http/json.js";
import { EmbeddingServer, type Marked, vectorFrom } from "./embedding-server.js";
import { Draft, type DraftText } from "./draft.js";
import { ANSWER, NearList, NearLists, type Place } from "./nearness.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { type Among, ANSWER_FROM, BELOW, type Candidate, rank, type Ranked } from "./ranking.js";
import type { ReviewedEntryDto, SearchDto, SimilarityKind } from "./reviewed-entry.dto.js";
import type { Changes } from "./entries.queries.js";
import {
  type Considered,
  type Found,
  type FoundByWords,
  type Hit,
  MAX_POSTINGS,
  type Searched,
  type Searches,
  splitFound,
  type Vectors,
} from "./search.queries.js";
import type { Text } from "./similarity.js";
import { respelt } from "./spelling.js";

/** Two questions at least this alike count as the same. */
const SAME_QUESTION = 0.8;
const NOTED_EACH_MS = 5_000;
/** How many entries are counted at once. More in one statement would delay the searches of that moment. */
const NOTED_AT_ONCE = 25;
/** The same when the process stops and no search waits. */
const NOTED_AT_ONCE_AT_THE_END = 500;
/**
 * The pause after a statement, for each entry that it counted. At most 250 entries a second are counted, so that
 * searches come first. Those that wait longer are found again meanwhile, and cost one update for all.
 */
const NOTED_PAUSE_MS = 4;
/** Questions that are compared because their meaning is the closest, whatever their words, and answers. */
const NEAREST = { questions: 96, answers: 12 };
/** How long a search waits for the vector of its question. */
const EMBEDDING_TIMEOUT_MS = 300;

/** The same for several questions at once. */
const EMBEDDINGS_TIMEOUT_MS = 1_000;

/** What a draft says is embedded while nobody waits for it, some texts at a time. */
const EMBEDDED_AT_ONCE = 16;
const EMBEDDING_DRAFT_TIMEOUT_MS = 10_000;

/** Entries that are ranked, unless more are wanted. */
const ENTRIES_RANKED = 24;
/** Fewer are enough to find likely duplicates. */
const ENTRIES_ALIKE = 6;
/** For imports of thousands: a duplicate shares rare terms, so short lists are enough. */
const MAX_POSTINGS_OF_IMPORT = 16;

/** Each module with entries provides what its search is over. */
export const SEARCHED = Symbol("searched");
/** An entry with nearly the same question as another. */
export interface Alike<Entry> {
  entry: Entry;
  likeness: number;
  kind: SimilarityKind;
}

/** What questions mean, while they are asked for it, too. */
export type Meanings = Map<string, Promise<Marked | null>>;
interface Within<Entry> {
  draft?: Draft<Entry> | undefined;
  meanings?: Meanings | undefined;
}

/** Finds entries by a question. PostgreSQL keeps the index, in the transactions of its entries; this ranks its candidates. */
@Injectable()
export class EntrySearchService<Entry extends ReviewedEntryDto & Said, Said>
  implements OnModuleInit, BeforeApplicationShutdown
{
  private readonly log = new Logger("knowledge");
  private readonly reads: Searches<Entry, Said>;
  private readonly cursors: Cursors;
  private readonly near?: NearLists;
  /** How often each entry was found since the last count, by workspace. */
  private retrieved = new Map<string, { caller: Caller; counts: Map<string, number> }>();
  private timer?: NodeJS.Timeout;
  private noting?: Promise<void>;
  private stopping = false;
  private readonly inTurn = inTurns();

  /** @param embeddings where the entries' questions have vectors */
  constructor(
    private readonly db: Database,
    @Inject(SEARCHED) private readonly searched: SearchedEntries<Entry, Said>,
    config: Config,
    @Optional() private readonly embeddings?: EmbeddingServer,
  ) {
    this.cursors = new Cursors(config.secretKeys);
    this.reads = searched.searches;
    if (embeddings && searched.vectors) this.near = new NearLists(db, searched.vectors);
  }

  /** @param byMeaning also compares the meaning, where entries have vectors */
  async search(
    caller: Caller,
    workspaceId: string,
    { q = "", limit = 5 }: SearchDto,
    byMeaning = true,
  ): Promise<Json<Hit<Entry>[]>> {
    const ranked = await this.ranked(caller, workspaceId, q, Math.max(ENTRIES_RANKED, limit), byMeaning);
    return this.hits(caller, workspaceId, ranked.slice(0, limit));
  }

  /** The same, and nothing is counted: see `count`. */
  async look(caller: Caller, workspaceId: string, q: string, limit: number): Promise<Json<Hit<Entry>[]>> {
    const ranked = await this.ranked(caller, workspaceId, q, ENTRIES_RANKED);
    return this.entriesOf(caller, workspaceId, ranked.slice(0, limit));
  }

  /**
   * The same among the entries as they would be after a change.
   * @param draft undefined: among those that there are
   * @param meanings what was asked for the meaning of before. Whoever compares two searches gives both the same: a vector that does
   * not come in time is then missing in both
   */
  async lookIn(
    caller: Caller,
    workspaceId: string,
    q: string,
    limit: number,
    { draft, meanings }: Within<Entry>,
  ): Promise<Hit<Entry>[]> {
    const within = { draft, meanings };
    const ranked = (await this.ranked(caller, workspaceId, q, ENTRIES_RANKED, true, within)).slice(0, limit);
    const there = ranked.filter(({ id }) => !draft?.entries.has(id));
    const stored = (await this.entriesOf(caller, workspaceId, there)).parse();
    const known = new Map(stored.map(({ entry }) => [entry.id, entry]));
    return ranked.flatMap(({ id, confidence }) => {
      const entry = draft?.entries.get(id) ?? known.get(id);
      return entry ? [{ entry, confidence }] : [];
    });
  }

  /**
   * Prepares a draft for searches.
   * @param without entries that would not be approved any more
   * @param entries those that would be, new or with other texts
   * @param textsOf how an entry is asked for, and its answer, numbered as in the index
   */
  async draftOf(
    caller: Caller,
    workspaceId: string,
    without: readonly string[],
    entries: readonly Entry[],
    textsOf: (entry: Entry) => readonly Pick<DraftText, "n" | "said">[],
  ): Promise<Draft<Entry>> {
    const said = entries.flatMap((entry) => textsOf(entry).map((text) => ({ id: entry.id, ...text })));
    const asking = said.filter(({ n }) => n !== ANSWER);
    const terms = asking.length
      ? (await this.db.read(caller, this.reads.terms, { workspaceId, texts: asking.map((text) => text.said) })).parse()
      : [];
    const texts = [
      ...asking.map((text, i) => ({ ...text, terms: terms[i]!.terms })),
      ...said.filter(({ n }) => n === ANSWER).map((text) => ({ ...text, terms: [] })),
    ];
    const gone = new Set([...without, ...entries.map(({ id }) => id)]);
    const list = this.near && (await this.vectorsOf(texts));
    return new Draft(gone, new Map(entries.map((entry) => [entry.id, entry])), texts, list);
  }

  private async vectorsOf(texts: readonly DraftText[]): Promise<NearList | undefined> {
    let list: NearList | undefined;
    for (let from = 0; from < texts.length; from += EMBEDDED_AT_ONCE) {
      const some = texts.slice(from, from + EMBEDDED_AT_ONCE);
      const { vectors } = await this.embeddings!.embed(
        some.map(({ said }) => said),
        EMBEDDING_DRAFT_TIMEOUT_MS,
      );
      for (const [i, vector] of vectors.entries()) {
        list ??= vector ? new NearList(vector.length) : undefined;
        list?.put({ id: some[i]!.id, n: some[i]!.n, embedded: 0 }, vector);
      }
    }
    return list;
  }

  /** One page of a search. All pages come from one ranking: the cursor says how many entries the first page ranked. */
  async page(
    caller: Caller,
    workspaceId: string,
    { q = "", limit = 5, cursor }: SearchDto,
  ): Promise<Json<Page<Hit<Entry>>>> {
    const query = `${this.searched.kind.name} search ${caller.tenantId} ${workspaceId} ${q}`;
    const [from, entries] =
      cursor === undefined
        ? [0, Math.max(ENTRIES_RANKED, limit)]
        : (this.cursors.open(query, cursor) as [number, number]);
    const ranked = await this.ranked(caller, workspaceId, q, entries);
    const to = from + limit;
    const hits = await this.hits(caller, workspaceId, ranked.slice(from, to));
    const next = ranked.length > to ? this.cursors.mint(query, JSON.stringify([to, entries])) : undefined;
    return new Json(`{"data":${hits.text}${next === undefined ? "" : `,"nextCursor":"${next}"`}}`);
  }

  /** Where nothing is sure, the question is asked once more without its slips. That can make an entry likely, and none sure. */
  private async ranked(
    caller: Caller,
    workspaceId: string,
    q: string,
    entries: number,
    byMeaning = true,
    within: Within<Entry> = {},
  ): Promise<Ranked[]> {
    const { ranked, found } = await this.rankedAs(caller, workspaceId, q, entries, byMeaning, within);
    const best = ranked[0]?.confidence ?? 0;
    const right =
      best < ANSWER_FROM
        ? respelt(
            q,
            found.map(({ said }) => said),
          )
        : undefined;
    if (right === undefined) return ranked;
    const again = await this.rankedAs(caller, workspaceId, right, entries, byMeaning, within);
    if ((again.ranked[0]?.confidence ?? 0) <= best) return ranked;
    return again.ranked.map((one) => ({ ...one, confidence: Math.min(one.confidence, BELOW) }));
  }

  private async rankedAs(
    caller: Caller,
    workspaceId: string,
    q: string,
    entries: number,
    byMeaning: boolean,
    { draft, meanings }: Within<Entry> = {},
  ): Promise<{ ranked: Ranked[]; found: readonly Candidate[] }> {
    const near = q === "" || !byMeaning ? undefined : this.near;
    const ask = (): Promise<Marked | null> => {
      const meaning = meanings?.get(q) ?? this.embeddings!.ask(q, EMBEDDING_TIMEOUT_MS);
      meanings?.set(q, meaning);
      return meaning;
    };
    // Where nothing has a vector, the question needs none either, and our own model is not read.
    const asked = near && (!this.embeddings!.own || near.has(caller, workspaceId)) ? ask() : undefined;
    const read = await this.inTurn(() =>
      draft
        ? this.db.read(caller, this.reads.drafted, {
            workspaceId,
            q,
            entries,
            without: [...draft.without],
            texts: draft.texts,
          })
        : this.db.read(caller, this.reads.candidates, { workspaceId, q, approved: true, entries }),
    );
    const [question, found, newest] = splitFound(q, read.parse());
    if (!near || newest === null) return { ranked: rank(question, found), found };
    const meaning = await (asked ?? ask());
    if (!meaning) return { ranked: rank(question, found), found };
    const { answers, among } = await this.addNear(near, caller, workspaceId, found, meaning, newest, draft);
    return { ranked: rank(question, found, { ...meaning, answers }, among), found };
  }

  /**
   * Adds the questions that mean something close, or whose answers do, and gives all their vectors.
   * @returns the vectors of the answers, and how many questions and entries there are
   */
  private async addNear(
    near: NearLists,
    caller: Caller,
    workspaceId: string,
    found: FoundByWords[],
    { vector, mark }: Marked,
    newest: number,
    draft?: Draft<Entry>,
  ): Promise<{ answers: Map<string, Float32Array>; among: Among }> {
    const list = await near.of(caller, workspaceId, mark, vector.length, newest);
    const known = new Set(found.map(({ id, n }) => `${id} ${n}`));
    const close = list.nearest(vector, NEAREST, draft);
    /** The list that has the vectors of an entry. */
    const listOf = (id: string): NearList | undefined => (draft?.without.has(id) ? draft.list : list);
    const entries = new Set([...found, ...close.questions, ...close.answers].map(({ id }) => id));
    // An answer speaks for its entry beside the entry's question.
    const questions = new Set([...close.questions, ...close.answers.map(({ id }) => listOf(id)?.place(id, 1))]);
    const places = [...questions, ...[...entries].map((id) => listOf(id)?.place(id, ANSWER))];
    const added = places.filter((place) => place !== undefined && !known.has(`${place.id} ${place.n}`)) as Place[];
    const more = added.filter(({ id }) => !draft?.entries.has(id));
    const drafted = added.filter(({ id }) => draft?.entries.has(id));
    const answers = new Map<string, Float32Array>();
    found.push(...drafted.filter(({ n }) => n !== ANSWER).map((place) => draft!.found(place)));
    for (const answer of drafted.filter(({ n }) => n === ANSWER)) {
      const told = draft!.list!.vector(answer);
      if (told) answers.set(answer.id, told);
    }
    if (more.length) {
      const there = (
        await this.db.read(caller, this.searched.vectors!.near, {
          workspaceId,
          ids: more.map(({ id }) => id),
          ns: more.map(({ n }) => n),
          embedded: more.map(({ embedded }) => embedded),
        })
      ).parse();
      const alive = new Set(there.map(({ embedded }) => embedded));
      for (const place of more) if (!alive.has(place.embedded)) list.drop(place);
      found.push(...there.filter(({ n }) => n !== ANSWER));
      for (const answer of there.filter(({ n }) => n === ANSWER)) {
        const told = list.vector(answer);
        if (told) answers.set(answer.id, told);
      }
    }
    for (const one of found) one.vector = listOf(one.id)?.vector(one);
    const missing = found.filter(
      ({ id, vector: own, embedded }) => own === undefined && embedded !== null && !draft?.without.has(id),
    );
    if (missing.length) await this.addVectors(caller, workspaceId, missing, mark);
    if (!draft) return { answers, among: list.among };
    const [kept, instead] = [list.amongBut(draft.without), draft.list?.among];
    return {
      answers,
      among: {
        questions: kept.questions + (instead?.questions ?? 0),
        entries: kept.entries + (instead?.entries ?? 0),
      },
    };
  }

  /**
   * What a search for each of these questions would find among other entries than the approved ones, and how sure it would be.
   * The same ranking as a search's; nothing is counted. @returns for each question the ids, best first
   */
  async considered(caller: Caller, workspaceId: string, asked: readonly Considered[]): Promise<Ranked[][]> {
    const questions = [...new Set(asked.map(({ question }) => question))];
    const [read, meanings] = await Promise.all([
      this.inTurn(() =>
        this.db.read(caller, this.reads.considered, {
          workspaceId,
          asked: JSON.stringify(asked),
          entries: ENTRIES_RANKED,
        }),
      ),
      this.embeddings?.askAll(questions, EMBEDDINGS_TIMEOUT_MS),
    ]);
    const rows: Found[][] = asked.map(() => []);
    for (const { i, ...row } of read.parse()) rows[i]!.push(row);
    const ranked: Ranked[][] = [];
    for (const [i, { question }] of asked.entries()) {
      const [text, found] = splitFound(question, rows[i]!);
      const meaning = meanings?.[questions.indexOf(question)];
      const answers =
        meaning && found.length && this.searched.vectors
          ? await this.addVectors(caller, workspaceId, found, meaning.mark)
          : undefined;
      ranked.push(rank(text, found, meaning && { ...meaning, answers }));
    }
    return ranked;
  }

  /** The entries themselves, in this order. They are counted as found. */
  private async hits(caller: Caller, workspaceId: string, ranked: Ranked[]): Promise<Json<Hit<Entry>[]>> {
    this.count(
      caller,
      workspaceId,
      ranked.map(({ id }) => id),
    );
    return this.entriesOf(caller, workspaceId, ranked);
  }

  private async entriesOf(caller: Caller, workspaceId: string, ranked: Ranked[]): Promise<Json<Hit<Entry>[]>> {
    if (!ranked.length) return Json.of([]);
    return this.db.read(caller, this.reads.hits, { workspaceId, hits: JSON.stringify(ranked) });
  }

  /** Gives each candidate its vector, if the same model made it. @returns those of their entries' answers */
  private async addVectors(
    caller: Caller,
    workspaceId: string,
    found: Candidate[],
    mark: string,
  ): Promise<Map<string, Float32Array>> {
    const entries = [...new Set(found.map(({ id }) => id))];
    const kept = (
      await this.db.read(caller, this.searched.vectors!.of, {
        workspaceId,
        ids: [...found.map(({ id }) => id), ...entries],
        ns: [...found.map(({ n }) => n), ...entries.map(() => ANSWER)],
        mark,
      })
    ).parse();
    const vectors = new Map<string, Float32Array | null>();
    const answers = new Map<string, Float32Array>();
    for (const { id, n, vector: stored } of kept) {
      const vector = stored === null ? null : vectorFrom(Buffer.from(stored, "base64"));
      vectors.set(`${id} ${n}`, vector);
      if (n === ANSWER && vector) answers.set(id, vector);
    }
    for (const one of found) one.vector = vectors.get(`${one.id} ${one.n}`);
    return answers;
  }

  /** Other approved and pending entries with the same question, the most alike first, and whether they say the same. */
  async similar(caller: Caller, id: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<Alike<Entry>>>> {
    const query = `${this.searched.kind.name} similar ${caller.tenantId} ${id}`;
    const [from] = cursor === undefined ? [0] : (this.cursors.open(query, cursor) as [number]);
    const [own] = (await this.db.read(caller, this.reads.entries, { ids: [id] })).parse();
    if (!own) throw notFound();
    const question = this.searched.question(own);
    const [approved, pending] = await Promise.all(
      [true, false].map((state) =>
        this.db.read(caller, this.reads.candidates, {
          workspaceId: own.workspaceId,
          q: question,
          approved: state,
          entries: ENTRIES_RANKED,
        }),
      ),
    );
    const [asked, found] = splitFound(question, [...approved!.parse(), ...pending!.parse()]);
    const ranked = sameQuestion(
      asked,
      found.filter((other) => other.id !== id),
    );
    const to = from + limit;
    const alike = ranked.slice(from, to);
    const entries = alike.length
      ? byId((await this.db.read(caller, this.reads.entries, { ids: alike.map((one) => one.id) })).parse())
      : new Map<string, Entry>();
    const data = alike.flatMap(({ id: other, likeness }) => {
      const entry = entries.get(other);
      return entry ? [{ entry, likeness, kind: this.kindOf(own, entry) }] : [];
    });
    return Json.of({ data, ...(ranked.length > to && { nextCursor: this.cursors.mint(query, JSON.stringify([to])) }) });
  }

  /** For each of these, the approved and pending entries with nearly the same question, the most alike first. */
  async alike(tx: Tx, workspaceId: string, asked: readonly Said[]): Promise<Alike<Entry>[][]> {
    const found: Found[][] = asked.map(() => []);
    const questions = asked.map(this.searched.question);
    const args = {
      workspaceId,
      asked: JSON.stringify(questions.map((question, i) => ({ i, question }))),
      entries: ENTRIES_ALIKE,
      maxPostings: asked.length > 1 ? MAX_POSTINGS_OF_IMPORT : MAX_POSTINGS,
    };
    for (const { i, ...candidate } of await tx.query(this.reads.alike, args)) found[i]!.push(candidate);
    const near = found.map((those, i) => {
      const [text, candidates] = splitFound(questions[i]!, those);
      return sameQuestion(text, candidates);
    });
    const ids = [...new Set(near.flatMap((those) => those.map(({ id }) => id)))];
    const entries = ids.length ? byId((await tx.read(this.reads.entries, { ids })).parse()) : new Map<string, Entry>();
    return near.map((those, i) =>
      those.flatMap(({ id, likeness }) => {
        const entry = entries.get(id);
        return entry ? [{ entry, likeness, kind: this.kindOf(asked[i]!, entry) }] : [];
      }),
    );
  }

  kindOf(one: Said, other: Said): Alike<Entry>["kind"] {
    return this.searched.agree(one, other) ? "duplicate" : "contradiction";
  }

  /** Counts that the entries were found, a few seconds later and outside of the request. */
  count(caller: Caller, workspaceId: string, ids: readonly string[]): void {
    if (!ids.length) return;
    let noted = this.retrieved.get(workspaceId);
    if (!noted)
      this.retrieved.set(
        workspaceId,
        (noted = { caller: system("knowledge", caller.tenantId, caller.environment), counts: new Map() }),
      );
    for (const id of ids) noted.counts.set(id, (noted.counts.get(id) ?? 0) + 1);
  }

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.near?.forget();
      this.noting ??= this.noteRetrieved().finally(() => (this.noting = undefined));
    }, NOTED_EACH_MS);
    this.timer.unref();
  }

  /** Waits until everything that was counted so far is in the database. */
  async noted(): Promise<void> {
    await this.noting;
    await this.noteRetrieved();
  }

  /**
   * Adds to `usage.retrieved` of all entries found in the last seconds. Each statement locks its entries in the order of
   * their ids, so that two processes do not deadlock.
   */
  private async noteRetrieved(): Promise<void> {
    const all = this.retrieved;
    this.retrieved = new Map();
    for (const [workspaceId, { caller, counts }] of all) {
      const found = [...counts];
      while (found.length) {
        const some = found.splice(0, this.stopping ? NOTED_AT_ONCE_AT_THE_END : NOTED_AT_ONCE);
        try {
          await this.db.transaction(caller, (tx) => {
            tx.changesWorkspace(workspaceId);
            return tx.query(this.searched.changes.countRetrieved, {
              ids: some.map(([id]) => id),
              counts: some.map(([, count]) => count),
            });
          });
        } catch (error) {
          this.log.warn(`the use of entries was not counted: ${(error as Error).message}`);
        }
        if (!this.stopping) await sleep(some.length * NOTED_PAUSE_MS);
      }
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping = true;
    await this.noted();
  }
}

/** The data that a search covers, with its statements. */
export interface SearchedEntries<Entry extends Said, Said> extends Searched<Entry, Said> {
  searches: Searches<Entry, Said>;
  changes: Changes;
  /** Where the questions have vectors. */
  vectors?: Vectors;
}

/** The entries that ask the same, the most alike first. Only the likeness of the words counts. */
const sameQuestion = ({ said, terms }: Text, candidates: Candidate[]): Ranked[] =>
  rank({ said, terms }, candidates)
    .filter(({ likeness }) => likeness >= SAME_QUESTION)
    .sort((a, b) => b.likeness - a.likeness);

const byId = <Entry extends ReviewedEntryDto>(entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.map((entry) => [entry.id, entry]));
