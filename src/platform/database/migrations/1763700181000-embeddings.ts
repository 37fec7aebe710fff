import type { MigrationInterface, QueryRunner } from "typeorm";

/** What questions mean, in the numbers of a model, where a server for such numbers is configured. */
export class Embeddings1763700181000 implements MigrationInterface {
  name = "Embeddings1763700181000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "kb_question" ADD "vector" bytea`);
    await runner.query(`ALTER TABLE "kb_question" ADD "model" text NOT NULL DEFAULT ''`);
    await runner.query(`CREATE INDEX "kb_question_by_model" ON "kb_question" ("tenant_id", "model", "entry_id", "n")`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
