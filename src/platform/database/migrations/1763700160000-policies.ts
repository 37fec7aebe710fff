import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

/** Policies: entries with the life of knowledge base entries, found by their words, and applied by tool. */
export class Policies1763700160000 implements MigrationInterface {
  name = "Policies1763700160000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "policy_entry" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "status" text NOT NULL,
      "source" text NOT NULL DEFAULT 'manual',
      "confidence" double precision,
      "evidence" jsonb NOT NULL DEFAULT '[]',
      "duplicate_of_id" uuid,
      "reviewed_by" uuid,
      "reviewed_at" TIMESTAMP(3) WITH TIME ZONE,
      "rejection_reason" text,
      "valid_until" TIMESTAMP(3) WITH TIME ZONE,
      "retrieved" integer NOT NULL DEFAULT '0',
      "answered" integer NOT NULL DEFAULT '0',
      "helpful" integer NOT NULL DEFAULT '0',
      "version" integer NOT NULL DEFAULT '1',
      "changed_by" uuid,
      "change_reason" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "title" text NOT NULL,
      "rule" text NOT NULL,
      "category" text,
      "effect" text NOT NULL,
      "tools" text array NOT NULL DEFAULT '{}',
      "conditions" jsonb,
      "required_assurance_level" text,
      "priority" integer NOT NULL DEFAULT '100',
      CONSTRAINT "policy_entry_priority" CHECK (priority between 0 and 1000),
      CONSTRAINT "policy_entry_level" CHECK (required_assurance_level in ('identified', 'high-assurance')),
      CONSTRAINT "policy_entry_effect" CHECK (effect in ('allow', 'require_approval', 'escalate', 'deny')),
      CONSTRAINT "policy_entry_confidence" CHECK (confidence between 0 and 1),
      CONSTRAINT "policy_entry_source" CHECK (source in ('manual', 'learning', 'import')),
      CONSTRAINT "policy_entry_status" CHECK (status in ('pending', 'approved', 'rejected', 'archived')),
      CONSTRAINT "PK_714eca7b1884b215e2e4bf06c6b" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "policy_entry_duplicates" ON "policy_entry" ("tenant_id", "duplicate_of_id") WHERE duplicate_of_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "policy_entry_by_status" ON "policy_entry" ("tenant_id", "workspace_id", "status", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "policy_entry_of_workspace" ON "policy_entry" ("tenant_id", "workspace_id", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "policy_entry_version" (
      "tenant_id" uuid NOT NULL,
      "entry_id" uuid NOT NULL,
      "version" integer NOT NULL,
      "content" jsonb NOT NULL,
      "changed_by" uuid,
      "reason" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_cfadbc426326a29de055af50502" PRIMARY KEY ("tenant_id", "entry_id", "version"))`);
    await runner.query(`CREATE TABLE "policy_text" (
      "tenant_id" uuid NOT NULL,
      "entry_id" uuid NOT NULL,
      "n" integer NOT NULL,
      "workspace_id" uuid NOT NULL,
      "approved" boolean NOT NULL,
      "said" text NOT NULL,
      "valid_until" TIMESTAMP(3) WITH TIME ZONE,
      "terms" integer array NOT NULL,
      CONSTRAINT "PK_bb1ead78c69a2329c01c18883d7" PRIMARY KEY ("tenant_id", "entry_id", "n"))`);
    await runner.query(`CREATE TABLE "policy_posting" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "approved" boolean NOT NULL,
      "term" integer NOT NULL,
      "entry_id" uuid NOT NULL,
      "ns" smallint array NOT NULL,
      CONSTRAINT "PK_28bf45ac5cc392e15eecaa65393" PRIMARY KEY ("tenant_id", "workspace_id", "approved", "term", "entry_id", "ns"))`);
    await runner.query(`CREATE TABLE "policy_tool" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "tool" text NOT NULL,
      "entry_id" uuid NOT NULL,
      CONSTRAINT "PK_2f939a2d863610d86853a451eaf" PRIMARY KEY ("tenant_id", "workspace_id", "tool", "entry_id"))`);
    await runner.query(`CREATE INDEX "policy_tool_of_entry" ON "policy_tool" ("tenant_id", "entry_id")`);
    await runner.query(
      `ALTER TABLE "policy_entry" ADD CONSTRAINT "FK_1630f50e2f61773575e70dd44f1" FOREIGN KEY ("tenant_id", "duplicate_of_id") REFERENCES "policy_entry"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "policy_entry" ADD CONSTRAINT "FK_5f54927d9ea7e5ceef3b6285ccf" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "policy_entry_version" ADD CONSTRAINT "FK_f2c828e611f279ac239cf71bbb0" FOREIGN KEY ("tenant_id", "entry_id") REFERENCES "policy_entry"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "policy_text" ADD CONSTRAINT "FK_f0e63d8d28cb51cdb5c92cc83fa" FOREIGN KEY ("tenant_id", "entry_id") REFERENCES "policy_entry"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "policy_tool" ADD CONSTRAINT "FK_0093ec0cd484d4f9299d9767b63" FOREIGN KEY ("tenant_id", "entry_id") REFERENCES "policy_entry"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    for (const table of ["policy_entry", "policy_entry_version", "policy_text", "policy_posting", "policy_tool"])
      await isolate(runner, table);
    await audit(runner, "policy_entry", {
      type: "policyEntry",
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
    await this.index(runner);
    await this.purge(runner);
  }

  /** A deleted workspace's policies are freed in batches too, summed up as the rest: with its row they would all go in one statement. */
  private async purge(runner: QueryRunner): Promise<void> {
    await runner.query(`create function purge_policies(tenant uuid, of_workspace uuid, batch integer) returns boolean
      language plpgsql as $$
      declare
        gone uuid[];
        freed integer;
      begin
        perform set_config('app.audit', 'summed up', true);
        perform from workspace w where w.tenant_id = tenant and w.id = of_workspace and w.deleted_at is not null for update;
        if not found then return false; end if;
        gone := array(select e.id from policy_entry e where e.tenant_id = tenant and e.workspace_id = of_workspace limit batch);
        if cardinality(gone) = 0 then return false; end if;
        update policy_entry set duplicate_of_id = null where tenant_id = tenant and duplicate_of_id = any (gone);
        delete from policy_entry where tenant_id = tenant and id = any (gone);
        get diagnostics freed = row_count;
        update purge_queue q set removed = add_counts(q.removed, jsonb_build_object('policyEntries', freed)) where q.tenant_id = tenant and q.workspace_id = of_workspace;
        return true;
      end $$`);
  }

  /** The index follows its entries in the transaction that changes them, whoever does. */
  private async index(runner: QueryRunner): Promise<void> {
    // By its key, whatever is known of the tables' sizes: a rule's lines stand under hundreds of terms.
    await runner.query(`create function policy_unindex(of_tenant uuid, of_entry uuid) returns void language plpgsql set enable_seqscan = off as $$
      declare gone record;
      begin
        delete from policy_tool where tenant_id = of_tenant and entry_id = of_entry;
        for gone in with texts as (delete from policy_text where tenant_id = of_tenant and entry_id = of_entry returning *)
          select x.workspace_id, x.approved, array_agg(distinct t.term) as terms from texts x, unnest(x.terms) t (term) group by 1, 2 loop
          delete from policy_posting p where p.tenant_id = of_tenant and p.workspace_id = gone.workspace_id and p.approved = gone.approved
            and p.term = any (gone.terms) and p.entry_id = of_entry;
        end loop;
      end $$`);
    // The title first, then the lines of the rule: so many are found by themselves.
    await runner.query(`create function policy_index(of policy_entry, language text) returns void language sql as $$
      with added as (
        insert into policy_text (tenant_id, entry_id, n, workspace_id, approved, said, valid_until, terms)
        select of.tenant_id, of.id, q.n, of.workspace_id, of.status = 'approved', q.said, of.valid_until, kb_terms(kb_config(language), q.said)
        from (select left(btrim(said), 2000) as said, min(n) as n from unnest(of.title || regexp_split_to_array(of.rule, '\\n')) with ordinality u (said, n) where btrim(said) <> '' group by 1 order by 2 limit 100) q
        where of.status in ('approved', 'pending') returning *
      )
      insert into policy_posting (tenant_id, workspace_id, approved, term, entry_id, ns)
      select a.tenant_id, a.workspace_id, a.approved, t.term, a.entry_id, array_agg(a.n::smallint order by a.n) from added a, unnest(a.terms) t (term) group by 1, 2, 3, 4, 5;
      insert into policy_tool (tenant_id, workspace_id, tool, entry_id)
      select of.tenant_id, of.workspace_id, t.tool, of.id from unnest(case when of.tools = '{}' then '{*}' else of.tools end) t (tool) where of.status = 'approved' $$`);
    await runner.query(`create function policy_entry_indexed() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then perform policy_unindex(old.tenant_id, old.id); end if;
        if tg_op = 'DELETE' then return old; end if;
        perform policy_index(new, (select w.primary_language from workspace w where w.tenant_id = new.tenant_id and w.id = new.workspace_id));
        return new;
      end $$`);
    await runner.query(
      "create trigger indexed after insert on policy_entry for each row execute function policy_entry_indexed()",
    );
    await runner.query(`create trigger indexed_again after update on policy_entry for each row
      when ((old.status, old.title, old.rule, old.tools, old.valid_until) is distinct from (new.status, new.title, new.rule, new.tools, new.valid_until)) execute function policy_entry_indexed()`);
    // Before, because the texts that say what to remove go with their entry.
    await runner.query(
      "create trigger indexed_no_more before delete on policy_entry for each row execute function policy_entry_indexed()",
    );
    await runner.query(`create function policy_language_changed() returns trigger language plpgsql as $$
      begin
        perform policy_unindex(e.tenant_id, e.id), policy_index(e, new.primary_language) from policy_entry e where e.tenant_id = new.tenant_id and e.workspace_id = new.id;
        return new;
      end $$`);
    await runner.query(`create trigger policies_in_language after update of primary_language on workspace for each row
      when (old.primary_language <> new.primary_language) execute function policy_language_changed()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
