import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  APPLICATION,
  type MailProvider,
  SHARED_MAILBOX,
  startMailProvider,
} from "../../server/channels/mail-provider.js";
import { CALLBACK } from "../../server/channels/sign-in-support.js";
import { provision } from "../../server/channels/support.js";
import { type MailServer, startMailServer } from "../../server/auth/mail-server.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { check, type Desk, openDesk, signIn } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`sign-in to a mailbox, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let provider: MailProvider;
  let smtp: MailServer;
  beforeAll(async () => {
    let callback = "";
    provider = await startMailProvider(() => callback);
    smtp = await startMailServer({ opens: (token, address) => provider.opens(token, address) });
    desk = await openDesk({ OUTBOUND_ALLOW: [provider.host, `127.0.0.1:${smtp.port}`] });
    callback = desk.app.baseUrl + CALLBACK;
  });
  afterAll(async () => {
    await desk.close();
    await Promise.all([provider.close(), smtp.close()]);
  });

  test("an admin enters a provider, signs in as the mailbox, and signs in again from the attention item", async () => {
    const { page, context, faults } = await signIn(desk, { at: "/settings/channels/new" });
    await page.getByLabel("Name", { exact: true }).fill("Support");
    await page.getByLabel("Email address").fill(SHARED_MAILBOX);
    await page.getByLabel("Sign-in").selectOption("Another provider (OAuth 2.0)");
    await page.getByLabel("Application (client) ID").fill(APPLICATION.clientId);
    await page.getByLabel("Issuer").fill(provider.url);
    await page.getByLabel("Authorisation address").fill(`${provider.url}/auth`);
    await page.getByLabel("Token address").fill(`${provider.url}/token`);
    await page.getByLabel("Userinfo address").fill(`${provider.url}/me`);
    await page.getByLabel("Server", { exact: true }).first().fill("127.0.0.1");
    await page.getByLabel("Port").first().fill(String(smtp.port));
    await page.getByLabel("Encryption").first().selectOption("none");
    await page.getByLabel("Receive mails too").uncheck();
    await page.getByLabel("Secret of the application").fill(APPLICATION.clientSecret);
    await check(page, "dashboard-mail-sign-in-new");
    await page.getByRole("button", { name: "Add a channel" }).click();

    const button = page.getByRole("button", { name: "Continue to the provider" });
    await page.getByText("Not signed in").waitFor();
    await check(page, "dashboard-mail-sign-in-nobody");
    provider.visitor = "ada@example.com";
    await button.press("Enter");
    await page.getByText("Nobody was signed in.").waitFor();
    await page.getByText(`You signed in with another account, and this channel is ${SHARED_MAILBOX}`).first().waitFor();
    provider.visitor = SHARED_MAILBOX;
    await button.click();
    await page.getByText("The mailbox is signed in.").waitFor();
    await page.getByText(`as ${SHARED_MAILBOX}, since`).waitFor();
    await provision(desk.app);
    await page.getByText("Works", { exact: true }).first().waitFor();
    await check(page, "dashboard-mail-sign-in-done");

    provider.seconds = 100;
    await provider.revokeAll();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("Sign in again", { exact: true }).waitFor();
    await page.goto(`${desk.app.baseUrl}/attention`);
    await page.getByText("The provider ended the sign-in to the mailbox").waitFor();
    await check(page, "dashboard-mail-sign-in-attention");
    await page.getByRole("link", { name: "Open the channel" }).press("Enter");
    await button.click();
    await page.getByText("The mailbox is signed in.").waitFor();
    await provision(desk.app);
    await page.goto(`${desk.app.baseUrl}/attention`);
    await page.getByRole("heading", { name: "Attention" }).waitFor();
    expect(await page.getByText("The provider ended the sign-in to the mailbox").count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a mailbox at Microsoft goes by Microsoft Graph and needs no servers, unless an admin chooses them", async () => {
    const { page, context, faults } = await signIn(desk, {
      at: "/settings/channels/new",
      viewport: { width: 390, height: 844 },
    });
    await page.getByLabel("Name", { exact: true }).fill("At Microsoft");
    await page.getByLabel("Email address").fill("desk@contoso.example");
    await page.getByLabel("Sign-in").selectOption({ label: "Microsoft 365" });
    const servers = page.getByLabel("Server", { exact: true });
    expect(await servers.count()).toBe(0);
    await page.getByLabel("Send and receive by").selectOption("IMAP and SMTP");
    await expect.poll(() => servers.count()).toBe(2);
    await page.getByLabel("Send and receive by").selectOption("Microsoft Graph");
    await page.getByLabel("Application (client) ID").fill(APPLICATION.clientId);
    await page.getByLabel("Secret of the application").fill(APPLICATION.clientSecret);
    await check(page, "dashboard-mail-by-graph-390", { axe: true });
    await page.getByRole("button", { name: "Add a channel" }).click();
    await page.getByText("Not signed in").waitFor();
    const id = page.url().split("/").at(-1)!;
    const { settings } = (await (await desk.tenant.owner()).get(`/api/channels/${id}`, 200)).body;
    expect(settings).toMatchObject({ graph: { receive: true }, smtp: null, imap: null });
    expect(faults).toEqual([]);
    await context.close();
  });
});
