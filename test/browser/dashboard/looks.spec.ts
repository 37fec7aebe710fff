import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import { check, checkViews, type Desk, goTo, openDesk, settle, signIn, takeSeat, VIEWS } from "./support.js";

allowTimeForProcesses();

/** The texts of rows whose first letter is out of sight. */
const CUT_BEGINNINGS = `[...document.querySelectorAll("li[data-conversation] .truncate")].flatMap((line) => {
  const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
  if (!text) return [];
  const first = document.createRange();
  first.setStart(text, 0);
  first.setEnd(text, 1);
  const [letter, all] = [first.getBoundingClientRect(), line.getBoundingClientRect()];
  return letter.left < all.left - 1 || letter.right > all.right + 1 ? [text.data] : [];
})`;

describe.skipIf(!CHROMIUM)(`the looks of the dashboard, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
    await desk.conversation("Ada Lovelace", "Hello! Where is my order 4711? You said Tuesday.", "Order 4711");
    await desk.conversation("Grace Hopper", "👍");
    const { id } = await desk.conversation("Fatima al-Fihri", "أين طلبي؟", "طلب");
    await desk.tenant.live.post(
      `/api/conversations/${id}/reply`,
      { body: "It is **on its way**.", bodyFormat: "markdown" },
      200,
    );
    await desk.tenant.live.post(`/api/conversations/${id}/notes`, { body: "Asked the carrier" }, 201);
    for (const [label, colour] of [
      ["vip", "purple"],
      ["late", "orange"],
    ])
      await desk.tenant.live.post("/api/labels", { name: label, colour }, 201);
    await desk.tenant.live.post(`/api/conversations/${id}/labels`, { add: ["vip", "late", "carrier"] }, 200);
    const owner = await desk.tenant.owner();
    await owner.post("/api/views", { name: "Waiting for VIPs", filter: { label: "vip" }, shared: true }, 201);
  });
  afterAll(() => desk.close());

  test("before anybody has signed in, axe finds nothing, and all fits, in each width and colour", async () => {
    const visitor = await desk.browser.newPage({ locale: "en-GB" });
    await visitor.goto(desk.app.baseUrl);
    await visitor.getByLabel("Email").waitFor();
    await checkViews(visitor, "dashboard-sign-in");
    await visitor.getByRole("button", { name: "Forgot your password?" }).click();
    await visitor.getByRole("button", { name: "Back to sign-in" }).waitFor();
    await checkViews(visitor, "dashboard-forgotten-password");
    await visitor.goto(`${desk.app.baseUrl}/invitation#nothing`);
    await visitor.getByLabel("New password").fill("a correct horse battery");
    await visitor.getByRole("button", { name: "Set the password" }).click();
    await visitor.getByRole("alert").waitFor();
    await checkViews(visitor, "dashboard-invitation");
    await visitor.context().close();
  });

  test.each(VIEWS)("in the inbox, axe finds nothing, and all fits, at %i px in %s", async (width, colorScheme) => {
    const viewport = { width, height: width < 500 ? 640 : 900 };
    const name = (state: string): string => `dashboard-${state}-${width}-${colorScheme}`;
    const { page, context, faults } = await signIn(desk, { viewport, colorScheme, hasTouch: width < 500 });
    await page.getByRole("link", { name: /Ada Lovelace/ }).waitFor();
    await check(page, name("inbox"));
    const open = await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "All" }).boundingBox();
    expect(open!.x + open!.width, "the current view is in sight").toBeLessThanOrEqual(width);
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^Next conversation/ }).waitFor();
    await check(page, name("palette"));
    await page.keyboard.type("nobody calls it this");
    await page.getByText("No results for").waitFor();
    await check(page, name("palette-empty"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("checkbox", { name: "Unread" }).check();
    // The rows move when the answer arrives.
    await settle(page);
    await page.getByRole("checkbox", { name: "Select Ada Lovelace" }).check({ force: true });
    await page.getByText("1 selected").waitFor();
    await check(page, name("filters-and-selection"));
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: /Fatima/ }).click();
    await page.getByText("Asked the carrier").first().waitFor();
    await check(page, name("thread"));
    // No other button or link has a name that contains one of these.
    if (width >= 1_400)
      for (const button of ["Send", "Resolve", "Take over"])
        expect(await page.getByRole("button", { name: button }).count(), button).toBe(1);
    // On a phone it is in a list.
    const labels = page.getByRole("button", { name: "Labels" });
    if (await labels.isVisible()) await labels.click();
    else {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Labels" }).click();
    }
    await page.getByRole("checkbox", { name: "vip" }).waitFor();
    await check(page, name("labels-of-conversation"));
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "Note" }).click();
    await page.getByRole("button", { name: "Assign" }).click();
    await page.getByRole("menu").waitFor();
    await check(page, name("note-and-menu"));
    await page.keyboard.press("Escape");
    if (width < 1400) {
      await page.getByRole("button", { name: "Show the contact" }).click();
      await check(page, name("contact"));
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test("on the other pages, axe finds nothing, and all fits, in each width and colour", async () => {
    const { page, context, faults } = await signIn(desk);
    const main = page.getByRole("navigation", { name: "Main" });
    for (const at of [
      "/attention",
      "/contacts",
      "/knowledge",
      "/quality",
      "/settings/profile",
      "/settings/api-access",
    ]) {
      await goTo(page, at);
      await page.getByRole("heading", { level: 1 }).waitFor();
      for (const [width] of VIEWS) {
        await page.setViewportSize({ width, height: 900 });
        for (const link of ["Inbox", "Attention", "Contacts", "Knowledge", "Quality", "Settings"])
          expect(await main.getByRole("link", { name: link }).count(), `${link} at ${at}, ${width} px`).toBe(1);
      }
    }
    await goTo(page, "/approvals");
    await page.getByText("Nothing waits for an approval.").waitFor();
    await checkViews(page, "dashboard-approvals-empty");
    await goTo(page, `/settings/workspaces/${desk.tenant.defaults.workspaceId}/assistant`);
    await page.getByText("Nobody has asked the assistant anything yet.").waitFor();
    await checkViews(page, "dashboard-assistant-settings");
    await goTo(page, "/settings/labels");
    await page.getByLabel("Colour of vip").waitFor();
    await page.getByRole("button", { name: "Create label" }).click();
    await checkViews(page, "dashboard-labels");
    await goTo(page, "/settings/preferences");
    await page.getByLabel("Keep quiet every day").check();
    await page.getByLabel("Time zone").waitFor();
    await checkViews(page, "dashboard-preferences");
    await goTo(page, "/settings/canned-replies");
    await page.getByText("There are no canned replies yet").waitFor();
    await page.getByRole("button", { name: "Create a canned reply" }).click();
    await page.getByRole("button", { name: "contact.firstName" }).waitFor();
    await checkViews(page, "dashboard-canned-reply");
    await goTo(page, "/settings/api-access");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("checkbox", { name: "contacts:read" }).waitFor();
    await checkViews(page, "dashboard-create-key");
    // It opens where its button is in that width.
    for (const [width, colorScheme] of [...VIEWS].reverse()) {
      await page.setViewportSize({ width, height: width < 500 ? 640 : 900 });
      await page.emulateMedia({ colorScheme });
      await page.getByRole("button", { name: /^Your account/ }).click();
      const menu = await page.getByRole("menu").boundingBox();
      expect(menu!.y + menu!.height, `the menu's end, ${width} px`).toBeLessThanOrEqual(width < 500 ? 640 : 900);
      await check(page, `dashboard-account-menu-${width}-${colorScheme}`);
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Switch to the test side" }).click();
    await page.getByText("The test side has a session of its own.").waitFor();
    await page.getByText("Test side: nothing leaves").waitFor();
    await checkViews(page, "dashboard-sign-in-test-side");
    await page.getByLabel("Email").fill(desk.tenant.ownerEmail);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Test side: nothing leaves").waitFor();
    await page.getByText("No conversation is open.").waitFor();
    await page.getByRole("link", { name: "See what would have left" }).waitFor();
    await checkViews(page, "dashboard-empty-test-side");
    expect((await page.goto(`${desk.app.baseUrl}/inbx`))!.status()).toBe(404);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.getByText("Test side: nothing leaves").waitFor();
    await checkViews(page, "dashboard-no-such-page");
    await page.getByRole("link", { name: "Go to the inbox" }).click();
    await page.getByText("No conversation is open.").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("right-to-left: nothing overlaps, texts of either direction show their beginning, and axe finds nothing", async () => {
    await desk.conversation("ليلى", "أين طلبي؟ لقد انتظرت أسبوعا كاملا ولم يصل بعد، والمتجر لا يجيب على رسائلي");
    const { page } = await takeSeat(desk);
    const link = page.getByRole("link", { name: /Fatima/ });
    for (const dir of ["ltr", "rtl"]) {
      await page.evaluate(`document.documentElement.dir = "${dir}"`);
      await page.getByText("ليلى").waitFor();
      await link.waitFor();
      expect(await page.evaluate(CUT_BEGINNINGS), dir).toEqual([]);
    }
    await link.click();
    await page.getByText("Asked the carrier").first().waitFor();
    await check(page, "dashboard-rtl");
  });

  test("the browser finds all that it needs to install the dashboard as an application", async () => {
    const { page, context } = await takeSeat(desk);
    const cdp = await context.newCDPSession(page);
    const { data, errors } = await cdp.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data!) as {
      start_url: string;
      display: string;
      icons: { src: string; sizes: string }[];
    };
    expect(manifest).toMatchObject({ name: "Parley", display: "standalone" });
    const sizes = await page.evaluate<string[]>(
      `Promise.all(${JSON.stringify(manifest.icons.map(({ src }) => src))}.map(async (src) => {
        const icon = Object.assign(new Image(), { src });
        await icon.decode();
        return icon.naturalWidth + "x" + icon.naturalHeight;
      }))`,
    );
    expect(sizes).toEqual(["192x192", "512x512"]);
    expect(manifest.icons.map((icon) => icon.sizes)).toEqual(sizes);
    expect((await page.request.get(desk.app.baseUrl + manifest.start_url)).status()).toBe(200);
    await cdp.detach();
  });

  test("German: no text is missing", async () => {
    const { page } = await takeSeat(desk);
    const owner = await desk.tenant.owner();
    await owner.put("/api/me/preferences", { language: "de" }, 200);
    await page.reload();
    await page.getByRole("link", { name: "Posteingang" }).waitFor();
    await check(page, "dashboard-german");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    // The longest label of the window beside its value.
    const { id } = (await owner.post("/api/workspaces", { name: "Annex", brandId: desk.tenant.defaults.brandId }, 201))
      .body;
    await page.reload();
    await page.getByRole("link", { name: "Posteingang" }).waitFor();
    await page.keyboard.press("c");
    const label = page.getByRole("dialog").getByText("Arbeitsbereich");
    await label.waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const [shown, needed] = await label.evaluate((one: { clientWidth: number; scrollWidth: number }) => [
        one.clientWidth,
        one.scrollWidth,
      ]);
      expect(shown).toBeGreaterThan(60);
      expect(needed).toBeLessThanOrEqual(shown);
      await check(page, `dashboard-german-compose-${width}`, { axe: false });
    }
    await page.keyboard.press("Escape");
    await owner.delete(`/api/workspaces/${id}`, 200);
    await owner.put("/api/me/preferences", {}, 200);
  });
});
