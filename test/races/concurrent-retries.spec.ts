import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestApp, TestTenant } from "../support/app.js";
import type { Answer } from "../support/client.js";
import { concurrently, on, startTwo, tally, type TwoNodes, until } from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let gate: pg.Client;
beforeAll(async () => {
  nodes = await startTwo();
  gate = await connect(nodes.a.db.url);
  // A message that begins with "hold" is not inserted while `gate` is locked. A row lock would not do: waiting for
  // one ends an attempt after 10 s, and one test needs the attempt to continue.
  await nodes.a.db.query(`create function hold() returns trigger language plpgsql as $$ begin
    perform set_config('application_name', new.body, true);
    while not pg_try_advisory_xact_lock_shared(hashtext(new.body)) loop perform pg_sleep(0.02); end loop;
    return new;
  end $$`);
  await nodes.a.db.query(
    `create trigger hold before insert on message for each row when (new.body like 'hold%') execute function hold()`,
  );
});
afterAll(async () => {
  await gate.end();
  await nodes.close();
});

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });
const replayed = ({ headers }: Answer): string | null => headers.get("Idempotency-Replayed");
const rows = async (table: string, { tenantId }: TestTenant): Promise<number> =>
  (
    await nodes.a.db.query<{ count: number }>(`select count(*)::int as count from ${table} where tenant_id = $1`, [
      tenantId,
    ])
  )[0]!.count;

// One after the other: a repeat waits for ten seconds, and many others at the same time could take as long.
describe("concurrent requests with the same Idempotency-Key", () => {
  test.each([
    ["on one node", 1],
    ["over two nodes", 2],
  ])("sent forty times have one effect and one response, byte for byte, %s", async (_, howMany) => {
    const tenant = await nodes.a.tenant();
    const clients = [tenant.live, on(nodes.b, tenant.live)].slice(0, howMany);
    const body = { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" }, message: { body: "Hello" } };
    const answers = await concurrently(40, (n) =>
      clients[n % howMany]!.post("/api/conversations", body, undefined, withKey("one")),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 40 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(tally(answers.map(replayed))).toEqual({ null: 1, true: 39 });
    for (const table of ["conversation", "message", "contact"])
      expect([table, await rows(table, tenant)]).toEqual([table, 1]);
  });

  test("return 409 for all but one if the response contains a secret, and create one key", async () => {
    const tenant = await nodes.a.tenant();
    const owner = await tenant.owner();
    const clients = [owner, on(nodes.b, owner)];
    const before = await rows("api_key", tenant);
    const answers = await concurrently(12, (n) =>
      clients[n % 2]!.post("/api/api-keys", { name: "k", scopes: ["kb:read"] }, undefined, withKey("secret")),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 11 });
    expect(await rows("api_key", tenant)).toBe(before + 1);
  });

  /** A message whose first attempt is kept in progress. */
  async function underWay() {
    const tenant = await nodes.a.tenant();
    const {
      body: { id },
    } = await tenant.live.post("/api/conversations", { workspaceId: tenant.defaults.workspaceId, contact: {} }, 201);
    const path = `/api/conversations/${id}/messages` as const;
    const hold = `hold ${randomUUID()}`;
    await gate.query("select pg_advisory_lock(hashtext($1))", [hold]);
    const send = (node: TestApp, body = hold) => on(node, tenant.live).post(path, { body }, undefined, withKey("one"));
    const held = "select pid from pg_stat_activity where application_name = $1";
    const first = send(nodes.a);
    await until(() => nodes.a.db.query(held, [hold]), "the first attempt is under way");
    return {
      first,
      send,
      open: () => gate.query("select pg_advisory_unlock(hashtext($1))", [hold]),
      crash: () => nodes.a.db.query(`select pg_terminate_backend(pid) from (${held}) as h`, [hold]),
      repeatWaits: () =>
        until(
          () => nodes.a.db.query(`select from pg_stat_activity where pg_blocking_pids(pid) && array(${held})`, [hold]),
          "a repeat on the other node waits",
        ),
      messages: async (): Promise<unknown[]> => (await tenant.live.get(path, 200)).body.data,
    };
  }

  test("wait for the first attempt, on its node and on another, and get its response; another body returns 422", async () => {
    const { first, send, open, repeatWaits, messages } = await underWay();
    const repeats = [send(nodes.a), send(nodes.a), send(nodes.b), send(nodes.b)];
    const others = [send(nodes.a, "other"), send(nodes.b, "other")];
    await repeatWaits();
    await open();
    const { status, text } = await first;
    expect(status).toBe(201);
    for (const repeat of await Promise.all(repeats))
      expect([repeat.status, repeat.text, replayed(repeat)]).toEqual([201, text, "true"]);
    expect((await Promise.all(others)).map((other) => other.status)).toEqual([422, 422]);
    expect(await messages()).toHaveLength(1);
  });

  test("run the request again if the first attempt fails", async () => {
    const { first, send, open, crash, repeatWaits, messages } = await underWay();
    const second = send(nodes.b);
    await repeatWaits();
    await crash();
    expect((await first).status).toBe(503);
    await open();
    const repeat = await second;
    expect([repeat.status, replayed(repeat)]).toEqual([201, null]);
    expect((await send(nodes.a)).text).toBe(repeat.text);
    expect(await messages()).toHaveLength(1);
  });

  test("return 409 if the first attempt still runs after 10 seconds, on its node and on another, and the first attempt succeeds", async () => {
    const { first, send, open, messages } = await underWay();
    const began = performance.now();
    const repeats = await Promise.all([send(nodes.a), send(nodes.b)]);
    expect(performance.now() - began).toBeGreaterThan(9_900);
    for (const { status, body } of repeats)
      expect([status, body.error]).toEqual([409, expect.stringMatching(/still running/)]);
    await open();
    const { status, text } = await first;
    expect(status).toBe(201);
    expect((await send(nodes.b)).text).toBe(text);
    expect(await messages()).toHaveLength(1);
  });
});
