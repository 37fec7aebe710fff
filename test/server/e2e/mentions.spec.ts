import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newAgent, newWorkspace, NOT_FOUND, start, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ada: Client & { id: string };
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ada = await newAgent(owner, [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());

const states = (id: string): Promise<{ state: object }[]> =>
  app.db.query("select state from resource_change where resource_id = $1 and change = 'created'", [id]);

test("a note names members: the note and its event say so; one without says nothing", async () => {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  const me = (await owner.get("/api/me", 200)).body.id;
  const path = `/api/conversations/${id}/notes` as const;
  const note = (await ada.post(path, { body: "@Owner, look", mentions: [me, ada.id] }, 201)).body;
  expect(note.mentions).toEqual([me, ada.id]);
  expect((await ada.get(`/api/conversations/${id}/messages`, 200)).body.data).toMatchObject([
    { mentions: [me, ada.id] },
  ]);
  expect(await states(note.id)).toEqual([
    { state: { sequence: 1, direction: "internal", deliveryStatus: "delivered", mentions: [me, ada.id] } },
  ]);
  const plain = (await ada.post(path, { body: "Nobody" }, 201)).body;
  expect(plain.mentions).toEqual([]);
  expect(await states(plain.id)).toEqual([
    { state: { sequence: 2, direction: "internal", deliveryStatus: "delivered" } },
  ]);
});

test("whoever has no access, has left or does not exist cannot be named: 404, and nothing is written", async () => {
  const elsewhere = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  const path = `/api/conversations/${id}/notes` as const;
  const [stranger, gone] = [await newAgent(owner, [elsewhere]), await newAgent(owner, [tenant.defaults.workspaceId])];
  await owner.patch(`/api/members/${gone.id}`, { status: "deactivated" }, 200);
  const { id: foreign } = (await (await (await app.tenant()).owner()).get("/api/me", 200)).body;
  for (const member of [stranger.id, gone.id, foreign, UNKNOWN_ID])
    expect((await ada.post(path, { body: "x", mentions: [ada.id, member] }, 404)).body).toEqual(NOT_FOUND);
  expect((await ada.get(`/api/conversations/${id}/messages`, 200)).body.data).toEqual([]);
});
