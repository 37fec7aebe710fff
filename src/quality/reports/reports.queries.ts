import { type Sql, sql } from "../../platform/database/sql.js";
import { list, mayLag, one, REACHABLE, type Read, statementFamily } from "../../platform/database/statements.js";
import type { ReportGroup } from "./report-names.js";
import { NAME_OF, type NamedGroup } from "./report-sources.js";

/** What a report is grouped by. */
export type Grouping = ReportGroup | "hourOfWeek" | undefined;

/** The open time `e` holds at a time. */
export const openAt = (time: Sql): Sql => sql`e.closed_at >= ${time} and e.opened_at < ${time}`;

/** What groups are called. */
export const namesStatement = statementFamily(
  "reports.names",
  (name, group: NamedGroup): Read<{ keys: readonly string[] }, { key: string; name: string | null }[]> =>
    mayLag(
      list<{ key: string; name: string | null }, { keys: readonly string[] }>(
        name,
        { unrestricted: "these are groups of what the caller has counted" },
        ({ keys }) => sql`select c.key, ${NAME_OF[group]} as name from unnest(${keys}::text[]) c (key)`,
      ),
    ),
);

/** The time zone of a workspace. */
export const ZONE_OF = one<{ timeZone: string }, { workspaceId: string }>(
  "reports.zone",
  "restricted",
  ({ workspaceId }) =>
    sql`select w.timezone as "timeZone" from workspace w where w.id = ${workspaceId} and ${REACHABLE}`,
);
