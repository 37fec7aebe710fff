/** What an API key may be given; the list and its meanings are the specification's. */
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
/** Who does desk work; agents in their workspaces. */
export const DESK: readonly Role[] = ["owner", "admin", "agent"];

/** Desk work: what agents may change in their workspaces. Every other write is administration. */
const DESK_WRITES: readonly Scope[] = ["conversations:write", "contacts:write", "accounts:write", "kb:write"];

/** The roles that may use a route of this scope by a dashboard session, which is not gated on scopes. */
export function rolesFor(scope: Scope): readonly Role[] {
  if (scope.endsWith(":read")) return ["owner", "admin", "agent", "observer"];
  return DESK_WRITES.includes(scope) ? DESK : ADMINS;
}
