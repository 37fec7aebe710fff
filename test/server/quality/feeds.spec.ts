import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MessagesService } from "../../../src/conversations/messages.service.js";
import { anId, newAgent, newWorkspace, start, UNKNOWN_ID } from "../e2e/support.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "../../races/support.js";
import { runs } from "../../support/seed.js";
import { keyFor, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { fold } from "./support.js";

let nodes: TwoNodes;
let tool: http.Server;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
let agentId: string;
beforeAll(async () => {
  tool = http.createServer((_, response) => {
    response.setHeader("content-type", "application/json").end('{"postcode":"EC1A 1BB"}');
  });
  await new Promise<void>((resolve) => {
    tool.listen(0, "127.0.0.1", resolve);
  });
  nodes = await startTwo({ OUTBOUND_ALLOW: [`127.0.0.1:${(tool.address() as AddressInfo).port}`] });
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  await new Promise((resolve) => {
    tool.close(resolve);
  });
});
beforeEach(async () => {
  workspaceId = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  agentId = await agent();
});

const agent = async (body: object = {}): Promise<string> =>
  (
    await tenant.live.post(
      "/api/agents",
      { name: "A", instructions: "Help", workspaceIds: [workspaceId], ...body },
      201,
    )
  ).body.id;
const path = <Rest extends string = "">(id: string, rest = "" as Rest) => `/api/conversations/${id}${rest}` as const;
const answer = (id: string, body: object = {}, client: Client = tenant.live) =>
  client.post(path(id, "/reply"), { body: "Hello", agentId, ...body });
const act = (id: string, action: string, body?: object, client: Client = owner) =>
  client.post(path(id, `/${action}`), body, 200);
const read = async (id: string) => (await tenant.live.get(path(id), 200)).body;
const messages = async (id: string) => (await tenant.live.get(path(id, "/messages"), 200)).body.data;
/** The counts of a metric in the workspace: bad outcomes, and all outcomes. */
const counted = async (metric: string, entityId?: string): Promise<{ bad: number; total: number }> => {
  await fold(nodes.a);
  const [row] = await nodes.a.db.query<{ bad: number; total: number }>(
    `select coalesce(sum(bad), 0)::int as bad, coalesce(sum(total), 0)::int as total from outcome_count
    where workspace_id = $1 and metric = $2 and ($3::text is null or entity_id = $3)`,
    [workspaceId, metric, entityId ?? null],
  );
  return row!;
};

describe("a reply as an agent", () => {
  test("is the agent's message, and leaves the conversation with the assistant", async () => {
    const { id } = await start(tenant.live, workspaceId, { message: { body: "Hello?" } });
    const { status, body } = await answer(id);
    expect([status, body]).toEqual([200, { ok: true, messageId: anId }]);
    expect((await messages(id)).at(-1)).toMatchObject({
      id: body.messageId,
      authorType: "assistant",
      authorId: agentId,
      direction: "outbound",
    });
    expect(await read(id)).toMatchObject({
      handlingMode: "assistant",
      assigneeId: null,
      messageCount: 2,
      waitingSince: null,
    });
    expect((await answer(id, { keepAssistant: true, clientMessageId: "one" })).status).toBe(200);
    expect((await answer(id, { clientMessageId: "one" })).status).toBe(200);
    expect(await messages(id)).toHaveLength(3);
  });

  test("is for keys only, takes nothing over, and needs an agent of the workspace", async () => {
    const { id } = await start(tenant.live, workspaceId);
    expect((await answer(id, {}, owner)).status).toBe(403);
    expect((await answer(id, {}, await newAgent(owner, [workspaceId]))).status).toBe(403);
    expect((await answer(id, { keepAssistant: false })).status).toBe(400);
    expect((await answer(id, { agentId: UNKNOWN_ID })).status).toBe(404);
    expect((await answer(id, { agentId: await agent({ workspaceIds: [tenant.defaults.workspaceId] }) })).status).toBe(
      404,
    );
    expect((await answer(id, {}, await keyFor(owner, { scopes: ["conversations:read"] }))).status).toBe(403);
    expect(await messages(id)).toEqual([]);
  });

  test("is refused if the agent is paused, the assistant is off, or people handle the conversation", async () => {
    const { id } = await start(tenant.live, workspaceId);
    const refused = async (): Promise<string | undefined> => {
      const { status, body } = await answer(id);
      expect(status).toBe(409);
      return body.error;
    };
    await tenant.live.patch(`/api/agents/${agentId}`, { status: "paused" }, 200);
    expect(await refused()).toBe("The agent is paused");
    await tenant.live.patch(`/api/agents/${agentId}`, { status: "active" }, 200);
    await tenant.live.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: false }, 200);
    expect(await refused()).toBe("The assistant is turned off in this workspace");
    await tenant.live.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: true, status: "inactive" }, 200);
    expect(await refused()).toBe("The assistant is turned off in this workspace");
    await tenant.live.patch(`/api/workspaces/${workspaceId}`, { status: "active" }, 200);
    await act(id, "take-over");
    expect(await refused()).toBe("People handle this conversation: the assistant is paused in it until it is released");
    expect(await messages(id)).toEqual([]);
    await act(id, "release");
    expect((await answer(id)).status).toBe(200);
  });

  test("during a takeover is stored before it or not at all, and counts at most one handoff", async () => {
    for (let round = 0; round < runs(2, 10); round++) {
      const { id } = await start(tenant.live, workspaceId);
      const [answers] = await Promise.all([
        concurrently(10, (n) => answer(id, {}, on(n % 2 ? nodes.b : nodes.a, tenant.live))),
        act(id, "take-over"),
      ]);
      const written = (await messages(id)).length;
      expect(tally(answers.map(({ status }) => status))).toEqual({
        ...(written && { 200: written }),
        ...(written < 10 && { 409: 10 - written }),
      });
      expect((await read(id)).handlingMode).toBe("human");
    }
  });
});

describe("handoffs", () => {
  test.each([
    ["somebody takes over", (id: string) => act(id, "take-over")],
    ["a member replies", (id: string) => act(id, "reply", { body: "Me" })],
    ["a key replies for nobody", (id: string) => act(id, "reply", { body: "Me" }, tenant.live)],
    ["it is resolved as escalated", (id: string) => act(id, "resolve", { resolution: "escalated" })],
  ])("are counted where %s", async (_, work) => {
    const { id } = await start(tenant.live, workspaceId);
    await answer(id);
    await work(id);
    expect(await counted("handoff", agentId)).toEqual({ bad: 1, total: 1 });
  });

  test("do not count if the assistant's conversation is resolved; each agent counts once", async () => {
    const { id } = await start(tenant.live, workspaceId);
    const other = await agent();
    await answer(id);
    await answer(id);
    await answer(id, { agentId: other });
    await act(id, "reply", { body: "A hint", keepAssistant: true });
    expect(await counted("handoff")).toEqual({ bad: 0, total: 0 });
    await act(id, "resolve", { resolution: "answered" });
    await act(id, "reopen");
    await answer(id);
    await act(id, "take-over");
    await act(id, "release");
    await act(id, "resolve");
    expect(await counted("handoff")).toEqual({ bad: 0, total: 2 });
    for (const one of [agentId, other]) expect(await counted("handoff", one)).toEqual({ bad: 0, total: 1 });
  });

  test("do not count for spam, duplicates and conversations without an agent's answer, and count for a later agent", async () => {
    for (const resolution of ["spam", "duplicate"]) {
      const { id } = await start(tenant.live, workspaceId);
      await answer(id);
      await act(id, "resolve", { resolution });
    }
    const { id } = await start(tenant.live, workspaceId);
    await act(id, "take-over");
    await act(id, "resolve");
    expect(await counted("handoff")).toEqual({ bad: 0, total: 0 });
    await act(id, "reopen");
    await act(id, "release");
    await answer(id);
    await act(id, "take-over");
    expect(await counted("handoff")).toEqual({ bad: 1, total: 1 });
  });

  test("twenty concurrent takeovers of a conversation count one handoff", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await answer(id);
    await concurrently(20, (n) => on(n % 2 ? nodes.b : nodes.a, owner).post(path(id, "/take-over"), { force: true }));
    expect(await counted("handoff")).toEqual({ bad: 1, total: 1 });
  });

  test("do not prevent that an agent is deleted", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await answer(id);
    await tenant.live.delete(`/api/agents/${agentId}`, 200);
    await act(id, "take-over");
    expect(await counted("handoff")).toEqual({ bad: 0, total: 0 });
  });
});

describe("answers of entries", () => {
  const entry = async (question: string): Promise<string> =>
    (await tenant.live.post(`/api/workspaces/${workspaceId}/kb-entries`, { question, answer: "Here" }, 201)).body.id;
  const cite = (id: string, ...entries: string[]) =>
    answer(id, { citations: entries.map((kbEntryId) => ({ kbEntryId, score: 0.9 })) });
  const outcomes = async (...entries: string[]): Promise<string[]> => {
    const found = [];
    for (const one of entries) {
      const { bad, total } = await counted("answer", one);
      found.push(`${bad} of ${total}`);
    }
    return found;
  };

  test("did not help if the conversation was handed over after the last of them", async () => {
    const [first, last] = [await entry("Where is it?"), await entry("When is it?")];
    const { id } = await start(tenant.live, workspaceId);
    await cite(id, first);
    await cite(id, last);
    await cite(id, last);
    await act(id, "take-over");
    await act(id, "release");
    await act(id, "take-over");
    expect(await outcomes(first, last)).toEqual(["0 of 1", "1 of 1"]);
  });

  test("did not help if a person replied after them, also beside the assistant", async () => {
    const [before, after] = [await entry("Where is it?"), await entry("When is it?")];
    const { id } = await start(tenant.live, workspaceId);
    await cite(id, before);
    await act(id, "reply", { body: "No, there", keepAssistant: true });
    await cite(id, after);
    await act(id, "resolve", { resolution: "answered" });
    expect(await outcomes(before, after)).toEqual(["1 of 1", "0 of 1"]);
  });

  test("take an entry back to review by default, once most of them did not help", async () => {
    const [bad, good] = [await entry("Where is it?"), await entry("When is it?")];
    // One fewer than are enough.
    for (let n = 0; n < 24; n++) {
      const { id } = await start(tenant.live, workspaceId);
      await cite(id, n < 19 ? bad : good);
      await act(id, n < 19 ? "take-over" : "resolve");
    }
    const status = async (id: string) => (await owner.get(`/api/kb-entries/${id}`, 200)).body.status;
    await fold(nodes.a);
    expect([await status(bad), await status(good)]).toEqual(["approved", "approved"]);
    const { id } = await start(tenant.live, workspaceId);
    await cite(id, bad);
    await act(id, "reply", { body: "That is wrong" });
    await fold(nodes.a);
    expect([await status(bad), await status(good)]).toEqual(["pending", "approved"]);
    expect(
      (await owner.get(`/api/quality/circuit-breakers?workspaceId=${workspaceId}`, 200)).body.map(
        ({ metric, entityId, action }) => [metric, entityId, action],
      ),
    ).toEqual([["answer", bad, "require_approval"]]);
  });
});

describe("deliveries", () => {
  const became = (messageId: string, status: "sent" | "delivered" | "read" | "failed", n = 0): Promise<boolean> =>
    (n % 2 ? nodes.b : nodes.a).transaction(tenant.tenantId, (tx) =>
      nodes.a.app.get(MessagesService).delivery(tx, messageId, status),
    );
  const queued = async (): Promise<string> => {
    const { id } = await start(tenant.live, workspaceId);
    const { messageId } = (await tenant.live.post(path(id, "/reply"), { body: "Hello" }, 200)).body;
    await nodes.a.db.query(`update message set delivery_status = 'queued' where id = $1`, [messageId]);
    return messageId;
  };

  test.each([
    [["sent"], { bad: 0, total: 1 }],
    [["sent", "delivered", "read"], { bad: 0, total: 1 }],
    [["delivered", "sent"], { bad: 0, total: 1 }],
    [["failed"], { bad: 1, total: 1 }],
    [["sent", "failed"], { bad: 1, total: 1 }],
    [["failed", "sent", "delivered"], { bad: 0, total: 1 }],
    [["delivered", "failed"], { bad: 0, total: 1 }],
  ] as const)("that become %j count once, with their final status", async (statuses, expected) => {
    const messageId = await queued();
    for (const status of statuses) await became(messageId, status);
    expect(await counted("delivery")).toEqual(expected);
  });

  test("count once, in any order of reports", async () => {
    const messageId = await queued();
    await concurrently(12, (n) => became(messageId, (["sent", "delivered", "failed"] as const)[n % 3]!, n));
    const [{ failed }] = (await nodes.a.db.query<{ failed: boolean }>(
      `select delivery_status = 'failed' as failed from message where id = $1`,
      [messageId],
    )) as [{ failed: boolean }];
    expect(await counted("delivery")).toEqual({ bad: Number(failed), total: 1 });
  });

  test("do not count on channels whose messages are fetched", async () => {
    const { id } = await start(tenant.live, workspaceId, { message: { body: "Hello?" } });
    await act(id, "reply", { body: "Hello" });
    expect(await counted("delivery")).toEqual({ bad: 0, total: 0 });
  });
});

test("each call of a look-up tool counts as good if it answered", async () => {
  const { port } = tool.address() as AddressInfo;
  const asked = async (scheme: string, options: object = {}): Promise<void> => {
    await owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      {
        sources: [
          {
            name: "crm",
            type: "http",
            url: `${scheme}://127.0.0.1:${port}/`,
            questions: [{ key: "postcode", prompt: "Postcode?", path: "$.postcode" }],
          },
        ],
      },
      200,
    );
    const { id } = await start(tenant.live, workspaceId);
    const { questionId } = (await tenant.live.post(path(id, "/verification/questions"), {}, 200)).body.questions[0]!;
    for (let n = 0; n < 2; n++)
      await tenant.live.post(path(id, "/verification/answers"), { questionId, answer: "wrong" }, undefined, options);
  };
  await asked("http", { headers: { "idempotency-key": "a-repeat-of-quality" } });
  await asked("http");
  // TLS to a server that speaks plain HTTP.
  await asked("https");
  expect(await counted("tool", "crm")).toEqual({ bad: 1, total: 3 });
});
