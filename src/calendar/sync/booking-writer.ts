import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { type Account, type CalendarProvider, EventError } from "../providers/calendar-provider.js";
import type { CalendarParser } from "../providers/calendar-parser.js";
import { applyEvent, applyRemoval, nextStep, recordRefusal, recordRemoval, recordWrite } from "./booking-sync.js";
import type { WithLease } from "./lease.js";

/** In one sync. The others are due again right away. */
const MAX_WRITES = 50;
/** How often one event may change under our hands before the other bookings get their turn. */
const MAX_ATTEMPTS = 5;

/** The first attempt does not wait: a time ahead of it is from before the clock of PostgreSQL was set back. */
const DUE_WRITES = query<{ connectionId: string; limit: number }>()(
  "calendarSync.dueWrites",
  { unrestricted: "only the calendar sync runs it" },
  ({ connectionId, limit }) => sql`
    select booking_id as id from calendar_write
    where tenant_id = ${TENANT} and connection_id = ${connectionId}
      and (due_at <= clock_timestamp() or attempts = 0)
    order by due_at limit ${limit}`,
);

interface Writer {
  provider: CalendarProvider;
  parser: CalendarParser;
  account: Account;
  connectionId: string;
  withLease: WithLease;
}

/**
 * Writes to the calendars what was changed here.
 * @throws CalendarError, LeaseLost
 */
export async function writeBookings(writer: Writer): Promise<void> {
  const { connectionId, withLease } = writer;
  const due = await withLease((tx) => {
    tx.changesNothingVisible();
    return tx.query(DUE_WRITES, { connectionId, limit: MAX_WRITES });
  });
  for (const { id } of due) {
    try {
      await writeBooking(writer, id);
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      await withLease((tx) => recordRefusal(tx, id, error.message));
    }
    await yieldToEventLoop();
  }
}

async function writeBooking({ provider, parser, account, withLease }: Writer, id: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const step = await withLease((tx) => nextStep(tx, parser, id));
    if (step.do === "nothing") return;
    if (step.do === "remove") {
      await provider.remove(account, step.url);
      return withLease((tx) => recordRemoval(tx, id));
    }
    if (step.do === "write") {
      const { url, ics, etag: before, revision } = step;
      const answer = await provider.write(account, url, ics, before);
      const { etag } = answer === "changed" ? { etag: undefined } : answer;
      // Whether or not it was changed here in the meantime, the server has what was sent.
      if (etag !== undefined) return withLease((tx) => recordWrite(tx, id, { etag, ics, revision }));
    }
    // It is unknown which version the server has: read it.
    const [event] = await provider.read(account, step.calendarUrl, [step.url]);
    await withLease((tx) => (event ? applyEvent(tx, parser, id, event) : applyRemoval(tx, parser, id)));
  }
  throw new EventError("The event in the calendar keeps changing, or cannot be read; it is tried again later");
}
