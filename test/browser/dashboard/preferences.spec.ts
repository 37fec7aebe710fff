import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { startProcess } from "../../races/processes.js";
import { LANGUAGES } from "../../../web/src/i18n/languages.js";
import { PASSWORD } from "../../support/app.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import {
  check,
  type Desk,
  draftsOnDisk,
  followEvents,
  goTo,
  type Member,
  openDesk,
  PATIENT,
  settle,
  signIn,
  takeSeat,
} from "./support.js";

allowTimeForProcesses();

const POLL = PATIENT;
/** Counts the tones of a page, and keeps its notifications. */
const HOOKS = `
  window.tones = 0;
  window.told = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
  window.Notification = class {
    static permission = "default";
    static requestPermission = async () => (window.Notification.permission = "granted");
    constructor(title, options) { this.title = title; this.body = options.body; window.told.push(this); }
    close() {}
  };
`;
/** A ring is two tones. */
const TONES = 2;

describe.skipIf(!CHROMIUM)(`drafts, mentions and preferences, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  let ownerId: string;
  let graceId: string;
  let graceEmail: string;
  beforeAll(async () => {
    desk = await openDesk();
    owner = await desk.tenant.owner();
    graceEmail = `grace-${desk.tenant.ownerEmail}`;
    const grace = { email: graceEmail, name: "Grace Hopper", role: "admin", password: PASSWORD };
    graceId = (await owner.post("/api/members", grace, 201)).body.id;
    ownerId = (await owner.get("/api/me", 200)).body.id;
  });
  afterAll(() => desk.close());

  const opened: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
    await owner.put("/api/me/preferences", {}, 200);
  });
  const begin = async (...[options, on = desk]: [Parameters<typeof signIn>[1], Desk?]): Promise<Member> => {
    const member = await signIn(on, options);
    opened.push(member.context);
    return member;
  };
  const replyOf = (page: Page) => page.getByRole("textbox", { name: "Reply" });
  const draftOf = async (id: string) => (await owner.get(`/api/conversations/${id}/draft`, 200)).body;
  const bodyOf = async (id: string): Promise<string> => (await draftOf(id)).body;

  test("a draft goes on in another browser, of two texts none is lost, and sending or signing out leaves nothing", async () => {
    const { id } = await desk.conversation("Ada", "Where is it?");
    const at = `/inbox/all/${id}`;
    const { page: one } = await begin({ at });
    await replyOf(one).pressSequentially("It left on");
    await expect.poll(() => bodyOf(id), POLL).toBe("It left on");
    await one.getByText("Draft saved").waitFor();

    const { page: other } = await begin({ at });
    await expect.poll(() => replyOf(other).inputValue(), POLL).toBe("It left on");
    await replyOf(other).fill("It left on Monday");
    await expect.poll(() => bodyOf(id), POLL).toBe("It left on Monday");

    // The first browser does not know of it yet.
    await replyOf(one).fill("It left on Tuesday");
    await one.getByText("This was written in another place").waitFor();
    expect(await replyOf(one).inputValue()).toBe("It left on Tuesday");
    await check(one, "dashboard-draft-of-elsewhere");
    await one.getByRole("button", { name: "Use it instead" }).click();
    await expect.poll(() => replyOf(one).inputValue()).toBe("It left on Monday");
    await one.getByRole("button", { name: "Discard it" }).click();
    await one.getByText("Draft saved", { exact: true }).waitFor();
    await expect.poll(() => bodyOf(id), POLL).toBe("It left on Monday");

    // In a second tab of the same browser it is there at once.
    const tab = await one.context().newPage();
    await tab.goto(`${desk.app.baseUrl}${at}`);
    await expect.poll(() => replyOf(tab).inputValue(), POLL).toBe("It left on Monday");
    await replyOf(tab).fill("It left on Monday.");
    await expect.poll(() => replyOf(one).inputValue(), POLL).toBe("It left on Monday.");
    await tab.close();

    await one.getByRole("button", { name: "Send", exact: true }).click();
    await one.getByRole("log").getByText("It left on Monday.").waitFor();
    await expect.poll(() => bodyOf(id), POLL).toBe("");
    await replyOf(one).fill("Anything else?");
    await one.getByRole("button", { name: /^Your account/ }).click();
    await one.getByRole("menuitem", { name: "Sign out" }).click();
    await one.getByLabel("Email").waitFor();
    expect(await bodyOf(id)).toBe("Anything else?");
    await expect.poll(() => draftsOnDisk(one), POLL).toEqual([]);
    await one.getByLabel("Email").fill(graceEmail);
    await one.getByLabel("Password").fill(PASSWORD);
    const isRead = one.waitForResponse(`**/api/conversations/${id}/draft`);
    await one.getByRole("button", { name: "Sign in" }).click();
    await one.getByRole("log").waitFor();
    await isRead;
    expect(await replyOf(one).inputValue()).toBe("");
  });

  test.runIf(process.env.HUNT)(
    "nothing of a draft is lost when the server is killed while a member types",
    async () => {
      let server = await startProcess(desk.app.db);
      const { port } = new URL(server.baseUrl);
      try {
        const { id } = await desk.conversation("Ada", "Is it heavy?");
        const on = { ...desk, app: { ...desk.app, baseUrl: server.baseUrl } };
        const { page } = await begin({ at: `/inbox/all/${id}` }, on);
        await page.getByRole("log").getByText("Is it heavy?").waitFor();
        const text = "It weighs four kilograms, and the box is a little larger than the book.";
        const typed = replyOf(page).pressSequentially(text, { delay: 100 });
        await expect.poll(() => bodyOf(id), POLL).toMatch(/^It w/);
        await server.kill();
        await typed;
        await page.getByText("Draft saved on this device").waitFor();
        server = await startProcess(desk.app.db, { PORT: port });
        await expect.poll(() => bodyOf(id), POLL).toBe(text);
        await page.getByText("Draft saved", { exact: true }).waitFor();
        expect(await replyOf(page).inputValue()).toBe(text);
      } finally {
        await server.stop();
      }
    },
  );

  test("a colleague is named in a note by the keyboard, and the thread shows it", async () => {
    const { id } = await desk.conversation("Ada", "May I pay later?");
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    await page.getByRole("log").getByText("May I pay later?").waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("Please ask @h");
    const list = page.getByRole("listbox", { name: "Colleagues" });
    await list.getByRole("option", { name: "Grace Hopper" }).waitFor();
    await check(page, "dashboard-mention");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("@grace h");
    await list.waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("about it");
    const note = page.getByRole("textbox", { name: "Note" });
    expect(await note.inputValue()).toBe("Please ask @Grace Hopper about it");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("log").getByText("@Grace Hopper", { exact: true }).waitFor();
    // The thread shows it before the server has it.
    const last = async () => (await owner.get(`/api/conversations/${id}/messages`, 200)).body.data.at(-1);
    await expect.poll(last, POLL).toMatchObject({ body: "Please ask @Grace Hopper about it", mentions: [graceId] });
    expect(faults).toEqual([]);
  });

  test("one of two tabs rings for what is mine or urgent, none for what is in front or in quiet hours", async () => {
    await owner.put("/api/me/preferences", { sound: true }, 200);
    const { id } = await desk.conversation("Ada", "Hello?");
    const { id: urgent } = await desk.conversation("Katherine", "It burns.");
    await owner.post(`/api/conversations/${id}/assign`, { memberId: ownerId }, 200);
    const { page: one, context, faults } = await begin({ at: "/inbox/mine" });
    await context.addInitScript(HOOKS);
    await one.reload();
    const other = await context.newPage();
    await other.goto(`${desk.app.baseUrl}/settings/preferences`);
    await other.getByRole("button", { name: "Allow" }).click();
    await other.getByText("They are on while Parley is open in a tab.").waitFor();
    await one.evaluate("window.Notification.permission = 'granted'");
    const { mine } = (await owner.get("/api/conversation-counts", 200)).body;
    await expect.poll(() => one.title(), POLL).toBe(`(${mine!.count}) Inbox`);
    const pages = [one, other];
    const rings = async (): Promise<number> => {
      const tones = await Promise.all(pages.map((page) => page.evaluate<number>("window.tones")));
      return tones.reduce((sum, each) => sum + each, 0) / TONES;
    };
    const told = async (): Promise<string[]> =>
      (await Promise.all(pages.map((page) => page.evaluate<string[]>("window.told.map(({ title }) => title)")))).flat();
    const write = (text: string) => desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: text }, 201);
    /** A conversation that becomes urgent. A ring that comes although none should would have come before the one for it. */
    const marker = async (name: string): Promise<string> => {
      const { id: last } = await desk.conversation(name, "It burns, too.");
      await desk.tenant.live.patch(`/api/conversations/${last}`, { priority: "urgent" }, 200);
      await expect.poll(told, POLL).toContain(`Urgent: ${name}`);
      return last;
    };
    const heard = await followEvents(one);
    /** Until the first tab has read preferences like these. */
    const read = (fits: (now: { quietHours: unknown; notifications: { mentions: boolean } }) => boolean) =>
      one.waitForResponse(
        async (response) => response.url().endsWith("/api/me/preferences") && fits((await response.json()) as never),
      );

    // Browsers keep a page silent until somebody has touched it.
    await one.mouse.click(800, 400);
    await write("Are you there?");
    await expect.poll(told, POLL).toEqual(["Ada wrote to you"]);
    await expect.poll(rings, POLL).toBe(1);
    await desk.tenant.live.patch(`/api/conversations/${urgent}`, { priority: "urgent" }, 200);
    await expect.poll(told, POLL).toEqual(["Ada wrote to you", "Urgent: Katherine"]);
    await expect.poll(rings, POLL).toBe(2);

    // Nothing for what is in front of the member, in whichever tab.
    const note = { body: "@you", mentions: [ownerId] };
    await goTo(other, `/inbox/all/${id}`);
    await other.getByRole("log").getByText("Are you there?").waitFor();
    // The page says that it shows it once all of it is loaded.
    const locks = (): Promise<string> =>
      one.evaluate("navigator.locks.query().then(({ held }) => JSON.stringify(held))");
    await expect.poll(locks, POLL).toContain(`-${id}`);
    await desk.tenant.live.post(`/api/conversations/${id}/notes`, note, 201);
    await other.getByRole("log").getByText("@you").waitFor();
    const marked = await marker("Grace");
    const notices = ["Ada wrote to you", "Urgent: Katherine", "Urgent: Grace"];
    expect(await told()).toEqual(notices);

    await goTo(other, "/settings/preferences");
    await other.getByLabel("Keep quiet every day").check();
    // All day but a minute, which is half a day away.
    const far = Date.now() + 43_200_000;
    const [to, from] = [far - 60_000, far].map((at) => new Date(at).toTimeString().slice(0, 5));
    const isQuiet = read(({ quietHours: hours }) => {
      const now = hours as { from?: string; to?: string } | null;
      return now?.from === from && now?.to === to;
    });
    await other.getByLabel("From", { exact: true }).fill(from!);
    await other.getByLabel("Until", { exact: true }).fill(to!);
    const quiet = async () => (await owner.get("/api/me/preferences", 200)).body.quietHours;
    await expect.poll(quiet, POLL).toMatchObject({ from, to });
    await isQuiet;
    await settle(one);
    await desk.tenant.live.post(`/api/conversations/${marked}/notes`, note, 201);
    await heard(`type === "message.created" && data.conversationId === "${marked}" && data.mentions?.length === 1`);
    await other.getByLabel("Keep quiet every day").uncheck();
    const isChanged = read(({ quietHours, notifications }) => quietHours === null && !notifications.mentions);
    await other.getByLabel("When somebody names me in a note").uncheck();
    await expect.poll(quiet, POLL).toBeNull();
    await isChanged;
    await settle(one);
    await desk.tenant.live.post(`/api/conversations/${urgent}/notes`, note, 201);
    await marker("Annie");
    expect(await told()).toEqual([...notices, "Urgent: Annie"]);
    // The sound may begin a moment after the notice is there.
    await expect.poll(rings, POLL).toBe(4);

    await one.evaluate("window.told[0].onclick()");
    await one.getByRole("log").getByText("Are you there?").waitFor();
    expect(faults).toEqual([]);
  });

  test("preferences are the member's in every browser: language, and shortcuts off", async () => {
    const { page } = await begin({ at: "/settings/preferences" });
    await page.getByLabel("Single-letter shortcuts").uncheck();
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { name: "Präferenzen" }).waitFor();
    const saved = async () => (await owner.get("/api/me/preferences", 200)).body;
    await expect.poll(saved, POLL).toMatchObject({ language: "de", shortcuts: false });
    const { page: other } = await begin({ at: "/settings/profile" });
    await other.getByRole("link", { name: "Posteingang" }).waitFor();
    await other.keyboard.press("?");
    // Nothing but the palette, which has a key of its own, and is opened after the help would have been.
    await other.keyboard.press("Control+k");
    await other.getByRole("combobox").and(other.locator(":focus")).waitFor();
    expect(await other.getByRole("dialog").count()).toBe(1);
    await owner.put("/api/me/preferences", {}, 200);
    await other.reload();
    await other.getByRole("link", { name: "Inbox" }).waitFor();
    await other.getByRole("heading", { name: "Profile" }).waitFor();
    await other.keyboard.press("?");
    await other.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  });

  test("beside the navigation, the names of the views are whole in each language", async () => {
    const { page } = await begin({ viewport: { width: 1440, height: 900 } });
    const many = { count: 99, more: false };
    const counts = { mine: many, unassigned: many, waiting: many, open: many, snoozed: many, resolved: many };
    await page.route("**/api/conversation-counts*", (route) => route.fulfill({ json: counts }));
    const names = page.getByRole("navigation").locator("a[href^='/inbox/'] bdi").filter({ visible: true });
    for (const language of Object.keys(LANGUAGES)) {
      await owner.put("/api/me/preferences", { language }, 200);
      await page.reload();
      await page.locator(`html[lang=${language}]`).waitFor();
      await expect.poll(() => page.getByText("99", { exact: true }).filter({ visible: true }).count(), POLL).toBe(6);
      const cut = await names.evaluateAll((all: { textContent: string; scrollWidth: number; clientWidth: number }[]) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
      );
      expect(cut, language).toEqual([]);
    }
  });

  test("the rows of the inbox have two lines in the browser where that is chosen, and three elsewhere", async () => {
    await desk.conversation("Lise", "It came on **Tuesday**.");
    const { page } = await begin({ at: "/settings/preferences", viewport: { width: 1440, height: 900 } });
    const row = page.getByRole("region", { name: "Conversations" }).getByRole("link", { name: /Lise/ });
    const height = async () => (await row.boundingBox())!.height;
    await goTo(page, "/inbox/all");
    await row.waitFor();
    const before = await height();
    await goTo(page, "/settings/preferences");
    await page.getByLabel("Inbox rows").selectOption("Two lines");
    await goTo(page, "/inbox/all");
    await row.getByText("It came on Tuesday.").waitFor();
    expect(await height()).toBeLessThan(0.75 * before);
    await check(page, "dashboard-compact");
    await page.reload();
    await row.waitFor();
    expect(await height()).toBeLessThan(0.75 * before);
  });

  test("colours, the key that sends, and what is shown after a resolution are as the member chose", async () => {
    const ids: string[] = [];
    for (const name of ["Hedy", "Emmy", "Sofja"]) ids.push((await desk.conversation(name, `I am ${name}.`)).id);
    const [last, middle, first] = ids;
    const { page, faults } = await begin({ at: "/settings/preferences", colorScheme: "light" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await page.getByLabel("Colours").selectOption("dark");
    await expect.poll(ground, POLL).not.toBe(light);
    await page.getByLabel("Send with").selectOption("enter");
    await page.getByText("Shift and Enter begin a new line.").waitFor();
    await page.getByLabel("Undo for mail and SMS").selectOption("30 seconds");
    await page.getByLabel("After I resolve a conversation").selectOption("Open the next one");
    const saved = async () => (await owner.get("/api/me/preferences", 200)).body;
    const chosen = { theme: "dark", sendWith: "enter", undoSeconds: 30, afterResolve: "next" };
    await expect.poll(saved, POLL).toMatchObject(chosen);

    // Dark from the beginning, and before anybody has signed in again.
    await page.goto(`${desk.app.baseUrl}/inbox/all/${first}`);
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("log").getByText("I am Sofja.").waitFor();
    await replyOf(page).pressSequentially("One");
    await replyOf(page).press("Shift+Enter");
    await replyOf(page).pressSequentially("Two");
    await replyOf(page).press("Enter");
    await page.getByRole("log").getByText("Two").waitFor();
    const bodies = async () =>
      (await owner.get(`/api/conversations/${first!}/messages`, 200)).body.data.map(({ body }) => body);
    await expect.poll(bodies, POLL).toEqual(["I am Sofja.", "One\nTwo"]);

    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("log").getByText("I am Emmy.").waitFor();
    await owner.put("/api/me/preferences", { ...chosen, afterResolve: "list" }, 200);
    await page.goto(`${desk.app.baseUrl}/inbox/all/${middle}`);
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("Pick a conversation").waitFor();
    await owner.put("/api/me/preferences", { theme: "system" }, 200);
    await page.goto(`${desk.app.baseUrl}/inbox/all/${last}`);
    await expect.poll(ground, POLL).toBe(light);
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await page.getByRole("log").getByText("I am Hedy.").waitFor();
    expect(faults).toEqual([]);
  });

  test("what the server refuses is said in German, or marked as English", async () => {
    await owner.put("/api/me/preferences", { language: "de" }, 200);
    const { page } = await begin({ at: "/settings/canned-replies" });
    await page.getByRole("button", { name: "Textbaustein anlegen" }).click();
    await page.getByLabel("Titel").fill("Hallo");
    await page.getByLabel("Kürzel").fill("hallo");
    await page.getByLabel("Text", { exact: true }).fill("Hallo {{contact.nam}}");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("alert").getByText("Die Variable {{contact.nam}} gibt es nicht.").waitFor();
    expect(await page.getByRole("alert").getAttribute("lang")).toBeNull();
    await page.getByLabel("Text", { exact: true }).fill("Hallo!");
    await page.route("**/api/canned-replies", (route) =>
      route.fulfill({ status: 409, json: { error: "The moon is full" } }),
    );
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("alert").getByText("The moon is full").waitFor();
    expect(await page.getByRole("alert").getAttribute("lang")).toBe("en");
  });

  test("a canned reply is written with its variables, changed and deleted", async () => {
    const { page, faults } = await takeSeat(desk, {
      at: "/settings/canned-replies",
      viewport: { width: 320, height: 640 },
    });
    await page.getByRole("button", { name: "Create a canned reply" }).click();
    await page.getByLabel("Title").fill("Refund is on its way");
    await page.getByLabel("Shortcut").fill("Refund");
    await page.getByLabel("Text").fill("Hello {{contact.nam}}");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("is not a variable").waitFor();
    await check(page, "dashboard-canned-reply-320");
    await page.getByLabel("Text").fill("Hello ");
    await page.getByRole("button", { name: "contact.firstName" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Hello {{contact.firstName}}").waitFor();
    await page.getByRole("button", { name: "Edit Refund is on its way" }).click();
    await page.getByLabel("Title").fill("Refund");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit Refund", exact: true }).waitFor();
    await check(page, "dashboard-canned-replies-320");
    await page.getByRole("button", { name: "Delete Refund" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("There are no canned replies yet").waitFor();
    expect(faults).toEqual([]);
  });
});
