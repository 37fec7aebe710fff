-- Counts each message that comes in or goes out, by day and workspace. A row exists 64 times, in slots: a connection
-- writes one message at a time, so its process id mostly gives it a slot that no other connection is waiting for.
create or replace function count_message() returns trigger language plpgsql as $$
begin
  insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
  select new.tenant_id, (new.created_at at time zone 'UTC')::date, v.workspace_id, 1 + pg_backend_pid() % 64,
    (new.direction = 'inbound')::integer, (new.direction = 'outbound')::integer
  from conversation v where v.tenant_id = new.tenant_id and v.id = new.conversation_id
  on conflict (tenant_id, day, workspace_id, slot)
    do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound;
  return null;
end $$;

create or replace trigger count_message after insert on message
  for each row when (new.direction <> 'internal') execute function count_message();
