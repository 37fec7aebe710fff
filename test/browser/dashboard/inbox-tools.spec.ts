import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { BulkActionsJob } from "../../../src/conversations/bulk/bulk-actions.job.js";
import { PASSWORD } from "../../support/app.js";
import {
  check,
  type Desk,
  fillDesk,
  goTo,
  type Member,
  openDesk,
  PATIENT,
  settle,
  takeSeat,
  withoutHaste,
} from "./support.js";
import { eventually } from "../../support/eventually.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`tools of the inbox, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.close());

  let member: Member | undefined;
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (at?: string, width = 1280, isLoaded = false): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: 800 }, at, isLoaded });
    return member.page;
  };
  const stateOf = async (id: string) => (await desk.tenant.live.get(`/api/conversations/${id}`, 200)).body;

  test("a row with the focus does not become another conversation when it scrolls away", async () => {
    await fillDesk(desk, 60);
    const page = await begin("/inbox/all", 1280, true);
    const rows = page.locator("li[data-conversation]");
    const focused = async () => {
      const row = page.locator("li[data-conversation]:has(:focus)");
      return (await row.count()) > 0 ? row.getAttribute("data-conversation") : undefined;
    };
    const drawn = async () =>
      Promise.all((await rows.all()).map(async (row) => Number(await row.getAttribute("data-index"))));
    const scrolled = () =>
      page.evaluate<number>(
        `(() => { let box = document.querySelector("li[data-index]"); while (box.scrollHeight === box.clientHeight || getComputedStyle(box).overflowY === "visible") box = box.parentElement; return box.scrollTop; })()`,
      );
    await rows.nth(1).getByRole("link").focus();
    const focusedFirst = await focused();
    expect(focusedFirst).toBeDefined();
    await rows.first().hover();
    for (const far of [400, 400, 2_000, 4_000]) {
      const before = await scrolled();
      await page.mouse.wheel(0, far);
      await expect.poll(scrolled, PATIENT).toBeGreaterThan(before);
      await settle(page);
      expect([focusedFirst, undefined]).toContain(await focused());
    }
    const shown = await drawn();
    expect(Math.min(...shown)).toBeGreaterThan(20);
    // In the document, rows stand as on the screen: the keyboard and screen readers go from one to the next.
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
    expect(shown.length).toBeLessThan(30);
  });

  test("above the list, a hint says how to search as soon as something is typed", async () => {
    const { page, faults } = await takeSeat(desk);
    const field = page.getByRole("searchbox", { name: "Search" });
    await field.fill("harb");
    await page.getByText("Press Enter to search").waitFor();
    await field.fill("");
    await page.getByText("Press Enter to search").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  test("the command palette does what is typed, with the keyboard alone", async () => {
    const { id } = await desk.conversation("Ada", "Where is my order?");
    const page = await begin(`/inbox/all`);
    // On its first use, its script is loaded. Letters are its own once it has the focus.
    const field = page.getByRole("combobox", { name: "Find an action or a page" }).and(page.locator(":focus"));
    const chosen = page.getByRole("option", { selected: true });
    const run = async (text: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      await field.waitFor();
      await page.keyboard.type(text);
      await chosen.and(page.getByRole("option", { name: option })).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    // Only what can be done now is offered.
    await page.getByRole("link", { name: "Ada" }).waitFor();
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await chosen.waitFor();
    expect(await page.getByRole("option", { name: /^Resolve E/ }).count()).toBe(0);
    await page.keyboard.type("no such thing");
    await page.getByText("No results for “no such thing”.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await run("next", /^Next conversation/);
    await run("open the", /^Open the conversation/);
    await page.getByRole("heading", { name: "Ada" }).waitFor();
    await page.getByRole("log").getByText("Where is my order?").waitFor();
    await run("take", /^Take over/);
    await page.getByText("You handle this conversation.").waitFor();
    await run("release", /^Release/);
    await page.getByText("The assistant handles this conversation.").waitFor();
    await run("prio urg", /^Priority: Urgent/);
    await expect.poll(async () => (await stateOf(id)).priority).toBe("urgent");
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.type("open a case");
    await chosen.and(page.getByRole("option", { name: /^Open a case/ })).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New case" }).getByLabel("Title").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("A lost order");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const cases = async () => (await desk.tenant.live.get(`/api/cases?conversationId=${id}`, 200)).body.data;
    await expect.poll(cases).toMatchObject([{ title: "A lost order", conversationIds: [id] }]);
    // From within a field, and into one.
    await run("reply", /^Reply/);
    await page.keyboard.type("It left today.");
    await run("note", /^Write a note/);
    await page.keyboard.type("Called the warehouse");
    expect(await page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("Called the warehouse");
    await run("add", /^Add note/);
    await page.getByRole("log").getByText("Called the warehouse").waitFor();
    await run("hour", /^Snooze: For an hour/);
    await expect.poll(async () => (await stateOf(id)).status).toBe("snoozed");
    await desk.tenant.live.post(`/api/conversations/${id}/reopen`, undefined, 200);
    await expect.poll(() => page.getByRole("heading", { name: "Ada" }).count()).toBe(1);
    await run("snooze", /^Snooze/);
    await page.getByRole("menuitem").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stateOf(id)).status).toBe("snoozed");

    // Arrows move among the options, and around the ends.
    await page.keyboard.press("Control+k");
    await field.waitFor();
    const first = await chosen.textContent();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => chosen.textContent()).not.toBe(first);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => chosen.textContent()).toBe(first);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await run("webhooks", /^Webhooks/);
    await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    await run("create key", /^Create key/);
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    await run("approvals", /^Approvals/);
    await page.getByRole("heading", { name: "Approvals" }).waitFor();
    await run("lighthouse", "Search for “lighthouse”");
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("lighthouse");
    await run("harbour", "Search for “harbour”");
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("harbour");
    // Back in the browser, also from within the field.
    await page.keyboard.press("/");
    await page.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("lighthouse");
  });

  /** Conversations of a filter, by the label that they share. */
  const some = async (label: string, names: string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const name of names) {
      const { id } = await desk.conversation(name, `I am ${name}`);
      await desk.tenant.live.post(`/api/conversations/${id}/labels`, { add: [label] }, 200);
      ids.push(id);
    }
    return ids;
  };
  const work = (): Promise<void> => desk.app.app.get(BulkActionsJob).tick();

  test("Z takes back what was done last, also at once, and the notice does where the conversation has gone from the list", async () => {
    const { id } = await desk.conversation("Maria", "Is this the right form?");
    const page = await begin(`/inbox/all/${id}`);
    await page.getByRole("log").getByText("Is this the right form?").waitFor();
    await withoutHaste(page);
    const becomes = (state: object) => eventually(async () => expect(await stateOf(id)).toMatchObject(state));
    const before = { status: "open", assigneeId: null, handlingMode: (await stateOf(id)).handlingMode };
    for (const [key, after] of [
      ["t", { handlingMode: "human", assigneeId: (await (await desk.tenant.owner()).get("/api/me", 200)).body.id }],
      ["w", { status: "pending" }],
      ["e", { status: "resolved" }],
    ] as const) {
      await page.keyboard.press(key);
      await becomes(after);
      await page.keyboard.press("z");
      await becomes(before);
    }
    await page.keyboard.press("e");
    await page.keyboard.press("z");
    // The server did both, one after the other.
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    await becomes(before);
    await page.getByRole("button", { name: "Snooze" }).click();
    await page.getByRole("menuitem", { name: "For an hour" }).click();
    await becomes({ status: "snoozed" });
    await page.setViewportSize({ width: 390, height: 800 });
    const standsAbove = (below: Locator) =>
      eventually(async () => {
        const { y, height } = (await page.getByText("Snoozed.").boundingBox())!;
        expect(y).toBeGreaterThan(400);
        expect(y + height).toBeLessThan((await below.boundingBox())!.y);
      });
    const tabs = page.getByRole("navigation", { name: "Main" });
    await standsAbove(page.locator("form", { has: page.getByRole("textbox", { name: "Reply" }) }));
    await page.getByRole("link", { name: "Contacts" }).click();
    await standsAbove(tabs);
    await page.setViewportSize({ width: 1280, height: 800 });
    await check(page, "dashboard-undo-snooze");
    expect((await page.getByText("Snoozed.").boundingBox())!.x).toBeGreaterThan((await tabs.boundingBox())!.width);
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes(before);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    // It is done once.
    await page.keyboard.press("z");
    await settle(page);
    await becomes(before);
  });

  test("selected conversations are changed at once, and what could not be is shown with its reason", async () => {
    const ids = await some("cats", ["Cat 1", "Cat 2", "Cat 3", "Cat 4"]);
    await some("dogs", ["Dog 1"]);
    await desk.tenant.live.post(`/api/conversations/${ids[1]}/resolve`, {}, 200);
    const page = await begin("/inbox/all?status=any&label=cats");
    const list = page.getByRole("region", { name: "Conversations" });
    const bar = page.getByRole("region", { name: "Selected conversations" });
    await list.getByRole("link", { name: "Cat 1" }).waitFor();
    await expect.poll(() => list.getByRole("link").count()).toBe(4);

    // With the keyboard: the row of the cursor, and from there to another.
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await bar.getByText("1 selected").waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.press("j");
    await page.keyboard.press("Shift+X");
    await bar.getByText("4 selected").waitFor();
    // Escape clears the selection, and leaves neither the list nor the thread.
    await list.getByRole("link", { name: "Cat 1" }).click();
    await page.getByRole("heading", { name: "Cat 1" }).waitFor();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Cat 1" }).waitFor();

    await page.getByRole("checkbox", { name: "Select Cat 1" }).check({ force: true });
    await page.getByRole("checkbox", { name: "Select Cat 2" }).check({ force: true });
    await bar.getByRole("button", { name: "Snooze" }).click();
    await page.getByRole("menuitem", { name: "For an hour" }).click();
    const progress = page.getByRole("region", { name: "Progress" });
    await progress.getByText("Snooze: 0 of 2").waitFor();
    await bar.waitFor({ state: "detached" });
    await work();
    await progress.getByText("Snooze: 1 of 2 done").waitFor();
    await progress.getByRole("alert").getByText("The conversation is resolved: reopen it first").waitFor();
    await progress.getByRole("link", { name: "Cat 2" }).waitFor();
    await check(page, "dashboard-bulk-action-failures");
    expect(await Promise.all(ids.map(async (id) => (await stateOf(id)).status))).toEqual([
      "snoozed",
      "resolved",
      "open",
      "open",
    ]);
    await progress.getByRole("button", { name: "Close" }).click();

    // Everything that the filter finds is asked about first.
    await page.getByRole("checkbox", { name: "Select Cat 3" }).check({ force: true });
    await bar.getByRole("button", { name: "Select all that match" }).click();
    await bar.getByText("All that match are selected: 4").waitFor();
    await bar.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resolve (4)" }).click();
    await progress.getByText("Resolve: 0 of 4").waitFor();
    await Promise.all([page.getByText("4 conversations changed").waitFor(), work()]);
    for (const id of ids) expect((await stateOf(id)).status).toBe("resolved");
    expect((await desk.tenant.live.get("/api/conversations?label=dogs", 200)).body.data[0]?.status).toBe("open");
  });

  test("a conversation waits for the contact and opens again: by key, mouse, palette and in bulk. Its row, its filter and the search say so", async () => {
    const [id, other] = (await some("waits", ["Wanda", "Wim"])) as [string, string];
    const page = await begin(`/inbox/all/${id}?status=open,pending&label=waits`);
    const list = page.getByRole("region", { name: "Conversations" });
    const bar = page.getByRole("region", { name: "Selected conversations" });
    const row = list.getByRole("link", { name: "Wanda" });
    const mark = row.getByLabel("Waiting for the contact");
    const becomes = async (status: string, ids = [id]): Promise<void> => {
      for (const one of ids) await expect.poll(async () => (await stateOf(one)).status).toBe(status);
      await mark.waitFor({ state: status === "pending" ? "visible" : "detached" });
      const said = status === "pending" ? "Waiting for the contact" : "Open";
      await page.getByRole("article").getByText(`API · ${said}`, { exact: true }).waitFor();
    };
    await page.getByRole("log").getByText("I am Wanda").waitFor();
    await page.keyboard.press("w");
    await becomes("pending");
    await check(page, "dashboard-waits-for-contact");
    await page.getByRole("button", { name: "Reopen" }).click();
    await becomes("open");
    await page.getByRole("button", { name: "Wait for the contact" }).click();
    await becomes("pending");
    for (const [text, status] of [
      ["reopen", "open"],
      ["wait for", "pending"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await becomes(status);
    }
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Here I am" }, 201);
    await becomes("open");
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await desk.tenant.live.post(`/api/conversations/${id}/snooze`, { until }, 200);
    await page.getByRole("article").getByText("API · Snoozed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Snooze" }).click();
    await page.getByRole("menuitem", { name: "Reopen" }).click();
    await becomes("open");

    const change = async (name: string): Promise<void> => {
      for (const one of ["Wanda", "Wim"])
        await page.getByRole("checkbox", { name: `Select ${one}` }).check({ force: true });
      await bar.getByRole("button", { name }).click();
      await page.getByRole("region", { name: "Progress" }).getByText(`${name}: 0 of 2`).waitFor();
      const notice = page.getByRole("status").filter({ hasText: "2 conversations changed" });
      await Promise.all([notice.waitFor(), work()]);
      // The next one says the same.
      await notice.getByRole("button", { name: "Close" }).click();
    };
    await withoutHaste(page);
    await change("Wait for the contact");
    await becomes("pending", [id, other]);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByText("Waiting for the contact · waits").waitFor();
    expect(await bar.count()).toBe(0);
    await page.getByRole("checkbox", { name: "Select Wanda" }).check({ force: true });
    expect(await bar.getByRole("button", { name: "Wait for the contact" }).count()).toBe(0);
    await page.getByRole("checkbox", { name: "Select Wanda" }).uncheck({ force: true });
    await goTo(page, `/search?q=Wanda&status=pending`);
    await page.getByRole("link", { name: /Wanda.*Waiting for the contact/ }).waitFor();
    await goTo(page, `/inbox/all/${id}?status=pending&label=waits`);
    await row.waitFor();
    await change("Reopen");
    for (const one of [id, other]) expect(await stateOf(one)).toMatchObject({ status: "open" });
  });

  test("all that a filter finds are resolved as far as the member still reaches them", async () => {
    const [mine] = await some("birds", ["Bird 1"]);
    const owner = await desk.tenant.owner();
    const { brandId, workspaceId } = desk.tenant.defaults;
    const { id: there } = (await owner.post("/api/workspaces", { name: "Returns", brandId }, 201)).body;
    const { id: lost } = (
      await desk.tenant.live.post(
        "/api/conversations",
        { workspaceId: there, contact: { name: "Bird 2" }, message: { body: "I am Bird 2" } },
        201,
      )
    ).body;
    await desk.tenant.live.post(`/api/conversations/${lost}/labels`, { add: ["birds"] }, 200);
    const email = "agent@example.com";
    const workspaceIds = [workspaceId, there];
    const agent = { email, name: "Agent", role: "agent" as const, workspaceIds, password: PASSWORD };
    const { id: agentId } = (await owner.post("/api/members", agent, 201)).body;

    member = await takeSeat(desk, { email, at: "/inbox/all?status=open&label=birds" });
    const { page } = member;
    await page.getByRole("link", { name: "Bird 2" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Select all that match" }).click();
    await page.getByText("All that match are selected").waitFor();
    await page.getByRole("region", { name: "Selected conversations" }).getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
    const progress = page.getByRole("region", { name: "Progress" });
    await progress.getByText("Resolve: 0 of 2").waitFor();
    await owner.patch(`/api/members/${agentId}`, { workspaceIds: [workspaceId] }, 200);
    await work();
    await progress.getByText("Resolve: 1 of 2 done").waitFor();
    await progress.getByRole("alert").getByText("Not found").waitFor();
    await progress.getByText("A conversation that you no longer reach").waitFor();
    expect([(await stateOf(mine!)).status, (await stateOf(lost)).status]).toEqual(["resolved", "open"]);
    // It is still there after another page, until it is closed.
    await page.reload();
    await progress.getByText("Resolve: 1 of 2 done").waitFor();
    await progress.getByRole("button", { name: "Close" }).click();
    await progress.waitFor({ state: "detached" });
  });

  test("a filter is saved as a view, renamed and deleted", async () => {
    const [, fred] = await some("refund", ["Frida", "Fred"]);
    await some("other", ["Olga"]);
    const page = await begin("/inbox/all", 1440);
    const list = page.getByRole("region", { name: "Conversations" });
    await list.getByRole("link", { name: "Olga" }).waitFor();
    // While anything is selected, the rows stay where they are.
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await desk.conversation("Nora", "Are you open today?");
    await page.getByRole("button", { name: "1 new" }).waitFor();
    expect(await list.getByRole("link", { name: "Nora" }).count()).toBe(0);
    // A row that has left the view keeps its place, and says what it is now. J goes through what is shown.
    await desk.tenant.live.post(`/api/conversations/${fred}/resolve`, {}, 200);
    const row = list.getByRole("link", { name: "Fred" });
    await row.getByLabel("unread").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Fred" }).waitFor();
    await page.keyboard.press("u");
    await desk.tenant.live.post(`/api/conversations/${fred}/messages`, { body: "I am still Fred" }, 201);
    await page.keyboard.press("Escape");
    await list.getByRole("link", { name: "Nora" }).waitFor();

    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Handled by").selectOption("assistant");
    await page.getByRole("checkbox", { name: "Unread" }).check();
    await page.waitForURL(({ searchParams }) => searchParams.has("handler") && searchParams.has("unread"));
    await goTo(page, `${page.url().slice(desk.app.baseUrl.length)}&label=refund`);
    await list.getByRole("link", { name: "Frida" }).waitFor();
    await list.getByRole("link", { name: "Olga" }).waitFor({ state: "detached" });
    await page.getByText("Open, Waiting for the contact · Assistant · refund · Unread").waitFor();
    // The address has all of it.
    await page.reload();
    await list.getByRole("link", { name: "Frida" }).waitFor();
    await expect.poll(() => list.getByRole("link").count()).toBe(2);

    await page.getByRole("button", { name: "Save view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("Give the view a name.").waitFor();
    await dialog.getByLabel("Name").fill("Refunds");
    await dialog.getByRole("button", { name: "Save" }).click();
    const views = page.getByRole("navigation", { name: "Main" }).getByRole("navigation", { name: "Views" });
    await views.getByRole("link", { name: "Refunds 2" }).waitFor();
    await page.getByRole("heading", { name: "Refunds" }).waitFor();
    await expect.poll(() => list.getByRole("link").count()).toBe(2);
    const owner = await desk.tenant.owner();
    const saved = async () => (await owner.get("/api/views", 200)).body.data;
    expect(await saved()).toMatchObject([
      {
        name: "Refunds",
        shared: false,
        filter: { status: ["open", "pending"], handlingMode: "assistant", label: "refund", unread: true },
      },
    ]);

    // A change of the filter is the address's alone, until it is saved.
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("checkbox", { name: "Unread" }).uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Actions for Refunds" }).click();
    await page.getByRole("menuitem", { name: "Save changes" }).click();
    await expect.poll(async () => (await saved()).map(({ filter }) => filter.unread)).toEqual([undefined]);
    await page.getByRole("button", { name: "Actions for Refunds" }).click();
    await check(page, "dashboard-saved-view");
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await dialog.getByLabel("Name").fill("Money back");
    await dialog.getByRole("button", { name: "Save" }).click();
    await views.getByRole("link", { name: "Money back" }).waitFor();
    // Until it is gone, keys are its own.
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("money");
    await page.getByRole("option", { name: "Inbox: Money back" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Actions for Money back" }).click();
    await page.getByRole("menuitem", { name: "Delete view" }).click();
    await dialog.getByRole("button", { name: "Delete view" }).click();
    await views.getByRole("link", { name: "Money back" }).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "All", exact: true }).waitFor();
    expect(await saved()).toEqual([]);
  });

  test("labels are created, coloured and deleted, and a conversation gets one by the keyboard", async () => {
    const { id } = await desk.conversation("Lena", "Do you sell gift cards?");
    const page = await begin("/settings/labels");
    await page.getByRole("button", { name: "Create label" }).click();
    await page.getByLabel("Name").fill("gift cards");
    await page.getByRole("button", { name: "Create label" }).click();
    await page.getByLabel("Colour of gift cards").selectOption("green");
    const labels = async () => (await desk.tenant.live.get("/api/labels", 200)).body.data;
    await expect.poll(labels).toMatchObject([{ name: "gift cards", colour: "green" }]);

    await goTo(page, `/inbox/all/${id}`);
    await page.getByRole("heading", { name: "Lena" }).waitFor();
    await page.keyboard.press("l");
    await page.getByRole("dialog", { name: "Labels" }).waitFor();
    await page.getByRole("checkbox", { name: "gift cards" }).waitFor();
    const isFocused = () => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')");
    await expect.poll(isFocused).toBe("Find or type a label");
    await page.keyboard.type("gift");
    await page.keyboard.press("Enter");
    await page.keyboard.type("new here");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stateOf(id)).labels).toEqual(["gift cards", "new here"]);
    await page.getByRole("article", { name: "Lena" }).getByText("gift cards", { exact: true }).waitFor();

    await goTo(page, "/settings/labels");
    await page.getByRole("button", { name: "Delete gift cards" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No label is defined yet.").waitFor();
    expect(await labels()).toEqual([]);
  });

  test("a label that a colleague gives meanwhile stays", async () => {
    const { id } = await desk.conversation("Lise", "Is this urgent?");
    const page = await begin(`/inbox/all/${id}`);
    await page.getByRole("heading", { name: "Lise" }).waitFor();
    await page.keyboard.press("l");
    const dialog = page.getByRole("dialog", { name: "Labels" });
    await dialog.getByLabel("Find or type a label").waitFor();
    await desk.tenant.live.post(`/api/conversations/${id}/labels`, { add: ["of a colleague"] }, 200);
    await page.getByLabel("Labels", { exact: true }).getByText("of a colleague").first().waitFor();
    await dialog.getByLabel("Find or type a label").fill("mine");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(async () => (await stateOf(id)).labels.toSorted()).toEqual(["mine", "of a colleague"]);
  });
});
