import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { anId, aTime, newAgent, newWorkspace, NOT_FOUND, noticeChange, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("contacts", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await app.tenant();
  });

  const create = async (body: object, client: Client = tenant.live) =>
    (await client.post("/api/contacts", body, 201)).body;
  const refusal = async (body: object): Promise<string> =>
    (await tenant.live.post("/api/contacts", body, 400)).body.error;
  const read = async (id: string, client: Client = tenant.live) => (await client.get(`/api/contacts/${id}`, 200)).body;

  describe("a new contact", () => {
    test("has every field; omitted fields are null or empty", async () => {
      const contact = await create({});
      expect(contact).toEqual({
        id: anId,
        externalId: null,
        name: null,
        emails: [],
        phones: [],
        language: null,
        accountId: null,
        labels: [],
        attributes: {},
        blocked: false,
        mergedIntoId: null,
        lastSeenAt: null,
        createdAt: aTime,
        updatedAt: aTime,
      });
      expect(await read(contact.id)).toEqual(contact);
    });

    test("keeps the given values; a given address is not verified", async () => {
      const given = {
        externalId: "crm-1",
        name: "Ada Lovelace",
        language: "en",
        labels: ["vip", "Über"],
        attributes: { plan: "gold", nested: [{ a: null }] },
      };
      const { id } = await create({ ...given, emails: ["ada@example.com"], phones: ["+4930901820"] });
      expect(await read(id)).toMatchObject({
        ...given,
        emails: [{ value: "ada@example.com", verifiedAt: null }],
        phones: [{ value: "+4930901820", verifiedAt: null }],
      });
    });

    test("has emails in lower case and phones in E.164, in the given order", async () => {
      const { id } = await create({
        emails: ["  Zoe@Example.COM ", "ada@example.com"],
        phones: ["+49 (30) 901-820", "+1 650-253-0000", "+44 20 7946 0958"],
      });
      const { emails, phones } = await read(id);
      expect(emails.map(({ value }) => value)).toEqual(["zoe@example.com", "ada@example.com"]);
      expect(phones.map(({ value }) => value)).toEqual(["+4930901820", "+16502530000", "+442079460958"]);
    });

    // No part of a text is dropped silently.
    test.each([
      "030 901820",
      "4930901820",
      "+",
      "+49",
      "call me",
      "me: +49 30 901820",
      "+49 30 901820 or so",
      "+1 650-253-0000 ext. 5",
      "",
    ])("is refused with the phone %j, and the error explains the format", async (phone) => {
      expect(await refusal({ phones: ["+442079460958", phone] })).toBe(
        "each value in phones must be a phone number with its country code, such as +4930901820",
      );
    });

    test.each(["ada", "ada@", "@example.com", "a b@example.com", ""])("is refused with the email %j", async (email) => {
      expect(await refusal({ emails: [email] })).toMatch(/emails must be an email/);
    });

    test("is refused if two addresses are equal after normalization", async () => {
      expect(await refusal({ emails: ["ada@example.com", "ADA@example.com "] })).toMatch(/emails/);
      expect(await refusal({ phones: ["+4930901820", "+49 30 901820"] })).toMatch(/phones/);
    });

    test("can share an address with another contact: only a verified address is unique", async () => {
      const address = { emails: ["shared@example.com"], phones: ["+442079460958"] };
      expect((await create(address)).id).not.toBe((await create(address)).id);
    });
  });

  describe("the externalId of a contact", () => {
    test("is unique: a repeat returns 409 without an id, and changes nothing", async () => {
      const contact = await create({ externalId: "once", name: "First" });
      const { body } = await tenant.live.post(
        "/api/contacts",
        { externalId: "once", name: "Second", emails: ["second@example.com"] },
        409,
      );
      expect(body).toEqual({ error: "A contact with this externalId exists already" });
      expect(await read(contact.id)).toEqual(contact);
      expect((await tenant.live.get("/api/contacts?externalId=once", 200)).body).toEqual({ data: [contact] });
    });

    test("is scoped to the tenant: another tenant can use the same one", async () => {
      const other = await app.tenant();
      await create({ externalId: "everybodys" });
      const theirs = await create({ externalId: "everybodys" }, other.live);
      expect((await other.live.get("/api/contacts?externalId=everybodys", 200)).body).toEqual({ data: [theirs] });
    });

    test("is not set if it is null", async () => {
      expect((await create({ externalId: null })).id).not.toBe((await create({ externalId: null })).id);
    });
  });

  describe("the contact list", () => {
    test("is newest first, complete at every page size", async () => {
      const { live, tenantId } = await app.tenant();
      const contacts: Schemas["Contact"][] = [];
      for (let n = 0; n < 8; n++)
        contacts.unshift(await create({ externalId: `c-${n}`, emails: [`c-${n}@example.com`] }, live));
      // Created at the same moment, as by an import.
      await app.db.query("update contact set created_at = $1 where id = any ($2)", [
        contacts[0]!.createdAt,
        contacts.slice(0, 4).map(({ id }) => id),
      ]);
      await noticeChange(app, tenantId);
      const all = await walk(live, "/api/contacts");
      expect(all.map(({ id }) => id).toSorted()).toEqual(contacts.map(({ id }) => id).toSorted());
      expect(all.slice(4)).toEqual(contacts.slice(4));
      expect(all.slice(0, 4).map(({ id }) => id)).toEqual(
        contacts
          .slice(0, 4)
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      );
      for (const limit of [1, 3, 8]) expect(await walk(live, "/api/contacts", limit)).toEqual(all);
    });

    test("filters by exact externalId", async () => {
      const contact = await create({ externalId: "Crm-4711" });
      expect((await tenant.live.get("/api/contacts?externalId=Crm-4711", 200)).body).toEqual({ data: [contact] });
      for (const other of ["crm-4711", "Crm-471", "Crm-4711%20x", "%25"])
        expect((await tenant.live.get(`/api/contacts?externalId=${other}`, 200)).body).toEqual({ data: [] });
    });
  });

  describe("by ids, the list", () => {
    const listed = async (client: Client, query: string): Promise<string[]> => {
      const { body } = await client.get(`/api/contacts?${query}` as "/api/contacts", 200);
      expect(body).not.toHaveProperty("nextCursor");
      return body.data.map(({ id }) => id);
    };

    test("returns those contacts once each on one page, newest first, whatever the limit", async () => {
      const made: string[] = [];
      for (let n = 0; n < 3; n++) made.unshift((await create({ externalId: `given-${n}` })).id);
      for (const query of [
        `ids=${made.join(",")}`,
        `ids=${made.toReversed().join(",")}&limit=1`,
        made.map((id) => `ids=${id}`).join("&"),
        `ids=${[...made, made[0], made[1]!.toUpperCase(), UNKNOWN_ID].join(",")}`,
      ])
        expect(await listed(tenant.live, query)).toEqual(made);
      expect(await listed(tenant.live, `ids=${made.join(",")}&externalId=given-1`)).toEqual([made[1]]);
    });

    test("takes a hundred of them, and no more", async () => {
      const { live, tenantId } = await app.tenant();
      const rows = await app.db.query<{ id: string }>(
        "insert into contact (tenant_id, id) select $1, gen_random_uuid() from generate_series(1, 101) returning id",
        [tenantId],
      );
      const given = rows.map(({ id }) => id);
      expect(await listed(live, `ids=${given.slice(1).join(",")}`)).toHaveLength(100);
      await live.get(`/api/contacts?ids=${given.join(",")}`, 400);
    });

    test("shows a merged contact with its survivor, and no erased or deleted one", async () => {
      const [survivor, merged, gone] = [await create({}), await create({}), await create({})];
      await tenant.live.post(`/api/contacts/${survivor.id}/merge`, { sourceContactId: merged.id }, 200);
      await tenant.live.delete(`/api/contacts/${gone.id}`, 200);
      const { body } = await tenant.live.get(
        `/api/contacts?ids=${[survivor, merged, gone].map(({ id }) => id).join(",")}`,
        200,
      );
      expect(body.data.map(({ id, mergedIntoId }) => ({ id, mergedIntoId }))).toEqual([
        { id: merged.id, mergedIntoId: survivor.id },
        { id: survivor.id, mergedIntoId: null },
      ]);
    });
  });

  describe("a restricted caller", () => {
    let owner: Client;
    let here: string;
    let there: string;
    beforeAll(async () => {
      owner = await tenant.owner();
      here = tenant.defaults.workspaceId;
      const brand = (await owner.post("/api/brands", { name: "Second" }, 201)).body;
      there = (await newWorkspace(tenant.live, brand.id)).id;
    });
    const keyOf = (workspaceId: string) => keyFor(owner, { dataScope: { level: "workspace", workspaceId } });
    const ids = async (client: Client): Promise<string[]> =>
      (await walk(client, "/api/contacts", 7)).map(({ id }) => id);

    test("sees only contacts that appear in its workspaces: in the list, by id and by externalId", async () => {
      const ours = await create({ externalId: "in-here" });
      const theirs = await create({ externalId: "in-there" });
      const nowhere = await create({ externalId: "in-none" });
      await start(tenant.live, here, { contactId: ours.id });
      await start(tenant.live, there, { contactId: theirs.id });
      const callers = [
        await keyOf(here),
        await keyFor(owner, { dataScope: { level: "brand", brandId: tenant.defaults.brandId } }),
        await newAgent(owner, [here]),
      ];
      for (const caller of callers) {
        expect(await read(ours.id, caller)).toEqual(ours);
        const seen = await ids(caller);
        expect(seen).toContain(ours.id);
        for (const { id, externalId } of [theirs, nowhere]) {
          expect(seen).not.toContain(id);
          expect((await caller.get(`/api/contacts/${id}`, 404)).body).toEqual(NOT_FOUND);
          expect((await caller.get(`/api/contacts?externalId=${externalId}`, 200)).body).toEqual({ data: [] });
          expect((await caller.get(`/api/contacts?ids=${id},${ours.id}`, 200)).body).toEqual({ data: [ours] });
        }
      }
      expect(await ids(await newAgent(owner, []))).toEqual([]);
    });

    test("sees a contact that appears in one of its workspaces and elsewhere too", async () => {
      const shared = await create({});
      for (const workspaceId of [here, there]) await start(tenant.live, workspaceId, { contactId: shared.id });
      for (const workspaceId of [here, there]) expect(await ids(await keyOf(workspaceId))).toContain(shared.id);
    });

    test("sees a contact that it created before it appears in any workspace; another caller of the same workspace does not", async () => {
      const key = await keyOf(here);
      const made = await create({ name: "Mine" }, key);
      expect(await read(made.id, key)).toEqual(made);
      expect(await ids(key)).toContain(made.id);
      const colleague = await keyOf(here);
      await colleague.get(`/api/contacts/${made.id}`, 404);
      await start(key, here, { contactId: made.id });
      expect(await read(made.id, colleague)).toEqual(made);
    });

    test("loses access to a contact when the workspace where it appeared is deleted", async () => {
      const workspace = await newWorkspace(tenant.live, tenant.defaults.brandId);
      const agent = await newAgent(owner, [workspace.id, here]);
      const { contactId } = await start(tenant.live, workspace.id);
      await read(contactId, agent);
      await tenant.live.delete(`/api/workspaces/${workspace.id}`, 200);
      await agent.get(`/api/contacts/${contactId}`, 404);
      await read(contactId, tenant.live);
    });
  });

  test("an unknown contact returns 404", async () => {
    expect((await tenant.live.get(`/api/contacts/${UNKNOWN_ID}`, 404)).body).toEqual(NOT_FOUND);
  });
});

describe("accounts", () => {
  let tenant: TestTenant;
  let key: Client;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
  });

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
});
