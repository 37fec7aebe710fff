import { Client as PgClient } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { start } from "../e2e/support.js";
import type { TestApp } from "../../support/app.js";
import { runs } from "../../support/seed.js";
import { attempt, dispatch, type Preview, type Receiver, startReceiver, startWith, withPreview } from "./support.js";

vi.setConfig({ testTimeout: 120_000 });

// An endpoint with as many deliveries as a month brings.

/** So many deliveries are changed in one transaction. */
const BATCH = 500;

let receiver: Receiver;
let app: TestApp;
let preview: Preview;
beforeAll(async () => {
  receiver = await startReceiver();
  app = await startWith(receiver);
  // Writes down how many deliveries each statement deletes, and in which transaction.
  await app.db.query("create table deleted_at_once (transaction_id xid8, count int)");
  await app.db.query(`
    create function note_deleted() returns trigger language plpgsql security definer as $$
    begin
      insert into deleted_at_once select pg_current_xact_id(), count(*) from gone;
      return null;
    end $$`);
  await app.db.query(`
    create trigger note_deleted after delete on webhook_delivery referencing old table as gone
    for each statement execute function note_deleted()`);
});
beforeEach(async () => {
  preview = await withPreview(app);
  await app.db.query("truncate deleted_at_once");
});
afterEach(() => {
  receiver.arrived.length = 0;
  vi.restoreAllMocks();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const endpoint = async (path: string): Promise<string> =>
  (await preview.owner.post("/api/webhook-endpoints", { url: receiver.url(path), events: ["message.received"] }, 201))
    .body.id;
/** Deliveries of earlier days, each with its entry of the outbox, as if all attempts had failed. */
const failed = (endpointId: string, count: number): Promise<unknown> =>
  app.db.query(
    `with made as (
      insert into webhook_delivery (tenant_id, id, endpoint_id, event_id, type, body, status, outbox_id, created_at)
      select e.tenant_id, gen_random_uuid(), e.id, gen_random_uuid(), 'message.received',
        json_build_object('type', 'message.received', 'n', n)::text, 'failed', gen_random_uuid(), now() - n * interval '1 minute'
      from webhook_endpoint e, generate_series(1, $2) n where e.id = $1
      returning tenant_id, outbox_id
    )
    insert into outbox_message (tenant_id, id, kind, channel, status, sealed)
    select m.tenant_id, m.outbox_id, 'webhook', 'webhook', 'dead', '' from made m`,
    [endpointId, count],
  );
/** Deliveries of an endpoint, and their entries in the outbox. */
const left = async (endpointId: string): Promise<{ deliveries: number; entries: number }> =>
  (
    await app.db.query<{ deliveries: number; entries: number }>(
      `select count(*)::int as deliveries, count(m.id)::int as entries
      from webhook_delivery d left join outbox_message m on m.tenant_id = d.tenant_id and m.id = d.outbox_id
      where d.endpoint_id = $1`,
      [endpointId],
    )
  )[0]!;

describe("a redelivery of all that failed", () => {
  test("queues 500 with a few statements, and the next request the rest, the oldest first", async () => {
    const id = await endpoint("/many");
    await failed(id, BATCH + 20);
    const statements: string[] = [];
    const query = PgClient.prototype.query;
    vi.spyOn(PgClient.prototype, "query").mockImplementation(function (this: PgClient, ...args: unknown[]) {
      const text = typeof args[0] === "string" ? args[0] : (args[0] as { text?: string }).text!;
      if (/webhook_|outbox_/.test(text)) statements.push(text);
      return Reflect.apply(query, this, args) as never;
    });
    const redeliver = async (): Promise<number> =>
      (
        await preview.owner.post(
          `/api/webhook-endpoints/${id}/redeliver`,
          { since: new Date(Date.now() - 86_400_000).toISOString() },
          200,
        )
      ).body.redelivered;

    expect(await redeliver()).toBe(BATCH);
    // The endpoint, the deliveries, the entries of the outbox.
    expect(statements).toHaveLength(3);
    vi.restoreAllMocks();
    const waiting = await app.db.query<{ n: number }>(
      `select (d.body::json ->> 'n')::int as n from webhook_delivery d
      join outbox_queue q on q.tenant_id = d.tenant_id and q.id = d.outbox_id
      where d.endpoint_id = $1 and d.status = 'queued' order by 1`,
      [id],
    );
    expect(waiting.map(({ n }) => n)).toEqual(Array.from({ length: BATCH }, (_, n) => n + 21));
    expect([await redeliver(), await redeliver()]).toEqual([20, 0]);
    const queued = await app.db.query("select 1 from outbox_queue where receiver = $1", [`webhook ${id}`]);
    expect(queued).toHaveLength(BATCH + 20);
    // They leave as others do. The rest of them would take as long as all other tests of this file.
    await app.db.query(
      "delete from outbox_queue where id in (select id from outbox_queue where receiver = $1 order by id offset 20)",
      [`webhook ${id}`],
    );
    await vi.waitFor(
      async () => {
        await attempt(app);
        expect(receiver.on("/many")).toHaveLength(20);
      },
      { timeout: 60_000 },
    );
    const sent = receiver.on("/many").map(({ payload }) => (payload as unknown as { n: number }).n);
    expect(new Set(sent).size).toBe(20);
  });

  test("that is asked for twice at once queues each delivery once", async () => {
    const id = await endpoint("/twice");
    await failed(id, 300);
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const answers = await Promise.all(
      [0, 1, 2].map(() => preview.owner.post(`/api/webhook-endpoints/${id}/redeliver`, { since }, 200)),
    );
    expect(answers.reduce((sum, { body }) => sum + body.redelivered, 0)).toBe(300);
    const queued = await app.db.query("select 1 from outbox_queue where receiver = $1", [`webhook ${id}`]);
    expect(queued).toHaveLength(300);
  });
});

describe("an endpoint that is deleted", () => {
  test("is gone at once; its deliveries follow in small transactions, and those of another one stay", async () => {
    const [id, other] = [await endpoint("/gone"), await endpoint("/stays")];
    await failed(id, 2 * BATCH + 200);
    await failed(other, 30);
    await preview.owner.delete(`/api/webhook-endpoints/${id}`, 200);
    await preview.owner.get(`/api/webhook-endpoints/${id}`, 404);
    await preview.owner.get(`/api/webhook-endpoints/${id}/deliveries`, 404);
    await app.app.get(Afterwards).finished();
    const deleted = await app.db.query<{ count: number }>(
      "select sum(count)::int as count from deleted_at_once group by transaction_id order by 1 desc",
    );
    expect(deleted.map(({ count }) => count).filter((count) => count > 0)).toEqual([BATCH, BATCH, 200]);
    expect([await left(id), await left(other)]).toEqual([
      { deliveries: 0, entries: 0 },
      { deliveries: 30, entries: 30 },
    ]);
    const entries = await app.db.query("select 1 from outbox_message where tenant_id = $1", [preview.tenant.tenantId]);
    expect(entries).toHaveLength(30);
  });

  test("leaves nothing behind if its process is killed: the daily task deletes the rest", async () => {
    const [id, other] = [await endpoint("/killed"), await endpoint("/lives")];
    await failed(id, BATCH + 100);
    await failed(other, 30);
    // What the request does, without what follows it.
    await app.db.query("delete from webhook_endpoint where id = $1", [id]);
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ webhookDeliveries: BATCH + 100 });
    expect([await left(id), await left(other)]).toEqual([
      { deliveries: 0, entries: 0 },
      { deliveries: 30, entries: 30 },
    ]);
  });

  test("while events become deliveries to it leaves none of them", async () => {
    const { tenant, owner } = preview;
    for (let n = 0; n < runs(3, 8); n++) {
      const id = await endpoint(`/racing-${n}`);
      for (let m = 0; m < 3; m++) await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello" } });
      await Promise.all([
        dispatch(app),
        new Promise((resolve) => setTimeout(resolve, n * 4)).then(() =>
          owner.delete(`/api/webhook-endpoints/${id}`, 200),
        ),
      ]);
      await dispatch(app);
      await app.app.get(Afterwards).finished();
      expect(await left(id)).toEqual({ deliveries: 0, entries: 0 });
      expect(await app.db.query("select 1 from outbox_queue where receiver = $1", [`webhook ${id}`])).toEqual([]);
    }
  });
});
