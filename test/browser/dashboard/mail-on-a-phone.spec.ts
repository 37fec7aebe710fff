import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upload } from "../../server/attachments/support.js";
import { type MailServer, startMailServer } from "../../server/auth/mail-server.js";
import { deliver, provision } from "../../server/channels/support.js";
import { start } from "../../server/e2e/support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import { check, checkViews, type Desk, openDesk, takeSeat } from "./support.js";

allowTimeForProcesses();

const INVITATION = `BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
UID:visit@example.org
DTSTAMP:20260301T080000Z
DTSTART;TZID=America/New_York:20260310T120000
DTEND;TZID=America/New_York:20260310T130000
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=5
SUMMARY:A visit to the workshop
LOCATION:Harbour Street 1
ORGANIZER;CN=Ada Lovelace:mailto:ada@example.org
ATTENDEE;RSVP=TRUE:mailto:support@example.com
END:VEVENT
END:VCALENDAR
`.replaceAll("\n", "\r\n");

describe.skipIf(!CHROMIUM)(`mail on a phone, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let mail: MailServer;
  let owner: Client;
  let id: string;
  let messageId: string;
  beforeAll(async () => {
    mail = await startMailServer();
    const { hostname: host, port, host: outbound } = new URL(mail.url);
    desk = await openDesk({ OUTBOUND_ALLOW: [outbound] });
    owner = await desk.tenant.owner();
    const { workspaceId } = desk.tenant.defaults;
    const channel = {
      type: "email",
      name: "Support",
      address: "support@example.com",
      settings: { smtp: { host, port: Number(port), security: "none" } },
      credentials: { username: "support", password: "secret" },
    };
    const { id: channelId } = (await owner.post(`/api/workspaces/${workspaceId}/channels`, channel, 201)).body;
    await provision(desk.app);
    const contact = { name: "Ada", emails: ["ada@example.com"] };
    id = (await start(desk.tenant.live, workspaceId, { channelId, contact })).id;
    const file = await upload(desk.tenant.live, INVITATION, "invite.ics", "text/calendar");
    const message = { body: "You are invited.", attachmentIds: [file.id] };
    messageId = (await desk.tenant.live.post(`/api/conversations/${id}/messages`, message, 201)).body.id;
  });
  afterAll(async () => {
    await desk.close();
    await mail.close();
  });

  test("an invitation is answered, a mail is forwarded, and a participant is added and taken out, by keyboard", async () => {
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    const event = page.getByRole("region", { name: "Event: A visit to the workshop" });
    await event.getByText("Every 2 weeks on Tuesday, 5 times").waitFor();
    await event.getByText("America/New York").waitFor();
    await checkViews(page, "dashboard-invitation");
    await page.setViewportSize({ width: 390, height: 844 });
    await event.getByRole("button", { name: "Accept" }).press("Enter");
    await event.getByText("You accepted").waitFor();
    expect((await owner.get(`/api/messages/${messageId}/invitation`, 200)).body.answer).toBe("accepted");
    await page.getByRole("log").getByText("Accepted: A visit to the workshop").waitFor();
    await check(page, "dashboard-invitation-answered-390", { axe: true });

    await page.getByRole("button", { name: "More about the message of Ada" }).press("Enter");
    await page.getByRole("menuitem", { name: "Forward" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Forward" });
    await dialog.locator(":focus").waitFor();
    await page.keyboard.type("grace@example.com");
    await page.keyboard.press("Tab");
    await check(page, "dashboard-forward-390", { axe: true });
    // Its answer is lost. Sent again, it is still one mail.
    await page.route("**/forward", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole("button", { name: "Send" }).press("Enter");
    await dialog.getByRole("alert").waitFor();
    await page.unroute("**/forward");
    await dialog.getByRole("button", { name: "Send" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    const { data } = (await owner.get(`/api/conversations/${id}/messages`, 200)).body;
    expect(data.filter(({ to }) => to.includes("grace@example.com"))).toHaveLength(1);
    // One after the other: they are of one conversation.
    for (let n = 0; n < 2; n++) await deliver(desk.app);
    await expect.poll(() => mail.delivered.map(({ to }) => to[0])).toEqual(["ada@example.org", "grace@example.com"]);

    await page.setViewportSize({ width: 1440, height: 900 });
    const people = page.getByRole("list", { name: "Participants" });
    await page.getByRole("button", { name: "Add", exact: true }).first().press("Enter");
    await page.getByLabel("Email address", { exact: true }).fill("charles@example.com");
    await page.keyboard.press("Enter");
    await people.getByText("charles@example.com").waitFor();
    await check(page, "dashboard-participants-1440", { axe: true });
    await page.getByRole("button", { name: "Take charles@example.com out" }).press("Enter");
    await people.waitFor({ state: "detached" });
    expect((await owner.get(`/api/conversations/${id}/participants`, 200)).body).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("a signature is written and seen below the text, and a copy goes to somebody, by keyboard at 390 px", async () => {
    const { page, faults } = await takeSeat(desk, { at: "/settings/profile" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("textbox", { name: "Signature" }).focus();
    await page.keyboard.type("**{{member.name}}**");
    await page.getByRole("form", { name: "Signature" }).getByRole("button", { name: "Save" }).press("Enter");
    await expect.poll(async () => (await owner.get("/api/me/signature", 200)).body.body).toBe("**{{member.name}}**");

    await page.goto(`${desk.app.baseUrl}/inbox/all/${id}`);
    await page.getByText("Below your text: signature").press("Enter");
    await page.locator("details strong").waitFor();
    await check(page, "dashboard-signature-390", { axe: true });
    await page.locator("body").press("Shift+C");
    await expect.poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")).toBe("Cc");
    await page.keyboard.type("grace@example.com,");
    await check(page, "dashboard-copy-390", { axe: true });
    await page.getByRole("textbox", { name: "Reply" }).focus();
    await page.keyboard.type("See you there.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("log").getByText("See you there.").waitFor();
    mail.delivered.length = 0;
    // Not held any longer.
    await expect
      .poll(async () => {
        await deliver(desk.app);
        return mail.delivered.map(({ to, headers, body }) => ({ to: to.sort(), cc: headers.cc, text: body.trim() }));
      })
      .toEqual([
        {
          to: ["ada@example.com", "grace@example.com"],
          cc: "grace@example.com",
          text: "See you there.\r\n\r\n-- \r\nOwner",
        },
      ]);
    expect(faults).toEqual([]);
  });
});
