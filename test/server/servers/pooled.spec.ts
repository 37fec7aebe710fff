import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Config } from "../../../src/platform/config/config.js";
import { loadConfig } from "../../../src/platform/config/load-config.js";
import { Homes } from "../../../src/platform/database/homes.js";
import { openDatabase } from "../../../src/startup.js";
import { SECRET_KEY, startApp, type TestApp } from "../../support/app.js";
import { freshDatabase, type TestDatabase } from "../../support/database.js";
import {
  type PgBouncer,
  PREPARES_IN_TRANSACTION_MODE,
  startPgBouncer,
  WITHOUT_PGBOUNCER,
} from "../../support/pgbouncer.js";
import { type FurtherServer, furtherServer } from "../../support/servers.js";
import { start, walk } from "../e2e/support.js";
import { Scrape, TOKEN } from "../metrics/support.js";

// A pooler in front of a further server. That of control has nothing in front of it.

const BASE = { NODE_ENV: "test", SECRET_KEY };

let db: TestDatabase;
let second: FurtherServer;
beforeAll(async () => {
  [db, second] = await Promise.all([freshDatabase(), furtherServer("second")]);
});
afterAll(() => Promise.all([db.drop(), second.drop()]));

const settings = (poolers: string): Record<string, string> => ({
  DATABASE_URL: db.url,
  DATABASE_APP_URL: db.serverUrl,
  DATABASE_SERVERS: second.setting,
  DATABASE_POOLERS: poolers,
});
const named = ({ through }: PgBouncer): string => {
  const { host, pathname } = new URL(through(second.url));
  return `second=postgres://${host}${pathname}`;
};
/** As `npm start` does: first the databases, then the application. */
async function startLike(given: Record<string, string>): Promise<TestApp> {
  const config = loadConfig({ ...BASE, ...given });
  await openDatabase(config, "own");
  const { DATABASE_URL, DATABASE_APP_URL, DATABASE_SERVERS, DATABASE_POOLERS } = config;
  const own: Partial<Config> = { DATABASE_URL, DATABASE_APP_URL, DATABASE_SERVERS, DATABASE_POOLERS };
  return startApp({ ...own, METRICS_TOKEN: TOKEN }, db);
}

describe.skipIf(WITHOUT_PGBOUNCER)(`a further server behind a pooler${WITHOUT_PGBOUNCER}`, () => {
  test.each(["session", ...(PREPARES_IN_TRANSACTION_MODE ? (["transaction"] as const) : [])] as const)(
    "serves its organisations in %s mode",
    async (mode) => {
      const options = mode === "transaction" ? ["max_prepared_statements = 200"] : [];
      const pooler = await startPgBouncer([second.url, second.serverUrl], { mode, settings: options });
      let app: TestApp | undefined;
      try {
        app = await startLike(settings(named(pooler)));
        // The second organisation, because the first one goes to control.
        const tenants = [await app.tenant(), await app.tenant()];
        const homes = await Promise.all(tenants.map(({ tenantId }) => app!.app.get(Homes).nameOf(tenantId)));
        const { live, defaults } = tenants[homes.indexOf("second")]!;
        const { id } = await start(live, defaults.workspaceId, { message: { body: "Hello" } });
        const retried = { headers: { "idempotency-key": "once" } };
        for (let n = 0; n < 2; n++) await live.post(`/api/conversations/${id}/reply`, { body: "Hi" }, 200, retried);
        expect((await walk(live, `/api/conversations/${id}/messages`)).map(({ body }) => body)).toEqual([
          "Hello",
          "Hi",
        ]);
        expect((await Scrape.of(app)).value("parley_db_up", { server: "second" })).toBe(1);
        expect((await Scrape.of(app)).value("parley_db_organisations", { server: "second" })).toBeGreaterThan(0);
        // Its organisations are reached in no other way.
        await pooler.close();
        await live.get("/api/conversations", 503);
        await tenants[homes.indexOf("control")]!.live.get("/api/conversations", 200);
      } finally {
        await app?.close();
        await pooler.close();
      }
    },
  );

  test("is not used where DATABASE_SERVERS leads to the pooler itself, and the start says so", async () => {
    const pooler = await startPgBouncer([second.url, second.serverUrl], {
      mode: "session",
      settings: ["ignore_startup_parameters = options,extra_float_digits"],
    });
    const said = vi.spyOn(console, "error").mockReturnValue();
    try {
      const config = loadConfig({ ...BASE, ...settings(""), DATABASE_SERVERS: named(pooler) });
      await openDatabase(config, "own");
      expect(said.mock.calls.flat()).toEqual([
        expect.stringMatching(/^second of DATABASE_SERVERS leads to a pooler.*DATABASE_POOLERS/),
      ]);
    } finally {
      said.mockRestore();
      await pooler.close();
    }
  });
});

test.each([
  ["third=postgres://127.0.0.1/parley", /DATABASE_POOLERS has third, which DATABASE_SERVERS does not name/],
  ["second=postgres://127.0.0.1/a,second=postgres://127.0.0.1/b", /DATABASE_POOLERS has a name twice/],
  ["control=postgres://127.0.0.1/parley", /each value in DATABASE_POOLERS must be name=postgres/],
])("DATABASE_POOLERS=%s is refused", (poolers, message) => {
  expect(() => loadConfig({ ...BASE, ...settings(poolers) })).toThrow(message);
});

test("a pooler needs a login of the server's own", () => {
  const given = settings("second=postgres://127.0.0.1/parley");
  for (const DATABASE_APP_URL of [undefined, db.url])
    expect(() => loadConfig({ ...BASE, ...given, DATABASE_APP_URL })).toThrow(/DATABASE_APP_URL/);
});
