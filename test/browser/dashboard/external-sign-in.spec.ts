import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENT, type EidServer, startEidServer } from "../../server/identity/oidc-provider.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { check, type Desk, openDesk } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`external sign-in, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let provider: EidServer;
  beforeAll(async () => {
    let callback = "";
    provider = await startEidServer(() => callback);
    desk = await openDesk({
      OIDC_ISSUER: provider.url,
      OIDC_AUDIENCE: "urn:parley",
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_NAME: "Harbour ID",
    });
    callback = `${desk.app.baseUrl}/api/auth/external/callback`;
  });
  afterAll(async () => {
    await desk.close();
    await provider.close();
  });

  test.each(["live", "test"])("a member continues there, and goes on where they were, on the %s side", async (side) => {
    const context = await desk.browser.newContext({ viewport: { width: 320, height: 640 }, locale: "en-GB" });
    await context.addInitScript(`sessionStorage["parley.environment"] ??= "${side}"`);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("Failed to load resource"))
        faults.push(message.text());
    });
    await page.goto(`${desk.app.baseUrl}/contacts?q=ada`);
    const button = page.getByRole("button", { name: "Continue with Harbour ID" });
    await button.waitFor();
    await check(page, `dashboard-external-sign-in-${side}`);
    provider.visitor = null;
    await button.click();
    await page.getByRole("alert").getByText("You did not sign in there.").waitFor();
    provider.visitor = { person: "a stranger" };
    await button.click();
    await page.getByRole("alert").getByText("No member has this account.").waitFor();
    provider.visitor = { person: "the owner" };
    provider.emails.set("the owner", { email: desk.tenant.ownerEmail, email_verified: true });
    await button.click();
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    await page.waitForURL(`${desk.app.baseUrl}/contacts?q=ada`);
    expect(await page.getByText("Test side: nothing leaves").count()).toBe(side === "test" ? 1 : 0);
    await page.reload();
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
