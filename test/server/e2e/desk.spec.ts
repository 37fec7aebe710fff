import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnassignFormerMembersJob } from "../../../src/maintenance/unassign-former-members.job.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { anId, aTime, newAgent, newDesk, newWorkspace, NOT_FOUND, start, UNKNOWN_ID, walk } from "./support.js";
import { type Side, sideOf, signIn } from "../contract/fixtures.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("views", () => {
  let tenant: TestTenant;
  let owner: Client;
  let ada: Client & { id: string };
  let bob: Client & { id: string };
  let elsewhere: string;
  beforeAll(async () => {
    ({ tenant, owner, ada, bob, elsewhere } = await newDesk(app));
  });

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
    [{ state: ["open"] }, "property filter.state should not exist"],
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
});

describe("labels", () => {
  let tenant: TestTenant;
  let owner: Client;
  let agent: Client;
  beforeAll(async () => {
    tenant = await app.tenant();
    owner = await tenant.owner();
    agent = await newAgent(owner, [tenant.defaults.workspaceId]);
  });

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
      const entries = (await walk(owner, `/api/audit-log?resourceId=${id}`)).map(
        ({ change, action, resourceType }) => ({
          change,
          action,
          resourceType,
        }),
      );
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
});

describe("mentions", () => {
  let tenant: TestTenant;
  let owner: Client;
  let ada: Client & { id: string };
  beforeAll(async () => {
    tenant = await app.tenant();
    owner = await tenant.owner();
    ada = await newAgent(owner, [tenant.defaults.workspaceId]);
  });

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
});

describe("the overview", () => {
  // What an operator's screen shows of a conversation, in one request.

  let tenant: TestTenant;
  let side: Side;
  let ada: Client;
  let id: string;
  let contactId: string;
  beforeAll(async () => {
    tenant = await app.tenant();
    side = await sideOf(tenant);
    ada = await signIn(side, "agent");
    const { body } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Grace" } },
      201,
    );
    ({ id, contactId } = body);
    for (const text of ["Hello", "👍", "Are you there?"])
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: text }, 201);
    await ada.put(`/api/conversations/${id}/draft`, { body: "It left" }, 200);
    await ada.post(
      "/api/cases",
      { workspaceId: tenant.defaults.workspaceId, contactId, conversationIds: [id], title: "Late" },
      201,
    );
  });

  const path = (more = ""): string => `/api/conversations/${id}/overview${more}`;

  test("each part is what its own route answers", async () => {
    const { body } = await ada.get<Record<string, unknown>>(path(), 200);
    const own: Record<string, string> = {
      conversation: `/api/conversations/${id}`,
      messages: `/api/conversations/${id}/messages?order=desc&limit=50`,
      identityEvents: `/api/conversations/${id}/identity-events`,
      assurance: `/api/conversations/${id}/assurance`,
      viewers: `/api/conversations/${id}/viewers`,
      draft: `/api/conversations/${id}/draft`,
      otherConversations: `/api/conversations?contactId=${contactId}&limit=10`,
      cases: `/api/cases?conversationId=${id}&limit=10`,
      contactCases: `/api/cases?contactId=${contactId}&limit=10`,
      bookings: `/api/calendar/bookings?contactId=${contactId}&limit=10`,
    };
    expect(Object.keys(body)).toEqual(Object.keys(own));
    for (const [part, route] of Object.entries(own))
      expect(body[part], part).toEqual((await ada.get<object>(route, 200)).body);
    expect(body).toMatchObject({
      messages: { data: [{ body: "Are you there?" }, {}, {}] },
      draft: { body: "It left" },
    });
    expect(body).toMatchObject({ cases: { data: [{ title: "Late" }] } });
  });

  test("only the parts that were asked for, whatever the client has cached", async () => {
    const messages = await ada.get(`/api/conversations/${id}/messages?order=desc&limit=50`, 200);
    const { body } = await ada.get<Record<string, unknown>>(path("?parts=messages,assurance"), 200, {
      headers: { "if-none-match": messages.headers.get("etag")! },
    });
    expect(Object.keys(body)).toEqual(["assurance", "messages"]);
    expect(body.messages).toEqual(messages.body);
    expect((await ada.get(path("?parts=messages,secrets"), 400)).text).toMatch(/parts/);
  });

  test("an observer sees everything but drafts, and nobody sees another workspace", async () => {
    const observer = await signIn(side, "observer");
    expect((await observer.get<Record<string, unknown>>(path(), 200)).body).not.toHaveProperty("draft");
    await observer.get(path("?parts=draft"), 403);
    const outside = await signIn(side, "agent", []);
    await outside.get(path(), 404);
    await tenant.live.get(path(), 403);
  });
});
