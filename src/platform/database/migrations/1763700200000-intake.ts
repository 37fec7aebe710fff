import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** What came in through a channel. */
export class Intake1763700200000 implements MigrationInterface {
  name = "Intake1763700200000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "received_message" ("tenant_id" uuid NOT NULL, "channel_id" uuid NOT NULL, "fingerprint" bytea NOT NULL, "conversation_id" uuid NOT NULL, "message_id" uuid NOT NULL, CONSTRAINT "PK_ed9eb26790fc371835a84cae5fd" PRIMARY KEY ("tenant_id", "channel_id", "fingerprint"))`,
    );
    await runner.query(
      `CREATE INDEX "received_message_of_conversation" ON "received_message" ("tenant_id", "conversation_id")`,
    );
    await runner.query(
      `ALTER TABLE "received_message" ADD CONSTRAINT "FK_112ce685d51b41564016b0719a7" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "received_message" ADD CONSTRAINT "FK_68ecaab73bbdac6ae5d361d8023" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(runner, "received_message");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "received_message"');
  }
}
