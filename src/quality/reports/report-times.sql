-- Keeps open_time, reply_time, assistant_time and hand_over, which reports count. They hold ids and times, so an erasure leaves them as they are.
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

-- What the assistant did in a conversation, from its runs and from the messages. Runs that are no longer kept are not taken back.
create or replace function derive_assistant_time(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  select from conversation c
  where c.tenant_id = of_tenant and c.id = (given ->> 'conversation')::uuid for no key update;
  insert into assistant_time as t (
    tenant_id, conversation_id, workspace_id, channel_id, began_at, answered_sequence, settled_at, replied, replied_at)
  select c.tenant_id, c.id, c.workspace_id, c.channel_id, r.began_at, a.sequence, a.ended_at + interval '168 hours',
    m.at is not null, m.since
  from conversation c
    cross join lateral (
      select min(r.created_at) as began_at from assistant_run r
      where r.tenant_id = of_tenant and r.conversation_id = c.id
    ) r
    left join lateral (
      select r.sequence, r.ended_at from assistant_run r
      where r.tenant_id = of_tenant and r.conversation_id = c.id and r.outcome = 'answered'
      order by r.sequence desc limit 1
    ) a on true
    cross join lateral (
      select min(m.created_at) as at, min(m.created_at) filter (where m.sequence > a.sequence) as since from message m
      where m.tenant_id = of_tenant and m.conversation_id = c.id and m.direction = 'outbound'
        and m.author_type in ('member', 'api')
    ) m
  where c.tenant_id = of_tenant and c.id = (given ->> 'conversation')::uuid and r.began_at is not null
  on conflict (tenant_id, conversation_id) do update set replied = excluded.replied,
    answered_sequence = coalesce(excluded.answered_sequence, t.answered_sequence),
    settled_at = coalesce(excluded.settled_at, t.settled_at),
    replied_at = case when excluded.answered_sequence is null then t.replied_at else excluded.replied_at end
$$;

create or replace function derive_hand_over(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into hand_over (tenant_id, conversation_id, sequence, workspace_id, channel_id, at, reason)
  select c.tenant_id, c.id, r.sequence, c.workspace_id, c.channel_id, r.ended_at, r.hand_over_reason
  from assistant_run r join conversation c on c.tenant_id = of_tenant and c.id = r.conversation_id
  where r.tenant_id = of_tenant and r.id = (given ->> 'run')::uuid and r.hand_over_reason is not null
  on conflict do nothing
$$;

-- The first message of a conversation costs one row, and the next ones a look whether it is there.
create or replace function keep_assistant_time() returns trigger language plpgsql as $$
declare
  subject jsonb := jsonb_build_object('conversation', new.conversation_id);
begin
  if tg_op = 'INSERT' and exists (
    select from assistant_time t where t.tenant_id = new.tenant_id and t.conversation_id = new.conversation_id)
  then return null; end if;
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('assistant_time', new.tenant_id, subject);
  else
    perform derive_assistant_time(new.tenant_id, subject);
  end if;
  return null;
end $$;

create or replace trigger assistant_time_begins after insert on assistant_run
  for each row execute function keep_assistant_time();

create or replace trigger assistant_time_answered after update of outcome on assistant_run
  for each row when (new.outcome = 'answered' and old.outcome is null) execute function keep_assistant_time();

-- A reply of a person, or one that is cancelled: it never left.
create or replace function keep_person_reply() returns trigger language plpgsql as $$
declare
  subject jsonb := jsonb_build_object('conversation', new.conversation_id);
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('assistant_time', new.tenant_id, subject);
  elsif tg_op = 'UPDATE' then
    perform derive_assistant_time(new.tenant_id, subject);
  else
    update assistant_time t set replied = true, replied_at = coalesce(t.replied_at, new.created_at)
    where t.tenant_id = new.tenant_id and t.conversation_id = new.conversation_id
      and (not t.replied or (t.replied_at is null and t.answered_sequence is not null));
  end if;
  return null;
end $$;

create or replace trigger person_reply_begins after insert on message
  for each row when (new.direction = 'outbound' and new.author_type in ('member', 'api'))
  execute function keep_person_reply();

create or replace trigger person_reply_cancelled after update of direction on message
  for each row when (
    old.direction = 'outbound' and new.direction <> 'outbound' and new.author_type in ('member', 'api'))
  execute function keep_person_reply();

create or replace function keep_hand_over() returns trigger language plpgsql as $$
declare
  subject jsonb := jsonb_build_object('run', new.id);
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('hand_over', new.tenant_id, subject);
  else
    perform derive_hand_over(new.tenant_id, subject);
  end if;
  return null;
end $$;

create or replace trigger hand_over_happens after update of hand_over_reason on assistant_run
  for each row when (new.hand_over_reason is not null and old.hand_over_reason is null)
  execute function keep_hand_over();
