import fs from "node:fs";
import path from "node:path";
import { Client as PgClient } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startApp, type TestApp } from "../../support/app.js";
import { bodyFor, environmentOf, idFor, isOwn, ownMember, send, type Side, sideOf } from "./fixtures.js";
import { measured } from "../../races/support.js";
import { eventually } from "../../support/eventually.js";
import { PROTECTED, type Route } from "../../support/routes.js";

// What each route asks of the database, committed in `sql/`, a file for the first part of the paths: a new query, or one for each row,
// shows up in review.
// After a change that is meant: `npm run contract`.

let app: TestApp;
let live: Side;
let onTest: Side;
beforeAll(async () => {
  // With several, each transaction asks whether its organisation is there.
  app = await startApp({ DATABASE_SERVERS: [] });
  const tenant = await app.tenant();
  live = await sideOf(tenant);
  onTest = await sideOf(tenant, "test");
});
afterAll(() => app.close());

/** What the process does beside the requests, by itself: statements, and transactions. */
const BESIDE = /pg_notify|pg_stat_activity|pg_is_in_recovery|^listen |set last_used_at|set last_seen_at/i;
/** Of transactions that the process runs by itself: the action that the audit log would name. */
const ACTIONS_BESIDE = ["knowledge", "webhooks"];
const ENDS = /(?:^|; *)(?:commit|rollback)$/i;
const normal = (text: string): string =>
  text
    .replace(/'\\x[\da-f]+'/g, `'\\x…'`)
    .replace(/'([a-zA-Z]+:)?[\da-f]{8}-[\da-f-]{27}'/g, (_, kind: string | undefined) => `'${kind ?? ""}…'`)
    .replace(/'\{.*\}'(?=\s+where)/gs, `'{…}'`)
    .replace(/\s+/g, " ")
    .trim();

/** Where to write down statements: only while a test measures. */
let noted: string[] | undefined;
/** Connections on which the process runs a transaction by itself. */
const beside = new WeakSet<PgClient>();
/** A transaction that has begun; the statement after it says whose it is. */
const begun = new WeakSet<PgClient>();

// For the whole file, because a transaction beside the requests may begin before a measurement.
beforeAll(() => {
  const query = PgClient.prototype.query;
  vi.spyOn(PgClient.prototype, "query").mockImplementation(function (this: PgClient, ...args: unknown[]) {
    const { text = "", values = [] } =
      typeof args[0] === "string" ? { text: args[0] } : (args[0] as { text?: string; values?: unknown[] });
    if (text === "START TRANSACTION") begun.add(this);
    else {
      if (begun.delete(this)) {
        if (ACTIONS_BESIDE.some((action) => values.includes(action))) beside.add(this);
        else noted?.push("START TRANSACTION");
      }
      if (!BESIDE.test(text) && !beside.has(this)) noted?.push(normal(text));
      if (ENDS.test(text)) beside.delete(this);
    }
    return Reflect.apply(query, this, args) as never;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** The statements that `work` causes, in order. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = (noted = []);
  try {
    await work();
  } finally {
    noted = undefined;
  }
  return sent;
}

let keys = 0;
/** Again with another row and key if the process forgot its callers meanwhile, as it does each minute: it asks for them then. */
const ofRoute = (route: Route): Promise<string[]> =>
  measured(
    [app],
    async () => {
      const whole = environmentOf(route) === "test" ? onTest : live;
      const { client, side } = isOwn(route)
        ? await ownMember(whole, "owner")
        : { client: route.access === "scope" ? whole.key : whole.owner, side: whole };
      return { client, id: await idFor(route, side), body: bodyFor(route, side) };
    },
    async ({ client, id, body }) => {
      const isKeyed = route.method === "POST" && !route.path.startsWith("/api/auth/");
      const headers: Record<string, string> = isKeyed ? { "idempotency-key": `once-${++keys}` } : {};
      await client.get("/api/me", 200);
      return statementsOf(() => send(client, route, { id, body, headers }));
    },
  );

test("each route sends the statements that are committed beside this test, and no others", async () => {
  const files = new Map<string, string[]>();
  for (const route of PROTECTED) {
    const sent = await ofRoute(route);
    const file = `${route.path.split("/")[2]}.txt`;
    const lines = files.get(file) ?? [];
    files.set(file, lines);
    lines.push(`## ${route.name}`, ...(sent.length ? sent : ["(none)"]), "");
  }
  for (const [file, lines] of files) await expect.soft(lines.join("\n")).toMatchFileSnapshot(`sql/${file}`);
  const committed = fs.readdirSync(path.join(import.meta.dirname, "sql"));
  expect(committed.filter((file) => !files.has(file))).toEqual([]);
});

test("an unchanged poll sends none", async () => {
  // Again, if the process did not hear the others for a moment, as on a busy machine: then it asks the database.
  await eventually(async () => {
    const { headers } = await live.key.get("/api/conversations", 200);
    expect(
      await statementsOf(() =>
        live.key.get("/api/conversations", 304, { headers: { "if-none-match": headers.get("etag")! } }),
      ),
    ).toEqual([]);
  });
});

test("a list sends as many for a hundred rows as for one", async () => {
  const list = (): Promise<string[]> =>
    measured(
      [app],
      () => live.key.get("/api/me", 200),
      () => statementsOf(() => live.key.get("/api/contacts?limit=100", 200)),
    );
  await live.key.post("/api/contacts", { name: "One" }, 201);
  const few = await list();
  for (let n = 0; n < 100; n++) await live.key.post("/api/contacts", { name: `Contact ${n}` }, 201);
  expect(await list()).toEqual(few);
});
