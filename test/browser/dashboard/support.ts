import fs from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { closePages, openBrowser, pendingOf } from "../../support/browser.js";
import { everyNth } from "../../support/sweep.js";
import { runAxe } from "../axe.js";
import { untilStill } from "../still.js";

/** If set, the folder for screenshots of the dashboard (`docs/images` for those of the documentation). */
const { SCREENSHOTS } = process.env;

type View = readonly [width: number, colorScheme: "light" | "dark"];
const OTHER_VIEWS: View[] = [
  [1440, "dark"],
  [320, "light"],
];
/** Widths and colours in which pages are looked at: two, and all four each night (`HUNT=1`). */
export const VIEWS: View[] = [[1440, "light"], [320, "dark"], ...(process.env.HUNT ? OTHER_VIEWS : [])];

export interface Desk {
  app: TestApp;
  tenant: TestTenant;
  browser: Browser;
  /** The pages of `takeSeat()`, by who has signed in there. */
  seats: Map<string, Member>;
  /** A conversation with one message, and its contact. */
  conversation(name: string, text: string, subject?: string): Promise<{ id: string; contactId: string }>;
  close(): Promise<void>;
}

/** A server with the dashboard, a tenant and a browser. */
export async function openDesk(settings?: Parameters<typeof startApp>[0]): Promise<Desk> {
  const app = await startApp(settings);
  Object.assign(app.config, { PUBLIC_URL: app.baseUrl });
  const tenant = await app.tenant("Harbour Books");
  const browser = await openBrowser();
  if (SCREENSHOTS) fs.mkdirSync(SCREENSHOTS, { recursive: true });
  let serial = 0;
  return {
    app,
    tenant,
    browser,
    seats: new Map(),
    conversation: async (name, text, subject) => {
      const externalId = `c${++serial}-${name}`;
      const { body } = await tenant.live.post(
        "/api/conversations",
        {
          workspaceId: tenant.defaults.workspaceId,
          externalId,
          subject: subject ?? null,
          contact: { externalId, name },
        },
        201,
      );
      await tenant.live.post(`/api/conversations/${body.id}/messages`, { body: text }, 201);
      return { id: body.id, contactId: body.contactId };
    },
    close: async () => {
      await closePages();
      await app.close();
    },
  };
}

const CONVERSATIONS = 100_000;
const CONTACTS = 1_000;
/** Older open conversations, as a large company has them. They are written past the application and its triggers. */
export async function fillDesk({ app, tenant }: Desk, count = CONVERSATIONS): Promise<void> {
  const place = `workspace w join channel c on c.workspace_id = w.id and c.type = 'api' and w.id = '${tenant.defaults.workspaceId}'`;
  const contact = (n: string): string => `('50000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await app.db.query(`
    begin;
    set local session_replication_role = replica;
    insert into contact (tenant_id, id, name)
      select w.tenant_id, ${contact("n")}, 'Contact ' || n from ${place}, generate_series(0, ${CONTACTS - 1}) n;
    insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, subject, status,
        last_message_preview, last_activity_at, created_at, updated_at, channel_type)
      select w.tenant_id, gen_random_uuid(), w.id, w.brand_id, c.id, ${contact(`n % ${CONTACTS}`)}, 'Conversation ' || n, 'open',
        'Of conversation ' || n, t, t, t, 'api'
      from ${place}, generate_series(1, ${count}) n, lateral (select now() - n * interval '1 minute' as t) at;
    commit`);
  await app.db.query("analyze conversation, contact");
}

const SIZE = { width: 1280, height: 800 };

interface Options extends BrowserContextOptions {
  email?: string;
  /** Where to begin, for example `/inbox/all`. */
  at?: string;
  side?: "live" | "test";
  /** Another address of the same server. */
  origin?: string;
}

export interface Member {
  page: Page;
  context: BrowserContext;
  /** What the page should not have logged. */
  faults: string[];
}

/**
 * A browser of its own, in which a member has signed in. The session is made without the form, which has its own tests, except
 * at an address that only the browser knows.
 */
export async function signIn(
  desk: Desk,
  { email, at = "/inbox/all", side = "live", origin = desk.app.baseUrl, ...options }: Options = {},
): Promise<Member> {
  const credentials = { email: email ?? desk.tenant.ownerEmail, password: PASSWORD };
  const byForm = origin !== desk.app.baseUrl;
  const context = await desk.browser.newContext({
    viewport: SIZE,
    locale: "en-GB",
    // Each change of a colour would be painted ten times.
    reducedMotion: "reduce",
    ...options,
  });
  // Neither an empty page nor the browser's own page of a failed navigation has a storage.
  const isStored = `location.protocol.startsWith("http")`;
  await context.addInitScript(`if (${isStored}) sessionStorage["parley.environment"] ??= "${side}"`);
  // Whatever the policy of the page refuses is a fault.
  await context.addInitScript(
    `addEventListener("securitypolicyviolation", (event) => console.error("Refused: " + event.violatedDirective + " " + event.blockedURI))`,
  );
  const page = await context.newPage();
  // By this the dashboard knows that there may be a session. What it writes there itself later stays.
  if (!byForm)
    await page.addInitScript(
      `if (${isStored} && !sessionStorage.begun) { sessionStorage.begun = "1"; localStorage["parley.known.${side}"] = "1"; }`,
    );
  const faults: string[] = [];
  page.on("console", (message) => {
    // A refused request is part of several tests.
    if (["error", "warning"].includes(message.type()) && !message.text().includes("Failed to load resource"))
      faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  if (!byForm) {
    const answer = await context.request.post(`${origin}/api/auth/login`, {
      data: { ...credentials, environment: side },
    });
    expect(answer.status()).toBe(200);
  }
  await page.goto(`${origin}${at}`);
  if (byForm) {
    await page.getByLabel("Email").fill(credentials.email);
    await page.getByLabel("Password").fill(credentials.password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  // It listens to keys a moment after it is drawn.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
  return { page, context, faults };
}

/** What a page keeps beyond its screen: where the focus and the direction are, what the browser remembers, and what is told at the edge. */
const FORGET = `
  if (window.inTime) window.setTimeout = inTime;
  if (window.clock) Date.now = clock;
  document.activeElement?.blur();
  document.documentElement.dir = "ltr";
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage))
      if (!/^parley\\.(known|environment)|^begun$/.test(key)) storage.removeItem(key);
  for (const button of document.querySelectorAll(".notices button[aria-label=Close]")) button.click();`;

/**
 * The page in which the member has signed in for an earlier test of the file, as if it had just been opened: a page whose scripts
 * have run needs half of the processor time of a new one. A test that leaves its clock, scripts, language or preferences behind
 * takes `signIn()`.
 * @param isLoaded whether the page is loaded again: for tests of what happens before it has read anything
 */
export async function takeSeat(
  desk: Desk,
  {
    viewport = SIZE,
    colorScheme = "light",
    at = "/inbox/all",
    isLoaded = false,
    ...who
  }: Options & { isLoaded?: boolean } = {},
): Promise<Member> {
  const key = JSON.stringify(who);
  const seat = desk.seats.get(key);
  // A test that failed may have left another page.
  if (!seat || !(await seat.page.getByRole("navigation", { name: "Main", includeHidden: true }).count())) {
    await seat?.context.close();
    const member = await signIn(desk, { viewport, colorScheme, at, ...who });
    desk.seats.set(key, member);
    return member;
  }
  const { page, context, faults } = seat;
  await context.setOffline(false);
  await context.unrouteAll();
  await page.unrouteAll();
  for (const other of context.pages()) if (other !== page) await other.close();
  // Before it leaves: where the settings begin depends on the width.
  await page.setViewportSize(viewport!);
  // Between two screens, so that nothing of the first is left if they are the same.
  await goTo(page, "/settings", { isForced: true });
  await page.emulateMedia({ colorScheme });
  await page.mouse.move(0, 0);
  if (await page.getByRole("dialog").count()) await page.keyboard.press("Escape");
  await page.evaluate(FORGET);
  faults.length = 0;
  if (isLoaded) await page.goto(`${desk.app.baseUrl}${at}`);
  else await goTo(page, at);
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return seat;
}

/**
 * Shows another screen of the dashboard as its links do, without loading the page again.
 * @param isForced whether it leaves unsaved changes behind without asking
 */
export async function goTo(page: Page, at: string, { isForced = false } = {}): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    __TSR_ROUTER__.navigate({ href: ${JSON.stringify(at)}, ignoreBlocker: ${isForced} });
    const next = () => {
      const { status, location, resolvedLocation } = __TSR_ROUTER__.state;
      if (status === "idle" && resolvedLocation?.href === location.href) resolve();
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
}

/**
 * From now on the page waits an hour where it would wait some seconds, so that a busy machine is in time: for a notice that goes by
 * itself, for what can be taken back, for keys that wait. It ends when the page is loaded again, or taken for another test.
 */
export const withoutHaste = (page: Page): Promise<void> =>
  page.evaluate(`{
    window.inTime ??= setTimeout;
    window.setTimeout = (run, ms, ...rest) => inTime(run, ms >= 4_000 ? 3_600_000 : ms, ...rest);
  }`);

/**
 * Holds the requests of a method to these addresses back.
 * @returns what waits until one is held, and what lets them go on
 */
export async function hold(
  page: Page,
  method: string,
  url: RegExp,
): Promise<{ held: Promise<void>; release: () => void }> {
  let [isHeld, release] = [(): void => undefined, (): void => undefined];
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const free = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    if (route.request().method() === method) {
      isHeld();
      await free;
    }
    await route.fallback();
  });
  return { held, release };
}

/** Presses keys as hands do, without waiting for one before the next. */
export const pressAll = (page: Page, keys: string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

/**
 * Follows what the tab with the stream of events tells the others, once the stream is open.
 * @returns a function that waits until an event fits the expression about `type` and `data`
 */
export async function followEvents(page: Page): Promise<(fits: string) => Promise<void>> {
  const begin = `(async () => {
    const { held } = await navigator.locks.query();
    const name = held.map(({ name }) => name).find((name) => name.startsWith("parley-live-"));
    if (!name) return false;
    window.followed = [];
    window.following = new BroadcastChannel(name);
    following.onmessage = ({ data }) => followed.push(data);
    return true;
  })()`;
  await expect.poll(() => page.evaluate(begin), PATIENT).toBe(true);
  const isUp = `following.postMessage({ kind: "ask" }), followed.some(({ kind, state }) => kind === "state" && state === "up")`;
  await expect.poll(() => page.evaluate(isUp), PATIENT).toBe(true);
  return (fits) =>
    expect
      .poll(
        () => page.evaluate(`followed.some(({ event }) => event && ((type, data) => ${fits})(event.type, event.data))`),
        PATIENT,
      )
      .toBe(true);
}

/** The drafts on the disk of the browser. */
export const draftsOnDisk = (page: Page): Promise<{ reply: string; note: string }[]> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("parley-drafts");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction("drafts").objectStore("drafts").getAll();
      reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
    };
  })`);

/** For what a busy machine may take long for. A test that hangs ends by its own limit. */
export const PATIENT = { timeout: 120_000, interval: 50 };

/** Waits until the page has read what it asked for, and shows it. */
export async function settle(page: Page): Promise<void> {
  const isQuiet = (): boolean => pendingOf(page) === 0;
  do {
    await expect.poll(isQuiet, { ...PATIENT, interval: 10 }).toBe(true);
    await untilStill(page);
  } while (!isQuiet());
}

/** In `npm test`, axe goes through half of the states, each in one of its views. */
function isAxedInThisView(name: string): boolean {
  const view = VIEWS.find(([width, colorScheme]) => name.endsWith(`-${width}-${colorScheme}`));
  if (!view) return everyNth([name], 2, name.length).length > 0;
  const state = name.slice(0, -`-${view.join("-")}`.length);
  return everyNth(VIEWS, 4, state.length).includes(view);
}

/** The placeholders of fields that are too narrow for them. */
const CUT_PLACEHOLDERS = `[...document.querySelectorAll("input")]
  .filter((field) => {
    const style = getComputedStyle(field);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return !field.value && field.offsetWidth > 0 && pen.measureText(field.placeholder).width > room + 1;
  })
  .map(({ placeholder }) => placeholder)`;

/** Nothing that axe finds, nothing to scroll sideways, and nothing cut off. `axe: false` where another view of the same has been through it. */
export async function check(page: Page, name: string, { axe: isAxed = isAxedInThisView(name) } = {}): Promise<void> {
  await settle(page);
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
  expect(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    `${name}: sideways`,
  ).toBe(0);
  expect(await page.evaluate(CUT_PLACEHOLDERS), `${name}: cut off`).toEqual([]);
  if (!isAxed) return;
  const { violations, passes } = await runAxe(page);
  expect(
    violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html).join()}`),
    name,
  ).toEqual([]);
  expect(passes.map(({ id }) => id)).toContain("color-contrast");
}

/** `check()` of a state in all views, in one page. It is left in the first view, in which it can be used on. */
export async function checkViews(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [...VIEWS].reverse()) {
    await page.setViewportSize({ width, height: width < 500 ? 640 : 900 });
    await page.emulateMedia({ colorScheme });
    await check(page, `${name}-${width}-${colorScheme}`);
  }
}
