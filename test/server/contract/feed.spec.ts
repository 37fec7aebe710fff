import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { follow, settled } from "../feed/support.js";
import { STATEMENTS } from "../../../src/platform/database/statements.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { walk } from "../e2e/support.js";
import { type Scope, ROLES, SCOPES } from "../../../src/platform/caller/scope.js";
import { bodyFor, idFor, isOwn, ownMember, rate, send, signIn, type Side, sideOf } from "./fixtures.js";
import { each, PROTECTED } from "../../support/routes.js";

// A reader that knows nothing but the feed has what the API shows, whatever any route does.

let app: TestApp;
let tenant: TestTenant;
let side: Side;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  side = await sideOf(tenant);
});
afterAll(() => app.close());

/** What the reader has, by `type id`. */
const mirror = new Map<string, Record<string, unknown>>();
let cursor: string | undefined;
async function read(): Promise<string[]> {
  await settled(app.db);
  const { changes, cursor: next } = await follow(side.owner, cursor);
  cursor = next;
  for (const { resourceType, resourceId, resource } of changes) {
    if (resource) mirror.set(`${resourceType} ${resourceId}`, resource);
    else mirror.delete(`${resourceType} ${resourceId}`);
    // The tombstone of a workspace stands for everything in it.
    if (!resource && resourceType === "workspace")
      for (const [name, { workspaceId }] of mirror) if (workspaceId === resourceId) mirror.delete(name);
  }
  return changes.map(({ type }) => type);
}

/**
 * Fields that repeat another resource, or say how time passed. They change without a change of their own resource.
 */
const FOLLOW: Record<string, string[]> = {
  // The conversation's assignee.
  attention_item: ["assigneeId"],
  // How many contacts name the account.
  account: ["contactCount"],
  // The contact's account.
  case: ["accountId"],
  workspace: ["brandName"],
  // Its tripped breakers.
  agent: ["pausedIn"],
  circuit_breaker: ["entityName"],
  // Whether the connection still stands.
  booking: ["syncStatus"],
  contact: ["lastSeenAt"],
  kb_entry: ["usage"],
  // How many of its entries wait.
  source: ["proposed"],
  policy_entry: ["usage"],
  member: ["presence", "lastSeenAt"],
  api_key: ["lastUsedAt", "status"],
};
const shown = (type: string, resource: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(resource).filter(([field]) => !FOLLOW[type]?.includes(field)));

type Found = Record<string, unknown> & { id: string };
/** Everything that the API lists, by `type id`. */
async function everything(): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  const note = (type: string, resources: Found[]): void => {
    for (const resource of resources) found.set(`${type} ${resource.id}`, shown(type, resource));
  };
  const paged = async (type: string, path: string): Promise<Found[]> => {
    const resources = await walk<Found>(side.owner, path);
    note(type, resources);
    return resources;
  };
  const bare = async (type: string, path: string): Promise<Found[]> => {
    const { body } = await side.owner.get<Found[]>(path, 200);
    note(type, body);
    return body;
  };
  for (const { id } of await paged("conversation", "/api/conversations")) {
    await paged("message", `/api/conversations/${id}/messages`);
    const { body } = await side.owner.get(`/api/conversations/${id}/identity-events`, 200);
    note("identity_event", (body as { events: Found[] }).events);
  }
  await paged("contact", "/api/contacts");
  await paged("account", "/api/accounts");
  await paged("attention_item", "/api/attention-items");
  await paged("pending_action", "/api/pending-actions");
  await paged("case", "/api/cases");
  await paged("booking", "/api/calendar/bookings");
  await paged("rating", "/api/quality/csat/ratings");
  await bare("circuit_breaker", "/api/quality/circuit-breakers?limit=1000");
  await bare("member", "/api/members");
  await bare("api_key", "/api/api-keys");
  await bare("brand", "/api/brands");
  await bare("agent", "/api/agents");
  for (const { id } of (await side.owner.get<Found[]>("/api/workspaces", 200)).body) {
    const { body } = await side.owner.get<Found>(`/api/workspaces/${id}`, 200);
    note("workspace", [body]);
    await bare("channel", `/api/workspaces/${id}/channels`);
    await paged("kb_entry", `/api/workspaces/${id}/kb-entries`);
    await paged("policy_entry", `/api/workspaces/${id}/policy-entries`);
    await bare("source", `/api/workspaces/${id}/sources`);
    await paged("procedure", `/api/workspaces/${id}/procedures`);
  }
  return found;
}

/** Columns that no resource shows and that still tell something: the ways in which a resource goes. */
const GOING = ["deleted_at", "erased_at", "removed_at"];

test("a column of a resource is shown by it, or its changes are left out of the feed", async () => {
  const rows = await app.db.query<{ table: string; column: string; source: string }>(`
    select c.relname as table, a.attname as column, f.prosrc as source
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc f on f.oid = t.tgfoid
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where t.tgname = 'feed_update' and t.tgnewtable is null
      and a.attname not in ('tenant_id', 'organisation_id', 'id', 'created_at')`);
  const read = STATEMENTS.get("feed.read")!.text;
  const unexplained = rows.filter(
    ({ column, source }) =>
      !source.includes(`it.${column} := new.${column};`) &&
      !GOING.includes(column) &&
      !new RegExp(`\\b\\w\\.${column}\\b`).test(read),
  );
  expect(unexplained.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  expect(rows.length).toBeGreaterThan(150);
});

/** Which resources each scope reads in the feed. The scopes that are missing read none. */
const READ_BY: Partial<Record<Scope, string[]>> = {
  "conversations:read": ["conversation", "message", "attention_item", "pending_action", "identity_event"],
  "kb:read": ["kb_entry", "source"],
  "policy:read": ["policy_entry"],
  "contacts:read": ["contact"],
  "accounts:read": ["account"],
  "agents:read": ["agent", "procedure"],
  "channels:read": ["channel"],
  "calendar:read": ["booking"],
  "quality:read": ["rating", "circuit_breaker"],
  "workspaces:read": ["workspace", "brand"],
  "cases:read": ["case"],
};

const WRITES = PROTECTED.filter((route) => route.method !== "GET");
let done = 0;

describe("a reader of the feed", () => {
  test.each(each(WRITES))("follows %s", async (_, route) => {
    const { client, side: own } = isOwn(route) ? await ownMember(side, "admin") : { client: side.owner, side };
    const id = await idFor(route, own);
    // What the route before changed, and what this one begins with.
    await read();
    expect((await send(client, route, { id, body: bodyFor(route, own) })).status).toBeLessThan(300);
    done++;
  });

  test("has exactly what the API shows after all of them, of every kind", async () => {
    expect(done).toBe(WRITES.length);
    // Contacts rate, by a link and not by a route that others may call.
    await rate(side, (await side.key.get("/api/conversations?limit=1", 200)).body.data[0]!.id);
    await read();
    const kept = new Map([...mirror].map(([name, resource]) => [name, shown(name.split(" ")[0]!, resource)]));
    const actual = await everything();
    expect([...kept.keys()].filter((name) => !actual.has(name)).sort(), "gone, and the reader still has it").toEqual(
      [],
    );
    expect([...actual.keys()].filter((name) => !kept.has(name)).sort(), "there, and the reader lacks it").toEqual([]);
    for (const [name, resource] of actual) expect(kept.get(name), name).toEqual(resource);
    expect(new Set([...actual.keys()].map((name) => name.split(" ")[0])).size).toBe(21);
  });

  test.each(SCOPES)("with a key of scope %s gets the resources of that scope and no others", async (scope) => {
    const key = await keyFor(side.owner, { scopes: [scope] });
    await settled(app.db);
    const expected = READ_BY[scope];
    if (!expected) return void (await key.get("/api/changes", 403));
    const { changes } = await follow(key);
    expect([...new Set(changes.map(({ resourceType }) => resourceType))].sort()).toEqual([...expected].sort());
  });

  test.each(ROLES)("in a session of role %s gets what the role reads, within its workspaces", async (role) => {
    const member = await signIn(side, role);
    await settled(app.db);
    if (role === "billing") return void (await member.get("/api/changes", 403));
    const { changes } = await follow(member);
    const types = new Set<string>(changes.map(({ resourceType }) => resourceType));
    const all = [...Object.values(READ_BY).flat(), "member", "api_key"];
    const isAdmin = role === "owner" || role === "admin";
    expect([...types].sort()).toEqual(all.filter((type) => isAdmin || type !== "api_key").sort());
    if (isAdmin) return;
    const places = new Set(changes.map(({ workspaceId }) => workspaceId));
    expect([...places].filter((id) => id !== null)).toEqual([side.workspaceId]);
  });
});
