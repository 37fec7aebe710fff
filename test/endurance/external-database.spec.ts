import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { start, walk } from "../server/e2e/support.js";
import {
  allowTimeForProcesses,
  cleanUp,
  emptyDatabase,
  type EmptyDatabase,
  newFolder,
  parleyHere,
  type PrintedTenant,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";
import { connect } from "../support/database.js";
import { runs } from "../support/seed.js";

allowTimeForProcesses();

// An operator's own PostgreSQL: no demo data is loaded, and many processes share it. Its owner is not a superuser here,
// so row-level security applies to the owner too, as it does for operators.

const PROCESSES = runs(3, 8);
const SECRET_KEY = "a secret of at least 32 characters, for tests";

let db: EmptyDatabase;
let owner: string;
let ownerUrl: string;
let dataDir: string;
let servers: Server[];
/** One of them, with all that the operator is told at the start. */
let told: Server;
let second: { name: string; password: string };
const settings = () => ({ DATABASE_URL: ownerUrl, SECRET_KEY, DATA_DIR: dataDir });

/** A login on the test run's server. The application's role belongs to the whole server and exists already. */
async function login(options: string): Promise<{ name: string; password: string }> {
  const [name, password] = [`login_${randomBytes(6).toString("hex")}`, randomBytes(12).toString("hex")];
  const { rows } = await db.admin.query(`select from pg_roles where rolname = 'parley_app'`);
  if (!rows.length) await db.admin.query("create role parley_app nologin");
  await db.admin.query(`create role ${name} login password '${password}' nosuperuser nobypassrls ${options}`);
  await db.admin.query(`grant parley_app to ${name}`);
  return { name, password };
}
const urlFor = ({ name, password }: { name: string; password: string }): string =>
  Object.assign(new URL(db.url), { username: name, password }).href;

beforeAll(async () => {
  db = await emptyDatabase();
  const made = await login("createrole");
  [owner, ownerUrl] = [made.name, urlFor(made)];
  await db.admin.query(`alter database ${db.name} owner to ${owner}`);
  dataDir = path.join(newFolder(), "data");
  second = await login("");
  [told, ...servers] = await Promise.all([
    startServer({
      ...settings(),
      OUTBOUND_ALLOW: "CRM.internal:8080,10.0.0.7:443",
      // For Parley this is a name like any other. It is an address of this machine only.
      HOST: "LOCALHOST",
      DATABASE_APP_URL: urlFor(second),
    }),
    ...Array.from({ length: PROCESSES - 1 }, () => startServer(settings())),
  ]);
  await Promise.all(servers.slice(2).map((server) => server.end("SIGTERM")));
});
afterAll(async () => {
  await cleanUp();
  await db.drop();
});

describe(`${PROCESSES} processes that start concurrently on an empty database`, () => {
  test("become ready, name the role that they use, and print no credentials", async () => {
    for (const server of servers) {
      expect(server.output()).toEqual({
        stderr: "",
        stdout: `Parley is ready at ${server.address}\n  Dashboard          ${server.address}/\n  API documentation  ${server.address}/docs\n  Database           external, as role parley_app\n`,
      });
    }
    for (const server of servers.slice(0, 2))
      expect((await server.client().get("/readyz", 200)).body).toEqual({ ok: true });
  });

  test("create the schema once, without demo data", async () => {
    const client = await connect(ownerUrl);
    const { rows } = await client.query(
      `select (select count(*)::int from tenant) as tenants, (select count(*)::int - count(distinct name)::int from migrations) as twice, (select count(*)::int > 0 from migrations) as migrated,
        (select count(distinct applied_at)::int from schema_object) as "timesApplied"`,
    );
    expect(rows).toEqual([{ tenants: 0, twice: 0, migrated: true, timesApplied: 1 }]);
    await client.end();
  });

  test("store only the generated webhook secret in DATA_DIR", () => {
    expect(fs.readdirSync(dataDir)).toEqual(["secrets.json"]);
  });
});

describe("a database owner that is not a superuser", () => {
  afterAll(async () => {
    expect(await told.end("SIGTERM")).toMatchObject({ code: 0 });
  });

  test("creates a tenant by command, and the tenant's key works on every process", async () => {
    const { code, stdout } = await parleyHere(
      ["tenant", "create", "--name", "Shared Ltd", "--owner-email", "shared@example.com", "--json"],
      settings(),
    );
    expect(code).toBe(0);
    const {
      apiKeys,
      owner: { email, password },
      defaults: { workspaceId, brandId },
    } = JSON.parse(stdout) as PrintedTenant;
    const [a, b] = servers as [Server, Server];
    const { id } = await start(a.client(apiKeys.live), workspaceId, { externalId: "c-1", message: { body: "Hello" } });
    await b.client(apiKeys.live).post(`/api/conversations/${id}/reply`, { body: "Hi" }, 200);
    expect((await walk(a.client(apiKeys.live), `/api/conversations/${id}/messages`)).map(({ body }) => body)).toEqual([
      "Hello",
      "Hi",
    ]);
    // A session or a cursor from one process works on the other.
    const session = await a.client().login(email, password);
    expect((await b.client(session.token).get("/api/me", 200)).body).toMatchObject({ role: "owner" });
    const { body: page } = await a.client(apiKeys.live).get(`/api/conversations/${id}/messages?limit=1`, 200);
    expect(
      (
        await b
          .client(apiKeys.live)
          .get(`/api/conversations/${id}/messages?limit=1&cursor=${encodeURIComponent(page.nextCursor!)}`, 200)
      ).body.data,
    ).toMatchObject([{ body: "Hi" }]);

    // The application's role may not perform these two deletions itself. Row-level security restricts them to the
    // tenant as well.
    const client = await connect(ownerUrl);
    await client.query(`select set_config('app.tenant_id', id::text, false) from tenant where environment = 'live'`);
    await client.query(
      `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key, occurred_at)
      select current_setting('app.tenant_id')::uuid, gen_random_uuid(), $1, $2, 'ani_blocked', 'caller_ani', '["+4930901820"]', 'old', now() - interval '3 years'`,
      [workspaceId, id],
    );
    const { body: gone } = await a.client(apiKeys.live).post("/api/workspaces", { name: "Gone", brandId }, 201);
    await start(a.client(apiKeys.live), gone.id, { message: { body: "Hello" } });
    await b.client(apiKeys.live).delete(`/api/workspaces/${gone.id}`, 200);
    const swept = await parleyHere(["sweep"], settings());
    expect({ code: swept.code, report: JSON.parse(swept.stdout) }).toMatchObject({
      code: 0,
      report: { identityEvents: 1 },
    });
    await until(
      async () => (await client.query("select from workspace where id = $1", [gone.id])).rowCount === 0,
      () => "the deleted workspace was freed",
    );
    await client.end();
  });

  test("is warned at the start which hosts OUTBOUND_ALLOW opens", () => {
    expect(told.output().stdout).toMatch(/\n {2}Outbound allowed {3}crm\.internal:8080, 10\.0\.0\.7:443\n$/);
  });

  test("is warned loudly at the start if other machines may reach a server outside production, which then limits requests", async () => {
    expect(told.output().stderr).toMatch(
      /^\*{40,}\nWARNING: HOST=LOCALHOST lets other machines reach this server, but NODE_ENV is development\.\n[^]*The rate limit is on: 600 requests a minute for each client\.\n[^]*\n\*{40,}\n$/,
    );
    expect((await told.client().get("/api/me")).headers.get("ratelimit-limit")).toBe("600");
  });

  test("can give the servers a second login that owns nothing", async () => {
    expect(told.output().stdout).toContain("Database           external, as the login of DATABASE_APP_URL\n");
    expect((await told.client().get("/readyz", 200)).body).toEqual({ ok: true });
    const { rows } = await db.admin.query(`select usename from pg_stat_activity where datname = $1 and usename = $2`, [
      db.name,
      second.name,
    ]);
    expect(rows.length).toBeGreaterThan(0);
  });
});

test("while the database is down, every process is alive but not ready, and gives the reason; it recovers by itself", async () => {
  await db.admin.query(`alter database ${db.name} with allow_connections false`);
  await db.admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [db.name]);
  for (const server of servers.slice(0, 2)) {
    const answer = await until(
      async () => {
        const { status, body, headers } = await server.client().get("/readyz");
        return status === 503 && { body, headers };
      },
      () => "the server was not ready",
    );
    expect(answer.body).toEqual({ error: "The database cannot be reached" });
    expect((await server.client().get("/healthz", 200)).body).toEqual({ ok: true });
  }
  await db.admin.query(`alter database ${db.name} with allow_connections true`);
  for (const server of servers.slice(0, 2))
    await until(
      async () => (await server.client().get("/readyz")).status === 200,
      () => "the server was ready again",
    );
});

test("a schema older than the code is not ready, and the reason says so", async () => {
  const client = await connect(ownerUrl);
  const {
    rows: [last],
  } = await client.query<{ id: number; timestamp: string; name: string }>(
    "delete from migrations where id = (select max(id) from migrations) returning *",
  );
  expect((await servers[0]!.client().get("/readyz", 503)).body).toEqual({
    error: expect.stringMatching(/^1 migration/),
  });
  await client.query("insert into migrations (id, timestamp, name) values ($1, $2, $3)", [
    last!.id,
    last!.timestamp,
    last!.name,
  ]);
  await servers[0]!.client().get("/readyz", 200);
  await client.end();
});
