import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Changes, type Signal } from "../../src/platform/database/changes.js";
import { aTime, newAgent, newWorkspace, NOT_FOUND, start, UNKNOWN_ID } from "../server/e2e/support.js";
import { PASSWORD, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { concurrently, on, startTwo, tally, type TwoNodes, undisturbed, until } from "./support.js";

// Who looks at a conversation and who types in it, on two nodes.

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let ada: Client & { id: string };
let bob: Client & { id: string };
let conversation: string;
let heard: Signal[] = [];
let lastMarker = 0;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
  const { workspaceId } = tenant.defaults;
  ada = await newAgent(owner, [workspaceId]);
  bob = await newAgent(owner, [workspaceId]);
  conversation = (await start(tenant.live, workspaceId)).id;
  nodes.b.app.get(Changes).onSignal((signal) => {
    if (signal.type === "marker") lastMarker = (signal.data as { n: number }).n;
    else heard.push(signal);
  });
});
afterEach(async () => {
  for (const member of [owner, ada, bob]) await put(member, "left");
  await untilAllIsHeard();
  heard = [];
});
afterAll(() => nodes.close());

let markers = 0;
/** Until the other node has heard a last signal of the first one, which is not noted: nothing that was sent earlier comes after it. */
const untilAllIsHeard = async (): Promise<void> => {
  const marker = { tenantId: tenant.tenantId, workspaceId: null, type: "marker", data: { n: ++markers } };
  await until(async () => {
    nodes.a.app.get(Changes).signal(marker);
    return lastMarker === markers;
  }, "the other node heard everything");
};

const put = (member: Client, state: string, expected?: number, id = conversation) =>
  member.put(`/api/conversations/${id}/viewing`, { state }, expected);
const viewers = async (member: Client, id = conversation) =>
  (await member.get(`/api/conversations/${id}/viewers`, 200)).body.data;
const rows = () =>
  nodes.a.db.query<{ conversation_id: string; member_id: string }>(
    "select conversation_id, member_id from conversation_viewer order by until",
  );
const expire = (seconds = 1) =>
  nodes.a.db.query("update conversation_viewer set until = now() - make_interval(secs => $1)", [seconds]);

test("the others see who looks and who types, by name, on every node, and nobody sees themselves", async () => {
  const before = Date.now();
  await put(ada, "viewing", 200);
  await put(on(nodes.b, bob), "typing", 200);
  const seen = await viewers(on(nodes.b, owner));
  expect(seen).toEqual(
    expect.arrayContaining([
      { memberId: ada.id, name: "Agent", state: "viewing", until: aTime },
      { memberId: bob.id, name: "Agent", state: "typing", until: aTime },
    ]),
  );
  expect(seen).toHaveLength(2);
  // Twenty seconds from the request.
  for (const { until: end } of seen) {
    expect(Date.parse(end)).toBeGreaterThanOrEqual(before + 20_000 - 1);
    expect(Date.parse(end)).toBeLessThanOrEqual(Date.now() + 20_000);
  }
  expect((await viewers(ada)).map(({ memberId }) => memberId)).toEqual([bob.id]);
  await put(bob, "viewing", 200);
  expect(await viewers(ada)).toMatchObject([{ memberId: bob.id, state: "viewing" }]);
  await put(bob, "left", 200);
  expect(await viewers(ada)).toEqual([]);
});

test("a lease that has run out counts for nothing, and the next request of anybody deletes it", async () => {
  const other = (await start(tenant.live, tenant.defaults.workspaceId)).id;
  await put(ada, "typing", 200);
  await put(ada, "viewing", 200, other);
  await expire();
  expect(await viewers(bob)).toEqual([]);
  await put(bob, "viewing", 200);
  expect(await rows()).toEqual([{ conversation_id: conversation, member_id: bob.id }]);
});

test("an absent conversation, one of another tenant, of the other side and out of reach all return 404, and nothing is kept", async () => {
  const other = await nodes.a.tenant();
  const elsewhere = await newWorkspace(owner, tenant.defaults.brandId);
  const outOfReach = (await start(tenant.live, elsewhere.id)).id;
  const foreign = (await start(other.live, other.defaults.workspaceId)).id;
  for (const id of [UNKNOWN_ID, foreign, outOfReach]) {
    for (const state of ["viewing", "typing", "left"]) expect((await put(ada, state, 404, id)).body).toEqual(NOT_FOUND);
    expect((await ada.get(`/api/conversations/${id}/viewers`, 404)).body).toEqual(NOT_FOUND);
  }
  await put(await tenant.owner("test"), "viewing", 404);
  expect(await rows()).toEqual([]);
});

describe("a member is not shown any more", () => {
  test("who has lost the workspace", async () => {
    const carl = await newAgent(owner, [tenant.defaults.workspaceId]);
    await put(carl, "typing", 200);
    expect(await viewers(bob)).toHaveLength(1);
    await owner.patch(`/api/members/${carl.id}`, { workspaceIds: [] }, 200);
    expect(await viewers(bob)).toEqual([]);
    await until(async () => (await put(carl, "typing")).status === 404, "the member lost the workspace");
  });

  test("who was removed", async () => {
    const dora = await newAgent(owner, [tenant.defaults.workspaceId]);
    await put(dora, "viewing", 200);
    expect(await viewers(bob)).toHaveLength(1);
    await owner.delete(`/api/members/${dora.id}`, 200);
    expect(await viewers(bob)).toEqual([]);
  });
});

test("an observer may look, but not type", async () => {
  const email = "observer@example.com";
  await owner.post(
    "/api/members",
    { email, name: "O", role: "observer", workspaceIds: [tenant.defaults.workspaceId], password: PASSWORD },
    201,
  );
  const observer = await owner.as(undefined).login(email, PASSWORD);
  await put(observer, "typing", 403);
  expect(await viewers(ada)).toEqual([]);
  await put(observer, "viewing", 200);
  expect(await viewers(ada)).toMatchObject([{ name: "O", state: "viewing" }]);
  await put(observer, "left", 200);
});

test("every process hears who came, typed and left, and until when; leaving again says nothing", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    heard = [];
    for (const state of ["viewing", "typing", "left", "left"]) await put(ada, state, 200);
    await untilAllIsHeard();
    const { workspaceId } = tenant.defaults;
    const signal = (state: string, end: unknown): Signal => ({
      tenantId: tenant.tenantId,
      workspaceId,
      type: "viewing.changed",
      data: { conversationId: conversation, workspaceId, memberId: ada.id, state, until: end },
    });
    expect(heard).toEqual([signal("viewing", aTime), signal("typing", aTime), signal("left", null)]);
  });
});

test("polled lists still answer 304 while members look and type", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    heard = [];
    const paths = [
      "/api/conversations",
      `/api/conversations?workspaceId=${tenant.defaults.workspaceId}`,
      `/api/conversations/${conversation}`,
      `/api/conversations/${conversation}/messages`,
    ];
    for (const node of [nodes.a, nodes.b]) {
      const client = on(node, ada);
      const etags = await Promise.all(paths.map(async (path) => (await client.get(path, 200)).headers.get("etag")!));
      heard = [];
      for (const state of ["viewing", "typing", "viewing", "left"]) await put(bob, state, 200);
      await untilAllIsHeard();
      expect(heard).toHaveLength(4);
      for (const [n, path] of paths.entries())
        expect((await client.get(path, undefined, { headers: { "if-none-match": etags[n]! } })).status, path).toBe(304);
    }
  });
});

test("any number of members who come, type and leave at once on two nodes, past expired leases, leave no wrong row", async () => {
  const members = [ada, bob, owner];
  const ids = await concurrently(4, async () => (await start(tenant.live, tenant.defaults.workspaceId)).id);
  const states = ["viewing", "typing", "left"];
  for (let round = 0; round < 2; round++) {
    const answers = await concurrently(24, (n) =>
      put(on(n % 2 ? nodes.b : nodes.a, members[n % 3]!), states[(n + round) % 3]!, undefined, ids[n % 4]),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 24 });
    await expire();
  }
  await put(ada, "viewing", 200);
  expect(await rows()).toEqual([{ conversation_id: conversation, member_id: ada.id }]);
});

test("an erasure removes who looked at the person's conversations", async () => {
  const { id, contactId } = await start(tenant.live, tenant.defaults.workspaceId);
  await put(ada, "viewing", 200, id);
  await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
  expect(await rows()).toEqual([]);
});

test("a member's presence reaches every process on both sides, when it changes and only then", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    heard = [];
    const sandbox = await tenant.owner("test");
    const { id: memberId } = (await sandbox.get("/api/me", 200)).body;
    // Signing in changed something, which the other node hears a moment later.
    await untilAllIsHeard();
    const versions = () => [nodes.a, nodes.b].map(({ app }) => app.get(Changes).version(tenant.testTenantId, null));
    const before = versions();
    expect(before).not.toContain(null);
    for (const presence of ["online", "online", "away"]) {
      await sandbox.put("/api/me/presence", { presence }, 200);
      for (const node of [nodes.a, nodes.b]) {
        const { body } = await on(node, sandbox).get("/api/members", 200);
        expect(body.find(({ id }) => id === memberId)!.presence).toBe(presence);
      }
    }
    await untilAllIsHeard();
    expect(heard).toHaveLength(4);
    // No polled list begins anew because somebody went for a coffee.
    expect(versions()).toEqual(before);
    await sandbox.post("/api/auth/logout", undefined, 200);
    await untilAllIsHeard();
    const sides = await nodes.a.db.query<{ id: string }>(
      "select id from tenant where organisation_id = (select organisation_id from tenant where id = $1)",
      [tenant.tenantId],
    );
    expect(sides).toHaveLength(2);
    expect(heard).toEqual(
      ["online", "away", "offline"].flatMap((presence) =>
        sides.map(() => ({
          tenantId: expect.toBeOneOf(sides.map(({ id }) => id)),
          workspaceId: null,
          type: "presence.changed",
          data: { memberId, presence },
        })),
      ),
    );
    expect(Object.values(tally(heard.map(({ tenantId }) => tenantId)))).toEqual([3, 3]);
  });
});
