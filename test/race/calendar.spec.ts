import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { calendarFor } from "../calendar/support.js";
import { atOnce, on, startTwo, tally, type TwoNodes } from "./support.js";

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
const slot = (n: number): { startsAt: string; endsAt: string } => ({
  startsAt: new Date(Date.UTC(2027, 0, 1, n)).toISOString(),
  endsAt: new Date(Date.UTC(2027, 0, 1, n + 1)).toISOString(),
});

test("of twenty at once for one time in one calendar, over two nodes, one has it", async () => {
  for (let round = 0; round < 5; round++) {
    const answers = await atOnce(20, (n) =>
      node(n).post("/api/calendar/bookings", { calendarId, title: `${n}`, ...slot(round * 2) }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 19 });
  }
});

test("of ten bookings that are moved at once to one time, one gets there", async () => {
  const ids = await atOnce(
    10,
    async (n) =>
      (await owner.post("/api/calendar/bookings", { calendarId, title: `${n}`, ...slot(100 + n) }, 201)).body
        .id as string,
  );
  const answers = await atOnce(10, (n) => node(n).patch(`/api/calendar/bookings/${ids[n]}`, slot(200)));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 9 });
});

test("two operators who change different fields at once both have theirs", async () => {
  const {
    body: { id },
  } = await owner.post("/api/calendar/bookings", { calendarId, title: "x", ...slot(300) }, 201);
  for (let round = 0; round < 10; round++) {
    await atOnce(2, (n) =>
      node(n).patch(`/api/calendar/bookings/${id}`, n ? { title: `t${round}` } : { location: `l${round}` }, 200),
    );
    expect((await owner.get(`/api/calendar/bookings/${id}`, 200)).body).toMatchObject({
      title: `t${round}`,
      location: `l${round}`,
    });
  }
});

test("a booking that is made for a person while the person is erased keeps nothing of them", async () => {
  for (let round = 0; round < 6; round++) {
    const needle = `needle${randomUUID().slice(0, 8)}`;
    const {
      body: { id: conversationId, contactId },
    } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
      201,
    );
    const answers = await atOnce(6, (n) =>
      n === 3
        ? node(n).post(`/api/contacts/${contactId}/erasure`)
        : node(n).post("/api/calendar/bookings", {
            calendarId,
            title: needle,
            ...slot(400 + round * 10 + n),
            ...(n % 2 ? { contactId } : { conversationId }),
          }),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([]);
    expect(await two.a.db.query("select 1 from booking where title = $1", [needle])).toEqual([]);
  }
});

test("a merge takes the bookings along, whoever books meanwhile", async () => {
  const [one, other] = await atOnce(
    2,
    async () =>
      (
        await tenant.live.post(
          "/api/conversations",
          { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
          201,
        )
      ).body.contactId as string,
  );
  const answers = await atOnce(8, (n) =>
    n === 4
      ? node(n).post(`/api/contacts/${one}/merge`, { sourceContactId: other })
      : node(n).post("/api/calendar/bookings", { calendarId, title: "x", contactId: other, ...slot(500 + n) }),
  );
  expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
  expect(await two.a.db.query("select 1 from booking where contact_id = $1", [other])).toEqual([]);
});

test("who disconnects at once is told so once, and no booking is made after", async () => {
  const answers = await atOnce(10, (n) =>
    n < 4
      ? node(n).delete(`/api/calendar/connections/${connectionId}`)
      : node(n).post("/api/calendar/bookings", { calendarId, title: "x", ...slot(600 + n) }),
  );
  expect(tally(answers.slice(0, 4).map(({ status }) => status))).toEqual({ 200: 1, 404: 3 });
  expect(
    answers
      .slice(4)
      .map(({ status }) => status)
      .filter((status) => ![201, 404].includes(status)),
  ).toEqual([]);
  expect(await two.a.db.query("select 1 from calendar_write")).toEqual([]);
});
