/** The scopes that an API key can have, as the specification lists them. */
export const SCOPES = [
  "conversations:read",
  "conversations:write",
  "kb:read",
  "kb:write",
  "policy:read",
  "policy:write",
  "contacts:read",
  "contacts:write",
  "accounts:read",
  "accounts:write",
  "agents:read",
  "agents:write",
  "channels:read",
  "channels:write",
  "calendar:read",
  "calendar:write",
  "quality:read",
  "quality:write",
  "workspaces:read",
  "workspaces:write",
  "cases:read",
] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ["owner", "admin", "agent", "observer", "billing"] as const;
export type Role = (typeof ROLES)[number];
export const ADMINS: readonly Role[] = ["owner", "admin"];
/** The roles that work on conversations. Agents do so in their workspaces. */
export const DESK: readonly Role[] = ["owner", "admin", "agent"];

/** What agents may change in their workspaces. Every other write is for owners and admins. */
const DESK_WRITES: readonly Scope[] = ["conversations:write", "contacts:write", "accounts:write", "kb:write"];

/** The roles whose sessions may use a route with this scope. */
export function rolesFor(scope: Scope): readonly Role[] {
  if (scope.endsWith(":read")) return ["owner", "admin", "agent", "observer"];
  return DESK_WRITES.includes(scope) ? DESK : ADMINS;
}
