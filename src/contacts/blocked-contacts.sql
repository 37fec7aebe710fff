-- Refuses messages from a blocked contact. The insert takes the shared half of an advisory lock until its transaction
-- ends, and looks at the contact once it has the lock. Blocking takes the exclusive half before it commits.
create or replace function message_needs_unblocked_contact() returns trigger language plpgsql as $$
declare
  sender uuid := (
    select c.contact_id from conversation c where c.tenant_id = new.tenant_id and c.id = new.conversation_id);
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('block ' || sender, 0));
  if (select k.blocked from contact k where k.tenant_id = new.tenant_id and k.id = sender) then
    raise exception 'contact % is blocked', sender
      using errcode = 'check_violation', constraint = 'contact_blocked';
  end if;
  return new;
end $$;

create or replace trigger message_needs_unblocked_contact before insert on message
  for each row when (new.direction = 'inbound') execute function message_needs_unblocked_contact();
