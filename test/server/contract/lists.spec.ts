import { afterAll, beforeAll, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { ParticipantEntity } from "../../../src/conversations/participants/participant.entity.js";
import { Changes } from "../../../src/platform/database/changes.js";
import { recordIdentityEvent } from "../../../src/identity/events/identity-event.js";
import { startApp, type TestApp } from "../../support/app.js";
import { settled } from "../feed/support.js";
import type { Answer, Client } from "../../support/client.js";
import {
  attach,
  environmentOf,
  isOwn,
  makeFor,
  ownMember,
  browser,
  pendingAction,
  send,
  type Side,
  signIn,
} from "./fixtures.js";
import { makeWorld, type World } from "./probes.js";
import { everyNth } from "../../support/sweep.js";
import { each, PROTECTED, type Route } from "../../support/routes.js";

/** Except the stream of events, which test/server/feed covers. */
const READS = PROTECTED.filter(({ method, path }) => method === "GET" && path !== "/api/events");
/**
 * Their responses contain no ids. test/server/e2e/identity-settings.spec.ts covers the separation of workspaces, and inbox.spec.ts
 * that of counts.
 */
const WITHOUT_IDS =
  /\/(conversation-counts|identity-settings|csat-config|breaker-settings|assistant|retention-settings|verification-sources|eid-schemes|assurance|(kb|policy)-entries\/(search|export)|similar|versions|preferences|signature|sign-in|mail-frame|html|invitation)$/;

let app: TestApp;
let world: World;
let known: Map<Side, Record<string, string>>;
/** Every id in a side's rows, read from the database. */
let idsOf: Map<Side, Set<string>>;
/** Members belong to both sides of their tenant. */
let membersOf: Map<Side, string[]>;
/** A member of each side, who has a session, a second factor and a browser. */
let own: { client: Client; id: string }[];
beforeAll(async () => {
  app = await startApp();
  world = await makeWorld(app);
  known = new Map();
  for (const side of [world.live, world.test, world.other]) known.set(side, await fill(side));
  await world.live.owner.put("/api/me/preferences", { theme: "dark" }, 200);
  await world.other.owner.put("/api/me/preferences", { theme: "light" }, 200);
  await world.live.owner.put("/api/me/signature", { body: "One" }, 200);
  await world.other.owner.put("/api/me/signature", { body: "Another" }, 200);
  own = [];
  for (const side of known.keys()) {
    const member = await ownMember(side, "agent");
    own.push({ client: member.client, id: member.side.ownerId });
    await browser(member.side);
  }
  idsOf = new Map();
  membersOf = new Map();
  for (const side of known.keys()) {
    idsOf.set(side, await readIds(side));
    membersOf.set(
      side,
      (
        await app.db.query<{ id: string }>(
          "select m.id from member m join tenant t on t.organisation_id = m.organisation_id where t.id = $1",
          [side.tenantId],
        )
      ).map(({ id }) => id),
    );
  }
  await settled(app.db);
});
afterAll(() => app.close());

/** One resource of each kind, by its name in paths, with identity events and captured mail so that no list is empty. */
async function fill(side: Side): Promise<Record<string, string>> {
  const ids: Record<string, string> = { workspaces: side.workspaceId };
  for (const resource of [
    "conversations",
    "contacts",
    "attention-items",
    "pending-actions",
    "tools",
    "procedures",
    "assistant-tests",
    "runs",
    "cases",
    "labels",
    "bulk-actions",
    "case-types",
    "kb-entries",
    "sources",
    "policy-entries",
    "agents",
    "api-keys",
    "members",
    "accounts",
    "channels",
    "kb-widgets",
    "contact-form-widgets",
    "connections",
    "bookings",
    "outbox",
    "webhook-endpoints",
    "webhook-deliveries",
    "erasure-requests",
    "circuit-breakers",
    "csat-ratings",
    "canned-replies",
    "views",
  ])
    ids[resource] = await makeFor({ name: "fill", resource }, side);
  ids.attachments = await attach(side, ids.conversations!);
  await pendingAction(side, ids.conversations);
  const viewer = await signIn(side, "agent");
  await viewer.put(`/api/conversations/${ids.conversations}/viewing`, { state: "viewing" }, 200);
  await app.transaction(side.tenantId, (tx) =>
    tx.insert(ParticipantEntity, {
      id: uuid(),
      conversationId: ids.conversations!,
      contactId: null,
      address: "grace@example.com",
      name: null,
      role: "cc",
      state: "listed",
      addedBy: null,
    }),
  );
  await app.db.query("update conversation_viewer set until = now() + interval '1 hour'");
  await app.transaction(side.tenantId, (tx) =>
    recordIdentityEvent(
      tx,
      { conversationId: ids.conversations!, transitionKey: "blocked" },
      { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: ["+4930901820"] },
    ),
  );
  ids.messages = await makeFor({ name: "GET /api/messages/{id}/original", resource: "messages" }, side);
  return ids;
}

async function readIds({ tenantId }: Side): Promise<Set<string>> {
  const tables = await app.db.query<{
    name: string;
  }>(`select c.table_name as name from information_schema.columns c join information_schema.columns i using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'tenant_id' and i.column_name = 'id' and i.data_type = 'uuid'`);
  const rows = await app.db.query<{ id: string }>(
    `${tables.map(({ name }) => `select id from "${name}" where tenant_id = $1`).join(" union ")} union select $1::uuid`,
    [tenantId],
  );
  return new Set(rows.map(({ id }) => id));
}

const read = (client: Client, route: Route, side: Side, query?: string): Promise<Answer> =>
  send(client, route, { id: route.resource && known.get(side)![route.resource], query });
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
function found(text: string, ids: Iterable<string>): string[] {
  const named = new Set(text.match(UUID));
  return [...ids].filter((id) => named.has(id));
}

test.each(each(READS.filter((route) => !isOwn(route) && !WITHOUT_IDS.test(route.path))))(
  "%s returns rows of the caller's own side only",
  async (_, route) => {
    const sides = environmentOf(route) === "test" ? [world.test] : [world.live, world.test, world.other];
    const callersOf = (side: Side): Client[] =>
      ["scope", "any", "any read"].includes(route.access) ? [side.key, side.owner] : [side.owner];
    for (const [at, side] of sides.entries()) {
      // One of them on each side in turn.
      const callers = callersOf(side);
      for (const client of everyNth(callers, callers.length, READS.indexOf(route) + at)) {
        const { status, text } = await read(client, route, side);
        expect(status).toBe(200);
        expect(found(text, [...idsOf.get(side)!, ...membersOf.get(side)!]), "of its own").not.toEqual([]);
        for (const [other, ids] of idsOf) if (other !== side) expect(found(text, ids), "foreign").toEqual([]);
        for (const id of membersOf.get(world[side === world.other ? "live" : "other"])!)
          expect(text, "foreign member").not.toContain(id);
      }
    }
  },
);

// Sessions, second factors and browsers belong to a member, on both sides.
test.each(each(READS.filter((route) => isOwn(route) && !WITHOUT_IDS.test(route.path))))(
  "%s returns rows of the calling member only",
  async (_, route) => {
    const rows = await app.db.query<{ id: string; memberId: string }>(
      `select id, member_id as "memberId" from member_session union all select id, member_id from second_factor
       union all select id, member_id from push_subscription`,
    );
    for (const { client, id } of own) {
      const { status, text } = await send(client, route, {});
      expect(status).toBe(200);
      const idsWhere = (mine: boolean) =>
        rows.filter(({ memberId }) => (memberId === id) === mine).map((row) => row.id);
      expect(found(text, idsWhere(true)), "of its own").not.toEqual([]);
      expect(found(text, idsWhere(false)), "foreign").toEqual([]);
    }
  },
);

/** These belong to the whole tenant: every caller that can read cases can read the case types, for example. */
const TENANT_WIDE = ["GET /api/case-types", "GET /api/labels"];
test.each(
  each(
    READS.filter(
      ({ name, path, access, resource }) =>
        access === "scope" && resource === undefined && !TENANT_WIDE.includes(name) && !WITHOUT_IDS.test(path),
    ),
  ),
)("%s returns nothing outside a restricted caller's reach", async (_, route) => {
  const { elsewhere, live, restricted } = world;
  const platform = await app.db.query<{ id: string }>(
    `select id from agent where tenant_id = $1 and kind = 'platform'`,
    [live.tenantId],
  );
  const within = new Set([...Object.values(elsewhere), ...platform.map(({ id }) => id)]);
  const outside = [...idsOf.get(live)!].filter((id) => !within.has(id) && id !== live.tenantId);
  expect(found((await read(live.key, route, live)).text, outside), "what there is").not.toEqual([]);
  for (const [name, client] of Object.entries(restricted)) {
    const { status, text } = await read(client, route, live);
    expect(status, name).toBe(200);
    expect(found(text, outside), name).toEqual([]);
  }
});

test.each(each(READS.filter(({ resource, path }) => resource === undefined && !/captured/.test(path))))(
  "%s shares no response and no ETag between concurrent callers with different access",
  async (_, route) => {
    const { live, test: testSide, other, restricted } = world;
    const callers =
      route.access === "admins" || route.access === "members"
        ? [live.owner, testSide.owner, other.owner, ...(isOwn(route) ? own.map(({ client }) => client) : [])]
        : [live.key, live.owner, testSide.key, other.key, ...Object.values(restricted)];
    // From here on, all tenants have the same version.
    app.app.get(Changes).forgetEverything();
    // When a key was last used, or a member last seen, is updated separately.
    const shown = ({ text }: Answer): string => text.replace(/"last(Used|Seen)At":[^,}]+/g, "");
    const together = await Promise.all([...callers, ...callers].map((client) => send(client, route, {})));
    const alone: Answer[] = [];
    for (const client of callers) {
      app.app.get(Changes).forgetEverything();
      alone.push(await send(client, route, {}));
    }
    expect(together.map(shown)).toEqual([...alone, ...alone].map(shown));
    expect(new Set(alone.map(({ text }) => text)).size).toBeGreaterThan(2);
    app.app.get(Changes).forgetEverything();
    const etags = (await Promise.all(callers.map((client) => send(client, route, {})))).map(({ headers }) =>
      headers.get("etag")!,
    );
    const pairs = callers
      .flatMap((client, asker) => etags.map((etag, giver) => ({ client, asker, etag, giver })))
      .filter(({ asker, giver }) => alone[asker]!.text !== alone[giver]!.text);
    for (const { client, etag } of everyNth(pairs, 4, READS.indexOf(route)))
      expect((await send(client, route, { headers: { "if-none-match": etag } })).status).toBe(200);
  },
);

test("a cursor of another tenant, another side or another list is refused", async () => {
  const paged = READS.filter(({ name }) =>
    [
      "GET /api/conversations",
      "GET /api/contacts",
      "GET /api/attention-items",
      "GET /api/conversations/{id}/messages",
      "GET /api/conversations/{id}/attachments",
      "GET /api/workspaces/{workspaceId}/kb-entries",
      "GET /api/workspaces/{workspaceId}/policy-entries",
    ].includes(name),
  );
  const cursors: Record<string, string> = {};
  for (const side of known.keys()) {
    for (const resource of ["conversations", "attention-items"]) await makeFor({ name: "a second", resource }, side);
    for (const resource of ["kb-entries", "policy-entries"]) await makeFor({ name: "a second", resource }, side);
    await attach(side, known.get(side)!.conversations!);
    for (const route of paged) {
      const { nextCursor } = (await read(side.key, route, side, "?limit=1")).body as { nextCursor: string };
      expect(nextCursor, route.name).toBeTypeOf("string");
      cursors[`${route.name} ${side.tenantId}`] = nextCursor;
    }
  }
  const accepted: string[] = [];
  for (const route of paged) {
    for (const [where, cursor] of Object.entries(cursors)) {
      const { status } = await read(world.live.key, route, world.live, `?limit=1&cursor=${cursor}`);
      if (status !== 400) accepted.push(`${route.name} took the cursor of ${where}`);
    }
  }
  expect(accepted).toEqual(paged.map(({ name }) => `${name} took the cursor of ${name} ${world.live.tenantId}`));
});

test("an externalId or Idempotency-Key is separate for each tenant and side", async () => {
  const made = new Set<string>();
  for (const { key, workspaceId } of [world.live, world.test, world.other]) {
    const body = { workspaceId, externalId: "shared", contact: { externalId: "shared", name: workspaceId } };
    const started = await key.post("/api/conversations", body, 201, { headers: { "idempotency-key": "shared" } });
    expect(started.body.workspaceId).toBe(workspaceId);
    const contact = (await key.get("/api/contacts?externalId=shared", 200)).body.data;
    expect(contact).toMatchObject([{ id: started.body.contactId, name: workspaceId }]);
    expect((await key.get("/api/conversations?externalId=shared", 200)).body.data).toHaveLength(1);
    made.add(started.body.id).add(started.body.contactId);
  }
  expect(made.size).toBe(6);
});
