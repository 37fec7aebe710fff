import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Erased people: their tombstones and certificates, the keys that sign them, and the third deletion that the application cannot do by itself. */
export class Erasure1763700030000 implements MigrationInterface {
  name = "Erasure1763700030000";

  async up(runner: QueryRunner): Promise<void> {
    await this.tables(runner);
    await this.columns(runner);
    // What was certified stands; a tombstone is for ever.
    await isolate(runner, "signing_key", "select, insert");
    await isolate(runner, "erasure_request", "select, insert, update");
    await isolate(runner, "erased_contact", "select, insert");
    await this.eraseIdentityEvents(runner);
  }

  private async tables(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "signing_key" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "public_key" text NOT NULL,
      "sealed" bytea NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_7182801fe3bbdc18f66e6220d9b" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE UNIQUE INDEX "signing_key_of_tenant" ON "signing_key" ("tenant_id")`);
    await runner.query(`CREATE TABLE "erasure_request" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "contact_id" uuid NOT NULL,
      "certificate" jsonb,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_07d6d458e6aba55924aecedf82c" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE UNIQUE INDEX "erasure_request_of_contact" ON "erasure_request" ("tenant_id", "contact_id")`,
    );
    await runner.query(`CREATE TABLE "erased_contact" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "erasure_id" uuid NOT NULL,
      "erased_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_525c375a72d4613dc6cb11c5df8" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "erased_contact_by_erasure" ON "erased_contact" ("tenant_id", "erasure_id")`);
    await runner.query(
      `ALTER TABLE "signing_key" ADD CONSTRAINT "FK_06cb3f473bec473d55c006e0af1" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "erasure_request" ADD CONSTRAINT "FK_f715c55cd954851db801ba460e5" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "erased_contact" ADD CONSTRAINT "FK_2becf5b9c3f1ed995d52e38b427" FOREIGN KEY ("tenant_id", "erasure_id") REFERENCES "erasure_request"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
  }

  private async columns(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "contact" ADD "erased_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(
      `ALTER TABLE "contact" ADD CONSTRAINT "contact_erased" CHECK (erased_at is null or (external_id is null and name is null and language is null and account_id is null and labels = '{}' and attributes = '{}' and merged_into_id is null))`,
    );
    await runner.query(`ALTER TABLE "conversation" ADD "redacted_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "conversation_erased" CHECK (redacted_at is null or (external_id is null and subject is null and summary is null and last_message_preview is null and labels = '{}' and metadata = '{}'))`,
    );
    await runner.query(`ALTER TABLE "outbox_message" ADD "recipient" bytea`);
    await runner.query(`CREATE INDEX "outbox_message_of_recipient" ON "outbox_message" ("tenant_id", "recipient")`);
    await runner.query(
      `CREATE INDEX "identity_event_of_caller" ON "identity_event" ("tenant_id", "scope_values") WHERE event_type = 'ani_blocked'`,
    );
  }

  private async eraseIdentityEvents(runner: QueryRunner): Promise<void> {
    // Only for a contact with a tombstone, whose phone numbers are still there.
    await runner.query(`create function erase_identity_events(tenant uuid, of_contact uuid) returns integer
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        removed integer;
        total integer := 0;
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        perform from erased_contact t where t.tenant_id = tenant and t.id = of_contact;
        if not found then return 0; end if;
        delete from identity_event e where e.tenant_id = tenant and e.factor_bound_to_principal = of_contact;
        get diagnostics removed = row_count;
        total := total + removed;
        delete from identity_event e using conversation c
          where c.tenant_id = tenant and c.contact_id = of_contact and e.tenant_id = tenant and e.conversation_id = c.id and e.event_type = 'ani_blocked';
        get diagnostics removed = row_count;
        total := total + removed;
        delete from identity_event e using contact_point p
          where p.tenant_id = tenant and p.contact_id = of_contact and p.kind = 'phone'
            and e.tenant_id = tenant and e.scope_values = jsonb_build_array(p.value) and e.event_type = 'ani_blocked';
        get diagnostics removed = row_count;
        return total + removed;
      end $$`);
    await runner.query("revoke all on function erase_identity_events(uuid, uuid) from public");
    await runner.query("grant execute on function erase_identity_events(uuid, uuid) to parley_app");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop function erase_identity_events(uuid, uuid)");
    await runner.query(`DROP INDEX "identity_event_of_caller"`);
    await runner.query(`DROP INDEX "outbox_message_of_recipient"`);
    await runner.query(`ALTER TABLE "outbox_message" DROP COLUMN "recipient"`);
    await runner.query(`ALTER TABLE "conversation" DROP CONSTRAINT "conversation_erased"`);
    await runner.query(`ALTER TABLE "conversation" DROP COLUMN "redacted_at"`);
    await runner.query(`ALTER TABLE "contact" DROP CONSTRAINT "contact_erased"`);
    await runner.query(`ALTER TABLE "contact" DROP COLUMN "erased_at"`);
    for (const table of ["erased_contact", "erasure_request", "signing_key"])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
