import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows } from "../../src/maintenance/moving/fingerprint.js";
import { findOrganisation, tablesOf } from "../../src/maintenance/moving/organisation-tables.js";
import { SECRET_KEY } from "../support/app.js";
import type { Client } from "../support/client.js";
import { start } from "../server/e2e/support.js";
import { twoServers, type TwoServers } from "../endurance/clusters.js";
import {
  allowTimeForProcesses,
  cleanUp,
  newFolder,
  newTenant,
  type Outcome,
  parley,
  type PrintedTenant,
  type Server,
  type Settings,
  startCommand,
  startServer,
  until,
} from "../server/process/support.js";
import { type Receiver, startReceiver } from "../server/webhooks/support.js";
import { type Point, watchedServer, type WatchedServer } from "../endurance/watched-server.js";

allowTimeForProcesses();

// kill -9 of the process that moves an organisation, at each step, under fifty writes a second, and the same command again. By default
// there are two moves, each with a quarter of the steps. MOVING_MOVES=10 is the full run: each with half of them, the others the next time.

const MOVES = Number(process.env.MOVING_MOVES ?? 2);
const SHARE = process.env.MOVING_MOVES === undefined ? 4 : 2;
const WRITERS = 10;
const EVERY_MS = 200;
const MOVES_AWAY = /The organisation moves to another server/;

type Place = "control" | "second";
interface Step extends Point {
  step: string;
  on: "source" | "target" | "control" | "second";
  /** Leave it out in the other direction: it takes place only where this is the server called second. */
  only?: "source" | "target";
}

const COMMIT = /^Q....commit/s;
/** In their order, with those that change nothing left out. Until the flip the organisation is served by the old server. */
const BEFORE_FLIP: Step[] = [
  { step: "copying is written", on: "control", when: "after", sql: /copying/ },
  { step: "the publication is made", on: "source", when: "after", sql: /create publication/ },
  { step: "the slot is made", on: "source", when: "after", sql: /pg_create_logical_replication_slot/ },
  { step: "the subscription is not made yet", on: "target", when: "before", sql: /create subscription/ },
  { step: "the subscription is made", on: "target", when: "after", sql: /create subscription/ },
  { step: "tables are copied", on: "target", when: "after", sql: /srsubstate/ },
  { step: "draining is written", on: "control", when: "after", sql: /draining/ },
  { step: "the door is about to close", on: "source", when: "before", sql: /set_home\(/ },
  { step: "the door has closed", on: "source", when: "after", sql: /set_home\(/ },
  {
    step: "the last changes arrive",
    on: "source",
    when: "after",
    behind: /set_home\(/,
    sql: /pg_logical_emit_message/,
  },
  { step: "sequences are raised", on: "target", when: "after", sql: /setval\(/ },
  { step: "the feed begins", on: "target", when: "after", sql: /insert into resource_change_floor/ },
  { step: "the feed has begun", on: "target", when: "after", behind: /insert into resource_change_floor/, sql: COMMIT },
  { step: "the new server's door is open", on: "second", when: "after", only: "target", sql: /second....open/s },
  { step: "the flip is written", on: "control", when: "after", sql: /purging/ },
  { step: "the flip is not committed yet", on: "control", when: "before", behind: /purging/, sql: COMMIT },
];
/** A process ends what such a move left before the command can run again, so there is one of them in each move. */
const AFTER_FLIP: Step[] = [
  { step: "the flip is committed", on: "control", when: "after", behind: /purging/, sql: COMMIT },
  { step: "the old server knows it", on: "second", when: "after", only: "source", sql: /control....open/s },
  { step: "the subscription is disabled", on: "target", when: "after", sql: /alter subscription/ },
  { step: "the subscription is dropped", on: "target", when: "after", sql: /drop subscription/ },
  { step: "the publication is about to go", on: "source", when: "before", sql: /drop publication/ },
  { step: "the publication is dropped", on: "source", when: "after", sql: /drop publication/ },
  { step: "the copies are compared", on: "control", when: "before", behind: /infinity/, sql: /update home set since/ },
];
const PURGE: Step = { step: "old rows are deleted", on: "source", when: "after", sql: /delete from message / };

let servers: TwoServers;
let watched: Record<Place, WatchedServer>;
let receiver: Receiver;
let mover: Settings;
let tenant: PrintedTenant;
let server: Server;
let key: Client;
beforeAll(async () => {
  [servers, receiver] = await Promise.all([twoServers(), startReceiver()]);
  const [control, second] = await Promise.all([servers.control, servers.second].map(({ url }) => watchedServer(url)));
  watched = { control: control!, second: second! };
  const settings = { SECRET_KEY, LOG_LEVEL: "error", HOST: "127.0.0.1", ATTACHMENTS_DIR: newFolder() };
  mover = { ...settings, DATABASE_URL: watched.control.url, DATABASE_SERVERS: `second=${watched.second.url}` };
  const own = {
    ...settings,
    DATABASE_URL: servers.control.url,
    DATABASE_SERVERS: servers.setting,
    OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
  };
  [server, tenant] = await Promise.all([startServer(own), newTenant({ url: servers.control.url })]);
  key = server.client(tenant.apiKeys.live);
  await key.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { assistantEnabled: false }, 200);
  const owner = await server.client().login(tenant.owner.email, tenant.owner.password, "live");
  await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
  await owner.post("/api/webhook-endpoints", { url: receiver.url("/all"), events: ["message.received"] }, 201);
});
afterAll(async () => {
  await cleanUp();
  await Promise.all(Object.values(watched ?? {}).map((way) => way.close()));
  await Promise.all([servers?.drop(), receiver?.close()]);
});

/** What each writer does until it is stopped: a message, and after a 503 the same again. */
class Load {
  /** The id of each message, by its text. */
  readonly acknowledged = new Map<string, string>();
  readonly failed: string[] = [];
  /** Of the moves since somebody looked. */
  waited = { longest: 0, refused: 0 };
  private stopped = false;
  private readonly all: Promise<unknown>;

  constructor(conversations: readonly string[]) {
    this.all = Promise.all(conversations.map((conversation, writer) => this.write(conversation, writer)));
  }

  private async write(conversation: string, writer: number): Promise<void> {
    for (let n = 0; !this.stopped; n++) {
      const began = performance.now();
      await this.send(conversation, `${writer} says ${n}`);
      this.waited.longest = Math.max(this.waited.longest, performance.now() - began);
      await sleep(Math.max(0, EVERY_MS - (performance.now() - began)));
    }
  }

  private async send(conversation: string, body: string): Promise<void> {
    const headers = { "Idempotency-Key": randomUUID() };
    for (;;) {
      const reply = await key.post(`/api/conversations/${conversation}/messages`, { body }, undefined, { headers });
      if (reply.status === 201) return void this.acknowledged.set(body, (reply.body as { id: string }).id);
      if (reply.status !== 503 || !MOVES_AWAY.test(reply.text))
        return void this.failed.push(`${reply.status} ${reply.text}`);
      this.waited.refused++;
      await sleep(50);
    }
  }

  /** Waits until so many more are acknowledged, and says how it went since it was asked the last time. */
  async more(count: number): Promise<typeof this.waited> {
    const before = this.acknowledged.size;
    await until(
      () => this.acknowledged.size >= before + count,
      () => `${count} more messages were written: ${this.failed.join("\n")}`,
    );
    const { waited } = this;
    this.waited = { longest: 0, refused: 0 };
    return waited;
  }

  stop(): Promise<unknown> {
    this.stopped = true;
    return this.all;
  }
}

const homeOf = async (): Promise<string> => {
  const [home] = await servers.control.query<{ state: string; server: string }>("select state, server from home");
  return home ? `${home.state} on ${home.server}` : "open on control";
};

/** What a move makes for the time that it takes. */
const traces = async (): Promise<string[]> => {
  const found = await Promise.all(
    [servers.control, servers.second].map(({ query }) =>
      query<{ name: string }>(
        `select pubname as name from pg_publication union all select slot_name from pg_replication_slots
        union all select subname from pg_subscription
          where subdbid = (select oid from pg_database where datname = current_database())`,
      ),
    ),
  );
  return found.flat().map(({ name }) => name);
};

const rowsOn = async (place: Place): Promise<Record<string, number>> => {
  const { client } = servers[place === "control" ? "second" : "control"];
  const organisation = (await findOrganisation(client, tenant.tenantId))!;
  return countRows(servers[place].client, await tablesOf(client, organisation));
};

class Direction {
  private readonly args: string[];

  constructor(
    readonly from: Place,
    readonly to: Place,
  ) {
    // Only what the mover itself sends is watched.
    this.args = ["organisation", "move", tenant.tenantId, to, "--source-url", servers[from].url];
  }

  has({ only }: Step): boolean {
    return only === undefined || (only === "source" ? this.from : this.to) === "second";
  }

  async run(...options: string[]): Promise<string> {
    const { code, stdout, stderr } = await parley([...this.args, ...options], mover);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    return stdout;
  }

  /** Runs the command, and kills it there. */
  async killAt(step: Step, ...options: string[]): Promise<Outcome> {
    const run = startCommand([...this.args, ...options], mover);
    const place = { source: this.from, target: this.to, control: "control", second: "second" } as const;
    watched[place[step.on]].strikeAt(step, () => {
      run.kill("SIGKILL");
    });
    const outcome = await run.end();
    expect(outcome.signal, `${step.step}: ${outcome.stdout}${outcome.stderr}`).toBe("SIGKILL");
    return outcome;
  }
}

async function moveKilled(direction: Direction, turn: number, load: Load): Promise<void> {
  const { from, to } = direction;
  const note = async (step: string): Promise<void> => {
    const { longest, refused } = await load.more(20);
    process.stdout.write(`| ${from} to ${to} | ${step} | ${Math.round(longest)} | ${refused} |\n`);
  };
  await note("before");
  for (const step of BEFORE_FLIP.filter((one, n) => direction.has(one) && (n + turn + (turn >> 1)) % SHARE === 0)) {
    await direction.killAt(step);
    expect(await homeOf(), step.step).toMatch(new RegExp(`on ${from}$`));
    await note(step.step);
  }
  const after = AFTER_FLIP.filter((one) => direction.has(one));
  const last = turn % 2 === (turn >> 1) % 2 ? undefined : after[turn % after.length]!;
  if (last) {
    await direction.killAt(last);
    await note(last.step);
    expect(await homeOf(), last.step).toBe(`purging on ${to}`);
    // By itself: nobody runs the command again.
    await until(
      async () => !(await traces()).length,
      () => "the copying had ended",
    );
    await direction.run();
  } else {
    expect(await direction.run()).toMatch(/waited for \d+ ms\n\d+ tables with \d+ rows are the same on both servers/);
    await note("none");
  }
  expect(Object.keys(await rowsOn(from)).length, "rows stay until the purge").toBeGreaterThan(10);
  await direction.killAt(PURGE, "--purge-now");
  await direction.run("--purge-now");
  expect([await homeOf(), await traces(), await rowsOn(from)]).toEqual([`open on ${to}`, [], {}]);
  await note("the purge");
}

test(
  "a move that is killed at each step goes on: no write is lost or there twice, webhooks come once, and the old server is empty",
  { timeout: MOVES * 300_000 },
  async () => {
    const conversations: string[] = [];
    for (let n = 0; n < WRITERS; n++) conversations.push((await start(key, tenant.defaults.workspaceId)).id);
    const load = new Load(conversations);
    let home: Place = "control";
    try {
      for (let turn = 0; turn < MOVES; turn++) {
        const to: Place = home === "control" ? "second" : "control";
        await moveKilled(new Direction(home, to), turn, load);
        home = to;
      }
    } finally {
      await load.stop();
      process.stdout.write(`${load.acknowledged.size} messages\n`);
    }
    expect(load.failed).toEqual([]);
    const said = await servers[home].query<{ id: string; body: string }>(
      "select id, body from message where body like '% says %'",
    );
    expect(said.map(({ id, body }) => `${id} ${body}`).sort()).toEqual(
      [...load.acknowledged].map(([body, id]) => `${id} ${body}`).sort(),
    );
    const told = (): string[] => receiver.arrived.map(({ payload }) => payload.data.messageId as string);
    // Moves hold them up, so there may be thousands of them. As long as they come, they may take their time.
    for (let count = 0; count < said.length; count = new Set(told()).size)
      await until(
        () => new Set(told()).size > count,
        () => `a webhook came for each message: ${count} of ${said.length}`,
      );
    expect(told().sort()).toEqual(said.map(({ id }) => id).sort());
  },
);
