import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { run } from "../support/sql.js";
import { on } from "./support.js";

/** Of these two, requests to the second one wait longer. */
const WAIT_SECONDS = [1, 6] as const;
const POOL_SIZE = 2;

let nodes: [TestApp, TestApp];
let tenant: TestTenant;
beforeAll(async () => {
  const node = (n: 0 | 1, db?: TestApp["db"]): Promise<TestApp> =>
    startApp({ DATABASE_POOL_SIZE: POOL_SIZE, DATABASE_WAIT_SECONDS: WAIT_SECONDS[n] }, db);
  const first = await node(0);
  nodes = [first, await node(1, first.db)];
  tenant = await first.tenant();
});
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close();
});

/** Takes all connections of the node's pool. @returns gives them back */
async function takeAll(node: TestApp): Promise<() => Promise<void>> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let taken = 0;
  const all: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    for (let n = 0; n < POOL_SIZE; n++)
      all.push(
        node.transaction(tenant.tenantId, async (tx) => {
          await run(tx, "select 1");
          if (++taken === POOL_SIZE) resolve();
          await released;
        }),
      );
  });
  return async () => {
    release();
    await Promise.all(all);
  };
}

test("a request waits DATABASE_WAIT_SECONDS for a connection, a read as well as a write: then it is refused with 503, and one whose turn comes earlier is carried out", async () => {
  // From now on the caller is known, so that a read waits for itself alone.
  for (const node of nodes) await on(node, tenant.live).get("/api/contacts", 200);
  const release = await Promise.all(nodes.map(takeAll));
  const refused: string[] = [];
  const ask = (n: 0 | 1, kind: "read" | "write"): Promise<void> => {
    const client = on(nodes[n], tenant.live);
    return (kind === "read" ? client.get("/api/contacts?limit=3") : client.post("/api/contacts", { name: kind })).then(
      ({ status, headers }) => {
        refused.push(`${status} ${headers.get("retry-after")} after ${WAIT_SECONDS[n]} s`);
      },
    );
  };
  // Those who wait longer ask first. Timers run in the order in which they are due, on a busy machine too.
  await Promise.all([ask(1, "read"), ask(1, "write"), ask(0, "read"), ask(0, "write")]);
  const of = (n: 0 | 1): string => `503 1 after ${WAIT_SECONDS[n]} s`;
  expect(refused).toEqual([of(0), of(0), of(1), of(1)]);

  const patient = [
    on(nodes[1], tenant.live).get("/api/contacts?limit=4"),
    on(nodes[1], tenant.live).post("/api/contacts", { name: "Ada" }),
  ];
  for (const free of release) await free();
  expect((await Promise.all(patient)).map(({ status }) => status)).toEqual([200, 201]);
});
