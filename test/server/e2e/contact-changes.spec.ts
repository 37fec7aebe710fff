import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newWorkspace, start, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(() => app.close());

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
