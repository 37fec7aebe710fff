import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestTenant } from "../support/app.js";
import type { Answer, Client } from "../support/client.js";
import { calendarFor } from "../server/calendar/support.js";
import { newWorkspace } from "../server/e2e/support.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, tally, type TwoNodes, untilWaiting } from "./support.js";
import { connect } from "../support/database.js";

let two: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let calendarId: string;
let connectionId: string;
beforeAll(async () => {
  two = await startTwo();
  tenant = await two.a.tenant();
  owner = await tenant.owner();
  ({ calendarId, connectionId } = await calendarFor({
    owner,
    workspaceId: tenant.defaults.workspaceId,
    transaction: (work) => tenant.transaction(tenant.tenantId, work),
  }));
});
afterAll(() => two.close());
const node = (n: number): Client => on([two.a, two.b][n % 2]!, owner);
const book = (client: Client, n: number, body: object) =>
  client.post("/api/calendar/bookings", { calendarId, title: "x", ...slot(n), ...body });
const slot = (n: number): { startsAt: string; endsAt: string } => ({
  startsAt: new Date(Date.UTC(2027, 0, 1, n)).toISOString(),
  endsAt: new Date(Date.UTC(2027, 0, 1, n + 1)).toISOString(),
});

test("one of twelve concurrent bookings of the same time on two nodes succeeds", async () => {
  for (let round = 0; round < runs(2, 5); round++) {
    const answers = await concurrently(12, (n) =>
      node(n).post("/api/calendar/bookings", { calendarId, title: `${n}`, ...slot(round * 2) }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 11 });
  }
});

test("a workspace has at most 50 calendar connections, however many are made concurrently; a removed one leaves a place", async () => {
  const { id: workspaceId } = await newWorkspace(owner, tenant.defaults.brandId);
  const add = (n: number) =>
    node(n).post("/api/calendar/connections", {
      ...{ workspaceId, username: `user${n}`, password: "a password" },
      serverUrl: "https://calendar.example.com",
    });
  const made = await concurrently(45, add);
  expect(tally(made.map(({ status }) => status))).toEqual({ 201: 45 });
  const more = await concurrently(12, (n) => add(n + 100));
  expect(tally(more.map(({ status }) => status))).toEqual({ 201: 5, 409: 7 });
  expect(more.find(({ status }) => status === 409)!.body.error).toBe("A workspace has at most 50 calendar connections");
  await owner.delete(`/api/calendar/connections/${made[0]!.body.id}`, 200);
  expect((await concurrently(4, (n) => add(n + 200))).filter(({ status }) => status === 201)).toHaveLength(1);
});

test("one of ten bookings moved concurrently to the same time succeeds", async () => {
  const ids = await concurrently(
    10,
    async (n) =>
      (await owner.post("/api/calendar/bookings", { calendarId, title: `${n}`, ...slot(100 + n) }, 201)).body.id,
  );
  const answers = await concurrently(10, (n) => node(n).patch(`/api/calendar/bookings/${ids[n]}`, slot(200)));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 9 });
});

test("two concurrent changes of different fields are both kept", async () => {
  const {
    body: { id },
  } = await owner.post("/api/calendar/bookings", { calendarId, title: "x", ...slot(300) }, 201);
  for (let round = 0; round < runs(4, 10); round++) {
    await concurrently(2, (n) =>
      node(n).patch(`/api/calendar/bookings/${id}`, n ? { title: `t${round}` } : { location: `l${round}` }, 200),
    );
    expect((await owner.get(`/api/calendar/bookings/${id}`, 200)).body).toMatchObject({
      title: `t${round}`,
      location: `l${round}`,
    });
  }
});

test("a booking made during its person's erasure keeps none of their data", async () => {
  let booked = 0;
  // In a round the erasure may come first. Some booking has to come before one.
  for (let round = 0; round < runs(3, 6) || (booked === 0 && round < 20); round++) {
    const needle = `needle${randomUUID().slice(0, 8)}`;
    const {
      body: { id: conversationId, contactId },
    } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
      201,
    );
    const named = () => two.a.db.query("select 1 from booking where title = $1", [needle]);
    expect((await book(owner, 400 + round * 10, { title: needle, contactId })).status).toBe(201);
    expect(await named()).toHaveLength(1);
    const statuses = await concurrently(6, async (n) =>
      n === 3
        ? (await node(n).post(`/api/contacts/${contactId}/erasure`)).status
        : (
            await book(node(n), 401 + round * 10 + n, {
              title: needle,
              ...(n % 2 ? { contactId } : { conversationId }),
            })
          ).status,
    );
    expect(statuses.splice(3, 1)).toEqual([200]);
    expect(statuses.filter((status) => ![201, 404, 409].includes(status))).toEqual([]);
    booked += statuses.filter((status) => status === 201).length;
    expect(await named()).toEqual([]);
  }
  expect(booked).toBeGreaterThan(0);
});

test("a merge moves the contact's bookings to the survivor, including bookings in progress", async () => {
  const [one, other] = await concurrently(
    2,
    async () =>
      (
        await tenant.live.post(
          "/api/conversations",
          { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
          201,
        )
      ).body.contactId,
  );
  expect((await book(owner, 500, { contactId: other })).status).toBe(201);
  const statuses = await concurrently(8, async (n) =>
    n === 4
      ? (await node(n).post(`/api/contacts/${one}/merge`, { sourceContactId: other })).status
      : (await book(node(n), 501 + n, { contactId: other })).status,
  );
  expect(statuses.splice(4, 1)).toEqual([200]);
  const { 201: booked = 0, 409: refused = 0 } = tally(statuses);
  expect(booked + refused).toBe(7);
  const of = (contactId: string | undefined) =>
    two.a.db.query("select 1 from booking where contact_id = $1", [contactId]);
  expect([(await of(one)).length, (await of(other)).length]).toEqual([1 + booked, 0]);
});

test("disconnecting waits for a booking in progress", async () => {
  const fresh = await calendarFor({
    owner,
    workspaceId: tenant.defaults.workspaceId,
    transaction: (work) => tenant.transaction(tenant.tenantId, work),
  });
  const other = await connect(two.a.db.url);
  try {
    await other.query("begin");
    await other.query("select from calendar where id = $1 for update", [fresh.calendarId]);
    const booked = book(node(0), 700, { calendarId: fresh.calendarId });
    await untilWaiting(two.a.db, 1);
    const disconnected = node(1).delete(`/api/calendar/connections/${fresh.connectionId}`);
    await untilWaiting(two.a.db, 2);
    await other.query("commit");
    expect([(await booked).status, (await disconnected).status]).toEqual([201, 200]);
  } finally {
    await other.end();
  }
});

test("a connection is disconnected once, and no booking made meanwhile is still queued for the calendar", async () => {
  expect((await book(owner, 600, {})).status).toBe(201);
  expect(await two.a.db.query("select 1 from calendar_write")).not.toEqual([]);
  const answers = await concurrently<Answer>(10, (n) =>
    n < 4 ? node(n).delete(`/api/calendar/connections/${connectionId}`) : book(node(n), 601 + n, {}),
  );
  expect(tally(answers.slice(0, 4).map(({ status }) => status))).toEqual({ 200: 1, 404: 3 });
  expect(
    answers
      .slice(4)
      .map(({ status }) => status)
      .filter((status) => ![201, 404].includes(status)),
  ).toEqual([]);
  expect(await two.a.db.query("select 1 from calendar_write")).toEqual([]);
  expect((await book(owner, 650, {})).status).toBe(404);
});
