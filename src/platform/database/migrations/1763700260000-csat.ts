import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

/** Asking customers how content they are. */
export class Csat1763700260000 implements MigrationInterface {
  name = "Csat1763700260000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "csat_config" ("tenant_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "enabled" boolean NOT NULL, "scale" smallint NOT NULL, "delay_minutes" integer NOT NULL, "ask_once_per_days" integer NOT NULL, "low_score_threshold" smallint NOT NULL, "questions" jsonb NOT NULL,
      CONSTRAINT "csat_config_threshold" CHECK (low_score_threshold >= 1 and low_score_threshold < scale), CONSTRAINT "csat_config_frequency" CHECK (ask_once_per_days between 0 and 365), CONSTRAINT "csat_config_delay" CHECK (delay_minutes between 0 and 10080),
      CONSTRAINT "csat_config_scale" CHECK (scale in (2, 5, 10)), CONSTRAINT "PK_d4cbedcda7fec9778a4a0c4a973" PRIMARY KEY ("tenant_id", "workspace_id"))`);
    await runner.query(
      `CREATE TABLE "csat_due" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_5ae371e4d84e763559c4259c255" PRIMARY KEY ("tenant_id", "conversation_id"))`,
    );
    await runner.query(`CREATE INDEX "csat_due_next" ON "csat_due" ("due_at")`);
    await runner.query(`CREATE TABLE "csat_survey" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "contact_id" uuid NOT NULL, "channel_id" uuid NOT NULL, "member_id" uuid,
      "agent_ids" uuid array NOT NULL, "kb_entry_ids" uuid array NOT NULL, "scale" smallint NOT NULL, "low_score_threshold" smallint NOT NULL, "question" text NOT NULL, "question_language" text NOT NULL, "language" text NOT NULL,
      "asked_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(), "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "not_sent" text, "score" smallint, "comment" text, "rated_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "csat_survey_not_sent" CHECK (not_sent is null or rated_at is null), CONSTRAINT "csat_survey_answer" CHECK ((score is null) = (rated_at is null) and (comment is null or rated_at is not null)),
      CONSTRAINT "csat_survey_score" CHECK (score between 1 and scale), CONSTRAINT "csat_survey_scale" CHECK (scale in (2, 5, 10)), CONSTRAINT "PK_dd0960dd08273327413a6e455be" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "csat_survey_rated" ON "csat_survey" ("tenant_id", "workspace_id", "rated_at", "id") WHERE rated_at is not null`,
    );
    await runner.query(
      `CREATE INDEX "csat_survey_of_conversation" ON "csat_survey" ("tenant_id", "conversation_id", "rated_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "csat_survey_of_contact" ON "csat_survey" ("tenant_id", "contact_id", "workspace_id", "asked_at")`,
    );
    await runner.query(
      `ALTER TABLE "csat_config" ADD CONSTRAINT "FK_d4cbedcda7fec9778a4a0c4a973" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "csat_due" ADD CONSTRAINT "FK_5ae371e4d84e763559c4259c255" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "csat_survey" ADD CONSTRAINT "FK_807ef0d3f0db61cc91d6a7889a7" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "csat_survey" ADD CONSTRAINT "FK_48a440260acd0e551126dccbaca" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "csat_survey" ADD CONSTRAINT "FK_3782f2470bd7bc8c07a19f5240f" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await isolate(runner, "csat_config");
    await isolate(runner, "csat_survey");
    await runner.query("grant select, insert, update, delete on csat_due to parley_app");
    await audit(runner, "csat_config", { type: "csatConfig", id: "it.workspace_id", except: ["workspace_id"] });
    await this.due(runner);
  }

  /** However a conversation is resolved. What changes it otherwise pays for nothing but the condition. */
  private async due(runner: QueryRunner): Promise<void> {
    await runner.query(`create function keep_csat_due() returns trigger language plpgsql as $$
      begin
        insert into csat_due (tenant_id, conversation_id, due_at)
        select new.tenant_id, new.id, new.resolved_at + make_interval(mins => f.delay_minutes) from csat_config f where f.tenant_id = new.tenant_id and f.workspace_id = new.workspace_id and f.enabled
        on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at;
        return null;
      end $$`);
    await runner.query(`create trigger conversation_resolved after update of status on conversation for each row
      when (new.status = 'resolved' and old.status <> 'resolved' and new.redacted_at is null) execute function keep_csat_due()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
