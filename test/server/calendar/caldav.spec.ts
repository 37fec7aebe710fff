import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTwo, tablesWith, type TwoNodes } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { PASSWORD, RADICALE, type Radicale, startPlain, startRadicale, WITHOUT_RADICALE } from "./radicale.js";
import { connect, ics, inHours, line, stamp, sync } from "./support.js";

let server: Radicale;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let path: string;
let calendarId: string;
let connectionId: string;
let hour = 24;

const book = async (more: object = {}, client = owner) =>
  (await client.post("/api/calendar/bookings", { calendarId, title: "Fitting", ...inHours((hour += 2)), ...more }, 201))
    .body;
const read = async (id: string) => (await owner.get(`/api/calendar/bookings/${id}`, 200)).body;
const event = async (id: string): Promise<{ path: string; ics: string } | undefined> =>
  (await server.events(path)).find((one) => one.ics.includes(`UID:${id}@parley`));
const status = async () => (await owner.get(`/api/calendar/connections/${connectionId}`, 200)).body;
const busy = async (from: string, to: string) =>
  (await owner.get(`/api/calendar/free-busy?calendarId=${calendarId}&from=${from}&to=${to}`, 200)).body.calendars[0]!
    .busy;
const put = async (uid: string, lines: readonly string[]): Promise<void> =>
  expect(
    (await server.send("PUT", `${path}${uid}.ics`, ics(uid, lines), { "content-type": "text/calendar" })).status,
  ).toBe(201);

/** When the clocks of Berlin change next in this month, counted from 0: on its last Sunday at one o'clock UTC. */
function clocksChange(month: number): number {
  for (let year = new Date().getUTCFullYear(); ; year++) {
    const last = new Date(Date.UTC(year, month + 1, 0, 1));
    const change = last.getTime() - last.getUTCDay() * 86_400_000;
    if (change > Date.now() + 86_400_000) return change;
  }
}

describe.skipIf(!RADICALE)(`a calendar${WITHOUT_RADICALE}`, () => {
  beforeAll(async () => {
    server = await startRadicale();
    path = await server.calendar("work");
    nodes = await startTwo({ OUTBOUND_ALLOW: [`127.0.0.1:${server.port}`] });
    app = nodes.a;
    tenant = await app.tenant();
    owner = await tenant.owner();
    ({ calendarId, connectionId } = await connect(app, tenant, owner, server.port, path));
  });
  afterAll(async () => {
    await nodes?.close();
    await server?.close();
  });

  test("is found from the server's address alone, with its name and its time zone", async () => {
    expect((await owner.get(`/api/calendar/connections/${connectionId}/calendars`, 200)).body).toMatchObject([
      {
        id: calendarId,
        connectionId,
        name: "work",
        timezone: "Europe/Berlin",
        primary: true,
        writable: true,
        available: true,
        unreadableEvents: 0,
        knownUntil: expect.any(String),
      },
    ]);
    expect(await status()).toMatchObject({ status: "connected", lastError: null, lastSyncedAt: expect.any(String) });
  });

  test("with a name that is cut off within a character is found all the same", async () => {
    const long = await server.calendar("long");
    const name = `${"x".repeat(199)}😀`;
    const update = `<?xml version="1.0"?><propertyupdate xmlns="DAV:"><set><prop><displayname>${name}</displayname></prop></set></propertyupdate>`;
    expect((await server.send("PROPPATCH", long, update)).status).toBe(207);
    const other = await connect(app, tenant, owner, server.port, long);
    await owner.delete(`/api/calendar/connections/${other.connectionId}`, 200);
    await server.send("DELETE", long);
  });

  test("gets the booking of a conversation, with its texts, in the calendar's time zone", async () => {
    const { body: conversation } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
      201,
    );
    const made = await book({
      conversationId: conversation.id,
      title: "Fitting; Ada, née Byron",
      description: 'Bring:\n- the dress\n- "shoes"',
      location: "Shop",
    });
    expect(made).toMatchObject({
      contactId: conversation.contactId,
      conversationId: conversation.id,
      status: "confirmed",
      syncStatus: "pending",
    });
    await sync(app);
    const there = (await event(made.id))!;
    expect(line(there.ics, "SUMMARY")).toBe("SUMMARY:Fitting\\; Ada\\, née Byron");
    expect(line(there.ics, "DTSTART")).toMatch(/^DTSTART;TZID=Europe\/Berlin:/);
    expect(there.ics).toContain("BEGIN:VTIMEZONE");
    expect(await read(made.id)).toMatchObject({ syncStatus: "synced", lastError: null });
    await sync(app);
    expect(await read(made.id)).toEqual({ ...made, syncStatus: "synced" });
  });

  test("and a booking follow each other's changes: moved there, renamed here, cancelled there", async () => {
    const made = await book();
    await sync(app);
    const later = inHours((hour += 2));
    const there = (await event(made.id))!;
    await server.edit(there.path, (text) =>
      text
        .replace(/DTSTART;[^\n]*\n/, `DTSTART:${stamp(later.startsAt)}\r\n`)
        .replace(/DTEND[^\n]*\n/, `DTEND:${stamp(later.endsAt)}\r\n`),
    );
    await sync(app);
    expect(await read(made.id)).toMatchObject({ ...later, title: "Fitting", syncStatus: "synced", conflict: null });
    await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "Second fitting" }, 200);
    await sync(app);
    expect(line((await event(made.id))!.ics, "SUMMARY")).toBe("SUMMARY:Second fitting");
    expect(line((await event(made.id))!.ics, "DTSTART")).toBe(`DTSTART:${stamp(later.startsAt)}`);
    await server.edit(there.path, (text) => text.replace(/STATUS:CONFIRMED/, "STATUS:CANCELLED"));
    await sync(app);
    expect(await read(made.id)).toMatchObject({ status: "cancelled", title: "Second fitting", syncStatus: "synced" });
    expect(await busy(later.startsAt, later.endsAt)).toEqual([]);
  });

  test("whose event is deleted cancels the booking, and gets a new event when it is confirmed again", async () => {
    const made = await book();
    await sync(app);
    expect((await server.send("DELETE", (await event(made.id))!.path)).status).toBe(200);
    await sync(app);
    expect(await read(made.id)).toMatchObject({ status: "cancelled", syncStatus: "synced" });
    await owner.patch(`/api/calendar/bookings/${made.id}`, { status: "confirmed" }, 200);
    await sync(app);
    expect(await read(made.id)).toMatchObject({ status: "confirmed", syncStatus: "synced" });
    expect(await event(made.id)).toBeTruthy();
  });

  test("gets a cancellation, but not whether an appointment took place", async () => {
    const [one, two] = [await book(), await book()];
    await sync(app);
    await owner.patch(`/api/calendar/bookings/${one.id}`, { status: "cancelled" }, 200);
    await owner.patch(`/api/calendar/bookings/${two.id}`, { status: "no_show" }, 200);
    await sync(app);
    expect(line((await event(one.id))!.ics, "STATUS")).toBe("STATUS:CANCELLED");
    expect(line((await event(two.id))!.ics, "STATUS")).toBe("STATUS:CONFIRMED");
    await server.edit((await event(two.id))!.path, (text) => text.replace(/STATUS:CONFIRMED/, "STATUS:CANCELLED"));
    await sync(app);
    expect(await read(two.id)).toMatchObject({ status: "no_show", syncStatus: "synced" });
  });

  test("keeps what other programs add to the event: guests, alarms, colours", async () => {
    const made = await book();
    await sync(app);
    const there = (await event(made.id))!;
    await server.edit(there.path, (text) =>
      text.replace(
        /END:VEVENT/,
        "ATTENDEE;CN=Grace:mailto:grace@example.org\r\nCOLOR:tomato\r\nX-OTHERS-OWN:kept\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:soon\r\nEND:VALARM\r\nEND:VEVENT",
      ),
    );
    await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "Renamed", ...inHours((hour += 2)) }, 200);
    await sync(app);
    const { ics: after } = (await event(made.id))!;
    for (const kept of [
      "mailto:grace@example.org",
      "COLOR:tomato",
      "X-OTHERS-OWN:kept",
      "TRIGGER:-PT15M",
      "SUMMARY:Renamed",
    ])
      expect(after).toContain(kept);
    expect(line(after, "SEQUENCE")).toBe("SEQUENCE:1");
  });

  test("and a booking that change at the same time keep both changes; for the same field ours wins, with a conflict", async () => {
    const made = await book();
    await sync(app);
    await server.edit((await event(made.id))!.path, (text) =>
      text.replace(/SUMMARY:[^\n]*/, "SUMMARY:Theirs\r\nLOCATION:Theirs"),
    );
    await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "Ours", description: "Ours" }, 200);
    await sync(app);
    expect(await read(made.id)).toMatchObject({
      title: "Ours",
      description: "Ours",
      location: "Theirs",
      syncStatus: "synced",
      conflict: { fields: ["title"], theirs: { title: "Theirs" }, at: expect.any(String) },
    });
    const { ics: there } = (await event(made.id))!;
    expect([line(there, "SUMMARY"), line(there, "DESCRIPTION"), line(there, "LOCATION")]).toEqual([
      "SUMMARY:Ours",
      "DESCRIPTION:Ours",
      "LOCATION:Theirs",
    ]);
  });

  test("that moves an event to another calendar of the account moves the booking", async () => {
    const other = await server.calendar("second");
    await app.db.query(`update calendar_connection set discovered_at = null`);
    await sync(app);
    const made = await book();
    await sync(app);
    const there = (await event(made.id))!;
    expect(
      (await server.send("MOVE", there.path, undefined, { destination: `${server.url}${other}moved.ics` })).status,
    ).toBe(201);
    await sync(app);
    const [second] = await app.db.query<{ id: string }>(`select id from calendar where name = 'second'`);
    expect(await read(made.id)).toMatchObject({ status: "confirmed", calendarId: second!.id, syncStatus: "synced" });
    await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "Moved" }, 200);
    await sync(app);
    expect((await server.send("GET", `${other}moved.ics`)).text).toContain("SUMMARY:Moved");
  });

  test("shows when other people's events make it busy, and stores none of their texts", async () => {
    const needle = `secret-${randomUUID()}`;
    const [once, series, free, day] = [
      inHours((hour += 2)),
      inHours((hour += 2)),
      inHours((hour += 2)),
      new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10),
    ];
    await put(`${needle}-1`, [
      `SUMMARY:${needle} again`,
      `DTSTART:${stamp(once.startsAt)}`,
      `DTEND:${stamp(once.endsAt)}`,
    ]);
    await put("2", [
      `SUMMARY:${needle} again`,
      `DTSTART:${stamp(series.startsAt)}`,
      "DURATION:PT30M",
      "RRULE:FREQ=WEEKLY;COUNT=3",
    ]);
    await put("3", [
      `SUMMARY:${needle} again`,
      "TRANSP:TRANSPARENT",
      `DTSTART:${stamp(free.startsAt)}`,
      `DTEND:${stamp(free.endsAt)}`,
    ]);
    await put("4", [`SUMMARY:${needle} again`, `DTSTART;VALUE=DATE:${day.replaceAll("-", "")}`]);
    await put("5", [`SUMMARY:${needle} again`, `DTSTART;TZID=Atlantis/Capital:${stamp(free.startsAt).slice(0, -1)}`]);
    await sync(app);
    expect(await busy(once.startsAt, once.endsAt)).toEqual([once]);
    const weekLater = (at: string, minutes = 0): string =>
      new Date(Date.parse(at) + 14 * 86_400_000 + minutes * 60_000).toISOString();
    expect(await busy(weekLater(series.startsAt), weekLater(series.endsAt))).toEqual([
      { startsAt: weekLater(series.startsAt), endsAt: weekLater(series.startsAt, 30) },
    ]);
    expect(await busy(free.startsAt, free.endsAt)).toEqual([]);
    const berlin = (date: string): string =>
      new Date(
        Date.parse(`${date}T00:00Z`) -
          Number(
            new Intl.DateTimeFormat("en", { timeZone: "Europe/Berlin", timeZoneName: "longOffset" })
              .format(new Date(date))
              .slice(-4, -3),
          ) *
            3_600_000,
      ).toISOString();
    expect(await busy(`${day}T06:00Z`, `${day}T07:00Z`)).toEqual([
      { startsAt: `${day}T06:00:00.000Z`, endsAt: `${day}T07:00:00.000Z` },
    ]);
    expect(
      (await busy(new Date(Date.parse(berlin(day)) - 3_600_000).toISOString(), `${day}T06:00Z`))[0]!.startsAt,
    ).toBe(berlin(day));
    expect(
      (await owner.get(`/api/calendar/connections/${connectionId}/calendars`, 200)).body.find(
        (one) => one.id === calendarId,
      )!.unreadableEvents,
    ).toBe(1);
    expect(await tablesWith(app.db, needle)).toEqual({});
    expect((await owner.post("/api/calendar/bookings", { calendarId, title: "x", ...once }, 409)).body.error).toContain(
      "busy",
    );
    await owner.post("/api/calendar/bookings", { calendarId, title: "x", ...once, force: true }, 201);
    await server.send("DELETE", `${path}2.ics`);
    await sync(app);
    expect(await busy(weekLater(series.startsAt), weekLater(series.endsAt))).toEqual([]);
  });

  test("is no longer the primary one after the server has removed it", async () => {
    const gone = await server.calendar("gone");
    const other = await connect(app, tenant, owner, server.port, gone);
    const primary = async () =>
      (await owner.get(`/api/calendar/connections/${other.connectionId}/calendars`, 200)).body.filter(
        (one) => one.primary,
      );
    await app.db.query("update calendar set is_primary = (id = $1) where connection_id = $2", [
      other.calendarId,
      other.connectionId,
    ]);
    await server.send("DELETE", gone);
    // First it is read, as every minute. The calendars of an account are listed once in an hour.
    await sync(app);
    expect(await primary()).toMatchObject([{ id: other.calendarId, available: false }]);
    await app.db.query("update calendar_connection set discovered_at = null where id = $1", [other.connectionId]);
    await sync(app);
    expect(await primary()).toMatchObject([{ available: true }]);
    await owner.delete(`/api/calendar/connections/${other.connectionId}`, 200);
  });

  test("with an event that ends in the year 10000 is read on, and is busy until then", async () => {
    const place = await server.calendar("west", "America/New_York");
    const west = await connect(app, tenant, owner, server.port, place);
    const connection = async () => (await owner.get(`/api/calendar/connections/${west.connectionId}`, 200)).body;
    const from = inHours(48);
    // By the clock of the calendar, which is behind UTC.
    const endless = [`DTSTART:${stamp(inHours(24).startsAt).slice(0, -1)}`, "DTEND:99991231T235959"];
    expect((await server.send("PUT", `${place}endless.ics`, ics("endless", endless))).status).toBe(201);
    const fitting = { calendarId: west.calendarId, title: "Fitting", ...inHours(30), force: true };
    const made = (await owner.post("/api/calendar/bookings", fitting, 201)).body;
    await sync(app);
    expect(await connection()).toMatchObject({ status: "connected", lastError: null });
    expect(await read(made.id)).toMatchObject({ syncStatus: "synced" });
    const times = `calendarId=${west.calendarId}&from=${from.startsAt}&to=${from.endsAt}`;
    expect((await owner.get(`/api/calendar/free-busy?${times}`, 200)).body.calendars[0]!.busy).toEqual([from]);
    const { path: own } = (await server.events(place)).find((one) => one.ics.includes(`UID:${made.id}@parley`))!;
    await server.edit(own, (text) =>
      text.replace(/DTSTART;T[^\r\n]*/, endless[0]!).replace(/DTEND;T[^\r\n]*/, endless[1]!),
    );
    await sync(app);
    expect(await connection()).toMatchObject({ status: "connected", lastError: null });
    expect(await read(made.id)).toMatchObject({
      endsAt: made.endsAt,
      lastError: "The event in the calendar cannot be read: it is neither imported nor overwritten",
    });
    await owner.delete(`/api/calendar/connections/${west.connectionId}`, 200);
  });

  test("whose server lost its sync tokens is read from the beginning, without losses or duplicates", async () => {
    const [made, gone] = [await book(), await book()];
    await sync(app);
    server.forgetTokens();
    await server.send("DELETE", (await event(gone.id))!.path);
    await server.edit((await event(made.id))!.path, (text) => text.replace(/SUMMARY:[^\n]*/, "SUMMARY:After"));
    await sync(app);
    expect(await read(made.id)).toMatchObject({ title: "After", status: "confirmed" });
    expect(await read(gone.id)).toMatchObject({ status: "cancelled" });
  });

  test("keeps a booking's hour when the clocks change, also in the hour that occurs twice", async () => {
    const [forward, back] = [clocksChange(2), clocksChange(9)];
    for (const [change, from, to] of [
      [forward, -30, 30],
      [back, -30, 30],
      [back, 15, 45],
    ] as const) {
      const [startsAt, endsAt] = [from, to].map((minutes) => new Date(change + minutes * 60_000).toISOString());
      const made = await book({ startsAt, endsAt, force: true });
      await sync(app);
      await server.edit((await event(made.id))!.path, (text) => text.replace(/SUMMARY:[^\n]*/, "SUMMARY:Looked at"));
      await sync(app);
      expect(await read(made.id)).toMatchObject({ startsAt, endsAt, title: "Looked at" });
    }
  });

  test("is not called again after the credentials are refused, raises an attention item, and continues with new ones", async () => {
    const made = await book();
    server.password("another");
    await sync(app);
    expect(await status()).toMatchObject({
      status: "expired",
      lastError: "The server refused the user name or the password",
      nextRetryAt: null,
    });
    const open = async () =>
      (await owner.get("/api/attention-items?status=open&type=channel_error", 200)).body.data.filter(
        (one) => one.calendarConnectionId === connectionId,
      );
    expect(await open()).toHaveLength(1);
    await sync(app);
    expect(await open()).toMatchObject([{ occurrences: 1 }]);
    expect(await read(made.id)).toMatchObject({ syncStatus: "pending" });
    await owner.patch(`/api/calendar/connections/${connectionId}`, { password: "another" }, 200);
    await sync(app);
    expect(await status()).toMatchObject({ status: "connected", lastError: null });
    expect(await open()).toEqual([]);
    expect(await read(made.id)).toMatchObject({ syncStatus: "synced" });
    server.password(PASSWORD);
    await owner.patch(`/api/calendar/connections/${connectionId}`, { password: PASSWORD }, 200);
  });

  test("that cannot be reached is retried with growing delays, and raises an attention item after five minutes", async () => {
    await server.kill();
    await sync(app);
    expect(await status()).toMatchObject({
      status: "connected",
      lastError: "The server cannot be reached",
      nextRetryAt: expect.any(String),
    });
    await app.db.query(`update calendar_connection set failing_since = now() - interval '6 minutes' where id = $1`, [
      connectionId,
    ]);
    await sync(app);
    expect(await status()).toMatchObject({ status: "error" });
    const [due] = await app.db.query<{ wait: number }>(
      "select extract(epoch from due_at - now())::float as wait from calendar_due",
    );
    expect(due!.wait).toBeGreaterThan(5);
    await server.start();
    await sync(app);
    expect(await status()).toMatchObject({ status: "connected", lastError: null });
  });

  test("writes a booking that was made while the clock of PostgreSQL was ahead when it is right again", async () => {
    const made = await book();
    await app.db.query("update calendar_write set due_at = now() + interval '1 hour'");
    await sync(app);
    expect(await event(made.id)).toBeDefined();
  });

  test("forgets an erased person: the event is removed, the booking stays without them", async () => {
    const needle = `needle${randomUUID().slice(0, 8)}`;
    const { body: conversation } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
      201,
    );
    const made = await book({ conversationId: conversation.id, title: needle, description: needle });
    await sync(app);
    const { body } = await tenant.live.post(`/api/contacts/${conversation.contactId}/erasure`, undefined, 200);
    expect(body.erased.bookings).toBe(1);
    expect(await tablesWith(app.db, needle)).toEqual({});
    expect(await read(made.id)).toMatchObject({ title: "", description: null, contactId: null, status: "cancelled" });
    // A change in the calendar before the event is removed does not restore the person's data.
    await app.db.query(`update calendar_write set due_at = now() + interval '1 hour', attempts = 1`);
    await server.edit((await event(made.id))!.path, (text) =>
      text.replace(/SUMMARY:[^\n]*/, `SUMMARY:${needle} again`),
    );
    await sync(app);
    expect(await status()).toMatchObject({ lastError: null });
    expect(await tablesWith(app.db, needle)).toEqual({});
    await app.db.query("update calendar_write set due_at = now() - interval '1 second'");
    await sync(app);
    expect(await event(made.id)).toBeUndefined();
    expect(await app.db.query("select 1 from calendar_write")).toEqual([]);
    await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "x" }, 409);
  });

  test("never reveals its credentials: not in an answer, not in a table, not to another server", async () => {
    const { text } = await owner.get(`/api/calendar/connections/${connectionId}`, 200);
    expect(text).not.toContain("hunter2");
    expect(await tablesWith(app.db, PASSWORD)).toEqual({});
    expect(
      (await owner.patch(`/api/calendar/connections/${connectionId}`, { serverUrl: "https://evil.example.com/" }, 400))
        .body.error,
    ).toContain("another server");
    await owner.patch(
      `/api/calendar/connections/${connectionId}`,
      { serverUrl: "https://evil.example.com/", password: "x" },
      400,
    );
    await owner.patch(
      `/api/calendar/connections/${connectionId}`,
      { serverUrl: "http://169.254.169.254/", username: "a", password: "x" },
      400,
    );
    await app.db.query(`update calendar_connection set server_url = 'http://localhost:${server.port}/' where id = $1`, [
      connectionId,
    ]);
    await sync(app);
    expect(await status()).toMatchObject({ status: "expired", lastError: expect.stringContaining("cannot be opened") });
    // The user name that belongs to the new password is among what cannot be opened.
    expect(
      (await owner.patch(`/api/calendar/connections/${connectionId}`, { password: PASSWORD }, 400)).body.error,
    ).toContain("username must be given");
    await app.db.query(`update calendar_connection set server_url = 'http://127.0.0.1:${server.port}/' where id = $1`, [
      connectionId,
    ]);
    await owner.patch(`/api/calendar/connections/${connectionId}`, { password: PASSWORD }, 200);
    await sync(app);
  });

  test("on a server without sync tokens is compared by versions", async () => {
    const plain = await startPlain(server);
    const second = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${plain.port}`] });
    try {
      const other = await second.tenant();
      const admin = await other.owner();
      const place = await server.calendar("plain");
      const { calendarId: id } = await connect(second, other, admin, plain.port, place);
      expect(await second.db.query("select 1 from calendar where sync_token is not null")).toEqual([]);
      const made: string[] = [];
      for (const hours of [24, 30, 24 * 200, 36])
        made.push(
          (await admin.post("/api/calendar/bookings", { calendarId: id, title: "x", ...inHours(hours) }, 201)).body.id,
        );
      await server.send(
        "PUT",
        `${place}lunch.ics`,
        ics("lunch", [`DTSTART:${stamp(inHours(48).startsAt)}`, "DURATION:PT1H"]),
      );
      await sync(second);
      const now = async (n: number) => (await admin.get(`/api/calendar/bookings/${made[n]!}`, 200)).body;
      for (let n = 0; n < 4; n++) expect(await now(n)).toMatchObject({ syncStatus: "synced", status: "confirmed" });
      const [moved, far] = [inHours(24 * 300), (await server.events(place)).find((one) => one.ics.includes(made[2]!))!];
      await server.send("DELETE", `${place}${made[0]!}.ics`);
      await server.edit(`${place}${made[1]!}.ics`, (text) =>
        text
          .replace(/DTSTART;T[^\r\n]*/, `DTSTART:${stamp(moved.startsAt)}`)
          .replace(/DTEND[;:][^\r\n]*/, `DTEND:${stamp(moved.endsAt)}`),
      );
      await server.edit(far.path, (text) => text.replace(/SUMMARY:[^\r\n]*/, "SUMMARY:Far away"));
      await server.send("DELETE", `${place}lunch.ics`);
      await sync(second);
      expect([await now(0), await now(1), await now(2), await now(3)]).toMatchObject([
        { status: "cancelled" },
        { status: "confirmed", ...moved },
        { status: "confirmed", title: "Far away" },
        { status: "confirmed" },
      ]);
      expect(await second.db.query("select 1 from calendar_busy where calendar_id = $1", [id])).toEqual([]);
    } finally {
      await second.close();
      await plain.close();
    }
  });

  test("that is disconnected during a sync leaves nothing behind", async () => {
    for (let round = 0; round < 5; round++) {
      const other = await connect(app, tenant, owner, server.port, path);
      for (let n = 0; n < 3; n++)
        await owner.post(
          "/api/calendar/bookings",
          { calendarId: other.calendarId, title: "x", ...inHours((hour += 2)), force: true },
          201,
        );
      const reading = sync(app);
      await new Promise((resolve) => setTimeout(resolve, round * 15));
      await owner.delete(`/api/calendar/connections/${other.connectionId}`, 200);
      await reading;
      expect(
        await app.db.query(
          "select 1 from calendar_event e join calendar c on c.id = e.calendar_id where c.connection_id = $1 union all select 1 from calendar_due where connection_id = $1 union all select 1 from calendar_write where connection_id = $1",
          [other.connectionId],
        ),
      ).toEqual([]);
    }
  });

  test("keeps its events after a disconnect, and only its bookings stay known", async () => {
    const made = await book();
    await sync(app);
    const unsent = await book();
    await owner.delete(`/api/calendar/connections/${connectionId}`, 200);
    await sync(app);
    await owner.get(`/api/calendar/connections/${connectionId}`, 404);
    await owner.get(`/api/calendar/connections/${connectionId}/calendars`, 404);
    await owner.delete(`/api/calendar/connections/${connectionId}`, 404);
    expect(await event(made.id)).toBeTruthy();
    expect(await event(unsent.id)).toBeUndefined();
    expect(await read(made.id)).toMatchObject({ syncStatus: "detached", status: "confirmed" });
    expect(
      await app.db.query(
        "select 1 from calendar_busy union all select 1 from calendar_event union all select 1 from calendar_due",
      ),
    ).toEqual([]);
    expect(
      (await app.db.query<{ credentials: unknown }>("select credentials from calendar_connection"))[0]!.credentials,
    ).toBeNull();
    await owner.patch(`/api/calendar/bookings/${made.id}`, { title: "x" }, 409);
    expect((await owner.patch(`/api/calendar/bookings/${made.id}`, { status: "completed" }, 200)).body).toMatchObject({
      status: "completed",
    });
    await owner.post("/api/calendar/bookings", { calendarId, title: "x", ...inHours((hour += 2)) }, 404);
  });
});
