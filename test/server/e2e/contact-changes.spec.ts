import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newAgent, newWorkspace, NOT_FOUND, start, walk } from "./support.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { askForNames } from "../contract/fixtures.js";
import { tablesWith } from "../../races/support.js";
import { run as runSql } from "../../support/sql.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("changes of a contact", () => {
  let tenant: TestTenant;
  let key: Client;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
  });

  const create = async (body: object, client: Client = key) => (await client.post("/api/contacts", body, 201)).body;
  const read = async (id: string) => (await key.get(`/api/contacts/${id}`, 200)).body;
  const values = (points: { value: string }[]): string[] => points.map(({ value }) => value);
  const prove = (id: string, value: string) =>
    app.db.query("update contact_point set verified_at = now() where contact_id = $1 and value = $2", [id, value]);

  describe("updating a contact", () => {
    test("changes only the given fields, and null clears a field", async () => {
      const { id } = await create({
        externalId: "change-1",
        name: "Ada",
        language: "en",
        labels: ["a"],
        attributes: { plan: "gold" },
        emails: ["ada@example.com"],
      });
      const { body } = await key.patch(
        `/api/contacts/${id}`,
        {
          name: " Ada Lovelace ",
          language: null,
          labels: ["b", "c"],
          attributes: { seats: 2 },
          externalId: "change-2",
          blocked: true,
        },
        200,
      );
      expect(body).toMatchObject({
        name: " Ada Lovelace ",
        language: null,
        labels: ["b", "c"],
        attributes: { seats: 2 },
        externalId: "change-2",
        blocked: true,
        emails: [{ value: "ada@example.com", verifiedAt: null }],
      });
      expect(await read(id)).toEqual(body);
      expect((await key.patch(`/api/contacts/${id}`, {}, 200)).body).toEqual(body);
    });

    test("replaces emails and phones, normalized and in order; an address that stays keeps its verification", async () => {
      const { id } = await create({ emails: ["one@example.com", "two@example.com"], phones: ["+4930901820"] });
      await prove(id, "two@example.com");
      const { body } = await key.patch(
        `/api/contacts/${id}`,
        { emails: ["Three@Example.com", " TWO@example.com"], phones: ["+1 650-253-0000", "+49 (30) 901-820"] },
        200,
      );
      expect(values(body.emails)).toEqual(["three@example.com", "two@example.com"]);
      expect(body.emails.map(({ verifiedAt }) => verifiedAt !== null)).toEqual([false, true]);
      expect(values(body.phones)).toEqual(["+16502530000", "+4930901820"]);
      expect((await key.patch(`/api/contacts/${id}`, { emails: [] }, 200)).body).toMatchObject({
        emails: [],
        phones: body.phones,
      });
      expect((await key.patch(`/api/contacts/${id}`, { phones: ["030 901820"] }, 400)).body.error).toMatch(
        /country code/,
      );
    });

    test("takes emails and phones back as it shows them, and believes no verifiedAt that it did not set", async () => {
      const { id } = await create({ emails: ["back@example.com", "proven@example.com"], phones: ["+4930901820"] });
      await prove(id, "proven@example.com");
      const { emails, phones } = await read(id);
      const path = `/api/contacts/${id}` as const;
      expect((await key.patch(path, { emails, phones }, 200)).body).toMatchObject({ emails, phones });
      const verifiedAt = "2020-01-01T00:00:00.000Z";
      const claimed = emails.map(({ value }) => ({ value: ` ${value.toUpperCase()}`, verifiedAt }));
      expect((await key.patch(path, { emails: claimed, phones: ["+49 30 901820"] }, 200)).body.emails).toEqual(emails);
      const { body } = await key.patch(
        path,
        { emails: [emails[1]!.value, { value: "new@example.com", verifiedAt }] },
        200,
      );
      expect(body.emails).toEqual([emails[1], { value: "new@example.com", verifiedAt: null }]);
      const made = await create({
        emails: [{ value: "Made@Example.com", verifiedAt }],
        phones: [{ value: "+49 30 901821" }],
      });
      expect(made).toMatchObject({
        emails: [{ value: "made@example.com", verifiedAt: null }],
        phones: [{ value: "+4930901821", verifiedAt: null }],
      });
      for (const emails of [
        [{}],
        [{ value: 1 }],
        [{ value: "a@example.com", label: "work" }],
        [{ value: "a@example.com", verifiedAt: true }],
        [null],
        [["a@example.com"]],
      ])
        expect((await key.patch(path, { emails }, 400)).body.error).toBe(
          "each value in emails must be an email, or an object with one as its value",
        );
      expect((await key.patch(path, { phones: [{ verifiedAt }] }, 400)).body.error).toMatch(
        /^each value in phones must/,
      );
      const twice = ["+4930901820", { value: "+49 30 901820" }];
      expect((await key.patch(path, { phones: twice }, 400)).body.error).toMatch(/unique/);
      expect((await read(id)).emails).toEqual(body.emails);
    });

    test("cannot take another contact's externalId, and can repeat its own", async () => {
      const [mine] = [await create({ externalId: "taken-1" }), await create({ externalId: "taken-2" })];
      expect((await key.patch(`/api/contacts/${mine.id}`, { externalId: "taken-2", name: "X" }, 409)).body).toEqual({
        error: "A contact with this externalId exists already",
      });
      expect(await read(mine.id)).toEqual(mine);
      await key.patch(`/api/contacts/${mine.id}`, { externalId: "taken-1" }, 200);
    });

    test("only one contact can have a verified address: the database refuses a second one", async () => {
      const [one, two] = [
        await create({ emails: ["proof@example.com"] }),
        await create({ emails: ["proof@example.com"] }),
      ];
      await prove(one.id, "proof@example.com");
      await expect(prove(two.id, "proof@example.com")).rejects.toThrow(/contact_point_verified/);
    });
  });

  describe("a blocked contact", () => {
    test("cannot send messages: its messages return 409 in existing and new conversations, and we can still write", async () => {
      const { workspaceId } = tenant.defaults;
      const conversation = await start(key, workspaceId, { message: { body: "Hello", externalId: "m-1" } });
      const path = `/api/conversations/${conversation.id}`;
      await key.post(`${path}/resolve`, { resolution: "spam" }, 200);
      await key.patch(`/api/contacts/${conversation.contactId}`, { blocked: true }, 200);
      expect((await key.post(`${path}/messages`, { body: "Again" }, 409)).body).toEqual({
        error: "The contact is blocked: its messages are not taken",
      });
      await key.post(
        "/api/conversations",
        { workspaceId, contactId: conversation.contactId, message: { body: "Again" } },
        409,
      );
      expect((await key.get(path, 200)).body).toMatchObject({ status: "resolved", messageCount: 1 });
      expect(await walk(key, `/api/conversations?contactId=${conversation.contactId}`)).toHaveLength(1);
      // A repeat of an accepted message gets the same response again.
      await key.post(`${path}/messages`, { body: "Hello", externalId: "m-1" }, 200);
      await key.post(`${path}/reply`, { body: "Goodbye" }, 200);
      await key.post(`${path}/notes`, { body: "Abusive" }, 201);
      await key.patch(`/api/contacts/${conversation.contactId}`, { blocked: false }, 200);
      await key.post(`${path}/messages`, { body: "Sorry" }, 201);
    });
  });

  describe("contact search", () => {
    let ids: Record<string, string>;
    const found = async (q: string, client: Client = key): Promise<string[]> =>
      (await walk(client, `/api/contacts/search?q=${encodeURIComponent(q)}`, 3)).map(
        ({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id,
      );
    beforeAll(async () => {
      ids = {};
      const people: Record<string, object> = {
        turing: {
          name: "Alan Mathison Turing",
          emails: ["alan.turing@bletchley.example.com"],
          phones: ["+442079460958"],
        },
        hopper: { name: "Grace Hopper", emails: ["grace@navy.example.com"], externalId: "CRM-000815" },
        mueller: { name: "Jörg Müller-Weiß", phones: ["+493012345678"] },
        wang: { name: "王小明" },
        // The parts that are looked up for "montgomery", each in another word.
        monteverdi: { name: "Monx Tgox Merx Eryx" },
        kate: { name: "Kate Turing-Smith" },
      };
      for (const [name, body] of Object.entries(people)) ids[name] = (await create(body)).id;
    });

    test.each([
      ["words in any order, as whole or as a beginning", "turing alan", ["turing"]],
      ["a part of a word", "thiso", ["turing"]],
      ["what all of the words are in", "turing", ["kate", "turing"]],
      ["a letter left out", "Tring alan", ["turing"]],
      ["a letter too many", "hoppper", ["hopper"]],
      ["two letters exchanged", "garce", ["hopper"]],
      ["another letter", "Hupper", ["hopper"]],
      ["without accents, in any case", "jorg MULLER", ["mueller"]],
      ["ß as ss", "weiss", ["mueller"]],
      ["a part of an email", "bletchley", ["turing"]],
      ["an email", "grace@navy.example.com", ["hopper"]],
      ["a phone as it is dialled at home", "030 1234-5678", ["mueller"]],
      ["the end of a phone", "460958", ["turing"]],
      ["a phone with its country", "+44 20 7946 0958", ["turing"]],
      ["a part of your own id", "crm-0008", ["hopper"]],
      ["characters without spaces between words", "小明", ["wang"]],
      ["a short beginning", "gr", ["hopper"]],
      ["no long word whose parts are in other words", "montgomery", []],
      ["nothing that is there", "zzzzqqqq", []],
      ["what LIKE would take for anything", "%", []],
    ])("finds %s: %s", async (_, q, expected) => {
      expect((await found(q)).toSorted()).toEqual(expected);
    });

    test("ranks exact matches first, and finds a contact's changes at once", async () => {
      const [long, exact] = [await create({ name: "Zebulon" }), await create({ name: "Zebulon the Second" })];
      expect((await key.get("/api/contacts/search?q=zebulon", 200)).body.data.map(({ id }) => id)).toEqual([
        long.id,
        exact.id,
      ]);
      await key.patch(`/api/contacts/${long.id}`, { name: "Ottokar", emails: ["otto@example.net"] }, 200);
      expect((await walk(key, "/api/contacts/search?q=zebulon")).map(({ id }) => id)).toEqual([exact.id]);
      expect((await walk(key, "/api/contacts/search?q=otto@")).map(({ id }) => id)).toEqual([long.id]);
      await key.patch(`/api/contacts/${long.id}`, { emails: [] }, 200);
      expect(await walk(key, "/api/contacts/search?q=otto@")).toEqual([]);
    });

    test.each(["2026-0815", "98.76/5", "(0)-0-1"])(
      "finds an id of figures with something between them: %s",
      async (id) => {
        const exact = await create({ name: "Somebody", externalId: id });
        expect((await walk(key, `/api/contacts/search?q=${encodeURIComponent(id)}`)).map((one) => one.id)).toEqual([
          exact.id,
        ]);
      },
    );

    test("finds the exact match among more contacts than it gives back", async () => {
      const lines = Array.from({ length: 320 }, (_, n) => JSON.stringify({ name: "Quo", externalId: `quo-42${n}` }));
      await key.post("/api/contacts/import", new Blob([lines.join("\n")], { type: "application/x-ndjson" }), 200);
      const exact = await create({ name: "Somebody else", externalId: "quo-42" });
      const found = await walk(key, "/api/contacts/search?q=quo-42");
      expect(found[0]!.id).toBe(exact.id);
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    });

    test("returns only contacts within a restricted caller's reach, and none of another tenant", async () => {
      const workspace = await newWorkspace(key, tenant.defaults.brandId);
      const restricted = await keyFor(await tenant.owner(), {
        dataScope: { level: "workspace", workspaceId: workspace.id },
      });
      expect(await found("turing", restricted)).toEqual([]);
      await start(key, workspace.id, { contactId: ids.turing });
      expect(await found("turing", restricted)).toEqual(["turing"]);
      const made = await create({ name: "Turing the Third" }, restricted);
      expect((await found("turing", restricted)).toSorted()).toEqual([made.id, "turing"].toSorted());
      expect(await found("turing", (await app.tenant()).live)).toEqual([]);
    });

    test("requires a query", async () => {
      for (const query of ["", "?q=", "?q=%20"]) await key.get(`/api/contacts/search${query}`, 400);
    });
  });

  test("a restricted caller's contact list is sorted by age and complete at every page size", async () => {
    const { live, defaults, owner } = await app.tenant();
    const workspaces = [
      defaults.workspaceId,
      (await newWorkspace(live, defaults.brandId)).id,
      (await newWorkspace(live, defaults.brandId)).id,
    ];
    const agents = await keyFor(await owner(), { dataScope: { level: "brand", brandId: defaults.brandId } });
    const expected: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { id } = await create({ name: `Contact ${n}` }, n % 4 ? live : agents);
      if (n % 4 === 3) continue;
      expected.unshift(id);
      // Some contacts are in one workspace, some in several, and some that the caller created are in none.
      if (n % 4)
        for (const workspaceId of workspaces.slice(0, (n % 3) + 1)) await start(live, workspaceId, { contactId: id });
    }
    for (const limit of [1, 2, 5, 100])
      expect((await walk(agents, "/api/contacts", limit)).map(({ id }) => id)).toEqual(expected);
  });
});

describe("deletion", () => {
  let tenant: TestTenant;
  let key: Client;
  let workspaceId: string;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
    ({ workspaceId } = tenant.defaults);
    await askForNames(await tenant.owner(), workspaceId);
  });

  const eventsOf = async (id: string) => (await key.get(`/api/conversations/${id}/identity-events`, 200)).body.events;
  const person = {
    name: "Needle",
    externalId: "needle",
    emails: ["needle@example.com"],
    phones: ["+4930901820"],
    attributes: { is: "needle" },
  };
  const begin = (externalId: string) =>
    start(key, workspaceId, { externalId, contact: { ...person, externalId }, message: { body: "Hello" } });
  const age = (id: string, days: number) =>
    app.db.query(`update contact set deleted_at = now() - make_interval(days => $2) where id = $1`, [id, days]);
  const run = async () => app.app.get(DailyService).runNow();

  describe("a deleted contact", () => {
    test("disappears from every response at once, with its identity events; its conversations stay", async () => {
      const conversation = await begin("gone");
      const id = conversation.contactId;
      await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
      expect(await eventsOf(conversation.id)).toHaveLength(1);
      const first = await key.post("/api/contacts", { externalId: "stored" }, 201, {
        headers: { "idempotency-key": "stored" },
      });
      expect((await key.delete(`/api/contacts/${id}`, 200)).body).toEqual({ ok: true });
      await key.delete(`/api/contacts/${first.body.id}`, 200);

      for (const answer of [
        await key.get(`/api/contacts/${id}`, 404),
        await key.patch(`/api/contacts/${id}`, { name: "X" }, 404),
        await key.delete(`/api/contacts/${id}`, 404),
        await key.post(`/api/contacts/${id}/merge`, { sourceContactId: first.body.id }, 404),
      ]) {
        expect(answer.body).toEqual(NOT_FOUND);
      }
      expect((await walk(key, "/api/contacts")).map((contact) => contact.id)).not.toContain(id);
      for (const q of ["needle", "30901820"]) expect(await walk(key, `/api/contacts/search?q=${q}`), q).toEqual([]);
      expect((await key.get("/api/contacts?externalId=gone", 200)).body.data).toEqual([]);
      expect(await eventsOf(conversation.id)).toEqual([]);
      expect((await key.post("/api/conversations/search", { query: "needle" }, 200)).body.data).toEqual([]);
      expect((await key.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toMatchObject([
        { body: "Hello" },
      ]);
      await key.post("/api/conversations", { workspaceId, contactId: id }, 404);
      await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 404);
      // A retry does not restore it either.
      await key.post("/api/contacts", { externalId: "stored" }, 409, { headers: { "idempotency-key": "stored" } });
    });

    test("hides its own identity events alone, where a conversation has events of two contacts", async () => {
      for (const deleted of ["the conversation's contact", "the other one"]) {
        const [conversation, other] = [await begin(`of two, ${deleted}`), await start(key, workspaceId)];
        await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
        await app.db.query(
          `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, factor_category, factor_bound_to_principal, evidence_ref, transition_key)
         select tenant_id, gen_random_uuid(), workspace_id, conversation_id, event_type, factor_category, $2, evidence_ref, transition_key || ' of another'
         from identity_event where conversation_id = $1`,
          [conversation.id, other.contactId],
        );
        await app.db.query(
          `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key)
         select tenant_id, gen_random_uuid(), workspace_id, id, 'ani_blocked', 'caller_ani', '["+4930901820"]', 'of nobody ' || id
         from conversation where id = $1`,
          [conversation.id],
        );
        const bound = async () => (await eventsOf(conversation.id)).map((event) => event.factorBoundToPrincipal);
        expect(await bound()).toEqual([conversation.contactId, other.contactId, null]);
        const [gone, kept] =
          deleted === "the other one"
            ? [other.contactId, conversation.contactId]
            : [conversation.contactId, other.contactId];
        await key.delete(`/api/contacts/${gone}`, 200);
        expect(await bound(), deleted).toEqual([kept, null]);
      }
    });

    test("frees its externalId, so the person can return as a new contact", async () => {
      const { contactId } = await begin("back");
      await key.delete(`/api/contacts/${contactId}`, 200);
      const { body } = await key.post("/api/contacts", { ...person, externalId: "back" }, 201);
      expect(body.id).not.toBe(contactId);
      await key.delete(`/api/contacts/${body.id}`, 200);
    });

    test("is deleted with the contacts merged into it, by the id of any of them", async () => {
      const [one, two] = [await begin("m-1"), await start(key, workspaceId)];
      await key.post(`/api/contacts/${one.contactId}/merge`, { sourceContactId: two.contactId }, 200);
      await key.delete(`/api/contacts/${two.contactId}`, 200);
      for (const { contactId } of [one, two]) await key.get(`/api/contacts/${contactId}`, 404);
    });

    test("is purged with its events by the daily run after 30 days, and not earlier; conversations stay", async () => {
      const { db, close, ...own } = await startApp();
      try {
        const other = await own.tenant();
        await askForNames(await other.owner(), other.defaults.workspaceId);
        const conversation = await start(other.live, other.defaults.workspaceId, {
          contact: { ...person, externalId: "purged" },
          message: { body: "Hello" },
        });
        await other.live.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
        const neighbour = await start(other.live, other.defaults.workspaceId, { contact: { name: "Ada" } });
        await other.live.post(`/api/conversations/${neighbour.id}/verification/questions`, {}, 200);
        const daily = () => own.app.get(DailyService).runNow();
        await other.live.delete(`/api/contacts/${conversation.contactId}`, 200);
        await db.query(`update contact set deleted_at = now() - interval '29 days 23 hours' where id = $1`, [
          conversation.contactId,
        ]);
        expect(await daily()).toMatchObject({ deletedContacts: 0, deletedContactsEvents: 0 });
        expect(Object.keys(await tablesWith(db, "needle")).length).toBeGreaterThan(0);
        await db.query(`update contact set deleted_at = now() - interval '30 days' where id = $1`, [
          conversation.contactId,
        ]);
        expect(await daily()).toMatchObject({ deletedContacts: 1, deletedContactsEvents: 1 });
        expect(await tablesWith(db, "needle")).toEqual({});
        expect(await tablesWith(db, "+4930901820")).toEqual({});
        expect(await db.query("select factor_bound_to_principal as bound from identity_event")).toEqual([
          { bound: neighbour.contactId },
        ]);
        expect(await daily()).toMatchObject({ deletedContacts: 0, deletedContactsEvents: 0 });
        expect((await other.live.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toMatchObject([
          { body: "Hello" },
        ]);
        await other.live.get(`/api/contacts/${conversation.contactId}`, 404);
      } finally {
        await close();
      }
    });

    test("can still be erased, including the text of its conversations", async () => {
      const conversation = await begin("later");
      await key.delete(`/api/contacts/${conversation.contactId}`, 200);
      await age(conversation.contactId, 3);
      expect(
        (await key.post(`/api/contacts/${conversation.contactId}/erasure`, undefined, 200)).body.erased,
      ).toMatchObject({ contacts: 1, conversations: 1, messages: 1 });
      expect((await key.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toMatchObject([
        { body: "" },
      ]);
      expect(await run()).toMatchObject({ leftovers: { contacts: 0 } });
    });
  });

  test("requires an owner or admin; an agent cannot delete", async () => {
    const owner = await tenant.owner();
    const { contactId } = await start(key, workspaceId);
    await (await newAgent(owner, [workspaceId])).delete(`/api/contacts/${contactId}`, 403);
    await owner.delete(`/api/contacts/${contactId}`, 200);
  });

  test("the owner's functions change nothing for a contact that was neither merged nor deleted long ago", async () => {
    const conversation = await begin("untouched");
    await key.post(`/api/conversations/${conversation.id}/verification/questions`, {}, 200);
    for (const name of ["move_identity_events", "purge_identity_events"]) {
      expect(
        await app.transaction(tenant.tenantId, (tx) =>
          runSql(tx, `select ${name}(:tenant, :id) as rows`, { id: conversation.contactId }),
        ),
      ).toEqual([{ rows: 0 }]);
    }
    expect(await eventsOf(conversation.id)).toHaveLength(1);
  });
});
