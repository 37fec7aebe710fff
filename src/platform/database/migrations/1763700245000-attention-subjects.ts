import type { MigrationInterface, QueryRunner } from "typeorm";

const SUBJECTS = ["calendar_connection", "circuit_breaker"];
const ABOUT = (columns: string[]): string =>
  `ADD CONSTRAINT "attention_item_about" CHECK (num_nonnulls(${columns.join(", ")}) = 1)`;

/** Attention items about calendar connections and circuit breakers. */
export class AttentionSubjects1763700245000 implements MigrationInterface {
  name = "AttentionSubjects1763700245000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "attention_item" DROP CONSTRAINT "attention_item_about"');
    await runner.query(
      `ALTER TABLE "attention_item" ${SUBJECTS.map((subject) => `ADD "${subject}_id" uuid`).join(", ")}, ${ABOUT(["conversation_id", "channel_id", ...SUBJECTS.map((subject) => `${subject}_id`)])}`,
    );
    for (const [subject, short] of [
      ["calendar_connection", "calendar"],
      ["circuit_breaker", "breaker"],
    ]) {
      await runner.query(
        `CREATE INDEX "attention_item_of_${short}" ON "attention_item" ("tenant_id", "${subject}_id") WHERE ${subject}_id is not null`,
      );
      await runner.query(
        `CREATE UNIQUE INDEX "attention_item_cause_of_${short}" ON "attention_item" ("tenant_id", "${subject}_id", "type") WHERE status = 'open' and ${subject}_id is not null`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("delete from attention_item where conversation_id is null and channel_id is null");
    await runner.query(
      `ALTER TABLE "attention_item" ${SUBJECTS.map((subject) => `DROP COLUMN "${subject}_id"`).join(", ")}`,
    );
    await runner.query(
      'ALTER TABLE "attention_item" ADD CONSTRAINT "attention_item_about" CHECK (conversation_id is not null or channel_id is not null)',
    );
  }
}
