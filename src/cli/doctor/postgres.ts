import { type ClientConfig } from "pg";
import { MIGRATIONS } from "../../platform/database/migrations/index.js";
import { isReadyForNewer, schemaVersion, VERSION } from "../../platform/database/migrations/schema-version.js";
import { assertDirect, assertIsolated, assertReader, withClient } from "../../platform/database/checked-connection.js";
import { APP_ROLE } from "../../platform/database/app-role.js";
import type { Connections } from "../../platform/database/connections.js";
import { examine, type Examined } from "../../platform/database/examine.js";
import { error, fine, type Finding, reasonOf, warning } from "./finding.js";

const CLOCK_MS = 2_000;
const OLD_SECONDS = 600;
const FEW_TRANSACTIONS = 500_000_000;

export interface DatabaseFindings {
  findings: Finding[];
  /** Whether the application can work with it. */
  isUsable: boolean;
}

/** Looks at the database, and changes nothing. */
export async function examineDatabase(connections: Connections, poolSize: number): Promise<DatabaseFindings> {
  const { owner, ownerSetting, app, appSetting } = connections;
  const findings: Finding[] = [];
  const pending = await asked(owner, ownerSetting, findings, async (client) => {
    await assertDirect(client, connections);
    const examined = await examine(client);
    findings.push(...ofServer(examined, poolSize), ...ofWork(examined), ...(await ofVersion(client)));
    return MIGRATIONS.length - (await migrationsDone(client));
  });
  if (pending === undefined) return { findings, isUsable: false };
  if (pending > 0) {
    findings.push(error(`${pending} migrations have not been run: run \`parley migrate\`, or start Parley`));
    return { findings, isUsable: false };
  }
  const isolated = await asked(app, appSetting, findings, async (client) => {
    await assertIsolated(client, connections);
    findings.push(...(await ofLogin(client, appSetting)));
    return true;
  });
  if (connections.replica)
    await asked(connections.replica, "DATABASE_REPLICA_URL", findings, async (client) => {
      await assertReader(client, "DATABASE_REPLICA_URL");
      findings.push(await ofReplica(client));
    });
  if (isolated) findings.push(fine("The schema is up to date, and row-level security holds for the server's role"));
  return { findings, isUsable: isolated === true };
}

/** In the middle of an upgrade, processes of both versions serve. */
async function ofVersion(client: Parameters<typeof examine>[0]): Promise<Finding[]> {
  if (!(await isReadyForNewer(client))) return [];
  const ready = await schemaVersion(client);
  return [
    warning(
      `The database is ready for Parley ${ready}, and this is ${VERSION}: end the upgrade, so that all processes are of one version`,
    ),
  ];
}

async function ofReplica(client: Parameters<typeof examine>[0]): Promise<Finding> {
  const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  return rows[0]!.standby
    ? fine("The standby of DATABASE_REPLICA_URL answers reports")
    : warning(
        "DATABASE_REPLICA_URL leads to no standby, so the primary answers reports: let it lead to one, or leave it out",
      );
}

async function asked<T>(
  connection: ClientConfig,
  setting: string,
  findings: Finding[],
  work: Parameters<typeof withClient<T>>[1],
): Promise<T | undefined> {
  try {
    return await withClient(connection, work);
  } catch (thrown) {
    // Neither has a connection string in it, which holds a password.
    const reason = ofCertificate(thrown) ?? reasonOf(thrown);
    findings.push(error(reason.startsWith(setting) ? reason : `${setting}: ${reason}`));
    return undefined;
  }
}

/** What to do about a certificate that does not hold. Node.js says only why. */
function ofCertificate(thrown: unknown): string | undefined {
  const { code = "" } = thrown as { code?: string };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "the certificate of PostgreSQL is for another name: connect to a host that it names";
  if (code === "CERT_HAS_EXPIRED") return "the certificate of PostgreSQL has expired: renew it, or set this clock";
  return /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED/.test(code)
    ? `the certificate of PostgreSQL is not trusted (${reasonOf(thrown)}): let sslrootcert name the authority that has signed it`
    : undefined;
}

/** Row-level security holds for the role, as long as nobody takes it away from the login. */
async function ofLogin(client: Parameters<typeof examine>[0], setting: string): Promise<Finding[]> {
  const { rows } = await client.query<{ login: string; isAbove: boolean }>(
    `select r.rolname::text as login, r.rolsuper or r.rolbypassrls as "isAbove" from pg_roles r where r.rolname = session_user`,
  );
  const { login, isAbove } = rows[0]!;
  return isAbove
    ? [
        warning(
          `The login "${login}" of ${setting} is a superuser or has BYPASSRLS: its role alone keeps organisations apart. ` +
            `Set DATABASE_APP_URL to a login that is a member of ${APP_ROLE}, and nothing else`,
        ),
      ]
    : [];
}

async function migrationsDone(client: Parameters<typeof examine>[0]): Promise<number> {
  const { rows: known } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  );
  if (!known[0]!.there) return 0;
  const { rows } = await client.query<{ done: number }>("select count(*)::int as done from migrations");
  return rows[0]!.done;
}

export function ofClock(aheadMs: number): Finding[] {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const far = seconds > 2 * 60 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return Math.abs(aheadMs) > CLOCK_MS
    ? [error(`The clock of PostgreSQL is ${far} ${side} this machine's: let both follow the same time server`)]
    : [];
}

function ofServer(examined: Examined, poolSize: number): Finding[] {
  const { version, database, encoding, megabytes, connections, switchedOff, aheadMs, roundTripMs } = examined;
  const free = connections.most - connections.used;
  return [
    examined.isSupported
      ? fine(`PostgreSQL ${version}, database ${database}, ${megabytes} MB, ${roundTripMs.toFixed(1)} ms away`)
      : error(`PostgreSQL ${version} is too old: Parley needs 15 or later`),
    ...(encoding === "UTF8" ? [] : [error(`The database's encoding is ${encoding}: create it with encoding UTF8`)]),
    ...switchedOff.map((name) =>
      error(`${name} is off in PostgreSQL: turn it on, or data is lost or reads become slow`),
    ),
    ...ofClock(aheadMs),
    ...(free < poolSize
      ? [
          warning(
            `PostgreSQL has room for ${free} more connections, and a process takes ${poolSize}: raise max_connections, or lower DATABASE_POOL_SIZE`,
          ),
        ]
      : []),
  ];
}

function ofWork({ oldest, transactionsLeft, forgottenSlots }: Examined): Finding[] {
  return [
    ...(oldest && oldest.seconds > OLD_SECONDS
      ? [
          error(
            `A transaction of ${oldest.login} is open for ${oldest.seconds} s (pid ${oldest.pid}): it holds back the change feed and the vacuum. End it`,
          ),
        ]
      : []),
    ...(transactionsLeft < FEW_TRANSACTIONS
      ? [error(`PostgreSQL stops in ${transactionsLeft} transactions: let the autovacuum freeze this database`)]
      : []),
    ...forgottenSlots.map((name) =>
      warning(`Nobody reads the replication slot ${name}: it keeps all that is written, until the disk is full`),
    ),
  ];
}
