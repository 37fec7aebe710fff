import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleSdk } from "../../scripts/sdk-bundle.mjs";
import { undisturbed } from "../races/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../support/app.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { allowTimeForProcesses } from "../server/process/support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`a page of another origin uses the core in Chromium${WITHOUT_BROWSER}`, () => {
  let website: http.Server;
  let app: TestApp;
  let tenant: TestTenant;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const script = await bundleSdk("core");
    website = http.createServer((request, response) =>
      request.url === "/core.js"
        ? response.setHeader("content-type", "text/javascript").end(script)
        : response.setHeader("content-type", "text/html").end("<p>Dashboard</p>"),
    );
    await new Promise<void>((resolve) => website.listen(0, "localhost", resolve));
    const origin = `http://localhost:${(website.address() as AddressInfo).port}`;
    app = await startApp({ CORS_ORIGINS: [origin] });
    tenant = await app.tenant();
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(origin);
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
    website?.close();
  });

  test("it signs in, pages, changes, hears events, and reads the request id of a failure", async () => {
    for (let i = 0; i < 3; i++)
      await tenant.live.post(
        "/api/conversations",
        { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" }, message: { body: `Message ${i}` } },
        201,
      );
    // As text, because it runs in the page.
    const told = await page.evaluate(`(async () => {
      const { ConnectionError, NotFoundError, Parley } = await import("/core.js");
      const [baseUrl, email, password] = ${JSON.stringify([app.baseUrl, tenant.ownerEmail, PASSWORD])};
      let session;
      const parley = new Parley({
        baseUrl,
        getToken: async () => (session ??= await parley.auth.login({ email, password })).accessToken,
      });
      const ids = [];
      for await (const { id } of parley.conversations.list({ limit: 2 })) ids.push(id);
      const events = parley.events.stream();
      const heard = [(await events.next()).value.type];
      await parley.conversations.reply(ids[0], { body: "Hello" });
      for await (const { type } of events) if (heard.push(type) && type === "message.created") break;
      window.again = async () => {
        const { headers } = await parley.request("conversations.list");
        const etag = headers.get("etag");
        return (await parley.request("conversations.list", { headers: { "If-None-Match": etag } })).status;
      };
      const missing = await parley.conversations.get("01a2064a-6dc2-715b-bac0-1839970bcd3c").catch((error) => error);
      const lost = await new Parley({ baseUrl: "http://localhost:1", maxRetries: 0 }).health.checkLiveness().catch((error) => error);
      return {
        conversations: ids.length, heard,
        missing: missing instanceof NotFoundError && typeof missing.requestId,
        lost: lost instanceof ConnectionError,
      };
    })()`);
    expect(told).toMatchObject({ conversations: 3, missing: "string", lost: true });
    await undisturbed([app], async () => expect(await page.evaluate("again()")).toBe(304));
    expect((told as { heard: string[] }).heard).toEqual(expect.arrayContaining(["ready", "message.created"]));
  });
});
