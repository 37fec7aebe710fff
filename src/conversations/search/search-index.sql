-- Keeps the search index of conversations. Triggers write it, so a text is found as soon as it is committed and a
-- removed text is gone in the same transaction, whatever statement wrote or removed it.
--
-- PostgreSQL takes an operator into an index under row-level security only if the operator is leakproof, and the
-- operators for words are not. So the words are in two tables without row-level security that the application's role
-- can neither read nor write. The triggers write them as the owner; search_conversations reads them as the owner.

-- Adds the words of an entry, if it has any. At most 10,000 of them are found, and at most as many as the index takes:
-- each is in a tsvector twice, with a prefix of up to 16 bytes, and a tsvector has at most a megabyte. Only in texts
-- that could have more are the bytes counted word by word. Words of the contact are marked with '@'. search_word learns
-- words that can be mistyped: letters alone, and more than three of them; at most 1,000 new ones of a text, because each
-- costs as much as a short message. The functions that call this one set the search_path.
create or replace function search_add(
  of_tenant uuid, conversation uuid, entry uuid, workspace uuid, at timestamptz, words text[], contact_words text[]
) returns void language plpgsql as $$
begin
  insert into search_entry (tenant_id, conversation_id, id, workspace_id, at, words)
  select of_tenant, conversation, entry, workspace, at, joined
  from array_to_string(array(
    select left(w, 60) from unnest(words) w union select '@' || left(w, 60) from unnest(contact_words) w limit 10000
  ), ' ') joined
  where joined <> '' and octet_length(joined) < 300000;
  if not found then
    insert into search_entry (tenant_id, conversation_id, id, workspace_id, at, words)
    select of_tenant, conversation, entry, workspace, at, string_agg(w, ' ')
    from (
      select w, sum(2 * octet_length(w) + 32) over (rows unbounded preceding) as bytes
      from (
        select left(w, 60) as w from unnest(words) w
        union select '@' || left(w, 60) from unnest(contact_words) w
        limit 10000) w) w
    where bytes < 1000000
    having count(*) > 0;
  end if;
  insert into search_word (tenant_id, word, conversation_id, entry_id, slips)
  select of_tenant, w, conversation, entry, case when length(w) > 24 then '{}' else search_slips(of_tenant, w) end
  from (select distinct left(w, 60) as w from unnest(words || contact_words) w) w
  where length(w) > 3 and w !~ '[0-9]'
    and not exists (select from search_word k where k.tenant_id = of_tenant and k.word = w)
  order by w limit 1000
  on conflict do nothing;
end $$;

create or replace function search_forget(of_tenant uuid, conversation uuid, entry uuid) returns void
language plpgsql as $$
begin
  delete from search_entry where tenant_id = of_tenant and conversation_id = conversation and id = entry;
  delete from search_word where tenant_id = of_tenant and conversation_id = conversation and entry_id = entry;
end $$;

create or replace function search_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then perform search_forget(old.tenant_id, old.conversation_id, old.id); end if;
  if tg_op = 'DELETE' or new.body = '' then return null; end if;
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('search_message', new.tenant_id, jsonb_build_object('message', new.id));
  else
    perform search_add(c.tenant_id, c.id, new.id, c.workspace_id, new.created_at, search_words(new.body), '{}')
    from conversation c where c.tenant_id = new.tenant_id and c.id = new.conversation_id;
  end if;
  return null;
end $$;
revoke all on function search_message() from public;
-- The lock waits for a removal of the text that is in progress.
create or replace function derive_search_message(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  it message%rowtype;
begin
  select * into it from message m where m.tenant_id = of_tenant and m.id = (given ->> 'message')::uuid for share;
  perform search_forget(c.tenant_id, c.id, it.id),
    search_add(c.tenant_id, c.id, it.id, c.workspace_id, it.created_at, search_words(it.body), '{}')
  from conversation c where c.tenant_id = of_tenant and c.id = it.conversation_id;
end $$;
revoke all on function derive_search_message(uuid, jsonb) from public;
create or replace trigger search after insert or delete or update of body on message
  for each row execute function search_message();

-- Indexes a conversation's subject, and the name and addresses of its contact. The conversations of a deleted contact
-- are not found by them. A phone number is found by each of its endings, because people leave out the country or the
-- area.
create or replace function search_head(of_tenant uuid, conversation uuid) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform search_forget(of_tenant, conversation, conversation);
  if current_setting('app.derived', true) = 'later' then
    perform derive_later('search_head', of_tenant, jsonb_build_object('conversation', conversation));
    return;
  end if;
  perform search_add(of_tenant, h.id, h.id, h.workspace_id, h.created_at, h.words, h.contact_words)
  from (
    select c.id, c.workspace_id, c.created_at, search_words(coalesce(c.subject, '')) as words,
      case
        when o.deleted_at is null then search_words(coalesce(o.name, '')) || array(
          select w
          from contact_point p, unnest(case p.kind
            when 'email' then search_words(p.value)
            else array(select substr(p.value, i) from generate_series(2, length(p.value) - 3) i)
          end) w
          where p.tenant_id = o.tenant_id and p.contact_id = o.id)
        else '{}'
      end as contact_words
    from conversation c
    join contact o on o.tenant_id = c.tenant_id and o.id = c.contact_id
    where c.tenant_id = of_tenant and c.id = conversation) h
  where h.words <> '{}' or h.contact_words <> '{}';
end $$;

create or replace function derive_search_head(of_tenant uuid, given jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform search_head(c.tenant_id, c.id)
  from conversation c join contact o on o.tenant_id = c.tenant_id and o.id = c.contact_id
  where c.tenant_id = of_tenant and c.id = (given ->> 'conversation')::uuid for share;
end $$;
revoke all on function derive_search_head(uuid, jsonb) from public;

create or replace function search_conversation() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform search_head(new.tenant_id, new.id);
  return null;
end $$;
revoke all on function search_conversation() from public;
create or replace trigger search after insert or update of subject, contact_id on conversation
  for each row execute function search_conversation();

-- For changes of a contact and of its addresses.
create or replace function search_contact() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform search_head(c.tenant_id, c.id) from conversation c
  where c.tenant_id = (changed ->> 'tenant_id')::uuid
    and c.contact_id = (changed ->> case tg_table_name when 'contact' then 'id' else 'contact_id' end)::uuid;
  return null;
end $$;
revoke all on function search_contact() from public;
create or replace trigger search after update of name, deleted_at on contact
  for each row execute function search_contact();
create or replace trigger search after insert or delete or update of value on contact_point
  for each row execute function search_contact();
