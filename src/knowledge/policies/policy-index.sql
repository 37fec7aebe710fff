-- The search index of policies: policy_text holds the lines of pending and approved policies, policy_posting lists the
-- policies of each term, and policy_tool those of each tool. Triggers keep it in the transaction that changes a policy.

-- Removes a policy from the index. Its lines can be listed under hundreds of terms. The postings are looked up by
-- their key whatever the planner thinks of the tables' sizes, so sequential scans are off.
create or replace function policy_unindex(of_tenant uuid, of_entry uuid) returns void
language plpgsql set enable_seqscan = off as $$
declare
  gone record;
begin
  delete from policy_tool where tenant_id = of_tenant and entry_id = of_entry;
  for gone in
    with texts as (delete from policy_text where tenant_id = of_tenant and entry_id = of_entry returning *)
    select x.workspace_id, x.approved, array_agg(distinct t.term) as terms
    from texts x, unnest(x.terms) t (term) group by 1, 2
  loop
    delete from policy_posting p
      where p.tenant_id = of_tenant and p.workspace_id = gone.workspace_id and p.approved = gone.approved
        and p.term = any (gone.terms) and p.entry_id = of_entry;
  end loop;
end $$;

-- Adds a policy to the index: its title, then the lines of its rule, 100 in all. Each is found by itself. An approved
-- policy without tools applies to all tools, which is the tool '*'.
create or replace function policy_index(of policy_entry, language text) returns void language sql as $$
  with added as (
    insert into policy_text (tenant_id, entry_id, n, workspace_id, approved, said, valid_until, terms)
    select of.tenant_id, of.id, q.n, of.workspace_id, of.status = 'approved', q.said, of.valid_until,
      kb_terms(kb_config(language), q.said)
    from (
      select left(btrim(said), 2000) as said, min(n) as n
      from unnest(of.title || regexp_split_to_array(of.rule, '\n')) with ordinality u (said, n)
      where btrim(said) <> '' group by 1 order by 2 limit 100) q
    where of.status in ('approved', 'pending')
    returning *
  )
  insert into policy_posting (tenant_id, workspace_id, approved, term, entry_id, ns)
  select a.tenant_id, a.workspace_id, a.approved, t.term, a.entry_id, array_agg(a.n::smallint order by a.n)
  from added a, unnest(a.terms) t (term) group by 1, 2, 3, 4, 5;

  insert into policy_tool (tenant_id, workspace_id, tool, entry_id)
  select of.tenant_id, of.workspace_id, t.tool, of.id
  from unnest(case when of.tools = '{}' then '{*}' else of.tools end) t (tool) where of.status = 'approved'
$$;

create or replace function policy_entry_indexed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform policy_unindex(old.tenant_id, old.id); end if;
  if tg_op = 'DELETE' then return old; end if;
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('policy_index', new.tenant_id, jsonb_build_object('entry', new.id));
    return new;
  end if;
  perform policy_index(new, (
    select w.primary_language from workspace w where w.tenant_id = new.tenant_id and w.id = new.workspace_id));
  return new;
end $$;

create or replace function derive_policy_index(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform policy_unindex(e.tenant_id, e.id), policy_index(e, w.primary_language)
  from policy_entry e join workspace w on w.tenant_id = e.tenant_id and w.id = e.workspace_id
  where e.tenant_id = of_tenant and e.id = (given ->> 'entry')::uuid for share;
end $$;
revoke all on function derive_policy_index(uuid, jsonb) from public;

create or replace trigger indexed after insert on policy_entry
  for each row execute function policy_entry_indexed();

create or replace trigger indexed_again after update on policy_entry
  for each row when (
    (old.status, old.title, old.rule, old.tools, old.valid_until)
    is distinct from (new.status, new.title, new.rule, new.tools, new.valid_until))
  execute function policy_entry_indexed();

-- Before the deletion: the texts, which say what to remove, are deleted by the cascade.
create or replace trigger indexed_no_more before delete on policy_entry
  for each row execute function policy_entry_indexed();

-- Rebuilds the index of a workspace. Its language decides how words are inflected, so the application calls this when
-- the language changes.
create or replace function policy_reindex(of_tenant uuid, of_workspace uuid, in_language text) returns void
language plpgsql as $$
begin
  perform policy_unindex(e.tenant_id, e.id), policy_index(e, in_language)
    from policy_entry e where e.tenant_id = of_tenant and e.workspace_id = of_workspace;
end $$;
