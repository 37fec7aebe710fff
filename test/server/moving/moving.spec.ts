import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows } from "../../../src/maintenance/moving/fingerprint.js";
import { readHome } from "../../../src/maintenance/moving/homes.js";
import { type End, Move, type MoveTools } from "../../../src/maintenance/moving/move.js";
import { findOrganisation, tablesOf } from "../../../src/maintenance/moving/organisation-tables.js";
import { connectionsOf } from "../../../src/platform/database/connections.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { connect } from "../../support/database.js";
import { start } from "../e2e/support.js";
import { type Cluster, startCluster } from "./clusters.js";

let control: Cluster;
let second: Cluster;
let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  [control, second] = await Promise.all([startCluster(), startCluster()]);
  const { password } = new URL(control.serverUrl);
  await second.query(`alter role parley_server password '${password}'`);
  app = await startApp({ DATABASE_SERVERS: [`second=${second.url}`], DATABASE_POOL_SIZE: 8 }, control);
  tenant = await app.tenant();
});
afterAll(async () => {
  await app?.close();
  await Promise.all([control?.drop(), second?.drop()]);
});

const lines: string[] = [];
async function withMove<T>(from: string, to: string, work: (move: Move, tools: MoveTools) => Promise<T>): Promise<T> {
  const clusters: Record<string, Cluster> = { control, second };
  const endOf = async (name: string): Promise<End> => ({
    name,
    client: await connect(clusters[name]!.url),
    owner: connectionsOf({}, clusters[name]!.url).owner,
  });
  const [source, target] = [await endOf(from), await endOf(to)];
  const organisation = (await findOrganisation(source.client, tenant.tenantId))!;
  const onControl = await connect(control.url);
  const tools = { control: onControl, source, target, organisation, log: (line: string) => void lines.push(line) };
  try {
    return await work(new Move(tools), tools);
  } finally {
    for (const client of [source.client, target.client, onControl]) await (client as typeof onControl).end();
  }
}

/** Messages of a contact, some fifty a second, until it is stopped. */
function writing(conversations: string[]) {
  let stopped = false;
  const [acknowledged, slow] = [[] as string[], { longest: 0, failed: [] as string[] }];
  const writer = async (conversation: string, of: number): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      const began = performance.now();
      const body = `${of} says ${n}`;
      const reply = await tenant.live.post(`/api/conversations/${conversation}/messages`, { body });
      slow.longest = Math.max(slow.longest, performance.now() - began);
      if (reply.status === 201) acknowledged.push(body);
      else slow.failed.push(`${reply.status} ${reply.text}`);
      await sleep(Math.max(0, 200 - (performance.now() - began)));
    }
  };
  const all = Promise.all(conversations.map(writer));
  return {
    acknowledged,
    slow,
    stop: () => {
      stopped = true;
      return all;
    },
  };
}

test("an organisation moves while it is written to: nothing is lost, nothing is there twice, and no request fails", async () => {
  const conversations: string[] = [];
  for (let n = 0; n < 10; n++) conversations.push((await start(tenant.live, tenant.defaults.workspaceId)).id);
  const load = writing(conversations);
  await withMove("control", "second", async (move, { control: client, organisation, source, target }) => {
    await move.run();
    expect(await readHome(client, organisation)).toMatchObject({ server: "second", state: "purging", other: "control" });
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(100);
    await load.stop();
    console.log(lines.join("\n"), load.slow, load.acknowledged.length);
    expect(load.slow.failed).toEqual([]);
    const said = await second.query<{ body: string }>("select body from message where body like '% says %'");
    expect(said.map(({ body }) => body).sort()).toEqual([...load.acknowledged].sort());
    const tables = await tablesOf(source.client, organisation);
    await move.purgeOld();
    expect(await countRows(source.client, tables)).toEqual({});
    expect(Object.keys(await countRows(target.client, tables)).length).toBeGreaterThan(20);
  });
});
