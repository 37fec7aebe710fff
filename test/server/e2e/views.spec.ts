import { afterAll, beforeAll, expect, test } from "vitest";
import { UnassignFormerMembersJob } from "../../../src/maintenance/unassign-former-members.job.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ada: Client & { id: string };
let bob: Client & { id: string };
let elsewhere: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  elsewhere = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  [ada, bob] = [
    await newAgent(owner, [tenant.defaults.workspaceId]),
    await newAgent(owner, [tenant.defaults.workspaceId, elsewhere]),
  ];
});
afterAll(() => app.close());

const create = async (client: Client, body: object = {}) =>
  (await client.post("/api/views", { name: "Open", filter: {}, ...body }, 201)).body;
const names = async (client: Client): Promise<string[]> =>
  (await client.get("/api/views?limit=100", 200)).body.data.map(({ name }) => name);

test("a view has a name, a filter and an order", async () => {
  const filter = {
    workspaceId: tenant.defaults.workspaceId,
    status: ["open", "snoozed"],
    assigneeId: "me",
    unread: true,
    handlingMode: "human",
    channelType: "email",
    label: "vip",
  };
  const made = await create(ada, { name: " Mine ", filter, sort: "waiting", position: 3 });
  expect(made).toEqual({
    id: anId,
    name: "Mine",
    filter,
    sort: "waiting",
    shared: false,
    position: 3,
    memberId: ada.id,
    createdAt: aTime,
    updatedAt: aTime,
  });
  const path = `/api/views/${made.id}` as const;
  expect((await ada.patch(path, { filter: { assigneeId: "none" } }, 200)).body).toMatchObject({
    name: "Mine",
    filter: { assigneeId: "none" },
    sort: "waiting",
  });
  await ada.delete(path, 200);
  await ada.delete(path, 404);
});

test.each([
  [{ state: ["open"] }, "property state should not exist"],
  [{ status: [] }, "status"],
  [{ status: ["closed"] }, "status"],
  [{ assigneeId: "you" }, "assigneeId must be a member's id, none or me"],
  [{ unread: "yes" }, "unread"],
  [[], "filter"],
])("a filter of %j is refused", async (filter, word) => {
  expect((await ada.post("/api/views", { name: "x", filter }, 400)).body.error).toContain(word);
});

test("own views are seen by their author alone; shared ones by all, first, in their order", async () => {
  const [second, first] = [
    await create(owner, { name: "Z", shared: true, position: 1 }),
    await create(owner, { name: "A", shared: true, position: 1 }),
  ];
  await create(owner, { name: "Zero", shared: true });
  await create(ada, { name: "Ada's", position: 0 });
  expect(await names(ada)).toEqual(["Zero", "A", "Z", "Ada's"]);
  expect(await names(bob)).toEqual(["Zero", "A", "Z"]);
  const hers = (await ada.get("/api/views", 200)).body.data.find(({ name }) => name === "Ada's")!;
  for (const client of [bob, owner]) {
    expect((await client.patch(`/api/views/${hers.id}`, { name: "x" }, 404)).body).toEqual(NOT_FOUND);
    await client.delete(`/api/views/${hers.id}`, 404);
  }
  await ada.post("/api/views", { name: "x", filter: {}, shared: true }, 403);
  await ada.patch(`/api/views/${hers.id}`, { shared: true }, 403);
  await ada.patch(`/api/views/${first.id}`, { name: "x" }, 403);
  await ada.delete(`/api/views/${first.id}`, 403);
  await owner.patch(`/api/views/${second.id}`, { shared: false }, 200);
  expect(await names(ada)).toEqual(["Zero", "A", "Ada's"]);
  expect(await names(owner)).toEqual(["Zero", "A", "Z"]);
  await ada.delete(`/api/views/${hers.id}`, 200);
});

test("whoever stops sharing a view gets it", async () => {
  const email = `admin-${process.pid}@example.com`;
  const password = "correct horse battery";
  await owner.post("/api/members", { email, name: "Eve", role: "admin", password }, 201);
  const eve = await app.client().login(email, password);
  const { id } = await create(owner, { name: "Everybody's", shared: true });
  const { body } = await eve.patch(`/api/views/${id}`, { shared: false }, 200);
  expect(body).toMatchObject({ shared: false, memberId: (await eve.get("/api/me", 200)).body.id });
  expect(await names(eve)).toContain("Everybody's");
  await owner.delete(`/api/views/${id}`, 404);
});

test("views come in pages, each once and in the same order", async () => {
  const frank = await newAgent(owner, [tenant.defaults.workspaceId]);
  for (const [n, position] of [3, 1, 2, 1].entries()) await create(frank, { name: `view ${n}`, position });
  const all = (await frank.get("/api/views?limit=100", 200)).body.data;
  expect(all.slice(-4).map(({ name }) => name)).toEqual(["view 1", "view 3", "view 2", "view 0"]);
  for (const limit of [1, 2, 3]) expect(await walk(frank, "/api/views", limit)).toEqual(all);
});

test("a view of a workspace is for those who have access to it", async () => {
  const filter = { workspaceId: elsewhere };
  await ada.post("/api/views", { name: "x", filter }, 404);
  await create(owner, { name: "Elsewhere", filter, shared: true });
  expect(await names(bob)).toContain("Elsewhere");
  expect(await names(ada)).not.toContain("Elsewhere");
});

test("a member has fifty views of their own at most, also when requests come at once", async () => {
  const carol = await newAgent(owner, [tenant.defaults.workspaceId]);
  for (let n = 0; n < 48; n++) await create(carol, { name: `view ${n}` });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => carol.post("/api/views", { name: "x", filter: {} })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
});

test("a removed member's own views are deleted; the shared ones stay", async () => {
  const email = `dora-${process.pid}@example.com`;
  const body = { email, name: "Dora", role: "admin", password: "correct horse battery" };
  const { id } = (await owner.post("/api/members", body, 201)).body;
  const dora = await app.client().login(email, body.password);
  await create(dora, { name: "Dora's" });
  await create(dora, { name: "From Dora", shared: true });
  await owner.patch(`/api/members/${id}`, { status: "deactivated" }, 200);
  await app.app.get(UnassignFormerMembersJob).run();
  const left = () =>
    app.db.query<{ name: string }>("select name from saved_view where member_id = $1 order by name", [id]);
  expect(await left()).toEqual([{ name: "Dora's" }, { name: "From Dora" }]);
  await owner.delete(`/api/members/${id}`, 200);
  await app.app.get(UnassignFormerMembersJob).run();
  expect(await left()).toEqual([{ name: "From Dora" }]);
});
