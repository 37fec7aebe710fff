import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { DAY, newAgent, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let agent: Client & { id: string };
let conversation: any;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());
beforeEach(async () => {
  conversation = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } });
});

const path = (rest = "") => `/api/conversations/${conversation.id}${rest}`;
const read = async (): Promise<any> => (await tenant.live.get(path(), 200)).body;
const messages = () => walk(tenant.live, path("/messages"));
const reply = async (client: Client, body: object = {}): Promise<any> =>
  (await client.post(path("/reply"), { body: "Yes!", ...body }, 200)).body;

describe("a reply", () => {
  test("answers ok with the id of its message", async () => {
    const answer = await reply(tenant.live);
    expect((await messages()).at(-1)).toMatchObject({ id: answer.messageId, direction: "outbound", body: "Yes!" });
    expect(answer).toEqual({ ok: true, messageId: expect.any(String) });
  });

  test("counts as a message, ends the waiting and the unread, and moves the activity", async () => {
    await reply(tenant.live);
    const { createdAt } = (await messages()).at(-1);
    expect(await read()).toMatchObject({
      messageCount: 2,
      unreadCount: 0,
      waitingSince: null,
      firstReplyAt: createdAt,
      lastActivityAt: createdAt,
      updatedAt: createdAt,
      lastMessagePreview: "Yes!",
    });
  });

  test("is the first one once: firstReplyAt stays, and the next message is waited for anew", async () => {
    await reply(tenant.live);
    expect((await read()).firstReplyAt).not.toBeNull();
    await tenant.live.post(path("/messages"), { body: "And?" }, 201);
    const { waitingSince, unreadCount, lastActivityAt } = await read();
    expect({ waitingSince, unreadCount }).toEqual({ waitingSince: lastActivityAt, unreadCount: 1 });
    await set(app, "conversation", conversation.id, { first_reply_at: "2025-01-01T00:00:00Z" });
    await reply(tenant.live);
    expect(await read()).toMatchObject({
      firstReplyAt: "2025-01-01T00:00:00.000Z",
      waitingSince: null,
      unreadCount: 0,
      messageCount: 4,
    });
  });

  test.each(["open", "pending", "snoozed", "resolved"])(
    "leaves the status of a conversation that is %s",
    async (status) => {
      const state = {
        status,
        snoozed_until: new Date(Date.now() + DAY),
        resolved_at: new Date(),
        resolved_by: UNKNOWN_ID,
        resolution: "answered",
      };
      await set(app, "conversation", conversation.id, state);
      const { snoozedUntil, resolvedAt, resolvedBy, resolution } = await read();
      await reply(tenant.live);
      expect(await read()).toMatchObject({ status, snoozedUntil, resolvedAt, resolvedBy, resolution });
    },
  );
});

describe("who has the conversation after a reply", () => {
  test.each([
    ["assistant", {}, "human"],
    ["assistant", { keepAssistant: false }, "human"],
    ["assistant", { keepAssistant: true }, "assistant"],
    ["human", { keepAssistant: true }, "human"],
  ])("of a key: with the %s before and %o it is the %s", async (before, body, after) => {
    await set(app, "conversation", conversation.id, { handling_mode: before });
    await reply(tenant.live, body);
    expect(await read()).toMatchObject({ handlingMode: after, assigneeId: null });
  });

  test("of a key: the assignee stays", async () => {
    await set(app, "conversation", conversation.id, { assignee_id: UNKNOWN_ID });
    await reply(tenant.live);
    expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: UNKNOWN_ID });
  });

  test("of a member: the member, where there was nobody", async () => {
    await reply(agent);
    expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: agent.id });
  });

  test("of a member: whoever had it before, since nobody loses a conversation because a colleague answers in it", async () => {
    await reply(agent);
    await reply(await tenant.owner());
    expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: agent.id });
  });

  test("of a member that keeps the assistant: still the assistant, assigned to nobody", async () => {
    await reply(agent, { keepAssistant: true });
    expect(await read()).toMatchObject({ handlingMode: "assistant", assigneeId: null });
  });
});

describe("a reply that comes again with its clientMessageId", () => {
  test("is the message that is there: the same answer, and nothing changes", async () => {
    const first = await reply(agent, { clientMessageId: "r-1", keepAssistant: true });
    const before = [await read(), await messages()];
    expect(await reply(tenant.live, { clientMessageId: "r-1", body: "Other" })).toEqual(first);
    expect([await read(), await messages()]).toEqual(before);
  });

  test("is another one in another conversation, and without an id", async () => {
    const first = await reply(tenant.live, { clientMessageId: "r-1" });
    expect((await reply(tenant.live, { clientMessageId: null })).messageId).not.toBe(
      (await reply(tenant.live, { clientMessageId: null })).messageId,
    );
    conversation = await start(tenant.live, tenant.defaults.workspaceId);
    expect((await reply(tenant.live, { clientMessageId: "r-1" })).messageId).not.toBe(first.messageId);
  });
});
