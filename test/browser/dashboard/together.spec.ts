import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, pendingOf, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import {
  type Desk,
  draftsOnDisk,
  type Member,
  openDesk,
  PATIENT,
  settle,
  signIn,
  takeSeat,
  withoutHaste,
} from "./support.js";

allowTimeForProcesses();

const SCROLLED = "document.querySelector('[role=log]').scrollTop";

describe.skipIf(!CHROMIUM)(`two members on one conversation, in two browsers${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let grace: string;
  beforeAll(async () => {
    desk = await openDesk();
    grace = `grace-${desk.tenant.ownerEmail}`;
    const owner = await desk.tenant.owner();
    await owner.post("/api/members", { email: grace, name: "Grace", role: "admin", password: PASSWORD }, 201);
  });
  afterAll(() => desk.close());
  const both = async (conversationId: string): Promise<[Member, Member]> => {
    const at = `/inbox/all/${conversationId}`;
    return Promise.all([takeSeat(desk, { at }), takeSeat(desk, { at, email: grace })]);
  };

  test("each sees who looks and who types, and what is said arrives by itself", async () => {
    const { id } = await desk.conversation("Ada", "Hello?");
    const [{ page: one }, { page: other }] = await both(id);
    await one.getByRole("status").getByText("Grace is looking").waitFor();
    // The list says it, too.
    await one.getByRole("region", { name: "Conversations" }).getByLabel("Grace is looking").waitFor();
    // It is said for some seconds after the last letter.
    await Promise.all([
      one.getByText("Grace is writing an answer").waitFor(),
      other.getByRole("textbox", { name: "Reply" }).pressSequentially("Good mor"),
    ]);
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Anybody there?" }, 201);
    for (const page of [one, other]) await page.getByRole("log").getByText("Anybody there?").waitFor();
    await other.getByRole("button", { name: "Take over" }).click();
    await one.getByText("Grace handles this conversation.").waitFor();
  });

  test("an answer waits until its author has seen what came while they read further up, and is then in sight itself", async () => {
    const { id } = await desk.conversation("Emmy", "Where is my parcel?");
    const say = (body: string) => desk.tenant.live.post(`/api/conversations/${id}/messages`, { body }, 201);
    for (let n = 1; n <= 20; n++) await say(`Line ${n}`);
    const { page } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    const messages = page.getByRole("log");
    await messages.getByText("Line 20").waitFor();
    await messages.hover();
    await page.mouse.wheel(0, -5_000);
    await expect.poll(() => page.evaluate(SCROLLED)).toBe(0);
    await say("Never mind, it is here.");
    await page.getByRole("button", { name: "New below" }).waitFor();
    const reply = page.getByRole("textbox", { name: "Reply" });
    await reply.fill("It is lost.");
    await reply.press("Control+Enter");
    await page.getByRole("alert").getByText("There is something new that you have not read.").waitFor();
    const isInSight = (text: string) =>
      expect
        .poll(async () => {
          const [box, line] = await Promise.all([messages.boundingBox(), messages.getByText(text).boundingBox()]);
          return box && line && line.y >= box.y && line.y + line.height <= box.y + box.height;
        })
        .toBe(true);
    await isInSight("Never mind, it is here.");
    expect(await reply.inputValue()).toBe("It is lost.");
    await reply.fill("Good!");
    await page.mouse.wheel(0, -5_000);
    await expect.poll(() => page.evaluate(SCROLLED)).toBe(0);
    await reply.press("Control+Enter");
    await isInSight("Good!");
    const said = async () => (await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data;
    await expect.poll(async () => (await said()).map(({ body }) => body)).toContain("Good!");
    expect((await said()).map(({ body }) => body)).not.toContain("It is lost.");
  });

  test("two answers at the same time: one is sent, the other member reads it first and loses no letter", async () => {
    const { id } = await desk.conversation("Ada", "When do you open?");
    const [{ page: one }, { page: other }] = await both(id);
    for (const page of [one, other]) await page.getByRole("log").getByText("When do you open?").waitFor();
    // This browser does not hear of the other's answer before it sends its own. A stream that is open goes on offline.
    await other.context().route("**/api/events?*", (route) => route.abort());
    await other.reload();
    await other.getByRole("log").getByText("When do you open?").waitFor();
    await other.context().setOffline(true);
    await other.getByRole("textbox", { name: "Reply" }).fill("At ten.");
    await one.getByRole("textbox", { name: "Reply" }).fill("At nine.");
    await one.getByRole("button", { name: "Send", exact: true }).click();
    await one.getByRole("log").getByText("At nine.").waitFor();
    await other.getByRole("button", { name: "Send", exact: true }).click();
    await other.getByText("Waits for the connection").waitFor();
    await other.context().setOffline(false);
    await other.getByRole("alert").getByText("something new that you have not read").waitFor();
    await other.getByRole("log").getByText("At nine.").waitFor();
    expect(await other.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("At ten.");
    const { body } = await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200);
    expect(body.data.map(({ body: text }) => text)).toEqual(["When do you open?", "At nine."]);
    await other.getByRole("button", { name: "Send", exact: true }).click();
    await one.getByRole("log").getByText("At ten.").waitFor();
  });

  test("a reply that is refused while its author reads on is said, with the way to its text", async () => {
    await desk.conversation("Mary", "Anything else?");
    const { id } = await desk.conversation("Ada", "Is it raining?");
    const { page, context } = await takeSeat(desk, { at: `/inbox/all/${id}` });
    await page.getByRole("log").getByText("Is it raining?").waitFor();
    await context.route("**/reply", async (route) => {
      // Meanwhile the contact has written.
      await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "It has stopped." }, 201);
      await page.getByRole("heading", { name: "Mary" }).waitFor();
      await route.continue();
    });
    await page.keyboard.press("r");
    await page.keyboard.type("Yes, take a coat.");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    const alert = page.getByRole("alert").filter({ hasText: "Not sent, and in your draft again" });
    await withoutHaste(page);
    await page.keyboard.press("j");
    await alert.getByRole("link", { name: "Open" }).click();
    await page.getByRole("log").getByText("It has stopped.").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("Yes, take a coat.");
    await alert.waitFor({ state: "detached" });
  });

  test("a draft survives a reload, and is the member's own", async () => {
    const { id } = await desk.conversation("Ada", "Do you sell maps?");
    const [{ page: one }, { page: other }] = await both(id);
    await one.getByRole("textbox", { name: "Reply" }).fill("Yes, of the whole coast");
    await expect
      .poll(() => draftsOnDisk(one), PATIENT)
      .toContainEqual(expect.objectContaining({ reply: "Yes, of the whole coast" }));
    await one.reload();
    await one.getByRole("log").waitFor();
    await expect.poll(() => one.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("Yes, of the whole coast");
    await other.reload();
    await other.getByRole("log").waitFor();
    await settle(other);
    expect(await other.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("");
  });

  test("a draft changed in the last second of a page is on the server soon after the next page starts", async () => {
    const { id } = await desk.conversation("Ada", "Do you sell tents?");
    const { page, context } = await signIn(desk, { at: `/inbox/all/${id}` });
    const owner = await desk.tenant.owner();
    const saved = async () => (await owner.get(`/api/conversations/${id}/draft`, 200)).body.body;
    // The page is gone before it can save.
    await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await page.getByRole("textbox", { name: "Reply" }).fill("Yes, for two and for four");
    await expect.poll(() => draftsOnDisk(page), PATIENT).toMatchObject([{ reply: "Yes, for two and for four" }]);
    await page.goto("about:blank");
    expect(await saved()).toBe("");
    await page.unroute("**/draft");
    await page.clock.install();
    await page.goto(`${desk.app.baseUrl}/contacts`);
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    // Another tab would have saved it by then. A request that is on its way while the clock moves would be given up.
    const later = async (): Promise<string> => {
      if (pendingOf(page) === 0) await page.clock.fastForward(10_000);
      return saved();
    };
    await expect.poll(later, PATIENT).toBe("Yes, for two and for four");
    await context.close();
  });

  test("a reply that waits never goes out in the name of whoever signs in next", async () => {
    const { id } = await desk.conversation("Ada", "Is anybody there?");
    const { page, context } = await signIn(desk, { at: `/inbox/all/${id}` });
    await page.getByRole("log").getByText("Is anybody there?").waitFor();
    await page.clock.install();
    await context.setOffline(true);
    await page.getByRole("textbox", { name: "Reply" }).fill("From the owner.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Waits for the connection").waitFor();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Email").waitFor();
    await context.setOffline(false);
    const signInAs = async (email: string): Promise<void> => {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("log").getByText("Is anybody there?").waitFor();
    };
    const texts = async () =>
      (await desk.tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data.map(({ body }) => body);
    await signInAs(grace);
    const reply = page.getByRole("textbox", { name: "Reply" });
    expect(await reply.inputValue()).toBe("");
    // Longer than the pause between two attempts. What is sent after them arrives after what they would have sent.
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect.poll(() => pendingOf(page), PATIENT).toBe(0);
      await page.clock.fastForward(16_000);
    }
    await reply.fill("From Grace.");
    await reply.press("Control+Enter");
    await page.getByRole("log").getByText("From Grace.").waitFor();
    await expect.poll(texts, PATIENT).toContain("From Grace.");
    expect(await texts()).toEqual(["Is anybody there?", "From Grace."]);
    await context.close();
  });

  test("a page shows nothing to whoever signs in after its member, in another tab", async () => {
    const { id } = await desk.conversation("Ada", "For the owner's eyes");
    const { page, context } = await signIn(desk, { at: `/inbox/all/${id}` });
    await page.getByRole("log").getByText("For the owner's eyes").waitFor();
    await settle(page);
    const answer = await context.request.post(`${desk.app.baseUrl}/api/auth/login`, {
      data: { email: grace, password: PASSWORD, environment: "live" },
    });
    expect(answer.status()).toBe(200);
    // The page's own token ends. The cookie is that of the other member by now.
    await page.route("**/api/**", (route) =>
      route.request().headers().authorization
        ? route.fulfill({ status: 401, json: { error: "Unauthorized" } })
        : route.continue(),
    );
    // If another request of the page was refused before, the button is gone, and the click ends with the page.
    page
      .getByRole("button", { name: "Resolve" })
      .click()
      .catch(() => undefined);
    await page.getByLabel("Email").waitFor();
    expect(await page.getByText("For the owner's eyes").count()).toBe(0);
    await page.unrouteAll();
    await context.close();
  });

  test("a notice of the live side leads to its conversation, also from a page of the test side", async () => {
    const { id } = await desk.conversation("Ida", "Live and well");
    const { page, context } = await signIn(desk, { side: "test" });
    // Whoever has notices has signed in on the live side.
    await context.request.post(`${desk.app.baseUrl}/api/auth/login`, {
      data: { email: desk.tenant.ownerEmail, password: PASSWORD, environment: "live" },
    });
    await page.evaluate(`localStorage["parley.known.live"] = "1"`);
    await page.getByRole("region", { name: "Conversations" }).waitFor();
    // What listens for it also names the page.
    await expect.poll(() => page.title(), PATIENT).toContain("Inbox");
    await settle(page);
    await page.evaluate(`navigator.serviceWorker.dispatchEvent(
      new MessageEvent("message", { data: { type: "open", path: "/inbox/all/${id}" } }),
    )`);
    await page.getByRole("log").getByText("Live and well").waitFor();
    await context.close();
  });
});
