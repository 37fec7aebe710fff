import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listStatement, MAX_READ } from "../../../src/conversations/conversation-list.queries.js";
import type { Caller } from "../../../src/platform/caller/caller.js";
import { Database } from "../../../src/platform/database/database.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { everyNth } from "../../support/sweep.js";
import { ago, HOUR, newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID, walk } from "./support.js";

type Conversation = Schemas["Conversation"];

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** Two workspaces of the first brand and one of the second. */
let workspaces: string[];
let brands: string[];
/** An agent of the first two workspaces, to whom some conversations are assigned. */
let agent: Client & { id: string };
/** The conversations in the order of the list: newest activity first, then by id. */
let all: Conversation[];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  brands = [tenant.defaults.brandId, (await owner.post("/api/brands", { name: "Second" }, 201)).body.id];
  workspaces = [tenant.defaults.workspaceId];
  for (const brandId of brands) workspaces.push((await newWorkspace(tenant.live, brandId)).id);
  agent = await newAgent(owner, workspaces.slice(0, 2));
  const { body: contact } = await tenant.live.post("/api/contacts", { name: "Ada" }, 201);
  const ids = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const body = { externalId: `c-${n % 8}`, ...(n % 2 ? { contactId: contact.id } : {}) };
      const { id } = await start(tenant.live, workspaces[n % 3]!, body);
      await set(app, "conversation", id, {
        status: ["open", "pending", "snoozed", "resolved"][n % 4],
        assignee_id: n % 5 ? null : agent.id,
        handling_mode: n % 7 < 3 ? "human" : "assistant",
        unread_count: n % 2,
        labels: n % 3 ? ["vip", "late"].slice(0, n % 3) : [],
        // Each time twice: pages must not lose or repeat a row if two have the same time.
        last_activity_at: ago(((n * 7) % 12) * HOUR),
        // The same in another order.
        waiting_since: n % 3 === 2 ? null : ago(((n * 5) % 12) * HOUR),
      });
      return id;
    }),
  );
  all = await Promise.all(ids.map(async (id) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body));
  all.sort(RECENT);
});
afterAll(() => app.close());

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const RECENT = (a: Conversation, b: Conversation): number =>
  compare(b.lastActivityAt, a.lastActivityAt) || compare(b.id, a.id);
const WAITING = (a: Conversation, b: Conversation): number =>
  compare(a.waitingSince!, b.waitingSince!) || compare(a.id, b.id);

/** More conversations like this one, a second apart, before the last hour. */
const copies = (id: string, count: number): Promise<unknown> =>
  app.db.query(
    `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, last_activity_at)
     select c.tenant_id, gen_random_uuid(), c.workspace_id, c.brand_id, c.channel_id, c.contact_id,
       now() - n * interval '1 second' - interval '1 hour'
     from conversation c cross join generate_series(1, $2) n where c.id = $1`,
    [id, count],
  );

describe("the list of conversations", () => {
  const list = (client: Client, query: Record<string, string> = {}, limit?: number) =>
    walk(client, `/api/conversations?${new URLSearchParams(query).toString()}`, limit);

  /** The conversations that each filter matches. */
  const FILTERS: Record<string, { value: () => string; holds: (conversation: Schemas["Conversation"]) => boolean }> = {
    workspaceId: { value: () => workspaces[1]!, holds: ({ workspaceId }) => workspaceId === workspaces[1] },
    status: { value: () => "pending", holds: ({ status }) => status === "pending" },
    assigneeId: { value: () => agent.id, holds: ({ assigneeId }) => assigneeId === agent.id },
    contactId: { value: () => contactOfMany(), holds: ({ contactId }) => contactId === contactOfMany() },
    label: { value: () => "vip", holds: ({ labels }) => labels.includes("vip") },
    updatedSince: { value: () => middle(), holds: ({ lastActivityAt }) => lastActivityAt >= middle() },
    externalId: { value: () => "c-1", holds: ({ externalId }) => externalId === "c-1" },
  };
  const contactOfMany = (): string => all.find(({ externalId }) => externalId === "c-1")!.contactId;
  /** Exactly the time of some conversations: the filter is inclusive. */
  const middle = (): string => all[11]!.lastActivityAt;

  /** Every set of filters, including the empty set: the small ones first, so that each half of them has each filter. */
  const combinations = Object.keys(FILTERS)
    .reduce<string[][]>((sets, name) => [...sets, ...sets.map((one) => [...one, name])], [[]])
    .sort((one, other) => one.length - other.length);

  /** Each caller tries every second combination. Two callers of one level try all of them together. */
  async function expectCombinations(
    client: Client,
    phase: 0 | 1,
    visible: (conversation: Schemas["Conversation"]) => boolean,
  ): Promise<void> {
    let found = 0;
    for (const names of everyNth(combinations, 2, phase)) {
      const reachable =
        !names.includes("workspaceId") || all.some((one) => one.workspaceId === workspaces[1] && visible(one));
      if (!reachable) continue;
      const expected = all.filter((one) => visible(one) && names.every((name) => FILTERS[name]!.holds(one)));
      const query = Object.fromEntries(names.map((name) => [name, FILTERS[name]!.value()]));
      expect(await list(client, query, 5), names.join(" + ")).toEqual(expected);
      found += expected.length;
    }
    expect(found, "the filters let something through").toBeGreaterThan(10);
  }

  describe("the order of the list", () => {
    test("is newest activity first, and a walk by cursor returns each conversation once at every page size", async () => {
      expect(all).toHaveLength(24);
      for (const limit of [1, 5, 24, 100]) expect(await list(tenant.live, {}, limit)).toEqual(all);
    });

    /** Conversations of a new tenant, an hour apart, in list order. */
    async function some(count: number): Promise<{ live: Client; ids: string[] }> {
      const { live, defaults } = await app.tenant();
      const ids: string[] = [];
      for (let n = 0; n < count; n++) {
        const { id } = await start(live, defaults.workspaceId);
        await set(app, "conversation", id, { last_activity_at: ago((n + 1) * HOUR) });
        ids.push(id);
      }
      return { live, ids };
    }

    test("follows activity: an inbound message and a reply move a conversation to the top", async () => {
      const {
        live,
        ids: [first, second, third],
      } = await some(3);
      await live.post(
        `/api/conversations/${third}/messages`,
        { body: "Hello?", occurredAt: "2001-01-01T00:00:00Z" },
        201,
      );
      expect((await list(live)).map(({ id }) => id)).toEqual([third, first, second]);
      await live.post(`/api/conversations/${second}/reply`, { body: "Hello!" }, 200);
      expect((await list(live)).map(({ id }) => id)).toEqual([second, third, first]);
    });

    test("stays stable during activity between two pages: an unchanged conversation is neither lost nor repeated", async () => {
      const { live, ids } = await some(5);
      const { body: page } = await live.get("/api/conversations?limit=2", 200);
      await live.post(`/api/conversations/${ids[3]}/messages`, { body: "Hello?" }, 201);
      const { body: rest } = await live.get(
        `/api/conversations?limit=100&cursor=${encodeURIComponent(page.nextCursor!)}`,
        200,
      );
      expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual(ids.toSpliced(3, 1));
    });
  });

  describe("all combinations of filters return the right pages", () => {
    test("for a key of the whole organisation", () => expectCombinations(tenant.live, 0, () => true));

    test("for an owner", () => expectCombinations(owner, 1, () => true));

    test("for a key of one brand", async () => {
      const key = await keyFor(owner, { dataScope: { level: "brand", brandId: brands[0] } });
      await expectCombinations(key, 0, ({ brandId }) => brandId === brands[0]);
    });

    test("for a key of one workspace", async () => {
      const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspaces[1] } });
      await expectCombinations(key, 0, ({ workspaceId }) => workspaceId === workspaces[1]);
    });

    test("for an agent of two workspaces", async () => {
      const agent = await newAgent(owner, [workspaces[1]!, workspaces[2]!]);
      await expectCombinations(agent, 1, ({ workspaceId }) => workspaceId !== workspaces[0]);
    });

    test("by the statement of the whole tenant or brand only as far as the caller reaches", async () => {
      const { tenantId } = (await tenant.live.get("/api/me", 200)).body;
      const db = app.app.get(Database);
      for (const level of ["tenant", "brand"] as const) {
        const reach = { level: "workspaces", workspaceIds: [workspaces[1]!] } as const;
        const caller: Caller = { kind: "system", name: "test", tenantId: tenantId, environment: "live", reach };
        const { data } = (await db.page(caller, listStatement(level, {}, false), {}, { limit: 100 })).parse();
        expect(data).toEqual(all.filter(({ workspaceId }) => workspaceId === workspaces[1]));
      }
    });

    test("while a deleted workspace waits for its purge, without its conversations", async () => {
      const brandKey = await keyFor(owner, { dataScope: { level: "brand", brandId: brands[0] } });
      const gone = await newWorkspace(tenant.live, brands[0]!);
      const { id } = await start(tenant.live, gone.id, { externalId: "c-1" });
      expect((await list(tenant.live)).map((one) => one.id)).toContain(id);
      await tenant.live.delete(`/api/workspaces/${gone.id}`, 200);
      await expectCombinations(tenant.live, 0, () => true);
      await expectCombinations(brandKey, 1, ({ brandId }) => brandId === brands[0]);
    });
  });

  describe("a filter by an id", () => {
    test("that does not exist returns an empty page", async () => {
      for (const name of ["assigneeId", "contactId"]) {
        expect((await tenant.live.get(`/api/conversations?${name}=${UNKNOWN_ID}`, 200)).body).toEqual({ data: [] });
      }
      for (const query of ["externalId=nobodys", "label=nobodys", "updatedSince=2999-01-01T00:00:00Z"]) {
        expect((await tenant.live.get(`/api/conversations?${query}`, 200)).body).toEqual({ data: [] });
      }
    });

    test("of a workspace out of reach, in another tenant, deleted or unknown returns 404, with any other filters and for every caller", async () => {
      const stranger = await app.tenant();
      const gone = await newWorkspace(tenant.live, brands[0]!);
      await tenant.live.delete(`/api/workspaces/${gone.id}`, 200);
      const callers = [
        tenant.live,
        owner,
        await keyFor(owner, { dataScope: { level: "brand", brandId: brands[0] } }),
        await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspaces[0] } }),
        await newAgent(owner, [workspaces[0]!]),
      ];
      for (const [index, caller] of callers.entries()) {
        const outOfReach = index < 2 ? [] : [workspaces[2]!];
        for (const id of [stranger.defaults.workspaceId, gone.id, UNKNOWN_ID, ...outOfReach]) {
          for (const more of ["", "&status=open", "&externalId=c-1&limit=1"])
            expect((await caller.get(`/api/conversations?workspaceId=${id}${more}`, 404)).body).toEqual(NOT_FOUND);
        }
        await caller.get(`/api/conversations?workspaceId=${workspaces[0]}`, 200);
      }
    });
  });

  test("a page has 25 conversations by default", async () => {
    const { live, defaults } = await app.tenant();
    const { id } = await start(live, defaults.workspaceId);
    await copies(id, 25);
    const { body } = await live.get("/api/conversations", 200);
    expect(body.data).toHaveLength(25);
    expect(
      (await live.get(`/api/conversations?cursor=${encodeURIComponent(body.nextCursor!)}&limit=100`, 200)).body.data,
    ).toHaveLength(1);
  });
});

describe("the inbox", () => {
  /** Each way to reach conversations, with what it reaches. */
  let callers: { name: string; client: Client; reaches: (one: Conversation) => boolean }[];
  beforeAll(async () => {
    const [brandId] = brands;
    callers = [
      { name: "the organisation", client: tenant.live, reaches: () => true },
      {
        name: "a brand",
        client: await keyFor(owner, { dataScope: { level: "brand", brandId } }),
        reaches: (one) => one.brandId === brandId,
      },
      {
        name: "a workspace",
        client: await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspaces[0] } }),
        reaches: (one) => one.workspaceId === workspaces[0],
      },
      { name: "two workspaces", client: agent, reaches: (one) => one.workspaceId !== workspaces[2] },
    ];
  });

  const FILTERS: Record<string, (one: Conversation) => boolean> = {
    "status=open,pending": ({ status }) => status === "open" || status === "pending",
    "status=snoozed": ({ status }) => status === "snoozed",
    "assigneeId=none": ({ assigneeId }) => assigneeId === null,
    "assigneeId=member": ({ assigneeId }) => assigneeId === agent.id,
    "unread=true": ({ unreadCount }) => unreadCount > 0,
    "unread=false": ({ unreadCount }) => unreadCount === 0,
    "handlingMode=human": ({ handlingMode }) => handlingMode === "human",
    "channelType=api": ({ channelType }) => channelType === "api",
    "channelType=email": () => false,
    "label=vip": ({ labels }) => labels.includes("vip"),
  };
  const nameOf = (filter: string): string => filter.split("=")[0]!;
  /** Each filter alone, each two, and each three of different names. */
  const combinations = Object.keys(FILTERS).reduce<string[][]>(
    (sets, filter) => [
      ...sets,
      ...sets
        .filter((one) => one.length < 3 && !one.some((other) => nameOf(other) === nameOf(filter)))
        .map((one) => [...one, filter]),
    ],
    [[]],
  );
  const queryOf = (filters: string[]): string => filters.join("&").replace("=member", `=${agent.id}`);

  describe("every combination of filters returns the right pages", () => {
    test.each(["recent", "waiting"])("by sort=%s, for every kind of caller", async (sort) => {
      let found = 0;
      // Each caller tries every fourth combination, and together they try all of them.
      for (const [n, { name, client, reaches }] of callers.entries())
        for (const filters of everyNth(combinations, 4, n + (sort === "recent" ? 0 : 1))) {
          const expected = all
            .filter((one) => reaches(one) && filters.every((filter) => FILTERS[filter]!(one)))
            .filter(({ waitingSince }) => sort === "recent" || waitingSince !== null)
            .sort(sort === "recent" ? RECENT : WAITING);
          const query = queryOf([`sort=${sort}`, ...filters]);
          expect(await walk(client, `/api/conversations?${query}`, 5), `${name}: ${query}`).toEqual(expected);
          found += expected.length;
        }
      expect(found).toBeGreaterThan(100);
    });

    test("and a repeated status is the same as one with commas, whatever the order", async () => {
      const { body: page } = await tenant.live.get("/api/conversations?status=open,pending&limit=2", 200);
      const cursor = encodeURIComponent(page.nextCursor!);
      const next = (query: string) =>
        tenant.live.get(`/api/conversations?${query}&limit=2&cursor=${cursor}` as never, 200);
      expect((await next("status=pending&status=open&status=open")).text).toBe(
        (await next("status=open,pending")).text,
      );
      await tenant.live.get(`/api/conversations?sort=waiting&status=open,pending&cursor=${cursor}`, 400);
    });
  });

  describe("unread and waiting", () => {
    const listed = async (query: string): Promise<string[]> =>
      (await walk(owner, `/api/conversations?${query}`, 100)).map(({ id }) => id);

    test("end with a reply or a resolution, and not because somebody reads", async () => {
      for (const step of ["reply", "resolve"] as const) {
        const { id } = await start(tenant.live, workspaces[0]!);
        await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello?" }, 201);
        await owner.get(`/api/conversations/${id}`, 200);
        await owner.get(`/api/conversations/${id}/messages`, 200);
        expect(await listed("unread=true")).toContain(id);
        expect(await listed("sort=waiting")).toContain(id);
        await owner.post(`/api/conversations/${id}/${step}`, step === "reply" ? { body: "Hello!" } : {}, 200);
        expect(await listed("unread=true")).not.toContain(id);
        expect(await listed("sort=waiting")).not.toContain(id);
      }
    });

    test("the contact who wrote first comes first, also if they write again", async () => {
      const { live, defaults } = await app.tenant();
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) {
        const { id } = await start(live, defaults.workspaceId);
        await live.post(`/api/conversations/${id}/messages`, { body: "Hello?" }, 201);
        ids.push(id);
      }
      await live.post(`/api/conversations/${ids[0]}/messages`, { body: "Anybody?" }, 201);
      expect((await walk(live, "/api/conversations?sort=waiting")).map(({ id }) => id)).toEqual(ids);
    });
  });

  test("each count is that of its list, for every kind of caller", async () => {
    const VIEWS = {
      unassigned: "assigneeId=none&status=open,pending",
      waiting: "sort=waiting&status=open,pending",
      open: "status=open,pending",
      snoozed: "status=snoozed",
      resolved: "status=resolved",
    };
    for (const { name, client } of callers) {
      const { body } = await client.get("/api/conversation-counts", 200);
      for (const [view, query] of Object.entries(VIEWS)) {
        const { length } = await walk(client, `/api/conversations?${query}`, 100);
        expect(body[view as keyof typeof VIEWS], `${name}: ${view}`).toEqual({ count: length, more: false });
      }
    }
    const { length } = await walk(agent, `/api/conversations?assigneeId=${agent.id}&status=open,pending`, 100);
    const { mine } = (await agent.get("/api/conversation-counts", 200)).body;
    expect({ mine, none: (await tenant.live.get("/api/conversation-counts", 200)).body.mine }).toEqual({
      mine: { count: length, more: false },
      none: null,
    });
    expect(length).toBeGreaterThan(0);
  });

  test("a page stops reading after a bounded number of conversations, and its cursor leads to all that match", async () => {
    const { live, defaults } = await app.tenant();
    const { id: first } = await start(live, defaults.workspaceId);
    const { id: last } = await start(live, defaults.workspaceId);
    for (const [id, at] of [
      [first, ago(0)],
      [last, ago(100 * HOUR)],
    ] as const)
      await set(app, "conversation", id, { handling_mode: "human", last_activity_at: at });
    await copies(first, 2 * MAX_READ);
    const pages: string[][] = [];
    let cursor = "";
    do {
      const { body } = await live.get(`/api/conversations?handlingMode=human${cursor}`, 200);
      pages.push(body.data.map(({ id }) => id));
      cursor = body.nextCursor ? `&cursor=${encodeURIComponent(body.nextCursor)}` : "";
    } while (cursor);
    expect(pages).toEqual([[first], [], [last]]);
  });
});
