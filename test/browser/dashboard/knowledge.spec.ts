import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { everyNth } from "../../support/sweep.js";
import {
  check,
  checkViews,
  type Desk,
  goTo,
  hold,
  type Member,
  openDesk,
  pressAll,
  settle,
  signIn,
  takeSeat,
  VIEWS,
} from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`knowledge and policies at the desk, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let observer: string;
  let entries: `/api/workspaces/${string}/kb-entries`;
  beforeAll(async () => {
    desk = await openDesk();
    const { workspaceId } = desk.tenant.defaults;
    entries = `/api/workspaces/${workspaceId}/kb-entries`;
    observer = `observer-${desk.tenant.ownerEmail}`;
    const owner = await desk.tenant.owner();
    await owner.post(
      "/api/members",
      { email: observer, name: "Olga", role: "observer", workspaceIds: [workspaceId], password: PASSWORD },
      201,
    );
  });
  afterAll(() => desk.close());

  let member: Member | undefined;
  afterEach(async () => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
    for (const { id } of (await desk.tenant.live.get(`${entries}/pending`, 200)).body)
      await desk.tenant.live.delete(`/api/kb-entries/${id}`, 200);
  });
  const begin = async (width: number, at = "/knowledge", email?: string): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: width < 500 ? 640 : 800 }, at, email });
    return member.page;
  };
  const propose = async (question: string, answer: string, more: object = {}): Promise<string> =>
    (await desk.tenant.live.post(entries, { question, answer, status: "pending", ...more }, 201)).body.id;
  const entryOf = async (id: string) => (await desk.tenant.live.get(`/api/kb-entries/${id}`, 200)).body;

  test.each(everyNth([1280, 320], 2))(
    "approve one and reject one with a reason, with the mouse, at %i px",
    async (width) => {
      const good = await propose(`Do you deliver to islands (${width})?`, "Yes. It takes **a day longer**.");
      const bad = await propose(`Is the moon an island (${width})?`, "**Perhaps**, says Ada.");
      const page = await begin(width);
      await page.getByText("Perhaps, says Ada.").waitFor();
      await page.getByRole("button", { name: /Do you deliver/, expanded: true }).waitFor();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("button", { name: /Is the moon/, expanded: true }).waitFor();
      await page.getByRole("button", { name: "Reject" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Not about us");
      await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
      await page.getByText("Nothing waits for a review.").waitFor();
      await expect.poll(() => entryOf(good)).toMatchObject({ status: "approved" });
      await expect.poll(() => entryOf(bad)).toMatchObject({ status: "rejected", rejectionReason: "Not about us" });
    },
  );

  test("a double click approves one entry, not the next one", async () => {
    const first = await propose("Do you gift-wrap?", "Yes.");
    const second = await propose("Do you sell stamps?", "No.");
    const page = await begin(1280);
    const approve = page.getByRole("button", { name: "Approve" });
    await approve.click();
    await page.getByRole("button", { name: /sell stamps/, expanded: true }).waitFor();
    const { x, y } = (await approve.boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await settle(page);
    await expect.poll(() => entryOf(first)).toMatchObject({ status: "approved" });
    expect(await entryOf(second)).toMatchObject({ status: "pending" });
  });

  test("approve with the keyboard alone: the focus goes on at the next entry", async () => {
    const first = await propose("Can I pay by invoice?", "Yes, from the second order on.");
    const second = await propose("Can I collect it myself?", "Yes, at the harbour.");
    const page = await begin(1280, "/inbox/all");
    await pressAll(page, ["g", "k"]);
    await page.getByRole("button", { name: /pay by invoice/, expanded: true }).waitFor();
    const focus = page.locator(":focus");
    // The row is drawn a moment before the page hears its keys. At the last row, `j` stays.
    const next = page.getByRole("button", { name: /collect it myself/, expanded: true }).and(focus);
    await expect.poll(() => page.keyboard.press("j").then(() => next.count())).toBe(1);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Approve");
    await page.keyboard.press("Enter");
    await expect.poll(() => entryOf(second)).toMatchObject({ status: "approved" });
    await page
      .getByRole("button", { name: /pay by invoice/, expanded: true })
      .and(focus)
      .waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => entryOf(first)).toMatchObject({ status: "approved" });
    await page.getByText("Nothing waits for a review.").waitFor();
  });

  test("what somebody else has decided meanwhile is not decided twice", async () => {
    const id = await propose("Do you sell globes?", "Yes.");
    const page = await begin(1280);
    await page.route("**/approve", async (route) => {
      await desk.tenant.live.post(`/api/kb-entries/${id}/reject`, { reason: "We do not" }, 200);
      await route.continue();
    });
    // It goes by itself.
    await Promise.all([
      page.getByText(/Do you sell globes\? did not change/).waitFor(),
      page.getByRole("button", { name: "Approve" }).click(),
    ]);
    await page.getByText("Nothing waits for a review.").waitFor();
    expect(await entryOf(id)).toMatchObject({ status: "rejected" });
  });

  test("a contradiction shows what is different, and the evidence what was said", async () => {
    const { id: conversationId } = await desk.conversation("Ada", "How long may I return a book?");
    const { body } = await desk.tenant.live.get(`/api/conversations/${conversationId}/messages`, 200);
    await desk.tenant.live.post(entries, { question: "How long can I return a book?", answer: "Within 30 days." }, 201);
    await propose("How long can I return a book?", "Within 14 days, unread.", {
      evidence: [{ conversationId, messageId: body.data[0]!.id }],
    });
    const page = await begin(1280);
    await page.getByRole("blockquote").getByText("How long may I return a book?").waitFor();
    await page.getByRole("button", { name: /^Compare with/ }).click();
    await expect.poll(() => page.getByRole("deletion").allTextContents()).toEqual(["Removed: 30 days."]);
    expect(await page.getByRole("insertion").allTextContents()).toEqual(["Added: 14 days, unread."]);
  });

  test("an entry is written, edited before its approval, replaced once it is in use, and found", async () => {
    const page = await begin(1280);
    await page.getByRole("button", { name: "New entry" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("alert").count()).toBe(2);
    await page.getByLabel("Question").fill("Where is your shop?");
    await page.getByLabel("Answer").fill("At the old harbour.");
    await page.getByLabel("After saving").selectOption("pending");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Answer").fill("At the new harbour.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("At the new harbour.").waitFor();
    await page.getByRole("button", { name: "Versions" }).click();
    expect(await page.getByRole("dialog").getByRole("insertion").first().textContent()).toContain("new");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Nothing waits for a review.").waitFor();

    await page.getByRole("link", { name: "In use", exact: true }).click();
    await page.getByRole("button", { name: /Where is your shop/ }).click();
    await page.getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("Answer").fill("At the new harbour, shed 5.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Archived" }).click();
    await page.getByRole("button", { name: /Where is your shop/ }).waitFor();
    await page.getByRole("link", { name: "Try it" }).click();
    await page.getByRole("search").getByLabel("Question").fill("where do I find your shop");
    await page.keyboard.press("Enter");
    await page.getByText("At the new harbour, shed 5.").waitFor();
  });

  test("until the entry that a link leads to is there, no other one is open, and Y approves none", async () => {
    const first = await propose("Do you frame charts?", "Yes.");
    const page = await begin(1280);
    await page.getByRole("button", { name: /frame charts/, expanded: true }).waitFor();
    await goTo(page, "/settings/profile");
    const late = await hold(page, "GET", /kb-entries\/pending/);
    const second = await propose("Do you mend sails?", "No.");
    await goTo(page, `/knowledge?entry=${second}`);
    await late.held;
    await page.getByRole("button", { name: /frame charts/, expanded: false }).waitFor();
    await page.keyboard.press("y");
    late.release();
    await page.getByRole("button", { name: /mend sails/, expanded: true }).waitFor();
    await page.keyboard.press("y");
    await expect.poll(() => entryOf(second)).toMatchObject({ status: "approved" });
    expect(await entryOf(first)).toMatchObject({ status: "pending" });
  });

  test("an entry that was edited further down stays in view with the focus, and Y approves it", async () => {
    for (let i = 0; i < 30; i++) await propose(`Do you sell chart number ${i}?`, "Yes.");
    const id = await propose("Where do you moor?", "At the old pier.");
    const page = await begin(1280, `/knowledge?entry=${id}`);
    const row = page.getByRole("button", { name: /Where do you moor/, expanded: true });
    await row.waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Answer").fill("At the new pier.");
    await page.getByRole("button", { name: "Save" }).click();
    await row.and(page.locator(":focus")).waitFor();
    const { y, height } = (await row.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(800);
    await page.keyboard.press("y");
    await expect.poll(() => entryOf(id)).toMatchObject({ status: "approved", answer: "At the new pier." });
  });

  test.each([1280, 390])(
    "of many approvals, two notices are shown at once, over no button of the review, at %i px",
    async (width) => {
      for (let i = 0; i < 6; i++)
        await propose(
          `Do you repair lamp ${i} (${width})?`,
          Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join("\n\n"),
        );
      const page = await begin(width);
      const notices = page.locator(".notices p");
      for (let i = 0; i < 5; i++) {
        const row = page.getByRole("button", { name: `lamp ${i} (${width})`, expanded: true });
        await row.waitFor();
        // The next one is decided once the last is.
        await expect
          .poll(async () => ((await row.count()) ? page.keyboard.press("y").then(() => row.count()) : 0))
          .toBe(0);
        await notices.filter({ hasText: `lamp ${i} (` }).waitFor();
        expect(await notices.count()).toBeLessThanOrEqual(2);
      }
      const covered = await page.evaluate<string[]>(`
        [...document.querySelectorAll('[role="group"] button')].filter((button) => {
          const one = button.getBoundingClientRect();
          return [...document.querySelectorAll(".notices p")].some((notice) => {
            const other = notice.parentElement.getBoundingClientRect();
            return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
          });
        }).map((button) => button.textContent)`);
      expect(covered).toEqual([]);
      expect(await page.getByRole("button", { name: `lamp 5 (${width})`, expanded: true }).count()).toBe(1);
    },
  );

  test("all that waits is listed, also more than two hundred", async () => {
    const lines = Array.from({ length: 210 }, (_, i) =>
      JSON.stringify({ question: `Is berth ${i} free?`, answer: "Ask.", status: "pending" }),
    );
    const imported = await desk.tenant.live.post(
      `${entries}/import`,
      { format: "ndjson", content: lines.join("\n") },
      200,
    );
    expect(imported.body).toMatchObject({ imported: 210 });
    const page = await begin(1280);
    await page.getByRole("link", { name: "To review 210" }).waitFor();
    await page.getByRole("button", { name: /Is berth 209 free/ }).waitFor();
  });

  test("an empty workspace offers a source, and a new entry in use is shown where it is", async () => {
    const owner = await desk.tenant.owner();
    const { id } = (await owner.post("/api/workspaces", { name: "Annex", brandId: desk.tenant.defaults.brandId }, 201))
      .body;
    const page = await begin(1280, `/knowledge?workspace=${id}`);
    // The page may have read the workspaces before there was this one.
    await page.reload();
    await page.getByRole("link", { name: "Add a source" }).click();
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    await page.getByRole("button", { name: "New entry" }).click();
    await page.getByLabel("Question").fill("Is the annex open?");
    await page.getByLabel("Answer").fill("On Sundays.");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("button", { name: /Is the annex open/, expanded: true })
      .and(page.locator(":focus"))
      .waitFor();
    expect(page.url()).toContain("show=approved");
  });

  test("the workspace that was picked last is shown again, and an address that names one comes first", async () => {
    const owner = await desk.tenant.owner();
    const { brandId, workspaceId } = desk.tenant.defaults;
    const { id } = (await owner.post("/api/workspaces", { name: "Boathouse", brandId }, 201)).body;
    const page = await begin(1280);
    // The page may have read the workspaces before there was this one.
    await page.reload();
    const picked = page.getByLabel("Workspace");
    await picked.selectOption("Boathouse");
    await page.getByRole("link", { name: "Add a source" }).waitFor();
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page.getByRole("link", { name: "Knowledge" }).click();
    await expect.poll(() => picked.inputValue()).toBe(id);
    await page.reload();
    await expect.poll(() => picked.inputValue()).toBe(id);
    await goTo(page, `/knowledge?workspace=${workspaceId}`);
    await expect.poll(() => picked.inputValue()).toBe(workspaceId);
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page.getByRole("link", { name: "Knowledge" }).click();
    await expect.poll(() => picked.inputValue()).toBe(id);
  });

  test("of two people who edit an entry, the second sees what the first has changed, and keeps their own text", async () => {
    const id = await propose("When do you open?", "At nine.");
    const page = await begin(1280);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Answer").fill("At ten.");
    const colleague = await desk.tenant.owner();
    const { name } = (await colleague.get("/api/me", 200)).body;
    await colleague.patch(`/api/kb-entries/${id}`, { question: "When does the shop open?", answer: "At eight." }, 200);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${name} has edited this entry since you opened it.`).waitFor();
    expect((await page.getByRole("insertion").allTextContents()).join()).toContain("eight");
    expect(await page.getByLabel("Answer").inputValue()).toBe("At ten.");
    expect(await entryOf(id)).toMatchObject({ answer: "At eight.", version: 2 });
    await check(page, "dashboard-knowledge-overtaken");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /When does the shop open/, expanded: true }).waitFor();
    // One's own edit is not somebody else's.
    await settle(page);
    expect(await page.getByText("since you opened it").count()).toBe(0);
    // What they did not touch is the colleague's.
    expect(await entryOf(id)).toMatchObject({ question: "When does the shop open?", answer: "At ten.", version: 3 });
  });

  test("what somebody has edited a moment ago is not approved before it was seen, and then what they changed is shown", async () => {
    const id = await propose("When do you open?", "At nine.");
    const page = await begin(1280);
    await page.getByText("At nine.").waitFor();
    // Its edit is on the way here while the member approves.
    const late = await hold(page, "GET", /kb-entries\/pending/);
    const colleague = await desk.tenant.owner();
    const { name } = (await colleague.get("/api/me", 200)).body;
    await colleague.patch(`/api/kb-entries/${id}`, { answer: "At eight." }, 200);
    await late.held;
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("This entry was edited after you read it. It is now version 2").waitFor();
    expect(await entryOf(id)).toMatchObject({ answer: "At eight.", status: "pending" });
    late.release();
    await page.getByText(`${name} has edited this entry since you opened it.`).waitFor();
    expect((await page.getByRole("insertion").allTextContents()).join()).toContain("eight");
    // It is read before the entry, and not hidden below it.
    const topOf = async (text: string) => (await page.getByText(text).boundingBox())!.y;
    expect(await topOf("since you opened it")).toBeLessThan(await topOf("Similar entries"));
    await check(page, "dashboard-knowledge-overtaken-review");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Nothing waits for a review.").waitFor();
    await expect.poll(() => entryOf(id)).toMatchObject({ answer: "At eight.", status: "approved" });
  });

  test("an entry ends when it did, also after somebody in another time zone has edited it", async () => {
    const validUntil = "2099-03-02T04:59:59.000Z";
    const id = await propose("Until when is the sale?", "Until March.", { validUntil });
    const { page, context, faults } = await signIn(desk, { at: "/knowledge", timezoneId: "Asia/Tokyo" });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Answer").fill("Until the first of March.");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => entryOf(id)).toMatchObject({ answer: "Until the first of March.", validUntil });
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a link opens an entry that is further down than the first page of its list", async () => {
    const write = async (question: string): Promise<string> =>
      (await desk.tenant.live.post(entries, { question, answer: "Yes." }, 201)).body.id;
    const id = await write("Do you repair old globes?");
    for (let i = 0; i < 25; i++) await write(`Do you sell map number ${i}?`);
    const page = await begin(
      1280,
      `/knowledge?workspace=${desk.tenant.defaults.workspaceId}&show=approved&entry=${id}`,
    );
    const linked = page.getByRole("list", { name: "Opened by a link" });
    await linked.getByRole("button", { name: /repair old globes/, expanded: true }).click();
    // It stays in its place when it is closed, and is not there twice once the list has it.
    await linked.getByRole("button", { name: /repair old globes/, expanded: false }).waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await linked.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /repair old globes/ }).waitFor();
  });

  test("what is in use is searched, also beyond the first page, and what was found is opened", async () => {
    const write = (question: string, answer = "Yes.") => desk.tenant.live.post(entries, { question, answer }, 201);
    await write("Do you mend sextants?", "Only those of brass.");
    for (let i = 0; i < 26; i++) await write(`Do you sell buoy number ${i}?`);
    const page = await begin(1280, `/knowledge?workspace=${desk.tenant.defaults.workspaceId}&show=approved`);
    const list = page.getByRole("list", { name: "Entries" });
    await list.getByRole("button", { name: "buoy number 25" }).waitFor();
    const search = page.getByRole("searchbox", { name: "Search entries" });
    await search.fill("sextants");
    await list.getByRole("button", { name: /buoy/ }).first().waitFor({ state: "detached" });
    await list.getByText("Only those of brass.").waitFor();
    expect(await list.getByRole("button").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page
      .getByRole("button", { name: /mend sextants/ })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Replace" }).waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("sextants");
    await search.fill("xylophone");
    await page.getByText("Nothing was found for “xylophone”.").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await list.getByRole("button", { name: "buoy number 25" }).waitFor();
    expect(await search.inputValue()).toBe("");
  });

  test("the next page and what is new both come, whichever is read while the other is on its way", async () => {
    const write = (question: string) => desk.tenant.live.post(entries, { question, answer: "Yes." }, 201);
    await write("Do you repair clocks?");
    // Two pages of 25, and one more.
    for (let i = 0; i < 50; i++) await write(`Do you sell chart number ${i}?`);
    const page = await begin(1280, `/knowledge?workspace=${desk.tenant.defaults.workspaceId}&show=approved`);
    const row = (name: string) => page.getByRole("list", { name: "Entries" }).getByRole("button", { name });
    const more = page.getByRole("button", { name: "Show more" });
    await row("chart number 49").waitFor();
    await settle(page);
    /** Holds the next request for the list, with or without a cursor, until `release`. */
    const hold = async (isNext: boolean) => {
      let [release, held] = [(): void => undefined, (): void => undefined];
      const released = new Promise<void>((resolve) => (release = resolve));
      const isHeld = new Promise<void>((resolve) => (held = resolve));
      await page.route(
        ({ pathname, searchParams }) => pathname === entries && searchParams.has("cursor") === isNext,
        async (route) => {
          held();
          await released;
          // It may be cancelled by now.
          await route.continue().catch(() => undefined);
        },
        { times: 1 },
      );
      return { isHeld, release };
    };
    const again = await hold(false);
    await write("Do you sell a first new one?");
    await again.isHeld;
    await more.click();
    again.release();
    for (const name of ["first new one", "chart number 10?"]) await row(name).waitFor();

    const next = await hold(true);
    await more.click();
    await next.isHeld;
    await write("Do you sell a second new one?");
    await row("second new one").waitFor();
    next.release();
    await row("repair clocks").waitFor();
  });

  test("an observer reads, and has nothing to press", async () => {
    await propose("Do you buy old maps?", "Sometimes.");
    const page = await begin(1280, "/knowledge", observer);
    await page.getByText("Sometimes.").waitFor();
    for (const name of ["Approve", "Reject", "Edit", "New entry"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
  });

  test("policies are tried: what decides is shown, and bad JSON is said", async () => {
    await desk.tenant.live.post(
      `/api/workspaces/${desk.tenant.defaults.workspaceId}/policy-entries`,
      {
        title: "Small refunds are free",
        rule: "Up to 20 without asking.",
        effect: "allow",
        tools: ["refund"],
        conditions: { field: "amount", op: "lte", value: 20 },
      },
      201,
    );
    const page = await begin(320, "/policies?show=try");
    await page.getByRole("textbox", { name: "Tool" }).fill("refund");
    await page.getByLabel("Situation").fill("{amount: 5}");
    await page.getByRole("button", { name: "Decide" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("not valid JSON");
    await page.getByLabel("Situation").fill('{"amount": 5}');
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("heading", { name: "Decision" }).waitFor();
    await page.getByText("Small refunds are free", { exact: true }).waitFor();
    await page.getByRole("link", { name: "In use", exact: true }).click();
    await page.getByRole("button", { name: /Small refunds/ }).click();
    await page.getByText("amount is at most 20").waitFor();
  });

  test("axe finds nothing, and all fits, in each width and colour", async () => {
    await propose("May I bring my dog?", "Yes, on a lead.");
    await desk.tenant.live.post(entries, { question: "May I bring my dog?", answer: "No, never." }, 201);
    const page = await begin(VIEWS[0]![0]);
    await page
      .getByRole("button", { name: /^Compare with/ })
      .first()
      .click();
    await checkViews(page, "dashboard-knowledge-review");
    await page.getByRole("button", { name: "Reject" }).click();
    await checkViews(page, "dashboard-knowledge-reject");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "New entry" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await checkViews(page, "dashboard-knowledge-form");
    // The form hides what is behind it from readers of the page.
    await goTo(page, "/settings", { isForced: true });
    for (const at of ["/knowledge?show=approved", "/knowledge?show=try", "/policies", "/policies?show=try"]) {
      await goTo(page, at);
      await page.getByRole("navigation", { name: "Which entries" }).waitFor();
      await checkViews(page, `dashboard-knowledge${at.replace(/\W+/g, "-")}`);
    }
  });
});

const focused = (page: Page): Promise<string> => page.evaluate<string>("document.activeElement.textContent");
