import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CLIENT, type EidServer, HIGH, startEidServer } from "../../server/identity/oidc-provider.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import type { Schemas } from "../../support/api-types.js";
import type { Client } from "../../support/client.js";
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
  takeSeat,
  VIEWS,
} from "./support.js";

allowTimeForProcesses();

const DAY_MS = 86_400_000;
/** Wide enough for the pane beside a conversation. */
const SIZE = { width: 1440, height: 1000 };

/** On the test side: its mail can be read, and its calendars call no server. */
describe.skipIf(!CHROMIUM)(`verification, cases and bookings, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let eid: EidServer;
  let owner: Client;
  let workspaceId: string;
  let observer: string;
  let calendarId: string;
  beforeAll(async () => {
    let callback = "";
    eid = await startEidServer(() => callback);
    desk = await openDesk({ OUTBOUND_ALLOW: [eid.host] });
    callback = `${desk.app.baseUrl}/api/public/eid/callback`;
    owner = await desk.tenant.owner("test");
    workspaceId = desk.tenant.testDefaults.workspaceId;
    observer = `observer-${desk.tenant.ownerEmail}`;
    await owner.post(
      "/api/members",
      { email: observer, name: "Olga", role: "observer", workspaceIds: [workspaceId], password: PASSWORD },
      201,
    );
    await owner.put(
      `/api/workspaces/${workspaceId}/identity-settings`,
      { requiredCorrectAnswers: 1, maxWrongPerConversation: 1 },
      200,
    );
    const questions = [{ key: "name", prompt: "What is your name?", attribute: "name" }];
    await owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      { sources: [{ name: "contact", type: "contact_attributes", questions }] },
      200,
    );
    const scheme = { name: "bank-id", issuer: eid.url, ...CLIENT, acrValues: [HIGH] };
    await owner.put(`/api/workspaces/${workspaceId}/eid-schemes`, { schemes: [scheme] }, 200);
    const { body } = await owner.post(
      "/api/calendar/connections",
      { workspaceId, serverUrl: "https://dav.example.com", username: "desk@example.com", password: "secret" },
      201,
    );
    calendarId = (await owner.get(`/api/calendar/connections/${body.id}/calendars`, 200)).body[0]!.id;
  });
  afterAll(async () => {
    await desk.close();
    await eid.close();
  });

  let member: Member | undefined;
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (at: string, options: Partial<Parameters<typeof takeSeat>[1]> = {}): Promise<Page> => {
    member = await takeSeat(desk, { viewport: SIZE, side: "test", at, ...options });
    return member.page;
  };
  let serial = 0;
  /** A conversation whose contact was created with an email. */
  const conversation = async (name: string): Promise<{ id: string; contactId: string; email: string }> => {
    const email = `c${++serial}@example.com`;
    const { body } = await desk.tenant.test.post(
      "/api/conversations",
      { workspaceId, subject: `Order of ${name}`, contact: { name, emails: [email] } },
      201,
    );
    await desk.tenant.test.post(`/api/conversations/${body.id}/messages`, { body: "It is me." }, 201);
    return { id: body.id, contactId: body.contactId, email };
  };
  /** The link in the newest mail to this address. */
  const linkTo = async (email: string): Promise<string> => {
    const { data } = (await owner.get("/api/captured-messages", 200)).body;
    return /http:\S+/.exec((data as { to: string; body: string }[]).find(({ to }) => to === email)!.body)![0];
  };
  const pane = (page: Page): Locator => page.getByRole("complementary", { name: "About the contact" });
  const unfoldIdentity = (page: Page): Promise<void> =>
    pane(page)
      .getByRole("button", { name: /^Identity/ })
      .click();

  test("a level is required, a link is sent, and the level rises at the desk when the customer follows it", async () => {
    const { id, email } = await conversation("Ada Lovelace");
    const page = await begin(`/inbox/all/${id}`);
    const about = pane(page);
    await about.getByText("Not verified").waitFor();
    await unfoldIdentity(page);
    await about.getByRole("button", { name: "Require a level" }).click();
    await about.getByLabel("What for").fill("change the payout account");
    await about.getByRole("button", { name: "Require", exact: true }).click();
    await about.getByText("Not proven yet: Identified is needed for change the payout account").waitFor();

    await about.getByRole("button", { name: "Prove by link" }).click();
    await about.getByText("Proves to Parley that the person reads this email").waitFor();
    await expect.poll(() => about.getByLabel("Send to").inputValue()).toBe(email);
    await about.getByRole("button", { name: "Ask for the proof" }).click();
    await about.getByText("A link went out by email.").waitFor();
    const number = await about.locator("strong").textContent();

    // The customer, who has nothing to do with the member's browser.
    const customer = await desk.browser.newPage();
    await customer.goto(await linkTo(email));
    expect(await customer.getByRole("main").or(customer.locator("body")).first().textContent()).toContain(number!);
    await customer.getByRole("button").click();
    await customer.getByRole("heading", { name: "Thank you" }).waitFor();
    await customer.context().close();
    await about.getByText("Proven. You can go on with: change the payout account").waitFor();
    await about.getByText("Identified", { exact: true }).waitFor();
    await about.getByRole("list", { name: "Proofs that count" }).getByText("Link by email").waitFor();
    await about.getByText("A link went out by email.").waitFor({ state: "detached" });
  });

  test("a wrong answer locks the questions, an owner unlocks them, and a right one counts", async () => {
    const { id } = await conversation("Grace Hopper");
    const page = await begin(`/inbox/all/${id}`);
    const about = pane(page);
    const answer = async (text: string): Promise<void> => {
      await about.getByText("What is your name?").waitFor();
      await about.getByLabel("Answer of the contact").fill(text);
      await page.keyboard.press("Enter");
    };
    await unfoldIdentity(page);
    await about.getByRole("button", { name: "Ask a question" }).click();
    await about.getByRole("button", { name: "Get a question" }).click();
    await answer("Mallory");
    await about.getByText("Wrong. 0 attempts are left.").waitFor();
    await about.getByText("Questions are locked: too many wrong answers in this conversation.").waitFor();
    await about.getByRole("button", { name: "Next question" }).click();
    await about.getByRole("alert").waitFor();
    await about.getByRole("button", { name: "Unlock" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unlock" }).click();
    await about.getByText("Questions are locked").waitFor({ state: "detached" });
    await about.getByRole("button", { name: "Next question" }).click();
    await answer("Grace Hopper");
    await about.getByText("Identified", { exact: true }).waitFor();
    expect((await owner.get(`/api/conversations/${id}`, 200)).body.assuranceLevel).toBe("identified");
  });

  test("an eID is asked for; somebody approves, a member confirms that it is the contact, and an owner unbinds it", async () => {
    const { id, email } = await conversation("Annie Easley");
    const { questions } = (await owner.post(`/api/conversations/${id}/verification/questions`, {}, 200)).body;
    const answer = { questionId: questions[0]!.questionId, answer: "Annie Easley" };
    await owner.post(`/api/conversations/${id}/verification/answers`, answer, 200);
    const page = await begin(`/inbox/all/${id}`);
    const about = pane(page);
    await unfoldIdentity(page);
    await about.getByRole("button", { name: "Ask for an eID" }).click();
    await about.getByLabel("How").selectOption("A link by email");
    await about.getByRole("button", { name: "Ask the contact" }).click();
    await about.getByText("Asked. The outcome appears here by itself.").waitFor();
    eid.visitor = { person: "annie" };
    const customer = await desk.browser.newPage();
    await customer.goto(await linkTo(email));
    await customer.getByRole("button").click();
    await customer.waitForURL(/eid\/callback/);
    await customer.context().close();
    await about.getByText("Somebody approved with bank-id").waitFor();
    await about.getByText("Identified", { exact: true }).waitFor();
    await about.getByRole("button", { name: "It is the contact" }).click();
    await about.getByText("High assurance", { exact: true }).waitFor();
    await about.getByRole("button", { name: "Unbind" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unbind" }).click();
    await about.getByText("Identified", { exact: true }).waitFor();
    await about.getByText("An eID is bound").waitFor({ state: "detached" });
  });

  test("a case is opened beside its conversation, closed, found on its page, changed and opened again", async () => {
    const { id } = await conversation("Mary Jackson");
    const page = await begin(`/inbox/all/${id}`);
    const about = pane(page);
    await about.getByRole("button", { name: "Cases" }).click();
    await about.getByText("No case is about this conversation.").waitFor();
    await about.getByRole("button", { name: "Open a case" }).click();
    await page.getByRole("dialog").getByLabel("Priority").selectOption("High");
    await page.getByRole("dialog").getByRole("button", { name: "Open a case" }).click();
    const here = about.getByRole("list", { name: "Cases of this conversation" });
    await here.getByText("Order of Mary Jackson").waitFor();
    await here.getByRole("button", { name: "Close case" }).click();
    await here.getByText("Closed").waitFor();

    await page.keyboard.press("Escape");
    await pressAll(page, ["g", "e"]);
    await page.getByLabel("Status").selectOption("In progress");
    await page.getByText("Nothing matches these filters.").waitFor();
    await page.getByLabel("Status").selectOption("Closed");
    await page.getByRole("link", { name: /Order of Mary Jackson/ }).click();
    await page.getByRole("heading", { name: /#\d+ Order of Mary Jackson/ }).waitFor();
    await page.getByLabel("Title").fill("The order of Mary");
    // What is typed stays while the case changes.
    await page.getByRole("button", { name: "Reopen case" }).click();
    await page.getByRole("button", { name: "Close case" }).waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("The order of Mary");
    await page.getByLabel("Assignee").selectOption({ index: 1 });
    await page.getByLabel("Due").fill("2099-05-04T10:00");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: /#\d+ The order of Mary/ }).waitFor();
    const history = page.getByRole("list", { name: "History" });
    await history.getByText("The order of Mary").waitFor();
    // As in Great Britain, from where the browser says that it is.
    await history.getByText("4 May 2099, 10:00").waitFor();
    const [one] = (await owner.get(`/api/cases?conversationId=${id}`, 200)).body.data;
    const later = await page.context().newPage();
    await later.addInitScript(`Date.now = () => ${Date.parse(one!.createdAt) + 5.5 * 60_000}`);
    await later.goto(page.url());
    await later.getByText("5 min ago", { exact: true }).waitFor();
    await later.close();
    expect(one).toMatchObject({ status: "in_progress", priority: "high", conversationIds: [id] });
    expect(one!.assigneeId).not.toBeNull();
    expect(one!.dueAt).not.toBeNull();
    await page.getByRole("button", { name: "Unlink Order of Mary Jackson" }).click();
    await page.getByText("No conversation is linked.").waitFor();

    await goTo(page, `/inbox/all/${id}`);
    await about.getByRole("list", { name: "Other cases of the contact" }).getByRole("button", { name: "Link" }).click();
    await here.getByText("The order of Mary").waitFor();
  });

  test("who approves a booking reads in which calendar, and not its id", async () => {
    const { id } = await conversation("Ida");
    const at = new Date().toISOString();
    const action = {
      id: randomUUID(),
      workspaceId,
      conversationId: id,
      agentId: randomUUID(),
      tool: "book_appointment",
      arguments: { calendarId, title: "Fitting" },
      argumentsHash: "0".repeat(64),
      guardrail: "Bookings",
      policyEntryIds: [],
      messageId: null,
      requiredAssuranceLevel: null,
      status: "pending",
      expiresAt: "2099-01-01T00:00:00.000Z",
      decidedBy: null,
      decidedAt: null,
      reason: null,
      result: null,
      createdAt: at,
      updatedAt: at,
    } satisfies Schemas["PendingAction"];
    const page = await begin("/settings");
    await page.route("**/api/pending-actions?*", (route) => route.fulfill({ json: { data: [action] } }));
    await goTo(page, "/approvals");
    const [connection] = (await owner.get("/api/calendar/connections", 200)).body;
    const [calendar] = (await owner.get(`/api/calendar/connections/${connection!.id}/calendars`, 200)).body;
    const card = page.getByRole("article").filter({ hasText: "Fitting" });
    await card.getByText(calendar!.name, { exact: true }).waitFor();
    expect(await card.textContent()).not.toContain(calendarId);
    await card.getByRole("term").getByText("Calendar", { exact: true }).waitFor();
  });

  test("a time is booked, also one that is taken; it is moved and cancelled in the calendar", async () => {
    const { id, contactId } = await conversation("Dorothy Vaughan");
    const page = await begin(`/inbox/all/${id}`);
    const about = pane(page);
    await about.getByRole("button", { name: "Bookings" }).click();
    await about.getByText("Nothing is booked.").waitFor();
    // The next full hour, which the form offers, may be another one for the second booking.
    const nine = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 11) + "09:00";
    const taken = nine(1);
    const book = async (what: string): Promise<void> => {
      await about.getByRole("button", { name: "Book a time" }).click();
      await page.getByRole("dialog").getByLabel("What").fill(what);
      await page.getByRole("dialog").getByLabel("Start").fill(taken);
      await page.getByRole("dialog").getByRole("button", { name: "Book", exact: true }).click();
    };
    await book("Fitting");
    await about.getByText("Fitting").waitFor();
    await book("Second fitting");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Book anyway" }).click();
    await about.getByText("Second fitting").waitFor();

    await page.getByRole("link", { name: "Calendar", exact: true }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Second fitting" });
    await row.getByRole("link", { name: "Dorothy Vaughan" }).waitFor();
    // Above a week its days, above the list, and on a phone, those of four weeks.
    const [week, weeks] = await page.evaluate<string[]>(`(() => {
      const now = new Date();
      const day = (n) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7) + n);
      const named = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
      return [6, 27].map((last) => named.formatRange(day(0), day(last)));
    })()`);
    const size = page.viewportSize()!;
    const headings = page.getByRole("main").getByRole("heading", { level: 2 });
    await expect.poll(() => headings.allInnerTexts()).toEqual([week, weeks]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => headings.allInnerTexts()).toEqual([weeks]);
    await page.setViewportSize(size);
    // The booking may be in the week after.
    const block = page.getByRole("group", { name: "Week" }).getByRole("link", { name: "Second fitting" });
    if (!(await block.count())) await page.getByRole("button", { name: "The week after" }).click();
    await block.press("Enter");
    await row.and(page.locator(":focus")).waitFor();
    await row.getByRole("button", { name: "Actions for Second fitting" }).click();
    await page.getByRole("menuitem", { name: "Reschedule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Minutes").fill("30");
    await dialog.getByLabel("Start").fill(nine(3));
    await dialog.getByRole("button", { name: "Move the booking" }).click();
    await dialog.waitFor({ state: "detached" });
    // It is a new row, below another day. A menu of the old one would go with it.
    await row.getByText(/9:30/).waitFor();
    await row.getByRole("button", { name: "Actions for Second fitting" }).click();
    await page.getByRole("menuitem", { name: "Cancel the booking" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the booking" }).click();
    await row.getByText("Cancelled").waitFor();
    const { data } = (await owner.get(`/api/calendar/bookings?contactId=${contactId}`, 200)).body;
    const moved = (data as { title: string; status: string; startsAt: string; endsAt: string }[]).find(
      ({ title }) => title === "Second fitting",
    )!;
    expect(moved.status).toBe("cancelled");
    expect(Date.parse(moved.endsAt) - Date.parse(moved.startsAt)).toBe(30 * 60_000);
  });

  test("letters that are typed while a case is saved stay, and are saved after that", async () => {
    const { body: one } = await owner.post("/api/cases", { workspaceId, title: "Parcel" }, 201);
    const page = await begin(`/cases/${one.id}`);
    const title = page.getByLabel("Title");
    const { held, release } = await hold(page, "PATCH", /\/api\/cases\//);
    await title.press("End");
    await page.keyboard.type(" lost");
    await page.keyboard.press("Enter");
    await held;
    await page.keyboard.type(" at sea");
    release();
    await page.getByRole("heading", { name: /#\d+ Parcel lost$/ }).waitFor();
    expect(await title.inputValue()).toBe("Parcel lost at sea");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /#\d+ Parcel lost at sea$/ }).waitFor();
  });

  test("a form that closes takes no letters while it is sent, and is as it was if it is refused", async () => {
    const { id } = await conversation("Katherine Coleman");
    const page = await begin(`/inbox/all/${id}`);
    await pane(page).getByRole("button", { name: "Bookings" }).click();
    await pane(page).getByRole("button", { name: "Book a time" }).click();
    const what = page.getByRole("dialog").getByLabel("What");
    await what.fill("Fitting");
    const { held, release } = await hold(page, "POST", /\/bookings$/);
    await page.context().route(/\/bookings$/, (route) => route.fulfill({ status: 409, json: { error: "Not then" } }));
    await page.keyboard.press("Enter");
    await held;
    await page.getByRole("dialog").getByRole("button", { name: "Book", exact: true, disabled: true }).waitFor();
    await page.keyboard.type(" and tea");
    expect(await what.inputValue()).toBe("Fitting");
    release();
    await page.getByRole("alert").getByText("Not then").waitFor();
    await what.and(page.locator(":focus")).waitFor();
    await page.keyboard.type(" and tea");
    expect(await what.inputValue()).toBe("Fitting and tea");
  });

  test("what is booked anyway is what the form shows", async () => {
    const { id, contactId } = await conversation("Annie Easley");
    const day = new Date(Date.now() + 9 * DAY_MS).toISOString().slice(0, 11);
    const page = await begin(`/inbox/all/${id}`);
    const dialog = page.getByRole("dialog");
    const book = async (what: string): Promise<void> => {
      await pane(page).getByRole("button", { name: "Book a time" }).click();
      await dialog.getByLabel("What").fill(what);
      await dialog.getByLabel("Start").fill(`${day}09:00`);
      await dialog.getByRole("button", { name: "Book", exact: true }).click();
    };
    await pane(page).getByRole("button", { name: "Bookings" }).click();
    await book("First");
    await pane(page).getByText("First").waitFor();
    await book("Second");
    await dialog.getByRole("button", { name: "Book anyway" }).waitFor();
    await dialog.getByLabel("Start").fill(`${day}09:15`);
    // It is asked about again, because it is another time.
    await dialog.getByRole("button", { name: "Book anyway" }).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Book", exact: true }).click();
    await dialog.getByRole("button", { name: "Book anyway" }).click();
    await pane(page).getByText("Second").waitFor();
    const { data } = (await owner.get(`/api/calendar/bookings?contactId=${contactId}`, 200)).body;
    const starts = (data as { startsAt: string }[]).map(({ startsAt }) => Date.parse(startsAt));
    expect(Math.abs(starts[0]! - starts[1]!)).toBe(15 * 60_000);
  });

  test("observers see everything, and no control that writes", async () => {
    const { id, contactId } = await conversation("Hedy Lamarr");
    await owner.post("/api/cases", { workspaceId, title: "Seen by all", contactId, conversationIds: [id] }, 201);
    const startsAt = new Date(Date.now() + DAY_MS).toISOString();
    const endsAt = new Date(Date.now() + DAY_MS + 60_000).toISOString();
    await owner.post(
      "/api/calendar/bookings",
      { calendarId, conversationId: id, title: "Seen, too", startsAt, endsAt, force: true },
      201,
    );
    const page = await begin(`/inbox/all/${id}`, { email: observer });
    const about = pane(page);
    await about.getByText("Not verified").waitFor();
    await unfoldIdentity(page);
    await settle(page);
    expect(await about.getByRole("list", { name: "Prove more" }).count()).toBe(0);
    await about.getByRole("button", { name: "Cases" }).click();
    await about.getByText("Seen by all").waitFor();
    await about.getByRole("button", { name: "Bookings" }).click();
    await about.getByText("Seen, too").waitFor();
    await settle(page);
    expect(
      await about.getByRole("button", { name: /Open a case|Close case|Link|Book|Actions/ }).allTextContents(),
    ).toEqual(["Bookings"]);
    await goTo(page, "/cases");
    await page.getByRole("link", { name: /Seen by all/ }).click();
    await page.getByRole("list", { name: "History" }).waitFor();
    await settle(page);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await goTo(page, "/calendar");
    await page.getByRole("listitem").getByText("Seen, too").waitFor();
    await settle(page);
    expect(await page.getByRole("button", { name: /Actions|Connect/ }).count()).toBe(0);
    // Keys are for owners and admins.
    await goTo(page, "/settings/profile");
    await page.getByRole("link", { name: "Preferences" }).waitFor();
    expect(await page.getByRole("link", { name: "API access" }).count()).toBe(0);
  });

  test("cases are found by words and number, together with the filters, and in the dialog that links one", async () => {
    const { id } = await conversation("Mary Jackson");
    const open = async (title: string): Promise<{ id: string; number: number }> =>
      (await owner.post("/api/cases", { workspaceId, title }, 201)).body;
    const tunnel = await open("The wind tunnel hums");
    const closed = await open("The wind tunnel leaks");
    await owner.patch(`/api/cases/${closed.id}`, { status: "resolved" }, 200);
    const page = await begin("/cases");
    const rows = page.getByRole("list", { name: "Cases" }).getByRole("link");
    await rows.first().waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("tunnel");
    await expect.poll(() => rows.locator("mark").allTextContents()).toEqual(["tunnel", "tunnel"]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("tunnel");
    await page.getByLabel("Status").selectOption({ label: "Closed" });
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText("leaks").waitFor();
    await page.getByRole("searchbox").fill("hums");
    await page.getByText("No case matches “hums” and the filters.").waitFor();
    await page.getByRole("main").getByRole("button", { name: "Clear the search" }).last().click();
    await rows.getByText("leaks").waitFor();
    await page.goto(`${desk.app.baseUrl}/cases?q=nobody`);
    await page.getByText("Nothing matches “nobody”.").waitFor();
    await page.getByRole("searchbox").fill(`#${tunnel.number}`);
    await rows.getByText("hums").waitFor();
    await page.getByRole("searchbox").press("Enter");
    await rows.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `#${tunnel.number} The wind tunnel hums` }).waitFor();
    await goTo(page, `/inbox/all/${id}`);
    await pane(page).getByText("Cases", { exact: true }).click();
    await pane(page).getByRole("button", { name: "Link a case" }).click();
    await page.getByRole("dialog").getByRole("searchbox").fill("tunnel hums");
    const found = page.getByRole("dialog").getByRole("list").getByRole("button");
    await expect.poll(() => found.count()).toBe(1);
    await found.click();
    await pane(page).getByRole("list", { name: "Cases of this conversation" }).getByText("hums").waitFor();
  });

  test("axe finds nothing, and all fits, in each width and colour", async () => {
    const { id, contactId } = await conversation("Katherine Johnson");
    await owner.post(`/api/conversations/${id}/verification/magic-links`, { channel: "email" }, 200);
    const { body: one } = await owner.post(
      "/api/cases",
      { workspaceId, title: "The parcel arrived damaged", contactId, conversationIds: [id], priority: "high" },
      201,
    );
    const startsAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
    const endsAt = new Date(Date.now() + 2 * DAY_MS + 3_600_000).toISOString();
    const booking = { calendarId, conversationId: id, title: "Fitting", location: "Harbour 3", startsAt, endsAt };
    await owner.post("/api/calendar/bookings", { ...booking, force: true }, 201);
    const page = await begin(`/inbox/all/${id}`);
    const about = pane(page);
    const ask = about.getByRole("button", { name: "Ask a question" });
    const question = about.getByRole("button", { name: "Get a question" });
    await unfoldIdentity(page);
    await about.getByRole("button", { name: "Cases" }).click();
    await about.getByRole("button", { name: "Bookings" }).click();
    for (const [width, colorScheme] of [...VIEWS].reverse()) {
      await page.setViewportSize({ width, height: width < 500 ? 640 : 1000 });
      await page.emulateMedia({ colorScheme });
      // On a phone it is behind a button.
      if (width < 1400) await page.getByRole("button", { name: "Show the contact" }).click();
      await ask.click();
      await question.waitFor();
      await check(page, `dashboard-verification-${width}-${colorScheme}`);
      await ask.click();
      await question.waitFor({ state: "detached" });
      await about.getByText("The parcel arrived damaged").waitFor();
      await about.getByText("Fitting").scrollIntoViewIfNeeded();
      await check(page, `dashboard-context-${width}-${colorScheme}`);
    }
    await about.getByRole("button", { name: "Book a time" }).click();
    await page.getByRole("dialog").getByLabel("Start").waitFor();
    await checkViews(page, "dashboard-book");
    await goTo(page, "/cases");
    await page.getByRole("listitem").first().waitFor();
    await checkViews(page, "dashboard-cases");
    await page.getByRole("searchbox").fill("damaged");
    await page.locator("mark").first().waitFor();
    await checkViews(page, "dashboard-cases-found");
    await goTo(page, `/cases/${one.id}`);
    await page.getByRole("list", { name: "History" }).waitFor();
    await checkViews(page, "dashboard-case");
    await goTo(page, "/calendar");
    await page.getByRole("button", { name: "Actions for Fitting" }).first().click();
    await page.getByRole("menu").waitFor();
    await checkViews(page, "dashboard-calendar");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Connect an account" }).click();
    await checkViews(page, "dashboard-connect-calendar");
    await page.keyboard.press("Escape");
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await checkViews(page, "dashboard-calendar-rtl");
  });
});
