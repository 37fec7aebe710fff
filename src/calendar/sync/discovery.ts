import { v7 as uuid } from "uuid";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { CalendarConnectionEntity } from "../calendar.entity.js";
import type { FoundCalendar } from "../providers/calendar-provider.js";

const ONLY_SYNC = { unrestricted: "only the calendar sync runs it" };

const STORE_FOUND = query<{ connectionId: string; workspaceId: string; timezone: string; found: string }>()(
  "calendars.storeFound",
  ONLY_SYNC,
  ({ connectionId, workspaceId, timezone, found }) => sql`
    insert into calendar as c (tenant_id, id, workspace_id, connection_id, url, name, timezone, writable)
    select ${TENANT}, f.id, ${workspaceId}, ${connectionId}, f.url, f.name, coalesce(f.timezone, ${timezone}), f.writable
    from jsonb_to_recordset(${found}::jsonb) as f (id uuid, url text, name text, timezone text, writable boolean)
    on conflict (tenant_id, connection_id, url) do update set
      name = excluded.name, timezone = excluded.timezone, writable = excluded.writable, available = true,
      updated_at = now()
    where (c.name, c.timezone, c.writable, c.available)
      is distinct from (excluded.name, excluded.timezone, excluded.writable, true)`,
);

/** A sync may have found before that a calendar is gone. */
const HIDE_MISSING = query<{ connectionId: string; urls: string[] }>()(
  "calendars.hideMissing",
  ONLY_SYNC,
  ({ connectionId, urls }) => sql`
    update calendar set available = false, is_primary = false, updated_at = now()
    where tenant_id = ${TENANT} and connection_id = ${connectionId} and (available or is_primary)
      and not (url = any(${urls}::text[]))`,
);

/** The primary calendar stays primary while it is available. Otherwise the first writable one becomes primary. */
const CHOOSE_PRIMARY = query<{ connectionId: string; urls: string[] }>()(
  "calendars.choosePrimary",
  ONLY_SYNC,
  ({ connectionId, urls }) => sql`
    update calendar c set is_primary = (c.url = p.url)
    from (
      select coalesce(
        (
          select k.url from calendar k
          where k.tenant_id = ${TENANT} and k.connection_id = ${connectionId} and k.is_primary
        ),
        (
          select f.url from unnest(${urls}::text[]) with ordinality as f (url, n)
          join calendar k on k.tenant_id = ${TENANT} and k.connection_id = ${connectionId} and k.url = f.url
          order by not k.writable, f.n limit 1
        )
      ) as url
    ) p
    where c.tenant_id = ${TENANT} and c.connection_id = ${connectionId} and c.is_primary <> (c.url = p.url)`,
);

/** Stores the calendars that an account has on the server. Those that the server no longer has become unavailable. */
export async function storeCalendars(
  tx: Tx,
  connectionId: string,
  { workspaceId, timezone }: { workspaceId: string; timezone: string },
  found: FoundCalendar[],
): Promise<void> {
  tx.changesWorkspace(workspaceId);
  await tx.query(STORE_FOUND, {
    connectionId,
    workspaceId,
    timezone,
    found: JSON.stringify(found.map((calendar) => ({ id: uuid(), ...calendar }))),
  });
  const urls = found.map(({ url }) => url);
  await tx.query(HIDE_MISSING, { connectionId, urls });
  await tx.query(CHOOSE_PRIMARY, { connectionId, urls });
  await tx.update(CalendarConnectionEntity, { id: connectionId }, { discoveredAt: () => "now()" });
}
