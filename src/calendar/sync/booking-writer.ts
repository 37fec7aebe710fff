import { setImmediate as breathe } from "node:timers/promises";
import type { Tx } from "../../platform/database/transaction.js";
import { type Account, type CalendarProvider, EventError } from "../providers/calendar-provider.js";
import { nextStep, refused, removed, takeAway, takeOver, written } from "./booking-sync.js";
import type { Lease } from "./lease.js";

/** In one pass; the others are due at once again. */
const MOST_WRITES = 50;
/** How often one event may turn out to be another than it was, before the others have their turn. */
const MOST_ATTEMPTS = 5;

interface Parts {
  provider: CalendarProvider;
  account: Account;
  lease: Lease;
  held: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** Tells the calendars what they do not know yet. @throws CalendarError, LeaseLost */
export async function writeBookings(parts: Parts): Promise<void> {
  const due = await parts.held((tx) => {
    tx.unseen();
    return tx.query<{ id: string }>(
      "select booking_id as id from calendar_write where tenant_id = :tenant and connection_id = :connectionId and due_at <= clock_timestamp() order by due_at limit :most",
      { connectionId: parts.lease.connectionId, most: MOST_WRITES },
    );
  });
  for (const { id } of due) {
    try {
      await writeBooking(parts, id);
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      await parts.held((tx) => refused(tx, id, error.message));
    }
    await breathe();
  }
}

async function writeBooking(parts: Parts, id: string): Promise<void> {
  const { provider, account, held } = parts;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const step = await held((tx) => nextStep(tx, id));
    if (step.do === "nothing") return;
    if (step.do === "remove") {
      await provider.remove(account, step.url);
      return held((tx) => removed(tx, id));
    }
    if (step.do === "write") {
      const { url, ics, etag: before, revision } = step;
      const answer = await provider.write(account, url, ics, before);
      const { etag } = answer === "changed" ? { etag: undefined } : answer;
      // Changed here meanwhile, or not: what was sent is there.
      if (etag !== undefined) return held((tx) => written(tx, id, { etag, ics, revision }));
    }
    // Nobody knows which version stands there: it is looked at.
    const [event] = await provider.read(account, step.calendarUrl, [step.url]);
    await held((tx) => (event ? takeOver(tx, id, event) : takeAway(tx, id)));
  }
  throw new EventError("The event in the calendar changes all the time, or cannot be read; it is tried again later");
}
