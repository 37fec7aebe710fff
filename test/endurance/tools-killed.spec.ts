import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../server/e2e/support.js";
import { startToolServer, type ToolServer } from "../server/assistant/tool-server.js";
import type { Client } from "../support/client.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import { type Killable, startKillable } from "./killable.js";

allowTimeForProcesses();

// kill -9 between an approved call and its answer: nobody knows what came of it, so it is not made again, and people are told.

let tools: ToolServer;
let server: Killable;
beforeAll(async () => {
  tools = await startToolServer();
  server = await startKillable({ OUTBOUND_ALLOW: tools.host });
});
afterAll(async () => {
  await server?.close();
  await tools.close();
});
const key = (): Client => server.key();

test("a process that is killed while the tool works", async () => {
  const { db, tenant } = server;
  const { workspaceId } = tenant.defaults;
  const agent = { name: "Shop", instructions: "Help", workspaceIds: [workspaceId], tools: ["refund_order"] };
  const { id: agentId } = (await key().post("/api/agents", agent, 201)).body;
  const rule = { title: "Refunds", rule: "For everybody", effect: "allow", tools: ["refund_order"] };
  await key().post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201);
  const { id: conversationId } = await start(key(), workspaceId, { message: { body: "Money back!" } });
  const id: string = randomUUID();
  await db.query(
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
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  tools.answers["/refund"] = async () => {
    await finished;
    return { body: { refunded: 30 } };
  };
  await approve(200);
  await until(
    () => Promise.resolve(tools.calls.length === 1),
    () => "the tool is called",
  );
  await server.killAndStart(async () => finish());
  // The lease of the killed process ends.
  await db.query("update pending_action_due set due_at = now()");
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
  expect(await db.query("select from pending_action_due")).toEqual([]);
});
