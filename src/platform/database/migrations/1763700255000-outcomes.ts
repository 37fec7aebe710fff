import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** How things ended: as they happen, and counted by day. */
export class Outcomes1763700255000 implements MigrationInterface {
  name = "Outcomes1763700255000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "outcome" ("tenant_id" uuid NOT NULL, "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL, "workspace_id" uuid NOT NULL, "metric" text NOT NULL, "entity_type" text NOT NULL, "entity_id" text NOT NULL,
      "scale" smallint NOT NULL, "value" smallint NOT NULL, "bad" boolean NOT NULL, "weight" smallint NOT NULL DEFAULT '1', "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
      CONSTRAINT "outcome_weight" CHECK (weight in (1, -1)), CONSTRAINT "outcome_entity_type" CHECK (entity_type in ('workspace', 'channel', 'member', 'agent', 'kb_entry', 'tool')),
      CONSTRAINT "outcome_metric" CHECK (metric in ('csat_asked', 'csat', 'delivery', 'handoff', 'tool')), CONSTRAINT "PK_a4713072997b444df723d807a1b" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "outcome_of_metric" ON "outcome" ("tenant_id", "workspace_id", "metric")`);
    await runner.query(
      `ALTER TABLE "outcome" ADD CONSTRAINT "FK_69bbc9e91391f49c16823665326" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query("grant select, insert, delete on outcome to parley_app");
    await runner.query(`CREATE TABLE "outcome_count" ("tenant_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "metric" text NOT NULL, "entity_type" text NOT NULL, "day" date NOT NULL, "entity_id" text NOT NULL, "scale" smallint NOT NULL, "value" smallint NOT NULL,
      "total" integer NOT NULL, "bad" integer NOT NULL, "settled_total" integer NOT NULL DEFAULT 0, "settled_bad" integer NOT NULL DEFAULT 0,
      CONSTRAINT "PK_ab6dbfe0b998c948a8a537c1ef6" PRIMARY KEY ("tenant_id", "workspace_id", "metric", "entity_type", "day", "entity_id", "scale", "value"))`);
    await runner.query(
      `CREATE INDEX "outcome_count_of_entity" ON "outcome_count" ("tenant_id", "entity_type", "entity_id", "metric", "day", "workspace_id")`,
    );
    await runner.query(
      `ALTER TABLE "outcome_count" ADD CONSTRAINT "FK_d51bb7b7dd1a0e522246ccf7aaa" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(`CREATE TABLE "rating_month" ("tenant_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "metric" text NOT NULL, "entity_type" text NOT NULL, "month" date NOT NULL, "entity_id" text NOT NULL, "scale" smallint NOT NULL, "value" smallint NOT NULL, "total" integer NOT NULL,
      CONSTRAINT "PK_2a6ca226d1f45fb3cbf9d476e11" PRIMARY KEY ("tenant_id", "workspace_id", "metric", "entity_type", "month", "entity_id", "scale", "value"))`);
    await runner.query(
      `ALTER TABLE "rating_month" ADD CONSTRAINT "FK_7efdd5c41e99859e99eb296150b" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    for (const table of ["outcome_count", "rating_month"]) await isolate(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["rating_month", "outcome_count", "outcome"]) await runner.query(`DROP TABLE "${table}"`);
  }
}
