-- Finds contacts or accounts by name, external id, email address or phone number. Classes: 0 the query is one of them,
-- 1 all words are in there, 2 with a typing mistake in a word.
-- `workspaces` are the workspaces that the caller may see (null: all). A contact appears in the workspaces of its
-- conversations, an account in those of its contacts, and both to the caller that created them (`self`). The two
-- conditions are written out because a function would be called for each candidate. `offset 0` keeps PostgreSQL from
-- reading everyone who appears in a workspace to check a few candidates.
create or replace function search_directory(of_kind text, query text, self uuid, workspaces uuid[])
returns table (id uuid, class integer)
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  folded text := btrim(search_fold(query));
  -- A number is found without its country, with or without the zero that replaces it, and however it is spaced.
  digits text := case
    when folded ~ '^[-+()./ 0-9]*$' then ltrim(regexp_replace(folded, '[^0-9]', '', 'g'), '0')
    else ''
  end;
  terms text[] := case
    when length(digits) > 2 then array[digits]
    else array(
      select t from (
        select distinct left(w, 60) as t from regexp_split_to_table(folded, '\s+') w where w <> '') w
      limit 8)
  end;
  wanted bigint[] := array(select distinct g from unnest(terms) t, unnest(directory_term(tenant, t)) g);
  looked_up bigint[] := array(select distinct g from unnest(terms) t, unnest(directory_cover(tenant, t)) g);
  whole bigint[] := array[hashtextextended('=' || folded, hashtextextended(tenant::text, 0))];
  found integer;
begin
  if tenant is null or terms = '{}' then return; end if;
  -- What the query is, whatever else it is a part of, and what has all of its words.
  return query
    select distinct f.id, f.class
    from (values (whole, true, 100), (looked_up, false, 200)) g (grams, is_whole, most)
      cross join lateral (
        select e.id, case when is_one_of.them then 0 else 1 end as class
        from directory_entry e
          cross join lateral (select folded = any (string_to_array(e.text, E'\n')) as them) is_one_of
        where e.grams @> g.grams and e.tenant_id is not distinct from tenant and e.kind = of_kind
          and case when g.is_whole then is_one_of.them
            else not exists (select from unnest(terms) t where position(t in e.text) = 0) end
          and (workspaces is null or e.created_by = self or case e.kind
            when 'contact' then exists (
              select from contact_workspace p
              where p.tenant_id = tenant and p.contact_id = e.id and p.workspace_id = any (workspaces))
            else exists (
              select from contact k
              join contact_workspace p on p.tenant_id = k.tenant_id and p.contact_id = k.id
              where k.tenant_id = tenant and k.account_id = e.id
                and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
                and p.workspace_id = any (workspaces))
            end)
        limit g.most) f;
  get diagnostics found = row_count;
  if found >= 10 or length(digits) > 2
    or not exists (select from unnest(terms) t where directory_slips(tenant, t) <> '{}')
  then
    return;
  end if;
  return query execute format($q$
    select e.id, 2 from directory_entry e
    where %s and not e.grams @> $1 and e.tenant_id is not distinct from $2 and e.kind = $3
      and ($4 is null or e.created_by = $5 or case e.kind
        when 'contact' then exists (
          select from contact_workspace p
          where p.tenant_id = $2 and p.contact_id = e.id and p.workspace_id = any ($4) offset 0)
        else exists (
          select from contact k
          join contact_workspace p on p.tenant_id = k.tenant_id and p.contact_id = k.id
          where k.tenant_id = $2 and k.account_id = e.id
            and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
            and p.workspace_id = any ($4) offset 0)
        end)
    limit 100$q$,
    (
      select string_agg(
        format(
          '(e.grams @> %L::bigint[] or e.grams && %L::bigint[])',
          directory_term(tenant, t), directory_slips(tenant, t)),
        ' and ')
      from unnest(terms) t))
    using wanted, tenant, of_kind, workspaces, self;
end $$;
revoke all on function search_directory(text, text, uuid, uuid[]) from public;
grant execute on function search_directory(text, text, uuid, uuid[]) to parley_app;
