import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

/** Contact forms and searches on pages of others. */
export class Widgets1763700240000 implements MigrationInterface {
  name = "Widgets1763700240000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "widget" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "kind" text NOT NULL, "channel_id" uuid, "name" text NOT NULL,
      "public_key" text NOT NULL, "allowed_origins" text array NOT NULL DEFAULT '{}', "settings" jsonb NOT NULL, "enabled" boolean NOT NULL DEFAULT true,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "widget_channel" CHECK ((kind = 'contact_form') = (channel_id is not null)), CONSTRAINT "widget_kind" CHECK (kind in ('kb', 'contact_form')), CONSTRAINT "PK_1bf20e6441c624bea59b1fdabee" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "widget_of_channel" ON "widget" ("tenant_id", "channel_id") WHERE channel_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "widget_of_workspace" ON "widget" ("tenant_id", "workspace_id", "kind", "created_at")`,
    );
    await runner.query(
      `ALTER TABLE "widget" ADD CONSTRAINT "FK_ab50825201e573eb9f4ee033a08" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "widget" ADD CONSTRAINT "FK_84ad2b4fa98a3dcd736c47269e2" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE TABLE "widget_lookup" ("public_key" text NOT NULL, "tenant_id" uuid NOT NULL, "widget_id" uuid NOT NULL, CONSTRAINT "PK_d4789ec1cda23ef099dd1587d6b" PRIMARY KEY ("public_key"))`,
    );
    await runner.query(`CREATE UNIQUE INDEX "widget_lookup_widget" ON "widget_lookup" ("tenant_id", "widget_id")`);
    await runner.query(
      `ALTER TABLE "widget_lookup" ADD CONSTRAINT "FK_fb2db4202714de7787b5d32d85a" FOREIGN KEY ("tenant_id", "widget_id") REFERENCES "widget"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(runner, "widget");
    await runner.query("grant select, insert, update, delete on widget_lookup to parley_app");
    await audit(runner, "widget", { type: "widget" });
    await this.forms(runner);
  }

  /** From now on what is answered to a form leaves. Conversations that were begun before go on being fetched. */
  private async forms(runner: QueryRunner): Promise<void> {
    await runner.query(`do $$ declare side uuid; begin
      for side in select id from tenant loop
        perform set_config('app.tenant_id', side::text, true);
        update channel set delivers = true where type = 'contact_form';
      end loop;
      perform set_config('app.tenant_id', '', true);
    end $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
