import { afterAll, beforeAll, expect, test } from "vitest";
import { UnassignFormerMembersJob } from "../../src/maintenance/unassign-former-members.job.js";
import { newWorkspace } from "../server/e2e/support.js";
import { PASSWORD, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, tally, type TwoNodes, until } from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

const at = (n: number): Client => on(n % 2 ? nodes.b : nodes.a, tenant.live);
const archive = (id: string) => at(1).patch(`/api/workspaces/${id}`, { status: "archived" });
const place = async (): Promise<{ workspaceId: string; conversationId: string; contactId: string }> => {
  const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const { body } = await tenant.live.post(
    "/api/conversations",
    { workspaceId, contact: {}, message: { body: "Hello" } },
    201,
  );
  return { workspaceId, conversationId: body.id, contactId: body.contactId };
};
const waiting = (kind: "transactionid" | "advisory") =>
  until(
    () =>
      nodes.a.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1`,
        [kind],
      ),
    `somebody waits for a lock (${kind})`,
  );

test("a reply in progress is refused once the workspace is archived, even if the reply read the workspace before", async () => {
  const { workspaceId, conversationId } = await place();
  for (const way of ["reply", "messages"]) {
    await tenant.live.patch(`/api/workspaces/${workspaceId}`, { status: "inactive" }, 200);
    const other = await connect(nodes.a.db.url);
    try {
      await other.query("begin");
      await other.query("select from conversation where id = $1 for update", [conversationId]);
      const late = at(0).post(`/api/conversations/${conversationId}/${way}`, { body: "Too late" });
      await waiting("transactionid");
      expect((await archive(workspaceId)).status).toBe(200);
      await other.query("commit");
      const { status, body } = await late;
      expect([way, status, body]).toEqual([
        way,
        409,
        { error: "The workspace is archived: it can be read, not written to" },
      ]);
    } finally {
      await other.end();
    }
  }
  expect((await tenant.live.get(`/api/conversations/${conversationId}/messages`, 200)).body.data).toHaveLength(1);
});

test("archiving waits for a conversation that is being created", async () => {
  const { workspaceId, contactId } = await place();
  const other = await connect(nodes.a.db.url);
  try {
    await other.query("begin");
    // The new row already has its workspace while its foreign key waits for the channel.
    await other.query("select from channel where workspace_id = $1 for update", [workspaceId]);
    const started = at(0).post("/api/conversations", { workspaceId, contactId });
    await waiting("transactionid");
    const archived = archive(workspaceId);
    await waiting("advisory");
    await other.query("commit");
    expect([(await started).status, (await archived).status]).toEqual([201, 200]);
  } finally {
    await other.end();
  }
});

test("concurrent writes are either visible when archiving returns, or refused", async () => {
  let [taken, refused] = [0, 0];
  // In a round all writes may come first, or none.
  for (let round = 0; round < runs(2, 4) || ((taken === 0 || refused === 0) && round < 100); round++) {
    const { workspaceId, conversationId } = await place();
    const counts = async (): Promise<unknown> =>
      nodes.a.db.query(
        `select (select count(*) from conversation where workspace_id = $1) as conversations,
      (select count(*) from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id where c.workspace_id = $1) as messages`,
        [workspaceId],
      );
    let then: unknown;
    const statuses = await concurrently(21, async (n) => {
      if (n === 10) {
        const { status } = await archive(workspaceId);
        then = await counts();
        return status;
      }
      if (n % 3 === 0) return (await at(n).post("/api/conversations", { workspaceId, contact: {} })).status;
      return (
        await at(n).post(`/api/conversations/${conversationId}/${n % 3 === 1 ? "reply" : "messages"}`, { body: `${n}` })
      ).status;
    });
    expect(Object.keys(tally(statuses)).filter((status) => !["200", "201", "409"].includes(status))).toEqual([]);
    expect(await counts()).toEqual(then);
    taken += statuses.filter((status, n) => n !== 10 && status !== 409).length;
    refused += statuses.filter((status) => status === 409).length;
  }
  expect([taken > 0, refused > 0]).toEqual([true, true]);
});

test("concurrent status changes make only allowed transitions", async () => {
  const { workspaceId } = await place();
  await nodes.a.db.query(`create table moves (before text, after text);
    grant all on moves to public;
    create function note_move() returns trigger language plpgsql as $$ begin insert into moves values (old.status, new.status); return null; end $$;
    create trigger note_move after update of status on workspace for each row when (old.status <> new.status) execute function note_move()`);
  const moves = ["inactive", "archived", "active"];
  const answers = await concurrently(
    24,
    async (n) => (await at(n).patch(`/api/workspaces/${workspaceId}`, { status: moves[n % 3] })).status,
  );
  const { 200: made = 0, 409: refused = 0 } = tally(answers);
  expect(made + refused).toBe(24);
  const seen = await nodes.a.db.query<{ move: string }>("select distinct before || ' ' || after as move from moves");
  expect(seen.length).toBeGreaterThan(1);
  expect(["active inactive", "active archived", "inactive active", "inactive archived", "archived inactive"]).toEqual(
    expect.arrayContaining(seen.map(({ move }) => move)),
  );
});

test("a reply that was in progress when its member was removed is sent, and the conversation is not assigned to that member", async () => {
  const owner = await tenant.owner();
  const { conversationId } = await place();
  const email = `leaver-${conversationId}@example.com`;
  const { body: member } = await owner.post(
    "/api/members",
    { email, name: "Leaver", role: "admin", password: PASSWORD },
    201,
  );
  const leaver = await owner.login(email, PASSWORD);
  const other = await connect(nodes.a.db.url);
  try {
    await other.query("begin");
    await other.query("select from conversation where id = $1 for update", [conversationId]);
    const late = leaver.post(`/api/conversations/${conversationId}/reply`, { body: "Bye" });
    await waiting("transactionid");
    await on(nodes.b, owner).delete(`/api/members/${member.id}`, 200);
    await nodes.b.app.get(UnassignFormerMembersJob).run();
    await other.query("commit");
    expect((await late).status).toBe(200);
  } finally {
    await other.end();
  }
  expect((await owner.get(`/api/conversations/${conversationId}`, 200)).body).toMatchObject({
    handlingMode: "human",
    assigneeId: null,
    messageCount: 2,
  });
});
