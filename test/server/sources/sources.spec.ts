import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { upload } from "../attachments/support.js";
import { SourcesJob } from "../../../src/knowledge/sources/sources.job.js";
import { newWorkspace } from "../e2e/support.js";
import { eventually } from "../../support/eventually.js";
import { docxOf, pdfOf } from "../../support/archives.js";
import { controlOf, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { addSite, page, pendingOf, readAgain, readDue, type Site, startSite } from "./support.js";

let site: Site;
let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  site = await startSite();
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${site.port}`] });
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(async () => {
  await app.close();
  await site.close();
});
beforeEach(async () => {
  [site.pages, site.asked, site.requests] = [{}, [], []];
  workspaceId = (await newWorkspace(key, tenant.defaults.brandId)).id;
});

const pending = (sourceId?: string) => pendingOf(key, workspaceId, sourceId);
const approve = (id: string) => key.post(`/api/kb-entries/${id}/approve`, undefined, 200);
const reject = (id: string) => key.post(`/api/kb-entries/${id}/reject`, {}, 200);
const entry = async (id: string) => (await key.get(`/api/kb-entries/${id}`, 200)).body;
const RETURNS = "You can send it back within thirty days.";
const FEES = "It costs nothing at all in any country.";

describe("a website", () => {
  beforeEach(() => {
    site.pages = {
      "/help/": page({ "Can I return it?": RETURNS }, ["/help/fees", "/about"]),
      "/help/fees": page({ "What does it cost?": FEES }),
      "/about": page({ "Who are we?": "We are a shop by the sea in Kiel." }),
    };
  });

  test("is read below its address, and what it says is proposed with its place", async () => {
    const source = await addSite(app, key, workspaceId, site.url("/help/"));
    expect(source).toMatchObject({ status: "ready", pages: 2, failedPages: 0, found: 2, proposed: 2, error: null });
    const [first, second] = await pending();
    expect([first, second]).toMatchObject([
      {
        status: "pending",
        source: "source",
        question: "Can I return it?",
        answer: RETURNS,
        language: "en",
        evidence: [],
        readFrom: { sourceId: source.id, url: site.url("/help/"), section: "Can I return it?" },
      },
      { question: "What does it cost?", readFrom: { url: site.url("/help/fees") } },
    ]);
    expect(site.asked).not.toContain("/about");
    expect(new Set(site.requests.map(({ headers }) => headers["user-agent"]))).toEqual(new Set(["Parley"]));
    const { body: found } = await key.get(`/api/workspaces/${workspaceId}/kb-entries/search?q=return`, 200);
    expect(found.data).toEqual([]);
  });

  test("is read where a heading is cut in the middle of an emoji", async () => {
    const long = (title: string) => `${title.padEnd(298, "h")}😀 and so on, and so on`;
    site.pages["/help/"] = page({ [long("Can I return it")]: RETURNS }).replace(
      "<main>",
      `<main><h1>${"h".repeat(198)}</h1>`,
    );
    const source = await addSite(app, key, workspaceId, site.url("/help/"));
    expect(source).toMatchObject({ status: "ready", error: null });
    expect((await pending()).filter(({ answer }) => answer === RETURNS)).toHaveLength(1);
  });

  test("read again without a change proposes nothing, and asks only whether it changed", async () => {
    site.pages["/help/"] = (request, response) => {
      const isSame = request.headers["if-none-match"] === '"one"';
      response.writeHead(isSame ? 304 : 200, { etag: '"one"', "content-type": "text/html" });
      response.end(isSame ? undefined : page({ "Can I return it?": RETURNS }, ["/help/fees"]));
    };
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    const before = await pending();
    expect(await readAgain(app, key, id)).toMatchObject({ status: "ready", pages: 2, found: 2, proposed: 2 });
    expect(await pending()).toEqual(before);
    for (const { id: entryId } of before) await approve(entryId);
    expect(await readAgain(app, key, id)).toMatchObject({ found: 2, proposed: 0 });
    expect(await pending()).toEqual([]);
  });

  test("that changed proposes an edit, which keeps what people wrote; approving it takes the entry's place", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    const [first] = await pending();
    const changes = { question: "May I return it?", alternateQuestions: ["returns"], labels: ["orders"] };
    await key.patch(`/api/kb-entries/${first!.id}`, changes, 200);
    await approve(first!.id);
    site.pages["/help/"] = page({ "Can I return it?": "You can send it back within sixty days." }, ["/help/fees"]);
    await readAgain(app, key, id);
    const edit = (await pending()).find(({ duplicateOfId }) => duplicateOfId === first!.id)!;
    expect(edit).toMatchObject({
      ...changes,
      answer: "You can send it back within sixty days.",
      replacesDuplicate: true,
    });
    expect(await entry(first!.id)).toMatchObject({ status: "approved", answer: RETURNS });
    await readAgain(app, key, id);
    expect((await pending()).map((one) => one.id)).toContain(edit.id);
    await approve(edit.id);
    expect(await entry(first!.id)).toMatchObject({ status: "archived" });
    expect((await readAgain(app, key, id)).proposed).toBe(1);
  });

  test("that no longer says it proposes an end", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    for (const one of await pending()) await approve(one.id);
    delete site.pages["/help/fees"];
    site.pages["/help/"] = page({ "Can I return it?": RETURNS });
    await readAgain(app, key, id);
    const [end, ...others] = await pending(id);
    expect(others).toEqual([]);
    expect(end).toMatchObject({ question: "What does it cost?", answer: FEES, replacesDuplicate: true });
    expect(Date.parse(end!.validUntil!)).toBeLessThanOrEqual(Date.now());
    await reject(end!.id);
    await readAgain(app, key, id);
    expect(await pending()).toEqual([]);
    expect(await entry(end!.duplicateOfId!)).toMatchObject({ status: "approved", validUntil: null });
  });

  test("what a person rejected or deleted comes back only with another text, also from another source", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    const [first, second] = await pending();
    await reject(first!.id);
    await key.delete(`/api/kb-entries/${second!.id}`, 200);
    await readAgain(app, key, id);
    expect(await pending()).toEqual([]);
    await key.delete(`/api/sources/${id}`, 200);
    const again = await addSite(app, key, workspaceId, site.url("/help/"));
    expect((await pending()).map(({ question }) => question)).toEqual(["What does it cost?"]);
    site.pages["/help/"] = page({ "Can I return it?": "You can send it back at any time." }, ["/help/fees"]);
    await readAgain(app, key, again.id);
    expect((await pending()).map(({ answer }) => answer)).toEqual([FEES, "You can send it back at any time."]);
  });

  test("withdraws a proposal that it no longer says, so that nobody approves it", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    const [first] = await pending();
    site.pages["/help/"] = page({ "Can I return it?": "No, you cannot send it back to us." }, ["/help/fees"]);
    await readAgain(app, key, id);
    await key.post(`/api/kb-entries/${first!.id}/approve`, undefined, 409);
    expect((await pending()).map(({ answer }) => answer).sort()).toEqual([FEES, "No, you cannot send it back to us."]);
  });

  test("that does not answer is failed, says what to do, and ends nothing", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    for (const one of await pending()) await approve(one.id);
    site.pages = { "/robots.txt": { status: 500 } };
    expect(await readAgain(app, key, id)).toMatchObject({
      status: "failed",
      error: "The site's robots.txt answered with status 500. Read the source again later",
      errorCode: "robots_failed",
      errorValue: 500,
      found: 2,
    });
    site.pages = { "/help/": { status: 503 }, "/help/fees": { status: 500 } };
    expect(await readAgain(app, key, id)).toMatchObject({ status: "failed", found: 2 });
    expect(await pending()).toEqual([]);
  });

  test("is read for one source at a time, whichever processes and organisations read it", async () => {
    const [node, other] = [await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${site.port}`] }, app.db), await app.tenant()];
    try {
      const held: (() => void)[] = [];
      const help = site.pages["/help/"] as string;
      site.pages["/help/"] = (_, response) => {
        held.push(() => response.writeHead(200, { "content-type": "text/html" }).end(help));
      };
      const add = async (client: Client, at: string, url: string): Promise<string> =>
        (await client.post(`/api/workspaces/${at}/sources`, { kind: "website", url }, 201)).body.id;
      const first = await add(key, workspaceId, site.url("/help/"));
      const reading = app.app.get(SourcesJob).tick();
      await eventually(() => expect(held).toHaveLength(1));
      const second = await add(other.live, other.defaults.workspaceId, site.url("/about"));
      site.asked = [];
      expect(await readDue(node, other.live, second)).toMatchObject({ status: "waiting" });
      expect(site.asked).toEqual([]);
      held[0]!();
      await reading;
      expect((await key.get(`/api/sources/${first}`, 200)).body).toMatchObject({ status: "ready" });
      await app.db.query("update source_due set due_at = now()");
      expect(await readDue(node, other.live, second)).toMatchObject({ status: "ready" });
      expect(await controlOf(app.db).query("select from site_reading")).toEqual([]);
    } finally {
      await node.close();
    }
  });

  test("that a dead process was reading is free after its lease", async () => {
    await controlOf(app.db).query(
      "insert into site_reading (site, lease, ends_at) values ($1, gen_random_uuid(), now() + interval '1 minute')",
      [`127.0.0.1:${site.port}`],
    );
    const source = await addSite(app, key, workspaceId, site.url("/help/"));
    expect(source.status).toBe("waiting");
    await controlOf(app.db).query("update site_reading set ends_at = now()");
    await app.db.query("update source_due set due_at = now()");
    expect((await readDue(app, key, source.id)).status).toBe("ready");
  });

  test("whose lease a clock that was ahead wrote is free when the clock is right again", async () => {
    await controlOf(app.db).query(
      "insert into site_reading (site, lease, ends_at) values ($1, gen_random_uuid(), now() + interval '1 hour')",
      [`127.0.0.1:${site.port}`],
    );
    expect((await addSite(app, key, workspaceId, site.url("/help/"))).status).toBe("ready");
  });

  test("deleted, its proposals go, and what was approved stays", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    const [first, second] = await pending();
    await approve(first!.id);
    await key.delete(`/api/sources/${id}`, 200);
    await key.get(`/api/kb-entries/${second!.id}`, 404);
    expect(await entry(first!.id)).toMatchObject({ status: "approved" });
    await key.get(`/api/sources/${id}`, 404);
  });

  test("is read again when its schedule says", async () => {
    const { id } = await addSite(app, key, workspaceId, site.url("/help/"));
    const due = () =>
      app.db.query(`select round(extract(epoch from due_at - now()) / 3600)::int as hours from source_due`);
    expect(await due()).toEqual([]);
    await key.patch(`/api/sources/${id}`, { schedule: "weekly" }, 200);
    expect(await due()).toEqual([{ hours: 168 }]);
    await app.db.query("update source_due set due_at = now()");
    site.asked = [];
    await readDue(app, key, id);
    expect(site.asked).toContain("/help/");
    expect(await due()).toEqual([{ hours: 168 }]);
    await key.patch(`/api/sources/${id}`, { schedule: "never" }, 200);
    expect(await due()).toEqual([]);
  });
});

describe("a file", () => {
  const add = async (name: string, bytes: Buffer, kind = "file") => {
    const attachmentId = (await upload(key, bytes, name)).id;
    const { body } = await key.post(`/api/workspaces/${workspaceId}/sources`, { kind, attachmentId }, 201);
    return readDue(app, key, body.id);
  };

  test.each([
    ["handbook.docx", docxOf(["# Handbook", "## How long?", RETURNS])],
    [
      "handbook.pdf",
      pdfOf([
        { text: "How long?", size: 16 },
        { text: RETURNS, size: 10 },
      ]),
    ],
    ["handbook.md", Buffer.from(`# Handbook\n\n## How long?\n\n${RETURNS}`)],
    ["handbook.html", Buffer.from(page({ "How long?": RETURNS }))],
  ])("%s is read, and a newer version of it is compared", async (name, bytes) => {
    const source = await add(name, bytes);
    expect(source).toMatchObject({ status: "ready", fileName: name, url: null, found: 1, proposed: 1 });
    const [first] = await pending();
    expect(first).toMatchObject({ question: "How long?", answer: RETURNS, readFrom: { url: null } });
    expect(first!.readFrom!.section).toMatch(new RegExp(`^${name} › `));
    await approve(first!.id);
    const newer = "# Handbook\n\n## How long?\n\nYou have a whole year for it.";
    const attachmentId = (await upload(key, newer, "newer.md")).id;
    await key.patch(`/api/sources/${source.id}`, { attachmentId }, 200);
    expect(await readDue(app, key, source.id)).toMatchObject({ status: "ready", fileName: "newer.md" });
    expect(await pending()).toMatchObject([{ answer: "You have a whole year for it.", duplicateOfId: first!.id }]);
  });

  test("that is an export of a help centre has its articles", async () => {
    const articles = [{ title: "Can I return it?", html_url: "https://help.example/1", body: `<p>${RETURNS}</p>` }];
    await add("export.json", Buffer.from(JSON.stringify({ articles })), "help_centre");
    expect(await pending()).toMatchObject([
      { question: "Can I return it?", readFrom: { url: "https://help.example/1" } },
    ]);
  });

  test("that cannot be read says what to do", async () => {
    expect(await add("empty.pdf", pdfOf([]))).toMatchObject({
      status: "failed",
      error: "The file has no text that answers a question. A scanned document needs text recognition first",
    });
    expect((await add("broken.docx", docxOf(["# A"]).subarray(0, 60))).error).toMatch(
      /^The file cannot be read: it is damaged/,
    );
    const { error } = await add("export.json", Buffer.from("{}"), "help_centre");
    expect(error).toMatch(/^The file cannot be read/);
  });

  test("is refused if nothing reads it, if it is somebody else's, and on a schedule", async () => {
    const at = `/api/workspaces/${workspaceId}/sources` as const;
    const attachmentId = (await upload(key, "# A", "a.md")).id;
    await key.post(at, { kind: "file", attachmentId, schedule: "daily" }, 400);
    await key.post(at, { kind: "website", attachmentId }, 400);
    await key.post(at, { kind: "file" }, 400);
    await (await tenant.owner()).post(at, { kind: "file", attachmentId }, 404);
    const picture = Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010806000000", "hex");
    await key.post(at, { kind: "file", attachmentId: (await upload(key, picture, "a.png")).id }, 400);
  });
});

test("a help centre is read by its API, page by page", async () => {
  const article = (n: number) => ({
    title: `What is ${n}?`,
    html_url: `https://help.example/${n}`,
    body: `<p>${RETURNS} ${n}</p>`,
  });
  site.pages = {
    "/api/articles.json": {
      type: "application/json",
      body: JSON.stringify({ articles: [article(1)], next_page: site.url("/api/articles.json?page=2") }),
    },
    "/api/articles.json?page=2": {
      type: "application/json",
      body: JSON.stringify({ articles: [article(2)], next_page: null }),
    },
  };
  const at = `/api/workspaces/${workspaceId}/sources` as const;
  const { body } = await key.post(at, { kind: "help_centre", url: site.url("/api/articles.json") }, 201);
  expect(await readDue(app, key, body.id)).toMatchObject({ status: "ready", found: 2, proposed: 2, error: null });
  delete site.pages["/api/articles.json?page=2"];
  expect(await readAgain(app, key, body.id)).toMatchObject({
    status: "failed",
    error: "The help centre answered with status 404. Check that its articles are public",
  });
});

test("an address is checked before it is kept, and kept once", async () => {
  const at = `/api/workspaces/${workspaceId}/sources` as const;
  for (const url of [
    "http://example.com/",
    "https://10.0.0.1/",
    "https://a:b@example.com/",
    "ftp://example.com",
    "nonsense",
  ])
    await key.post(at, { kind: "website", url }, 400);
  const { body } = await key.post(at, { kind: "website", url: "https://example.com/help#top" }, 201);
  await key.post(at, { kind: "website", url: "https://example.com/help" }, 409);
  // Otherwise the job would read it in a later test.
  await key.delete(`/api/sources/${body.id}`, 200);
});

test("a source that waits is not asked to be read again", async () => {
  const at = `/api/workspaces/${workspaceId}/sources` as const;
  site.pages = { "/": page({ "Can I return it?": RETURNS }) };
  const { body } = await key.post(at, { kind: "website", url: site.url() }, 201);
  await key.post(`/api/sources/${body.id}/read`, undefined, 409);
  await readDue(app, key, body.id);
  await key.post(`/api/sources/${body.id}/read`, undefined, 200);
  await key.post(`/api/sources/${body.id}/read`, undefined, 409);
  await readDue(app, key, body.id);
});
