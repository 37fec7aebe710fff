import type { MigrationInterface, QueryRunner } from "typeorm";
import { isolate } from "./isolate.js";

/** Mailboxes that mail is taken in from: how far, and by which process. */
export class Mailboxes1763700210000 implements MigrationInterface {
  name = "Mailboxes1763700210000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "mailbox" ("tenant_id" uuid NOT NULL, "channel_id" uuid NOT NULL, "validity" text, "last_uid" bigint NOT NULL DEFAULT '0', "newest_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "failing_since" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "PK_d127312a42c5aa3b06a6bb2e588" PRIMARY KEY ("tenant_id", "channel_id"))`,
    );
    await runner.query(
      `CREATE TABLE "mailbox_lease" ("tenant_id" uuid NOT NULL, "channel_id" uuid NOT NULL, "holder" uuid, "held_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_ee6f9a1b5014fe5757189969bb1" PRIMARY KEY ("tenant_id", "channel_id"))`,
    );
    await runner.query(`CREATE INDEX "mailbox_lease_of_holder" ON "mailbox_lease" ("holder")`);
    await runner.query(
      `ALTER TABLE "mailbox" ADD CONSTRAINT "FK_d127312a42c5aa3b06a6bb2e588" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "mailbox_lease" ADD CONSTRAINT "FK_ee6f9a1b5014fe5757189969bb1" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await isolate(runner, "mailbox");
    await runner.query("grant select, insert, update, delete on mailbox_lease to parley_app");
    await this.watch(runner);
    await this.begin(runner);
  }

  /** Whatever changes a channel or its workspace: only a mailbox of an active channel, on the live side, of a workspace at work is read. */
  private async watch(runner: QueryRunner): Promise<void> {
    await runner.query(`create function is_read(c channel) returns boolean language sql stable as $$
      select c.type = 'email' and c.status = 'active' and jsonb_typeof(c.settings -> 'imap') is not distinct from 'object'
        and exists (select from tenant t where t.id = c.tenant_id and t.environment = 'live')
        and exists (select from workspace w where w.tenant_id = c.tenant_id and w.id = c.workspace_id and w.status <> 'archived' and w.deleted_at is null) $$`);
    await runner.query(`create function watch_channel() returns trigger language plpgsql as $$
      begin
        if is_read(new) then insert into mailbox_lease (tenant_id, channel_id) values (new.tenant_id, new.id) on conflict do nothing;
        elsif new.type = 'email' then delete from mailbox_lease where tenant_id = new.tenant_id and channel_id = new.id;
        end if;
        return null;
      end $$`);
    await runner.query(
      "create trigger watch_mailbox after insert or update of status, settings on channel for each row execute function watch_channel()",
    );
    await runner.query(`create function watch_workspace() returns trigger language plpgsql as $$
      begin
        delete from mailbox_lease l using channel c where c.tenant_id = new.tenant_id and c.workspace_id = new.id and l.tenant_id = c.tenant_id and l.channel_id = c.id and not is_read(c);
        insert into mailbox_lease (tenant_id, channel_id) select c.tenant_id, c.id from channel c where c.tenant_id = new.tenant_id and c.workspace_id = new.id and is_read(c) on conflict do nothing;
        return null;
      end $$`);
    await runner.query(`create trigger watch_mailboxes after update of status, deleted_at on workspace for each row
      when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at) execute function watch_workspace()`);
  }

  /** Of the channels that there are. */
  private async begin(runner: QueryRunner): Promise<void> {
    await runner.query(`do $$ declare t record; begin
      for t in select id from tenant where environment = 'live' loop
        perform set_config('app.tenant_id', t.id::text, true);
        insert into mailbox_lease (tenant_id, channel_id) select c.tenant_id, c.id from channel c where c.tenant_id = t.id and is_read(c);
      end loop;
      perform set_config('app.tenant_id', '', true);
    end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop trigger watch_mailboxes on workspace");
    await runner.query("drop trigger watch_mailbox on channel");
    for (const name of ["watch_workspace()", "watch_channel()", "is_read(channel)"])
      await runner.query(`drop function ${name}`);
    await runner.query('DROP TABLE "mailbox_lease"');
    await runner.query('DROP TABLE "mailbox"');
  }
}
