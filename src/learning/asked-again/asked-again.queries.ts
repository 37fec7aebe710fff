import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, list, one } from "../../platform/database/statements.js";

/** The beginning of a day, in UTC: so an answer stays the same until something changes. */
export const since = (days: Parameter): Sql =>
  sql`((date_trunc('day', now() at time zone 'UTC') - make_interval(days => ${days}::int)) at time zone 'UTC')`;

export type Entry = Pick<
  KbEntryDto,
  "id" | "question" | "alternateQuestions" | "answer" | "language" | "duplicateOfId"
>;
export const GET_ENTRIES = list<Entry, { ids: readonly string[] }>(
  "askedAgain.entries",
  "restricted",
  ({ ids }) => sql`
    select r.id, r.question, r.alternate_questions as "alternateQuestions", r.answer, r.language,
      r.duplicate_of_id as "duplicateOfId"
    from kb_entry r where r.tenant_id = ${TENANT} and r.id = any(${ids}::uuid[]) and ${inReach("r")}`,
);

/** What is known of the people in some conversations, to leave it out of what they asked. */
export interface People {
  contacts: { conversationId: string; names: string[]; identifiers: string[] }[];
  members: string[];
  ours: string[];
}
const MAX_MEMBERS = 5_000;
export const GET_PEOPLE = one<People, { workspaceId: string; conversationIds: readonly string[] }>(
  "askedAgain.people",
  "restricted",
  ({ workspaceId, conversationIds }) => sql`
    select (
        select coalesce(json_agg(json_build_object(
          'conversationId', c.id, 'names', array(
            select o.name from contact o
            where o.tenant_id = ${TENANT} and (o.id = k.id or o.merged_into_id = k.id) and o.name is not null
          ),
          'identifiers', array_remove(array(
            select p.value from contact_point p where p.tenant_id = ${TENANT} and p.contact_id = k.id
          ) || array[k.external_id, c.external_id, c.caller_id], null)
        )), '[]')
        from conversation c join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
        where c.tenant_id = ${TENANT} and c.id = any(${conversationIds}::uuid[]) and ${inReach("c")}
      ) as contacts,
      array(
        select m.name from member m
        where m.organisation_id = (select o.organisation_id from tenant o where o.id = ${TENANT})
        order by m.id limit ${MAX_MEMBERS}
      ) as members,
      array(
        select h.address from channel h
        where h.tenant_id = ${TENANT} and h.workspace_id = ${workspaceId} and h.address is not null
      ) as ours
    from tenant t where t.id = ${TENANT}`,
);
