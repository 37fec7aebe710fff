import type { ClientBase } from "pg";
import { MovingRefused } from "./ends.js";

interface Abilities {
  version: number;
  walLevel: string;
  slots: number;
  usedSlots: number;
  senders: number;
  workers: number;
  isSuperuser: boolean;
  replicates: boolean;
  bypasses: boolean;
  subscribes: boolean;
  setsReplica: boolean;
  ownsTables: boolean;
  schema: string;
}

const LOOK = `
  select current_setting('server_version_num')::int as version, current_setting('wal_level') as "walLevel",
    current_setting('max_replication_slots')::int as slots,
    (select count(*)::int from pg_replication_slots) as "usedSlots",
    current_setting('max_wal_senders')::int as senders,
    current_setting('max_logical_replication_workers')::int as workers,
    r.rolsuper as "isSuperuser", r.rolreplication as replicates, r.rolbypassrls as bypasses,
    coalesce((select pg_has_role(s.oid, 'usage') from pg_roles s where s.rolname = 'pg_create_subscription'), false)
      as subscribes,
    has_parameter_privilege('session_replication_role', 'set') as "setsReplica",
    not exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not pg_has_role(c.relowner, 'usage')) as "ownsTables",
    md5(coalesce((select string_agg(m.name, ' ' order by m.name) from migrations m), '') || ' ' ||
      coalesce((select string_agg(o.name || o.checksum, ' ' order by o.name) from schema_object o), '')) as schema
  from pg_roles r where r.rolname = current_user`;

async function look(client: ClientBase): Promise<Abilities> {
  const { rows } = await client.query<Abilities>(LOOK);
  return rows[0]!;
}

interface End {
  name: string;
  client: ClientBase;
}

/** A slot for the changes, and for each table that is being copied at the time. */
const SLOTS = 3;

/**
 * Finds out before anything begins whether an organisation can move from one server to another.
 * @throws MovingRefused with all that is missing
 */
export async function assertMovable(source: End, target: End): Promise<void> {
  const [from, to] = [await look(source.client), await look(target.client)];
  const missing = [...whyNotSent(source.name, from), ...whyNotReceived(target.name, to)];
  if (from.schema !== to.schema)
    missing.push(`${source.name} and ${target.name} have different schemas: run "parley migrate" with this version`);
  if (missing.length)
    throw new MovingRefused(
      `The organisation cannot move from ${source.name} to ${target.name}:\n- ${missing.join("\n- ")}`,
    );
}

function whyNotSent(name: string, seen: Abilities): string[] {
  const free = seen.slots - seen.usedSlots;
  return [
    seen.walLevel !== "logical" &&
      `${name} has wal_level = ${seen.walLevel}, and a move needs logical: set it, and restart PostgreSQL`,
    free < SLOTS &&
      `${name} has ${free} free replication slots, and a move needs ${SLOTS}: raise max_replication_slots`,
    seen.senders < SLOTS && `${name} has max_wal_senders = ${seen.senders}, and a move needs ${SLOTS}`,
    !seen.isSuperuser &&
      !(seen.replicates && seen.bypasses) &&
      `the owner of ${name} needs REPLICATION and BYPASSRLS: without them, row-level security would hide every row from the copy`,
    !seen.ownsTables && `the login of ${name} does not own its tables, so it cannot publish them`,
    !seen.setsReplica && whyNotReplica(name),
  ].filter((line) => line !== false);
}

function whyNotReceived(name: string, seen: Abilities): string[] {
  return [
    seen.workers < 2 && `${name} has max_logical_replication_workers = ${seen.workers}, and a move needs 2`,
    !seen.isSuperuser &&
      (seen.version < 160_000
        ? `the owner of ${name} must be a superuser: before PostgreSQL 16, nobody else may subscribe`
        : !(seen.subscribes && seen.bypasses) &&
          `the owner of ${name} needs pg_create_subscription and BYPASSRLS: row-level security is forced, and would refuse every row`),
    !seen.setsReplica && whyNotReplica(name),
  ].filter((line) => line !== false);
}

const whyNotReplica = (name: string): string =>
  `the owner of ${name} may not set session_replication_role, which a purge needs: grant set on parameter session_replication_role`;
