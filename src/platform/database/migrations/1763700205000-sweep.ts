import type { MigrationInterface, QueryRunner } from "typeorm";

const onlyForTheApplication = async (runner: QueryRunner, signature: string): Promise<void> => {
  await runner.query(`revoke all on function ${signature} from public`);
  await runner.query(`grant execute on function ${signature} to parley_app`);
};

/**
 * A batch of the sweep is a stretch of time, which begins where the one before it ended: it does not walk once more over what that one deleted,
 * and finds each row once. What is surely due is not asked for its calendar.
 */
export class Sweep1763700205000 implements MigrationInterface {
  name = "Sweep1763700205000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("drop function sweep_identity_events(uuid, uuid, integer)");
    await runner.query(`create function sweep_identity_events(tenant uuid, of_workspace uuid, after timestamptz, batch integer, out removed integer, out reached timestamptz)
      language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
      declare
        kept interval;
        edge timestamptz;
        never timestamptz;
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        select make_interval(months => w.identity_retention_months), now() - make_interval(months => w.identity_retention_months) into kept, edge
          from workspace w where w.tenant_id = tenant and w.id = of_workspace;
        never := edge + interval '4 days';
        select e.occurred_at into reached from identity_event e
          where e.tenant_id = tenant and e.workspace_id = of_workspace and e.occurred_at > after and e.occurred_at < never
          order by e.occurred_at offset batch - 1 limit 1;
        delete from identity_event e
          where e.tenant_id = tenant and e.workspace_id = of_workspace and e.occurred_at > after and e.occurred_at <= coalesce(reached, never)
            and (e.occurred_at < edge - interval '4 days' or e.occurred_at + kept <= now());
        get diagnostics removed = row_count;
        if removed > 0 then
          perform audit_note('deleted', 'identityEvent', null, of_workspace, null, '{}', jsonb_build_object('identityEvents', removed));
        end if;
      end $$`);
    await onlyForTheApplication(runner, "sweep_identity_events(uuid, uuid, timestamptz, integer)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop function sweep_identity_events(uuid, uuid, timestamptz, integer)");
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
        if removed > 0 then
          perform audit_note('deleted', 'identityEvent', null, of_workspace, null, '{}', jsonb_build_object('identityEvents', removed));
        end if;
        return removed;
      end $$`);
    await onlyForTheApplication(runner, "sweep_identity_events(uuid, uuid, integer)");
  }
}
