import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowTimeForProcesses } from "../../server/process/support.js";
import type { Client } from "../../support/client.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { type Desk, openDesk, signIn } from "./support.js";

allowTimeForProcesses();

/** More than anybody would press Tab for. */
const MAX_TABS = 60;

describe.skipIf(!CHROMIUM)(`somebody new at the desk, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let page: Page;
  let faults: string[];
  let grace: string;
  let owner: Client;
  beforeAll(async () => {
    desk = await openDesk();
    grace = (await desk.conversation("Grace Hopper", "When do you open?")).id;
    owner = await desk.tenant.owner();
    await owner.post(
      "/api/canned-replies",
      { shortcut: "hours", title: "Opening hours", body: "We open at nine." },
      201,
    );
    ({ page, faults } = await signIn(desk, { at: "/inbox/all", viewport: { width: 1440, height: 900 } }));
  });
  afterAll(() => desk.close());

  const isFocused = (to: Locator): Promise<boolean> => to.and(page.locator(":focus")).count().then(Boolean);
  /** Goes there as who knows no shortcut. */
  const tabTo = async (to: Locator): Promise<void> => {
    await to.waitFor();
    for (let tabs = 0; !(await isFocused(to)); tabs++) {
      expect(tabs).toBeLessThan(MAX_TABS);
      await page.keyboard.press("Tab");
    }
  };
  const choose = async (to: Locator): Promise<void> => {
    await tabTo(to);
    await page.keyboard.press("Enter");
  };
  const conversations = () => page.getByRole("region", { name: "Conversations" });
  const stateOf = async (id: string) => (await desk.tenant.live.get(`/api/conversations/${id}`, 200)).body;

  // One after the other, as on a first day. Nothing is pressed that the screen does not show.
  test("does the first five things with the keyboard alone, without a shortcut", async () => {
    // Starts a conversation.
    await choose(page.getByRole("button", { name: "Start a conversation" }));
    const compose = page.getByRole("dialog", { name: "New conversation" });
    await compose.getByRole("combobox", { name: "To" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("ines@example.com");
    await compose.getByRole("option", { name: /Write to ines@example.com/ }).waitFor();
    await page.keyboard.press("Enter");
    await compose.getByRole("textbox", { name: "Subject" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Your parcel");
    await tabTo(compose.getByRole("textbox", { name: "Text" }));
    await page.keyboard.type("It comes today.");
    const send = compose.getByRole("button", { name: "Send" });
    // It can be sent once the channels have been read.
    await expect.poll(() => send.isEnabled()).toBe(true);
    await choose(send);
    await page.getByRole("heading", { name: "ines@example.com" }).waitFor();

    // Finds a person.
    await tabTo(page.getByRole("searchbox", { name: "Search" }));
    await page.keyboard.type("Hopper");
    await page.keyboard.press("Enter");
    await choose(page.getByRole("list", { name: "Contacts" }).getByRole("link", { name: /Grace Hopper/ }));
    await page.getByRole("heading", { name: "Grace Hopper", level: 1 }).waitFor();

    // Answers with a canned reply.
    await choose(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All" }));
    await choose(conversations().getByRole("link", { name: /Grace Hopper/ }));
    await page.getByRole("log").getByText("When do you open?").waitFor();
    await choose(page.getByRole("button", { name: "Insert a canned reply" }));
    await page.getByRole("combobox", { name: "Find a canned reply" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    const reply = page.getByRole("textbox", { name: "Reply" });
    await expect.poll(() => reply.inputValue()).toBe("We open at nine.");
    await choose(page.getByRole("button", { name: "Send", exact: true }));
    await page.getByRole("log").getByText("We open at nine.").waitFor();

    // Snoozes it to Thursday.
    await choose(page.getByRole("button", { name: "Snooze" }));
    const other = page.getByRole("menuitem", { name: "Pick a date and time" });
    await other.waitFor();
    while (!(await isFocused(other))) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const snooze = page.getByRole("dialog", { name: "Snooze" });
    await snooze.getByRole("radio").first().and(page.locator(":focus")).waitFor();
    const thursday = snooze.getByRole("radio", { name: /^Thursday/ });
    while (!(await thursday.isChecked())) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stateOf(grace)).status).toBe("snoozed");
    const until = new Date((await stateOf(grace)).snoozedUntil!);
    expect([until.getDay(), until.getHours(), until.getMinutes()]).toEqual([4, 9, 0]);
    expect(until.getTime()).toBeGreaterThan(Date.now());

    // Sees how fast the team answers.
    await choose(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Quality" }));
    await choose(page.getByRole("link", { name: "Reports" }));
    await tabTo(page.getByLabel("Report", { exact: true }));
    await page.keyboard.type("First");
    await page.getByRole("heading", { name: "First reply" }).waitFor();
    await page.getByRole("img", { name: /^Median over time/ }).waitFor();
    expect(faults).toEqual([]);
  });

  test("a slash where nobody has written a canned reply says so, and leads to where they are written", async () => {
    for (const { id } of (await owner.get("/api/canned-replies", 200)).body.data)
      await owner.delete(`/api/canned-replies/${id}`, 200);
    await page.goto(`${desk.app.baseUrl}/inbox/all/${grace}`);
    await page.getByRole("log").getByText("When do you open?").waitFor();
    const reply = page.getByRole("textbox", { name: "Reply" });
    await tabTo(reply);
    await page.keyboard.type("/");
    const note = page.getByRole("status").filter({ hasText: "No canned reply yet." });
    await note.waitFor();
    await page.keyboard.press("Escape");
    await note.waitFor({ state: "detached" });
    expect(await isFocused(reply)).toBe(true);
    await page.keyboard.press("Backspace");
    await page.keyboard.type("/");
    await choose(note.getByRole("link"));
    await page.getByRole("heading", { name: "Canned replies" }).waitFor();

    // So does the menu.
    await page.goto(`${desk.app.baseUrl}/inbox/all/${grace}`);
    await page.getByRole("log").getByText("When do you open?").waitFor();
    await choose(page.getByRole("button", { name: "Insert a canned reply" }));
    const menu = page.getByRole("dialog", { name: "Canned replies" });
    await menu.getByRole("status").filter({ hasText: "No canned reply yet." }).waitFor();
    await choose(menu.getByRole("link", { name: "Write a canned reply" }));
    await page.getByRole("heading", { name: "Canned replies" }).waitFor();
    expect(faults).toEqual([]);
  });
});
