import { namedEnum } from "../enums/named-enum.js";

/** The scopes that an API key can have, as the specification lists them. */
export const SCOPES = namedEnum("Scope", "What an API key may do.", {
  "conversations:read": "read conversations, messages, attachments, attention items, assurance and consumption",
  "conversations:write": "start, answer and change conversations, upload attachments and verify contacts",
  "kb:read": "read the knowledge base and its widgets",
  "kb:write": "write and review knowledge base entries and change their widgets",
  "policy:read": "read and evaluate policies",
  "policy:write": "write and review policies",
  "contacts:read": "read contacts, contact forms and erasure requests",
  "contacts:write": "create, change, merge, delete and erase contacts, and change contact forms",
  "accounts:read": "read accounts and their contacts",
  "accounts:write": "create and change accounts",
  "agents:read": "read agents and their instructions",
  "agents:write": "create, change and instruct agents",
  "channels:read": "read channels",
  "channels:write": "change and test channels, and set their credentials",
  "calendar:read": "read calendars, bookings and free times",
  "calendar:write": "change calendar connections, and make and change bookings",
  "quality:read": "read reports, ratings, quality scores, circuit breakers and their settings",
  "quality:write": "change survey and breaker settings, and resolve circuit breakers",
  "workspaces:read": "read workspaces, brands and the channels of a workspace",
  "workspaces:write": "create, change and delete workspaces",
  "cases:read": "read cases, their events and their types",
});
export type Scope = (typeof SCOPES)[number];

export const ROLES = namedEnum("Role", "What a member may do.", {
  owner: "everything",
  admin: "everything, except what concerns owners",
  agent: "reads and writes in their workspaces",
  observer: "reads in their workspaces",
  billing: "reads consumption totals and their own profile",
});
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
