import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AttachmentCleanupService } from "../../../src/conversations/attachments/attachment-cleanup.service.js";
import { AttachmentStore } from "../../../src/conversations/attachments/attachment-store.js";
import { openStore } from "../../../src/conversations/attachments/open-store.js";
import { system } from "../../../src/platform/caller/caller.js";
import { Config } from "../../../src/platform/config/config.js";
import { attachmentsOf, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { fileForm } from "../../support/client.js";
import { type Bucket, startBucket } from "../../support/s3/bucket.js";
import { type FaultyProxy, startProxy } from "../../support/s3/faults.js";
import { start } from "../e2e/support.js";
import { download, filesOf, MB, png, rows, upload } from "./support.js";

let bucket: Bucket;
let proxy: FaultyProxy;
let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  bucket = await startBucket();
  proxy = await startProxy(bucket.endpoint, bucket.secrets);
  // The bucket is in this process, which may stand still for a moment.
  app = await startApp({ ...bucket.settings, S3_ENDPOINT: proxy.endpoint, S3_TIMEOUT_SECONDS: 100 });
  tenant = await app.tenant();
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await app.close();
  await proxy.close();
  await bucket.close();
});

const DOWN = { status: 503 } as const;
const UNAVAILABLE = { error: "Files are not available at the moment; try again. Everything else works" };
const nameOf = (id: string): string => `${tenant.tenantId}/${id}`;
const isKept = async (id: string): Promise<boolean> => (await bucket.names()).includes(nameOf(id));
const big = (): Buffer => Buffer.alloc(3 * MB, "0123456789abcdef-");

async function attached(): Promise<{ id: string; contactId: string }> {
  const { id } = await upload(tenant.live);
  const { id: conversationId, contactId } = await start(tenant.live, tenant.defaults.workspaceId);
  await tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: "See", attachmentIds: [id] }, 201);
  return { id, contactId: contactId };
}

test("an upload is stored in the bucket, and nothing of it stays on the disk", async () => {
  const { id } = await upload(tenant.live, big());
  expect(await isKept(id)).toBe(true);
  expect(filesOf(app)).toEqual([]);
  const sent = await bucket.request("GET", `/${nameOf(id)}`);
  expect(big().equals(Buffer.from(await sent.arrayBuffer()))).toBe(true);
});

test("a download has the same headers and bytes as from the disk: whole, in parts, and unchanged", async () => {
  const { id } = await upload(tenant.live, "Hello, world");
  const whole = await download(app, tenant.live, id);
  expect([whole.status, await whole.text()]).toEqual([200, "Hello, world"]);
  expect(whole.headers.get("content-security-policy")).toContain("sandbox");
  const part = await download(app, tenant.live, id, { range: "bytes=7-" });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 7-11/12", "world"]);
  const asked = proxy.seen.length;
  expect((await download(app, tenant.live, id, { "if-none-match": `"${id}"` })).status).toBe(304);
  expect((await download(app, tenant.live, id, { range: "bytes=99-" })).status).toBe(416);
  expect(proxy.seen.length).toBe(asked);
});

test("settings for encryption go with each upload", async () => {
  const settings = { S3_SSE: "aws:kms", S3_SSE_KMS_KEY_ID: "alias/parley" } as const;
  const node = await startApp({ ...app.config, ...settings }, app.db);
  const { id } = await upload(node.client(tenant.live.token));
  const put = proxy.seen.findLast(({ method, url }) => method === "PUT" && url.endsWith(id))!;
  expect(put.headers).toMatchObject({
    "x-amz-server-side-encryption": "aws:kms",
    "x-amz-server-side-encryption-aws-kms-key-id": "alias/parley",
  });
  await node.close();
});

describe("an erasure", () => {
  test("removes the objects before it answers, and answers 503 as long as it cannot", async () => {
    const { id, contactId } = await attached();
    proxy.fault = ({ method }) => (method === "DELETE" ? DOWN : undefined);
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 503);
    expect(await isKept(id)).toBe(true);
    proxy.heal();
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await isKept(id)).toBe(false);
  });

  test("removes what is still on the disk, too", async () => {
    const { id, contactId } = await attached();
    const file = path.join(attachmentsOf(app.db), tenant.tenantId, id.slice(-2), id);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "Hello");
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect([await isKept(id), fs.existsSync(file)]).toEqual([false, false]);
  });
});

describe("the daily run", () => {
  const cleanup = (): AttachmentCleanupService => app.app.get(AttachmentCleanupService);
  const removeStrays = (before: Date): Promise<number> =>
    cleanup().removeStrays(system("test", tenant.tenantId, "live"), before);

  test("removes objects of uploads that were never attached", async () => {
    const { id } = await upload(tenant.live);
    await app.db.query("update attachment set created_at = now() - interval '25 hours' where id = $1", [id]);
    await cleanup().removeUnattached(system("test", tenant.tenantId, "live"), "24 hours");
    await cleanup().removeFiles();
    expect(await isKept(id)).toBe(false);
  });

  test("removes an object without a row, if it is old enough, and no other", async () => {
    const { id: kept } = await upload(tenant.live);
    const stray = "0192a000-0000-7000-8000-00000000abcd";
    await bucket.request("PUT", `/${nameOf(stray)}`, "x");
    await removeStrays(new Date(Date.now() - 60_000));
    expect(await isKept(stray)).toBe(true);
    expect(await removeStrays(new Date(Date.now() + 60_000))).toBe(1);
    expect([await isKept(stray), await isKept(kept)]).toEqual([false, true]);
  });

  test("finds what an upload left behind whose answers were lost", async () => {
    const before = [await rows(app), (await bucket.names()).length];
    proxy.fault = ({ method }) => (method === "PUT" ? "answer lost" : method === "DELETE" ? "cut" : undefined);
    await tenant.live.post("/api/attachments", fileForm("Hello"), 503);
    proxy.heal();
    expect([await rows(app), (await bucket.names()).length]).toEqual([before[0], before[1]! + 1]);
    await removeStrays(new Date(Date.now() + 60_000));
    expect((await bucket.names()).length).toBe(before[1]);
  });
});

describe("while S3 does not answer", () => {
  test("files get 503, nothing is left behind, and everything else works until files do again", async () => {
    const { id } = await upload(tenant.live);
    const before = [await rows(app), await bucket.names()];
    proxy.fault = () => "cut";
    expect((await tenant.live.post("/api/attachments", fileForm("Hello"), 503)).body).toEqual(UNAVAILABLE);
    const down = await download(app, tenant.live, id);
    expect([down.status, await down.json()]).toEqual([503, UNAVAILABLE]);
    await start(tenant.live, tenant.defaults.workspaceId);
    proxy.heal();
    expect([await rows(app), await bucket.names(), filesOf(app)]).toEqual([...before, []]);
    expect(await (await download(app, tenant.live, id)).text()).toBe("Hello");
  });

  test("the server is ready, and says what is missing", async () => {
    proxy.fault = () => DOWN;
    const node = await startApp({ ...app.config }, app.db);
    const ready = (await (await fetch(`${node.baseUrl}/readyz`)).json()) as { ok: boolean; warnings: string[] };
    expect(ready).toEqual({
      ok: true,
      warnings: ["The attachments cannot be reached: their disk or bucket does not answer, or cannot be used"],
    });
    await node.close();
  });

  test("it starts all the same: only a bucket that can never work stops it", async () => {
    proxy.fault = () => DOWN;
    await expect(app.app.get(AttachmentStore).check()).resolves.toBeUndefined();
  });
});

describe("what fails once or twice is tried again", () => {
  test.each([
    ["SlowDown", DOWN],
    ["a connection that is cut", "cut"],
    ["an answer that is lost", "answer lost"],
  ] as const)("%s", (_, fault) => triedAgain(app, fault, fault));

  test("a request that stands still", async () => {
    const node = await startApp({ ...app.config, S3_TIMEOUT_SECONDS: 2 }, app.db);
    try {
      await triedAgain(node, "hang");
    } finally {
      await node.close();
    }
  });

  async function triedAgain(node: TestApp, ...faults: Parameters<FaultyProxy["next"]>): Promise<void> {
    const client = node.client(tenant.live.token);
    proxy.next(...faults);
    const { id } = await upload(client, big());
    expect(await isKept(id)).toBe(true);
    proxy.next(...faults);
    const answer = await download(node, client, id);
    expect(big().equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  }

  test("a download that breaks off in the middle goes on where it was", async () => {
    const { id } = await upload(tenant.live, big());
    proxy.seen.length = 0;
    proxy.next({ cutAfter: MB }, { cutAfter: 10_000 }, DOWN);
    const answer = await download(app, tenant.live, id);
    expect(big().equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(proxy.seen.map(({ headers }) => headers.range)).toEqual([
      undefined,
      `bytes=${MB}-${3 * MB - 1}`,
      ...Array(2).fill(`bytes=${MB + 10_000}-${3 * MB - 1}`),
    ]);
  });

  test("a download that breaks off again and again ends, and does not look complete", async () => {
    const { id } = await upload(tenant.live, big());
    let first = true;
    proxy.fault = () => {
      if (!first) return "cut";
      first = false;
      return { cutAfter: MB };
    };
    const answer = await download(app, tenant.live, id);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});

describe("a presigned download", () => {
  let node: TestApp;
  beforeAll(async () => {
    node = await startApp({ ...app.config, S3_PRESIGNED_DOWNLOADS: true }, app.db);
  });
  afterAll(() => node.close());

  async function follow(id: string, headers = {}): Promise<Response> {
    const { url } = (await tenant.live.get(`/api/attachments/${id}`, 200)).body;
    return fetch(node.baseUrl + new URL(url).pathname, { redirect: "manual", headers });
  }

  test("sends the browser to S3 for what it saves, for five minutes, with the name and type of the file", async () => {
    const { id } = await upload(tenant.live, "Größe + Maß", "Größe (1).txt", "text/plain");
    const answer = await follow(id);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([307, "private, no-store"]);
    const at = new URL(answer.headers.get("location")!);
    expect([at.origin, at.searchParams.get("X-Amz-Expires")]).toEqual([proxy.endpoint, "300"]);
    const file = await fetch(at);
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="Gro_e (1).txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.txt`,
    );
    expect([file.status, file.headers.get("content-type"), await file.text()]).toEqual([
      200,
      "text/plain",
      "Größe + Maß",
    ]);
    at.searchParams.set("X-Amz-Signature", "0".repeat(64));
    expect((await fetch(at)).status).toBe(403);
  });

  test("shows pictures itself, with the headers that S3 does not send", async () => {
    const { id } = await upload(tenant.live, png(3, 2), "a.png", "image/png");
    const answer = await follow(id);
    expect([answer.status, answer.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("sandbox"),
    ]);
  });

  test("sends a file itself that is still on the disk, and 404 for none", async () => {
    const { id } = await upload(tenant.live);
    await bucket.request("DELETE", `/${nameOf(id)}`);
    expect((await follow(id)).status).toBe(404);
    const file = path.join(attachmentsOf(app.db), tenant.tenantId, id.slice(-2), id);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "Hello");
    const answer = await follow(id);
    expect([answer.status, await answer.text()]).toEqual([200, "Hello"]);
    fs.rmSync(file);
  });
});

describe("the check at the start", () => {
  async function complaint(settings: object): Promise<string> {
    const store = await openStore(Object.assign(new Config(), app.config, settings));
    return store.check().then(
      () => "",
      (error: Error) => error.message,
    );
  }
  beforeEach(() => proxy.heal());

  test("passes, and leaves nothing in the bucket", async () => {
    const before = await bucket.names();
    expect(await complaint({})).toBe("");
    expect(await bucket.names()).toEqual(before);
  });

  test.each([
    ["a wrong key", { S3_ACCESS_KEY_ID: "NOBODY" }, /does not know the access key: set S3_ACCESS_KEY_ID/],
    ["a wrong secret", { S3_SECRET_ACCESS_KEY: "wrong" }, /does not accept the signature: set S3_SECRET_ACCESS_KEY/],
    [
      "a bucket that is not there",
      { S3_BUCKET: "nobodys" },
      /there is no bucket nobodys at .*: make it, or set S3_BUCKET/,
    ],
  ])("refuses %s", async (_, settings, message) => {
    expect(await complaint(settings)).toMatch(message);
  });

  test("names the region of a bucket that is elsewhere", async () => {
    proxy.fault = () => ({
      status: 301,
      code: "PermanentRedirect",
      headers: { "x-amz-bucket-region": "eu-central-1" },
    });
    expect(await complaint({})).toContain("set S3_REGION=eu-central-1");
  });

  test.each([
    ["GET", /list-type/, "s3:ListBucket"],
    ["GET", /versioning/, "s3:GetBucketVersioning"],
    ["PUT", /probe/, "s3:PutObject"],
    ["GET", /probe\/[^=]*$/, "s3:GetObject"],
    ["DELETE", /probe/, "s3:DeleteObject"],
  ])("names the permission that is missing: %s %s %s", async (verb, address, permission) => {
    proxy.fault = ({ method, url }) =>
      method === verb && address.test(url) ? { status: 403, code: "AccessDenied" } : undefined;
    expect(await complaint({})).toContain(`the key lacks the permission ${permission} for `);
  });
});
