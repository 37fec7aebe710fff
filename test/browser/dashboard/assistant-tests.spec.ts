import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { RehearsalJob } from "../../../src/learning/rehearsal/rehearsal.job.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import { checkViews, type Desk, type Member, openDesk, takeSeat } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`tests of the assistant in the settings, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  let member: Member | undefined;
  let at: string;
  let tests: `/api/workspaces/${string}/assistant-tests`;
  beforeAll(async () => {
    desk = await openDesk();
    owner = await desk.tenant.owner();
    const { workspaceId } = desk.tenant.defaults;
    at = `/settings/workspaces/${workspaceId}/tests`;
    tests = `/api/workspaces/${workspaceId}/assistant-tests`;
    const entry = { question: "Where is my parcel?", answer: "Your tracking link is in the mail." };
    await desk.tenant.live.post(`/api/workspaces/${workspaceId}/kb-entries`, entry, 201);
    for (const [name, outcome] of [
      ["A parcel", "answered"],
      ["A parcel for people", "handed_off"],
    ] as const)
      await owner.post(tests, { name, turns: [{ says: "Where is my parcel?", expect: { outcome } }] }, 201);
  });
  afterAll(() => desk.close());
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (where = at): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width: 1440, height: 900 }, at: where });
    return member.page;
  };
  /** Plays what waits, as the job does each second. */
  const play = () => desk.app.app.get(RehearsalJob).tick();
  const press = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };

  test("tests are written and run with the keyboard alone, and look right", async () => {
    const page = await begin();
    await page.getByText("A parcel for people").waitFor();
    await press(page, "New test");
    await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Typed");
    await page.getByLabel("The customer writes").focus();
    await page.keyboard.type("Where is my parcel?");
    await page.keyboard.press("Tab");
    await page.getByLabel("The assistant must").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("answer");
    await page.getByLabel("Its reply contains").focus();
    await page.keyboard.type("tracking");
    await press(page, "Add a message");
    await page.getByLabel("The customer writes").nth(1).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("I want to talk to a person");
    await checkViews(page, "assistant-test-editor");
    await press(page, "Save");
    await page.getByText("Typed").waitFor();
    const { body } = await owner.get(tests, 200);
    expect(body.find(({ name }) => name === "Typed")!.turns).toMatchObject([
      { says: "Where is my parcel?", expect: { outcome: "answered", contains: "tracking" } },
      { says: "I want to talk to a person" },
    ]);
    await press(page, "Run all");
    await page.getByText("Being played …").waitFor();
    await play();
    await page.getByText("1 of 3 tests fails.").or(page.getByText("1 of 3 tests fail.")).waitFor();
    await page.getByText("Message 1: it would answer “Where is my parcel?”.").waitFor();
    await checkViews(page, "assistant-tests");
  });

  test("a change of the thresholds is rehearsed before it is saved", async () => {
    const page = await begin(at.replace(/tests$/, "assistant"));
    await press(page, "Rehearse this change");
    await page.getByText("Being played …").waitFor();
    await play();
    await page.getByText(/of \d tests would fail\. 0 of 0 conversations would change\./).waitFor();
  });

  test("a change of the agent that answers is rehearsed on its page, and none of one that does not", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const agent = { role: "assistant", status: "active", workspaceIds: [workspaceId], instructions: "Help" };
    const kept = { name: "Kept", effect: "deny" };
    const answers = (await owner.post("/api/agents", { ...agent, name: "Ada", guardrails: [kept] }, 201)).body;
    const other = (await owner.post("/api/agents", { ...agent, name: "Bo" }, 201)).body;
    const page = await begin(`/settings/agents/${answers.id}`);
    await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
    await press(page, "Rehearse this change");
    await page.getByText("Being played …").waitFor();
    await play();
    await page.getByText(/of \d tests would fail\. 0 of 0 conversations would change\./).waitFor();
    await checkViews(page, "agent-rehearsed");
    await press(page, "Discard");
    await press(page, "Add a guardrail");
    const dialog = page.getByRole("dialog");
    await page.keyboard.type("No refunds");
    await dialog.getByLabel("Conditions").fill("{");
    const begun = dialog.getByRole("button", { name: "Rehearse this change", exact: true });
    await begun.press("Enter");
    await dialog.getByText(/^This is not valid JSON/).waitFor();
    await dialog.getByLabel("Conditions").fill('{"field": "amount", "op": "gt", "value": 20}');
    const request = page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/assistant-rehearsal"));
    await begun.press("Enter");
    const conditions = { field: "amount", op: "gt", value: 20 };
    const drafted = { name: "No refunds", effect: "require_approval", tools: [], conditions };
    expect((await request).postDataJSON()).toMatchObject({ draft: { agent: { guardrails: [kept, drafted] } } });
    await dialog.getByText("Being played …").waitFor();
    await play();
    await dialog.getByText(/of \d tests would fail\. 0 of 0 conversations would change\./).waitFor();
    await checkViews(page, "guardrail-rehearsed");
    expect((await owner.get(`/api/agents/${answers.id}`, 200)).body.guardrails).toHaveLength(1);
    await page.keyboard.press("Escape");
    await page.goto(new URL(`/settings/agents/${other.id}`, page.url()).href);
    await page.getByLabel("Name", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Rehearse this change" }).count()).toBe(0);
    for (const { id } of [answers, other]) await owner.delete(`/api/agents/${id}`, 200);
  });
});
