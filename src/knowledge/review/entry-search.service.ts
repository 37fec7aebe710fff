import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
  Optional,
} from "@nestjs/common";
import { type Caller, system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { inTurns } from "../../platform/database/turns.js";
import { notFound } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { cosine, EmbeddingServer, type Meaning } from "./embedding-server.js";
import { type Candidate, rank } from "./ranking.js";
import type { ReviewedEntryDto, SearchDto } from "./reviewed-entry.dto.js";
import { type Hit, LIST, type Searched, searchesOf } from "./search.queries.js";

/** From this likeness on two questions are taken for the same. */
const SAME_QUESTION = 0.8;
const NOTED_EACH_MS = 5_000;
/** A search waits no longer for what a model makes of the question. */
const MEANING_WITHIN_MS = 300;

/** So many entries are looked at closely, or as many as are wanted. */
const ENTRIES_RANKED = 24;
/** For what says nearly the same, fewer will do. */
const ENTRIES_ALIKE = 6;
/** Where thousands are imported: an entry that says the same shares rare terms. */
const LIST_OF_MANY = 16;

/** Each module that has entries provides what its search is over. */
export const SEARCHED = Symbol("searched");
/** An entry that is asked for in nearly the same words as another. */
export interface Alike<Entry> {
  entry: Entry;
  likeness: number;
  kind: "duplicate" | "contradiction";
}

/** Finds entries by what is asked. The index is PostgreSQL's, and changes with its entries; here its candidates are put in order. */
@Injectable()
export class EntrySearch<Entry extends ReviewedEntryDto & Said, Said>
  implements OnModuleInit, BeforeApplicationShutdown
{
  private readonly log = new Logger("knowledge");
  private readonly reads: ReturnType<typeof searchesOf<Entry, Said>>;
  /** How often each entry was found since it was last noted, by workspace. */
  private retrieved = new Map<string, { caller: Caller; counts: Map<string, number> }>();
  private timer?: NodeJS.Timeout;
  private readonly inTurn = inTurns();

  /** @param embeddings where the entries' questions have vectors */
  constructor(
    private readonly db: Database,
    @Inject(SEARCHED) private readonly searched: Searched<Entry, Said>,
    @Optional() private readonly embeddings?: EmbeddingServer,
  ) {
    this.reads = searchesOf(searched);
  }

  async search(caller: Caller, workspaceId: string, { q = "", limit = 5 }: SearchDto): Promise<Json<Hit<Entry>[]>> {
    const [read, meaning] = await Promise.all([
      this.inTurn(() =>
        this.db.read(caller, this.reads.candidates, {
          workspaceId,
          q,
          approved: true,
          entries: Math.max(ENTRIES_RANKED, limit),
        }),
      ),
      q === "" ? null : this.embeddings?.ask(q, MEANING_WITHIN_MS),
    ]);
    const found = read.parse();
    if (meaning && found.length) await this.compare(caller, workspaceId, found, meaning);
    const ranked = rank(q, found).slice(0, limit);
    if (!ranked.length) return Json.of([]);
    this.count(
      caller,
      workspaceId,
      ranked.map(({ id }) => id),
    );
    return this.db.read(caller, this.reads.hits, { workspaceId, hits: JSON.stringify(ranked) });
  }

  /** Says of each candidate that has a vector how far it means what is asked. */
  private async compare(
    caller: Caller,
    workspaceId: string,
    found: Candidate[],
    { vector, mark }: Meaning,
  ): Promise<void> {
    const kept = (
      await this.db.read(caller, this.reads.vectors, {
        workspaceId,
        ids: found.map(({ id }) => id),
        ns: found.map(({ n }) => n),
        mark,
      })
    ).parse();
    const cosines = new Map(
      kept.map((one) => [`${one.id} ${one.n}`, cosine(vector, Buffer.from(one.vector, "base64"))]),
    );
    for (const one of found) one.meant = cosines.get(`${one.id} ${one.n}`);
  }

  /** Which of the other approved and pending entries are asked for in the same words, and whether they say the same. */
  async similar(caller: Caller, id: string): Promise<Json<Alike<Entry>[]>> {
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
    const others = [...approved!.parse(), ...pending!.parse()].filter((other) => other.id !== id);
    const alike = rank(question, others).filter(({ likeness }) => likeness >= SAME_QUESTION);
    const entries = alike.length
      ? byId((await this.db.read(caller, this.reads.entries, { ids: alike.map((one) => one.id) })).parse())
      : new Map<string, Entry>();
    return Json.of(
      alike.flatMap(({ id: other, likeness }) => {
        const entry = entries.get(other);
        return entry ? [{ entry, likeness, kind: this.kindOf(own, entry) }] : [];
      }),
    );
  }

  /** For each of these, the approved and pending entries that are asked for in nearly the same words, the likest first. */
  async alike(tx: Tx, workspaceId: string, asked: readonly Said[]): Promise<Alike<Entry>[][]> {
    const found: Candidate[][] = asked.map(() => []);
    const questions = asked.map(this.searched.question);
    const args = {
      workspaceId,
      asked: JSON.stringify(questions.map((question, i) => ({ i, question }))),
      entries: ENTRIES_ALIKE,
      list: asked.length > 1 ? LIST_OF_MANY : LIST,
    };
    for (const { i, ...candidate } of await tx.query<Candidate & { i: number }>(this.reads.alike, args))
      found[i]!.push(candidate);
    const near = found.map((those, i) =>
      rank(questions[i]!, those)
        .filter(({ likeness }) => likeness >= SAME_QUESTION)
        .sort((a, b) => b.likeness - a.likeness),
    );
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

  /** Notes that the entries were found, within seconds and beside the request. */
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
    this.timer = setInterval(() => void this.noteRetrieved(), NOTED_EACH_MS);
    this.timer.unref();
  }

  /** `usage.retrieved` of all entries found in the last seconds, in one statement a workspace, whose pollers alone it concerns; in the order of their ids, so that two processes do not wait in a circle. */
  private async noteRetrieved(): Promise<void> {
    const { table } = this.searched.kind;
    const all = this.retrieved;
    this.retrieved = new Map();
    for (const [workspaceId, { caller, counts }] of all) {
      try {
        await this.db.transaction(caller, (tx) => {
          tx.within(workspaceId);
          return tx.query(
            `with found as (select u.id, u.n from unnest(:ids::uuid[], :counts::int[]) u (id, n)
          ), held as (select k.id from ${table} k where k.tenant_id = :tenant and k.id in (select id from found) order by k.id for no key update)
          update ${table} k set retrieved = k.retrieved + f.n from found f, held h where h.id = f.id and k.tenant_id = :tenant and k.id = f.id`,
            { ids: [...counts.keys()], counts: [...counts.values()] },
          );
        });
      } catch (error) {
        this.log.warn(`use of knowledge not noted: ${(error as Error).message}`);
      }
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noteRetrieved();
  }
}

const byId = <Entry extends ReviewedEntryDto>(entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.map((entry) => [entry.id, entry]));
