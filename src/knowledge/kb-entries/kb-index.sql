-- The search index of knowledge base entries: kb_question holds the questions of pending and approved entries, and under number 0
-- the beginning of the answer; kb_posting lists the entries of each term. Triggers keep it in the transaction that changes an entry.

-- Removes an entry from the index. Its questions can be listed under hundreds of terms. The postings are looked up by
-- their key whatever the planner thinks of the tables' sizes, so sequential scans are off.
create or replace function kb_unindex(of_tenant uuid, of_entry uuid) returns void
language plpgsql set enable_seqscan = off as $$
declare
  gone record;
begin
  for gone in
    with questions as (delete from kb_question where tenant_id = of_tenant and entry_id = of_entry returning *)
    select q.workspace_id, q.approved, array_agg(distinct t.term) as terms
    from questions q, unnest(q.terms) t (term) group by 1, 2
  loop
    delete from kb_posting p
      where p.tenant_id = of_tenant and p.workspace_id = gone.workspace_id and p.approved = gone.approved
        and p.term = any (gone.terms) and p.entry_id = of_entry;
  end loop;
end $$;

-- Adds an entry to the index. A term lists an entry once, with the numbers of those of its questions that have the
-- term, so the list stays short where an entry has many questions.
create or replace function kb_index(of kb_entry, language text) returns void language sql as $$
  with added as (
    insert into kb_question (tenant_id, entry_id, n, workspace_id, approved, said, valid_until, terms)
    select of.tenant_id, of.id, q.n, of.workspace_id, of.status = 'approved', q.said, of.valid_until,
      kb_terms(kb_config(language), q.said)
    from (
      select said, min(n) as n
      from unnest(of.question || of.alternate_questions) with ordinality u (said, n) group by said) q
    where of.status in ('approved', 'pending')
    returning *
  ), told as (
    -- For its meaning only: without terms no word finds it.
    insert into kb_question (tenant_id, entry_id, n, workspace_id, approved, said, valid_until, terms)
    select of.tenant_id, of.id, 0, of.workspace_id, of.status = 'approved', left(of.answer, 640), of.valid_until, '{}'
    where of.status in ('approved', 'pending')
  )
  insert into kb_posting (tenant_id, workspace_id, approved, term, entry_id, ns)
  select a.tenant_id, a.workspace_id, a.approved, t.term, a.entry_id, array_agg(a.n::smallint order by a.n)
  from added a, unnest(a.terms) t (term) group by 1, 2, 3, 4, 5
$$;

create or replace function kb_entry_indexed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform kb_unindex(old.tenant_id, old.id); end if;
  if tg_op = 'DELETE' then return old; end if;
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('kb_index', new.tenant_id, jsonb_build_object('entry', new.id));
    return new;
  end if;
  perform kb_index(new, (
    select w.primary_language from workspace w where w.tenant_id = new.tenant_id and w.id = new.workspace_id));
  return new;
end $$;

create or replace function derive_kb_index(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform kb_unindex(e.tenant_id, e.id), kb_index(e, w.primary_language)
  from kb_entry e join workspace w on w.tenant_id = e.tenant_id and w.id = e.workspace_id
  where e.tenant_id = of_tenant and e.id = (given ->> 'entry')::uuid for share;
end $$;
revoke all on function derive_kb_index(uuid, jsonb) from public;

create or replace trigger indexed after insert on kb_entry
  for each row execute function kb_entry_indexed();

create or replace trigger indexed_again after update on kb_entry
  for each row when (
    (old.status, old.question, old.alternate_questions, old.answer, old.valid_until)
    is distinct from (new.status, new.question, new.alternate_questions, new.answer, new.valid_until))
  execute function kb_entry_indexed();

-- Before the deletion: the questions, which say what to remove, are deleted by the cascade.
create or replace trigger indexed_no_more before delete on kb_entry
  for each row execute function kb_entry_indexed();

-- Rebuilds the index of a workspace. Its language decides how words are inflected, so the application calls this when
-- the language changes.
create or replace function kb_reindex(of_tenant uuid, of_workspace uuid, in_language text) returns void
language plpgsql as $$
begin
  perform kb_unindex(e.tenant_id, e.id), kb_index(e, in_language)
    from kb_entry e where e.tenant_id = of_tenant and e.workspace_id = of_workspace;
end $$;
