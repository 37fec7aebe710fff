import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { concurrently, tally } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Answer } from "../../support/client.js";
import {
  captured,
  type Desk,
  eventsOf,
  person,
  type Person,
  press,
  sendLink,
  testDesk,
  typesOf,
  workspace,
} from "./magic-links-support.js";
import { aTime, anId, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let desk: Desk;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Example & Sons");
  desk = await testDesk(app, tenant);
});
afterAll(() => app.close());

const newEmail = (): string => `${randomUUID()}@example.com`;
const request = (one: Person, body: object = {}): Promise<Answer<Schemas["CodeSent"] & { error?: string }>> =>
  desk.key.post(`${one.path}/verification/codes`, { channel: "email", ...body });
async function sendCode(one: Person, body: object = {}): Promise<{ codeId: string; code: string }> {
  const { body: answer } = await desk.key.post(`${one.path}/verification/codes`, { channel: "email", ...body }, 200);
  const code = /^\d{6}$/m.exec((await captured(desk))[0]!.body)![0];
  return { codeId: answer.codeId, code };
}
const tryCode = (
  one: Person,
  codeId: string,
  code: unknown,
): Promise<Answer<Schemas["CodeVerified"] & { error?: string }>> =>
  desk.key.post(`${one.path}/verification/codes/verify`, { codeId, code });
const wrongOf = (code: string, n = 1): string => String((Number(code) + n) % 1_000_000).padStart(6, "0");
const levelOf = async ({ path }: Person): Promise<string> => (await desk.key.get(`${path}/assurance`, 200)).body.level;
const emailsOf = async ({ contactId }: Person) => (await desk.key.get(`/api/contacts/${contactId}`, 200)).body.emails;
const expire = (codeId: string): Promise<unknown> =>
  app.db.query("update one_time_code set expires_at = clock_timestamp() - interval '1 second' where id = $1", [codeId]);
const FAILED = {
  eventType: "factor_failed",
  factorCategory: "possession",
  factorType: "otp_email",
  evidenceRef: "tool:otp_email",
};

describe("a one-time code", () => {
  test("is mailed to the contact, and proves that they own the mailbox", async () => {
    const one = await person({
      ...desk,
      workspaceId: await workspace(desk, {
        name: "Service",
        settings: { promptVersion: "2026-11", magicLinkMinutes: 7 },
      }),
    });
    const { body } = await request(one);
    expect(body).toEqual({ ok: true, codeId: anId, expiresAt: aTime });
    expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 7 * 60_000)).toBeLessThan(20_000);
    const [mail] = await captured(desk);
    expect(mail).toMatchObject({ channel: "email", to: one.email, subject: "Example & Sons: your code" });
    expect(mail!.body).toMatch(
      /Example & Sons would like to be sure[^]+Your code is:\n\n\d{6}\n\n[^]+valid for 7 minutes[^]+began yourself[^]+give the code to nobody[^]+Service/,
    );
    const code = /^\d{6}$/m.exec(mail!.body)![0];
    expect((await tryCode(one, body.codeId, code)).body).toEqual({
      result: "passed",
      remainingAttempts: 4,
      assuranceLevel: "identified",
    });
    expect(await eventsOf(desk, one)).toMatchObject([
      { ...FAILED, eventType: "factor_added", factorBoundToPrincipal: one.contactId, promptVersion: "2026-11" },
      { eventType: "assurance_level_reached", scopeValues: ["identified"] },
    ]);
    expect(await emailsOf(one)).toEqual([{ value: one.email, verifiedAt: aTime }]);
    expect((await desk.key.get(`${one.path}/assurance`, 200)).body).toMatchObject({
      level: "identified",
      factors: [{ factorType: "otp_email", factorCategory: "possession" }],
    });
  });

  test("and a link together are one category: they never reach high-assurance", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    await tryCode(one, codeId, code);
    await press(app, (await sendLink(desk, one)).token);
    expect(await levelOf(one)).toBe("identified");
    expect(tally(await typesOf(desk, one))).toEqual({ factor_added: 2, assurance_level_reached: 1 });
  });

  test("may be written with spaces or a hyphen; anything but six digits is 400 and costs no try", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    for (const wrong of ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", " ".repeat(30) + code, 123456, null, [code]])
      expect([wrong, (await tryCode(one, codeId, wrong)).status]).toEqual([wrong, 400]);
    expect((await tryCode(one, codeId, ` ${code.slice(0, 3)}-${code.slice(3)} `)).body).toMatchObject({
      result: "passed",
      remainingAttempts: 4,
    });
  });

  test("works once", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    await tryCode(one, codeId, code);
    expect(await tryCode(one, codeId, code)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("has been used") },
    });
    expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
  });

  test("that is wrong fails, each time with one event; after five it is 409, and the right one is not compared", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    for (const left of [4, 3, 2, 1, 0])
      expect((await tryCode(one, codeId, wrongOf(code, left + 1))).body).toEqual({
        result: "failed",
        remainingAttempts: left,
        assuranceLevel: "none",
      });
    expect(await tryCode(one, codeId, code)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("send another one") },
    });
    expect(await eventsOf(desk, one)).toMatchObject(Array.from({ length: 5 }, () => FAILED));
    expect(await emailsOf(one)).toEqual([{ value: one.email, verifiedAt: null }]);
    const next = await sendCode(one);
    expect((await tryCode(one, next.codeId, next.code)).body.result).toBe("passed");
  });

  test("that expired fails, with one event however often it is given", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    await expire(codeId);
    for (let n = 0; n < 3; n++)
      expect((await tryCode(one, codeId, code)).body).toEqual({
        result: "failed",
        remainingAttempts: 0,
        assuranceLevel: "none",
      });
    expect(await eventsOf(desk, one)).toMatchObject([FAILED]);
  });

  test("is replaced by a newer one in its conversation, and not by one in another", async () => {
    const one = await person(desk);
    const other = await person(desk, { contactId: one.contactId });
    const [elsewhere, older, newer] = [await sendCode(other), await sendCode(one), await sendCode(one)];
    expect((await tryCode(one, older.codeId, older.code)).body.result).toBe("failed");
    expect((await tryCode(one, newer.codeId, newer.code)).body.result).toBe("passed");
    expect((await tryCode(other, elsewhere.codeId, elsewhere.code)).body.result).toBe("passed");
  });

  test("of another conversation, or of none, is 404 and costs no try", async () => {
    const [one, other] = [await person(desk), await person(desk)];
    const { codeId, code } = await sendCode(one);
    for (const id of [codeId, UNKNOWN_ID]) expect((await tryCode(other, id, code)).status).toBe(404);
    expect((await tryCode(one, codeId, code)).body).toMatchObject({ result: "passed", remainingAttempts: 4 });
    expect((await tenant.live.post(`${one.path}/verification/codes`, { channel: "email" })).status).toBe(404);
  });

  test("works while questions are locked, and a wrong one is no wrong answer", async () => {
    const workspaceId = await workspace(desk, { settings: { maxWrongPerConversation: 1, maxWrongPerIdentity24h: 1 } });
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
    const { codeId, code } = await sendCode(one);
    await tryCode(one, codeId, wrongOf(code));
    expect((await desk.key.get(`${one.path}/assurance`, 200)).body.locks).toEqual({
      conversation: null,
      identity: null,
      callerId: null,
    });
    const { questions } = (await desk.key.post(`${one.path}/verification/questions`, {}, 200)).body;
    await desk.key.post(
      `${one.path}/verification/answers`,
      { questionId: questions[0]!.questionId, answer: "wrong" },
      200,
    );
    await desk.key.post(`${one.path}/verification/questions`, {}, 409);
    expect((await tryCode(one, codeId, code)).body).toMatchObject({ result: "passed", assuranceLevel: "identified" });
  });

  test("to an address that was added a moment ago proves it and raises no level", async () => {
    const one = await person(desk);
    const added = newEmail();
    await desk.key.patch(`/api/contacts/${one.contactId}`, { emails: [one.email, added] }, 200);
    const { codeId, code } = await sendCode(one, { to: added });
    expect((await captured(desk))[0]!.to).toBe(added);
    await app.db.query("update contact_point set added_at = added_at - interval '1 year' where contact_id = $1", [
      one.contactId,
    ]);
    expect((await tryCode(one, codeId, code)).body).toEqual({
      result: "passed",
      remainingAttempts: 4,
      assuranceLevel: "none",
    });
    expect(await typesOf(desk, one)).toEqual([]);
    expect(await emailsOf(one)).toEqual([
      { value: one.email, verifiedAt: null },
      { value: added, verifiedAt: aTime },
    ]);
  });

  const ENDS: [string, (one: Person, workspaceId: string) => Promise<unknown>][] = [
    ["whose address was removed", ({ contactId }) => desk.key.patch(`/api/contacts/${contactId}`, { emails: [] }, 200)],
    [
      "whose address was removed and added again",
      async ({ contactId, email }) => {
        await desk.key.patch(`/api/contacts/${contactId}`, { emails: [] }, 200);
        await desk.key.patch(`/api/contacts/${contactId}`, { emails: [email] }, 200);
      },
    ],
    [
      "whose contact another one was merged into",
      async ({ contactId }) => {
        const { contactId: sourceContactId } = await person(desk);
        await desk.key.post(`/api/contacts/${contactId}/merge`, { sourceContactId }, 200);
      },
    ],
    [
      "whose contact was merged into another one",
      async ({ contactId: sourceContactId }) => {
        const { contactId } = await person(desk);
        await desk.key.post(`/api/contacts/${contactId}/merge`, { sourceContactId }, 200);
      },
    ],
    [
      "whose workspace was archived",
      (_, workspaceId) => desk.key.patch(`/api/workspaces/${workspaceId}`, { status: "archived" }, 200),
    ],
  ];
  test.each(ENDS)("%s proves nothing", async (_, end) => {
    const workspaceId = await workspace(desk);
    const one = await person({ ...desk, workspaceId });
    const { codeId, code } = await sendCode(one);
    await end(one, workspaceId);
    expect((await tryCode(one, codeId, code)).body).toMatchObject({ result: "failed", assuranceLevel: "none" });
    expect(await app.db.query("select 1 from verification_factor where conversation_id = $1", [one.id])).toEqual([]);
    expect(
      await app.db.query("select 1 from contact_point where value = $1 and verified_at is not null", [one.email]),
    ).toEqual([]);
  });

  test("is refused with a reason if it could not be used", async () => {
    const one = await person(desk);
    for (const [body, error] of [
      [{ channel: "sms" }, "The contact has no phone number"],
      [{ to: newEmail() }, "The address in to is not one of the contact's email addresses"],
      [{ to: "+4930901820" }, "The address in to is not one of the contact's email addresses"],
    ] as const)
      expect(await request(one, body)).toMatchObject({ status: 409, body: { error } });
    const withPhone = await person(desk, { contact: { phones: ["+4930901820"] } });
    expect(await request(withPhone)).toMatchObject({
      status: 409,
      body: { error: "The contact has no email address" },
    });
    for (const channel of ["sms"])
      expect(await request(withPhone, { channel })).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining("no active SMS channel") },
      });
    const workspaceId = await workspace(desk);
    const forbidden = await person({ ...desk, workspaceId });
    const { codeId, code } = await sendCode(forbidden);
    await desk.owner.put(`/api/workspaces/${workspaceId}/identity-settings`, { allowedFactors: ["magic_link"] }, 200);
    for (const answer of [await request(forbidden), await tryCode(forbidden, codeId, code)])
      expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining("otp_email") } });
    for (const body of [{ channel: "pigeon" }, { channel: null }, { to: "" }, { to: null }])
      expect((await request(one, body)).status).toBe(400);
  });

  test("counts with links towards five in ten minutes for one contact, also concurrently", async () => {
    const first = await person(desk);
    const second = await person(desk, { contactId: first.contactId });
    const statuses = await concurrently(12, async (n) => {
      const { path } = n % 2 ? first : second;
      const what = n % 3 ? "codes" : "magic-links";
      return (await desk.key.post(`${path}/verification/${what}`, { channel: "email" })).status;
    });
    expect(tally(statuses)).toEqual({ 200: 5, 429: 7 });
    const refused = await request(first);
    expect([refused.status, refused.body.error, Number(refused.headers.get("retry-after"))]).toEqual([
      429,
      expect.stringContaining("At most 5 links and codes"),
      expect.any(Number),
    ]);
  });

  test("is limited to twenty in 24 hours for one contact", async () => {
    const one = await person(desk);
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++) expect((await request(one)).status).toBe(200);
      await app.db.query(
        "update one_time_code set created_at = created_at - interval '11 minutes' where contact_id = $1",
        [one.contactId],
      );
    }
    expect(await request(one)).toMatchObject({ status: 429, body: { error: expect.stringContaining("20 codes") } });
    expect((await desk.key.post(`${one.path}/verification/magic-links`, { channel: "email" })).status).toBe(200);
    await app.db.query("update one_time_code set created_at = created_at - interval '24 hours' where contact_id = $1", [
      one.contactId,
    ]);
    expect((await request(one)).status).toBe(200);
  });

  test("is mailed in the workspace's language", async () => {
    const workspaceId = await workspace(desk);
    for (const [primaryLanguage, subject] of [
      ["en", "your code"],
      ["de", "Ihr Code"],
      ["fr", "votre code"],
      ["es", "su código"],
      ["it", "il Suo codice"],
      ["nl", "uw code"],
      ["pt", "o seu código"],
      ["da", "din kode"],
      ["sv", "din kod"],
      ["pl", "Twój kod"],
      ["fi", "your code"],
    ]) {
      await desk.key.patch(`/api/workspaces/${workspaceId}`, { primaryLanguage }, 200);
      const one = await person({ ...desk, workspaceId });
      const { codeId, code } = await sendCode(one);
      const [mail] = await captured(desk);
      expect(mail!.subject).toContain(subject);
      expect(mail!.body).not.toMatch(/\{\w+\}|undefined/);
      expect((await tryCode(one, codeId, code)).body.result).toBe("passed");
    }
  });

  test("is only in the captured mail: in no response, and in no table as text or as a plain hash", async () => {
    const one = await person(desk);
    const answer = await desk.key.post(`${one.path}/verification/codes`, { channel: "email" }, 200, {
      headers: { "idempotency-key": randomUUID() },
    });
    const code = /^\d{6}$/m.exec((await captured(desk))[0]!.body)![0];
    await tryCode(one, answer.body.codeId, code);
    const stored = await app.db.query<{ row: string }>(
      `select t::text as row from one_time_code t where conversation_id = $1
       union all select t::text from identity_event t where conversation_id = $1
       union all select t::text from message t where conversation_id = $1
       union all select t.response from idempotency_key t where t.response like $2
       union all select encode(t.sealed, 'escape') from outbox_message t`,
      [one.id, `%${answer.body.codeId}%`],
    );
    expect(stored.length).toBeGreaterThan(3);
    const seen = [
      answer.text,
      JSON.stringify(await eventsOf(desk, one)),
      ...stored.map(({ row }) => row),
      ...(await Promise.all(
        [one.path, `${one.path}/assurance`, `${one.path}/messages`, `/api/contacts/${one.contactId}`].map(
          async (path) => (await desk.key.get(path, 200)).text,
        ),
      )),
    ].join();
    expect(seen.replaceAll(/[\w-]{30,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "")).not.toContain(code);
    const [row] = await app.db.query<{ plain: boolean }>(
      `select code_hash in (sha256($2), sha256($3), sha256($4)) as plain from one_time_code where id = $1`,
      [answer.body.codeId, code, `${answer.body.codeId}${code}`, `${answer.body.codeId} ${code}`].map((text, n) =>
        n ? Buffer.from(text) : text,
      ),
    );
    expect(row).toEqual({ plain: false });
  });

  test("is deleted and counted by an erasure, with its mail", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    await tryCode(one, codeId, code);
    const { erased } = (await desk.key.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200)).body;
    expect(erased).toMatchObject({ verifications: 2, mails: 1 });
    expect(await app.db.query("select 1 from one_time_code where contact_id = $1", [one.contactId])).toEqual([]);
    expect((await captured(desk)).filter(({ to }) => to === one.email)).toEqual([]);
    expect((await tryCode(one, codeId, code)).status).toBe(404);
  });
});
