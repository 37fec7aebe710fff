import type { MigrationInterface, QueryRunner } from "typeorm";

/** What ends a word, in the folded text: everything but digits and letters of any script. */
const BETWEEN = String.raw`[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u0964\u2000-\u2bff\u3000-\u3004\u3007-\u3020\u3030\u30fb\ufe00-\ufe6f\uff00-\uff0f\ufffc-\uffff\U0001f000-\U0001faff]+`;
/** Scripts without spaces between words. */
const UNSPACED = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff`;

/** Of a longer text only the first, in no order, are found: a tsvector has at most a megabyte. */
const MOST_WORDS = 10_000;
/** The newest of what is frequent is looked for by spans of four days: of more spans the index would have to hold more, and a search to name more. */
const SPAN_SECONDS = 4 * 86_400;

/**
 * Search. PostgreSQL takes an operator into an index under row-level security only if it is leakproof, and those of words
 * are not; so the words stand in two tables of the owner's, which the application's role can neither read nor write.
 */
export class Search1763700120000 implements MigrationInterface {
  name = "Search1763700120000";

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.tables(queryRunner);
    await this.words(queryRunner);
    await this.writing(queryRunner);
    await this.reading(queryRunner);
    await this.fill(queryRunner);
  }

  private async tables(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "search_entry" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "words" text NOT NULL, CONSTRAINT "PK_e431281744e81dec2feeb251e5e" PRIMARY KEY ("tenant_id", "conversation_id", "id"))`,
    );
    await queryRunner.query(
      `CREATE TABLE "search_word" ("tenant_id" uuid NOT NULL, "word" text COLLATE "C" NOT NULL, "conversation_id" uuid NOT NULL, "entry_id" uuid NOT NULL, "slips" bigint array NOT NULL, CONSTRAINT "PK_cd817c87104e46c726c62a368d6" PRIMARY KEY ("tenant_id", "word"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "search_word_of_conversation" ON "search_word" ("tenant_id", "conversation_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "search_word_slips" ON "search_word" USING gin ("slips") WITH (fastupdate = off)`,
    );
    await queryRunner.query(
      `ALTER TABLE "search_entry" ADD CONSTRAINT "FK_c257d8f1f5497c70091d8a9ff20" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "search_word" ADD CONSTRAINT "FK_e2985b09c1e60dc108e20759588" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  /** What a word is; the same for the texts and for what is looked for. */
  private async words(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(String.raw`create function search_fold(t text) returns text language plpgsql immutable strict parallel safe as $$
      begin
        if octet_length(t) = length(t) then return lower(t); end if;
        return replace(replace(replace(translate(lower(normalize(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g'), NFC)),
          'øłđðıς', 'olddiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
      end $$`);
    // Text without spaces is taken by pairs of characters; its last one alone, for whoever looks for one character.
    await queryRunner.query(`create function search_words(t text) returns text[] language plpgsql immutable strict parallel safe as $$
      declare
        plain text := btrim(regexp_replace(search_fold(t), '${BETWEEN}', ' ', 'g'));
      begin
        if plain = '' then return '{}'; end if;
        if octet_length(plain) = length(plain) or plain !~ '[${UNSPACED}]' then return string_to_array(plain, ' '); end if;
        return array(
          select case when part[1] ~ '[${UNSPACED}]' then substr(part[1], i, 2) else part[1] end
          from regexp_matches(plain, '[${UNSPACED}]+|[^ ${UNSPACED}]+', 'g') with ordinality as m (part, place),
            generate_series(1, case when part[1] ~ '[${UNSPACED}]' then length(part[1]) else 1 end) i
          order by place, i);
      end $$`);
    await queryRunner.query(`create function search_terms(query text) returns text[] language plpgsql immutable strict parallel safe as $$
      begin
        return coalesce((select (array_agg(t order by place))[1:12] from (
          select left(t, 60) as t, min(place) as place from unnest(search_words(query)) with ordinality as w (t, place) group by 1) w), '{}');
      end $$`);
    // Of double letters one, then each letter left out in turn: two words that are one slip of the keys apart share one of these.
    await queryRunner.query(String.raw`create function search_slips(tenant uuid, word text) returns bigint[] language plpgsql immutable strict parallel safe as $$
      begin
        return (select array_agg(distinct hashtextextended(right(tenant::text, 12) || left(w, i - 1) || substr(w, i + 1), 0))
          from regexp_replace(word, '(.)\1', '\1', 'g') w, generate_series(1, length(w) + 1) i);
      end $$`);
    // What a word stands behind in the index: its tenant, whether it is of a message (m) or of subject and contact (h), and the span
    // of days, or no span and a capital. What that cannot tell apart, the tenant's own column does.
    await queryRunner.query(`create function search_scope(kind text, span integer, tenant uuid) returns text language sql immutable parallel safe as $$
      select case when span is null then upper(kind) else kind || to_hex(span) end || right(tenant::text, 6) $$`);
    await queryRunner.query(`create function search_span(at timestamptz) returns integer language sql immutable strict parallel safe as $$
      select floor(extract(epoch from at) / ${SPAN_SECONDS})::integer $$`);
    // Each word twice: of its span, for the newest of what is frequent, and of all time, for what is rare. The workspace is a word as well.
    await queryRunner.query(`create function search_tokens(tenant uuid, conversation uuid, entry uuid, workspace uuid, at timestamptz, words text) returns tsvector
      language plpgsql immutable strict parallel safe set search_path = public, pg_temp as $$
      declare
        kind text := case when entry = conversation then 'h' else 'm' end;
        plain text := words || ' /' || right(workspace::text, 8);
        of_span text := search_scope(kind, search_span(at), tenant);
        of_all text := search_scope(kind, null, tenant);
      begin
        return array_to_tsvector(string_to_array(of_span || replace(plain, ' ', ' ' || of_span) || ' ' || of_all || replace(plain, ' ', ' ' || of_all), ' '));
      end $$`);
    // What is pending is put into its place some fifty entries at once, which costs a message less than each by itself would.
    await queryRunner.query(
      `create index search_entry_words on search_entry using gin (search_tokens(tenant_id, conversation_id, id, workspace_id, at, words)) with (gin_pending_list_limit = 64)`,
    );
  }

  /** Triggers, so that whoever writes a text has it found, and whoever removes one has it gone, in the same transaction. */
  private async writing(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create function search_add(of_tenant uuid, conversation uuid, entry uuid, workspace uuid, at timestamptz, words text[], contact_words text[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
      begin
        insert into search_entry (tenant_id, conversation_id, id, workspace_id, at, words)
        select of_tenant, conversation, entry, workspace, at, string_agg(w, ' ')
        from (select left(w, 60) as w from unnest(words) w union select '@' || left(w, 60) from unnest(contact_words) w limit ${MOST_WORDS}) w;
        insert into search_word (tenant_id, word, conversation_id, entry_id, slips)
        select of_tenant, w, conversation, entry, case when length(w) > 24 then '{}' else search_slips(of_tenant, w) end from (select distinct left(w, 60) as w from unnest(words || contact_words) w) w
        where length(w) > 3 and w !~ '[0-9]' and not exists (select from search_word k where k.tenant_id = of_tenant and k.word = w)
        order by w on conflict do nothing;
      end $$`);
    await queryRunner.query(`create function search_forget(of_tenant uuid, conversation uuid, entry uuid) returns void language plpgsql set search_path = public, pg_temp as $$
      begin
        delete from search_entry where tenant_id = of_tenant and conversation_id = conversation and id = entry;
        delete from search_word where tenant_id = of_tenant and conversation_id = conversation and entry_id = entry;
      end $$`);
    await queryRunner.query(`create function search_message() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        if tg_op <> 'INSERT' then perform search_forget(old.tenant_id, old.conversation_id, old.id); end if;
        if tg_op <> 'DELETE' and new.body <> '' then
          perform search_add(c.tenant_id, c.id, new.id, c.workspace_id, new.created_at, search_words(new.body), '{}')
          from conversation c where c.tenant_id = new.tenant_id and c.id = new.conversation_id;
        end if;
        return null;
      end $$`);
    // A phone number is found by any of its ends: people leave out the country, the area, or both.
    await queryRunner.query(String.raw`create function search_head(of_tenant uuid, conversation uuid) returns void language plpgsql set search_path = public, pg_temp as $$
      begin
        perform search_forget(of_tenant, conversation, conversation);
        perform search_add(of_tenant, h.id, h.id, h.workspace_id, h.created_at, h.words, h.contact_words) from (
          select c.id, c.workspace_id, c.created_at, search_words(coalesce(c.subject, '')) as words,
            search_words(coalesce(o.name, '')) || array(select w from contact_point p, unnest(case p.kind when 'email' then search_words(p.value)
              else array(select substr(p.value, i) from generate_series(2, length(p.value) - 3) i) end) w where p.tenant_id = o.tenant_id and p.contact_id = o.id) as contact_words
          from conversation c join contact o on o.tenant_id = c.tenant_id and o.id = c.contact_id where c.tenant_id = of_tenant and c.id = conversation) h
        where h.words <> '{}' or h.contact_words <> '{}';
      end $$`);
    await queryRunner.query(`create function search_conversation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform search_head(new.tenant_id, new.id);
        return null;
      end $$`);
    await queryRunner.query(`create function search_contact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
      begin
        perform search_head(c.tenant_id, c.id) from conversation c
        where c.tenant_id = (changed ->> 'tenant_id')::uuid and c.contact_id = (changed ->> case tg_table_name when 'contact' then 'id' else 'contact_id' end)::uuid;
        return null;
      end $$`);
    for (const name of ["search_message", "search_conversation", "search_contact"])
      await queryRunner.query(`revoke all on function ${name}() from public`);
    await queryRunner.query(
      "create trigger search after insert or delete or update of body on message for each row execute function search_message()",
    );
    await queryRunner.query(
      "create trigger search after insert or update of subject, contact_id on conversation for each row execute function search_conversation()",
    );
    await queryRunner.query(
      "create trigger search after update of name on contact for each row execute function search_contact()",
    );
    await queryRunner.query(
      "create trigger search after insert or delete or update of value on contact_point for each row execute function search_contact()",
    );
  }

  private async reading(queryRunner: QueryRunner): Promise<void> {
    // The newest first, span by span, as many as are wanted. What the last four spans do not have at all, or sixteen not enough of, is
    // rare, and read in one look at all time. (All spans in one query would have PostgreSQL hold every candidate against each span's words.)
    await queryRunner.query(`create function search_entries(template text, kind text, others text[], of_tenant uuid, places uuid[], most integer, enough integer) returns table (conversation_id uuid, id uuid, at timestamptz)
      language plpgsql stable as $$
      declare
        latest integer := search_span(now());
        spans integer[] := array(select generate_series(latest, latest - 3, -1));
        hits integer;
        total integer := 0;
      begin
        loop
          return query select f.* from unnest(spans) span cross join lateral (
              select * from (select e.conversation_id, e.id, e.at from search_entry e
                where search_tokens(e.tenant_id, e.conversation_id, e.id, e.workspace_id, e.at, e.words)
                    @@ replace(replace(template, '§', search_scope(kind, span, of_tenant)), '…', case when span is null then '' else ':*' end)::tsquery
                  and e.tenant_id is not distinct from of_tenant and (places is null or e.workspace_id = any (places)) and (others is null or ' ' || e.words || ' ' like all (others))
                limit 2000) e order by e.at desc limit most) f
            limit most - total;
          get diagnostics hits = row_count;
          total := total + hits;
          exit when total >= most or spans = '{null}' or (total >= enough and spans[1] < latest);
          spans := case when hits > 0 and spans[1] = latest then array(select generate_series(latest - 4, latest - 15, -1)) else '{null}' end;
        end loop;
      end $$`);
    // What a typed word finds: the words that begin with it. Up to 32 are named, since a beginning makes the index read all that has it
    // before it looks at anything else. Where there are more, beside other words, the beginning counts among the newest alone (…), elsewhere the word
    // itself. So does a short word at the end; other short words are only themselves. Of a script without spaces a single character is the beginning of a pair.
    await queryRunner.query(String.raw`create function search_operand(of_tenant uuid, term text, is_last boolean, is_only boolean) returns text language plpgsql stable as $$
      declare
        known text[];
      begin
        if octet_length(term) > length(term) and term ~ '[${UNSPACED}]' then return '''§' || term || case when length(term) = 1 then ''':*' else '''' end; end if;
        if length(term) < 4 then return '''§' || term || case when not is_last or length(term) = 1 then '''' when is_only then ''':*' else '''…' end; end if;
        if term ~ '[0-9]' then return '''§' || term || ''':*'; end if;
        known := array(select word from search_word w where w.tenant_id = of_tenant and w.word > term collate "C" and w.word < (term || chr(1114111)) collate "C" limit 33);
        if cardinality(known) = 33 then return '''§' || term || case when is_only then ''':*' else '''…' end; end if;
        return '''§' || array_to_string(term || known, '''|''§') || '''';
      end $$`);
    await queryRunner.query(`create function search_similar(of_tenant uuid, term text) returns text[] language plpgsql stable as $$
      declare
        of_term bigint[] := search_slips(of_tenant, term);
      begin
        if length(term) < 4 then return '{}'; end if;
        return array(select w.word from search_word w where w.slips && of_term and w.tenant_id is not distinct from of_tenant and w.word <> term
          order by (select count(*) from unnest(w.slips) slip where slip = any (of_term)) desc, w.word limit 8);
      end $$`);
    // Of many words the index looks for the four longest; whether the others are there as well, what it finds can tell.
    await queryRunner.query(String.raw`create function search_conversations(query text, contacts boolean, places uuid[]) returns table (conversation_id uuid, message_id uuid, class integer, near text[])
      language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
      declare
        tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
        terms text[] := search_terms(query);
        operands text[] := array(select search_operand(tenant, t, place = cardinality(terms), cardinality(terms) = 1) from unnest(terms) with ordinality w (t, place) order by place);
        -- A word may be one of the contact's, where the caller may see contacts.
        or_contact text := case when contacts then '''§\1''\2|''§@\1''\2' else '\&' end;
        place_clause text := case when cardinality(places) between 1 and 8 then '&(' || (select string_agg('''§/' || right(p::text, 8) || '''', '|') from unnest(places) p) || ')' else '' end;
        phone text := case when contacts and query ~ '^[-+()./ 0-9]*$' then nullif(ltrim(regexp_replace(query, '[^0-9]', '', 'g'), '0'), '') end;
        longest integer[] := array(select place from unnest(terms) with ordinality w (t, place) order by length(t) desc, place limit 4);
        others text[] := array(select '% ' || t || case when length(t) > 3 or octet_length(t) > length(t) or place = cardinality(terms) then '%' else ' %' end
          from unnest(terms) with ordinality w (t, place) where place <> all (longest));
        in_heads text := regexp_replace('(' || array_to_string(operands, ')&(') || ')', '''§([^'']+)''(:\*|…|)', or_contact, 'g');
        -- The more words, the more certain that it is what was meant, and the longer it takes to look for more.
        enough integer := 25 / greatest(cardinality(terms), 1);
        similar_words text[];
        hits integer;
        more integer := 0;
      begin
        if tenant is null or terms = '{}' or places = '{}' then return; end if;
        return query select e.conversation_id, (array_agg(e.id order by e.at desc) filter (where e.kind = 1))[1], min(e.kind), null::text[] from (
            select 0 as kind, h.* from search_entries(format('((%s%s)%s)', in_heads, '|''§@' || phone || ''':*', place_clause), 'h', null, tenant, places, 40, enough) h
            union all select 1, m.* from search_entries(format('(%s%s)', (select string_agg('(' || operands[n] || ')', '&') from unnest(longest) n), place_clause), 'm', others, tenant, places, 80, enough) m) e
          group by e.conversation_id;
        get diagnostics hits = row_count;
        if hits >= 10 then return; end if;
        -- Some of it in the subject or the contact, the rest in messages.
        if cardinality(terms) > 1 then
          return query select h.conversation_id, (select m.id from search_entry m where m.tenant_id = tenant and m.conversation_id = h.conversation_id and m.id <> m.conversation_id
                and array_to_tsvector(string_to_array(m.words, ' ')) @@ translate(array_to_string(operands, '|'), '§…', '')::tsquery order by m.at desc limit 1), 2, null::text[]
            from (select s.conversation_id from search_entries(format('((%s)%s)', replace(in_heads, ')&(', ')|('), place_clause), 'h', null, tenant, places, 25, 25) s) h
            where array_to_tsvector(string_to_array((select string_agg(m.words, ' ') from (select e.words from search_entry e where e.tenant_id = tenant and e.conversation_id = h.conversation_id limit 100) m), ' '))
              @@ translate(in_heads, '§…', '')::tsquery;
          get diagnostics more = row_count;
        end if;
        if hits + more >= 5 then return; end if;
        -- Words that one slip of the keys makes of what was typed.
        near := '{}';
        for n in 1 .. cardinality(terms) loop
          similar_words := case when n = any (longest) then search_similar(tenant, terms[n]) else '{}' end;
          near := near || similar_words;
          operands[n] := operands[n] || array_to_string(array(select format('|''§%s''', s) from unnest(similar_words) s), '');
        end loop;
        if near = '{}' then return; end if;
        in_heads := regexp_replace('(' || array_to_string(operands, ')&(') || ')', '''§([^'']+)''(:\*|…|)', or_contact, 'g');
        return query select e.conversation_id, (array_agg(e.id order by e.at desc) filter (where e.kind = 1))[1], 3, search_conversations.near from (
            select 0 as kind, h.* from search_entries(format('(%s%s)', in_heads, place_clause), 'h', null, tenant, places, 50, enough) h
            union all select 1, m.* from search_entries(format('(%s%s)', (select string_agg('(' || operands[n] || ')', '&') from unnest(longest) n), place_clause), 'm', others, tenant, places, 50, enough) m) e
          group by e.conversation_id;
      end $$`);
    await queryRunner.query("revoke all on function search_conversations(text, boolean, uuid[]) from public");
    await queryRunner.query("grant execute on function search_conversations(text, boolean, uuid[]) to parley_app");
  }

  /** What is there already, tenant by tenant: row-level security holds the owner too. */
  private async fill(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`do $$ declare
        side uuid;
      begin
        for side in select id from tenant loop
          perform set_config('app.tenant_id', side::text, true);
          perform search_head(c.tenant_id, c.id) from conversation c where c.tenant_id = side and c.redacted_at is null;
          perform search_add(m.tenant_id, m.conversation_id, m.id, c.workspace_id, m.created_at, search_words(m.body), '{}')
          from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id where m.tenant_id = side and m.body <> '';
        end loop;
        perform set_config('app.tenant_id', '', true);
      end $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ["message", "conversation", "contact", "contact_point"])
      await queryRunner.query(`drop trigger search on ${table}`);
    for (const name of [
      "search_conversations",
      "search_operand",
      "search_entries",
      "search_similar",
      "search_contact",
      "search_conversation",
      "search_message",
      "search_head",
      "search_forget",
      "search_add",
    ])
      await queryRunner.query(`drop function ${name}`);
    for (const table of ["search_word", "search_entry"]) await queryRunner.query(`DROP TABLE "${table}"`);
    for (const name of [
      "search_tokens",
      "search_span",
      "search_scope",
      "search_slips",
      "search_terms",
      "search_words",
      "search_fold",
    ])
      await queryRunner.query(`drop function ${name}`);
  }
}
