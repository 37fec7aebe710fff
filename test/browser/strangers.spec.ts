import fs from "node:fs";
import http from "node:http";
import { type AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace } from "../server/e2e/support.js";
import { asked, configure } from "../server/csat/support.js";
import { chatOf } from "../server/webchat/support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { CHROMIUM, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { mailOf, takeMail } from "../support/formatted-mail.js";
import { everyNth } from "../support/sweep.js";
import { type Desk, goTo, type Member, openDesk, settle, signIn } from "./dashboard/support.js";

allowTimeForProcesses();

// What strangers write is text wherever it is shown: nothing of it runs, loads, leads to a script, or leaves its place.

/** Each tells by its own way that it ran. Our own words for what lists of such texts have in common. */
const VECTORS = [
  `<img src=x onerror="__hit=1">`,
  `"><svg/onload=__hit=1>`,
  `'><script>document.title="HIT"</script>`,
  `</textarea></title></style><details open ontoggle=__hit=1>`,
  `<noscript><p title="</noscript><img src=x onerror=__hit=1>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=__hit=1&gt;">`,
  `<svg></p><style><a id="</style><img src=x onerror=__hit=1>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=__hit=1>`,
  `<a href="jav&#x09;ascript:__hit=1">a</a> <a href=" &#14; javascript:__hit=1">b</a>`,
  `[a](javascript:__hit=1) [b](<java\tscript:__hit=1>) ![c](data:text/html,<script>__hit=1</script>) <javascript:__hit=1>`,
  `[a]\n\n[a]: vbscript:__hit=1 "\\"onmouseover=__hit=1"`,
  `[a](https://x.example/"onmouseover="__hit=1) **[b](https://x.example/'><img/src=x/onerror=__hit=1>)**`,
  `https://x.example/"onmouseover=__hit=1//<img/src=x/onerror=__hit=1>`,
  `<base href="https://x.example/"><meta http-equiv="refresh" content="0;url=https://x.example/">`,
  `<form action="https://x.example/"><input name=password autofocus onfocus=__hit=1><button formaction=javascript:__hit=1>`,
  `<iframe srcdoc="<script>parent.__hit=1</script>"></iframe><object data="data:text/html,<script>parent.__hit=1</script>">`,
  `<div style="position:fixed;inset:0;background:url(https://x.example/a.png)">over</div>`,
  `<a id=parley name=body><img name=getElementById><form id=location>`,
  `<img src="https://x.example/pixel.gif"><link rel=stylesheet href=//x.example/a.css><video poster=//x.example/p>`,
  `<style>@import "https://x.example/a.css";*{background:url(//x.example)}</style>`,
  "{{constructor.constructor('__hit=1')()}} ${__hit=1} <%= __hit=1 %>",
  `<x style="width:expression(__hit=1);behavior:url(#default);-moz-binding:url(//x.example)">`,
  `\u202e<b>\u0000\u2028\ufeff<img/src=x\u0000onerror=__hit=1>`,
  `<template><img src=x onerror=__hit=1></template><select><style></select><img src=x onerror=__hit=1>`,
];
/** A file with a list of others, as JSON, for a hunt. */
const { VECTORS: LIST } = process.env;
const vectors: string[] = LIST ? (JSON.parse(fs.readFileSync(LIST, "utf8")) as string[]) : VECTORS;
/** So many are shown at a time. */
const AT_ONCE = 24;
const groups = Array.from({ length: Math.ceil(vectors.length / AT_ONCE) }, (_, n) =>
  vectors.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
);

/** What should not stand in a page, in its frames and in its widgets. */
const LOOK = `(() => {
  const found = [];
  const look = (root, isMail) => {
    for (const element of root.querySelectorAll("*")) {
      const name = element.localName;
      for (const { name: attribute, value } of element.attributes) {
        if (/^on/i.test(attribute)) found.push(attribute + " of " + name);
        if (/^(?:href|src|action|formaction|data|poster|xlink:href)$/i.test(attribute)
          && /^(?:javascript|vbscript|data:text|data:image\\/svg)/i.test(value.replace(/[\\0-\\x20]/g, ""))) found.push(value);
      }
      if (name === "base" || (name === "meta" && element.httpEquiv === "refresh")) found.push(name);
      if (name === "script" && !new URL(element.src, location).pathname.match(/^\\/(?:assets|widgets)\\//)) found.push(name);
      if (name === "form" && new URL(element.action, location).origin !== location.origin) found.push(name);
      if (isMail && /^(?:fixed|absolute|sticky|relative)$/.test(getComputedStyle(element).position)) found.push("moved " + name);
      if (isMail && (element.id || element.getAttribute("name"))) found.push("named " + name);
      if (name === "iframe") look(element.contentDocument, true);
      if (element.shadowRoot) look(element.shadowRoot, isMail);
    }
  };
  look(document, false);
  if (window.__hit || /HIT/.test(document.title)) found.push("ran");
  return found;
})()`;

describe.skipIf(!CHROMIUM)(`what strangers write, in a browser${WITHOUT_BROWSER}`, () => {
  let desk: Desk;
  let member: Member;
  let faults: string[];
  let mailbox: string;
  /** Also what the page asks of others, and dialogs, and what only its policy refused. */
  const watch = (page: Page, found: string[], origins: string[]): void => {
    page.on("dialog", (dialog) => {
      found.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!["data:", "blob:", "about:", ...origins].some((own) => request.url().startsWith(own)))
        found.push(`asked ${request.url()}`);
    });
  };
  beforeAll(async () => {
    desk = await openDesk();
    const { tenant } = desk;
    const channels = (await tenant.live.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200)).body;
    mailbox = channels[0]!.id;
    member = await signIn(desk);
    faults = member.faults;
    watch(member.page, faults, [desk.app.baseUrl]);
  });
  afterAll(() => desk.close());

  /** Shows a screen of the dashboard, and looks at it. */
  async function look(at: string, shows: (page: Page) => Promise<unknown>): Promise<void> {
    const { page } = member;
    await goTo(page, at);
    await shows(page);
    await settle(page);
    expect(await page.evaluate(LOOK), at).toEqual([]);
    expect(faults, at).toEqual([]);
  }
  const conversationOf = async (group: readonly string[]): Promise<{ id: string; contactId: string }> => {
    const { tenant } = desk;
    const name = group[0]!.slice(0, 200);
    const one = await desk.conversation(name, "First", group.at(-1)!.slice(0, 200));
    const attributes = Object.fromEntries(group.slice(0, 10).map((text, n) => [`a${n} ${text.slice(0, 30)}`, text]));
    await tenant.live.patch(`/api/contacts/${one.contactId}`, { name, attributes }, 200);
    for (const body of group) {
      await tenant.live.post(`/api/conversations/${one.id}/messages`, { body });
      await tenant.live.post(`/api/conversations/${one.id}/reply`, { body, bodyFormat: "markdown" });
    }
    return one;
  };
  const last = (page: Page): Promise<unknown> => page.getByRole("log").locator("article, li, [id]").last().waitFor();

  test("stays text in a thread, the list, the search, the profile of a contact and the log", async () => {
    for (const group of groups) {
      const { id, contactId } = await conversationOf(group);
      await look(`/inbox/all/${id}`, last);
      await look(`/contacts/${contactId}`, (page) => page.getByRole("heading", { level: 1 }).first().waitFor());
    }
    await look(`/search?q=onerror`, (page) => page.locator("mark").first().waitFor());
    await look("/settings/audit-log", (page) => page.getByRole("main").waitFor());
  });

  test("stays text in a mail, formatted and as text", async () => {
    const { tenantId, defaults } = desk.tenant;
    const place = { tenantId, id: mailbox, workspaceId: defaults.workspaceId };
    for (const vector of everyNth(vectors, 3)) {
      const { conversationId } = await takeMail(desk.app, place, mailOf(`<p>Begin</p>${vector}`));
      await look(`/inbox/all/${conversationId}`, (page) =>
        page.frameLocator("iframe").last().getByText("Begin").waitFor(),
      );
    }
    await member.page.getByRole("button", { name: "Show as text" }).click();
    expect(await member.page.evaluate(LOOK)).toEqual([]);
  });

  test("a mail whose height is that of its window does not grow without end", async () => {
    const { tenantId, defaults } = desk.tenant;
    const place = { tenantId, id: mailbox, workspaceId: defaults.workspaceId };
    const html = `<p style="height: 600px">Tall</p><div style="height: 150vh">Taller</div><p>Below</p>`;
    const { conversationId } = await takeMail(desk.app, place, mailOf(html));
    const { page } = member;
    await goTo(page, `/inbox/all/${conversationId}`);
    await page.frameLocator("iframe").getByText("Below").waitFor();
    // Before and after its end is shown.
    const whole = page.getByRole("button", { name: "Show all" });
    if (await whole.count()) await whole.click();
    // A browser says a new height once a frame. One that grows is ten times as high after so many.
    await page.evaluate(
      `new Promise((done) => { let n = 60; const next = () => (n-- ? requestAnimationFrame(next) : done()); next(); })`,
    );
    expect(
      await page.locator("iframe").evaluate((frame) => (frame as unknown as { offsetHeight: number }).offsetHeight),
    ).toBeLessThan(5_000);
  });

  test("stays text in the knowledge base, and in what is imported", async () => {
    const { tenant } = desk;
    const owner = await tenant.owner();
    for (const text of vectors)
      await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`, {
        question: text.slice(0, 300),
        answer: text,
      });
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const lines = vectors
      .slice(0, 500)
      .map((text, n) => `${quoted(text.slice(0, 200))},v${n}@example.com,${quoted(text)}`);
    await owner.post(
      "/api/contacts/import",
      new Blob([["name,emails,attributes.note", ...lines].join("\n")], { type: "text/csv" }),
    );
    await look("/contacts", (page) => page.getByRole("main").getByRole("link").first().waitFor());
    const { data } = (await owner.get(`/api/workspaces/${tenant.defaults.workspaceId}/kb-entries?limit=100`, 200)).body;
    expect(data.length).toBeGreaterThan(10);
    await look("/knowledge", (page) => page.getByRole("main").getByRole("link").first().waitFor());
    for (const { id } of everyNth(data, 4))
      await look(`/knowledge?show=approved&entry=${id}`, (page) => page.locator("dl").first().waitFor());
  });

  test("stays text in the chat on a customer's page, and on the page of a survey", async () => {
    const { app, tenant } = desk;
    const { publicKey } = await chatOf(tenant, {});
    const shop = http.createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<!doctype html><title>Shop</title><script src="${app.baseUrl}/widgets/webchat.js" data-key="${publicKey}"></script>`,
      );
    });
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    const home = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
    const context = await (await openBrowser()).newContext();
    try {
      const found: string[] = [];
      const page = await context.newPage();
      watch(page, found, [home, app.baseUrl]);
      await page.goto(home);
      await page.locator(".launcher").click();
      for (const [n, group] of groups.entries()) {
        const first = `${n}: ${group[0]!.trim()}`;
        await page.locator("textarea").fill(first);
        await page.locator("textarea").press("Enter");
        await page
          .locator(".message.own")
          .getByText(/\bSent$/)
          .nth(n)
          .waitFor();
        const { data } = (await tenant.live.get("/api/conversations?limit=1&channelType=webchat", 200)).body;
        for (const body of group)
          await tenant.live.post(`/api/conversations/${data[0]!.id}/reply`, { body, bodyFormat: "markdown" });
        await tenant.live.post(
          `/api/conversations/${data[0]!.id}/reply`,
          { body: `**End ${n}**`, bodyFormat: "markdown" },
          200,
        );
        await page.locator(".text strong", { hasText: `End ${n}` }).waitFor();
        expect(await page.evaluate(LOOK)).toEqual([]);
      }
      const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId, {
        name: vectors[0]!.slice(0, 60),
      });
      await configure(await tenant.owner(), workspaceId);
      await page.goto(app.baseUrl + (await asked(app, tenant.live, workspaceId)).link);
      await page.getByRole("button", { name: "Send" }).waitFor();
      expect(await page.evaluate(LOOK)).toEqual([]);
      expect(found).toEqual([]);
    } finally {
      await context.close();
      shop.close();
    }
  });
});
