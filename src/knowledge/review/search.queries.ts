import { inReach, list } from "../../platform/database/statement.js";
import { ENTRY_JSON, IN_VISIBLE_WORKSPACE, type Kind } from "./entries.queries.js";
import type { Candidate } from "./ranking.js";

/** What a search is over. */
export interface Searched<Entry extends Said, Said> {
  kind: Kind<Entry>;
  /** Two tables that triggers write: the ways to ask for each entry, and where each term leads. */
  index: { said: string; postings: string };
  /** What an entry is asked for by. */
  question: (entry: Said) => string;
  /** Whether two entries that are asked for in the same words also say the same. */
  agree: (one: Said, other: Said) => boolean;
}
export interface Hit<Entry> {
  entry: Entry;
  confidence: number;
}

const QUESTIONS_RANKED = 64;
/** A term's list is read no further, so that words which nearly every entry has cost no more than others, and say next to nothing. */
export const LIST = 64;

const LANGUAGE = "(select w.primary_language from workspace w where w.tenant_id = :tenant and w.id = :workspaceId)";

/** The entries that share the most, and the rarest, terms with what is asked, and of those the questions that do. */
const candidates = (
  { said, postings }: Searched<never, never>["index"],
  asked = ":q",
  approved = ":approved",
  length = String(LIST),
): string => `with lists as materialized (
    select f.* from (select term from unnest(kb_terms(kb_config(${LANGUAGE}), ${asked})) u (term) limit 100) t
    cross join lateral (
      select l.entry_id, l.ns, case when count(*) over () = ${length} then 1 else ln(1 + 10000.0::float8 / count(*) over ()) end as weight from (
        select p.entry_id, p.ns from ${postings} p where p.tenant_id = :tenant and p.workspace_id = :workspaceId and p.approved = ${approved} and p.term = t.term
        order by p.entry_id limit ${length}) l) f
  ), best as (
    select entry_id, sum(weight * (1 + ln(cardinality(ns)))) as weight from lists group by entry_id order by 2 desc, 1 limit :entries
  )
  select k.entry_id as id, k.n, k.said, n.weight from (
    select l.entry_id, u.n, min(b.weight) as weight from best b join lists l on l.entry_id = b.entry_id cross join lateral unnest(l.ns) u (n)
    group by l.entry_id, u.n order by sum(l.weight) desc, l.entry_id, u.n limit greatest(${QUESTIONS_RANKED}, 2 * :entries::int)) n
  join ${said} k on k.tenant_id = :tenant and k.entry_id = n.entry_id and k.n = n.n
  where k.valid_until is null or k.valid_until > now()`;

/** What is asked of the database by a search over one kind. */
export function searchesOf<Entry extends Said, Said>({
  kind: { name, table, projection },
  index,
}: Searched<Entry, Said>) {
  return {
    candidates: list<Candidate, { workspaceId: string; q: string; approved: boolean; entries: number }>(
      `${name}.candidates`,
      "workspace",
      candidates(index),
      { visible: IN_VISIBLE_WORKSPACE },
    ),
    /** For each of several questions the approved and pending entries that are asked for in such words. */
    alike: `select q.i, c.* from jsonb_to_recordset(:asked::jsonb) q (i int, question text)
      cross join lateral ((${candidates(index, "q.question", "true", ":list::int")}) union all (${candidates(index, "q.question", "false", ":list::int")})) c`,
    vectors: list<
      { id: string; n: number; vector: string },
      { workspaceId: string; ids: string[]; ns: number[]; mark: string }
    >(
      `${name}.vectors`,
      "workspace",
      `
      select k.entry_id as id, k.n, encode(k.vector, 'base64') as vector from unnest(:ids::uuid[], :ns::int[]) u (entry_id, n)
      join ${index.said} k on k.tenant_id = :tenant and k.entry_id = u.entry_id and k.n = u.n
      where k.workspace_id = :workspaceId and k.model = :mark and k.vector is not null`,
      { visible: IN_VISIBLE_WORKSPACE },
    ),
    /** In the order in which they are given, which no estimate of their number puts upside down. */
    hits: list<Hit<Entry>, { workspaceId: string; hits: string }>(
      `${name}.hits`,
      "workspace",
      `
      select (select ${ENTRY_JSON} from (select ${projection}) r) as entry, h.confidence
      from rows from (jsonb_to_recordset(:hits::jsonb) as (id uuid, confidence float8)) with ordinality h (id, confidence, n)
      cross join lateral (select e.* from ${table} e where e.tenant_id = :tenant and e.id = h.id and e.workspace_id = :workspaceId and e.status = 'approved' offset 0) r
      order by h.n`,
      { visible: IN_VISIBLE_WORKSPACE },
    ),
    entries: list<Entry, { ids: readonly string[] }>(
      `${name}.entries`,
      "workspace",
      `select ${projection} from ${table} r where r.tenant_id = :tenant and r.id = any(:ids::uuid[]) and ${inReach("r")}`,
      { json: ENTRY_JSON },
    ),
  };
}
