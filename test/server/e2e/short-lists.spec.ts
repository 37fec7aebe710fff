import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { REVIEWED } from "../../support/reviewed.js";
import { newAgent, start, walk } from "./support.js";

// Lists that are seldom long are pages, too.

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

/** Three items, and how they are told apart. */
interface Short {
  client: Client;
  path: string;
  keyOf: (item: never) => unknown;
  /** The keys in their order, if it is known. */
  keys?: unknown[];
}

const VERSIONS = { keyOf: ({ version }: { version: number }) => version, keys: [3, 2, 1] };

const LISTS: Record<string, () => Promise<Short>> = {
  "versions of instructions": async () => {
    const body = { name: "Returns", instructions: "1", workspaceIds: [workspaceId] };
    const { id } = (await tenant.live.post("/api/agents", body, 201)).body;
    for (const instructions of ["2", "3"])
      await tenant.live.put(`/api/agents/${id}/instructions`, { instructions }, 200);
    return { client: tenant.live, path: `/api/agents/${id}/instructions/versions`, ...VERSIONS };
  },
  ...Object.fromEntries(
    REVIEWED.flatMap(({ kind, title, text, needed }) => {
      const create = async (body: object) =>
        (
          await tenant.live.post(
            `/api/workspaces/${workspaceId}/${kind}`,
            { ...needed, status: "pending", ...body },
            201,
          )
        ).body.id;
      return [
        [
          `versions of ${kind}`,
          async () => {
            const id = await create({});
            for (const value of ["2", "3"]) await tenant.live.patch(`/api/${kind}/${id}`, { [text]: value }, 200);
            return { client: tenant.live, path: `/api/${kind}/${id}/versions`, ...VERSIONS };
          },
        ],
        [
          `similar ${kind}`,
          async () => {
            const asked = `${randomUUID()} ${randomUUID()}?`;
            const id = await create({ [title]: asked });
            for (let n = 0; n < 3; n++) await create({ [title]: asked });
            const keyOf = ({ entry }: { entry: { id: string } }) => entry.id;
            return { client: tenant.live, path: `/api/${kind}/${id}/similar`, keyOf };
          },
        ],
      ];
    }),
  ),
  viewers: async () => {
    const { id } = await start(tenant.live, workspaceId);
    const members = [];
    // Members of the same name come in the order of their ids.
    for (let n = 0; n < 3; n++) {
      const member = await newAgent(owner, [workspaceId]);
      await member.put(`/api/conversations/${id}/viewing`, { state: "viewing" }, 200);
      members.push(member.id);
    }
    const keyOf = ({ memberId }: { memberId: string }) => memberId;
    return { client: owner, path: `/api/conversations/${id}/viewers`, keyOf, keys: members.sort() };
  },
  sessions: async () => {
    const email = `${randomUUID()}@example.com`;
    await owner.post("/api/members", { email, name: "Agent", role: "agent", password: PASSWORD }, 201);
    let client = owner;
    for (let n = 0; n < 3; n++) client = await app.client().login(email, PASSWORD);
    return { client, path: "/api/me/sessions", keyOf: ({ id }: { id: string }) => id };
  },
};

test.each(Object.keys(LISTS))("%s come in pages, each once and in the same order", async (name) => {
  const { client, path, keyOf, keys } = await LISTS[name]!();
  const { body } = await client.get<{ data: never[] }>(path, 200);
  expect(Object.keys(body)).toEqual(["data"]);
  const all = body.data.map(keyOf);
  expect(new Set(all).size).toBe(3);
  if (keys) expect(all).toEqual(keys);
  for (const limit of [1, 2, 3]) expect((await walk<never>(client, path, limit)).map(keyOf)).toEqual(all);
});

test.each(Object.keys(LISTS))("a cursor of other %s is refused", async (name) => {
  const [one, other] = [await LISTS[name]!(), await LISTS[name]!()];
  const { nextCursor } = (await one.client.get<{ nextCursor: string }>(`${one.path}?limit=2`, 200)).body;
  await one.client.get(`${one.path}?limit=2&cursor=${nextCursor}`, 200);
  const { body } = await other.client.get(`${other.path}?limit=2&cursor=${nextCursor}`, 400);
  expect(body).toEqual({ error: "cursor is not one that this query gave" });
});
