import type { MigrationInterface, QueryRunner } from "typeorm";

/** Members who are deactivated, what an archived workspace refuses, and whom a conversation cannot be assigned to. */
export class Administration1763700080000 implements MigrationInterface {
  name = "Administration1763700080000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "tenant" ADD "webhooks_preview" boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE "member" ADD "deactivated_at" TIMESTAMP(3) WITH TIME ZONE`);
    await runner.query(`CREATE TABLE "release_queue" (
      "tenant_id" uuid NOT NULL,
      "member_id" uuid NOT NULL,
      "queued_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_bbbd5bc2dcb0becaa6b3e37e193" PRIMARY KEY ("tenant_id", "member_id"))`);
    await runner.query("grant select, insert, update, delete on release_queue to parley_app");
    await this.archive(runner);
    await this.leavers(runner);
  }

  /**
   * A statement that began before the archiving sees the workspace as it was. Whatever comes in through it therefore holds
   * the shared half of a lock until its transaction ends, and looks again once it has it; archiving takes the other half
   * before it commits.
   */
  private async archive(runner: QueryRunner): Promise<void> {
    await runner.query(`create function refuse_when_archived(of_tenant uuid, of_workspace uuid) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtextextended(of_workspace::text, 0));
        if (select w.status = 'archived' from workspace w where w.tenant_id = of_tenant and w.id = of_workspace) then
          raise exception 'workspace % is archived', of_workspace using errcode = 'check_violation', constraint = 'workspace_archived';
        end if;
      end $$`);
    await runner.query(`create function conversation_needs_open_workspace() returns trigger language plpgsql as $$
      begin
        perform refuse_when_archived(new.tenant_id, new.workspace_id);
        return new;
      end $$`);
    await runner.query(`create function message_needs_open_workspace() returns trigger language plpgsql as $$
      begin
        perform refuse_when_archived(new.tenant_id, (select c.workspace_id from conversation c where c.tenant_id = new.tenant_id and c.id = new.conversation_id));
        return new;
      end $$`);
    await runner.query(
      "create trigger needs_open_workspace before insert on conversation for each row execute function conversation_needs_open_workspace()",
    );
    await runner.query(
      `create trigger needs_open_workspace before insert on message for each row when (new.direction <> 'internal') execute function message_needs_open_workspace()`,
    );
  }

  /**
   * Nothing is assigned, by whatever was under way, to a member who was removed or deactivated, nor comes back to one. The
   * lock waits for a removal that is under way.
   */
  private async leavers(runner: QueryRunner): Promise<void> {
    await runner.query(`create function not_assigned_to_leavers() returns trigger language plpgsql as $$
      declare
        gone boolean;
      begin
        select m.removed_at is not null or m.deactivated_at is not null into gone from member m
          where m.organisation_id = (select t.organisation_id from tenant t where t.id = new.tenant_id) and m.id = new.assignee_id for key share;
        if gone then new.assignee_id := null; end if;
        return new;
      end $$`);
    await runner.query(`create trigger not_assigned_to_leavers before insert on conversation for each row when (new.assignee_id is not null)
      execute function not_assigned_to_leavers()`);
    await runner.query(`create trigger not_reassigned_to_leavers before update of assignee_id, status on conversation for each row
      when (new.assignee_id is not null and (new.assignee_id is distinct from old.assignee_id or (old.status = 'resolved' and new.status <> 'resolved')))
      execute function not_assigned_to_leavers()`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
