-- Keeps one lease for each mailbox that is to be read: of an active email channel that receives, on the live side
-- of its tenant, in a workspace that is neither archived nor deleted. Several routes and the provisioning job change
-- channels and workspaces; the triggers cover all of them.
create or replace function is_read(c channel) returns boolean language sql stable as $$
  select c.type = 'email' and c.status = 'active'
    and (jsonb_typeof(c.settings -> 'imap') is not distinct from 'object'
      or (jsonb_typeof(c.settings -> 'graph') is not distinct from 'object'
        and c.settings #> '{graph,receive}' is distinct from 'false'))
    and exists (select from tenant t where t.id = c.tenant_id and t.environment = 'live')
    and exists (
      select from workspace w
      where w.tenant_id = c.tenant_id and w.id = c.workspace_id and w.status <> 'archived' and w.deleted_at is null)
$$;

create or replace function watch_channel() returns trigger language plpgsql as $$
begin
  if is_read(new) then
    insert into mailbox_lease (tenant_id, channel_id) values (new.tenant_id, new.id) on conflict do nothing;
  elsif new.type = 'email' then
    delete from mailbox_lease where tenant_id = new.tenant_id and channel_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger watch_mailbox after insert or update of status, settings on channel
  for each row execute function watch_channel();

create or replace function watch_workspace() returns trigger language plpgsql as $$
begin
  delete from mailbox_lease l using channel c
    where c.tenant_id = new.tenant_id and c.workspace_id = new.id
      and l.tenant_id = c.tenant_id and l.channel_id = c.id and not is_read(c);
  insert into mailbox_lease (tenant_id, channel_id)
    select c.tenant_id, c.id from channel c
    where c.tenant_id = new.tenant_id and c.workspace_id = new.id and is_read(c)
    on conflict do nothing;
  return null;
end $$;

create or replace trigger watch_mailboxes after update of status, deleted_at on workspace
  for each row when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at)
  execute function watch_workspace();
