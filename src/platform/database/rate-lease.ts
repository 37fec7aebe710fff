import { type Lease, WINDOW_SECONDS } from "../http/rate-limit.js";
import type { Database } from "./database.js";
import { type Parameter, type Sql, sql } from "./sql.js";
import { globalQuery } from "./statements.js";

/** Also one that began while the clock was ahead, and would go on until it is there again. */
const isOver = (seconds: Parameter): Sql => sql`r.started_at not between
  clock_timestamp() - make_interval(secs => ${seconds}) and clock_timestamp() + make_interval(secs => ${seconds})`;

/** Leased requests count before they are used. A lease can stay unused, but is never used twice. */
const TAKE = globalQuery<
  { client: string; want: number; limit: number; seconds: number },
  { granted: number; lastGrant: number; endsIn: number }
>()(
  "rateLimit.takeLease",
  "control",
  ({ client, want, limit, seconds }) => sql`
    insert into rate_window as r (client, started_at, granted, last_grant)
    values (${client}, clock_timestamp(), least(${want}::int, ${limit}::int), least(${want}::int, ${limit}::int))
    on conflict (client) do update set
      started_at = case when ${isOver(seconds)} then clock_timestamp() else r.started_at end,
      granted = case when ${isOver(seconds)} then least(${want}::int, ${limit}::int)
        else least(r.granted + ${want}::int, ${limit}::int) end,
      last_grant = case when ${isOver(seconds)} then least(${want}::int, ${limit}::int)
        else greatest(least(${want}::int, ${limit}::int - r.granted), 0) end
    returning granted, last_grant as "lastGrant",
      extract(epoch from started_at + make_interval(secs => ${seconds}) - clock_timestamp())::float8 * 1000 as "endsIn"`,
);

/** Leases of a rate limit from the shared table. */
export function rateLease(db: Database, seconds = WINDOW_SECONDS): Lease {
  return async (client, want, limit) => {
    const [row] = await db.global(TAKE, { client, want, limit, seconds });
    return { granted: row!.lastGrant, left: limit - row!.granted, endsIn: row!.endsIn };
  };
}
