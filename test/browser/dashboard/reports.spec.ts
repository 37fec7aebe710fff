import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { checkViews, type Desk, openDesk, settle, takeSeat } from "./support.js";

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
});
