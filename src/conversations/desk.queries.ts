import { sql, TENANT } from "../platform/database/sql.js";
import { type NoArgs, query } from "../platform/database/statements.js";

/** Two requests that each make the last thing that a limit allows come one after the other. */
export const LOCK_SIDE = query<NoArgs>()(
  "desk.lockSide",
  { unrestricted: "it locks the caller's own side" },
  () => sql`select from tenant t where t.id = ${TENANT} for no key update`,
);
