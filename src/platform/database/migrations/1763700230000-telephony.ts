import type { MigrationInterface, QueryRunner } from "typeorm";

/** Channels that something comes in for by webhook; and what is known of a message whose receiver may have it. */
export class Telephony1763700230000 implements MigrationInterface {
  name = "Telephony1763700230000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "channel_lookup" ("channel_id" uuid NOT NULL, "tenant_id" uuid NOT NULL, CONSTRAINT "PK_0237650125cf0dab0a66ada1878" PRIMARY KEY ("channel_id"))`,
    );
    await runner.query(
      `ALTER TABLE "channel_lookup" ADD CONSTRAINT "FK_06f3bc2b61ef6be1acc1ebbfd32" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query("grant select, insert on channel_lookup to parley_app");
    await runner.query(
      `ALTER TABLE "outbox_message" ADD "first_tried_at" TIMESTAMP(3) WITH TIME ZONE, ADD "reference" text`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "outbox_message_of_reference" ON "outbox_message" ("tenant_id", "reference") WHERE reference is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "outbox_message" DROP COLUMN "first_tried_at", DROP COLUMN "reference"`);
    await runner.query('DROP TABLE "channel_lookup"');
  }
}
