import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byPostmark, mail } from "../../server/channels/mail-webhook-support.js";
import { provision } from "../../server/channels/support.js";
import { type MailServer, startMailServer } from "../../server/auth/mail-server.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { check, type Desk, openDesk, signIn } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`mails by webhook, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let smtp: MailServer;
  beforeAll(async () => {
    smtp = await startMailServer();
    desk = await openDesk({ OUTBOUND_ALLOW: [`127.0.0.1:${smtp.port}`] });
  });
  afterAll(async () => {
    await desk.close();
    await smtp.close();
  });

  test("an admin chooses Postmark, copies an address with its secret once, and a mail comes in there", async () => {
    const { page, context, faults } = await signIn(desk, { at: "/settings/channels/new" });
    await page.getByLabel("Name", { exact: true }).fill("By Postmark");
    await page.getByLabel("Email address").fill("support@example.com");
    await page.getByLabel("Server", { exact: true }).first().fill("127.0.0.1");
    await page.getByLabel("Port").first().fill(String(smtp.port));
    await page.getByLabel("Encryption").first().selectOption("none");
    await page.getByLabel("Mails come in by").selectOption("Postmark");
    await page.getByLabel("User name", { exact: true }).fill("support");
    await page.getByLabel("Password", { exact: true }).fill("secret");
    const secret = await page.getByLabel("Webhook secret").inputValue();
    expect(secret).toMatch(/^[\w-]{43}$/);
    await check(page, "dashboard-mail-webhooks-new");
    await page.getByRole("button", { name: "Add a channel" }).click();

    const address = page.getByRole("group", { name: "Address for Postmark" }).locator("code");
    const url = new URL(await address.innerText());
    expect([url.username, url.password]).toEqual(["parley", secret]);
    await provision(desk.app);
    await page.getByText("Works", { exact: true }).first().waitFor();
    await check(page, "dashboard-mail-webhooks-address");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("Nothing has come from Postmark yet").first().waitFor();
    const to = desk.app.baseUrl + url.pathname;
    expect(await byPostmark(to, mail("My order"), { secret })).toMatchObject({ status: 200 });
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("Postmark last sent a mail at").first().waitFor();

    // The server never shows the secret again.
    await page.reload();
    await page.getByText("Put the webhook secret in place of the three dots.").waitFor();
    expect(await address.innerText()).toBe(`http://parley:…@${url.host}${url.pathname}`);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("Amazon SES asks for its topic, and says what is wrong with it, on a phone", async () => {
    const { page, context, faults } = await signIn(desk, {
      at: "/settings/channels/new",
      viewport: { width: 390, height: 844 },
    });
    await page.getByLabel("Name", { exact: true }).fill("By SES");
    await page.getByLabel("Email address").fill("ses@example.com");
    await page.getByLabel("Server", { exact: true }).first().fill("127.0.0.1");
    await page.getByLabel("Mails come in by").selectOption("Amazon SES");
    await page.getByLabel("SNS topic").fill("my-topic");
    await page.getByRole("button", { name: "Add a channel" }).click();
    await page.getByText("Enter the ARN of a topic").waitFor();
    await check(page, "dashboard-mail-webhooks-ses-new");
    await page.getByLabel("SNS topic").fill("arn:aws:sns:eu-central-1:123456789012:incoming");
    await page.getByRole("button", { name: "Add a channel" }).click();
    await page.getByRole("heading", { name: "At Amazon SES" }).waitFor();
    await page.getByText("Parley confirms the subscription.").waitFor();
    await check(page, "dashboard-mail-webhooks-ses");
    expect(faults).toEqual([]);
    await context.close();
  });
});
