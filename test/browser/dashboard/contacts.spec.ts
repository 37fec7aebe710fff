import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { everyNth } from "../../support/sweep.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import { newForm, send } from "../../server/widgets/support.js";
import {
  check,
  checkViews,
  type Desk,
  goTo,
  hold,
  type Member,
  openDesk,
  settle,
  signIn,
  takeSeat,
  VIEWS,
} from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`attention, contacts, accounts and search, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let observer: string;
  beforeAll(async () => {
    desk = await openDesk();
    observer = `observer-${desk.tenant.ownerEmail}`;
    const owner = await desk.tenant.owner();
    await owner.post(
      "/api/members",
      {
        email: observer,
        name: "Olga",
        role: "observer",
        workspaceIds: [desk.tenant.defaults.workspaceId],
        password: PASSWORD,
      },
      201,
    );
  });
  afterAll(() => desk.close());

  let member: Member | undefined;
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (at: string, width = 1280, email?: string, isLoaded = false): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: width < 500 ? 640 : 800 }, at, email, isLoaded });
    return member.page;
  };
  const contact = async (body: object): Promise<string> =>
    (await desk.tenant.live.post("/api/contacts", body, 201)).body.id;
  const contactOf = async (id: string) => (await desk.tenant.live.get(`/api/contacts/${id}`, 200)).body;
  /** Raises an attention item: no source of questions is attached to the workspace. */
  const askFor = (id: string) => desk.tenant.live.post(`/api/conversations/${id}/verification/questions`, {}, 409);
  const openItems = async () =>
    (await desk.tenant.live.get("/api/attention-items?status=open", 200)).body.data.map(
      ({ conversationId }) => conversationId,
    );

  test("an attention item arrives by itself, leads to its conversation, and is resolved with the mouse or with E", async () => {
    const ada = await desk.conversation("Ada", "It is me.");
    const grace = await desk.conversation("Grace", "It is me, too.");
    const page = await begin("/attention");
    await page.getByText("Nothing needs attention.").waitFor();
    await askFor(ada.id);
    const items = page
      .getByRole("list", { name: /^(Items that need attention|Verification is not set up)$/ })
      .getByRole("listitem");
    await items.first().waitFor();
    await askFor(grace.id);
    await expect.poll(() => items.count()).toBe(2);

    await items.first().getByRole("link", { name: "Open the conversation" }).click();
    await page.getByRole("heading", { name: "Grace" }).waitFor();
    await page.goBack();
    await items.first().getByRole("button", { name: "Resolve" }).click();
    await expect.poll(openItems).toEqual([ada.id]);
    await expect.poll(() => items.count()).toBe(1);
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.getByText("Nothing needs attention.").waitFor();
    await expect.poll(openItems).toEqual([]);
    await page.getByRole("link", { name: "Resolved", exact: true }).last().click();
    await expect.poll(() => items.count()).toBe(2);
    await page.getByLabel("Type").selectOption("Bad rating");
    await page.getByText("Nothing matches these filters.").waitFor();
  });

  test("an item that could not be resolved comes back, with the reason", async () => {
    const { id } = await desk.conversation("Ada", "It is me again.");
    await askFor(id);
    const page = await begin("/attention");
    await page.route("**/resolve", (route) => route.fulfill({ status: 409, json: { error: "Not now" } }));
    // It goes by itself.
    await Promise.all([
      page.getByRole("alert").getByText("Not resolved: Not now").waitFor(),
      page.getByRole("button", { name: "Resolve" }).click(),
    ]);
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    expect(await openItems()).toEqual([id]);
  });

  test.each(everyNth([1280, 320], 2))(
    "a contact is created and changed, and what is wrong is said at its field, at %i px",
    async (width) => {
      const page = await begin("/contacts", width);
      await page.getByRole("button", { name: "New contact" }).click();
      await page.getByRole("button", { name: "Create contact" }).click();
      expect(await page.getByRole("alert").textContent()).toBe("Give a name, an email or a phone.");
      await page.getByRole("textbox", { name: "Name" }).fill(`New ${width}`);
      await page.getByRole("button", { name: "Create contact" }).click();
      await page.getByRole("heading", { name: `New ${width}` }).waitFor();
      const id = page.url().split("/").at(-1)!;

      const edit = page.getByRole("button", { name: "Edit" });
      await edit.click();
      await page.getByRole("button", { name: "Add an email" }).click();
      await page.keyboard.type("new@");
      await page.getByRole("textbox", { name: "Labels" }).fill("vip, beta, vip");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").getByText("Each email is a whole address").waitFor();
      const email = page.getByRole("textbox", { name: "Email 1" });
      await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("Email 1");
      // A colleague changes what this member has not touched.
      await desk.tenant.live.patch(`/api/contacts/${id}`, { language: "fr" }, 200);
      await email.fill(`new-${width}@example.com`);
      await Promise.all([page.getByText("Saved", { exact: true }).waitFor(), page.keyboard.press("Enter")]);
      expect(await contactOf(id)).toMatchObject({
        language: "fr",
        labels: ["vip", "beta"],
        emails: [{ value: `new-${width}@example.com` }],
      });
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await edit.click();
      await page.getByRole("checkbox", { name: "Block this contact" }).check();
      await page.getByRole("button", { name: "Save" }).click();
      await expect.poll(async () => (await contactOf(id)).blocked).toBe(true);
    },
  );

  test("contacts without a name and an address are told apart in the inbox, the list and the profile", async () => {
    const ids: string[] = [];
    for (const externalId of ["visitor-1", "visitor-2"]) {
      const { workspaceId } = desk.tenant.defaults;
      const { body } = await desk.tenant.live.post(
        "/api/conversations",
        { workspaceId, externalId, contact: { externalId }, message: { body: `I am ${externalId}`, externalId } },
        201,
      );
      ids.push(body.contactId);
    }
    const names = ids.map((id) => `Visitor ${id.slice(-4)}`);
    expect(new Set(names).size).toBe(2);
    const page = await begin("/inbox/all");
    for (const name of names)
      await page.getByRole("region", { name: "Conversations" }).getByRole("link", { name }).waitFor();
    await goTo(page, "/contacts");
    const row = page.getByRole("list", { name: "Contacts" }).getByRole("link", { name: names[0] });
    await row.getByText(/^Known since \d/).waitFor();
    await row.click();
    await page.getByRole("heading", { name: names[0], level: 1 }).waitFor();
  });

  test("what nobody touched in the form stays: a label with a comma in it is one label", async () => {
    const id = await contact({ name: "Ida", labels: ["gold, EU", "press"] });
    const page = await begin(`/contacts/${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Ida B.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Ida B." }).waitFor();
    expect(await contactOf(id)).toMatchObject({ name: "Ida B.", labels: ["gold, EU", "press"] });
  });

  test("letters that are typed while a contact or an account is saved stay, and are saved after that", async () => {
    const id = await contact({ name: "Ida" });
    const { body: account } = await desk.tenant.live.post("/api/accounts", { name: "Holberton" }, 201);
    const page = await begin(`/contacts/${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    const name = page.getByRole("textbox", { name: "Name" });
    for (const [at, path, before] of [
      [undefined, /\/api\/contacts\//, "Ida"],
      [`/accounts/${account.id}`, /\/api\/accounts\//, "Holberton"],
    ] as const) {
      if (at) await goTo(page, at);
      await expect.poll(() => name.inputValue()).toBe(before);
      const { held, release } = await hold(page, "PATCH", path);
      await name.press("End");
      await page.keyboard.type(" Rhodes");
      await page.keyboard.press("Enter");
      await held;
      await page.keyboard.type(" & Sons");
      const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
      release();
      await answered;
      await settle(page);
      expect(await name.inputValue()).toBe(`${before} Rhodes & Sons`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: `${before} Rhodes & Sons` }).waitFor();
    }
  });

  test("on a phone, nothing of a contact with a long history is cut off", async () => {
    const { contactId } = await desk.conversation("Sophie Kowalevski", "Hello", "A subject that is long ".repeat(8));
    const page = await begin(`/contacts/${contactId}`, 320);
    await page.getByText("A subject that is long").waitFor();
    await settle(page);
    const sideways = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("[data-column]").parentElement)`;
    expect(await page.evaluate(sideways)).toBe(0);
  });

  test("beside a conversation, nothing is said about others before they are known", async () => {
    const { id } = await desk.conversation("Ida Noddack", "Is it open?");
    const page = await begin("/inbox/all", 1440);
    const late = await hold(page, "GET", /overview/);
    await page
      .getByRole("link", { name: /Ida Noddack/ })
      .first()
      .click();
    await late.held;
    const pane = page.getByRole("complementary", { name: "About the contact" });
    await pane.getByRole("heading", { name: "Other conversations" }).waitFor();
    expect(await pane.getByText("No other conversation").count()).toBe(0);
    late.release();
    await pane.getByText("No other conversation").waitFor();
    expect(page.url()).toContain(id);
  });

  test("why an item was raised is said in the member's language, with the contact's own words", async () => {
    const { id } = await desk.conversation("Lise", "What are neutrons?");
    await desk.app.db.query(
      `insert into attention_item (tenant_id, id, workspace_id, conversation_id, type, severity, reason)
       select tenant_id, gen_random_uuid(), workspace_id, id, v.type, 'medium', v.reason from conversation,
         (values ('kb_gap', 'No approved entry answers: “What are neutrons?”'),
           ('csat_low', 'The contact rated the conversation 1 of 5')) v (type, reason)
       where id = '${id}'`,
    );
    const email = `german-${desk.tenant.ownerEmail}`;
    const owner = await desk.tenant.owner();
    await owner.post("/api/members", { email, name: "Otto", role: "admin", password: PASSWORD }, 201);
    const { page, context, faults } = await signIn(desk, { email, at: "/attention" });
    const member = await owner.as(undefined).login(email, PASSWORD);
    await member.put("/api/me/preferences", { language: "de" }, 200);
    await page.reload();
    await page.getByText("Kein freigegebener Eintrag passt: „What are neutrons?“").waitFor();
    await page.getByText("Der Kontakt hat das Gespräch mit 1 von 5 bewertet").waitFor();
    await context.close();
    await desk.app.db.query(`delete from attention_item where conversation_id = '${id}'`);
    expect(faults).toEqual([]);
  });

  test("beside a conversation, the contact shows its account and is edited", async () => {
    const { id, contactId } = await desk.conversation("Emmy", "Which rings do you have?");
    const { body: account } = await desk.tenant.live.post("/api/accounts", { name: "Noether & Co" }, 201);
    await (await desk.tenant.owner()).put(`/api/contacts/${contactId}/account`, { accountId: account.id }, 200);
    const page = await begin(`/inbox/all/${id}`, 1440);
    const pane = page.getByRole("complementary", { name: "About the contact" });
    await pane.getByRole("link", { name: "Noether & Co" }).waitFor();
    await check(page, "dashboard-context-contact");
    await pane.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Details" });
    await dialog.getByLabel("Name").fill("Emmy Noether");
    // What was typed is asked about first.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Cancel" }).click();
    await check(page, "dashboard-context-edit");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Emmy Noether" }).waitFor();
    expect(await contactOf(contactId)).toMatchObject({ name: "Emmy Noether" });
    await pane.getByRole("button", { name: "Merge" }).click();
    await page.getByRole("dialog").getByRole("searchbox").waitFor();
  });

  test("lists are sorted and narrowed, and contacts are changed together, with the keyboard alone", async () => {
    const { live } = desk.tenant;
    await live.post("/api/labels", { name: "wholesale", colour: "teal" }, 201);
    const wholesale = { labels: ["wholesale"] };
    const ada = await contact({ ...wholesale, name: "Åse Lind", emails: ["ase@example.com"] });
    const bo = await contact({ ...wholesale, name: "Bo Ek", emails: ["bo@example.com"] });
    const cy = await contact({ ...wholesale, name: "Cy Dahl", emails: ["cy@example.com"] });
    const chat = { workspaceId: desk.tenant.defaults.workspaceId, contactId: bo };
    const { body: conversation } = await live.post("/api/conversations", chat, 201);
    await live.post(`/api/conversations/${conversation.id}/messages`, { body: "Good morning" }, 201);
    // The label is new: what the page knew of labels is older.
    const page = await begin("/contacts", 1280, undefined, true);
    const names = async (): Promise<string[]> =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll("main [data-row] input")].map((box) => box.ariaLabel.replace("Select ", ""))`,
      );
    await page.getByLabel("Labels").selectOption("wholesale");
    await expect.poll(names).toEqual(["Cy Dahl", "Bo Ek", "Åse Lind"]);
    const press = async (target: Locator, key = "Enter"): Promise<void> => {
      await target.focus();
      await page.keyboard.press(key);
    };
    await press(page.getByRole("button", { name: "Sort by Name" }));
    await expect.poll(names).toEqual(["Åse Lind", "Bo Ek", "Cy Dahl"]);
    await press(page.getByRole("button", { name: "Sort by Last seen" }));
    await expect.poll(async () => (await names())[0]).toBe("Bo Ek");
    expect(new URL(page.url()).search).toContain("sort=lastSeen");

    for (const name of ["Åse Lind", "Cy Dahl"])
      await press(page.getByRole("checkbox", { name: `Select ${name}` }), "Space");
    const many = page.getByRole("region", { name: "Selected contacts" });
    await many.getByText("2 selected").waitFor();
    await checkViews(page, "dashboard-contacts-selected");
    await press(many.getByRole("button", { name: "Labels" }));
    await page.getByRole("dialog").getByRole("textbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("press");
    await page.keyboard.press("Enter");
    await press(page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }));
    await page.getByText("2 contacts changed").waitFor();
    await many.waitFor({ state: "detached" });
    for (const id of [ada, cy]) expect((await contactOf(id)).labels).toEqual(["wholesale", "press"]);
    expect((await contactOf(bo)).labels).toEqual(["wholesale"]);

    await press(page.getByRole("checkbox", { name: "Select Bo Ek" }), "Space");
    await press(many.getByRole("button", { name: "Select all shown" }));
    await many.getByText("3 selected").waitFor();
    await press(many.getByRole("button", { name: "Block", exact: true }));
    await page.getByText("3 contacts changed").waitFor();
    await page.getByLabel("Blocked").selectOption("Not blocked");
    await page.getByText("Nothing matches these filters.").waitFor();
    await press(page.getByRole("link", { name: "Clear the filters" }));
    await page.getByRole("link", { name: /Cy Dahl/ }).waitFor();

    for (const name of ["Zinc Trading", "Äpfel & Co"]) await live.post("/api/accounts", { name }, 201);
    await goTo(page, "/accounts");
    await press(page.getByRole("button", { name: "Sort by Name" }));
    const rows = page.getByRole("list", { name: "Accounts" }).getByRole("link");
    await expect.poll(async () => (await rows.first().innerText()).split("\n")[0]).toBe("Äpfel & Co");
    await checkViews(page, "dashboard-accounts");
  });

  test("accounts are sorted and narrowed, changed together and deleted after a question, with the keyboard alone", async () => {
    const { live } = desk.tenant;
    const open = async (name: string, plan: string | null, industry = "Shipping"): Promise<string> =>
      (await live.post("/api/accounts", { name, industry, plan, domains: ["ships.example"] }, 201)).body.id;
    const osprey = await open("Osprey Lines", "Silver");
    const albatross = await open("Albatross Cargo", null);
    const petrel = await open("Petrel Freight", "Silver");
    await open("Heron Bank", "Silver", "Banking");
    const sailor = await contact({ name: "Of Osprey" });
    await live.put(`/api/contacts/${sailor}/account`, { accountId: osprey }, 200);
    const page = await begin("/accounts", 1280, undefined, true);
    const names = async (): Promise<string[]> =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll("main [data-row] input")].map((box) => box.ariaLabel.replace("Select ", ""))`,
      );
    const press = async (target: Locator, key = "Enter"): Promise<void> => {
      await target.focus();
      await page.keyboard.press(key);
    };
    await page.getByLabel("Industry").selectOption("Shipping");
    await expect.poll(names).toEqual(["Petrel Freight", "Albatross Cargo", "Osprey Lines"]);
    await press(page.getByRole("button", { name: "Sort by Name" }));
    await expect.poll(names).toEqual(["Albatross Cargo", "Osprey Lines", "Petrel Freight"]);
    await page.getByLabel("Plan").selectOption("Silver");
    await expect.poll(names).toEqual(["Osprey Lines", "Petrel Freight"]);
    expect(new URL(page.url()).search).toBe("?sort=name&industry=Shipping&plan=Silver");
    await page.getByLabel("Plan").selectOption("All plans");

    for (const name of ["Albatross Cargo", "Osprey Lines"])
      await press(page.getByRole("checkbox", { name: `Select ${name}` }), "Space");
    const many = page.getByRole("region", { name: "Selected accounts" });
    await many.getByText("2 selected").waitFor();
    await checkViews(page, "dashboard-accounts-selected");
    await press(many.getByRole("button", { name: "Plan" }));
    const dialog = page.getByRole("dialog", { name: "Change 2 accounts" });
    await dialog.getByRole("combobox", { name: "Plan" }).and(page.locator(":focus")).waitFor();
    await checkViews(page, "dashboard-accounts-plan");
    await page.keyboard.type("Gold");
    await page.keyboard.press("Enter");
    await page.getByText("2 accounts changed").waitFor();
    await many.waitFor({ state: "detached" });
    const focused = page.getByRole("list", { name: "Accounts" }).locator(":focus");
    await expect.poll(() => focused.getAttribute("aria-label")).toBe("Select Petrel Freight");
    const planOf = async (id: string) => (await live.get(`/api/accounts/${id}`, 200)).body.plan;
    expect([await planOf(albatross), await planOf(osprey), await planOf(petrel)]).toEqual(["Gold", "Gold", "Silver"]);

    await press(page.getByRole("checkbox", { name: "Select Osprey Lines" }), "Space");
    await press(many.getByRole("button", { name: "Delete" }));
    const sure = page.getByRole("dialog", { name: "Delete 1 account?" });
    await sure.getByText("Their contacts stay, without an account.").waitFor();
    await checkViews(page, "dashboard-accounts-delete");
    await page.keyboard.press("Escape");
    await sure.waitFor({ state: "detached" });
    await press(many.getByRole("button", { name: "Delete" }));
    await press(sure.getByRole("button", { name: "Delete" }));
    await page.getByText("1 account deleted").waitFor();
    await expect.poll(names).toEqual(["Albatross Cargo", "Petrel Freight"]);
    expect(await focused.getAttribute("aria-label")).toBe("Select Albatross Cargo");
    await press(focused, "Space");
    await press(many.getByRole("button", { name: "Clear the selection" }));
    await expect.poll(() => focused.getAttribute("aria-label")).toBe("Select Albatross Cargo");
    await live.get(`/api/accounts/${osprey}`, 404);
    expect((await contactOf(sailor)).accountId).toBeNull();
    await page.getByLabel("Industry").selectOption("Banking");
    await page.getByLabel("Plan").selectOption("Gold");
    await page.getByText("Nothing matches these filters.").waitFor();
    await press(page.getByRole("link", { name: "Clear the filters" }));
    await page.getByRole("link", { name: /Heron Bank/ }).waitFor();
  });

  test("an observer sees the list without boxes, and who writes for the first time", async () => {
    await desk.conversation("Only to look at", "Hello");
    const page = await begin("/contacts", 1280, observer);
    await page.getByRole("link", { name: /Only to look at/ }).waitFor();
    expect(await page.getByRole("main").getByRole("checkbox").count()).toBe(0);
    await desk.conversation("Just in", "Hello");
    await page.getByRole("link", { name: /Just in/ }).waitFor();
  });

  test("two contacts are found, compared and merged with the keyboard alone", async () => {
    const kept = await contact({ name: "Katherine Johnson", emails: ["katherine@example.com"] });
    const gone = await contact({ name: "K. Johnson", phones: ["+4930901820"], labels: ["vip"] });
    const matter = { workspaceId: desk.tenant.defaults.workspaceId, title: "A slide rule", contactId: gone };
    await (await desk.tenant.owner()).post("/api/cases", matter, 201);
    const page = await begin("/contacts");
    await page.getByRole("listitem").first().waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("katherine");
    await expect.poll(() => page.getByRole("list", { name: "Contacts" }).getByRole("listitem").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("listitem").locator(":focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Katherine Johnson" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("K. Johnson");
    const tabTo = async (target: Locator): Promise<void> => {
      await target.waitFor();
      for (let tabs = 0; tabs < 20 && !(await target.and(page.locator(":focus")).count()); tabs++)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
    };
    await tabTo(dialog.getByRole("button", { name: /K\. Johnson/ }));
    await dialog.getByText("After the merge").waitFor();
    const result = dialog.locator("section").last();
    await expect
      .poll(() => result.innerText())
      .toMatch(/Katherine Johnson[^]*katherine@example\.com[^]*\+4930901820[^]*vip/);
    expect(await contactOf(gone)).toMatchObject({ mergedIntoId: null });
    await tabTo(dialog.getByRole("button", { name: "Merge" }));
    await dialog.waitFor({ state: "detached" });
    expect(await contactOf(gone)).toMatchObject({ mergedIntoId: kept });
    await page.getByRole("definition").getByText("+4930901820").waitFor();
    await page.getByRole("list", { name: "History" }).getByText("A slide rule").waitFor();
    await page.goto(`${desk.app.baseUrl}/contacts/${gone}`);
    await page.getByRole("link", { name: "Open the contact that remains" }).click();
    await page.getByRole("heading", { name: "Katherine Johnson" }).waitFor();
  });

  test("a form's message says that nothing proves its sender, and offers the contact who has the same address", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const known = await contact({ name: "Mary Jackson", emails: ["mary@example.com"] });
    const form = await newForm(await desk.tenant.owner(), workspaceId);
    await send(desk.app.client(), form, { name: "Mary J.", email: "mary@example.com" });
    const { data } = (await desk.tenant.live.get(`/api/conversations?workspaceId=${workspaceId}&limit=1`, 200)).body;
    const page = await begin(`/inbox/all/${data[0]!.id}`, 1440);
    await page.getByText("Anybody could have written this.").waitFor();
    await page.getByText("Mary Jackson has the same address.").waitFor();
    await check(page, "dashboard-unproven-sender");
    await page.getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("After the merge").waitFor();
    await dialog.getByRole("button", { name: "Merge contacts" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await contactOf(known)).toMatchObject({ mergedIntoId: data[0]!.contactId });
  });

  test("at 320 px, the other contact can be the one that remains", async () => {
    const here = await contact({ name: "Dorothy V.", emails: ["dorothy@example.com"] });
    const other = await contact({ name: "Dorothy Vaughan" });
    const page = await begin(`/contacts/${here}`, 320);
    await page.getByRole("button", { name: "Merge" }).click();
    await page.getByRole("dialog").getByRole("searchbox").fill("Vaughan");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Vaughan/ })
      .click();
    await page.getByRole("button", { name: "Keep the other one instead" }).click();
    await page.getByRole("button", { name: "Merge contacts" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Dorothy Vaughan" }).waitFor();
    expect(await contactOf(here)).toMatchObject({ mergedIntoId: other });
  });

  test("a person is erased after a second step, and the certificate is shown", async () => {
    const { id, contactId } = await desk.conversation("Mallory", "Forget me.");
    const page = await begin(`/contacts/${contactId}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Erase" }).click();
    const erase = page.getByRole("button", { name: "Erase for good" });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: /I understand/ }).check();
    await erase.click();
    await page
      .getByRole("dialog", { name: "The person is erased" })
      .getByText("1 contact, 1 message, 0 files")
      .waitFor();
    await page.getByRole("button", { name: "Back to contacts" }).click();
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    await desk.tenant.live.get(`/api/contacts/${contactId}`, 404);
    const { body } = await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200);
    expect(JSON.stringify(body)).not.toContain("Forget me");
  });

  test("an account is created, gets a contact, and loses it again", async () => {
    const person = await contact({ name: "Mary Jackson" });
    const page = await begin("/accounts");
    await page.getByRole("button", { name: "New account" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Langley");
    await page.getByRole("button", { name: "Add a domain" }).click();
    await page.keyboard.type("not a domain");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Each domain is a whole one").waitFor();
    await page.getByRole("textbox", { name: "Domain 1" }).fill("langley.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Langley" }).waitFor();
    const account = page.url();

    await goTo(page, `/contacts/${person}`);
    await page.getByRole("button", { name: "Link an account" }).click();
    await page.getByRole("dialog").getByRole("searchbox").fill("langley.example");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Langley/ })
      .click();
    await page.getByRole("button", { name: "Unlink" }).waitFor();
    await page.getByRole("link", { name: "Langley" }).click();
    await page.waitForURL(account);
    await page
      .getByRole("list", { name: "Contacts" })
      .getByRole("link", { name: /Mary Jackson/ })
      .click();
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByText("No account", { exact: true }).waitFor();
    expect(await contactOf(person)).toMatchObject({ accountId: null });
  });

  test("a search shows contacts, accounts, cases, entries, policies and conversations, with the words marked", async () => {
    const place = `/api/workspaces/${desk.tenant.defaults.workspaceId}` as const;
    await desk.tenant.live.post("/api/accounts", { name: "Altimeter Works" }, 201);
    const entry = {
      question: "How is an altimeter set?",
      answer: "Turn the knob of the altimeter.",
      status: "approved",
    };
    await desk.tenant.live.post(`${place}/kb-entries`, entry, 201);
    const policy = {
      title: "An altimeter goes back",
      rule: "Take an altimeter back",
      effect: "allow",
      status: "approved",
    };
    await desk.tenant.live.post(`${place}/policy-entries`, policy, 201);
    const owner = await desk.tenant.owner();
    const fields = [{ key: "device", label: "Device", type: "text" }];
    const { id: typeId } = (await owner.post("/api/case-types", { key: "device", name: "Device", fields }, 201)).body;
    const { number } = (
      await owner.post(
        "/api/cases",
        {
          workspaceId: desk.tenant.defaults.workspaceId,
          title: "Die Überholung des Geräts",
          typeId,
          fields: { device: "Altimeter of 1931" },
        },
        201,
      )
    ).body;
    const { contactId } = await desk.conversation("Annie Easley", "The parcel with the centrifuge is late.", "Centaur");
    const page = await begin("/search");
    await page.getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("easley");
    const found = page.getByRole("list", { name: "Contacts" }).getByRole("link", { name: /Annie Easley/ });
    await found.waitFor();
    await page.getByRole("searchbox").fill("centrifuge");
    await found.waitFor({ state: "detached" });
    const row = page.getByRole("list", { name: "Conversations" }).getByRole("link");
    await expect.poll(() => row.locator("mark").allTextContents()).toEqual(["centrifuge"]);
    await row.getByText("Annie Easley").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("centrifuge");
    // Enter goes to the first row of all lists, which may still be one of the search before.
    await settle(page);
    await page.keyboard.press("Enter");
    await row.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Annie Easley" }).waitFor();
    await page.goBack();
    await row.waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("centrifuge");
    await page.getByRole("searchbox").fill("altimeter");
    await page
      .getByRole("list", { name: "Accounts" })
      .getByRole("link", { name: /Altimeter Works/ })
      .waitFor();
    for (const name of ["Knowledge", "Policies"])
      await expect
        .poll(() => page.getByRole("list", { name }).locator("mark").allTextContents())
        .toEqual(["altimeter", "altimeter"]);
    const cases = page.getByRole("list", { name: "Cases" });
    await cases.getByText("Device").waitFor();
    expect(await cases.locator("mark").allTextContents()).toEqual(["Altimeter"]);
    await page.getByRole("button", { name: /How is an altimeter set/ }).click();
    await page.getByRole("link", { name: "Show where it is" }).waitFor();
    await page.getByRole("searchbox").fill("uberholung gerats");
    await expect.poll(() => cases.locator("mark").allTextContents()).toEqual(["Überholung", "Geräts"]);
    await page.getByRole("searchbox").fill(`#${number}`);
    await expect.poll(() => cases.locator("mark").allTextContents()).toEqual([String(number)]);
    await settle(page);
    await page.getByRole("searchbox").press("Enter");
    await cases.getByRole("link").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `#${number} Die Überholung des Geräts` }).waitFor();
    await page.goBack();
    await page.getByRole("searchbox").fill("easley");
    await cases.waitFor({ state: "detached" });
    await found.click();
    await page.waitForURL(`**/contacts/${contactId}`);
  });

  test("observers see everything, and no control that writes", async () => {
    const { id, contactId } = await desk.conversation("Hedy", "Seen by all.");
    await askFor(id);
    const { body: account } = await desk.tenant.live.post("/api/accounts", { name: "Mast" }, 201);
    await desk.tenant.live.put(`/api/contacts/${contactId}/account`, { accountId: account.id }, 200);
    const page = await begin("/attention", 1280, observer);
    await page.getByRole("link", { name: "Open the conversation" }).first().waitFor();
    await settle(page);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await goTo(page, "/contacts");
    await page.getByRole("link", { name: /Hedy/ }).click();
    await page.waitForURL(`**/contacts/${contactId}`);
    await page.getByRole("heading", { name: "Hedy" }).waitFor();
    await settle(page);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("main").getByRole("textbox").count()).toBe(0);
    await goTo(page, "/accounts");
    await page.getByRole("list", { name: "Accounts" }).getByRole("link").first().click();
    await page.getByRole("heading", { name: "About" }).waitFor();
    await settle(page);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
  });

  test("a list that cannot be read says why, with the request's id, and is read again on request", async () => {
    // A page that has not read them: what is a few seconds old is not read again.
    const page = await begin("/inbox/all", undefined, undefined, true);
    const failing = /\/api\/accounts\?/;
    await page.route(failing, (route) =>
      route.fulfill({ status: 400, headers: { "X-Request-Id": "request-1" }, json: { error: "The cursor is wrong" } }),
    );
    await goTo(page, "/accounts");
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toMatch(/The cursor is wrong.*request-1/);
    await page.unroute(failing);
    await alert.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("list", { name: "Accounts" }).waitFor();
    await alert.waitFor({ state: "detached" });
    await goTo(page, "/contacts/0190b5e0-0000-7000-8000-000000000000");
    await page.getByText("It is gone, or outside of the workspaces that you work in.").waitFor();
  });

  test("axe finds nothing, and all fits, in each width and colour", async () => {
    const { id, contactId } = await desk.conversation("Ada Lovelace", "Where is the engine?", "Engine");
    await askFor(id);
    const account = await desk.tenant.live.post("/api/accounts", { name: "Analytical Engines", plan: "gold" }, 201);
    await desk.tenant.live.put(`/api/contacts/${contactId}/account`, { accountId: account.body.id }, 200);
    await (
      await desk.tenant.owner()
    ).post("/api/cases", { workspaceId: desk.tenant.defaults.workspaceId, title: "An engine without steam" }, 201);
    await contact({ name: "A. King", emails: ["countess@example.com"], phones: ["+442071234567"], labels: ["vip"] });
    const page = await begin("/attention", VIEWS[0]![0]);
    await page.getByRole("button", { name: "Resolve" }).first().waitFor();
    await checkViews(page, "dashboard-attention");
    await goTo(page, "/contacts");
    await page.getByRole("listitem").first().waitFor();
    await checkViews(page, "dashboard-contacts");
    await page.getByRole("button", { name: "New contact" }).click();
    await page.getByRole("button", { name: "Create contact" }).click();
    await checkViews(page, "dashboard-new-contact");
    await goTo(page, `/contacts/${contactId}`);
    await page.getByRole("link", { name: "Analytical Engines" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Add an email" }).click();
    await page.keyboard.type("ada@");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    await checkViews(page, "dashboard-contact-refused");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await checkViews(page, "dashboard-contact-page");
    await page.getByRole("button", { name: "Merge" }).click();
    await page.getByRole("dialog").getByRole("searchbox").fill("king");
    await page.getByRole("dialog").getByRole("button", { name: /King/ }).first().click();
    await page.getByText("You cannot undo a merge.").waitFor();
    await page.getByText("After the merge").waitFor();
    await checkViews(page, "dashboard-merge");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Erase" }).click();
    await checkViews(page, "dashboard-erase");
    await goTo(page, "/accounts");
    await page.getByRole("listitem").first().waitFor();
    await checkViews(page, "dashboard-accounts");
    await goTo(page, `/accounts/${account.body.id}`);
    await page.getByRole("link", { name: /Ada Lovelace/ }).waitFor();
    await checkViews(page, "dashboard-account");
    await goTo(page, "/search");
    await checkViews(page, "dashboard-search-empty");
    await page.getByRole("searchbox").fill("engine");
    await page.locator("mark").first().waitFor();
    await page.getByRole("list", { name: "Cases" }).waitFor();
    await checkViews(page, "dashboard-search");
  });
});
