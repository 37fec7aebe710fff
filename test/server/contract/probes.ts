import { randomUUID } from "node:crypto";
import { v7 as uuid } from "uuid";
import { keyFor, type TestApp } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { askForNames, attach, makeFor, makerOf, type Side, sideOf, signIn } from "./fixtures.js";
import type { Route } from "../../support/routes.js";

/** A tenant with both sides, a second tenant, and callers of the first that reach only an empty second brand and workspace. */
export interface World {
  live: Side;
  test: Side;
  other: Side;
  /** By name: keys restricted to another brand and another workspace, and members assigned elsewhere or nowhere. */
  restricted: Record<string, Client & { role?: "agent" | "observer" }>;
  elsewhere: { brandId: string; workspaceId: string; channelId: string };
  /** The ids that `foreignIds` has created. */
  foreign: Map<string, Promise<Record<string, string>>>;
}

export async function makeWorld(app: TestApp): Promise<World> {
  const tenant = await app.tenant();
  const [live, test, other] = [await sideOf(tenant), await sideOf(tenant, "test"), await sideOf(await app.tenant())];
  const brandId: string = (await live.owner.post("/api/brands", { name: "Elsewhere" }, 201)).body.id;
  const workspaceId: string = (await live.owner.post("/api/workspaces", { name: "Elsewhere", brandId }, 201)).body.id;
  const channelId: string = (await live.owner.get(`/api/workspaces/${workspaceId}/channels`, 200)).body[0]!.id;
  await askForNames(live.owner, workspaceId);
  return {
    live,
    test,
    other,
    elsewhere: { brandId, workspaceId, channelId },
    foreign: new Map(),
    restricted: {
      "a key restricted to another brand": await keyFor(live.owner, { dataScope: { level: "brand", brandId } }),
      "a key restricted to another workspace": await keyFor(live.owner, {
        dataScope: { level: "workspace", workspaceId },
      }),
      "an agent assigned to another workspace": Object.assign(await signIn(live, "agent", [workspaceId]), {
        role: "agent" as const,
      }),
      "an agent assigned to none": Object.assign(await signIn(live, "agent", []), { role: "agent" as const }),
      "an observer assigned to another workspace": Object.assign(await signIn(live, "observer", [workspaceId]), {
        role: "observer" as const,
      }),
    },
  };
}

/** Both sides of a tenant have the same members, and a member has one list of sessions and second factors. */
const SHARED_BY_SIDES = new Set(["members", "sessions", "second-factors"]);

/** Deletes a resource of each kind that the API can delete, and returns its id. The row may still exist. */
const REMOVE: Record<string, (side: Side) => Promise<string>> = {
  members: async (side) => {
    const id = await makeFor({ name: "removed", resource: "members" }, side);
    await side.owner.delete(`/api/members/${id}`, 200);
    return id;
  },
  "second-factors": async (side) => {
    const id = await makeFor({ name: "removed", resource: "second-factors" }, side);
    await side.owner.delete(`/api/me/second-factors/${id}`, 200);
    return id;
  },
  sessions: async (side) => {
    const id = await makeFor({ name: "removed", resource: "sessions" }, side);
    await side.owner.delete(`/api/me/sessions/${id}`, 200);
    return id;
  },
  labels: async (side) => {
    const id = await makeFor({ name: "removed", resource: "labels" }, side);
    await side.owner.delete(`/api/labels/${id}`, 200);
    return id;
  },
  contacts: async (side) => {
    const id = await makeFor({ name: "removed", resource: "contacts" }, side);
    await side.key.delete(`/api/contacts/${id}`, 200);
    return id;
  },
  workspaces: async (side) => (await deletedWorkspace(side)).workspaceId,
  conversations: async (side) => (await deletedWorkspace(side)).conversationId,
  attachments: async (side) => (await deletedWorkspace(side)).attachmentId,
  "attention-items": async (side) => (await deletedWorkspace(side)).itemId,
  "pending-actions": async (side) => (await deletedWorkspace(side)).actionId,
  tools: async (side) => removed(side, "tools"),
  "kb-entries": async (side) => (await deletedWorkspace(side)).entryId,
  "policy-entries": async (side) => (await deletedWorkspace(side)).policyId,
  "circuit-breakers": async (side) => (await deletedWorkspace(side)).breakerId,
  cases: async (side) => (await deletedWorkspace(side)).caseId,
  channels: async (side) => (await deletedWorkspace(side)).channelId,
  bookings: async (side) => (await deletedWorkspace(side)).bookingId,
  connections: async (side) => {
    const id = await makeFor({ name: "removed", resource: "connections" }, side);
    await side.owner.delete(`/api/calendar/connections/${id}`, 200);
    return id;
  },
  "webhook-endpoints": async (side) => removed(side, "webhook-endpoints"),
  "webhook-deliveries": async (side) => {
    const id = await makeFor({ name: "removed", resource: "webhook-deliveries" }, side);
    const [newest] = (await side.owner.get("/api/webhook-endpoints", 200)).body;
    await side.owner.delete(`/api/webhook-endpoints/${newest!.id}`, 200);
    return id;
  },
  "canned-replies": async (side) => removed(side, "canned-replies"),
  views: async (side) => removed(side, "views"),
  "kb-widgets": async (side) => removed(side, "kb-widgets"),
  "contact-form-widgets": async (side) => removed(side, "contact-form-widgets"),
};

async function removed(side: Side, resource: string): Promise<string> {
  const id = await makeFor({ name: "removed", resource }, side);
  await side.owner.delete(`/api/${resource}/${id}`, 200);
  return id;
}

async function deletedWorkspace(side: Side): Promise<{
  workspaceId: string;
  conversationId: string;
  attachmentId: string;
  itemId: string;
  actionId: string;
  entryId: string;
  policyId: string;
  channelId: string;
  caseId: string;
  bookingId: string;
  breakerId: string;
}> {
  const workspaceId = await makeFor({ name: "deleted", resource: "workspaces" }, side);
  const within = { ...side, workspaceId };
  const conversationId = await makeFor({ name: "deleted", resource: "conversations" }, within);
  const attachmentId = await attach(within, conversationId);
  const itemId = await makeFor({ name: "deleted", resource: "attention-items" }, within);
  const actionId = await makeFor({ name: "deleted", resource: "pending-actions" }, within);
  const entryId = await makeFor({ name: "deleted", resource: "kb-entries" }, within);
  const policyId = await makeFor({ name: "deleted", resource: "policy-entries" }, within);
  const caseId = await makeFor({ name: "deleted", resource: "cases" }, within);
  const channelId = await makeFor({ name: "deleted", resource: "channels" }, within);
  const breakerId = await makeFor({ name: "deleted", resource: "circuit-breakers" }, within);
  const bookingId = await makeFor({ name: "deleted", resource: "bookings" }, within);
  await side.owner.delete(`/api/workspaces/${workspaceId}`, 200);
  return {
    workspaceId,
    channelId,
    conversationId,
    attachmentId,
    itemId,
    actionId,
    entryId,
    policyId,
    caseId,
    bookingId,
    breakerId,
  };
}

/** Ids that a caller must not be able to tell from an absent one, with the reason. Routes that accept the same resources get the same ids. */
export function foreignIds(route: Route, world: World): Promise<Record<string, string>> {
  const kind = `${makerOf(route)} ${removable(route)}`;
  let ids = world.foreign.get(kind);
  if (!ids) world.foreign.set(kind, (ids = makeForeignIds(route, world)));
  return ids;
}

/** A deleted contact can still be erased. */
const removable = ({ resource, name }: Route): boolean =>
  REMOVE[resource!] !== undefined && name !== "POST /api/contacts/{id}/erasure";

async function makeForeignIds(route: Route, { live, test, other }: World): Promise<Record<string, string>> {
  const resource = route.resource!;
  return {
    "another absent id": uuid(),
    "the nil id": "00000000-0000-0000-0000-000000000000",
    "an id of another tenant": resource === "workspaces" ? other.workspaceId : await makeFor(route, other),
    ...(SHARED_BY_SIDES.has(resource)
      ? {}
      : { "an id of the other side": resource === "workspaces" ? test.workspaceId : await makeFor(route, test) }),
    "the id of something else": resource === "workspaces" ? live.channelId : live.workspaceId,
    ...(removable(route) ? { "the id of what was removed": await REMOVE[resource]!(live) } : {}),
  };
}

/** Everything in a response that could tell two cases apart. */
export function fingerprint({ status, text, headers }: Answer): string {
  const kept = [...headers].filter(([name]) => !["date", "x-request-id", "etag"].includes(name));
  return `${status} ${text}\n${kept
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join("\n")}`;
}

export const retryKey = (): Record<string, string> => ({ "idempotency-key": randomUUID() });
