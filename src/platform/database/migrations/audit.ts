import type { QueryRunner } from "typeorm";

/** How the changes of a table are told of in the audit log. */
export interface Audited {
  /** The `resourceType` of its rows. */
  type: string;
  /** SQL for the resource's id, over the row `it`; by default its `id`. */
  id?: string;
  /** SQL for the workspace and the conversation of a row, where it has no such column. */
  workspace?: string;
  conversation?: string;
  /** SQL for the tenant whose log it is, where it has no `tenant_id`. */
  tenant?: string;
  /** SQL for the member who acts, where the caller is not known yet. */
  member?: string;
  /** The table is a part of the resource: whatever changes in it is a change of this field, told of once a transaction. SQL for its name. */
  partOf?: string;
  /** Columns that are bookkeeping: their change by itself is not told of. */
  except?: readonly string[];
  /** Whether the removal of a row is housekeeping. */
  keepsDeletions?: false;
}

/** Never told of: they name a row and its place, or when it was touched. */
const ALWAYS_EXCEPT = ["tenant_id", "organisation_id", "id", "created_at", "created_by", "updated_at"];

/** What the application does. Functions of the owner role, and whatever a deletion takes along, are summed up by whoever does it. */
const RECORDED = `current_user = 'parley_app' and current_setting('app.audit', true) is distinct from 'summed up'`;

const camelCase = (column: string): string => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Puts a table under audit: a trigger of its own for each kind of change, with the columns that the table has now. The
 * conditions stand in the triggers, so that a change of mere bookkeeping costs their comparison and nothing else. After
 * a change of the columns it is called again.
 */
export async function audit(runner: QueryRunner, table: string, audited: Audited): Promise<void> {
  const rows = (await runner.query(
    `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`,
  )) as { name: string }[];
  const columns = rows.map(({ name }) => name);
  const told = columns.filter((name) => !ALWAYS_EXCEPT.includes(name) && !audited.except?.includes(name));
  const differs = (name: string): string => `old.${name} is distinct from new.${name}`;
  await runner.query(
    auditFunction(
      table,
      columns,
      audited,
      told.map((name) => `case when ${differs(name)} then '${camelCase(name)}' end`).join(", "),
    ),
  );
  // A trigger fires whoever may call its function by hand.
  await runner.query(`revoke all on function audit_${table}() from public`);
  const trigger = async (change: string, condition: string): Promise<void> => {
    await runner.query(`drop trigger if exists audit_${change} on ${table}`);
    await runner.query(
      `create trigger audit_${change} after ${change} on ${table} for each row when (${condition}) execute function audit_${table}()`,
    );
  };
  await trigger("insert", RECORDED);
  if (told.length) await trigger("update", `${RECORDED} and (${told.map(differs).join(" or ")})`);
  if (audited.keepsDeletions !== false) await trigger("delete", RECORDED);
}

function auditFunction(table: string, columns: string[], audited: Audited, changed: string): string {
  const { type, id = "it.id", tenant, member, partOf } = audited;
  const optional = (given: string | undefined, column: string): string =>
    given ?? (columns.includes(column) ? `it.${column}` : "null");
  const elsewhere = tenant !== undefined;
  return `create or replace function audit_${table}() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      it ${table}%rowtype;
      told text[] := '{}';
      at timestamptz := clock_timestamp();${elsewhere ? `\n      side text := current_setting('app.tenant_id', true);` : ""}
    begin
      if tg_op = 'DELETE' then it := old; else it := new; end if;
      ${partOf ? `told := array[${partOf}];` : changed && `if tg_op = 'UPDATE' then told := array_remove(array[${changed}], null); end if;`}${
        elsewhere
          ? `
      perform set_config('app.tenant_id', (${tenant})::text, true);`
          : ""
      }
      insert into audit_entry (tenant_id, id, at, actor_kind, actor_id, action, change, resource_type, resource_id, workspace_id, conversation_id, fields)
      select ${tenant ?? "it.tenant_id"}, audit_id(at), date_trunc('milliseconds', at),
        ${member ? `'member', ${member}` : `nullif(split_part(current_setting('app.actor', true), ':', 1), ''), nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid`},
        nullif(current_setting('app.action', true), ''), ${partOf ? `'updated'` : `case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end`},
        '${type}', ${id}, ${partOf ? optional(audited.workspace, "") : optional(audited.workspace, "workspace_id")}, ${optional(audited.conversation, "conversation_id")}, told${
          partOf
            ? `
      where not exists (select from audit_entry e where e.tenant_id = ${tenant ?? "it.tenant_id"} and e.resource_id = ${id} and e.at >= date_trunc('milliseconds', now())
        and e.xmin = pg_current_xact_id()::xid and (e.change = 'created' or e.fields @> told))`
            : ""
        };${
          elsewhere
            ? `
      perform set_config('app.tenant_id', side, true);`
            : ""
        }
      return null;
    end $$`;
}
