-- Outcomes for the quality scores: deliveries of messages, and conversations that agents handled.

-- An outgoing message counts as good once it has left, and as bad if it fails after all. When that changes, what was
-- counted before is taken back. Receipts, bounces and the outbox all change the delivery status.
create or replace function count_delivery() returns trigger language plpgsql as $$
begin
  insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad, weight)
  select c.tenant_id, c.workspace_id, 'delivery', 'channel', c.channel_id::text, 1, s.failed::integer, s.failed,
    s.weight
  from conversation c
  cross join (values
    (new.delivery_status, new.delivery_status = 'failed', 1),
    (old.delivery_status, old.delivery_status = 'failed', -1)
  ) as s (status, failed, weight)
  where c.tenant_id = new.tenant_id and c.id = new.conversation_id and s.status <> 'queued';
  return null;
end $$;

create or replace trigger count_delivery after update of delivery_status on message
  for each row when (
    new.direction = 'outbound' and new.delivery_status <> 'queued'
    and (old.delivery_status = 'queued' or (old.delivery_status = 'failed') <> (new.delivery_status = 'failed')))
  execute function count_delivery();

-- Notes which agents have answered in a conversation. `assisted` lets other messages and changes pay for one
-- comparison alone.
create or replace function note_agent() returns trigger language plpgsql as $$
begin
  insert into conversation_agent (tenant_id, conversation_id, agent_id)
  select a.tenant_id, new.conversation_id, a.id from agent a
  where a.tenant_id = new.tenant_id and a.id = new.author_id
  on conflict do nothing;
  update conversation set assisted = true
    where tenant_id = new.tenant_id and id = new.conversation_id and not assisted;
  return null;
end $$;

create or replace trigger note_agent after insert on message
  for each row when (new.author_type = 'assistant' and new.direction = 'outbound') execute function note_agent();

-- Counts each agent of a conversation once: a person took over, or the conversation was resolved by the assistant.
-- Spam and duplicates say nothing about an agent.
create or replace function count_handoff() returns trigger language plpgsql as $$
declare
  over boolean := new.handling_mode = 'human' or new.resolution is not distinct from 'escalated';
begin
  with ended as (
    update conversation_agent set ended_at = clock_timestamp()
    where tenant_id = new.tenant_id and conversation_id = new.id and ended_at is null
    returning agent_id
  )
  insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad)
  select new.tenant_id, new.workspace_id, 'handoff', 'agent', e.agent_id::text, 1, over::integer, over from ended e;
  return null;
end $$;

create or replace trigger count_handoff after update of handling_mode, status on conversation
  for each row when (
    new.assisted and new.redacted_at is null and old.handling_mode = 'assistant'
    and (new.handling_mode = 'human'
      or (new.status = 'resolved' and old.status <> 'resolved'
        and coalesce(new.resolution, '') not in ('spam', 'duplicate'))))
  execute function count_handoff();
