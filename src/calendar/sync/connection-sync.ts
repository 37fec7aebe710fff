import type { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { CalendarDueEntity, CalendarEntity } from "../calendar.entity.js";
import type { CalendarCredentials } from "../providers/calendar-credentials.js";
import type { Account, CalendarProvider } from "../providers/calendar-provider.js";
import type { CalendarParser } from "../providers/calendar-parser.js";
import { writeBookings } from "./booking-writer.js";
import { CalendarReader } from "./calendar-reader.js";
import { recordSuccess } from "./connection-health.js";
import { storeCalendars } from "./discovery.js";
import { type Lease, LeaseLost, withLease, type WithLease } from "./lease.js";

const DISCOVERY_INTERVAL_MINUTES = 60;
/** After this time a sync makes room for other connections. What it has stored counts, and its next turn continues. */
const MAX_SYNC_MS = 120_000;

/** What a sync needs of the process. */
export interface SyncDependencies {
  db: Database;
  credentials: CalendarCredentials;
  provider: CalendarProvider;
  parser: CalendarParser;
  stopped: () => boolean;
}

interface Connection {
  workspaceId: string;
  serverUrl: string;
  credentials: Buffer;
  revision: number;
  /** The workspace's, for calendars without one. */
  timezone: string;
  /** Whether it is time to list the calendars on the server. */
  discover: boolean;
  archived: boolean;
  deleted: boolean;
}

const FIND_CONNECTION = query<
  { connectionId: string; discoveryMinutes: number },
  Omit<Connection, "credentials"> & { credentials: Buffer | null }
>()(
  "calendarSync.findConnection",
  { unrestricted: "only the calendar sync runs it" },
  ({ connectionId, discoveryMinutes }) => sql`
    select c.workspace_id as "workspaceId", c.server_url as "serverUrl", c.credentials, c.revision, w.timezone,
      w.status = 'archived' as archived, w.deleted_at is not null as deleted,
      coalesce(c.discovered_at < now() - make_interval(mins => ${discoveryMinutes}), true) as discover
    from calendar_connection c
    join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
    where c.tenant_id = ${TENANT} and c.id = ${connectionId}`,
);

/** Loads the connection. Undefined: there is nothing to sync, for now or for good, and the queue knows. */
export async function beginSync(tx: Tx, { connectionId, holder }: Lease): Promise<Connection | undefined> {
  tx.changesNothingVisible();
  const [connection] = await tx.query(FIND_CONNECTION, {
    connectionId,
    discoveryMinutes: DISCOVERY_INTERVAL_MINUTES,
  });
  const { credentials } = connection ?? {};
  if (connection && credentials && !connection.archived && !connection.deleted) return { ...connection, credentials };
  if (connection?.archived)
    await tx.update(
      CalendarDueEntity,
      { connectionId, holder },
      { holder: null, dueAt: () => "clock_timestamp() + interval '10 minutes'" },
    );
  else await tx.delete(CalendarDueEntity, { connectionId, holder });
  return undefined;
}

/**
 * One sync of a connection: lists its calendars, writes what was changed here, and reads what changed on the server. It
 * may stop anywhere; the next sync continues.
 */
export class ConnectionSync {
  private readonly began = Date.now();

  constructor(
    private readonly dependencies: SyncDependencies,
    private readonly lease: Lease,
    private readonly connection: Connection,
  ) {}

  /** @throws CalendarError, LeaseLost */
  async run(): Promise<void> {
    const { serverUrl, credentials, discover } = this.connection;
    const { tenantId, connectionId } = this.lease;
    const { provider, parser } = this.dependencies;
    const account = {
      tenantId,
      serverUrl,
      ...this.dependencies.credentials.open(tenantId, connectionId, serverUrl, credentials),
    };
    if (discover) {
      const found = await provider.calendars(account);
      await this.withLease((tx) => storeCalendars(tx, connectionId, this.connection, found));
    }
    await writeBookings({ provider, parser, account, connectionId, withLease: this.withLease });
    const more = await this.read(account);
    await this.withLease((tx) => recordSuccess(tx, this.lease, more));
  }

  private readonly withLease: WithLease = (work) => {
    if (this.dependencies.stopped()) throw new LeaseLost("the process is stopping");
    if (Date.now() - this.began > MAX_SYNC_MS) throw new LeaseLost("the sync took too long");
    return withLease(this.dependencies.db, this.lease, this.connection.revision, work);
  };

  /** @returns whether the server has more to read right away */
  private async read(account: Account): Promise<boolean> {
    const calendars = await this.withLease((tx) => {
      tx.changesNothingVisible();
      return tx.find(
        CalendarEntity,
        { connectionId: this.lease.connectionId, available: true },
        { order: { id: "ASC" } },
      );
    });
    const readers: CalendarReader[] = [];
    for (const calendar of calendars) {
      const reader = new CalendarReader(this.dependencies, account, calendar, this.withLease);
      await reader.findChanges();
      readers.push(reader);
    }
    // An event that was moved to another calendar is found there before it is missed here.
    const removed = new Set(readers.flatMap((reader) => reader.removed));
    for (const reader of readers) await reader.readChanges(removed);
    for (const reader of readers) await reader.finish();
    return readers.some(({ more }) => more);
  }
}
