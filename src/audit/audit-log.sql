-- The audit log: ids of its entries, entries that are written by hand, and its retention.

-- A UUID of version 7 whose order is the order of writing, to the microsecond. The log is read in this order.
create or replace function audit_id(at timestamptz) returns uuid language sql volatile as $$
  select encode(
    substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
      || int2send((28672 + (extract(microseconds from at)::integer % 1000) * 4)::smallint)
      || substring(uuid_send(gen_random_uuid()) from 9),
    'hex')::uuid
$$;

-- Writes one entry for a change that the triggers do not record row by row, such as a deletion in batches.
-- The application's role cannot insert into the log, so this runs as the owner.
create or replace function audit_note(
  change text, type text, resource uuid, workspace uuid, conversation uuid, fields text[], counts jsonb
) returns void language sql security definer set search_path = public, pg_temp as $$
  insert into audit_entry (
    tenant_id, id, at, actor_kind, actor_id, action, change, resource_type, resource_id, workspace_id,
    conversation_id, fields, counts)
  select current_setting('app.tenant_id')::uuid, audit_id(at), date_trunc('milliseconds', at),
    nullif(split_part(current_setting('app.actor', true), ':', 1), ''),
    nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid,
    nullif(current_setting('app.action', true), ''), change, type, resource, workspace, conversation, fields, counts
  from clock_timestamp() as at
$$;
revoke all on function audit_note(text, text, uuid, uuid, uuid, text[], jsonb) from public;
grant execute on function audit_note(text, text, uuid, uuid, uuid, text[], jsonb) to parley_app;

-- Writes an entry that its trigger could not write, with the id and the time of its change.
create or replace function derive_audit_entry(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into audit_entry select e.* from jsonb_populate_record(null::audit_entry, given) e
  where e.tenant_id = of_tenant
$$;
revoke all on function derive_audit_entry(uuid, jsonb) from public;

-- Adds two objects of counts, key by key. Keys whose sum is 0 are left out.
create or replace function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(what, total), '{}') from (
    select key as what, sum(value::bigint) as total
    from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) c
    group by key having sum(value::bigint) > 0) t
$$;

-- Deletes a batch of entries that are older than 24 months, and returns how many. It takes no date, so the
-- application cannot delete younger entries through it.
create or replace function sweep_audit_log(tenant uuid, batch integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  removed integer;
  edge timestamptz := now() - interval '24 months';
  edge_id uuid := audit_id(edge);
begin
  perform set_config('app.tenant_id', tenant::text, true);
  delete from audit_entry where tenant_id = tenant and id = any (array(
    select e.id from audit_entry e
    where e.tenant_id = tenant and e.id < edge_id and e.at < edge
    order by e.id limit batch));
  get diagnostics removed = row_count;
  if removed > 0 then
    perform audit_note(
      'deleted', 'auditEntry', null, null, null, '{}', jsonb_build_object('auditEntries', removed));
  end if;
  return removed;
end $$;
revoke all on function sweep_audit_log(uuid, integer) from public;
grant execute on function sweep_audit_log(uuid, integer) to parley_app;
