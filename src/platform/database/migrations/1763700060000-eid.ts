import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Approvals with an eID: the workspaces' schemes, what was asked for, when to look after it, and who is whom. */
export class Eid1763700060000 implements MigrationInterface {
  name = "Eid1763700060000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "eid_scheme" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "name" text NOT NULL,
      "position" integer NOT NULL,
      "issuer" text NOT NULL,
      "client_id" text NOT NULL,
      "sealed" bytea,
      "acr_values" text array NOT NULL,
      "person_identifier_claim" text NOT NULL,
      CONSTRAINT "PK_aa34b007f64ad4185c7bf10d606" PRIMARY KEY ("tenant_id", "workspace_id", "name"))`);
    await runner.query(`CREATE TABLE "eid_request" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "conversation_id" uuid NOT NULL,
      "contact_id" uuid NOT NULL,
      "scheme" text NOT NULL,
      "issuer" text NOT NULL,
      "mode" text NOT NULL,
      "status" text NOT NULL DEFAULT 'pending',
      "sealed" bytea,
      "link_hash" text,
      "state_hash" text,
      "browser_hash" text,
      "returned_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "finished_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "eid_request_over" CHECK ((status = 'pending') = (finished_at is null) and (status = 'pending' or sealed is null)),
      CONSTRAINT "eid_request_status" CHECK (status in ('pending', 'granted', 'denied', 'expired', 'failed')),
      CONSTRAINT "eid_request_mode" CHECK (mode in ('push', 'link')),
      CONSTRAINT "PK_576f2e0d21a7d2e317557cc8540" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE UNIQUE INDEX "eid_request_one_prompt" ON "eid_request" ("tenant_id", "contact_id") WHERE status = 'pending' and mode = 'push'`,
    );
    await runner.query(`CREATE INDEX "eid_request_finished" ON "eid_request" ("tenant_id", "finished_at")`);
    await runner.query(`CREATE INDEX "eid_request_of_contact" ON "eid_request" ("tenant_id", "contact_id")`);
    await runner.query(`CREATE INDEX "eid_request_of_conversation" ON "eid_request" ("tenant_id", "conversation_id")`);
    await runner.query(`CREATE TABLE "eid_due" (
      "tenant_id" uuid NOT NULL,
      "request_id" uuid NOT NULL,
      "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "interval_seconds" integer,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_609e4c63c3c3200a85a78c3c780" PRIMARY KEY ("tenant_id", "request_id"))`);
    await runner.query(`CREATE INDEX "eid_due_next" ON "eid_due" ("due_at")`);
    await runner.query(`CREATE TABLE "eid_binding" (
      "tenant_id" uuid NOT NULL,
      "contact_id" uuid NOT NULL,
      "issuer" text NOT NULL,
      "person" bytea NOT NULL,
      "bound_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
      CONSTRAINT "PK_9d0d8384c0a14637734128cd3bf" PRIMARY KEY ("tenant_id", "contact_id", "issuer"))`);
    await runner.query(
      `CREATE UNIQUE INDEX "eid_binding_of_person" ON "eid_binding" ("tenant_id", "issuer", "person")`,
    );
    await runner.query(
      `ALTER TABLE "eid_scheme" ADD CONSTRAINT "FK_cb24649027e76fc866a3525c663" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "eid_request" ADD CONSTRAINT "FK_b26d3e23de55c135b64f669e7d6" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "eid_request" ADD CONSTRAINT "FK_5c0a7c15a8ec6532318559298d2" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "eid_due" ADD CONSTRAINT "FK_609e4c63c3c3200a85a78c3c780" FOREIGN KEY ("tenant_id", "request_id") REFERENCES "eid_request"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "eid_binding" ADD CONSTRAINT "FK_bdc7874fcd2eaedbc74ca53168f" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    for (const table of ["eid_scheme", "eid_request", "eid_binding"]) await isolate(runner, table);
    await runner.query("grant select, insert, update, delete on eid_due to parley_app");
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["eid_binding", "eid_due", "eid_request", "eid_scheme"])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
