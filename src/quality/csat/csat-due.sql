-- Plans the question about satisfaction when a conversation is resolved, by whichever way it is resolved. Other changes
-- of a conversation pay for the trigger's condition alone, which is short because each statement parses it anew.
create or replace function keep_csat_due() returns trigger language plpgsql as $$
begin
  if old.status = 'resolved' or new.redacted_at is not null then return null; end if;
  insert into csat_due (tenant_id, conversation_id, due_at)
  select new.tenant_id, new.id, new.resolved_at + make_interval(mins => f.delay_minutes)
  from csat_config f
  where f.tenant_id = new.tenant_id and f.workspace_id = new.workspace_id and f.enabled
  on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at;
  return null;
end $$;

create or replace trigger conversation_resolved after update of status on conversation
  for each row when (new.status = 'resolved') execute function keep_csat_due();
