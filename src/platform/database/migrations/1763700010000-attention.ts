import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Attention items, and how a workspace proves who is calling. */
export class Attention1763700010000 implements MigrationInterface {
  name = "Attention1763700010000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "attention_item" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "conversation_id" uuid NOT NULL,
      "type" text NOT NULL,
      "severity" text NOT NULL,
      "reason" text NOT NULL,
      "status" text NOT NULL DEFAULT 'open',
      "occurrences" integer NOT NULL DEFAULT '1',
      "resolved_by" uuid,
      "resolved_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "attention_item_resolved" CHECK ((status = 'resolved') = (resolved_at is not null)),
      CONSTRAINT "attention_item_status" CHECK (status in ('open', 'resolved')),
      CONSTRAINT "attention_item_severity" CHECK (severity in ('low', 'medium', 'high', 'urgent')),
      CONSTRAINT "attention_item_type" CHECK (type in ('handoff_requested', 'approval_required', 'guardrail_block', 'identity_locked', 'verification_not_configured', 'low_confidence', 'csat_low', 'channel_error', 'circuit_breaker_tripped', 'kb_gap')),
      CONSTRAINT "PK_b0040548c5778cc512e6cfb6f37" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "attention_item_by_type" ON "attention_item" ("tenant_id", "workspace_id", "type", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "attention_item_by_status" ON "attention_item" ("tenant_id", "workspace_id", "status", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "attention_item_recent" ON "attention_item" ("tenant_id", "workspace_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "attention_item_of_conversation" ON "attention_item" ("tenant_id", "conversation_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "attention_item_cause" ON "attention_item" ("tenant_id", "conversation_id", "type") WHERE status = 'open'`,
    );
    await runner.query(`CREATE TABLE "identity_settings" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "required_correct_answers" integer NOT NULL,
      "max_wrong_per_conversation" integer NOT NULL,
      "max_wrong_per_identity24h" integer NOT NULL,
      "max_wrong_per_caller_id24h" integer NOT NULL,
      "magic_link_minutes" integer NOT NULL,
      "factor_lifetime_minutes" integer NOT NULL,
      "allowed_factors" text array NOT NULL,
      "prompt_version" text,
      CONSTRAINT "identity_settings_factors" CHECK (cardinality(allowed_factors) > 0 and allowed_factors <@ array['kba_static', 'kba_dynamic', 'otp_email', 'otp_sms', 'magic_link', 'ani_match', 'eid_verified']),
      CONSTRAINT "identity_settings_lifetime" CHECK (factor_lifetime_minutes between 1 and 1440),
      CONSTRAINT "identity_settings_magic_link" CHECK (magic_link_minutes between 1 and 60),
      CONSTRAINT "identity_settings_per_caller_id" CHECK (max_wrong_per_caller_id24h between 1 and 100),
      CONSTRAINT "identity_settings_per_identity" CHECK (max_wrong_per_identity24h between 1 and 100),
      CONSTRAINT "identity_settings_per_conversation" CHECK (max_wrong_per_conversation between 1 and 100),
      CONSTRAINT "identity_settings_answers" CHECK (required_correct_answers between 1 and 10),
      CONSTRAINT "PK_0c9efc0bea9788da5c253ffbd9c" PRIMARY KEY ("tenant_id", "workspace_id"))`);
    await runner.query(`CREATE TABLE "verification_source" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "name" text NOT NULL,
      "position" integer NOT NULL,
      "type" text NOT NULL,
      "questions" jsonb NOT NULL,
      "url" text,
      "sealed" bytea,
      CONSTRAINT "verification_source_http" CHECK ((type = 'http') = (url is not null) and (type = 'http' or sealed is null)),
      CONSTRAINT "verification_source_type" CHECK (type in ('contact_attributes', 'http')),
      CONSTRAINT "PK_5a1a491574e2ea0bb40da83dd1f" PRIMARY KEY ("tenant_id", "workspace_id", "name"))`);
    await runner.query(
      `ALTER TABLE "attention_item" ADD CONSTRAINT "FK_eb9ab70366507d9a0a0fc0ac0b7" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "attention_item" ADD CONSTRAINT "FK_addc0a359b9a16e761f1840c87a" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "identity_settings" ADD CONSTRAINT "FK_0c9efc0bea9788da5c253ffbd9c" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "verification_source" ADD CONSTRAINT "FK_9365ff6d1873519268a45f0494e" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    for (const table of ["attention_item", "identity_settings", "verification_source"]) await isolate(runner, table);
    await this.purge(runner);
  }

  /** As before, and with the attention items of the conversations that go. What else is new goes with the workspace's row. */
  private async purge(runner: QueryRunner): Promise<void> {
    await runner.query(`create or replace function purge_workspace(tenant uuid, of_workspace uuid, batch integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        gone uuid[];
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        perform from workspace w where w.tenant_id = tenant and w.id = of_workspace and w.deleted_at is not null for update;
        if not found then return false; end if;
        gone := array(select c.id from conversation c where c.tenant_id = tenant and c.workspace_id = of_workspace
          order by c.last_activity_at desc, c.id desc limit batch);
        if cardinality(gone) > 0 then
          delete from identity_event where tenant_id = tenant and conversation_id = any (gone);
          delete from attention_item where tenant_id = tenant and conversation_id = any (gone);
          delete from message where tenant_id = tenant and conversation_id = any (gone);
          update conversation set previous_conversation_id = null where tenant_id = tenant and previous_conversation_id = any (gone);
          delete from conversation where tenant_id = tenant and id = any (gone);
          return true;
        end if;
        gone := array(select e.id from kb_entry e where e.tenant_id = tenant and e.workspace_id = of_workspace limit batch);
        if cardinality(gone) > 0 then
          update kb_entry set duplicate_of_id = null where tenant_id = tenant and duplicate_of_id = any (gone);
          delete from kb_entry where tenant_id = tenant and id = any (gone);
          return true;
        end if;
        delete from workspace where tenant_id = tenant and id = of_workspace;
        return false;
      end $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
