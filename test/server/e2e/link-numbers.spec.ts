import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import {
  captured,
  type Desk,
  eventsOf,
  open,
  person,
  type Person,
  press,
  sendLink,
  testDesk,
  typesOf,
  workspace,
} from "./magic-links-support.js";
import { aTime } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let desk: Desk;
let asking: Desk;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Example & Sons");
  desk = await testDesk(app, tenant);
  asking = { ...desk, workspaceId: await workspace(desk, { settings: { requireLinkCode: true } }) };
});
afterAll(() => app.close());

const messagesOf = async ({ path }: Person) => (await desk.key.get(`${path}/messages`, 200)).body.data;
const assuranceOf = async ({ path }: Person) => (await desk.key.get(`${path}/assurance`, 200)).body;
/** What a person reads on the page. */
const textOf = async (answer: Response): Promise<string> =>
  /<main>[^]*<\/main>/.exec(await answer.text())![0].replace(/<input[^>]*>/g, "<input>");
/** A number that is not the link's. */
const wrongOf = (code: string, n = 1): string => String(10 + ((Number(code) - 10 + n) % 90));
const pressWith = (token: string, code: string): Promise<Response> =>
  press(app, token, { body: new URLSearchParams({ code }).toString() });

describe("the number of a link", () => {
  test("is in the response, on the page, in the conversation, and in its assurance until the link is used", async () => {
    const one = await person(desk);
    expect((await assuranceOf(one)).pendingLink).toBeNull();
    const { token, linkId, code, expiresAt } = await sendLink(desk, one);
    expect(await (await open(app, token)).text()).toMatch(
      new RegExp(`Example &amp; Sons[^]+You were given this number[^]+<strong>${code}</strong>[^]+close this page`),
    );
    expect(await messagesOf(one)).toMatchObject([
      {
        direction: "outbound",
        authorType: "system",
        body: `We have sent you a link to confirm that it is you. The page behind it shows the number ${code}. If it shows another number, do not press the button.`,
      },
    ]);
    expect((await assuranceOf(one)).pendingLink).toEqual({ linkId, channel: "email", code, expiresAt });
    expect((await captured(desk))[0]!.body).not.toMatch(new RegExp(`\\b${code}\\b(?![\\w-])`));
    await press(app, token);
    expect((await assuranceOf(one)).pendingLink).toBeNull();
  });

  test("does not count as a reply of the company", async () => {
    const one = await person(desk, { message: { body: "Hello" } });
    await sendLink(desk, one);
    expect((await desk.key.get(one.path, 200)).body).toMatchObject({
      firstReplyAt: null,
      waitingSince: aTime,
      unreadCount: 1,
      handlingMode: "assistant",
    });
  });

  test("of a newer link takes the place of the older one's", async () => {
    const one = await person(desk);
    await sendLink(desk, one);
    const { linkId, code } = await sendLink(desk, one);
    expect((await assuranceOf(one)).pendingLink).toMatchObject({ linkId, code });
  });

  test("is written in the workspace's language", async () => {
    for (const [primaryLanguage, word] of [
      ["de", "Zahl"],
      ["fr", "nombre"],
      ["es", "número"],
      ["it", "numero"],
      ["nl", "getal"],
      ["pt", "número"],
      ["da", "tal"],
      ["sv", "talet"],
      ["pl", "liczbę"],
    ]) {
      for (const requireLinkCode of [false, true]) {
        const workspaceId = await workspace(desk, { primaryLanguage, settings: { requireLinkCode } });
        const one = await person({ ...desk, workspaceId });
        const { token, code } = await sendLink(desk, one);
        const [message] = await messagesOf(one);
        expect(message!.body).toContain(word);
        expect(message!.body).toContain(code);
        const page = await textOf(await open(app, token));
        expect(page).toContain(requireLinkCode ? "<input>" : `<strong>${code}</strong>`);
        expect(page).not.toMatch(/\{\w+\}/);
      }
    }
  });

  test("differs between links", async () => {
    const codes = new Set<string>();
    for (let n = 0; n < 12; n++) codes.add((await sendLink(desk, await person(desk))).code);
    expect(codes.size).toBeGreaterThan(4);
  });
});

describe("where the page asks for the number", () => {
  test("it does not show it, and the right one redeems the link", async () => {
    const one = await person(asking);
    const { token, code } = await sendLink(asking, one);
    const page = await textOf(await open(app, token));
    expect(page).toContain("<input>");
    expect(page).not.toContain(code);
    expect((await messagesOf(one))[0]!.body).toContain(`asks for this number: ${code}`);
    expect((await pressWith(token, ` ${code} `)).status).toBe(200);
    expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
  });

  test("it takes JSON as well", async () => {
    for (const as of [String, Number]) {
      const one = await person(asking);
      const { token, code } = await sendLink(asking, one);
      const answer = await press(app, token, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code: as(code) }),
      });
      expect(answer.status).toBe(200);
    }
  });

  test("a missing number or one without two digits asks again, and costs nothing", async () => {
    const one = await person(asking);
    const { token, code } = await sendLink(asking, one);
    for (const init of [
      {},
      { body: "" },
      { body: "code=" },
      { body: "code=7" },
      { body: `code=${code}0` },
      { body: `code=${"9".repeat(10_000)}` },
      { headers: { "content-type": "application/json" }, body: JSON.stringify({ code: [code] }) },
      { headers: { "content-type": "application/json" }, body: "{}" },
    ] as RequestInit[]) {
      const answer = await press(app, token, init);
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('<input name="code"')]);
    }
    expect(await typesOf(desk, one)).toEqual([]);
    expect((await pressWith(token, code)).status).toBe(200);
  });

  test("the third wrong number makes the link void; it is one failed factor", async () => {
    const one = await person(asking);
    const { token, linkId, code } = await sendLink(asking, one);
    for (const n of [1, 2]) {
      const answer = await pressWith(token, wrongOf(code, n));
      const text = await textOf(answer);
      expect([answer.status, text]).toEqual([422, expect.stringContaining("This is not the number")]);
      expect(text).not.toContain(code);
    }
    expect((await pressWith(token, wrongOf(code, 3))).status).toBe(404);
    expect(await eventsOf(desk, one)).toMatchObject([
      { eventType: "factor_failed", factorType: "magic_link", evidenceRef: `magic_link:${linkId}` },
    ]);
    expect((await pressWith(token, code)).status).toBe(404);
    expect((await open(app, token)).status).toBe(404);
    expect(await assuranceOf(one)).toMatchObject({ level: "none", pendingLink: null });
  });

  test("two wrong numbers leave the link for the right one", async () => {
    const one = await person(asking);
    const { token, code } = await sendLink(asking, one);
    for (const n of [1, 2]) await pressWith(token, wrongOf(code, n));
    expect((await pressWith(token, code)).status).toBe(200);
    expect(await typesOf(desk, one)).toEqual(["factor_failed", "factor_added", "assurance_level_reached"]);
  });

  test("with a wrong secret the number is not looked at", async () => {
    const one = await person(asking);
    const { token, code } = await sendLink(asking, one);
    const bytes = Buffer.from(token, "base64url");
    bytes[63]! ^= 1;
    for (const guess of [code, wrongOf(code)])
      expect((await pressWith(bytes.toString("base64url"), guess)).status).toBe(404);
    expect((await pressWith(token, code)).status).toBe(200);
  });
});
