-- The text filter of the list of cases. A trigger keeps case_entry, so a case is found as soon as it is committed, and
-- a text that was removed is gone in the same transaction. As in the search of conversations, whose words these are,
-- the table has no row-level security, which would keep the operators out of the index; the application's role can
-- neither read nor write it.

-- What the index holds of a case: each word twice, with its span of days and without (see search_tokens). What the list
-- filters by is in there as words too: the index then finds a rare word in a common status without reading either.
create or replace function search_case_tokens(
  tenant uuid, workspace uuid, at timestamptz, status text, assignee uuid, contact uuid, words text
) returns tsvector language plpgsql immutable parallel safe set search_path = public, pg_temp as $$
declare
  plain text := concat_ws(' /', words, right(workspace::text, 8), status, 'a' || assignee, 'c' || contact);
  of_span text := search_scope('c', search_span(at), tenant);
  of_all text := search_scope('c', null, tenant);
begin
  return array_to_tsvector(string_to_array(
    of_span || replace(plain, ' ', ' ' || of_span) || ' ' || of_all || replace(plain, ' ', ' ' || of_all), ' '));
end $$;

-- Writes the entry of a case. Of very long fields, as many words as the index takes are found: a tsvector has at most a
-- megabyte, and holds each word twice, with a prefix.
create or replace function search_case_refresh(c support_case) returns void
language sql set search_path = public, pg_temp as $$
  insert into case_entry (tenant_id, id, workspace_id, at, status, assignee_id, contact_id, words)
  select c.tenant_id, c.id, c.workspace_id, c.created_at, c.status, c.assignee_id, c.contact_id,
    concat_ws(' ', '#' || c.number, string_agg(w.word, ' ' order by w.position))
  from (
    select w.word, w.position, sum(2 * octet_length(w.word) + 32) over (order by w.position) as bytes
    from (
      select left(w.word, 60) as word, min(w.position) as position
      from unnest(search_words(concat_ws(E'\n', c.title, (
        select string_agg(f.value #>> '{}', E'\n' order by f.key) from jsonb_each(c.fields) f
        where jsonb_typeof(f.value) in ('string', 'number'))))) with ordinality w (word, position)
      group by 1 order by 2 limit 10000) w) w
  where w.bytes < 900000
  on conflict (tenant_id, id) do update set status = excluded.status, assignee_id = excluded.assignee_id,
    contact_id = excluded.contact_id, words = excluded.words
$$;
revoke all on function search_case_refresh(support_case) from public;

create or replace function derive_search_case(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform search_case_refresh(c) from support_case c
  where c.tenant_id = of_tenant and c.id = (given ->> 'case')::uuid for share;
end $$;
revoke all on function derive_search_case(uuid, jsonb) from public;

create or replace function search_case() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_setting('app.derived', true) = 'later' then
    delete from case_entry e where e.tenant_id = new.tenant_id and e.id = new.id;
    perform derive_later('search_case', new.tenant_id, jsonb_build_object('case', new.id));
  elsif tg_op = 'UPDATE' and (new.title, new.fields) is not distinct from (old.title, old.fields) then
    update case_entry e set status = new.status, assignee_id = new.assignee_id, contact_id = new.contact_id
      where e.tenant_id = new.tenant_id and e.id = new.id;
  else
    perform search_case_refresh(new);
  end if;
  return null;
end $$;
revoke all on function search_case() from public;
create or replace trigger search after insert or update of title, fields, status, assignee_id, contact_id
  on support_case for each row execute function search_case();

-- What one typed word matches, as a part of a template (see search_operand): the words that begin with it, and the
-- number of the case. A word of up to three letters is a whole word, unless it is the last one; of up to three figures,
-- it is a whole word always, or "17" would find a case with the order number 1700 before case 17.
create or replace function search_case_operand(term text, is_last boolean) returns text
language plpgsql immutable parallel safe as $$
begin
  if term ~ '^[0-9]+$' then
    return format('(''§%s''%s|''§#%s'')', term, case when length(term) > 3 then ':*' else '' end, ltrim(term, '0'));
  end if;
  if octet_length(term) > length(term)
    and term ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
      '\U00020000-\U0003ffff]'
  then
    return '''§' || term || case when length(term) = 1 then ''':*' else '''' end;
  end if;
  return '''§' || term || case
    when length(term) > 3 or (is_last and length(term) > 1) then ''':*'
    else ''''
  end;
end $$;

-- The newest cases behind a position of the list that have every word of the query, or the number `#17`: the first `most`
-- of them, and more if there are few of them. `workspaces` are those that are searched; `narrow` says that they are not
-- all of the tenant's. `among`, if it is not null, are the only cases that count.
-- Frequent words are found span by span, the newest first. Words that sixteen spans have too little of are looked up over
-- all time. If there they are in more than 1,000 cases, the older spans are read, too.
create or replace function search_cases(
  query text, workspaces uuid[], narrow boolean, of_status text, of_assignee uuid, of_contact uuid, among uuid[],
  before_at timestamptz, before_id uuid, most integer
) returns table (id uuid) language plpgsql stable security definer rows 50 set search_path = public, pg_temp
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  terms text[] := search_terms(query);
  wanted text := case
    when query ~ '^\s*#\s*[0-9]+\s*$' then '''§#' || ltrim(terms[1], '0') || ''''
    else (
      select string_agg(search_case_operand(t, position = cardinality(terms)), '&' order by position)
      from unnest(terms) with ordinality w (t, position))
  end;
  template text := wanted || case
    when narrow and cardinality(workspaces) between 1 and 32
    then '&(' || (select string_agg('''§/' || right(p::text, 8) || '''', '|') from unnest(workspaces) p) || ')'
    else ''
  end || coalesce('&''§/' || of_status || '''', '') || coalesce('&''§/a' || of_assignee || '''', '')
    || coalesce('&''§/c' || of_contact || '''', '');
  newest integer;
  oldest integer;
  rare uuid[];
  rare_at timestamptz[];
  hits integer;
  total integer := 0;
begin
  if tenant is null or terms = '{}' or workspaces = '{}' then return; end if;
  if among is not null then
    return query
      select e.id from case_entry e
      where e.tenant_id = tenant and e.id = any (among)
        and array_to_tsvector(string_to_array(e.words, ' ')) @@ replace(wanted, '§', '')::tsquery;
    return;
  end if;
  select search_span(max(e.at)), search_span(min(e.at)) into newest, oldest from case_entry e
    where e.tenant_id = tenant;
  if newest is null then return; end if;
  newest := least(newest, search_span(before_at));
  for span in reverse newest .. oldest loop
    if span = newest - 16 then
      select array_agg(f.id), array_agg(f.at) into rare, rare_at
      from (
        select e.id, e.at from case_entry e
        where search_case_tokens(e.tenant_id, e.workspace_id, e.at, e.status, e.assignee_id, e.contact_id, e.words)
            @@ replace(template, '§', search_scope('c', null, tenant))::tsquery
          and e.tenant_id is not distinct from tenant and e.workspace_id = any (workspaces)
        limit 1001) f;
      if rare is null or cardinality(rare) <= 1000 then
        return query select f.id from unnest(rare, rare_at) f (id, at) where search_span(f.at) <= span;
        return;
      end if;
    end if;
    return query
      select e.id from case_entry e
      where search_case_tokens(e.tenant_id, e.workspace_id, e.at, e.status, e.assignee_id, e.contact_id, e.words)
          @@ replace(template, '§', search_scope('c', span, tenant))::tsquery
        and e.tenant_id is not distinct from tenant and e.workspace_id = any (workspaces)
        and (before_at is null or (e.at, e.id) < (before_at, before_id))
      order by e.at desc, e.id desc limit most - total;
    get diagnostics hits = row_count;
    total := total + hits;
    exit when total >= most;
  end loop;
end $$;
revoke all on function search_cases(text, uuid[], boolean, text, uuid, uuid, uuid[], timestamptz, uuid, integer)
  from public;
grant execute on function search_cases(text, uuid[], boolean, text, uuid, uuid, uuid[], timestamptz, uuid, integer)
  to parley_app;

-- The index is here because it calls search_case_tokens, which the migrations do not know. If you change what a case's
-- tokens are, drop the index in a migration; it is built anew here.
create index if not exists case_entry_words on case_entry
  using gin (search_case_tokens(tenant_id, workspace_id, at, status, assignee_id, contact_id, words))
  with (gin_pending_list_limit = 64);
