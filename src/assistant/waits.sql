-- A run that waits, for an approval or for a contact's proof of identity, waits no longer once a person has the conversation, or it
-- is resolved: in the transaction that changes the conversation, by whichever way. People still decide about the action, and
-- `tools/open-questions.sql` ends the question.
create or replace function end_wait() returns trigger language plpgsql as $$
begin
  update assistant_run set waits_for = null, outcome = 'discarded', ended_at = clock_timestamp(),
    reason = case when new.status = 'resolved' then 'The conversation is resolved' else 'A person handles the conversation' end
  where tenant_id = new.tenant_id and conversation_id = new.id and outcome is null and waits_for is not null;
  return null;
end $$;

create or replace trigger wait_ends after update of handling_mode, status on conversation
  for each row when (
    (new.handling_mode = 'human' and old.handling_mode <> 'human') or (new.status = 'resolved' and old.status <> 'resolved')
  )
  execute function end_wait();
