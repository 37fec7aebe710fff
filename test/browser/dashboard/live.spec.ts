import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { type Desk, fillDesk, followEvents, goTo, type Member, openDesk, PATIENT, settle, signIn } from "./support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";

allowTimeForProcesses();

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
    // A test that failed may have left it so.
    await member.context.setOffline(false);
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    await goTo(page, "/settings");
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
    // Without a stream the page would soon hear of it by polling.
    await page.route("**/api/changes?*", (route) => route.abort());
    await page.goto(`${desk.app.baseUrl}/inbox/all`);
    await row("Ada").waitFor();
    await desk.conversation("Grace", "Between");
    expect(await row("Grace").count()).toBe(0);
    open();
    await row("Grace").waitFor();
  });

  test("an event that is newer than an answer that comes after it", async () => {
    const { id } = await desk.conversation("Katherine", "First");
    // The stream is open before the list is asked for.
    await page.goto(`${desk.app.baseUrl}/settings`);
    const heard = await followEvents(page);
    const answer = await hold("**/api/conversations?*");
    const parts = await hold(`**/api/conversations/${id}/overview?*`);
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await answer.isHeld;
    await desk.conversation("Mary", "Meanwhile");
    await desk.tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await heard(`data.conversationId === "${id}" && data.resource?.status === "resolved"`);
    answer.release();
    await row("Mary").waitFor();
    await row("Katherine").waitFor({ state: "detached" });

    await goTo(page, `/inbox/all/${id}`);
    await parts.isHeld;
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Second" }, 201);
    await heard(`data.resource?.body === "Second"`);
    parts.release();
    await page.getByRole("log").getByText("Second").waitFor();
  });

  test("rows, counts and messages, without a request", async () => {
    const count = async (): Promise<number> => {
      const text = await page.getByRole("navigation", { name: "Main" }).getByTitle("Unassigned").textContent();
      return Number(/\d+/.exec(text ?? "")?.[0]);
    };
    await page.setViewportSize({ width: 1440, height: 900 });
    // Again, if the stream began anew meanwhile, or something else was due: counts are read again a minute after what they cannot
    // be known from, in a test before. What the page asks for because of an event, it asks for each time.
    for (let round = 1; ; round++) {
      const [hedy, joan, dorothy, rosalind] = ["Hedy", "Joan", "Dorothy", "Rosalind"].map((name) => `${name} ${round}`);
      const { id, contactId } = await desk.conversation(hedy!, "One");
      const { id: other } = await desk.conversation(joan!, "Two");
      await goTo(page, `/inbox/all/${id}`);
      await page.getByRole("log").getByText("One").waitFor();
      // Whatever is read again because the stream begins has been read.
      await desk.conversation(dorothy!, "Zero");
      await row(dorothy!).waitFor();
      await settle(page);
      const before = await count();
      const requests: string[] = [];
      const note = (request: Request): void => {
        const { pathname } = new URL(request.url());
        // It tells who is there, and hears it, by itself.
        const isPresence = ["/api/me/presence", "/api/members"].includes(pathname) || pathname.endsWith("/viewing");
        if (pathname.startsWith("/api/") && !isPresence) requests.push(`${request.method()} ${pathname}`);
      };
      page.on("request", note);
      await desk.conversation(rosalind!, "Three");
      await row(rosalind!).waitFor();
      await expect.poll(count).toBe(before + 1);
      await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Four" }, 201);
      await page.getByRole("log").getByText("Four").waitFor();
      // It was written last, so it is the first row.
      await expect.poll(() => list().getByRole("link").first().textContent()).toContain(hedy);
      await desk.tenant.live.patch(`/api/contacts/${contactId}`, { name: `${hedy} Lamarr` }, 200);
      await row(`${hedy} Lamarr`).waitFor();
      await page.getByRole("heading", { name: `${hedy} Lamarr` }).waitFor();
      await desk.tenant.live.post(`/api/conversations/${other}/resolve`, {}, 200);
      await row(joan!).waitFor({ state: "detached" });
      await expect.poll(count).toBe(before);
      await desk.tenant.live.post(`/api/conversations/${id}/take-over`, { memberId: await me() }, 200);
      await page.getByText("You handle this conversation.").waitFor();
      await expect.poll(count).toBe(before - 1);
      page.off("request", note);
      if (requests.length === 0) break;
      expect(round, requests.join()).toBeLessThan(10);
    }
  });

  test("rows stay where they are while somebody points at them: what is new waits until they ask for it or leave", async () => {
    await desk.conversation("Ida", "One");
    await goTo(page, "/inbox/all");
    await row("Ida").waitFor();
    const first = list().getByRole("link").first();
    await first.hover();
    // Not its text, which says how long somebody has waited.
    const shown = await first.getAttribute("href");
    for (const name of ["Otto", "Fritz", "Max"]) await desk.conversation(name, "Two");
    await list().getByRole("button", { name: "3 new" }).waitFor();
    expect(await row("Otto").count()).toBe(0);
    expect(await first.getAttribute("href")).toBe(shown);
    // The way to the button does not let them in.
    await list().getByRole("button", { name: "3 new" }).hover();
    await settle(page);
    expect(await row("Otto").count()).toBe(0);
    await list().getByRole("button", { name: "3 new" }).click();
    for (const name of ["Otto", "Fritz", "Max"]) await row(name).waitFor();

    await desk.conversation("Emil", "Three");
    await list().getByRole("button", { name: "1 new" }).waitFor();
    expect(await row("Emil").count()).toBe(0);
    await page.getByRole("link", { name: "Inbox", exact: true }).hover();
    await row("Emil").waitFor();
    expect(await list().getByRole("button", { name: "1 new" }).count()).toBe(0);
  });

  test("selected rows stay where they are while the pointer leaves and comes back", async () => {
    await desk.conversation("Ute", "One");
    await goTo(page, "/inbox/all");
    await row("Ute").waitFor();
    await row("Ute").hover();
    await list().getByRole("checkbox").first().check();
    const outside = page.getByRole("link", { name: "Inbox", exact: true });
    await outside.hover();
    await desk.conversation("Vera", "Two");
    await list().getByRole("button", { name: "1 new" }).waitFor();
    await row("Ute").hover();
    await settle(page);
    expect(await row("Vera").count()).toBe(0);
    await list().getByRole("checkbox").first().uncheck();
    await outside.hover();
    await row("Vera").waitFor();
  });

  test("while the stream is down or silent, by polling, and by the stream once it is back", async () => {
    const { id } = await desk.conversation("Emmy", "One");
    const polls: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/changes")) polls.push(response.status());
    });
    await page.route("**/api/events?*", (route) => route.abort());
    await page.goto(`${desk.app.baseUrl}/inbox/all/${id}`);
    await page.getByText("Live updates are interrupted").waitFor();
    await expect.poll(() => polls[0], PATIENT).toBe(200);
    await desk.conversation("Sofya", "Two");
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Heard by polling" }, 201);
    await page.getByRole("log").getByText("Heard by polling").waitFor();
    await row("Sofya").waitFor();

    // A proxy that buffers: it takes the request, and passes nothing on.
    const silent = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    await page.unrouteAll();
    await page.route("**/api/events?*", (route) => route.continue({ url }));
    await page.evaluate("dispatchEvent(new Event('online'))");
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Past the proxy" }, 201);
    await page.getByRole("log").getByText("Past the proxy").waitFor();

    await page.unrouteAll();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByText("Live updates are interrupted").waitFor({ state: "detached" });
    silent.closeAllConnections();
    silent.close();
    await settle(page);
    const before = polls.length;
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Heard at once" }, 201);
    await page.getByRole("log").getByText("Heard at once").waitFor();
    expect(await page.getByRole("log").getByText("Past the proxy").count()).toBe(1);
    expect(polls.length).toBe(before);
  });

  test("a session that is not renewed in time is renewed again", async () => {
    const { page, context } = await signIn(desk);
    // The first one has a hundredth of its time.
    await page.addInitScript(`{
      const inTime = AbortSignal.timeout.bind(AbortSignal);
      let calls = 0;
      AbortSignal.timeout = (ms) => inTime(calls++ ? ms : ms / 100);
    }`);
    let asked = 0;
    await page.route("**/api/auth/refresh", (route) => (asked++ ? route.continue() : undefined));
    await page.reload();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    expect(asked).toBe(2);
    await context.close();
  });

  test("without a connection: what is asked for fails with a reason, and is read once the connection is back", async () => {
    const { id } = await desk.conversation("Hypatia", "Already open");
    const { id: other } = await desk.conversation("Aspasia", "Not opened yet");
    await goTo(page, `/inbox/all/${id}`);
    await page.getByRole("log").getByText("Already open").waitFor();
    const offline = page.getByText("You are offline.");
    await page.evaluate(`
      window.saidAt = new Promise((resolve) => addEventListener("offline", ({ timeStamp }) => {
        const look = () => document.body.innerText.includes("You are offline.")
          ? resolve(performance.now() - timeStamp)
          : requestAnimationFrame(look);
        look();
      }, { once: true }));
      0`);
    await member.context.setOffline(true);
    // The reason goes by itself, so it is waited for from the beginning.
    await Promise.all([
      page.getByRole("alert").getByText("The server cannot be reached").waitFor(),
      offline.waitFor(),
      page.getByRole("button", { name: "Resolve" }).click(),
    ]);
    // A short interruption is not worth a word.
    expect(await page.evaluate<number>("saidAt")).toBeGreaterThanOrEqual(1_500);
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    await row("Hypatia").waitFor();
    await row("Aspasia").click();
    await page.getByRole("main").getByRole("alert").getByText("The server cannot be reached").waitFor();
    expect(page.url()).toContain(other);
    await member.context.setOffline(false);
    await page.getByRole("log").getByText("Not opened yet").waitFor();
    await offline.waitFor({ state: "detached" });
  });

  test("the names of all rows, after the request for them has failed", async () => {
    for (const name of ["Katherine", "Dorothy", "Mary"]) await desk.conversation(name, "Named later");
    await page.route("**/api/contacts?*", (route) => route.abort());
    // It is tried again every ten seconds. Here no time passes.
    await page.addInitScript(`{
      const { setInterval: real } = window;
      window.setInterval = (run, ms, ...rest) => real(run, ms === 10_000 ? 100 : ms, ...rest);
    }`);
    await page.goto(`${desk.app.baseUrl}/inbox/all`);
    await row("Named later").nth(2).waitFor();
    await row("Unnamed contact").first().waitFor();
    await page.unrouteAll();
    for (const name of ["Katherine", "Dorothy", "Mary"]) await row(name).waitFor();
  });

  test("in a tab that took the stream over from one that was closed", async () => {
    await goTo(page, "/inbox/all");
    const other = await member.context.newPage();
    const streams: string[] = [];
    other.on("request", (request) => {
      if (request.url().includes("/api/events")) streams.push(request.url());
    });
    await other.goto(`${desk.app.baseUrl}/inbox/all`);
    const shown = (name: string) => other.getByRole("region", { name: "Conversations" }).getByRole("link", { name });
    await other.getByRole("region", { name: "Conversations" }).waitFor();
    await desk.conversation("Lise", "Told by the other tab");
    await shown("Lise").waitFor();
    expect(streams).toEqual([]);
    await page.close();
    page = other;
    // Between the two streams: it is told behind the last event that was heard.
    await desk.conversation("Maria", "Told by a stream of its own");
    await shown("Maria").waitFor();
    expect(streams).toHaveLength(1);
  });

  describe("in a list of 800", () => {
    beforeAll(() => fillDesk(desk, 800));

    test("the next page comes while the pointer is on the list and a new conversation waits", async () => {
      await page.goto(`${desk.app.baseUrl}/inbox/all`);
      const first = list().getByRole("link").first();
      await first.hover();
      const length = () =>
        page.evaluate(
          "(({ parentElement: ul, offsetHeight }) => ul.offsetHeight / offsetHeight)(document.querySelector('li[data-index]'))",
        );
      await expect.poll(length).toBe(50);
      // Near the end, and not to it: a wheel that still turns would ask for one more page.
      await page.mouse.wheel(0, 3_000);
      await expect.poll(length).toBe(150);
      await desk.conversation("Nina", "One");
      await list().getByRole("button", { name: "1 new" }).waitFor();
      expect(await length()).toBe(150);
      await page.mouse.wheel(0, 8_000);
      await expect.poll(length).toBeGreaterThanOrEqual(250);
      await list().getByRole("button", { name: "1 new" }).click();
      await row("Nina").waitFor();
      // Nothing is there twice.
      await expect.poll(async () => Number(await length()) % 100).toBe(51);
      await first.hover();
      await desk.conversation("Olga", "Two");
      await list().getByRole("button", { name: "1 new" }).waitFor();
      expect(await row("Olga").count()).toBe(0);
    });

    test("after missed events only the first pages are read again, even if you have scrolled far", async () => {
      await page.route("**/api/events?*", (route) => route.abort());
      await page.goto(`${desk.app.baseUrl}/inbox/all`);
      await page.getByText("Live updates are interrupted").waitFor();
      await settle(page);
      await list().getByRole("link").first().waitFor();
      const reads: string[] = [];
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === "/api/conversations") reads.push(request.url());
      });
      await list().getByRole("link").first().hover();
      // A wheel that still turns asks for one more page.
      for (let pages = 0; pages < 5; pages = reads.length) {
        await page.mouse.wheel(0, 100_000);
        await expect.poll(() => reads.length).toBeGreaterThan(pages);
        await settle(page);
      }
      let isExpired = true;
      reads.length = 0;
      await page.route("**/api/changes?*", (route) => {
        if (!isExpired) return route.continue();
        isExpired = false;
        return route.fulfill({ status: 410, json: { error: "The feed no longer has what follows this cursor" } });
      });
      await page.evaluate("dispatchEvent(new Event('online'))");
      await expect.poll(() => isExpired, PATIENT).toBe(false);
      await expect.poll(() => reads.length, PATIENT).toBeGreaterThan(0);
      await settle(page);
      expect(reads.length).toBeLessThanOrEqual(4);
    });
  });

  const me = async (): Promise<string> => {
    const owner = await desk.tenant.owner();
    return (await owner.get("/api/me", 200)).body.id;
  };
});
