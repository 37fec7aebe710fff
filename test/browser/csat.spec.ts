import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, configure, decide, linkOf, resolve, talk } from "../server/csat/support.js";
import { newWorkspace } from "../server/e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import type { Client } from "../support/client.js";
import { everyNth } from "../support/sweep.js";
import { runAxe } from "./axe.js";
import { allowTimeForProcesses } from "../server/process/support.js";

allowTimeForProcesses();

/** If set, the folder for screenshots of the pages. */
const { SCREENSHOTS } = process.env;

describe.skipIf(!CHROMIUM)(`the page of a survey, in a browser${WITHOUT_BROWSER}`, () => {
  let app: TestApp;
  let browser: Browser;
  let tenant: TestTenant;
  let owner: Client;
  beforeAll(async () => {
    app = await startApp();
    tenant = await app.tenant("Northwind Parcels");
    owner = await tenant.owner();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await closePages();
    await app.close();
  });

  async function inBrowser(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" && !/status of 4(04|22)/.test(message.text())) faults.push(message.text());
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(`${app.baseUrl}/api/public/csat/`)) faults.push(`asked for ${request.url()}`);
      });
      await work(page);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  }
  async function survey({
    language,
    ...config
  }: { language?: string; scale?: number; questions?: object } = {}): Promise<{ url: string; workspaceId: string }> {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId, {
      name: "Customer service",
      ...(language && { primaryLanguage: language }),
    });
    await configure(owner, workspaceId, config);
    return { workspaceId, url: app.baseUrl + (await asked(app, tenant.live, workspaceId)).link };
  }
  const ratings = async (workspaceId: string) =>
    (await tenant.live.get(`/api/quality/csat/ratings?workspaceId=${workspaceId}`, 200)).body.data;

  test("can be answered with the keyboard only, without JavaScript", async () => {
    const { url, workspaceId } = await survey();
    await inBrowser({ javaScriptEnabled: false }, async (page) => {
      await page.goto(url);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Quick and kind");
      await page.keyboard.press("Tab");
      expect(await ratings(workspaceId)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: "Thank you" }).waitFor();
    });
    expect(await ratings(workspaceId)).toMatchObject([{ score: 4, comment: "Quick and kind" }]);
  });

  test("can be answered by clicking a number and the button; without a number the browser sends nothing", async () => {
    const { url, workspaceId } = await survey();
    await inBrowser({ javaScriptEnabled: false, hasTouch: true }, async (page) => {
      await page.goto(url);
      await page.getByRole("button", { name: "Send" }).tap();
      expect(await page.getByRole("radio").count()).toBe(5);
      expect(await ratings(workspaceId)).toEqual([]);
      await page.locator(".scores label").nth(1).tap();
      await page.getByRole("button", { name: "Send" }).tap();
      await page.locator("h1", { hasText: "Thank you" }).waitFor();
      // A comment added later belongs to the same answer.
      await page.getByRole("textbox").fill("It came late");
      await page.getByRole("button", { name: "Send" }).tap();
      await page.getByRole("textbox").waitFor({ state: "detached" });
    });
    expect(await ratings(workspaceId)).toMatchObject([{ score: 2, comment: "It came late" }]);
  });

  test("gives each answer an accessible name with its meaning, under the question", async () => {
    const { url } = await survey();
    await inBrowser({}, async (page) => {
      await page.goto(`${url}?score=5`);
      const group = page.getByRole("group", {
        name: "How satisfied are you with the help you got from Northwind Parcels?",
      });
      expect(await group.getByRole("radio", { name: "1 (Not at all satisfied)" }).count()).toBe(1);
      expect(await group.getByRole("radio", { name: "5 (Very satisfied)" }).isChecked()).toBe(true);
      expect(await page.getByRole("textbox", { name: "Would you like to tell us more? (optional)" }).count()).toBe(1);
    });
  });

  const WIDTHS = [320, 1024];
  const SCHEMES = ["light", "dark"] as const;
  const all = [2, 5, 10].flatMap((scale) =>
    WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [scale, width, scheme] as const)),
  );
  // Three is no divisor of the four looks of a scale, so each day has each scale, and the days have all looks.
  const STATES = ["page", "chosen", "refused", "answered", "dead"] as const;
  test.each(everyNth(all, 3))(
    "on a scale of %i is accessible and fits at %i px in %s: empty, chosen, refused, answered, dead",
    async (scale, width, colorScheme) => {
      // Each state in two of the four looks: in both colours, and in both widths.
      const turn = WIDTHS.indexOf(width) + SCHEMES.indexOf(colorScheme);
      const axed = STATES.filter((_, i) => (i + turn) % 2 === 0);
      const { url } = await survey({ scale, ...(width === 320 && scale === 5 && { language: "de" }) });
      await inBrowser({ colorScheme, viewport: { width, height: 780 } }, async (page) => {
        const check = async (name: (typeof STATES)[number]): Promise<void> => {
          if (SCREENSHOTS)
            await page.screenshot({ path: `${SCREENSHOTS}/csat-${scale}-${name}-${width}-${colorScheme}.png` });
          expect(
            await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
            "sideways",
          ).toBe(0);
          if (!axed.includes(name)) return;
          const { violations, passes } = await runAxe(page);
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
          expect(passes.map(({ id }) => id)).toEqual(
            expect.arrayContaining(["color-contrast", "html-has-lang", "document-title", "landmark-one-main"]),
          );
        };
        await page.goto(url);
        for (const answer of await page.locator(".scores label").all()) {
          const { width: wide, height: high } = (await answer.boundingBox())!;
          expect(Math.min(wide, high), "large enough for a thumb").toBeGreaterThanOrEqual(44);
        }
        await check("page");
        await page.goto(`${url}?score=${scale}`);
        await page.keyboard.press("Tab");
        await check("chosen");
        await page.evaluate(
          `document.querySelector('form').noValidate = true; document.querySelectorAll('input').forEach((input) => { input.checked = false })`,
        );
        await page.locator("textarea").fill("It took three days.");
        await page.locator("button").click();
        await page.getByRole("alert").waitFor();
        expect(await page.locator("textarea").inputValue()).toBe("It took three days.");
        await check("refused");
        await page.locator("textarea").fill("");
        await page.locator(".scores label").last().click();
        await page.locator("button").click();
        await page.locator("fieldset").waitFor({ state: "detached" });
        await page.waitForLoadState();
        await check("answered");
        await page.goto(`${app.baseUrl}/api/public/csat/unknown`);
        await check("dead");
      });
    },
  );

  test("shows a right-to-left question as such on a page in the workspace's language", async () => {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId, {
      name: "Customer service",
      primaryLanguage: "fr",
    });
    await configure(owner, workspaceId, { questions: { ar: "ما مدى رضاك عن خدمتنا؟" } });
    const conversation = await talk(tenant.live, workspaceId);
    await tenant.live.patch(conversation.path, { language: "ar" }, 200);
    await resolve(tenant.live, conversation);
    await decide(app);
    const link = await linkOf(tenant.live, conversation);
    await inBrowser({ viewport: { width: 320, height: 780 } }, async (page) => {
      await page.goto(app.baseUrl + link);
      expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).direction`)).toBe("rtl");
      expect(await page.evaluate(`getComputedStyle(document.body).direction`)).toBe("ltr");
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/csat-language-ar.png` });
    });
  });
});
