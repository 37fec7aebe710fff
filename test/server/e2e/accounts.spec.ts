import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newWorkspace, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(() => app.close());

const create = async (body: object, client: Client = key) => (await client.post("/api/accounts", body, 201)).body;
const contact = async (body: object = {}): Promise<string> => (await key.post("/api/contacts", body, 201)).body.id;
const read = async (id: string, client: Client = key) => (await client.get(`/api/accounts/${id}`, 200)).body;

test("a new account has every field, and is updated field by field", async () => {
  const account = await create({
    name: "Analytical Engines",
    domains: [" Engines.Example.COM "],
    externalId: "acc-1",
    industry: "Engineering",
    attributes: { seats: 4 },
  });
  expect(account).toEqual({
    id: anId,
    externalId: "acc-1",
    name: "Analytical Engines",
    domains: ["engines.example.com"],
    industry: "Engineering",
    plan: null,
    attributes: { seats: 4 },
    contactCount: 0,
    createdAt: aTime,
    updatedAt: aTime,
  });
  const { body } = await key.patch(`/api/accounts/${account.id}`, { plan: "gold", industry: null, domains: [] }, 200);
  expect(body).toEqual({ ...account, plan: "gold", industry: null, domains: [], updatedAt: aTime });
  expect((await key.patch(`/api/accounts/${account.id}`, {}, 200)).body).toEqual(body);
  expect((await key.get("/api/accounts?externalId=acc-1", 200)).body).toEqual({ data: [body] });
  await key.patch(`/api/accounts/${account.id}`, { name: null }, 400);
  await key.post("/api/accounts", { externalId: "nameless" }, 400);
  await key.post("/api/accounts", { name: "X", domains: ["no domain"] }, 400);
});

test("an externalId belongs to one account: a repeat returns 409, in a creation and in an update", async () => {
  await create({ name: "First", externalId: "acc-once" });
  const { id } = await create({ name: "Second" });
  expect((await key.post("/api/accounts", { name: "Third", externalId: "acc-once" }, 409)).body).toEqual({
    error: "An account with this externalId exists already",
  });
  await key.patch(`/api/accounts/${id}`, { externalId: "acc-once" }, 409);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => key.post("/api/accounts", { name: "Raced", externalId: "acc-raced" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
});

describe("the link between a contact and an account", () => {
  test("can be set, moved and removed; the account counts and lists its contacts", async () => {
    const [one, two] = [await create({ name: "One" }), await create({ name: "Two" })];
    const ids = [await contact({ name: "A" }), await contact({ name: "B" }), await contact({ name: "C" })];
    for (const id of ids)
      expect((await key.put(`/api/contacts/${id}/account`, { accountId: one.id }, 200)).body.accountId).toBe(one.id);
    expect((await read(one.id)).contactCount).toBe(3);
    expect((await walk(key, `/api/accounts/${one.id}/contacts`, 2)).map(({ id }) => id)).toEqual(ids.toReversed());
    await key.put(`/api/contacts/${ids[0]}/account`, { accountId: two.id }, 200);
    expect((await key.delete(`/api/contacts/${ids[1]}/account`, 200)).body.accountId).toBeNull();
    expect((await key.delete(`/api/contacts/${ids[1]}/account`, 200)).body.accountId).toBeNull();
    expect([(await read(one.id)).contactCount, (await read(two.id)).contactCount]).toEqual([1, 1]);
    await key.delete(`/api/contacts/${ids[2]}`, 200);
    expect((await read(one.id)).contactCount).toBe(0);
    await key.put(`/api/contacts/${ids[0]}/account`, { accountId: UNKNOWN_ID }, 404);
  });

  test("appears in the contact's conversations", async () => {
    const conversation = await start(key, tenant.defaults.workspaceId);
    const { id } = await create({ name: "Shown" });
    await key.put(`/api/contacts/${conversation.contactId}/account`, { accountId: id }, 200);
    expect((await key.get(`/api/conversations/${conversation.id}`, 200)).body.accountId).toBe(id);
  });
});

test("account search finds names, domains and externalIds despite typing mistakes, and finds no contacts", async () => {
  const { id } = await create({ name: "Lovelace & Söhne", domains: ["lovelace.example.org"], externalId: "erp-991" });
  await contact({ name: "Lovelace" });
  for (const q of ["lovelace", "sohne", "lovelaec", "lovelace.example", "erp-99"])
    expect(
      (await walk(key, `/api/accounts/search?q=${encodeURIComponent(q)}`)).map((account) => account.id),
      q,
    ).toEqual([id]);
});

test("a restricted caller sees the accounts of the contacts within its reach and those it created, and its counts include no other contacts", async () => {
  const owner = await tenant.owner();
  const workspace = await newWorkspace(key, tenant.defaults.brandId);
  const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspace.id } });
  const { id } = await create({ name: "Quasimodo Bells" });
  const [inside, outside] = [await contact(), await contact()];
  for (const one of [inside, outside]) await key.put(`/api/contacts/${one}/account`, { accountId: id }, 200);
  const seen = async () => [
    (await walk(restricted, "/api/accounts")).map((account) => account.id),
    (await walk(restricted, "/api/accounts/search?q=quasimodo")).map((account) => account.id),
  ];
  await restricted.get(`/api/accounts/${id}`, 404);
  await restricted.get(`/api/accounts/${id}/contacts`, 404);
  await restricted.patch(`/api/accounts/${id}`, { name: "X" }, 404);
  expect(await seen()).toEqual([[], []]);
  await start(key, workspace.id, { contactId: inside });
  expect(await seen()).toEqual([[id], [id]]);
  expect((await read(id, restricted)).contactCount).toBe(1);
  expect((await walk(restricted, `/api/accounts/${id}/contacts`)).map((one) => one.id)).toEqual([inside]);
  const made = await create({ name: "Quasimodo Ropes" }, restricted);
  expect((await seen()).map((ids) => ids.toSorted())).toEqual([[id, made.id].toSorted(), [id, made.id].toSorted()]);
});
