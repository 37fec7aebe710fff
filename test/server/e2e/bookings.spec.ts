import { afterAll, beforeAll, expect, test } from "vitest";
import { calendarFor, sync } from "../calendar/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let calendarId: string;
let connectionId: string;
let hour = 0;
const slot = (long = 1): { startsAt: string; endsAt: string } => ({
  startsAt: new Date(Date.UTC(2030, 0, 1, (hour += 3))).toISOString(),
  endsAt: new Date(Date.UTC(2030, 0, 1, hour + long)).toISOString(),
});
const book = async (more: object = {}, status = 201) =>
  (await owner.post("/api/calendar/bookings", { calendarId, title: "Fitting", ...slot(), ...more }, status)).body;
const all = async (query: string, client = owner) =>
  (await client.get(`/api/calendar/bookings?${query}`, 200)).body.data;

beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ({ calendarId, connectionId } = await calendarFor({
    owner,
    workspaceId: tenant.defaults.workspaceId,
    transaction: (work) => tenant.transaction(tenant.tenantId, work),
  }));
});
afterAll(() => app.close());

test("a booking has its conversation's contact, and is found by calendar, conversation, contact, status and time", async () => {
  const {
    body: { id: conversationId, contactId },
  } = await tenant.live.post(
    "/api/conversations",
    { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
    201,
  );
  const made = await book({ conversationId, description: " two\r\nlines\u0007 ", status: "tentative" });
  expect(made).toMatchObject({
    conversationId,
    contactId,
    workspaceId: tenant.defaults.workspaceId,
    status: "tentative",
    description: " two\nlines ",
    location: null,
    syncStatus: "pending",
    lastError: null,
    conflict: null,
  });
  for (const query of [
    `conversationId=${conversationId}`,
    `contactId=${contactId}`,
    `calendarId=${calendarId}&status=tentative`,
    `workspaceId=${tenant.defaults.workspaceId}&status=tentative&from=${made.startsAt}`,
    `from=${made.startsAt}&to=${made.endsAt}`,
  ]) {
    expect(
      (await all(query)).map(({ id }) => id),
      query,
    ).toEqual([made.id]);
  }
  expect(await all(`to=${made.startsAt}&status=tentative`)).toEqual([]);
});

test("bookings are paged by start time", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push((await book()).id);
  const from = (await owner.get(`/api/calendar/bookings/${ids[0]}`, 200)).body.startsAt;
  const first = (await owner.get(`/api/calendar/bookings?from=${from}&limit=3`, 200)).body;
  const second = (
    await owner.get(`/api/calendar/bookings?from=${from}&limit=3&cursor=${encodeURIComponent(first.nextCursor!)}`, 200)
  ).body;
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
});

test("invalid, reversed and overlong times are refused", async () => {
  const { startsAt, endsAt } = slot();
  expect((await book({ startsAt: endsAt, endsAt: startsAt }, 400)).error).toContain("endsAt must be after startsAt");
  await book({ startsAt, endsAt: startsAt }, 400);
  await book({ startsAt: "2030-02-30T00:00:00Z" }, 400);
  await book({ startsAt: "2030-01-01T00:00:00Z", endsAt: "2030-02-02T00:00:01Z" }, 400);
  await owner.get("/api/calendar/free-busy?from=2030-01-01&to=2030-03-10", 400);
  await owner.get("/api/calendar/free-busy?from=2030-01-02&to=2030-01-01", 400);
});

test("a busy time is refused for a new and a moved booking; force books it, and cancelling frees it", async () => {
  const time = slot();
  const made = await book(time);
  expect((await book(time, 409)).error).toContain("busy");
  await book({ startsAt: time.endsAt, endsAt: new Date(Date.parse(time.endsAt) + 3_600_000).toISOString() });
  const other = await book();
  await owner.patch(`/api/calendar/bookings/${other.id}`, time, 409);
  await owner.patch(`/api/calendar/bookings/${other.id}`, { ...time, force: true }, 200);
  await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "Still there" }, 200);
  await owner.patch(`/api/calendar/bookings/${other.id}`, { status: "cancelled" }, 200);
  await owner.patch(`/api/calendar/bookings/${made.id}`, { status: "cancelled" }, 200);
  await book(time);
  await owner.patch(`/api/calendar/bookings/${made.id}`, { status: "confirmed" }, 409);
});

test("busy times do not overlap and stay within the requested range", async () => {
  const time = slot(2);
  await book(time);
  const middle = new Date(Date.parse(time.startsAt) + 3_600_000).toISOString();
  const later = new Date(Date.parse(time.endsAt) + 3_600_000).toISOString();
  await book({ startsAt: middle, endsAt: later, force: true });
  const { body } = await owner.get(
    `/api/calendar/free-busy?workspaceId=${tenant.defaults.workspaceId}&from=${middle}&to=2030-12-01`,
    400,
  );
  expect(body.error).toContain("62 days");
  const {
    body: {
      calendars: [calendar],
    },
  } = await owner.get(`/api/calendar/free-busy?calendarId=${calendarId}&from=${middle}&to=${later}`, 200);
  expect(calendar).toEqual({
    calendarId,
    timezone: "Europe/Berlin",
    knownUntil: null,
    unreadableEvents: 0,
    busy: [{ startsAt: middle, endsAt: later }],
  });
});

test("a POST repeated with its Idempotency-Key books once", async () => {
  const body = { calendarId, title: "Once", ...slot() };
  const headers = { "idempotency-key": "once" };
  const answers = await Promise.all([1, 2, 3].map(() => owner.post("/api/calendar/bookings", body, 201, { headers })));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
});

test("agents can book in their workspaces but cannot connect calendars, observers can read, and a key needs the scope", async () => {
  const { workspaceId } = tenant.defaults;
  const sign = async (role: string): Promise<Client> => {
    const email = `${role}-${Math.random()}@example.com`;
    await owner.post(
      "/api/members",
      { email, name: role, role, workspaceIds: [workspaceId], password: "correct horse battery" },
      201,
    );
    return app.client().login(email, "correct horse battery");
  };
  const [agent, observer] = [await sign("agent"), await sign("observer")];
  const {
    body: { id },
  } = await agent.post("/api/calendar/bookings", { calendarId, title: "x", ...slot() }, 201);
  await agent.patch(`/api/calendar/bookings/${id}`, { status: "completed" }, 200);
  await agent.post(
    "/api/calendar/connections",
    { workspaceId, serverUrl: "https://calendar.invalid", username: "a", password: "b" },
    403,
  );
  await agent.patch(`/api/calendar/connections/${connectionId}`, { accountEmail: null }, 403);
  await agent.delete(`/api/calendar/connections/${connectionId}`, 403);
  await observer.get(`/api/calendar/bookings/${id}`, 200);
  await observer.patch(`/api/calendar/bookings/${id}`, { title: "y" }, 403);
  const reader = await keyFor(owner, { scopes: ["calendar:read"] });
  await reader.get(`/api/calendar/bookings/${id}`, 200);
  await reader.post("/api/calendar/bookings", { calendarId, title: "x", ...slot() }, 403);
});

test("the test side has a calendar from the start, stores bookings in it, and calls no server", async () => {
  const testOwner = await tenant.owner("test");
  const { body: connection } = await testOwner.post(
    "/api/calendar/connections",
    {
      workspaceId: tenant.testDefaults.workspaceId,
      serverUrl: "https://calendar.invalid",
      username: "desk@example.com",
      password: "x",
    },
    201,
  );
  expect(connection).toMatchObject({
    status: "connected",
    accountEmail: "desk@example.com",
    credentialFingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  const {
    body: [calendar],
  } = await testOwner.get(`/api/calendar/connections/${connection.id}/calendars`, 200);
  const { body: booking } = await testOwner.post(
    "/api/calendar/bookings",
    { calendarId: calendar!.id, title: "x", ...slot() },
    201,
  );
  expect(booking).toMatchObject({ syncStatus: "synced" });
  expect((await testOwner.patch(`/api/calendar/bookings/${booking.id}`, { title: "y" }, 200)).body).toMatchObject({
    syncStatus: "synced",
  });
  expect(await app.db.query("select 1 from calendar_due where connection_id = $1", [connection.id])).toEqual([]);
});

test("a server URL that is internal, without TLS or with credentials is refused or not called, and reveals nothing", async () => {
  const connect = async (serverUrl: string, status: number) =>
    (
      await owner.post(
        "/api/calendar/connections",
        { workspaceId: tenant.defaults.workspaceId, serverUrl, username: "a", password: "b" },
        status,
      )
    ).body;
  for (const url of [
    "http://calendar.example.com/",
    "https://user:pass@calendar.example.com/",
    "ftp://calendar.example.com/",
    "https://calendar.example.com/?x=1",
    "calendar",
  ])
    expect((await connect(url, 400)).error, url).toContain("serverUrl");
  const { id } = await connect("https://169.254.169.254/", 201);
  await sync(app);
  expect((await owner.get(`/api/calendar/connections/${id}`, 200)).body).toMatchObject({
    lastError: "The host has no public address",
  });
});

test("a person's export contains their bookings", async () => {
  const {
    body: { id: conversationId, contactId },
  } = await tenant.live.post(
    "/api/conversations",
    { workspaceId: tenant.defaults.workspaceId, contact: { name: "Grace" } },
    201,
  );
  const made = await book({ conversationId });
  const archive = Buffer.from(
    await (
      await fetch(`${app.baseUrl}/api/contacts/${contactId}/export`, {
        headers: { authorization: `Bearer ${owner.token}` },
      })
    ).arrayBuffer(),
  );
  expect(archive.toString()).toContain(`"bookings":[{"id":"${made.id}"`);
});

test("an archived workspace refuses bookings, and its calendars are not synced", async () => {
  const {
    body: { id: workspaceId },
  } = await owner.post("/api/workspaces", { name: "Archived", brandId: tenant.defaults.brandId }, 201);
  const made = await calendarFor({
    owner,
    workspaceId,
    transaction: (work) => tenant.transaction(tenant.tenantId, work),
  });
  const booking = await book({ calendarId: made.calendarId });
  await owner.patch(`/api/workspaces/${workspaceId}`, { status: "archived" }, 200);
  await book({ calendarId: made.calendarId }, 409);
  await owner.patch(`/api/calendar/bookings/${booking.id}`, { title: "x" }, 409);
  await sync(app);
  expect((await owner.get(`/api/calendar/connections/${made.connectionId}`, 200)).body).toMatchObject({
    lastError: null,
  });
  await owner.delete(`/api/calendar/connections/${made.connectionId}`, 200);
});
