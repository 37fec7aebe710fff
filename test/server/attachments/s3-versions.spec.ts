import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AttachmentCleanupService } from "../../../src/conversations/attachments/attachment-cleanup.service.js";
import { AttachmentStore } from "../../../src/conversations/attachments/attachment-store.js";
import { openStore } from "../../../src/conversations/attachments/open-store.js";
import { system } from "../../../src/platform/caller/caller.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { type Bucket } from "../../support/s3/bucket.js";
import { MOTO, PAGE, startMoto, versionsOf, WITHOUT_MOTO } from "../../support/s3/moto.js";
import { start } from "../e2e/support.js";
import { upload } from "./support.js";

describe.skipIf(!MOTO)(`a bucket that keeps versions${WITHOUT_MOTO}`, () => {
  let bucket: Bucket;
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    bucket = await startMoto();
    app = await startApp(bucket.settings);
    tenant = await app.tenant();
  });
  afterAll(async () => {
    await app.close();
    await bucket.close();
  });

  const nameOf = (id: string): string => `${tenant.tenantId}/${id}`;
  const versions = async (id: string): Promise<number> =>
    (await versionsOf(bucket)).filter((name) => name === nameOf(id)).length;

  test("an erasure removes all versions of its files, and the markers, before it answers", async () => {
    const { id } = await upload(tenant.live);
    const { id: conversationId, contactId } = await start(tenant.live, tenant.defaults.workspaceId);
    await tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: "See", attachmentIds: [id] }, 201);
    const { id: other } = await upload(tenant.live);
    await bucket.request("PUT", `/${nameOf(id)}`, "again");
    await bucket.request("DELETE", `/${nameOf(id)}`);
    await bucket.request("PUT", `/${nameOf(id)}`, "and again");
    expect(await versions(id)).toBe(4);
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect([await versions(id), await versions(other)]).toEqual([0, 1]);
  });

  test("a bucket whose versions were turned on while the server ran gives itself away", async () => {
    const { id } = await upload(tenant.live);
    const store = await openStore(app.config);
    // As a server that asked before.
    Object.assign((store as unknown as { s3: object }).s3, { isVersioned: false });
    await store.remove({ tenantId: tenant.tenantId, id });
    expect(await versions(id)).toBe(0);
  });

  test("the daily run finds versions without a row, also behind a marker", async () => {
    const stray = "0192a000-0000-7000-8000-00000000abcd";
    await bucket.request("PUT", `/${nameOf(stray)}`, "x");
    await bucket.request("DELETE", `/${nameOf(stray)}`);
    expect(await versions(stray)).toBe(2);
    const cleanup = app.app.get(AttachmentCleanupService);
    await cleanup.removeStrays(system("test", tenant.tenantId, "live"), new Date(Date.now() + 60_000));
    expect(await versions(stray)).toBe(0);
  });

  test("the check at the start leaves no version behind", async () => {
    const before = (await versionsOf(bucket)).length;
    await app.app.get(AttachmentStore).check();
    expect((await versionsOf(bucket)).length).toBe(before);
  });

  test("lists that are longer than a page are read to their end", async () => {
    const ids = Array.from({ length: PAGE + 10 }, (_, n) => `0192a000-0000-7000-8000-${String(n).padStart(12, "0")}`);
    const { tenantId } = await app.tenant();
    for (let n = 0; n < ids.length; n += 20)
      await Promise.all(ids.slice(n, n + 20).map((id) => bucket.request("PUT", `/${tenantId}/${id}`, "x")));
    const listed = async (isVersioned: boolean): Promise<string[]> => {
      const store = await openStore(app.config);
      Object.assign((store as unknown as { s3: object }).s3, { isVersioned });
      const found: string[] = [];
      for await (const id of store.list(tenantId, new Date(Date.now() + 60_000))) found.push(id);
      return found;
    };
    expect(await listed(true)).toEqual(ids);
    expect(await listed(false)).toEqual(ids);
  });
});
