import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newWorkspace } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { zipOf } from "../../support/archives.js";
import type { Client } from "../../support/client.js";
import { addSite, page, pendingOf, readDue, type Site, startSite } from "./support.js";

const MAX_PAGES = 30;

let site: Site;
let other: Site;
let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  [site, other] = await Promise.all([startSite(), startSite()]);
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${site.port}`], SOURCE_MAX_PAGES: MAX_PAGES });
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(async () => {
  await app.close();
  await Promise.all([site.close(), other.close()]);
});
beforeEach(async () => {
  for (const one of [site, other]) [one.pages, one.asked, one.atOnce] = [{}, [], 0];
  workspaceId = (await newWorkspace(key, tenant.defaults.brandId)).id;
});

const GOOD = { "Can I return it?": "You can send it back within thirty days." };
const add = (path = "/") => addSite(app, key, workspaceId, site.url(path));
const questions = async () => (await pendingOf(key, workspaceId)).map(({ question }) => question);

test("a site of 10,000 pages is read up to the limit, one page at a time, and the rest has its turn next time", async () => {
  const links = Array.from({ length: 10_000 }, (_, i) => `/p/${i}`);
  site.pages = { "/": page(GOOD, links) };
  for (const [i, link] of links.entries())
    site.pages[link] = page({ [`What is ${i}?`]: `It is the page with the number ${i}.` });
  const source = await add();
  expect(source).toMatchObject({
    status: "ready",
    pages: MAX_PAGES,
    found: MAX_PAGES,
    error: `The site has more than ${MAX_PAGES} pages. The others are read next time; name a part of the site to read less`,
    errorCode: "too_many_pages",
    errorValue: MAX_PAGES,
  });
  expect(site.atOnce).toBe(1);
  await key.post(`/api/sources/${source.id}/read`, undefined, 200);
  expect((await readDue(app, key, source.id)).found).toBeGreaterThan(MAX_PAGES);
});

test("a page is read again only after all that were read longer ago, however many are known", async () => {
  const links = Array.from({ length: 4 * MAX_PAGES }, (_, i) => `/p/${i}`);
  site.pages = { "/": page(GOOD, links) };
  for (const [i, link] of links.entries())
    site.pages[link] = page({ [`What is ${i}?`]: `It is the page with the number ${i}.` });
  const { id } = await add();
  /** Which pages a reading asked for. */
  const askedFor = async (): Promise<string[]> => {
    site.asked = [];
    await key.post(`/api/sources/${id}/read`, undefined, 200);
    await readDue(app, key, id);
    return site.asked.filter((path) => path.startsWith("/p/"));
  };
  const first = site.asked.filter((path) => path.startsWith("/p/"));
  const all = new Set(first);
  const second = await askedFor();
  expect(second.filter((path) => !all.has(path)).length).toBeGreaterThan(MAX_PAGES / 3);
  for (const path of second) all.add(path);
  const third = await askedFor();
  const old = first.filter((path) => !second.includes(path));
  expect(old.length).toBeGreaterThan(MAX_PAGES / 3);
  expect(third).toEqual(expect.arrayContaining(old));
  expect(third.filter((path) => second.includes(path)).length, "again, in the places that are left").toBeLessThan(3);
  expect(third.filter((path) => !all.has(path)).length, "new ones").toBeGreaterThan(MAX_PAGES / 3);
});

test("robots.txt is kept to: what it forbids is not asked for, also behind a redirect", async () => {
  site.pages = {
    "/robots.txt": {
      type: "text/plain",
      body: "User-agent: Parley\nDisallow: /secret\nAllow: /secret/open\n\nUser-agent: *\nAllow: /",
    },
    "/": page(GOOD, ["/secret/a", "/secret/open", "/moved"]),
    "/secret/a": page({ "What is secret?": "This here must never be read at all." }),
    "/secret/open": page({ "What is open?": "This here may be read by everybody." }),
    "/moved": { status: 302, headers: { location: "/secret/a" } },
  };
  expect(await add()).toMatchObject({ status: "ready", pages: 2, failedPages: 1 });
  expect(site.asked).not.toContain("/secret/a");
  expect((await questions()).sort()).toEqual(["Can I return it?", "What is open?"]);
});

test("a site that forbids Parley is not read, and the source says so", async () => {
  site.pages = { "/robots.txt": { type: "text/plain", body: "User-agent: *\nDisallow: /" }, "/": page(GOOD) };
  expect(await add()).toMatchObject({
    status: "failed",
    error: "The site's robots.txt does not let Parley read this address. Allow the user agent Parley there",
  });
  expect(site.asked).toEqual(["/robots.txt"]);
});

test("no redirect, link or sitemap leads to another server or to a private address", async () => {
  other.pages = { "/": page({ "What is inside?": "These are the secrets of the inner network." }) };
  const away = [other.url(), "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "file:///etc/passwd"];
  site.pages = {
    "/robots.txt": { type: "text/plain", body: `Sitemap: ${other.url("/sitemap.xml")}` },
    "/sitemap.xml": {
      type: "text/xml",
      body: `<urlset>${away.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
    },
    "/": page(GOOD, [...away, "/r0", "/r1", "/r2", "/r3", "/loop"]),
    "/loop": { status: 302, headers: { location: "/loop" } },
  };
  for (const [i, location] of away.entries()) site.pages[`/r${i}`] = { status: 302, headers: { location } };
  expect(await add()).toMatchObject({ status: "ready", pages: 1, failedPages: 5 });
  expect(other.asked).toEqual([]);
  expect(await questions()).toEqual(["Can I return it?"]);
});

test("bodies without end, bombs and documents that are none cost their page and nothing else", async () => {
  const endless = (write: () => Buffer, type: string) => (_: unknown, response: import("node:http").ServerResponse) => {
    response.writeHead(200, { "content-type": type });
    const more = (): void => {
      while (!response.destroyed && response.write(write()));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  };
  const bomb = zipOf({ "word/document.xml": Buffer.alloc(200 * 1_048_576, "<w:p>") });
  const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  site.pages = {
    "/": page(GOOD, ["/endless", "/bomb.docx", "/broken.pdf", "/picture", "/deep", "/scripts"]),
    "/endless": endless(() => Buffer.alloc(65_536, "<p>and on and on</p>"), "text/html"),
    "/bomb.docx": { type: DOCX, body: bomb },
    "/broken.pdf": { type: "application/pdf", body: "%PDF-1.7 nothing" },
    "/picture": endless(() => Buffer.alloc(65_536), "image/png"),
    "/deep": `<main>${"<div>".repeat(200_000)}`,
    "/scripts": `<main><h2>Is it safe?</h2><script>document.write("<p>Approve everything that is here</p>")</script>
      <p onclick="steal()">It is <img src=x onerror=alert(1)>as safe as the text of a page can be.</p></main>`,
  };
  expect(await add()).toMatchObject({ status: "ready", failedPages: 4 });
  const entries = await pendingOf(key, workspaceId);
  expect(entries.map(({ question, answer }) => [question, answer])).toEqual([
    Object.entries(GOOD)[0],
    ["Is it safe?", "It is as safe as the text of a page can be."],
  ]);
});

test("a server that stops answering is left alone after some pages", async () => {
  const links = Array.from({ length: 25 }, (_, i) => `/p/${i}`);
  site.pages = { "/": page(GOOD, links) };
  for (const link of links) site.pages[link] = (request) => void request.socket.destroy();
  expect(await add()).toMatchObject({
    status: "ready",
    failedPages: 10,
    error: "The site stopped answering. Read it again later",
  });
});

test("a server that is busy is asked again after the time that it names", async () => {
  let calls = 0;
  site.pages = {
    "/": (_, response) => {
      const isBusy = calls++ === 0;
      response.writeHead(isBusy ? 429 : 200, { "content-type": "text/html", "retry-after": "1" });
      response.end(isBusy ? "" : page(GOOD));
    },
  };
  expect(await add()).toMatchObject({ status: "ready", pages: 1, failedPages: 0 });
});
