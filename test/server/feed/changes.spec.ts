import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { FeedService } from "../../../src/feed/feed.service.js";
import { READ_FEED, READ_OCCURRENCES, READ_WHOLE_OCCURRENCES } from "../../../src/feed/feed.queries.js";
import { RESOURCE_TYPES } from "../../../src/feed/resources.js";
import type { Query } from "../../../src/platform/database/statements.js";
import { system } from "../../../src/platform/caller/caller.js";
import { newWorkspace, start } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { undisturbed } from "../../races/support.js";
import { type Change, follow, settled, typesOf } from "./support.js";
import { connect } from "../../support/database.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** Where the feed ended before each test. */
let before: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
});
beforeEach(async () => {
  await settled(app.db);
  ({ cursor: before } = await follow(owner));
});
afterAll(() => app.close());

const since = async (client: Client = tenant.live, query?: string): Promise<Change[]> => {
  await settled(app.db);
  return (await follow(client, before, query)).changes;
};
const path = (cursor: string): `/api/changes?after=${string}` => `/api/changes?after=${encodeURIComponent(cursor)}`;

test("a change is one row, whatever it touches, and carries the resource as the API shows it", async () => {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
    contact: { name: "Ada", emails: ["ada@example.com"], phones: ["+4930901820"] },
    message: { body: "Hello" },
  });
  const changes = await since();
  expect(typesOf(changes).sort()).toEqual(["contact.created", "conversation.created", "message.created"]);
  const { body } = await tenant.live.get(`/api/conversations/${id}`, 200);
  expect(changes.find(({ resourceType }) => resourceType === "conversation")).toEqual({
    cursor: expect.any(String),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    type: "conversation.created",
    workspaceId: tenant.defaults.workspaceId,
    resourceType: "conversation",
    resourceId: id,
    resource: body,
  });
});

test("`now` stands for the end of the feed: what follows its cursor is what happened since", async () => {
  await start(tenant.live, tenant.defaults.workspaceId);
  await settled(app.db);
  const { body: end } = await tenant.live.get(path("now"), 200);
  expect(end).toMatchObject({ data: [], hasMore: false });
  const { id } = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello" } });
  await settled(app.db);
  const { changes } = await follow(tenant.live, end.cursor);
  expect(new Set(changes.map(({ resourceId }) => resourceId))).toContain(id);
  expect(typesOf(changes).sort()).toEqual(["contact.created", "conversation.created", "message.created"]);
  const other = await newWorkspace(owner, tenant.defaults.brandId);
  const narrow = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other.id } });
  await narrow.get(`/api/changes?after=now&workspaceId=${tenant.defaults.workspaceId}`, 404);
});

test("each row's cursor continues behind it, and the answer's behind all of them, even if there is nothing", async () => {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  await tenant.live.post(`/api/conversations/${id}/notes`, { body: "a" }, 201);
  await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
  const all = await since();
  for (const [at, { cursor }] of all.entries()) {
    const { body } = await tenant.live.get(path(cursor), 200);
    // Inside a transaction a resource that changed before and behind the cursor comes again.
    const known = body.data.map((row) => row.cursor).filter((one) => all.some((row) => row.cursor === one));
    expect(known).toEqual(all.slice(at + 1).map((row) => row.cursor));
  }
  const { body: end } = await tenant.live.get(path(all.at(-1)!.cursor), 200);
  expect(end).toEqual({ data: [], cursor: expect.any(String), hasMore: false });
  await tenant.live.post(`/api/conversations/${id}/reopen`, {}, 200);
  await settled(app.db);
  expect(typesOf((await tenant.live.get(path(end.cursor), 200)).body.data)).toEqual(["conversation.updated"]);
});

test("a limit splits the feed and loses nothing", async () => {
  for (let n = 0; n < 5; n++) await start(tenant.live, tenant.defaults.workspaceId);
  const all = await since();
  expect(all.length).toBeGreaterThanOrEqual(10);
  for (const limit of [1, 3, 7]) {
    const pieces = await since(tenant.live, `limit=${limit}`);
    expect(pieces.map(({ resourceId, type }) => `${type} ${resourceId}`)).toEqual(
      all.map(({ resourceId, type }) => `${type} ${resourceId}`),
    );
  }
});

describe("a page that ends inside a transaction", () => {
  /** One transaction that changes conversations in this order, each by its index. */
  async function changed(ids: readonly string[], order: readonly number[]): Promise<void> {
    const client = await connect(app.db.url);
    try {
      await client.query("begin");
      await client.query("select set_config('app.tenant_id', $1, true)", [tenant.tenantId]);
      for (const [n, at] of order.entries())
        await client.query("update conversation set subject = $2 where id = $1", [ids[at], `change ${n}`]);
      await client.query("commit");
    } finally {
      await client.end();
    }
  }
  const conversations = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await start(tenant.live, tenant.defaults.workspaceId)).id);
    await settled(app.db);
    ({ cursor: before } = await follow(owner));
    return ids;
  };

  test("is continued in the order of the changes: each of them once, then what the next transaction changed", async () => {
    const ids = await conversations(6);
    await changed(ids, [3, 1, 5, 0, 4, 2]);
    await changed(ids, [2, 0]);
    const expected = [3, 1, 5, 0, 4, 2, 2, 0].map((at) => ids[at]);
    for (const limit of [1, 2, 4, 5, 7, 500]) {
      const rows = await since(tenant.live, `limit=${limit}`);
      expect([limit, rows.map(({ resourceId }) => resourceId)]).toEqual([limit, expected]);
      expect(new Set(rows.map(({ cursor }) => cursor)).size).toBe(rows.length);
    }
  });

  test("shows a resource that changed on both sides of the end on both pages, and once on each", async () => {
    const ids = await conversations(3);
    const order = [0, 0, 1, 0, 2, 1, 1, 0];
    await changed(ids, order);
    const whole = await since();
    expect(whole.map(({ resourceId }) => resourceId)).toEqual([0, 1, 2].map((at) => ids[at]));
    for (const limit of [1, 2, 3, 4, 5]) {
      const pages: string[][] = [];
      let after = before;
      for (let more = true; more;) {
        const { body } = await tenant.live.get(`${path(after)}&limit=${limit}`, 200);
        pages.push(body.data.map(({ resourceId }) => resourceId));
        ({ cursor: after, hasMore: more } = body);
      }
      // The feed has a row for each change: a page has those of its part of the transaction, folded.
      const parts = Array.from({ length: Math.ceil(order.length / limit) }, (_, n) =>
        order.slice(n * limit, (n + 1) * limit),
      );
      const folded = parts.map((part) => [...new Set(part)].map((at) => ids[at]));
      expect([limit, pages.filter(({ length }) => length)]).toEqual([limit, folded]);
      // Whoever stores each row has everything, in its final state.
      expect(new Set(pages.flat())).toEqual(new Set(ids));
    }
  });

  test("and at the cursor of any of its rows goes on behind that row", async () => {
    const ids = await conversations(5);
    await changed(ids, [0, 1, 2, 3, 4]);
    const all = await since();
    for (const [at, { cursor }] of all.entries()) {
      const { changes } = await follow(tenant.live, cursor, "limit=2");
      expect(changes.map(({ resourceId }) => resourceId)).toEqual(ids.slice(at + 1));
    }
  });

  test("tells each event of a stream once, whatever fits into one read", async () => {
    const ids = await conversations(4);
    await changed(ids, [1, 3, 0, 2]);
    await settled(app.db);
    const feed = app.app.get(FeedService);
    const side = system("test", tenant.tenantId, "live");
    let { position } = feed.open(tenant.tenantId, before);
    const told: string[] = [];
    for (let more = true; more;) {
      const found = await feed.occurrences(side, position, 3);
      told.push(...found.rows.map(({ resourceId }) => resourceId));
      ({ next: position, more } = found);
    }
    expect(told).toEqual([1, 3, 0, 2].map((at) => ids[at]));
  });
});

describe("a transaction that began earlier and commits later", () => {
  /** A transaction on a connection of its own, which has changed a conversation and has not committed. */
  async function underWay(id: string): Promise<pg.Client> {
    const client = await connect(app.db.url);
    await client.query("begin");
    await client.query("select set_config('app.tenant_id', $1, true)", [tenant.tenantId]);
    await client.query("update conversation set subject = 'late' where id = $1", [id]);
    return client;
  }

  test("is never skipped: what committed before it waits, and nobody is told that nothing changed", async () => {
    const [late, early] = [
      await start(tenant.live, tenant.defaults.workspaceId),
      await start(tenant.live, tenant.defaults.workspaceId),
    ];
    await settled(app.db);
    const { cursor } = await follow(tenant.live, before);
    const slow = await underWay(late.id);
    await tenant.live.patch(`/api/conversations/${early.id}`, { subject: "early" }, 200);
    const held = await tenant.live.get(path(cursor), 200);
    expect(held.body.data).toEqual([]);
    await slow.query("commit");
    await slow.end();
    await settled(app.db);
    // The version did not change with this commit, which no process made. The reader must not be answered from memory.
    const { body } = await tenant.live.get(path(cursor), 200, {
      headers: { "if-none-match": held.headers.get("etag")! },
    });
    expect(body.data.map(({ resourceId }) => resourceId)).toEqual([late.id, early.id]);
    // The cursor of the empty answer leads to the same rows.
    expect((await tenant.live.get(path(held.body.cursor), 200)).body.data).toEqual(body.data);
  });

  test("comes last, with what it says, if it changed the resource last", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await settled(app.db);
    const { cursor } = await follow(tenant.live, before);
    // It has a number, as after any write, and has not reached the conversation.
    const slow = await underWay((await start(tenant.live, tenant.defaults.workspaceId)).id);
    await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await slow.query("update conversation set status = 'pending' where id = $1", [id]);
    await slow.query("commit");
    await slow.end();
    await settled(app.db);
    const side = system("test", tenant.tenantId, "live");
    const { position } = app.app.get(FeedService).open(tenant.tenantId, cursor);
    const { rows } = await app.app.get(FeedService).occurrences(side, position, 500);
    const told = rows.filter(({ resourceType, resourceId }) => resourceType === "conversation" && resourceId === id);
    expect(told.map(({ state }) => state!.status)).toEqual(["resolved", "pending"]);
  });

  test("holds back other tenants too, and they miss nothing either", async () => {
    const other = await app.tenant();
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await settled(app.db);
    const slow = await underWay(id);
    const { cursor } = await follow(other.live);
    await start(other.live, other.defaults.workspaceId);
    expect((await follow(other.live, cursor)).changes).toEqual([]);
    await slow.query("rollback");
    await slow.end();
    await settled(app.db);
    expect(typesOf((await follow(other.live, cursor)).changes)).toEqual(["contact.created", "conversation.created"]);
  });
});

describe("a caller sees", () => {
  test("only the resources of the scopes of its key", async () => {
    await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello" } });
    const contacts = await keyFor(owner, { scopes: ["contacts:read"] });
    const conversations = await keyFor(owner, { scopes: ["conversations:read"] });
    expect(typesOf(await since(contacts))).toEqual(["contact.created"]);
    expect(typesOf(await since(conversations)).sort()).toEqual(["conversation.created", "message.created"]);
    expect((await contacts.get("/api/changes?types=conversation", 403)).body).toEqual({ error: "Forbidden" });
    const writer = await keyFor(owner, { scopes: ["conversations:write"] });
    expect((await writer.get("/api/changes", 403)).body).toEqual({ error: "Forbidden" });
  });

  test("keys and members only in a session: keys if it is an admin's", async () => {
    await keyFor(owner);
    expect(typesOf(await since(owner))).toEqual(["api_key.created"]);
    expect(await since(tenant.live)).toEqual([]);
  });

  test("only what is in its workspaces, and gets on past everything else", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const narrow = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other.id } });
    for (let n = 0; n < 5; n++) await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "No" } });
    const mine = await start(tenant.live, other.id, { message: { body: "Yes" } });
    const seen = await since(narrow, "limit=1&types=conversation,message,contact");
    expect(
      typesOf(seen)
        .filter((type) => type.endsWith(".created"))
        .sort(),
    ).toEqual(["contact.created", "conversation.created", "message.created"]);
    expect(seen.map(({ resourceId }) => resourceId)).toContain(mine.id);
    // The cursor is a position, so it may go from one caller to another.
    await settled(app.db);
    const { cursor } = await follow(narrow, before);
    expect((await tenant.live.get(path(cursor), 200)).body.data).toEqual([]);
  });

  test("what it asks for: a workspace, resources, types", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const { id } = await start(tenant.live, other.id, { message: { body: "Hello" } });
    await start(tenant.live, tenant.defaults.workspaceId);
    expect(typesOf(await since(tenant.live, `workspaceId=${other.id}&types=conversation`))).toEqual([
      "conversation.created",
    ]);
    await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    expect(typesOf(await since(tenant.live, "types=conversation.updated"))).toEqual(["conversation.updated"]);
    expect((await tenant.live.get("/api/changes?types=weather", 400)).body).toMatchObject({
      error: expect.stringContaining("types must name resources (conversation, "),
    });
  });
});

describe("a tombstone", () => {
  test("follows a deletion, an erasure and a merge, without content, for whoever could read the contact", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const near = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId } });
    const far = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other.id } });
    const make = async (): Promise<string> => (await start(tenant.live, tenant.defaults.workspaceId)).contactId;
    const [deleted, erased, merged, survivor] = [await make(), await make(), await make(), await make()];
    await settled(app.db);
    const { cursor } = await follow(owner, before);
    await tenant.live.delete(`/api/contacts/${deleted}`, 200);
    await tenant.live.post(`/api/contacts/${erased}/erasure`, {}, 200);
    await tenant.live.post(`/api/contacts/${survivor}/merge`, { sourceContactId: merged }, 200);
    await settled(app.db);
    const gone = (changes: Change[]): unknown[] =>
      changes.filter(({ resource }) => !resource).map(({ type, resourceId }) => [type, resourceId]);
    const expected = [
      ["contact.deleted", deleted],
      ["contact.erased", erased],
      ["contact.merged", merged],
    ];
    expect(gone((await follow(tenant.live, cursor, "limit=500&types=contact")).changes)).toEqual(expected);
    expect(gone((await follow(near, cursor, "limit=500&types=contact")).changes)).toEqual(expected);
    expect((await follow(far, cursor)).changes).toEqual([]);
    // Earlier rows of what is gone show nothing any more.
    const earlier = (await since(tenant.live, "types=contact.created")).map(({ resourceId }) => resourceId);
    for (const id of [deleted, erased]) expect(earlier).not.toContain(id);
  });

  test("follows the deletion of an account, for whoever reached a contact of it or made it", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const scoped = (workspaceId: string) => keyFor(owner, { dataScope: { level: "workspace", workspaceId } });
    const [near, far] = [await scoped(tenant.defaults.workspaceId), await scoped(other.id)];
    const make = async (client: Client): Promise<string> =>
      (await client.post("/api/accounts", { name: "Initech" }, 201)).body.id;
    const linked = async (workspaceId: string, accountId: string): Promise<string> => {
      const { contactId } = await start(tenant.live, workspaceId);
      await tenant.live.put(`/api/contacts/${contactId}/account`, { accountId }, 200);
      return contactId;
    };
    const [ofNear, ofFar, empty, hidden] = [
      await make(tenant.live),
      await make(tenant.live),
      await make(far),
      await make(tenant.live),
    ];
    await linked(tenant.defaults.workspaceId, ofNear);
    await linked(other.id, ofFar);
    await tenant.live.delete(`/api/contacts/${await linked(other.id, hidden)}`, 200);
    await settled(app.db);
    const { cursor } = await follow(owner, before);
    await tenant.live.post("/api/accounts/bulk-actions", { type: "delete", ids: [ofNear, ofFar, empty, hidden] }, 200);
    await settled(app.db);
    const gone = async (client: Client): Promise<unknown> =>
      (await follow(client, cursor, "types=account")).changes.map(({ type, resourceId, resource }) => {
        expect([type, resource]).toEqual(["account.deleted", null]);
        return resourceId;
      });
    expect(await gone(tenant.live)).toEqual(expect.arrayContaining([ofNear, ofFar, empty, hidden]));
    expect(await gone(near)).toEqual([ofNear]);
    expect(new Set((await gone(far)) as string[])).toEqual(new Set([ofFar, empty]));
  });

  test("of a workspace stands for everything in it", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    await start(tenant.live, id, { message: { body: "Hello" } });
    await settled(app.db);
    const { cursor } = await follow(owner, before);
    await owner.delete(`/api/workspaces/${id}`, 200);
    await settled(app.db);
    const { changes } = await follow(owner, cursor, "types=workspace,conversation,message");
    expect(changes.map(({ type, resourceId, resource }) => [type, resourceId, resource])).toEqual([
      ["workspace.deleted", id, null],
    ]);
  });
});

describe("an unchanged feed", () => {
  test("is 304 from memory, whatever happens in workspaces that the caller does not reach", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    const narrow = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other.id } });
    await undisturbed([app], async () => {
      await settled(app.db);
      const { cursor } = await follow(narrow, before);
      const etag = (await narrow.get(path(cursor), 200)).headers.get("etag")!;
      const again = () => narrow.get(path(cursor), undefined, { headers: { "if-none-match": etag } });
      await tenant.live.post(`/api/conversations/${id}/notes`, { body: "elsewhere" }, 201);
      expect((await again()).status).toBe(304);
      await start(tenant.live, other.id);
      await settled(app.db);
      expect((await again()).status).toBe(200);
    });
  });
});

describe("a cursor", () => {
  test("that was made up, or is of another tenant or side, is refused", async () => {
    const other = await app.tenant();
    const foreign = [(await follow(other.live)).cursor, (await follow(tenant.test)).cursor, "x", `${before}x`];
    for (const cursor of foreign)
      expect((await tenant.live.get(path(cursor), 400)).body).toEqual({
        error: "after is not a cursor that this feed gave",
      });
  });

  test("of before a restoration is 410, and so is one of the future", async () => {
    const feed = app.app.get(FeedService);
    const { epoch } = feed.open(tenant.tenantId, before);
    const restored = feed.minter(tenant.tenantId, "another")(["1", "1"]);
    const future = feed.minter(tenant.tenantId, epoch)(["900000000000", "1"]);
    for (const cursor of [restored, future])
      expect((await tenant.live.get(path(cursor), 410)).body).toMatchObject({
        error: expect.stringContaining("changes are kept for 7 days"),
      });
  });
});

test("whoever asks for the end of the feed while a standby is promoted gets the end of the new one", async () => {
  const feed = app.app.get(FeedService);
  const { end, epoch } = await feed.end(system("test", tenant.tenantId, "live"));
  vi.spyOn(feed, "end").mockResolvedValueOnce({ end, epoch: "of the server before" });
  const { cursor } = (await tenant.live.get("/api/changes?after=now", 200)).body;
  expect(feed.open(tenant.tenantId, cursor).epoch).toBe(epoch);
});

test("a cursor of an empty feed is 410 too, once rows behind it are swept", async () => {
  const empty = await app.tenant();
  await app.db.query("delete from resource_change where tenant_id = $1", [empty.tenantId]);
  const { cursor } = await follow(empty.live);
  expect((await follow(empty.live, cursor)).cursor).toBe(cursor);
  await start(empty.live, empty.defaults.workspaceId);
  await app.db.query("update resource_change set at = at - interval '8 days' where tenant_id = $1", [empty.tenantId]);
  await app.app.get(DailyService).runNow();
  await empty.live.get(path(cursor), 410);
  expect((await empty.live.get("/api/changes", 200)).body.data).toEqual([]);
});

test("rows from a dump, whose transactions have numbers of the future here, hold nobody back", async () => {
  const { contactId } = await start(tenant.live, tenant.defaults.workspaceId);
  await app.db.query(
    `insert into resource_change (tenant_id, transaction_id, position, written_by, at, change, resource_type, resource_id)
      values ($1, 900000000000, 1, 900000000000, now(), 'updated', 'contact', $2)`,
    [tenant.tenantId, contactId],
  );
  await settled(app.db);
  const { cursor } = await follow(tenant.live, before);
  await undisturbed([app], async () => {
    const first = await tenant.live.get(path(cursor), 200);
    expect(first.body.data).toEqual([]);
    const again = { headers: { "if-none-match": first.headers.get("etag")! } };
    expect((await tenant.live.get(path(cursor), undefined, again)).status).toBe(304);
    expect((await tenant.live.get(path(first.body.cursor), 200)).body.data).toEqual([]);
  });
});

test("rows are swept after seven days; a cursor behind them goes on, one before them is 410, and without one the feed begins with what is kept", async () => {
  await start(tenant.test, tenant.testDefaults.workspaceId);
  await settled(app.db);
  const first = (await tenant.test.get("/api/changes?limit=1", 200)).body.cursor;
  await settled(app.db);
  const { cursor: end } = await follow(tenant.test);
  await app.db.query("update resource_change set at = at - interval '8 days' where tenant_id = $1", [
    tenant.testTenantId,
  ]);
  await start(tenant.test, tenant.testDefaults.workspaceId);
  await settled(app.db);
  const { changes: kept } = await follow(tenant.test, end);
  expect((await app.app.get(DailyService).runNow())!.changes).toBeGreaterThan(0);
  await tenant.test.get(path(first), 410);
  expect((await follow(tenant.test, end)).changes).toEqual(kept);
  expect((await follow(tenant.test)).changes).toEqual(kept);
});

/** A value as SQL writes it. */
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `array[${value.map(literal).join()}]::text[]`;
  return typeof value === "string" ? `'${value}'` : JSON.stringify(value);
};

test("what changed is found by its id, also before PostgreSQL has statistics, as after an import", async () => {
  const { tenantId, live, defaults } = await app.tenant();
  const { id } = await start(live, defaults.workspaceId, { contact: { name: "Ada" }, message: { body: "Hello" } });
  const tables = ["resource_change", "message", "conversation", "contact"];
  const db = await connect(app.db.url);
  try {
    // Nothing is done for each row, and nothing refers to them.
    await db.query("set session_replication_role = replica");
    await db.query("create temp table made as select n, gen_random_uuid() as id from generate_series(1, 3000) n");
    for (const [table, found, changed] of [
      ["contact", "r.id = (select k.contact_id from conversation k where k.id = $1)", "'id', m.id"],
      ["message", "r.conversation_id = $1", "'id', m.id, 'conversation_id', m.id"],
      ["conversation", "r.id = $1", "'id', m.id, 'contact_id', m.id"],
    ])
      await db.query(
        `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object('external_id', null, ${changed}))).*
        from (select * from ${table} r where ${found} limit 1) r, made m`,
        [id],
      );
    await db.query(
      `insert into resource_change (tenant_id, transaction_id, position, written_by, at, change, resource_type, resource_id, workspace_id, state)
      select $1, 1 + m.n / 100, 3 * m.n + t.n, 1 + m.n / 100, now(), 'updated', t.type, m.id, $2, '{"status": "open"}'
      from made m, unnest(array['conversation', 'message', 'contact']) with ordinality t (type, n)`,
      [tenantId, defaults.workspaceId],
    );
    const values: Record<string, unknown> = {
      tenant: tenantId,
      resumes: true,
      afterTransaction: "16",
      afterPosition: "4502",
      resourceTypes: RESOURCE_TYPES,
      limit: 100,
    };
    for (const { name, slots, text } of [READ_FEED, READ_OCCURRENCES, READ_WHOLE_OCCURRENCES]) {
      const given = slots.map((slot) =>
        literal(slot instanceof Object && "name" in slot ? values[slot.name as string] : slot),
      );
      // As the server does, whose connections plan a statement once, for all values.
      const plan = await app.transaction(tenantId, async (tx) => {
        const run = (label: string, text: string): Promise<{ "QUERY PLAN": string }[]> => {
          const reach = { unrestricted: "a test" };
          const one: Query<object, { "QUERY PLAN": string }> = { kind: "query", name: label, reach, slots: [], text };
          return tx.query(one, {});
        };
        await run(`prepare ${name}`, `prepare "test ${name}" as ${text}`);
        return run(
          `explain ${name}`,
          `explain (analyze, costs off, timing off) execute "test ${name}" (${given.join()})`,
        );
      });
      // What is behind the position, 4,500 rows, may be read once.
      const long = plan.filter((line) => {
        const [, rows, loops] = /rows=([\d.]+) loops=(\d+)/.exec(line["QUERY PLAN"]) ?? [];
        const [, removed] = /Removed by Filter: (\d+)/.exec(line["QUERY PLAN"]) ?? [];
        return Number(rows ?? 0) * Number(loops ?? 0) > 9_000 || Number(removed ?? 0) > 1_000;
      });
      expect({ name, long: long.map((line) => line["QUERY PLAN"]) }).toEqual({ name, long: [] });
    }
  } finally {
    for (const table of tables) await db.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
    await db.end();
  }
});
