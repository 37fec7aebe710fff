import { v7 as uuid } from "uuid";
import { CalendarSync } from "../../../src/calendar/sync/sync.job.js";
import type { Tx } from "../../../src/platform/database/transaction.js";
import type { TestApp, TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { PASSWORD } from "./radicale.js";
import { run } from "../../support/sql.js";

/** Makes all jobs due and runs them, until every pending write is done. */
export async function sync(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update calendar_due set due_at = now() - interval '1 second' where due_at < 'infinity'`);
  await node.app.get(CalendarSync).tick();
}

/** A connected calendar on the server. @returns ids, and its path on the server */
export async function connect(
  app: TestApp,
  tenant: TestTenant,
  owner: Client,
  port: number,
  path: string,
): Promise<{ connectionId: string; calendarId: string }> {
  const { body } = await owner.post(
    "/api/calendar/connections",
    {
      workspaceId: tenant.defaults.workspaceId,
      serverUrl: `http://127.0.0.1:${port}/`,
      username: "desk",
      password: PASSWORD,
    },
    201,
  );
  await sync(app);
  const { body: calendars } = await owner.get(`/api/calendar/connections/${body.id}/calendars`, 200);
  const [row] = await app.db.query<{ id: string }>("select id from calendar where connection_id = $1 and url like $2", [
    body.id,
    `%${path}`,
  ]);
  if (!row) throw new Error(`no calendar at ${path}: ${JSON.stringify(calendars)}`);
  return { connectionId: body.id, calendarId: row.id };
}

/** The start of an hour, the given number of hours from now. */
export function inHours(hours: number, long = 1): { startsAt: string; endsAt: string } {
  const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 + hours * 3_600_000;
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + long * 3_600_000).toISOString() };
}

/** A line of an event, as it was written. */
export const line = (ics: string, name: string): string | undefined =>
  ics
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/)
    .filter((one) => one.startsWith(name) && /[:;]/.test(one[name.length] ?? ""))
    .at(-1);

export const stamp = (at: string): string => at.replace(/[-:]|\.\d+/g, "");
export const ics = (uid: string, lines: readonly string[]): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//test//EN",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20260101T000000Z",
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

/** A connection with a calendar that exists on no server. */
export async function calendarFor({
  owner,
  workspaceId,
  transaction,
}: {
  owner: Client;
  workspaceId: string;
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}): Promise<{ connectionId: string; calendarId: string }> {
  const {
    body: { id: connectionId },
  } = await owner.post(
    "/api/calendar/connections",
    { workspaceId, serverUrl: "https://calendar.invalid/", username: "desk", password: PASSWORD },
    201,
  );
  const calendarId = uuid();
  await transaction((tx) =>
    run(
      tx,
      `insert into calendar (tenant_id, id, workspace_id, connection_id, url, name, timezone) values (:tenant, :calendarId, :workspaceId, :connectionId, 'https://calendar.invalid/desk/', 'Desk', 'Europe/Berlin')`,
      { calendarId, workspaceId, connectionId },
    ),
  );
  return { connectionId, calendarId };
}
