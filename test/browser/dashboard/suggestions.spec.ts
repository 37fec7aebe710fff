import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ENTRIES, messagesOf, teach } from "../../server/assistant/support.js";
import { start } from "../../server/e2e/support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { check, checkViews, type Desk, type Member, openDesk, takeSeat } from "./support.js";

allowTimeForProcesses();

const { parcel, refund } = ENTRIES;

describe.skipIf(!CHROMIUM)(`suggestions, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let member: Member;
  let id: string;
  beforeAll(async () => {
    desk = await openDesk();
    await teach(desk.tenant.live, desk.tenant.defaults.workspaceId);
  });
  afterAll(() => desk.close());
  beforeEach(async () => {
    const body = `Hello. ${parcel.question} ${refund.question}`;
    id = (await start(desk.tenant.live, desk.tenant.defaults.workspaceId, { message: { body } })).id;
    await desk.tenant.live.post(`/api/conversations/${id}/take-over`, {}, 200);
  });
  afterEach(() => expect(member.faults).toEqual([]));

  const begin = async (width = 1280): Promise<Page> => {
    member = await takeSeat(desk, {
      viewport: { width, height: width < 500 ? 640 : 800 },
      at: `/inbox/all/${id}`,
    });
    return member.page;
  };
  const stripOf = (page: Page): Locator => page.getByRole("region", { name: "Suggested entries" });
  const replyOf = (page: Page): Locator => page.getByRole("textbox", { name: "Reply" });
  const outcomes = async (): Promise<Record<string, string | null>> =>
    Object.fromEntries(
      (
        await desk.app.db.query<{ question: string; outcome: string | null }>(
          `select e.question, s.outcome from suggestion s join kb_entry e on e.id = s.kb_entry_id where s.conversation_id = $1`,
          [id],
        )
      ).map(({ question, outcome }) => [question, outcome]),
    );
  const said = async (): Promise<string[]> =>
    (await messagesOf(desk.tenant.live, id))
      .filter(({ direction }) => direction === "outbound")
      .map(({ body }) => body);

  test("an entry comes into the reply by the keyboard alone, nothing is sent by itself, and the reply cites it", async () => {
    const page = await begin();
    const strip = stripOf(page);
    await strip.getByText(parcel.answer).waitFor();
    await replyOf(page).fill("Hello Ada,");
    await page.keyboard.press("Escape");
    await page.keyboard.press("i");
    const first = strip.getByRole("listitem").first().getByRole("button");
    await first.and(page.locator(":focus")).waitFor();
    const chosen = await first.locator("span").first().textContent();
    // Up and down, and back to the first.
    for (const key of ["ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    const inserted = [parcel, refund].find(({ question }) => question === chosen)!;
    await expect.poll(() => replyOf(page).inputValue()).toBe(`Hello Ada,\n\n${inserted.answer}`);
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
    await strip
      .getByRole("list", { name: "Entries that the reply is based on" })
      .getByText(inserted.question)
      .waitFor();
    await page.keyboard.type("\n\nGoodbye");
    // What the browser has asked the server for until now sent nothing: the note comes after it.
    await desk.tenant.live.post(`/api/conversations/${id}/notes`, { body: "Still nothing?" }, 201);
    await page.getByText("Still nothing?").waitFor();
    expect(await said()).toEqual([]);
    await page.keyboard.press("Control+Enter");
    await expect.poll(said).toEqual([`Hello Ada,\n\n${inserted.answer}\n\nGoodbye`]);
    const [reply] = (await messagesOf(desk.tenant.live, id)).filter(({ direction }) => direction === "outbound");
    expect(reply!.citations).toEqual([
      { kbEntryId: expect.any(String) as string, score: expect.any(Number) as number },
    ]);
    expect((await outcomes())[inserted.question]).toBe("used");
    await strip.waitFor({ state: "detached" });
    await page.getByText("Based on 1 entry").waitFor();
    // There is no language model.
    for (const name of ["Summarise", "Translate", "Rewrite with the language model", "Write a draft"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
  });

  test("an entry that may mean the opposite of what was asked says so, also to a screen reader", async () => {
    const { live, defaults } = desk.tenant;
    const cancel = { question: "How do I cancel my order?", answer: "Under Orders, press Cancel." };
    const [entryId] = await teach(live, defaults.workspaceId, [cancel]);
    const body = `Please do NOT cancel my order! ${parcel.question}`;
    id = (await start(live, defaults.workspaceId, { message: { body } })).id;
    await live.post(`/api/conversations/${id}/take-over`, {}, 200);
    const page = await begin(390);
    const strip = stripOf(page);
    await strip.getByRole("button", { name: /suggestion/ }).click();
    await strip.getByRole("button", { name: `May mean the opposite ${cancel.question}` }).waitFor();
    await strip.getByRole("button", { name: new RegExp(`^${parcel.question.replace("?", "\\?")}`) }).waitFor();
    // The mark can be seen: a text that is for screen readers alone measures one pixel.
    expect((await strip.getByText("May mean the opposite").boundingBox())!.width).toBeGreaterThan(100);
    await check(page, "dashboard-suggestions-warning");
    await strip.getByText(cancel.answer).click();
    await expect.poll(() => replyOf(page).inputValue()).toBe(cancel.answer);
    // What the reply rests on says it, too.
    await strip
      .getByRole("list", { name: "Entries that the reply is based on" })
      .getByText("May mean the opposite")
      .waitFor();
    await live.post(`/api/kb-entries/${entryId}/archive`, {}, 200);
  });

  test("an answer that is changed is edited, and one whose citation is taken off stays open", async () => {
    const page = await begin();
    const strip = stripOf(page);
    await strip.getByText(parcel.answer).click();
    await strip.getByText(refund.answer).click();
    await expect.poll(() => replyOf(page).inputValue()).toContain(refund.answer);
    await strip.getByRole("button", { name: `Do not cite: ${refund.question}` }).click();
    await replyOf(page).fill("Look into your mail.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(said).toEqual(["Look into your mail."]);
    expect(await outcomes()).toMatchObject({ [parcel.question]: "edited", [refund.question]: null });
  });

  test("a reply that is emptied cites nothing", async () => {
    const page = await begin();
    const strip = stripOf(page);
    await strip.getByText(parcel.answer).click();
    const cites = strip.getByRole("list", { name: "Entries that the reply is based on" });
    await cites.waitFor();
    await replyOf(page).fill("");
    await cites.waitFor({ state: "detached" });
    await replyOf(page).fill("One moment.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(said).toEqual(["One moment."]);
    expect(await outcomes()).toMatchObject({ [parcel.question]: null });
  });

  test("what does not fit is dismissed, and stays away", async () => {
    const page = await begin();
    await stripOf(page).getByRole("button", { name: "They do not fit" }).click();
    await stripOf(page).waitFor({ state: "detached" });
    await expect.poll(outcomes).toMatchObject({ [parcel.question]: "ignored", [refund.question]: "ignored" });
    // The page reads them again, and after that what it is told of a note.
    const read = page.waitForResponse((response) => response.url().endsWith("/suggestions"));
    await page.reload();
    expect((await (await read).json()) as object).toMatchObject({
      suggestions: [{ outcome: "ignored" }, { outcome: "ignored" }],
    });
    await desk.tenant.live.post(`/api/conversations/${id}/notes`, { body: "Nothing fits" }, 201);
    await page.getByText("Nothing fits").waitFor();
    expect(await stripOf(page).count()).toBe(0);
    expect(await said()).toEqual([]);
  });

  test("on a phone it is one line until it is opened, and it looks right in all views", async () => {
    const page = await begin(390);
    const strip = stripOf(page);
    await strip
      .getByRole("button", { name: /suggestions?/ })
      .first()
      .waitFor();
    expect(await strip.getByText(parcel.answer).count()).toBe(0);
    await check(page, "dashboard-suggestions-phone-closed");
    await strip
      .getByRole("button", { name: /suggestions?/ })
      .first()
      .click();
    await strip.getByText(parcel.answer).waitFor();
    await check(page, "dashboard-suggestions-phone");
    await strip.getByText(parcel.answer).click();
    await strip.getByRole("list", { name: "Entries that the reply is based on" }).waitFor();
    await checkViews(page, "dashboard-suggestions");
  });
});
