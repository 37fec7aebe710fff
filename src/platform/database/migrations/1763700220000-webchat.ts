import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** The sessions of visitors in the web chat, and what they see. */
export class Webchat1763700220000 implements MigrationInterface {
  name = "Webchat1763700220000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "webchat_session" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "channel_id" uuid NOT NULL, "visitor_id" uuid NOT NULL, "contact_id" uuid, "signed" boolean NOT NULL DEFAULT false, "number" integer NOT NULL DEFAULT '1', "rotated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "confirmed_at" TIMESTAMP(3) WITH TIME ZONE, "ended_at" TIMESTAMP(3) WITH TIME ZONE, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_9b0ca7d840be282cdc60f31f84c" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(`CREATE INDEX "webchat_session_rotated" ON "webchat_session" ("tenant_id", "rotated_at")`);
    await runner.query(
      `CREATE INDEX "webchat_session_of_contact" ON "webchat_session" ("tenant_id", "contact_id") WHERE contact_id is not null`,
    );
    await runner.query(`CREATE INDEX "webchat_session_of_channel" ON "webchat_session" ("tenant_id", "channel_id")`);
    await runner.query(
      `CREATE TABLE "webchat_thread" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "visitor_id" uuid NOT NULL, CONSTRAINT "PK_1ba8f403cec2957bd2c97ad4ae0" PRIMARY KEY ("tenant_id", "conversation_id"))`,
    );
    await runner.query(`CREATE INDEX "webchat_thread_of_visitor" ON "webchat_thread" ("tenant_id", "visitor_id")`);
    await runner.query(
      `ALTER TABLE "webchat_session" ADD CONSTRAINT "FK_f42ba0b82d83562be4c0e29603a" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "webchat_thread" ADD CONSTRAINT "FK_1ba8f403cec2957bd2c97ad4ae0" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(runner, "webchat_session");
    await isolate(runner, "webchat_thread");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "webchat_thread"');
    await runner.query('DROP TABLE "webchat_session"');
  }
}
