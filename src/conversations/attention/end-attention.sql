-- What needs nobody once the conversation is resolved. Other items outlast it: a gap in the knowledge is still one, an action still waits
-- for its approval, and a low rating comes afterwards.
create or replace function ends_with_conversation(item_type text) returns boolean language sql immutable parallel safe as $$
  select item_type in ('handoff_requested', 'guardrail_block', 'low_confidence', 'identity_locked')
$$;

-- In whatever way the conversation is resolved: so a trigger, and not each statement that resolves. The conversation's row is locked, and
-- whoever raises an item locks it first.
create or replace function end_attention_of_conversation() returns trigger language plpgsql as $$
declare
  ended int;
begin
  update attention_item set status = 'resolved', resolved_at = clock_timestamp()
    where tenant_id = new.tenant_id and conversation_id = new.id and status = 'open' and ends_with_conversation(type);
  get diagnostics ended = row_count;
  new.open_attention_count := new.open_attention_count - ended;
  return new;
end $$;

create or replace trigger conversation_attention_ended before update of status on conversation
  for each row when (new.status = 'resolved' and old.status <> 'resolved' and new.open_attention_count > 0)
  execute function end_attention_of_conversation();
