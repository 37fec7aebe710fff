import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import type { PoolClient } from "pg";
import { expect } from "vitest";
import { createApp } from "../../src/app.js";
import { setCost } from "../../src/auth/sessions/password.js";
import { type Environment, system } from "../../src/platform/caller/caller.js";
import { type Scope, SCOPES } from "../../src/platform/caller/scope.js";
import { Config } from "../../src/platform/config/config.js";
import { Changes } from "../../src/platform/database/changes.js";
import { Database } from "../../src/platform/database/database.js";
import { Homes } from "../../src/platform/database/homes.js";
import { type Server, Servers } from "../../src/platform/database/servers.js";
import { STATEMENTS } from "../../src/platform/database/statements.js";
import type { Tx } from "../../src/platform/database/transaction.js";
import { type CreatedTenant, ProvisioningService } from "../../src/workspaces/provisioning/provisioning.service.js";
import { Client } from "./client.js";
import { bySocket, freshDatabase, type TestDatabase } from "./database.js";
import { addressOf } from "./servers.js";

export const SECRET_KEY = "a secret for tests, at least 32 characters";
export const AUTH_WEBHOOK_SECRET = `whsec_${Buffer.from("a secret for tests, 32 bytes long").toString("base64")}`;
export const PASSWORD = "correct horse battery";

/** A crowd of requests that a test makes waits for its turn, however busy the machine is. Only tests of the limit itself get 503. */
export const PATIENT_SECONDS = 120;

export interface TestTenant extends CreatedTenant {
  name: string;
  ownerEmail: string;
  /** A client with the live (or test) key of all scopes. */
  live: Client;
  test: Client;
  /** Signs the owner in, and returns a client. */
  owner(environment?: Environment): Promise<Client>;
  /** The application's `transaction`. */
  transaction: TestApp["transaction"];
}
export interface TestApp {
  app: NestFastifyApplication;
  db: TestDatabase;
  baseUrl: string;
  config: Config;
  client(token?: string): Client;
  /** Creates a tenant with both sides, an owner (password `PASSWORD`) and keys. */
  tenant(name?: string): Promise<TestTenant>;
  /** Runs work as the system on one side. */
  transaction<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A sign-in compares several hashes, and the tests sign in thousands of times. test/unit/auth/password.spec.ts has the real cost. */
export const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };
setCost(CHEAP);

/**
 * Each connection costs PostgreSQL a process that plans every statement anew. A page in a browser reads several things at one time,
 * and only a race needs as many as in production.
 */
const CONNECTIONS = { server: 2, browser: 3 } as const;
const connections = (): number => {
  const [, folder] = /\/test\/(server|browser)\//.exec(expect.getState().testPath!) ?? [];
  return folder ? CONNECTIONS[folder as keyof typeof CONNECTIONS] : 8;
};

let serial = 0;

/** The real application on a real port, with its own database. Scheduled jobs do not run by themselves. */
export async function startApp(settings: Partial<Config> = {}, shared?: TestDatabase): Promise<TestApp> {
  const { db, control } = await databasesFor(settings, shared);
  const config = Object.assign(
    new Config(),
    {
      NODE_ENV: "test",
      SECRET_KEY,
      AUTH_WEBHOOK_SECRET,
      LOG_LEVEL: "error",
      DATABASE_WAIT_SECONDS: PATIENT_SECONDS,
      DATABASE_POOL_SIZE: connections(),
      // Nobody answers there: what tests send must not depend on the policies of real domains.
      DNS_SERVERS: ["127.0.0.1:9"],
      DATABASE_URL: control.url,
      DATABASE_SERVERS: db === control ? [] : [addressOf("further", db)],
      ...wayTo(control, settings),
      ATTACHMENTS_DIR: attachmentsOf(db),
    },
    settings,
  );
  const app = await createApp(config, config.DATABASE_URL ?? db.url, { jobs: false });
  if (db !== control) settleOn("further", app.get(Homes));
  const strays = db === control ? undefined : straysOn(app.get(Servers).control);
  await app.listen(0, "127.0.0.1");
  const forget = (): void => app.get(Changes).forgetEverything();
  db.onWrite.add(forget);
  const baseUrl = `http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}`;
  const client = (token?: string): Client => new Client(baseUrl, token);
  const transaction: TestApp["transaction"] = (tenantId, work) =>
    app.get(Database).transaction(system("test", tenantId, "live"), work);
  return {
    app,
    db,
    baseUrl,
    config,
    client,
    transaction,
    tenant: async (name = `Tenant ${++serial}`) => {
      const ownerEmail = `owner-${++serial}-${process.pid}@example.com`;
      const made = (await app.get(ProvisioningService).create({
        name,
        owner: { email: ownerEmail, name: "Owner", password: PASSWORD, proven: true },
        withKeys: true,
      }))!;
      return {
        ...made,
        name,
        ownerEmail,
        live: client(made.keys!.live),
        test: client(made.keys!.test),
        owner: (environment = "live") => client().login(ownerEmail, PASSWORD, environment),
        transaction,
      };
    },
    close: async () => {
      db.onWrite.delete(forget);
      await app.close();
      if (strays) {
        // A tenant that does not exist is looked up on control.
        const tenants = await db.query<{ id: string }>("select id from tenant");
        const wrong = [...strays].filter(([, given]) => tenants.some(({ id }) => given.includes(id)));
        expect(
          wrong.map(([name]) => name),
          "statements about an organisation on a server where it does not live",
        ).toEqual([]);
      }
      if (shared) return;
      fs.rmSync(attachmentsOf(db), { recursive: true, force: true });
      await db.drop();
      if (db !== control) await control.drop();
    },
  };
}

/** As the server's login, through the pooler of the run if there is one. A test that goes a way of its own says so. */
function wayTo({ url, serverUrl, pooledUrl }: TestDatabase, settings: Partial<Config>): Partial<Config> {
  const isOwn = "DATABASE_APP_URL" in settings || "DATABASE_DIRECT_URL" in settings;
  return pooledUrl && !isOwn
    ? { DATABASE_APP_URL: pooledUrl, DATABASE_DIRECT_URL: url }
    : { DATABASE_APP_URL: bySocket(serverUrl) };
}

/**
 * With PARLEY_TEST_SERVERS=2 all organisations live on a further server, whose database is the test's, and control has none of their
 * rows: a statement that goes to the wrong server finds nothing.
 */
async function databasesFor(
  settings: Partial<Config>,
  shared: TestDatabase | undefined,
): Promise<{ db: TestDatabase; control: TestDatabase }> {
  if (shared) return { db: shared, control: controlOf(shared) };
  const db = await freshDatabase();
  const isOrdinary = !Object.keys(settings).some((name) => /^DATABASE_.*(URL|SERVERS)$/.test(name));
  if (process.env.PARLEY_TEST_SERVERS === "2" && isOrdinary) controls.set(db, await freshDatabase());
  return { db, control: controlOf(db) };
}
const controls = new WeakMap<TestDatabase, TestDatabase>();

/** Where the tables of control are, if the organisations are in this database. */
export const controlOf = (db: TestDatabase): TestDatabase => controls.get(db) ?? db;

/**
 * The statements that it gets although they are about one organisation, by name, each with what it was given. Each transaction
 * of an organisation begins with such a statement.
 */
function straysOn({ pool }: Server): Map<string, string> {
  const found = new Map<string, string>();
  const watched = new WeakSet<PoolClient>();
  pool.on("acquire", (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const send = client.query.bind(client) as (...given: unknown[]) => unknown;
    // A single read has its values as they are sent.
    const query = (...given: [{ name?: string; values?: unknown[]; bound?: Buffer }, ...unknown[]]): unknown => {
      const { name = "", values, bound } = given[0];
      const place = STATEMENTS.get(name)?.place ?? "tenant";
      if (STATEMENTS.has(name) && !["control", "everywhere"].includes(place))
        found.set(name, `${found.get(name) ?? ""}${bound?.toString("latin1") ?? JSON.stringify(values)}`);
      return send(...given);
    };
    Object.assign(client, { query });
  });
  return found;
}

function settleOn(server: string, homes: Homes): void {
  homes.numberOn = ({ name }) => Promise.resolve(name === server ? 0 : 1);
}

/** The assistant of the tenant's workspace answers nothing. For processes, whose jobs run, and tests of something else. */
export const withoutAssistant = ({ live, defaults }: TestTenant): Promise<unknown> =>
  live.patch(`/api/workspaces/${defaults.workspaceId}`, { assistantEnabled: false }, 200);

/** The folder of a database's attachments, shared by all nodes on the database. */
export function attachmentsOf({ url }: Pick<TestDatabase, "url">): string {
  const { port, pathname } = new URL(url);
  return path.join(os.tmpdir(), `parley-attachments-${port}-${path.basename(pathname)}`);
}

/** A key that expires soon, and was used before. A machine may be so busy that it expires first: then one that lasts longer. */
export async function shortLivedKey(owner: Client): Promise<Awaited<ReturnType<typeof keyFor>> & { expiresAt: Date }> {
  for (let lasts = 2_000; ; lasts *= 2) {
    const expiresAt = new Date(Date.now() + lasts);
    try {
      const key = await keyFor(owner, { expiresAt: expiresAt.toISOString() });
      await key.get("/api/me", 200);
      return Object.assign(key, { expiresAt });
    } catch (error) {
      if (Date.now() < expiresAt.getTime()) throw error;
    }
  }
}

/** A key created by a signed-in owner or admin, by default with all scopes for the whole organisation. */
export async function keyFor(
  owner: Client,
  options: { scopes?: readonly Scope[]; dataScope?: object; expiresAt?: string } = {},
): Promise<Client & { key: string; id: string }> {
  const { body } = await owner.post<{ key: string; id: string }>(
    "/api/api-keys",
    { name: "test", scopes: [...SCOPES], ...options },
    201,
  );
  return Object.assign(owner.as(body.key), { key: body.key, id: body.id });
}
