import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BulkActionsJob } from "../../../src/conversations/bulk/bulk-actions.job.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let here: string;
let there: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  here = tenant.defaults.workspaceId;
  there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
});
afterAll(() => app.close());

/** Labels name the conversations of one test. */
let label: string;
let tests = 0;
beforeEach(() => {
  label = `test ${++tests}`;
});
async function some(count: number, workspaceId = here): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await start(tenant.live, workspaceId);
    await tenant.live.post(`/api/conversations/${id}/labels`, { add: [label] }, 200);
    ids.push(id);
  }
  return ids;
}
const ask = async (client: Client, action: Schemas["BulkChange"], filter: object = { label }) =>
  (await client.post("/api/bulk-actions", { filter, action }, 201)).body;
const run = (): Promise<void> => app.app.get(BulkActionsJob).tick();
const read = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const finished = async (client: Client, { id }: { id: string }) =>
  (await client.get(`/api/bulk-actions/${id}`, 200)).body;

describe("a bulk action", () => {
  test("changes the conversations that match, counts them, and leaves the others", async () => {
    const ids = await some(3);
    const [other] = await Promise.all([start(tenant.live, here)]);
    const asked = await ask(owner, { type: "resolve", resolution: "spam" });
    expect(asked).toEqual({
      id: anId,
      action: { type: "resolve", resolution: "spam" },
      status: "running",
      total: 3,
      done: 0,
      failed: 0,
      errors: [],
      createdAt: aTime,
    });
    await run();
    expect(await finished(owner, asked)).toEqual({ ...asked, status: "done", done: 3 });
    const { id: self } = (await owner.get("/api/me", 200)).body as { id: string };
    for (const id of ids)
      expect(await read(id)).toMatchObject({ status: "resolved", resolution: "spam", resolvedBy: self });
    expect((await read(other.id)).status).toBe("open");
  });

  test("does what each operation does", async () => {
    const [id] = await some(1);
    const agent = await newAgent(owner, [here]);
    const until = "2099-01-01T00:00:00.000Z";
    for (const [action, expected] of [
      [{ type: "assign", memberId: agent.id }, { assigneeId: agent.id }],
      [{ type: "unassign" }, { assigneeId: null }],
      [
        { type: "snooze", until },
        { status: "snoozed", snoozedUntil: until },
      ],
      [{ type: "reopen" }, { status: "open", snoozedUntil: null }],
      [{ type: "label", add: ["new"] }, { labels: [label, "new"] }],
      [{ type: "label", remove: ["new"] }, { labels: [label] }],
    ] as const) {
      const asked = await ask(tenant.live, action as unknown as Schemas["BulkChange"]);
      await run();
      expect(await finished(tenant.live, asked)).toMatchObject({ status: "done", total: 1, done: 1, failed: 0 });
      expect(await read(id!)).toMatchObject(expected);
    }
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello?" }, 201);
    await ask(tenant.live, { type: "read" }, { label, unread: true });
    await run();
    expect((await read(id!)).unreadCount).toBe(0);
  });

  test("concerns what matched when it was asked for, by all filters of the list", async () => {
    const [first, second] = await some(2);
    await set(app, "conversation", second!, { handling_mode: "human" });
    const asked = await ask(
      owner,
      { type: "label", add: ["found"] },
      {
        label,
        workspaceId: here,
        status: ["open", "pending"],
        assigneeId: "none",
        handlingMode: "human",
        unread: false,
      },
    );
    const [third] = await some(1);
    await set(app, "conversation", third!, { handling_mode: "human" });
    await run();
    expect((await finished(owner, asked)).total).toBe(1);
    expect((await read(second!)).labels).toContain("found");
    for (const id of [first, third]) expect((await read(id!)).labels).not.toContain("found");
  });

  test("concerns the conversations that are named, within reach, and those that wait", async () => {
    const ids = await some(3);
    const [hidden] = await some(1, there);
    const agent = await newAgent(owner, [here]);
    const asked = await ask(agent, { type: "label", add: ["named"] }, { ids: [ids[0], ids[1], hidden] });
    expect(asked.total).toBe(2);
    await run();
    for (const id of [ids[0], ids[1]]) expect((await read(id!)).labels).toContain("named");
    for (const id of [ids[2], hidden]) expect((await read(id!)).labels).not.toContain("named");
    await agent.post("/api/bulk-actions", { filter: { ids: [hidden] }, action: { type: "resolve" } }, 404);
    for (const wrong of [[], ["x"], [ids[0], ids[0]], Array.from({ length: 1_001 }, () => randomUUID())])
      await owner.post("/api/bulk-actions", { filter: { ids: wrong }, action: { type: "resolve" } }, 400);

    await tenant.live.post(`/api/conversations/${ids[2]}/messages`, { body: "Hello?" }, 201);
    const waiting = await ask(owner, { type: "label", add: ["late"] }, { label, waiting: true });
    expect(waiting.total).toBe(1);
    await run();
    expect((await read(ids[2]!)).labels).toContain("late");
    expect(await ask(owner, { type: "unassign" }, { label, waiting: false })).toMatchObject({ total: 3 });
    await run();
  });

  test("says which conversations it could not change and why, and goes on", async () => {
    const ids = await some(3);
    await tenant.live.post(`/api/conversations/${ids[1]}/resolve`, {}, 200);
    const asked = await ask(owner, { type: "snooze", until: "2099-01-01T00:00:00Z" });
    await run();
    expect(await finished(owner, asked)).toMatchObject({
      status: "done",
      total: 3,
      done: 2,
      failed: 1,
      errors: [{ conversationId: ids[1], error: "The conversation is resolved: reopen it first" }],
    });
  });

  test("is audited, and so is each change, with its author as the actor", async () => {
    const [id] = await some(1);
    const asked = await ask(owner, { type: "resolve" });
    await run();
    const { id: self } = (await owner.get("/api/me", 200)).body as { id: string };
    const entries = async (resourceId: string) =>
      (await walk(owner, `/api/audit-log?resourceId=${resourceId}&actorId=${self}`)).map(({ action, change }) => [
        action,
        change,
      ]);
    expect(await entries(asked.id)).toEqual([["bulkActions.create", "created"]]);
    expect(await entries(id!)).toEqual([["bulkActions.create", "updated"]]);
  });
});

describe("the access of its author is checked", () => {
  test("when it is asked for: nothing out of reach is counted or changed", async () => {
    const [mine] = await some(1, here);
    const [theirs] = await some(1, there);
    const agent = await newAgent(owner, [here]);
    const asked = await ask(agent, { type: "resolve" });
    expect(asked.total).toBe(1);
    await run();
    expect((await read(mine!)).status).toBe("resolved");
    expect((await read(theirs!)).status).toBe("open");
    const body = { filter: { workspaceId: there, label }, action: { type: "resolve" } };
    expect((await agent.post("/api/bulk-actions", body, 404)).body).toEqual(NOT_FOUND);
  });

  test("again at each change: in a workspace that an agent has lost", async () => {
    const [mine] = await some(1, here);
    const [lost] = await some(1, there);
    const agent = await newAgent(owner, [here, there]);
    const asked = await ask(agent, { type: "resolve" });
    expect(asked.total).toBe(2);
    await owner.patch(`/api/members/${agent.id}`, { workspaceIds: [here] }, 200);
    await run();
    expect(await finished(owner, asked)).toMatchObject({
      status: "done",
      done: 1,
      errors: [{ conversationId: lost, error: "Not found" }],
    });
    expect([(await read(mine!)).status, (await read(lost!)).status]).toEqual(["resolved", "open"]);
  });

  test("again at each change: of members who became observers or were deactivated, and of revoked keys", async () => {
    const [id] = await some(1);
    const demoted = await newAgent(owner, [here]);
    const gone = await newAgent(owner, [here]);
    const key = await keyFor(owner);
    const asked = [];
    for (const client of [demoted, gone, key]) asked.push(await ask(client, { type: "resolve" }));
    await owner.patch(`/api/members/${demoted.id}`, { role: "observer" }, 200);
    await owner.delete(`/api/members/${gone.id}`, 200);
    await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200);
    await run();
    for (const one of asked)
      expect(await finished(owner, one)).toMatchObject({
        status: "done",
        done: 0,
        errors: [{ conversationId: id, error: "Whoever asked for this may no longer do it" }],
      });
    expect((await read(id!)).status).toBe("open");
  });

  test("when it is read: it takes the scope that reads, and an agent sees its own alone", async () => {
    await some(1);
    const [agent, colleague] = [await newAgent(owner, [here]), await newAgent(owner, [here])];
    const asked = await ask(agent, { type: "read" });
    await finished(agent, asked);
    await finished(owner, asked);
    await finished(await keyFor(owner, { scopes: ["conversations:read"] }), asked);
    const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: here } });
    await restricted.get(`/api/bulk-actions/${asked.id}`, 404);
    expect((await colleague.get(`/api/bulk-actions/${asked.id}`, 404)).body).toEqual(NOT_FOUND);
    await run();
  });
});

describe("a request for one is refused", () => {
  test("without a filter, and if the action's fields do not fit its type", async () => {
    await some(1);
    const refused = async (filter: object, action: object, error: string) =>
      expect((await owner.post("/api/bulk-actions", { filter, action }, 400)).body).toEqual({ error });
    await refused({}, { type: "resolve" }, "filter must have at least one field");
    await refused({ label }, { type: "snooze" }, "snooze needs until");
    await refused({ label }, { type: "assign" }, "assign needs memberId");
    await refused({ label }, { type: "reopen", add: ["a"] }, "reopen takes no add");
    await refused({ label }, { type: "label" }, "label needs labels to add or to remove");
    await refused(
      { label },
      { type: "label", add: ["a"], remove: ["a"] },
      "add and remove must not have a label in common",
    );
    await owner.post("/api/bulk-actions", { filter: { label, limit: 3 }, action: { type: "read" } }, 400);
  });

  test("if no conversation matches, or there is no such member", async () => {
    const nothing = { filter: { label }, action: { type: "resolve" } };
    expect((await owner.post("/api/bulk-actions", nothing, 404)).body).toEqual(NOT_FOUND);
    await some(1);
    const nobody = { filter: { label }, action: { type: "assign", memberId: UNKNOWN_ID } };
    expect((await owner.post("/api/bulk-actions", nobody, 404)).body).toEqual(NOT_FOUND);
  });

  test("if more than 10,000 conversations match, and nothing is kept of it", async () => {
    const { live, defaults } = await app.tenant();
    const { id } = await start(live, defaults.workspaceId);
    const more = (count: number) =>
      app.db.query(
        `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id)
         select tenant_id, gen_random_uuid(), workspace_id, brand_id, channel_id, contact_id
         from conversation cross join generate_series(1, $2) where id = $1`,
        [id, count],
      );
    await more(9_999);
    const body = { filter: { status: ["open"] }, action: { type: "read" } };
    const asked = (await live.post("/api/bulk-actions", body, 201)).body;
    expect(asked.total).toBe(10_000);
    await app.db.query("delete from bulk_action where id = $1", [asked.id]);
    await more(1);
    expect((await live.post("/api/bulk-actions", body, 409)).body).toEqual({
      error: "More than 10,000 conversations match: narrow the filter",
    });
    const [{ count }] = (await app.db.query("select count(*)::int as count from bulk_action_due")) as [
      { count: number },
    ];
    expect(count).toBe(0);
  });
});
