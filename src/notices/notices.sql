-- Who wants notices, and who wants no more: triggers, so that no way of ending a session or changing a preference is missed.

-- The feed of the live side is read for as long as one of its members has a device or wants mails. The lock on a row that is there
-- makes this wait for a process that is about to delete it.
create or replace function want_notices() returns trigger language plpgsql as $$
begin
  insert into notice_due (tenant_id, transaction_id, position, epoch, due_at)
  select t.id, 0, 0, '', clock_timestamp() from tenant t
  where t.organisation_id = new.organisation_id and t.environment = 'live'
  on conflict (tenant_id) do update set epoch = notice_due.epoch;
  return null;
end $$;

create or replace trigger want_notices after insert on push_subscription
  for each row execute function want_notices();
create or replace trigger want_notices after insert or update of value on member_preferences
  for each row when (new.value @> '{"notifications": {"mailMentions": true}}') execute function want_notices();

-- Whoever signs out on a device, or is signed out there, gets no more notices on it. A session that has only expired goes on: the
-- notices of an evening are what it is for.
create or replace function end_push_of_session() returns trigger language plpgsql as $$
begin
  delete from push_subscription s where s.organisation_id = new.organisation_id and s.session_id = new.id;
  return null;
end $$;

create or replace trigger end_push_of_session after update of ended_at on member_session
  for each row when (new.ended_at is not null) execute function end_push_of_session();

create or replace function end_push_of_member() returns trigger language plpgsql as $$
begin
  delete from push_subscription s where s.organisation_id = new.organisation_id and s.member_id = new.id;
  return null;
end $$;

create or replace trigger end_push_of_member after update of deactivated_at, removed_at on member
  for each row when (new.deactivated_at is not null or new.removed_at is not null) execute function end_push_of_member();

-- Whoever opens a conversation has read its mentions.
create or replace function read_mentions() returns trigger language plpgsql as $$
begin
  delete from unread_mention u
  where u.tenant_id = new.tenant_id and u.conversation_id = new.conversation_id and u.member_id = new.member_id;
  return null;
end $$;

create or replace trigger read_mentions after insert or update on conversation_viewer
  for each row execute function read_mentions();
