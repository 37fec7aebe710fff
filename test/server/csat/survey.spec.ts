import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordOutcomes } from "../../../src/platform/outcomes/record-outcomes.js";
import { newWorkspace, walk } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import {
  answer,
  asked,
  configure,
  type Conversation,
  decide,
  headingOf,
  linkOf,
  open,
  resolve,
  talk,
} from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Parcels <& Co>");
  owner = await tenant.owner();
  key = tenant.live;
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  await configure(owner, workspaceId);
});

const ratings = async (query = "") =>
  (await key.get(`/api/quality/csat/ratings?workspaceId=${workspaceId}${query}`, 200)).body.data;
const read = async ({ path }: Pick<Conversation, "path">) => (await key.get(path, 200)).body;
const total = async () => (await key.get(`/api/quality/csat?workspaceId=${workspaceId}`, 200)).body.total;
/** Reads the ratings from the archive, which stores its documents uncompressed. */
const exportedRatings = async (contactId: string) =>
  JSON.parse(
    /"csatRatings":(\[.*?\]),"cases"/s.exec((await owner.get(`/api/contacts/${contactId}/export`, 200)).text)![1]!,
  ) as object[];
const lowItems = async () =>
  (await key.get(`/api/attention-items?workspaceId=${workspaceId}&type=csat_low`, 200)).body.data;

describe("the page", () => {
  test("shows a form without scripts, and opening it has no effect", async () => {
    const { link, id } = await asked(app, key, workspaceId);
    for (let time = 0; time < 3; time++) {
      const page = await open(app, link);
      expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
        200,
        "text/html; charset=utf-8",
        "no-store",
      ]);
      expect(page.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'/,
      );
      const html = await page.text();
      expect(html).toContain("How satisfied are you with the help you got from Parcels &lt;&amp; Co&gt;?");
      expect(html).not.toMatch(/<script|required checked/);
      expect(html.match(/type="radio"/g)).toHaveLength(5);
    }
    expect((await open(app, link, { method: "HEAD" })).status).toBe(200);
    expect(await read({ path: `/api/conversations/${id}` })).toMatchObject({ csatScore: null });
  });

  test("preselects the score in the link, if the scale has it", async () => {
    const { link } = await asked(app, key, workspaceId);
    expect((await (await open(app, `${link}?score=4`)).text()).match(/value="(\d+)" required checked/)?.[1]).toBe("4");
    for (const score of ["6", "0", "-1", "4.0", "x", "4&score=5", ""])
      expect(await (await open(app, `${link}?score=${score}`)).text(), score).not.toContain("required checked");
  });

  test("is in the language of the question if supported, and shows a question in any language", async () => {
    await configure(owner, workspaceId, { scale: 2, questions: { ar: "كيف كانت خدمتنا؟" } });
    await owner.patch(`/api/workspaces/${workspaceId}`, { primaryLanguage: "de" }, 200);
    const conversation = await talk(key, workspaceId);
    await key.patch(conversation.path, { language: "ar" }, 200);
    await resolve(key, conversation);
    await decide(app);
    const html = await (await open(app, await linkOf(key, conversation))).text();
    expect(html).toContain('<h1 lang="ar" dir="auto">كيف كانت خدمتنا؟</h1>');
    expect(html).toMatch(/<html lang="de">.*<svg.*Nicht zufrieden.*<svg.*Zufrieden.*Absenden/s);
  });

  test("is the same for unknown, forged, expired, erased, deleted and archived surveys", async () => {
    const gone = [];
    for (let n = 0; n < 4; n++) gone.push(await asked(app, key, workspaceId));
    await app.db.query(
      `update csat_survey set expires_at = now() - interval '1 millisecond' where conversation_id = $1`,
      [gone[0]!.id],
    );
    await owner.post(`/api/contacts/${gone[1]!.contactId}/erasure`, {});
    await key.delete(`/api/contacts/${gone[2]!.contactId}`, 200);
    const token = gone[3]!.link.split("/").at(-1)!;
    const forged = Buffer.from(token, "base64url");
    forged[47]! ^= 1;
    const other = await asked(app, key, workspaceId);
    const mixed = Buffer.concat([
      Buffer.from(token, "base64url").subarray(0, 32),
      Buffer.from(other.link.split("/").at(-1)!, "base64url").subarray(32),
    ]);
    const links = [
      ...gone.slice(0, 3).map(({ link }) => link),
      ...["x", forged.toString("base64url"), mixed.toString("base64url"), `${token}A`].map(
        (one) => `/api/public/csat/${one}`,
      ),
    ];
    await owner.patch(`/api/workspaces/${workspaceId}`, { status: "archived" }, 200);
    links.push(gone[3]!.link);
    const first = await (await open(app, links[0]!)).text();
    for (const link of links) {
      for (const page of [await open(app, link), await answer(app, link, { score: "5", comment: "Hello" })]) {
        expect(page.status, link).toBe(404);
        expect(await page.text(), link).toBe(first);
      }
    }
    expect(await headingOf(await open(app, links[0]!, { headers: { "accept-language": "nl-BE,nl;q=0.9" } }))).toBe(
      "Deze link kan niet worden gebruikt",
    );
    expect(await ratings()).toEqual([]);
  });
});

describe("an answer", () => {
  test("sets the conversation's score, and is in the ratings and the statistics right away", async () => {
    const conversation = await asked(app, key, workspaceId);
    const before = await read(conversation);
    const page = await answer(app, conversation.link, { score: "4", comment: " Quick\r\nand kind <3 " });
    expect([page.status, await headingOf(page)]).toEqual([200, "Thank you"]);
    const { lastActivityAt, updatedAt, csatScore, ...rest } = await read(conversation);
    expect(before).toMatchObject(rest);
    expect([csatScore, updatedAt, lastActivityAt > before.lastActivityAt]).toEqual([4, lastActivityAt, true]);
    expect(await ratings()).toMatchObject([
      {
        conversationId: conversation.id,
        score: 4,
        scale: 5,
        comment: " Quick\nand kind <3 ",
        memberId: null,
        question: expect.stringContaining("How satisfied"),
      },
    ]);
    expect(await total()).toMatchObject({
      asked: 1,
      answered: 1,
      responseRate: 1,
      average: 4,
      scale: 5,
      satisfied: { share: 1 },
      distribution: [{ score: 4, scale: 5, count: 1 }],
    });
    expect(await lowItems()).toEqual([]);
  });

  test("counts once: a second one changes nothing; a comment can be added once, within a day", async () => {
    const { link, id } = await asked(app, key, workspaceId);
    const first = await answer(app, link, { score: "5" });
    expect(await first.text()).toContain("If you like, tell us more");
    expect(await (await answer(app, link, { score: "1" })).text()).toContain("The first one counts");
    expect(await (await open(app, link)).text()).toContain("<textarea");
    const added = await (await answer(app, link, { score: "1", comment: "Well done" })).text();
    expect(added).not.toContain("<textarea");
    expect(await (await answer(app, link, { comment: "Badly done" })).text()).toContain("The first one counts");
    expect(await ratings()).toMatchObject([{ score: 5, comment: "Well done" }]);
    expect(await total()).toMatchObject({ answered: 1, average: 5 });
    await app.db.query(
      `update csat_survey set comment = null, rated_at = now() - interval '1 day 1 second' where conversation_id = $1`,
      [id],
    );
    expect(await (await answer(app, link, { comment: "Too late" })).text()).not.toContain("<textarea");
    expect(await ratings()).toMatchObject([{ comment: null }]);
  });

  test.each([
    ["nothing", {}],
    ["no score", { comment: "Well <done>" }],
    ["a score that there is not", { score: "6", comment: "Well <done>" }],
    ["zero", { score: "0" }],
    ["a huge one", { score: "99" }],
    ["words", { score: "five" }],
    ["too long a comment", { score: "3", comment: "x".repeat(2_001) }],
  ])(
    "of %s is refused: the page is shown again, with the submitted text",
    async (_, fields: Record<string, string>) => {
      const { link } = await asked(app, key, workspaceId);
      const page = await answer(app, link, fields);
      expect(page.status).toBe(422);
      const html = await page.text();
      expect(html).toContain('role="alert"');
      if (fields.comment) expect(html).toContain(fields.comment.replace("<", "&lt;").replace(">", "&gt;"));
      expect(await ratings()).toEqual([]);
      expect((await answer(app, link, { score: "3", comment: "x".repeat(2_000) })).status).toBe(200);
    },
  );

  test("that PostgreSQL cannot store is refused", async () => {
    const { link } = await asked(app, key, workspaceId);
    for (const body of ["score=3&comment=a%00b", Buffer.from("score=3&comment=\xff", "latin1")]) {
      expect(
        (
          await open(app, link, {
            method: "POST",
            body,
            headers: { "content-type": "application/x-www-form-urlencoded" },
          })
        ).status,
      ).toBe(400);
    }
    expect(await ratings()).toEqual([]);
  });

  test("that is low raises an attention item with the score, without the comment", async () => {
    await configure(owner, workspaceId, { scale: 10, lowScoreThreshold: 4 });
    for (const [score, items] of [
      ["5", 0],
      ["4", 1],
      ["1", 2],
    ] as const) {
      const { link } = await asked(app, key, workspaceId);
      await answer(app, link, { score, comment: "SECRET" });
      expect(await lowItems()).toHaveLength(items);
    }
    expect((await lowItems()).map(({ reason }) => reason)).toEqual([
      "The contact rated the conversation 1 of 10",
      "The contact rated the conversation 4 of 10",
    ]);
  });

  test("is on the scale at the time of asking, whatever is configured later", async () => {
    await configure(owner, workspaceId, { scale: 10, lowScoreThreshold: 9 });
    const { link } = await asked(app, key, workspaceId);
    await configure(owner, workspaceId, { scale: 2 });
    expect((await answer(app, link, { score: "9" })).status).toBe(200);
    expect(await ratings()).toMatchObject([{ score: 9, scale: 10 }]);
    expect(await lowItems()).toHaveLength(1);
  });

  test("that is good counts each cited entry as helpful, once", async () => {
    const entry = async (): Promise<string> =>
      (
        await key.post(
          `/api/workspaces/${workspaceId}/kb-entries`,
          { question: `Where? ${Math.random()}`, answer: "There" },
          201,
        )
      ).body.id;
    const [cited, other] = [await entry(), await entry()];
    for (const score of ["3", "4", "5", "1"]) {
      const conversation = await talk(key, workspaceId);
      for (let time = 0; time < 2; time++)
        await key.post(
          `${conversation.path}/reply`,
          { body: "There", citations: [{ kbEntryId: cited, score: 1 }] },
          200,
        );
      await resolve(key, conversation);
      await decide(app);
      await answer(app, await linkOf(key, conversation), { score });
    }
    const helpful = async (id: string): Promise<number> =>
      (await key.get(`/api/kb-entries/${id}`, 200)).body.usage.helpful;
    expect([await helpful(cited), await helpful(other)]).toEqual([2, 0]);
    expect((await ratings())[0]!.kbEntryIds).toEqual([cited]);
    expect(
      await app.db.query(
        `select metric, value, bad from outcome where entity_type = 'kb_entry' and entity_id = $1 order by id`,
        [cited],
      ),
    ).toEqual([
      { metric: "csat", value: 3, bad: false },
      { metric: "csat", value: 4, bad: false },
      { metric: "csat", value: 5, bad: false },
      { metric: "csat", value: 1, bad: true },
      { metric: "answer", value: 1, bad: true },
    ]);
  });

  test("does not reopen a resolved conversation", async () => {
    const conversation = await asked(app, key, workspaceId);
    await answer(app, conversation.link, { score: "1" });
    expect(await read(conversation)).toMatchObject({ status: "resolved", openAttentionCount: 1 });
  });
});

describe("the list of ratings", () => {
  test("is paged, newest first, and filtered by conversation, time and score", async () => {
    const conversations = [];
    for (const score of ["1", "5", "3"]) {
      const conversation = await asked(app, key, workspaceId);
      await answer(app, conversation.link, { score });
      conversations.push(conversation);
    }
    const scores = async (query: string): Promise<number[]> => (await ratings(query)).map(({ score }) => score);
    expect(await scores("")).toEqual([3, 5, 1]);
    expect(
      (await walk(key, `/api/quality/csat/ratings?workspaceId=${workspaceId}`, 1)).map(({ score }) => score),
    ).toEqual([3, 5, 1]);
    expect(await scores("&maxScore=3")).toEqual([3, 1]);
    expect(await scores(`&conversationId=${conversations[1]!.id}`)).toEqual([5]);
    const { ratedAt } = (await ratings("&maxScore=5"))[0]!;
    expect(await scores(`&from=${ratedAt}`)).toEqual([3]);
    expect(await scores(`&to=${ratedAt}`)).toEqual([5, 1]);
  });
});

test("an erasure removes the comment and keeps the score; an export before it shows both", async () => {
  const conversation = await asked(app, key, workspaceId);
  await answer(app, conversation.link, { score: "2", comment: "I live at 5 Elm Street" });
  expect(await exportedRatings(conversation.contactId)).toMatchObject([
    { conversationId: conversation.id, score: 2, comment: "I live at 5 Elm Street" },
  ]);
  const waiting = await talk(key, workspaceId, { contactId: conversation.contactId });
  await resolve(key, waiting);
  const {
    body: { certificate },
  } = await owner.post(`/api/contacts/${conversation.contactId}/erasure`, {});
  expect(certificate.erased.csatComments).toBe(1);
  expect(await ratings()).toMatchObject([{ score: 2, comment: null }]);
  expect(await total()).toMatchObject({ answered: 1, average: 2 });
  expect(await read(conversation)).toMatchObject({ csatScore: 2 });
  expect(await app.db.query("select 1 from csat_due where conversation_id = $1", [waiting.id])).toEqual([]);
});

test("a merge moves the rating with its conversation", async () => {
  const source = await asked(app, key, workspaceId);
  const { contactId } = await talk(key, workspaceId);
  await key.post(`/api/contacts/${contactId}/merge`, { sourceContactId: source.contactId }, 200);
  expect((await answer(app, source.link, { score: "5" })).status).toBe(200);
  expect(await exportedRatings(contactId)).toHaveLength(1);
});

describe("the settings", () => {
  const DEFAULTS = {
    enabled: false,
    scale: 5,
    delayMinutes: 30,
    askOncePerDays: 14,
    lowScoreThreshold: 2,
    questions: {},
  };

  test("have defaults, are replaced as a whole, and belong to one workspace", async () => {
    const path = `/api/workspaces/${(await newWorkspace(key, tenant.defaults.brandId)).id}/csat-config` as const;
    expect((await key.get(path, 200)).body).toEqual(DEFAULTS);
    const mine = {
      enabled: true,
      scale: 10,
      delayMinutes: 10_080,
      askOncePerDays: 365,
      lowScoreThreshold: 9,
      questions: { de: "Na?", ar: "نعم؟" },
    };
    expect((await owner.put(path, mine, 200)).body).toEqual(mine);
    expect((await key.put(path, { scale: 2 }, 200)).body).toEqual({ ...DEFAULTS, scale: 2, lowScoreThreshold: 1 });
    expect((await key.get(path, 200)).body).toMatchObject({ scale: 2 });
  });

  test.each([
    [{ scale: 3 }, /^scale must be one of/],
    [{ delayMinutes: -1 }, /^delayMinutes/],
    [{ delayMinutes: 10_081 }, /^delayMinutes/],
    [{ askOncePerDays: 366 }, /^askOncePerDays/],
    [{ lowScoreThreshold: 5 }, /^lowScoreThreshold must be less than scale, 5/],
    [{ scale: 2, lowScoreThreshold: 2 }, /^lowScoreThreshold must be less than scale, 2/],
    [{ lowScoreThreshold: 0 }, /^lowScoreThreshold/],
    [{ questions: { english: "Hm?" } }, /^questions\.english: the language/],
    [{ questions: { en: " " } }, /^questions\.en must be a text of 1 to 300/],
    [{ questions: { en: "x".repeat(301) } }, /^questions\.en must be a text/],
    [{ questions: { en: 1 } }, /^questions\.en must be a text/],
    [{ questions: [] }, /^questions must be an object/],
    [{ questions: null }, /^questions must be an object/],
    [{ enabled: "yes" }, /^enabled/],
  ])("%j is refused, with the field and the reason", async (body, sentence) => {
    expect((await owner.put(`/api/workspaces/${workspaceId}/csat-config`, body, 400)).body.error).toMatch(sentence);
  });
});

test("outcomes of other metrics do not count as ratings", async () => {
  const other = await newWorkspace(key, tenant.defaults.brandId);
  await tenant.transaction(tenant.tenantId, (tx) =>
    recordOutcomes(tx, [
      {
        workspaceId: other.id,
        entityType: "workspace",
        entityId: other.id,
        metric: "csat",
        scale: 5,
        value: 1,
        bad: true,
      },
    ]),
  );
  expect(await total()).toMatchObject({
    asked: 0,
    answered: 0,
    responseRate: null,
    average: null,
    scale: null,
    satisfied: null,
    distribution: [],
  });
});
