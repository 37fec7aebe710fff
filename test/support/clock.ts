import { setTimeout } from "node:timers/promises";
import type { TestApp } from "./app.js";

/** The clock of PostgreSQL was noted while it was ahead, and is right again. What was written meanwhile is for the test to write. */
export async function wasAheadFor({ db }: Pick<TestApp, "db">, time: string): Promise<void> {
  await db.query(
    `insert into job_run (name, started_at, finished_at, result)
    select 'clock', clock_timestamp() + $1::interval, clock_timestamp() + $1::interval, '{}'
    on conflict (name) do update set started_at = excluded.started_at, finished_at = excluded.finished_at`,
    [time],
  );
}

/** The UTC day does not change in the next minute. */
export async function awayFromMidnight(): Promise<void> {
  const day = 86_400_000;
  const left = day - (Date.now() % day);
  if (left < 60_000) await setTimeout(left);
}
