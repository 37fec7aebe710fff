import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { freshDatabase, type TestDatabase, connect } from "../../support/database.js";
import { aTime, start, walk } from "./support.js";

// The server and the database run in time zones other than UTC, because no time may depend on them.
const PLACE = { server: "Asia/Tokyo", database: "America/St_Johns" };

let app: TestApp;
let db: TestDatabase;
let tenant: TestTenant;
let began: number;
const zone = process.env.TZ;
beforeAll(async () => {
  process.env.TZ = PLACE.server;
  db = await freshDatabase();
  await db.query(
    `do $$ begin execute format('alter database %I set timezone = ''${PLACE.database}''', current_database()); end $$`,
  );
  began = Date.now();
  app = await startApp({}, db);
  tenant = await app.tenant();
});
afterAll(async () => {
  await app.close();
  await db.drop();
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const message = async (occurredAt: string) => {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  return (await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello", occurredAt }, 201)).body;
};
const entry = async (validUntil: string) =>
  (
    await tenant.live.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`,
      { question: "Q", answer: "A", validUntil },
      201,
    )
  ).body;

test("the test runs in the expected time zones", async () => {
  expect(new Date(0).getHours()).toBe(9);
  const client = await connect(db.url);
  expect((await client.query("show timezone")).rows).toEqual([{ TimeZone: PLACE.database }]);
  await client.end();
});

describe("a time in a request", () => {
  const given = [
    ["2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000Z"],
    ["2024-05-01T12:00:00.123Z", "2024-05-01T12:00:00.123Z"],
    ["2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00.000Z"],
    ["2024-05-01T12:00:00-03:30", "2024-05-01T15:30:00.000Z"],
    // Without an offset, a time is UTC.
    ["2024-05-01T12:00:00", "2024-05-01T12:00:00.000Z"],
    ["2024-05-01", "2024-05-01T00:00:00.000Z"],
  ] as const;
  test.each(given)("as %s is %s, in every field and parameter", async (text, instant) => {
    expect((await message(text)).occurredAt).toBe(instant);
    expect((await entry(text)).validUntil).toBe(instant);
  });

  test("filters the list from that instant on", async () => {
    const { live, defaults } = await app.tenant();
    const { id } = await start(live, defaults.workspaceId);
    await db.query(`update conversation set last_activity_at = '2024-05-01T12:00:00Z' where id = $1`, [id]);
    const found = async (since: string): Promise<number> =>
      (await live.get(`/api/conversations?updatedSince=${encodeURIComponent(since)}`, 200)).body.data.length;
    for (const since of ["2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00", "2024-05-01T12:00:00", "2024-05-01"])
      expect(await found(since), since).toBe(1);
    for (const since of [
      "2024-05-01T12:00:00.001Z",
      "2024-05-01T12:00:00-00:01",
      "2024-05-01T12:00:00.001",
      "2024-05-02",
    ])
      expect(await found(since), since).toBe(0);
  });

  test("expires a key at that instant", async () => {
    const owner = await tenant.owner();
    for (const [text, instant] of [
      ["2999-05-01T12:00:00+02:00", "2999-05-01T10:00:00.000Z"],
      ["2999-05-01T12:00:00", "2999-05-01T12:00:00.000Z"],
    ] as const) {
      const { id } = await keyFor(owner, { expiresAt: text });
      const { body: keys } = await owner.get("/api/api-keys", 200);
      expect(keys.find((key) => key.id === id)!.expiresAt).toBe(instant);
    }
  });
});

test("times from the server are current, in UTC with milliseconds", async () => {
  const conversation = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello" } });
  const sent = (await walk(tenant.live, `/api/conversations/${conversation.id}/messages`))[0]!;
  const { lastActivityAt, waitingSince, createdAt, updatedAt } = conversation;
  for (const time of [lastActivityAt, waitingSince, createdAt, updatedAt, sent.occurredAt, sent.createdAt]) {
    expect(time).toEqual(aTime);
    expect(Date.parse(time as string)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(time as string)).toBeLessThanOrEqual(Date.now());
  }
});
