import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Cases with their types and events, and what is consumed. */
export class Cases1763700110000 implements MigrationInterface {
  name = "Cases1763700110000";

  async up(runner: QueryRunner): Promise<void> {
    await this.cases(runner);
    await this.consumption(runner);
    for (const table of ["case_type", "support_case", "case_counter", "case_conversation", "case_event", "consumption"])
      await isolate(runner, table);
  }

  private async cases(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "case_type" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "key" text NOT NULL, "name" text NOT NULL, "fields" jsonb NOT NULL DEFAULT '[]', "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "case_type_key" UNIQUE ("tenant_id", "key"), CONSTRAINT "PK_402200581a4412fdef3bd8787c6" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE TABLE "support_case" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "number" integer NOT NULL, "type_id" uuid, "title" text NOT NULL, "status" text NOT NULL DEFAULT 'submitted', "priority" text NOT NULL DEFAULT 'none', "contact_id" uuid, "assignee_id" uuid, "fields" jsonb NOT NULL DEFAULT '{}', "due_at" TIMESTAMP(3) WITH TIME ZONE, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "redacted_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "support_case_number" UNIQUE ("tenant_id", "workspace_id", "number"), CONSTRAINT "support_case_erased" CHECK (redacted_at is null or (title = '' and fields = '{}' and contact_id is null)), CONSTRAINT "support_case_priority" CHECK (priority in ('none', 'low', 'medium', 'high', 'urgent')), CONSTRAINT "support_case_status" CHECK (status in ('submitted', 'in_progress', 'waiting_on_customer', 'resolved')), CONSTRAINT "PK_362170c6c39431cf988d0f8f911" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE INDEX "support_case_of_contact" ON "support_case" ("tenant_id", "contact_id", "created_at", "id") WHERE contact_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "support_case_of_assignee" ON "support_case" ("tenant_id", "assignee_id", "created_at", "id") WHERE assignee_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "support_case_by_status" ON "support_case" ("tenant_id", "workspace_id", "status", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "support_case_recent" ON "support_case" ("tenant_id", "workspace_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE TABLE "case_counter" ("tenant_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "last" integer NOT NULL, CONSTRAINT "PK_01d9bead8bda2cc0820f145cb64" PRIMARY KEY ("tenant_id", "workspace_id"))`,
    );
    await runner.query(
      `CREATE TABLE "case_conversation" ("tenant_id" uuid NOT NULL, "case_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, CONSTRAINT "PK_3164b9b0d0c6ef35ef0b1e91f37" PRIMARY KEY ("tenant_id", "case_id", "conversation_id"))`,
    );
    await runner.query(
      `CREATE INDEX "case_conversation_of_conversation" ON "case_conversation" ("tenant_id", "conversation_id", "case_id")`,
    );
    await runner.query(
      `CREATE TABLE "case_event" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "case_id" uuid NOT NULL, "type" text NOT NULL, "actor_kind" text NOT NULL, "actor_id" uuid, "before" jsonb, "after" jsonb, "occurred_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "case_event_type" CHECK (type in ('created', 'status', 'priority', 'assignee', 'title', 'fields', 'due', 'contact', 'conversation_linked', 'conversation_unlinked')), CONSTRAINT "PK_4a1ea8602a07d0333788543e0da" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE INDEX "case_event_of_case" ON "case_event" ("tenant_id", "case_id", "occurred_at", "id")`,
    );
    await runner.query(
      `ALTER TABLE "case_type" ADD CONSTRAINT "FK_893b26e799f5d3db9bf78762dcb" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "support_case" ADD CONSTRAINT "FK_b4bd6abec12f9175e4e543c99b7" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "support_case" ADD CONSTRAINT "FK_157ba58ea6b70b94b96620fc507" FOREIGN KEY ("tenant_id", "type_id") REFERENCES "case_type"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "support_case" ADD CONSTRAINT "FK_71c931ecec230b42fee984bc686" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "case_counter" ADD CONSTRAINT "FK_01d9bead8bda2cc0820f145cb64" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "case_conversation" ADD CONSTRAINT "FK_606d40d851ae22652d71f15b173" FOREIGN KEY ("tenant_id", "case_id") REFERENCES "support_case"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "case_conversation" ADD CONSTRAINT "FK_58823fa5cdc28bd2c63a8c35818" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "case_event" ADD CONSTRAINT "FK_4dadfc7225d4b030c9162fbfbde" FOREIGN KEY ("tenant_id", "case_id") REFERENCES "support_case"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  private async consumption(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "consumption" ("tenant_id" uuid NOT NULL, "day" date NOT NULL, "workspace_id" uuid NOT NULL, "slot" smallint NOT NULL, "inbound" integer NOT NULL, "outbound" integer NOT NULL, CONSTRAINT "PK_4f5cfc708c2d71abc22e9c48302" PRIMARY KEY ("tenant_id", "day", "workspace_id", "slot"))`,
    );
    await runner.query(`insert into consumption (tenant_id, day, workspace_id, slot, inbound, outbound)
      select m.tenant_id, (m.created_at at time zone 'UTC')::date as day, c.workspace_id, 0, count(*) filter (where m.direction = 'inbound'), count(*) filter (where m.direction = 'outbound')
      from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id where m.direction <> 'internal' group by 1, 2, 3`);
    // A connection writes one message at a time: by its process id it has, mostly, a slot for itself.
    await runner.query(`create function count_message() returns trigger language plpgsql as $$
      begin
        insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
        select new.tenant_id, (new.created_at at time zone 'UTC')::date, v.workspace_id, 1 + pg_backend_pid() % 64, (new.direction = 'inbound')::integer, (new.direction = 'outbound')::integer
        from conversation v where v.tenant_id = new.tenant_id and v.id = new.conversation_id
        on conflict (tenant_id, day, workspace_id, slot) do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound;
        return null;
      end $$`);
    await runner.query(
      `create trigger count_message after insert on message for each row when (new.direction <> 'internal') execute function count_message()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop trigger count_message on message");
    await runner.query("drop function count_message()");
    for (const table of ["consumption", "case_event", "case_conversation", "case_counter", "support_case", "case_type"])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
