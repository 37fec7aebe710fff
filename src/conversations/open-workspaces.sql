-- An archived workspace takes no new conversations and no new messages.
--
-- A statement that began before the workspace was archived still sees it as it was. So each insert takes the shared
-- half of an advisory lock until its transaction ends, and looks at the status again once it has the lock. Archiving
-- takes the exclusive half before it commits.
-- `if` and an assignment without a table cost PL/pgSQL less than `perform`, and each message pays for them.
create or replace function refuse_when_archived(of_tenant uuid, of_workspace uuid) returns void
language plpgsql as $$
declare
  locked text := pg_advisory_xact_lock_shared(hashtextextended(of_workspace::text, 0));
begin
  if (select w.status = 'archived' from workspace w where w.tenant_id = of_tenant and w.id = of_workspace) then
    raise exception 'workspace % is archived', of_workspace
      using errcode = 'check_violation', constraint = 'workspace_archived';
  end if;
end $$;

create or replace function conversation_needs_open_workspace() returns trigger language plpgsql as $$
begin
  perform refuse_when_archived(new.tenant_id, new.workspace_id);
  return new;
end $$;
create or replace trigger needs_open_workspace before insert on conversation
  for each row execute function conversation_needs_open_workspace();

create or replace function message_needs_open_workspace() returns trigger language plpgsql as $$
begin
  perform refuse_when_archived(new.tenant_id, (
    select c.workspace_id from conversation c
    where c.tenant_id = new.tenant_id and c.id = new.conversation_id));
  return new;
end $$;
create or replace trigger needs_open_workspace before insert on message
  for each row when (new.direction <> 'internal') execute function message_needs_open_workspace();
