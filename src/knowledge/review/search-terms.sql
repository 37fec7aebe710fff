-- The terms by which knowledge base entries and policies are found. The indexes and the searches use the same terms.

-- The text search configuration of a language (ISO 639-1). A language that PostgreSQL does not know is not stemmed.
create or replace function kb_config(language text) returns regconfig language sql immutable parallel safe as $$
  select case language
    when 'ar' then 'arabic' when 'hy' then 'armenian' when 'eu' then 'basque' when 'ca' then 'catalan'
    when 'da' then 'danish' when 'nl' then 'dutch' when 'en' then 'english' when 'fi' then 'finnish'
    when 'fr' then 'french' when 'de' then 'german' when 'el' then 'greek' when 'hi' then 'hindi'
    when 'hu' then 'hungarian' when 'id' then 'indonesian' when 'ga' then 'irish' when 'it' then 'italian'
    when 'lt' then 'lithuanian' when 'ne' then 'nepali' when 'no' then 'norwegian' when 'nb' then 'norwegian'
    when 'pt' then 'portuguese' when 'ro' then 'romanian' when 'ru' then 'russian' when 'sr' then 'serbian'
    when 'es' then 'spanish' when 'sv' then 'swedish' when 'ta' then 'tamil' when 'tr' then 'turkish'
    when 'yi' then 'yiddish' else 'simple'
  end::regconfig
$$;

-- The hashed terms of a text: its words as the language inflects them, each pair of neighbours, and the first four
-- characters of long words, which find misspelt ones. A text of stop words alone keeps its words as they are.
-- Where words are written without spaces between them, each character is a word. The terms of words are odd, and the
-- others even: the ranking compares whole words.
create or replace function kb_terms(config regconfig, said text) returns integer[]
language sql immutable parallel safe as $$
  with spaced as materialized (
    select regexp_replace(
      left(said, 2000), '([\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])', ' \1 ', 'g') as said
  ), meant as materialized (
    select l.lexeme, p.position
    from spaced, unnest(to_tsvector(config, spaced.said)) l, unnest(l.positions) p (position)
  ), words as materialized (
    select lexeme, position from meant
    union all
    select l.lexeme, p.position
    from spaced, unnest(to_tsvector('simple', spaced.said)) l, unnest(l.positions) p (position)
    where not exists (select from meant)
  ), terms as (
    select hashtext(lexeme) | 1 as term from words
    union all
    select hashtext(lexeme || ' ' || lead(lexeme) over (order by position, lexeme)) & ~1 from words
    union all
    select hashtext(left(lexeme, 4) || '*') & ~1 from words where length(lexeme) >= 6
  )
  select coalesce(array_agg(distinct term), '{}') from terms where term is not null
$$;
