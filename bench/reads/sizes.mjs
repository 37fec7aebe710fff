// How many rows there are of what does not grow, and whose they are.
import { id, KIND } from "../seed.mjs";

/** The tenants that get rows. Workspaces 1 to 6 belong to the first, 7 to 12 to the second. */
export const TENANTS = 2;
/** Of each tenant, like what follows. */
export const WORKSPACES = 6;
export const MEMBERS = 200;
export const ACCOUNTS = 2_000;
export const AGENTS = 20;
export const CHANNELS = 60;
export const CONNECTIONS = 30;
export const CALENDARS = 120;
export const ERASURES = 1_000;
/** How many rows one conversation, case or entry has of those that are listed by it. */
export const EACH = 30;
/** Kinds of rows that `seed.mjs` does not make. Ids are the same in both tenants, because each key begins with the tenant. */
export const ROW = { member: "a", other: "b", key: "c" };

/** The tenant that is asked, and its owner. */
export const tenantId = id(KIND.tenant, 1);
export const ownerId = id(ROW.member, 1);
/** The side of the tenant that captures what it would send. */
export const TEST_SIDE = 1_001;
