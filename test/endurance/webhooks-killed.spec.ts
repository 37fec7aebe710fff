import type { AddressInfo } from "node:net";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApp } from "../../src/app.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import type { TestApp } from "../support/app.js";
import { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { type Receiver, startReceiver, startWith, withPreview } from "../server/webhooks/support.js";
import { type Process, startProcess } from "../races/processes.js";
import { until } from "../races/support.js";

allowTimeForProcesses();

// Two processes that run jobs: this one, and one that is killed, in a hunt again and again. Leases are taken away from both meanwhile.

const MESSAGES = runs(60, 240);
const KILLS = runs(1, 2);
let receiver: Receiver;
let app: TestApp;
/** Runs jobs, unlike `app`. */
let survivor: NestFastifyApplication;
let mortal: Process;
const startMortal = (): Promise<Process> => startProcess(app.db, { OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` });
beforeAll(async () => {
  receiver = await startReceiver();
  app = await startWith(receiver);
  survivor = await createApp(app.config, app.db.url);
  await survivor.listen(0, "127.0.0.1");
  mortal = await startMortal();
});
afterAll(async () => {
  await mortal?.kill();
  await survivor?.close();
  await app.close();
  await receiver.close();
});
const survivorUrl = (): string => `http://127.0.0.1:${(survivor.getHttpServer().address() as AddressInfo).port}`;

test("each committed message becomes one delivery to each endpoint, whatever processes do at once and whichever of them is killed", async () => {
  const { tenant, owner } = await withPreview(app);
  for (const name of ["one", "two"])
    await owner.post("/api/webhook-endpoints", { url: receiver.url(`/${name}`), events: ["message.received"] }, 201);
  const { id } = (
    await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
      201,
    )
  ).body;

  let writing = true;
  const token = tenant.live.token!;
  const write = Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let n = lane; n < MESSAGES; n += 4)
        // A request to a process that is being killed may or may not have been carried out.
        await new Client(n % 2 ? mortal.baseUrl : survivorUrl(), token)
          .post(`/api/conversations/${id}/messages`, { body: `Message ${n}` })
          .catch(() => undefined);
    }),
  ).then(() => {
    writing = false;
  });
  // Both processes believe that they may read.
  const steal = (): Promise<unknown> => app.db.query("update webhook_due set due_at = now(), claimed = false");
  const stealing = (async () => {
    while (writing) {
      await steal();
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  const written = async (): Promise<number> =>
    (await app.db.query("select 1 from message where conversation_id = $1 and direction = 'inbound'", [id])).length;
  for (let kills = 0; kills < KILLS && writing; kills++) {
    if (kills > 0) mortal = await startMortal();
    const before = await written();
    await until(async () => !writing || (await written()) >= before + MESSAGES / 12, "messages come in between");
    await mortal.kill();
  }
  await Promise.all([write, stealing]);

  const messages = (
    await app.db.query<{ id: string }>("select id from message where conversation_id = $1 and direction = 'inbound'", [
      id,
    ])
  ).map((row) => row.id);
  expect(messages.length).toBeGreaterThan(MESSAGES / 3);
  const delivered = () =>
    app.db.query<{ endpoint: string; message: string }>(
      "select endpoint_id as endpoint, body::jsonb -> 'data' ->> 'messageId' as message from webhook_delivery",
    );
  await vi.waitFor(
    async () => {
      await steal();
      expect((await delivered()).length).toBeGreaterThanOrEqual(2 * messages.length);
    },
    { timeout: 100_000, interval: 200 },
  );
  const isOneEach = async (expected: string[]): Promise<void> => {
    const rows = await delivered();
    for (const endpoint of new Set(rows.map((row) => row.endpoint)))
      expect(rows.flatMap((row) => (row.endpoint === endpoint ? [row.message] : [])).sort()).toEqual(expected);
    expect(rows).toHaveLength(2 * expected.length);
  };
  await isOneEach(messages.toSorted());

  // Each delivery arrives. One that was under way when its process was killed may arrive twice, with the same key.
  await vi.waitFor(
    async () => {
      await app.db.query("update outbox_queue set due_at = now() where kind = 'webhook' and due_at > now()");
      expect(new Set(receiver.arrived.map(({ payload }) => payload.idempotencyKey)).size).toBe(2 * messages.length);
    },
    { timeout: 100_000, interval: 500 },
  );
  expect(new Set(receiver.arrived.map(({ payload }) => payload.id)).size).toBe(messages.length);

  // A change wakes whoever reads: it does not wait until the side is due.
  await vi.waitFor(async () => {
    const [{ count }] = (await app.db.query<{ count: number }>(
      "update webhook_due set due_at = now() + interval '1 hour' where not claimed returning 1 as count",
    )) as [{ count: number }];
    expect(count).toBe(1);
  }, 100_000);
  const last = receiver.arrived.length;
  const sent = await new Client(survivorUrl(), token).post(
    `/api/conversations/${id}/messages`,
    { body: "The last one" },
    201,
  );
  const arrived = () => receiver.arrived.slice(last).filter(({ payload }) => payload.data.messageId === sent.body.id);
  await vi.waitFor(() => expect(arrived()).toHaveLength(2), { timeout: 100_000 });
  // Whatever came of an earlier message has come before.
  await isOneEach([...messages, sent.body.id].sort());
});
