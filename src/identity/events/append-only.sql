-- Identity events are append-only: the application's role may insert and read them. These functions run as the owner
-- and are the only ways to delete or change an event. Each checks by itself that the events are due; none takes a
-- condition, and the only time that one takes says where the last batch ended.

-- Deletes a batch of events whose workspace's retention is over. `after` is the `reached` of the batch before, so that
-- no batch walks over what the one before it deleted; `reached` is null at the end.
-- An event is due when its own date plus the calendar months has passed. That can be a few days beside "now minus
-- the months" at the ends of months, so only events within four days of that edge are asked for their calendar.
create or replace function sweep_identity_events(
  tenant uuid, of_workspace uuid, after timestamptz, batch integer, out removed integer, out reached timestamptz
) language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  kept interval;
  edge timestamptz;
  never timestamptz;
begin
  perform set_config('app.tenant_id', tenant::text, true);
  select make_interval(months => w.identity_retention_months),
      now() - make_interval(months => w.identity_retention_months)
    into kept, edge
    from workspace w where w.tenant_id = tenant and w.id = of_workspace;
  never := edge + interval '4 days';
  select e.occurred_at into reached from identity_event e
    where e.tenant_id = tenant and e.workspace_id = of_workspace and e.occurred_at > after and e.occurred_at < never
    order by e.occurred_at offset batch - 1 limit 1;
  delete from identity_event e
    where e.tenant_id = tenant and e.workspace_id = of_workspace
      and e.occurred_at > after and e.occurred_at <= coalesce(reached, never)
      and (e.occurred_at < edge - interval '4 days' or e.occurred_at + kept <= now());
  get diagnostics removed = row_count;
  if removed > 0 then
    perform audit_note(
      'deleted', 'identityEvent', null, of_workspace, null, '{}', jsonb_build_object('identityEvents', removed));
  end if;
end $$;
revoke all on function sweep_identity_events(uuid, uuid, timestamptz, integer) from public;
grant execute on function sweep_identity_events(uuid, uuid, timestamptz, integer) to parley_app;

-- Deletes the events of an erased contact: those bound to it, and blocked calls in its conversations or from its phone
-- numbers. It needs the contact's tombstone, and the phone numbers, which the erasure deletes afterwards.
create or replace function erase_identity_events(tenant uuid, of_contact uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed integer;
  total integer := 0;
begin
  perform set_config('app.tenant_id', tenant::text, true);
  perform from erased_contact t where t.tenant_id = tenant and t.id = of_contact;
  if not found then return 0; end if;
  delete from identity_event e where e.tenant_id = tenant and e.factor_bound_to_principal = of_contact;
  get diagnostics removed = row_count;
  total := total + removed;
  delete from identity_event e using conversation c
    where c.tenant_id = tenant and c.contact_id = of_contact
      and e.tenant_id = tenant and e.conversation_id = c.id and e.event_type = 'ani_blocked';
  get diagnostics removed = row_count;
  total := total + removed;
  delete from identity_event e using contact_point p
    where p.tenant_id = tenant and p.contact_id = of_contact and p.kind = 'phone'
      and e.tenant_id = tenant and e.scope_values = jsonb_build_array(p.value) and e.event_type = 'ani_blocked';
  get diagnostics removed = row_count;
  return total + removed;
end $$;
revoke all on function erase_identity_events(uuid, uuid) from public;
grant execute on function erase_identity_events(uuid, uuid) to parley_app;

-- Binds the events of a merged contact to the contact that it was merged into.
create or replace function move_identity_events(tenant uuid, of_contact uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved integer;
begin
  perform set_config('app.tenant_id', tenant::text, true);
  update identity_event e set factor_bound_to_principal = k.merged_into_id from contact k
    where k.tenant_id = tenant and k.id = of_contact and k.merged_into_id is not null
      and e.tenant_id = tenant and e.factor_bound_to_principal = of_contact;
  get diagnostics moved = row_count;
  return moved;
end $$;
revoke all on function move_identity_events(uuid, uuid) from public;
grant execute on function move_identity_events(uuid, uuid) to parley_app;

-- Deletes the events of a contact that was deleted at least 30 days ago.
create or replace function purge_identity_events(tenant uuid, of_contact uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  removed integer;
begin
  perform set_config('app.tenant_id', tenant::text, true);
  perform from contact k
    where k.tenant_id = tenant and k.id = of_contact and k.deleted_at <= now() - interval '30 days';
  if not found then return 0; end if;
  delete from identity_event e where e.tenant_id = tenant and e.factor_bound_to_principal = of_contact;
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke all on function purge_identity_events(uuid, uuid) from public;
grant execute on function purge_identity_events(uuid, uuid) to parley_app;
