import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, closePages, WITHOUT_BROWSER } from "../../support/browser.js";
import { check, type Desk, followEvents, goTo, type Member, openDesk, PATIENT, settle, signIn } from "./support.js";

// What a page has not loaded yet is gone with the connection, and with the next version of Parley.
describe.skipIf(!CHROMIUM)(`what a page cannot load, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(async () => {
    await closePages();
    await desk.close();
  });

  /** Signs in, and waits until the page listens to what is missing: from then on its title is the section's. */
  const begin = async (): Promise<Member> => {
    const member = await signIn(desk);
    await expect.poll(() => member.page.title(), PATIENT).toBe("Inbox");
    return member;
  };
  /** The browser itself keeps the connections that it has. */
  const goOffline = async (context: BrowserContext): Promise<void> => {
    await context.setOffline(true);
    desk.app.app.getHttpServer().closeAllConnections();
  };

  test("without a connection, a page says that it cannot be reached, and comes with it", async () => {
    const { page, context } = await begin();
    await context.setOffline(true);
    await goTo(page, "/quality");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await check(page, "dashboard-page-without-connection");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await context.setOffline(false);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Quality", level: 1 }).waitFor();
    await context.close();
  });

  test("a proxy that answers for a server that is down leaves the dashboard, too", async () => {
    const { page, context } = await begin();
    await page.route(/\/assets\/|\/$/, (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
    await goTo(page, "/quality");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await context.close();
  });

  test("a part that was asked for without a connection is offered once that is back", async () => {
    const { page, context } = await begin();
    await goOffline(context);
    await page.keyboard.press("Control+k");
    await page.getByText("You are offline.").waitFor();
    expect(await page.getByText("A part of this page").count()).toBe(0);
    await context.setOffline(false);
    await page.getByRole("alert").getByText("A part of this page could not be loaded.").waitFor();
    await context.close();
  });

  test("a part that is gone says so, once, and is there after a reload", async () => {
    const { page, context } = await begin();
    await page.route("**/assets/palette-*", (route) => route.fulfill({ status: 404, json: { error: "Not Found" } }));
    await page.keyboard.press("Control+k");
    const gone = page.getByRole("alert").getByText("A part of this page could not be loaded.");
    await gone.waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+k");
    expect(await gone.count()).toBe(1);
    await check(page, "dashboard-part-gone");
    await page.unrouteAll();
    await page.getByRole("alert").getByRole("button", { name: "Reload" }).click();
    await gone.waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^Next conversation/ }).waitFor();
    await context.close();
  });

  test("a server that comes back with a newer dashboard offers it, and the same one does not", async () => {
    const { page, context } = await begin();
    // Only what it hears can be interrupted. A slow machine may have asked for changes first.
    const heard = await followEvents(page);
    await goOffline(context);
    await context.setOffline(false);
    await heard(`type === "ready"`);
    await settle(page);
    const asked = (): Promise<unknown> =>
      page.waitForResponse(
        (response) => new URL(response.url()).pathname === "/" && !response.request().isNavigationRequest(),
      );
    const interrupt = async (): Promise<void> => {
      await goOffline(context);
      await page.getByText("You are offline.").waitFor();
      const answer = asked();
      await context.setOffline(false);
      await answer;
      await page.getByText("You are offline.").waitFor({ state: "detached" });
    };
    await interrupt();
    const offer = page.getByText("There is a newer version of Parley.");
    await settle(page);
    expect(await offer.count()).toBe(0);
    // The server's answer after an upgrade: it names scripts that this page does not know.
    await page.route(
      (url) => url.pathname === "/",
      async (route) => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          body: (await answer.text()).replaceAll("/assets/app-", "/assets/app-newer-"),
        });
      },
    );
    await interrupt();
    await offer.waitFor();
    await check(page, "dashboard-newer-version");
    await page.unrouteAll();
    await page.getByRole("status").getByRole("button", { name: "Reload" }).click();
    await offer.waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await context.close();
  });
});
