import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolate } from './isolate.js';

/** A term's list has an entry once, with those of its questions that have the term: the list stays short where an entry is asked for in many ways. */
export class EntryPostings1763700180000 implements MigrationInterface {
  name = 'EntryPostings1763700180000';

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
    await isolate(runner, 'kb_posting');
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
    await runner.query(`create or replace function kb_unindex(of_tenant uuid, of_entry uuid) returns void language sql as $$
      with gone as (delete from kb_question where tenant_id = of_tenant and entry_id = of_entry returning *)
      delete from kb_posting p using (select distinct g.tenant_id, g.workspace_id, g.approved, t.term, g.entry_id from gone g, unnest(g.terms) t (term)) g
      where p.tenant_id = g.tenant_id and p.workspace_id = g.workspace_id and p.approved = g.approved and p.term = g.term and p.entry_id = g.entry_id $$`);
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
    return Promise.reject(new Error('Migrations go forward only: restore a backup instead'));
  }
}
