-- A question that asks the contact to prove who they are ends when people take the conversation over, or when it is resolved, in
-- whichever way. Otherwise what the contact writes later would be taken for their answer.
create or replace function end_open_question() returns trigger language plpgsql as $$
begin
  update tool_call l set ended_at = clock_timestamp(), outcome = jsonb_build_object('kind', 'result',
    -- What the contact has written until now may be the answer.
    'value', jsonb_build_object('result', 'withdrawn', 'until', new.last_sequence))
  where l.tenant_id = new.tenant_id and l.conversation_id = new.id and l.tool = 'ask_verification' and l.called
    and l.outcome is null;
  return null;
end $$;

create or replace trigger ends_open_question after update of handling_mode, status on conversation
  for each row when (
    (new.handling_mode = 'human' and old.handling_mode = 'assistant') or (new.status = 'resolved' and old.status <> 'resolved')
  )
  execute function end_open_question();
