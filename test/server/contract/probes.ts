import { randomUUID } from "node:crypto";
import { keyFor, type TestApp } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { askForNames, makeFor, makerOf, type Side, sideOf, signIn } from "./fixtures.js";
import { type Route, ROUTES } from "../../support/routes.js";

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
  /** What `foreignIds` has deleted with its workspace. */
  deleted?: Promise<Record<string, string>>;
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

/** Both sides of a tenant have the same members, and a member has one list of sessions, second factors and browsers. */
const SHARED_BY_SIDES = new Set(["members", "sessions", "second-factors", "push-subscriptions"]);

/** Deletes a resource of each kind that the API can delete, and returns its id. The row may still exist. */
const REMOVE: Record<string, (side: Side) => Promise<string>> = {
  ...Object.fromEntries(
    ROUTES.filter(({ method, path }) => method === "DELETE" && path.endsWith("/{id}")).map(({ resource, path }) => [
      resource!,
      (side: Side) => removed(side, resource!, path),
    ]),
  ),
  "webhook-deliveries": async (side) => {
    const id = await makeFor({ name: "removed", resource: "webhook-deliveries" }, side);
    const [newest] = (await side.owner.get("/api/webhook-endpoints", 200)).body;
    await side.owner.delete(`/api/webhook-endpoints/${newest!.id}`, 200);
    return id;
  },
};

async function removed(side: Side, resource: string, path: string): Promise<string> {
  const id = await makeFor({ name: "removed", resource }, side);
  await side.owner.delete(path.replace("{id}", id), 200);
  return id;
}

/** What goes with its workspace. */
const WITHIN_WORKSPACE = [
  "conversations",
  "attachments",
  "attention-items",
  "pending-actions",
  "kb-entries",
  "policy-entries",
  "circuit-breakers",
  "cases",
  "channels",
  "bookings",
];

const goesWithWorkspace = (resource: string): boolean =>
  resource === "workspaces" || WITHIN_WORKSPACE.includes(resource);

/** A workspace that was deleted with all that it had: the ids, by resource. */
async function deletedWorkspace(side: Side): Promise<Record<string, string>> {
  const workspaceId = await makeFor({ name: "deleted", resource: "workspaces" }, side);
  const ids: Record<string, string> = { workspaces: workspaceId };
  for (const resource of WITHIN_WORKSPACE)
    ids[resource] = await makeFor({ name: "deleted", resource }, { ...side, workspaceId });
  await side.owner.delete(`/api/workspaces/${workspaceId}`, 200);
  return ids;
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
  (REMOVE[resource!] !== undefined || goesWithWorkspace(resource!)) && name !== "POST /api/contacts/{id}/erasure";

async function makeForeignIds(route: Route, world: World): Promise<Record<string, string>> {
  const { live, test, other } = world;
  const resource = route.resource!;
  return {
    "the nil id": "00000000-0000-0000-0000-000000000000",
    "an id of another tenant": resource === "workspaces" ? other.workspaceId : await makeFor(route, other),
    ...(SHARED_BY_SIDES.has(resource)
      ? {}
      : { "an id of the other side": resource === "workspaces" ? test.workspaceId : await makeFor(route, test) }),
    "the id of something else": resource === "workspaces" ? live.channelId : live.workspaceId,
    ...(removable(route) && REMOVE[resource] ? { "the id of what was removed": await REMOVE[resource](live) } : {}),
    ...(removable(route) && goesWithWorkspace(resource)
      ? { "the id of what went with its workspace": (await (world.deleted ??= deletedWorkspace(live)))[resource]! }
      : {}),
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
