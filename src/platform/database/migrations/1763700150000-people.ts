import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

const LISTED = "erased_at is null and deleted_at is null and merged_into_id is null";
/** What stands between the parts of a word: ASCII punctuation and white space. */
const BETWEEN = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f\s]+`;

/** Of an entry `e`: the contact, or one of the account's, appears in one of the workspaces. Written out where it is asked: a function would be called for each candidate. */
const within = (
  tenant: string,
  places: string,
): string => `case e.kind when 'contact' then exists (select from contact_place p where p.tenant_id = ${tenant} and p.contact_id = e.id and p.workspace_id = any (${places}))
              else exists (select from contact k join contact_place p on p.tenant_id = k.tenant_id and p.contact_id = k.id
                where k.tenant_id = ${tenant} and k.account_id = e.id and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null and p.workspace_id = any (${places})) end`;

/**
 * Accounts, merged, blocked and deleted contacts, and what both are found by. As in the search of conversations, what is
 * looked for stands in a table of the owner's without row-level security, which would keep the operators out of the index.
 */
export class People1763700150000 implements MigrationInterface {
  name = "People1763700150000";

  async up(runner: QueryRunner): Promise<void> {
    await this.tables(runner);
    await isolate(runner, "account");
    await isolate(runner, "contact_place");
    await runner.query("revoke all on directory_entry from parley_app");
    await audit(runner, "account", { type: "account" });
    await audit(runner, "contact", { type: "contact", except: ["last_seen_at"] });
    await this.places(runner);
    await this.grams(runner);
    await this.writing(runner);
    await this.reading(runner);
    await this.blocking(runner);
    await this.events(runner);
    await this.conversationSearch(runner);
    await this.fill(runner);
  }

  private async tables(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "account" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "external_id" text, "name" text NOT NULL, "domains" text array NOT NULL DEFAULT '{}', "industry" text, "plan" text, "attributes" jsonb NOT NULL DEFAULT '{}', "created_by" uuid, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "account_external_id" UNIQUE ("tenant_id", "external_id"), CONSTRAINT "PK_eb3035a55f86ed86677dcc946cc" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(`CREATE INDEX "account_recent" ON "account" ("tenant_id", "created_at", "id")`);
    await runner.query(
      `CREATE TABLE "contact_place" ("tenant_id" uuid NOT NULL, "contact_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "contact_created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_e6b3f98bfbe48dd8a6bc36a9cce" PRIMARY KEY ("tenant_id", "contact_id", "workspace_id"))`,
    );
    await runner.query(
      `CREATE INDEX "contact_place_recent" ON "contact_place" ("tenant_id", "workspace_id", "contact_created_at", "contact_id")`,
    );
    await runner.query(
      `CREATE TABLE "directory_entry" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "kind" text NOT NULL, "created_by" uuid, "text" text NOT NULL, "grams" bigint array NOT NULL, CONSTRAINT "PK_253d42e37650fee447c14f81242" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE INDEX "directory_entry_grams" ON "directory_entry" USING gin ("grams") WITH (gin_pending_list_limit = 256)`,
    );
    await runner.query(`ALTER TABLE "contact" ADD "deleted_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(
      `ALTER TABLE "contact" ADD CONSTRAINT "contact_merged_into_another" CHECK (merged_into_id <> id)`,
    );
    await runner.query(`DROP INDEX "contact_recent"`);
    await runner.query(`CREATE INDEX "contact_recent" ON "contact" ("tenant_id", "created_at", "id") WHERE ${LISTED}`);
    await runner.query(
      `CREATE INDEX "contact_recent_of_maker" ON "contact" ("tenant_id", "created_by", "created_at", "id") WHERE ${LISTED}`,
    );
    await runner.query(
      `CREATE INDEX "contact_recent_of_account" ON "contact" ("tenant_id", "account_id", "created_at", "id") WHERE ${LISTED}`,
    );
    await runner.query(
      `CREATE INDEX "contact_deleted" ON "contact" ("tenant_id", "deleted_at") WHERE deleted_at is not null and erased_at is null`,
    );
    await runner.query(
      `ALTER TABLE "account" ADD CONSTRAINT "FK_c7cc4dfd56eae9c297242dcb153" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "contact" ADD CONSTRAINT "FK_8f6494c18fcb517067c8568d4c0" FOREIGN KEY ("tenant_id", "account_id") REFERENCES "account"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "contact_place" ADD CONSTRAINT "FK_2b54591d6d122e77ff1f85162a4" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "contact_place" ADD CONSTRAINT "FK_7b885fa0977f17dd8b2ff207130" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  private async places(runner: QueryRunner): Promise<void> {
    await runner.query(`create function keep_contact_place() returns trigger language plpgsql as $$
      begin
        insert into contact_place (tenant_id, contact_id, workspace_id, contact_created_at)
        select k.tenant_id, k.id, new.workspace_id, k.created_at from contact k where k.tenant_id = new.tenant_id and k.id = new.contact_id on conflict do nothing;
        return null;
      end $$`);
    await runner.query(
      "create trigger contact_place after insert or update of contact_id on conversation for each row execute function keep_contact_place()",
    );
  }

  private async grams(runner: QueryRunner): Promise<void> {
    // Of double letters one, then each letter left out in turn: two words that are one slip of the keys apart share one of these.
    await runner.query(String.raw`create function directory_slips(of_tenant uuid, word text) returns bigint[] language sql immutable strict parallel safe as $$
      select coalesce(array_agg(distinct hashtextextended('~' || left(w, i - 1) || substr(w, i + 1), hashtextextended(of_tenant::text, 0))), '{}')
      from regexp_replace(word, '(.)\1', '\1', 'g') w, generate_series(1, length(w) + 1) i where length(word) between 4 and 24 and word !~ '[0-9]' $$`);
    // Slips are of names, not of mail addresses.
    await runner.query(String.raw`create function directory_grams(of_tenant uuid, folded text) returns bigint[] language sql immutable strict parallel safe as $$
      select coalesce(array_agg(distinct hashtextextended(g, seed)), '{}') from hashtextextended(of_tenant::text, 0) seed, lateral (
        select substr(w, i, 3) as g from string_to_table(replace(folded, E'\n', ' '), ' ') w, generate_series(1, length(w) - 2) i
        union all select substr(w, i, 2) from string_to_table(replace(folded, E'\n', ' '), ' ') w, generate_series(1, length(w) - 1) i where octet_length(folded) > length(folded) and octet_length(w) > length(w)
        union all select '^' || left(w, n) from string_to_table(replace(folded, E'\n', ' '), ' ') w, generate_series(1, 2) n where length(w) >= n
        union all select p.g from string_to_table(folded, E'\n') line, regexp_split_to_table(line, '${BETWEEN}') part, lateral (
          select '^' || left(part, n) as g from generate_series(1, 2) n where length(part) >= n
          union all select '~' || left(w, i - 1) || substr(w, i + 1) from regexp_replace(part, '(.)\1', '\1', 'g') w, generate_series(1, length(w) + 1) i
            where length(part) between 4 and 24 and position('@' in line) = 0 and part !~ '[0-9]') p) grams $$`);
    // Of what is looked for: its parts of three characters, all of which must be there; what is shorter begins a word.
    await runner.query(`create function directory_term(of_tenant uuid, term text) returns bigint[] language sql immutable strict parallel safe as $$
      select array_agg(distinct hashtextextended(g, hashtextextended(of_tenant::text, 0))) from (
        select substr(term, i, 3) as g from generate_series(1, length(term) - 2) i
        union all select case when length(term) = 2 and octet_length(term) > 2 then term else '^' || term end where length(term) < 3) grams $$`);
  }

  /** Triggers, once a statement, so that an import of thousands pays once. */
  private async writing(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`create function directory_refresh_contacts(of_tenant uuid, ids uuid[]) returns void language plpgsql set search_path = public, pg_temp as $$
      begin
        delete from directory_entry e using contact r where e.tenant_id = of_tenant and e.id = any (ids) and r.tenant_id = of_tenant and r.id = e.id
          and (r.erased_at is not null or r.deleted_at is not null or r.merged_into_id is not null);
        -- Written once, though a contact and its addresses come in one statement: grams are what costs.
        insert into directory_entry (tenant_id, id, kind, created_by, text, grams)
        select r.tenant_id, r.id, 'contact', r.created_by, t.text, directory_grams(r.tenant_id, t.text) from contact r
        cross join lateral (select search_fold(translate(concat_ws(E'\n', r.name, r.external_id,
          (select string_agg(p.value, E'\n' order by p.kind, p.position) from contact_point p where p.tenant_id = r.tenant_id and p.contact_id = r.id)), E'\t', ' ')) as text) t
        left join directory_entry e on e.tenant_id = r.tenant_id and e.id = r.id
        where r.tenant_id = of_tenant and r.id = any (ids) and r.erased_at is null and r.deleted_at is null and r.merged_into_id is null and t.text is distinct from e.text
        on conflict (tenant_id, id) do update set text = excluded.text, grams = excluded.grams;
      end $$`);
    await runner.query(`create function directory_contact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        if tg_op = 'INSERT' then
          perform directory_refresh_contacts(c.tenant_id, array_agg(c.id)) from changed c group by c.tenant_id;
          return null;
        end if;
        perform directory_refresh_contacts(c.tenant_id, array_agg(c.id)) from changed c join before b on b.tenant_id = c.tenant_id and b.id = c.id
        where (c.name, c.external_id, c.erased_at, c.deleted_at, c.merged_into_id) is distinct from (b.name, b.external_id, b.erased_at, b.deleted_at, b.merged_into_id)
        group by c.tenant_id;
        delete from contact_place p using changed c where p.tenant_id = c.tenant_id and p.contact_id = c.id
          and (c.erased_at is not null or c.deleted_at is not null or c.merged_into_id is not null);
        return null;
      end $$`);
    await runner.query(`create function directory_contact_point() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform directory_refresh_contacts(c.tenant_id, array_agg(distinct c.contact_id)) from changed c group by c.tenant_id;
        return null;
      end $$`);
    await runner.query(String.raw`create function directory_account() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into directory_entry (tenant_id, id, kind, created_by, text, grams)
        select a.tenant_id, a.id, 'account', a.created_by, t.text, directory_grams(a.tenant_id, t.text) from changed a
        cross join lateral (select search_fold(translate(concat_ws(E'\n', a.name, a.external_id, array_to_string(a.domains, E'\n')), E'\t', ' ')) as text) t
        on conflict (tenant_id, id) do update set text = excluded.text, grams = excluded.grams;
        return null;
      end $$`);
    for (const name of ["directory_contact", "directory_contact_point", "directory_account"])
      await runner.query(`revoke all on function ${name}() from public`);
    await runner.query(
      "create trigger directory_added after insert on contact referencing new table as changed for each statement execute function directory_contact()",
    );
    await runner.query(
      "create trigger directory_changed after update on contact referencing old table as before new table as changed for each statement execute function directory_contact()",
    );
    await runner.query(
      "create trigger directory_added after insert on contact_point referencing new table as changed for each statement execute function directory_contact_point()",
    );
    await runner.query(
      "create trigger directory_changed after update on contact_point referencing new table as changed for each statement execute function directory_contact_point()",
    );
    await runner.query(
      "create trigger directory_removed after delete on contact_point referencing old table as changed for each statement execute function directory_contact_point()",
    );
    await runner.query(
      "create trigger directory_added after insert on account referencing new table as changed for each statement execute function directory_account()",
    );
    await runner.query(
      "create trigger directory_changed after update on account referencing new table as changed for each statement execute function directory_account()",
    );
  }

  private async reading(runner: QueryRunner): Promise<void> {
    // Class 0: it is one of the lines; 1: all of the words are in there; 2: but for a slip of the keys in each.
    await runner.query(String.raw`create function search_directory(of_kind text, query text, self uuid, places uuid[]) returns table (id uuid, class integer)
      language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
      declare
        tenant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
        folded text := btrim(search_fold(query));
        -- A number is found without its country, with or without the zero that takes its place, and however it is spaced.
        digits text := case when folded ~ '^[-+()./ 0-9]*$' then ltrim(regexp_replace(folded, '[^0-9]', '', 'g'), '0') else '' end;
        terms text[] := case when length(digits) > 2 then array[digits] else
          array(select t from (select distinct left(w, 60) as t from regexp_split_to_table(folded, '\s+') w where w <> '') w limit 8) end;
        wanted bigint[] := array(select distinct g from unnest(terms) t, unnest(directory_term(tenant, t)) g);
        found integer;
      begin
        if tenant is null or terms = '{}' then return; end if;
        return query select e.id, case when folded = any (string_to_array(e.text, E'\n')) then 0 else 1 end from directory_entry e
          where e.grams @> wanted and e.tenant_id is not distinct from tenant and e.kind = of_kind and not exists (select from unnest(terms) t where position(t in e.text) = 0)
            and (places is null or e.created_by = self or ${within("tenant", "places")})
          limit 200;
        get diagnostics found = row_count;
        if found >= 10 or length(digits) > 2 or not exists (select from unnest(terms) t where directory_slips(tenant, t) <> '{}') then return; end if;
        return query execute format($q$select e.id, 2 from directory_entry e where %s and not e.grams @> $1 and e.tenant_id is not distinct from $2 and e.kind = $3
            and ($4 is null or e.created_by = $5 or ${within("$2", "$4")}) limit 100$q$,
          (select string_agg(format('(e.grams @> %L::bigint[] or e.grams && %L::bigint[])', directory_term(tenant, t), directory_slips(tenant, t)), ' and ') from unnest(terms) t))
          using wanted, tenant, of_kind, places, self;
      end $$`);
    await runner.query("revoke all on function search_directory(text, text, uuid, uuid[]) from public");
    await runner.query("grant execute on function search_directory(text, text, uuid, uuid[]) to parley_app");
  }

  /**
   * What a blocked contact sends is refused. A message that is under way holds the shared half of a lock until its transaction
   * ends, and looks once it has it; whoever blocks takes the other half before the commit.
   */
  private async blocking(runner: QueryRunner): Promise<void> {
    await runner.query(`create function message_needs_unblocked_contact() returns trigger language plpgsql as $$
      declare
        sender uuid := (select c.contact_id from conversation c where c.tenant_id = new.tenant_id and c.id = new.conversation_id);
      begin
        perform pg_advisory_xact_lock_shared(hashtextextended('block ' || sender, 0));
        if (select k.blocked from contact k where k.tenant_id = new.tenant_id and k.id = sender) then
          raise exception 'contact % is blocked', sender using errcode = 'check_violation', constraint = 'contact_blocked';
        end if;
        return new;
      end $$`);
    await runner.query(
      `create trigger message_needs_unblocked_contact before insert on message for each row when (new.direction = 'inbound') execute function message_needs_unblocked_contact()`,
    );
  }

  /** The application cannot change identity events: these two move and delete only what a merge, or a deletion of 30 days ago, says. */
  private async events(runner: QueryRunner): Promise<void> {
    await runner.query(`create function move_identity_events(tenant uuid, of_contact uuid) returns integer
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        moved integer;
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        update identity_event e set factor_bound_to_principal = k.merged_into_id from contact k
        where k.tenant_id = tenant and k.id = of_contact and k.merged_into_id is not null and e.tenant_id = tenant and e.factor_bound_to_principal = of_contact;
        get diagnostics moved = row_count;
        return moved;
      end $$`);
    await runner.query(`create function purge_identity_events(tenant uuid, of_contact uuid) returns integer
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        removed integer;
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        perform from contact k where k.tenant_id = tenant and k.id = of_contact and k.deleted_at <= now() - interval '30 days';
        if not found then return 0; end if;
        delete from identity_event e where e.tenant_id = tenant and e.factor_bound_to_principal = of_contact;
        get diagnostics removed = row_count;
        return removed;
      end $$`);
    for (const name of ["move_identity_events", "purge_identity_events"]) {
      await runner.query(`revoke all on function ${name}(uuid, uuid) from public`);
      await runner.query(`grant execute on function ${name}(uuid, uuid) to parley_app`);
    }
  }

  /** A deleted contact's name and addresses find its conversations no more. */
  private async conversationSearch(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`create or replace function search_head(of_tenant uuid, conversation uuid) returns void language plpgsql set search_path = public, pg_temp as $$
      begin
        perform search_forget(of_tenant, conversation, conversation);
        perform search_add(of_tenant, h.id, h.id, h.workspace_id, h.created_at, h.words, h.contact_words) from (
          select c.id, c.workspace_id, c.created_at, search_words(coalesce(c.subject, '')) as words,
            case when o.deleted_at is null then search_words(coalesce(o.name, '')) || array(select w from contact_point p, unnest(case p.kind when 'email' then search_words(p.value)
              else array(select substr(p.value, i) from generate_series(2, length(p.value) - 3) i) end) w where p.tenant_id = o.tenant_id and p.contact_id = o.id) else '{}' end as contact_words
          from conversation c join contact o on o.tenant_id = c.tenant_id and o.id = c.contact_id where c.tenant_id = of_tenant and c.id = conversation) h
        where h.words <> '{}' or h.contact_words <> '{}';
      end $$`);
    await runner.query("drop trigger search on contact");
    await runner.query(
      "create trigger search after update of name, deleted_at on contact for each row execute function search_contact()",
    );
  }

  /** What is there already, tenant by tenant: row-level security holds the owner too. */
  private async fill(runner: QueryRunner): Promise<void> {
    await runner.query(`do $$ declare
        side uuid;
      begin
        for side in select id from tenant loop
          perform set_config('app.tenant_id', side::text, true);
          perform directory_refresh_contacts(side, array(select k.id from contact k where k.tenant_id = side));
          insert into contact_place (tenant_id, contact_id, workspace_id, contact_created_at)
          select distinct k.tenant_id, k.id, c.workspace_id, k.created_at from conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id
          where c.tenant_id = side and k.erased_at is null and k.merged_into_id is null;
        end loop;
        perform set_config('app.tenant_id', '', true);
      end $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
