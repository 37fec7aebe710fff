-- What triggers derive from a change, such as an index, a count or an audit entry, never costs the change. A trigger
-- derives it in the same transaction. If that fails, `Database` runs the transaction again with app.derived = 'later':
-- the triggers then note in derived_repair what is missing, and RepairJob calls `derive_<kind>(tenant, subject)`.
-- A block with an exception handler in each trigger would do the same, but every message would pay for it.

-- Notes what is to be derived. An audit entry is noted by its own trigger: the application's role may not write one.
create or replace function derive_later(kind text, of_tenant uuid, subject jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if kind = 'audit_entry' then raise exception 'audit entries come from triggers alone'; end if;
  insert into derived_repair (tenant_id, id, kind, subject) values (of_tenant, gen_random_uuid(), kind, subject);
end $$;
revoke all on function derive_later(text, uuid, jsonb) from public;
grant execute on function derive_later(text, uuid, jsonb) to parley_app;

-- Derives one, and returns what kind it was. The tenant must be the one that is set for the transaction.
create or replace function repair_derived(of_tenant uuid, of_id uuid) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due derived_repair%rowtype;
begin
  delete from derived_repair d
    where d.tenant_id = of_tenant and of_tenant::text = current_setting('app.tenant_id') and d.id = of_id
    returning * into due;
  if due.kind is not null then
    execute format('select %I($1, $2)', 'derive_' || due.kind) using due.tenant_id, due.subject;
  end if;
  return due.kind;
end $$;
revoke all on function repair_derived(uuid, uuid) from public;
grant execute on function repair_derived(uuid, uuid) to parley_app;
