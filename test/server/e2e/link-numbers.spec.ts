import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
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
import { randomUUID } from "node:crypto";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("link numbers", () => {
  let tenant: TestTenant;
  let desk: Desk;
  let asking: Desk;
  beforeAll(async () => {
    tenant = await app.tenant("Example & Sons");
    desk = await testDesk(app, tenant);
    asking = { ...desk, workspaceId: await workspace(desk, { settings: { requireLinkCode: true } }) };
  });

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
      const [mail] = await captured(desk);
      expect(mail!.body.replace("valid for 10 minutes", "")).not.toMatch(new RegExp(`\\b${code}\\b(?![\\w-])`));
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
      const places = await Promise.all(
        [false, true].map(async (requireLinkCode) => ({
          requireLinkCode,
          place: { ...desk, workspaceId: await workspace(desk, { settings: { requireLinkCode } }) },
        })),
      );
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
        for (const { requireLinkCode, place } of places) {
          await desk.key.patch(`/api/workspaces/${place.workspaceId}`, { primaryLanguage }, 200);
          const one = await person(place);
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
});

describe("the age of an address", () => {
  let tenant: TestTenant;
  let desk: Desk;
  beforeAll(async () => {
    tenant = await app.tenant();
    desk = await testDesk(app, tenant);
  });

  const newEmail = (): string => `${randomUUID()}@example.com`;
  const levelOf = async ({ path }: Person): Promise<string> =>
    (await desk.key.get(`${path}/assurance`, 200)).body.level;
  const emailsOf = async ({ contactId }: Person) => (await desk.key.get(`/api/contacts/${contactId}`, 200)).body.emails;
  const setEmails = (one: Person, emails: string[]) =>
    desk.key.patch(`/api/contacts/${one.contactId}`, { emails }, 200);
  /** Makes the addresses of a contact older. */
  const age = (one: Person, interval: string): Promise<unknown> =>
    app.db.query("update contact_point set added_at = added_at - $2::interval where contact_id = $1", [
      one.contactId,
      interval,
    ]);
  /** Sends a link to the address and presses its button. @returns what the conversation has then */
  async function redeem(one: Person, to: string, by: Desk = desk): Promise<[level: string, events: string[]]> {
    const { token } = await sendLink(by, one, { to });
    expect((await press(app, token)).status).toBe(200);
    return [await levelOf(one), await typesOf(desk, one)];
  }
  const RAISED = ["identified", ["factor_added", "assurance_level_reached"]];
  const NOTHING = ["none", []];

  describe("a link to an address", () => {
    test("that was added a moment ago proves the address and raises no level", async () => {
      const one = await person(desk);
      const added = newEmail();
      await setEmails(one, [one.email, added]);
      expect(await redeem(one, added)).toEqual(NOTHING);
      expect(await emailsOf(one)).toEqual([
        { value: one.email, verifiedAt: null },
        { value: added, verifiedAt: aTime },
      ]);
      // Its proof does not shorten the wait.
      expect(await redeem(one, added)).toEqual(NOTHING);
    });

    test("says on its page that the message arrived, and not that it is known who the person is", async () => {
      const one = await person(desk);
      const added = newEmail();
      await setEmails(one, [one.email, added]);
      const { token } = await sendLink(desk, one, { to: added });
      expect(await (await press(app, token)).text()).toMatch(/Thank you[^]+confirmed that our message reached you/);
      const { token: old } = await sendLink(desk, one, { to: one.email });
      expect(await (await press(app, old)).text()).toMatch(/Thank you[^]+confirmed that it is you/);
    });

    test("that the contact was created with raises the level, however it was created", async () => {
      const inline = await person(desk);
      expect(await redeem(inline, inline.email)).toEqual(RAISED);
      expect(await emailsOf(inline)).toEqual([{ value: inline.email, verifiedAt: aTime }]);

      const email = newEmail();
      const { id: contactId } = (await desk.key.post("/api/contacts", { emails: [email] }, 201)).body;
      expect(await redeem(await person(desk, { contactId }), email)).toEqual(RAISED);

      const imported = newEmail();
      const csv = new Blob([`name,emails\nAda,${imported}\n`], { type: "text/csv" });
      await desk.owner.post("/api/contacts/import", csv, 200);
      const { id: importedId } = (await desk.key.get(`/api/contacts/search?q=${imported}`, 200)).body.data[0]!;
      expect(await redeem(await person(desk, { contactId: importedId }), imported)).toEqual(RAISED);
    });

    test("raises the level once it has been on the contact for 72 hours, and not a second before", async () => {
      const one = await person(desk);
      const added = newEmail();
      await setEmails(one, [one.email, added]);
      await age(one, "71 hours 59 minutes 30 seconds");
      expect(await redeem(one, added)).toEqual(NOTHING);
      await age(one, "30 seconds");
      expect(await redeem(one, added)).toEqual(RAISED);
    });

    test("counts by its age when the link was sent, so waiting with the button gains nothing", async () => {
      const one = await person(desk);
      const added = newEmail();
      await setEmails(one, [one.email, added]);
      const { token } = await sendLink(desk, one, { to: added });
      await age(one, "1 year");
      expect((await press(app, token)).status).toBe(200);
      expect(await levelOf(one)).toBe("none");
    });

    test("waits as long as the workspace's setting says", async () => {
      const [patient, hasty] = [
        { ...desk, workspaceId: await workspace(desk, { settings: { addressCoolOffHours: 100 } }) },
        { ...desk, workspaceId: await workspace(desk, { settings: { addressCoolOffHours: 0 } }) },
      ];
      for (const [where, expected] of [
        [patient, NOTHING],
        [hasty, RAISED],
      ] as const) {
        const one = await person(where);
        const added = newEmail();
        await setEmails(one, [added, one.email]);
        await age(one, "99 hours");
        expect(await redeem(one, added)).toEqual(expected);
      }
    });

    test("keeps its age when others are added and when the order changes", async () => {
      const one = await person(desk);
      const added = newEmail();
      await setEmails(one, [one.email, added]);
      await age(one, "72 hours");
      await setEmails(one, [newEmail(), added.toUpperCase(), newEmail(), one.email]);
      await desk.key.patch(`/api/contacts/${one.contactId}`, { name: "Ada Lovelace", phones: ["+4930901820"] }, 200);
      expect(await redeem(one, added)).toEqual(RAISED);
      const other = await person(desk, { contactId: one.contactId });
      expect(await redeem(other, one.email)).toEqual(RAISED);
    });

    test("begins anew when it was removed and added again, also one that the contact was created with", async () => {
      const one = await person(desk);
      await age(one, "1 year");
      await setEmails(one, []);
      await setEmails(one, [one.email]);
      expect(await redeem(one, one.email)).toEqual(NOTHING);
    });

    test("that came by a merge begins its wait at the merge; the survivor's own keep their age", async () => {
      const [survivor, source] = [await person(desk), await person(desk)];
      await age(source, "1 year");
      await desk.key.post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId }, 200);
      const one = await person(desk, { contactId: survivor.contactId });
      expect(await redeem(one, source.email)).toEqual(NOTHING);
      await age(one, "72 hours");
      expect(await redeem(one, source.email)).toEqual(RAISED);
      const other = await person(desk, { contactId: survivor.contactId });
      expect(await redeem(other, survivor.email)).toEqual(RAISED);
    });

    test("that both had at the merge keeps the age that it has on the survivor", async () => {
      const shared = newEmail();
      const survivor = await person(desk);
      await setEmails(survivor, [survivor.email, shared]);
      const source = await person(desk, { contact: { emails: [shared] } });
      await desk.key.post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId }, 200);
      expect(await redeem(await person(desk, { contactId: survivor.contactId }), shared)).toEqual(NOTHING);
    });

    test("goes by default to one that counts, even if a younger one is verified", async () => {
      const one = await person(desk);
      const added = newEmail();
      await setEmails(one, [added, one.email]);
      await redeem(one, added);
      await sendLink(desk, one);
      expect((await captured(desk))[0]!.to).toBe(one.email);
    });

    test.each([
      ["removed", []],
      ["replaced by another one", [newEmail()]],
    ])("is void once the address was %s, also if it is added again", async (_, emails) => {
      const one = await person(desk);
      const { token } = await sendLink(desk, one);
      await setEmails(one, emails);
      expect([(await open(app, token)).status, (await press(app, token)).status]).toEqual([404, 404]);
      await setEmails(one, [one.email]);
      expect([(await open(app, token)).status, (await press(app, token)).status]).toEqual([404, 404]);
      expect(await emailsOf(one)).toEqual([{ value: one.email, verifiedAt: null }]);
      expect([await levelOf(one), await typesOf(desk, one)]).toEqual(NOTHING);
    });

    test("is void after a merge of its contact, on either side", async () => {
      const [survivor, source] = [await person(desk), await person(desk)];
      const links = [await sendLink(desk, survivor), await sendLink(desk, source)];
      await desk.key.post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId }, 200);
      for (const { token } of links) expect((await press(app, token)).status).toBe(404);
      expect([await levelOf(survivor), await levelOf(source)]).toEqual(["none", "none"]);
    });

    test("proves it for one contact: the one that proved it first. The other one's level is raised all the same", async () => {
      const shared = newEmail();
      const [first, second] = [
        await person(desk, { contact: { emails: [shared] } }),
        await person(desk, { contact: { emails: [shared] } }),
      ];
      expect(await redeem(first, shared)).toEqual(RAISED);
      expect(await redeem(second, shared)).toEqual(RAISED);
      expect([await emailsOf(first), await emailsOf(second)]).toEqual([
        [{ value: shared, verifiedAt: aTime }],
        [{ value: shared, verifiedAt: null }],
      ]);
    });
  });

  test("whoever polls the contact sees the proof at once, also from another workspace", async () => {
    const one = await person(desk);
    const workspaceId = await workspace(desk);
    await person({ ...desk, workspaceId }, { contactId: one.contactId });
    const elsewhere = await keyFor(desk.owner, { dataScope: { level: "workspace", workspaceId } });
    const path = `/api/contacts/${one.contactId}` as const;
    const { headers } = await elsewhere.get(path, 200);
    await redeem(one, one.email);
    const again = await elsewhere.get(path, 200, { headers: { "if-none-match": headers.get("etag")! } });
    expect(again.body.emails[0]!.verifiedAt).toEqual(aTime);
  });
});
