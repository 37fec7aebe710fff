import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, type TestTenant } from "../support/app.js";
import { newWorkspace } from "../server/e2e/support.js";
import type { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import {
  concurrently,
  databaseWithDeadlocks,
  on,
  startTwo,
  tally,
  type TwoNodes,
  until,
  untilWaiting,
} from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let clients: Client[];
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  clients = [tenant.live, on(nodes.b, tenant.live)];
});
afterAll(() => nodes.close());

const contact = async (body: object = {}): Promise<string> =>
  (await tenant.live.post("/api/contacts", body, 201)).body.id;
const conversation = async (contactId?: string) =>
  (
    await tenant.live.post(
      "/api/conversations",
      {
        workspaceId: tenant.defaults.workspaceId,
        ...(contactId ? { contactId } : { contact: { name: "Ada" } }),
        message: { body: "Hello" },
      },
      201,
    )
  ).body;
const merge = (client: Client, id: string, sourceContactId: string) =>
  client.post(`/api/contacts/${id}/merge`, { sourceContactId });

describe("concurrent merges", () => {
  test("of two contacts with each other, in several rounds: one direction wins, and no contact ends up in a cycle", async () => {
    for (let round = 0; round < runs(3, 6); round++) {
      const [a, b] = [(await conversation()).contactId, (await conversation()).contactId];
      const answers = await concurrently(8, (n) =>
        n % 2 ? merge(clients[(n >> 1) % 2]!, a, b) : merge(clients[(n >> 1) % 2]!, b, a),
      );
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 7 });
      const ends = await Promise.all(
        [a, b].map(async (id) => (await tenant.live.get(`/api/contacts/${id}`, 200)).body.mergedIntoId),
      );
      const survivor = ends[0] === null ? a : b;
      expect(ends.filter((end) => end !== null)).toEqual([survivor]);
      expect((await tenant.live.get(`/api/conversations?contactId=${survivor}`, 200)).body.data).toHaveLength(2);
    }
  });

  test("in a ring: each chain leaves one survivor, and every other contact is merged directly into it", async () => {
    for (let round = 0; round < runs(2, 4); round++) {
      const ids = [await contact(), await contact(), await contact(), await contact()];
      const answers = await Promise.all(ids.map((id, n) => merge(clients[n % 2]!, id, ids[(n + 1) % ids.length]!)));
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const rows = await nodes.a.db.query<{ id: string; end: string | null }>(
        "select id, merged_into_id as end from contact where id = any ($1)",
        [ids],
      );
      const survivors = rows.filter(({ end }) => end === null).map(({ id }) => id);
      expect(survivors.length).toBe(ids.length - answers.filter(({ status }) => status === 200).length);
      for (const { end } of rows) if (end !== null) expect(survivors).toContain(end);
    }
  });

  test("with new conversations and messages: everything accepted belongs to the survivor", async () => {
    const [survivor, source] = [await contact({ name: "Ada" }), await conversation()];
    const start = (n: number) =>
      clients[n % 2]!.post("/api/conversations", {
        workspaceId: tenant.defaults.workspaceId,
        contactId: source.contactId,
        message: { body: `new ${n}` },
      });
    const sending = Array.from({ length: 18 }, (_, n) =>
      n % 3 ? clients[n % 2]!.post(`/api/conversations/${source.id}/messages`, { body: `message ${n}` }) : start(n),
    );
    // The merge runs while the others are in progress.
    await Promise.race(sending.filter((_, n) => n % 3 === 0));
    const merged = await merge(clients[1]!, survivor, source.contactId);
    const answers = await Promise.all(sending);
    expect(merged.status).toBe(200);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const started = answers.filter(({ status }, n) => n % 3 === 0 && status === 201).length;
    expect(started).toBeGreaterThan(0);
    expect((await tenant.live.get(`/api/conversations?contactId=${survivor}&limit=100`, 200)).body.data).toHaveLength(
      1 + started,
    );
    expect((await tenant.live.get(`/api/conversations?contactId=${source.contactId}`, 200)).body.data).toEqual([]);
    expect((await tenant.live.get(`/api/conversations/${source.id}/messages?limit=100`, 200)).body.data).toHaveLength(
      13,
    );
  });

  test("with cases opened and changed for both contacts: everything accepted belongs to the survivor", async () => {
    const owner = await tenant.owner();
    const owners = [owner, on(nodes.b, owner)];
    const [survivor, source] = [await contact(), await contact()];
    const { id } = (
      await owner.post(
        "/api/cases",
        { workspaceId: tenant.defaults.workspaceId, title: "Theirs", contactId: source },
        201,
      )
    ).body;
    const working = Array.from({ length: 16 }, (_, n) =>
      n % 2
        ? owners[(n % 4) >> 1]!.post("/api/cases", {
            workspaceId: tenant.defaults.workspaceId,
            title: `Case ${n}`,
            contactId: source,
          })
        : owners[(n % 4) >> 1]!.patch(`/api/cases/${id}`, n % 8 ? { title: `Title ${n}` } : { contactId: source }),
    );
    await Promise.race(working.filter((_, n) => n % 2));
    expect((await merge(clients[1]!, survivor, source)).status).toBe(200);
    const answers = await Promise.all(working);
    expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    const opened = answers.filter(({ status }) => status === 201).length;
    expect(opened).toBeGreaterThan(0);
    expect((await owner.get(`/api/cases?contactId=${survivor}&limit=100`, 200)).body.data).toHaveLength(1 + opened);
    expect((await owner.get(`/api/cases?contactId=${source}`, 200)).body.data).toEqual([]);
  });

  test("with an erasure of either contact: the person's data is gone, or the two stayed separate", async () => {
    for (let round = 0; round < runs(4, 6); round++) {
      const [a, b] = [
        await contact({ name: "needle" }),
        await contact({ name: "needle", emails: [`needle-${round}@example.com`] }),
      ];
      const [merged, erased] = await Promise.all([
        merge(clients[0]!, a, b),
        clients[1]!.post(`/api/contacts/${round % 2 ? a : b}/erasure`),
      ]);
      expect(erased.status).toBe(200);
      expect(erased.body.certificate.contactIds).toContain(round % 2 ? a : b);
      expect([200, 404, 409]).toContain(merged.status);
      for (const id of merged.status === 200 ? [a, b] : [round % 2 ? a : b]) {
        const [row] = await nodes.a.db.query<{ name: string | null; points: number }>(
          "select name, (select count(*)::int from contact_point p where p.contact_id = c.id) as points from contact c where id = $1 and erased_at is not null",
          [id],
        );
        // If the merge ran second, one of the contacts was gone.
        if (erased.body.certificate.contactIds.includes(id)) expect(row).toEqual({ name: null, points: 0 });
      }
    }
  });
});

test.each<[string, (contactId: string) => Promise<{ status: number }>]>([
  ["a merge", async (contactId) => merge(clients[1]!, await contact(), contactId)],
  ["a deletion", (contactId) => clients[1]!.delete(`/api/contacts/${contactId}`)],
  ["an erasure", (contactId) => clients[1]!.post(`/api/contacts/${contactId}/erasure`)],
])("%s waits for a conversation that is being created for the contact", async (_, end) => {
  const contactId = await contact({ name: "Ada" });
  const other = await connect(nodes.a.db.url);
  try {
    // Creating a conversation waits for this lock after reading the contact and before the insert.
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [tenant.defaults.workspaceId]);
    const started = clients[0]!.post("/api/conversations", { workspaceId: tenant.defaults.workspaceId, contactId });
    await untilWaiting(nodes.a.db, 1);
    const ended = end(contactId);
    await untilWaiting(nodes.a.db, 2);
    await other.query("commit");
    expect([(await started).status, (await ended).status]).toEqual([201, 200]);
  } finally {
    await other.end();
  }
});

describe("blocking a contact", () => {
  test("takes effect when it returns: later messages from the contact are refused, including those in progress", async () => {
    const { id, contactId } = await conversation();
    const message = () => clients[0]!.post(`/api/conversations/${id}/messages`, { body: "Hello" });
    // Some messages are accepted: the block runs while they are in progress.
    expect((await message()).status).toBe(201);
    const early = concurrently(10, message);
    const blocked = await clients[1]!.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    expect(blocked.body.blocked).toBe(true);
    const { messageCount } = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
    const late = await concurrently(5, message);
    const statuses = (await early).map(({ status }) => status);
    expect(tally(late.map(({ status }) => status))).toEqual({ 409: 5 });
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body.messageCount).toBe(messageCount);
  });

  test("waits for a message that is not committed yet", async () => {
    const { id, contactId } = await conversation();
    const client = await connect(nodes.a.db.url);
    try {
      await client.query(`begin; select set_config('app.tenant_id', '${tenant.tenantId}', true)`);
      await client.query(
        `insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, body, delivery_status, occurred_at) values ($1, gen_random_uuid(), $2, 99, 'inbound', 'contact', 'late', 'delivered', now())`,
        [tenant.tenantId, id],
      );
      let answered = false;
      const blocking = tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200).then(() => {
        answered = true;
      });
      await until(
        () =>
          nodes.a.db.query(
            `select 1 from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`,
          ),
        "the block waits",
      );
      expect(answered).toBe(false);
      await client.query("commit");
      await blocking;
    } finally {
      await client.end();
    }
  });
});

test("concurrent deletion and new conversations never create a conversation for a deleted contact", async () => {
  let all = 0;
  // In a round the deletion may come first. Some conversation has to come before one.
  for (let round = 0; round < runs(3, 5) || (all === 0 && round < 100); round++) {
    const { contactId } = await conversation();
    const starting = Array.from({ length: 6 }, (_, n) =>
      clients[n % 2]!.post("/api/conversations", { workspaceId: tenant.defaults.workspaceId, contactId }),
    );
    const deleted = await clients[0]!.delete(`/api/contacts/${contactId}`);
    const started = await Promise.all(starting);
    expect(deleted.status).toBe(200);
    expect(started.every(({ status }) => status === 201 || status === 404)).toBe(true);
    all += started.filter(({ status }) => status === 201).length;
    await tenant.live.get(`/api/contacts/${contactId}`, 404);
    await tenant.live.post("/api/conversations", { workspaceId: tenant.defaults.workspaceId, contactId }, 404);
  }
  expect(all).toBeGreaterThan(0);
});

/** A request that lost too many races is answered 503 at once, and repeated. One in a deadlock waits for the timeout of its statement. */
async function unlessDeadlocked<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const began = performance.now();
    const answer = await ask();
    if (answer.status !== 503 || performance.now() - began >= STATEMENT_TIMEOUT_MS) return answer;
  }
}
const STATEMENT_TIMEOUT_MS = 15_000;

test("accounts are changed and deleted together while their contacts write, are linked, merged and deleted, without a deadlock", async () => {
  const two = await startTwo({}, await databaseWithDeadlocks());
  const { live, defaults } = await two.a.tenant();
  const both = [live, on(two.b, live)];
  const made = async (path: "/api/accounts" | "/api/contacts", count: number): Promise<string[]> =>
    (await concurrently(count, () => live.post(path, { name: "Ada" }, 201))).map(({ body }) => body.id);
  for (let round = 0; round < runs(6, 30); round++) {
    const [accounts, people] = [await made("/api/accounts", 4), await made("/api/contacts", 12)];
    const link = (client: Client, n: number) =>
      client.put(`/api/contacts/${people[n]}/account`, { accountId: accounts[n % accounts.length] });
    await concurrently(6, (n) => link(live, n));
    const conversations = await concurrently(people.length, async (n) => {
      const body = { workspaceId: defaults.workspaceId, contactId: people[n]!, message: { body: "Hello" } };
      return (await live.post("/api/conversations", body, 201)).body.id;
    });
    const bulk = (client: Client, ids: string[], action: object) =>
      client.post("/api/accounts/bulk-actions", { ids, ...action });
    const ask = (n: number): Promise<{ status: number }> => {
      const client = both[n % 2]!;
      if (n < 2) return bulk(client, n ? accounts : accounts.toReversed(), { type: "delete" });
      if (n < 4) return bulk(client, accounts, { type: "set", plan: `Plan ${n}` });
      // A survivor takes over the account of the other one.
      if (n < 10) return merge(client, people[n + 2]!, people[n - 4]!);
      if (n < 14) return link(client, n - 10);
      if (n < 16) return client.delete(`/api/contacts/${people[n - 10]}`);
      return client.post(`/api/conversations/${conversations[n - 16]}/messages`, { body: "Still there?" });
    };
    const answers = await concurrently(24, (n) => unlessDeadlocked(() => ask(n)));
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([]);
    expect((await live.get("/api/accounts", 200)).body.data).toEqual([]);
    expect(await two.a.db.query("select 1 from contact where account_id is not null")).toEqual([]);
  }
  await two.close();
});

test("contacts are labelled, linked and blocked together while they write, and are merged and deleted, without a deadlock", async () => {
  const two = await startTwo({}, await databaseWithDeadlocks());
  try {
    const { live, defaults } = await two.a.tenant();
    const both = [live, on(two.b, live)];
    for (let round = 0; round < runs(6, 30); round++) {
      const { id: accountId } = (await live.post("/api/accounts", { name: "Shop" }, 201)).body;
      const people = await concurrently(10, async () => (await live.post("/api/contacts", {}, 201)).body.id);
      const conversations = await concurrently(4, async (n) => {
        const body = { workspaceId: defaults.workspaceId, contactId: people[n]!, message: { body: "Hello" } };
        return (await live.post("/api/conversations", body, 201)).body.id;
      });
      const bulk = (n: number, action: object) =>
        both[n % 2]!.post("/api/contacts/bulk-actions", { ids: n % 4 < 2 ? people : people.toReversed(), ...action });
      const ask = (n: number): Promise<{ status: number }> => {
        const client = both[n % 2]!;
        if (n < 8) return bulk(n, { type: "label", add: [`label ${n}`] });
        if (n < 12) return bulk(n, { type: n % 2 ? "block" : "unblock" });
        if (n < 16) return bulk(n, n % 2 ? { type: "link", accountId } : { type: "unlink" });
        if (n < 18) return merge(client, people[n - 16]!, people[n - 8]!);
        if (n < 20) return client.delete(`/api/contacts/${people[n - 13]}`);
        return client.post(`/api/conversations/${conversations[n - 20]}/messages`, { body: "Still there?" });
      };
      const answers = await concurrently(24, (n) => unlessDeadlocked(() => ask(n)));
      expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
      // Whoever is left has what each of them was given, those that a merge took into another one as well.
      for (const id of people.filter((_, n) => ![5, 6, 8, 9].includes(n))) {
        const { labels } = (await live.get(`/api/contacts/${id}`, 200)).body;
        expect([...labels].sort()).toEqual(Array.from({ length: 8 }, (_, n) => `label ${n}`));
      }
    }
  } finally {
    await two.close();
  }
});

test("one externalId that callers of two workspaces take concurrently becomes one contact's; each call gets a contact of its own", async () => {
  const owner = await tenant.owner();
  const there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  const callers = await Promise.all(
    [tenant.defaults.workspaceId, there].map(async (workspaceId, n) => ({
      workspaceId,
      client: on(nodes[n ? "b" : "a"], await keyFor(owner, { dataScope: { level: "workspace", workspaceId } })),
    })),
  );
  for (let round = 0; round < runs(4, 10); round++) {
    const externalId = `raced-${round}`;
    const contacts = await Promise.all(
      callers.map(async ({ client, workspaceId }) => {
        const { body } = await client.post("/api/conversations", { workspaceId, contact: { externalId } }, 201);
        return (await client.get(`/api/contacts/${body.contactId}`, 200)).body;
      }),
    );
    expect(new Set(contacts.map(({ id }) => id)).size).toBe(2);
    expect(contacts.filter((one) => one.externalId === externalId)).toHaveLength(1);
    for (const [n, { client }] of callers.entries()) await client.get(`/api/contacts/${contacts[1 - n]!.id}`, 404);
  }
});
