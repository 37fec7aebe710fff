import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Questions, attempts and factors of proving who is calling. */
export class Verification1763700040000 implements MigrationInterface {
  name = "Verification1763700040000";

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "conversation" ADD "caller_id" text`);
    await queryRunner.query(`ALTER TABLE "conversation" DROP CONSTRAINT "conversation_erased"`);
    await queryRunner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "conversation_erased" CHECK (redacted_at is null or (external_id is null and subject is null and caller_id is null and summary is null and last_message_preview is null and labels = '{}' and metadata = '{}'))`,
    );
    await queryRunner.query(
      `CREATE TABLE "verification_question" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "contact_id" uuid NOT NULL, "source" text NOT NULL, "key" text NOT NULL, "prompt" text NOT NULL, "asked_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "answered_at" TIMESTAMP(3) WITH TIME ZONE, "correct" boolean, CONSTRAINT "PK_1660a3de40080cd1f2d88a52639" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_question_of_contact" ON "verification_question" ("tenant_id", "contact_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_question_of_conversation" ON "verification_question" ("tenant_id", "conversation_id", "asked_at", "id")`,
    );
    await queryRunner.query(
      `CREATE TABLE "verification_attempt" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "contact_id" uuid NOT NULL, "caller_hash" bytea, "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "wrong" boolean NOT NULL DEFAULT false, "forgiven_at" TIMESTAMP(3) WITH TIME ZONE, "forgiven_by" uuid, CONSTRAINT "PK_d26904f83257e3264d7c09022ca" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_attempt_of_caller" ON "verification_attempt" ("tenant_id", "caller_hash", "at") WHERE caller_hash is not null`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_attempt_of_contact" ON "verification_attempt" ("tenant_id", "contact_id", "at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_attempt_of_conversation" ON "verification_attempt" ("tenant_id", "conversation_id", "at")`,
    );
    await queryRunner.query(
      `CREATE TABLE "verification_factor" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "contact_id" uuid NOT NULL, "factor_type" text NOT NULL, "factor_category" text NOT NULL, "added_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "verification_factor_category" CHECK (factor_category in ('knowledge', 'possession', 'inherence')), CONSTRAINT "PK_8f55f968d6397f6d64714916db1" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_factor_of_contact" ON "verification_factor" ("tenant_id", "contact_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "verification_factor_of_conversation" ON "verification_factor" ("tenant_id", "conversation_id", "added_at")`,
    );
    await queryRunner.query(
      `CREATE TABLE "assurance_due" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_6da6c34ac7debe697e7096a40e2" PRIMARY KEY ("tenant_id", "conversation_id"))`,
    );
    await queryRunner.query(`CREATE INDEX "assurance_due_next" ON "assurance_due" ("due_at")`);
    await queryRunner.query(
      `ALTER TABLE "verification_question" ADD CONSTRAINT "FK_9d05efa8a1b138da2591667cb0b" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "verification_question" ADD CONSTRAINT "FK_cf3cd57bb316dfab408925f5c6d" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "verification_attempt" ADD CONSTRAINT "FK_92f148a5bc71e181b09e2d372ca" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "verification_attempt" ADD CONSTRAINT "FK_c0703c11ed9d2e4b92a3fcf56cc" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "verification_factor" ADD CONSTRAINT "FK_83328468f45320366a80b3e9fdd" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "verification_factor" ADD CONSTRAINT "FK_ba77be55667ba46ef6763d7d23f" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "assurance_due" ADD CONSTRAINT "FK_6da6c34ac7debe697e7096a40e2" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    for (const table of ["verification_question", "verification_attempt", "verification_factor"])
      await isolate(queryRunner, table);
    await queryRunner.query("grant select, insert, update, delete on assurance_due to parley_app");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ["assurance_due", "verification_factor", "verification_attempt", "verification_question"])
      await queryRunner.query(`DROP TABLE "${table}"`);
    await queryRunner.query(`ALTER TABLE "conversation" DROP CONSTRAINT "conversation_erased"`);
    await queryRunner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "conversation_erased" CHECK (redacted_at is null or (external_id is null and subject is null and summary is null and last_message_preview is null and labels = '{}' and metadata = '{}'))`,
    );
    await queryRunner.query(`ALTER TABLE "conversation" DROP COLUMN "caller_id"`);
  }
}
