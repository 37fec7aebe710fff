import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { type Desk, type Member, openDesk, signIn } from "./support.js";

describe.skipIf(!CHROMIUM)(`what happens appears by itself${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let member: Member;
  let page: Page;
  beforeAll(async () => {
    desk = await openDesk();
    member = await signIn(desk);
    ({ page } = member);
  });
  beforeEach(async () => {
    await page.unrouteAll();
    await page.goto(`${desk.app.baseUrl}/settings`);
  });
  afterAll(async () => {
    expect(member.faults).toEqual([]);
    await member.context.close();
    await desk.close();
  });
  const list = () => page.getByRole("region", { name: "Conversations" });
  const row = (name: string) => list().getByRole("link", { name });
  /** Holds the next answers of a path back until the function that it returns is called. */
  const hold = async (path: string): Promise<{ isHeld: Promise<void>; release: () => void }> => {
    let [release, held] = [(): void => undefined, (): void => undefined];
    const released = new Promise<void>((resolve) => (release = resolve));
    const isHeld = new Promise<void>((resolve) => (held = resolve));
    await page.route(path, async (route) => {
      const response = await route.fetch();
      held();
      await released;
      await route.fulfill({ response }).catch(() => undefined);
    });
    return { isHeld, release };
  };

  test("what happens between the first answer and the begin of the stream", async () => {
    await desk.conversation("Ada", "Before");
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    await page.route("**/api/events?*", async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto(`${desk.app.baseUrl}/inbox/all`);
    await row("Ada").waitFor();
    await desk.conversation("Grace", "Between");
    await page.waitForTimeout(300);
    expect(await row("Grace").count()).toBe(0);
    open();
    await row("Grace").waitFor();
  });

  test("an event that is newer than an answer that comes after it", async () => {
    const { id } = await desk.conversation("Katherine", "First");
    // The stream is open before the list is asked for.
    await page.getByRole("heading", { name: "Profile" }).first().waitFor();
    await page.waitForTimeout(500);
    const answer = await hold("**/api/conversations?*");
    const parts = await hold(`**/api/conversations/${id}/overview?*`);
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await answer.isHeld;
    await desk.conversation("Mary", "Meanwhile");
    await desk.tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await page.waitForTimeout(500);
    answer.release();
    await row("Mary").waitFor();
    await row("Katherine").waitFor({ state: "detached" });

    await page.goto(`${desk.app.baseUrl}/inbox/all/${id}`);
    await parts.isHeld;
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Second" }, 201);
    await page.waitForTimeout(500);
    parts.release();
    await page.getByRole("log").getByText("Second").waitFor();
  });

  test("rows, counts and messages, without a request", async () => {
    const { id } = await desk.conversation("Hedy", "One");
    const { id: other } = await desk.conversation("Joan", "Two");
    await page.goto(`${desk.app.baseUrl}/inbox/all/${id}`);
    await page.getByRole("log").getByText("One").waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.waitForTimeout(1_500);
    const count = async (): Promise<number> => {
      const text = await page.getByRole("navigation", { name: "Main" }).getByTitle("Unassigned").textContent();
      return Number(/\d+/.exec(text ?? "")?.[0]);
    };
    const before = await count();
    const requests: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/") && !pathname.endsWith("/viewing"))
        requests.push(`${request.method()} ${pathname}`);
    });
    await desk.conversation("Rosalind", "Three");
    await row("Rosalind").waitFor();
    await expect.poll(count).toBe(before + 1);
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Four" }, 201);
    await page.getByRole("log").getByText("Four").waitFor();
    // It was written last, so it is the first row.
    await expect.poll(() => list().getByRole("link").first().textContent()).toContain("Hedy");
    await desk.tenant.live.post(`/api/conversations/${other}/resolve`, {}, 200);
    await row("Joan").waitFor({ state: "detached" });
    await expect.poll(count).toBe(before);
    await desk.tenant.live.post(`/api/conversations/${id}/take-over`, { memberId: await me() }, 200);
    await page.getByText("You handle this conversation.").waitFor();
    await expect.poll(count).toBe(before - 1);
    expect(requests).toEqual([]);
  });
  const me = async (): Promise<string> => {
    const owner = await desk.tenant.owner();
    return (await owner.get("/api/me", 200)).body.id;
  };
});
