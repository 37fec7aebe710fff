import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, start, walk } from "./support.js";

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

let count = 0;
const text = (changes: object = {}) => ({
  shortcut: `reply-${++count}`,
  title: "A delay",
  body: "Hello {{contact.firstName | there}}",
  ...changes,
});
const create = async (client: Client, changes: object = {}) =>
  (await client.post("/api/canned-replies", text({ workspaceId: tenant.defaults.workspaceId, ...changes }), 201)).body;
const shortcuts = async (client: Client, query = ""): Promise<string[]> =>
  (await walk<{ shortcut: string }>(client, `/api/canned-replies?${query}`)).map(({ shortcut }) => shortcut);

describe("a canned reply", () => {
  test("has a shortcut in small letters, a title, a text and a language", async () => {
    const made = await create(ada, { shortcut: " Größe-1 ", language: "de" });
    expect(made).toEqual({
      id: anId,
      workspaceId: tenant.defaults.workspaceId,
      shortcut: "größe-1",
      title: "A delay",
      body: "Hello {{contact.firstName | there}}",
      language: "de",
      createdBy: ada.id,
      createdAt: aTime,
      updatedAt: aTime,
    });
    const path = `/api/canned-replies/${made.id}` as const;
    expect((await ada.patch(path, { title: "Sizes", language: null }, 200)).body).toMatchObject({
      shortcut: "größe-1",
      title: "Sizes",
      language: null,
    });
    await ada.delete(path, 200);
    await ada.delete(path, 404);
  });

  test("is for a workspace or for all, and whoever has no access to the workspace does not see it", async () => {
    const [all, here, there] = [
      await create(owner, { workspaceId: null }),
      await create(bob),
      await create(bob, { workspaceId: elsewhere }),
    ];
    const mine = await shortcuts(ada);
    expect(mine).toContain(all.shortcut);
    expect(mine).toContain(here.shortcut);
    expect(mine).not.toContain(there.shortcut);
    const ofWorkspace = await shortcuts(bob, `workspaceId=${elsewhere}`);
    expect(ofWorkspace).toEqual(expect.arrayContaining([all.shortcut, there.shortcut]));
    expect(ofWorkspace).not.toContain(here.shortcut);
    await ada.get(`/api/canned-replies?workspaceId=${elsewhere}`, 404);
    expect((await ada.patch(`/api/canned-replies/${there.id}`, { title: "x" }, 404)).body).toEqual(NOT_FOUND);
  });

  test("is found by how its shortcut or title begins, in any case, and listed by shortcut", async () => {
    await create(ada, { shortcut: "zz-refund", title: "Money back" });
    await create(ada, { shortcut: "zz-other", title: "Äpfel" });
    expect(await shortcuts(ada, "query=ZZ-")).toEqual(["zz-other", "zz-refund"]);
    expect(await shortcuts(ada, "query=money")).toEqual(["zz-refund"]);
    expect(await shortcuts(ada, `query=${encodeURIComponent("äp")}`)).toEqual(["zz-other"]);
    expect(await shortcuts(ada, "query=back")).toEqual([]);
    expect(await shortcuts(ada, "query=%25")).toEqual([]);
  });

  test("is changed by whoever made it, by owners and by admins", async () => {
    const made = await create(ada);
    const path = `/api/canned-replies/${made.id}` as const;
    await bob.patch(path, { title: "Bob was here" }, 403);
    await bob.delete(path, 403);
    expect((await owner.patch(path, { title: "Changed" }, 200)).body).toMatchObject({
      title: "Changed",
      createdBy: ada.id,
    });
    await ada.delete(path, 200);
  });

  test("for all workspaces is for owners and admins to make and change", async () => {
    await ada.post("/api/canned-replies", text(), 403);
    const { id } = await create(owner, { workspaceId: null });
    await ada.patch(`/api/canned-replies/${id}`, { title: "x" }, 403);
    await owner.delete(`/api/canned-replies/${id}`, 200);
  });

  test("has a shortcut of its own in its workspace, whoever comes first", async () => {
    await create(ada, { shortcut: "one" });
    const body = text({ shortcut: "one", workspaceId: tenant.defaults.workspaceId });
    expect((await ada.post("/api/canned-replies", body, 409)).body.error).toBe(
      "Another canned reply has this shortcut",
    );
    await create(bob, { shortcut: "one", workspaceId: elsewhere });
    await create(owner, { shortcut: "one", workspaceId: null });
    await owner.post("/api/canned-replies", text({ shortcut: "one" }), 409);
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () =>
        ada.post("/api/canned-replies", { ...body, shortcut: "race" }).then(({ status }) => status),
      ),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const other = await create(ada);
    await ada.patch(`/api/canned-replies/${other.id}`, { shortcut: "one" }, 409);
  });

  test("is one of a thousand at most on a side, also for requests that come at once", async () => {
    const side = await app.tenant();
    const admin = await side.owner();
    await app.transaction(side.tenantId, async (tx) => {
      await tx.query({
        kind: "query",
        name: "test.fillCannedReplies",
        reach: { unrestricted: "a test" },
        slots: [side.tenantId],
        text: `insert into canned_reply (tenant_id, id, shortcut, title, body, created_by)
          select $1::uuid, gen_random_uuid(), 's' || n, 't', 'b', gen_random_uuid() from generate_series(1, 998) n`,
      });
    });
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () => admin.post("/api/canned-replies", text()).then(({ status }) => status)),
    );
    expect(statuses.sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });
});

describe("variables", () => {
  test.each([
    ["{{contact.nam}}", "{{contact.nam}} is not a variable"],
    ["{{ }}", "{{ }} is not a variable"],
    ["{{constructor}}", "{{constructor}} is not a variable"],
    ["Hello {{contact.name", "without its counterpart"],
    ["Hello contact.name}}", "without its counterpart"],
  ])("%s is refused with a sentence", async (body, sentence) => {
    const answer = await ada.post("/api/canned-replies", text({ body, workspaceId: tenant.defaults.workspaceId }), 400);
    expect(answer.body.error).toContain(sentence);
  });

  test("are fifty in a text at most, so that it still fits into a message when it is filled in", async () => {
    const of = (count: number) => "{{conversation.subject}}".repeat(count).padEnd(10_000, ".");
    const workspaceId = tenant.defaults.workspaceId;
    const refused = await ada.post("/api/canned-replies", text({ body: of(51), workspaceId }), 400);
    expect(refused.body.error).toBe("body has more than 50 variables");
    const { id } = await create(ada, { body: of(50) });
    const subject = "*".repeat(500);
    const conversation = await start(tenant.live, workspaceId, { contact: { name: "Ada" }, subject });
    const { body } = await ada.post(`/api/canned-replies/${id}/render`, { conversationId: conversation.id }, 200);
    expect(body.body.length).toBe(50 * 1_000 + 10_000 - 50 * 24);
    await ada.post(`/api/conversations/${conversation.id}/reply`, { body: body.body }, 200);
  });

  test("are filled in for a conversation", async () => {
    const body = [
      "{{contact.name}}/{{contact.firstName}}/{{conversation.subject}}/{{conversation.id}}",
      "{{member.name}}/{{member.firstName}}/{{workspace.name}}/{{brand.name}}",
    ].join("/");
    const { id } = await create(ada, { body });
    const of = await start(tenant.live, tenant.defaults.workspaceId, {
      contact: { name: "Ada Lovelace" },
      subject: "Order 7",
    });
    const { body: workspace } = await owner.get(`/api/workspaces/${tenant.defaults.workspaceId}`, 200);
    const path = `/api/canned-replies/${id}/render` as const;
    expect((await ada.post(path, { conversationId: of.id }, 200)).body).toEqual({
      conversationId: of.id,
      body: `Ada Lovelace/Ada/Order 7/${of.id}/Agent/Agent/${workspace.name}/${workspace.brandName}`,
      missing: [],
    });
    const plain = await start(tenant.live, tenant.defaults.workspaceId, {
      contact: { emails: ["nobody@example.com"] },
    });
    expect((await ada.post(path, { conversationId: plain.id }, 200)).body.missing).toEqual([
      "contact.name",
      "contact.firstName",
      "conversation.subject",
    ]);
  });

  test("are not filled in for a conversation out of reach, or of another workspace than the canned reply's", async () => {
    const { id } = await create(ada);
    const there = await start(tenant.live, elsewhere);
    for (const client of [ada, bob])
      await client.post(`/api/canned-replies/${id}/render`, { conversationId: there.id }, 404);
    const all = await create(owner, { workspaceId: null });
    await ada.post(`/api/canned-replies/${all.id}/render`, { conversationId: there.id }, 404);
    await bob.post(`/api/canned-replies/${all.id}/render`, { conversationId: there.id }, 200);
  });
});
