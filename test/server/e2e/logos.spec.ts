import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { Client } from "../../support/client.js";
import { asked, configure, open } from "../csat/support.js";
import { chatOf } from "../webchat/support.js";
import { newWorkspace } from "./support.js";

/** 2 by 2 pixels. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4IScHRAwQCgAfJgQRoo8irwAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=";
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString("base64");

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let id: string;
const at = (workspaceId: string) => `/api/workspaces/${workspaceId}/logo` as const;
const get = (path: string) => fetch(`${app.baseUrl}${path}`);
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  id = tenant.defaults.workspaceId;
});
afterAll(() => app.close());

/** A PNG that says it has these sides. */
function sized(width: number, height: number): string {
  const bytes = Buffer.from(PNG, "base64");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

describe("the logo of a workspace", () => {
  test("is for everybody who knows its address, on pages of others too, and each picture has another address", async () => {
    expect((await owner.get(`/api/workspaces/${id}`, 200)).body.logoUrl).toBeNull();
    const { logoUrl } = (await owner.put(at(id), { image: PNG }, 200)).body;
    const [listed] = (await tenant.live.get("/api/workspaces", 200)).body;
    expect(listed!.logoUrl).toBe(logoUrl);
    const loaded = await get(logoUrl!);
    expect(loaded.status).toBe(200);
    expect(Object.fromEntries(loaded.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await loaded.arrayBuffer()).toString("base64")).toBe(PNG);

    const next = (await owner.put(at(id), { image: PNG }, 200)).body.logoUrl;
    expect(next).not.toBe(logoUrl);
    await owner.delete(at(id), 200);
    expect((await owner.get(`/api/workspaces/${id}`, 200)).body.logoUrl).toBeNull();
    // Mails that have left show it.
    for (const path of [logoUrl, next]) expect((await get(path!)).status).toBe(200);
  });

  test("stands above a survey and in the chat, and in neither once it is removed", async () => {
    const chat = await chatOf(tenant);
    await configure(owner, id);
    const shown = async () => {
      const { link } = await asked(app, tenant.live, id);
      const { body } = await new Client(app.baseUrl).post<{ logoUrl: string | null }>(`${chat.path}/sessions`, {}, 200);
      return {
        survey: /<img class="logo" src="([^"]*)" alt="">/.exec(await (await open(app, link)).text())?.[1],
        chat: body.logoUrl,
      };
    };
    const { logoUrl } = (await owner.put(at(id), { image: PNG }, 200)).body;
    expect(await shown()).toEqual({ survey: logoUrl, chat: logoUrl });
    await owner.delete(at(id), 200);
    expect(await shown()).toEqual({ survey: undefined, chat: null });
  });

  test("the newest ten pictures are kept", async () => {
    const made: string[] = [];
    for (let n = 0; n < 12; n++) made.push((await owner.put(at(id), { image: PNG }, 200)).body.logoUrl!);
    const statuses = await Promise.all(made.map(async (path) => (await get(path)).status));
    expect(statuses).toEqual([404, 404, ...Array<number>(10).fill(200)]);
  });

  test("sent several times at once, is one of them", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => owner.put(at(id), { image: PNG }, 200)));
    const now = (await owner.get(`/api/workspaces/${id}`, 200)).body.logoUrl;
    expect(all.map(({ body }) => body.logoUrl)).toContain(now);
    expect((await get(now!)).status).toBe(200);
  });

  test.each([
    ["what is no picture", Buffer.from("hello, world").toString("base64")],
    ["a drawing, which can hold scripts", SVG],
    ["a type that is not taken", GIF],
    ["a picture that is too wide", sized(1_025, 10)],
    ["a picture that is too high", sized(10, 1_025)],
    ["more than 100 kB", Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(102_400)]).toString("base64")],
  ])("is not %s", async (_, image) => {
    const { error } = (await owner.put(at(id), { image }, 400)).body;
    expect(error).toContain("image must be a PNG, JPEG or WebP of at most 100 kB and 1024 pixels a side");
  });

  test("is set by callers that reach the workspace, and is gone with it", async () => {
    const other = (await newWorkspace(owner, tenant.defaults.brandId)).id;
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other } });
    await key.put(at(id), { image: PNG }, 404);
    await key.delete(at(id), 404);
    const { logoUrl } = (await key.put(at(other), { image: PNG }, 200)).body;
    await owner.delete(`/api/workspaces/${other}`, 200);
    expect((await get(logoUrl!)).status).toBe(404);
  });

  test("is found under its own tenant alone", async () => {
    const { logoUrl } = (await owner.put(at(id), { image: PNG }, 200)).body;
    const own = logoUrl!.split("/").at(-1);
    const { tenantId } = await app.tenant();
    for (const path of [`${tenantId}/${own}`, `${randomUUID()}/${own}`, `${tenant.tenantId}/${randomUUID()}`])
      expect((await get(`/api/public/logos/${path}`)).status).toBe(404);
    expect((await get(`/api/public/logos/${tenant.tenantId}/x`)).status).toBe(400);
  });
});
