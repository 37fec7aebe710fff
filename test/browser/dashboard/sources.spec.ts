import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SourcesJob } from "../../../src/knowledge/sources/sources.job.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { page as answers, type Site, startSite } from "../../server/sources/support.js";
import { PASSWORD } from "../../support/app.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { checkViews, type Desk, goTo, type Member, openDesk, settle, takeSeat } from "./support.js";

allowTimeForProcesses();

describe.skipIf(!CHROMIUM)(`sources at the desk, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let site: Site;
  let sources: `/api/workspaces/${string}/sources`;
  let observer: string;
  beforeAll(async () => {
    site = await startSite({
      "/help/": answers({ "Can I return it?": "You can send it back within thirty days." }, ["/help/fees"]),
      "/help/fees": answers({ "What does it cost?": "It costs nothing at all in any country." }),
    });
    desk = await openDesk({ OUTBOUND_ALLOW: [`127.0.0.1:${site.port}`] });
    const { workspaceId } = desk.tenant.defaults;
    sources = `/api/workspaces/${workspaceId}/sources`;
    observer = `observer-${desk.tenant.ownerEmail}`;
    const owner = await desk.tenant.owner();
    await owner.post(
      "/api/members",
      { email: observer, name: "Olga", role: "observer", workspaceIds: [workspaceId], password: PASSWORD },
      201,
    );
  });
  afterAll(async () => {
    await desk.close();
    await site.close();
  });

  let member: Member | undefined;
  afterEach(async () => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
    for (const { id } of (await desk.tenant.live.get(sources, 200)).body)
      await desk.tenant.live.delete(`/api/sources/${id}`, 200);
  });
  const begin = async (email?: string): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width: 1280, height: 800 }, at: "/knowledge?show=sources", email });
    // The page still knows the source of the test before, which has the same name.
    await settle(member.page);
    return member.page;
  };
  const readDue = () => desk.app.app.get(SourcesJob).tick();

  test("a site is added, read, and its proposals are reviewed, with the keyboard alone", async () => {
    const page = await begin();
    await checkViews(page, "sources-empty");
    await page.getByRole("button", { name: "Add a source" }).focus();
    await page.keyboard.press("Enter");
    const address = page.getByLabel("Address");
    await address.waitFor();
    await checkViews(page, "sources-form");
    await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("SELECT");
    await page.keyboard.press("Tab");
    await page.keyboard.type("http://127.0.0.1:1/");
    await page.keyboard.press("Enter");
    await page
      .getByRole("alert")
      .getByText(/OUTBOUND_ALLOW/)
      .waitFor();
    // The browser logs what was refused.
    member!.faults.length = 0;
    await address.fill(site.url("/help/"));
    await page.keyboard.press("Enter");
    await page.getByText("Waits").waitFor();
    await readDue();
    await page.getByText("2 answers (2 pages)").waitFor();
    await checkViews(page, "sources");
    await page.getByRole("link", { name: "Review 2 proposals" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Only what one source proposed.").waitFor();
    const place = page.getByRole("link", { name: site.url("/help/") }).first();
    await place.waitFor();
    await checkViews(page, "sources-review");
    await page.keyboard.press("y");
    await page.getByText("Approved: Can I return it?").waitFor();
    const other = { question: "Who owns the shop?", answer: "Its members.", status: "pending" } as const;
    const { workspaceId } = desk.tenant.defaults;
    const { id } = (await desk.tenant.live.post(`/api/workspaces/${workspaceId}/kb-entries`, other, 201)).body;
    await page.getByRole("link", { name: "Show all proposals" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(other.question).waitFor();
    expect(await page.getByText("Only what one source proposed.").count()).toBe(0);
    await desk.tenant.live.delete(`/api/kb-entries/${id}`, 200);
  });

  test("what waits is filtered by its page, and all of a page is approved at once; what fails stays with its reason", async () => {
    const numbered = (topic: string) =>
      Object.fromEntries(
        [1, 2, 3, 4].map((n) => [
          `What is ${topic} number ${n}?`,
          `It is ${topic} number ${n}, with all that belongs to it.`,
        ]),
      );
    site.pages["/docs/"] = answers(numbered("harbour"), ["/docs/lighthouse"]);
    site.pages["/docs/lighthouse"] = answers({
      ...numbered("lighthouse"),
      "What is lighthouse number 2?": "You reach it in two ways:<ul><li>By sea</li><li>On foot, at low tide</li></ul>",
    });
    await desk.tenant.live.post(sources, { kind: "website", url: site.url("/docs/") }, 201);
    await readDue();
    const page = await begin();
    await goTo(page, "/knowledge");
    await page.getByRole("button", { name: /harbour number 1/, expanded: true }).waitFor();
    const search = page.getByRole("searchbox", { name: "Question, answer or page" });
    await search.fill("nothing like it");
    await page.getByText("Nothing was found for “nothing like it”.").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await search.fill("docs/LIGHTHOUSE");
    await page.getByText("4 of 8").waitFor();
    await page.getByRole("button", { name: /lighthouse number 1/, expanded: true }).waitFor();
    expect(await page.getByRole("article").count()).toBe(4);

    const { workspaceId } = desk.tenant.defaults;
    const pending = async () =>
      (await desk.tenant.live.get(`/api/workspaces/${workspaceId}/kb-entries/pending`, 200)).body;
    const third = (await pending()).find(({ question }) => question === "What is lighthouse number 3?")!;
    await page.route(`**/kb-entries/${third.id}/approve`, (route) =>
      route.fulfill({ status: 409, json: { error: "Conflict", detail: "Somebody else has it" } }),
    );
    await page.getByRole("button", { name: "Approve 4 of this page" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve 4 proposals of this page?" });
    await dialog.getByText("What is lighthouse number 4?").waitFor();
    await dialog.getByText("It is lighthouse number 4, with all that belongs to it.").waitFor();
    await dialog
      .getByRole("listitem")
      .filter({ hasText: /^By sea$/ })
      .waitFor();
    await dialog.getByText("You can replace or archive each of them afterwards").waitFor();
    await checkViews(page, "sources-approve-page");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await pending()).toHaveLength(8);
    await page.getByRole("button", { name: "Approve 4 of this page" }).click();
    await dialog.getByRole("button", { name: "Approve 4" }).click();
    await page.getByText("3 proposals approved").waitFor();
    await page.getByText("1 of 5").waitFor();
    const left = page.getByRole("button", { name: /lighthouse number 3/, expanded: true });
    await left.and(page.locator(":focus")).waitFor();
    await page.getByRole("article").getByRole("alert").waitFor();
    expect((await pending()).map(({ question }) => question).filter((one) => one.includes("lighthouse"))).toEqual([
      "What is lighthouse number 3?",
    ]);
    // The browser logs what was refused.
    member!.faults.length = 0;

    const reader = await begin(observer);
    await goTo(reader, "/knowledge?q=harbour");
    await reader.getByRole("button", { name: /harbour number 1/, expanded: true }).waitFor();
    expect(await reader.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
  });

  test("a source is read again, gets a schedule, and is deleted", async () => {
    const { body } = await desk.tenant.live.post(sources, { kind: "website", url: site.url("/help/") }, 201);
    await readDue();
    const page = await begin();
    await page.getByLabel(`Read again: ${site.url("/help/")}`).selectOption("Every day");
    await expect
      .poll(async () => (await desk.tenant.live.get(`/api/sources/${body.id}`, 200)).body.schedule)
      .toBe("daily");
    site.asked = [];
    await page.getByRole("button", { name: `Read now: ${site.url("/help/")}` }).click();
    await page.getByText("Waits").waitFor();
    await readDue();
    await page.getByText("Read", { exact: true }).waitFor();
    expect(site.asked).toContain("/help/");
    await page.getByRole("button", { name: `Delete ${site.url("/help/")}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No source yet.").waitFor();
  });

  test("a file is uploaded and read", async () => {
    const page = await begin();
    await page.getByRole("button", { name: "Add a source" }).click();
    await page.getByLabel("What is it?").selectOption("File");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file" }).click();
    const buffer = Buffer.from("# Handbook\n\n## How long?\n\nYou have thirty days for all of it.");
    await (await chooser).setFiles({ name: "handbook.md", mimeType: "text/markdown", buffer });
    await page.getByText("handbook.md").waitFor();
    await readDue();
    await page.getByText("1 answer", { exact: false }).waitFor();
    await settle(page);
  });

  test("who may not write sees what is read, and changes nothing", async () => {
    await desk.tenant.live.post(sources, { kind: "website", url: site.url("/help/") }, 201);
    site.pages["/robots.txt"] = { type: "text/plain", body: "User-agent: *\nDisallow: /" };
    await readDue();
    delete site.pages["/robots.txt"];
    const page = await begin(observer);
    await page.getByText("Failed").waitFor();
    await page.getByText("does not let Parley read this address").waitFor();
    expect(await page.getByRole("button", { name: /Add|Delete|Read now/ }).count()).toBe(0);
    await checkViews(page, "sources-observer");
    await goTo(page, "/policies?show=sources");
    await settle(page);
  });
});
