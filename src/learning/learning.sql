-- What the assistant missed becomes evidence once a person has answered it and the conversation is resolved.

-- Notes the conversation in the transaction that resolves it, by whichever way. Only where the assistant did not answer
-- everything since the last resolution.
create or replace function keep_learning_due() returns trigger language plpgsql as $$
begin
  if old.status = 'resolved' or new.redacted_at is not null or coalesce(new.resolution, 'answered') <> 'answered'
    or not exists (
      select from assistant_run r
      where r.tenant_id = new.tenant_id and r.conversation_id = new.id and r.sequence > old.context_from
        and r.outcome is distinct from 'answered')
  then return null; end if;
  insert into learning_due as d (tenant_id, conversation_id, after_sequence, until_sequence, due_at)
  values (new.tenant_id, new.id, old.context_from, new.last_sequence, clock_timestamp())
  on conflict (tenant_id, conversation_id) do update set
    after_sequence = least(d.after_sequence, excluded.after_sequence), until_sequence = excluded.until_sequence,
    due_at = excluded.due_at, revision = d.revision + 1;
  return null;
end $$;

create or replace trigger learn_from_resolution after update of status on conversation
  for each row when (new.status = 'resolved') execute function keep_learning_due();

-- What becomes of the evidence of an entry that is deleted. A person who deletes it does not want it, and the evidence goes
-- along. An erasure deletes a proposal that rests on the erased contact's words too: what other contacts contributed is free
-- again, and is looked at anew.
create or replace function release_evidence() returns trigger language plpgsql as $$
declare
  erased boolean := old.status = 'pending' and exists (
    select from learning_evidence v
      join conversation c on c.tenant_id = v.tenant_id and c.id = v.conversation_id
      join erased_contact e on e.tenant_id = c.tenant_id and e.id = c.contact_id
    where v.tenant_id = old.tenant_id and v.entry_id = old.id);
begin
  if not erased then
    delete from learning_evidence where tenant_id = old.tenant_id and entry_id = old.id;
    return old;
  end if;
  with freed as (
    update learning_evidence set entry_id = null where tenant_id = old.tenant_id and entry_id = old.id
    returning tenant_id, conversation_id
  )
  insert into learning_due (tenant_id, conversation_id, after_sequence, until_sequence, due_at)
  select distinct f.tenant_id, f.conversation_id, 0, 0, clock_timestamp() from freed f
  on conflict (tenant_id, conversation_id) do nothing;
  return old;
end $$;

create or replace trigger learning_evidence_released before delete on kb_entry
  for each row when (old.source = 'learning' or old.evidence <> '[]') execute function release_evidence();
