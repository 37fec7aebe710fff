import { expect } from "vitest";
import { PendingActionsJob } from "../../../src/assistant/pending-actions/pending-actions.job.js";
import { type ToolOutcome, ToolCalls, type ToolRun } from "../../../src/assistant/tools/tool-calls.js";
import { system } from "../../../src/platform/caller/caller.js";
import { newWorkspace, start } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp, TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { startToolServer, type ToolServer } from "./tool-server.js";

export { startToolServer, type ToolServer };

export const REFUND = {
  name: "refund_order",
  description: "Refunds an order",
  effect: "write",
  parameters: {
    type: "object",
    properties: {
      orderId: { type: "string", pattern: "^#W\\d{7}$" },
      amount: { type: "number", exclusiveMinimum: 0 },
      customerId: { type: "string", "x-bound": "contact.externalId" },
    },
    required: ["orderId", "amount", "customerId"],
    additionalProperties: false,
  },
} as const;
export const LOOK_UP = {
  name: "get_order",
  description: "Looks an order up",
  effect: "read",
  parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
} as const;
export const VALID = { orderId: "#W1234567", amount: 30 };

/** A workspace with two tools, an agent that lists them, and a conversation whose run is open. */
export interface Desk {
  app: TestApp;
  tenant: TestTenant;
  key: Client;
  owner: Client;
  workspaceId: string;
  agentId: string;
  toolId: string;
  server: ToolServer;
}
export async function openDesk(
  app: TestApp,
  tenant: TestTenant,
  owner: Client,
  server: ToolServer,
  tool: object = {},
): Promise<Desk> {
  const key = tenant.live;
  const { id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId);
  const add = async (body: object): Promise<string> =>
    (await owner.post(`/api/workspaces/${workspaceId}/tools`, body, 201)).body.id;
  await add({ ...LOOK_UP, url: server.url("/order"), publicFields: ["status", "arrives", "tracking"] });
  const toolId = await add({ ...REFUND, url: server.url("/refund"), publicFields: ["refunded", "currency"], ...tool });
  const agent = {
    name: "Shop",
    role: "assistant",
    status: "active",
    workspaceIds: [workspaceId],
    instructions: "Help",
    wording: "own",
    tools: [REFUND.name, LOOK_UP.name, "search_knowledge", "hand_off", "ask_verification", "add_note", "set_label"],
  };
  const agentId = (await key.post("/api/agents", agent, 201)).body.id;
  return { app, tenant, key, owner, workspaceId, agentId, toolId, server };
}

let customers = 0;
/** A message of a new customer, and the run that is to answer it. */
export async function beginRun(
  desk: Desk,
  contact: object = {},
  body = "I want my money back",
): Promise<ToolRun & { contactId: string }> {
  const { app, key, workspaceId, agentId } = desk;
  const { id: conversationId, contactId } = await start(key, workspaceId, {
    contact: { name: "Ada", externalId: `customer-${++customers}-${workspaceId}`, ...contact },
    message: { body },
  });
  const [run] = await app.db.query<{ id: string }>(
    `update assistant_run set started_at = now(), attempts = 1 where conversation_id = $1 returning id`,
    [conversationId],
  );
  return { id: run!.id, conversationId, agentId, contactId };
}

export const callerOf = ({ tenant }: Desk) => system("assistant", tenant.tenantId, "live");

export const call = async (
  desk: Desk,
  run: ToolRun,
  tool: string = REFUND.name,
  values: unknown = VALID,
  tainted = false,
  node = desk.app,
): Promise<ToolOutcome> => node.app.get(ToolCalls).call(callerOf(desk), run, { tool, arguments: values }, { tainted });

/** Adds an approved policy about the refund. */
export const policy = async (desk: Desk, effect: string, more: object = {}): Promise<string> =>
  (
    await desk.key.post(
      `/api/workspaces/${desk.workspaceId}/policy-entries`,
      { title: `Refunds: ${effect}`, rule: "Because", effect, tools: [REFUND.name], ...more },
      201,
    )
  ).body.id;

/** Asks people about a refund. */
export async function askForApproval(
  desk: Desk,
  values: object = VALID,
  body?: string,
): Promise<{ run: ToolRun & { contactId: string }; action: Schemas["PendingAction"] }> {
  const run = await beginRun(desk, {}, body);
  const outcome = await call(desk, run, REFUND.name, values);
  expect(outcome).toMatchObject({ kind: "waits", for: "approval" });
  const { pendingActionId } = outcome as Extract<ToolOutcome, { kind: "waits" }>;
  return { run, action: (await desk.key.get(`/api/pending-actions/${pendingActionId}`, 200)).body };
}

/** Carries out what was approved, and ends what has expired. */
export const carryOut = (node: TestApp): Promise<void> => node.app.get(PendingActionsJob).tick();
