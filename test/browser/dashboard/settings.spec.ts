import jsQR from "jsqr";
import { type TOTP, URI } from "otpauth";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { tokensTo } from "../../server/auth/mailed.js";
import { codeOf, person, withPassword } from "../../server/auth/second-factor-support.js";
import { allowTimeForProcesses } from "../../server/process/support.js";
import { PASSWORD } from "../../support/app.js";
import { CHROMIUM, WITHOUT_BROWSER } from "../../support/browser.js";
import type { Client } from "../../support/client.js";
import {
  check,
  checkViews,
  type Desk,
  goTo,
  type Member,
  openDesk,
  settle,
  signIn,
  takeSeat,
  VIEWS,
} from "./support.js";

allowTimeForProcesses();

/** What a camera reads in the picture. */
async function scan(picture: Locator): Promise<string | undefined> {
  const png = (await picture.screenshot()).toString("base64");
  const { data, width, height } = await picture.page().evaluate<{ data: string; width: number; height: number }>(
    `(async () => {
      const bytes = Uint8Array.from(atob("${png}"), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height).getContext("2d");
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, width, height);
      return { data: Array.from(data, (byte) => String.fromCharCode(byte)).join(""), width, height };
    })()`,
  );
  return jsQR.default(new Uint8ClampedArray(Buffer.from(data, "latin1")), width, height)?.data;
}

const PAGES = [
  "/settings/profile",
  "/settings/password",
  "/settings/second-factor",
  "/settings/sessions",
  "/settings/members",
  "/settings/channels",
  "/settings/api-access",
  "/settings/webhooks",
  "/settings/audit-log",
  "/settings/security-log",
  "/quality",
];

describe.skipIf(!CHROMIUM)(`settings and quality, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let owner: Client;
  beforeAll(async () => {
    desk = await openDesk();
    owner = await desk.tenant.owner();
  });
  afterAll(() => desk.close());

  let member: Member | undefined;
  afterEach(() => {
    if (member) expect(member.faults).toEqual([]);
    member = undefined;
  });
  const begin = async (at: string, email?: string, width = 1280): Promise<Page> => {
    member = await takeSeat(desk, { viewport: { width, height: width < 500 ? 640 : 800 }, at, email });
    return member.page;
  };

  test("an invited member chooses a password, signs in, forgets it and sets another one", async () => {
    const email = "iris@example.com";
    await owner.post("/api/members", { email, name: "Iris", role: "agent" }, 201);
    /** The tokens of the links that were mailed, the newest first. */
    const mailed = () => tokensTo(desk.app, desk.tenant.tenantId, email);
    const context = await desk.browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    const choose = async (path: string, token: string, password: string): Promise<void> => {
      await page.goto(`${desk.app.baseUrl}/${path}#${token}`);
      // It is in no history.
      await expect.poll(() => page.url()).not.toContain("#");
      await page.getByLabel("New password").fill(password);
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("navigation", { name: "Main" }).waitFor();
    };
    const [first] = await mailed();
    await choose("invitation", first!, "nine blue herons");
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    const second = async () => (await mailed()).find((token) => token !== first);
    await expect.poll(second).toBeDefined();
    await choose("password-reset", (await second())!, "ten grey herons");
    await context.close();
  });

  test("a member is invited after a recent sign-in, gets another role, and is removed", async () => {
    const page = await begin("/settings/members", undefined, 320);
    let refused = false;
    await page.route("**/api/members", async (route) => {
      if (refused || route.request().method() !== "POST") return route.continue();
      refused = true;
      return route.fulfill({ status: 403, json: { error: "Sign in again" } });
    });
    await page.getByRole("button", { name: "Invite a member" }).click();
    await page.getByLabel("Email").fill("nils@example.com");
    await page.getByLabel("Name").fill("Nils Nordmann");
    await page.getByRole("button", { name: "Send the invitation" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Invited", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit Nils Nordmann" }).click();
    await page.getByLabel("Role").selectOption("observer");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit Nils Nordmann" }).click();
    const nils = async () =>
      (await owner.get("/api/members", 200)).body.find(({ email }: { email: string }) => email === "nils@example.com");
    expect(await nils()).toMatchObject({ role: "observer", status: "invited" });
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect.poll(nils).toBeUndefined();
  });

  test("an authenticator app is added, its codes are shown once, and the next sign-in asks for it", async () => {
    const { email } = await person(owner);
    const page = await begin("/settings/second-factor", email);
    await page.getByRole("button", { name: "Add an authenticator app" }).click();
    const secret = (await page.locator("form p.font-mono").textContent())!.replace(/ /g, "");
    const picture = page.getByRole("img", { name: "QR code for your authenticator app" });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { secret: scanned, label } = URI.parse((await scan(picture)) ?? "") as TOTP;
      expect([scanned.base32, label], colorScheme).toEqual([secret, email]);
    }
    await page.getByLabel("Code of your authenticator app").fill(codeOf(secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Authenticator app", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Make new codes" }).click();
    const codes = (await page.getByRole("dialog").locator("pre").textContent())!.split("\n");
    expect(codes).toHaveLength(10);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByText("10 are left.").waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    expect((await withPassword(desk.app, email)).methods).toContain("totp");
  });

  test("the other sessions end, and the password changes only with the right one", async () => {
    const { email, client } = await person(owner);
    const page = await begin("/settings/sessions", email);
    await page.getByText("This one").waitFor();
    await page.getByRole("button", { name: "End all others" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
    await expect.poll(async () => (await client.get("/api/me")).status).toBe(401);
    await page.getByRole("link", { name: "Password" }).click();
    await page.getByLabel("Current password").fill("not this one");
    await page.getByLabel("New password").fill("a longer horse battery");
    await page.getByRole("button", { name: "Change password" }).click();
    expect(await page.getByRole("alert").textContent()).toBe("This password is wrong.");
    await page.getByLabel("Current password").fill(PASSWORD);
    await Promise.all([
      page.getByText("Your password is changed.").waitFor(),
      page.getByRole("button", { name: "Change password" }).click(),
    ]);
    await desk.app.client().login(email, "a longer horse battery");
  });

  test("webhooks are turned on, an endpoint gets a secret once and a test, and is deleted", async () => {
    const page = await begin("/settings/webhooks");
    await page.getByRole("button", { name: "Turn on webhooks" }).click();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByLabel("Address").fill("https://example.com/parley");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    expect(await page.getByRole("alert").textContent()).toBe("Choose at least one event.");
    await page.getByRole("checkbox", { name: "message.sent" }).check();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const secret = (await page.getByRole("dialog").locator("pre").textContent())!;
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("webhook.test").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing is sent anywhere yet.").waitFor();
  });

  test("a key ends on the day that it is where its reader is", async () => {
    await owner.post("/api/api-keys", { name: "Nightly", scopes: ["kb:read"], expiresAt: "2099-01-01T20:00:00Z" }, 201);
    const { page, context, faults } = await signIn(desk, {
      at: "/settings/api-access",
      timezoneId: "Pacific/Auckland",
    });
    await page.getByRole("listitem").filter({ hasText: "Nightly" }).getByText("2 Jan 2099, 09:00").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("the logs name whom and what they are about, with a way there and one request for all contacts, and show an id on request", async () => {
    const ada = await desk.conversation("Ada Ahlgren", "Hello");
    const bea = await desk.conversation("Bea Bell", "Hello");
    const { body: key } = await owner.post("/api/api-keys", { name: "Search on our site", scopes: ["kb:read"] }, 201);
    const page = await begin("/settings/profile");
    // What was heard of them is forgotten.
    await page.reload();
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().includes("/contacts?") && asked.push(request.url())));
    await page.getByRole("link", { name: "Audit log" }).click();
    const rows = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
    for (const [name, { id, contactId }] of Object.entries({ "Ada Ahlgren": ada, "Bea Bell": bea })) {
      const one = rows.filter({ hasText: "created contact" }).getByRole("link", { name });
      expect(await one.getAttribute("href")).toBe(`/contacts/${contactId}`);
      expect(await page.locator(`main a[href="/inbox/all/${id}"]`).count()).toBeGreaterThan(0);
    }
    const ofKey = rows.filter({ hasText: "API key Search on our site" });
    await settle(page);
    expect(asked).toHaveLength(1);
    const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7/;
    expect(await rows.allInnerTexts()).not.toContainEqual(expect.stringMatching(ID));
    await ofKey.getByRole("button", { name: "Show ID" }).click();
    await ofKey.getByText(key.id).waitFor();
    await page.getByRole("link", { name: "Security log" }).click();
    await page.getByText("API key created: Search on our site").waitFor();
    expect(await page.getByRole("main").innerText()).not.toMatch(ID);
    page.removeAllListeners("request");
  });

  test("the audit log speaks the member's language, and shows what it has no words for as the API names it", async () => {
    const { contactId } = await desk.conversation("Cleo Cole", "Hello");
    await owner.patch(`/api/contacts/${contactId}`, { language: "de", blocked: true }, 200);
    await desk.app.db.query(
      `insert into audit_entry (tenant_id, id, at, actor_kind, action, change, resource_type, fields, counts)
        select $1, audit_id(now()), now(), 'system', 'tests.run', 'updated', type, fields, counts::jsonb
        from (values
          ('contact', array['locks.identity', 'locks.callerId'], '{ "kbEntries": 3 }'),
          ('futureThing', array['name', 'futureField'], '{ "futureThings": 2 }')) of (type, fields, counts)`,
      [desk.tenant.tenantId],
    );
    const page = await begin("/settings/audit-log");
    await owner.put("/api/me/preferences", { language: "de" }, 200);
    await page.reload();
    const rows = page.getByRole("list", { name: "Änderungsprotokoll" }).getByRole("listitem");
    const said = rows.filter({ hasText: /\((Sprache|Sperren|Name)/ });
    await expect.poll(() => said.filter({ hasText: "Cleo Cole" }).count()).toBe(1);
    const texts = await said.allInnerTexts();
    await owner.put("/api/me/preferences", {}, 200);
    await page.reload();
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    expect(texts.map((text) => text.split("\n")[0]!.replaceAll("\u00a0", " ")).sort()).toEqual([
      "Owner änderte: Kontakt Cleo Cole (Sprache, Gesperrt)",
      "Parley änderte: Kontakt (Sperren) (Wissenseinträge: 3)",
      "Parley änderte: future thing (Name, futureField) (futureThings: 2)",
    ]);
  });

  test("lists show what colleagues changed once one comes back to the page or opens them, and what is being typed stays", async () => {
    const replies = "/api/canned-replies";
    const texts = { shortcut: "hello", title: "Greeting", body: "Hello!" };
    const { body: reply } = await owner.post(replies, texts, 201);
    const page = await begin("/settings/labels");
    await page.getByText("No label is defined yet", { exact: false }).waitFor();
    await goTo(page, "/settings/canned-replies");
    await page.getByRole("button", { name: "Edit Greeting" }).click();
    await page.getByRole("dialog").getByLabel("Text", { exact: true }).fill("Good morning!");
    await owner.patch(`${replies}/${reply.id}`, { title: "Welcome", body: "Welcome!" }, 200);
    await owner.post("/api/labels", { name: "vip", colour: "purple" }, 201);
    const later = `window.clock ??= Date.now; { const now = Date.now; Date.now = () => now() + 60_000; }`;
    await page.evaluate(`${later} dispatchEvent(new Event("focus"));`);
    await page.getByText("Welcome", { exact: true }).waitFor();
    expect(await page.getByRole("dialog").getByLabel("Text", { exact: true }).inputValue()).toBe("Good morning!");
    await page.keyboard.press("Escape");
    await page.evaluate(later);
    await goTo(page, "/settings/labels", { isForced: true });
    await page.getByRole("button", { name: "Delete vip" }).waitFor();
  });

  test("an agent sees no section and no control that is not theirs", async () => {
    const { email } = await person(owner);
    const page = await begin("/settings/members", email);
    await page.getByText(desk.tenant.ownerEmail).waitFor();
    await settle(page);
    expect(await page.getByRole("button", { name: /^(Edit|Invite)/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    await goTo(page, "/settings/audit-log");
    await page.getByText("Owners and admins see this.").waitFor();
  });

  test("a name is saved below its field, which a button that rests until it is edited does", async () => {
    const page = await begin("/settings/profile");
    const form = page.getByRole("form", { name: "Name" });
    const save = form.getByRole("button", { name: "Save" });
    const name = form.getByLabel("Name");
    const rests = (): Promise<string | null> => save.getAttribute("aria-disabled");
    const before = await name.inputValue();
    expect(await rests()).toBe("true");
    await name.fill("Olga Olsen");
    expect(await rests()).toBe("false");
    await form.getByRole("button", { name: "Discard" }).click();
    expect([await name.inputValue(), await rests()]).toEqual([before, "true"]);
    await name.fill(" ");
    await save.click();
    await form.getByRole("alert").waitFor();
    await name.fill("Olga Olsen");
    const saving = page.waitForRequest((request) => request.method() === "PATCH");
    await name.press("Enter");
    expect((await saving).postDataJSON()).toEqual({ name: "Olga Olsen" });
    await expect.poll(rests).toBe("true");
    expect(await name.inputValue()).toBe("Olga Olsen");
    // As on the other pages of the settings, at the start and below the field.
    const signature = page.getByRole("form", { name: "Signature" }).getByRole("button", { name: "Save" });
    const places = await Promise.all([save, name, signature].map(async (part) => (await part.boundingBox())!));
    expect([places[1]!.x, places[2]!.x]).toEqual([places[0]!.x, places[0]!.x]);
    expect(places[0]!.y).toBeGreaterThan(places[1]!.y + places[1]!.height);
    await owner.patch(`/api/members/${(await owner.get("/api/me", 200)).body.id}`, { name: before }, 200);
  });

  test("on a phone, the sections are a list with a search, and each leads back to its place in the list", async () => {
    const page = await begin("/inbox/all", undefined, 390);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
    const main = page.getByRole("main");
    const list = main.getByRole("navigation", { name: "Settings" });
    const back = main.getByRole("link", { name: "Settings" });
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.tagName + document.activeElement.innerText");
    await expect.poll(focused).toBe("H1Settings");
    expect(await list.getByRole("heading").allInnerTexts()).toEqual([
      "You",
      "Team",
      "Channels and assistant",
      "Developers",
    ]);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await check(page, `dashboard-settings-390-${colorScheme}`, { axe: true });
    }
    // The last one is below the edge.
    await list.getByRole("link", { name: "Security log" }).click();
    await expect.poll(focused).toBe("H1Security log");
    expect(await list.count()).toBe(0);
    await check(page, "dashboard-settings-security-log-390", { axe: true });
    await back.click();
    await expect.poll(focused).toBe("ASecurity log");
    const { y, height } = (await list.getByRole("link", { name: "Security log" }).boundingBox())!;
    expect([y > 0, y + height <= 640, height >= 44]).toEqual([true, true, true]);
    await page.keyboard.press("/");
    await page.keyboard.type("passkey");
    await expect.poll(() => list.getByRole("link").allInnerTexts()).toEqual(["Second factor"]);
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("H1Second factor");
    await goTo(page, "/settings/channels/new");
    await main.getByRole("link", { name: "Channels" }).waitFor();
    expect(await back.count()).toBe(0);
  });

  test("a phone that is turned to be wide shows the sections beside the one that is open, and the profile instead of the list", async () => {
    const page = await begin("/settings/labels", undefined, 390);
    const main = page.getByRole("main");
    const list = main.getByRole("navigation", { name: "Settings" });
    await main.getByRole("link", { name: "Settings" }).waitFor();
    await page.setViewportSize({ width: 844, height: 390 });
    await list.getByRole("link", { name: "Labels" }).waitFor();
    expect(await main.getByRole("link", { name: "Settings" }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await main.getByRole("link", { name: "Settings" }).click();
    await main.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.setViewportSize({ width: 844, height: 390 });
    await main.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/profile");
  });

  test("quality: figures, a line with its table, intervals, and a breaker that is resolved", async () => {
    const page = await begin("/inbox/all");
    await serveQuality(page);
    await page.getByRole("link", { name: "Quality" }).click();
    await page.getByRole("img", { name: /share of satisfied contacts/ }).waitFor();
    await page.getByText("As a table").click();
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    await page.getByText("between 40% and 90%").waitFor();
    await page.getByRole("button", { name: "Resolve “refund”" }).click();
    await page.getByRole("dialog").getByLabel("What was found or done").fill("The carrier was down");
    const resolved = page.waitForRequest("**/resolve");
    await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
    expect((await resolved).postDataJSON()).toEqual({ note: "The carrier was down" });
    await check(page, "dashboard-quality");
  });

  test("axe finds nothing, and all fits, in each width and colour", async () => {
    const page = await begin(PAGES[0]!, undefined, VIEWS[0]![0]);
    for (const at of PAGES) {
      await goTo(page, at);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await checkViews(page, `dashboard${at.replace(/\W+/g, "-")}`);
    }
  });
});

/** Figures that take weeks to come about. */
async function serveQuality(page: Page): Promise<void> {
  const at = new Date().toISOString();
  const figures = (share: number, group?: string) => ({
    ...(group && { group }),
    asked: 30,
    answered: 10,
    responseRate: 0.33,
    average: 4.2,
    scale: 5,
    satisfied: { share, low: share - 0.1, high: share + 0.1 },
    distribution: [],
  });
  await page.route("**/api/quality/csat?*", (route) =>
    route.fulfill({
      json: {
        total: figures(0.8),
        groups: [figures(0.7, "2026-05-01"), figures(0.8, "2026-05-02"), figures(0.9, "2026-05-03")],
      },
    }),
  );
  await page.route("**/api/quality/scores?*", (route) =>
    route.fulfill({
      json: {
        data: [
          {
            entityType: "tool",
            entityId: "refund",
            name: "refund",
            metric: "tool",
            score: 0.7,
            low: 0.4,
            high: 0.9,
            sampleSize: 7,
          },
        ],
      },
    }),
  );
  await page.route("**/api/quality/circuit-breakers?*", (route) =>
    route.fulfill({
      json: [
        {
          id: "01a208a8-0000-7000-8000-000000000001",
          entityType: "tool",
          entityId: "refund",
          entityName: "refund",
          metric: "tool",
          threshold: 0.2,
          observed: 0.5,
          state: "tripped",
          action: "require_approval",
          trippedAt: at,
          resolvedBy: null,
          resolvedAt: null,
          note: null,
          sampleSize: 20,
        },
      ],
    }),
  );
  await page.route("**/api/quality/circuit-breakers/*/resolve", (route) => route.fulfill({ json: { ok: true } }));
}
