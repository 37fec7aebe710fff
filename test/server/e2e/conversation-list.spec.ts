import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listStatement } from "../../../src/conversations/conversation-list.queries.js";
import type { Caller } from "../../../src/platform/caller/caller.js";
import { Database } from "../../../src/platform/database/database.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ago, HOUR, newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
/** Two workspaces of the first brand and one of the second. */
let workspaces: string[];
let brands: string[];
let owner: Client;
/** All conversations in the expected order: newest activity first, then by id. */
let all: Schemas["Conversation"][];
let assignee: string;

const STATUSES = ["open", "pending", "snoozed", "resolved"];

beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  const other = (await owner.post("/api/brands", { name: "Second" }, 201)).body.id;
  brands = [tenant.defaults.brandId, other];
  workspaces = [
    tenant.defaults.workspaceId,
    (await newWorkspace(tenant.live, brands[0]!)).id,
    (await newWorkspace(tenant.live, other)).id,
  ];
  assignee = (await newAgent(owner, [])).id;
  const { body: contact } = await tenant.live.post("/api/contacts", { name: "Ada" }, 201);
  const made: { id: string }[] = [];
  for (let n = 0; n < 24; n++) {
    const { id } = await start(tenant.live, workspaces[n % 3]!, {
      externalId: `c-${n % 8}`,
      ...(n % 2 ? { contactId: contact.id } : {}),
    });
    await set(app, "conversation", id, {
      status: STATUSES[n % 4],
      labels: n % 3 ? ["vip", "late"].slice(0, n % 3) : [],
      assignee_id: n % 5 ? null : assignee,
      // Shuffled, with each time twice: pages must not lose or repeat a row if two have the same time.
      last_activity_at: ago(((n * 7) % 12) * HOUR),
    });
    made.push({ id });
  }
  all = await Promise.all(made.map(async ({ id }) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body));
  all.sort(
    (a, b) =>
      (a.lastActivityAt === b.lastActivityAt ? 0 : a.lastActivityAt < b.lastActivityAt ? 1 : -1) ||
      (a.id < b.id ? 1 : -1),
  );
});
afterAll(() => app.close());

const list = (client: Client, query: Record<string, string> = {}, limit?: number) =>
  walk(client, `/api/conversations?${new URLSearchParams(query).toString()}`, limit);

/** The conversations that each filter matches. */
const FILTERS: Record<string, { value: () => string; holds: (conversation: Schemas["Conversation"]) => boolean }> = {
  workspaceId: { value: () => workspaces[1]!, holds: ({ workspaceId }) => workspaceId === workspaces[1] },
  status: { value: () => "pending", holds: ({ status }) => status === "pending" },
  assigneeId: { value: () => assignee, holds: ({ assigneeId }) => assigneeId === assignee },
  contactId: { value: () => contactOfMany(), holds: ({ contactId }) => contactId === contactOfMany() },
  label: { value: () => "vip", holds: ({ labels }) => labels.includes("vip") },
  updatedSince: { value: () => middle(), holds: ({ lastActivityAt }) => lastActivityAt >= middle() },
  externalId: { value: () => "c-1", holds: ({ externalId }) => externalId === "c-1" },
};
const contactOfMany = (): string => all.find(({ externalId }) => externalId === "c-1")!.contactId;
/** Exactly the time of some conversations: the filter is inclusive. */
const middle = (): string => all[11]!.lastActivityAt;

/** Every set of filters, including the empty set. */
const combinations = Object.keys(FILTERS).reduce<string[][]>(
  (sets, name) => [...sets, ...sets.map((one) => [...one, name])],
  [[]],
);

async function expectEveryCombination(
  client: Client,
  visible: (conversation: Schemas["Conversation"]) => boolean,
): Promise<void> {
  let found = 0;
  for (const names of combinations) {
    const reachable =
      !names.includes("workspaceId") || all.some((one) => one.workspaceId === workspaces[1] && visible(one));
    if (!reachable) continue;
    const expected = all.filter((one) => visible(one) && names.every((name) => FILTERS[name]!.holds(one)));
    const query = Object.fromEntries(names.map((name) => [name, FILTERS[name]!.value()]));
    expect(await list(client, query, 3), names.join(" + ")).toEqual(expected);
    found += expected.length;
  }
  expect(found, "the filters let something through").toBeGreaterThan(50);
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
  test("for a key of the whole organisation", () => expectEveryCombination(tenant.live, () => true));

  test("for an owner", () => expectEveryCombination(owner, () => true));

  test("for a key of one brand", async () => {
    const key = await keyFor(owner, { dataScope: { level: "brand", brandId: brands[0] } });
    await expectEveryCombination(key, ({ brandId }) => brandId === brands[0]);
  });

  test("for a key of one workspace", async () => {
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspaces[1] } });
    await expectEveryCombination(key, ({ workspaceId }) => workspaceId === workspaces[1]);
  });

  test("for an agent of two workspaces", async () => {
    const agent = await newAgent(owner, [workspaces[1]!, workspaces[2]!]);
    await expectEveryCombination(agent, ({ workspaceId }) => workspaceId !== workspaces[0]);
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
    await expectEveryCombination(tenant.live, () => true);
    await expectEveryCombination(brandKey, ({ brandId }) => brandId === brands[0]);
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
  for (let n = 0; n < 26; n++) await start(live, defaults.workspaceId);
  const { body } = await live.get("/api/conversations", 200);
  expect(body.data).toHaveLength(25);
  expect(
    (await live.get(`/api/conversations?cursor=${encodeURIComponent(body.nextCursor!)}&limit=100`, 200)).body.data,
  ).toHaveLength(1);
});
