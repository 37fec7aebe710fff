import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

const TABLES = ["calendar_connection", "calendar", "calendar_event", "calendar_busy", "booking", "calendar_write"];

const ITEMS_EXCEPT = ["occurrences", "resolved_at", "resolved_by"];

/** Calendar accounts with their calendars, the times that they are busy, and bookings that are kept in sync with them. */
export class Calendar1763700250000 implements MigrationInterface {
  name = "Calendar1763700250000";

  async up(runner: QueryRunner): Promise<void> {
    await this.calendars(runner);
    await this.bookings(runner);
    await this.references(runner);
    for (const table of TABLES) await isolate(runner, table);
    await runner.query("grant select, insert, update, delete on calendar_due to parley_app");
    await audit(runner, "attention_item", { type: "attentionItem", except: ITEMS_EXCEPT });
    await audit(runner, "calendar_connection", {
      type: "calendarConnection",
      except: [
        "credential_fingerprint",
        "revision",
        "attempts",
        "last_error",
        "failing_since",
        "next_retry_at",
        "last_synced_at",
        "discovered_at",
      ],
    });
    await audit(runner, "booking", {
      type: "booking",
      except: ["revision", "written", "url", "etag", "seen", "sent", "last_error", "conflict"],
    });
  }

  private async calendars(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "calendar_connection" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "provider" text NOT NULL, "server_url" text NOT NULL, "account_email" text, "credentials" bytea, "credential_fingerprint" text, "status" text NOT NULL DEFAULT 'connected', "revision" integer NOT NULL DEFAULT '1', "attempts" integer NOT NULL DEFAULT '0', "last_error" text, "failing_since" TIMESTAMP(3) WITH TIME ZONE, "next_retry_at" TIMESTAMP(3) WITH TIME ZONE, "last_synced_at" TIMESTAMP(3) WITH TIME ZONE, "discovered_at" TIMESTAMP(3) WITH TIME ZONE, "disconnected_at" TIMESTAMP(3) WITH TIME ZONE, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "calendar_connection_disconnected" CHECK (disconnected_at is null or credentials is null), CONSTRAINT "calendar_connection_credentials" CHECK ((credentials is null) = (credential_fingerprint is null)), CONSTRAINT "calendar_connection_status" CHECK (status in ('connected', 'expired', 'error')), CONSTRAINT "PK_b19a2caab934df69113799d1288" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE INDEX "calendar_connection_of_workspace" ON "calendar_connection" ("tenant_id", "workspace_id", "created_at", "id")`,
    );
    await runner.query(
      `CREATE TABLE "calendar" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "connection_id" uuid NOT NULL, "url" text NOT NULL, "name" text NOT NULL, "timezone" text NOT NULL, "is_primary" boolean NOT NULL DEFAULT false, "writable" boolean NOT NULL DEFAULT true, "available" boolean NOT NULL DEFAULT true, "sync_token" text, "ctag" text, "known_until" TIMESTAMP(3) WITH TIME ZONE, "unreadable_events" integer NOT NULL DEFAULT '0', "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "calendar_url" UNIQUE ("tenant_id", "connection_id", "url"), CONSTRAINT "PK_7d2b1abc3b663a11d000e6a184d" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(`CREATE INDEX "calendar_of_workspace" ON "calendar" ("tenant_id", "workspace_id")`);
    await runner.query(
      `CREATE TABLE "calendar_event" ("tenant_id" uuid NOT NULL, "calendar_id" uuid NOT NULL, "resource" text NOT NULL, "etag" text NOT NULL, "readable" boolean NOT NULL DEFAULT true, CONSTRAINT "PK_6cbb97989c4b6d874854935e3ab" PRIMARY KEY ("tenant_id", "calendar_id", "resource"))`,
    );
    await runner.query(
      `CREATE TABLE "calendar_busy" ("tenant_id" uuid NOT NULL, "calendar_id" uuid NOT NULL, "resource" text NOT NULL, "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_f8fd1fdd26d18df15939176c06f" PRIMARY KEY ("tenant_id", "calendar_id", "resource", "starts_at"))`,
    );
    await runner.query(
      `CREATE INDEX "calendar_busy_times" ON "calendar_busy" ("tenant_id", "calendar_id", "ends_at", "starts_at")`,
    );
    await runner.query(
      `CREATE TABLE "calendar_due" ("tenant_id" uuid NOT NULL, "connection_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "holder" uuid, "held_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_81add45fcfe6bdb7cd42a53264e" PRIMARY KEY ("tenant_id", "connection_id"))`,
    );
    await runner.query(`CREATE INDEX "calendar_due_next" ON "calendar_due" ("due_at")`);
  }

  private async bookings(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "booking" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "calendar_id" uuid NOT NULL, "conversation_id" uuid, "contact_id" uuid, "title" text NOT NULL, "description" text, "location" text, "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "status" text NOT NULL DEFAULT 'confirmed', "revision" integer NOT NULL DEFAULT '1', "written" integer NOT NULL DEFAULT '0', "url" text, "etag" text, "seen" text, "sent" text, "last_error" text, "conflict" jsonb, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "redacted_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "booking_erased" CHECK (redacted_at is null or (title = '' and description is null and location is null and contact_id is null and seen is null and sent is null and conflict is null)), CONSTRAINT "booking_times" CHECK (starts_at < ends_at), CONSTRAINT "booking_status" CHECK (status in ('tentative', 'confirmed', 'cancelled', 'completed', 'no_show')), CONSTRAINT "PK_b0ec827bee670a3639de949e0b1" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE INDEX "booking_of_contact" ON "booking" ("tenant_id", "contact_id", "starts_at", "id") WHERE contact_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "booking_of_conversation" ON "booking" ("tenant_id", "conversation_id", "starts_at", "id") WHERE conversation_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "booking_busy" ON "booking" ("tenant_id", "calendar_id", "ends_at", "starts_at") WHERE status in ('tentative', 'confirmed')`,
    );
    await runner.query(
      `CREATE INDEX "booking_of_calendar" ON "booking" ("tenant_id", "calendar_id", "starts_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "booking_by_status" ON "booking" ("tenant_id", "workspace_id", "status", "starts_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "booking_of_workspace" ON "booking" ("tenant_id", "workspace_id", "starts_at", "id")`,
    );
    await runner.query(
      `CREATE TABLE "calendar_write" ("tenant_id" uuid NOT NULL, "booking_id" uuid NOT NULL, "connection_id" uuid NOT NULL, "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "attempts" integer NOT NULL DEFAULT '0', CONSTRAINT "PK_e70734c2587206e6ae2ef2c61d5" PRIMARY KEY ("tenant_id", "booking_id"))`,
    );
    await runner.query(
      `CREATE INDEX "calendar_write_due" ON "calendar_write" ("tenant_id", "connection_id", "due_at")`,
    );
  }

  private async references(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "attention_item" ADD CONSTRAINT "FK_1d258abfa38dddce800c3be05fb" FOREIGN KEY ("tenant_id", "calendar_connection_id") REFERENCES "calendar_connection"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "booking" ADD CONSTRAINT "FK_c736b24c3c6d330e3ef1f20ba52" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "booking" ADD CONSTRAINT "FK_e3762c7e798c1af9b25b4fbf598" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "booking" ADD CONSTRAINT "FK_de266f8237f024e8341f220aafc" FOREIGN KEY ("tenant_id", "calendar_id") REFERENCES "calendar"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "booking" ADD CONSTRAINT "FK_757b7b24d503da0a1785a8dc764" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar_write" ADD CONSTRAINT "FK_c67772c79897532e8a42bd78bc6" FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "calendar_connection"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar_write" ADD CONSTRAINT "FK_e70734c2587206e6ae2ef2c61d5" FOREIGN KEY ("tenant_id", "booking_id") REFERENCES "booking"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar_connection" ADD CONSTRAINT "FK_629acc45e5d313ce8683e627c2a" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar" ADD CONSTRAINT "FK_b19a2caab934df69113799d1288" FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "calendar_connection"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar" ADD CONSTRAINT "FK_67c936aab856add9d02f9e3890d" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar_event" ADD CONSTRAINT "FK_ecd60f323daf71cf305afbe4a20" FOREIGN KEY ("tenant_id", "calendar_id") REFERENCES "calendar"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar_busy" ADD CONSTRAINT "FK_1b3f48f8f0c5dffa4a640ed799f" FOREIGN KEY ("tenant_id", "calendar_id", "resource") REFERENCES "calendar_event"("tenant_id","calendar_id","resource") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "calendar_due" ADD CONSTRAINT "FK_81add45fcfe6bdb7cd42a53264e" FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "calendar_connection"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    // The columns, which go next, are not told of by then.
    await audit(runner, "attention_item", {
      type: "attentionItem",
      except: [...ITEMS_EXCEPT, "calendar_connection_id", "circuit_breaker_id"],
    });
    await runner.query('ALTER TABLE "attention_item" DROP CONSTRAINT "FK_1d258abfa38dddce800c3be05fb"');
    for (const table of [
      "calendar_write",
      "booking",
      "calendar_due",
      "calendar_busy",
      "calendar_event",
      "calendar",
      "calendar_connection",
    ])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
