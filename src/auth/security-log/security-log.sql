-- The security log: how its events are written, and its retention. The application's role can only read it.

-- Writes one event. Both sides share the members, so events about members are in the log of the live side.
create or replace function security_note(
  type text, actor_kind text, actor uuid, member uuid, address text, user_agent text, detail jsonb
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  side text := current_setting('app.tenant_id');
  at timestamptz := clock_timestamp();
  log uuid := side::uuid;
begin
  if member is not null then
    log := (select t.organisation_id from tenant t where t.id = side::uuid);
    perform set_config('app.tenant_id', log::text, true);
  end if;
  insert into security_event (tenant_id, id, at, type, actor_kind, actor_id, member_id, address, user_agent, detail)
  values (log, audit_id(at), date_trunc('milliseconds', at), type, actor_kind, actor, member, address, user_agent, detail);
  perform set_config('app.tenant_id', side, true);
end $$;
revoke all on function security_note(text, text, uuid, uuid, text, text, jsonb) from public;
grant execute on function security_note(text, text, uuid, uuid, text, text, jsonb) to parley_app;

-- Deletes a batch of events that are older than 24 months, and returns how many. It takes no date, so the application
-- cannot delete younger events through it.
create or replace function sweep_security_log(tenant uuid, batch integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  removed integer;
  edge timestamptz := now() - interval '24 months';
  edge_id uuid := audit_id(edge);
begin
  perform set_config('app.tenant_id', tenant::text, true);
  delete from security_event where tenant_id = tenant and id = any (array(
    select e.id from security_event e
    where e.tenant_id = tenant and e.id < edge_id and e.at < edge
    order by e.id limit batch));
  get diagnostics removed = row_count;
  if removed > 0 then
    perform audit_note(
      'deleted', 'securityEvent', null, null, null, '{}', jsonb_build_object('securityEvents', removed));
  end if;
  return removed;
end $$;
revoke all on function sweep_security_log(uuid, integer) from public;
grant execute on function sweep_security_log(uuid, integer) to parley_app;
