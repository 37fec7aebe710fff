import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OutboxWorker } from "../../src/platform/outbox/outbox.worker.js";
import { startApp, type TestApp } from "../support/app.js";
import type { Client } from "../support/client.js";
import { withPreview } from "../server/webhooks/support.js";
import { until } from "./support.js";

const LIMIT = 5;

let app: TestApp;
let server: http.Server;
/** Requests that have not been answered, by path, and the most that there were at once. */
const open = new Map<string, http.ServerResponse[]>();
const most = new Map<string, number>();
const taken = (path: string): number => open.get(path)?.length ?? 0;
beforeAll(async () => {
  server = http.createServer(({ url = "" }, response) => {
    open.set(url, [...(open.get(url) ?? []), response]);
    most.set(url, Math.max(most.get(url) ?? 0, taken(url)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${(server.address() as AddressInfo).port}`] });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
});

async function endpoint(owner: Client, path: string): Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return (await owner.post("/api/webhook-endpoints", { url, events: ["message.received"] }, 201)).body.id;
}
/** Answers the request that has waited longest. */
function answer(path: string): boolean {
  const [first, ...others] = open.get(path) ?? [];
  first?.writeHead(204).end();
  open.set(path, others);
  return first !== undefined;
}

test("a receiver has at most five deliveries on their way, however many are on their way when more become due, and another one need not wait", async () => {
  const { owner } = await withPreview(app);
  const worker = app.app.get(OutboxWorker);
  const [slow, quick] = [await endpoint(owner, "/slow"), await endpoint(owner, "/quick")];
  const send = async (id: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await owner.post(`/api/webhook-endpoints/${id}/test`, undefined, 201);
  };

  for (const before of [4, 1]) {
    // So many are on their way when three times the limit become due.
    await send(slow, before);
    const first = worker.tick();
    await until(() => Promise.resolve(taken("/slow") === before), `${before} are on their way`);
    await send(slow, 3 * LIMIT);
    await send(quick, 2);
    const ticks = [first, worker.tick(), worker.tick(), worker.tick()];
    await until(() => Promise.resolve(taken("/slow") >= LIMIT && taken("/quick") === 2), "both have their share");
    while (answer("/quick"));
    // The worker looks again beside those that wait, and finds one for the other receiver alone.
    await send(quick, 1);
    ticks.push(worker.tick());
    await until(() => Promise.resolve(taken("/quick") === 1), "the worker has looked again");
    expect([taken("/slow"), most.get("/slow")]).toEqual([LIMIT, LIMIT]);

    answer("/quick");
    for (let left = before + 3 * LIMIT; left > 0;) {
      if (answer("/slow")) left--;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(ticks);
  }
  expect(Object.fromEntries(most)).toEqual({ "/slow": LIMIT, "/quick": 2 });
  expect(await app.db.query("select 1 from outbox_queue where kind = 'webhook'")).toEqual([]);
});

test("a backlog of one receiver leaves the deliveries to others their turn", async () => {
  const { owner } = await withPreview(app);
  const worker = app.app.get(OutboxWorker);
  const [backlog, behind] = [await endpoint(owner, "/backlog"), await endpoint(owner, "/behind")];
  // More than a claim looks at before it visits the receivers one by one.
  for (let n = 0; n < 120; n++) await owner.post(`/api/webhook-endpoints/${backlog}/test`, undefined, 201);
  await owner.post(`/api/webhook-endpoints/${behind}/test`, undefined, 201);
  const tick = worker.tick();
  await until(() => Promise.resolve(taken("/backlog") === LIMIT && taken("/behind") === 1), "both have their turn");
  while (most.get("/backlog")! <= LIMIT && (await app.db.query("select 1 from outbox_queue limit 1")).length) {
    answer("/backlog");
    answer("/behind");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await tick;
  expect(most.get("/backlog")).toBe(LIMIT);
});
