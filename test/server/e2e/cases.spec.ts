import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { signIn, sideOf } from "../contract/fixtures.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ownerId: string;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ownerId = (await owner.get("/api/me", 200)).body.id;
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const empty = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
const open = async (body: object = {}, client = owner) =>
  (await client.post("/api/cases", { workspaceId, title: "A parcel is lost", ...body }, 201)).body;
const change = async (id: string, body: object, client = owner) =>
  (await client.patch(`/api/cases/${id}`, body, 200)).body;
const read = async (id: string) => (await tenant.live.get(`/api/cases/${id}`, 200)).body;
const eventsOf = (id: string) => walk(tenant.live, `/api/cases/${id}/events`);
let serial = 0;
const newType = async (fields: object[]) =>
  (await owner.post("/api/case-types", { key: `type-${++serial}`, name: "Refund", fields }, 201)).body;

describe("a case", () => {
  test("is opened with a number of its workspace, and reads back as returned", async () => {
    const here = await empty();
    const { id: conversationId, contactId } = await start(tenant.live, here);
    const made = await open({
      workspaceId: here,
      priority: "high",
      contactId,
      assigneeId: ownerId,
      conversationIds: [conversationId],
      dueAt: "2027-01-01T12:00:00+01:00",
    });
    expect(made).toEqual({
      id: anId,
      workspaceId: here,
      number: 1,
      typeId: null,
      title: "A parcel is lost",
      status: "submitted",
      priority: "high",
      conversationIds: [conversationId],
      contactId,
      accountId: null,
      assigneeId: ownerId,
      fields: {},
      dueAt: "2027-01-01T11:00:00.000Z",
      createdAt: aTime,
      updatedAt: aTime,
    });
    expect(await read(made.id)).toEqual(made);
    expect((await open({ workspaceId: here })).number).toBe(2);
    expect((await open({ workspaceId: await empty() })).number).toBe(1);
  });

  test("is not changed by its own ids in capitals", async () => {
    const { id: conversationId, contactId } = await start(tenant.live, workspaceId);
    const ids = { contactId, assigneeId: ownerId };
    const { id } = await open({ ...ids, conversationIds: [conversationId] });
    const before = await eventsOf(id);
    await change(id, {
      contactId: contactId.toUpperCase(),
      assigneeId: ownerId.toUpperCase(),
      conversationIds: [conversationId.toUpperCase()],
    });
    expect(await eventsOf(id)).toEqual(before);
    const twice = [conversationId, conversationId.toUpperCase()];
    await owner.patch(`/api/cases/${id}`, { conversationIds: twice }, 400);
  });

  test("uses no number if it cannot be opened", async () => {
    const here = await empty();
    await owner.post("/api/cases", { workspaceId: here, title: "x", contactId: UNKNOWN_ID }, 404);
    await owner.post("/api/cases", { workspaceId: here, title: "x", fields: { a: 1 } }, 400);
    expect((await open({ workspaceId: here })).number).toBe(1);
  });

  test("records an event for each change with its actor, old and new value, and none for unchanged fields", async () => {
    const { id: first, contactId } = await start(tenant.live, workspaceId);
    const { id: second } = await start(tenant.live, workspaceId);
    const { id: typeId } = await newType([
      { key: "order", label: "Order", type: "text" },
      { key: "amount", label: "Amount", type: "number" },
    ]);
    const agent = await newAgent(owner, [workspaceId]);
    const { id } = await open({ typeId, conversationIds: [first], fields: { order: "A1" } }, agent);
    const before = await read(id);
    await change(id, {
      title: "A parcel is lost",
      status: "submitted",
      priority: "none",
      contactId: null,
      assigneeId: null,
      dueAt: null,
      conversationIds: [first],
      fields: { order: "A1", amount: null },
    });
    expect(await read(id)).toEqual(before);
    const changed = await change(id, {
      title: "Two parcels are lost",
      status: "in_progress",
      priority: "urgent",
      contactId,
      assigneeId: agent.id,
      dueAt: "2027-01-01",
      conversationIds: [second],
      fields: { order: null, amount: 9.5 },
    });
    expect(changed).toMatchObject({
      title: "Two parcels are lost",
      status: "in_progress",
      conversationIds: [second],
      fields: { amount: 9.5 },
      dueAt: "2027-01-01T00:00:00.000Z",
    });
    expect(changed.updatedAt > before.updatedAt).toBe(true);
    const events = await eventsOf(id);
    const [mine, theirs] = [
      { kind: "member", id: agent.id },
      { kind: "member", id: ownerId },
    ];
    expect(events.slice(0, 2)).toEqual([
      { id: anId, caseId: id, type: "created", actor: mine, from: null, to: null, occurredAt: before.createdAt },
      {
        id: anId,
        caseId: id,
        type: "conversation_linked",
        actor: mine,
        from: null,
        to: first,
        occurredAt: before.createdAt,
      },
    ]);
    expect(
      events
        .slice(2)
        .map(({ type, from, to }) => [type, from, to])
        .sort(),
    ).toEqual([
      ["assignee", null, agent.id],
      ["contact", null, contactId],
      ["conversation_linked", null, second],
      ["conversation_unlinked", first, null],
      ["due", null, "2027-01-01T00:00:00.000Z"],
      ["fields", null, ["amount", "order"]],
      ["priority", "none", "urgent"],
      ["status", "submitted", "in_progress"],
      ["title", "A parcel is lost", "Two parcels are lost"],
    ]);
    expect(
      events.slice(2).every(({ actor, occurredAt }) => actor.id === theirs.id && occurredAt === changed.updatedAt),
    ).toBe(true);
    for (const limit of [1, 4]) expect(await walk(tenant.live, `/api/cases/${id}/events`, limit)).toEqual(events);
  });

  test.each(["title", "status", "priority", "conversationIds", "fields"])("refuses null for %s", async (name) => {
    const { id } = await open();
    expect((await owner.patch(`/api/cases/${id}`, { [name]: null }, 400)).body.error).toContain(name);
  });
});

describe("the status of a case", () => {
  const STATUSES = ["submitted", "in_progress", "waiting_on_customer", "resolved"];
  const LEGAL: Record<string, string[]> = {
    submitted: ["in_progress", "waiting_on_customer", "resolved"],
    in_progress: ["waiting_on_customer", "resolved"],
    waiting_on_customer: ["in_progress", "resolved"],
    resolved: ["in_progress"],
  };
  test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to])))("goes from %s to %s", async (from, to) => {
    const { id } = await open();
    if (from !== "submitted") await change(id, { status: from });
    const before = [await read(id), await eventsOf(id)];
    const answer = await owner.patch(`/api/cases/${id}`, { status: to });
    const legal = from === to || LEGAL[from]!.includes(to);
    expect(answer.status).toBe(legal ? 200 : 409);
    if (legal) expect(await read(id)).toMatchObject({ status: to });
    else expect([await read(id), await eventsOf(id)]).toEqual(before);
    if (from === to) expect([await read(id), await eventsOf(id)]).toEqual(before);
  });
});

describe("the fields of a case", () => {
  test("must be those of its type with values of the right kind; a 400 names the invalid field", async () => {
    const { id: typeId } = await newType([
      { key: "order", label: "Order", type: "text", required: true },
      { key: "amount", label: "Amount", type: "number" },
      { key: "paid", label: "Paid", type: "boolean" },
      { key: "bought", label: "Bought", type: "date" },
      { key: "reason", label: "Reason", type: "select", options: ["damaged", "late"] },
    ]);
    const good = { order: "A1", amount: -0.5, paid: false, bought: "2024-02-29", reason: "late" };
    const { id, fields } = await open({ typeId, fields: good });
    expect(fields).toEqual(good);
    const bad: [string, unknown][] = [
      ["order", 1],
      ["order", { a: 1 }],
      ["order", null],
      ["order", "x".repeat(10_001)],
      ["amount", "1"],
      ["paid", "true"],
      ["bought", "2026-02-29"],
      ["bought", "2026-1-1"],
      ["bought", "2026-01-01T00:00:00Z"],
      ["reason", "other"],
      ["reason", ["late"]],
      ["unknown", "x"],
    ];
    for (const [key, value] of bad) {
      for (const answer of [
        await owner.post("/api/cases", { workspaceId, title: "x", typeId, fields: { ...good, [key]: value } }),
        await owner.patch(`/api/cases/${id}`, { fields: { [key]: value } }),
      ]) {
        expect([answer.status, answer.body.error], `${key}: ${JSON.stringify(value).slice(0, 50)}`).toEqual([
          400,
          expect.stringContaining(key),
        ]);
      }
    }
    expect((await owner.post("/api/cases", { workspaceId, title: "x", typeId }, 400)).body.error).toBe(
      "fields.order is required",
    );
    expect(
      (await owner.post("/api/cases", { workspaceId, title: "x", fields: { order: "A1" } }, 400)).body.error,
    ).toContain("fields.order");
    expect(await read(id)).toMatchObject({ fields: good });
  });

  test("keep their values when the type changes, until they are written", async () => {
    const type = await newType([{ key: "order", label: "Order", type: "text" }]);
    const { id } = await open({ typeId: type.id, fields: { order: "A1" } });
    const fields = [{ key: "amount", label: "Amount", type: "number", options: [], required: true }];
    expect((await owner.patch(`/api/case-types/${type.id}`, { fields }, 200)).body).toEqual({ ...type, fields });
    expect((await change(id, { title: "Still the same" })).fields).toEqual({ order: "A1" });
    expect((await owner.patch(`/api/cases/${id}`, { fields: { order: "A2" } }, 400)).body.error).toContain("order");
    expect((await change(id, { fields: { order: null, amount: 2 } })).fields).toEqual({ amount: 2 });
  });
});

describe("a case type", () => {
  test("has a key that is unique in the tenant, and the list is sorted by key", async () => {
    const other = await app.tenant();
    const admin = await other.owner();
    for (const key of ["b", "a"]) await admin.post("/api/case-types", { key, name: key }, 201);
    await admin.post("/api/case-types", { key: "a", name: "Again" }, 409);
    expect((await other.live.get("/api/case-types", 200)).body).toEqual([
      { id: anId, key: "a", name: "a", fields: [] },
      { id: anId, key: "b", name: "b", fields: [] },
    ]);
    expect((await other.test.get("/api/case-types", 200)).body).toEqual([]);
  });

  test("is refused if its fields are invalid", async () => {
    const field = { key: "a", label: "A", type: "text" };
    for (const fields of [
      [{ ...field, key: "A b" }],
      [{ ...field, key: "constructor" }],
      [{ ...field, type: "select" }],
      [{ ...field, options: ["x"] }],
      [field, field],
      [{ ...field, label: "" }],
      [{ ...field, type: "money" }],
      [null],
      Array.from({ length: 51 }, (_, n) => ({ ...field, key: `a${n}` })),
    ]) {
      await owner.post("/api/case-types", { key: `bad-${++serial}`, name: "Bad", fields }, 400);
    }
  });
});

describe("a resource that a case references", () => {
  test("must exist in the same workspace and within reach; otherwise 404, and nothing changes", async () => {
    const elsewhere = await empty();
    const [here, there] = [await start(tenant.live, workspaceId), await start(tenant.live, elsewhere)];
    const agent = await newAgent(owner, [workspaceId]);
    const { id } = await open();
    const before = [await read(id), await eventsOf(id)];
    for (const body of [
      { contactId: UNKNOWN_ID },
      { contactId: there.contactId },
      { assigneeId: UNKNOWN_ID },
      { conversationIds: [UNKNOWN_ID] },
      { conversationIds: [here.id, there.id] },
    ]) {
      expect((await agent.patch(`/api/cases/${id}`, body, 404)).body).toEqual(NOT_FOUND);
      expect((await agent.post("/api/cases", { workspaceId, title: "x", ...body }, 404)).body).toEqual(NOT_FOUND);
    }
    expect((await agent.post("/api/cases", { workspaceId, title: "x", typeId: UNKNOWN_ID }, 404)).body).toEqual(
      NOT_FOUND,
    );
    expect((await agent.post("/api/cases", { workspaceId: elsewhere, title: "x" }, 404)).body).toEqual(NOT_FOUND);
    expect([await read(id), await eventsOf(id)]).toEqual(before);
  });

  test("as its assignee must work in the workspace", async () => {
    const { id } = await open();
    const side = await sideOf(tenant);
    const [inside, outside, observer] = [
      await newAgent(owner, [workspaceId]),
      await newAgent(owner, []),
      await signIn(side, "observer"),
    ];
    await change(id, { assigneeId: inside.id });
    await owner.patch(`/api/cases/${id}`, { assigneeId: outside.id }, 404);
    expect((await owner.patch(`/api/cases/${id}`, { assigneeId: observer.id }, 409)).body.error).toMatch(/only reads/);
    await owner.delete(`/api/members/${inside.id}`, 200);
    await owner.patch(`/api/cases/${(await open()).id}`, { assigneeId: inside.id }, 404);
  });

  test("can be changed by owners, admins and agents in their workspaces, and by no key", async () => {
    const side = await sideOf(tenant);
    const { id } = await open();
    for (const role of ["observer", "billing"] as const)
      await (await signIn(side, role)).patch(`/api/cases/${id}`, { title: "x" }, 403);
    await tenant.live.patch(`/api/cases/${id}`, { title: "x" }, 403);
    await (await newAgent(owner, [])).patch(`/api/cases/${id}`, { title: "x" }, 404);
    await (await newAgent(owner, [workspaceId])).patch(`/api/cases/${id}`, { title: "By an agent" }, 200);
    await (await newAgent(owner, [workspaceId])).post("/api/case-types", { key: "x", name: "x" }, 403);
  });
});

describe("the case list", () => {
  test("is newest first, supports all filters in combination, and is complete at every page size", async () => {
    const here = await empty();
    const { id: conversationId, contactId } = await start(tenant.live, here);
    const all: Schemas["Case"][] = [];
    for (let n = 0; n < 7; n++) {
      const { id } = await open({
        workspaceId: here,
        ...(n % 2 ? { contactId } : {}),
        ...(n % 3 ? { assigneeId: ownerId } : {}),
        ...(n === 4 ? { conversationIds: [conversationId] } : {}),
      });
      all.unshift(n === 5 ? await change(id, { status: "resolved" }) : await read(id));
    }
    const filters: [string, (one: Schemas["Case"]) => unknown][] = [
      ["", () => true],
      ["&status=resolved", ({ status }) => status === "resolved"],
      [`&contactId=${contactId}`, (one) => one.contactId === contactId],
      [`&assigneeId=${ownerId}`, (one) => one.assigneeId === ownerId],
      [`&conversationId=${conversationId}`, ({ conversationIds }) => conversationIds.includes(conversationId)],
      [
        `&assigneeId=${ownerId}&contactId=${contactId}&status=submitted`,
        (one) => one.assigneeId && one.contactId && one.status === "submitted",
      ],
      [`&contactId=${UNKNOWN_ID}`, () => false],
    ];
    for (const [filter, wanted] of filters) {
      for (const limit of filter ? [3] : [1, 3, 100])
        expect([filter, limit, await walk(tenant.live, `/api/cases?workspaceId=${here}${filter}`, limit)]).toEqual([
          filter,
          limit,
          all.filter(wanted),
        ]);
    }
  });

  test("shows restricted keys and agents only the cases of their workspaces", async () => {
    const there = await empty();
    const { contactId } = await start(tenant.live, there);
    const inside = await open({ workspaceId: there, contactId, assigneeId: ownerId });
    const outside = await open({ contactId, assigneeId: ownerId });
    for (const client of [
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there } }),
      await newAgent(owner, [there]),
    ]) {
      for (const query of ["", "?status=submitted", `?contactId=${contactId}`, `?assigneeId=${ownerId}`])
        expect(await walk(client, `/api/cases${query}`), query).toEqual([inside]);
      for (const path of [`?workspaceId=${workspaceId}`, `/${outside.id}`, `/${outside.id}/events`])
        expect((await client.get(`/api/cases${path}`, 404)).body).toEqual(NOT_FOUND);
    }
    expect((await (await keyFor(owner, { scopes: ["conversations:read"] })).get("/api/cases")).status).toBe(403);
  });
});

describe("a workspace", () => {
  test("that is deleted hides its cases at once and deletes all of them", async () => {
    const gone = await empty();
    const { id: conversationId } = await start(tenant.live, gone);
    const { id } = await open({ workspaceId: gone, conversationIds: [conversationId] });
    await app.db.query(
      `insert into support_case (tenant_id, id, workspace_id, number, title) select tenant_id, gen_random_uuid(), workspace_id, n, 'copy' from support_case, generate_series(2, 1200) n where id = $1`,
      [id],
    );
    await owner.delete(`/api/workspaces/${gone}`, 200);
    for (const path of [`?workspaceId=${gone}`, `/${id}`, `/${id}/events`])
      await tenant.live.get(`/api/cases${path}`, 404);
    await owner.patch(`/api/cases/${id}`, { title: "x" }, 404);
    await app.app.get(PurgeWorkspacesJob).run();
    for (const table of ["support_case", "case_counter"])
      expect(await app.db.query(`select 1 from ${table} where workspace_id = $1`, [gone])).toEqual([]);
    expect(
      await app.db.query(
        "select 1 from case_event where case_id = $1 union all select 1 from case_conversation where case_id = $1",
        [id],
      ),
    ).toEqual([]);
    const [entry] = (await owner.get(`/api/audit-log?resourceId=${gone}&limit=1`, 200)).body.data;
    expect(entry).toMatchObject({ change: "deleted", counts: { cases: 1200, conversations: 1 } });
  });

  test("that is archived shows its cases and refuses changes", async () => {
    const here = await empty();
    const { id } = await open({ workspaceId: here });
    await set(app, "workspace", here, { status: "archived" });
    expect((await read(id)).id).toBe(id);
    expect((await owner.patch(`/api/cases/${id}`, { title: "x" }, 409)).body.error).toMatch(/archived/);
    await owner.post("/api/cases", { workspaceId: here, title: "x" }, 409);
  });
});

describe("erasing a person", () => {
  test("removes the text from their cases and from cases about their conversations, and keeps the cases themselves", async () => {
    const { id: conversationId, contactId } = await start(tenant.live, workspaceId);
    const { id: typeId } = await newType([{ key: "order", label: "Order", type: "text" }]);
    const named = await open({ contactId, title: "Geheimrat", typeId, fields: { order: "Geheimzahl" } });
    await change(named.id, { title: "Geheimrätin" });
    const linked = await open({ conversationIds: [conversationId], title: "Geheimnis" });
    const other = await open({
      conversationIds: [conversationId],
      contactId: (await start(tenant.live, workspaceId)).contactId,
      title: "Of somebody else",
    });
    const { erased } = (await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200)).body;
    expect(erased).toMatchObject({ cases: 2 });
    for (const one of [named, linked])
      expect(await read(one.id)).toMatchObject({
        number: one.number,
        title: "",
        fields: {},
        contactId: null,
        status: "submitted",
      });
    expect(await read(other.id)).toEqual(other);
    expect((await eventsOf(named.id)).map(({ type, from, to }) => [type, from, to])).toEqual([
      ["created", null, null],
      ["title", null, null],
    ]);
    for (const table of ["support_case", "case_event"])
      expect(await app.db.query(`select 1 from ${table} t where t::text like '%Geheim%'`), table).toEqual([]);
    await change(named.id, { status: "resolved" });
    for (const body of [{ title: "Again" }, { contactId: other.contactId }])
      await owner.patch(`/api/cases/${named.id}`, body, 409);
    await owner.post("/api/cases", { workspaceId, title: "Late", conversationIds: [conversationId] }, 409);
  });
});
