-- Keeps conversation_label, from which conversations are listed by label. Many statements change a conversation's
-- last activity, so a trigger keeps the copy. A conversation without labels pays for the condition alone.
create or replace function keep_conversation_labels() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.labels = old.labels then
    if new.last_activity_at = old.last_activity_at then return null; end if;
    update conversation_label set last_activity_at = new.last_activity_at
      where tenant_id = new.tenant_id and conversation_id = new.id;
  else
    delete from conversation_label where tenant_id = new.tenant_id and conversation_id = new.id;
    insert into conversation_label (tenant_id, conversation_id, label, workspace_id, last_activity_at)
    select distinct new.tenant_id, new.id, label, new.workspace_id, new.last_activity_at
    from unnest(new.labels) as label;
  end if;
  return null;
end $$;

create or replace trigger conversation_labels_added after insert on conversation
  for each row when (new.labels <> '{}') execute function keep_conversation_labels();

create or replace trigger conversation_labels_changed after update of labels, last_activity_at on conversation
  for each row when (new.labels <> '{}' or old.labels <> '{}')
  execute function keep_conversation_labels();
