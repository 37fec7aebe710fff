import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { assist } from "../../server/assistant/support.js";
import { checkViews, type Desk, goTo, openDesk, settle, takeSeat } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`reports, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
    const { id } = await desk.conversation("Ada", "Where is my order?");
    await desk.tenant.live.post(`/api/conversations/${id}/reply`, { body: "On its way.", then: "resolve" }, 200);
    await desk.conversation("Grace", "And mine?");
  });
  afterAll(() => desk.close());

  test("a chart with its table leads by the keyboard to the conversations behind a figure, and to a file of them", async () => {
    const { page, faults } = await takeSeat(desk, { at: "/quality" });
    await page.getByRole("link", { name: "Reports" }).click();
    await page.getByRole("img", { name: /^Count over time/ }).waitFor();
    await page.getByLabel("Report", { exact: true }).selectOption("first-reply");
    await page.getByRole("img", { name: /^Median over time/ }).waitFor();
    await page.getByLabel("Grouped by").selectOption("handledBy");
    const people = page.getByRole("button", { name: "Show the conversations of People" });
    await people.waitFor();
    await checkViews(page, "reports");
    await people.focus();
    await page.keyboard.press("Enter");
    const rows = page.getByRole("list", { name: "Conversations: People" });
    await rows.waitFor();
    expect(await rows.getByRole("listitem").count()).toBe(1);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const file = fs.readFileSync(await (await saved).path(), "utf8");
    expect((await saved).suggestedFilename()).toBe("first-reply.csv");
    expect(file.trimEnd().split("\r\n")).toHaveLength(2);
    expect(faults).toEqual([]);
  });

  test("a link shows the same to whoever opens it", async () => {
    const { page, faults } = await takeSeat(desk, { at: "/reports?type=busiest-hours&interval=week" });
    await page.getByRole("heading", { name: "Busiest hours" }).waitFor();
    expect(await page.getByLabel("Interval").inputValue()).toBe("week");
    const cell = page.getByRole("button", { name: /^\w+ \d\d:00: [12]$/ }).first();
    await cell.click();
    await page.getByRole("list", { name: /^Conversations: / }).waitFor();
    await settle(page);
    await checkViews(page, "busiest-hours");
    expect(new URL(page.url()).searchParams.get("type")).toBe("busiest-hours");
    expect(faults).toEqual([]);
  });

  test("the assistant's reports say what it reached, why it handed over and what it lacks, and a gap begins its entry", async () => {
    const { live } = desk.tenant;
    for (const name of ["Edsger", "Barbara"]) await desk.conversation(name, "Do you deliver to Iceland?");
    await desk.conversation("Donald", "Can you deliver to Iceland too?");
    await desk.conversation("Tony", "I want to talk to a person");
    await assist(desk.app);
    const { page, faults } = await takeSeat(desk, { at: "/reports?type=assistant" });
    const glance = page.getByRole("region", { name: "At a glance" });
    await glance.getByText("0%", { exact: true }).first().waitFor();
    const gaps = page.getByRole("list", { name: "Gaps" });
    const write = page.getByRole("link", { name: "Write an entry: Do you deliver to Iceland?" });
    await write.waitFor();
    await gaps.getByText("3 times").waitFor();
    await page.getByRole("button", { name: "Show the conversations of Wants a person" }).waitFor();
    await settle(page);
    await checkViews(page, "assistant-report");
    await page.getByRole("button", { name: "Show the conversations of Wants a person" }).focus();
    await page.keyboard.press("Enter");
    const rows = page.getByRole("list", { name: "Conversations: Wants a person" });
    await rows.waitFor();
    expect(await rows.getByRole("listitem").count()).toBe(1);
    await gaps.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    await gaps.getByRole("link", { name: "Can you deliver to Iceland too?" }).waitFor();
    await write.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Answer", { exact: true }).waitFor();
    expect(await page.getByLabel("Question", { exact: true }).inputValue()).toBe("Do you deliver to Iceland?");
    expect(await page.getByLabel("Other ways to ask it").inputValue()).toBe("Can you deliver to Iceland too?");
    await page.getByLabel("Answer", { exact: true }).fill("Yes, within nine days.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    const { body } = await live.get(`/api/workspaces/${desk.tenant.defaults.workspaceId}/kb-gaps`, 200);
    expect(body.gaps.map(({ question }) => question)).not.toContain("Do you deliver to Iceland?");
    await goTo(page, "/reports?type=assistant");
    await page.getByRole("heading", { name: "Gaps" }).waitFor();
    await gaps.or(page.getByText("No gaps.")).first().waitFor();
    await write.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  test("no filter stands alone on a line, at any width", async () => {
    const owner = await desk.tenant.owner();
    await owner.post("/api/workspaces", { name: "Annex", brandId: desk.tenant.defaults.brandId }, 201);
    const { page } = await takeSeat(desk, { at: "/reports", isLoaded: true });
    /** How many filters each line has, from the top, and whether each is as wide as the line or one column of it. */
    const lines = (): Promise<number[]> =>
      page.evaluate<number[]>(`{
        const boxes = [...document.querySelectorAll("main label")].map((label) => label.parentElement.getBoundingClientRect());
        const tops = [...new Set(boxes.map(({ top }) => Math.round(top)))];
        tops.map((top) => boxes.filter((box) => Math.round(box.top) === top).length);
      }`);
    for (const [at, width, expected] of [
      ["/reports", 390, [1, 2, 2, 1]],
      ["/reports", 768, [3, 3]],
      ["/reports", 1440, [3, 3]],
      ["/reports", 1920, [3, 3]],
      ["/reports?type=busiest-hours", 390, [1, 2, 2]],
      ["/reports?type=busiest-hours", 1440, [3, 2]],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await goTo(page, at);
      await page.getByLabel("Workspace").waitFor();
      await expect.poll(lines, { message: `${at} at ${width}` }).toEqual(expected);
      const [period, last] = await Promise.all(
        ["From", "Workspace"].map((name) => page.getByLabel(name).boundingBox()),
      );
      // Alone on a line, it is as wide as two.
      if (expected.at(-1) === 1) expect(last!.width).toBeGreaterThan(1.9 * period!.width);
    }
  });
});
