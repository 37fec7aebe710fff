import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_READ } from "../../../src/conversations/conversation-list.queries.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ago, HOUR, newAgent, newWorkspace, set, start, walk } from "./support.js";

type Conversation = Schemas["Conversation"];

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let member: string;
let workspaces: string[];
let all: Conversation[];
/** Each way to reach conversations, with what it reaches. */
let callers: { name: string; client: Client; reaches: (one: Conversation) => boolean }[];

beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  const { brandId } = tenant.defaults;
  workspaces = [tenant.defaults.workspaceId, (await newWorkspace(tenant.live, brandId)).id];
  const other = (await owner.post("/api/brands", { name: "Second" }, 201)).body.id;
  workspaces.push((await newWorkspace(tenant.live, other)).id);
  const agent = await newAgent(owner, workspaces.slice(0, 2));
  member = agent.id;
  const ids: string[] = [];
  for (let n = 0; n < 24; n++) {
    const { id } = await start(tenant.live, workspaces[n % 3]!);
    await set(app, "conversation", id, {
      status: ["open", "pending", "snoozed", "resolved"][n % 4],
      assignee_id: n % 5 ? null : member,
      handling_mode: n % 7 < 3 ? "human" : "assistant",
      unread_count: n % 2,
      labels: n % 3 ? ["vip"] : [],
      // Each time twice, in another order than the activity.
      waiting_since: n % 3 === 2 ? null : ago(((n * 5) % 12) * HOUR),
      last_activity_at: ago(((n * 7) % 12) * HOUR),
    });
    ids.push(id);
  }
  all = await Promise.all(ids.map(async (id) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body));
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
afterAll(() => app.close());

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const RECENT = (a: Conversation, b: Conversation): number =>
  compare(b.lastActivityAt, a.lastActivityAt) || compare(b.id, a.id);
const WAITING = (a: Conversation, b: Conversation): number =>
  compare(a.waitingSince!, b.waitingSince!) || compare(a.id, b.id);

const FILTERS: Record<string, (one: Conversation) => boolean> = {
  "status=open,pending": ({ status }) => status === "open" || status === "pending",
  "status=snoozed": ({ status }) => status === "snoozed",
  "assigneeId=none": ({ assigneeId }) => assigneeId === null,
  "assigneeId=member": ({ assigneeId }) => assigneeId === member,
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
const queryOf = (filters: string[]): string => filters.join("&").replace("=member", `=${member}`);

describe("every combination of filters returns the right pages", () => {
  test.each(["recent", "waiting"])("by sort=%s, for every kind of caller", async (sort) => {
    let found = 0;
    for (const { name, client, reaches } of callers)
      for (const filters of combinations) {
        const expected = all
          .filter((one) => reaches(one) && filters.every((filter) => FILTERS[filter]!(one)))
          .filter(({ waitingSince }) => sort === "recent" || waitingSince !== null)
          .sort(sort === "recent" ? RECENT : WAITING);
        const query = queryOf([`sort=${sort}`, ...filters]);
        expect(await walk(client, `/api/conversations?${query}`, 5), `${name}: ${query}`).toEqual(expected);
        found += expected.length;
      }
    expect(found).toBeGreaterThan(500);
  });

  test("and a repeated status is the same as one with commas, whatever the order", async () => {
    const { body: page } = await tenant.live.get("/api/conversations?status=open,pending&limit=2", 200);
    const cursor = encodeURIComponent(page.nextCursor!);
    const next = (query: string) =>
      tenant.live.get(`/api/conversations?${query}&limit=2&cursor=${cursor}` as never, 200);
    expect((await next("status=pending&status=open&status=open")).text).toBe((await next("status=open,pending")).text);
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
  const [, , , agent] = callers;
  const { length } = await walk(agent!.client, `/api/conversations?assigneeId=${member}&status=open,pending`, 100);
  const { mine } = (await agent!.client.get("/api/conversation-counts", 200)).body;
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
  await app.db.query(
    `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, last_activity_at)
     select c.tenant_id, gen_random_uuid(), c.workspace_id, c.brand_id, c.channel_id, c.contact_id,
       now() - n * interval '1 second' - interval '1 hour'
     from conversation c cross join generate_series(1, $2) n where c.id = $1`,
    [first, 2 * MAX_READ],
  );
  const pages: string[][] = [];
  let cursor = "";
  do {
    const { body } = await live.get(`/api/conversations?handlingMode=human${cursor}`, 200);
    pages.push(body.data.map(({ id }) => id));
    cursor = body.nextCursor ? `&cursor=${encodeURIComponent(body.nextCursor)}` : "";
  } while (cursor);
  expect(pages).toEqual([[first], [], [last]]);
});
