-- Counts each message that comes in or goes out, by day and workspace. A row exists 64 times, in slots: a connection
-- writes one message at a time, so its process id mostly gives it a slot that no other connection is waiting for.
create or replace function count_message() returns trigger language plpgsql as $$
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('message_count', v.tenant_id, jsonb_build_object(
      'day', (new.created_at at time zone 'UTC')::date, 'workspace', v.workspace_id, 'direction', new.direction))
    from conversation v where v.tenant_id = new.tenant_id and v.id = new.conversation_id;
    return null;
  end if;
  insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
  select new.tenant_id, (new.created_at at time zone 'UTC')::date, v.workspace_id, 1 + pg_backend_pid() % 64,
    (new.direction = 'inbound')::integer, (new.direction = 'outbound')::integer
  from conversation v where v.tenant_id = new.tenant_id and v.id = new.conversation_id
  on conflict (tenant_id, day, workspace_id, slot)
    do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound;
  return null;
end $$;

create or replace function derive_message_count(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
  select w.tenant_id, (given ->> 'day')::date, w.id, 1, (given ->> 'direction' = 'inbound')::integer,
    (given ->> 'direction' = 'outbound')::integer
  from workspace w where w.tenant_id = of_tenant and w.id = (given ->> 'workspace')::uuid
  on conflict (tenant_id, day, workspace_id, slot)
    do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound
$$;
revoke all on function derive_message_count(uuid, jsonb) from public;

-- A reply that was cancelled never left. It is internal from then on.
create or replace function uncount_message() returns trigger language plpgsql as $$
begin
  insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
  select new.tenant_id, (new.created_at at time zone 'UTC')::date, v.workspace_id, 1 + pg_backend_pid() % 64, 0, -1
  from conversation v where v.tenant_id = new.tenant_id and v.id = new.conversation_id
  on conflict (tenant_id, day, workspace_id, slot) do update set outbound = c.outbound + excluded.outbound;
  return null;
end $$;
create or replace trigger uncount_message after update of direction on message
  for each row when (old.direction = 'outbound' and new.direction = 'internal') execute function uncount_message();

create or replace trigger count_message after insert on message
  for each row when (new.direction <> 'internal') execute function count_message();
