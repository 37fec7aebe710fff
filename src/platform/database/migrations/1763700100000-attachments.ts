import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Attachments of messages, and the removal of their files. */
export class Attachments1763700100000 implements MigrationInterface {
  name = "Attachments1763700100000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "attachment" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "file_name" text NOT NULL,
      "content_type" text NOT NULL,
      "size" integer NOT NULL,
      "width" integer,
      "height" integer,
      "uploaded_by" uuid,
      "conversation_id" uuid,
      "message_id" uuid,
      "position" integer,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "attachment_size" CHECK (size > 0),
      CONSTRAINT "attachment_attached" CHECK ((message_id is null) = (conversation_id is null)),
      CONSTRAINT "PK_2fb7654f0fd48a42b883d9e7fa8" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "attachment_unattached" ON "attachment" ("tenant_id", "created_at") WHERE message_id is null`,
    );
    await runner.query(`CREATE INDEX "attachment_of_message" ON "attachment" ("tenant_id", "message_id", "position")`);
    await runner.query(
      `CREATE INDEX "attachment_of_conversation" ON "attachment" ("tenant_id", "conversation_id", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "attachment_removal" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      CONSTRAINT "PK_6c5133e9d65f725c6c59c4c9954" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `ALTER TABLE "attachment" ADD CONSTRAINT "FK_2457e63ab73192d9fe6d53f3af9" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "attachment" ADD CONSTRAINT "FK_ce96f20e879163745a11ed83ee3" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "message"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(runner, "attachment");
    await runner.query("grant select, insert, update, delete on attachment_removal to parley_app");
    // Whatever deletes a row (an erasure, a purge's cascade, the daily run, a hand) leaves word of its file in the same transaction.
    await runner.query(`create function queue_attachment_removal() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        insert into attachment_removal (tenant_id, id) values (old.tenant_id, old.id) on conflict do nothing;
        return null;
      end $$`);
    await runner.query(
      "create trigger queue_removal after delete on attachment for each row execute function queue_attachment_removal()",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "attachment_removal"');
    await runner.query('DROP TABLE "attachment"');
    await runner.query("drop function queue_attachment_removal()");
  }
}
