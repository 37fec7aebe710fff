import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person } from "../../server/auth/second-factor-support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import { everyNth } from "../../support/sweep.js";
import { check, type Desk, goTo, openDesk, settle, signIn, takeSeat } from "./support.js";

allowTimeForProcesses();

const NOWHERE = "0190b5e0-0000-7000-8000-000000000000";
/** Screens that read something when they are opened. */
const READING = [
  "/inbox/mine",
  "/attention",
  "/search?q=harbour",
  "/contacts",
  "/accounts",
  "/cases",
  "/calendar",
  "/knowledge",
  "/knowledge?show=approved",
  "/policies",
  "/quality",
  "/settings/preferences",
  "/settings/second-factor",
  "/settings/sessions",
  "/settings/members",
  "/settings/labels",
  "/settings/canned-replies",
];
/** Such that only owners and admins see. */
const MANAGED = [
  "/settings/workspaces",
  "/settings/channels",
  "/settings/widgets",
  "/settings/agents",
  "/settings/api-access",
  "/settings/webhooks",
  "/settings/audit-log",
  "/settings/security-log",
];
/** One thing, which may be gone. */
const ONE = [
  `/inbox/all/${NOWHERE}`,
  `/contacts/${NOWHERE}`,
  `/accounts/${NOWHERE}`,
  `/cases/${NOWHERE}`,
  `/settings/workspaces/${NOWHERE}`,
  `/settings/channels/${NOWHERE}`,
  `/settings/agents/${NOWHERE}`,
];
const STILL = ["/settings/profile", "/settings/password", "/settings/channels/new"];
/** What the shell needs to show any page. */
const SHELL = /\/api\/(?:auth|me|events|environments|conversation-counts|views)\b/;

/** The page of an address, once it has read what it shows. */
async function show(page: Page, at: string): Promise<void> {
  await goTo(page, at);
  await page.locator("h1").first().waitFor();
  await settle(page);
}
const nameOf = (state: string, at: string): string =>
  `state-${state}${at.replace(NOWHERE, "one").replace(/\W+/g, "-")}`;

describe.skipIf(!CHROMIUM)(`what screens show when there is nothing to show, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  let agent: string;
  beforeAll(async () => {
    desk = await openDesk();
    owner = await desk.tenant.owner();
    agent = (await person(owner)).email;
  });
  afterAll(() => desk.close());
  const narrow = { viewport: { width: 320, height: 640 } } as const;

  test("empty: each screen says why, and axe finds nothing", async () => {
    const { page, faults } = await takeSeat(desk);
    for (const at of everyNth([...READING, ...STILL, ...MANAGED], 3)) {
      await show(page, at);
      expect(await page.getByRole("alert").count(), at).toBe(0);
      await check(page, nameOf("empty", at));
    }
    expect(faults).toEqual([]);
  });

  test("gone: each screen about one thing says so", async () => {
    const { page } = await takeSeat(desk, { ...narrow, colorScheme: "dark" });
    for (const at of everyNth(ONE, 3)) {
      await show(page, at);
      await page
        .getByRole("alert")
        .getByText(/ is gone, or outside of the workspaces that you work in\.$/)
        .waitFor();
      await check(page, nameOf("gone", at));
    }
  });

  test("failed: each screen says what went wrong, with the request's id and a way to try again", async () => {
    // A page that has read nothing yet but what the shell needs.
    const { page, context } = await signIn(desk, { ...narrow, colorScheme: "dark", at: "/settings/password" });
    await page.route("**/api/**", (route) =>
      SHELL.test(route.request().url())
        ? route.fallback()
        : route.fulfill({ status: 501, headers: { "X-Request-Id": "request-1" }, json: { error: "Broken" } }),
    );
    await page.route("**/api/me/{preferences,second-factors,sessions}", (route) =>
      route.fulfill({ status: 501, headers: { "X-Request-Id": "request-1" }, json: { error: "Broken" } }),
    );
    const addresses = everyNth([...READING, ...MANAGED, ...ONE], 3);
    const axed = [addresses[0], "/inbox/mine", "/contacts", "/settings/members"];
    for (const at of addresses) {
      // The shell has read the preferences, too.
      if (at === "/settings/preferences") await page.goto(`${desk.app.baseUrl}${at}`);
      else await goTo(page, at);
      const alert = page.getByRole("alert").filter({ hasText: "Something went wrong on the server." }).first();
      await alert.getByRole("button", { name: "Retry" }).waitFor();
      expect(await alert.textContent(), at).toContain("Request request-1");
      await check(page, nameOf("failed", at), { axe: axed.includes(at) });
    }
    await context.close();
  });

  test("not allowed: an agent without a workspace reads whom to ask", async () => {
    const { page, context, faults } = await signIn(desk, { ...narrow, email: agent, reducedMotion: "reduce" });
    for (const [i, at] of everyNth(MANAGED, 3).entries()) {
      await show(page, at);
      await page.getByText(/^Owners and admins/).waitFor();
      await check(page, nameOf("managed", at), { axe: i === 0 });
    }
    for (const at of everyNth(READING, 3)) {
      await show(page, at);
      await check(page, nameOf("agent", at));
      // With reduced motion, nothing moves, not even while something loads.
      const moving = `(() => {
        const skeleton = document.body.appendChild(Object.assign(document.createElement("div"), { className: "skeleton" }));
        const found = [...document.querySelectorAll("*")].filter((one) => {
          const { transitionDuration, animationDuration, animationIterationCount } = getComputedStyle(one);
          const isLong = Math.max(parseFloat(transitionDuration), parseFloat(animationDuration)) > 0.001;
          return isLong || animationIterationCount.includes("infinite");
        });
        skeleton.remove();
        return found.map(({ className }) => className);
      })()`;
      expect(await page.evaluate(moving), at).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test("right-to-left: everything fits, on a phone and on a wide screen", async () => {
    const { id, contactId } = await desk.conversation("فاطمة", "أين طلبي؟", "طلب");
    const { workspaceId } = desk.tenant.defaults;
    const account = (await desk.tenant.live.post("/api/accounts", { name: "Harbour", plan: "gold" }, 201)).body.id;
    await desk.tenant.live.put(`/api/contacts/${contactId}/account`, { accountId: account }, 200);
    const one = (
      await owner.post(
        "/api/cases",
        { workspaceId, title: "وصل الطرد تالفًا", contactId, conversationIds: [id], priority: "high" },
        201,
      )
    ).body.id;
    await owner.post("/api/labels", { name: "vip", colour: "purple" }, 201);
    await owner.post("/api/canned-replies", { shortcut: "hi", title: "Hello", body: "Hello!" }, 201);
    const entries = `/api/workspaces/${workspaceId}/kb-entries` as const;
    await desk.tenant.live.post(entries, { question: "متى؟", answer: "**غدًا**", status: "pending" }, 201);
    const [here] = (await owner.get("/api/agents", 200)).body;
    const { page, faults } = await takeSeat(desk);
    const addresses = [
      `/inbox/all/${id}`,
      `/contacts/${contactId}`,
      `/accounts/${account}`,
      `/cases/${one}`,
      `/settings/workspaces/${workspaceId}`,
      `/settings/agents/${here!.id}`,
      ...READING,
      ...MANAGED,
      ...STILL,
    ];
    for (const [i, at] of everyNth(addresses, 3).entries()) {
      await show(page, at);
      await page.evaluate("document.documentElement.dir = 'rtl'");
      const isAxed = i === 0 || at === "/contacts";
      for (const viewport of [narrow.viewport, { width: 1440, height: 900 }]) {
        await page.setViewportSize(viewport);
        await check(page, nameOf(`rtl-${viewport.width}`, at), { axe: isAxed });
      }
    }
    expect(faults).toEqual([]);
  });
});
