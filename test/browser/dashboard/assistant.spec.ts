import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { assist, saidIn, teach } from "../../server/assistant/support.js";
import {
  askForApproval,
  carryOut,
  type Desk as ToolDesk,
  openDesk as openTools,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
} from "../../server/assistant/tools-support.js";
import { newWorkspace, start } from "../../server/e2e/support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { everyNth } from "../../support/sweep.js";
import type { Client } from "../../support/client.js";
import { check, checkViews, type Desk, goTo, type Member, openDesk, pressAll, takeSeat, VIEWS } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`the assistant at the desk, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  let server: ToolServer;
  let tools: ToolDesk;
  let member: Member | undefined;
  beforeAll(async () => {
    server = await startToolServer();
    desk = await openDesk({ OUTBOUND_ALLOW: [server.host] });
    owner = await desk.tenant.owner();
    tools = await openTools(desk.app, desk.tenant, owner, server);
    await policy(tools, "require_approval");
  });
  afterAll(async () => {
    await desk.close();
    await server.close();
  });
  beforeEach(() => void (server.calls.length = 0));
  afterEach(async () => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
    for (const { id } of (await owner.get("/api/pending-actions?status=pending&limit=100", 200)).body.data)
      await owner.post(`/api/pending-actions/${id}/reject`, {}, 200);
  });
  const begin = async (at: string, width = 1280, email?: string): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: width < 500 ? 640 : 800 }, at, email });
    return member.page;
  };
  const actionOf = async (id: string) => (await owner.get(`/api/pending-actions/${id}`, 200)).body;
  const cardOf = (page: Page): Locator => page.getByRole("article", { name: "Refund order" });
  const newMember = async (role: "agent" | "observer"): Promise<string> => {
    const email = `${role}-${desk.tenant.ownerEmail}`;
    const workspaceIds = [tools.workspaceId];
    await owner.post("/api/members", { email, name: "Olga", role, workspaceIds, password: PASSWORD }, 201);
    return email;
  };

  test.each(everyNth([1280, 320], 2))(
    "an action is approved in its conversation, and done once, at %i px",
    async (width) => {
      const { action } = await askForApproval(tools);
      const page = await begin(`/inbox/all/${action.conversationId}`, width);
      const card = cardOf(page);
      await card.getByText("#W1234567").waitFor();
      await card.getByText("Refunds: require_approval: It always applies").waitFor();
      await card.getByRole("blockquote").getByText("I want my money back").waitFor();
      await card.getByRole("link", { name: "Refunds: require_approval" }).waitFor();
      await card.getByText("Asked by Shop").waitFor();
      await card.getByText("Expires in 23 hours").waitFor();
      await card.getByRole("button", { name: "Approve" }).click();
      await card.getByText("Approved by You").waitFor();
      server.answers["/refund"] = () => ({ body: { refundId: "R-17" } });
      await carryOut(desk.app);
      // Told by the event.
      await card.getByText("Done", { exact: true }).waitFor();
      await card.getByText("R-17").waitFor();
      expect(server.calls.map(({ body }) => body.arguments)).toMatchObject([{ orderId: "#W1234567", amount: 30 }]);
    },
  );

  test("times of an action are in words, as the clocks of the workspace show them", async () => {
    const { action } = await askForApproval(tools);
    await desk.app.db.query(
      `update pending_action set arguments = '{"startsAt": "2026-12-01T09:00:00Z", "endsAt": "2026-12-01T11:30:00+02:00"}' where id = $1`,
      [action.id],
    );
    await owner.patch(`/api/workspaces/${tools.workspaceId}`, { timezone: "Europe/Berlin" }, 200);
    const page = await begin(`/inbox/all/${action.conversationId}`);
    const card = cardOf(page);
    await card.getByText("Tuesday, 1 December 2026 at 10:00 (Europe/Berlin)").waitFor();
    await card.getByText("Tuesday, 1 December 2026 at 10:30 (Europe/Berlin)").waitFor();
    expect(await card.getByText("2026-12-01T").count()).toBe(0);
    await checkViews(page, "dashboard-approval-times");
  });

  test("an action outlives a take-over: the card says that the assistant tells nothing, shows what came of it, and quotes a message that is far up", async () => {
    const { run, action } = await askForApproval(tools);
    for (let n = 0; n < 51; n++)
      await tools.key.post(`/api/conversations/${action.conversationId}/notes`, { body: `Note ${n}` }, 201);
    const page = await begin(`/inbox/all/${action.conversationId}`);
    const card = cardOf(page);
    await card.getByText("#W1234567").waitFor();
    await card.getByRole("blockquote").getByText("I want my money back").waitFor();
    expect(await card.getByText("The assistant tells the contact nothing").count()).toBe(0);
    await page.getByRole("button", { name: "Take over" }).click();
    await card.getByText("The assistant tells the contact nothing").waitFor();
    await card.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByText("whoever handles the conversation does").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Approve" }).click();
    await card.getByText("Approved by You").waitFor();
    server.answers["/refund"] = () => ({ body: { refundId: "R-18" } });
    await carryOut(desk.app);
    await card.getByText("R-18").waitFor();
    expect(await saidIn(owner, run.conversationId)).toEqual([]);
  });

  test("the queue is reached, and an action rejected with a reason, with the keyboard alone", async () => {
    const page = await begin("/inbox/all");
    await pressAll(page, ["g", "p"]);
    await page.getByText("Nothing waits for an approval.").waitFor();
    // Told by the event.
    const { action } = await askForApproval(tools);
    await cardOf(page).getByRole("link", { name: "Refunds: require_approval" }).waitFor();
    await page.keyboard.press("j");
    for (const name of ["Refunds: require_approval", "Open the conversation", "Approve", "Reject"]) {
      await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toBe(name);
      if (name !== "Reject") await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Reason").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("The order was delivered");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing waits for an approval.").waitFor();
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("content");
    expect(await actionOf(action.id)).toMatchObject({ status: "rejected", reason: "The order was delivered" });
    await page.getByRole("link", { name: "Look at all" }).click();
    await page.getByText("Reason: The order was delivered").first().waitFor();
  });

  test("what has changed meanwhile is not approved before somebody has looked at it again", async () => {
    const { action } = await askForApproval(tools);
    const page = await begin("/approvals");
    await page.route(
      "**/approve",
      async (route) => {
        await owner.patch(`/api/tools/${tools.toolId}`, { description: `Refunds, anew ${Date.now()}` }, 200);
        await route.continue();
      },
      { times: 1 },
    );
    const approve = cardOf(page).getByRole("button", { name: "Approve" });
    await approve.click();
    await cardOf(page).getByRole("alert").getByText("This has changed since you looked at it.").waitFor();
    await approve.waitFor({ state: "detached" });
    expect(await actionOf(action.id)).toMatchObject({ status: "pending" });
    await cardOf(page).getByRole("button", { name: "I have checked it" }).click();
    await approve.click();
    await page.getByText("Nothing waits for an approval.").waitFor();
    expect(await actionOf(action.id)).toMatchObject({ status: "approved" });
    await carryOut(desk.app);
  });

  test("what somebody else has decided, what has expired and one's own request are told plainly", async () => {
    const { action } = await askForApproval(tools);
    const page = await begin(`/inbox/all/${action.conversationId}`);
    await page.route(
      "**/approve",
      async (route) => {
        await owner.post(`/api/pending-actions/${action.id}/reject`, { reason: "Too late" }, 200);
        await route.continue();
      },
      { times: 1 },
    );
    // It goes by itself.
    await Promise.all([
      page.getByText("Refund order was not approved: The action is rejected already").waitFor(),
      cardOf(page).getByRole("button", { name: "Approve" }).click(),
    ]);
    await cardOf(page).getByText("Reason: Too late").waitFor();
    expect(await cardOf(page).getByRole("button", { name: "Approve" }).count()).toBe(0);

    const { action: own } = await askForApproval(tools);
    const { id: ownerId } = (await owner.get("/api/me", 200)).body;
    await desk.app.db.query("update pending_action set requested_by = array[$2::uuid] where id = $1", [
      own.id,
      ownerId,
    ]);
    await goTo(page, `/inbox/all/${own.conversationId}`);
    await cardOf(page).getByRole("button", { name: "Approve" }).click();
    await cardOf(page).getByRole("alert").getByText("Nobody approves what they requested").waitFor();
    await expect.poll(() => cardOf(page).getByRole("button", { name: "Reject" }).isEnabled()).toBe(true);

    await desk.app.db.query("update pending_action set expires_at = now() - interval '1 minute' where id = $1", [
      own.id,
    ]);
    await page.reload();
    await cardOf(page).getByText("Expired", { exact: true }).waitFor();
    expect(await cardOf(page).getByRole("button").count()).toBe(0);
    await desk.app.db.query("update pending_action set expires_at = now() + interval '1 day' where id = $1", [own.id]);
  });

  test("an agent decides, and an observer reads", async () => {
    const { action } = await askForApproval(tools);
    let page = await begin("/approvals", 1280, await newMember("observer"));
    await cardOf(page).getByText("Observers read. They cannot decide.").waitFor();
    expect(await cardOf(page).getByRole("button").count()).toBe(0);
    await member!.context.close();
    page = await begin("/approvals", 1280, await newMember("agent"));
    await cardOf(page).getByRole("button", { name: "Approve" }).click();
    await page.getByText("Nothing waits for an approval.").waitFor();
    expect(await actionOf(action.id)).toMatchObject({ status: "approved" });
    await carryOut(desk.app);
  });

  test("the activity says in plain words what the assistant did, and is read when it is opened", async () => {
    const { id: workspaceId } = await newWorkspace(desk.tenant.live, desk.tenant.defaults.brandId);
    await teach(desk.tenant.live, workspaceId);
    const { id } = await start(desk.tenant.live, workspaceId, { message: { body: "Where is my parcel?" } });
    await assist(desk.app);
    const page = await begin(`/inbox/all/${id}`);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.getByRole("button", { name: "Show the contact" }).click();
    const aside = page.getByRole("complementary");
    const open = aside.getByRole("button", { name: "Assistant", exact: true });
    await open.waitFor();
    expect(requests.filter((url) => url.includes("agent-activity"))).toEqual([]);
    await open.click();
    const run = aside.getByRole("button", { name: /Answered with “Where is my parcel\?”/ });
    await run.click();
    await aside.getByText("Looked for “Where is my parcel?”").waitFor();
    await aside.getByText("Wrote to the contact").waitFor();
    await check(page, "dashboard-assistant-activity");
    // What it does next is read again.
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Do you sell bananas on the moon?" }, 201);
    await assist(desk.app);
    await aside.getByRole("button", { name: /Handed over to people.*No approved entry answers/ }).waitFor();
    // Whoever takes over reads it at once.
    await page.locator("details").getByText("Asked: “Do you sell bananas on the moon?”").waitFor();
    // The list says what it is about. The assistant's last sentence is the same wherever it hands over.
    const row = page.getByRole("region", { name: "Conversations" }).locator(`a[href*="${id}"]`);
    await row.getByText("Asked: “Where is my parcel?”").waitFor();
    await check(page, "dashboard-assistant-summary");
  });

  test("thresholds are tried on the last questions before they are saved, and the assistant is turned off", async () => {
    const { id: workspaceId } = await newWorkspace(desk.tenant.live, desk.tenant.defaults.brandId);
    await teach(desk.tenant.live, workspaceId);
    const body = "How can I change the card that I pay with?";
    await start(desk.tenant.live, workspaceId, { message: { body } });
    await assist(desk.app);
    const page = await begin(`/settings/workspaces/${workspaceId}/assistant`);
    const preview = page.getByRole("region", { name: "What this would have done" });
    await preview.getByText("Nothing differs from what is saved.").waitFor();
    await page.getByLabel("Answers from").fill("100");
    await preview.getByText("Now answered, then asked back").waitFor();
    await preview.getByRole("link", { name: body }).waitFor();
    await page.getByLabel("Asks back from").fill("101");
    await page.getByRole("alert").getByText("Enter a number from 0 to 100.").waitFor();
    await page.getByLabel("Asks back from").fill("25");
    const save = page.getByRole("form", { name: "Thresholds" }).getByRole("button", { name: "Save" });
    await save.click();
    await preview.getByText("Nothing differs from what is saved.").waitFor();
    expect((await owner.get(`/api/workspaces/${workspaceId}/assistant`, 200)).body.answerConfidence).toBe(1);
    await page.getByLabel("The assistant answers").uncheck();
    await page.getByRole("form", { name: "Assistant" }).getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await owner.get(`/api/workspaces/${workspaceId}`, 200)).body.assistantEnabled)
      .toBe(false);
  });

  test("a tool is created, changed without showing its credentials, and deleted", async () => {
    const { id: workspaceId } = await newWorkspace(desk.tenant.live, desk.tenant.defaults.brandId);
    const list = async () => (await owner.get(`/api/workspaces/${workspaceId}/tools`, 200)).body.data;
    const page = await begin(`/settings/workspaces/${workspaceId}/assistant`, 320);
    await page.getByText("There is no tool yet.").waitFor();
    await page.getByRole("button", { name: "Add a tool" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("refund order");
    await dialog.getByLabel("Description").fill("Refunds an order");
    await dialog.getByLabel("Arguments").fill("{type: object}");
    await dialog.getByLabel("Address").fill(server.url("/refund"));
    await dialog.getByLabel("Authorization").fill("Bearer secret");
    const add = dialog.getByRole("button", { name: "Add a tool" });
    await add.click();
    await dialog.getByRole("alert").getByText("This is not valid JSON.").waitFor();
    await dialog.getByLabel("Arguments").fill(JSON.stringify(REFUND.parameters));
    await add.click();
    await dialog
      .getByRole("alert")
      .getByText(/letters, digits/)
      .waitFor();
    await dialog.getByLabel("Name").fill("refund_order");
    await dialog.getByLabel("Safe to repeat").check();
    await add.click();
    await page.getByText("Credentials stored").waitFor();
    expect(await list()).toMatchObject([
      { ...REFUND, url: server.url("/refund"), hasCredentials: true, idempotent: true, expiresAfterHours: 24 },
    ]);
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await dialog.getByLabel("Authorization").inputValue()).toBe("");
    await dialog.getByLabel("Time for an approval").fill("0");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("Enter a whole number from 1 to 168.").waitFor();
    await dialog.getByLabel("Time for an approval").fill("2");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await list()).toMatchObject([{ hasCredentials: true, expiresAfterHours: 2 }]);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("There is no tool yet.").waitFor();
    expect(await list()).toEqual([]);
  });

  test("the impact of an entry is seen before it is approved", async () => {
    const { workspaceId } = desk.tenant.defaults;
    await start(desk.tenant.live, workspaceId, { message: { body: "Do you deliver to Iceland?" } });
    await assist(desk.app);
    await teach(desk.tenant.live, workspaceId, [
      { question: "Do you deliver to Iceland?", answer: "Within 9 days.", status: "pending" },
    ]);
    const page = await begin(`/knowledge?workspace=${workspaceId}`);
    await page.getByRole("button", { name: "See what it changes" }).click();
    const impact = page.getByRole("region", { name: "What it changes" });
    await impact.getByRole("heading", { name: "1 newly answered" }).waitFor();
    // The day as in Great Britain, from where the browser says that it is.
    await impact.getByText(/ since \d+ [A-Z][a-z]+ \d{4}/).waitFor();
    await impact.getByText("Without: hands over to people").waitFor();
    await impact.getByText("With: answers with “Do you deliver to Iceland?”").waitFor();
    await check(page, "dashboard-assistant-impact");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Nothing waits for a review.").waitFor();
  });

  test("axe finds nothing, and all fits, in each width and colour", async () => {
    const { action } = await askForApproval(tools);
    const page = await begin("/approvals", VIEWS[0]![0]);
    await cardOf(page).waitFor();
    await checkViews(page, "dashboard-assistant-approvals");
    await cardOf(page).getByRole("button", { name: "Reject" }).click();
    await checkViews(page, "dashboard-assistant-reject");
    await page.keyboard.press("Escape");
    await goTo(page, "/approvals?status=all");
    await page.getByText("Rejected by You").first().waitFor();
    await checkViews(page, "dashboard-assistant-approvals-all");
    await goTo(page, `/inbox/all/${action.conversationId}`);
    await cardOf(page).waitFor();
    await checkViews(page, "dashboard-assistant-card");
    await goTo(page, `/settings/workspaces/${tools.workspaceId}/assistant`);
    await page.getByText("refund_order", { exact: true }).waitFor();
    await page.getByText("What this would have done").waitFor();
    await checkViews(page, "dashboard-assistant-settings");
    await page.getByRole("button", { name: "Edit" }).last().click();
    await page.getByRole("dialog").getByLabel("Arguments").waitFor();
    await checkViews(page, "dashboard-assistant-tool");
  });
});
