import { identifier, type Sql, sql, TENANT } from "../../platform/database/sql.js";

/** The name of the entity of a row with this alias: an entry's question, a tool's own name. Null where it is gone. */
export const nameOf = (alias: string): Sql => {
  const row = identifier(alias);
  return sql`
    case ${row}.entity_type
      when 'agent' then (select e.name from agent e where e.tenant_id = ${TENANT} and e.id = ${row}.entity_id::uuid)
      when 'channel' then (select e.name from channel e where e.tenant_id = ${TENANT} and e.id = ${row}.entity_id::uuid)
      when 'kb_entry' then (
        select e.question from kb_entry e where e.tenant_id = ${TENANT} and e.id = ${row}.entity_id::uuid
      )
      else ${row}.entity_id
    end`;
};

/** Today in UTC, as outcomes are counted. */
export const TODAY = sql`(now() at time zone 'UTC')::date`;
