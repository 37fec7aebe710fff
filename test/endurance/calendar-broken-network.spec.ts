import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEvent } from "../../src/calendar/ics/booking-event.js";
import { ianaZone } from "../../src/calendar/ics/time-zones.js";
import { startTwo, type TwoNodes } from "../races/support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import {
  type Proxy,
  RADICALE,
  type Radicale,
  startProxy,
  startRadicale,
  WITHOUT_RADICALE,
} from "../server/calendar/radicale.js";
import { randomFrom, SEED } from "../support/seed.js";
import { connect, inHours, sync } from "../server/calendar/support.js";

const ROUNDS = Number(process.env.CALENDAR_ROUNDS ?? 12);
const random = randomFrom();
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

let server: Radicale;
let proxy: Proxy;
let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let path: string;
let calendarId: string;

describe.skipIf(!RADICALE)(`while the network fails${WITHOUT_RADICALE}`, () => {
  beforeAll(async () => {
    server = await startRadicale();
    proxy = await startProxy(server.port, random);
    path = await server.calendar("work");
    nodes = await startTwo({ OUTBOUND_ALLOW: [`127.0.0.1:${proxy.port}`] });
    tenant = await nodes.a.tenant();
    owner = await tenant.owner();
    ({ calendarId } = await connect(nodes.a, tenant, owner, proxy.port, path));
  });
  afterAll(async () => {
    await nodes?.close();
    await proxy?.close();
    await server?.close();
  });

  test(
    `both sides are edited, and come to the same in the end: no booking lost, none twice (seed ${SEED})`,
    { timeout: 300_000 },
    async () => {
      const ids: string[] = [];
      /** The bookings whose events were deleted in the calendar. */
      const deletedThere = new Set<string>();
      let hour = 24;
      let serial = 0;
      const book = async (): Promise<void> => {
        ids.push(
          (
            await owner.post(
              "/api/calendar/bookings",
              { calendarId, title: `Booking ${++serial}`, ...inHours((hour += 2)) },
              201,
            )
          ).body.id,
        );
      };
      const ours = async (): Promise<void> => {
        const id = pick(ids);
        const change = pick([
          { title: `Ours ${++serial}` },
          { description: `Ours ${++serial}` },
          inHours((hour += 2)),
          { status: "cancelled" },
          { status: "confirmed", force: true },
        ]);
        await owner.patch(`/api/calendar/bookings/${id}`, change, 200);
        if ("status" in change) deletedThere.delete(id);
      };
      const theirs = async (): Promise<void> => {
        const there = await server.events(path);
        if (!there.length) return;
        const { path: place, ics } = pick(there);
        if (random() < 0.15) {
          await server.send("DELETE", place);
          deletedThere.add(/UID:(.{36})@parley/.exec(ics)![1]!);
          return;
        }
        const later = inHours((hour += 2));
        const change = pick<(text: string) => string>([
          (text) => text.replace(/SUMMARY:[^\r\n]*/, `SUMMARY:Theirs ${++serial}`),
          (text) => text.replace(/(?:LOCATION:[^\r\n]*\r?\n)?END:VEVENT/, `LOCATION:Theirs ${++serial}\r\nEND:VEVENT`),
          (text) =>
            text
              .replace(/DTSTART;[^\r\n]*/, `DTSTART;VALUE=DATE-TIME:${later.startsAt.replace(/[-:]|\.000/g, "")}`)
              .replace(/DTEND[;:][^\r\n]*/, `DTEND:${later.endsAt.replace(/[-:]|\.000/g, "")}`),
        ]);
        await server.edit(place, change).catch(() => undefined);
      };
      const passes = async (): Promise<void> => {
        const working = Promise.all([sync(nodes.a), sync(nodes.a, nodes.b)]);
        // Sometimes a process is too slow, and another takes over its work.
        if (random() < 0.4) {
          await new Promise((resolve) => setTimeout(resolve, random() * 150));
          await nodes.a.db.query(`update calendar_due set held_until = now() - interval '1 second'`);
          await sync(nodes.a, pick([nodes.a, nodes.b]));
        }
        await working;
      };

      for (let round = 0; round < ROUNDS; round++) {
        proxy.cuts = pick([0.2, 0.5, 0.8]);
        await book();
        const working = passes();
        for (let n = 0; n < 3; n++) await pick([ours, ours, theirs, theirs, book])();
        await working;
      }
      proxy.cuts = 0;
      for (let n = 0; n < 6; n++) {
        await nodes.a.db.query(`update calendar_write set due_at = now() - interval '1 second'`);
        await nodes.a.db.query("update calendar_due set holder = null");
        await sync(nodes.a);
      }

      const events = await server.events(path);
      const zone = ianaZone("Europe/Berlin")!;
      const at = new Map(events.map(({ ics }) => [/UID:(.{36})@parley/.exec(ics)![1]!, readEvent(ics, zone)]));
      expect(at.size, "an event for each booking, not two").toBe(events.length);
      for (const id of ids) {
        const { body } = await owner.get(`/api/calendar/bookings/${id}`, 200);
        expect(body, id).toMatchObject({ syncStatus: "synced", lastError: null });
        const event = at.get(id);
        if (!event) {
          expect(body.status, `${id} is nowhere but is ${body.status}`).toBe("cancelled");
          continue;
        }
        const { title, description, location, startsAt, endsAt, status } = body;
        const { revision: _revision, ...shared } = event;
        expect({ title, description, location, startsAt, endsAt, status }).toEqual(shared);
        at.delete(id);
      }
      expect([...at.keys()], "events of no booking").toEqual([]);
    },
  );

  test("a lost answer makes no second event, and a sync that is interrupted anywhere continues", async () => {
    const { body } = await owner.post("/api/calendar/bookings", { calendarId, title: "Once", ...inHours(2_000) }, 201);
    proxy.cuts = 1;
    for (let n = 0; n < 12; n++) await sync(nodes.a);
    proxy.cuts = 0;
    await sync(nodes.a);
    const own = (await server.events(path)).filter(({ ics }) => ics.includes(`UID:${body.id}@parley`));
    expect(own).toHaveLength(1);
    expect((await owner.get(`/api/calendar/bookings/${body.id}`, 200)).body).toMatchObject({
      syncStatus: "synced",
      conflict: null,
    });
  });

  test("a change entered after a lost answer is kept, even if it restores the earlier value", async () => {
    const {
      body: { id },
    } = await owner.post("/api/calendar/bookings", { calendarId, title: "First", ...inHours(2_010) }, 201);
    await sync(nodes.a);
    await owner.patch(`/api/calendar/bookings/${id}`, { title: "Second" }, 200);
    const place = (await server.events(path)).find(({ ics }) => ics.includes(id))!.path;
    // The write arrives, its response does not.
    expect(await lose(id, place)).toContain("SUMMARY:Second");
    await owner.patch(`/api/calendar/bookings/${id}`, { title: "First" }, 200);
    await sync(nodes.a);
    expect((await owner.get(`/api/calendar/bookings/${id}`, 200)).body).toMatchObject({
      title: "First",
      syncStatus: "synced",
      conflict: null,
    });
    expect((await server.send("GET", place)).text).toContain("SUMMARY:First");
  });

  /** Forwards a write to the server, but no part of its response back. @returns the bytes sent */
  async function lose(id: string, place: string): Promise<string | undefined> {
    proxy.cuts = 1;
    for (let n = 0; n < 200; n++) {
      await nodes.a.db.query(`update calendar_write set due_at = now() - interval '1 second'`);
      await sync(nodes.a);
      if ((await server.send("GET", place)).text.includes("SUMMARY:Second")) break;
    }
    proxy.cuts = 0;
    const [row] = await nodes.a.db.query<{ sent: string }>("select sent from booking where id = $1", [id]);
    return row?.sent;
  }
});
