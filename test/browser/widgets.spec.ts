import http, { type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace } from "../server/e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import type { Client } from "../support/client.js";
import { everyNth } from "../support/sweep.js";
import { newForm, newSearch } from "../server/widgets/support.js";
import { runAxe } from "./axe.js";
import { allowTimeForProcesses } from "../server/process/support.js";

allowTimeForProcesses();

/** If set, the folder for screenshots of the widgets: `SCREENSHOTS=docs/images`. */
const { SCREENSHOTS } = process.env;
const WIDTHS = [1280, 320];

const ANSWERS: [string, string][] = [
  [
    "How long does delivery take?",
    "Two to three **working days**. You can follow your parcel:\n\n1. Open the mail that says that it has left\n2. Press [Track my parcel](https://shop.example.com/track)\n\nTo islands it takes a day longer.",
  ],
  ["What does delivery cost?", "Nothing from 40 euros on, otherwise 4.90 euros."],
  ["Can the delivery go to a parcel station?", "Yes: enter its number as the street."],
  [
    "Is this delivery dangerous?",
    '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script> [no](javascript:alert(1))',
  ],
];

describe.skipIf(!CHROMIUM)(`the widgets on a customer's page, in a browser${WITHOUT_BROWSER}`, () => {
  let app: TestApp;
  let browser: Browser;
  let tenant: TestTenant;
  let owner: Client;
  let site: Server;
  let home: string;
  /** The markup on the customer's page at the widget's place. */
  let line = "";
  /** The class of the page. */
  let theme = "";
  beforeAll(async () => {
    app = await startApp();
    tenant = await app.tenant();
    owner = await tenant.owner();
    browser = await openBrowser();
    site = http.createServer((_, response) => {
      // The strictest content security policy under which a widget works: styles and scripts are allowed by the
      // server's origin only.
      response.writeHead(200, {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": `default-src 'none'; script-src ${app.baseUrl}; connect-src ${app.baseUrl}; style-src 'sha256-${STYLE_HASH}'`,
      });
      response.end(`<!doctype html><html lang="en" class="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title><style>${STYLE}</style></head>
        <body><main><h1>Help</h1>${line}<p>Below the widget.</p></main></body></html>`);
    });
    await new Promise<void>((resolve) => {
      site.listen(0, "127.0.0.1", resolve);
    });
    home = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await closePages();
    site?.close();
    await app.close();
  });

  const place = async (language = "en"): Promise<string> =>
    (await newWorkspace(owner, tenant.defaults.brandId, { primaryLanguage: language })).id;
  const embed = (name: "form" | "search", { publicKey }: { publicKey: string }): void => {
    line = `<script src="${app.baseUrl}/widgets/${name}.js" data-key="${publicKey}" async></script>`;
  };
  async function visit(width: number, work: (page: Page) => Promise<void>, expected: RegExp[] = []): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() !== "log" && !expected.some((one) => one.test(message.text()))) faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(error.message));
      await page.goto(home);
      try {
        await work(page);
      } finally {
        // What the page said explains more than what was waited for in vain.
        expect(faults).toEqual([]);
      }
      expect(await page.title(), "nothing of an answer ran").toBe("Shop");
      expect(await context.cookies()).toEqual([]);
      expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    } finally {
      await context.close();
    }
  }
  async function check(
    page: Page,
    name: string | undefined,
    width: number,
    shows = ["color-contrast", "label"],
  ): Promise<void> {
    if (SCREENSHOTS && name) await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}.png`, fullPage: true });
    expect(
      await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
      "sideways",
    ).toBe(0);
    const { violations, passes } = await runAxe(page);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(shows));
  }
  /** The focused element, also inside the widget. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate<string>(
      `(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement; return e.id || e.localName; })()`,
    );
  const conversationsOf = async (workspaceId: string) =>
    (await tenant.live.get(`/api/conversations?workspaceId=${workspaceId}`, 200)).body.data;

  describe("the form", () => {
    test.each(everyNth(WIDTHS, 2))(
      "can be filled in and sent with the keyboard only, at %i px, and is accessible in each state",
      async (width) => {
        const workspaceId = await place();
        embed(
          "form",
          await newForm(owner, workspaceId, {
            allowedOrigins: [home],
            settings: {
              colour: "#0f766e",
              fields: { phone: "optional", subject: "optional" },
              consent: "You may keep my message and my address to answer it.",
            },
          }),
        );
        await visit(width, async (page) => {
          await page.getByRole("heading", { name: "Write to us" }).waitFor();
          await check(page, "contact-form", width);
          // The form appears where its script tag is.
          expect(await page.evaluate(`document.querySelector('script').nextElementSibling.shadowRoot !== null`)).toBe(
            true,
          );
          await page.keyboard.press("Tab");
          expect(await focused(page)).toBe("name");
          await page.keyboard.press("Tab");
          await page.keyboard.type("nobody");
          await page.keyboard.press("Enter");
          // The focus moves to the first invalid field, which shows its error.
          expect(await focused(page)).toBe("name");
          expect(await page.getByLabel("Name").getAttribute("aria-describedby")).toBe("name-error");
          expect(await page.locator("#name-error").textContent()).toBe("Please fill this in.");
          expect(await page.locator("#email-error").textContent()).toContain("name@example.com");
          expect(await page.locator("#consent-error").textContent()).toContain("agree");
          await check(page, "contact-form-errors", width);
          await page.keyboard.type("Ada Lovelace");
          expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBeNull();
          await page.keyboard.press("Tab");
          await page.keyboard.press("ControlOrMeta+A");
          await page.keyboard.type("ada@example.com");
          for (const text of ["030 901820", "My parcel", "Where is it?\nIt should have come on Monday."]) {
            await page.keyboard.press("Tab");
            for (const [n, part] of text.split("\n").entries()) {
              if (n) await page.keyboard.press("Enter");
              await page.keyboard.type(part);
            }
          }
          await page.keyboard.press("Tab");
          expect(await focused(page)).toBe("consent");
          await page.keyboard.press("Space");
          await page.keyboard.press("Tab");
          expect(await focused(page), "past the field that nobody sees").toBe("button");
          await page.keyboard.press("Enter");
          await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
          expect(await focused(page)).toBe("title");
          await check(page, "contact-form-sent", width, ["color-contrast"]);
          const [conversation, ...more] = await conversationsOf(workspaceId);
          expect(more).toEqual([]);
          expect(conversation).toMatchObject({
            subject: "My parcel",
            lastMessagePreview: "Where is it?\nIt should have come on Monday.",
            metadata: {
              contactForm: {
                name: "Ada Lovelace",
                email: "ada@example.com",
                phone: "030 901820",
                consentedAt: expect.any(String),
              },
            },
          });
          expect((conversation!.metadata.contactForm as { suspicions?: string[] }).suspicions ?? []).not.toContain(
            "no start",
          );
        });
      },
    );

    test("keeps the text if it cannot be sent, and sends it once", async () => {
      const workspaceId = await place();
      embed("form", await newForm(owner, workspaceId, { settings: { fields: { name: "hidden", subject: "hidden" } } }));
      await visit(
        1280,
        async (page) => {
          await page.getByLabel("Email").fill("ada@example.com");
          await page.getByLabel("Message").fill("Where is it?");
          // The response is lost, not the message.
          await page.route("**/submissions", async (route) => {
            await route.fetch();
            await route.abort();
          });
          await page.getByRole("button", { name: "Send" }).click();
          await page.getByRole("alert").filter({ hasText: "It is still here" }).waitFor();
          expect(await page.getByLabel("Message").inputValue()).toBe("Where is it?");
          await page.unroute("**/submissions");
          await page.route("**/submissions", (route) =>
            route.fulfill({
              status: 429,
              headers: {
                "Retry-After": "540",
                "Access-Control-Allow-Origin": "*",
                "Access-Control-Expose-Headers": "Retry-After",
              },
              body: '{"error":"Too many"}',
            }),
          );
          await page.getByRole("button", { name: "Send" }).click();
          await page.getByRole("alert").filter({ hasText: "in 9 min" }).waitFor();
          await page.unroute("**/submissions");
          await page.getByRole("button", { name: "Send" }).click();
          await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
          expect(await conversationsOf(workspaceId)).toHaveLength(1);
        },
        [/Failed to load resource/],
      );
    });

    test("says that a message is too long, in any script, and sends a shorter one", async () => {
      const workspaceId = await place();
      embed("form", await newForm(owner, workspaceId, { settings: { fields: { name: "hidden", subject: "hidden" } } }));
      await visit(
        1280,
        async (page) => {
          await page.getByLabel("Email").fill("ada@example.com");
          const message = page.getByLabel("Message");
          await message.fill("Где моя посылка? ".repeat(580));
          await page.getByRole("button", { name: "Send" }).click();
          await page.locator("#message-error", { hasText: "too long" }).waitFor();
          expect(await focused(page)).toBe("message");
          await message.fill("Где моя посылка? ".repeat(400));
          await page.getByRole("button", { name: "Send" }).click();
          await page.getByRole("heading", { name: "Your message was sent" }).waitFor();
          expect(await conversationsOf(workspaceId)).toHaveLength(1);
        },
        [/Failed to load resource/],
      );
    });

    test.each([
      ["wide-light", "rgb(255, 255, 255)"],
      ["wide-dark", "rgb(28, 30, 34)"],
    ])("is as the page around it, whose colour is of a newer kind (%s)", async (name, ground) => {
      theme = name;
      try {
        embed("form", await newForm(owner, await place()));
        await visit(320, async (page) => {
          await page.getByRole("button", { name: "Send" }).waitFor();
          const host = `document.querySelector("script").nextElementSibling`;
          const colour = `getComputedStyle(${host}.shadowRoot.querySelector(".card")).backgroundColor`;
          expect(await page.evaluate(colour)).toBe(ground);
        });
      } finally {
        theme = "";
      }
    });

    const said = [
      ["de", "Schreiben Sie uns", "Senden"],
      ["fr", "Écrivez-nous", "Envoyer"],
      ["es", "Escríbanos", "Enviar"],
      ["it", "Ci scriva", "Invia"],
      ["nl", "Schrijf ons", "Versturen"],
      ["sv", "Skriv till oss", "Skicka"],
      ["fi", "Write to us", "Send"],
    ] as const;
    test.each(everyNth(said, 3))("is in the workspace's language (%s), at 320 px", async (language, title, button) => {
      embed("form", await newForm(owner, await place(language)));
      await visit(320, async (page) => {
        await page.getByRole("heading", { name: title }).waitFor();
        await page.getByRole("button", { name: button }).click();
        await check(page, language === "de" ? "contact-form-de" : undefined, 320);
      });
    });
  });

  describe("the search", () => {
    test.each(everyNth(WIDTHS, 2))(
      "shows results while typing, with the keyboard only, at %i px, and is accessible in each state",
      async (width) => {
        const workspaceId = await place();
        for (const [question, answer] of ANSWERS)
          await owner.post(`/api/workspaces/${workspaceId}/kb-entries`, { question, answer }, 201);
        embed(
          "search",
          await newSearch(owner, workspaceId, { allowedOrigins: [home], settings: { minConfidence: 0 } }),
        );
        await visit(width, async (page) => {
          await page.getByRole("heading", { name: "How can we help?" }).waitFor();
          await page.keyboard.press("Tab");
          // A slow hand searches for the beginning, too.
          await Promise.all([
            page.waitForResponse(/\?q=how%20long%20does%20delivery%20take$/),
            page.keyboard.type("how long does delivery take"),
          ]);
          await page.getByRole("status").filter({ hasText: "4 answers" }).waitFor();
          await check(page, "kb-search", width);
          const first = page.locator("details").first();
          expect(await first.locator("h3").textContent()).toBe("How long does delivery take?");
          expect(await first.locator("strong, li, a").allTextContents()).toEqual([
            "working days",
            "Open the mail that says that it has left",
            "Press Track my parcel",
            "Track my parcel",
          ]);
          expect(await page.locator('.answer img, .answer script, a[href^="javascript"]').count()).toBe(0);
          await page.keyboard.press("Tab");
          expect(await focused(page)).toBe("summary");
          await page.keyboard.press("Enter");
          expect(await first.getAttribute("open")).toBeNull();
          await page.getByRole("searchbox").fill("xyzzy");
          await page.getByRole("status").filter({ hasText: "Nothing found" }).waitFor();
          expect(await page.locator("details").count()).toBe(0);
          await check(page, "kb-search-none", width);
        });
      },
    );

    test("ignores late responses to earlier queries, and shows an error if there is no response", async () => {
      const workspaceId = await place();
      for (const [question, answer] of ANSWERS)
        await owner.post(`/api/workspaces/${workspaceId}/kb-entries`, { question, answer }, 201);
      embed("search", await newSearch(owner, workspaceId, { settings: { minConfidence: 0, results: 1 } }));
      await visit(
        1280,
        async (page) => {
          let release = (): void => undefined;
          const held = new Promise<void>((resolve) => {
            release = resolve;
          });
          await page.route("**/search?q=how*", async (route) => {
            await held;
            await route.continue().catch(() => undefined);
          });
          const box = page.getByRole("searchbox");
          await Promise.all([page.waitForRequest("**/search?q=how*"), box.fill("how long does delivery take")]);
          await box.fill("what does delivery cost");
          await page.locator("h3", { hasText: "What does delivery cost?" }).waitFor();
          release();
          await page.unroute("**/search?q=how*");
          expect(await page.locator("h3").allTextContents()).toEqual(["What does delivery cost?"]);
          await page.route("**/search?*", (route) => route.abort());
          await box.fill("parcel station");
          await page.getByRole("status").filter({ hasText: "cannot be reached" }).waitFor();
          await page.unroute("**/search?*");
          await page.keyboard.press("Enter");
          await page.locator("h3", { hasText: "parcel station" }).waitFor();
        },
        [/Failed to load resource/],
      );
    });

    test("is readable on a dark page, in any colour", async () => {
      const workspaceId = await place();
      for (const [question, answer] of ANSWERS)
        await owner.post(`/api/workspaces/${workspaceId}/kb-entries`, { question, answer }, 201);
      theme = "dark";
      try {
        for (const colour of everyNth(["#facc15", "#000000", "#ffffff", "#1d4ed8"], 2)) {
          embed("search", await newSearch(owner, workspaceId, { settings: { colour, minConfidence: 0 } }));
          const search = line;
          embed("form", await newForm(owner, workspaceId, { settings: { colour } }));
          line = search + line;
          await visit(320, async (page) => {
            await page.getByRole("button", { name: "Send" }).click();
            await page.getByRole("searchbox").fill("delivery");
            await page.locator("details").first().waitFor();
            await check(page, colour === "#facc15" ? "kb-search-dark" : undefined, 320);
          });
        }
      } finally {
        theme = "";
      }
    });
  });

  test("a widget that does not exist or is not allowed on the page shows nothing, and logs the reason to the console", async () => {
    for (const widget of [
      { publicKey: `wgt_${"x".repeat(24)}` },
      await newForm(owner, await place(), { allowedOrigins: ["https://www.example.com"] }),
    ]) {
      embed("form", widget);
      const said: string[] = [];
      await visit(
        1280,
        async (page) => {
          page.on("console", (message) => said.push(message.text()));
          await page.reload();
          await expect.poll(() => said.some((text) => text.startsWith("Parley (contact-form-widgets)"))).toBe(true);
          expect(await page.locator("main").innerText()).toBe("Help\n\nBelow the widget.");
        },
        [/^Parley \(contact-form-widgets\)/, /Failed to load resource/, /CORS policy/],
      );
    }
  });
});

const STYLE =
  "body{margin:0;font:18px/1.6 Georgia,serif;background:#f4f4f1;color:#1c1d20}.dark body{background:#17181b;color:#ededf0}.wide-light body{background:oklch(0.984 0.003 247.858)}.wide-dark body{background:color(display-p3 0.1 0.1 0.12)}main{max-width:60rem;margin:auto;padding:1rem}button,input,h2{all:unset;color:red!important}";
const STYLE_HASH = await crypto.subtle
  .digest("SHA-256", new TextEncoder().encode(STYLE))
  .then((digest) => Buffer.from(digest).toString("base64"));
