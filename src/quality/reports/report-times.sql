-- Keeps open_time and reply_time, which reports count. They hold ids and times, so an erasure leaves them as they are.
-- Whatever changes a conversation or its messages locks the conversation. A repair, which runs later, locks it before it reads:
-- otherwise it would write what was true before a change that commits meanwhile.

-- Brings the open times of a conversation, which is locked, up to its state. Nearly always that is one update.
create or replace function write_open_time(c conversation, changed_at timestamptz) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  handled text := case when c.handling_mode = 'human' then 'people' when c.assisted then 'assistant' end;
  lasted integer := greatest(0, floor(extract(epoch from c.resolved_at - c.created_at)));
begin
  update open_time set closed_at = coalesce(c.resolved_at, 'infinity'), seconds = lasted,
    member_id = c.assignee_id, assisted = c.assisted, resolution = c.resolution, handled_by = handled
    where tenant_id = c.tenant_id and conversation_id = c.id and latest
      and (closed_at = 'infinity' or c.status = 'resolved');
  if found then return; end if;
  -- The first one, or it is open again.
  with last as (
    update open_time set latest = false
    where tenant_id = c.tenant_id and conversation_id = c.id and latest returning number
  )
  insert into open_time (
    tenant_id, conversation_id, number, workspace_id, channel_id, started_at, opened_at, closed_at, seconds,
    member_id, assisted, resolution, handled_by)
  select c.tenant_id, c.id, coalesce(l.number, 0) + 1, c.workspace_id, c.channel_id, c.created_at,
    case when l.number is null then c.created_at else changed_at end, coalesce(c.resolved_at, 'infinity'), lasted,
    c.assignee_id, c.assisted, c.resolution, handled
  from (select) as one left join last l on true;
end $$;

-- `given`: the conversation, and when it changed.
create or replace function derive_open_time(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  c conversation%rowtype;
begin
  select * into c from conversation
    where tenant_id = of_tenant and id = (given ->> 'conversation')::uuid for no key update;
  if found then perform write_open_time(c, (given ->> 'at')::timestamptz); end if;
end $$;

create or replace function keep_open_time() returns trigger language plpgsql as $$
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later(
      'open_time', new.tenant_id, jsonb_build_object('conversation', new.id, 'at', new.updated_at));
  else
    perform write_open_time(new, new.updated_at);
  end if;
  return null;
end $$;

create or replace trigger open_time_begins after insert on conversation
  for each row execute function keep_open_time();

create or replace trigger open_time_changes
  after update of status, handling_mode, assignee_id, resolution, assisted on conversation
  for each row when (
    (new.status = 'resolved') <> (old.status = 'resolved') or new.handling_mode <> old.handling_mode
    or new.assignee_id is distinct from old.assignee_id or new.resolution is distinct from old.resolution
    or new.assisted <> old.assisted)
  execute function keep_open_time();

-- Notes how long the contact waited for a message, or takes that back: a reply that is cancelled never left.
create or replace function derive_reply_time(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  select from conversation c
  where c.tenant_id = of_tenant and c.id = (
    select m.conversation_id from message m where m.tenant_id = of_tenant and m.id = (given ->> 'message')::uuid)
  for no key update;
  delete from reply_time t using message m
  where m.tenant_id = of_tenant and m.id = (given ->> 'message')::uuid and m.waited_since is null
    and t.tenant_id = of_tenant and t.conversation_id = m.conversation_id and t.sequence = m.sequence;
  insert into reply_time (
    tenant_id, conversation_id, sequence, workspace_id, channel_id, at, seconds, first, member_id, handled_by)
  select m.tenant_id, m.conversation_id, m.sequence, c.workspace_id, c.channel_id, m.created_at,
    greatest(0, floor(extract(epoch from m.created_at - m.waited_since))), m.created_at = c.first_reply_at,
    case when m.author_type = 'member' then m.author_id end,
    case when m.author_type = 'assistant' then 'assistant' else 'people' end
  from message m join conversation c on c.tenant_id = of_tenant and c.id = m.conversation_id
  where m.tenant_id = of_tenant and m.id = (given ->> 'message')::uuid
    and m.waited_since is not null
  on conflict (tenant_id, conversation_id, sequence) do update set seconds = excluded.seconds, first = excluded.first
$$;

create or replace function keep_reply_time() returns trigger language plpgsql as $$
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('reply_time', new.tenant_id, jsonb_build_object('message', new.id));
  elsif tg_op = 'UPDATE' then
    perform derive_reply_time(new.tenant_id, jsonb_build_object('message', new.id));
  else
    -- What is needed is at hand, and the conversation is locked.
    insert into reply_time (
      tenant_id, conversation_id, sequence, workspace_id, channel_id, at, seconds, first, member_id, handled_by)
    select new.tenant_id, new.conversation_id, new.sequence, c.workspace_id, c.channel_id, new.created_at,
      greatest(0, floor(extract(epoch from new.created_at - new.waited_since))), new.created_at = c.first_reply_at,
      case when new.author_type = 'member' then new.author_id end,
      case when new.author_type = 'assistant' then 'assistant' else 'people' end
    from conversation c where c.tenant_id = new.tenant_id and c.id = new.conversation_id;
  end if;
  return null;
end $$;

create or replace trigger reply_time_begins after insert on message
  for each row when (new.waited_since is not null) execute function keep_reply_time();

create or replace trigger reply_time_changes after update of waited_since on message
  for each row when (new.waited_since is distinct from old.waited_since) execute function keep_reply_time();
