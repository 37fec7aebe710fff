-- What contacts and accounts are found by: directory_entry holds their names, ids and addresses, and the parts of
-- those. As in the search of conversations, the table has no row-level security, which would keep the operators out of
-- the index; the application's role can neither read nor write it. Triggers write it as the owner.

-- A contact appears in the workspaces of its conversations.
create or replace function keep_contact_workspace() returns trigger language plpgsql as $$
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('contact_workspace', new.tenant_id, jsonb_build_object('conversation', new.id));
    return null;
  end if;
  insert into contact_workspace (
    tenant_id, contact_id, workspace_id, contact_created_at, contact_last_seen_at, contact_sort_name)
  select k.tenant_id, k.id, new.workspace_id, k.created_at, k.last_seen_at, k.sort_name from contact k
  where k.tenant_id = new.tenant_id and k.id = new.contact_id
  on conflict do nothing;
  return null;
end $$;
create or replace function derive_contact_workspace(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into contact_workspace (
    tenant_id, contact_id, workspace_id, contact_created_at, contact_last_seen_at, contact_sort_name)
  select k.tenant_id, k.id, c.workspace_id, k.created_at, k.last_seen_at, k.sort_name
  from conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id
  where c.tenant_id = of_tenant and c.id = (given ->> 'conversation')::uuid
    and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
  for share of k
  on conflict do nothing
$$;
revoke all on function derive_contact_workspace(uuid, jsonb) from public;
create or replace trigger contact_workspace after insert or update of contact_id on conversation
  for each row execute function keep_contact_workspace();

-- Hashes that two words share if they are one typing mistake apart: double letters are taken as one, then each letter
-- is left out in turn. Words with digits and very short or long words have none.
create or replace function directory_slips(of_tenant uuid, word text) returns bigint[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct hashtextextended(
    '~' || left(w, i - 1) || substr(w, i + 1), hashtextextended(of_tenant::text, 0))), '{}')
  from regexp_replace(word, '(.)\1', '\1', 'g') w, generate_series(1, length(w) + 1) i
  where length(word) between 4 and 24 and word !~ '[0-9]'
$$;

-- The hashed parts of an entry's text: all parts of three characters (of two, where a character is not ASCII), the
-- beginnings of words ('^'), and the slips of names ('~'), but not of email addresses, and each whole line ('='). ASCII
-- punctuation and white space separate the parts of a word.
create or replace function directory_grams(of_tenant uuid, folded text) returns bigint[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct hashtextextended(g, seed)), '{}')
  from hashtextextended(of_tenant::text, 0) seed, lateral (
    select substr(w, i, 3) as g
    from string_to_table(replace(folded, E'\n', ' '), ' ') w, generate_series(1, length(w) - 2) i
    union all
    select substr(w, i, 2)
    from string_to_table(replace(folded, E'\n', ' '), ' ') w, generate_series(1, length(w) - 1) i
    where octet_length(folded) > length(folded) and octet_length(w) > length(w)
    union all
    select '^' || left(w, n)
    from string_to_table(replace(folded, E'\n', ' '), ' ') w, generate_series(1, 2) n where length(w) >= n
    union all
    select '=' || line from string_to_table(folded, E'\n') line
    union all
    select p.g
    from string_to_table(folded, E'\n') line,
      regexp_split_to_table(line, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f\s]+') part,
      lateral (
        select '^' || left(part, n) as g from generate_series(1, 2) n where length(part) >= n
        union all
        select '~' || left(w, i - 1) || substr(w, i + 1)
        from regexp_replace(part, '(.)\1', '\1', 'g') w, generate_series(1, length(w) + 1) i
        where length(part) between 4 and 24 and position('@' in line) = 0 and part !~ '[0-9]') p) grams
$$;

-- The parts of a typed word, all of which an entry must have. A shorter word is the beginning of one.
create or replace function directory_term(of_tenant uuid, term text) returns bigint[]
language sql immutable strict parallel safe as $$
  select array_agg(distinct hashtextextended(g, hashtextextended(of_tenant::text, 0)))
  from (
    select substr(term, i, 3) as g from generate_series(1, length(term) - 2) i
    union all
    select case when length(term) = 2 and octet_length(term) > 2 then term else '^' || term end
    where length(term) < 3) grams
$$;

-- The parts that are looked up for a typed word: every third one and the last, which cover it. The search compares the
-- text of what it finds with the word, so all the parts would find the same. Each part that is looked up costs.
create or replace function directory_cover(of_tenant uuid, term text) returns bigint[]
language sql immutable strict parallel safe as $$
  select case
    when length(term) < 6 then directory_term(of_tenant, term)
    else array(
      select distinct hashtextextended(substr(term, i, 3), hashtextextended(of_tenant::text, 0))
      from generate_series(1, length(term) - 2) i where i % 3 = 1 or i = length(term) - 2)
  end
$$;

-- Brings the entries of contacts up to date. An entry whose text is as it was is not written again, though a contact
-- and its addresses come in one statement: its parts are what costs.
create or replace function directory_refresh_contacts(of_tenant uuid, ids uuid[]) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  -- An array and no join: before the first `analyze`, a join read all contacts of the tenant for each of an import.
  delete from directory_entry e
    where e.tenant_id = of_tenant and e.id = any (array(
      select r.id from contact r where r.tenant_id = of_tenant and r.id = any (ids)
        and (r.erased_at is not null or r.deleted_at is not null or r.merged_into_id is not null)));
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('directory_contact', of_tenant, jsonb_build_object('contact', id)) from unnest(ids) id;
    return;
  end if;
  insert into directory_entry (tenant_id, id, kind, created_by, text, grams)
  select r.tenant_id, r.id, 'contact', r.created_by, t.text, directory_grams(r.tenant_id, t.text)
  from contact r
  cross join lateral (
    select search_fold(translate(concat_ws(E'\n', r.name, r.external_id, (
      select string_agg(p.value, E'\n' order by p.kind, p.position) from contact_point p
      where p.tenant_id = r.tenant_id and p.contact_id = r.id)), E'\t', ' ')) as text) t
  left join directory_entry e on e.tenant_id = r.tenant_id and e.id = r.id
  where r.tenant_id = of_tenant and r.id = any (ids)
    and r.erased_at is null and r.deleted_at is null and r.merged_into_id is null
    and t.text is distinct from e.text
  on conflict (tenant_id, id) do update set text = excluded.text, grams = excluded.grams;
end $$;

create or replace function derive_directory_contact(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform directory_refresh_contacts(r.tenant_id, array[r.id]) from contact r
  where r.tenant_id = of_tenant and r.id = (given ->> 'contact')::uuid for share;
end $$;
revoke all on function derive_directory_contact(uuid, jsonb) from public;

-- The triggers run once a statement, so that an import of thousands of contacts pays once.
create or replace function directory_contact() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform directory_refresh_contacts(c.tenant_id, array_agg(c.id)) from changed c group by c.tenant_id;
    return null;
  end if;
  perform directory_refresh_contacts(c.tenant_id, array_agg(c.id))
  from changed c
  join before b on b.tenant_id = c.tenant_id and b.id = c.id
  where (c.name, c.external_id, c.erased_at, c.deleted_at, c.merged_into_id)
    is distinct from (b.name, b.external_id, b.erased_at, b.deleted_at, b.merged_into_id)
  group by c.tenant_id;
  delete from contact_workspace p using changed c
    where p.tenant_id = c.tenant_id and p.contact_id = c.id
      and (c.erased_at is not null or c.deleted_at is not null or c.merged_into_id is not null);
  return null;
end $$;
revoke all on function directory_contact() from public;
create or replace trigger directory_added after insert on contact
  referencing new table as changed for each statement execute function directory_contact();
create or replace trigger directory_changed after update on contact
  referencing old table as before new table as changed for each statement execute function directory_contact();

create or replace function directory_contact_point() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform directory_refresh_contacts(c.tenant_id, array_agg(distinct c.contact_id)) from changed c group by c.tenant_id;
  return null;
end $$;
revoke all on function directory_contact_point() from public;
create or replace trigger directory_added after insert on contact_point
  referencing new table as changed for each statement execute function directory_contact_point();
create or replace trigger directory_changed after update on contact_point
  referencing new table as changed for each statement execute function directory_contact_point();
create or replace trigger directory_removed after delete on contact_point
  referencing old table as changed for each statement execute function directory_contact_point();

create or replace function directory_refresh_account(a account) returns void
language sql set search_path = public, pg_temp as $$
  insert into directory_entry (tenant_id, id, kind, created_by, text, grams)
  select a.tenant_id, a.id, 'account', a.created_by, t.text, directory_grams(a.tenant_id, t.text)
  from (
    select search_fold(translate(concat_ws(
      E'\n', a.name, a.external_id, array_to_string(a.domains, E'\n')), E'\t', ' ')) as text) t
  on conflict (tenant_id, id) do update set text = excluded.text, grams = excluded.grams
$$;
revoke all on function directory_refresh_account(account) from public;

create or replace function derive_directory_account(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform directory_refresh_account(a) from account a
  where a.tenant_id = of_tenant and a.id = (given ->> 'account')::uuid for share;
end $$;
revoke all on function derive_directory_account(uuid, jsonb) from public;

create or replace function directory_account() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('directory_account', c.tenant_id, jsonb_build_object('account', c.id)) from changed c;
  else
    perform directory_refresh_account(c) from changed c;
  end if;
  return null;
end $$;
revoke all on function directory_account() from public;
create or replace trigger directory_added after insert on account
  referencing new table as changed for each statement execute function directory_account();
create or replace trigger directory_changed after update on account
  referencing new table as changed for each statement execute function directory_account();

create or replace function directory_account_gone() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from directory_entry e using changed c where e.tenant_id = c.tenant_id and e.id = c.id;
  return null;
end $$;
revoke all on function directory_account_gone() from public;
create or replace trigger directory_removed after delete on account
  referencing old table as changed for each statement execute function directory_account_gone();
