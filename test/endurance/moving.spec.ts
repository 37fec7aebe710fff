import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows } from "../../src/maintenance/moving/fingerprint.js";
import { readHome } from "../../src/maintenance/moving/homes.js";
import { type Move, type MoveTools } from "../../src/maintenance/moving/move.js";
import { MovesJob } from "../../src/maintenance/moving/moves.job.js";
import { tablesOf } from "../../src/maintenance/moving/organisation-tables.js";
import { nameOf } from "../../src/maintenance/moving/replication.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/ports.js";
import { type SentEvent, ServerSentEvents } from "../support/server-sent-events.js";
import { start } from "../server/e2e/support.js";
import { pack, packedPast } from "../server/quality/packed-days.js";
import { dispatch, type Receiver, startReceiver } from "../server/webhooks/support.js";
import { type Cluster, twoServers, type TwoServers, withMove } from "./clusters.js";

// An organisation moves to another PostgreSQL while it works: see docs/scaling.md.

let servers: TwoServers;
let receiver: Receiver;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
const lines: string[] = [];
beforeAll(async () => {
  [servers, receiver] = await Promise.all([
    // With the rights that docs/moving.md asks for, and no superuser's.
    twoServers({ owner: "ordinary" }),
    startReceiver(),
  ]);
  const settings = { DATABASE_SERVERS: [servers.setting], OUTBOUND_ALLOW: [`127.0.0.1:${receiver.port}`] };
  app = await startApp({ ...settings, DATABASE_POOL_SIZE: 8 }, servers.control);
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app?.close();
  await Promise.all([servers?.drop(), receiver?.close()]);
});

const moving = <T>(
  work: (move: Move, tools: MoveTools) => Promise<T>,
  log = (line: string): void => void lines.push(line),
): Promise<T> => withMove(servers, { from: "control", to: "second", id: tenant.tenantId, log }, work);

/** How many tables of each server have rows of the organisation. */
const filled = ({ source, target, organisation }: MoveTools): Promise<number[]> =>
  Promise.all(
    [source, target].map(async ({ client }) => {
      const counted = await countRows(client, await tablesOf(client, organisation));
      return Object.keys(counted).length;
    }),
  );

/** What a move makes for the time that it takes. */
const traces = async ({ control, second }: TwoServers, { organisation }: MoveTools): Promise<string[]> =>
  (
    await Promise.all(
      [control, second].map((cluster: Cluster) =>
        cluster.query<{ name: string }>(
          `select pubname as name from pg_publication union all select slot_name from pg_replication_slots
          union all select subname from pg_subscription`,
        ),
      ),
    )
  )
    .flat()
    .map(({ name }) => name)
    .filter((name) => name === nameOf(organisation));

test("a move that ends while it copies can be undone: the organisation stays, and nothing is left of the copy", async () => {
  const stop = (line: string): void => {
    if (line.endsWith("tables copied")) throw new Error("stopped");
  };
  await expect(moving((move) => move.run(), stop)).rejects.toThrow("stopped");
  await moving(async (move, tools) => {
    expect(await readHome(tools.control, tools.organisation)).toMatchObject({
      server: "control",
      state: "copying",
      other: "second",
    });
    expect(await traces(servers, tools)).toHaveLength(3);
    await move.abort();
    expect(await readHome(tools.control, tools.organisation)).toMatchObject({
      server: "control",
      state: "open",
      other: null,
    });
    expect(await traces(servers, tools)).toEqual([]);
    const [here, there] = await filled(tools);
    expect([here! > 10, there]).toEqual([true, 0]);
  });
  await start(tenant.live, tenant.defaults.workspaceId);
});

test("the door that a killed move left closed is opened by a job, whatever else is down, and requests that waited there go on", async () => {
  await servers.control.query(
    "update home set state = 'moving', other = 'second', since = now() - interval '1 minute' where organisation_id = $1",
    [tenant.tenantId],
  );
  const waiting = start(tenant.live, tenant.defaults.workspaceId);
  // Of a process that cannot reach a server which has nothing to do with it.
  const third = `third=postgres://127.0.0.1:${await freePort()}/parley`;
  const node = await startApp({ DATABASE_SERVERS: [servers.setting, third] }, servers.control);
  try {
    await node.app.get(MovesJob).run();
  } finally {
    await node.close();
  }
  await waiting;
  await moving(async (move, { control, organisation }) => {
    expect(await readHome(control, organisation)).toMatchObject({
      server: "control",
      state: "copying",
      other: "second",
    });
    await move.abort();
  });
});

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

/** Messages of contacts, some fifty a second, until it is stopped. */
function writing(conversations: readonly string[]) {
  let stopped = false;
  const load = { acknowledged: [] as string[], failed: [] as string[], longest: 0 };
  const write = async (conversation: string, writer: number): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      const began = performance.now();
      const body = `${writer} says ${n}`;
      const reply = await tenant.live.post(`/api/conversations/${conversation}/messages`, { body });
      load.longest = Math.max(load.longest, performance.now() - began);
      if (reply.status === 201) load.acknowledged.push(body);
      else load.failed.push(`${reply.status} ${reply.text}`);
      await sleep(Math.max(0, 200 - (performance.now() - began)));
    }
  };
  const all = Promise.all(conversations.map(write));
  const stop = (): Promise<unknown> => {
    stopped = true;
    return all;
  };
  return Object.assign(load, { stop });
}

const UNREAD = `
  select count(*)::int as count from webhook_due d
  join resource_change c on c.tenant_id = d.tenant_id and (c.transaction_id, c.position) > (d.transaction_id, d.position)
  where c.resource_type = 'message' and c.change = 'created'`;

test("an organisation moves while it is written to: nothing is lost or there twice, and no request fails", async () => {
  await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
  const conversations: string[] = [];
  for (let n = 0; n < 10; n++) conversations.push((await start(tenant.live, tenant.defaults.workspaceId)).id);
  const { figures } = await packedPast(app, tenant, servers.control.query);
  const reported = await figures(tenant.live);
  await owner.post("/api/webhook-endpoints", { url: receiver.url("/all"), events: ["message.received"] }, 201);
  await dispatch(app);
  const { cursor } = (await tenant.live.get("/api/changes?after=now", 200)).body;
  const stream = await Stream.open(owner);
  const load = writing(conversations);
  await moving(async (move, tools) => {
    const { control, organisation } = tools;
    try {
      await move.run();
      const after = load.acknowledged.length;
      await expect.poll(() => load.acknowledged.length).toBeGreaterThan(after + 50);
    } finally {
      await load.stop();
    }
    expect(await readHome(control, organisation)).toMatchObject({
      server: "second",
      state: "purging",
      other: "control",
    });
    expect(lines.join("\n")).toMatch(
      /requests waited for \d+ ms\n\d+ tables with \d+ rows are the same on both servers/,
    );
    expect(load.failed).toEqual([]);
    const said = await servers.second.query<{ body: string }>("select body from message where body like '% says %'");
    expect(said.map(({ body }) => body).sort()).toEqual(load.acknowledged.sort());
    // Nobody has read these changes yet, and nobody reads one twice.
    expect(await servers.second.query(UNREAD)).toEqual([{ count: load.acknowledged.length }]);
    // A cursor of before is told to begin anew, and so is a stream.
    expect((await tenant.live.get(`/api/changes?after=${encodeURIComponent(cursor)}`)).status).toBe(410);
    await stream.until(() => stream.ended);
    const now = (await tenant.live.get("/api/changes?after=now", 200)).body.cursor;
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await eventually(async () => {
      const { data } = (await tenant.live.get(`/api/changes?after=${encodeURIComponent(now)}`, 200)).body;
      expect(data.map(({ resourceId }) => resourceId)).toContain(id);
    });
    expect(await traces(servers, tools)).toEqual([]);
    // The days that reports have packed, and the one that is to be packed again.
    const toPack = () => servers.second.query("select from report_day_change where tenant_id = $1", [tenant.tenantId]);
    expect([await figures(tenant.live), (await toPack()).length > 0]).toEqual([reported, true]);
    await pack(app);
    expect([await figures(tenant.live), await toPack()]).toEqual([reported, []]);
    // The old rows stay for a day, and a job deletes them.
    await app.app.get(MovesJob).run();
    expect((await filled(tools))[0]).toBeGreaterThan(10);
    await control.query("update home set since = now() - interval '25 hours' where organisation_id = $1", [
      organisation.id,
    ]);
  });
  const back = { from: "second", to: "control", id: tenant.tenantId, log: () => undefined } as const;
  await expect(withMove(servers, back, (move) => move.run())).rejects.toThrow("control still has the rows of before");
  await app.app.get(MovesJob).run();
  const { rows } = await servers.control.client.query(
    "select state, server, other from home where organisation_id = $1",
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ state: "open", server: "second", other: null }]);
  const ofTenant = await servers.control.query("select 1 from tenant where organisation_id = $1", [tenant.tenantId]);
  expect(ofTenant).toEqual([]);
});
