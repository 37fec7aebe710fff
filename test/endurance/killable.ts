import { SECRET_KEY } from "../support/app.js";
import type { Client } from "../support/client.js";
import { freshDatabase, type TestDatabase } from "../support/database.js";
import {
  cleanUp,
  newFolder,
  newTenant,
  type PrintedTenant,
  type Server,
  type Settings,
  startServer,
} from "../server/process/support.js";

/** A server process with a tenant, on a database of its own, that a test kills and starts again. */
export interface Killable {
  readonly db: TestDatabase;
  readonly settings: Settings;
  readonly tenant: PrintedTenant;
  /** The process that runs now. */
  readonly server: Server;
  /** The tenant's live key. */
  key(): Client;
  /** Signs the owner in. */
  owner(): Promise<Client>;
  /** kill -9. Does the work once the process has ended, and starts another one. */
  killAndStart(work?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export async function startKillable(more: Settings = {}): Promise<Killable> {
  const db = await freshDatabase();
  const settings = {
    DATABASE_URL: db.url,
    SECRET_KEY,
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    ATTACHMENTS_DIR: newFolder(),
    ...more,
  };
  const [first, tenant] = await Promise.all([startServer(settings), newTenant(db)]);
  let server = first;
  return {
    db,
    settings,
    tenant,
    get server() {
      return server;
    },
    key: () => server.client(tenant.apiKeys.live),
    owner: () => server.client().login(tenant.owner.email, tenant.owner.password, "live"),
    killAndStart: async (work) => {
      await server.end("SIGKILL");
      await work?.();
      server = await startServer(settings);
    },
    close: async () => {
      await cleanUp();
      await db.drop();
    },
  };
}
