import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newAgent, newWorkspace, NOT_FOUND, start } from "../e2e/support.js";
import { settled } from "../feed/support.js";
import {
  attempt,
  type Browser,
  deliver,
  notice,
  type PushService,
  startPushService,
  subscribe,
  timeIn,
  trustLocalhost,
} from "./support.js";

let service: PushService;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** An agent of the workspace, with a browser. */
let ada: Client & { id: string };
let browser: Browser;
let subscriptionId: string;
beforeAll(async () => {
  trustLocalhost();
  service = await startPushService();
  app = await startApp({ OUTBOUND_ALLOW: [`localhost:${service.port}`], PUBLIC_URL: "https://parley.example" });
});
afterAll(async () => {
  await app.close();
  await service.close();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  tenant = await app.tenant();
  owner = await tenant.owner();
  ada = await newAgent(owner, [tenant.defaults.workspaceId]);
  browser = service.browser();
  subscriptionId = await subscribe(ada, browser);
  await notice(app);
});
afterEach(async () => {
  await app.db.query("delete from outbox_message");
  await app.db.query("delete from notice_due");
});

const open = (body: object = {}, workspaceId = tenant.defaults.workspaceId) => start(tenant.live, workspaceId, body);
const assigned = async (to: string = ada.id): Promise<string> => {
  const { id } = await open();
  await owner.post(`/api/conversations/${id}/assign`, { memberId: to }, 200);
  return id;
};
const write = (id: string, body = "Where is my *parcel*?") =>
  tenant.live.post(`/api/conversations/${id}/messages`, { body }, 201);
const urgent = (by: Client, id: string) => by.patch(`/api/conversations/${id}`, { priority: "urgent" }, 200);
const subscriptionsOf = async (client: Client) =>
  (await client.get("/api/me/push-subscriptions", 200)).body.subscriptions;
const titles = (of = browser): string[] => of.arrived.map((one) => one.notice.title);
const outbox = (): Promise<{ status: string; attempts: number; lastError: string | null; seconds: number }[]> =>
  app.db.query(
    `select m.status, m.attempts, m.last_error as "lastError", extract(epoch from q.due_at - now())::float8 as seconds
     from outbox_message m left join outbox_queue q on q.tenant_id = m.tenant_id and q.id = m.id
     where m.kind = 'push' order by m.created_at, m.id`,
  );

describe("a notice", () => {
  test("says who wrote and what, to the browser alone, and which page to open", async () => {
    const id = await assigned();
    await write(id);
    await deliver(app);
    expect(browser.arrived).toHaveLength(1);
    const [{ notice: said, headers, claims, key }] = browser.arrived as [Browser["arrived"][number]];
    expect(said).toEqual({
      title: "Ada wrote to you",
      body: "Where is my parcel?",
      tag: `live-${id}`,
      path: `/inbox/all/${id}`,
    });
    const topic = createHash("sha256").update(`live-${id}`).digest("base64url").slice(0, 32);
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "normal", topic });
    expect(Number(headers.ttl)).toBeGreaterThan(3 * 3_600);
    expect(Number(headers.ttl)).toBeLessThanOrEqual(4 * 3_600);
    expect(claims).toMatchObject({ aud: `https://localhost:${service.port}`, sub: "https://parley.example" });
    expect(claims.exp * 1_000).toBeGreaterThan(Date.now());
    expect(key).toBe((await ada.get("/api/me/push-subscriptions", 200)).body.publicKey);
    expect(await subscriptionsOf(ada)).toEqual([
      { id: subscriptionId, device: "node", lastSuccessAt: expect.any(String) },
    ]);
    expect(await outbox()).toMatchObject([{ status: "sent" }]);
  });

  test("is in the member's language, otherwise in the browser's", async () => {
    await subscribe(ada, browser, { language: "de" });
    const id = await assigned();
    await write(id);
    await deliver(app);
    await ada.put("/api/me/preferences", { language: "en" }, 200);
    await write(id);
    await deliver(app);
    expect(titles()).toEqual(["Ada hat dir geschrieben", "Ada wrote to you"]);
  });

  test("keeps nothing of what it says: the outbox has ids, and says what is there when it is sent", async () => {
    const id = await assigned();
    await write(id, "My secret number is 4711");
    await notice(app);
    const shown = (await owner.get("/api/outbox?status=queued", 200)).text;
    expect(shown).toContain('"to":"node","subject":"mine"');
    expect(shown).not.toMatch(/4711|localhost/);
    const { contactId } = (await owner.get(`/api/conversations/${id}`, 200)).body;
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    await attempt(app);
    expect(browser.arrived).toEqual([]);
  });

  test("is one for each browser, and one for several messages that are read together", async () => {
    const phone = service.browser();
    await subscribe(ada, phone);
    const id = await assigned();
    await write(id, "One");
    await write(id, "Two");
    // A transaction of another file could keep the second back from the feed when the first is read.
    await settled(app.db);
    await deliver(app);
    expect([browser, phone].map(({ arrived }) => arrived.map((one) => one.notice.body))).toEqual([["Two"], ["Two"]]);
  });

  test("is sent once, whichever of two processes reads the feed or sends", async () => {
    const second = await startApp(app.config, app.db);
    const id = await assigned();
    await write(id);
    await Promise.all([notice(app), notice(second)]);
    await attempt(app, second);
    await second.close();
    expect(browser.arrived).toHaveLength(1);
  });
});

describe("who is told", () => {
  test("of a message: whoever has the conversation, nobody else", async () => {
    const grace = await newAgent(owner, [tenant.defaults.workspaceId]);
    const other = service.browser();
    await subscribe(grace, other);
    await write(await assigned());
    await deliver(app);
    expect([titles(), titles(other)]).toEqual([["Ada wrote to you"], []]);
  });

  test("of a note: whom it names, not who wrote it, and not what it says", async () => {
    const { id } = await open();
    const me = (await owner.get("/api/me", 200)).body.id;
    await owner.post(`/api/conversations/${id}/notes`, { body: "Look, please", mentions: [ada.id, me] }, 201);
    const ofOwner = service.browser();
    await subscribe(owner, ofOwner);
    await deliver(app);
    expect(browser.arrived.map((one) => one.notice)).toEqual([
      { title: "You are named in a note about Ada", tag: `live-${id}`, path: `/inbox/all/${id}` },
    ]);
    expect(ofOwner.arrived).toEqual([]);
  });

  test("of what becomes urgent: everybody in reach but who made it so, and once", async () => {
    const ofOwner = service.browser();
    await subscribe(owner, ofOwner);
    const { id } = await open({ subject: "Fire in the warehouse" });
    await notice(app);
    await urgent(owner, id);
    await deliver(app);
    await owner.patch(`/api/conversations/${id}`, { subject: "Fire in the warehouse, still" }, 200);
    await deliver(app);
    expect(browser.arrived.map((one) => [one.notice.title, one.notice.body, one.headers.urgency])).toEqual([
      ["Urgent: Ada", "Fire in the warehouse", "high"],
    ]);
    expect(ofOwner.arrived).toEqual([]);
  });

  test("of nothing that the member cannot reach, even if they lose it before it is sent", async () => {
    const elsewhere = await newWorkspace(owner, tenant.defaults.brandId);
    await urgent(owner, (await open({}, elsewhere.id)).id);
    await write(await assigned());
    await notice(app);
    await owner.patch(`/api/members/${ada.id}`, { workspaceIds: [elsewhere.id] }, 200);
    await attempt(app);
    expect(browser.arrived).toEqual([]);
    expect(await outbox()).toMatchObject([{ status: "sent" }]);
  });

  test("of nothing on the test side", async () => {
    const { id } = await start(tenant.test, tenant.testDefaults.workspaceId);
    await urgent(await tenant.owner("test"), id);
    await deliver(app);
    expect(browser.arrived).toEqual([]);
  });

  test("of what they want to be told of", async () => {
    await ada.put("/api/me/preferences", { notifications: { mine: false, unassigned: true } }, 200);
    await write(await assigned());
    const { id } = await open({ contact: { name: "Bob" } });
    await owner.post(`/api/conversations/${id}/take-over`, undefined, 200);
    await owner.post(`/api/conversations/${id}/unassign`, undefined, 200);
    await write(id);
    await deliver(app);
    expect(titles()).toEqual(["Bob wrote, and nobody has it yet"]);
  });

  test("not while the member looks at the conversation", async () => {
    const id = await assigned();
    await ada.put(`/api/conversations/${id}/viewing`, { state: "viewing" }, 200);
    // A dashboard says it again and again.
    await app.db.query("update conversation_viewer set until = now() + interval '1 hour'");
    await write(id);
    await deliver(app);
    expect(browser.arrived).toEqual([]);
    await ada.put(`/api/conversations/${id}/viewing`, { state: "left" }, 200);
    await write(id);
    await deliver(app);
    expect(titles()).toEqual(["Ada wrote to you"]);
  });

  test.each(["UTC", "Asia/Tokyo", "America/Los_Angeles"])("not in quiet hours, which are those of %s", async (zone) => {
    const quiet = (from: number, to: number) => ({
      quietHours: { from: timeIn(zone, from), to: timeIn(zone, to), timeZone: zone },
    });
    const id = await assigned();
    await ada.put("/api/me/preferences", quiet(-120, 120), 200);
    await write(id, "At night");
    await deliver(app);
    await ada.put("/api/me/preferences", quiet(120, 600), 200);
    await write(id, "In the morning");
    await deliver(app);
    expect(browser.arrived.map((one) => one.notice.body)).toEqual(["In the morning"]);
  });

  test("not when the quiet hours begin before it is sent", async () => {
    await write(await assigned());
    await notice(app);
    await ada.put(
      "/api/me/preferences",
      { quietHours: { from: timeIn("UTC", -60), to: timeIn("UTC", 60), timeZone: "UTC" } },
      200,
    );
    await attempt(app);
    expect(browser.arrived).toEqual([]);
  });
});

describe("what the push service answers", () => {
  test.each([404, 410])("%s: the browser is forgotten, and nothing is tried again", async (status) => {
    browser.answer = { status };
    await write(await assigned());
    await deliver(app);
    await attempt(app);
    expect(browser.arrived).toHaveLength(1);
    expect(await subscriptionsOf(ada)).toEqual([]);
    expect(await outbox()).toMatchObject([{ status: "sent" }]);
  });

  test.each([400, 403, 413])("%s: the notice is given up, the browser stays", async (status) => {
    browser.answer = { status };
    await write(await assigned());
    await deliver(app);
    expect(await outbox()).toMatchObject([
      { status: "dead", attempts: 1, lastError: `The push service answered with status ${status}` },
    ]);
    expect(await subscriptionsOf(ada)).toMatchObject([{ lastSuccessAt: null }]);
  });

  test.each([
    [429, { "retry-after": "900" }, 900],
    [503, {}, 11],
    [500, {}, 11],
    [302, { location: "https://localhost/elsewhere" }, undefined],
  ])("%s: it is tried again when asked to, or not at all", async (status, headers, seconds) => {
    browser.answer = { status, headers: headers };
    await write(await assigned());
    await deliver(app);
    const [queued] = await outbox();
    if (seconds === undefined) expect(queued).toMatchObject({ status: "dead" });
    else {
      expect(queued).toMatchObject({ status: "queued", attempts: 1 });
      expect(queued!.seconds).toBeGreaterThan(seconds - 10);
      browser.answer = undefined;
      await attempt(app);
      expect(await outbox()).toMatchObject([{ status: "sent", attempts: 2 }]);
      expect(browser.arrived).toHaveLength(2);
    }
  });

  test("nothing that names the browser or the customer is in the log", async () => {
    const lines: string[] = [];
    const write_ = vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
    browser.answer = { status: 500 };
    const id = await assigned();
    await write(id, "My secret number is 4711");
    await deliver(app);
    write_.mockRestore();
    expect(lines.join("")).not.toMatch(new RegExp(`4711|${browser.path}|${browser.body.auth}`));
  });
});

describe("subscriptions", () => {
  test.each([
    ["http://push.example.com/x", /https/],
    ["https://127.0.0.1/x", /public address/],
    ["https://[::1]/x", /public address/],
    ["https://169.254.169.254/latest", /public address/],
    ["https://user:secret@push.example.com/x", /user name/],
    ["ftp://push.example.com/x", /https/],
    ["nonsense", /https/],
  ])("an endpoint that may not be called is refused: %s", async (endpoint, why) => {
    const { body } = await ada.post("/api/me/push-subscriptions", { ...browser.body, endpoint }, 400);
    expect(body.error).toMatch(why);
  });

  test("a name that leads inside is not called when the notice is sent", async () => {
    await ada.delete(`/api/me/push-subscriptions/${subscriptionId}`, 200);
    await subscribe(ada, browser, { endpoint: "https://localhost/inside" });
    await write(await assigned());
    await deliver(app);
    expect(await outbox()).toMatchObject([{ status: "queued", lastError: "The host has no public address" }]);
  });

  test("keys that are none are refused", async () => {
    for (const wrong of [
      { p256dh: Buffer.concat([Buffer.of(4), randomBytes(64)]).toString("base64url") },
      { p256dh: "x" },
      { auth: "short" },
    ])
      await ada.post("/api/me/push-subscriptions", { ...browser.body, ...wrong }, 400);
  });

  test("the same browser again is one subscription", async () => {
    const id = await subscribe(ada, browser);
    expect((await subscriptionsOf(ada)).map((one) => one.id)).toEqual([id]);
  });

  test("another member's or tenant's is not there: not to be read, deleted, tested or taken over", async () => {
    const strangers = [await newAgent(owner, [tenant.defaults.workspaceId]), await (await app.tenant()).owner()];
    for (const stranger of strangers) {
      expect(await subscriptionsOf(stranger)).toEqual([]);
      const path = `/api/me/push-subscriptions/${subscriptionId}` as const;
      expect((await stranger.delete(path, 404)).body).toEqual(NOT_FOUND);
      expect((await stranger.post(`${path}/test`, undefined, 404)).body).toEqual(NOT_FOUND);
    }
    // Whoever has learned the endpoint alone cannot take it away.
    await strangers[0]!.post(
      "/api/me/push-subscriptions",
      { ...service.browser().body, endpoint: browser.body.endpoint },
      409,
    );
    await write(await assigned());
    await deliver(app);
    expect(titles()).toEqual(["Ada wrote to you"]);
  });

  test("a browser in which another member signs in is theirs", async () => {
    const grace = await newAgent(owner, [tenant.defaults.workspaceId]);
    const id = await subscribe(grace, browser);
    expect(await subscriptionsOf(grace)).toMatchObject([{ id }]);
    expect(await subscriptionsOf(ada)).toEqual([]);
  });

  test("ten at most, however many come at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => ada.post("/api/me/push-subscriptions", service.browser().body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 9 }, () => 201),
      ...Array.from({ length: 5 }, () => 409),
    ]);
    expect(await subscriptionsOf(ada)).toHaveLength(10);
  });

  test("signing out on the device ends it; signing out elsewhere does not", async () => {
    const email = `grace-${Date.now()}@example.com`;
    await owner.post(
      "/api/members",
      { email, name: "Grace", role: "agent", workspaceIds: [tenant.defaults.workspaceId], password: PASSWORD },
      201,
    );
    const [phone, laptop] = [await app.client().login(email, PASSWORD), await app.client().login(email, PASSWORD)];
    await subscribe(phone, service.browser());
    const kept = await subscribe(laptop, service.browser());
    await phone.post("/api/auth/logout", undefined, 200);
    expect((await subscriptionsOf(laptop)).map((one) => one.id)).toEqual([kept]);
  });

  test("ending the session elsewhere ends it", async () => {
    await owner.delete(`/api/members/${ada.id}/sessions`, 200);
    expect(await rows()).toBe(0);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["an admin ends the sessions", () => owner.delete(`/api/members/${ada.id}/sessions`, 200)],
    [
      "the member ends the others",
      async () => {
        const { email } = (await owner.get("/api/members", 200)).body.find(({ id }) => id === ada.id)!;
        return (await app.client().login(email, PASSWORD)).delete("/api/me/sessions", 200);
      },
    ],
  ])(
    "a session that has only expired is told until %s, and so is whom an external issuer signed in",
    async (_, end) => {
      // A token of such an issuer has no session.
      const external = await subscribe(ada, service.browser());
      await app.db.query("update push_subscription set session_id = null where id = $1", [external]);
      await app.db.query(
        "update member_session set expires_at = now() - interval '1 minute' where id = (select session_id from push_subscription where id = $1)",
        [subscriptionId],
      );
      expect(await rows()).toBe(1);
      await end();
      expect(await rows()).toBe(0);
      expect(await app.db.query("select 1 from push_subscription where id = $1", [external])).toEqual([]);
    },
  );

  test.each(["deactivated", "removed"])("a member who is %s has none", async (how) => {
    await (how === "removed"
      ? owner.delete(`/api/members/${ada.id}`, 200)
      : owner.patch(`/api/members/${ada.id}`, { status: "deactivated" }, 200));
    expect(await rows()).toBe(0);
  });

  const rows = async (): Promise<number> =>
    (await app.db.query("select 1 from push_subscription where id = $1", [subscriptionId])).length;

  test("no key may have any", async () => {
    await tenant.live.get("/api/me/push-subscriptions", 403);
    await tenant.live.post("/api/me/push-subscriptions", browser.body, 403);
  });
});

describe("the notice that a member asks for", () => {
  const path = () => `/api/me/push-subscriptions/${subscriptionId}/test` as const;

  test("comes at once, in quiet hours too", async () => {
    await ada.put(
      "/api/me/preferences",
      { quietHours: { from: timeIn("UTC", -60), to: timeIn("UTC", 60), timeZone: "UTC" } },
      200,
    );
    expect((await ada.post(path(), undefined, 200)).body).toEqual({ error: null });
    expect(browser.arrived.map((one) => one.notice)).toEqual([
      {
        title: "Notices work on this device",
        body: "This is what you asked for.",
        tag: "test",
        path: "/settings/preferences",
      },
    ]);
  });

  test("says if it was refused; a browser that took its permission back is forgotten", async () => {
    browser.answer = { status: 503 };
    expect((await ada.post(path(), undefined, 200)).body).toEqual({
      error: "The push service answered with status 503",
    });
    browser.answer = { status: 410 };
    expect((await ada.post(path(), undefined, 200)).body).toEqual({
      error: expect.stringContaining("allow them there again"),
    });
    await ada.post(path(), undefined, 404);
  });

  test("comes ten times a minute at most", async () => {
    for (let n = 0; n < 10; n++) await ada.post(path(), undefined, 200);
    await ada.post(path(), undefined, 429);
    expect(browser.arrived).toHaveLength(10);
  });
});

describe("where nobody wants notices", () => {
  test("nothing is read: the side is forgotten with its last browser, and known again with the next", async () => {
    const sides = (): Promise<unknown[]> =>
      app.db.query("select 1 from notice_due where tenant_id = $1", [tenant.tenantId]);
    expect(await sides()).toHaveLength(1);
    await ada.delete(`/api/me/push-subscriptions/${subscriptionId}`, 200);
    await notice(app);
    expect(await sides()).toHaveLength(0);
    await subscribe(ada, browser);
    expect(await sides()).toHaveLength(1);
  });
});
