import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { ToolOutcome } from "../../../src/assistant/tools/tool-calls.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp } from "../../support/app.js";
import { document, undescribed } from "../../support/contract.js";
import { beginRun, call, openDesk, policy, startToolServer, type ToolServer } from "../assistant/tools-support.js";
import { follow, settled } from "../feed/support.js";
import {
  attempt,
  dispatch,
  EVENTS,
  flush,
  type Preview,
  type Receiver,
  startReceiver,
  startWith,
  withPreview,
} from "./support.js";

let receiver: Receiver;
let app: TestApp;
let preview: Preview;
let tools: ToolServer;
beforeAll(async () => {
  receiver = await startReceiver();
  tools = await startToolServer();
  app = await startWith(receiver, tools.host);
});
beforeEach(async () => {
  preview = await withPreview(app);
});
afterEach(async () => {
  // Whatever a test sends is as openapi.json says.
  expect(receiver.arrived.map(({ headers, payload }) => undescribed(headers, payload)).filter(Boolean)).toEqual([]);
  await app.db.query("delete from webhook_due");
  await app.db.query("delete from webhook_endpoint");
  await app.db.query("delete from webhook_delivery");
  await app.db.query("delete from outbox_message where kind = 'webhook'");
  receiver.arrived.length = 0;
  receiver.answers = {};
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await tools.close();
});

const endpoint = async (path: string, events: readonly string[] = EVENTS) =>
  (await preview.owner.post("/api/webhook-endpoints", { url: receiver.url(path), events }, 201)).body;
/** An epoch of the same server, before the promotion of a standby. */
const promoted = (epoch: string): string => `left(${epoch}, 12) || '0000BEEF'`;
const converse = async (body = "Hello") =>
  (
    await preview.tenant.live.post(
      "/api/conversations",
      {
        workspaceId: preview.tenant.defaults.workspaceId,
        contact: { name: "Gwendolyn Hopper", emails: ["gwendolyn@example.com"] },
        message: { body },
      },
      201,
    )
  ).body;
const deliveries = async (id: string, query = ""): Promise<Schemas["WebhookDelivery"][]> =>
  (
    await preview.owner.get<{ data: Schemas["WebhookDelivery"][] }>(
      `/api/webhook-endpoints/${id}/deliveries${query}`,
      200,
    )
  ).body.data;
const statusOf = async (id: string) => (await preview.owner.get(`/api/webhook-endpoints/${id}`, 200)).body.status;

describe("events", () => {
  test("each is sent once, with ids and states and no text, and with its place in the feed", async () => {
    const { live, defaults } = preview.tenant;
    const desk = await openDesk(app, preview.tenant, preview.owner, tools);
    await policy(desk, "require_approval");
    const run = await beginRun(desk);
    await flush(app);
    const hook = await endpoint("/all");
    const { id: conversationId, workspaceId } = await converse("My secret question");
    await live.post(`/api/conversations/${conversationId}/reply`, { body: "A private answer" }, 200);
    await live.post(`/api/conversations/${conversationId}/notes`, { body: "An internal note" }, 201);
    await live.post(`/api/conversations/${conversationId}/resolve`, {}, 200);
    const entry = { question: "Q?", answer: "A!", status: "pending" };
    const { id: kbEntryId } = (await live.post(`/api/workspaces/${workspaceId}/kb-entries`, entry, 201)).body;
    await live.post(`/api/workspaces/${workspaceId}/kb-entries`, { question: "Other?", answer: "Yes" }, 201);
    const rule = { title: "T", rule: "R", effect: "deny", status: "pending" };
    const { id: policyEntryId } = (await live.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
    const { pendingActionId } = (await call(desk, run)) as Extract<ToolOutcome, { kind: "waits" }>;
    const { argumentsHash } = (await live.get(`/api/pending-actions/${pendingActionId}`, 200)).body;
    await preview.owner.post(`/api/pending-actions/${pendingActionId}/approve`, { argumentsHash }, 200);
    await flush(app);
    expect([...EVENTS, "webhook.test"].sort()).toEqual(Object.keys(document.webhooks).sort());

    const all = receiver.on("/all").map(({ payload }) => payload);
    const of = (type: string) => all.filter((one) => one.type === type);
    expect(Object.fromEntries(EVENTS.map((type) => [type, of(type).length]))).toEqual(
      Object.fromEntries(EVENTS.map((type) => [type, 1])),
    );
    expect(all).toHaveLength(EVENTS.length);
    expect(of("conversation.created")[0]!.data).toMatchObject({ conversationId, workspaceId, status: "open" });
    expect(of("conversation.resolved")[0]!.data).toMatchObject({ conversationId, status: "resolved" });
    expect(of("conversation.status_changed")[0]!.data).toMatchObject({
      conversationId,
      status: "resolved",
      previousStatus: "open",
    });
    expect(of("message.received")[0]!.data).toMatchObject({ conversationId, direction: "inbound", sequence: 1 });
    expect(of("message.sent")[0]!.data).toMatchObject({ conversationId, direction: "outbound", sequence: 2 });
    expect(of("attention_item.created")[0]!.data).toMatchObject({
      conversationId: run.conversationId,
      type: "approval_required",
    });
    const action = { pendingActionId, conversationId: run.conversationId };
    expect(of("pending_action.created")[0]!.data).toMatchObject({ ...action, status: "pending" });
    expect(of("pending_action.status_changed")[0]!.data).toMatchObject({ ...action, status: "approved" });
    expect(of("kb_entry.proposed")[0]!.data).toMatchObject({ kbEntryId, workspaceId, status: "pending" });
    expect(of("policy_entry.proposed")[0]!.data).toMatchObject({ policyEntryId, workspaceId, status: "pending" });
    for (const payload of all) {
      expect(Object.keys(payload)).toEqual(["id", "type", "occurredAt", "idempotencyKey", "data"]);
      expect(JSON.stringify(payload)).not.toMatch(
        /secret|private|internal note|Gwendolyn|example\.com|Q\?|A!|W1234567/,
      );
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(EVENTS.length);
    // The cursor continues the feed behind the change.
    const { changes } = await follow(live, of("message.received")[0]!.data.cursor);
    expect(changes.map(({ type }) => type)).not.toHaveLength(0);
    expect(changes.find(({ resourceId }) => resourceId === of("message.received")[0]!.data.messageId)).toBeUndefined();
    expect(defaults.workspaceId).toBe(workspaceId);
    expect((await deliveries(hook.id)).every(({ status }) => status === "succeeded")).toBe(true);
  });

  test("an endpoint gets the events that it asked for, and only what happened since it was made", async () => {
    await converse();
    const first = await endpoint("/first", ["message.received"]);
    await converse();
    // The event before waits in the feed.
    await endpoint("/second", ["message.received", "conversation.created"]);
    await converse();
    await flush(app);
    expect(receiver.on("/first").map(({ payload }) => payload.type)).toEqual(["message.received", "message.received"]);
    expect(
      receiver
        .on("/second")
        .map(({ payload }) => payload.type)
        .sort(),
    ).toEqual(["conversation.created", "message.received"]);
    // The id is the event's, the idempotency key is the delivery's.
    const [one] = receiver.on("/second").filter(({ payload }) => payload.type === "message.received");
    const same = receiver.on("/first").find(({ payload }) => payload.id === one!.payload.id);
    expect(same!.payload.idempotencyKey).not.toBe(one!.payload.idempotencyKey);
    expect((await deliveries(first.id)).map(({ id }) => id)).toContain(same!.payload.idempotencyKey);
  });

  test("nothing of another tenant, or of the other side, is sent", async () => {
    await endpoint("/mine");
    const mine = preview;
    preview = await withPreview(app);
    await converse();
    await mine.tenant.test.post(
      "/api/conversations",
      { workspaceId: mine.tenant.testDefaults.workspaceId, contact: { name: "T" }, message: { body: "x" } },
      201,
    );
    await flush(app);
    expect(receiver.arrived).toEqual([]);
  });

  test("a status that changes twice in one transaction is told twice, and a change that is rolled back is not told", async () => {
    await endpoint("/steps", ["conversation.status_changed"]);
    const { id } = await converse();
    const set = (status: string) => `update conversation set status = '${status}' where id = '${id}'`;
    await app.db.query(
      `begin; ${set("pending")}; ${set("open")}; update conversation set priority = 'high' where id = '${id}'; commit`,
    );
    await app.db.query(`begin; ${set("pending")}; rollback`);
    await flush(app);
    expect(
      receiver
        .on("/steps")
        .map(({ payload }) => payload.data.status)
        .sort(),
    ).toEqual(["open", "pending"]);
  });

  test("while the preview is off, or the endpoint is disabled, nothing is delivered, and later events are", async () => {
    const { id } = await endpoint("/off", ["message.received"]);
    await preview.owner.patch("/api/tenant", { webhooksPreview: false }, 200);
    await converse();
    await flush(app);
    await preview.owner.patch("/api/tenant", { webhooksPreview: true }, 200);
    await converse();
    await flush(app);
    expect(receiver.on("/off")).toHaveLength(1);
    await preview.owner.patch(`/api/webhook-endpoints/${id}`, { status: "disabled" }, 200);
    await converse();
    await flush(app);
    expect(await app.db.query("select 1 from webhook_due")).toHaveLength(0);
    await preview.owner.patch(`/api/webhook-endpoints/${id}`, { status: "active" }, 200);
    await converse();
    await flush(app);
    expect(receiver.on("/off")).toHaveLength(2);
  });

  test("a restored database, whose feed has another epoch, goes on with what happens from then on", async () => {
    await endpoint("/epoch", ["message.received"]);
    await converse();
    // What cannot be read yet happens "from then on".
    await settled(app.db);
    await app.db.query("update webhook_due set epoch = 'another'");
    await flush(app);
    expect(receiver.arrived).toHaveLength(0);
    await converse();
    await flush(app);
    expect(receiver.arrived).toHaveLength(1);
  });

  test("a promoted standby, whose feed has another timeline, misses no event and repeats none", async () => {
    await endpoint("/promoted", ["message.received"]);
    await converse();
    await flush(app);
    await converse();
    await settled(app.db);
    await app.db.query(`update webhook_due set epoch = ${promoted("epoch")}`);
    await flush(app);
    expect(new Set(receiver.on("/promoted").map(({ headers }) => headers["webhook-id"])).size).toBe(2);
    expect(receiver.on("/promoted")).toHaveLength(2);
  });

  test("what was committed before an endpoint became active is known by numbers of transactions, which count in one server and its standbys", async () => {
    const since = { "/here": "active_epoch", "/promoted": promoted("active_epoch"), "/restored": "'another'" };
    for (const [path, epoch] of Object.entries(since)) {
      const { id } = await endpoint(path, ["message.received"]);
      await app.db.query(
        `update webhook_endpoint set active_after = '900000000000:900000000000:', active_epoch = ${epoch} where id = $1`,
        [id],
      );
    }
    await converse();
    await flush(app);
    expect(Object.keys(since).map((path) => receiver.on(path).length)).toEqual([0, 0, 1]);
  });
});

describe("signatures", () => {
  /** As the guide shows it. */
  const verified = (secret: string, { headers, body }: { headers: Record<string, string>; body: string }): boolean => {
    const { t, ...rest } = Object.fromEntries(
      headers["x-service-signature"]!.split(",").map((part, n) => [n ? `v${n}` : "t", part.split("=")[1]!]),
    ) as Record<string, string>;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const mac = createHmac("sha256", key).update(`${headers["webhook-id"]}.${t}.${body}`).digest("hex");
    return Object.values(rest).includes(mac);
  };

  test("standardwebhooks and X-Service-Signature verify what arrives, and refuse a changed body and another secret", async () => {
    const { secret } = await endpoint("/signed", ["message.received"]);
    const other = await endpoint("/other", ["message.received"]);
    await converse();
    await flush(app);
    const [arrived] = receiver.on("/signed");
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret).verify(arrived!.body, arrived!.headers)).toEqual(arrived!.payload);
    expect(verified(secret, arrived!)).toBe(true);
    const changed = { ...arrived!, body: arrived!.body.replace("inbound", "outbound") };
    expect(() => new Webhook(secret).verify(changed.body, changed.headers)).toThrow("No matching signature");
    expect(verified(secret, changed)).toBe(false);
    expect(verified(other.secret, arrived!)).toBe(false);
    expect(arrived!.headers["webhook-id"]).toBe(arrived!.payload.id);
    expect(arrived!.headers["content-type"]).toBe("application/json");
  });

  test("each attempt is signed anew over the same bytes", async () => {
    const { secret } = await endpoint("/again", ["message.received"]);
    receiver.answers["/again"] = { status: 500 };
    await converse();
    await flush(app);
    const [first] = receiver.on("/again");
    // The signature has whole seconds.
    await vi.waitFor(
      () => expect(Math.floor(Date.now() / 1_000)).toBeGreaterThan(Math.floor(first!.at / 1_000)),
      60_000,
    );
    await attempt(app);
    const second = receiver.on("/again")[1];
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-timestamp"]).not.toBe(first!.headers["webhook-timestamp"]);
    expect(new Webhook(secret).verify(second!.body, second!.headers)).toEqual(first!.payload);
  });

  test("after a rotation both secrets verify for a day, then only the new one", async () => {
    const { id, secret: old } = await endpoint("/rotated", ["message.received"]);
    const { secret } = (await preview.owner.post(`/api/webhook-endpoints/${id}/rotate-secret`, undefined, 201)).body;
    expect(secret).not.toBe(old);
    await converse();
    await flush(app);
    const [both] = receiver.on("/rotated");
    for (const one of [old, secret]) {
      expect(new Webhook(one).verify(both!.body, both!.headers)).toEqual(both!.payload);
      expect(verified(one, both!)).toBe(true);
    }
    await app.db.query("update webhook_endpoint set previous_until = previous_until - interval '24 hours'");
    await converse();
    await flush(app);
    const alone = receiver.on("/rotated")[1]!;
    expect(new Webhook(secret).verify(alone.body, alone.headers)).toEqual(alone.payload);
    expect(() => new Webhook(old).verify(alone.body, alone.headers)).toThrow("No matching signature");
    expect(verified(old, alone)).toBe(false);
  });

  test("whose secret was sealed under a key that is gone gets a new one by a rotation, which signs alone", async () => {
    const { id } = await endpoint("/lost", ["message.received"]);
    await app.db.query("update webhook_endpoint set sealed = overlay(sealed placing 'none' from 4) where id = $1", [
      id,
    ]);
    const { secret } = (await preview.owner.post(`/api/webhook-endpoints/${id}/rotate-secret`, undefined, 201)).body;
    await converse();
    await flush(app);
    const [only] = receiver.on("/lost");
    expect(new Webhook(secret).verify(only!.body, only!.headers)).toEqual(only!.payload);
    expect(only!.headers["webhook-signature"]).not.toContain(" ");
  });

  test("a secret is shown once, stored encrypted, and a repeat of the request does not show it again", async () => {
    const body = { url: receiver.url("/once"), events: ["message.sent"] };
    const repeat = { headers: { "idempotency-key": "once" } };
    const { secret, ...shown } = (await preview.owner.post("/api/webhook-endpoints", body, 201, repeat)).body;
    await preview.owner.post("/api/webhook-endpoints", body, 409, repeat);
    expect((await preview.owner.get(`/api/webhook-endpoints/${shown.id}`, 200)).body).toEqual(shown);
    const rows = await app.db.query(
      "select to_jsonb(e) || jsonb_build_object('text', encode(sealed, 'escape')) as row from webhook_endpoint e",
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30));
    expect(
      JSON.stringify(await app.db.query("select response from idempotency_key where response is not null")),
    ).not.toContain("whsec_");
  });
});

describe("attempts", () => {
  /** Seconds until the next attempt of what waits. */
  const waits = async (): Promise<number[]> =>
    (
      await app.db.query<{ seconds: number }>(
        "select extract(epoch from due_at - clock_timestamp())::float8 as seconds from outbox_queue where kind = 'webhook'",
      )
    ).map(({ seconds }) => seconds);
  /** From and to how many seconds after some moment of the work each is due. */
  const waitsAfter = async (work: () => Promise<unknown>): Promise<{ least: number; most: number }[]> => {
    const began = performance.now();
    await work();
    const least = await waits();
    const took = (performance.now() - began) / 1_000;
    return least.map((seconds) => ({ least: seconds, most: seconds + took }));
  };

  test("there are three: at once, after about a minute, after about a quarter of an hour; then the delivery has failed", async () => {
    const { id } = await endpoint("/broken", ["message.received"]);
    receiver.answers["/broken"] = { status: 500, body: "out\u0000 of\u001b[31m order" };
    await converse();
    const [minute] = await waitsAfter(() => flush(app));
    expect(minute!.most).toBeGreaterThan(45);
    expect(minute!.least).toBeLessThan(75);
    const [queued] = await deliveries(id, "?status=queued");
    expect(queued).toMatchObject({ status: "queued", type: "message.received" });
    expect(Date.parse(queued!.nextAttemptAt!)).toBeGreaterThan(Date.now());
    const [quarter] = await waitsAfter(() => attempt(app));
    expect(quarter!.most).toBeGreaterThan(675);
    expect(quarter!.least).toBeLessThan(1_125);
    await attempt(app);
    expect(await waits()).toEqual([]);
    await attempt(app);
    expect(receiver.on("/broken")).toHaveLength(3);
    const [failed] = await deliveries(id, "?status=failed");
    expect(failed).toMatchObject({ id: queued!.id, status: "failed", nextAttemptAt: null });
    expect(failed!.attempts).toHaveLength(3);
    for (const one of failed!.attempts)
      expect(one).toMatchObject({
        responseStatus: 500,
        response: "out of[31m order",
        error: "The server answered with status 500",
      });
    expect(failed!.attempts[0]!.durationMs).toBeGreaterThanOrEqual(0);
    expect(await deliveries(id, "?status=succeeded")).toEqual([]);
    expect(await statusOf(id)).toBe("active");
  });

  test("a Retry-After is respected, up to an hour", async () => {
    await endpoint("/busy", ["message.received"]);
    receiver.answers["/busy"] = { status: 429, headers: { "retry-after": "600" } };
    await converse();
    await flush(app);
    expect(Math.round((await waits())[0]! / 60)).toBe(10);
    const date = new Date(Date.now() + 30 * 60_000).toUTCString();
    receiver.answers["/busy"] = { status: 503, headers: { "retry-after": date } };
    await attempt(app);
    expect(Math.round((await waits())[0]! / 60)).toBe(30);
    await converse();
    await app.db.query("delete from outbox_queue where kind = 'webhook'");
    receiver.answers["/busy"] = { status: 503, headers: { "retry-after": "90000" } };
    await flush(app);
    expect(Math.round((await waits())[0]! / 60)).toBe(60);
  });

  test("a Retry-After that names no time, or none to come, changes nothing", async () => {
    const values = ["Thu, 01 Jan 1970 00:00:00 GMT", "Someday, 99 GMT", "-1", "1e9", ""];
    for (const [n, value] of values.entries()) {
      receiver.answers[`/odd-${n}`] = { status: 503, headers: { "retry-after": value } };
      await endpoint(`/odd-${n}`, ["message.received"]);
    }
    await converse();
    const seconds = await waitsAfter(() => flush(app));
    expect(seconds).toHaveLength(values.length);
    expect(Math.min(...seconds.map(({ most }) => most))).toBeGreaterThan(45);
    expect(Math.max(...seconds.map(({ least }) => least))).toBeLessThan(75);
  });

  test("410 fails the delivery, disables the endpoint and tells the owner", async () => {
    const { id } = await endpoint("/gone", ["message.received"]);
    receiver.answers["/gone"] = { status: 410 };
    await converse();
    await flush(app);
    expect(await statusOf(id)).toBe("disabled");
    expect(await deliveries(id)).toMatchObject([{ status: "failed", attempts: [{ responseStatus: 410 }] }]);
    expect(await waits()).toEqual([]);
    const { body } = await preview.owner.get("/api/outbox?status=queued", 200);
    expect(body.data[0]).toMatchObject({
      to: preview.tenant.ownerEmail,
      subject: "A webhook endpoint was disabled",
    });
    await preview.owner.post(`/api/webhook-endpoints/${id}/test`, undefined, 409);
    const { body: log } = await preview.owner.get(`/api/audit-log?limit=100`, 200);
    expect(log.data.find((one) => one.resourceId === id && one.change === "updated")).toMatchObject({
      resourceType: "webhookEndpoint",
      fields: ["status"],
    });
  });

  test("an endpoint that has failed for five days is disabled; a success in between begins anew", async () => {
    const { id } = await endpoint("/days", ["message.received"]);
    receiver.answers["/days"] = { status: 500 };
    await converse();
    await flush(app);
    const age = () => app.db.query("update webhook_endpoint set failing_since = now() - interval '121 hours'");
    await age();
    receiver.answers["/days"] = { status: 200 };
    await attempt(app);
    receiver.answers["/days"] = { status: 500 };
    await converse();
    await flush(app);
    expect(await statusOf(id)).toBe("active");
    await age();
    await attempt(app);
    expect(await statusOf(id)).toBe("disabled");
  });

  test("a redirect is a failure and is not followed", async () => {
    const { id } = await endpoint("/moved", ["message.received"]);
    receiver.answers["/moved"] = { status: 302, headers: { location: receiver.url("/elsewhere") } };
    await converse();
    await flush(app);
    expect(receiver.on("/elsewhere")).toEqual([]);
    expect((await deliveries(id))[0]!.attempts).toMatchObject([
      { responseStatus: 302, error: "The server answered with status 302" },
    ]);
  });

  test("of a long answer the first 2 kB are kept, and a connection that breaks is a failure", async () => {
    const { id } = await endpoint("/long", ["message.received"]);
    receiver.answers["/long"] = { status: 200, body: "x".repeat(3_000_000) };
    await converse();
    await flush(app);
    expect(await deliveries(id)).toMatchObject([
      { status: "succeeded", attempts: [{ response: "x".repeat(2_048), error: null }] },
    ]);
    receiver.answers["/long"] = "reset";
    await converse();
    await flush(app);
    expect((await deliveries(id, "?status=queued"))[0]!.attempts).toMatchObject([
      { responseStatus: null, response: null, error: "The server cannot be reached" },
    ]);
  });

  test("a receiver that hangs ends after 15 seconds, and delays no other meanwhile", async () => {
    const hanging = await endpoint("/hang", ["message.received"]);
    await endpoint("/quick", ["message.received"]);
    receiver.answers["/hang"] = "hang";
    for (let n = 0; n < 12; n++) await converse();
    await dispatch(app);
    const done = attempt(app);
    await vi.waitFor(() => expect(receiver.on("/quick")).toHaveLength(12), 100_000);
    const [first] = receiver.on("/hang");
    expect(receiver.on("/quick").at(-1)!.at - first!.at, "none waits for one that hangs").toBeLessThan(15_000);
    await app.db.query("delete from outbox_queue where due_at <= now() and kind = 'webhook'");
    await done;
    // Five at once, and as many more as one claim may add to four that are on their way.
    const hung = receiver.on("/hang").length;
    expect(hung).toBeGreaterThan(0);
    expect(hung).toBeLessThanOrEqual(9);
    const ended = (await deliveries(hanging.id, "?limit=100")).filter(({ attempts }) => attempts.length);
    expect(ended).toHaveLength(hung);
    for (const { attempts } of ended) {
      expect(attempts[0]!.error).toBe("The server did not answer in time");
      expect(attempts[0]!.durationMs).toBeGreaterThan(14_500);
      expect(attempts[0]!.durationMs).toBeLessThan(60_000);
    }
  });

  test("what waits goes to the new URL of an endpoint, and to nobody once it is disabled or deleted", async () => {
    const { id } = await endpoint("/before", ["message.received"]);
    receiver.answers["/before"] = { status: 500 };
    await converse();
    await flush(app);
    await preview.owner.patch(`/api/webhook-endpoints/${id}`, { url: receiver.url("/after") }, 200);
    await attempt(app);
    expect(receiver.on("/after")).toHaveLength(1);
    await converse();
    await dispatch(app);
    await preview.owner.patch(`/api/webhook-endpoints/${id}`, { status: "disabled" }, 200);
    await attempt(app);
    expect((await deliveries(id, "?status=failed"))[0]!.attempts).toMatchObject([
      { error: "The endpoint is disabled" },
    ]);
    await preview.owner.patch(`/api/webhook-endpoints/${id}`, { status: "active" }, 200);
    await converse();
    await dispatch(app);
    await preview.owner.delete(`/api/webhook-endpoints/${id}`, 200);
    await attempt(app);
    expect(receiver.on("/after")).toHaveLength(1);
    await app.app.get(Afterwards).finished();
    expect(await app.db.query("select 1 from outbox_message where kind = 'webhook'")).toEqual([]);
  });
});

describe("redelivery", () => {
  test("sends the same event with the same ids again, and leaves alone what is queued", async () => {
    const { id } = await endpoint("/redeliver", ["message.received"]);
    await converse();
    await flush(app);
    const [{ id: delivery }] = (await deliveries(id)) as [Schemas["WebhookDelivery"]];
    const again = (await preview.owner.post(`/api/webhook-deliveries/${delivery}/redeliver`, undefined, 200)).body;
    expect(again).toMatchObject({ id: delivery, status: "queued" });
    await preview.owner.post(`/api/webhook-deliveries/${delivery}/redeliver`, undefined, 200);
    await attempt(app);
    const [first, second, ...more] = receiver.on("/redeliver");
    expect(more).toEqual([]);
    expect(second!.body).toBe(first!.body);
    expect((await deliveries(id))[0]).toMatchObject({ status: "succeeded", attempts: [{}, {}] });
  });

  test("all that failed since a time is queued again, nothing older and nothing that succeeded", async () => {
    const { id } = await endpoint("/since", ["message.received"]);
    receiver.answers["/since"] = { status: 500 };
    for (let n = 0; n < 3; n++) await converse();
    await dispatch(app);
    for (let n = 0; n < 3; n++) await attempt(app);
    receiver.answers = {};
    await converse();
    await flush(app);
    const [oldest] = (await deliveries(id, "?status=failed")).slice(-1);
    await app.db.query("update webhook_delivery set created_at = now() - interval '2 hours' where id = $1", [
      oldest!.id,
    ]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const path = `/api/webhook-endpoints/${id}/redeliver` as const;
    expect((await preview.owner.post(path, { since }, 200)).body).toEqual({ redelivered: 2 });
    expect((await preview.owner.post(path, { since }, 200)).body).toEqual({ redelivered: 0 });
    await attempt(app);
    expect((await deliveries(id, "?status=failed")).map((one) => one.id)).toEqual([oldest!.id]);
    expect(await deliveries(id, "?status=succeeded")).toHaveLength(3);
  });

  test("the outbox's own retry queues the delivery too", async () => {
    const { id } = await endpoint("/dead", ["message.received"]);
    receiver.answers["/dead"] = { status: 500 };
    await converse();
    await dispatch(app);
    for (let n = 0; n < 3; n++) await attempt(app);
    const { body } = await preview.owner.get("/api/outbox", 200);
    expect(body.data[0]).toMatchObject({ channel: "webhook", to: receiver.url("/dead"), subject: "message.received" });
    await preview.owner.post(`/api/outbox/${body.data[0]!.id}/retry`, undefined, 200);
    expect((await deliveries(id))[0]!.status).toBe("queued");
    receiver.answers = {};
    await attempt(app);
    expect((await deliveries(id))[0]!.status).toBe("succeeded");
  });

  test("a test event goes the same way", async () => {
    const { id, secret } = await endpoint("/test", ["policy_entry.proposed"]);
    const { body } = await preview.owner.post(`/api/webhook-endpoints/${id}/test`, undefined, 201);
    expect(body).toMatchObject({ endpointId: id, type: "webhook.test", status: "queued" });
    await app.app.get(OutboxWorker).tick();
    const [arrived] = receiver.on("/test");
    expect(new Webhook(secret).verify(arrived!.body, arrived!.headers)).toMatchObject({
      id: body.eventId,
      type: "webhook.test",
      data: { endpointId: id },
    });
  });
});

describe("endpoints", () => {
  test("a URL that is not public and secure is refused, in POST and in PATCH", async () => {
    const insecure =
      "url: The URL must begin with https://: http is only for servers that the setting OUTBOUND_ALLOW names";
    const unknown = "url: The URL must begin with https:// and name a host";
    const inside = "url: The host has no public address";
    const refused = {
      "http://hooks.example.com/": insecure,
      "ftp://hooks.example.com/": unknown,
      "hooks.example.com": unknown,
      "https://user:pass@hooks.example.com/": "url: The URL must not hold a user name or a password",
      "https://127.0.0.1/": inside,
      "https://2130706433/": inside,
      "https://[::1]/": inside,
      "https://[::ffff:10.0.0.1]/": inside,
      "https://169.254.169.254/latest": inside,
      "https://10.1.2.3/": inside,
    };
    const { id } = await endpoint("/ok");
    for (const [url, error] of Object.entries(refused)) {
      const body = { url, events: ["message.sent"] };
      expect((await preview.owner.post("/api/webhook-endpoints", body, 400)).body, url).toEqual({ error });
      expect((await preview.owner.patch(`/api/webhook-endpoints/${id}`, { url }, 400)).body, url).toEqual({ error });
    }
  });

  test("a name is resolved at each delivery: one with a private address is never called", async () => {
    const { owner } = preview;
    const url = `https://localhost:${receiver.port}/inside`;
    const { id } = (await owner.post("/api/webhook-endpoints", { url, events: ["message.received"] }, 201)).body;
    await converse();
    await flush(app);
    expect((await deliveries(id))[0]!.attempts).toMatchObject([{ error: "The host has no public address" }]);
  });

  test("unknown events, none, and an unknown status are refused", async () => {
    const { owner } = preview;
    const url = "https://hooks.example.com/";
    await owner.post("/api/webhook-endpoints", { url, events: [] }, 400);
    await owner.post("/api/webhook-endpoints", { url, events: ["message.read"] }, 400);
    const { id, secret, ...made } = (
      await owner.post("/api/webhook-endpoints", { url, events: ["message.sent"], description: "CRM" }, 201)
    ).body;
    expect(secret).toBeTruthy();
    expect(made).toMatchObject({ url, events: ["message.sent"], description: "CRM", status: "active" });
    await owner.patch(`/api/webhook-endpoints/${id}`, { status: "paused" }, 400);
    const changes = { description: null, events: ["message.received"] };
    expect((await owner.patch(`/api/webhook-endpoints/${id}`, changes, 200)).body).toMatchObject(changes);
    expect((await owner.get("/api/webhook-endpoints", 200)).body.map((one) => one.id)).toEqual([id]);
  });

  test("a side has twenty at most, also when two are made at once", async () => {
    const make = () =>
      preview.owner.post("/api/webhook-endpoints", { url: "https://hooks.example.com/", events: ["message.sent"] });
    for (let n = 0; n < 8; n++) expect((await make()).status).toBe(201);
    const statuses = (await Promise.all(Array.from({ length: 16 }, make))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(12);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
  });

  test("without the preview every route answers 403, also to the owner", async () => {
    const { id } = await endpoint("/preview");
    await preview.owner.patch("/api/tenant", { webhooksPreview: false }, 200);
    const { owner } = preview;
    await owner.get("/api/webhook-endpoints", 403);
    await owner.post("/api/webhook-endpoints", { url: "https://hooks.example.com/", events: ["message.sent"] }, 403);
    await owner.get(`/api/webhook-endpoints/${id}`, 403);
    await owner.patch(`/api/webhook-endpoints/${id}`, { description: "x" }, 403);
    await owner.post(`/api/webhook-endpoints/${id}/test`, undefined, 403);
    await owner.post(`/api/webhook-endpoints/${id}/rotate-secret`, undefined, 403);
    await owner.get(`/api/webhook-endpoints/${id}/deliveries`, 403);
    await owner.post(`/api/webhook-endpoints/${id}/redeliver`, { since: "2026-01-01" }, 403);
    await owner.post(`/api/webhook-deliveries/${id}/redeliver`, undefined, 403);
    await owner.delete(`/api/webhook-endpoints/${id}`, 403);
  });

  test("on the test side nothing leaves: deliveries are captured, with what would have been sent", async () => {
    const { tenant } = preview;
    const owner = await tenant.owner("test");
    await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
    const url = receiver.url("/captured");
    const { id } = (await owner.post("/api/webhook-endpoints", { url, events: ["message.received"] }, 201)).body;
    await tenant.test.post(
      "/api/conversations",
      { workspaceId: tenant.testDefaults.workspaceId, contact: { name: "T" }, message: { body: "x" } },
      201,
    );
    await flush(app);
    expect(receiver.on("/captured")).toEqual([]);
    const { data } = (await owner.get("/api/captured-messages", 200)).body;
    expect(data).toMatchObject([{ channel: "webhook", to: url, subject: "message.received" }]);
    expect(JSON.parse(data[0]!.body)).toMatchObject({ type: "message.received" });
    const [delivery] = (await owner.get(`/api/webhook-endpoints/${id}/deliveries`, 200)).body.data;
    expect(delivery).toMatchObject({ status: "captured", attempts: [], nextAttemptAt: null });
    await owner.post(`/api/webhook-deliveries/${delivery!.id}/redeliver`, undefined, 409);
  });

  test("deliveries are deleted after 30 days, with what the outbox had of them", async () => {
    const { id } = await endpoint("/aged", ["message.received"]);
    await converse();
    await converse();
    await flush(app);
    const [newer, older] = await deliveries(id);
    const age = (of: string, days: number) =>
      app.db.query(
        `with aged as (
          update webhook_delivery set created_at = now() - make_interval(days => $2, mins => 1) where id = $1 returning outbox_id
        ) update outbox_message m set created_at = now() - make_interval(days => $2, mins => 1) from aged where m.id = aged.outbox_id`,
        [of, days],
      );
    await age(newer!.id, 29);
    await age(older!.id, 30);
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ webhookDeliveries: 1 });
    expect((await deliveries(id)).map((one) => one.id)).toEqual([newer!.id]);
    expect(await app.db.query("select 1 from outbox_message where kind = 'webhook'")).toHaveLength(1);
  });

  test("an erasure leaves deliveries as they are, because nothing in them is of the person", async () => {
    const { id } = await endpoint("/erased");
    receiver.answers["/erased"] = { status: 500 };
    const { contactId } = await converse("I am Gwendolyn Hopper, gwendolyn@example.com");
    await flush(app);
    await preview.owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    await dispatch(app);
    receiver.answers = {};
    await attempt(app);
    expect((await deliveries(id, "?limit=100")).length).toBeGreaterThan(1);
    const rows = await app.db.query("select d.body, d.attempts from webhook_delivery d where d.endpoint_id = $1", [id]);
    for (const text of [JSON.stringify(rows), JSON.stringify(receiver.on("/erased").map(({ body }) => body))])
      expect(text).not.toMatch(/Gwendolyn|Hopper|@example/i);
  });
});
