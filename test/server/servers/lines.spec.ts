import { Logger } from "@nestjs/common";
import type pg from "pg";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { system } from "../../../src/platform/caller/caller.js";
import { ChangeLine, type Hearer } from "../../../src/platform/database/change-line.js";
import { Changes, type Signal } from "../../../src/platform/database/changes.js";
import { Database } from "../../../src/platform/database/database.js";
import { Homes } from "../../../src/platform/database/homes.js";
import { Servers } from "../../../src/platform/database/servers.js";
import { TenantEntity } from "../../../src/workspaces/tenants/tenant.entity.js";
import { GET_TENANT } from "../../../src/workspaces/tenants/tenants.queries.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import { type SentEvent, ServerSentEvents } from "../../support/server-sent-events.js";
import { type FragileServer, fragileServer, type FragileWay, fragileWay } from "../../support/servers.js";
import { start } from "../e2e/support.js";

// Processes tell each other of changes on the server of the organisation, and hear all servers: see docs/decisions/0122-many-primaries.md.

const SETTINGS = { DATABASE_WAIT_SECONDS: 30 };

let control: TestDatabase;
let way: FragileWay;
let second: FragileServer;
let third: FragileServer;
let a: TestApp;
let b: TestApp;
/** Lives on control. */
let here: TestTenant;
/** Lives on the second server. */
let there: TestTenant;
beforeAll(async () => {
  [control, second, third] = await Promise.all([freshDatabase(), fragileServer("second"), fragileServer("third")]);
  way = await fragileWay(control.url);
  const behind = { ...control, url: way.to(control.url), serverUrl: way.to(control.serverUrl) };
  const settings = { ...SETTINGS, DATABASE_SERVERS: [second.setting, third.setting] };
  a = await startApp(settings, behind);
  b = await startApp(settings, behind);
  [here, there] = [await a.tenant("Here"), await a.tenant("There")];
  expect(await homeOf(there)).toBe("second");
});
afterAll(async () => {
  await b?.close();
  await a?.close();
  await way?.close();
  await Promise.all([control, second, third].map((db) => db?.drop()));
});

const homeOf = ({ tenantId }: TestTenant): Promise<string> => a.app.get(Homes).nameOf(tenantId);
/** What a line is inside. */
interface Line extends Omit<ChangeLine, "hearing"> {
  hearing: boolean;
  hearer: Hearer;
}
const lineOf = ({ app }: TestApp, server: string): Line =>
  app.get<{ lines: Map<string, Line> }>(Changes).lines.get(server)!;
const NAMES = ["control", "second", "third"];
const allHear = (): Promise<void> =>
  eventually(() =>
    expect([a, b].flatMap((node) => NAMES.map((name) => lineOf(node, name).hearing))).not.toContain(false),
  );
const at = (node: TestApp, { token }: Client): Client => node.client(token);
const LIST = "/api/conversations";
const versionAt = ({ app }: TestApp, tenantId: string): string | null => app.get(Changes).version(tenantId, null);

class Stream extends ServerSentEvents {
  readonly heard: SentEvent[] = [];
  protected note(event: SentEvent): void {
    this.heard.push(event);
  }
  static async open(client: Client): Promise<Stream> {
    const stream = new Stream();
    await stream.connect(client, "/api/events");
    return stream;
  }
}

/** What is told on each server, until it is closed. */
async function eavesdrop(): Promise<{ told: Record<string, string[]>; close: () => Promise<void> }> {
  const told: Record<string, string[]> = { control: [], second: [], third: [] };
  const clients = await Promise.all(
    Object.entries({ control, second, third }).map(async ([name, { url }]) => {
      const client = await connect(url);
      client.on("notification", ({ payload = "" }) => told[name]!.push(payload));
      await client.query("listen parley_changes");
      return client;
    }),
  );
  return { told, close: async () => void (await Promise.all(clients.map((client) => client.end()))) };
}

test("changes and signals are told on the server of their organisation, and heard in the other process", async () => {
  await allHear();
  const heard: Signal[] = [];
  b.app.get(Changes).onSignal((signal) => heard.push(signal));
  const { told, close } = await eavesdrop();
  try {
    for (const [tenant, server] of [
      [here, "control"],
      [there, "second"],
    ] as const) {
      const { tenantId } = tenant;
      await tenant.live.post("/api/accounts", { name: "Tells" }, 201);
      await eventually(() => {
        a.app.get(Changes).signal({ tenantId, workspaceId: null, type: "marker", data: {} });
        expect(heard.map((signal) => signal.tenantId)).toContain(tenantId);
      });
      const ofTenant = NAMES.filter((name) => told[name]!.some((payload) => payload.includes(tenantId)));
      expect(ofTenant).toEqual([server]);
    }
  } finally {
    await close();
  }
});

test("who polls another process sees what was written, and has its version in the meantime", async () => {
  for (const tenant of [here, there]) {
    const client = at(b, tenant.live);
    let etag = "";
    await eventually(async () => {
      etag = (await client.get(LIST, 200)).headers.get("etag")!;
      await client.get(LIST, 304, { headers: { "if-none-match": etag } });
    });
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await eventually(async () => {
      const { body } = await client.get(LIST, 200, { headers: { "if-none-match": etag } });
      expect(body.data.map((one) => one.id)).toContain(id);
    });
  }
});

test("what was missed on one server leaves the versions of the others as they are", async () => {
  await at(b, here.live).get(LIST, 200);
  await at(b, there.live).get(LIST, 200);
  await allHear();
  const before = [here, there].map(({ tenantId }) => versionAt(b, tenantId));
  lineOf(b, "third").hearer.missed();
  expect([here, there].map(({ tenantId }) => versionAt(b, tenantId))).toEqual(before);
  lineOf(b, "second").hearer.missed();
  expect(versionAt(b, here.tenantId)).toBe(before[0]);
  expect(versionAt(b, there.tenantId)).not.toBe(before[1]);
});

test.each([
  ["refuses connections", () => second.die()],
  ["says nothing any more", () => second.hang()],
])(
  "a server that %s: its own organisations have no versions, control is not asked for them, and the log says it once",
  async (_, fail) => {
    await at(a, here.live).get(LIST, 200);
    await at(a, there.live).get(LIST, 200);
    await allHear();
    const warned = vi.spyOn(Logger.prototype, "warn");
    const said = vi.spyOn(Logger.prototype, "log");
    const connected = vi.spyOn(ChangeLine.prototype, "listen");
    const asked = vi.spyOn(a.app.get(Servers).control.pool, "query");
    const ofSecond = (text: unknown): boolean =>
      String(text).includes("heard") && String(text).includes("server second");
    try {
      await fail();
      await eventually(() => expect(versionAt(a, there.tenantId)).toBeNull());
      await eventually(() => expect(versionAt(a, here.tenantId)).not.toBeNull());
      await eventually(() => there.live.get(LIST, 503));
      await eventually(async () => {
        asked.mockClear();
        for (let n = 0; n < 10; n++) await there.live.get(LIST, 503);
        const finds = asked.mock.calls.filter(([query]) => (query as { name?: string }).name === "homes.find");
        expect(finds).toEqual([]);
      });
      // Two processes, several times.
      await eventually(() => expect(connected.mock.calls.length).toBeGreaterThan(6));
      expect(warned.mock.calls.filter(([text]) => ofSecond(text)).length).toBeLessThanOrEqual(2);
      await second.revive();
      await eventually(() => there.live.get(LIST, 200));
      await allHear();
      expect(warned.mock.calls.filter(([text]) => ofSecond(text)).length).toBe(2);
      expect(said.mock.calls.filter(([text]) => ofSecond(text)).length).toBe(2);
    } finally {
      for (const spy of [warned, said, connected, asked]) spy.mockRestore();
    }
  },
);

test.each([
  ["refuses connections", () => way.die()],
  ["says nothing any more", () => way.hang()],
])("control %s: what happens on another server reaches the streams and polls of the other process", async (_, fail) => {
  const owner = await there.owner();
  const [elsewhere, key] = [at(b, owner), at(b, there.live)];
  await elsewhere.get(LIST, 200);
  await key.get(LIST, 200);
  const stream = await Stream.open(elsewhere);
  try {
    await allHear();
    await fail();
    await eventually(() => here.live.get(LIST, 503));
    await eventually(() => expect(lineOf(b, "control").hearing).toBe(false));
    for (let n = 0; n < 3; n++) {
      const etag = (await key.get(LIST, 200)).headers.get("etag")!;
      const { id } = await start(there.live, there.defaults.workspaceId);
      await stream.until(() => stream.heard.some(({ data }) => data.conversationId === id || data.id === id));
      const { body } = await key.get(LIST, 200, { headers: { "if-none-match": etag } });
      expect(body.data.map((one) => one.id)).toContain(id);
      // A version is known, so who has it is told that nothing changed.
      await eventually(async () => {
        const now = (await key.get(LIST, 200)).headers.get("etag")!;
        await key.get(LIST, 304, { headers: { "if-none-match": now } });
      });
    }
    expect(stream.ended).toBe(false);
  } finally {
    stream.close();
    await way.revive();
  }
  await eventually(() => here.live.get(LIST, 200));
});

interface Organisation {
  id: string;
  testId: string;
}
/** An organisation on the second server, with a copy on the third. */
async function copied(clients: Record<string, pg.Client>): Promise<Organisation> {
  const made = { id: uuid(), testId: uuid() };
  await setHome(clients.control!, made, "second", "open");
  await a.app
    .get(Database)
    .transaction(system("test", made.id, "live"), (tx) =>
      tx.insert(TenantEntity, { id: made.id, organisationId: made.id, name: "Before", environment: "live" }),
    );
  const { rows } = await clients.second!.query<{ tenant: object }>(
    "select to_json(t) as tenant from tenant t where id = $1",
    [made.id],
  );
  await clients.third!.query("insert into tenant select * from json_populate_record(null::tenant, $1)", [
    rows[0]!.tenant,
  ]);
  return made;
}
const setHome = (
  client: pg.Client,
  { id, testId }: Organisation,
  server: string,
  state: string,
  other: string | null = null,
) => client.query("select set_home($1, $2, $3, $4, $5)", [id, testId, server, state, other]);
const nameAt = async (node: TestApp, { id }: Organisation): Promise<string> =>
  (await node.app.get(Database).read(system("test", id, "live"), GET_TENANT, { attachmentQuota: 1 })).parse().name;
const numberIn = (version: string | null): number => Number(version!.split(".")[1]);

// Before the first write on the new server, the door that the organisation left, its new door, and control have said so, each on its
// server. Whoever hears one of them has no version of before. Whoever hears of the write has heard the new door before it.
test.each([["second"], ["third"], ["control"]])(
  "an organisation moved: a process that hears of it on %s alone keeps no version of before, and reads what was written since",
  async (only) => {
    // A line that was lost for a moment, as may be on a busy machine, heard nothing, and the others are not listened to here.
    for (let round = 0; !(await isHeardOn(only)); round++) expect(round).toBeLessThan(10);
  },
);

/** @returns false if the line was lost meanwhile */
async function isHeardOn(only: string): Promise<boolean> {
  const [onControl, onSecond, onThird] = await Promise.all([control, second, third].map(({ url }) => connect(url)));
  const made = await copied({ control: onControl!, second: onSecond!, third: onThird! });
  const told = NAMES.map((name) => lineOf(b, name).hearer);
  const before = told.map((hearer) => hearer.told);
  const hearer = lineOf(b, only).hearer;
  const { missed } = hearer;
  let isLost = false;
  const read: Promise<string>[] = [];
  try {
    let version: string | null = null;
    // What was missed on the old server is newer than all that the new one counts from.
    lineOf(b, "second").hearer.missed();
    await eventually(async () => {
      expect(await nameAt(b, made)).toBe("Before");
      version = versionAt(b, made.id);
      expect(version).not.toBeNull();
    });
    NAMES.forEach((name, n) => {
      if (name !== only) told[n]!.told = () => undefined;
    });
    hearer.missed = () => {
      isLost = true;
      missed();
    };
    b.app.get(Changes).onChange((tenantId) => {
      if (tenantId === made.id) read.push(nameAt(b, made));
    });
    await setHome(onThird!, made, "second", "open");
    await setHome(onControl!, made, "second", "moving", "third");
    await setHome(onSecond!, made, "second", "moving", "third");
    await setHome(onThird!, made, "third", "open");
    await setHome(onControl!, made, "third", "purging", "second");
    await a.app
      .get(Database)
      .transaction(system("test", made.id, "live"), (tx) =>
        tx.update(TenantEntity, { id: made.id }, { name: "After" }),
      );
    await setHome(onSecond!, made, "third", "open");
    await eventually(async () => {
      if (isLost) return;
      expect(await nameAt(b, made)).toBe("After");
      expect(versionAt(b, made.id)).not.toBeNull();
    });
    if (isLost) return false;
    expect(numberIn(versionAt(b, made.id))).toBeGreaterThan(numberIn(version));
    if (only === "third") await eventually(() => expect(read.length).toBeGreaterThan(0));
    expect(await Promise.all(read)).toEqual(read.map(() => "After"));
    return true;
  } finally {
    hearer.missed = missed;
    told.forEach((one, n) => (one.told = before[n]!));
    await Promise.allSettled(read);
    await Promise.all([onControl, onSecond, onThird].map((client) => client!.end()));
  }
}
