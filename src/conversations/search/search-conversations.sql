-- The search of conversations. The application calls search_conversations; the other functions are its parts.
--
-- A query is first built as a template. In it, '§' is the prefix of the index (search_scope), and '…' is ':*' ("begins
-- with") where the newest spans are searched, and nothing where all time is searched.

-- The entries that match a template, the newest first: four spans, then twelve more if the newest four had some. What
-- the spans do not have at all, or not enough of, is rare, and is read without a span. One query over all spans would
-- have PostgreSQL compare every candidate with the words of each span.
create or replace function search_entries(
  template text, kind text, others text[], of_tenant uuid, workspaces uuid[], most integer, enough integer
) returns table (conversation_id uuid, id uuid, at timestamptz) language plpgsql stable as $$
declare
  latest integer := search_span(now());
  spans integer[] := array(select generate_series(latest, latest - 3, -1));
  hits integer;
  total integer := 0;
begin
  loop
    return query
      select f.* from unnest(spans) span cross join lateral (
        select * from (
          select e.conversation_id, e.id, e.at from search_entry e
          where search_tokens(e.tenant_id, e.conversation_id, e.id, e.workspace_id, e.at, e.words)
              @@ replace(
                replace(template, '§', search_scope(kind, span, of_tenant)),
                '…', case when span is null then '' else ':*' end)::tsquery
            and e.tenant_id is not distinct from of_tenant
            and (workspaces is null or e.workspace_id = any (workspaces))
            and (others is null or ' ' || e.words || ' ' like all (others))
          limit 2000) e
        order by e.at desc limit most) f
      limit most - total;
    get diagnostics hits = row_count;
    total := total + hits;
    exit when total >= most or spans = '{null}' or (total >= enough and spans[1] < latest);
    spans := case
      when hits > 0 and spans[1] = latest then array(select generate_series(latest - 4, latest - 15, -1))
      else '{null}'
    end;
  end loop;
end $$;

-- What one typed word matches, as a part of the template: the words that begin with it.
-- Up to 32 known words are named one by one, since "begins with" makes the index read everything that has the
-- beginning before it looks at anything else. Where there are more, the beginning counts among the newest spans alone
-- if there are other words in the query. The same holds for a short word at the end; other short words match only
-- themselves. In scripts without spaces, a single character is the beginning of a pair.
create or replace function search_operand(of_tenant uuid, term text, is_last boolean, is_only boolean) returns text
language plpgsql stable as $$
declare
  known text[];
begin
  if octet_length(term) > length(term)
    and term ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
      '\U00020000-\U0003ffff]'
  then
    return '''§' || term || case when length(term) = 1 then ''':*' else '''' end;
  end if;
  if length(term) < 4 then
    return '''§' || term || case
      when not is_last or length(term) = 1 then ''''
      when is_only then ''':*'
      else '''…'
    end;
  end if;
  if term ~ '[0-9]' then return '''§' || term || ''':*'; end if;
  known := array(
    select word from search_word w
    where w.tenant_id = of_tenant
      and w.word > term collate "C" and w.word < (term || chr(1114111)) collate "C"
    limit 33);
  if cardinality(known) = 33 then return '''§' || term || case when is_only then ''':*' else '''…' end; end if;
  return '''§' || array_to_string(term || known, '''|''§') || '''';
end $$;

-- Up to eight known words that are one typing mistake away from a word.
create or replace function search_similar(of_tenant uuid, term text) returns text[] language plpgsql stable as $$
declare
  of_term bigint[] := search_slips(of_tenant, term);
begin
  if length(term) < 4 then return '{}'; end if;
  return array(
    select w.word from search_word w
    where w.slips && of_term and w.tenant_id is not distinct from of_tenant and w.word <> term
    order by (select count(*) from unnest(w.slips) slip where slip = any (of_term)) desc, w.word
    limit 8);
end $$;

-- Finds conversations in `workspaces` (null: all of the tenant's), by words of their messages, subject and,
-- if `contacts`, of their contact. Classes: 0 subject or contact, 1 a message, 2 some words in each, 3 similar words,
-- which `near` lists. The tenant is the one that is set for the transaction; without one, nothing is found.
-- The index looks for the four longest words. Whether the others are there too is checked in what it finds.
create or replace function search_conversations(query text, contacts boolean, workspaces uuid[])
returns table (conversation_id uuid, message_id uuid, class integer, near text[])
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  terms text[] := search_terms(query);
  operands text[] := array(
    select search_operand(tenant, t, position = cardinality(terms), cardinality(terms) = 1)
    from unnest(terms) with ordinality w (t, position) order by position);
  -- A word may be one of the contact's, if the caller may see contacts.
  or_contact text := case when contacts then '''§\1''\2|''§@\1''\2' else '\&' end;
  workspace_clause text := case
    when cardinality(workspaces) between 1 and 8
    then '&(' || (select string_agg('''§/' || right(p::text, 8) || '''', '|') from unnest(workspaces) p) || ')'
    else ''
  end;
  phone text := case
    when contacts and query ~ '^[-+()./ 0-9]*$'
    then nullif(ltrim(regexp_replace(query, '[^0-9]', '', 'g'), '0'), '')
  end;
  longest integer[] := array(
    select position from unnest(terms) with ordinality w (t, position) order by length(t) desc, position limit 4);
  others text[] := array(
    select '% ' || t || case
      when length(t) > 3 or octet_length(t) > length(t) or position = cardinality(terms) then '%'
      else ' %'
    end
    from unnest(terms) with ordinality w (t, position) where position <> all (longest));
  in_heads text := regexp_replace(
    '(' || array_to_string(operands, ')&(') || ')', '''§([^'']+)''(:\*|…|)', or_contact, 'g');
  -- The more words a query has, the likelier its hits are what was meant, and the longer it takes to look for more.
  enough integer := 25 / greatest(cardinality(terms), 1);
  similar_words text[];
  hits integer;
  more integer := 0;
begin
  if tenant is null or terms = '{}' or workspaces = '{}' then return; end if;
  return query
    select e.conversation_id, (array_agg(e.id order by e.at desc) filter (where e.kind = 1))[1], min(e.kind),
      null::text[]
    from (
      select 0 as kind, h.* from search_entries(
        format('((%s%s)%s)', in_heads, '|''§@' || phone || ''':*', workspace_clause),
        'h', null, tenant, workspaces, 40, enough) h
      union all
      select 1, m.* from search_entries(
        format('(%s%s)', (select string_agg('(' || operands[n] || ')', '&') from unnest(longest) n), workspace_clause),
        'm', others, tenant, workspaces, 80, enough) m) e
    group by e.conversation_id;
  get diagnostics hits = row_count;
  if hits >= 10 then return; end if;

  -- Some words in the subject or the contact, the others in messages.
  if cardinality(terms) > 1 then
    return query
      select h.conversation_id, (
          select m.id from search_entry m
          where m.tenant_id = tenant and m.conversation_id = h.conversation_id and m.id <> m.conversation_id
            and array_to_tsvector(string_to_array(m.words, ' '))
              @@ translate(array_to_string(operands, '|'), '§…', '')::tsquery
          order by m.at desc limit 1), 2, null::text[]
      from (
        select s.conversation_id from search_entries(
          format('((%s)%s)', replace(in_heads, ')&(', ')|('), workspace_clause),
          'h', null, tenant, workspaces, 25, 25) s) h
      where array_to_tsvector(string_to_array((
          select string_agg(m.words, ' ')
          from (
            select e.words from search_entry e
            where e.tenant_id = tenant and e.conversation_id = h.conversation_id limit 100) m), ' '))
        @@ translate(in_heads, '§…', '')::tsquery;
    get diagnostics more = row_count;
  end if;
  if hits + more >= 5 then return; end if;

  -- Words that are one typing mistake away from what was typed.
  near := '{}';
  for n in 1 .. cardinality(terms) loop
    similar_words := case when n = any (longest) then search_similar(tenant, terms[n]) else '{}' end;
    near := near || similar_words;
    operands[n] := operands[n]
      || array_to_string(array(select format('|''§%s''', s) from unnest(similar_words) s), '');
  end loop;
  if near = '{}' then return; end if;
  in_heads := regexp_replace(
    '(' || array_to_string(operands, ')&(') || ')', '''§([^'']+)''(:\*|…|)', or_contact, 'g');
  return query
    select e.conversation_id, (array_agg(e.id order by e.at desc) filter (where e.kind = 1))[1], 3,
      search_conversations.near
    from (
      select 0 as kind, h.* from search_entries(
        format('(%s%s)', in_heads, workspace_clause), 'h', null, tenant, workspaces, 50, enough) h
      union all
      select 1, m.* from search_entries(
        format('(%s%s)', (select string_agg('(' || operands[n] || ')', '&') from unnest(longest) n), workspace_clause),
        'm', others, tenant, workspaces, 50, enough) m) e
    group by e.conversation_id;
end $$;
revoke all on function search_conversations(text, boolean, uuid[]) from public;
grant execute on function search_conversations(text, boolean, uuid[]) to parley_app;
