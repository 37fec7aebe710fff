import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ClockWatch } from "../../../src/platform/jobs/clock-watch.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { WebhookDispatcher } from "../../../src/webhooks/dispatcher.job.js";
import type { TestApp } from "../../support/app.js";
import { connect } from "../../support/database.js";
import { wasAheadFor } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { dispatch, type Preview, type Receiver, startReceiver, startWith, withPreview } from "./support.js";

// The clock of PostgreSQL was an hour ahead, and is right again: what was written meanwhile is due in an hour.

let receiver: Receiver;
let app: TestApp;
let preview: Preview;
beforeAll(async () => {
  receiver = await startReceiver();
  app = await startWith(receiver);
});
beforeEach(async () => {
  receiver.arrived.length = 0;
  preview = await withPreview(app);
  await preview.owner.post("/api/webhook-endpoints", { url: receiver.url("/all"), events: ["message.received"] }, 201);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
const write = (): Promise<unknown> => {
  const { workspaceId } = preview.tenant.defaults;
  const contact = { name: "Ada", emails: ["ada@example.com"] };
  return preview.tenant.live.post("/api/conversations", { workspaceId, contact, message: { body: "Hello" } }, 201);
};
const deliveries = (): Promise<unknown[]> => app.db.query("select from webhook_delivery");

test("messages leave that were queued meanwhile; one that is under way, or held, keeps the rest of its time", async () => {
  for (let n = 0; n < 3; n++) await write();
  await dispatch(app);
  await app.db.query("update outbox_queue set due_at = now() + interval '1 hour'");
  const queued = "select id, due_at > now() as waits from outbox_queue where kind = 'webhook' order by id";
  const [held, underWay] = await app.db.query<{ id: string }>(queued);
  const later = "update outbox_queue set due_at = due_at + interval '50 seconds', held = id = $1 where id in ($1, $2)";
  await app.db.query(later, [held!.id, underWay!.id]);
  await wasAheadFor(app, "1 hour");
  await app.app.get(ClockWatch).tick();
  // A second process looks.
  await app.app.get(ClockWatch).tick();
  await app.app.get(OutboxWorker).tick();
  expect(receiver.arrived).toHaveLength(1);
  expect(await app.db.query(queued)).toEqual([held, underWay].map((one) => ({ id: one!.id, waits: true })));
  await app.db.query("delete from outbox_message where kind = 'webhook'");
});

// An event has the time that the clock of PostgreSQL had when it was written, and the clock may have gone back since the endpoint was made.
test("an endpoint gets what happens after it was made or became active again, whatever the clock said", async () => {
  await dispatch(app);
  const before = (await deliveries()).length;
  const hourEarlier = (): Promise<unknown> =>
    app.db.query("update resource_change set at = at - interval '1 hour' where resource_type = 'message'");
  await write();
  await hourEarlier();
  await dispatch(app);
  expect(await deliveries()).toHaveLength(before + 1);
  const { id } = (await preview.owner.get("/api/webhook-endpoints", 200)).body[0]!;
  for (const status of ["disabled", "active"] as const)
    await preview.owner.patch(`/api/webhook-endpoints/${id}`, { status }, 200);
  await write();
  await hourEarlier();
  await dispatch(app);
  expect(await deliveries()).toHaveLength(before + 2);
});

test("an endpoint gets what is committed after it was made, also if it was written before, and nothing else", async () => {
  await dispatch(app);
  const before = (await deliveries()).length;
  await write();
  const [{ id }] = (await app.db.query<{ id: string }>(
    "select id from conversation order by created_at desc limit 1",
  )) as [{ id: string }];
  const writer = await connect(app.db.url);
  try {
    await writer.query("begin");
    await writer.query(
      `insert into message select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'sequence', m.sequence + 1))).*
      from message m where m.conversation_id = $1`,
      [id],
    );
    await preview.owner.post(
      "/api/webhook-endpoints",
      { url: receiver.url("/late"), events: ["message.received"] },
      201,
    );
    await writer.query("commit");
  } finally {
    await writer.end();
  }
  await dispatch(app);
  // Both messages for the endpoint that was there, and the second one for the new one.
  expect(await deliveries()).toHaveLength(before + 3);
});

// Last: from here on, this process follows the feed at each change.
test("a side that was claimed is read at the next change", async () => {
  await dispatch(app);
  const before = (await deliveries()).length;
  await app.app.get(WebhookDispatcher).poll();
  await app.db.query("update webhook_due set due_at = now() + interval '1 hour', claimed = true");
  await write();
  // A transaction of another file may hold the change back. Polling finds it then, and would not find the side without the change.
  await eventually(async () => {
    await app.app.get(WebhookDispatcher).poll();
    expect(await deliveries()).toHaveLength(before + 1);
  });
});
