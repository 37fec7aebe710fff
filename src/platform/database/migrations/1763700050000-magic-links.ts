import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Links that prove who is calling by their mailbox. */
export class MagicLinks1763700050000 implements MigrationInterface {
  name = "MagicLinks1763700050000";

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "magic_link" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "contact_id" uuid NOT NULL, "token_hash" text NOT NULL, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "redeemed_at" TIMESTAMP(3) WITH TIME ZONE, "replaced_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "magic_link_end" CHECK (redeemed_at is null or replaced_at is null), CONSTRAINT "PK_8281397fd6351a773f25c09cf24" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await queryRunner.query(`CREATE INDEX "magic_link_expired" ON "magic_link" ("tenant_id", "expires_at")`);
    await queryRunner.query(
      `CREATE INDEX "magic_link_of_contact" ON "magic_link" ("tenant_id", "contact_id", "created_at")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "magic_link_open" ON "magic_link" ("tenant_id", "conversation_id") WHERE redeemed_at is null and replaced_at is null`,
    );
    await queryRunner.query(
      `CREATE INDEX "magic_link_of_conversation" ON "magic_link" ("tenant_id", "conversation_id")`,
    );
    await queryRunner.query(
      `ALTER TABLE "magic_link" ADD CONSTRAINT "FK_4aa2f1e0d3df727678144a3789a" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "magic_link" ADD CONSTRAINT "FK_6ecfbb2b073c679dce66197c661" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(queryRunner, "magic_link");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "magic_link"`);
  }
}
