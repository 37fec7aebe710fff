import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { concurrently, tablesWith, tally } from "../../races/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import {
  captured,
  type Desk,
  eventsOf,
  LINK,
  open,
  type Person,
  person,
  press,
  request,
  sendLink,
  testDesk,
  typesOf,
  workspace,
} from "./magic-links-support.js";
import { aTime, anId, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let mail: MailServer;
let tenant: TestTenant;
let desk: Desk;
beforeAll(async () => {
  mail = await startMailServer();
  app = await startApp({ PUBLIC_URL: "https://parley.example.com", SMTP_URL: mail.url });
  tenant = await app.tenant("Example & Sons");
  desk = await testDesk(app, tenant);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const row = async (linkId: string) =>
  (await app.db.query<{ created_at: Date; expires_at: Date }>("select * from magic_link where id = $1", [linkId]))[0];
const expire = (linkId: string): Promise<unknown> =>
  app.db.query(
    `update magic_link set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour' where id = $1`,
    [linkId],
  );
const levelOf = async ({ path }: Person): Promise<string> => (await desk.key.get(`${path}/assurance`, 200)).body.level;

describe("a magic link", () => {
  test("is mailed to the contact, and pressing its button proves that they own the mailbox", async () => {
    const one = await person({
      ...desk,
      workspaceId: await workspace(desk, {
        name: "Service",
        settings: { promptVersion: "2026-11", magicLinkMinutes: 15 },
      }),
    });
    const { linkId, expiresAt, token, url, code, ...rest } = await sendLink(desk, one);
    expect({ linkId, expiresAt, code, ...rest }).toEqual({
      ok: true,
      linkId: anId,
      expiresAt: aTime,
      code: expect.stringMatching(/^[1-9][0-9]$/),
    });
    const { created_at, expires_at } = (await row(linkId))!;
    expect([expires_at.getTime() - created_at.getTime(), expires_at.toISOString()]).toEqual([15 * 60_000, expiresAt]);
    const [message] = await captured(desk);
    expect(message).toMatchObject({
      channel: "email",
      to: one.email,
      subject: "Example & Sons: please confirm that it is you",
    });
    expect(message!.body).toMatch(
      /Example & Sons would like to be sure[^]+valid for 15 minutes[^]+not in contact with Example & Sons right now, do nothing[^]+Service/,
    );
    expect(url).toBe(`https://parley.example.com/api/public/verifications/${token}`);

    const page = await open(app, token);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const text = await page.text();
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<strong>Example &amp; Sons<\/strong><br>Service/);
    expect(text.match(/<form method="post"><button>[^<]+<\/button><\/form>/g)).toHaveLength(1);
    expect(text).toContain(`<strong>${code}</strong>`);
    expect(text).not.toMatch(/<script|<input|src=|href=|Ada|@example\.com/);

    const done = await press(app, token);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining("It is confirmed that it is you")]);
    expect(await eventsOf(desk, one)).toMatchObject([
      {
        eventType: "factor_added",
        factorCategory: "possession",
        factorType: "magic_link",
        factorBoundToPrincipal: one.contactId,
        evidenceRef: `magic_link:${linkId}`,
        promptVersion: "2026-11",
      },
      {
        eventType: "assurance_level_reached",
        factorBoundToPrincipal: one.contactId,
        scopeDimension: "assurance_level",
        scopeValues: ["identified"],
      },
    ]);
    expect((await desk.key.get(`${one.path}/assurance`, 200)).body).toMatchObject({
      level: "identified",
      factors: [{ factorType: "magic_link", factorCategory: "possession" }],
    });
    expect((await desk.key.get(one.path, 200)).body.assuranceLevel).toBe("identified");
  });

  test("goes out as real mail on the live side, and the mail's content is deleted after delivery", async () => {
    const { id, contactId } = (
      await tenant.live.post(
        "/api/conversations",
        { workspaceId: tenant.defaults.workspaceId, contact: { emails: ["grace@example.com"] } },
        201,
      )
    ).body;
    await tenant.live.post(`/api/conversations/${id}/verification/magic-links`, { channel: "email" }, 200);
    await app.app.get(OutboxWorker).tick();
    const delivered = mail.delivered.at(-1)!;
    expect(delivered).toMatchObject({
      to: ["grace@example.com"],
      headers: { subject: "Example & Sons: please confirm that it is you" },
    });
    expect(
      await app.db.query("select status, length(sealed) as size from outbox_message where tenant_id = $1", [
        tenant.tenantId,
      ]),
    ).toEqual([{ status: "sent", size: 0 }]);
    const [, token] = LINK.exec(delivered.body)!;
    expect((await press(app, token!)).status).toBe(200);
    const { events } = (await tenant.live.get(`/api/conversations/${id}/identity-events`, 200)).body;
    expect(events).toMatchObject([
      { eventType: "factor_added", factorBoundToPrincipal: contactId, tenantId: tenant.tenantId },
      { eventType: "assurance_level_reached" },
    ]);
  });

  test("combined with right answers reaches high-assurance", async () => {
    const workspaceId = await workspace(desk, { settings: { requiredCorrectAnswers: 1 } });
    await desk.owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      {
        sources: [
          { name: "us", type: "contact_attributes", questions: [{ key: "n", prompt: "Name?", attribute: "name" }] },
        ],
      },
      200,
    );
    const one = await person({ ...desk, workspaceId });
    const { questions } = (await desk.key.post(`${one.path}/verification/questions`, {}, 200)).body;
    const { questionId } = questions[0]!;
    await desk.key.post(`${one.path}/verification/answers`, { questionId, answer: "Ada" }, 200);
    await press(app, (await sendLink(desk, one)).token);
    expect(await levelOf(one)).toBe("high-assurance");
    expect((await eventsOf(desk, one)).slice(-2)).toMatchObject([
      { eventType: "factor_added", factorType: "magic_link" },
      { eventType: "assurance_level_reached", scopeValues: ["high-assurance"] },
    ]);
  });

  test("works while questions are locked", async () => {
    const workspaceId = await workspace(desk, {
      settings: { maxWrongPerConversation: 1, maxWrongPerIdentity24h: 1, maxWrongPerCallerId24h: 1 },
    });
    await desk.owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      {
        sources: [
          { name: "us", type: "contact_attributes", questions: [{ key: "n", prompt: "Name?", attribute: "name" }] },
        ],
      },
      200,
    );
    const one = await person({ ...desk, workspaceId }, { callerId: "+4930901820" });
    const { questions } = (await desk.key.post(`${one.path}/verification/questions`, {}, 200)).body;
    const { questionId } = questions[0]!;
    await desk.key.post(`${one.path}/verification/answers`, { questionId, answer: "wrong" }, 200);
    await desk.key.post(`${one.path}/verification/questions`, {}, 409);
    const { token } = await sendLink(desk, one);
    expect((await press(app, token)).status).toBe(200);
    expect(await levelOf(one)).toBe("identified");
    expect(
      (await desk.key.post(`${one.path}/verification/require`, { level: "identified", purpose: "a test" })).status,
    ).toBe(200);
    await desk.key.post(`${one.path}/verification/questions`, {}, 409);
  });

  test("goes to the address in `to`, otherwise a verified one, otherwise the first; always one of the contact's", async () => {
    const emails = [1, 2, 3].map((n) => `${n}-${randomUUID()}@example.com`);
    const one = await person(desk, { contact: { emails } });
    const to = async (body: object = {}): Promise<string> => {
      await sendLink(desk, one, body);
      return (await captured(desk))[0]!.to;
    };
    expect(await to()).toBe(emails[0]);
    expect(await to({ to: ` ${emails[1]!.toUpperCase()} ` })).toBe(emails[1]);
    await app.db.query("update contact_point set verified_at = now() where value = $1", [emails[2]]);
    expect(await to()).toBe(emails[2]);
    const before = await app.db.query("select 1 from outbox_message");
    for (const wrong of [
      "somebody@example.com",
      `${emails[0]!}, somebody@example.com`,
      "x@example.com\r\nBcc: somebody@example.com",
      "%%%",
      "*@example.com",
    ]) {
      expect(await request(desk, one, { to: wrong })).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining("not one of the contact's") },
      });
    }
    expect(await app.db.query("select 1 from outbox_message")).toEqual(before);
  });

  test("is refused with a reason if it could not be used", async () => {
    const one = await person(desk);
    expect(await request(desk, one, { channel: "sms" })).toMatchObject({
      status: 409,
      body: { error: "The contact has no phone number" },
    });
    const withPhone = await person(desk, { contact: { phones: ["+4930901820"] } });
    expect(await request(desk, withPhone, { channel: "sms" })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("no active SMS channel") },
    });
    expect(await request(desk, await person(desk, { contact: {} }))).toMatchObject({
      status: 409,
      body: { error: "The contact has no email address" },
    });
    const without = await person({
      ...desk,
      workspaceId: await workspace(desk, { settings: { allowedFactors: ["kba_dynamic"] } }),
    });
    expect(await request(desk, without)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("magic_link") },
    });
    const archived = await person({ ...desk, workspaceId: await workspace(desk) });
    await app.db.query(
      `update workspace set status = 'archived' where id = (select workspace_id from conversation where id = $1)`,
      [archived.id],
    );
    expect(await request(desk, archived)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("archived") },
    });
    for (const body of [{ channel: "pigeon" }, { channel: null }, { to: "" }, { to: null }])
      expect((await request(desk, one, body)).status).toBe(400);
    expect(await eventsOf(desk, one)).toEqual([]);
  });

  test("is limited to five in ten minutes per contact, across conversations and concurrent requests; then 429 with Retry-After", async () => {
    const first = await person(desk);
    const second = { ...(await person(desk, { contactId: first.contactId })), email: first.email };
    const answers = await concurrently(12, (n) => request(desk, n % 2 ? first : second));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 5, 429: 7 });
    const refused = await request(desk, first);
    expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining("At most 5 links and codes")]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
    expect((await captured(desk)).filter(({ to }) => to === first.email)).toHaveLength(5);
    expect((await request(desk, await person(desk))).status).toBe(200);
    await app.db.query(`update magic_link set created_at = created_at - interval '10 minutes' where contact_id = $1`, [
      first.contactId,
    ]);
    expect((await request(desk, first)).status).toBe(200);
  });

  test("requested again with the same Idempotency-Key is the same link, in one mail", async () => {
    const one = await person(desk);
    const ask = () =>
      desk.key.post(`${one.path}/verification/magic-links`, { channel: "email" }, 200, {
        headers: { "idempotency-key": one.id },
      });
    const [answer, again] = [await ask(), await ask()];
    expect(again.text).toBe(answer.text);
    expect((await captured(desk)).filter(({ to }) => to === one.email)).toHaveLength(1);
    expect((await press(app, LINK.exec((await captured(desk))[0]!.body)![1]!)).status).toBe(200);
  });

  test("needs a conversation within the caller's reach", async () => {
    const one = await person(desk);
    const elsewhere = await keyFor(desk.owner, {
      dataScope: { level: "workspace", workspaceId: await workspace(desk) },
    });
    for (const [key, path] of [
      [elsewhere, one.path],
      [tenant.live, one.path],
      [desk.key, `/api/conversations/${UNKNOWN_ID}`],
    ] as const) {
      expect((await key.post(`${path}/verification/magic-links`, { channel: "email" })).status).toBe(404);
    }
  });
});

describe("opening a link", () => {
  test("changes nothing, however often a mail scanner does it", async () => {
    const one = await person(desk);
    const { token, linkId } = await sendLink(desk, one);
    const before = await row(linkId);
    const answers = await concurrently(40, (n) => open(app, token, { method: n % 2 ? "HEAD" : "GET" }));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 40 });
    expect(await row(linkId)).toEqual(before);
    expect(await eventsOf(desk, one)).toEqual([]);
    await expire(linkId);
    for (const method of ["GET", "HEAD"]) expect((await open(app, token, { method })).status).toBe(404);
    expect(await eventsOf(desk, one)).toEqual([]);
  });

  test("shows a page that loads nothing, runs no scripts, is not cached, and sends no referrer", async () => {
    const { token } = await sendLink(desk, await person(desk));
    for (const answer of [await open(app, token), await open(app, "unknown"), await press(app, token)]) {
      const headers = Object.fromEntries(answer.headers);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex, nofollow",
        "content-type": "text/html; charset=utf-8",
      });
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(Object.keys(headers)).not.toContain("set-cookie");
    }
  });

  test("escapes names in HTML and in mail headers", async () => {
    const name = 'A <script>alert(1)</script> & "B"\r\nBcc: everybody@example.com';
    const { token } = await sendLink(desk, await person({ ...desk, workspaceId: await workspace(desk, { name }) }));
    const text = await (await open(app, token)).text();
    expect(text).toContain("A &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;B&quot; Bcc: everybody@example.com");
    expect(text).not.toContain("<script");
  });

  test.each(["en", "de", "fr", "es", "it", "nl", "pt", "da", "sv", "pl"])(
    "is in the workspace's language, and so is the mail (%s)",
    async (language) => {
      const one = await person({ ...desk, workspaceId: await workspace(desk, { primaryLanguage: language }) });
      const { token } = await sendLink(desk, one);
      const { subject, body } = (await captured(desk))[0]!;
      const texts = [subject, body.replace(token, "")];
      for (const answer of [await open(app, token), await press(app, token), await press(app, token)]) {
        const text = await answer.text();
        expect(text).toContain(`<html lang="${language}">`);
        texts.push(/<title>(.+)<\/title>/.exec(text)![1]!);
      }
      expect(new Set(texts).size).toBe(5);
      expect(texts.join()).not.toMatch(/[{}]|undefined|NaN/);
      expect(body).toMatch(/\b10\b/);
      if (language !== "en") expect(texts.join()).not.toMatch(/Hello|is it you|Thank you|valid for/i);
    },
  );

  test("falls back to English, and an unknown link uses the browser's language", async () => {
    const { token } = await sendLink(
      desk,
      await person({ ...desk, workspaceId: await workspace(desk, { primaryLanguage: "fi" }) }),
    );
    expect(await (await open(app, token)).text()).toContain('<html lang="en">');
    const inLanguage = async (accepted: string): Promise<string> =>
      /lang="(\w+)"/.exec(await (await open(app, "unknown", { headers: { "accept-language": accepted } })).text())![1]!;
    expect([
      await inLanguage("de-AT,de;q=0.9,en;q=0.8"),
      await inLanguage("fi, sv;q=0.5"),
      await inLanguage("*"),
      await inLanguage("__proto__"),
    ]).toEqual(["de", "sv", "en", "en"]);
  });
});

describe("pressing the button", () => {
  test("redeems a link once: a second press changes nothing and shows the page of an unknown link", async () => {
    const one = await person(desk);
    const { token } = await sendLink(desk, one);
    expect((await press(app, token)).status).toBe(200);
    const [again, opened, unknown] = [
      await press(app, token),
      await open(app, token),
      await press(app, Buffer.alloc(64, 7).toString("base64url")),
    ];
    const texts = await Promise.all([again, opened, unknown].map((answer) => answer.text()));
    expect([again.status, opened.status, unknown.status]).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain("This link cannot be used");
    expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
  });

  test("works with a form, an empty body or no body; the body is ignored", async () => {
    for (const init of [
      { body: "button=&x=1" },
      { body: "" },
      { headers: {}, body: undefined },
      { headers: { "content-type": "application/json" }, body: '{"a":1}' },
    ] as RequestInit[]) {
      const one = await person(desk);
      expect((await press(app, (await sendLink(desk, one)).token, init)).status).toBe(200);
      expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
    }
    const { token } = await sendLink(desk, await person(desk));
    const refused = await press(app, token, { headers: { "content-type": "text/plain" }, body: "x" });
    expect([refused.status, Object.keys((await refused.json()) as object)]).toEqual([415, ["error"]]);
    expect((await press(app, token)).status).toBe(200);
  });

  test("after the link expired counts as one failed factor, however often it is pressed", async () => {
    const one = await person(desk);
    const { token, linkId } = await sendLink(desk, one);
    await expire(linkId);
    expect(tally((await concurrently(10, () => press(app, token))).map(({ status }) => status))).toEqual({ 404: 10 });
    expect(await eventsOf(desk, one)).toMatchObject([
      {
        eventType: "factor_failed",
        factorCategory: "possession",
        factorType: "magic_link",
        factorBoundToPrincipal: one.contactId,
        evidenceRef: `magic_link:${linkId}`,
      },
    ]);
    expect(await levelOf(one)).toBe("none");
  });

  test("works before the end and not just after it, by the database's clock", async () => {
    for (const [left, status] of [
      ["1 minute", 200],
      ["-1 milliseconds", 404],
    ] as const) {
      const { token, linkId } = await sendLink(desk, await person(desk));
      await app.db.query("update magic_link set expires_at = clock_timestamp() + $2::interval where id = $1", [
        linkId,
        left,
      ]);
      expect([left, (await press(app, token)).status]).toEqual([left, status]);
    }
  });

  test("of a used link after it expired also counts as a failed factor", async () => {
    const one = await person(desk);
    const { token, linkId } = await sendLink(desk, one);
    await press(app, token);
    await expire(linkId);
    for (let n = 0; n < 3; n++) expect((await press(app, token)).status).toBe(404);
    expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached", "factor_failed"]);
  });

  test("of an older link fails after a newer one was sent; the newer one and other conversations' links work", async () => {
    const one = await person(desk);
    const other = await person(desk, { contactId: one.contactId });
    const [elsewhere, older, newer] = [
      await sendLink(desk, other),
      await sendLink(desk, one),
      await sendLink(desk, one),
    ];
    for (let n = 0; n < 3; n++) expect((await press(app, older.token)).status).toBe(404);
    expect(await eventsOf(desk, one)).toMatchObject([
      { eventType: "factor_failed", evidenceRef: `magic_link:${older.linkId}` },
    ]);
    expect((await press(app, newer.token)).status).toBe(200);
    expect((await press(app, elsewhere.token)).status).toBe(200);
    expect((await eventsOf(desk, other))[0]).toMatchObject({
      conversationId: other.id,
      evidenceRef: `magic_link:${elsewhere.linkId}`,
    });
  });

  test("with a wrong secret for an existing link is one failed factor; the link still works", async () => {
    const one = await person(desk);
    const { token, linkId } = await sendLink(desk, one);
    for (let n = 1; n <= 3; n++) {
      const bytes = Buffer.from(token, "base64url");
      bytes[63]! ^= n;
      expect((await press(app, bytes.toString("base64url"))).status).toBe(404);
    }
    expect(await eventsOf(desk, one)).toMatchObject([
      { eventType: "factor_failed", evidenceRef: `magic_link:${linkId}` },
    ]);
    expect((await press(app, token)).status).toBe(200);
  });

  test("with no valid token, the link's id, or a token for another tenant shows the page of an unknown link", async () => {
    const one = await person(desk);
    const { token, linkId } = await sendLink(desk, one);
    const other = Buffer.from(token, "base64url");
    Buffer.from(tenant.tenantId.replaceAll("-", ""), "hex").copy(other);
    const before = await app.db.query("select count(*) from identity_event");
    for (const wrong of [
      linkId,
      `magic_link:${linkId}`,
      token.slice(0, -1),
      `${token}A`,
      `${token}.`,
      token.toLowerCase(),
      "x",
      "%20",
      "..%2f",
      "A".repeat(86),
      other.toString("base64url"),
    ]) {
      for (const answer of [await open(app, wrong), await press(app, wrong)])
        expect([wrong, answer.status, answer.headers.get("content-type")]).toEqual([
          wrong,
          404,
          "text/html; charset=utf-8",
        ]);
    }
    expect(await app.db.query("select count(*) from identity_event")).toEqual(before);
    expect((await press(app, token)).status).toBe(200);
  });

  const ENDS: [string, (one: { id: string; contactId: string }, workspaceId: string) => Promise<unknown>][] = [
    ["whose workspace was deleted", (_, workspaceId) => desk.key.delete(`/api/workspaces/${workspaceId}`, 200)],
    [
      "whose workspace was archived",
      (_, workspaceId) => app.db.query(`update workspace set status = 'archived' where id = $1`, [workspaceId]),
    ],
    [
      "whose workspace no longer allows links",
      (_, workspaceId) =>
        desk.owner.put(`/api/workspaces/${workspaceId}/identity-settings`, { allowedFactors: ["kba_dynamic"] }, 200),
    ],
    [
      "whose contact was erased",
      ({ contactId }) => desk.key.post(`/api/contacts/${contactId}/erasure`, undefined, 200),
    ],
    [
      "whose contact was merged into another one",
      async ({ contactId }) => {
        const { contactId: survivor } = await person(desk);
        await app.db.query("update contact set merged_into_id = $2 where id = $1", [contactId, survivor]);
      },
    ],
    [
      "whose conversation is another contact's by now",
      async ({ id }) => {
        const { contactId: survivor } = await person(desk);
        await app.db.query("update conversation set contact_id = $2 where id = $1", [id, survivor]);
      },
    ],
  ];
  test.each(ENDS)("of a link %s proves nothing", async (_, end) => {
    const workspaceId = await workspace(desk);
    const one = await person({ ...desk, workspaceId });
    const { token } = await sendLink(desk, one);
    await end(one, workspaceId);
    for (const answer of [await open(app, token), await press(app, token)])
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("This link cannot be used")]);
    expect(await app.db.query("select 1 from verification_factor where conversation_id = $1", [one.id])).toEqual([]);
    expect(await app.db.query("select 1 from identity_event where conversation_id = $1", [one.id])).toEqual([]);
  });
});

describe("the token", () => {
  test("is only in the captured mail: in no table, in any encoding, and in no other response", async () => {
    const one = await person(desk);
    const answer = await desk.key.post(`${one.path}/verification/magic-links`, { channel: "email" }, 200, {
      headers: { "idempotency-key": randomUUID() },
    });
    const token = LINK.exec((await captured(desk))[0]!.body)![1]!;
    const bytes = Buffer.from(token, "base64url");
    const secret = bytes.subarray(32);
    expect(secret).toHaveLength(32);
    const spellings = [
      token,
      bytes.toString("base64"),
      bytes.toString("hex"),
      secret.toString("hex"),
      secret.toString("base64").replace(/=+$/, ""),
      secret.toString("base64url"),
      token.slice(-40),
      Buffer.from(token).toString("base64").slice(0, 100),
    ];
    const check = async (): Promise<void> => {
      for (const spelling of spellings) expect([spelling, await tablesWith(app.db, spelling)]).toEqual([spelling, {}]);
    };
    await check();
    await press(app, token);
    await check();
    const answers = [
      answer.text,
      JSON.stringify(await eventsOf(desk, one)),
      ...(await Promise.all(
        [one.path, `${one.path}/assurance`, `/api/contacts/${one.contactId}`].map(
          async (path) => (await desk.key.get(path, 200)).text,
        ),
      )),
    ];
    for (const spelling of spellings) expect(answers.join()).not.toContain(spelling);
    expect(answers.join()).toContain(answer.body.linkId);
  });
});

describe("an erasure", () => {
  test("deletes the person's links and their mails, and counts them", async () => {
    const one = await person(desk);
    const { token, linkId } = await sendLink(desk, one);
    await press(app, token);
    await sendLink(desk, one);
    const { erased } = (await desk.key.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200)).body;
    expect(erased).toMatchObject({ verifications: 3, mails: 2 });
    expect(await row(linkId)).toBeUndefined();
    expect(await app.db.query("select 1 from magic_link where contact_id = $1", [one.contactId])).toEqual([]);
    expect((await captured(desk)).filter(({ to }) => to === one.email)).toEqual([]);
    expect((await request(desk, one)).status).toBe(404);
  });
});
