import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { raise } from "../../../src/conversations/attention/raise.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { start } from "../../server/e2e/support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import {
  check,
  checkViews,
  type Desk,
  goTo,
  type Member,
  openDesk,
  PATIENT,
  settle,
  signIn,
  takeSeat,
} from "./support.js";

allowTimeForProcesses();

/** Wide enough for the pane beside a conversation. */
const viewport = { width: 1440, height: 900 };

describe.skipIf(!CHROMIUM)(`a day's work in the dashboard${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let member: Member | undefined;
  beforeAll(async () => {
    desk = await openDesk();
    const owner = await desk.tenant.owner();
    await owner.post(
      "/api/canned-replies",
      { shortcut: "greeting", title: "A greeting", body: "Hello {{contact.firstName | there}}!" },
      201,
    );
  });
  afterAll(() => desk.close());
  afterEach(() => {
    const faults = member?.faults ?? [];
    member = undefined;
    expect(faults).toEqual([]);
  });
  const begin = async (at: string) => {
    member = await takeSeat(desk, { viewport, at });
    return member.page;
  };
  const messagesOf = async (id: string) =>
    (await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data;

  test("an empty inbox says what is to be set up, and what of it is done", async () => {
    const page = await begin("/inbox/all");
    const steps = page.getByRole("region", { name: "Set up Parley" });
    const done = async (name: string) =>
      (await steps.getByRole("listitem").filter({ hasText: name }).getByLabel("Done").count()) === 1;
    await steps.waitFor();
    // The first key came with the organisation.
    expect(await done("Create an API key")).toBe(false);
    expect(await done("Invite a colleague")).toBe(false);
    // Each workspace begins with a web chat that no page has yet.
    expect(await done("Add a channel")).toBe(false);
    expect(await page.getByRole("link", { name: "Add a channel" }).count()).toBe(1);
    await checkViews(page, "dashboard-first-steps");
    const email = `first-${desk.tenant.ownerEmail}`;
    const owner = await desk.tenant.owner();
    await owner.post("/api/members", { email, name: "Ada", role: "agent" }, 201);
    await owner.post("/api/api-keys", { name: "Search on our site", scopes: ["kb:read"] }, 201);
    await page.reload();
    await expect.poll(() => done("Invite a colleague")).toBe(true);
    expect(await done("Create an API key")).toBe(true);
    await steps.getByRole("link", { name: "Add a channel" }).click();
    await page.getByRole("heading", { name: "Add a channel" }).waitFor();
  });

  test("the key that came with an organisation is a step done once a program has used it, and no step is shown once somebody has written", async () => {
    const { page, context, faults } = await signIn(desk, { side: "test" });
    const steps = page.getByRole("region", { name: "Set up Parley" });
    const step = steps.getByRole("listitem").filter({ hasText: "Create an API key" });
    await step.getByLabel("To do").waitFor();
    await desk.tenant.test.get("/api/conversations", 200);
    const isUsed = async (): Promise<number> => {
      await page.reload();
      await steps.waitFor();
      return step.getByLabel("Done").count();
    };
    await expect.poll(isUsed, PATIENT).toBe(1);
    const { body } = await desk.tenant.test.post(
      "/api/conversations",
      { workspaceId: desk.tenant.testDefaults.workspaceId, externalId: "first", contact: { externalId: "first" } },
      201,
    );
    await desk.tenant.test.post(`/api/conversations/${body.id}/resolve`, {}, 200);
    await page.reload();
    await page.getByText("No conversation is open.").waitFor();
    await settle(page);
    await page.getByText("Pick a conversation").waitFor();
    expect(await steps.count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a member starts a conversation with somebody new by keys alone, and what is not sent is kept", async () => {
    const page = await begin("/inbox/all");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await dialog.getByRole("combobox", { name: "To" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("ines@example.com");
    await dialog.getByRole("option", { name: /Write to ines@example.com/ }).waitFor();
    await check(page, "dashboard-compose-to");
    await page.keyboard.press("Enter");
    await dialog.getByRole("textbox", { name: "Subject" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Your parcel");
    await page.keyboard.press("Enter");
    await page.keyboard.type("It comes **today**.");
    await check(page, "dashboard-compose");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: "Start a conversation" }).click();
    await dialog.getByRole("textbox", { name: "Text" }).and(page.locator(":text('It comes')")).waitFor();
    // It can be sent once the channels have been read.
    await expect.poll(() => dialog.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "ines@example.com" }).waitFor();
    const id = page.url().split("/").at(-1)!;
    const { body } = await desk.tenant.live.get(`/api/conversations/${id}`, 200);
    expect(body).toMatchObject({ subject: "Your parcel", handlingMode: "human" });
    expect(await messagesOf(id)).toMatchObject([{ body: "It comes **today**.", bodyFormat: "markdown" }]);
    const { body: contact } = await desk.tenant.live.get(`/api/contacts/${body.contactId}`, 200);
    expect(contact.emails).toMatchObject([{ value: "ines@example.com" }]);

    // The draft is gone, and a contact has one of its own.
    await page.keyboard.press("Escape");
    await goTo(page, `/contacts/${body.contactId}`);
    await page.getByRole("button", { name: "Write", exact: true }).click();
    await dialog.getByText("ines@example.com").waitFor();
    expect(await dialog.getByRole("textbox", { name: "Text" }).inputValue()).toBe("");
    await dialog.getByRole("textbox", { name: "Text" }).fill("One more thing");
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.getByRole("log").getByText("One more thing").waitFor();
    await page.keyboard.press("c");
    await dialog.waitFor();
    expect(await dialog.getByRole("textbox", { name: "Text" }).inputValue()).toBe("");
    await page.keyboard.press("Escape");
  });

  test("a new conversation whose answer is lost is sent once, also from a window that was closed meanwhile", async () => {
    const { body: contact } = await desk.tenant.live.post(
      "/api/contacts",
      { name: "Rosa", emails: ["rosa@example.com"] },
      201,
    );
    const page = await begin(`/contacts/${contact.id}`);
    const write = page.getByRole("button", { name: "Write", exact: true });
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await write.click();
    await dialog.getByRole("textbox", { name: "Text" }).fill("Only once, please.");
    await page.route("**/api/conversations/compose", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.unroute("**/api/conversations/compose");
    await write.click();
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.getByRole("log").getByText("Only once, please.").waitFor();
    const { data } = (await desk.tenant.live.get(`/api/conversations?contactId=${contact.id}`, 200)).body;
    expect(data).toHaveLength(1);
  });

  test("letters typed while a window loads are its text, and do nothing to the open conversation", async () => {
    const { id } = await start(desk.tenant.live, desk.tenant.defaults.workspaceId);
    const page = await begin(`/inbox/all/${id}`);
    // Whatever the tests before it have loaded is asked for again.
    await page.reload();
    await page.getByRole("button", { name: "Resolve" }).first().waitFor();
    for (const [key, script, field] of [
      ["c", "compose", page.getByRole("combobox", { name: "To" })],
      ["Control+k", "palette", page.getByRole("dialog").getByRole("combobox")],
    ] as const) {
      const asked = page.waitForRequest(`**/assets/${script}-*.js`);
      let letGo: (() => void) | undefined;
      const typed = new Promise<void>((resolve) => (letGo = resolve));
      await page.route(`**/assets/${script}-*.js`, async (route) => {
        await typed;
        await route.continue();
      });
      await page.keyboard.press(key);
      await asked;
      await page.keyboard.type("jane e");
      letGo!();
      await expect.poll(async () => [key, await field.inputValue()]).toEqual([key, "jane e"]);
      // The first Escape closes what is offered for the letters.
      await expect
        .poll(async () => {
          await page.keyboard.press("Escape");
          return page.getByRole("dialog").count();
        })
        .toBe(0);
    }
    expect((await desk.tenant.live.get(`/api/conversations/${id}`, 200)).body.status).toBe("open");
  });

  test("a new conversation keeps all that was typed in it, though the browser stores no more", async () => {
    const page = await begin("/inbox/all");
    await page.evaluate(`{
      const store = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (key.startsWith("parley.compose")) throw new DOMException("Full", "QuotaExceededError");
        store.call(this, key, value);
      };
    }`);
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await dialog.getByRole("textbox", { name: "Text" }).fill("What I wrote first.");
    await dialog.getByRole("textbox", { name: "Subject" }).fill("And then its subject");
    expect(await dialog.getByRole("textbox", { name: "Text" }).inputValue()).toBe("What I wrote first.");
    await page.goto("about:blank");
  });

  test("a file that is pasted into a new conversation goes with it", async () => {
    const { body: contact } = await desk.tenant.live.post(
      "/api/contacts",
      { name: "Otto", emails: ["otto@example.com"] },
      201,
    );
    const page = await begin(`/contacts/${contact.id}`);
    await page.getByRole("button", { name: "Write", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await dialog.getByRole("textbox", { name: "Text" }).fill("Here is the form.");
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(["Form 7"], "form.txt", { type: "text/plain" }));
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector("dialog textarea, [role=dialog] textarea").dispatchEvent(event);
    }`);
    await dialog.getByText("form.txt", { exact: true }).waitFor({ timeout: 20_000 });
    await expect.poll(() => dialog.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
    await dialog.getByRole("button", { name: "Send" }).click();
    await page
      .getByRole("log")
      .getByRole("button", { name: /form.txt/ })
      .waitFor();
  });

  test("the search has a door above the list, shows no empty group and no JSON, and the palette finds people and entries", async () => {
    const { id } = await desk.conversation("Elena Quist", "Is there a table?", "A table");
    // The search of entries names the nearest, however far it is from what was typed.
    await desk.tenant.live.post(
      `/api/workspaces/${desk.tenant.defaults.workspaceId}/kb-entries`,
      { question: "Do you wrap gifts?", answer: "Yes, in blue paper." },
      201,
    );
    await desk.tenant.live.post(
      `/api/conversations/${id}/notes`,
      { body: JSON.stringify({ action: "query", constraints: [{ Venue: "Lanternroom", Guests: "5" }] }) },
      201,
    );
    const page = await begin("/inbox/all");
    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Search" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("lanternroom");
    await page.keyboard.press("Enter");
    const row = page.getByRole("list", { name: "Conversations" }).getByRole("link");
    await row.getByText("Venue: Lanternroom · Guests: 5").waitFor();
    expect(await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Conversations",
    ]);
    await check(page, "dashboard-search-groups");
    await goTo(page, "/search?q=zyzzyva");
    await page.getByText("Nothing matches “zyzzyva”.").waitFor();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Elena");
    await page.getByRole("option", { name: /Elena Quist.*A table/ }).waitFor();
    await page
      .getByRole("option", { selected: true })
      .and(page.getByText(/Elena Quist.*Contact/))
      .waitFor();
    await check(page, "dashboard-palette-finds");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Elena Quist" }).waitFor();
    expect(page.url()).toContain("/contacts/");
    // A page is found by what it is for, too.
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("how fast");
    await page.getByRole("option", { name: /^Reports/, selected: true }).waitFor();
    await page.keyboard.press("Escape");
  });

  test("a canned reply comes by its shortcut, an emoji by its name, formats by keys, and a bare address is a link", async () => {
    const { id } = await desk.conversation("Gerd", "Hello?");
    const page = await begin(`/inbox/all/${id}`);
    await page.getByRole("log").getByText("Hello?").waitFor();
    await page.getByRole("toolbar", { name: "Format" }).waitFor();
    await page.keyboard.press("r");
    const field = page.getByRole("textbox", { name: "Reply" });
    await field.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("/gr");
    await page.getByRole("option", { name: /A greeting/ }).waitFor();
    await check(page, "dashboard-canned-shortcut");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("Hello Gerd!");
    await page.keyboard.type(" :smi");
    await page.getByRole("option", { name: "smile", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("now");
    await expect.poll(() => field.inputValue()).toBe("Hello Gerd! 🙂 **now**");
    await page.getByRole("button", { name: "Emoji" }).click();
    await page.getByRole("combobox", { name: "Find an emoji" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("danke");
    await check(page, "dashboard-emoji");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("Hello Gerd! 🙂 **now🙏**");
    await field.fill("See https://example.com/a.");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator("form").getByRole("link", { name: "https://example.com/a" }).waitFor();
    await page.getByRole("button", { name: "Go on writing" }).click();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("log").getByRole("link", { name: "https://example.com/a" }).waitFor();
  });

  const stateOf = async (id: string) => (await desk.tenant.live.get(`/api/conversations/${id}`, 200)).body;

  test("a conversation is snoozed until a time of one's own, says until when, is woken up, and is marked as unread and read", async () => {
    const { id } = await desk.conversation("Sven", "Call me next week");
    const page = await begin(`/inbox/all/${id}?status=open,snoozed`);
    await page.getByRole("log").getByText("Call me next week").waitFor();
    await page.keyboard.press("s");
    await page.getByRole("menuitem", { name: "Pick a date and time" }).click();
    const dialog = page.getByRole("dialog", { name: "Snooze" });
    const at = dialog.getByLabel("Reopen at");
    await at.fill("2020-01-01T09:00");
    await dialog.getByRole("button", { name: "Snooze" }).click();
    await dialog.getByText("Choose a time in the future.").waitFor();
    await check(page, "dashboard-snooze-date");
    await at.fill("2099-05-04T09:30");
    await dialog.getByRole("button", { name: "Snooze" }).click();
    await page.getByRole("article").getByText("Snoozed until 4 May").waitFor();
    await page
      .getByRole("region", { name: "Conversations" })
      .getByRole("link", { name: /Sven/ })
      .getByText("4 May")
      .waitFor();
    await expect.poll(async () => (await stateOf(id)).status).toBe("snoozed");
    await check(page, "dashboard-snoozed");
    await page.getByRole("button", { name: "Reopen now" }).click();
    await expect.poll(async () => (await stateOf(id)).status).toBe("open");

    await page.keyboard.press("Shift+U");
    await expect.poll(async () => (await stateOf(id)).unreadCount).toBe(0);
    await page.getByRole("button", { name: "Mark as unread" }).click();
    await expect.poll(async () => (await stateOf(id)).unreadCount).toBe(1);
  });

  test("a reply is sent with a snooze until a time of one's own, and not before that time is chosen", async () => {
    const { id } = await desk.conversation("Tove", "Write to me in May");
    const page = await begin(`/inbox/all/${id}?status=open,snoozed`);
    await page.getByRole("log").getByText("Write to me in May").waitFor();
    await page.getByRole("textbox", { name: "Reply" }).fill("I will.");
    await page.getByRole("button", { name: "More ways to reply" }).click();
    await page.getByRole("menuitem", { name: "Send and snooze" }).click();
    await page.getByRole("menuitem", { name: "Pick a date and time" }).click();
    const dialog = page.getByRole("dialog", { name: "Snooze" });
    await dialog.getByLabel("Reopen at").fill("2020-01-01T09:00");
    await dialog.getByRole("button", { name: "Snooze" }).click();
    await dialog.getByText("Choose a time in the future.").waitFor();
    const messages = async () =>
      (await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data.map(({ body }) => body);
    await dialog.getByLabel("Reopen at").fill("2099-05-04T09:30");
    expect(await messages()).toEqual(["Write to me in May"]);
    await dialog.getByRole("button", { name: "Snooze" }).click();
    await expect.poll(async () => (await stateOf(id)).status).toBe("snoozed");
    expect(await messages()).toEqual(["Write to me in May", "I will."]);
  });

  test("attention says how much waits, groups it, and leads to an entry with the contact's question; a resolution ends it", async () => {
    const { id } = await desk.conversation("Olga", "Do you rent out boats?");
    const ask = { conversationId: id, severity: "medium" as const };
    await desk.app.transaction(desk.tenant.tenantId, async (tx) => {
      await raise(tx, { ...ask, type: "kb_gap", reason: "No approved entry answers: “Do you rent out boats?”" });
      await raise(tx, { ...ask, type: "handoff_requested", reason: "The contact asks for a person" });
    });
    const page = await begin("/attention");
    await page.getByRole("heading", { name: "Handover requested 1" }).waitFor();
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Attention 2" });
    await link.waitFor();
    await check(page, "dashboard-attention-grouped");
    await desk.tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await page.getByRole("heading", { name: "Handover requested 1" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Write an entry" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Question" }).inputValue())
      .toBe("Do you rent out boats?");
  });

  test("a file goes without a text, and what was typed last survives a reload", async () => {
    const { id } = await desk.conversation("Frida", "Can I have the form?");
    const page = await begin(`/inbox/all/${id}`);
    await page.getByRole("log").getByText("Can I have the form?").waitFor();
    await page.locator("form input[type=file]").setInputFiles({
      name: "form.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Form 7"),
    });
    await page.getByText("form.txt", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page
      .getByRole("log")
      .getByRole("button", { name: /form.txt/ })
      .waitFor();
    // The dashboard shows it before the server has it.
    await expect
      .poll(async () => (await messagesOf(id)).at(-1))
      .toMatchObject({ body: "form.txt", attachments: [{ fileName: "form.txt" }] });
    // The keyboard is at the conversation, so that a letter is a shortcut.
    await page.keyboard.press("r");
    const field = page.getByRole("textbox", { name: "Reply" });
    await field.and(page.locator(":focus")).waitFor();
    await field.fill("Anything else?");
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("Anything else?");
    await field.fill("");

    await goTo(page, "/nothing/here");
    await page.getByText("There is no page at /nothing/here.").waitFor();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await check(page, "dashboard-missing");
  });

  test("a canned reply comes by its shortcut, however many there are", async () => {
    const owner = await desk.tenant.owner();
    const add = (shortcut: string, title: string) =>
      owner.post("/api/canned-replies", { shortcut, title, body: `${title}.` }, 201);
    for (let n = 0; n < 100; n++) await add(`more-${n}`, `One more ${n}`);
    await add("zebra", "We have no zebras");
    const { id } = await desk.conversation("Hilde", "Any zebras?");
    const page = await begin(`/inbox/all/${id}`);
    // What the page has read before is older.
    await page.reload();
    await page.getByRole("log").getByText("Any zebras?").waitFor();
    await page.getByRole("toolbar", { name: "Format" }).waitFor();
    await page.keyboard.press("r");
    const field = page.getByRole("textbox", { name: "Reply" });
    await field.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("/zeb");
    await page.getByRole("option", { name: /We have no zebras/ }).waitFor({ timeout: 20_000 });
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("We have no zebras.");
    await field.fill("");
  });
});
