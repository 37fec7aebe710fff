import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** A term's list has an entry once, with those of its questions that have the term: the list stays short where an entry is asked for in many ways. */
export class EntryPostings1763700180000 implements MigrationInterface {
  name = "EntryPostings1763700180000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "kb_posting"');
    await runner.query(`CREATE TABLE "kb_posting" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "approved" boolean NOT NULL,
      "term" integer NOT NULL,
      "entry_id" uuid NOT NULL,
      "ns" smallint array NOT NULL,
      CONSTRAINT "PK_49834021b42bd002afa9ed43670" PRIMARY KEY ("tenant_id", "workspace_id", "approved", "term", "entry_id", "ns"))`);
    await isolate(runner, "kb_posting");
    await this.index(runner);
    await runner.query(`do $$ declare side uuid; begin
      for side in select id from tenant loop
        perform set_config('app.tenant_id', side::text, true);
        insert into kb_posting (tenant_id, workspace_id, approved, term, entry_id, ns)
        select q.tenant_id, q.workspace_id, q.approved, t.term, q.entry_id, array_agg(q.n::smallint order by q.n)
        from kb_question q, unnest(q.terms) t (term) where q.tenant_id = side group by 1, 2, 3, 4, 5;
      end loop;
      perform set_config('app.tenant_id', '', true);
    end $$`);
  }

  private async index(runner: QueryRunner): Promise<void> {
    // By its key, whatever is known of the tables' sizes: an entry's questions stand under hundreds of terms.
    await runner.query(`create or replace function kb_unindex(of_tenant uuid, of_entry uuid) returns void language plpgsql set enable_seqscan = off as $$
      declare gone record;
      begin
        for gone in with questions as (delete from kb_question where tenant_id = of_tenant and entry_id = of_entry returning *)
          select q.workspace_id, q.approved, array_agg(distinct t.term) as terms from questions q, unnest(q.terms) t (term) group by 1, 2 loop
          delete from kb_posting p where p.tenant_id = of_tenant and p.workspace_id = gone.workspace_id and p.approved = gone.approved
            and p.term = any (gone.terms) and p.entry_id = of_entry;
        end loop;
      end $$`);
    await runner.query(`create or replace function kb_index(of kb_entry, language text) returns void language sql as $$
      with added as (
        insert into kb_question (tenant_id, entry_id, n, workspace_id, approved, said, valid_until, terms)
        select of.tenant_id, of.id, q.n, of.workspace_id, of.status = 'approved', q.said, of.valid_until, kb_terms(kb_config(language), q.said)
        from (select said, min(n) as n from unnest(of.question || of.alternate_questions) with ordinality u (said, n) group by said) q
        where of.status in ('approved', 'pending') returning *
      )
      insert into kb_posting (tenant_id, workspace_id, approved, term, entry_id, ns)
      select a.tenant_id, a.workspace_id, a.approved, t.term, a.entry_id, array_agg(a.n::smallint order by a.n) from added a, unnest(a.terms) t (term) group by 1, 2, 3, 4, 5 $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
