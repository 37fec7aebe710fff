import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { raise } from "../../../src/conversations/attention/raise.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import {
  concurrently,
  copyOf,
  SOON_MS,
  startTwo,
  tablesWith,
  tally,
  type TwoNodes,
  until,
} from "../../races/support.js";
import { keyFor, PASSWORD, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { copyConversations, insertEvents, newPlace, type Place, walk } from "./support.js";
import { connect } from "../../support/database.js";

let nodes: TwoNodes;
beforeAll(async () => {
  nodes = await startTwo();
});
afterAll(() => nodes.close());

const purge = (node = nodes.a) => node.app.get(PurgeWorkspacesJob).run();

interface Scene {
  tenant: TestTenant;
  owner: Client;
  /** Three workspaces: two of one brand, and one of another brand. */
  places: [Place, Place, Place];
  entries: string[];
  /** An open item of each place's conversation. */
  items: string[];
  /** Credentials for the whole organisation, for the first brand, and of an agent in the first two workspaces. */
  callers: Record<"organisation" | "brand" | "agent", Client>;
}

const SOURCE = {
  name: "crm",
  type: "contact_attributes",
  questions: [{ key: "name", prompt: "Your name?", attribute: "name" }],
};

/** A tenant with three workspaces, whose conversations are mixed in the lists. */
async function scene(): Promise<Scene> {
  const tenant = await nodes.a.tenant();
  const owner = await tenant.owner();
  const { brandId } = tenant.defaults;
  const { id: otherBrand } = (await owner.post("/api/brands", { name: "Other" }, 201)).body;
  const workspaceIds = [tenant.defaults.workspaceId];
  for (const brand of [brandId, otherBrand])
    workspaceIds.push((await owner.post("/api/workspaces", { name: "More", brandId: brand }, 201)).body.id);
  const places: Place[] = [];
  const entries: string[] = [];
  const items: string[] = [];
  for (const [index, workspaceId] of workspaceIds.entries()) {
    const place = await newPlace(tenant.live, workspaceId);
    places.push(place);
    await copyConversations(
      nodes.a.db,
      place,
      Array.from({ length: 20 }, (_, n) => (n * 3 + index) % 10),
    );
    await insertEvents(nodes.a.db, place, [new Date(), new Date()]);
    await nodes.a.transaction(tenant.tenantId, (tx) =>
      raise(tx, { conversationId: place.conversationId, type: "kb_gap", severity: "low", reason: "Nothing found" }),
    );
    items.push(
      (await tenant.live.get(`/api/attention-items?conversationId=${place.conversationId}`, 200)).body.data[0]!.id,
    );
    await owner.put(`/api/workspaces/${workspaceId}/identity-settings`, { magicLinkMinutes: 5 }, 200);
    await owner.put(`/api/workspaces/${workspaceId}/verification-sources`, { sources: [SOURCE] }, 200);
    for (const status of ["pending", "approved"])
      entries.push(
        (await owner.post(`/api/workspaces/${workspaceId}/kb-entries`, { question: "Q", answer: "A", status }, 201))
          .body.id,
      );
  }
  const email = `agent-${tenant.tenantId}@example.com`;
  await owner.post(
    "/api/members",
    { email, name: "Agent", role: "agent", workspaceIds: workspaceIds.slice(0, 2), password: PASSWORD },
    201,
  );
  return {
    tenant,
    owner,
    places: places as Scene["places"],
    entries,
    items,
    callers: {
      organisation: tenant.live,
      brand: await keyFor(owner, { dataScope: { level: "brand", brandId } }),
      agent: await owner.login(email, PASSWORD),
    },
  };
}

describe("a deleted workspace", () => {
  test("is hidden from every caller on every route, as soon as the deletion is answered", async () => {
    const {
      owner,
      callers,
      places: [, gone],
      entries: [, , pending, approved],
      items: [, item],
    } = await scene();
    const { workspaceId: id, conversationId } = gone;
    const own = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: id } });
    // A contact that a restricted caller can see only because of this workspace.
    const { body: only } = await callers.organisation.post(
      "/api/conversations",
      { workspaceId: id, contact: { name: "Only here" } },
      201,
    );
    await callers.brand.get(`/api/contacts/${only.contactId}`, 200);
    await own.get(`/api/workspaces/${id}`, 200);
    const reads = [
      `workspaces/${id}`,
      `workspaces/${id}/channels`,
      `workspaces/${id}/kb-entries`,
      `workspaces/${id}/kb-entries/pending`,
      `kb-entries/${pending}`,
      `kb-entries/${approved}`,
      `conversations?workspaceId=${id}`,
      `conversations/${conversationId}`,
      `conversations/${conversationId}/messages`,
      `conversations/${conversationId}/identity-events`,
      `attention-items?workspaceId=${id}`,
      `attention-items/${item}`,
    ].map((path) => `/api/${path}`);
    for (const client of [...Object.values(callers), own]) for (const path of reads) await client.get(path, 200);

    expect((await callers.organisation.delete(`/api/workspaces/${id}`, 200)).body).toEqual({ ok: true });
    const answered = performance.now();
    // The key that was restricted to it is refused within a second, and sees no data before that.
    let accepted = answered;
    for (;;) {
      const began = performance.now();
      const statuses = await Promise.all([...reads, "/api/me"].map(async (path) => (await own.get(path)).status));
      if (statuses.every((status) => status === 401)) break;
      expect(statuses.slice(0, -1).filter((status) => status !== 404 && status !== 401)).toEqual([]);
      accepted = began;
    }
    expect(accepted - answered).toBeLessThanOrEqual(SOON_MS);
    expect((await owner.get("/api/api-keys", 200)).body.find((key) => key.id === own.id)!.status).toBe("revoked");

    for (const [who, client] of Object.entries(callers)) {
      for (const path of reads)
        expect([who, path, (await client.get(path)).body]).toEqual([who, path, { error: "Not found" }]);
      for (const path of ["/api/workspaces", "/api/conversations?limit=100", "/api/attention-items", "/api/brands"])
        expect([who, path, (await client.get(path, 200)).text.includes(id)]).toEqual([who, path, false]);
      for (const write of ["messages", "reply", "notes"])
        await client.post(`/api/conversations/${conversationId}/${write}`, { body: "Hello" }, 404);
      await client.post("/api/conversations", { workspaceId: id, contact: {} }, 404);
      await client.post(`/api/workspaces/${id}/kb-entries`, { question: "Q", answer: "A" }, 404);
      await client.post(`/api/kb-entries/${pending}/approve`, undefined, 404);
      await client.post(`/api/attention-items/${item}/resolve`, undefined, 404);
    }
    await callers.brand.get(`/api/contacts/${only.contactId}`, 404);
    expect((await walk(callers.brand, "/api/contacts")).map((contact) => contact.id)).not.toContain(only.contactId);
    expect((await owner.get("/api/members", 200)).text).not.toContain(id);
    await callers.organisation.delete(`/api/workspaces/${id}`, 404);
    await owner.post(
      "/api/api-keys",
      { name: "k", scopes: ["kb:read"], dataScope: { level: "workspace", workspaceId: id } },
      404,
    );
    await owner.post(
      "/api/members",
      { email: `late-${id}@example.com`, name: "Late", role: "agent", workspaceIds: [id] },
      404,
    );
  });

  test("is missing from every list page, and nothing else is, before and after its rows are purged", async () => {
    const {
      callers,
      places: [, gone],
    } = await scene();
    const lists = Object.entries(callers).map(([who, client]) => ({
      who,
      walk: () => walk<{ id: string; workspaceId: string }>(client, "/api/conversations"),
    }));
    const before = new Map<string, { id: string; workspaceId: string }[]>();
    for (const { who, walk: read } of lists) before.set(who, await read());
    const {
      body: { nextCursor },
    } = await callers.organisation.get("/api/conversations?limit=7", 200);
    await callers.organisation.delete(`/api/workspaces/${gone.workspaceId}`, 200);

    const expected = (who: string) => before.get(who)!.filter(({ workspaceId }) => workspaceId !== gone.workspaceId);
    expect(lists.map(({ who }) => expected(who).length)).toEqual([42, 21, 21]);
    for (const { who, walk: read } of lists) expect([who, await read()]).toEqual([who, expected(who)]);
    // Paging that has begun continues from its position.
    const { body: next } = await callers.organisation.get(`/api/conversations?limit=100&cursor=${nextCursor}`, 200);
    expect(next.data).toEqual(
      before
        .get("organisation")!
        .slice(7)
        .filter(({ workspaceId }) => workspaceId !== gone.workspaceId),
    );

    await purge();
    for (const { who, walk: read } of lists) expect([who, await read()]).toEqual([who, expected(who)]);
  });

  test("is deleted once: of ten concurrent requests one succeeds and the others are 404", async () => {
    const { live, defaults } = await nodes.a.tenant();
    expect(
      tally(
        (await concurrently(10, () => live.delete(`/api/workspaces/${defaults.workspaceId}`))).map(
          ({ status }) => status,
        ),
      ),
    ).toEqual({ 200: 1, 404: 9 });
  });

  test("keeps no data that was written to it during the deletion", async () => {
    const { live: client, defaults } = await nodes.a.tenant();
    const { workspaceId, conversationId } = await newPlace(client, defaults.workspaceId);
    const writes = concurrently(60, (n): Promise<{ status: number }> =>
      n % 2
        ? client.post(`/api/conversations/${conversationId}/messages`, { body: "late" })
        : client.post("/api/conversations", {
            workspaceId,
            externalId: `late-${n}`,
            contact: {},
            message: { body: "late" },
          }),
    );
    await client.delete(`/api/workspaces/${workspaceId}`, 200);
    const purged = purge();
    expect(
      Object.keys(tally((await writes).map(({ status }) => status))).filter(
        (status) => !["201", "404"].includes(status),
      ),
    ).toEqual([]);
    // A concurrent write may have come between two of the purge's steps. Then the next run deletes it.
    await purged.catch(() => undefined);
    await purge();
    expect(await nodes.a.db.query("select 1 from conversation where workspace_id = $1", [workspaceId])).toEqual([]);
    expect(await nodes.a.db.query("select 1 from workspace where id = $1", [workspaceId])).toEqual([]);
    expect(await nodes.a.db.query("select 1 from message where conversation_id = $1", [conversationId])).toEqual([]);
  });
});

describe("the purge", () => {
  const TABLES = [
    "workspace",
    "channel",
    "conversation",
    "message",
    "identity_event",
    "attention_item",
    "identity_settings",
    "verification_source",
    "kb_entry",
    "member_workspace",
    "purge_queue",
  ];
  /** The rows of these tables that belong to a workspace. */
  async function rowsOf({ workspaceId }: Place): Promise<Record<string, unknown[]>> {
    const found: Record<string, unknown[]> = {};
    for (const table of TABLES) {
      const where =
        table === "workspace"
          ? "t.id = $1"
          : table === "message"
            ? "t.conversation_id in (select id from conversation where workspace_id = $1)"
            : "t.workspace_id = $1";
      found[table] = await nodes.a.db.query(
        `select to_jsonb(t) as row from ${table} t where ${where} order by t::text`,
        [workspaceId],
      );
    }
    return found;
  }
  const counts = async (place: Place): Promise<Record<string, number>> =>
    Object.fromEntries(Object.entries(await rowsOf(place)).map(([table, rows]) => [table, rows.length]));
  const none = Object.fromEntries(TABLES.map((table) => [table, 0]));

  test("deletes every row of the deleted workspace and no row of another, despite references between them", async () => {
    const {
      tenant,
      callers,
      entries,
      places: [first, gone, third],
    } = await scene();
    // Rows that remain had references to it.
    await nodes.a.db.query("update conversation set previous_conversation_id = $2 where id = $1", [
      first.conversationId,
      gone.conversationId,
    ]);
    await nodes.a.db.query("update kb_entry set duplicate_of_id = $2 where id = $1", [entries[0], entries[2]]);
    const { conversation: conversations } = await rowsOf(gone);
    expect(await counts(gone)).toEqual({
      workspace: 1,
      channel: 2,
      conversation: 21,
      message: 21,
      identity_event: 2,
      attention_item: 1,
      identity_settings: 1,
      verification_source: 1,
      kb_entry: 2,
      member_workspace: 1,
      purge_queue: 0,
    });
    await callers.organisation.delete(`/api/workspaces/${gone.workspaceId}`, 200);
    expect(await counts(gone)).toMatchObject({ conversation: 21, message: 21, purge_queue: 1 });
    const others = [await rowsOf(first), await rowsOf(third)];

    await purge();
    expect(await counts(gone)).toEqual(none);
    const unlinked = JSON.parse(
      JSON.stringify(others)
        .replaceAll(`"previous_conversation_id":"${gone.conversationId}"`, '"previous_conversation_id":null')
        .replaceAll(`"duplicate_of_id":"${entries[2]}"`, '"duplicate_of_id":null'),
    );
    expect(JSON.parse(JSON.stringify([await rowsOf(first), await rowsOf(third)]))).toEqual(unlinked);
    // No other table has the id either, except for the record of the deletion, the change feed, which says that something
    // was there, and the consumption. The contact belongs to the tenant and remains.
    const ids = (conversations as { row: { id: string } }[]).map(({ row }) => row.id);
    const traces = [...ids, ...ids.map((id) => Buffer.from(id).toString("hex"))];
    const withTraces = Object.entries(await copyOf(nodes.a.db)).filter(([, rows]) =>
      traces.some((trace) => rows.includes(trace)),
    );
    expect(withTraces.map(([table]) => table).sort()).toEqual(["audit_entry", "resource_change"]);
    expect(Object.keys(await tablesWith(nodes.a.db, gone.workspaceId))).toEqual([
      "audit_entry",
      "consumption",
      "resource_change",
    ]);
    expect(await walk(tenant.live, "/api/contacts")).toHaveLength(3);
  });

  test("that is interrupted between two batches is completed by another node", async () => {
    const { live, owner: signIn, defaults } = await nodes.a.tenant();
    const more = { name: "More", brandId: defaults.brandId };
    const { id: another } = (await (await signIn()).post("/api/workspaces", more, 201)).body;
    const [first, gone] = [await newPlace(live, defaults.workspaceId), await newPlace(live, another)];
    await copyConversations(
      nodes.a.db,
      gone,
      Array.from({ length: 1_200 }, (_, n) => 60 + n),
    );
    await live.delete(`/api/workspaces/${gone.workspaceId}`, 200);
    const lock = await connect(nodes.a.db.url);
    try {
      // The oldest conversation belongs to the third batch of 500.
      await lock.query("begin");
      await lock.query(
        "select from conversation where workspace_id = $1 order by last_activity_at, id limit 1 for update",
        [gone.workspaceId],
      );
      const cutOff = purge().catch((error: unknown) => error);
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(() => nodes.a.db.query(waiting), "the third batch waits for the lock");
      // Another node does not start a second purge.
      await purge(nodes.b);
      await nodes.a.db
        .query(`select pg_terminate_backend(pid, 100000) from pg_stat_activity where datname = current_database()
        and (pid in (${waiting}) or pid in (select pid from pg_locks where locktype = 'advisory' and granted))`);
      expect(await cutOff).toBeInstanceOf(Error);
    } finally {
      await lock.end();
    }
    expect(await counts(gone)).toMatchObject({ conversation: 201, message: 201, purge_queue: 1, workspace: 1 });
    const other = await rowsOf(first);
    await purge(nodes.b);
    expect(await counts(gone)).toEqual(none);
    expect(await rowsOf(first)).toEqual(other);
  });
});
