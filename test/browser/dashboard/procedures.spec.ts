import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import { checkViews, type Desk, type Member, openDesk, takeSeat } from "./support.js";

allowTimeForProcesses();

const STEPS = [
  {
    id: "order_id",
    type: "ask",
    text: "Which order?",
    why: "It tells me which one you mean.",
    slot: { kind: "pattern", pattern: "#W0000000" },
  },
  { id: "order", type: "call", tool: "get_order", arguments: { orderId: "{order_id}" } },
  { id: "sure", type: "confirm", text: "Shall I cancel {order_id}?" },
  { id: "done", type: "say", text: "It is cancelled." },
] as const;

describe.skipIf(!CHROMIUM)(`procedures in the settings, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  let member: Member | undefined;
  let at: string;
  beforeAll(async () => {
    desk = await openDesk();
    owner = await desk.tenant.owner();
    const { workspaceId } = desk.tenant.defaults;
    at = `/settings/workspaces/${workspaceId}/procedures`;
    const parameters = { type: "object", properties: { orderId: { type: "string" } } };
    const tool = {
      name: "get_order",
      description: "Looks",
      effect: "read",
      url: "https://shop.example.com/o",
    } as const;
    await owner.post(`/api/workspaces/${workspaceId}/tools`, { ...tool, parameters }, 201);
    const procedure = { name: "Cancel an order", startsWith: { entries: [], phrases: ["cancel my order"] } };
    await owner.post(`/api/workspaces/${workspaceId}/procedures`, { ...procedure, steps: STEPS as never }, 201);
  });
  afterAll(() => desk.close());
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (width = 1440): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: 900 }, at });
    await member.page.getByText("Cancel an order").waitFor();
    return member.page;
  };
  const stored = async (name: string) => {
    const { data } = (await owner.get(`/api/workspaces/${desk.tenant.defaults.workspaceId}/procedures`, 200)).body;
    return data.find((one) => one.name === name);
  };

  test("the list, the editor and what was tried look right and are accessible", async () => {
    const page = await begin();
    await checkViews(page, "procedures");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Message of the customer").fill("cancel my order #W1234567");
    await page.getByRole("button", { name: "Write" }).click();
    await page.getByText("Shall I cancel #W1234567?").waitFor();
    await checkViews(page, "procedure-editor");
    // Beside the last steps, too.
    await page.setViewportSize({ width: 1440, height: 600 });
    await page.getByRole("button", { name: "Save" }).scrollIntoViewIfNeeded();
    const tryOut = await page.getByRole("heading", { name: "Try it out" }).boundingBox();
    expect(tryOut!.y).toBeGreaterThanOrEqual(0);
  });

  test("a try-out that waits for proof of identity says so, and goes on once it is chosen", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const steps = [{ id: "identity", type: "require_level", level: "identified" }, ...STEPS];
    const procedure = { name: "Prove it first", startsWith: { entries: [], phrases: ["prove it"] } };
    await owner.post(`/api/workspaces/${workspaceId}/procedures`, { ...procedure, steps: steps as never }, 201);
    const page = await begin();
    await page.reload();
    await page.getByRole("listitem").filter({ hasText: procedure.name }).getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Message of the customer").fill("cancel my order #W1234567");
    await page.getByRole("button", { name: "Write" }).click();
    const needsProof = page.getByRole("log").getByText("The customer has to prove who they are first.");
    await needsProof.waitFor();
    await page.getByLabel("Proven identity").selectOption("identified");
    await page.getByText("Shall I cancel #W1234567?").waitFor();
    expect(await needsProof.count()).toBe(0);
  });

  test("a procedure is written, moved, tried and saved with the keyboard alone", async () => {
    const page = await begin();
    const press = async (name: string): Promise<void> => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    await press("New procedure");
    await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Greet");
    for (const [type, text] of [
      ["say", "Goodbye."],
      ["say", "Hello!"],
    ] as const) {
      await page.getByLabel("Type of the next step").selectOption(type);
      await press("Add the step");
      // The new step's name has the focus.
      await page.getByLabel("Name of the step").and(page.locator(":focus")).waitFor();
      await page.getByLabel("What the customer reads").last().focus();
      await page.keyboard.type(text);
    }
    await page.getByRole("button", { name: "Up", exact: true }).last().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByLabel("What the customer reads").first().inputValue()).toBe("Hello!");
    await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toBe("Down");
    await page.getByText("step_2 is step 1 of 2 now.").waitFor({ state: "attached" });
    await press("Save");
    await page.getByLabel("Message of the customer").waitFor();
    expect(await stored("Greet")).toMatchObject({ status: "draft", steps: [{ text: "Hello!" }, { text: "Goodbye." }] });
    await page.getByLabel("Message of the customer").focus();
    await page.keyboard.type("hi");
    await page.keyboard.press("Enter");
    await page.getByText("It came to its end.").waitFor();
  });

  test("entries are searched, and cases, conditions and options are forms, with the keyboard alone", async () => {
    const { workspaceId } = desk.tenant.defaults;
    const { body: entry } = await owner.post(
      `/api/workspaces/${workspaceId}/kb-entries`,
      { question: "How do I return a book?", answer: "Send it back within thirty days." },
      201,
    );
    const page = await begin();
    const press = async (name: string): Promise<void> => {
      await page.getByRole("button", { name, exact: true }).last().focus();
      await page.keyboard.press("Enter");
    };
    await press("New procedure");
    await page.getByLabel("Name", { exact: true }).fill("Return");
    await page.getByLabel("Entries that begin it").focus();
    await page.keyboard.type("return a book");
    await press("How do I return a book?");
    await page.getByRole("list", { name: "Entries that begin it" }).getByText("How do I return a book?").waitFor();
    await page.getByLabel("Type of the next step").selectOption("ask");
    await press("Add the step");
    await page.getByLabel("What the customer reads").fill("Why?");
    await page.getByLabel("What is asked for").selectOption("choice");
    for (const [label, value] of [
      ["It is broken", "broken"],
      ["Something else", "5"],
    ] as const) {
      await press("Add an option");
      // The new row's first field has the focus.
      await page.keyboard.type(label);
      await page.keyboard.press("Tab");
      await page.keyboard.type(value);
    }
    await page.getByLabel("Synonyms").first().fill("torn, wet");
    await press("Add an option");
    await press("Remove option 3");
    await page.getByRole("button", { name: "Add an option" }).and(page.locator(":focus")).waitFor();
    for (const type of ["branch", "end", "say"]) {
      await page.getByLabel("Type of the next step").selectOption(type);
      await press("Add the step");
    }
    await press("Add a case");
    await page.keyboard.type("step_1");
    await page.getByLabel("Compared").selectOption("one_of");
    await page.getByLabel("With").fill("broken, 5");
    await page.getByLabel("Goes on at").selectOption("step_4");
    await page.getByLabel("Or an approved entry").fill("return a book");
    await press("How do I return a book?");
    await page.getByRole("button", { name: "Take How do I return a book? away" }).and(page.locator(":focus")).waitFor();
    await checkViews(page, "procedure-forms");
    await press("Save");
    await expect
      .poll(() => stored("Return"))
      .toMatchObject({
        startsWith: { entries: [entry.id] },
        steps: [
          {
            slot: {
              kind: "choice",
              options: [
                { label: "It is broken", value: "broken", synonyms: ["torn", "wet"] },
                { label: "Something else", value: 5 },
              ],
            },
          },
          { cases: [{ when: [{ value: "step_1", op: "one_of", to: ["broken", 5] }], next: "step_4" }] },
          { type: "end" },
          { type: "say", entryId: entry.id },
        ],
      });
  });

  test("steps that were only moved or removed are asked about before they are lost", async () => {
    const page = await begin();
    await page.getByRole("button", { name: "Edit" }).first().click();
    await page.getByRole("button", { name: "Down", exact: true }).first().click();
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    // It is on another page, and not on an empty one.
    await page.getByRole("region", { name: "Conversations" }).waitFor();
  });

  test("what cannot be taken is said, and stays typed", async () => {
    const page = await begin();
    await page.getByRole("button", { name: "Edit" }).first().click();
    await page.getByLabel("Arguments (JSON)").fill("{");
    await page.getByText("This is not valid JSON").first().waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    expect(await stored("Cancel an order")).toMatchObject({ version: 1 });
    await page.getByLabel("Arguments (JSON)").fill('{"orderId": "{nothing}"}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must name values of steps that ask or call: nothing").waitFor();
  });

  test("what customers say stays as it was written, a line each", async () => {
    const page = await begin();
    await page.getByRole("button", { name: "Edit" }).first().click();
    const phrases = page.getByLabel("Phrases");
    await phrases.press("ControlOrMeta+End");
    await phrases.pressSequentially("\nI do not want it any more \n");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(async () => (await stored("Cancel an order"))?.startsWith.phrases)
      .toEqual(["cancel my order", "I do not want it any more"]);
    // What is edited after that is not saved.
    await phrases.pressSequentially("Take it back");
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("region", { name: "Conversations" }).waitFor();
  });
});
