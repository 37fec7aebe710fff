import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Desk,
  pageOf,
  person,
  sendLink,
  testDesk,
  typesOf,
  workspace,
} from "../server/e2e/magic-links-support.js";
import { startApp, type TestApp } from "../support/app.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { everyNth } from "../support/sweep.js";
import { runAxe } from "./axe.js";
import { allowTimeForProcesses } from "../server/process/support.js";

allowTimeForProcesses();

/** If set, the folder for screenshots of the pages. */
const { SCREENSHOTS } = process.env;
const NAME = "Long & Winding Insurance Partnership Aktiengesellschaft";

describe.skipIf(!CHROMIUM)(`the page behind a magic link, in a browser${WITHOUT_BROWSER}`, () => {
  let app: TestApp;
  let browser: Browser;
  let desk: Desk;
  beforeAll(async () => {
    app = await startApp();
    desk = await testDesk(app, await app.tenant(NAME));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await closePages();
    await app.close();
  });

  const urlOf = (token: string): string => app.baseUrl + pageOf(token);
  async function inBrowser(
    options: BrowserContextOptions,
    work: (page: Page, faults: string[]) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" && !/status of 4(04|22)/.test(message.text())) faults.push(message.text());
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(`${app.baseUrl}/api/public/verifications/`))
          faults.push(`asked for ${request.url()}`);
      });
      await work(page, faults);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const heading = (page: Page): Promise<string | null> => page.locator("h1").textContent();

  test("redeems with Tab and Enter only, without JavaScript", async () => {
    const one = await person(desk);
    const { token } = await sendLink(desk, one);
    await inBrowser({ javaScriptEnabled: false }, async (page) => {
      await page.goto(urlOf(token));
      await page.reload();
      expect(await heading(page)).toBe("Is it you?");
      expect(await typesOf(desk, one)).toEqual([]);
      await page.keyboard.press("Tab");
      await Promise.all([page.waitForURL(urlOf(token)), page.waitForEvent("response"), page.keyboard.press("Enter")]);
      await page.locator("h1", { hasText: "Thank you" }).waitFor();
      expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
      await page.goto(urlOf(token));
      expect(await heading(page)).toBe("This link cannot be used");
    });
  });

  test("asks for the number where the workspace wants it, with Tab and Enter only, without JavaScript", async () => {
    const workspaceId = await workspace(desk, { settings: { requireLinkCode: true } });
    const one = await person({ ...desk, workspaceId });
    const { token, code } = await sendLink(desk, one);
    const wrong = code === "10" ? "11" : "10";
    await inBrowser({ javaScriptEnabled: false }, async (page) => {
      await page.goto(urlOf(token));
      for (const typed of [wrong, code]) {
        await page.keyboard.press("Tab");
        await page.keyboard.type(typed);
        await Promise.all([page.waitForEvent("response"), page.keyboard.press("Enter")]);
        await page.locator(typed === code ? "h1" : '[role="alert"]', { hasText: /Thank you|not the number/ }).waitFor();
        await page.waitForLoadState();
      }
    });
    expect(await typesOf(desk, one)).toEqual(["factor_failed", "factor_added", "assurance_level_reached"]);
  });

  const SCHEMES = ["light", "dark"] as const;
  test.each([320, 1024])(
    "is accessible and fits at %i px, in light and dark: the page, with a number or a field for it, what comes after it, and that of a dead link",
    async (width) => {
      const primaryLanguage = width === 320 ? "de" : "en";
      const asking = await sendLink(
        desk,
        await person({
          ...desk,
          workspaceId: await workspace(desk, { primaryLanguage, settings: { requireLinkCode: true } }),
        }),
      );
      const { token } = await sendLink(
        desk,
        await person({
          ...desk,
          workspaceId: await workspace(desk, {
            name: "Kundendienst Rechtsschutzversicherungen",
            primaryLanguage,
          }),
        }),
      );
      await inBrowser({ viewport: { width, height: 700 } }, async (page, faults) => {
        let states = width === 320 ? 0 : 1;
        const check = async (name: string): Promise<void> => {
          // The two widths have each state in both.
          const axed = everyNth(SCHEMES, 2, states++);
          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme });
            if (SCREENSHOTS)
              await page.screenshot({ path: `${SCREENSHOTS}/magic-${name}-${width}-${colorScheme}.png` });
            expect(
              await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
              `${name}, ${colorScheme}: sideways`,
            ).toBe(0);
            if (!axed.includes(colorScheme)) continue;
            const { violations, passes } = await runAxe(page);
            expect(
              violations.map(
                ({ id, nodes }) => `${name}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join()}`,
              ),
            ).toEqual([]);
            expect(passes.map(({ id }) => id)).toEqual(
              expect.arrayContaining(["color-contrast", "html-has-lang", "document-title", "landmark-one-main"]),
            );
          }
        };
        await page.goto(urlOf(token));
        // The policy allows the style by its hash. Without it the page would have no style.
        expect(await page.evaluate(`getComputedStyle(document.querySelector('button')).borderRadius`)).toBe("10px");
        expect((await page.locator("button").boundingBox())!.height).toBeGreaterThanOrEqual(44);
        await check("page");
        await page.locator("button").focus();
        if (SCREENSHOTS) {
          await page.keyboard.press("Shift");
          await page.screenshot({ path: `${SCREENSHOTS}/magic-focus-${width}.png` });
        }
        await page.keyboard.press("Enter");
        await page.locator("form").waitFor({ state: "detached" });
        await page.waitForLoadState();
        await check("done");
        await page.goto(urlOf(token));
        await check("expired");
        await page.goto(urlOf(asking.token));
        await check("asks");
        await page.locator("input").fill(asking.code === "10" ? "11" : "10");
        await page.keyboard.press("Enter");
        await page.locator(".fault").waitFor();
        await page.locator("input").focus();
        await check("wrong");
        expect(faults).toEqual([]);
      });
    },
  );
});
