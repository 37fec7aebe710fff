import { sql } from "../../platform/database/sql.js";

/** The member `m` may sign in. */
export const IS_ADMITTED = sql`m.removed_at is null and m.deactivated_at is null`;
