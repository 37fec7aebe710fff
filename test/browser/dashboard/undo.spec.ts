import type { Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { type MailServer, startMailServer } from "../../server/auth/mail-server.js";
import { provision } from "../../server/channels/support.js";
import { start } from "../../server/e2e/support.js";
import { PASSWORD } from "../../support/app.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import { mailOf, takeMail } from "../../support/formatted-mail.js";
import { check, checkViews, type Desk, openDesk, settle, signIn, takeSeat, withoutHaste } from "./support.js";

allowTimeForProcesses();

/** A picture of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(!CHROMIUM)(`answers by mail, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let mail: MailServer;
  let owner: Client;
  let channelId: string;
  beforeAll(async () => {
    mail = await startMailServer();
    const { hostname: host, port, host: outbound } = new URL(mail.url);
    desk = await openDesk({ OUTBOUND_ALLOW: [outbound] });
    owner = await desk.tenant.owner();
    const channel = {
      type: "email",
      name: "Support",
      address: "support@example.com",
      settings: { smtp: { host, port: Number(port), security: "none" } },
      credentials: { username: "support", password: "secret" },
    };
    const path = `/api/workspaces/${desk.tenant.defaults.workspaceId}/channels` as const;
    channelId = (await owner.post(path, channel, 201)).body.id;
    await provision(desk.app);
  });
  afterAll(async () => {
    await desk.close();
    await mail.close();
  });
  const conversation = async (): Promise<string> =>
    (
      await start(desk.tenant.live, desk.tenant.defaults.workspaceId, {
        channelId,
        contact: { name: "Ada", emails: ["ada@example.com"] },
        message: { body: "Where is my order?" },
      })
    ).id;

  /** Lets the one reply leave that is held, as soon as the server holds it. */
  const endHold = async (): Promise<void> => {
    const due = "update outbox_queue set due_at = now() - interval '1 second' where held returning id";
    await expect.poll(async () => (await desk.app.db.query(due)).length).toBe(1);
    await desk.app.app.get(OutboxWorker).tick();
  };

  test("a reply that is taken back does not leave, and its text is in the field again", async () => {
    const id = await conversation();
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    const reply = page.getByRole("textbox", { name: "Reply" });
    await reply.fill("It is lost.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await check(page, "dashboard-undo");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => reply.inputValue()).toBe("It is lost.");
    await page.getByText("Taken back").waitFor();

    await reply.fill("It is on its way.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await endHold();
    await expect.poll(() => mail.delivered.map(({ body }) => body.trim())).toEqual(["It is on its way."]);
    expect(faults).toEqual([]);
  });

  test("a member sets a signature, sees what goes below a mail, and a pasted picture leaves at its place", async () => {
    const id = await conversation();
    const { page, faults } = await takeSeat(desk, { at: "/settings/profile" });
    await page.getByRole("textbox", { name: "Signature" }).fill("**{{member.name}}**");
    // It goes by itself.
    await Promise.all([
      page.getByText("Saved", { exact: true }).waitFor(),
      page.getByRole("form", { name: "Signature" }).getByRole("button", { name: "Save" }).click(),
    ]);
    await page.goto(`${desk.app.baseUrl}/inbox/all/${id}`);
    await page.getByText("Below your text: signature").click();
    await page.locator("details strong").waitFor();
    await check(page, "dashboard-mail-frame");

    const reply = page.getByRole("textbox", { name: "Reply" });
    await reply.fill("Look:");
    await page.evaluate(`{
      const field = document.querySelector("form textarea");
      const data = new DataTransfer();
      const dot = Uint8Array.from(atob("${DOT}"), (sign) => sign.charCodeAt(0));
      data.items.add(new File([dot], "dot.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await expect.poll(() => reply.inputValue()).toMatch(/^Look:\n\n!\[dot\.png\]\(cid:[\w-]{36}\)$/);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    const before = mail.sources.length;
    await endHold();
    await expect.poll(() => mail.sources.length).toBe(before + 1);
    const source = mail.sources[before]!;
    const cid = /Content-ID: <([^>]+)>/i.exec(source)![1]!;
    expect(source.replace(/=\r\n/g, "")).toContain(`src=3D"cid:${cid}"`);
    expect(source).toContain("<strong>");
    // The thread shows it at its place, and not a second time.
    expect(await page.getByRole("log").getByRole("img", { name: "dot.png" }).count()).toBe(1);
    await owner.put("/api/me/signature", { body: null }, 200);
    expect(faults).toEqual([]);
  });

  test("pictures of the same name, pasted while others are on their way, leave together, each where the caret was", async () => {
    const id = await conversation();
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    await page.getByRole("log").getByText("Where is my order?").waitFor();
    const underWay: Route[] = [];
    await page.route("**/api/attachments", (route) => void underWay.push(route));
    const paste = `{
      const data = new DataTransfer();
      const dot = Uint8Array.from(atob("${DOT}"), (sign) => sign.charCodeAt(0));
      // Browsers give every screenshot this name.
      data.items.add(new File([dot], "image.png", { type: "image/png" }));
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector("form textarea").dispatchEvent(event);
    }`;
    const reply = page.getByRole("textbox", { name: "Reply" });
    await reply.pressSequentially("First: ");
    await page.evaluate(paste);
    await expect.poll(() => underWay.length).toBe(1);
    await reply.pressSequentially("Then: ");
    await page.evaluate(paste);
    await expect.poll(() => underWay.length).toBe(2);
    await underWay[0]!.continue();
    const picture = String.raw`!\[image\.png\]\(cid:[\w-]{36}\)`;
    await expect.poll(() => reply.inputValue()).toMatch(new RegExp(`^First: \n\n${picture}\n\nThen: $`));
    const send = page.getByRole("button", { name: "Send", exact: true });
    expect(await send.isEnabled()).toBe(false);
    await underWay[1]!.continue();
    await expect.poll(() => reply.inputValue()).toMatch(new RegExp(`^First: \n\n${picture}\n\nThen: \n\n${picture}$`));
    await expect.poll(() => send.isEnabled()).toBe(true);
    await reply.fill("");
    expect(faults).toEqual([]);
  });

  test("Cc, Bcc and subject are written by keyboard alone, go out with the mail, and come back with a reply that is taken back", async () => {
    const id = await conversation();
    await owner.post(`/api/conversations/${id}/participants`, { address: "grace@example.com", name: "Grace" }, 201);
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    await page.getByRole("log").getByText("Where is my order?").waitFor();
    await page.getByRole("button", { name: "Change the recipients: To Ada, Cc Grace" }).waitFor();
    await page.locator("body").press("Shift+C");
    const isAt = (label: string): Promise<void> =>
      expect.poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")).toBe(label);
    await isAt("Cc");
    await page.keyboard.type("charles@example.com,");
    await page.keyboard.press("Tab");
    await isAt("Bcc");
    await page.keyboard.type("hidden@example.com");
    await page.keyboard.press("Tab");
    await isAt("Subject");
    await page.keyboard.type("Your parcel");
    await checkViews(page, "dashboard-recipients");
    await page.keyboard.press("Tab");
    await isAt("Quote");
    await page.getByText("Mailbox default: Nothing").waitFor({ state: "attached" });
    await page.getByRole("combobox", { name: "Quote" }).selectOption("The last message");
    await page.getByText("Below your text: what is quoted").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("It is on its way.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).click();
    const line =
      "Change the recipients: To Ada, Cc Grace, charles@example.com, Bcc hidden@example.com, Your parcel, Quote: The last message";
    await page.getByRole("button", { name: line }).waitFor();
    await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    // The one that was taken back stays in the thread, as such.
    await expect.poll(() => page.getByRole("log").getByText("Bcc hidden@example.com").count()).toBe(2);
    mail.delivered.length = 0;
    await endHold();
    await expect
      .poll(() =>
        mail.delivered.map(({ to, headers }) => ({ to: to.sort(), subject: headers.subject, cc: headers.cc })),
      )
      .toEqual([
        {
          to: ["ada@example.com", "charles@example.com", "grace@example.com", "hidden@example.com"],
          subject: "Your parcel",
          cc: "grace@example.com, charles@example.com",
        },
      ]);
    expect(mail.delivered[0]!.body).toContain("> Where is my order?");
    expect(faults).toEqual([]);
  });

  test("with a reply that is taken back goes what it did to the conversation", async () => {
    const id = await conversation();
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    const reply = page.getByRole("textbox", { name: "Reply" });
    const log = page.getByRole("log");
    const becomes = async (status: string, said: string): Promise<void> => {
      await expect.poll(async () => (await owner.get(`/api/conversations/${id}`, 200)).body.status).toBe(status);
      await page.getByRole("article").getByText(`Email · ${said}`).waitFor();
    };
    await log.getByText("Where is my order?").waitFor();
    for (const [key, status, said] of [
      ["Control+Alt+Enter", "pending", "Waiting for the contact"],
      ["Control+Shift+Enter", "resolved", "Resolved"],
    ] as const) {
      await reply.fill(`It is ${status}.`);
      await reply.press(key);
      await log.getByRole("button", { name: "Undo" }).waitFor();
      await becomes(status, said);
      // One way back is enough.
      expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(1);
      await page.keyboard.press("Escape");
      await page.keyboard.press("z");
      await expect.poll(() => reply.inputValue()).toBe(`It is ${status}.`);
      await becomes("open", "Open");
      // The conversation may be told of before its message.
      await log.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
    }
    expect(faults).toEqual([]);
  });

  test("a reply can be taken back for as long as the member chose, or not at all", async () => {
    const id = await conversation();
    await owner.put("/api/me/preferences", { undoSeconds: 45 }, 200);
    const { page } = await takeSeat(desk, { at: `/inbox/all/${id}`, isLoaded: true });
    const reply = page.getByRole("textbox", { name: "Reply" });
    let pressed = (): void => undefined;
    const send = async (text: string): Promise<unknown> => {
      const sent = page.waitForRequest("**/reply");
      await page.getByRole("log").getByText("Where is my order?").waitFor();
      await reply.fill(text);
      await reply.press("Control+Enter");
      pressed();
      return (await sent).postDataJSON();
    };
    expect(await send("Next week.")).toMatchObject({ holdSeconds: 45 });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Taken back").waitFor();
    await expect.poll(() => reply.inputValue()).toBe("Next week.");
    await owner.put("/api/me/preferences", { undoSeconds: 0 }, 200);
    // What is sent before the member's choice is known waits for it.
    const released = new Promise<void>((resolve) => (pressed = resolve));
    await page.route("**/api/me/preferences", async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => reply.inputValue()).toBe("Next week.");
    expect(await send("This week.")).toMatchObject({ holdSeconds: 0 });
    await page.getByRole("log").getByText("This week.").waitFor();
    await settle(page);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await owner.put("/api/me/preferences", {}, 200);
  });

  test("a reply can be taken back from the next conversation, and by nobody but its author", async () => {
    await owner.put("/api/me/preferences", { undoSeconds: 60 }, 200);
    const next = await conversation();
    const id = await conversation();
    const observer = `observer-${desk.tenant.ownerEmail}`;
    const colleague = `colleague-${desk.tenant.ownerEmail}`;
    for (const [email, role] of [
      [observer, "observer"],
      [colleague, "admin"],
    ] as const)
      await owner.post(
        "/api/members",
        { email, name: role, role, password: PASSWORD, workspaceIds: [desk.tenant.defaults.workspaceId] },
        201,
      );
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}`, isLoaded: true });
    const reply = page.getByRole("textbox", { name: "Reply" });
    const notice = page.getByText("Your reply leaves in a moment.");
    // The notice is there for as long as the reply can be taken back, in which two others look at it.
    await withoutHaste(page);
    await page.evaluate("{ window.clock ??= Date.now; const now = Date.now(); Date.now = () => now; }");
    await page.getByRole("log").getByText("Where is my order?").waitFor();
    await reply.fill("In Graz.");
    await reply.press("Control+Enter");
    await page.getByRole("log").getByRole("button", { name: "Undo" }).waitFor();
    expect(await notice.count()).toBe(0);

    for (const email of [observer, colleague]) {
      const other = await signIn(desk, { at: `/inbox/all/${id}`, email });
      await other.page.getByRole("log").getByText("Leaves in a moment").waitFor();
      expect(await other.page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      if (email === observer) {
        await other.page.keyboard.press("Control+k");
        const commands = other.page.getByRole("option");
        await commands.filter({ hasText: "Next conversation" }).waitFor();
        for (const name of [/^Reply/, /^Write a note/])
          expect(await commands.filter({ hasText: name }).count()).toBe(0);
      }
      expect(other.faults).toEqual([]);
      await other.context.close();
    }

    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await notice.waitFor();
    expect(page.url()).toContain(next);
    await check(page, "dashboard-undo-elsewhere");
    await page.keyboard.press("z");
    await expect.poll(() => page.url()).toContain(id);
    await expect.poll(() => reply.inputValue()).toBe("In Graz.");
    await page.getByRole("log").getByText("Taken back").waitFor();
    await notice.waitFor({ state: "detached" });

    await owner.put("/api/me/preferences", {}, 200);
    expect(faults).toEqual([]);
  });

  test("a reply that was not delivered is sent again by the agent who wrote it", async () => {
    const email = `agent-${desk.tenant.ownerEmail}`;
    const member = { email, name: "Agent", role: "agent", password: PASSWORD } as const;
    await owner.post("/api/members", { ...member, workspaceIds: [desk.tenant.defaults.workspaceId] }, 201);
    const id = await conversation();
    const { page, faults } = await signIn(desk, { at: `/inbox/all/${id}`, email });
    await page.getByRole("log").getByText("Where is my order?").waitFor();
    await page.getByRole("textbox", { name: "Reply" }).fill("At the customs.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("log").getByRole("button", { name: "Undo" }).waitFor();
    const attempt = async (): Promise<void> => {
      const due =
        "update outbox_queue set due_at = now() - interval '1 second' where conversation_id = $1 returning id";
      await expect.poll(async () => (await desk.app.db.query(due, [id])).length).toBe(1);
      await desk.app.app.get(OutboxWorker).tick();
    };
    mail.refuse = { code: 550, at: "recipient" };
    await attempt();
    mail.refuse = undefined;
    await page.getByText(/^Not delivered/).waitFor();
    await check(page, "dashboard-not-delivered");
    await Promise.all([
      page.getByRole("status").getByText("It is being sent again.").waitFor(),
      page.getByRole("button", { name: "Retry" }).click(),
    ]);
    await attempt();
    await expect.poll(() => mail.delivered.at(-1)?.body.trim()).toBe("At the customs.");
    await page.getByText(/^Not delivered/).waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  test("a canned reply is filled in for the contact, and Markdown has a preview", async () => {
    const id = await conversation();
    const unsafe = "<img src=x onerror=alert(1)> <script>alert(2)</script> [no](javascript:alert(3))";
    const body = `Hello {{contact.firstName | there}}, your refund is **on its way**. ${unsafe}`;
    await owner.post("/api/canned-replies", { shortcut: "refund", title: "Refund is on its way", body }, 201);
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${id}`, isLoaded: true });
    await page.getByRole("button", { name: "Insert a canned reply" }).click();
    await page.getByRole("option", { name: "Refund is on its way" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Reply" }).inputValue())
      .toBe(`Hello Ada, your refund is **on its way**. ${unsafe}`);
    await page.getByRole("button", { name: "Preview" }).click();
    expect(await page.locator("form").locator("strong").textContent()).toBe("on its way");
    expect(
      await page.locator("form").locator("img, script, a").count(),
      "HTML is text, and so is no address of a page",
    ).toBe(0);
    await check(page, "dashboard-preview");
    expect(faults).toEqual([]);
  });

  test("a mail is shown as its sender formatted it, with quoted text folded, and can be read as text", async () => {
    const html = `<table width="100%" bgcolor="#0b3d91"><tr><td style="padding: 16px; color: #fff; font-size: 20px"><img src="cid:logo" width="24" height="24" alt=""> Harbour Books</td></tr></table>
      <p>The lamp came <b>broken</b>. Can I have a <a href="https://shop.example/returns">new one</a>?</p>
      <img src="https://shop.example/lamp.png" alt="The lamp"><script>top.document.title = "stolen"</script>
      <div class="gmail_quote">On Monday, Support wrote:<blockquote type="cite">It is on its way.</blockquote></div>`;
    const { tenantId, defaults } = desk.tenant;
    const place = { tenantId, id: channelId, workspaceId: defaults.workspaceId };
    const { conversationId } = await takeMail(desk.app, place, mailOf(html));
    const { page, faults } = await takeSeat(desk, { at: `/inbox/all/${conversationId}` });
    const mailFrame = page.frameLocator('iframe[title="The mail as it was sent"]');
    await mailFrame.getByText("Harbour Books").waitFor();
    const quote = mailFrame.getByText("It is on its way.");
    expect(await quote.isVisible()).toBe(false);
    await checkViews(page, "dashboard-mail-html");
    await mailFrame.getByText("Quoted text").press("Enter");
    await quote.waitFor();
    expect(await page.title()).not.toBe("stolen");
    expect(await page.getByRole("button", { name: "Show 1 picture" }).count()).toBe(1);
    await page.getByRole("button", { name: "Show as text" }).press("Enter");
    await page.getByRole("log").getByText("Hello").waitFor();
    expect(faults).toEqual([]);
  });
});
