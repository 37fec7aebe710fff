import { type Sql, sql, TENANT, BRAND, WORKSPACES } from "../../platform/database/sql.js";
import { mayLag, one, REACHABLE } from "../../platform/database/statements.js";
import { CONVERSATION } from "../conversations.queries.js";
import type { ConversationDto } from "../conversations.dto.js";

export interface SearchArgs {
  query: string;
  workspaceId?: string;
  status?: string;
  /** Whether the caller may see contacts, and so may search by them. */
  contacts: boolean;
  limit: number;
  after0?: number;
  after1?: string;
  after2?: string;
}
/** A conversation of the page, with the texts that match. */
export interface Hit {
  conversation: ConversationDto;
  /** Lower is closer: 0 found in subject and contact, 1 in a message, 2 partly in each, 3 by similar words. */
  class: number;
  near: string[] | null;
  messageId: string | null;
  body: string | null;
  /** Name, emails and phones. Empty for callers who may not see contacts. */
  contact: string[];
}
export interface Found {
  terms: string[];
  hits: Hit[];
}

/** How many characters of a long message are returned, around the first match. */
const EXCERPT = sql`2000`;
const HALF_EXCERPT = sql`1000`;

/**
 * The candidates come from an index that row-level security does not protect. The texts to show are read here, under
 * row-level security and within the caller's access.
 */
export const SEARCH = mayLag(
  one<Found, SearchArgs>(
    "conversations.search",
    "restricted",
    ({ query, workspaceId, status, contacts, limit, after0, after1, after2 }) => {
      const isSearched: Sql = sql`${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId})`;
      // Null means the whole tenant.
      const workspaces = sql`
      case when coalesce(${BRAND}::uuid, ${workspaceId}::uuid) is null and ${WORKSPACES}::uuid[] is null then null
        else array(select w.id from workspace w where ${isSearched}) end`;
      const body = sql`
      case when length(m.body) > ${EXCERPT}
        then substr(m.body, greatest(1, strpos(lower(m.body), t.terms[1]) - ${HALF_EXCERPT}), ${EXCERPT})
        else m.body end`;
      const contact = sql`
      case when ${contacts} and (
          select o.deleted_at is null from contact o where o.tenant_id = ${TENANT} and o.id = r.contact_id
        )
        then array(
          select o.name from contact o where o.tenant_id = ${TENANT} and o.id = r.contact_id and o.name is not null
        ) || array(
          select p.value from contact_point p where p.tenant_id = ${TENANT} and p.contact_id = r.contact_id
          order by p.position
        )
        else '{}' end`;
      return sql`
      select t.terms, coalesce((
        select json_agg(json_build_object(
          'conversation', (select row_to_json(v) from (select ${CONVERSATION}) v), 'class', r.class, 'near', r.near,
          'messageId', m.id, 'body', ${body}, 'contact', ${contact}
        ) order by r.class, r.last_activity_at desc, r.id desc)
        from (
          select c.*, f.class, f.near, f.message_id
          from (
            select distinct on (s.conversation_id) s.*
            from search_conversations(${query}, ${contacts}, ${workspaces}) s
            order by s.conversation_id, s.class
          ) f
            join conversation c on c.tenant_id = ${TENANT} and c.id = f.conversation_id
            join workspace w on w.id = c.workspace_id and ${isSearched}
          where (${status}::text is null or c.status = ${status})
            and (${after0}::int is null or f.class > ${after0}
              or (f.class = ${after0} and (c.last_activity_at, c.id) < (${after1}::timestamptz, ${after2}::uuid)))
          order by f.class, c.last_activity_at desc, c.id desc limit ${limit} + 1
        ) r
          left join message m on m.tenant_id = r.tenant_id and m.conversation_id = r.id and m.id = r.message_id
      ), '[]') as hits
      from (select search_terms(${query}) as terms) t
      where ${workspaceId}::uuid is null or exists (select from workspace w where ${isSearched})`;
    },
  ),
);
