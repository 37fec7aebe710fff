-- A conversation shows its channel's type and its contact's account. It holds copies of both, which saves lists two
-- look-ups for each row. A channel never changes its type. A contact's account does: the row lock waits for a change that
-- is in progress, and a later change finds the conversation.
create or replace function copy_to_conversation() returns trigger language plpgsql as $$
begin
  select ch.type into new.channel_type from channel ch where ch.tenant_id = new.tenant_id and ch.id = new.channel_id;
  select k.account_id into new.account_id from contact k
    where k.tenant_id = new.tenant_id and k.id = new.contact_id for share;
  return new;
end $$;

create or replace trigger copies_of_new_conversation before insert on conversation
  for each row execute function copy_to_conversation();

create or replace trigger copies_of_moved_conversation before update of contact_id, channel_id on conversation
  for each row when ((new.contact_id, new.channel_id) is distinct from (old.contact_id, old.channel_id))
  execute function copy_to_conversation();

create or replace function copy_account_to_conversations() returns trigger language plpgsql as $$
begin
  update conversation c set account_id = new.account_id where c.tenant_id = new.tenant_id and c.contact_id = new.id;
  return null;
end $$;

create or replace trigger account_of_conversations after update of account_id on contact
  for each row when (new.account_id is distinct from old.account_id) execute function copy_account_to_conversations();
