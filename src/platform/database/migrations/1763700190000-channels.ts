import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";

/** Channels with an address, settings and sealed credentials, that are made ready by a job and may be in want of attention. */
export class Channels1763700190000 implements MigrationInterface {
  name = "Channels1763700190000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "channel" ADD "address" text, ADD "settings" jsonb NOT NULL DEFAULT '{}', ADD "credentials" bytea, ADD "credential_fingerprint" text,
      ADD "delivers" boolean NOT NULL DEFAULT false, ADD "revision" integer NOT NULL DEFAULT 1, ADD "attempts" integer NOT NULL DEFAULT 0, ADD "last_error" text,
      ADD "next_retry_at" TIMESTAMP(3) WITH TIME ZONE, ADD "failing_since" TIMESTAMP(3) WITH TIME ZONE, ADD "last_test" jsonb,
      ADD CONSTRAINT "channel_credentials" CHECK ((credentials is null) = (credential_fingerprint is null))`);
    await runner.query(
      `CREATE TABLE "channel_due" ("tenant_id" uuid NOT NULL, "channel_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_195c6aeaff4d5feeb14d448f0c7" PRIMARY KEY ("tenant_id", "channel_id"))`,
    );
    await runner.query(`CREATE INDEX "channel_due_next" ON "channel_due" ("due_at")`);
    await runner.query(
      `ALTER TABLE "channel_due" ADD CONSTRAINT "FK_195c6aeaff4d5feeb14d448f0c7" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query("grant select, insert, update, delete on channel_due to parley_app");
    await runner.query(`ALTER TABLE "conversation" ADD "delivers" boolean NOT NULL DEFAULT false`);
    await audit(runner, "channel", {
      type: "channel",
      except: [
        "credential_fingerprint",
        "revision",
        "attempts",
        "last_error",
        "next_retry_at",
        "failing_since",
        "last_test",
      ],
    });
    await this.attention(runner);
    await runner.query(`create function reseal_signing_key(tenant uuid, key_id uuid, before bytea, after bytea) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        update signing_key set sealed = after where tenant_id = tenant and id = key_id and sealed = before;
        return found;
      end $$`);
    await runner.query("revoke all on function reseal_signing_key(uuid, uuid, bytea, bytea) from public");
    await runner.query("grant execute on function reseal_signing_key(uuid, uuid, bytea, bytea) to parley_app");
  }

  private async attention(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "attention_item" ALTER COLUMN "conversation_id" DROP NOT NULL, ADD "channel_id" uuid,
      ADD CONSTRAINT "attention_item_about" CHECK (conversation_id is not null or channel_id is not null)`);
    await runner.query(
      `CREATE INDEX "attention_item_of_channel" ON "attention_item" ("tenant_id", "channel_id") WHERE channel_id is not null`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "attention_item_cause_of_channel" ON "attention_item" ("tenant_id", "channel_id", "type") WHERE status = 'open' and channel_id is not null`,
    );
    await runner.query(`ALTER TABLE "attention_item" DROP CONSTRAINT "FK_eb9ab70366507d9a0a0fc0ac0b7"`);
    await runner.query(
      `ALTER TABLE "attention_item" ADD CONSTRAINT "FK_eb9ab70366507d9a0a0fc0ac0b7" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "attention_item" ADD CONSTRAINT "FK_1af977682208ee0f33111c23e79" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await audit(runner, "attention_item", {
      type: "attentionItem",
      except: ["occurrences", "resolved_at", "resolved_by"],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop function reseal_signing_key(uuid, uuid, bytea, bytea)");
    await runner.query("delete from attention_item where conversation_id is null");
    await runner.query(
      `ALTER TABLE "attention_item" DROP COLUMN "channel_id", ALTER COLUMN "conversation_id" SET NOT NULL`,
    );
    await runner.query(`ALTER TABLE "conversation" DROP COLUMN "delivers"`);
    await runner.query('DROP TABLE "channel_due"');
    await runner.query(`ALTER TABLE "channel" DROP COLUMN "address", DROP COLUMN "settings", DROP COLUMN "credentials", DROP COLUMN "credential_fingerprint", DROP COLUMN "delivers",
      DROP COLUMN "revision", DROP COLUMN "attempts", DROP COLUMN "last_error", DROP COLUMN "next_retry_at", DROP COLUMN "failing_since", DROP COLUMN "last_test"`);
    for (const [table, audited] of [
      ["channel", { type: "channel" }],
      ["attention_item", { type: "attentionItem", except: ["occurrences", "resolved_at", "resolved_by"] }],
    ] as const)
      await audit(runner, table, audited);
  }
}
