import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { everyNth } from "../support/sweep.js";
import { runAxe } from "./axe.js";

/** If set, the folder for screenshots of the page. */
const { SCREENSHOTS } = process.env;

allowTimeForProcesses();

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe.skipIf(!CHROMIUM)(`the reference at /docs, in a browser${WITHOUT_BROWSER}`, () => {
  let page: Page;
  let tenant: TestTenant;
  const faults: string[] = [];
  beforeAll(async () => {
    tenant = await app.tenant();
    page = await (await openBrowser()).newPage();
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("status of 401")) faults.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(app.baseUrl) && !request.url().startsWith("data:"))
        faults.push(`asked for ${request.url()}`);
    });
  });
  afterAll(closePages);

  /** @param isLoaded whether the page is as it begins; otherwise it may be as another test has left it */
  async function opened(isLoaded: boolean, work: (page: Page) => Promise<void>): Promise<void> {
    faults.length = 0;
    if (isLoaded || page.url() === "about:blank") await page.goto(`${app.baseUrl}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    await work(page);
    expect(faults).toEqual([]);
  }
  const enter = async (page: Page, key: string): Promise<string> => {
    await page.getByLabel("Your API key").fill(key);
    // The result of a key before it may still be there.
    await Promise.all([
      page.waitForResponse(`${app.baseUrl}/api/me`),
      page.getByRole("button", { name: "Use it" }).click(),
    ]);
    const result = page.locator("#key-result");
    await result.filter({ hasText: /./ }).waitFor();
    return (await result.textContent())!;
  };
  const shot = async (page: Page, name: string): Promise<void> => {
    if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `reference-${name}.png`) });
  };
  const LIST = "GET /api/conversations";
  /** Opens the group and the operation that lists conversations, unless they are. */
  const openList = async (page: Page): Promise<void> => {
    if (await page.locator(".opblock.is-open").count()) return;
    await page.locator('.opblock-tag[data-tag="Conversations"]').click();
    await page
      .locator(".opblock", { has: page.locator('[data-path="/api/conversations"]') })
      .first()
      .locator(".opblock-summary-control")
      .click();
    await page.getByRole("button", { name: "Try it out" }).waitFor();
  };
  const tryList = async (page: Page): Promise<void> => {
    await openList(page);
    if ((await page.getByRole("button", { name: "Execute" }).count()) === 0)
      await page.getByRole("button", { name: "Try it out" }).click();
  };

  test("opens with what a newcomer needs, and with all operations folded", async () => {
    await opened(true, async (page) => {
      await expect
        .poll(() => page.locator(".info h2").allTextContents())
        .toEqual([
          "Authenticate",
          "First request",
          "Errors",
          "Paging",
          "Retries",
          "Polling",
          "Rate limits",
          "Environments",
          "Versions and deprecation",
        ]);
      const commands = await page.locator(".info pre", { hasText: "curl" }).first().textContent();
      expect(commands).toContain(`export PARLEY_URL=${app.baseUrl} `);
      expect(await page.locator(".opblock-tag").count()).toBeGreaterThan(20);
      expect(await page.locator(".opblock-tag-section .opblock").count()).toBe(0);
      // The webhooks stand below the operations, each folded.
      expect(await page.locator(".webhooks .opblock").count()).toBeGreaterThan(5);
      expect(await page.locator(".opblock.is-open").count()).toBe(0);
      await shot(page, "top");
    });
  });

  test("sends the pasted key with the operations that you try, and keeps it nowhere", async () => {
    await opened(false, async (page) => {
      expect(await enter(page, tenant.live.token!)).toMatch(
        /^This is the live key “.+” with 21 scopes, for all workspaces/,
      );
      await tryList(page);
      const answer = page.waitForResponse((response) => response.url().startsWith(`${app.baseUrl}/api/conversations`));
      await page.getByRole("button", { name: "Execute" }).click();
      const [{ authorization }, status] = [await (await answer).request().allHeaders(), (await answer).status()];
      expect({ authorization, status }, LIST).toEqual({ authorization: `Bearer ${tenant.live.token}`, status: 200 });
      await page.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
      await shot(page, "operation");
      const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
      expect(kept).not.toContain(tenant.live.token);
    });
  });

  test("says so when the server does not know the key, and then sends none", async () => {
    await opened(false, async (page) => {
      await enter(page, tenant.live.token!);
      await page.getByLabel("Your API key").fill("svc_live_v1_nobody");
      await page.getByRole("button", { name: "Use it" }).click();
      await page.locator("#key-result.fault", { hasText: /^401: / }).waitFor();
      await tryList(page);
      const asked = page.waitForRequest((request) => request.url().startsWith(`${app.baseUrl}/api/conversations`));
      await page.getByRole("button", { name: "Execute" }).click();
      expect(await (await asked).headerValue("authorization")).toBeNull();
    });
  });

  test("shows what an operation takes and answers, with nested objects", async () => {
    await opened(false, async (page) => {
      await openList(page);
      await page.locator(".responses-table").getByRole("tab", { name: "Schema" }).first().click();
      await page.locator(".responses-table").getByText("nextCursor").first().waitFor();
      expect(await page.locator(".opblock .errors-wrapper").count()).toBe(0);
      await shot(page, "schema");
    });
  });

  test("is accessible and fits at 320 and 1280 px, folded and with an operation open", async () => {
    const widths = [320, 1280];
    await opened(true, async (page) => {
      for (const [i, state] of ["folded", "open"].entries()) {
        if (state === "open") await openList(page);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await shot(page, `${state}-${width}`);
          const wide = await page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth",
          );
          expect(wide, `${state}, ${width} px: scrolls sideways by so many pixels`).toBeLessThanOrEqual(0);
          if (!everyNth(widths, 2, i).includes(width)) continue;
          // The operations are drawn by Swagger UI, not by us.
          const { violations, passes } = await runAxe(page, [".opblock-tag-section", ".webhooks"]);
          expect(passes.length).toBeGreaterThan(10);
          expect(
            violations
              .filter(({ impact }) => impact === "serious" || impact === "critical")
              .map(
                ({ id, nodes }) =>
                  `${state}, ${width} px: ${id}: ${nodes.map(({ target, html }) => `${target.join(" ")} ${html}`).join("; ")}`,
              ),
          ).toEqual([]);
        }
      }
    });
  });
});

test("every part of the reference can be had compressed, and only once", async () => {
  for (const part of ["/docs", "/docs/page.js", "/docs/swagger-ui-bundle.js", "/openapi.json"]) {
    const first = await fetch(app.baseUrl + part, { headers: { "Accept-Encoding": "gzip, br" } });
    const etag = first.headers.get("etag")!;
    const plain = await fetch(app.baseUrl + part, { headers: { "Accept-Encoding": "identity" } });
    expect([first.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual(["br", null]);
    expect(await first.text()).toBe(await plain.text());
    expect((await fetch(app.baseUrl + part, { headers: { "If-None-Match": etag } })).status).toBe(304);
  }
  const slash = await fetch(`${app.baseUrl}/docs/`);
  expect([slash.status, slash.url]).toEqual([200, `${app.baseUrl}/docs`]);
});
