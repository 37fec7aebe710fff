import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import {
  captured,
  type Desk,
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
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  desk = await testDesk(app, tenant);
});
afterAll(() => app.close());

const newEmail = (): string => `${randomUUID()}@example.com`;
const levelOf = async ({ path }: Person): Promise<string> => (await desk.key.get(`${path}/assurance`, 200)).body.level;
const emailsOf = async ({ contactId }: Person) => (await desk.key.get(`/api/contacts/${contactId}`, 200)).body.emails;
const setEmails = (one: Person, emails: string[]) => desk.key.patch(`/api/contacts/${one.contactId}`, { emails }, 200);
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
