import type { MigrationInterface, QueryRunner } from "typeorm";

const OF_TENANT = [
  "brand",
  "workspace",
  "channel",
  "member_workspace",
  "api_key",
  "contact",
  "contact_point",
  "conversation",
  "message",
  "identity_event",
  "kb_entry",
  "idempotency_key",
  "outbox_message",
];
const OF_ORGANISATION = ["member", "member_session"];

/** The side set for the transaction; after a commit the setting is '' rather than null. The sub-select makes it one comparison a query. */
const CURRENT_TENANT = `(select nullif(current_setting('app.tenant_id', true), '')::uuid)`;

/** The application's role, the walls between tenants, and the two deletions that this role cannot do by itself. */
export class Isolation1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.role(runner);
    await this.rowLevelSecurity(runner);
    await this.sweep(runner);
    await this.purge(runner);
    await runner.query("alter table rate_window set unlogged");
    // Without it the planner takes workspace and tenant for independent and ANDs two bitmaps.
    await runner.query(
      "create statistics conversation_place (dependencies, mcv) on tenant_id, brand_id, workspace_id from conversation",
    );
  }

  private async role(runner: QueryRunner): Promise<void> {
    // Roles belong to the whole server, which other databases of Parley's may share.
    await runner.query(`do $$ begin
      if not exists (select from pg_roles where rolname = 'parley_app') then create role parley_app nologin; end if;
    exception when duplicate_object or unique_violation then null; end $$`);
    await runner.query(`do $$ begin
      if not (select rolsuper from pg_roles where rolname = current_user) then execute format('grant parley_app to %I', current_user); end if;
    exception when insufficient_privilege then
      if not pg_has_role(current_user, 'parley_app', 'usage') then raise; end if;
    end $$`);
    await runner.query("grant usage on schema public to parley_app");
    await runner.query("grant select, insert, update, delete on all tables in schema public to parley_app");
    await runner.query("revoke insert, update, delete on migrations from parley_app");
    await runner.query("revoke update, delete on identity_event from parley_app");
    await runner.query("revoke delete on tenant, workspace from parley_app");
  }

  private async rowLevelSecurity(runner: QueryRunner): Promise<void> {
    const rules = [
      ...OF_TENANT.map((table) => ({ table, rule: `tenant_id = ${CURRENT_TENANT}` })),
      ...OF_ORGANISATION.map((table) => ({
        table,
        rule: `organisation_id = (select t.organisation_id from tenant t where t.id = ${CURRENT_TENANT})`,
      })),
    ];
    for (const { table, rule } of rules) {
      await runner.query(`alter table ${table} enable row level security`);
      await runner.query(`alter table ${table} force row level security`);
      await runner.query(`create policy isolation on ${table} using (${rule}) with check (${rule})`);
    }
  }

  private async sweep(runner: QueryRunner): Promise<void> {
    // An event is due when its own date, moved on by the calendar months, is reached. The first comparison is there for
    // the index: going back from today can only land a few days beside it, at the ends of months.
    await runner.query(`create function sweep_identity_events(tenant uuid, of_workspace uuid, batch integer) returns integer
      language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
      declare
        kept interval;
        removed integer;
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        select make_interval(months => w.identity_retention_months) into kept from workspace w where w.tenant_id = tenant and w.id = of_workspace;
        delete from identity_event where ctid = any (array(
          select e.ctid from identity_event e
          where e.tenant_id = tenant and e.workspace_id = of_workspace and e.occurred_at < now() - kept + interval '4 days' and e.occurred_at + kept <= now()
          order by e.occurred_at limit batch));
        get diagnostics removed = row_count;
        return removed;
      end $$`);
    await this.onlyForTheApplication(runner, "sweep_identity_events(uuid, uuid, integer)");
  }

  private async purge(runner: QueryRunner): Promise<void> {
    await runner.query(`create function purge_workspace(tenant uuid, of_workspace uuid, batch integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        gone uuid[];
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        perform from workspace w where w.tenant_id = tenant and w.id = of_workspace and w.deleted_at is not null for update;
        if not found then return false; end if;
        gone := array(select c.id from conversation c where c.tenant_id = tenant and c.workspace_id = of_workspace
          order by c.last_activity_at desc, c.id desc limit batch);
        if cardinality(gone) > 0 then
          delete from identity_event where tenant_id = tenant and conversation_id = any (gone);
          delete from message where tenant_id = tenant and conversation_id = any (gone);
          update conversation set previous_conversation_id = null where tenant_id = tenant and previous_conversation_id = any (gone);
          delete from conversation where tenant_id = tenant and id = any (gone);
          return true;
        end if;
        gone := array(select e.id from kb_entry e where e.tenant_id = tenant and e.workspace_id = of_workspace limit batch);
        if cardinality(gone) > 0 then
          update kb_entry set duplicate_of_id = null where tenant_id = tenant and duplicate_of_id = any (gone);
          delete from kb_entry where tenant_id = tenant and id = any (gone);
          return true;
        end if;
        delete from workspace where tenant_id = tenant and id = of_workspace;
        return false;
      end $$`);
    await this.onlyForTheApplication(runner, "purge_workspace(uuid, uuid, integer)");
  }

  private async onlyForTheApplication(runner: QueryRunner, signature: string): Promise<void> {
    await runner.query(`revoke all on function ${signature} from public`);
    await runner.query(`grant execute on function ${signature} to parley_app`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
