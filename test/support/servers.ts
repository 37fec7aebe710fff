import { freshDatabase, type TestDatabase } from "./database.js";

/** A database of the run's PostgreSQL, which counts as a server of its own. Its login is that of DATABASE_URL and DATABASE_APP_URL. */
export interface FurtherServer extends TestDatabase {
  /** Its entry in DATABASE_SERVERS. */
  setting: string;
}

export async function furtherServer(name: string): Promise<FurtherServer> {
  const db = await freshDatabase();
  const { host, pathname } = new URL(db.url);
  return Object.assign(db, { setting: `${name}=postgres://${host}${pathname}` });
}
