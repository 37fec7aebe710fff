import { afterAll, beforeAll, expect, test } from "vitest";
import { Homes } from "../../src/platform/database/homes.js";
import { type Cluster, startCluster } from "../endurance/clusters.js";
import { newAgent } from "../server/e2e/support.js";
import { chatOf, Visitor } from "../server/webchat/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";

// Many organisations on two servers, and requests of everybody who may ask, in an order that goes from one organisation to the next.
// ORGANISATIONS=1000 REQUESTS=10000 is the full run (ten minutes). Control has none of them, so what it is asked is about none.

const ORGANISATIONS = Number(process.env.ORGANISATIONS ?? 24);
const REQUESTS = Number(process.env.REQUESTS ?? 1_200);
const AT_ONCE = 8;
/** Members and visitors come in so many organisations: an address may open 60 web chats a minute. */
const SIGNED_IN = 40;
const NAMES = ["second", "third"];
/** What control is asked however many requests there are. */
const BY_CLOCK = {
  "whether it is there": /^select \$1$/,
  "who listens": /from pg_stat_activity/,
  "when keys were used last": /update api_key_lookup set last_used_at/,
};

let control: Cluster;
let servers: Cluster[];
let app: TestApp;
beforeAll(async () => {
  [control, ...servers] = await Promise.all([
    startCluster({ settings: ["shared_preload_libraries = 'pg_stat_statements'"] }),
    startCluster(),
    startCluster(),
  ]);
  // The running application has the same login everywhere.
  const { password } = new URL(control.serverUrl);
  for (const server of servers) await server.query(`alter role parley_server password '${password}'`);
  await control.query("create extension pg_stat_statements");
  app = await startApp(
    {
      DATABASE_URL: control.url,
      DATABASE_APP_URL: control.serverUrl,
      DATABASE_SERVERS: servers.map(({ url }, n) => `${NAMES[n]}=${url}`),
      // As in production, where the limit of each address is counted on control.
      RATE_LIMIT_PER_MINUTE: 1_000_000,
    },
    control,
  );
  const homes = app.app.get(Homes);
  const { numberOn } = homes;
  homes.numberOn = (server) => (server.name === "control" ? Promise.resolve(Infinity) : numberOn.call(homes, server));
});
afterAll(async () => {
  await app?.close();
  await Promise.all([control, ...(servers ?? [])].map((server) => server?.drop()));
});

interface Organisation {
  tenant: TestTenant;
  server: Cluster;
  /** Contacts that it has on its live side. */
  contacts: Set<string>;
}
/** Reads or writes something, and says whose it was. */
type Role = [name: string, ask: (n: number) => Promise<void>];

/** A visitor has none. */
const namesOf = async (client: Client): Promise<string[]> =>
  (await client.get("/api/contacts?limit=100", 200)).body.data.flatMap(({ name }) => name ?? []);

/** All that may ask in one organisation. */
async function rolesIn({ tenant, contacts }: Organisation, isSignedIn: boolean): Promise<Role[]> {
  const { live, test: other, tenantId, defaults } = tenant;
  const expectOwn = (names: readonly string[]): void => {
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(tenantId);
  };
  const add = async (client: Client, name: string): Promise<void> => {
    const { body } = await client.post("/api/contacts", { name: `${name} of ${tenantId}` }, 201);
    contacts.add(body.id);
  };
  const readsBy = (client: Client) => async (): Promise<void> => expectOwn(await namesOf(client));
  await add(live, "First");
  const roles: Role[] = [
    ["live key", readsBy(live)],
    ["live key, writing", (n) => add(live, `Contact ${n}`)],
    ["test key", async () => expect(await namesOf(other)).toEqual([])],
  ];
  if (!isSignedIn) return roles;
  const owner = await tenant.owner();
  const restricted = await keyFor(owner, {
    scopes: ["conversations:read"],
    dataScope: { level: "workspace", workspaceId: defaults.workspaceId },
  });
  const agent = await newAgent(owner, [defaults.workspaceId]);
  const visitor = await Visitor.open(app.baseUrl, await chatOf(tenant));
  await visitor.write(`A question to ${tenantId}`);
  const conversations = (client: Client) => async (): Promise<void> => {
    const { body } = await client.get("/api/conversations", 200);
    expect(body.data.map(({ workspaceId }) => workspaceId)).toEqual([defaults.workspaceId]);
  };
  return [
    ...roles,
    ["owner", readsBy(owner)],
    ["agent", conversations(agent)],
    ["restricted key", conversations(restricted)],
    ["visitor", async () => expect((await visitor.read())[0]).toBe(`A question to ${tenantId}`)],
  ];
}

/** As many at once as a few clients make. */
async function inTurns<T>(items: readonly T[], work: (item: T, n: number) => Promise<void>): Promise<void> {
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [n, item] of rest) await work(item, n);
    }),
  );
}

test(
  "no request goes to the wrong server, and control is asked once in a hundred at most, notifications included",
  { timeout: (ORGANISATIONS + REQUESTS) * 1_000 },
  async () => {
    const homes = app.app.get(Homes);
    const all: Organisation[] = [];
    // One after the other, because each goes to the emptiest server.
    for (let n = 0; n < ORGANISATIONS; n++) {
      const tenant = await app.tenant();
      const name = await homes.nameOf(tenant.tenantId);
      all.push({ tenant, server: servers[NAMES.indexOf(name)]!, contacts: new Set() });
    }
    const perServer = servers.map((server) => all.filter((one) => one.server === server).length);
    expect(perServer).toEqual([Math.ceil(ORGANISATIONS / 2), Math.floor(ORGANISATIONS / 2)]);
    const byRole = new Map<string, Role[1][]>();
    await inTurns(all, async (organisation, n) => {
      for (const [name, ask] of await rolesIn(organisation, n < SIGNED_IN))
        byRole.set(name, [...(byRole.get(name) ?? []), ask]);
    });

    // A process asks control once about whom it meets for the first time.
    await inTurns([...byRole.values()].flat(), (ask, n) => ask(-n));
    await control.query("select pg_stat_statements_reset()");
    const roles = [...byRole];
    const requests = Array.from({ length: REQUESTS }, (_, n) => {
      const [, asks] = roles[n % roles.length]!;
      return asks[Math.floor(n / roles.length) % asks.length]!;
    });
    await inTurns(requests, (ask, n) => ask(n));
    const statements = await control.query<{ query: string; calls: number }>(
      `select left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as query, calls::int from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())
          and query not like '%pg_stat_statements%' order by calls desc`,
    );
    const count = (which: (query: string) => boolean): number =>
      statements.filter(({ query }) => which(query)).reduce((sum, { calls }) => sum + calls, 0);
    const byClock = Object.entries(BY_CLOCK).map(([what, text]) => `${what} ${count((query) => text.test(query))}`);
    const others = count((query) => !Object.values(BY_CLOCK).some((text) => text.test(query)));
    process.stdout.write(
      `${ORGANISATIONS} organisations, ${REQUESTS} requests by ${roles.map(([name]) => name).join(", ")}\n` +
        `on control: ${others} statements, and by the clock: ${byClock.join(", ")}\n` +
        statements.map(({ query, calls }) => `${calls} × ${query}\n`).join(""),
    );
    expect(others).toBeLessThanOrEqual(REQUESTS / 100);

    const ids = async (query: Cluster["query"]): Promise<string[]> =>
      (await query<{ id: string }>("select id from contact where name like '% of %'")).map(({ id }) => id).sort();
    for (const server of servers) {
      const own = all.filter((one) => one.server === server).flatMap(({ contacts }) => [...contacts]);
      expect(await ids(server.query)).toEqual(own.sort());
    }
    expect(await ids(control.query)).toEqual([]);
  },
);
