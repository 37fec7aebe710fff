import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askForNames, snapshot } from "../contract/fixtures.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newWorkspace, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
  ({ workspaceId } = tenant.defaults);
  await askForNames(await tenant.owner(), workspaceId);
});
afterAll(() => app.close());

const contact = async (body: object = {}) => (await key.post("/api/contacts", body, 201)).body;
const read = async (id: string) => (await key.get(`/api/contacts/${id}`, 200)).body;
const merge = <S extends number>(id: string, sourceContactId: string, expected: S, more: object = {}) =>
  key.post(`/api/contacts/${id}/merge`, { sourceContactId, ...more }, expected);
const values = (points: { value: string }[]): string[] => points.map(({ value }) => value);
const answerWrong = async (conversationId: string) => {
  const { body } = await key.post(`/api/conversations/${conversationId}/verification/questions`, {}, 200);
  return (
    await key.post(
      `/api/conversations/${conversationId}/verification/answers`,
      { questionId: body.questions[0]!.questionId, answer: "wrong" },
      200,
    )
  ).body;
};
const eventsOf = async (conversationId: string) =>
  (await key.get(`/api/conversations/${conversationId}/identity-events`, 200)).body.events;

test("the path's contact survives: it keeps its values, gets missing ones, and the addresses and labels are combined", async () => {
  const account = (await key.post("/api/accounts", { name: "Account" }, 201)).body;
  const survivor = await contact({
    name: "Ada",
    labels: ["vip", "both"],
    attributes: { plan: "gold", city: "London" },
    emails: ["ada@example.com", "both@example.com"],
    phones: ["+4930901820"],
  });
  const source = await contact({
    name: "A. Lovelace",
    language: "en",
    externalId: "crm-1",
    labels: ["both", "new"],
    attributes: { plan: "silver", seats: 2 },
    emails: ["both@example.com", "lovelace@example.com"],
    phones: ["+442079460958"],
  });
  await key.put(`/api/contacts/${source.id}/account`, { accountId: account.id }, 200);
  await app.db.query(`update contact_point set verified_at = now() where contact_id = $1`, [source.id]);
  const body = (await merge(survivor.id, source.id, 200)).body as Schemas["Contact"];
  expect(body).toMatchObject({
    id: survivor.id,
    name: "Ada",
    language: "en",
    externalId: "crm-1",
    accountId: account.id,
    labels: ["vip", "both", "new"],
    attributes: { plan: "gold", city: "London", seats: 2 },
    mergedIntoId: null,
  });
  expect(values(body.emails)).toEqual(["ada@example.com", "both@example.com", "lovelace@example.com"]);
  expect(body.emails.map(({ verifiedAt }) => verifiedAt !== null)).toEqual([false, true, true]);
  expect(values(body.phones)).toEqual(["+4930901820", "+442079460958"]);
  expect(await read(survivor.id)).toEqual(body);
  expect(await read(source.id)).toMatchObject({
    id: source.id,
    mergedIntoId: survivor.id,
    externalId: null,
    accountId: null,
    emails: [],
    phones: [],
  });
  expect((await key.get(`/api/accounts/${account.id}`, 200)).body.contactCount).toBe(1);
  expect((await key.get("/api/contacts?externalId=crm-1", 200)).body.data).toEqual([body]);
  // The merged contact can be read by its id only, and cannot be changed.
  const listed = (await walk(key, "/api/contacts")).map(({ id }) => id);
  expect([listed.includes(survivor.id), listed.includes(source.id)]).toEqual([true, false]);
  expect((await walk(key, "/api/contacts/search?q=lovelace")).map(({ id }) => id)).toEqual([survivor.id]);
  await key.patch(`/api/contacts/${source.id}`, { name: "X" }, 409);
  await key.put(`/api/contacts/${source.id}/account`, { accountId: account.id }, 409);
  expect((await key.post("/api/conversations", { workspaceId, contactId: source.id }, 409)).body.error).toContain(
    survivor.id,
  );
});

test("conversations, identity events and counted wrong answers move to the survivor", async () => {
  const [one, two] = [
    await start(key, workspaceId, { contact: { name: "Ada", emails: ["one@example.com"] } }),
    await start(key, workspaceId, {
      contact: { name: "Ada", emails: ["two@example.com"] },
      message: { body: "Hello" },
    }),
  ];
  await answerWrong(two.id);
  await answerWrong(two.id);
  await key.post(`/api/conversations/${two.id}/verification/magic-links`, { channel: "email" }, 200);
  await app.db.query(
    `insert into eid_binding (tenant_id, contact_id, issuer, person) values ($1, $2, 'https://eid.example.com', $3)`,
    [tenant.tenantId, two.contactId, randomBytes(8)],
  );
  const before = await eventsOf(two.id);
  await merge(one.contactId, two.contactId, 200);
  expect((await walk(key, `/api/conversations?contactId=${one.contactId}`)).map(({ id }) => id).toSorted()).toEqual(
    [one.id, two.id].toSorted(),
  );
  // The same events with the same ids and times, now of the survivor.
  const after = await eventsOf(two.id);
  expect(before.some(({ factorBoundToPrincipal }) => factorBoundToPrincipal === two.contactId)).toBe(true);
  expect(after).toEqual(
    before.map((event) => ({ ...event, factorBoundToPrincipal: event.factorBoundToPrincipal && one.contactId })),
  );
  for (const table of [
    "verification_question",
    "verification_attempt",
    "magic_link",
    "eid_binding",
    "conversation",
    "contact_point",
    "contact_workspace",
  ]) {
    expect(await app.db.query(`select 1 from ${table} where contact_id = $1`, [two.contactId]), table).toEqual([]);
  }
  // Two of a person's five wrong answers in 24 hours were counted, in any of the conversations.
  expect((await answerWrong(one.id)).remainingAttempts).toBe(2);
  await answerWrong(one.id);
  expect((await answerWrong(one.id)).remainingAttempts).toBe(0);
  await key.post(`/api/conversations/${two.id}/messages`, { body: "Still here" }, 201);
});

test("the cases of both contacts belong to the survivor, record the merge, and are included in its erasure", async () => {
  const owner = await tenant.owner();
  const [survivor, other] = [await contact({ name: "Ada" }), await contact({ name: "Ada" })];
  const { body: mine } = await owner.post("/api/cases", { workspaceId, title: "Hers", contactId: survivor.id }, 201);
  const { body: theirs } = await owner.post(
    "/api/cases",
    { workspaceId, title: "The other one's", contactId: other.id },
    201,
  );
  const preview = (await merge(survivor.id, other.id, 200, { dryRun: true })).body as Schemas["MergePreview"];
  expect(preview.cases).toBe(1);
  await merge(survivor.id, other.id, 200);
  expect((await walk(owner, `/api/cases?contactId=${survivor.id}`)).map(({ id }) => id)).toEqual([theirs.id, mine.id]);
  expect((await walk(owner, `/api/cases/${theirs.id}/events`)).at(-1)).toMatchObject({
    type: "contact",
    from: other.id,
    to: survivor.id,
    actor: { kind: "apiKey" },
  });
  expect((await key.post(`/api/contacts/${survivor.id}/erasure`, undefined, 200)).body.erased).toMatchObject({
    contacts: 2,
    cases: 2,
  });
  expect((await owner.get(`/api/cases/${theirs.id}`, 200)).body).toMatchObject({ title: "", contactId: null });
  expect((await walk(owner, `/api/cases/${theirs.id}/events`)).at(-1)).toMatchObject({
    type: "contact",
    from: null,
    to: null,
  });
});

test("conversations of both contacts are found by the names and addresses of either", async () => {
  const one = await start(key, workspaceId, {
    contact: { name: "Wilhelmina", emails: ["first@merge-search.example"] },
  });
  const two = await start(key, workspaceId, {
    contact: { name: "Unheard", emails: ["second@merge-search.example"], phones: ["+442079460001"] },
  });
  await merge(one.contactId, two.contactId, 200);
  for (const query of ["wilhelmina", "first@merge-search.example", "second@merge-search.example", "020 7946 0001"]) {
    expect(
      (await key.post("/api/conversations/search", { query }, 200)).body.data
        .map(({ conversation }) => conversation.id)
        .toSorted(),
      query,
    ).toEqual([one.id, two.id].toSorted());
  }
  for (const q of ["wilhelmina", "second@merge-search", "79460001"])
    expect(
      (await walk(key, `/api/contacts/search?q=${q}`)).map(({ id }) => id),
      q,
    ).toEqual([one.contactId]);
});

test("a preview returns the result of the merge and changes nothing", async () => {
  const [survivor, other] = [
    await contact({ name: "Ada" }),
    await start(key, workspaceId, { contact: { name: "Ada", emails: ["preview@example.com"], externalId: "preview" } }),
  ];
  await answerWrong(other.id);
  const before = await snapshot(app.db);
  const preview = (await merge(survivor.id, other.contactId, 200, { dryRun: true })).body as Schemas["MergePreview"];
  expect(await snapshot(app.db)).toEqual(before);
  expect(preview).toMatchObject({
    conversations: 1,
    cases: 0,
    bookings: 0,
    identityEvents: 3,
    verifications: 2,
    contact: { id: survivor.id, externalId: "preview", emails: [{ value: "preview@example.com" }] },
  });
  const { body } = await merge(survivor.id, other.contactId, 200, { dryRun: false });
  const { updatedAt: _, ...expected } = preview.contact;
  expect(body).toMatchObject(expected);
});

test("is refused for two different people: both with an externalId, or both identified by an eID", async () => {
  const [one, two] = [await contact({ externalId: "person-1" }), await contact({ externalId: "person-2" })];
  expect((await merge(one.id, two.id, 409)).body.error).toMatch(/externalId/);
  expect((await merge(one.id, two.id, 409, { dryRun: true })).body.error).toMatch(/externalId/);
  const [three, four] = [await contact(), await contact()];
  for (const { id } of [three, four])
    await app.db.query(
      `insert into eid_binding (tenant_id, contact_id, issuer, person) values ($1, $2, 'https://eid.example.com', $3)`,
      [tenant.tenantId, id, randomBytes(8)],
    );
  const before = await snapshot(app.db);
  expect((await merge(three.id, four.id, 409)).body.error).toMatch(/eID/);
  expect(await snapshot(app.db)).toEqual(before);
});

test("is refused with itself, a contact merged before, or an absent contact", async () => {
  const [one, two, three] = [await contact(), await contact(), await contact()];
  await merge(one.id, one.id, 400);
  await merge(one.id, one.id.toUpperCase(), 400);
  await merge(one.id, two.id, 200);
  await merge(one.id, two.id, 409);
  await merge(two.id, one.id, 409);
  await merge(two.id, three.id, 409);
  await merge(one.id, UNKNOWN_ID, 404);
  await merge(UNKNOWN_ID, one.id, 404);
});

test("contacts merged earlier point directly to the last survivor, and are included in its erasure", async () => {
  const [a, b, c] = [await contact({ name: "A" }), await contact({ name: "B" }), await contact({ name: "C" })];
  await merge(b.id, c.id, 200);
  await merge(a.id, b.id, 200);
  expect([(await read(b.id)).mergedIntoId, (await read(c.id)).mergedIntoId]).toEqual([a.id, a.id]);
  const { body } = await key.post(`/api/contacts/${a.id}/erasure`, undefined, 200);
  expect(body.certificate.contactIds.toSorted()).toEqual([a.id, b.id, c.id].toSorted());
  for (const { id } of [a, b, c]) await key.get(`/api/contacts/${id}`, 404);
});

test("a restricted caller can merge contacts within its reach, and sees the merged contact if it sees the survivor", async () => {
  const workspace = await newWorkspace(key, tenant.defaults.brandId);
  const restricted = await keyFor(await tenant.owner(), {
    dataScope: { level: "workspace", workspaceId: workspace.id },
  });
  const [mine, also] = [await start(key, workspace.id), await start(key, workspace.id)];
  const elsewhere = await contact();
  await restricted.post(`/api/contacts/${mine.contactId}/merge`, { sourceContactId: elsewhere.id }, 404);
  await restricted.post(`/api/contacts/${elsewhere.id}/merge`, { sourceContactId: mine.contactId }, 404);
  await restricted.post(`/api/contacts/${mine.contactId}/merge`, { sourceContactId: also.contactId }, 200);
  expect((await restricted.get(`/api/contacts/${also.contactId}`, 200)).body.mergedIntoId).toBe(mine.contactId);
  expect((await walk(restricted, "/api/contacts")).map(({ id }) => id)).toEqual([mine.contactId]);
});
