import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../../server/auth/mail-server.js";
import { person } from "../../server/auth/second-factor-support.js";
import { type NameServer, startNameServer } from "../../server/security/name-server.js";
import { type ImapServer, provision, startImap } from "../../server/channels/support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { everyNth } from "../../support/sweep.js";
import type { Client } from "../../support/client.js";
import { check, checkViews, type Desk, goTo, type Member, openDesk, signIn, takeSeat, VIEWS } from "./support.js";

allowTimeForProcesses();

/** 2 by 2 pixels. */
const LOGO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4IScHRAwQCgAfJgQRoo8irwAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!CHROMIUM)(`settings of workspaces, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  let mail: MailServer;
  let imap: ImapServer;
  let names: NameServer;
  beforeAll(async () => {
    mail = await startMailServer();
    imap = await startImap();
    names = await startNameServer(() => ({}));
    desk = await openDesk({
      OUTBOUND_ALLOW: [mail, imap].map(({ port }) => `127.0.0.1:${port}`),
      DNS_SERVERS: [`127.0.0.1:${names.port}`],
    });
    owner = await desk.tenant.owner();
  });
  afterAll(async () => {
    await desk.close();
    names.close();
    await mail.close();
    await imap.close();
  });

  let member: Member | undefined;
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (at: string, email?: string, width = 1280): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: width < 500 ? 640 : 800 }, at, email });
    return member.page;
  };
  const read = async <Path extends string>(path: Path) => (await owner.get(path, 200)).body;
  const saved = (page: Page) => page.getByText("Saved", { exact: true }).first().waitFor();

  test("a workspace is created under a new brand, changed, and deleted by its name", async () => {
    const page = await begin("/settings/workspaces", undefined, 320);
    await page.getByRole("button", { name: "New brand" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New brand" }).click();
    await page.getByRole("alert").getByText("Enter 1 to 200 characters.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Quay Coffee");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Rename Quay Coffee" }).waitFor();

    await page.getByRole("button", { name: "New workspace" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Wholesale");
    await page.getByRole("dialog").getByLabel("Brand").selectOption("Quay Coffee");
    await page.getByLabel("Primary language").selectOption("de");
    await page.getByLabel("Time zone").selectOption("Europe/Berlin");
    await page.getByRole("dialog").getByRole("button", { name: "New workspace" }).click();
    await page.getByRole("heading", { level: 1, name: "Wholesale" }).waitFor();
    const id = page.url().split("/").at(-1)!;
    expect(await read(`/api/workspaces/${id}`)).toMatchObject({
      brandName: "Quay Coffee",
      primaryLanguage: "de",
      timezone: "Europe/Berlin",
      status: "active",
    });

    // On a phone, the parts are a list, to which each leads back.
    const parts = page.getByRole("navigation", { name: "Parts of the settings" });
    await parts.waitFor();
    await check(page, "dashboard-workspace-parts-320", { axe: true });
    // What the page is called is not said again below it.
    await parts.getByRole("link", { name: "Assistant" }).click();
    await page.getByRole("heading", { level: 1, name: "Assistant" }).waitFor();
    await page.getByRole("form", { name: "Assistant" }).waitFor();
    expect(await page.getByRole("heading", { level: 2, name: "Assistant" }).count()).toBe(0);
    await page.getByRole("link", { name: "Wholesale" }).click();
    await parts.getByRole("link", { name: "General" }).click();
    await page.getByRole("heading", { level: 1, name: "General" }).and(page.locator(":focus")).waitFor();
    expect(await parts.count()).toBe(0);
    const general = page.getByRole("form", { name: "General" });
    await general.getByLabel("Name").fill("Roast");
    await page.getByRole("link", { name: "Wholesale" }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Cancel" }).click();
    expect(await general.getByLabel("Name").inputValue()).toBe("Roast");
    const closing = page.waitForEvent("dialog");
    const closed = page.reload();
    const question = await closing;
    expect(question.type()).toBe("beforeunload");
    await question.accept();
    await closed;
    await general.getByLabel("Name").fill("Roast");
    await page.goBack();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Wholesale" }).waitFor();
    await page.goForward();

    await general.getByLabel("Name").fill("Roastery");
    await general.getByLabel("State").selectOption("inactive");
    // What a colleague changes meanwhile stays.
    await owner.patch(`/api/workspaces/${id}`, { timezone: "Asia/Tokyo" }, 200);
    await general.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Roastery" }).waitFor();
    expect(await read(`/api/workspaces/${id}`)).toMatchObject({
      name: "Roastery",
      status: "inactive",
      timezone: "Asia/Tokyo",
    });

    await page.getByRole("button", { name: "Delete the workspace" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("knowledge and policies").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete the workspace" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Enter “Roastery” to confirm").fill("Roastery");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Workspaces" }).waitFor();
    await owner.get(`/api/workspaces/${id}`, 404);
  });

  test("a part of the settings that does not exist is a page that does not exist", async () => {
    const at = `/settings/workspaces/${desk.tenant.defaults.workspaceId}`;
    const page = await begin(`${at}/tools`);
    await page.getByText(`${at}/tools`).waitFor();
    await goTo(page, at);
    await page.getByRole("link", { name: "General" }).and(page.locator("[aria-current=page]")).waitFor();
  });

  test("a logo is added, stands in the corner, is refused with a reason, and is removed", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const page = await begin(`/settings/workspaces/${workspaceId}`);
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      page.getByLabel("A picture for the logo").setInputFiles({ name, mimeType, buffer });
    await choose("logo.png", "image/png", LOGO);
    const logo = page.getByRole("img", { name: /^The logo of / });
    await logo.waitFor();
    const { logoUrl } = await read(`/api/workspaces/${workspaceId}`);
    const corner = page.locator(`nav img[src="${logoUrl}"], p img[src="${logoUrl}"]`);
    await corner.waitFor();
    await expect.poll(() => corner.evaluate((picture) => (picture as { naturalWidth?: number }).naturalWidth)).toBe(2);
    await checkViews(page, "dashboard-workspace-logo");
    await choose("logo.svg", "image/svg+xml", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
    await page.getByRole("alert").getByText("image must be a PNG, JPEG or WebP").waitFor();
    await page.getByRole("button", { name: "Remove" }).press("Enter");
    await logo.waitFor({ state: "detached" });
    await corner.waitFor({ state: "detached" });
    expect((await read(`/api/workspaces/${workspaceId}`)).logoUrl).toBeNull();
  });

  test("verification, breakers, retention and the survey are changed, and what is refused is said at its field", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const page = await begin(`/settings/workspaces/${workspaceId}`);
    const parts = page.getByRole("navigation", { name: "Parts of the settings" });
    await parts.getByRole("link", { name: "Survey" }).click();
    const survey = page.getByRole("form", { name: "Satisfaction survey" });
    await survey.getByLabel("Ask contacts for a rating").check();
    await survey.getByLabel("Scale").selectOption("10");
    await survey.getByLabel("Low score").fill("10");
    await survey.getByLabel("Ask after").fill("5");
    await survey.getByLabel("Language").selectOption("de");
    await survey.getByRole("button", { name: "Add a question" }).click();
    await survey.getByRole("textbox", { name: "German" }).fill("Wie war es?");
    await survey.getByRole("button", { name: "Save" }).click();
    await survey.getByRole("alert").getByText("Enter a whole number from 1 to 9.").waitFor();
    expect(await survey.getByLabel("Low score").getAttribute("aria-invalid")).toBe("true");
    await survey.getByLabel("Low score").fill("4");
    await Promise.all([saved(page), survey.getByRole("button", { name: "Save" }).click()]);
    expect(await read(`/api/workspaces/${workspaceId}/csat-config`)).toEqual({
      enabled: true,
      scale: 10,
      lowScoreThreshold: 4,
      delayMinutes: 5,
      askOncePerDays: 14,
      questions: { de: "Wie war es?" },
    });

    await parts.getByRole("link", { name: "Verification and retention" }).click();
    const verification = page.getByRole("form", { name: "Verification" });
    const before = await read(`/api/workspaces/${workspaceId}/identity-settings`);
    await verification.getByLabel("Caller ID", { exact: true }).uncheck();
    await verification.getByLabel("Links and codes are valid for").fill("61");
    await verification.getByRole("button", { name: "Save" }).click();
    await verification.getByRole("alert").getByText("Enter a whole number from 1 to 60.").waitFor();
    await verification.getByLabel("Links and codes are valid for").fill("20");
    await verification.getByRole("button", { name: "Save" }).click();
    await verification.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
    expect(await read(`/api/workspaces/${workspaceId}/identity-settings`)).toEqual({
      ...before,
      magicLinkMinutes: 20,
      allowedFactors: before.allowedFactors.filter((factor) => factor !== "ani_match"),
    });

    const retention = page.getByRole("form", { name: "Retention" });
    await retention.getByLabel("Keep identity events for").fill("6");
    await retention.getByText("erases all events that are older than 6 months").waitFor();
    await retention.getByRole("button", { name: "Save" }).click();
    await retention.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
    expect(await read(`/api/workspaces/${workspaceId}/retention-settings`)).toEqual({ identityRetentionMonths: 6 });

    await parts.getByRole("link", { name: "Circuit breakers" }).click();
    const breakers = page.getByRole("form", { name: "Circuit breakers" });
    const ratings = breakers.getByRole("group", { name: "Bad ratings" });
    await ratings.getByLabel("Accepted share").fill("0");
    await ratings.getByLabel("What happens then").selectOption("The agent is paused here");
    await breakers.getByRole("button", { name: "Save" }).click();
    await ratings.getByRole("alert").getByText("Enter a whole number from 1 to 99.").waitFor();
    await ratings.getByLabel("Accepted share").fill("12.5");
    await breakers.getByRole("button", { name: "Save" }).click();
    await breakers.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
    const { settings } = await read(`/api/workspaces/${workspaceId}/breaker-settings`);
    expect(settings.find(({ metric }) => metric === "csat")).toMatchObject({
      threshold: 0.125,
      action: "pause_assistant",
    });
  });

  test("a source of questions and an electronic identity are added, and what was stored stays when they change", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const page = await begin(`/settings/workspaces/${workspaceId}/verification`);
    await page.getByRole("button", { name: "Add a source" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("crm");
    await dialog.getByLabel("Answers come from").selectOption("Your own server");
    await dialog.getByLabel("Address").fill("https://crm.example.com/lookup");
    await dialog.getByLabel("Authorization").fill("Bearer of secrets");
    await dialog.getByLabel("What is asked").fill("In which city do you live?");
    await dialog.getByLabel("Key").fill("city");
    await dialog.getByLabel("Path in the answer").fill("city");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("Enter a path of .name and [n] only").waitFor();
    await dialog.getByLabel("Path in the answer").fill("$.account.city");
    await dialog.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "crm" });
    await row.getByText("Credentials stored").waitFor();
    // What a colleague adds meanwhile stays.
    const contact = {
      name: "contact",
      type: "contact_attributes",
      questions: [{ key: "postcode", prompt: "What is your postcode?", attribute: "postcode" }],
    };
    const crm = (await read(`/api/workspaces/${workspaceId}/verification-sources`)).sources[0]!;
    const { key, prompt, path } = crm.questions[0]!;
    await owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      { sources: [contact, { name: "crm", type: "http", url: crm.url, questions: [{ key, prompt, path }] }] },
      200,
    );
    await row.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("What is asked").fill("Which city is yours?");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read(`/api/workspaces/${workspaceId}/verification-sources`)).sources).toMatchObject([
      contact,
      {
        name: "crm",
        url: "https://crm.example.com/lookup",
        hasCredentials: true,
        questions: [{ key: "city", prompt: "Which city is yours?", path: "$.account.city" }],
      },
    ]);
    expect(await page.content()).not.toContain("Bearer of secrets");

    await page.getByRole("button", { name: "Add a provider" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("bank-id");
    await dialog.getByLabel("Issuer").fill("https://eid.example.com");
    await dialog.getByLabel("Client ID").fill("parley");
    await dialog.getByLabel("Client secret").fill("two words");
    await dialog.getByLabel("The first approval counts if").selectOption("an identifier is on file");
    await dialog.getByLabel("Claim of the ID token").fill("customer_number");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByLabel("Client secret").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("Client secret").fill("one-word");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("listitem").filter({ hasText: "bank-id" }).waitFor();
    expect((await read(`/api/workspaces/${workspaceId}/eid-schemes`)).schemes).toMatchObject([
      {
        name: "bank-id",
        issuer: "https://eid.example.com",
        hasSecret: true,
        binding: { match: "identifier", identifierClaim: "customer_number", identifierAttribute: null },
      },
    ]);
    await row.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    expect((await read(`/api/workspaces/${workspaceId}/verification-sources`)).sources).toMatchObject([contact]);
  });

  test("a mailbox is added, set up and tested, its credentials are replaced and never shown, and it is turned off", async () => {
    const { workspaceId } = desk.tenant.defaults;
    mail.password = "the first secret";
    const page = await begin("/settings/channels");
    await page.getByRole("link", { name: "Add a channel" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Letters");
    await page.getByLabel("Email address").fill("nobody");
    await page.getByLabel("Receive mails too").waitFor();
    const sending = page.getByRole("group", { name: "Server for sending (SMTP)" });
    const receiving = page.getByRole("group", { name: "Server for receiving (IMAP)" });
    for (const [server, port] of [
      [sending, mail.port],
      [receiving, imap.port],
    ] as const) {
      await server.getByLabel("Server", { exact: true }).fill("127.0.0.1");
      await server.getByLabel("Port").fill(String(port));
      await server.getByLabel("Encryption").selectOption("None");
    }
    await sending.getByLabel("Port").fill("70000");
    await page.getByLabel("User name", { exact: true }).fill("support");
    const add = page.getByRole("button", { name: "Add a channel" });
    await add.click();
    await page.getByRole("alert").getByText("Enter an email address.").waitFor();
    await page.getByLabel("Email address").fill("letters@example.com");
    await add.click();
    await sending.getByRole("alert").getByText("Enter a whole number from 1 to 65,535.").waitFor();
    await sending.getByLabel("Port").fill(String(mail.port));
    await add.click();
    // The password is missing.
    await expect.poll(() => page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Password", { exact: true }).fill("the first secret");
    await add.click();

    await page.getByRole("heading", { level: 1, name: "Letters" }).waitFor();
    const id = page.url().split("/").at(-1)!;
    const server = (port: number) => ({ host: "127.0.0.1", port, security: "none" });
    expect(await read(`/api/channels/${id}`)).toMatchObject({
      workspaceId,
      type: "email",
      address: "letters@example.com",
      hasCredentials: true,
      settings: { smtp: server(mail.port), imap: server(imap.port) },
    });
    await provision(desk.app);
    // The page follows by itself.
    await page.getByText("Works", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page
      .getByRole("main")
      .getByText("Signed in to send and to receive; the inbox holds 3 mails")
      .last()
      .waitFor();
    const spf = page.getByRole("listitem", { name: "SPF" });
    await spf.getByText("Fails", { exact: true }).waitFor();
    await spf.getByText("v=spf1 ip4:127.0.0.1 ~all", { exact: true }).waitFor();
    await spf.getByRole("button", { name: "Copy" }).last().waitFor();
    await page.getByRole("listitem", { name: "DKIM" }).getByText("Not known", { exact: true }).waitFor();
    await page.getByRole("listitem", { name: "DMARC" }).getByText("v=DMARC1; p=none", { exact: true }).waitFor();
    await checkViews(page, "channel-mail");

    mail.password = "the second secret";
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page
      .getByRole("main")
      .getByText(/refused the user name or the password/)
      .last()
      .waitFor();
    await page.getByRole("button", { name: "Replace" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    await dialog.getByLabel("User name", { exact: true }).fill("support");
    await dialog.getByLabel("Password", { exact: true }).fill("the second secret");
    await dialog.getByRole("button", { name: "Replace" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect.poll(async () => (await read(`/api/channels/${id}`)).lastTest?.ok).toBe(true);
    expect(mail.told.at(-1)).toBe("the second secret");
    expect(await page.content()).not.toMatch(/the (first|second) secret/);

    await page.getByRole("group", { name: "Server for sending (SMTP)" }).getByLabel("Port").fill("2525");
    await page.getByText("This is another server.").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByLabel("Sender's name").fill("Harbour Books");
    await page.getByRole("form", { name: "Settings" }).getByRole("button", { name: "Save" }).click();
    // "Saved" may still be there from the password before.
    await expect
      .poll(() => read(`/api/channels/${id}`))
      .toMatchObject({ hasCredentials: true, settings: { fromName: "Harbour Books", smtp: server(mail.port) } });
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn on" }).waitFor();
    expect(await read(`/api/channels/${id}`)).toMatchObject({ status: "disabled" });
  });

  test("a contact form is made, its line works on a page, and it is turned off and deleted", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const page = await begin("/settings/widgets");
    await page.getByRole("button", { name: "New widget in Support" }).click();
    await page.getByRole("menuitem", { name: "New contact form" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Help page");
    await dialog.getByLabel("Pages that may show it").fill("www.example.com");
    await dialog.getByLabel("Phone").selectOption("Required");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("Enter each with scheme and host only").waitFor();
    await dialog.getByLabel("Pages that may show it").fill("https://www.example.com");
    await dialog.getByRole("button", { name: "Save" }).click();
    const line = (await dialog.getByRole("group", { name: "Line for your page" }).locator("code").textContent())!;
    const [, script, key] = /^<script src="(.*)" data-key="(.*)" async><\/script>$/.exec(line)!;
    expect((await fetch(script!)).status).toBe(200);
    const visitor = desk.app.client();
    const shown = () =>
      visitor.get(`/api/public/contact-form-widgets/${key}`, undefined, {
        headers: { Origin: "https://www.example.com" },
      });
    expect((await shown()).body).toMatchObject({ fields: { phone: "required" } });

    // The same form now changes what it has created.
    await dialog.getByLabel("Title").fill("Write to us");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
    const forms = await read(`/api/workspaces/${workspaceId}/contact-form-widgets`);
    expect(forms).toMatchObject([{ name: "Help page", publicKey: key, settings: { title: "Write to us" } }]);
    await page.keyboard.press("Escape");
    const row = page.getByRole("listitem").filter({ hasText: "Help page" });
    await row.getByRole("button", { name: "Turn off" }).click();
    await row.getByRole("button", { name: "Turn on" }).waitFor();
    expect((await shown()).status).toBe(404);
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    expect(await read(`/api/workspaces/${workspaceId}/contact-form-widgets`)).toEqual([]);
  });

  test("an agent is created, gets other instructions with a reason, and is paused", async () => {
    const page = await begin("/settings/agents");
    await page.getByRole("button", { name: "New agent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Returns desk");
    await dialog.getByRole("button", { name: "New agent" }).click();
    await dialog.getByRole("alert").getByText("Enter 1 to 50,000 characters.").waitFor();
    await dialog.getByLabel("Instructions").fill("Help with returns.");
    await dialog.getByRole("button", { name: "New agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Returns desk" }).waitFor();
    const id = page.url().split("/").at(-1)!;

    const instructions = page.getByRole("form", { name: "Instructions" });
    await instructions.getByLabel("Text").fill("Help with returns and refunds.");
    await instructions.getByLabel("Why do you change it?").fill("Refunds came along");
    await instructions.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Versions (2)" }).click();
    await page.getByRole("dialog").getByText("Refunds came along").waitFor();
    expect(await page.getByRole("dialog").locator("ins").first().textContent()).toContain("and refunds");
    await page.keyboard.press("Escape");
    await page.getByRole("form", { name: "Details" }).getByLabel("Tools").fill("offer-refund");
    await page.getByLabel("If the model writes a sentence").selectOption("Send nothing and hand over");
    await page.getByRole("form", { name: "Details" }).getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("form", { name: "Details" })
      .getByRole("button", { name: "Discard" })
      .waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add a guardrail" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Large refunds");
    await dialog.getByLabel("Tools").fill("another-tool");
    await dialog.getByLabel("Conditions").fill('{"field": "order.total", "op": "gt", "value": 100}');
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("which is not among the agent's tools").waitFor();
    await dialog.getByLabel("Tools").fill("offer-refund");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Needs an approval; offer-refund; order.total is greater than 100").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Activate" }).waitFor();
    expect(await read(`/api/agents/${id}`)).toMatchObject({
      instructions: "Help with returns and refunds.",
      instructionsVersion: 2,
      status: "paused",
      tools: ["offer-refund"],
      unsupportedSentences: "hand_off",
      guardrails: [{ name: "Large refunds", effect: "require_approval", tools: ["offer-refund"] }],
      workspaceIds: [desk.tenant.defaults.workspaceId],
    });
    expect((await read(`/api/agents/${id}/instructions/versions`)).data).toMatchObject([
      { version: 2, reason: "Refunds came along" },
      { version: 1, instructions: "Help with returns." },
    ]);
  });

  test("the test side shows what it captured, with its text", async () => {
    const onTest = await desk.tenant.owner("test");
    await onTest.post("/api/members", { email: "mia@example.com", name: "Mia", role: "observer" }, 201);
    member = await signIn(desk, { at: "/settings/captured-messages" });
    const { page, context } = member;
    await page.getByText("The live side really sends.").waitFor();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Switch to the test side" }).click();
    await page.getByLabel("Email").fill(desk.tenant.ownerEmail);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Captured messages" }).click();
    const captured = page.getByRole("article").filter({ hasText: "mia@example.com" });
    await captured.getByText("Your invitation to Parley").waitFor();
    await captured.getByText("Choose your password here").waitFor();
    await captured.getByRole("link", { name: /\/invitation#/ }).waitFor();
    await page.route("**/api/captured-messages?*", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { body: string }[] };
      for (const one of data) one.body += `\n${"And so on.\n".repeat(20)}This is the end.`;
      await route.fulfill({ response, json: { data } });
    });
    await page.reload();
    const whole = captured.getByRole("button", { name: "Show all" });
    await whole.waitFor();
    expect(await captured.textContent()).not.toContain("This is the end.");
    await checkViews(page, "dashboard-captured-messages");
    await whole.click();
    await captured.getByText("This is the end.").waitFor();
    await context.close();
  });

  test("an agent reads that these pages are for owners and admins", async () => {
    const { email } = await person(owner);
    const page = await begin("/settings/workspaces", email);
    await page.getByText("Owners and admins see this.").waitFor();
    expect(await page.getByRole("link", { name: "Workspaces" }).count()).toBe(0);
    await goTo(page, `/settings/workspaces/${desk.tenant.defaults.workspaceId}`);
    await page.getByText("Owners and admins see this.").waitFor();
  });

  test("axe finds nothing, and all fits, in each width and colour", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const [webchat] = (await read(`/api/workspaces/${workspaceId}/channels`)).filter(({ type }) => type === "webchat");
    const [agent] = await read("/api/agents");
    const pages = [
      "/settings/workspaces",
      `/settings/workspaces/${workspaceId}`,
      `/settings/workspaces/${workspaceId}/survey`,
      `/settings/workspaces/${workspaceId}/verification`,
      `/settings/workspaces/${workspaceId}/breakers`,
      "/settings/channels",
      "/settings/channels/new",
      `/settings/channels/${webchat!.id}`,
      "/settings/widgets",
      "/settings/agents",
      `/settings/agents/${agent!.id}`,
    ];
    const page = await begin(pages[0]!, undefined, VIEWS[0]![0]);
    for (const [i, at] of everyNth([...pages.entries()], 2)) {
      await goTo(page, at);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await checkViews(page, `dashboard-workspaces-${i}`);
    }
    await goTo(page, `/settings/channels/${webchat!.id}`);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await page.getByRole("form", { name: "Settings" }).waitFor();
    await checkViews(page, "dashboard-channel-rtl");
  });
});
