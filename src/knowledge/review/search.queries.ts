import { identifier, type Parameter, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, list, query } from "../../platform/database/statements.js";
import { ENTRY_JSON, isVisibleWorkspace, type Kind } from "./entries.queries.js";
import type { Candidate } from "./ranking.js";
import type { Text } from "./similarity.js";

/** The data that a search covers. */
export interface Searched<Entry extends Said, Said> {
  kind: Kind<Entry>;
  /** Two tables that triggers write: the ways to ask for each entry, and the entries of each term. */
  index: { said: string; postings: string };
  /** Whether the ways to ask have vectors. */
  embedded?: true;
  /** The question that an entry answers. */
  question: (entry: Said) => string;
  /** Whether two entries for the same question also say the same. */
  agree: (one: Said, other: Said) => boolean;
}
export interface Hit<Entry> {
  entry: Entry;
  confidence: number;
}

const MAX_QUESTIONS_RANKED = sql`128`;
const MAX_TERMS = sql`100`;
/**
 * How many entries of a term are read. This keeps very common words as cheap as rare ones. Common words hardly count
 * anyway.
 */
export const MAX_POSTINGS = 64;
/**
 * The terms of a question are read from the rarest on, until this many postings were found. Reading more finds no
 * better entries, and makes a long question cost several times a short one.
 */
const MAX_POSTINGS_OF_QUESTION = sql`256`;

interface CandidateArgs {
  workspaceId: string;
  /** How many entries are ranked. */
  entries: number;
}
interface CandidateParts {
  asked: Sql;
  maxPostings: Sql;
  /** The entries of the term `t.term`, in the order of their ids and `maxPostings` at most. */
  listed: Sql;
  /** What `listed` needs besides, among the common table expressions. */
  before?: Sql;
  /** Where the question `n.n` of the entry `n.entry_id` is read, as `k`. */
  said?: Sql;
}

/**
 * A candidate, or the question itself: then without an id, for its terms. `embedded` says which of its vectors is valid, null
 * while it has none; with the question, it is the newest of the workspace.
 */
export type Found = Omit<FoundByWords, "id"> & { id: string | null };
export interface FoundByWords extends Candidate {
  embedded: number | null;
}

/** The question and its candidates, as `rank` takes them. */
export function splitFound(said: string, rows: readonly Found[]): [Text, FoundByWords[], newest: number | null] {
  const asked = rows.find(({ id }) => id === null);
  return [
    { said, terms: asked?.terms ?? [] },
    rows.filter((row): row is FoundByWords => row.id !== null),
    asked?.embedded ?? null,
  ];
}

/**
 * The entries that share the most and the rarest terms with the question, with the best questions of each. One more
 * row, without an id, has the terms of the question itself.
 */
const candidates = (
  { index, embedded }: Pick<Searched<never, never>, "index" | "embedded">,
  { workspaceId, entries }: Parameters<CandidateArgs>,
  {
    asked,
    maxPostings,
    listed,
    before = sql``,
    said = sql`join ${identifier(index.said)} k on k.tenant_id = ${TENANT} and k.entry_id = n.entry_id and k.n = n.n`,
  }: CandidateParts,
): Sql => sql`
    with spoken as materialized (
      select w.primary_language as language from workspace w where w.tenant_id = ${TENANT} and w.id = ${workspaceId}
    ), asked as materialized (
      select term
      from unnest(kb_terms(kb_config((select language from spoken)), ${asked})) u (term)
      limit ${MAX_TERMS}
    ), ${before}counted as (
      select t.term, c.found, sum(c.found) over (order by c.found, t.term) - c.found as before
      from asked t
        cross join lateral (
          select count(*) as found from (${listed}) l
        ) c
    ), postings as materialized (
      select l.entry_id, l.ns, case when t.found = ${maxPostings} then 1
        else ln(1 + 10000.0::float8 / t.found) end as weight
      from counted t
        cross join lateral (${listed}) l
      where t.found > 0 and t.before < ${MAX_POSTINGS_OF_QUESTION}
    ), best as (
      select entry_id, sum(weight * (1 + ln(cardinality(ns)))) as weight
      from postings group by entry_id order by 2 desc, 1 limit ${entries}
    )
    select k.entry_id as id, k.n, k.said, n.weight, k.terms[:${MAX_TERMS}] as terms, ${embedded ? sql`k.embedded::float8` : sql`null::float8`} as embedded
    from (
      select l.entry_id, u.n, min(b.weight) as weight
      from best b join postings l on l.entry_id = b.entry_id cross join lateral unnest(l.ns) u (n)
      group by l.entry_id, u.n order by sum(l.weight) desc, l.entry_id, u.n
      limit greatest(${MAX_QUESTIONS_RANKED}, 2 * ${entries}::int)
    ) n
      ${said}
    where k.valid_until is null or k.valid_until > now()
    union all select null, 0, '', 0, array(select term from asked), ${
      embedded
        ? sql`(
          select max(q.embedded)::float8 from ${identifier(index.said)} q
          where q.tenant_id = ${TENANT} and q.workspace_id = ${workspaceId})`
        : sql`null`
    }`;

/** What a question is searched among, besides the approved entries. */
export interface Considered {
  question: string;
  /** As if these were not there. */
  without: readonly string[];
  /** As if this one, which waits, were approved. */
  withEntry: string | null;
}

/** A search as if some entries were not there, and the texts of a draft were. `texts` is JSON: `DraftText[]`. */
interface DraftedArgs extends CandidateArgs {
  q: string;
  without: readonly string[];
  texts: string;
}

/** The statements of a search over one kind of entry. */
export function searchesOf<Entry extends Said, Said>({ kind, index, embedded }: Searched<Entry, Said>) {
  const { name, projection } = kind;
  const table = identifier(kind.table);
  const postings = (workspaceId: Parameter, approved: Sql, maxPostings: Sql, more = sql``): Sql => sql`
            select p.entry_id, p.ns from ${identifier(index.postings)} p
            where p.tenant_id = ${TENANT} and p.workspace_id = ${workspaceId} and p.approved = ${approved}
              and p.term = t.term${more}
            order by p.entry_id limit ${maxPostings}
          `;
  const constantMax = sql([String(MAX_POSTINGS)]);
  return {
    candidates: list<Found, CandidateArgs & { q: string; approved: boolean }>(
      `${name}.candidates`,
      "restricted",
      (p) => ({
        rows: candidates({ index, embedded }, p, {
          asked: sql`${p.q}`,
          maxPostings: constantMax,
          listed: postings(p.workspaceId, sql`${p.approved}`, constantMax),
        }),
        visible: isVisibleWorkspace(p.workspaceId),
      }),
    ),
    /** For each of several questions, the approved and pending entries with similar questions. `asked` is JSON. */
    alike: query<CandidateArgs & { asked: string; maxPostings: number }, Found & { i: number }>()(
      `${name}.alike`,
      "checked",
      (p) => {
        const maxPostings = sql`${p.maxPostings}::int`;
        const parts = (approved: Sql) => ({
          asked: sql`q.question`,
          maxPostings,
          listed: postings(p.workspaceId, approved, maxPostings),
        });
        return sql`
          select q.i, c.*
          from jsonb_to_recordset(${p.asked}::jsonb) q (i int, question text)
            cross join lateral (
              (${candidates({ index, embedded }, p, parts(sql`true`))})
              union all
              (${candidates({ index, embedded }, p, parts(sql`false`))})
            ) c`;
      },
    ),
    /** The candidates of several questions, each among entries of its own. `asked` is JSON: `Considered[]`. */
    considered: list<Found & { i: number }, CandidateArgs & { asked: string }>(
      `${name}.considered`,
      "restricted",
      (p) => ({
        rows: sql`
          select q.i - 1 as i, c.*
          from rows from (jsonb_to_recordset(${p.asked}::jsonb) as (question text, without uuid[], "withEntry" uuid))
              with ordinality q (question, without, with_entry, i)
            cross join lateral (${candidates({ index, embedded }, p, {
              asked: sql`q.question`,
              maxPostings: constantMax,
              listed: sql`
            select u.entry_id, u.ns from (
              (${postings(p.workspaceId, sql`true`, constantMax, sql` and p.entry_id <> all (q.without)`)})
              union all
              (${postings(p.workspaceId, sql`false`, constantMax, sql` and p.entry_id = q.with_entry`)})
            ) u
            order by u.entry_id limit ${constantMax}`,
            })}) c`,
        visible: isVisibleWorkspace(p.workspaceId),
      }),
    ),
    /** The candidates of a question among the entries of a draft. */
    drafted: list<Found, DraftedArgs>(`${name}.drafted`, "restricted", (p) => ({
      rows: candidates({ index, embedded }, p, {
        asked: sql`${p.q}`,
        maxPostings: constantMax,
        before: sql`drafts as materialized (
      select d.* from jsonb_to_recordset(${p.texts}::jsonb) as d (id uuid, n int, said text, terms int[])
    ), drafted as materialized (
      select u.term, d.id as entry_id, array_agg(d.n::smallint order by d.n) as ns
      from drafts d cross join lateral unnest(d.terms) u (term)
      where u.term in (select a.term from asked a) group by 1, 2
    ), `,
        listed: sql`
            select u.entry_id, u.ns from (
              (${postings(p.workspaceId, sql`true`, constantMax, sql` and p.entry_id <> all (${p.without}::uuid[])`)})
              union all
              select d.entry_id, d.ns from drafted d where d.term = t.term
            ) u
            order by u.entry_id limit ${constantMax}`,
        said: sql`cross join lateral (
        select k.entry_id, k.n, k.said, k.terms, k.valid_until${embedded ? sql`, k.embedded` : sql``}
        from ${identifier(index.said)} k
        where k.tenant_id = ${TENANT} and k.entry_id = n.entry_id and k.n = n.n
          and k.entry_id <> all (${p.without}::uuid[])
        union all
        select d.id, d.n, d.said, d.terms, null${embedded ? sql`, 0` : sql``}
        from drafts d where d.id = n.entry_id and d.n = n.n
      ) k`,
      }),
      visible: isVisibleWorkspace(p.workspaceId),
    })),
    /** The terms of these texts, in their order. */
    terms: list<{ terms: number[] }, { workspaceId: string; texts: readonly string[] }>(
      `${name}.terms`,
      "restricted",
      ({ workspaceId, texts }) => ({
        rows: sql`
          select kb_terms(kb_config(w.primary_language), u.said) as terms
          from workspace w cross join unnest(${texts}::text[]) with ordinality u (said, i)
          where w.tenant_id = ${TENANT} and w.id = ${workspaceId}
          order by u.i`,
        visible: isVisibleWorkspace(workspaceId),
      }),
    ),
    /** Keeps the given order, whatever the planner estimates. `hits` is JSON. */
    hits: list<Hit<Entry>, { workspaceId: string; hits: string }>(
      `${name}.hits`,
      "restricted",
      ({ workspaceId, hits }) => ({
        rows: sql`
          select (select ${ENTRY_JSON} from (select ${projection}) r) as entry, h.confidence
          from rows from (jsonb_to_recordset(${hits}::jsonb) as (id uuid, confidence float8))
              with ordinality h (id, confidence, n)
            cross join lateral (
              select e.* from ${table} e
              where e.tenant_id = ${TENANT} and e.id = h.id and e.workspace_id = ${workspaceId}
                and e.status = 'approved'
              offset 0
            ) r
          order by h.n`,
        visible: isVisibleWorkspace(workspaceId),
      }),
    ),
    entries: list<Entry, { ids: readonly string[] }>(
      `${name}.entries`,
      "restricted",
      ({ ids }) => sql`
        select ${projection} from ${table} r
        where r.tenant_id = ${TENANT} and r.id = any(${ids}::uuid[]) and ${inReach("r")}`,
      { json: ENTRY_JSON },
    ),
  };
}

/** The statements over the vectors of questions, for kinds of entries that have them. */
export function vectorsOf(name: string, said: string) {
  const table = identifier(said);
  return {
    /** The vectors of approved questions that were stored after `after`, the oldest first. Null for a text that the model gave none. */
    since: list<Stored, { workspaceId: string; mark: string; after: number; limit: number }>(
      `${name}.vectorsSince`,
      "restricted",
      ({ workspaceId, mark, after, limit }) => ({
        rows: sql`
          select k.entry_id as id, k.n, k.embedded, encode(k.vector, 'base64') as vector from ${table} k
          where k.tenant_id = ${TENANT} and k.workspace_id = ${workspaceId} and k.embedded > ${after}::bigint
            and k.model = ${mark} and k.approved
          order by k.embedded limit ${limit}`,
        visible: isVisibleWorkspace(workspaceId),
      }),
    ),
    /** The vectors of these questions. */
    of: list<Stored, { workspaceId: string; ids: string[]; ns: number[]; mark: string }>(
      `${name}.vectors`,
      "restricted",
      ({ workspaceId, ids, ns, mark }) => ({
        rows: sql`
          select k.entry_id as id, k.n, k.embedded, encode(k.vector, 'base64') as vector
          from unnest(${ids}::uuid[], ${ns}::int[]) u (entry_id, n)
            join ${table} k on k.tenant_id = ${TENANT} and k.entry_id = u.entry_id and k.n = u.n
          where k.workspace_id = ${workspaceId} and k.model = ${mark}`,
        visible: isVisibleWorkspace(workspaceId),
      }),
    ),
    /** Those of these questions that can be found now and still have this vector: it may be older than the entry. */
    near: list<FoundByWords, { workspaceId: string; ids: string[]; ns: number[]; embedded: number[] }>(
      `${name}.near`,
      "restricted",
      ({ workspaceId, ids, ns, embedded }) => ({
        rows: sql`
          select k.entry_id as id, k.n, k.said, 0 as weight, k.terms[:${MAX_TERMS}] as terms, k.embedded
          from unnest(${ids}::uuid[], ${ns}::int[], ${embedded}::bigint[]) u (entry_id, n, embedded)
            join ${table} k on k.tenant_id = ${TENANT} and k.entry_id = u.entry_id and k.n = u.n
          where k.workspace_id = ${workspaceId} and k.embedded = u.embedded and k.approved
            and (k.valid_until is null or k.valid_until > now())`,
        visible: isVisibleWorkspace(workspaceId),
      }),
    ),
  };
}
interface Stored {
  id: string;
  n: number;
  embedded: number;
  /** Base64. */
  vector: string | null;
}
export type Vectors = ReturnType<typeof vectorsOf>;

export type Searches<Entry extends Said, Said> = ReturnType<typeof searchesOf<Entry, Said>>;
