import type { QueryRunner } from "typeorm";

/**
 * What every new table of a tenant gets: the application's role may use it, and row-level security, forced, holds each
 * transaction to its tenant's rows.
 */
export async function isolate(
  runner: QueryRunner,
  table: string,
  grants = "select, insert, update, delete",
): Promise<void> {
  const rule = `tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)`;
  await runner.query(`grant ${grants} on ${table} to parley_app`);
  await runner.query(`alter table ${table} enable row level security`);
  await runner.query(`alter table ${table} force row level security`);
  await runner.query(`create policy isolation on ${table} using (${rule}) with check (${rule})`);
}
