import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** What the desk needs: snoozes that end by themselves, and lists by label. */
export class Desk1763700090000 implements MigrationInterface {
  name = "Desk1763700090000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "conversation_label" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "label" text NOT NULL, "workspace_id" uuid NOT NULL, "last_activity_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_e649f0a94bb32c68454122e480f" PRIMARY KEY ("tenant_id", "conversation_id", "label"))`,
    );
    await runner.query(
      `CREATE INDEX "conversation_label_recent_anywhere" ON "conversation_label" ("tenant_id", "label", "last_activity_at", "conversation_id")`,
    );
    await runner.query(
      `CREATE INDEX "conversation_label_recent" ON "conversation_label" ("tenant_id", "workspace_id", "label", "last_activity_at", "conversation_id")`,
    );
    await runner.query(
      `CREATE TABLE "snooze_due" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_0edf6ea237c103a66506b18874f" PRIMARY KEY ("tenant_id", "conversation_id"))`,
    );
    await runner.query(`CREATE INDEX "snooze_due_next" ON "snooze_due" ("due_at")`);
    await runner.query(
      `ALTER TABLE "conversation_label" ADD CONSTRAINT "FK_acb64ffce0a001f800e49970912" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "snooze_due" ADD CONSTRAINT "FK_0edf6ea237c103a66506b18874f" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(runner, "conversation_label");
    await runner.query("grant select, insert, update, delete on snooze_due to parley_app");
    await this.labels(runner);
  }

  /** Conversations without labels pay for nothing but the condition. None has any yet: no route could set them. */
  private async labels(runner: QueryRunner): Promise<void> {
    await runner.query(`create function keep_conversation_labels() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and new.labels = old.labels then
          update conversation_label set last_activity_at = new.last_activity_at where tenant_id = new.tenant_id and conversation_id = new.id;
        else
          delete from conversation_label where tenant_id = new.tenant_id and conversation_id = new.id;
          insert into conversation_label (tenant_id, conversation_id, label, workspace_id, last_activity_at)
          select distinct new.tenant_id, new.id, label, new.workspace_id, new.last_activity_at from unnest(new.labels) as label;
        end if;
        return null;
      end $$`);
    await runner.query(
      `create trigger conversation_labels_added after insert on conversation for each row when (new.labels <> '{}') execute function keep_conversation_labels()`,
    );
    await runner.query(`create trigger conversation_labels_changed after update of labels, last_activity_at on conversation for each row
      when ((new.labels <> '{}' or old.labels <> '{}') and (new.labels, new.last_activity_at) is distinct from (old.labels, old.last_activity_at)) execute function keep_conversation_labels()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
