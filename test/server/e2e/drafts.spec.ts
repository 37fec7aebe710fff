import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { UnassignFormerMembersJob } from "../../../src/maintenance/unassign-former-members.job.js";
import { AttachmentCleanupService } from "../../../src/conversations/attachments/attachment-cleanup.service.js";
import { system } from "../../../src/platform/caller/caller.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { type Client, fileForm } from "../../support/client.js";
import { settled } from "../feed/support.js";
import { aTime, newAgent, newWorkspace, NOT_FOUND, start } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ada: Client & { id: string };
let bob: Client & { id: string };
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  [ada, bob] = [
    await newAgent(owner, [tenant.defaults.workspaceId]),
    await newAgent(owner, [tenant.defaults.workspaceId]),
  ];
});
afterAll(() => app.close());

const conversation = async (): Promise<string> =>
  (await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } })).id;
const pathOf = (id: string) => `/api/conversations/${id}/draft` as const;
const read = async (id: string, client: Client = ada) => (await client.get(pathOf(id), 200)).body;
const save = async (id: string, body: object, client: Client = ada) => (await client.put(pathOf(id), body, 200)).body;
const upload = async (client: Client): Promise<string> =>
  (await client.post("/api/attachments", fileForm("Hello"), 201)).body.id;
const NONE = { body: "", isNote: false, attachments: [], basedOnSequence: null, updatedAt: null };

describe("a draft", () => {
  test("is empty at first, then what was saved last, in every tab", async () => {
    const id = await conversation();
    expect(await read(id)).toEqual({ conversationId: id, ...NONE });
    const saved = await save(id, { body: "Dear Ada", isNote: true, basedOnSequence: 1 });
    expect(saved).toEqual({
      conversationId: id,
      body: "Dear Ada",
      isNote: true,
      attachments: [],
      basedOnSequence: 1,
      updatedAt: aTime,
    });
    expect(await read(id)).toEqual(saved);
    const again = await save(id, { body: "" });
    expect(again).toMatchObject({ body: "", isNote: false, basedOnSequence: null });
    expect(again.updatedAt! > saved.updatedAt!).toBe(true);
  });

  test("belongs to its author in its conversation: colleagues, owners and keys do not see it", async () => {
    const [id, other] = [await conversation(), await conversation()];
    await save(id, { body: "Between us" });
    await save(id, { body: "Bob's own" }, bob);
    expect((await read(id)).body).toBe("Between us");
    expect(await read(id, owner)).toEqual({ conversationId: id, ...NONE });
    expect(await read(other)).toEqual({ conversationId: other, ...NONE });
    await settled(app.db);
    for (const path of [`/api/conversations/${id}`, `/api/conversations/${id}/messages`, "/api/changes"])
      expect((await owner.get(path, 200)).text).not.toMatch(/Between us|Bob's own/);
    await tenant.live.get(pathOf(id), 403);
  });

  test("is out of reach with its conversation", async () => {
    const workspaceId = (await newWorkspace(owner, tenant.defaults.brandId)).id;
    const { id } = await start(tenant.live, workspaceId);
    for (const answer of [
      await ada.get(pathOf(id), 404),
      await ada.put(pathOf(id), { body: "Hello" }, 404),
      await ada.delete(pathOf(id), 404),
    ])
      expect(answer.body).toEqual(NOT_FOUND);
    expect((await app.db.query("select from draft where conversation_id = $1", [id])).length).toBe(0);
  });

  test("can be deleted, and deleting none is fine", async () => {
    const id = await conversation();
    await save(id, { body: "Dear Ada" });
    for (let twice = 0; twice < 2; twice++) expect((await ada.delete(pathOf(id), 200)).body).toEqual({ ok: true });
    expect(await read(id)).toEqual({ conversationId: id, ...NONE });
  });
});

describe("two tabs", () => {
  test("do not overwrite each other's version: the second gets 409, and nothing changes", async () => {
    const id = await conversation();
    const first = await save(id, { body: "from tab 1", ifUpdatedAt: null });
    await ada.put(pathOf(id), { body: "from tab 2", ifUpdatedAt: null }, 409);
    const second = await save(id, { body: "from tab 1, longer", ifUpdatedAt: first.updatedAt });
    const { body } = await ada.put(pathOf(id), { body: "from tab 2", ifUpdatedAt: first.updatedAt }, 409);
    expect(body.error).toBe("The draft was changed or removed elsewhere. Read it before you save yours");
    expect(await read(id)).toEqual(second);
    await save(id, { body: "from tab 2, on purpose" });
  });

  test("that save at once with the same version: exactly one does", async () => {
    const id = await conversation();
    for (const before of [null, (await save(await conversation(), { body: "x" })).updatedAt]) {
      const ifUpdatedAt = before === null ? null : (await read(id)).updatedAt;
      const statuses = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          ada.put(pathOf(id), { body: `tab ${n}`, ifUpdatedAt }).then((a) => a.status),
        ),
      );
      expect(statuses.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    }
  });

  test("a late save does not bring back a draft that was sent", async () => {
    const id = await conversation();
    const { updatedAt } = await save(id, { body: "Dear Ada" });
    await ada.post(`/api/conversations/${id}/reply`, { body: "Dear Ada", draftUpdatedAt: updatedAt! }, 200);
    await ada.put(pathOf(id), { body: "Dear Ada", ifUpdatedAt: updatedAt }, 409);
    expect(await read(id)).toEqual({ conversationId: id, ...NONE });
  });
});

describe("sending", () => {
  test.each(["reply", "notes"] as const)(
    "with %s deletes the version that was sent, in the same transaction",
    async (action) => {
      const id = await conversation();
      const post = (draftUpdatedAt: string, client: Client = ada) =>
        client.post(`/api/conversations/${id}/${action}`, { body: "Dear Ada", draftUpdatedAt });
      const old = await save(id, { body: "Dear" });
      const { updatedAt } = await save(id, { body: "Dear Ada" });
      expect((await post(old.updatedAt!)).status).toBeLessThan(300);
      expect((await read(id)).body, "a newer version stays").toBe("Dear Ada");
      expect((await post(updatedAt!, bob)).status).toBeLessThan(300);
      expect((await read(id)).body, "another's stays").toBe("Dear Ada");
      expect((await post(updatedAt!)).status).toBeLessThan(300);
      expect(await read(id)).toEqual({ conversationId: id, ...NONE });
    },
  );

  test("that is refused keeps the draft", async () => {
    const id = await conversation();
    const { updatedAt } = await save(id, { body: "Dear Ada" });
    const reply = { body: "Dear Ada", draftUpdatedAt: updatedAt!, ifLastSequence: 0 };
    await ada.post(`/api/conversations/${id}/reply`, reply, 409);
    expect((await read(id)).body).toBe("Dear Ada");
  });

  test("by an API key has no draft: 400", async () => {
    const id = await conversation();
    const body = { body: "Hello", draftUpdatedAt: "2026-01-01T00:00:00Z" };
    for (const action of ["reply", "notes"] as const)
      expect((await tenant.live.post(`/api/conversations/${id}/${action}`, body, 400)).body.error).toBe(
        "draftUpdatedAt is for members: API keys have no drafts",
      );
  });
});

describe("the files of a draft", () => {
  const age = (): Promise<unknown> => app.db.query("update attachment set created_at = now() - interval '2 days'");
  const clean = (): Promise<number> =>
    app.app.get(AttachmentCleanupService).removeUnattached(system("attachments", tenant.tenantId, "live"), "24 hours");

  test("are shown in their order, and kept as long as the draft", async () => {
    const id = await conversation();
    const files = [await upload(ada), await upload(ada)].reverse();
    const { attachments, updatedAt } = await save(id, { body: "See there", attachmentIds: files });
    expect(attachments.map((file) => file.id)).toEqual(files);
    await age();
    await clean();
    expect((await read(id)).attachments.map((file) => file.id)).toEqual(files);
    const reply = { body: "See there", attachmentIds: files, draftUpdatedAt: updatedAt! };
    await ada.post(`/api/conversations/${id}/reply`, reply, 200);
    const other = await conversation();
    const lost = await upload(ada);
    await save(other, { body: "See there", attachmentIds: [lost] });
    await ada.delete(pathOf(other), 200);
    await age();
    await clean();
    await ada.get(`/api/attachments/${lost}`, 404);
  });

  test("are the author's own and in no message yet: anything else is 404, and nothing is saved", async () => {
    const id = await conversation();
    const own = await upload(ada);
    await ada.put(pathOf(id), { body: "x", attachmentIds: [await upload(bob)] }, 404);
    await ada.post(`/api/conversations/${id}/notes`, { body: "x", attachmentIds: [own] }, 201);
    await ada.put(pathOf(id), { body: "x", attachmentIds: [own] }, 404);
    expect(await read(id)).toEqual({ conversationId: id, ...NONE });
  });
});

describe("the end of a draft", () => {
  test("comes with the erasure of the contact, files included; no new one can be saved", async () => {
    const { id, contactId } = await start(tenant.live, tenant.defaults.workspaceId);
    const file = await upload(ada);
    await save(id, { body: "needle", attachmentIds: [file] });
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await read(id)).toEqual({ conversationId: id, ...NONE });
    await ada.get(`/api/attachments/${file}`, 404);
    expect((await ada.put(pathOf(id), { body: "needle" }, 409)).body.error).toContain("erased");
    expect((await app.db.query("select from draft where conversation_id = $1", [id])).length).toBe(0);
  });

  test("comes 90 days after the last change, not before, and frees its files", async () => {
    const [old, older] = [await conversation(), await conversation()];
    const file = await upload(ada);
    await save(old, { body: "89 days" });
    await save(older, { body: "90 days", attachmentIds: [file] });
    const age = (id: string, time: string) =>
      app.db.query("update draft set updated_at = now() - $2::interval where conversation_id = $1", [id, time]);
    await age(old, "89 days 23:59");
    await age(older, "90 days 00:01");
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ drafts: 1 });
    expect((await read(old)).body).toBe("89 days");
    expect(await read(older)).toEqual({ conversationId: older, ...NONE });
    await app.db.query("update attachment set created_at = now() - interval '2 days' where id = $1", [file]);
    await app.app.get(DailyService).runNow();
    await ada.get(`/api/attachments/${file}`, 404);
  });

  test.each(["deactivated", "removed"])("comes when its author is %s, on both sides", async (how) => {
    const carol = await newAgent(owner, [tenant.defaults.workspaceId]);
    const id = await conversation();
    await save(id, { body: "Dear Ada" }, carol);
    const drafts = () => app.db.query("select from draft where member_id = $1", [carol.id]);
    expect((await drafts()).length).toBe(1);
    if (how === "removed") await owner.delete(`/api/members/${carol.id}`, 200);
    else await owner.patch(`/api/members/${carol.id}`, { status: "deactivated" }, 200);
    await app.app.get(UnassignFormerMembersJob).run();
    expect((await drafts()).length).toBe(0);
  });
});
