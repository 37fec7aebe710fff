import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { calls, dataOf, quotes, type ScriptedModel, startModel } from "../../server/assistant/model-support.js";
import { ENTRIES, messagesOf, teach } from "../../server/assistant/support.js";
import { start } from "../../server/e2e/support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { check, checkViews, type Desk, type Member, openDesk, takeSeat } from "./support.js";

allowTimeForProcesses();

const { parcel } = ENTRIES;
const GERMAN = "Guten Tag, ich warte seit zwei Wochen auf meine Bestellung und habe noch nichts gehört.";

describe.skipIf(!CHROMIUM)(`what a language model does for whoever answers, in a browser${WITHOUT_BROWSER}`, () => {
  let model: ScriptedModel;
  let desk: Desk;
  let member: Member;
  let id: string;
  beforeAll(async () => {
    model = await startModel();
    desk = await openDesk(model.settings);
    await teach(desk.tenant.live, desk.tenant.defaults.workspaceId);
  });
  afterAll(async () => {
    await desk.close();
    model.close();
  });
  beforeEach(async () => {
    const body = `${GERMAN}\n\n${parcel.question}`;
    id = (await start(desk.tenant.live, desk.tenant.defaults.workspaceId, { message: { body } })).id;
    await desk.tenant.live.post(`/api/conversations/${id}/take-over`, {}, 200);
    model.script(writes("Hello"));
  });
  afterEach(() => expect(member.faults).toEqual([]));

  const writes = (text: string): object => calls(["respond", { text }]);
  const begin = async (width = 1280): Promise<Page> => {
    member = await takeSeat(desk, {
      viewport: { width, height: width < 500 ? 640 : 800 },
      at: `/inbox/all/${id}`,
    });
    return member.page;
  };
  const replyOf = (page: Page): Locator => page.getByRole("textbox", { name: "Reply" });
  const said = async (): Promise<string[]> =>
    (await messagesOf(desk.tenant.live, id))
      .filter(({ direction }) => direction === "outbound")
      .map(({ body }) => body);
  const rewriteButton = (page: Page): Locator => page.getByRole("button", { name: "Rewrite with the language model" });

  test("a draft is shown with the entry of each sentence, put into the reply, and not sent", async () => {
    model.script(quotes(["P.hello", "E1.1"]));
    const page = await begin();
    await page.getByRole("button", { name: "Write a draft" }).click();
    const draft = page.getByRole("group", { name: "Draft" });
    const source = draft.getByRole("link", { name: `1. Source: ${parcel.question}` });
    await source.waitFor();
    expect(await source.getAttribute("href")).toMatch(/^\/knowledge\?.*entry=/);
    expect(await draft.locator("p").textContent()).toMatch(/^Hello.*dispatch\.1$/s);
    await check(page, "dashboard-draft");
    await draft.getByRole("button", { name: "Insert the draft" }).press("Enter");
    await expect.poll(() => replyOf(page).inputValue()).toContain(parcel.answer);
    await page.getByRole("list", { name: "Entries that the reply is based on" }).getByText(parcel.question).waitFor();
    expect(await said()).toEqual([]);
  });

  test("what is selected is rewritten by the keyboard alone, what was there stays in sight, and Undo brings it back", async () => {
    const page = await begin();
    const reply = replyOf(page);
    await rewriteButton(page).waitFor();
    await reply.fill("Dear Ada. We are of course going to look into it.");
    model.script(writes("We look into it."));
    // To the toolbar, to its last button, into the menu, and its first item.
    for (const key of ["Home", ...Array<string>(10).fill("ArrowRight"), "Shift+End"]) await reply.press(key);
    for (const key of ["Tab", "End", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("menuitem", { name: "Shorter" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => reply.inputValue()).toBe("Dear Ada. We look into it.");
    expect(dataOf(model.requests[0]!)).toEqual({ text: "We are of course going to look into it." });
    const before = page.getByRole("group", { name: /^Before it was rewritten/ });
    await before.getByText("Dear Ada. We are of course going to look into it.").waitFor();
    await check(page, "dashboard-rewritten");
    await before.getByRole("button", { name: "Undo" }).press("Enter");
    await expect.poll(() => reply.inputValue()).toBe("Dear Ada. We are of course going to look into it.");
    await before.waitFor({ state: "detached" });
    expect(await said()).toEqual([]);
  });

  test("a reply is translated, and what is sent is what the field shows", async () => {
    const page = await begin();
    const reply = replyOf(page);
    await reply.fill("It arrives tomorrow.");
    model.script(writes("Es kommt morgen an."));
    await rewriteButton(page).click();
    await page.getByRole("menuitem", { name: "In German" }).click();
    await expect.poll(() => reply.inputValue()).toBe("Es kommt morgen an.");
    const before = page.getByRole("group", { name: /^Before it was rewritten/ });
    await before.getByText("It arrives tomorrow.").waitFor();
    // It is there after a reload, too.
    await page.reload();
    await before.getByText("It arrives tomorrow.").waitFor();
    expect(await said()).toEqual([]);
    await reply.press("Control+Enter");
    await expect.poll(said).toEqual(["Es kommt morgen an."]);
    await before.waitFor({ state: "detached" });
  });

  test("a model that fails leaves the reply as it is, and so does one that answers after it was changed", async () => {
    const page = await begin();
    const reply = replyOf(page);
    await reply.fill("It arrives tomorrow.");
    model.script({ nonsense: true });
    await rewriteButton(page).click();
    await page.getByRole("menuitem", { name: "Friendlier" }).click();
    await page.getByText("The model did not answer. Try again.").waitFor();
    let answer = (): void => undefined;
    model.script(() => new Promise((resolve) => (answer = () => resolve(writes("Tomorrow!")))));
    await rewriteButton(page).click();
    await page.getByRole("menuitem", { name: "Friendlier" }).click();
    await expect.poll(() => model.requests.length).toBe(1);
    await reply.fill("It arrives on Monday.");
    answer();
    await page.getByText("The reply has changed meanwhile").waitFor();
    expect(await reply.inputValue()).toBe("It arrives on Monday.");
  });

  test("a summary quotes, and a quote leads to its message, an early one too", async () => {
    for (let n = 0; n < 60; n++)
      await desk.tenant.live.post(`/api/conversations/${id}/notes`, { body: `Note number ${n}` }, 201);
    const [last] = await messagesOf(desk.tenant.live, id);
    const page = await begin();
    // Not at the end, where what is new would be seen.
    await page.getByText("Note number 59").waitFor();
    await page.getByRole("log").press("Home");
    model.script(
      calls([
        "respond",
        {
          sentences: [
            { text: "They wait for an order.", message: "M1", quote: "ich warte seit zwei Wochen" },
            { text: "They want 500 euros.", message: "M1", quote: "ich warte seit zwei Wochen" },
            { text: "A note says something else.", message: "M2", quote: "Something that nobody wrote" },
          ],
        },
      ]),
    );
    await page.getByRole("button", { name: "Summarise" }).press("Enter");
    const summary = page.getByRole("region", { name: "Summary by a language model" });
    await summary.getByText("They wait for an order.").waitFor();
    expect(await summary.getByRole("listitem").count()).toBe(1);
    await check(page, "dashboard-summary");
    await summary.getByRole("button", { name: "ich warte seit zwei Wochen" }).press("Enter");
    await page.getByRole("article").filter({ hasText: GERMAN }).and(page.locator(":focus")).waitFor();
    expect(await page.getByRole("button", { name: "New below" }).count()).toBe(0);
    expect((await messagesOf(desk.tenant.live, id))[0]!.id).toBe(last!.id);
  });

  test("a message is translated below it, and a conversation until that is stopped", async () => {
    model.script(writes("Hello, I have waited for my order for two weeks."));
    const page = await begin();
    const message = page.getByRole("article").filter({ hasText: GERMAN }).last();
    await message.getByRole("button", { name: "Translate", exact: true }).press("Enter");
    const translation = message.getByRole("group", { name: "Translated by a language model" });
    await translation.getByText("Hello, I have waited").waitFor();
    await message.getByText(GERMAN).waitFor();
    await message.getByRole("button", { name: "Hide the translation" }).click();
    await translation.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Translate this conversation" }).click();
    await translation.waitFor();
    await page.reload();
    await translation.getByText("Hello, I have waited").waitFor();
    model.script(writes("Please answer me soon."));
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Bitte antworten Sie mir bald." }, 201);
    await page.getByText("Please answer me soon.").waitFor();
    await checkViews(page, "dashboard-translated");
    await page.getByRole("button", { name: "Stop translating" }).click();
    await page.getByText("Please answer me soon.").waitFor({ state: "detached" });
  });

  test("on a phone it is all there", async () => {
    model.script(writes("Hello, I have waited."));
    const page = await begin(390);
    await page.getByRole("button", { name: "Translate this conversation" }).click();
    await page.getByText("Hello, I have waited.").waitFor();
    await replyOf(page).fill("It arrives tomorrow.");
    model.script(writes("Es kommt morgen an."));
    await rewriteButton(page).click();
    await page.getByRole("menuitem", { name: "In German" }).click();
    await page.getByRole("group", { name: /^Before it was rewritten/ }).waitFor();
    await check(page, "dashboard-writing-phone");
  });
});
