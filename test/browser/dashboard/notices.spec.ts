import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../../support/client.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import {
  type Browser,
  deliver,
  notice,
  type PushService,
  startPushService,
  trustLocalhost,
} from "../../server/notices/support.js";
import { type Desk, goTo, openDesk, PATIENT, signIn } from "./support.js";

allowTimeForProcesses();
const POLL = PATIENT;

/** A browser with a push service, which headless Chromium has not: what subscribing gives, and nothing else. */
const withPush = ({ endpoint, p256dh, auth }: Browser["body"]): string => `
  Object.defineProperty(Notification, "permission", { get: () => (localStorage.allowed ? "granted" : "default") });
  Notification.requestPermission = async () => ((localStorage.allowed = "1"), "granted");
  let made = localStorage.subscribed ? subscription() : null;
  function subscription() {
    return {
      options: { get applicationServerKey() { return Uint8Array.from(JSON.parse(localStorage.subscribed)).buffer; } },
      toJSON: () => ({ endpoint: ${JSON.stringify(endpoint)}, keys: ${JSON.stringify({ p256dh, auth })} }),
      unsubscribe: async () => { localStorage.removeItem("subscribed"); made = null; return true; },
    };
  }
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    localStorage.subscribed = JSON.stringify([...applicationServerKey]);
    return (made = subscription());
  };
`;

describe.skipIf(!CHROMIUM)(`notices on a device, in a browser${WITHOUT_BROWSER}`, () => {
  let service: PushService;
  let desk: Desk;
  let owner: Client;
  beforeAll(async () => {
    trustLocalhost();
    service = await startPushService();
    desk = await openDesk({ OUTBOUND_ALLOW: [`localhost:${service.port}`] });
    owner = await desk.tenant.owner();
  });
  afterAll(async () => {
    await desk.close();
    await service.close();
    vi.restoreAllMocks();
  });
  const opened: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
    await owner.put("/api/me/preferences", {}, 200);
  });

  const begin = async (browser: Browser | undefined, at = "/settings/preferences") => {
    const member = await signIn(desk, { at, permissions: browser ? ["notifications"] : [] });
    opened.push(member.context);
    if (!browser) return member;
    await member.context.addInitScript(withPush(browser.body));
    await member.page.reload();
    return member;
  };
  const device = (page: Page) => page.getByRole("region", { name: "Notifications on this device" });
  const allow = async (page: Page): Promise<void> => {
    await device(page).getByRole("button", { name: "Allow" }).click();
    await device(page).getByText("They are on, also while Parley is closed.").waitFor();
  };
  const subscriptions = async () => (await owner.get("/api/me/push-subscriptions", 200)).body.subscriptions;
  test("a member allows them, sends one, and turns them off; nothing is asked for before the click", async () => {
    const browser = service.browser();
    const { page, faults } = await begin(browser);
    await device(page).getByText("They are off.").waitFor();
    expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe(0);
    await allow(page);
    expect(await subscriptions()).toMatchObject([{ lastSuccessAt: null }]);
    await device(page).getByRole("button", { name: "Send me a notice" }).click();
    await page.getByText("Sent. It is here in a moment.").waitFor();
    expect(browser.arrived.map((one) => one.notice.title)).toEqual(["Notices work on this device"]);
    browser.answer = { status: 503 };
    await device(page).getByRole("button", { name: "Send me a notice" }).click();
    await page.getByText("That did not work: The push service answered with status 503").waitFor();
    await page.reload();
    await device(page).getByText("They are on, also while Parley is closed.").waitFor();
    await device(page).getByRole("button", { name: "Turn off" }).click();
    await device(page).getByText("They are off.").waitFor();
    await expect.poll(subscriptions, POLL).toEqual([]);
    expect(faults).toEqual([]);
  });

  /** Hands the service worker what the push service was given, as a browser does once it has decrypted it. */
  const handOver = async ({ page, context }: { page: Page; context: BrowserContext }) => {
    const cdp = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [one] = registrations.filter(({ isDeleted }) => !isDeleted);
        if (one) resolve(one.registrationId);
      });
    });
    await cdp.send("ServiceWorker.enable");
    const registrationId = await registered;
    return (notice: object) =>
      cdp.send("ServiceWorker.deliverPushMessage", {
        origin: desk.app.baseUrl,
        registrationId,
        data: JSON.stringify(notice),
      });
  };

  test("what is pushed is shown by the service worker, and a click opens the conversation; the icon counts what is mine", async () => {
    const browser = service.browser();
    const { page, context, faults } = await begin(browser);
    await context.addInitScript(`
      window.badges = [];
      const setAppBadge = navigator.setAppBadge;
      navigator.setAppBadge = (count) => (badges.push(count), setAppBadge.call(navigator, count));
    `);
    await page.reload();
    await allow(page);
    const deliverPush = await handOver({ page, context });
    await expect.poll(() => context.serviceWorkers().length, POLL).toBe(1);
    const [worker] = context.serviceWorkers();
    // Headless Chromium shows no notification, whatever is allowed: what it would show is kept.
    await worker!.evaluate(`{
      self.shown = [];
      self.registration.showNotification = async (title, more) => void shown.push({ title, ...more });
    }`);
    const shownLocks = () =>
      page.evaluate<string[]>(
        `navigator.locks.query().then(({ held }) => held.map(({ name }) => name).filter((name) => name.startsWith("parley-shown-")))`,
      );
    const notices = () => worker!.evaluate<object[]>("self.shown");
    const { id } = await desk.conversation("Ida", "Hello");
    // What was said before it is the member's own makes no notice, also where the feed is read in two steps.
    await notice(desk.app);
    const me = (await owner.get("/api/me", 200)).body.id;
    await owner.post(`/api/conversations/${id}/assign`, { memberId: me }, 200);
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Where is my *parcel*?" }, 201);
    await expect.poll(() => page.evaluate("badges.at(-1)"), POLL).toBe(1);
    expect(await page.title()).toMatch(/^\(1\) /);
    await deliver(desk.app);
    const [pushed] = browser.arrived;
    await deliverPush(pushed!.notice);
    const told = {
      title: "Ida wrote to you",
      body: "Where is my parcel?",
      tag: `live-${id}`,
      data: `/inbox/all/${id}`,
    };
    await expect.poll(notices, POLL).toEqual([told]);
    await worker!.evaluate(`{
      const notification = { data: shown[0].data, close: () => (shown.length = 0) };
      self.dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { notification }));
    }`);
    await page.getByRole("heading", { name: "Ida" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/inbox/all/${id}`);
    expect(await notices()).toEqual([]);
    // Whoever looks at the conversation sees the message itself. What matters is what the page shows, not where it was loaded.
    const another = { title: "Another", tag: "live-another", path: "/inbox/all/another" };
    await expect.poll(shownLocks, POLL).toEqual([`parley-shown-live-${id}`]);
    await deliverPush(pushed!.notice);
    await deliverPush(another);
    await expect.poll(notices, POLL).toMatchObject([{ title: "Another" }]);
    await page.reload();
    await page.getByRole("heading", { name: "Ida" }).waitFor();
    await goTo(page, "/settings/preferences");
    await expect.poll(shownLocks, POLL).toEqual([]);
    await deliverPush(pushed!.notice);
    await expect.poll(notices, POLL).toMatchObject([{ title: "Another" }, told]);

    await device(page).getByRole("button", { name: "Turn off" }).click();
    await expect.poll(subscriptions, POLL).toEqual([]);
    await desk.tenant.live.post(`/api/conversations/${id}/messages`, { body: "Are you there?" }, 201);
    await deliver(desk.app);
    expect(browser.arrived).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test("signing out takes the device away", async () => {
    const { page } = await begin(service.browser());
    await allow(page);
    expect(await subscriptions()).toHaveLength(1);
    await page.getByRole("button", { name: /Owner/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Password").waitFor();
    await expect.poll(subscriptions, POLL).toEqual([]);
    expect(await page.evaluate("localStorage.subscribed ?? null")).toBeNull();
  });

  test("a browser that blocks them says how to undo that", async () => {
    const { page } = await begin(undefined);
    await device(page).getByText("This browser blocks them. To allow them, open the settings of this page").waitFor();
    expect(await device(page).getByRole("button").count()).toBe(0);
  });

  test("the service worker keeps nothing and reaches all pages; the mail about mentions is off until it is wanted", async () => {
    const answer = await fetch(`${desk.app.baseUrl}/service-worker.js`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'",
    });
    expect(await answer.text()).not.toMatch(/caches|fetch/);
    const { page } = await begin(undefined);
    const box = page.getByLabel("Mail me about mentions that I have not read after ten minutes");
    expect(await box.isChecked()).toBe(false);
    await box.check();
    const wants = async () => (await owner.get("/api/me/preferences", 200)).body.notifications.mailMentions;
    await expect.poll(wants, POLL).toBe(true);
  });
});
