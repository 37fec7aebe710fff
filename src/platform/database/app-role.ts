/**
 * Owns nothing, cannot delete identity events, and row-level security limits it to one tenant. The first migration
 * creates it.
 */
export const APP_ROLE = "parley_app";
