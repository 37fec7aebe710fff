import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, start, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let agent: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  agent = await newAgent(owner, [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());

describe("the labels of a tenant", () => {
  test("are defined by whoever may write, listed by name, coloured and deleted by owners and admins", async () => {
    const { live, ...other } = await app.tenant();
    const admin = await other.owner();
    const member = await newAgent(admin, [other.defaults.workspaceId]);
    const vip = (await member.post("/api/labels", { name: "  vip ", colour: "purple" }, 201)).body;
    expect(vip).toEqual({ id: anId, name: "vip", colour: "purple", createdAt: aTime, updatedAt: aTime });
    const late = (await live.post("/api/labels", { name: "late" }, 201)).body;
    expect(late.colour).toBe("gray");
    await live.post("/api/labels", { name: "refund" }, 201);
    for (const limit of [1, 2, 100])
      expect((await walk(live, "/api/labels", limit)).map(({ name }) => name)).toEqual(["late", "refund", "vip"]);

    const red = (await admin.patch(`/api/labels/${late.id}`, { colour: "red" }, 200)).body;
    expect(red).toMatchObject({ ...late, colour: "red", updatedAt: aTime });
    expect((await admin.patch(`/api/labels/${late.id}`, {}, 200)).body).toEqual(red);
    await admin.patch(`/api/labels/${late.id}`, { name: "later" }, 400);
    await admin.delete(`/api/labels/${late.id}`, 200);
    expect((await admin.delete(`/api/labels/${late.id}`, 404)).body).toEqual(NOT_FOUND);
    expect((await admin.patch(`/api/labels/${late.id}`, { colour: "red" }, 404)).body).toEqual(NOT_FOUND);
    expect((await walk(member, "/api/labels")).map(({ name }) => name)).toEqual(["refund", "vip"]);
  });

  test("have unique names, in which case matters", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => agent.post("/api/labels", { name: "Once" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await agent.post("/api/labels", { name: " Once" }, 409)).body).toEqual({
      error: "A label with this name exists already",
    });
    await agent.post("/api/labels", { name: "once" }, 201);
  });

  test("are refused with a colour or name that does not exist", async () => {
    for (const body of [{}, { name: " " }, { name: "x".repeat(101) }, { name: "a", colour: "#ff0000" }])
      await owner.post("/api/labels", body, 400);
  });

  test("are audited", async () => {
    const { id } = (await owner.post("/api/labels", { name: "audited" }, 201)).body;
    await owner.patch(`/api/labels/${id}`, { colour: "blue" }, 200);
    await owner.delete(`/api/labels/${id}`, 200);
    const entries = (await walk(owner, `/api/audit-log?resourceId=${id}`)).map(({ change, action, resourceType }) => ({
      change,
      action,
      resourceType,
    }));
    expect(entries).toEqual([
      { change: "deleted", action: "labels.delete", resourceType: "label" },
      { change: "updated", action: "labels.update", resourceType: "label" },
      { change: "created", action: "labels.create", resourceType: "label" },
    ]);
  });
});

describe("the labels of a conversation", () => {
  const change = (id: string, body: object, client = agent) => client.post(`/api/conversations/${id}/labels`, body);
  const labels = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body.labels;

  test("are added behind the others and removed, whether they are defined or not", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    for (const [body, expected] of [
      [{ add: ["b", "a"] }, ["b", "a"]],
      [{ add: ["c", "a"], remove: ["x"] }, ["b", "a", "c"]],
      [{ add: ["d"], remove: ["a"] }, ["b", "c", "d"]],
      [{ remove: ["B", "c"] }, ["b", "d"]],
      [{}, ["b", "d"]],
    ] as const) {
      expect((await change(id, body)).body).toEqual({ ok: true });
      expect(await labels(id)).toEqual(expected);
    }
    const listed = async (label: string) =>
      (await walk(agent, `/api/conversations?label=${label}`)).map((one) => one.id);
    expect(await listed("d")).toContain(id);
    expect(await listed("c")).not.toContain(id);
  });

  test("do not change, nor does the conversation, if nothing is added or removed", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await change(id, { add: ["one"] });
    const before = (await agent.get(`/api/conversations/${id}`, 200)).body;
    expect((await change(id, { add: ["one"], remove: ["two"] })).status).toBe(200);
    expect((await agent.get(`/api/conversations/${id}`, 200)).body).toEqual(before);
  });

  test("are at most fifty", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    const fifty = Array.from({ length: 50 }, (_, n) => `label ${n}`);
    expect((await change(id, { add: fifty })).status).toBe(200);
    const refused = await change(id, { add: ["one more"] });
    expect([refused.status, refused.body]).toEqual([409, { error: "A conversation has at most 50 labels" }]);
    expect((await change(id, { add: ["one more"], remove: ["label 7"] })).status).toBe(200);
    expect(await labels(id)).toEqual([...fifty.toSpliced(7, 1), "one more"]);
  });

  test("are refused if one is to be added and removed, is given twice, or is no label", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    for (const body of [
      { add: ["a"], remove: ["a"] },
      { add: ["a", "a"] },
      { remove: [""] },
      { add: ["x".repeat(101)] },
      { add: "a" },
      { add: null },
    ])
      expect((await change(id, body)).status, JSON.stringify(body)).toBe(400);
    expect(await labels(id)).toEqual([]);
  });

  test("can be changed within reach alone, and stay when the label is deleted", async () => {
    const elsewhere = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const { id } = await start(tenant.live, elsewhere.id);
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId } });
    for (const client of [agent, key]) expect((await change(id, { add: ["a"] }, client)).status).toBe(404);
    const label = (await key.post("/api/labels", { name: "short-lived" }, 201)).body;
    expect((await change(id, { add: ["short-lived"] }, owner)).status).toBe(200);
    await owner.delete(`/api/labels/${label.id}`, 200);
    expect(await labels(id)).toEqual(["short-lived"]);
  });

  test("lose nothing when twenty people add and remove at once", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    const old = Array.from({ length: 10 }, (_, n) => `old ${n}`);
    await change(id, { add: old });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        change(id, { add: [`new ${n}`], remove: [`old ${n}`] }, n % 2 ? agent : owner),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await labels(id)).toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `new ${n}`).toSorted());
    // And never more than fifty.
    await Promise.all(Array.from({ length: 40 }, (_, n) => change(id, { add: [`more ${n}`] }, owner)));
    expect(await labels(id)).toHaveLength(50);
  });
});
