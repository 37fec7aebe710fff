import { setTimeout } from "node:timers/promises";
import type { TestApp } from "./app.js";

/**
 * The clock of PostgreSQL was noted while it was ahead, and is right again. What was written meanwhile is for the test to write.
 * @param seen how long ago a process saw that it is right again; null: none has yet
 */
export async function wasAheadFor(
  { db }: Pick<TestApp, "db">,
  time: string,
  seen: string | null = "11 seconds",
): Promise<void> {
  await db.query(
    `insert into job_run (name, started_at, finished_at, result)
    select 'clock', ahead, ahead, case when $2::text is null then '{}'
      else jsonb_build_object('seenBackAt', clock_timestamp() - $2::interval) end
    from (select clock_timestamp() + $1::interval as ahead) c
    on conflict (name) do update
      set started_at = excluded.started_at, finished_at = excluded.finished_at, result = excluded.result`,
    [time, seen],
  );
}

/** The UTC day does not change in the next minute. */
export async function awayFromMidnight(): Promise<void> {
  const day = 86_400_000;
  const left = day - (Date.now() % day);
  if (left < 60_000) await setTimeout(left);
}
