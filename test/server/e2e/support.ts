import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Config } from "../../../src/platform/config/config.js";
import type { Body, Schemas } from "../../support/api-types.js";
import { PASSWORD, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

/** An id from the server: a UUID of version 7. */
export const anId = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
/** A time in a response: UTC, with milliseconds. */
export const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const UNKNOWN_ID = "01890000-0000-7000-8000-000000000000";
export const NOT_FOUND = { error: "Not found" };

/** Starts a conversation, with a new contact by default. */
export async function start(client: Client, workspaceId: string, body: object = {}): Promise<Schemas["Conversation"]> {
  return (
    await client.post(
      "/api/conversations",
      { workspaceId, ...("contactId" in body ? {} : { contact: { name: "Ada" } }), ...body },
      201,
    )
  ).body;
}

type Item<Path extends string> = Body<"get", Path, 200> extends { data: (infer Found)[] } ? Found : unknown;
/**
 * All items of a list, page by page. A page holds at most `limit`, and only the last one has no `nextCursor`.
 * The type of an item comes from the path, as in `Client`; otherwise give it: `walk<{ id: string }>(client, path)`.
 */
export async function walk<P extends string>(client: Client, path: P, limit?: number): Promise<Item<P>[]>;
export async function walk<T extends object>(client: Client, path: string, limit?: number): Promise<T[]>;
export async function walk(client: Client, path: string, limit = 100): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await client.get<{ data: unknown[]; nextCursor?: string }>(
      `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      200,
    );
    if (cursor !== undefined) expect(body.data, "a cursor leads to something").not.toEqual([]);
    if ("nextCursor" in body) expect(body.data).toHaveLength(limit);
    items.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  expect(items.length).toBeLessThan(10_000);
  return items;
}

/** Creates another workspace of the brand. */
export const newWorkspace = async (client: Client, brandId: string, body: object = {}): Promise<Schemas["Workspace"]> =>
  (await client.post("/api/workspaces", { name: "Another", brandId, ...body }, 201)).body;

/** Creates an agent of the workspaces, signed in on the live side. */
export async function newAgent(owner: Client, workspaceIds: string[]): Promise<Client & { id: string }> {
  const email = `agent-${randomUUID()}@example.com`;
  const { body } = await owner.post(
    "/api/members",
    { email, name: "Agent", role: "agent", workspaceIds, password: PASSWORD },
    201,
  );
  return Object.assign(await owner.as(undefined).login(email, PASSWORD), { id: body.id });
}

/** Sets columns of one row directly in the database, for states that no route creates. */
export async function set(
  app: TestApp,
  table: "conversation" | "workspace",
  id: string,
  columns: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(columns);
  const [row] = await app.db.query<{ tenant_id: string }>(
    `update ${table} set ${names.map((name, index) => `${name} = $${index + 2}`).join(", ")} where id = $1 returning tenant_id`,
    [id, ...Object.values(columns)],
  );
  await noticeChange(app, row!.tenant_id);
}

/** Call after a direct change in the database: shared reads stay cached until the application commits a change. */
export const noticeChange = (app: TestApp, tenantId: string): Promise<void> =>
  app.transaction(tenantId, () => Promise.resolve());

/**
 * Works as a process with other settings does, and then as before. Only for settings that are read when they are used.
 * @param forget makes services forget what they have made from the settings
 */
export async function withSettings<T>(
  { config }: TestApp,
  settings: Partial<Config>,
  work: () => Promise<T>,
  forget: () => unknown = () => undefined,
): Promise<T> {
  const before = Object.fromEntries(Object.keys(settings).map((name) => [name, config[name as keyof Config]]));
  Object.assign(config, settings);
  forget();
  try {
    return await work();
  } finally {
    Object.assign(config, before);
    forget();
  }
}

export const ago = (ms: number): Date => new Date(Date.now() - ms);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A new tenant with two workspaces: Ada works in the default one, Bob in both. */
export async function newDesk(app: TestApp): Promise<{
  tenant: TestTenant;
  owner: Client;
  ada: Client & { id: string };
  bob: Client & { id: string };
  /** The workspace that Ada does not see. */
  elsewhere: string;
}> {
  const tenant = await app.tenant();
  const owner = await tenant.owner();
  const elsewhere = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  const ada = await newAgent(owner, [tenant.defaults.workspaceId]);
  const bob = await newAgent(owner, [tenant.defaults.workspaceId, elsewhere]);
  return { tenant, owner, ada, bob, elsewhere };
}
