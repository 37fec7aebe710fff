import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

/** Search, versions and the whole life of knowledge base entries. */
export class Knowledge1763700140000 implements MigrationInterface {
  name = "Knowledge1763700140000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "kb_entry" ADD "changed_by" uuid`);
    await runner.query(`ALTER TABLE "kb_entry" ADD "change_reason" text`);
    await runner.query(`CREATE TABLE "kb_entry_version" (
      "tenant_id" uuid NOT NULL,
      "entry_id" uuid NOT NULL,
      "version" integer NOT NULL,
      "content" jsonb NOT NULL,
      "changed_by" uuid,
      "reason" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_fe1b96900c75c77c8d983feb85f" PRIMARY KEY ("tenant_id", "entry_id", "version"))`);
    await runner.query(`CREATE TABLE "kb_question" (
      "tenant_id" uuid NOT NULL,
      "entry_id" uuid NOT NULL,
      "n" integer NOT NULL,
      "workspace_id" uuid NOT NULL,
      "approved" boolean NOT NULL,
      "said" text NOT NULL,
      "valid_until" TIMESTAMP(3) WITH TIME ZONE,
      "terms" integer array NOT NULL,
      CONSTRAINT "PK_8f41f0fd564f5007af4141967e3" PRIMARY KEY ("tenant_id", "entry_id", "n"))`);
    await runner.query(`CREATE TABLE "kb_posting" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "approved" boolean NOT NULL,
      "term" integer NOT NULL,
      "n" integer NOT NULL,
      "entry_id" uuid NOT NULL,
      CONSTRAINT "PK_bf6027ccc474fc367f355200e6a" PRIMARY KEY ("tenant_id", "workspace_id", "approved", "term", "n", "entry_id"))`);
    for (const [table, name] of [
      ["kb_entry_version", "FK_3d8e7fa8df97e9ea36127a7f791"],
      ["kb_question", "FK_d59b198ce9630fa4f3798fa0284"],
    ]) {
      await runner.query(
        `ALTER TABLE "${table}" ADD CONSTRAINT "${name}" FOREIGN KEY ("tenant_id", "entry_id") REFERENCES "kb_entry"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
      );
    }
    for (const table of ["kb_entry_version", "kb_question", "kb_posting"]) await isolate(runner, table);
    await audit(runner, "kb_entry", {
      type: "kbEntry",
      except: [
        "retrieved",
        "answered",
        "helpful",
        "version",
        "reviewed_at",
        "reviewed_by",
        "changed_by",
        "change_reason",
      ],
    });
    await this.terms(runner);
    await this.index(runner);
  }

  /** What a question is found by, hashed: its words as the language inflects them, neighbours among them, and how long words begin, for those that are misspelt. */
  private async terms(runner: QueryRunner): Promise<void> {
    await runner.query(`create function kb_config(language text) returns regconfig language sql immutable parallel safe as $$
      select case language when 'ar' then 'arabic' when 'hy' then 'armenian' when 'eu' then 'basque' when 'ca' then 'catalan' when 'da' then 'danish' when 'nl' then 'dutch'
        when 'en' then 'english' when 'fi' then 'finnish' when 'fr' then 'french' when 'de' then 'german' when 'el' then 'greek' when 'hi' then 'hindi' when 'hu' then 'hungarian'
        when 'id' then 'indonesian' when 'ga' then 'irish' when 'it' then 'italian' when 'lt' then 'lithuanian' when 'ne' then 'nepali' when 'no' then 'norwegian'
        when 'nb' then 'norwegian' when 'pt' then 'portuguese' when 'ro' then 'romanian' when 'ru' then 'russian' when 'sr' then 'serbian' when 'es' then 'spanish'
        when 'sv' then 'swedish' when 'ta' then 'tamil' when 'tr' then 'turkish' when 'yi' then 'yiddish' else 'simple' end::regconfig $$`);
    // Where words are written without spaces between, each character stands for itself, and its neighbour with it.
    await runner.query(`create function kb_terms(config regconfig, said text) returns integer[] language sql immutable parallel safe as $$
      with spaced as materialized (
        select regexp_replace(left(said, 2000), '([\\u0e00-\\u0eff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af])', ' \\1 ', 'g') as said
      ), meant as materialized (
        select l.lexeme, p.position from spaced, unnest(to_tsvector(config, spaced.said)) l, unnest(l.positions) p (position)
      ), words as materialized (
        select lexeme, position from meant
        union all select l.lexeme, p.position from spaced, unnest(to_tsvector('simple', spaced.said)) l, unnest(l.positions) p (position) where not exists (select from meant)
      ), terms as (
        select lexeme as term from words
        union all select lexeme || ' ' || lead(lexeme) over (order by position, lexeme) from words
        union all select left(lexeme, 4) || '*' from words where length(lexeme) >= 6
      )
      select coalesce(array_agg(distinct hashtext(term)), '{}') from terms where term is not null $$`);
  }

  /** The index follows its entries in the transaction that changes them, whoever does. */
  private async index(runner: QueryRunner): Promise<void> {
    await runner.query(`create function kb_unindex(of_tenant uuid, of_entry uuid) returns void language sql as $$
      with gone as (delete from kb_question where tenant_id = of_tenant and entry_id = of_entry returning *)
      delete from kb_posting p using gone g, unnest(g.terms) t (term)
      where p.tenant_id = g.tenant_id and p.workspace_id = g.workspace_id and p.approved = g.approved and p.term = t.term and p.entry_id = g.entry_id and p.n = g.n $$`);
    await runner.query(`create function kb_index(of kb_entry, language text) returns void language sql as $$
      with added as (
        insert into kb_question (tenant_id, entry_id, n, workspace_id, approved, said, valid_until, terms)
        select of.tenant_id, of.id, q.n, of.workspace_id, of.status = 'approved', q.said, of.valid_until, kb_terms(kb_config(language), q.said)
        from (select said, min(n) as n from unnest(of.question || of.alternate_questions) with ordinality u (said, n) group by said) q
        where of.status in ('approved', 'pending') returning *
      )
      insert into kb_posting (tenant_id, workspace_id, approved, term, entry_id, n)
      select a.tenant_id, a.workspace_id, a.approved, t.term, a.entry_id, a.n from added a, unnest(a.terms) t (term) $$`);
    await runner.query(`create function kb_entry_indexed() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then perform kb_unindex(old.tenant_id, old.id); end if;
        if tg_op = 'DELETE' then return old; end if;
        perform kb_index(new, (select w.primary_language from workspace w where w.tenant_id = new.tenant_id and w.id = new.workspace_id));
        return new;
      end $$`);
    await runner.query(
      "create trigger indexed after insert on kb_entry for each row execute function kb_entry_indexed()",
    );
    await runner.query(`create trigger indexed_again after update on kb_entry for each row
      when ((old.status, old.question, old.alternate_questions, old.valid_until) is distinct from (new.status, new.question, new.alternate_questions, new.valid_until)) execute function kb_entry_indexed()`);
    // Before, because the questions that say what to remove go with their entry.
    await runner.query(
      "create trigger indexed_no_more before delete on kb_entry for each row execute function kb_entry_indexed()",
    );
    await runner.query(`create function kb_language_changed() returns trigger language plpgsql as $$
      begin
        perform kb_unindex(e.tenant_id, e.id), kb_index(e, new.primary_language) from kb_entry e where e.tenant_id = new.tenant_id and e.workspace_id = new.id;
        return new;
      end $$`);
    await runner.query(`create trigger knowledge_in_language after update of primary_language on workspace for each row
      when (old.primary_language <> new.primary_language) execute function kb_language_changed()`);
    await runner.query(`do $$ declare side uuid; begin
      for side in select id from tenant loop
        perform set_config('app.tenant_id', side::text, true);
        perform kb_index(e, w.primary_language) from kb_entry e join workspace w on w.tenant_id = e.tenant_id and w.id = e.workspace_id where e.tenant_id = side;
      end loop;
      perform set_config('app.tenant_id', '', true);
    end $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
