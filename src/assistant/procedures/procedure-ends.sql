-- A procedure ends once a person has the conversation, or it is resolved: in the transaction that changes the conversation, by
-- whichever way. Otherwise the first thing that the contact writes after a release would be read as an answer to its question.
create or replace function end_procedure() returns trigger language plpgsql as $$
begin
  update procedure_run set ending = 'handed_over', ended_at = clock_timestamp()
  where tenant_id = new.tenant_id and conversation_id = new.id and ended_at is null;
  return null;
end $$;

create or replace trigger procedure_ends after update of handling_mode, status on conversation
  for each row when (
    (new.handling_mode = 'human' and old.handling_mode <> 'human') or (new.status = 'resolved' and old.status <> 'resolved')
  )
  execute function end_procedure();
