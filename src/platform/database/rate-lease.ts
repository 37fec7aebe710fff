import type { Database } from "./database.js";
import { type Lease, WINDOW_SECONDS } from "../http/rate-limit.js";

const OVER = "r.started_at <= clock_timestamp() - make_interval(secs => $4)";

// What a client has been granted counts before it is used: a lease can be left unused, never used twice.
const TAKE = `insert into rate_window as r (client, started_at, granted, last_grant) values ($1, clock_timestamp(), least($2::int, $3::int), least($2::int, $3::int))
  on conflict (client) do update set
    started_at = case when ${OVER} then clock_timestamp() else r.started_at end,
    granted = case when ${OVER} then least($2::int, $3::int) else least(r.granted + $2::int, $3::int) end,
    last_grant = case when ${OVER} then least($2::int, $3::int) else greatest(least($2::int, $3::int - r.granted), 0) end
  returning granted, last_grant as "lastGrant", extract(epoch from started_at + make_interval(secs => $4) - clock_timestamp())::float8 * 1000 as "endsIn"`;

/** Leases of a rate limit from the shared table. */
export function rateLease(db: Database, seconds = WINDOW_SECONDS): Lease {
  return async (client, want, limit) => {
    const [row] = await db.global<{ granted: number; lastGrant: number; endsIn: number }>(TAKE, [
      client,
      want,
      limit,
      seconds,
    ]);
    return { granted: row!.lastGrant, left: limit - row!.granted, endsIn: row!.endsIn };
  };
}
