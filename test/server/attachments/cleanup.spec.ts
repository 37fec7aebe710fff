import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AttachmentStore } from "../../../src/conversations/attachments/attachment-store.js";
import { AttachmentCleanupService } from "../../../src/conversations/attachments/attachment-cleanup.service.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { start } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { attachmentsOf, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { fileForm } from "../../support/client.js";
import { filesOf, isThere, rows, upload } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const daily = () => app.app.get(DailyService).runNow();
const removeFiles = (): Promise<void> => app.app.get(AttachmentCleanupService).removeFiles();
const waiting = async (): Promise<number> => (await app.db.query("select 1 from attachment_removal")).length;
/** Attaches the file to a message from a new contact. */
async function attached(
  name = "note.txt",
  workspace = tenant.defaults.workspaceId,
): Promise<{ id: string; contactId: string; conversationId: string }> {
  const { id } = await upload(tenant.live, "Hello", name);
  const { id: conversationId, contactId } = await start(tenant.live, workspace, {
    message: { body: "See there", attachmentIds: [id] },
  });
  return { id, contactId, conversationId };
}
function age(file: string, hours: number): void {
  const time = new Date(Date.now() - hours * 3_600_000);
  fs.utimesSync(file, time, time);
}
const fileOf = (id: string): string => filesOf(app).find((file) => path.basename(file) === id)!;

describe("the daily cleanup", () => {
  test("deletes uploads that were not attached within a day, with their files, and keeps younger and attached ones", async () => {
    const [old, young, kept] = [await upload(tenant.live), await upload(tenant.live), await attached()];
    await app.db.query(`update attachment set created_at = now() - interval '25 hours' where id = any($1)`, [
      [old.id, kept.id],
    ]);
    expect(await daily()).toMatchObject({ attachments: 1, strayFiles: 0 });
    expect([old, young, kept].map(({ id }) => isThere(app, id))).toEqual([false, true, true]);
    await tenant.live.get(`/api/attachments/${old.id}`, 404);
    for (const { id } of [young, kept]) await tenant.live.get(`/api/attachments/${id}`, 200);
  });

  test("deletes files of known tenants that have had no row for a day, and keeps younger files and those of unknown tenants", async () => {
    const kept = await attached();
    age(fileOf(kept.id), 30);
    const stray = (n: number): string => `01890000-0000-7000-8000-0000000000${n}`;
    const [old, young, foreign] = [stray(11), stray(12), stray(13)];
    for (const [tenantId, id, hours] of [
      [tenant.tenantId, old, 30],
      [tenant.tenantId, young, 20],
      [stray(99), foreign, 30],
    ] as const) {
      const folder = path.join(attachmentsOf(app.db), tenantId, id.slice(-2));
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, id), "x");
      age(path.join(folder, id), hours);
    }
    expect(await daily()).toMatchObject({ strayFiles: 1 });
    expect([old, young, foreign, kept.id].map((id) => isThere(app, id))).toEqual([false, true, true, true]);
    for (const id of [young, foreign]) fs.rmSync(fileOf(id));
  });

  test("deletes partial uploads that a killed process left behind", async () => {
    const incoming = path.join(attachmentsOf(app.db), "incoming");
    for (const [name, hours] of [
      ["old", 1],
      ["arriving", 0.1],
    ] as const) {
      fs.writeFileSync(path.join(incoming, name), "x");
      age(path.join(incoming, name), hours);
    }
    await daily();
    expect(fs.readdirSync(incoming)).toEqual(["arriving"]);
    fs.rmSync(path.join(incoming, "arriving"));
  });
});

describe("an erasure", () => {
  const key = { headers: { "idempotency-key": "needle" } };
  test("deletes and counts the rows and files of the person's conversations before it answers, and deletes no others", async () => {
    const other = await attached();
    const { id } = (await tenant.live.post("/api/attachments", fileForm("needle", "needle.txt"), 201, key)).body;
    const { contactId, id: conversationId } = await start(tenant.live, tenant.defaults.workspaceId, {
      message: { body: "See there", attachmentIds: [id] },
    });
    const { body } = await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(body.erased).toMatchObject({ attachments: 1, storedAnswers: 1 });
    expect([isThere(app, id), isThere(app, other.id), await waiting()]).toEqual([false, true, 0]);
    expect(await tablesWith(app.db, "needle")).toEqual({});
    await tenant.live.get(`/api/attachments/${id}`, 404);
    expect(
      (await tenant.live.get(`/api/conversations/${conversationId}/messages`, 200)).body.data[0]!.attachments,
    ).toEqual([]);
  });

  test("does not answer while a file is left; after a crash, a repeated erasure or the next cleanup deletes the rest", async () => {
    const { id, contactId } = await attached();
    const again = await attached();
    const remove = vi
      .spyOn(app.app.get(AttachmentStore), "remove")
      .mockRejectedValue(Object.assign(new Error("no space"), { code: "EMFILE" }));
    for (const contact of [contactId, again.contactId])
      await tenant.live.post(`/api/contacts/${contact}/erasure`, undefined, 503);
    expect([isThere(app, id), await waiting()]).toEqual([true, 2]);
    remove.mockRestore();
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect([isThere(app, id), isThere(app, again.id), await waiting()]).toEqual([false, false, 0]);
  });

  test("is repeated after a backup is restored: rows and files are deleted and reported", async () => {
    const { id, contactId, conversationId } = await attached();
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    const file = path.join(attachmentsOf(app.db), tenant.tenantId, id.slice(-2), id);
    fs.writeFileSync(file, "Hello");
    await app.db.query(
      `insert into attachment (tenant_id, id, file_name, content_type, size, conversation_id, message_id)
      select tenant_id, $1, 'a.txt', 'text/plain', 5, conversation_id, id from message where conversation_id = $2`,
      [id, conversationId],
    );
    expect((await daily())!.leftovers).toMatchObject({ attachments: 1 });
    expect(fs.existsSync(file)).toBe(false);
  });
});

test("deleting a workspace deletes its attachments' rows and files", async () => {
  const { id: doomed } = (
    await tenant.live.post("/api/workspaces", { name: "Doomed", brandId: tenant.defaults.brandId }, 201)
  ).body;
  const [gone, kept] = [await attached("a.txt", doomed), await attached()];
  await tenant.live.delete(`/api/workspaces/${doomed}`, 200);
  await tenant.live.get(`/api/attachments/${gone.id}`, 404);
  await app.app.get(PurgeWorkspacesJob).run();
  await removeFiles();
  expect([isThere(app, gone.id), isThere(app, kept.id), await waiting()]).toEqual([false, true, 0]);
});

test("a file that cannot be deleted is retried later and does not block the others", async () => {
  const [stuck, free] = [await upload(tenant.live), await upload(tenant.live)];
  await app.db.query("delete from attachment where id = any($1)", [[stuck.id, free.id]]);
  const store = app.app.get(AttachmentStore);
  const remove = store.remove.bind(store);
  const spy = vi
    .spyOn(store, "remove")
    .mockImplementation((file) => (file.id === stuck.id ? Promise.reject(new Error("busy")) : remove(file)));
  await expect(removeFiles()).rejects.toThrow("busy");
  expect([isThere(app, stuck.id), isThere(app, free.id), await waiting()]).toEqual([true, false, 1]);
  spy.mockRestore();
  await Promise.all([removeFiles(), removeFiles()]);
  expect([isThere(app, stuck.id), await waiting()]).toEqual([false, 0]);
});

test("files that cannot be deleted, however many, do not keep the others waiting for ever", async () => {
  const stuck = await app.db.query<{ id: string }>(
    `insert into attachment_removal (tenant_id, id)
    select $1, gen_random_uuid() from generate_series(1, 500) returning id`,
    [tenant.tenantId],
  );
  const free = await upload(tenant.live);
  await app.db.query("delete from attachment where id = $1", [free.id]);
  const ids = new Set(stuck.map(({ id }) => id));
  const store = app.app.get(AttachmentStore);
  const remove = store.remove.bind(store);
  const spy = vi
    .spyOn(store, "remove")
    .mockImplementation((file) => (ids.has(file.id) ? Promise.reject(new Error("busy")) : remove(file)));
  try {
    for (let run = 0; run < 2; run++) await expect(removeFiles()).rejects.toThrow("busy");
    expect([isThere(app, free.id), await waiting()]).toEqual([false, 500]);
  } finally {
    spy.mockRestore();
  }
  await removeFiles();
  expect(await waiting()).toBe(0);
});

test("an upload that fails for lack of disk space or of a database leaves no row and no file", async () => {
  const before = [await rows(app), filesOf(app).length];
  await app.db.query("alter table attachment rename to away");
  await tenant.live.post("/api/attachments", fileForm("Hello"), 500).catch(() => undefined);
  await app.db.query("alter table away rename to attachment");
  const put = vi
    .spyOn(app.app.get(AttachmentStore), "put")
    .mockRejectedValue(
      Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" }),
    );
  await tenant.live.post("/api/attachments", fileForm("Hello"), 503);
  put.mockRestore();
  expect([await rows(app), filesOf(app).length]).toEqual(before);
});
