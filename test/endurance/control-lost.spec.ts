import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Homes } from "../../src/platform/database/homes.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { connect } from "../support/database.js";
import { eventually } from "../support/eventually.js";
import { type FragileWay, fragileWay } from "../support/servers.js";
import { type TwoServers, twoServers } from "./clusters.js";

// `control` is down, and an organisation lives on another server, in a PostgreSQL of its own.

/** So many may pass in a minute, and a process has leases for a sixteenth of it. */
const RATE = 6_000;
/** A request would wait so long for a connection. */
const WAIT_SECONDS = 60;
/** Of an answer that waits for nothing, however busy the machine is. */
const AT_ONCE_MS = 20_000;

let servers: TwoServers;
let way: FragileWay;
let app: TestApp;
/** Lives on control. */
let here: TestTenant;
/** Lives on the second server. */
let there: TestTenant;
/** Lives there, too, and the process does not know it. */
let unknown: TestTenant;
beforeAll(async () => {
  servers = await twoServers();
  const { control } = servers;
  way = await fragileWay(control.url);
  const settings = {
    DATABASE_SERVERS: [servers.setting],
    DATABASE_WAIT_SECONDS: WAIT_SECONDS,
    RATE_LIMIT_PER_MINUTE: RATE,
  };
  app = await startApp(settings, { ...control, url: way.to(control.url), serverUrl: way.to(control.serverUrl) });
  here = await app.tenant("Here");
  there = await app.tenant("There");
  await app.tenant("Here, too");
  unknown = await app.tenant("There, too");
});
afterAll(async () => {
  await app?.close();
  await way?.close();
  await servers?.drop();
});

interface Load {
  names: string[];
  stop(): Promise<void>;
}

/** Reads and writes of the organisation, one after the other. @returns what was written */
function working(key: Client, session: Client): Load {
  let stopped = false;
  const names: string[] = [];
  const work = async (): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      await key.get("/api/conversations", 200);
      await session.get("/api/conversations", 200);
      const name = `Account ${names.length} ${performance.now()}`;
      await key.post("/api/accounts", { name }, 201);
      names.push(name);
    }
  };
  const all = work();
  all.catch(() => undefined);
  return {
    names,
    stop: () => {
      stopped = true;
      return all;
    },
  };
}

const atOnce = async (request: () => Promise<unknown>): Promise<void> => {
  const began = performance.now();
  await request();
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
};

test.each([
  ["refuses connections", () => way.die(), () => way.revive()],
  ["says nothing any more", () => way.hang(), () => way.revive()],
  ["was killed", () => servers.control.crash(), async () => way.revive(await servers.control.restart())],
])("control %s: known keys and sessions of other servers go on, and nobody signs in", async (_, fail, revive) => {
  expect(await app.app.get(Homes).nameOf(there.tenantId)).toBe("second");
  const [session, hers] = [await there.owner(), await here.owner()];
  const strange = await keyFor(hers);
  await there.live.get("/api/conversations", 200);
  expect(await app.app.get(Homes).nameOf(unknown.tenantId)).toBe("second");
  app.app.get(Homes).forget(unknown.tenantId);
  const load = working(there.live, session);
  try {
    await fail();
    // Whatever was under way ends within the second in which it is found out.
    await eventually(() => here.live.get("/api/conversations", 503), WAIT_SECONDS * 1_000);
    const login = { email: there.ownerEmail, password: PASSWORD };
    for (let n = 0; n < 3; n++) {
      await atOnce(() => here.live.get("/api/conversations", 503));
      await atOnce(() => here.live.post("/api/accounts", { name: "Has to wait" }, 503));
      await atOnce(() => hers.get("/api/conversations", 503));
      await atOnce(() => strange.get("/api/conversations", 503));
      await atOnce(() => unknown.live.get("/api/conversations", 503));
      await atOnce(() => app.client().post("/api/auth/login", login, 503));
      await atOnce(() => app.client().post("/api/auth/login", { ...login, password: "wrong password" }, 503));
      await sleep(300);
    }
    // More than what was leased before: each took three requests.
    const before = load.names.length;
    await expect.poll(() => load.names.length).toBeGreaterThan(before + RATE / 16 / 3);
    await revive();
    await eventually(() => here.live.get("/api/conversations", 200));
    await eventually(() => app.client().login(there.ownerEmail, PASSWORD));
    await strange.get("/api/conversations", 200);
    await unknown.live.get("/api/conversations", 200);
    await hers.get("/api/conversations", 200);
  } finally {
    await load.stop();
  }
  const stored = await servers.second.query<{ name: string }>("select name from account where name = any($1)", [
    load.names,
  ]);
  expect(stored.map(({ name }) => name).sort()).toEqual(load.names.sort());
  // It hears again what other processes say.
  const homes = app.app.get(Homes);
  const id = uuid();
  await eventually(async () => expect(await homes.nameOf(id)).toBe("control"));
  const client = await connect(way.to(servers.control.url));
  try {
    await client.query("insert into home (organisation_id, test_id, server) values ($1, $2, 'second')", [id, uuid()]);
    await eventually(async () => expect(await homes.nameOf(id)).toBe("second"));
  } finally {
    await client.end();
  }
});
