import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { copyConversations, newPlace, type Place, walk } from "./support.js";

const CONVERSATIONS = 500;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let places: Place[];
/** The caller who pages, and the workspaces in their data scope. */
let callers: Record<string, { client: Client; reaches: string[] }>;

beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  const { brandId, workspaceId } = tenant.defaults;
  const { id: otherBrand } = (await owner.post("/api/brands", { name: "Other" }, 201)).body;
  const add = async (brand: string): Promise<string> =>
    (await owner.post("/api/workspaces", { name: "More", brandId: brand }, 201)).body.id;
  const ids = [workspaceId, await add(brandId), await add(otherBrand), await add(otherBrand)];
  places = [];
  for (const [index, id] of ids.entries()) {
    const place = await newPlace(tenant.live, id);
    places.push(place);
    // About a hundred conversations share each time, across all workspaces, so only the id orders them.
    await copyConversations(
      app.db,
      place,
      Array.from({ length: CONVERSATIONS / 4 - 1 }, (_, n) => (n + index) % 5),
    );
  }
  await app.db.query(
    `update conversation set status = case when id::text < '8' then 'resolved' else 'open' end, resolved_at = case when id::text < '8' then now() end, labels = case when id::text ~ '[0-5]$' then '{vip}' else '{}' end::text[]
    where tenant_id = $1`,
    [tenant.tenantId],
  );
  const email = `${randomUUID()}@example.com`;
  await owner.post(
    "/api/members",
    { email, name: "Agent", role: "agent", workspaceIds: [ids[1], ids[2]], password: PASSWORD },
    201,
  );
  callers = {
    organisation: { client: tenant.live, reaches: ids },
    brand: { client: await keyFor(owner, { dataScope: { level: "brand", brandId } }), reaches: ids.slice(0, 2) },
    workspace: {
      client: await keyFor(owner, { dataScope: { level: "workspace", workspaceId: ids[3] } }),
      reaches: [ids[3]!],
    },
    agent: { client: await owner.login(email, PASSWORD), reaches: [ids[1]!, ids[2]!] },
  };
});
afterAll(() => app.close());

/** The expected items, read from the database. */
const truth = async (reaches: string[], condition = "true"): Promise<string[]> =>
  (
    await app.db.query<{ id: string }>(
      `select id from conversation where workspace_id = any ($1) and ${condition} order by last_activity_at desc, id desc`,
      [reaches],
    )
  ).map(({ id }) => id);
const walkIds = async (client: Client, path: string, limits: readonly number[]): Promise<string[]> =>
  (await walk(client, path, limits)).map(({ id }) => id);

describe("paging returns each conversation exactly once, last changed first", () => {
  test.each(["organisation", "brand", "workspace", "agent"])("with every page size (%s)", async (who) => {
    const { client, reaches } = callers[who]!;
    const expected = await truth(reaches);
    expect(expected).toHaveLength((CONVERSATIONS / 4) * reaches.length);
    for (const limit of who === "workspace" ? [1, 2, 5, 25, 100] : [3, 25, 99, 100])
      expect([limit, await walkIds(client, "/api/conversations", [limit])]).toEqual([limit, expected]);
  });

  test("when the page size changes between pages", async () => {
    const expected = new Map<string, string[]>();
    for (const [who, { reaches }] of Object.entries(callers)) expected.set(who, await truth(reaches));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(callers)),
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 6 }),
        async (who, limits) => {
          fc.pre(Math.max(...limits) > 20);
          expect(await walkIds(callers[who]!.client, "/api/conversations", limits)).toEqual(expected.get(who));
        },
      ),
      { numRuns: 10 },
    );
  });

  test("with every filter, and with several at once", async () => {
    const { workspaceId, contactId } = places[1]!;
    const filters: [string, string][] = [
      [`workspaceId=${workspaceId}`, `workspace_id = '${workspaceId}'`],
      ["status=resolved", `status = 'resolved'`],
      ["label=vip", `'vip' = any (labels)`],
      [`contactId=${contactId}`, `contact_id = '${contactId}'`],
      [`assigneeId=${randomUUID()}`, "false"],
      [
        `workspaceId=${workspaceId}&status=open&label=vip`,
        `workspace_id = '${workspaceId}' and status = 'open' and 'vip' = any (labels)`,
      ],
      [`contactId=${contactId}&status=open`, `contact_id = '${contactId}' and status = 'open'`],
    ];
    for (const who of ["organisation", "brand", "agent"]) {
      const { client, reaches } = callers[who]!;
      for (const [filter, condition] of filters)
        expect([who, filter, await walkIds(client, `/api/conversations?${filter}`, [17])]).toEqual([
          who,
          filter,
          await truth(reaches, condition),
        ]);
    }
  });
});

test("paging returns each contact, message and knowledge entry exactly once, in both orders", async () => {
  const [{ tenantId, workspaceId, conversationId }] = places as [Place];
  await app.db.query(
    `insert into contact (tenant_id, id, name) select $1, gen_random_uuid(), 'c' from generate_series(1, 90)`,
    [tenantId],
  );
  await app.db.query(
    `insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, language) select $1, gen_random_uuid(), $2, 'approved', 'Q', 'A', 'en' from generate_series(1, 90)`,
    [tenantId, workspaceId],
  );
  for (let n = 2; n <= 40; n++)
    await tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: `note ${n}` }, 201);
  const expected = async (sql: string): Promise<string[]> =>
    (await app.db.query<{ id: string }>(sql)).map(({ id }) => id);
  const messages = await expected(
    `select id from message where conversation_id = '${conversationId}' order by sequence`,
  );
  const lists: [string, string[]][] = [
    [
      "/api/contacts",
      await expected(`select id from contact where tenant_id = '${tenantId}' order by created_at desc, id desc`),
    ],
    [
      `/api/workspaces/${workspaceId}/kb-entries`,
      await expected(`select id from kb_entry where workspace_id = '${workspaceId}' order by created_at desc, id desc`),
    ],
    [`/api/conversations/${conversationId}/messages`, messages],
    [`/api/conversations/${conversationId}/messages?order=desc`, [...messages].reverse()],
  ];
  for (const [path, ids] of lists)
    for (const limits of [[7], [1, 50, 13]])
      expect([path, await walkIds(tenant.live, path, limits)]).toEqual([path, ids]);
});

describe("a cursor is refused", () => {
  const cursorOf = async (client: Client, path: string): Promise<string> =>
    (await client.get<{ nextCursor: string }>(`${path}${path.includes("?") ? "&" : "?"}limit=2`, 200)).body.nextCursor;
  const status = async (client: Client, path: string, cursor: string): Promise<number> =>
    (await client.get(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`)).status;

  test("if one character is changed, removed or added, or if it is made up", async () => {
    const cursor = await cursorOf(tenant.live, "/api/conversations");
    expect(await status(tenant.live, "/api/conversations", cursor)).toBe(200);
    const forged = new Set<string>([
      "null",
      ".",
      "..",
      "W10.",
      `${cursor}.`,
      `.${cursor}`,
      cursor.split(".")[0]!,
      `.${cursor.split(".")[1]}`,
      Buffer.from('["2020-01-01T00:00:00Z","x"]').toString("base64url"),
    ]);
    // Every third character, starting from the end: the last one has unused bits.
    for (let place = cursor.length - 1; place >= 0; place -= 3) {
      const [before, character, after] = [cursor.slice(0, place), cursor[place]!, cursor.slice(place + 1)];
      forged.add(before + after);
      forged.add(`${before}!${character}${after}`);
      for (const other of ["A", "z", "-", "=", String.fromCharCode(character.charCodeAt(0) + 1)])
        if (other !== character) forged.add(before + other + after);
    }
    const answers = await Promise.all(
      [...forged].map(async (one) => [one, await status(tenant.live, "/api/conversations", one)] as const),
    );
    expect(answers.filter(([, answer]) => answer !== 400).slice(0, 3)).toEqual([]);
  });

  test("on another list, with other filters, in another order, of another tenant or side", async () => {
    const other = await app.tenant();
    await copyConversations(app.db, await newPlace(other.live, other.defaults.workspaceId), [1, 2, 3]);
    const [one, two] = places as [Place, Place];
    const messages = `/api/conversations/${one.conversationId}/messages`;
    for (let n = 0; n < 3; n++) await tenant.live.post(messages, { body: "Hello" }, 201);
    const filters = [
      "",
      "?status=open",
      "?status=resolved",
      `?workspaceId=${one.workspaceId}`,
      `?workspaceId=${two.workspaceId}`,
      `?contactId=${one.contactId}`,
      "?label=vip",
      "?updatedSince=2020-01-01T00:00:00Z",
    ];
    const lists = [
      ...filters.map((filter) => `/api/conversations${filter}`),
      messages,
      `${messages}?order=desc`,
      `/api/conversations/${two.conversationId}/messages`,
      "/api/contacts",
      `/api/workspaces/${one.workspaceId}/kb-entries`,
    ];
    for (const from of lists.filter((path) => !path.includes(two.conversationId) && !path.includes("kb-entries"))) {
      const cursor = await cursorOf(tenant.live, from);
      const answers = await Promise.all(lists.map(async (to) => [to, await status(tenant.live, to, cursor)]));
      expect([from, answers]).toEqual([from, lists.map((to) => [to, to === from ? 200 : 400])]);
    }
    const theirs = await cursorOf(other.live, "/api/conversations");
    for (const client of [tenant.live, other.test])
      expect(await status(client, "/api/conversations", theirs)).toBe(400);
    expect(await status(other.live, "/api/conversations", theirs)).toBe(200);
    await tenant.live.get(`/api/conversations?cursor=${theirs}&cursor=${theirs}`, 400);
  });
});
