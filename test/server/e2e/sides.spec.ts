import { afterAll, beforeAll, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { NOT_FOUND, start, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
interface Side {
  client: Client;
  workspaceId: string;
  brandId: string;
  conversation: Schemas["Conversation"];
  entry: { id: string };
  channelId: string;
}
let sides: [live: Side, test: Side];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  sides = [await fill(tenant.live, tenant.defaults), await fill(tenant.test, tenant.testDefaults)];
});
afterAll(() => app.close());

/** The same content on both sides. Values chosen by the client are identical. */
async function fill(client: Client, { workspaceId, brandId }: { workspaceId: string; brandId: string }): Promise<Side> {
  const conversation = await start(client, workspaceId, {
    externalId: "same",
    contact: { externalId: "same", emails: ["same@example.com"] },
    message: { body: "Hello", externalId: "same" },
  });
  await client.post(`/api/conversations/${conversation.id}/reply`, { body: "Hi", clientMessageId: "same" }, 200);
  const { body: entry } = await client.post(
    `/api/workspaces/${workspaceId}/kb-entries`,
    { question: "Q", answer: "A", status: "pending" },
    201,
  );
  const { body: channels } = await client.get(`/api/workspaces/${workspaceId}/channels`, 200);
  return { client, workspaceId, brandId, conversation, entry, channelId: channels[0]!.id };
}

/** Everything that a side returns. */
async function content({ client, workspaceId, conversation }: Side): Promise<{ id: string }[]> {
  const lists = [
    "/api/conversations",
    "/api/contacts",
    `/api/conversations/${conversation.id}/messages`,
    `/api/workspaces/${workspaceId}/kb-entries`,
  ];
  const arrays = [
    "/api/workspaces",
    "/api/brands",
    `/api/workspaces/${workspaceId}/channels`,
    `/api/workspaces/${workspaceId}/kb-entries/pending`,
  ];
  return [
    ...(await Promise.all(lists.map((path) => walk<{ id: string }>(client, path)))).flat(),
    ...(await Promise.all(arrays.map(async (path) => (await client.get<{ id: string }[]>(path, 200)).body))).flat(),
  ];
}

test("the two sides share externalIds and no ids", async () => {
  const [live, sandbox] = await Promise.all(
    sides.map(async (side) => new Set((await content(side)).map(({ id }) => id))),
  );
  expect(live!.size).toBeGreaterThanOrEqual(9);
  expect(sandbox!.size).toBe(live!.size);
  expect([...live!].filter((id) => sandbox!.has(id))).toEqual([]);
});

test("no id of one side works on the other, in a path or in a body", async () => {
  for (const [here, there] of [sides, sides.toReversed()] as [Side, Side][]) {
    const { client } = here;
    const {
      conversation: { id, contactId },
      workspaceId,
      entry,
      channelId,
    } = there;
    const paths = [
      `/api/conversations/${id}`,
      `/api/conversations/${id}/messages`,
      `/api/conversations/${id}/identity-events`,
      `/api/contacts/${contactId}`,
      `/api/workspaces/${workspaceId}`,
      `/api/workspaces/${workspaceId}/channels`,
      `/api/workspaces/${workspaceId}/kb-entries`,
      `/api/kb-entries/${entry.id}`,
      `/api/conversations?workspaceId=${workspaceId}`,
    ];
    for (const path of paths) expect((await client.get(path, 404)).body, path).toEqual(NOT_FOUND);
    const bodies = [
      { workspaceId, contact: {} },
      { workspaceId: here.workspaceId, contactId },
      { workspaceId: here.workspaceId, contact: {}, channelId },
    ];
    for (const body of bodies) expect((await client.post("/api/conversations", body, 404)).body).toEqual(NOT_FOUND);
    for (const kind of ["messages", "reply", "notes"])
      await client.post(`/api/conversations/${id}/${kind}`, { body: "Hello" }, 404);
    expect((await client.get(`/api/conversations?contactId=${contactId}`, 200)).body).toEqual({ data: [] });
  }
});

test("an owner signed in on one side sees only that side", async () => {
  for (const [environment, mine, other] of [
    ["live", ...sides],
    ["test", ...sides.toReversed()],
  ] as ["live" | "test", Side, Side][]) {
    const owner = await tenant.owner(environment);
    expect((await owner.get("/api/workspaces", 200)).body.map(({ id }) => id)).toEqual([mine.workspaceId]);
    expect((await walk(owner, "/api/conversations")).map(({ id }) => id)).toEqual([mine.conversation.id]);
    expect((await owner.get(`/api/conversations/${other.conversation.id}`, 404)).body).toEqual(NOT_FOUND);
  }
});

test("the sides share only members: a write on one side leaves the other byte for byte unchanged", async () => {
  const [live, sandbox] = sides;
  const before = JSON.stringify(await content(live));
  await sandbox.client.post(`/api/conversations/${sandbox.conversation.id}/messages`, { body: "More" }, 201);
  await sandbox.client.post(`/api/kb-entries/${sandbox.entry.id}/approve`, undefined, 200);
  await start(sandbox.client, sandbox.workspaceId, { contact: { externalId: "only-here" } });
  expect(JSON.stringify(await content(live))).toBe(before);
  const members = async (environment: "live" | "test") =>
    (await (await tenant.owner(environment)).get("/api/members", 200)).body.map(({ id, email }) => ({
      id,
      email,
    }));
  expect(await members("test")).toEqual(await members("live"));
});
