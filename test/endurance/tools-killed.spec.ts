import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../server/e2e/support.js";
import { startToolServer, type ToolServer } from "../server/assistant/tool-server.js";
import { SECRET_KEY } from "../support/app.js";
import { freshDatabase, type TestDatabase, connect } from "../support/database.js";
import type { Client } from "../support/client.js";
import {
  allowTimeForProcesses,
  build,
  cleanUp,
  newFolder,
  newTenant,
  type PrintedTenant,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

// kill -9 between an approved call and its answer: nobody knows what came of it, so it is not made again, and people are told.

let db: TestDatabase;
let tools: ToolServer;
let settings: Record<string, string | number>;
let made: PrintedTenant;
let server: Server;
beforeAll(async () => {
  await build();
  [db, tools] = await Promise.all([freshDatabase(), startToolServer()]);
  settings = {
    DATABASE_URL: db.url,
    SECRET_KEY,
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    ATTACHMENTS_DIR: newFolder(),
    OUTBOUND_ALLOW: tools.host,
  };
  server = await startServer(settings);
  made = await newTenant(db);
});
afterAll(async () => {
  await cleanUp();
  await tools.close();
  await db?.drop();
});
const key = (): Client => server.client(made.apiKeys.live);

test("a process that is killed while the tool works", async () => {
  const { workspaceId } = made.defaults;
  const agent = { name: "Shop", instructions: "Help", workspaceIds: [workspaceId], tools: ["refund_order"] };
  const { id: agentId } = (await key().post("/api/agents", agent, 201)).body;
  const { id: conversationId } = await start(key(), workspaceId, { message: { body: "Money back!" } });
  const sql = await connect(db.url);
  const id: string = randomUUID();
  await sql.query(
    `with tool as (
      insert into tool (tenant_id, id, workspace_id, name, description, parameters, effect, url, idempotent, timeout_seconds,
        expires_after_hours)
      select c.tenant_id, gen_random_uuid(), c.workspace_id, 'refund_order', 'Refunds', '{"type": "object"}', 'write', $4, true, 30, 24
      from conversation c where c.id = $2
    ), action as (
      insert into pending_action (tenant_id, id, workspace_id, conversation_id, agent_id, run_id, tool, arguments,
        arguments_hash, tainted, guardrail, policy_entry_ids, expires_at)
      select c.tenant_id, $1::uuid, c.workspace_id, c.id, $3::uuid, gen_random_uuid(), 'refund_order', '{"amount": 30}', repeat('0', 64), true,
        'Large refunds', '{}', now() + interval '1 day'
      from conversation c where c.id = $2
    ), due as (
      insert into pending_action_due (tenant_id, action_id, due_at)
      select c.tenant_id, $1::uuid, now() + interval '1 day' from conversation c where c.id = $2
    )
    update conversation set pending_action_count = 1 where id = $2`,
    [id, conversationId, agentId, tools.url("/refund")],
  );
  const approve = async (status: 200 | 409): Promise<unknown> => {
    const { argumentsHash } = (await key().get(`/api/pending-actions/${id}`, 200)).body;
    return key().post(`/api/pending-actions/${id}/approve`, { argumentsHash }, status);
  };
  // It gets the hash of the present.
  await approve(409);
  let working = true;
  tools.answers["/refund"] = async () => {
    while (working) await new Promise((resolve) => setTimeout(resolve, 20));
    return { body: { refunded: 30 } };
  };
  await approve(200);
  await until(
    () => Promise.resolve(tools.calls.length === 1),
    () => "the tool is called",
  );
  await server.end("SIGKILL");
  working = false;
  server = await startServer(settings);
  // The lease of the killed process ends.
  await sql.query("update pending_action_due set due_at = now()");
  await until(
    async () => (await key().get(`/api/pending-actions/${id}`, 200)).body.status === "failed",
    () => "the action ended",
  );
  expect((await key().get(`/api/pending-actions/${id}`, 200)).body.result).toMatchObject({
    code: "unknown",
    value: null,
  });
  expect((await key().get(`/api/conversations/${conversationId}`, 200)).body).toMatchObject({
    handlingMode: "human",
    pendingActionCount: 0,
  });
  const { data } = (
    await key().get(`/api/attention-items?conversationId=${conversationId}&type=handoff_requested`, 200)
  ).body;
  expect(data.some(({ reason }) => reason.includes("The process that called the tool has died"))).toBe(true);
  expect(tools.calls).toHaveLength(1);
  expect((await sql.query("select from pending_action_due")).rowCount).toBe(0);
});
