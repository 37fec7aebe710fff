import { type BeforeApplicationShutdown, Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type Caller, system } from '../caller/caller.js';
import { Database } from '../database/database.js';
import { inReach, list, type Statement } from '../database/statement.js';
import type { Tx } from '../database/transaction.js';
import { notFound } from '../http/errors.js';
import { Json } from '../http/json.js';
import { ENTRY_JSON, IN_VISIBLE_WORKSPACE, type Kind } from '../review/entries.queries.js';
import type { ReviewedEntryDto, SearchDto } from '../review/reviewed-entry.dto.js';
import { type Candidate, rank } from './ranking.js';

/** From this likeness on two questions are taken for the same. */
const SAME_QUESTION = 0.8;
const SAME_ANSWER = 0.5;
const NOTED_EACH_MS = 5_000;

/** What a search is over; each module that has entries provides its own. */
export const SEARCHED = Symbol('searched');
export interface Searched<Entry> {
  kind: Kind<Entry>;
  /** Two tables that triggers write: the ways to ask for each entry, and where each term leads. */
  index: { said: string; postings: string };
  /** What an entry is asked for by. */
  question: (entry: Entry) => string;
  /** Whether two entries that are asked for in the same words also say the same. */
  agree: (one: Entry, other: Entry) => boolean;
}
interface Hit<Entry> { entry: Entry; confidence: number }
interface Similar<Entry> { entry: Entry; likeness: number; kind: 'duplicate' | 'contradiction' }

const LANGUAGE = '(select w.primary_language from workspace w where w.tenant_id = :tenant and w.id = :workspaceId)';

/**
 * The questions that share the most, and the rarest, terms with `q`. A term's list is read no further than 200, so that
 * words which nearly every question has cost no more than others; it has each entry's first question first, then the second ones.
 */
const candidates = ({ said, postings }: Searched<ReviewedEntryDto>['index']): string => `select k.entry_id as id, k.said from (
    select f.entry_id, f.n, sum(ln(1 + 10000.0::float8 / f.listed)) as weight
    from (select term from unnest(kb_terms(kb_config(${LANGUAGE}), :q)) u (term) limit 100) t
    cross join lateral (select l.entry_id, l.n, count(*) over () as listed from (
        select p.entry_id, p.n from ${postings} p where p.tenant_id = :tenant and p.workspace_id = :workspaceId and p.approved = :approved and p.term = t.term
        order by p.n, p.entry_id limit 200) l) f
    group by f.entry_id, f.n order by weight desc, f.entry_id, f.n limit 64) b
  join ${said} k on k.tenant_id = :tenant and k.entry_id = b.entry_id and k.n = b.n
  where k.valid_until is null or k.valid_until > now()`;

/** Finds entries by what is asked. The index is PostgreSQL's, and changes with its entries; here its candidates are put in order. */
@Injectable()
export class EntrySearch<Entry extends ReviewedEntryDto> implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('knowledge');
  private readonly candidates: Statement<{ workspaceId: string; q: string; approved: boolean }, Candidate[]>;
  private readonly entries: Statement<{ ids: readonly string[] }, Entry[]>;
  /** How often each entry was found since it was last noted, by workspace. */
  private retrieved = new Map<string, { caller: Caller; counts: Map<string, number> }>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly db: Database, @Inject(SEARCHED) private readonly searched: Searched<Entry>) {
    const { kind, index } = searched;
    this.candidates = list(`${kind.name}.candidates`, 'workspace', candidates(index), { visible: IN_VISIBLE_WORKSPACE });
    this.entries = list(`${kind.name}.entries`, 'workspace',
      `select ${kind.projection} from ${kind.table} r where r.tenant_id = :tenant and r.id = any(:ids::uuid[]) and ${inReach('r')}`, { json: ENTRY_JSON });
  }

  async search(caller: Caller, workspaceId: string, { q = '', limit = 5 }: SearchDto): Promise<Json<Hit<Entry>[]>> {
    const found = (await this.db.read(caller, this.candidates, { workspaceId, q, approved: true })).parse();
    const ranked = rank(q, found).slice(0, limit);
    const entries = await this.entriesOf(caller, ranked);
    const hits = ranked.flatMap(({ id, confidence }) => {
      const entry = entries.get(id);
      return entry?.status === 'approved' ? [{ entry, confidence }] : [];
    });
    this.count(caller, workspaceId, hits.map(({ entry }) => entry.id));
    return Json.of(hits);
  }

  /** Which of the other approved and pending entries are asked for in the same words, and whether they answer alike. */
  async similar(caller: Caller, id: string): Promise<Json<Similar<Entry>[]>> {
    const [own] = (await this.db.read(caller, this.entries, { ids: [id] })).parse();
    if (!own) throw notFound();
    const question = this.searched.question(own);
    const [approved, pending] = await Promise.all([true, false].map((state) => this.db.read(caller, this.candidates, { workspaceId: own.workspaceId, q: question, approved: state })));
    const others = [...approved!.parse(), ...pending!.parse()].filter((other) => other.id !== id);
    const alike = rank(question, others).filter(({ likeness }) => likeness >= SAME_QUESTION);
    const entries = await this.entriesOf(caller, alike);
    return Json.of(alike.flatMap(({ id: other, likeness }) => {
      const entry = entries.get(other);
      if (!entry) return [];
      return [{ entry, likeness, kind: this.searched.agree(own, entry) ? 'duplicate' as const : 'contradiction' as const }];
    }));
  }

  /** The approved or pending entry that is asked for in nearly the same words, if any. */
  async duplicateOf(tx: Tx, workspaceId: string, question: string): Promise<string | null> {
    const found: Candidate[] = [];
    for (const approved of [true, false]) found.push(...await tx.query<Candidate>(candidates(this.searched.index), { workspaceId, q: question, approved }));
    const [nearest] = rank(question, found).sort((a, b) => b.likeness - a.likeness);
    return nearest && nearest.likeness >= SAME_QUESTION ? nearest.id : null;
  }

  private async entriesOf(caller: Caller, ranked: readonly { id: string }[]): Promise<Map<string, Entry>> {
    if (!ranked.length) return new Map();
    const entries = (await this.db.read(caller, this.entries, { ids: ranked.map(({ id }) => id) })).parse();
    return new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** Notes that the entries were found, within seconds and beside the request. */
  count(caller: Caller, workspaceId: string, ids: readonly string[]): void {
    if (!ids.length) return;
    let noted = this.retrieved.get(workspaceId);
    if (!noted) this.retrieved.set(workspaceId, (noted = { caller: system('knowledge', caller.tenantId, caller.environment), counts: new Map() }));
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
          return tx.query(`with found as (select u.id, u.n from unnest(:ids::uuid[], :counts::int[]) u (id, n)
          ), held as (select k.id from ${table} k where k.tenant_id = :tenant and k.id in (select id from found) order by k.id for no key update)
          update ${table} k set retrieved = k.retrieved + f.n from found f, held h where h.id = f.id and k.tenant_id = :tenant and k.id = f.id`, { ids: [...counts.keys()], counts: [...counts.values()] });
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

/** Answers that give different figures, or of which one denies, are not the same however alike they are. */
export function sameAnswer(one: string, other: string): boolean {
  const particulars = (text: string): string => JSON.stringify([[...new Set(text.match(/\d+/g))].sort(), /\b(not|no|never|cannot|n't|nicht|kein\w*|nie|pas|jamais)\b|n't\b/i.test(text)]);
  return particulars(one) === particulars(other) && rank(one, [{ id: 'other', said: other }])[0]!.likeness >= SAME_ANSWER;
}
