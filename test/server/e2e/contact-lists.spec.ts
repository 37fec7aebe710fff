import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RepairJob } from "../../../src/platform/derived/repair.job.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect } from "../../support/database.js";
import { aTime, newAgent, newWorkspace, NOT_FOUND, noticeChange, start, UNKNOWN_ID, walk } from "./support.js";

type Contact = Schemas["Contact"];

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let other: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  other = (await newWorkspace(owner, tenant.defaults.brandId)).id;
});
afterAll(() => app.close());

const create = async (body: object, client: Client = tenant.live): Promise<Contact> =>
  (await client.post("/api/contacts", body, 201)).body;
const read = async (id: string, client: Client = tenant.live): Promise<Contact> =>
  (await client.get(`/api/contacts/${id}`, 200)).body;
const writes = (conversationId: string, body = "Hello") =>
  tenant.live.post(`/api/conversations/${conversationId}/messages`, { body }, 201);
const seen = async (id: string, at: string | null): Promise<void> => {
  await app.db.query("update contact set last_seen_at = coalesce($2::timestamptz, '-infinity') where id = $1", [
    id,
    at,
  ]);
  await noticeChange(app, tenant.tenantId);
};

describe("lastSeenAt", () => {
  test("is null until the contact writes, and then the time of the message, to within a minute", async () => {
    const { id } = await create({ name: "Seen" });
    expect((await read(id)).lastSeenAt).toBeNull();
    const conversation = await start(tenant.live, tenant.defaults.workspaceId, { contactId: id });
    await tenant.live.post(`/api/conversations/${conversation.id}/reply`, { body: "From us" }, 200);
    expect((await read(id)).lastSeenAt).toBeNull();

    await writes(conversation.id);
    const first = (await read(id)).lastSeenAt;
    expect(first).toEqual(aTime);
    await writes(conversation.id);
    expect((await read(id)).lastSeenAt).toBe(first);

    await seen(id, "2026-01-01T00:00:00.000Z");
    await writes(conversation.id);
    expect((await read(id)).lastSeenAt! > first!).toBe(true);
  });

  test("a message does not wait for a contact that somebody has locked; what it left out is derived", async () => {
    const { id } = await create({ name: "Locked" });
    const conversation = await start(tenant.live, tenant.defaults.workspaceId, { contactId: id });
    const holder = await connect(app.db.url);
    try {
      await holder.query("begin");
      await holder.query("select 1 from contact where id = $1 for no key update", [id]);
      await writes(conversation.id);
    } finally {
      await holder.end();
    }
    expect((await read(id)).lastSeenAt).toBeNull();
    await app.db.query("update derived_repair set due_at = now() - interval '1 second'");
    await app.app.get(RepairJob).tick();
    await noticeChange(app, tenant.tenantId);
    expect((await read(id)).lastSeenAt).toEqual(aTime);
  });

  test("a merge keeps the later one, and an erasure forgets it", async () => {
    const [a, b] = [await create({ name: "One" }), await create({ name: "Two" })];
    await seen(a.id, "2026-02-01T00:00:00.000Z");
    await seen(b.id, "2026-03-01T00:00:00.000Z");
    const { body } = await tenant.live.post<Contact>(`/api/contacts/${a.id}/merge`, { sourceContactId: b.id }, 200);
    expect(body.lastSeenAt).toBe("2026-03-01T00:00:00.000Z");
    await tenant.live.post(`/api/contacts/${a.id}/erasure`, undefined, 200);
    const rows = await app.db.query("select last_seen_at = '-infinity' as gone, sort_name from contact where id = $1", [
      a.id,
    ]);
    expect(rows).toEqual([{ gone: true, sort_name: String.fromCodePoint(1_114_111) }]);
  });
});

describe("a list", () => {
  let desk: TestTenant;
  let live: Client;
  let elsewhere: string;
  let agent: Client;
  let maker: Client;
  let account: string;
  let all: Contact[];
  const workspacesOf = new Map<string, string[]>();
  const madeBy = new Set<string>();

  beforeAll(async () => {
    desk = await app.tenant();
    ({ live } = desk);
    const boss = await desk.owner();
    const here = desk.defaults.workspaceId;
    elsewhere = (await newWorkspace(boss, desk.defaults.brandId)).id;
    agent = await newAgent(boss, [here]);
    maker = await keyFor(boss, { dataScope: { level: "workspace", workspaceId: here } });
    account = (await live.post("/api/accounts", { name: "Analytical Engines" }, 201)).body.id;
    const names = ["Émile", "anna", "Zoë", "Bernd", null, "émile", "Çelik", "bernd"];
    for (let n = 0; n < 24; n++) {
      const made = n % 6 === 5;
      const contact = await create(
        {
          name: names[n % names.length],
          labels: [...(n % 2 ? ["vip"] : []), ...(n % 5 ? [] : ["late"])],
          emails: [`c${n}@example.com`],
        },
        made ? maker : live,
      );
      if (made) madeBy.add(contact.id);
      if (n % 4 === 0) await live.put(`/api/contacts/${contact.id}/account`, { accountId: account }, 200);
      const at = [here, elsewhere].filter((_, w) => !made && (n % 3 === w || n % 3 === 2));
      workspacesOf.set(contact.id, at);
      for (const workspaceId of at) await start(live, workspaceId, { contactId: contact.id });
      if (n % 8 === 1) await live.patch(`/api/contacts/${contact.id}`, { blocked: true }, 200);
      if (n % 3)
        // Each time twice: pages must not lose or repeat a row.
        await app.db.query("update contact set last_seen_at = $2 where id = $1", [
          contact.id,
          new Date(Date.UTC(2026, 5, 1 + ((n * 5) % 6))),
        ]);
    }
    await noticeChange(app, desk.tenantId);
    all = await walk(live, "/api/contacts");
    expect(all).toHaveLength(24);
  });

  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const sortName = ({ name }: Contact): string =>
    name === null ? "\u{10FFFF}" : name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const ORDERS = {
    recent: (a: Contact, b: Contact) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id),
    lastSeen: (a: Contact, b: Contact) => compare(b.lastSeenAt ?? "", a.lastSeenAt ?? "") || compare(b.id, a.id),
    name: (a: Contact, b: Contact) => compare(sortName(a), sortName(b)) || compare(a.id, b.id),
  };
  /** Of a filtered list, whose pages may be short. */
  const read = async (client: Client, query: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      expect(page).toBeLessThan(50);
      const { body } = await client.get<{ data: Contact[]; nextCursor?: string }>(
        `/api/contacts?limit=3&${query}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
        200,
      );
      ids.push(...body.data.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    return ids;
  };

  test.each(["recent", "lastSeen", "name"] as const)(
    "sorted by %s has each contact within reach and the filters once, in order, on pages of three",
    async (sort) => {
      const here = desk.defaults.workspaceId;
      const callers: [Client, (contact: Contact) => boolean][] = [
        [live, () => true],
        [agent, ({ id }) => workspacesOf.get(id)!.includes(here)],
        [maker, ({ id }) => madeBy.has(id) || workspacesOf.get(id)!.includes(here)],
      ];
      const filters: [string, (contact: Contact) => boolean][] = [
        ["", () => true],
        [`workspaceId=${here}`, ({ id }) => workspacesOf.get(id)!.includes(here)],
        ["label=vip", ({ labels }) => labels.includes("vip")],
        ["label=vip&blocked=false", ({ labels, blocked }) => labels.includes("vip") && !blocked],
        ["blocked=true", ({ blocked }) => blocked],
        ["blocked=false", ({ blocked }) => !blocked],
        [`accountId=${account}`, ({ accountId }) => accountId === account],
        [
          `accountId=${account}&label=late&workspaceId=${here}`,
          ({ id, accountId, labels }) =>
            accountId === account && labels.includes("late") && workspacesOf.get(id)!.includes(here),
        ],
        [
          `ids=${all
            .slice(3, 15)
            .map(({ id }) => id)
            .join(",")}&label=vip`,
          (contact) => all.indexOf(contact) >= 3 && all.indexOf(contact) < 15 && contact.labels.includes("vip"),
        ],
      ];
      for (const [client, reaches] of callers)
        for (const [query, matches] of filters) {
          const expected = all.filter((contact) => reaches(contact) && matches(contact)).sort(ORDERS[sort]);
          expect(await read(client, `sort=${sort}&${query}`), `${query}`).toEqual(expected.map(({ id }) => id));
        }
    },
    60_000,
  );

  test("a workspace out of reach is 404, and a wrong sort or filter 400", async () => {
    expect((await agent.get(`/api/contacts?workspaceId=${elsewhere}`, 404)).body).toEqual(NOT_FOUND);
    for (const query of ["sort=age", "blocked=maybe", "accountId=7", "label="])
      await live.get(`/api/contacts?${query}`, 400);
  });

  test("a cursor belongs to its order and its filters", async () => {
    const { body } = await live.get("/api/contacts?sort=name&limit=3", 200);
    const cursor = encodeURIComponent(body.nextCursor!);
    await live.get(`/api/contacts?sort=lastSeen&limit=3&cursor=${cursor}`, 400);
    await live.get(`/api/contacts?sort=name&label=vip&limit=3&cursor=${cursor}`, 400);
  });

  test("follows a new name, and so does that of a restricted caller", async () => {
    const first = (await read(agent, "sort=name"))[0]!;
    const moved = all.find(
      ({ id, name }) => id !== first && name && workspacesOf.get(id)!.includes(desk.defaults.workspaceId),
    )!;
    await live.patch(`/api/contacts/${moved.id}`, { name: "Åaron" }, 200);
    for (const client of [live, agent]) expect((await read(client, "sort=name"))[0]).toBe(moved.id);
    await live.patch(`/api/contacts/${moved.id}`, { name: moved.name }, 200);
  });

  test("of accounts can be sorted by name", async () => {
    for (const name of ["Zebra", "Ähre", "äpfel"]) await live.post("/api/accounts", { name }, 201);
    const names = (await walk(live, "/api/accounts?sort=name", 2)).map(({ name }) => name);
    expect(names).toEqual(["Ähre", "Analytical Engines", "äpfel", "Zebra"]);
  });
});

describe("a list of accounts", () => {
  test("filtered by industry and plan has each account within reach once, in both orders, on pages of two", async () => {
    const firm = await app.tenant();
    const boss = await firm.owner();
    const restricted = await newAgent(boss, [firm.defaults.workspaceId]);
    for (let n = 0; n < 12; n++) {
      const industry = n % 2 ? "Banking" : "Transport";
      const plan = n % 3 ? "Gold" : null;
      const { id } = (await firm.live.post("/api/accounts", { name: `Firm ${(n * 7) % 12}`, industry, plan }, 201))
        .body;
      if (n % 4 === 0) continue;
      const { contactId } = await start(firm.live, firm.defaults.workspaceId, { contact: { name: `Of ${n}` } });
      await firm.live.put(`/api/contacts/${contactId}/account`, { accountId: id }, 200);
    }
    await noticeChange(app, firm.tenantId);
    const queries: [string, (one: Schemas["Account"]) => boolean][] = [
      ["industry=Banking", ({ industry }) => industry === "Banking"],
      ["plan=Gold", ({ plan }) => plan === "Gold"],
      ["plan=Gold&industry=Transport", ({ plan, industry }) => plan === "Gold" && industry === "Transport"],
      ["plan=gold", () => false],
    ];
    for (const client of [firm.live, restricted])
      for (const sort of ["recent", "name"]) {
        const all = await walk(client, `/api/accounts?sort=${sort}`, 2);
        expect(all).toHaveLength(client === restricted ? 9 : 12);
        for (const [query, matches] of queries)
          expect(await walk(client, `/api/accounts?sort=${sort}&${query}`, 2), query).toEqual(all.filter(matches));
      }
    const { nextCursor } = (await firm.live.get("/api/accounts?plan=Gold&limit=2", 200)).body;
    await firm.live.get(`/api/accounts?industry=Banking&limit=2&cursor=${encodeURIComponent(nextCursor!)}`, 400);
    await firm.live.get("/api/accounts?plan=", 400);
  });
});

describe("a bulk action on accounts", () => {
  type Account = Schemas["Account"];
  const open = async (body: object = {}): Promise<Account> =>
    (await tenant.live.post("/api/accounts", { name: "Bulk", ...body }, 201)).body;
  const account = async (id: string): Promise<Account> => (await tenant.live.get(`/api/accounts/${id}`, 200)).body;
  const change = (ids: string[], action: object, client: Client = tenant.live) =>
    client.post<Schemas["AccountsChanged"]>("/api/accounts/bulk-actions", { ids, ...action }, 200);

  test("sets the given fields of each, leaves the others, and says which it could not change", async () => {
    const [a, b] = [await open({ plan: "Gold", industry: "Banking" }), await open({ industry: "Transport" })];
    const { body } = await change([a.id, b.id, UNKNOWN_ID], { type: "set", plan: " Gold " });
    expect(body).toEqual({ done: 2, errors: [{ accountId: UNKNOWN_ID, error: "Not found" }] });
    expect(await account(a.id)).toEqual(a);
    expect(await account(b.id)).toMatchObject({ plan: "Gold", industry: "Transport" });
    await change([a.id, b.id], { type: "set", plan: null, industry: "Law" });
    for (const { id } of [a, b]) expect(await account(id)).toMatchObject({ plan: null, industry: "Law" });
  });

  test("deletes them; their contacts and conversations stay, without an account", async () => {
    const [gone, empty, kept] = [await open({ name: "Xylograph" }), await open(), await open()];
    const member = await create({ name: "Of both" });
    const deleted = await create({ name: "Deleted since" });
    const other = await create({ name: "Elsewhere" });
    const conversation = await start(tenant.live, tenant.defaults.workspaceId, { contactId: member.id });
    for (const [{ id }, accountId] of [
      [member, gone.id],
      [deleted, gone.id],
      [other, kept.id],
    ] as const)
      await tenant.live.put(`/api/contacts/${id}/account`, { accountId }, 200);
    await owner.delete(`/api/contacts/${deleted.id}`, 200);
    const { body } = await change([gone.id, empty.id, UNKNOWN_ID], { type: "delete" });
    expect(body).toEqual({ done: 2, errors: [{ accountId: UNKNOWN_ID, error: "Not found" }] });
    for (const { id } of [gone, empty])
      expect((await tenant.live.get(`/api/accounts/${id}`, 404)).body).toEqual(NOT_FOUND);
    expect((await read(member.id)).accountId).toBeNull();
    expect((await read(other.id)).accountId).toBe(kept.id);
    expect((await tenant.live.get(`/api/conversations/${conversation.id}`, 200)).body.accountId).toBeNull();
    const found = await tenant.live.get("/api/accounts/search?q=xylograph", 200);
    expect(found.body.data).toEqual([]);
    expect(
      await app.db.query("select 1 from directory_entry where id = any($1::uuid[])", [[gone.id, empty.id]]),
    ).toEqual([]);
  });

  test("unlinks at most 2,000 contacts at once", async () => {
    const { id } = await open();
    await app.db.query(
      `insert into contact (tenant_id, id, account_id) select $1, gen_random_uuid(), $2 from generate_series(1, 2001)`,
      [tenant.tenantId, id],
    );
    const { body } = await tenant.live.post("/api/accounts/bulk-actions", { ids: [id], type: "delete" }, 409);
    expect(body).toEqual({
      error: expect.stringMatching(/^More than 2000 contacts belong to these accounts/) as string,
    });
    await app.db.query(
      "delete from contact where account_id = $1 and id in (select id from contact where account_id = $1 limit 1)",
      [id],
    );
    expect((await change([id], { type: "delete" })).body.done).toBe(1);
  });

  test("reaches only what its caller reaches, and a restricted caller deletes none", async () => {
    const [mine, theirs] = [await open(), await open()];
    for (const [{ id }, workspaceId] of [
      [mine, tenant.defaults.workspaceId],
      [theirs, other],
    ] as const) {
      const { contactId } = await start(tenant.live, workspaceId, { contact: { name: "Of it" } });
      await tenant.live.put(`/api/contacts/${contactId}/account`, { accountId: id }, 200);
    }
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    const { body } = await change([mine.id, theirs.id], { type: "set", plan: "Gold" }, agent);
    expect(body).toEqual({ done: 1, errors: [{ accountId: theirs.id, error: "Not found" }] });
    expect((await account(theirs.id)).plan).toBeNull();
    const bulk = (action: object, status: number) =>
      agent.post("/api/accounts/bulk-actions", { ids: [theirs.id], ...action }, status as 404);
    expect((await bulk({ type: "set", plan: "Gold" }, 404)).body).toEqual(NOT_FOUND);
    const refused = await bulk({ type: "delete" }, 403);
    expect(refused.body).toEqual({ error: "Forbidden" });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "x-error-code": "reach-missing",
      "x-error-detail": "takes a caller that reaches the whole organisation",
    });
    await account(mine.id);
  });

  test("takes an id in capital letters for the same one, once", async () => {
    const [a, b] = [await open(), await open()];
    const { body } = await change([a.id.toUpperCase(), b.id], { type: "set", plan: "Gold" });
    expect(body).toEqual({ done: 2, errors: [] });
    const twice = { ids: [a.id, a.id.toUpperCase()] };
    await tenant.live.post("/api/accounts/bulk-actions", { ...twice, type: "set", plan: "Gold" }, 400);
    await tenant.live.post("/api/contacts/bulk-actions", { ...twice, type: "block" }, 400);
  });

  test.each([
    [{ type: "set" }, "set needs industry or plan"],
    [{ type: "delete", plan: "Gold" }, "delete takes neither industry nor plan"],
    [{ type: "set", plan: "" }, "plan must be longer than or equal to 1 characters"],
  ])("%j is 400", async (action, error) => {
    const { body } = await tenant.live.post("/api/accounts/bulk-actions", { ids: [UNKNOWN_ID], ...action }, 400);
    expect(body).toMatchObject({ error });
  });
});

test("a label of thousands is found in the order of the list, by a page that reads so many at most", async () => {
  const many = await app.tenant();
  const here = many.defaults.workspaceId;
  const restricted = await keyFor(await many.owner(), { dataScope: { level: "workspace", workspaceId: here } });
  // The 2,100 oldest have the label, and none of the 2,100 newest.
  await app.db.query(
    `insert into contact (tenant_id, id, name, labels, created_at)
     select $1, gen_random_uuid(), lpad((n * 7 % 4201)::text, 4, '0'), case when n > 2100 then '{many}' else '{}' end::text[], now() - n * interval '1 minute'
     from generate_series(1, 4200) n`,
    [many.tenantId],
  );
  await app.db.query(
    `insert into contact_workspace (tenant_id, contact_id, workspace_id, contact_created_at, contact_last_seen_at, contact_sort_name)
     select tenant_id, id, $2, created_at, last_seen_at, sort_name from contact where tenant_id = $1`,
    [many.tenantId, here],
  );
  await app.db.query("analyze contact, contact_workspace, contact_label");
  await noticeChange(app, many.tenantId);
  for (const client of [many.live, restricted])
    for (const sort of ["recent", "name"]) {
      const names: string[] = [];
      let pages = 0;
      for (let cursor = ""; ; pages++) {
        expect(pages).toBeLessThan(60);
        const { body } = await client.get<{ data: Contact[]; nextCursor?: string }>(
          `/api/contacts?label=many&sort=${sort}&limit=100${cursor}`,
          200,
        );
        names.push(...body.data.map(({ name }) => name!));
        if (body.nextCursor === undefined) break;
        cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
      }
      expect(names).toHaveLength(2100);
      if (sort === "name") expect(names).toEqual([...names].sort());
      expect(new Set(names).size).toBe(2100);
    }
});

describe("a bulk action", () => {
  const change = (ids: string[], action: object, client: Client = tenant.live) =>
    client.post<Schemas["ContactsChanged"]>("/api/contacts/bulk-actions", { ids, ...action }, 200);

  test("changes the labels of each, and says which it could not change", async () => {
    const [a, b, c, full] = [
      await create({ labels: ["old", "kept"] }),
      await create({ labels: ["new"] }),
      await create({}),
      await create({ labels: Array.from({ length: 50 }, (_, n) => `l${n}`) }),
    ];
    await tenant.live.post(`/api/contacts/${a.id}/merge`, { sourceContactId: c.id }, 200);
    const ids = [a, b, c, full].map(({ id }) => id);
    const { body } = await change([...ids, UNKNOWN_ID], { type: "label", add: ["new"], remove: ["old"] });
    expect(body).toMatchObject({ done: 2 });
    expect(new Map(body.errors.map(({ contactId, error }) => [contactId, error]))).toEqual(
      new Map([
        [c.id, `The contact was merged into ${a.id}, which stands for it now`],
        [full.id, "A contact has at most 50 labels"],
        [UNKNOWN_ID, "Not found"],
      ]),
    );
    expect((await read(a.id)).labels).toEqual(["kept", "new"]);
    expect((await read(b.id)).labels).toEqual(["new"]);
    expect((await read(b.id)).updatedAt).toBe(b.updatedAt);
  });

  test("links and unlinks, blocks and unblocks", async () => {
    const ids = [(await create({})).id, (await create({})).id];
    const { body: account } = await tenant.live.post("/api/accounts", { name: "Bulk" }, 201);
    await change(ids, { type: "link", accountId: account.id });
    for (const id of ids) expect((await read(id)).accountId).toBe(account.id);
    await change(ids, { type: "unlink" });
    const conversation = await start(tenant.live, tenant.defaults.workspaceId, { contactId: ids[0] });
    await change(ids, { type: "block" });
    for (const id of ids) expect(await read(id)).toMatchObject({ accountId: null, blocked: true });
    await tenant.live.post(`/api/conversations/${conversation.id}/messages`, { body: "Hello" }, 409);
    await change(ids, { type: "unblock" });
    await writes(conversation.id);
  });

  test("blocks a contact that has more than 50 labels since a merge, and takes labels from it", async () => {
    const labels = (prefix: string) => Array.from({ length: 40 }, (_, n) => `${prefix}${n}`);
    const [a, b] = [await create({ labels: labels("a") }), await create({ labels: labels("b") })];
    await tenant.live.post(`/api/contacts/${a.id}/merge`, { sourceContactId: b.id }, 200);
    expect((await change([a.id], { type: "block" })).body).toEqual({ done: 1, errors: [] });
    expect((await change([a.id], { type: "label", remove: ["a0"] })).body).toEqual({ done: 1, errors: [] });
    expect(await read(a.id)).toMatchObject({ blocked: true, labels: [...labels("a").slice(1), ...labels("b")] });
    expect((await change([a.id], { type: "label", add: ["c"], remove: ["a1"] })).body.done).toBe(1);
    expect((await change([a.id], { type: "label", add: ["d"] })).body).toMatchObject({
      errors: [{ contactId: a.id, error: "A contact has at most 50 labels" }],
    });
  });

  test("reaches only what its caller reaches; if that is none, or not the account, it is 404", async () => {
    const [mine, theirs] = [await create({}), await create({})];
    await start(tenant.live, tenant.defaults.workspaceId, { contactId: mine.id });
    await start(tenant.live, other, { contactId: theirs.id });
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    const { body } = await change([mine.id, theirs.id], { type: "block" }, agent);
    expect(body).toEqual({ done: 1, errors: [{ contactId: theirs.id, error: "Not found" }] });
    expect((await read(theirs.id)).blocked).toBe(false);
    const bulk = (ids: string[], action: object) => agent.post("/api/contacts/bulk-actions", { ids, ...action }, 404);
    await bulk([theirs.id], { type: "unblock" });
    await bulk([mine.id], { type: "link", accountId: UNKNOWN_ID });
  });

  test.each([
    [{ type: "label" }, "label needs labels to add or to remove"],
    [{ type: "label", add: ["a"], remove: ["a"] }, "add and remove must not have a label in common"],
    [{ type: "link" }, "link needs accountId"],
    [{ type: "block", add: ["a"] }, "block takes no add"],
  ])("%j is refused", async (action, error) => {
    const { body } = await tenant.live.post("/api/contacts/bulk-actions", { ids: [UNKNOWN_ID], ...action }, 400);
    expect(body).toEqual({ error });
  });
});
