import type { MigrationInterface, QueryRunner } from "typeorm";

/** The messages of conversations leave through the outbox, each conversation's in their order. */
export class Outbox1763700195000 implements MigrationInterface {
  name = "Outbox1763700195000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "outbox_message" DROP CONSTRAINT "outbox_message_channel"`);
    await runner.query(
      `ALTER TABLE "outbox_message" ADD "channel_id" uuid, ADD "conversation_id" uuid, ADD "position" integer`,
    );
    await runner.query(
      `CREATE INDEX "outbox_message_of_channel" ON "outbox_message" ("tenant_id", "channel_id", "status") WHERE channel_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "outbox_message_of_conversation" ON "outbox_message" ("tenant_id", "conversation_id") WHERE conversation_id is not null`,
    );
    await runner.query(
      `ALTER TABLE "outbox_message" ADD CONSTRAINT "FK_49942d70c2fa0f18c1e20a51247" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "outbox_message" ADD CONSTRAINT "FK_f464d51e463f0ae410192de04b3" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "outbox_queue" ADD "channel_id" uuid, ADD "conversation_id" uuid, ADD "position" integer`,
    );
    await runner.query(
      `CREATE INDEX "outbox_queue_of_channel" ON "outbox_queue" ("tenant_id", "channel_id") WHERE channel_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "outbox_queue_lane" ON "outbox_queue" ("tenant_id", "conversation_id", "position") WHERE conversation_id is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("delete from outbox_message where channel_id is not null");
    await runner.query(
      `ALTER TABLE "outbox_queue" DROP COLUMN "channel_id", DROP COLUMN "conversation_id", DROP COLUMN "position"`,
    );
    await runner.query(
      `ALTER TABLE "outbox_message" DROP COLUMN "channel_id", DROP COLUMN "conversation_id", DROP COLUMN "position"`,
    );
    await runner.query(
      `ALTER TABLE "outbox_message" ADD CONSTRAINT "outbox_message_channel" CHECK (channel in ('email'))`,
    );
  }
}
