import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows } from "../../src/maintenance/moving/fingerprint.js";
import { tablesOf } from "../../src/maintenance/moving/organisation-tables.js";
import { SECRET_KEY } from "../support/app.js";
import type { Client } from "../support/client.js";
import { start } from "../server/e2e/support.js";
import { twoServers, type TwoServers, withMove } from "../server/moving/clusters.js";
import {
  allowTimeForProcesses,
  build,
  cleanUp,
  newFolder,
  newTenant,
  type Outcome,
  type PrintedTenant,
  type Server,
  type Settings,
  startCommand,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

// kill -9 of the process that moves an organisation, at each step, under fifty writes a second. Then the same command goes on.

let servers: TwoServers;
let settings: Settings;
let tenant: PrintedTenant;
let server: Server;
let key: Client;
beforeAll(async () => {
  await build();
  servers = await twoServers();
  settings = {
    DATABASE_URL: servers.control.url,
    DATABASE_SERVERS: servers.setting,
    SECRET_KEY,
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    ATTACHMENTS_DIR: newFolder(),
  };
  [server, tenant] = await Promise.all([startServer(settings), newTenant({ url: servers.control.url })]);
  key = server.client(tenant.apiKeys.live);
});
afterAll(async () => {
  await cleanUp();
  await servers?.drop();
});

const stateOf = async (): Promise<string> => {
  const [home] = await servers.control.query<{ state: string; server: string }>("select state, server from home");
  return home ? `${home.state} on ${home.server}` : "none";
};
const existsOn = async (where: "control" | "second", sql: string): Promise<boolean> =>
  (await servers[where].query(sql)).length > 0;

/** Each step, and how it shows from the outside that a move is there. */
const STEPS: [step: string, isThere: () => Promise<boolean>][] = [
  ["the publication is made", () => existsOn("control", "select from pg_publication")],
  ["the subscription is made", () => existsOn("second", "select from pg_subscription")],
  ["some tables are copied", () => existsOn("second", "select from pg_subscription_rel where srsubstate = 'r'")],
  ["jobs begin nothing new", async () => (await stateOf()) === "draining on control"],
  ["requests wait", async () => (await stateOf()) === "moving on control"],
  ["the feed has begun on the new server", () => existsOn("second", "select from resource_change_floor")],
];

/** Starts the move, and kills it when the step is there. @returns what it had done if it was faster */
async function killedAt(isThere: () => Promise<boolean>): Promise<Outcome> {
  const run = startCommand(["organisation", "move", tenant.tenantId, "second"], settings);
  let ended = false;
  const end = run.end().finally(() => (ended = true));
  while (!ended && !(await isThere())) await sleep(1);
  run.kill("SIGKILL");
  return end;
}

function writing(conversations: readonly string[]) {
  let stopped = false;
  const load = { acknowledged: [] as string[], failed: [] as string[], longest: 0 };
  const all = Promise.all(
    conversations.map(async (conversation, writer) => {
      for (let n = 0; !stopped; n++) {
        const began = performance.now();
        const body = `${writer} says ${n}`;
        const reply = await key.post(`/api/conversations/${conversation}/messages`, { body });
        load.longest = Math.max(load.longest, performance.now() - began);
        if (reply.status === 201) load.acknowledged.push(body);
        else load.failed.push(`${reply.status} ${reply.text}`);
        await sleep(Math.max(0, 200 - (performance.now() - began)));
      }
    }),
  );
  const stop = (): Promise<unknown> => {
    stopped = true;
    return all;
  };
  return Object.assign(load, { stop });
}

test("a move that is killed at each step goes on: every acknowledged write is on the new server, once, and nothing on the old one", async () => {
  const conversations: string[] = [];
  for (let n = 0; n < 10; n++) conversations.push((await start(key, tenant.defaults.workspaceId)).id);
  const load = writing(conversations);
  const killed: string[] = [];
  let last: Outcome;
  try {
    for (const [step, isThere] of STEPS) {
      const { signal, stdout } = await killedAt(isThere);
      killed.push(`${step}: ${signal ?? stdout}, ${await stateOf()}`);
      // A process opens the door of a move that has died.
      const before = load.acknowledged.length;
      await until(
        () => load.acknowledged.length > before + 20,
        () => `writes went on after ${step}`,
      );
    }
    last = await startCommand(["organisation", "move", tenant.tenantId, "second"], settings).end();
    const before = load.acknowledged.length;
    await until(
      () => load.acknowledged.length > before + 20,
      () => "writes went on at the end",
    );
  } finally {
    await load.stop();
  }
  expect([last.code, await stateOf()], `${killed.join("\n")}\n${last.stdout}${last.stderr}`).toEqual([
    0,
    "purging on second",
  ]);
  expect(killed.filter((line) => line.includes("SIGKILL")).length).toBe(STEPS.length);
  expect(load.failed).toEqual([]);
  const said = await servers.second.query<{ body: string }>("select body from message where body like '% says %'");
  expect(said.map(({ body }) => body).sort()).toEqual(load.acknowledged.sort());

  const purging = startCommand(["organisation", "move", tenant.tenantId, "second", "--purge-now"], settings);
  await until(
    () => existsOn("control", "select where not exists (select from message)"),
    () => "the purge had begun",
  );
  purging.kill("SIGKILL");
  await purging.end();
  const purged = await startCommand(["organisation", "move", tenant.tenantId, "second", "--purge-now"], settings).end();
  await withMove(
    servers,
    { from: "control", to: "second", id: tenant.tenantId, log: () => undefined },
    async (_, { source, organisation }) => {
      expect(await countRows(source.client, await tablesOf(source.client, organisation)), purged.stderr).toEqual({});
    },
  );
  expect(await stateOf()).toBe("open on second");
  console.log(killed.join("\n"), last.stdout, load.longest, load.acknowledged.length);
});
