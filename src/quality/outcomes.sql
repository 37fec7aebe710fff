-- Outcomes for the quality scores: deliveries of messages, and conversations that agents handled.

-- An outgoing message counts as good once it has left, and as bad if it fails after all. When that changes, what was
-- counted before is taken back. Receipts, bounces and the outbox all change the delivery status.
create or replace function derive_delivery_count(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad, weight)
  select c.tenant_id, c.workspace_id, 'delivery', 'channel', c.channel_id::text, 1, s.failed::integer, s.failed,
    s.weight
  from conversation c
  cross join (values
    (given ->> 'new', given ->> 'new' = 'failed', 1),
    (given ->> 'old', given ->> 'old' = 'failed', -1)
  ) as s (status, failed, weight)
  where c.tenant_id = of_tenant and c.id = (given ->> 'conversation')::uuid and s.status <> 'queued'
$$;

create or replace function count_delivery() returns trigger language plpgsql as $$
declare
  subject jsonb := jsonb_build_object(
    'conversation', new.conversation_id, 'new', new.delivery_status, 'old', old.delivery_status);
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('delivery_count', new.tenant_id, subject);
  else
    perform derive_delivery_count(new.tenant_id, subject);
  end if;
  return null;
end $$;

create or replace trigger count_delivery after update of delivery_status on message
  for each row when (
    new.direction = 'outbound' and new.delivery_status <> 'queued'
    and (old.delivery_status = 'queued' or (old.delivery_status = 'failed') <> (new.delivery_status = 'failed')))
  execute function count_delivery();

-- Notes which agents have answered in a conversation. `assisted` lets other messages and changes pay for one
-- comparison alone.
create or replace function derive_agent_note(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into conversation_agent (tenant_id, conversation_id, agent_id)
  select a.tenant_id, c.id, a.id
  from agent a join conversation c on c.tenant_id = a.tenant_id and c.id = (given ->> 'conversation')::uuid
  where a.tenant_id = of_tenant and a.id = (given ->> 'agent')::uuid
  on conflict do nothing;
  update conversation set assisted = true
    where tenant_id = of_tenant and id = (given ->> 'conversation')::uuid and not assisted
$$;

create or replace function note_agent() returns trigger language plpgsql as $$
declare
  subject jsonb := jsonb_build_object('conversation', new.conversation_id, 'agent', new.author_id);
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('agent_note', new.tenant_id, subject);
  else
    perform derive_agent_note(new.tenant_id, subject);
  end if;
  return null;
end $$;

create or replace trigger note_agent after insert on message
  for each row when (new.author_type = 'assistant' and new.direction = 'outbound') execute function note_agent();

-- Counts each agent of a conversation once: a person took over, or the conversation was resolved by the assistant.
-- Spam and duplicates say nothing about an agent. The entries that the agent cited are counted with it: an answer did not help if
-- the conversation was handed over after it without another, or if a person replied after it.
create or replace function derive_handoff_count(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  with ended as (
    update conversation_agent set ended_at = clock_timestamp()
    where tenant_id = of_tenant and conversation_id = (given ->> 'conversation')::uuid and ended_at is null
    returning tenant_id, conversation_id, agent_id
  ), answers as (
    select m.tenant_id, m.conversation_id, x.citation ->> 'kbEntryId' as entry_id, m.sequence,
      max(m.sequence) over () as last
    from ended e
      join message m on m.tenant_id = e.tenant_id and m.conversation_id = e.conversation_id
        and m.direction = 'outbound' and m.author_type = 'assistant' and m.author_id = e.agent_id
      cross join jsonb_array_elements(m.citations) x (citation)
  ), judged as (
    select 'handoff' as metric, 'agent' as entity_type, e.agent_id::text as entity_id, (given ->> 'over')::boolean as bad
    from ended e
    union all
    select 'answer', 'kb_entry', a.entry_id, bool_or(
      ((given ->> 'over')::boolean and a.sequence = a.last) or exists (
        select from message r
        where r.tenant_id = a.tenant_id and r.conversation_id = a.conversation_id and r.sequence > a.sequence
          and r.direction = 'outbound' and r.author_type in ('member', 'api')))
    from answers a group by a.entry_id
  )
  insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad)
  select c.tenant_id, c.workspace_id, j.metric, j.entity_type, j.entity_id, 1, j.bad::integer, j.bad
  from judged j join conversation c on c.tenant_id = of_tenant and c.id = (given ->> 'conversation')::uuid
$$;

create or replace function count_handoff() returns trigger language plpgsql as $$
declare
  subject jsonb;
begin
  if new.redacted_at is not null or old.handling_mode <> 'assistant' or not (new.handling_mode = 'human'
    or (new.status = 'resolved' and old.status <> 'resolved'
      and coalesce(new.resolution, '') not in ('spam', 'duplicate')))
  then
    return null;
  end if;
  subject := jsonb_build_object(
    'conversation', new.id,
    'over', new.handling_mode = 'human' or new.resolution is not distinct from 'escalated');
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('handoff_count', new.tenant_id, subject);
  else
    perform derive_handoff_count(new.tenant_id, subject);
  end if;
  return null;
end $$;

create or replace trigger count_handoff after update of handling_mode, status on conversation
  for each row when (new.assisted) execute function count_handoff();
