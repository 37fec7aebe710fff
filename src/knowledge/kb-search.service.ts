import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type Caller, system } from '../caller/caller.js';
import { Database } from '../database/database.js';
import { inReach, list, REACHABLE } from '../database/statement.js';
import type { Tx } from '../database/transaction.js';
import { notFound } from '../http/errors.js';
import { Json } from '../http/json.js';
import { cosine, EmbeddingServer, type Meaning } from './embedding-server.js';
import type { KbEntryDto, KbHitDto, LikelySameDto, SearchDto, SimilarDto } from './kb-entries.dto.js';
import { KB_ENTRY, KB_ENTRY_JSON } from './kb-entries.queries.js';
import { type Candidate, rank, type Ranked } from './ranking.js';

/** From this likeness on two questions are taken for the same. */
const SAME_QUESTION = 0.8;
const SAME_ANSWER = 0.5;
const NOTED_EACH_MS = 5_000;
/** A search waits no longer for what a model makes of the question. */
const MEANING_WITHIN_MS = 300;

/** So many entries are looked at closely, or as many as are wanted, and so many of their questions. */
const ENTRIES_RANKED = 24;
/** For what says nearly the same, fewer will do. */
const ENTRIES_ALIKE = 6;
const QUESTIONS_RANKED = 64;
/** A term's list is read no further, so that words which nearly every entry has cost no more than others, and say next to nothing. */
const LIST = 64;
/** Where thousands are imported: an entry that says the same shares rare terms. */
const LIST_OF_MANY = 16;

/** The entries that share the most, and the rarest, terms with what is asked, and of those the questions that do. */
const candidates = (language: string, asked = ':q', approved = ':approved', list = String(LIST)): string => `with lists as materialized (
    select f.* from (select term from unnest(kb_terms(kb_config(${language}), ${asked})) u (term) limit 100) t
    cross join lateral (
      select l.entry_id, l.ns, case when count(*) over () = ${list} then 1 else ln(1 + 10000.0::float8 / count(*) over ()) end as weight from (
        select p.entry_id, p.ns from kb_posting p where p.tenant_id = :tenant and p.workspace_id = :workspaceId and p.approved = ${approved} and p.term = t.term
        order by p.entry_id limit ${list}) l) f
  ), best as (
    select entry_id, sum(weight * (1 + ln(cardinality(ns)))) as weight from lists group by entry_id order by 2 desc, 1 limit :entries
  )
  select k.entry_id as id, k.n, k.said, n.weight from (
    select l.entry_id, u.n, min(b.weight) as weight from best b join lists l on l.entry_id = b.entry_id cross join lateral unnest(l.ns) u (n)
    group by l.entry_id, u.n order by sum(l.weight) desc, l.entry_id, u.n limit greatest(${QUESTIONS_RANKED}, 2 * :entries::int)) n
  join kb_question k on k.tenant_id = :tenant and k.entry_id = n.entry_id and k.n = n.n
  where k.valid_until is null or k.valid_until > now()`;
const LANGUAGE = '(select w.primary_language from workspace w where w.tenant_id = :tenant and w.id = :workspaceId)';
const visible = `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`;

const CANDIDATES = list<Candidate, { workspaceId: string; q: string; approved: boolean; entries: number }>('kb-entries.candidates', 'workspace', candidates(LANGUAGE), { visible });
const ENTRIES = list<KbEntryDto, { ids: string[] }>('kb-entries.entries', 'workspace',
  `select ${KB_ENTRY} from kb_entry r where r.tenant_id = :tenant and r.id = any(:ids::uuid[]) and ${inReach('r')}`, { json: KB_ENTRY_JSON });

/** For each of several questions the approved and pending entries that are asked for in such words. */
const ALIKE = `select q.i, c.* from jsonb_to_recordset(:asked::jsonb) q (i int, question text)
  cross join lateral ((${candidates(LANGUAGE, 'q.question', 'true', ':list::int')}) union all (${candidates(LANGUAGE, 'q.question', 'false', ':list::int')})) c`;
const VECTORS = list<{ id: string; n: number; vector: string }, { workspaceId: string; ids: string[]; ns: number[]; mark: string }>('kb-entries.vectors', 'workspace', `
  select k.entry_id as id, k.n, encode(k.vector, 'base64') as vector from unnest(:ids::uuid[], :ns::int[]) u (entry_id, n)
  join kb_question k on k.tenant_id = :tenant and k.entry_id = u.entry_id and k.n = u.n
  where k.workspace_id = :workspaceId and k.model = :mark and k.vector is not null`, { visible });
/** In the order in which they are given, which no estimate of their number puts upside down. */
const HITS = list<KbHitDto, { workspaceId: string; hits: string }>('kb-entries.hits', 'workspace', `
  select (select ${KB_ENTRY_JSON} from (select ${KB_ENTRY}) r) as entry, h.confidence
  from rows from (jsonb_to_recordset(:hits::jsonb) as (id uuid, confidence float8)) with ordinality h (id, confidence, n)
  cross join lateral (select e.* from kb_entry e where e.tenant_id = :tenant and e.id = h.id and e.workspace_id = :workspaceId and e.status = 'approved' offset 0) r
  order by h.n`, { visible });

/** Finds entries by what is asked. The index is PostgreSQL's, and changes with its entries; here its candidates are put in order. */
@Injectable()
export class KbSearchService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('knowledge');
  /** How often each entry was found since it was last noted, by workspace. */
  private retrieved = new Map<string, { caller: Caller; counts: Map<string, number> }>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly db: Database, private readonly embeddings: EmbeddingServer) {}

  async search(caller: Caller, workspaceId: string, { q = '', limit = 5 }: SearchDto): Promise<Json<KbHitDto[]>> {
    const [read, meaning] = await Promise.all([
      this.db.read(caller, CANDIDATES, { workspaceId, q, approved: true, entries: Math.max(ENTRIES_RANKED, limit) }),
      q === '' ? null : this.embeddings.ask(q, MEANING_WITHIN_MS),
    ]);
    const found = read.parse();
    if (meaning && found.length) await this.compare(caller, workspaceId, found, meaning);
    const ranked = rank(q, found).slice(0, limit);
    if (!ranked.length) return Json.of([]);
    this.count(caller, workspaceId, ranked);
    return this.db.read(caller, HITS, { workspaceId, hits: JSON.stringify(ranked) });
  }

  /** Says of each candidate that has a vector how far it means what is asked. */
  private async compare(caller: Caller, workspaceId: string, found: Candidate[], { vector, mark }: Meaning): Promise<void> {
    const kept = (await this.db.read(caller, VECTORS, { workspaceId, ids: found.map(({ id }) => id), ns: found.map(({ n }) => n), mark })).parse();
    const cosines = new Map(kept.map((one) => [`${one.id} ${one.n}`, cosine(vector, Buffer.from(one.vector, 'base64'))]));
    for (const one of found) one.meant = cosines.get(`${one.id} ${one.n}`);
  }

  /** Which of the other approved and pending entries are asked for in the same words, and whether they answer alike. */
  async similar(caller: Caller, id: string): Promise<Json<SimilarDto[]>> {
    const [own] = (await this.db.read(caller, ENTRIES, { ids: [id] })).parse();
    if (!own) throw notFound();
    const [approved, pending] = await Promise.all([true, false].map((state) => this.db.read(caller, CANDIDATES, { workspaceId: own.workspaceId, q: own.question, approved: state, entries: ENTRIES_RANKED })));
    const others = [...approved!.parse(), ...pending!.parse()].filter((other) => other.id !== id);
    const alike = rank(own.question, others).filter(({ likeness }) => likeness >= SAME_QUESTION);
    const entries = await this.entriesOf(caller, alike);
    return Json.of(alike.flatMap(({ id: other, likeness }) => {
      const entry = entries.get(other);
      if (!entry) return [];
      return [{ entry, likeness, kind: kindOf(own.answer, entry.answer) }];
    }));
  }

  /** For each of these, the approved and pending entries that are asked for in nearly the same words, the likest first. */
  async alike(tx: Tx, workspaceId: string, asked: readonly Pick<KbEntryDto, 'question' | 'answer'>[]): Promise<LikelySameDto[][]> {
    const found: Candidate[][] = asked.map(() => []);
    const questions = JSON.stringify(asked.map(({ question }, i) => ({ i, question })));
    for (const { i, ...candidate } of await tx.query<Candidate & { i: number }>(ALIKE, { workspaceId, asked: questions, entries: ENTRIES_ALIKE, list: asked.length > 1 ? LIST_OF_MANY : LIST })) found[i]!.push(candidate);
    const near = found.map((those, i) => rank(asked[i]!.question, those).filter(({ likeness }) => likeness >= SAME_QUESTION).sort((a, b) => b.likeness - a.likeness));
    const ids = [...new Set(near.flatMap((those) => those.map(({ id }) => id)))];
    const entries = ids.length ? await tx.query<Pick<KbEntryDto, 'id' | 'question' | 'answer'>>('select id, question, answer from kb_entry where tenant_id = :tenant and id = any(:ids::uuid[])', { ids }) : [];
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    return near.map((those, i) => those.flatMap(({ id, likeness }) => {
      const other = known.get(id);
      return other ? [{ kbEntryId: id, question: other.question, likeness, kind: kindOf(asked[i]!.answer, other.answer) }] : [];
    }));
  }

  private async entriesOf(caller: Caller, ranked: readonly { id: string }[]): Promise<Map<string, KbEntryDto>> {
    if (!ranked.length) return new Map();
    const entries = (await this.db.read(caller, ENTRIES, { ids: ranked.map(({ id }) => id) })).parse();
    return new Map(entries.map((entry) => [entry.id, entry]));
  }

  private count(caller: Caller, workspaceId: string, hits: readonly Ranked[]): void {
    let noted = this.retrieved.get(workspaceId);
    if (!noted) this.retrieved.set(workspaceId, (noted = { caller: system('knowledge', caller.tenantId, caller.environment), counts: new Map() }));
    for (const { id } of hits) noted.counts.set(id, (noted.counts.get(id) ?? 0) + 1);
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.noteRetrieved(), NOTED_EACH_MS);
    this.timer.unref();
  }

  /** `usage.retrieved` of all entries found in the last seconds, in one statement a workspace, whose pollers alone it concerns; in the order of their ids, so that two processes do not wait in a circle. */
  private async noteRetrieved(): Promise<void> {
    const all = this.retrieved;
    this.retrieved = new Map();
    for (const [workspaceId, { caller, counts }] of all) {
      try {
        await this.db.transaction(caller, (tx) => {
          tx.within(workspaceId);
          return tx.query(`with found as (select u.id, u.n from unnest(:ids::uuid[], :counts::int[]) u (id, n)
          ), held as (select k.id from kb_entry k where k.tenant_id = :tenant and k.id in (select id from found) order by k.id for no key update)
          update kb_entry k set retrieved = k.retrieved + f.n from found f, held h where h.id = f.id and k.tenant_id = :tenant and k.id = f.id`, { ids: [...counts.keys()], counts: [...counts.values()] });
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

export const kindOf = (one: string, other: string): SimilarDto['kind'] => (sameAnswer(one, other) ? 'duplicate' : 'contradiction');

/** In digits or, as far as they are often written so, in words. */
const FIGURES = /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze)\b/g;

/** Answers that give different figures, or of which one denies, are not the same however alike they are. */
function sameAnswer(one: string, other: string): boolean {
  const particulars = (text: string): string => JSON.stringify([[...new Set(text.toLowerCase().match(FIGURES))].sort(), /\b(not|no|never|cannot|n't|nicht|kein\w*|nie|pas|jamais)\b|n't\b/i.test(text)]);
  return particulars(one) === particulars(other) && rank(one, [{ id: 'other', n: 0, said: other, weight: 0 }])[0]!.likeness >= SAME_ANSWER;
}
