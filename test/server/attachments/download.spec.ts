import { hkdfSync } from "node:crypto";
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "uuid";
import { start } from "../e2e/support.js";
import { SECRET_KEY, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { avif, commentedGif, download, gif, jpeg, png, upload } from "./support.js";
import { eventually } from "../../support/eventually.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const PUBLIC = "/api/public/attachments/";
const tokenOf = async (id: string): Promise<string> =>
  new URL((await tenant.live.get(`/api/attachments/${id}`, 200)).body.url).pathname.slice(PUBLIC.length);
const follow = (token: string, headers = {}): Promise<Response> => fetch(app.baseUrl + PUBLIC + token, { headers });
/** Signs other content in the same way as the application. */
function forge(tenantId: string, id: string, expires: number, secret = SECRET_KEY): string {
  const content = Buffer.alloc(36);
  content.set(parse(tenantId), 0);
  content.set(parse(id), 16);
  content.writeUInt32BE(expires, 32);
  const key = Buffer.from(hkdfSync("sha256", secret, "", "parley attachment link", 32));
  return Buffer.concat([content, createHmac("sha256", key).update(content).digest()]).toString("base64url");
}
const seconds = (): number => Math.floor(Date.now() / 1_000);

describe("a download link", () => {
  test("returns the file for five minutes, then 401", async () => {
    const { id } = await upload(tenant.live);
    const before = seconds();
    const token = await tokenOf(id);
    const expires = Buffer.from(token, "base64url").readUInt32BE(32);
    expect(expires).toBeGreaterThanOrEqual(before + 300);
    expect(expires).toBeLessThanOrEqual(seconds() + 301);
    expect(await (await follow(token)).text()).toBe("Hello");
    expect((await follow(forge(tenant.tenantId, id, seconds() + 30))).status).toBe(200);
    const late = await follow(forge(tenant.tenantId, id, seconds() - 1));
    expect([late.status, await late.text()]).toEqual([401, '{"error":"Unauthorized"}']);
  });

  test("returns 401 when any character is changed, cut, encoded differently or made up", async () => {
    const { id } = await upload(tenant.live);
    const token = await tokenOf(id);
    const changed = Array.from(
      { length: token.length },
      (_, n) => token.slice(0, n) + (token[n] === "A" ? "B" : "A") + token.slice(n + 1),
    );
    for (const wrong of [
      ...changed,
      token.slice(1),
      `${token}A`,
      `${token}=`,
      "x",
      id,
      forge(tenant.tenantId, id, seconds() + 60, "another secret of more than 32 characters"),
    ]) {
      expect([wrong, (await follow(wrong)).status]).toEqual([wrong, 401]);
    }
    expect((await follow(token)).status).toBe(200);
  });

  test("is bound to its tenant: signed for another tenant, it returns 404", async () => {
    const { id } = await upload(tenant.live);
    for (const tenantId of [tenant.testTenantId, (await app.tenant()).tenantId])
      expect((await follow(forge(tenantId, id, seconds() + 60))).status).toBe(404);
  });

  test("returns nothing after the workspace is deleted or the person is erased", async () => {
    const owner = await tenant.owner();
    const { body: workspace } = await owner.post(
      "/api/workspaces",
      { name: "Going", brandId: tenant.defaults.brandId },
      201,
    );
    for (const [workspaceId, end] of [
      [workspace.id, () => owner.delete(`/api/workspaces/${workspace.id}`, 200)],
      [
        tenant.defaults.workspaceId,
        (contactId: string) => owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200),
      ],
    ] as const) {
      const { id } = await upload(tenant.live);
      const { contactId } = await start(tenant.live, workspaceId, { message: { body: "Hello", attachmentIds: [id] } });
      const token = await tokenOf(id);
      expect((await follow(token)).status).toBe(200);
      await end(contactId);
      expect((await follow(token)).status).toBe(404);
    }
  });

  test("does not appear in any log", async () => {
    let output = "";
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((chunk: string | Uint8Array) => {
        output += Buffer.from(chunk as Uint8Array).toString();
        return true;
      }),
    );
    const talkative = await startApp({ LOG_LEVEL: "debug" }, app.db);
    try {
      const { id } = await upload(tenant.live);
      const token = await tokenOf(id);
      for (const one of [token, `${token}x`]) await fetch(talkative.baseUrl + PUBLIC + one);
      await eventually(() => {
        expect(output).toContain("/api/public/attachments/:token");
      });
      expect(output).not.toContain(token.slice(0, 40));
    } finally {
      await talkative.close();
      for (const spy of spies) spy.mockRestore();
    }
  });
});

describe("a download", () => {
  test.each<[string, string | Buffer, string, string, string]>([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "a.svg", "image/svg+xml", "attachment"],
    ["a page", "<!doctype html><p>x", "a.html", "text/html", "attachment"],
    ["XML", '<?xml version="1.0"?><a/>', "a.xml", "text/xml", "attachment"],
    ["a PDF", "%PDF-1.7\n", "a.pdf", "application/pdf", "attachment"],
    ["text", "Hello", "a.txt", "text/plain", "attachment"],
    ["an image", png(1, 1), "a.png", "image/png", "inline"],
    ["an image of 40 megapixels", png(8_000, 5_000), "a.png", "image/png", "inline"],
    ["a larger image", png(8_001, 5_000), "a.png", "image/png", "attachment"],
    ["a larger JPEG", jpeg(30_000, 30_000), "a.jpg", "image/jpeg", "attachment"],
    ["a larger GIF", gif(65_535, 65_535), "a.gif", "image/gif", "attachment"],
    ["a GIF that its first frame enlarges", gif(10, 10, 30_000), "a.gif", "image/gif", "attachment"],
    ["the same behind a comment", commentedGif(10, 10, 30_000), "a.gif", "image/gif", "attachment"],
    ["a small GIF with a comment", commentedGif(10, 10, 20), "a.gif", "image/gif", "inline"],
    ["an AVIF", avif([10, 10]), "a.avif", "image/avif", "inline"],
    ["an AVIF whose second size is larger", avif([10, 10], [16_000, 16_000]), "a.avif", "image/avif", "attachment"],
    ["an image of unknown size", png(0, 1), "a.png", "image/png", "attachment"],
  ])(
    "of %s cannot run scripts: it is sandboxed, not sniffed, and inline only for images up to 40 megapixels, audio and video",
    async (_, content, name, type, how) => {
      const { headers } = await download(app, tenant.live, (await upload(tenant.live, content, name, type)).id);
      expect(headers.get("content-disposition")).toBe(`${how}; filename="${name}"; filename*=UTF-8''${name}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*; sandbox$/);
      expect(headers.get("cache-control")).toBe("private, no-cache");
      expect(headers.get("content-type")).toBe(type);
    },
  );

  test("keeps a file name in any script, and no file name breaks out of its header", async () => {
    const { id } = await upload(tenant.live, "Hello", "Grüße \"x\"; a='b'%41\r\nSet-Cookie: x=1 日本.txt");
    const header = (await download(app, tenant.live, id)).headers;
    const [, encoded] = /filename\*=UTF-8''(\S+)$/.exec(header.get("content-disposition")!)!;
    expect(decodeURIComponent(encoded!)).toBe((await tenant.live.get(`/api/attachments/${id}`, 200)).body.fileName);
    expect(header.get("content-disposition")).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=/);
    expect(header.get("set-cookie")).toBeNull();
  });

  test("returns 304 for a matching ETag, and answers HEAD without a body", async () => {
    const { id } = await upload(tenant.live);
    const whole = await download(app, tenant.live, id);
    const etag = whole.headers.get("etag")!;
    const again = await download(app, tenant.live, id, { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await download(app, tenant.live, id, {}, "HEAD");
    expect([
      head.status,
      await head.text(),
      head.headers.get("content-length"),
      head.headers.get("content-type"),
    ]).toEqual([200, "", "5", "text/plain"]);
  });

  test.each([
    ["bytes=0-1", 206, "He", "bytes 0-1/5"],
    ["bytes=3-", 206, "lo", "bytes 3-4/5"],
    ["bytes=-2", 206, "lo", "bytes 3-4/5"],
    ["bytes=2-99", 206, "llo", "bytes 2-4/5"],
    ["bytes=-99", 206, "Hello", "bytes 0-4/5"],
    ["bytes=0-1,3-4", 200, "Hello", null],
    ["bytes=3-1", 200, "Hello", null],
    ["lines=1-2", 200, "Hello", null],
    ["bytes=-", 200, "Hello", null],
  ])("of %s returns %i", async (range, status, text, shown) => {
    const { id } = await upload(tenant.live);
    const answer = await download(app, tenant.live, id, { range });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([status, text, shown]);
  });

  test("returns 416 for an unsatisfiable range, and the whole file if If-Range does not match", async () => {
    const { id } = await upload(tenant.live);
    for (const range of ["bytes=5-", "bytes=-0"]) {
      const beyond = await download(app, tenant.live, id, { range });
      expect([
        beyond.status,
        beyond.headers.get("content-range"),
        Object.keys((await beyond.json()) as object),
      ]).toEqual([416, "bytes */5", ["error"]]);
    }
    expect(await (await download(app, tenant.live, id, { range: "bytes=0-1", "if-range": '"other"' })).text()).toBe(
      "Hello",
    );
  });
});
