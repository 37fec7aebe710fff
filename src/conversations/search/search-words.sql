-- What a word is in the search of conversations. Texts and queries are split by the same functions.

-- Lower case without accents, with the letters that Unicode does not decompose spelt out (ø, ß, æ …). The last
-- character of `translate`'s first list is the final sigma.
create or replace function search_fold(t text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(t) = length(t) then return lower(t); end if;
  return replace(replace(replace(translate(
    lower(normalize(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g'), NFC)),
    'øłđðıς', 'olddiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
end $$;

-- The words of a text, in their order. Everything but digits and letters of any script ends a word. Thai, Lao,
-- Burmese, Khmer, Japanese and Chinese put no spaces between words (the class of characters that is repeated below):
-- their text is taken in pairs of characters, and the last character alone, so that one character can be found.
create or replace function search_words(t text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  plain text := btrim(regexp_replace(
    search_fold(t),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u0964\u2000-\u2bff\u3000-\u3004'
    '\u3007-\u3020\u3030\u30fb\ufe00-\ufe6f\uff00-\uff0f\ufffc-\uffff\U0001f000-\U0001faff]+',
    ' ', 'g'));
begin
  if plain = '' then return '{}'; end if;
  if octet_length(plain) = length(plain)
    or plain !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
      '\U00020000-\U0003ffff]'
  then
    return string_to_array(plain, ' ');
  end if;
  return array(
    select case
      when part[1] ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
        '\U00020000-\U0003ffff]'
      then substr(part[1], i, 2)
      else part[1]
    end
    from regexp_matches(
        plain,
        '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
        '\U00020000-\U0003ffff]+'
        '|[^ \u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
        '\U00020000-\U0003ffff]+',
        'g') with ordinality as m (part, position),
      generate_series(1, case
        when part[1] ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff'
          '\U00020000-\U0003ffff]'
        then length(part[1])
        else 1
      end) i
    order by position, i);
end $$;

-- The first twelve distinct words of a query.
create or replace function search_terms(query text) returns text[] language plpgsql immutable strict parallel safe as $$
begin
  return coalesce((
    select (array_agg(t order by position))[1:12]
    from (
      select left(t, 60) as t, min(position) as position
      from unnest(search_words(query)) with ordinality as w (t, position) group by 1) w), '{}');
end $$;

-- Hashes that two words share if they are one typing mistake apart: double letters are taken as one, then each letter
-- is left out in turn.
create or replace function search_slips(tenant uuid, word text) returns bigint[]
language plpgsql immutable strict parallel safe as $$
begin
  return (
    select array_agg(distinct hashtextextended(
      right(tenant::text, 12) || left(w, i - 1) || substr(w, i + 1), 0))
    from regexp_replace(word, '(.)\1', '\1', 'g') w, generate_series(1, length(w) + 1) i);
end $$;

-- The prefix of a word in the index: its kind ('m' for messages, 'h' for the subject and the contact), its span of
-- days, and the end of the tenant's id. Without a span the kind is a capital. Tenants that share the same end are told
-- apart by the tenant column.
create or replace function search_scope(kind text, span integer, tenant uuid) returns text
language sql immutable parallel safe as $$
  select case when span is null then upper(kind) else kind || to_hex(span) end || right(tenant::text, 6)
$$;

-- The span of four days (345,600 seconds) that a time is in. The newest hits of frequent words are looked for span by
-- span. Shorter spans would make the index larger, and a search would have to name more of them.
create or replace function search_span(at timestamptz) returns integer language sql immutable strict parallel safe as $$
  select floor(extract(epoch from at) / 345600)::integer
$$;

-- What the index holds of an entry. Each word is there twice: with its span, for the newest hits of frequent words, and
-- without, for rare words. The workspace is a word as well.
create or replace function search_tokens(
  tenant uuid, conversation uuid, entry uuid, workspace uuid, at timestamptz, words text
) returns tsvector language plpgsql immutable strict parallel safe set search_path = public, pg_temp as $$
declare
  kind text := case when entry = conversation then 'h' else 'm' end;
  plain text := words || ' /' || right(workspace::text, 8);
  of_span text := search_scope(kind, search_span(at), tenant);
  of_all text := search_scope(kind, null, tenant);
begin
  return array_to_tsvector(string_to_array(
    of_span || replace(plain, ' ', ' ' || of_span) || ' ' || of_all || replace(plain, ' ', ' ' || of_all), ' '));
end $$;

-- The index is here because it calls search_tokens, which the migrations do not know. If you change what an entry's
-- tokens are, drop the index in a migration; it is built anew here. The pending list puts some fifty entries into
-- the index at once, which costs a message less than each by itself would.
create index if not exists search_entry_words on search_entry
  using gin (search_tokens(tenant_id, conversation_id, id, workspace_id, at, words))
  with (gin_pending_list_limit = 64);
