import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { CONTROL } from "../../src/platform/config/values.js";
import { Changes, type Signal } from "../../src/platform/database/changes.js";
import { Homes } from "../../src/platform/database/homes.js";
import { controlOf, type TestApp } from "../support/app.js";
import { startTwo, type TwoNodes, undisturbed, until } from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let here: Changes;
let there: Changes;
let heardHere: Signal[] = [];
let heardThere: Signal[] = [];
beforeAll(async () => {
  nodes = await startTwo();
  here = changesOf(nodes.a);
  there = changesOf(nodes.b);
  here.onSignal((signal) => heardHere.push(signal));
  there.onSignal((signal) => heardThere.push(signal));
});
beforeEach(async () => {
  await quiet();
  [heardHere, heardThere] = [[], []];
});
afterAll(() => nodes.close());

const changesOf = (node: TestApp): Changes => node.app.get(Changes);
/** No organisation has this id, so it is looked for on control. */
const TENANT = "11111111-1111-4111-8111-111111111111";
const WORKSPACE = "22222222-2222-4222-8222-222222222222";
const signal = (n: number): Signal => ({
  tenantId: TENANT,
  workspaceId: WORKSPACE,
  type: "test",
  data: { n, text: "a line\nand another, ü" },
});
/** Asks where the tenant lives first: until then, a process has no version of it. */
async function versionOf(node: TestApp, workspaceId: string | null = null): Promise<string | null> {
  await node.app.get(Homes).of(TENANT);
  return changesOf(node).version(TENANT, workspaceId);
}
const isOf = (type: string) => (one: Signal) => one.type === type;
let markers = 0;

/** Until each process has heard a last signal of the other: nothing that was sent earlier comes after it. */
async function quiet(): Promise<void> {
  for (const [from, heard] of [
    [here, () => heardThere],
    [there, () => heardHere],
  ] as const) {
    const type = `marker ${++markers}`;
    await until(async () => {
      // It can get lost as any other.
      from.signal({ ...signal(0), type });
      return heard().some(isOf(type));
    }, "the other process heard the marker");
  }
}
/** What was heard, without the markers. */
const real = (heard: readonly Signal[]): Signal[] => heard.filter(isOf("test"));

test("a signal reaches this process at once and the other one soon, once and unchanged", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    await quiet();
    [heardHere, heardThere] = [[], []];
    here.signal(signal(1));
    expect(real(heardHere)).toEqual([signal(1)]);
    await quiet();
    there.signal(signal(2));
    expect(real(heardThere)).toEqual([signal(1), signal(2)]);
    await quiet();
    expect([heardHere, heardThere].map(real)).toEqual([
      [signal(1), signal(2)],
      [signal(1), signal(2)],
    ]);
  });
});

test("a signal changes no version", async () => {
  const versions = () =>
    Promise.all([nodes.a, nodes.b].flatMap((node) => [versionOf(node), versionOf(node, WORKSPACE)]));
  await undisturbed([nodes.a, nodes.b], async () => {
    const before = await versions();
    expect(before).not.toContain(null);
    here.signal(signal(1));
    await quiet();
    expect(real(heardThere)).toContainEqual(signal(1));
    expect(await versions()).toEqual(before);
  });
});

test("the listening connection runs one query at a time, also when it watches and tells at once", async () => {
  const { query } = pg.Client.prototype;
  const counts = new Map<pg.Client, number>();
  let most = 0;
  const asked = { notifications: 0, watches: 0 };
  const counted = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
    const answer = (query as (...all: unknown[]) => unknown).apply(this, args) as Promise<unknown>;
    if (!/pg_notify|pg_stat_activity/.test(String(args[0]))) return answer;
    const count = (counts.get(this) ?? 0) + 1;
    counts.set(this, count);
    if (/pg_notify/.test(String(args[0]))) asked.notifications++;
    else asked.watches++;
    most = Math.max(most, count);
    void answer.finally(() => counts.set(this, counts.get(this)! - 1)).catch(() => undefined);
    return answer;
  });
  const wanted = { notifications: 50, watches: 3 };
  await until(async () => {
    here.signal(signal(1));
    return asked.notifications >= wanted.notifications && asked.watches >= wanted.watches;
  }, "it has told and watched often");
  counted.mockRestore();
  expect(most).toBe(1);
});

test("hundreds of signals and changes share notifications, and arrive in order", async () => {
  const SIGNALS = 500;
  const listener = await connect(controlOf(nodes.a.db).url);
  const notifications: string[] = [];
  listener.on("notification", ({ payload = "" }) => notifications.push(payload));
  await listener.query("listen parley_changes");
  try {
    await undisturbed([nodes.a, nodes.b], async () => {
      await quiet();
      heardThere = [];
      notifications.length = 0;
      const before = await versionOf(nodes.b);
      for (let n = 0; n < SIGNALS; n++) {
        here.signal(signal(n));
        if (n % 5 === 0) here.committed(CONTROL, TENANT, `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`);
      }
      await quiet();
      expect(real(heardThere).map(({ data }) => (data as { n: number }).n)).toEqual(
        Array.from({ length: SIGNALS }, (_, n) => n),
      );
      expect(await versionOf(nodes.b)).not.toBe(before);
      const sent = notifications.filter((payload) => payload.includes('"type":"test"'));
      expect(Math.max(...sent.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
      // As many as the bytes need, of at most 7,500 each. The first ones leave before there are others to share with.
      const bytes = sent.reduce((sum, payload) => sum + Buffer.byteLength(payload), 0);
      expect(sent.length).toBeLessThanOrEqual(Math.ceil(bytes / 7_000) + 3);
    });
  } finally {
    await listener.end();
  }
});

test("a signal that no notification can carry is refused, and the next one arrives", async () => {
  expect(() => here.signal({ ...signal(1), data: { text: "ü".repeat(4_000) } })).toThrow("too long");
  await undisturbed([nodes.a, nodes.b], async () => {
    heardThere = [];
    here.signal(signal(2));
    await quiet();
    expect(real(heardThere)).toEqual([signal(2)]);
  });
});

test("while the connection is away, signals are dropped and changes are not", async () => {
  await controlOf(nodes.a.db).query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley changes'",
  );
  await until(async () => (await versionOf(nodes.a)) === null, "the connection is away");
  here.signal(signal(1));
  here.committed(CONTROL, TENANT, WORKSPACE);
  await until(
    async () => (await versionOf(nodes.a)) !== null && (await versionOf(nodes.b)) !== null,
    "both nodes listen again",
  );
  await until(async () => {
    here.signal(signal(2));
    return real(heardThere).length;
  }, "signals pass again");
  expect(heardThere).toContainEqual(signal(2));
  expect(heardThere).not.toContainEqual(signal(1));
});

test("a notification that is not ours ends no process", async () => {
  await controlOf(nodes.a.db).query(`select pg_notify('parley_changes', E'someone\\n{"type')`);
  await undisturbed([nodes.a, nodes.b], async () => {
    here.signal(signal(1));
    await quiet();
    expect(real(heardThere)).toContainEqual(signal(1));
  });
});
