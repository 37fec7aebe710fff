/** A tool is its own name. */
export const nameOf = (row: string): string => `case ${row}.entity_type
    when 'agent' then (select e.name from agent e where e.tenant_id = :tenant and e.id = ${row}.entity_id::uuid)
    when 'channel' then (select e.name from channel e where e.tenant_id = :tenant and e.id = ${row}.entity_id::uuid)
    when 'kb_entry' then (select e.question from kb_entry e where e.tenant_id = :tenant and e.id = ${row}.entity_id::uuid)
    else ${row}.entity_id end`;

/** Today, by the calendar of the counts. */
export const TODAY = `(now() at time zone 'UTC')::date`;
