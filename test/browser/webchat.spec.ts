import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantJob } from "../../src/assistant/assistant.job.js";
import { Changes } from "../../src/platform/database/changes.js";
import { aTime, newAgent } from "../server/e2e/support.js";
import { type Process, startProcess } from "../races/processes.js";
import { until } from "../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { everyNth, WHOLE } from "../support/sweep.js";
import { type Chat, chatOf, IDENTITY_SECRET, sign } from "../server/webchat/support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { runAxe } from "./axe.js";
import { untilStill } from "./still.js";

allowTimeForProcesses();

/** If set, the folder for screenshots of the chat (`docs/images` for those of the documentation). */
const { SCREENSHOTS } = process.env;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsARMm4uJ4AAAAAElFTkSuQmCC",
  "base64",
);

const IN_CHAT = "[...document.body.children].find(({ shadowRoot }) => shadowRoot).shadowRoot";

describe.skipIf(!CHROMIUM)(`the chat on a page, in a browser${WITHOUT_BROWSER}`, () => {
  let app: TestApp;
  let browser: Browser;
  let tenant: TestTenant;
  let chat: Chat;
  let shop: http.Server;
  let shopUrl: string;
  beforeAll(async () => {
    app = await startApp();
    Object.assign(app.config, { PUBLIC_URL: app.baseUrl });
    tenant = await app.tenant("Harbour Books");
    chat = await chatOf(tenant, {}, IDENTITY_SECRET);
    browser = await openBrowser();
    // A shop on another origin with the strictest possible content security policy.
    shop = http.createServer((request, response) => {
      const { searchParams } = new URL(request.url!, "http://shop");
      const server = searchParams.get("server") ?? app.baseUrl;
      const identity = searchParams.get("identity");
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; script-src ${server}${identity ? " 'unsafe-inline'" : ""}; connect-src ${server}; img-src ${server}; require-trusted-types-for 'script'`,
      });
      response.end(`<!doctype html><html lang="en"><head><title>Harbour Books</title><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><main><h1>Harbour Books</h1><p>Second-hand books by the sea.</p><p><a href="/">Our books</a></p></main>
<script src="${server}/widgets/webchat.js" data-key="${searchParams.get("key") ?? chat.publicKey}"${identity ? `></script><script>Parley.identify("${identity}")` : " async>"}</script></body></html>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
    if (SCREENSHOTS) fs.mkdirSync(SCREENSHOTS, { recursive: true });
  });
  afterAll(async () => {
    await closePages();
    shop?.close();
    await app.close();
  });

  async function onPage(
    options: BrowserContextOptions,
    work: (page: Page) => Promise<void>,
    url = shopUrl,
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource|favicon/.test(message.text()))
          faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(String(error)));
      await page.goto(url);
      await page.locator(".launcher").waitFor();
      await work(page);
      expect(faults).toEqual([]);
      expect(await context.cookies()).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const texts = (page: Page): Promise<string[]> => page.locator(".log .text").allTextContents();
  const conversationWith = async (text: string): Promise<string> =>
    (
      await app.db.query<{ id: string }>(
        "select conversation_id as id from message where body = $1 order by created_at desc",
        [text],
      )
    )[0]!.id;
  const reply = async (to: string, body: string, bodyFormat = "text"): Promise<void> => {
    await tenant.live.post(`/api/conversations/${await conversationWith(to)}/reply`, { body, bodyFormat }, 200);
  };
  async function say(page: Page, text: string): Promise<void> {
    await page.locator("textarea").fill(text);
    await page.locator("textarea").press("Enter");
    await page
      .locator(".message.own", { hasText: text })
      .getByText(/\bSent$/)
      .waitFor();
  }
  async function check(page: Page, name: string, { axe: isAxed = true } = {}): Promise<void> {
    await untilStill(page);
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/webchat-${name}.png` });
    expect(
      await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
      `${name}: sideways`,
    ).toBe(0);
    if (!isAxed) return;
    const { violations, passes } = await runAxe(page);
    expect(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(["color-contrast", "button-name"]));
  }

  const VIEWS = [
    [1280, "light"],
    [1280, "dark"],
    [320, "dark"],
    [320, "light"],
  ] as const;
  test("is accessible and fits in each width and colour: closed, open, with a conversation, and with an unsent message", async () => {
    await onPage({}, async (page) => {
      let states = 0;
      const checkViews = async (state: string): Promise<void> => {
        const views = everyNth(VIEWS, 2);
        const axed = everyNth(views, 2, states++);
        for (const view of views) {
          const [width, colorScheme] = view;
          await page.setViewportSize({ width, height: width === 320 ? 640 : 800 });
          await page.emulateMedia({ colorScheme });
          await check(page, `${state}-${width}-${colorScheme}`, { axe: axed.includes(view) });
        }
      };
      await checkViews("closed");
      await page.locator(".launcher").click();
      await page.locator("textarea").waitFor();
      await checkViews("open");
      const asked = "Hello! Where is my order 4711?";
      await say(page, asked);
      await reply(
        asked,
        "Good morning! It left our warehouse **this morning**. You can follow it at https://parcels.example.com/4711.",
        "markdown",
      );
      await page.locator(".text a").waitFor();
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: "receipt.txt", mimeType: "text/plain", buffer: Buffer.from("4711") }]);
      await page.locator(".chips", { hasText: /^receipt.txt$/ }).waitFor();
      await say(page, "Thank you, here is my receipt.");
      await checkViews("conversation");
      await page.context().setOffline(true);
      await page.locator("textarea").fill("Could you also gift-wrap it?");
      await page.locator("textarea").press("Enter");
      await page.locator(".again").waitFor();
      await checkViews("not-sent");
      await page.context().setOffline(false);
      await page
        .locator(".message.own", { hasText: "gift-wrap" })
        .getByText(/\bSent$/)
        .waitFor();
      expect((await texts(page)).filter((text) => text.includes("gift-wrap"))).toHaveLength(1);
      expect(
        await app.db.query(`select from message where conversation_id = $1 and body like '%gift-wrap%'`, [
          await conversationWith(asked),
        ]),
      ).toHaveLength(1);
    });
  });

  test("works with the keyboard only: open, write, read and close, and the focus returns", async () => {
    await onPage({}, async (page) => {
      const focused = (): Promise<string> =>
        page.evaluate(
          `(() => { const e = document.activeElement.shadowRoot?.activeElement ?? document.activeElement; return e.getAttribute('aria-label') ?? e.textContent })()`,
        );
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Our books");
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Open chat");
      await page.keyboard.press("Enter");
      await page.locator("textarea").waitFor();
      expect(await focused()).toBe("Write a message");
      // In Safari, this code alone says that Enter ends a composed character.
      await page.evaluate(`{
        const field = ${IN_CHAT}.querySelector("textarea");
        field.value = "にほん";
        field.dispatchEvent(Object.assign(new Event("keydown", { bubbles: true }), { key: "Enter", keyCode: 229 }));
      }`);
      expect(await page.locator("textarea").inputValue()).toBe("にほん");
      await page.locator("textarea").fill("");
      await page.keyboard.type("by keyboard");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("second line");
      await page.keyboard.press("Enter");
      await page
        .locator(".message.own")
        .getByText(/\bSent$/)
        .waitFor();
      expect((await texts(page)).at(-1)).toBe("by keyboard\nsecond line");
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Send");
      for (const label of ["Write a message", "Attach a file", "Chat", "Close chat"]) {
        await page.keyboard.press("Shift+Tab");
        expect(await focused()).toBe(label);
      }
      await page.keyboard.press("Escape");
      await page.locator(".panel").waitFor({ state: "hidden" });
      expect(await focused()).toBe("Open chat");
    });
  });

  test("shows a reply without asking for it; while closed, it counts unread messages", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await say(page, "quick question");
      await reply("quick question", "one moment");
      await page.locator(".text", { hasText: "one moment" }).waitFor();
      // It has read the thread, and its stream is open.
      const asked: string[] = [];
      page.on("request", (request) => request.method() === "GET" && asked.push(request.url()));
      await reply("quick question", "quick answer");
      await page.locator(".text", { hasText: "quick answer" }).waitFor();
      expect(asked).toEqual([]);
      await page.keyboard.press("Escape");
      await reply("quick question", "are you there?");
      await page.locator(".badge", { hasText: "1" }).waitFor();
      expect(await page.locator(".launcher").getAttribute("aria-label")).toBe("Open chat, new: 1");
      await page.locator(".launcher").click();
      await page.locator(".badge").waitFor({ state: "hidden" });
    });
  });

  test("says that somebody types until they stop or reply, and tells the desk that the visitor types", async () => {
    const agent = await newAgent(await tenant.owner(), [chat.workspaceId]);
    const signals: { type: string; data: unknown }[] = [];
    app.app.get(Changes).onSignal((signal) => signals.push(signal));
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await say(page, "Is anybody there?");
      const conversationId = await conversationWith("Is anybody there?");
      const put = (state: string) => agent.put(`/api/conversations/${conversationId}/viewing`, { state }, 200);
      const sign = page.getByText("Somebody is typing…");
      // On this page the lease of 20 seconds does not run out, and no time passes between two letters.
      await page.evaluate(`{
        const { setTimeout: real } = window;
        window.setTimeout = (run, ms, ...rest) => real(run, ms === 20_000 ? 3_600_000 : ms, ...rest);
        const now = Date.now();
        Date.now = () => now;
      }`);
      for (const end of ["viewing", "reply"]) {
        // The stream may not be open yet, and a dashboard repeats it, too.
        await until(async () => (await put("typing"), await sign.isVisible()), "the visitor sees it");
        if (end === "viewing") {
          await check(page, "typing");
          // The lease on the server may have run out meanwhile.
          await put("typing");
          await put(end);
        } else await reply("Is anybody there?", "I am");
        await sign.waitFor({ state: "hidden" });
      }
      await page.locator("textarea").pressSequentially("Good");
      await page.locator("textarea").fill("");
      const told = (end: unknown) => ({ type: "typing", data: { conversationId, by: "contact", until: end } });
      const heard = () => signals.filter(({ data }) => (data as { by?: string }).by === "contact");
      await until(async () => heard().length >= 2, "the desk heard both");
      expect(heard()).toMatchObject([told(aTime), told(null)]);
    });
  });

  test("keeps the thread after a reload, in another tab and on a later visit; two tabs work in parallel", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await say(page, "kept");
      await page.reload();
      await page.locator(".launcher").click();
      await page.locator(".text", { hasText: "kept" }).waitFor();
      const second = await page.context().newPage();
      await second.goto(shopUrl);
      await second.locator(".launcher").click();
      await second.locator(".text", { hasText: "kept" }).waitFor();
      await say(second, "from the second tab");
      await page.locator(".text", { hasText: "from the second tab" }).waitFor();
      await say(page, "from the first tab");
      await second.locator(".text", { hasText: "from the first tab" }).waitFor();
    });
  });

  test("a logo stands on a ground on which it can be seen: a light one on a dark ground", async () => {
    const { workspaceId } = tenant.defaults;
    await onPage({}, async (page) => {
      for (const [colour, isLight] of [
        ["#fff", true],
        ["#101828", false],
      ] as const) {
        const image: string = await page.evaluate(`(() => {
          const canvas = document.createElement("canvas");
          const pen = canvas.getContext("2d");
          pen.fillStyle = "${colour}";
          pen.font = "bold 60px sans-serif";
          pen.fillText("Harbour", 8, 90);
          return canvas.toDataURL("image/png").split(",")[1];
        })()`);
        await (await tenant.owner()).put(`/api/workspaces/${workspaceId}/logo`, { image }, 200);
        await page.reload();
        await page.locator(".launcher").click();
        const logo = page.locator(".logo img");
        await expect.poll(() => logo.evaluate((picture: { naturalWidth: number }) => picture.naturalWidth)).toBe(300);
        await expect.poll(() => page.locator(".logo.light").count()).toBe(isLight ? 1 : 0);
      }
    });
    await (await tenant.owner()).delete(`/api/workspaces/${workspaceId}/logo`, 200);
  });

  /** So many replies come after what the visitor said. */
  const MISSED = Array.from({ length: 75 }, (_, n) => `answer ${n + 1}`);
  /** What the log has from the visitor's first words on, with the earlier messages that it offers. */
  const wholeLog = async (page: Page): Promise<string[]> => {
    const older = page.getByRole("button", { name: "Earlier messages" });
    while (await older.count()) {
      const before = (await texts(page)).length;
      await older.click();
      await expect.poll(async () => (await texts(page)).length > before || !(await older.count())).toBe(true);
    }
    return (await texts(page)).filter((text) => !text.startsWith("Hello"));
  };

  test("misses none of the messages of a long absence, also if the server does not know where it stopped", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await say(page, "before a long absence");
      await reply("before a long absence", "we look into it");
      await page.locator(".text", { hasText: "we look into it" }).waitFor();
      const turn = (isHidden: boolean): Promise<void> =>
        page.evaluate(`{
          Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }`);
      // It rests at once, and not half a minute after it was hidden.
      await page.evaluate(`{
        const inTime = setTimeout;
        window.setTimeout = (run, ms, ...rest) => inTime(run, ms === 30_000 ? 0 : ms, ...rest);
      }`);
      await Promise.all([
        page.waitForEvent("requestfailed", (request) => request.url().endsWith("/stream")),
        turn(true),
      ]);
      for (const text of MISSED) await reply("before a long absence", text);
      await page.route("**/stream", (route) =>
        route.request().headers()["last-event-id"] === undefined
          ? route.continue()
          : route.fulfill({ status: 400, json: { error: "Not one that this stream gave" } }),
      );
      await turn(false);
      await page.locator(".text", { hasText: MISSED.at(-1)! }).waitFor();
      expect(await wholeLog(page)).toEqual(["before a long absence", "we look into it", ...MISSED]);
    });
  });

  test("offers the earlier messages of a thread that began in another tab", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await page.locator("textarea").waitFor();
      const other = await page.context().newPage();
      await other.goto(shopUrl);
      await other.locator(".launcher").click();
      await say(other, "begun in another tab");
      for (const text of MISSED) await reply("begun in another tab", text);
      await say(page, "and gone on with here");
      await page.locator(".text", { hasText: MISSED.at(-1)! }).waitFor();
      expect(await wholeLog(page)).toEqual(["begun in another tab", ...MISSED, "and gone on with here"]);
    });
  });

  test.runIf(WHOLE)("loses and duplicates nothing when the server goes down and comes back", async () => {
    const node = await startProcess(app.db, { PUBLIC_URL: app.baseUrl });
    const { port } = new URL(node.baseUrl);
    let again: Process | undefined;
    try {
      await onPage({}, async (page) => {
        await page.goto(`${shopUrl}?server=${node.baseUrl}`);
        await page.locator(".launcher").click();
        await say(page, "before the restart");
        await node.kill();
        await page.locator("textarea").fill("written while it was away");
        await page.locator("textarea").press("Enter");
        await page.locator(".status", { hasText: "No connection" }).waitFor();
        await reply("before the restart", "answered while it was away");
        again = await startProcess(app.db, { PORT: port, PUBLIC_URL: app.baseUrl });
        await page
          .locator(".message.own", { hasText: "written while" })
          .getByText(/\bSent$/)
          .waitFor();
        await page.locator(".text", { hasText: "answered while it was away" }).waitFor();
        await reply("before the restart", "and after");
        await page.locator(".text", { hasText: "and after" }).waitFor();
        await page.locator(".status").waitFor({ state: "hidden" });
        expect((await texts(page)).slice(1)).toEqual([
          "before the restart",
          "answered while it was away",
          "written while it was away",
          "and after",
        ]);
        expect(
          await app.db.query("select body from message where conversation_id = $1", [
            await conversationWith("before the restart"),
          ]),
        ).toHaveLength(4);
      });
    } finally {
      await node.kill();
      await again?.stop();
    }
  });

  test("is translated, and is mirrored for right-to-left languages", async () => {
    for (const [language, label, greeting] of [
      ["de", "Chat öffnen", "Guten Tag! Wie können wir Ihnen helfen?"],
      ["fr", "Ouvrir le chat", "Bonjour ! Comment pouvons-nous vous aider ?"],
      ["ar", "Open chat", "مرحبا"],
    ] as const) {
      const other = await app.tenant();
      const at = await chatOf(other, { language, colour: "#ffe600", ...(language === "ar" ? { greeting } : {}) });
      const work = async (page: Page): Promise<void> => {
        await page.getByRole("button", { name: label }).click();
        await page.locator(".text", { hasText: greeting }).waitFor();
        await untilStill(page);
        const send = (await page.locator(".send").boundingBox())!;
        expect(send.x < 160).toBe(language === "ar");
        await check(page, `language-${language}`, { axe: WHOLE || language === "ar" });
      };
      await onPage({ viewport: { width: 320, height: 640 } }, work, `${shopUrl}?key=${at.publicKey}`);
    }
  });

  test("shows text and links, and never runs code from a message", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      const nasty =
        "<img src=x onerror=alert(1)> <script>alert(2)</script> javascript:alert(3) [x](javascript:alert(4))";
      await say(page, nasty);
      await reply(nasty, `${nasty} **b** [ok](https://a.example/)`, "markdown");
      await page.locator(".text strong").waitFor();
      expect((await texts(page)).slice(1)).toEqual([nasty, `${nasty.replace("[x](javascript:alert(4))", "x")} b ok`]);
      expect(await page.locator(".log img, .log script").count()).toBe(0);
      expect(
        await page
          .locator(".text a")
          .evaluateAll((links) =>
            (links as { href: string; getAttribute(name: string): string | null }[]).map((link) => [
              link.href,
              link.getAttribute("rel"),
            ]),
          ),
      ).toEqual([["https://a.example/", "noopener noreferrer nofollow"]]);
    });
  });

  test("shows pictures, and explains why a file cannot be sent", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: "photo.png", mimeType: "image/png", buffer: PIXEL }]);
      await page.locator(".chips", { hasText: /^photo.png$/ }).waitFor();
      await page.locator(".send").click();
      await page.locator(".picture img").waitFor();
      expect(
        await page
          .locator(".picture img")
          .evaluate((image) =>
            (image as unknown as { decode(): Promise<void> })
              .decode()
              .then(() => (image as unknown as { naturalWidth: number }).naturalWidth),
          ),
      ).toBe(10);
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: "setup.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ\x90\0") }]);
      await page.locator(".problem", { hasText: "This file cannot be sent: setup.exe" }).waitFor();
    });
  });

  test("a file has the newest link, because each is valid for an hour only", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: "receipt.txt", mimeType: "text/plain", buffer: Buffer.from("4711") }]);
      await page.locator(".chips", { hasText: /^receipt.txt$/ }).waitFor();
      await say(page, "here it is");
      let reads = 0;
      await page.route(/\/messages\?/, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: { attachments: { url: string }[] }[] };
        reads++;
        for (const { attachments } of body.data) for (const file of attachments) file.url += `?read=${reads}`;
        await route.fulfill({ response, json: body });
      });
      // Streams end when their token does. Then the thread is read again.
      await page.route("**/stream", (route) =>
        route.fulfill({
          headers: { "Content-Type": "text/event-stream", "Access-Control-Allow-Origin": "*" },
          body: "event: ready\ndata: {}\n\n",
        }),
      );
      await page.reload();
      await page.locator(".launcher").click();
      const link = page.locator("a.file");
      await link.waitFor();
      await page.evaluate(`${IN_CHAT}.querySelector("a.file").setAttribute("data-kept", "")`);
      await expect.poll(async () => Number((await link.getAttribute("href"))!.split("=")[1])).toBeGreaterThan(1);
      expect(await link.getAttribute("data-kept"), "the same element, so nothing is read out again").toBe("");
      await page.unrouteAll({ behavior: "wait" });
    });
  });

  test("a message whose file is gone is not sent, and holds up none of those after it, also not after a reload", async () => {
    await onPage({}, async (page) => {
      const refused = page.locator(".message.own", { hasText: "look at this" });
      await page.locator(".launcher").click();
      await page
        .locator("input[type=file]")
        .setInputFiles([{ name: "photo.png", mimeType: "image/png", buffer: PIXEL }]);
      await page.locator(".chips", { hasText: /^photo.png$/ }).waitFor();
      await app.db.query("delete from attachment where message_id is null");
      await page.locator("textarea").fill("look at this");
      await page.locator("textarea").press("Enter");
      await refused.getByText("Not sent").waitFor();
      await say(page, "the file was too old");
      await refused.getByText("Not sent").waitFor();
      await page.reload();
      await page.locator(".launcher").click();
      await say(page, "and once more");
      await refused.getByRole("button", { name: "Try again" }).click();
      await refused.getByText("Not sent").waitFor();
      expect(
        (await app.db.query("select body from message where conversation_id = $1 order by sequence", [
          await conversationWith("and once more"),
        ])) as unknown,
      ).toEqual([{ body: "the file was too old" }, { body: "and once more" }]);
    });
  });

  test("shows signed visitors their own thread, and hides it from the next visitor", async () => {
    await onPage({}, async (page) => {
      const as = async (sub: string): Promise<void> => {
        await page.evaluate(`window.Parley.identify(${JSON.stringify(await sign({ sub }))})`);
      };
      await page.locator(".launcher").click();
      await say(page, "nobody in particular");
      await as("ada");
      await page.locator(".text", { hasText: "nobody" }).waitFor({ state: "detached" });
      await page.locator("textarea").waitFor();
      await say(page, "I am Ada");
      await as("bob");
      await page.locator(".text", { hasText: "I am Ada" }).waitFor({ state: "detached" });
      await page.locator("textarea").waitFor();
      await say(page, "I am Bob");
      expect((await texts(page)).slice(1)).toEqual(["I am Bob"]);
      await as("ada");
      await page.locator(".text", { hasText: "I am Ada" }).waitFor();
      expect((await texts(page)).slice(1)).toEqual(["I am Ada"]);
      await page.evaluate("window.Parley.logout()");
      await page.locator(".text", { hasText: "I am Ada" }).waitFor({ state: "detached" });
      await page.reload();
      await page.locator(".launcher").click();
      await page.locator(".text").waitFor();
      expect(await texts(page)).toEqual(["Hello! How can we help you?"]);
    });
  });

  test("is there once, also for a visitor whom the page names before it has loaded", async () => {
    const identity = await sign({ sub: "early" });
    await onPage({}, async (page) => {
      await page.goto(`${shopUrl}?identity=${identity}`);
      await page.locator(".launcher").first().click();
      await say(page, "I am early");
      expect(await page.locator(".launcher").count()).toBe(1);
    });
  });

  test("forgets the visitor in each tab when one of them signs the visitor out", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await say(page, "my secret");
      const second = await page.context().newPage();
      await second.goto(shopUrl);
      await second.locator(".launcher").click();
      await second.locator(".text", { hasText: "my secret" }).waitFor();
      await page.evaluate("window.Parley.logout()");
      await page.locator(".text", { hasText: "my secret" }).waitFor({ state: "detached" });
      await second.locator(".text", { hasText: "my secret" }).waitFor({ state: "detached" });
      await second.locator("textarea").waitFor();
      await say(second, "I am somebody else");
      expect(await conversationWith("I am somebody else")).not.toBe(await conversationWith("my secret"));
      expect((await texts(second)).slice(1)).toEqual(["I am somebody else"]);
    });
  });

  test("forgets a visitor who signs out while the session is renewed", async () => {
    await onPage({}, async (page) => {
      await page.locator(".launcher").click();
      await say(page, "before I left");
      let [hold, release] = [(): void => undefined, (): void => undefined];
      const isHeld = new Promise<void>((resolve) => (hold = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route("**/sessions", async (route) => {
        const response = await route.fetch();
        hold();
        await released;
        await route.fulfill({ response });
      });
      await page.reload();
      await isHeld;
      await page.evaluate("window.Parley.logout()");
      release();
      await page.locator(".launcher").click();
      await say(page, "after somebody came");
      expect((await texts(page)).slice(1)).toEqual(["after somebody came"]);
    });
  });

  test("offers the answers to the assistant's question, and the visitor chooses one by mouse or keyboard", async () => {
    const asked = await app.tenant("Plans");
    const { workspaceId } = asked.defaults;
    const { publicKey } = await chatOf(asked);
    const agent = { name: "Shop", instructions: "Help", workspaceIds: [workspaceId], tools: [] };
    await asked.live.post("/api/agents", agent, 201);
    const options = ["Monthly", "Yearly, two months free"].map((label) => ({ value: label, label }));
    const steps = [
      { id: "plan", type: "ask", text: "Which plan would you like?", slot: { kind: "choice", options } },
      { id: "sure", type: "confirm", text: "Shall I change it to {plan}?" },
      { id: "done", type: "say", text: "Done: {plan}." },
    ];
    const startsWith = { entries: [], phrases: ["change my plan"] };
    const procedure = { name: "Plan", status: "active", startsWith, steps };
    await (await asked.owner()).post(`/api/workspaces/${workspaceId}/procedures`, procedure, 201);
    const assist = async (): Promise<void> => {
      await app.db.query("update assistant_due set due_at = now() where tenant_id = $1", [asked.tenantId]);
      await app.app.get(AssistantJob).tick();
    };
    const choices = (page: Page): Promise<string[]> => page.locator(".choices button").allTextContents();
    await onPage(
      {},
      async (page) => {
        await page.locator(".launcher").click();
        await say(page, "I want to change my plan");
        await assist();
        await page.locator(".choices").waitFor();
        expect(await choices(page)).toEqual(["Monthly", "Yearly, two months free"]);
        expect((await texts(page)).at(-1), "what the buttons say is not said twice").toBe("Which plan would you like?");
        for (const view of everyNth(VIEWS, 2)) {
          const [width, colorScheme] = view;
          await page.setViewportSize({ width, height: width === 320 ? 640 : 800 });
          await page.emulateMedia({ colorScheme });
          await check(page, `choices-${width}-${colorScheme}`);
        }
        await page.locator(".choices button", { hasText: "Yearly" }).click();
        await page
          .locator(".message.own", { hasText: "Yearly, two months free" })
          .getByText(/\bSent$/)
          .waitFor();
        expect(await choices(page), "one choice").toEqual([]);
        await assist();
        await page.locator(".text", { hasText: "Shall I change it to Yearly, two months free?" }).waitFor();
        expect(await choices(page)).toEqual(["Yes", "No"]);
        await page.reload();
        await page.locator(".launcher").click();
        await page.locator(".choices").waitFor();
        // From where the visitor writes, the choices are above.
        await page.locator(".choices button", { hasText: "Yes" }).focus();
        await page.keyboard.press("Enter");
        await page
          .locator(".message.own", { hasText: "Yes" })
          .getByText(/\bSent$/)
          .waitFor();
        expect(await page.evaluate(`${IN_CHAT}.activeElement.tagName`), "the visitor may write on").toBe("TEXTAREA");
        await assist();
        await page.locator(".text", { hasText: "Done: Yearly, two months free." }).waitFor();
        expect(await choices(page)).toEqual([]);
        expect((await texts(page)).filter((text) => text === "Yes")).toHaveLength(1);
      },
      `${shopUrl}?key=${publicKey}`,
    );
  });
});
