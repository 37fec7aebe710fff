import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { DAY, newAgent, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let agent: Client & { id: string };
let conversation: Schemas["Conversation"];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());
beforeEach(async () => {
  conversation = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } });
});

const path = <Rest extends string = "">(rest = "" as Rest) => `/api/conversations/${conversation.id}${rest}` as const;
const read = async () => (await tenant.live.get(path(), 200)).body;
const messages = () => walk(tenant.live, path("/messages"));
const reply = async (client: Client, body: object = {}) =>
  (await client.post(path("/reply"), { body: "Yes!", ...body }, 200)).body;

describe("a reply", () => {
  test("returns ok with the id of its message", async () => {
    const answer = await reply(tenant.live);
    expect((await messages()).at(-1)).toMatchObject({ id: answer.messageId, direction: "outbound", body: "Yes!" });
    expect(answer).toEqual({ ok: true, messageId: expect.any(String) });
  });

  test("counts as a message, ends the waiting, clears the unread count, and moves the activity", async () => {
    await reply(tenant.live);
    const { createdAt } = (await messages()).at(-1)!;
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

  test("sets firstReplyAt once, and the next message starts the waiting again", async () => {
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
    "does not change the status of a conversation that is %s",
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

describe("after a reply, the conversation's handler", () => {
  test.each([
    ["assistant", {}, "human"],
    ["assistant", { keepAssistant: false }, "human"],
    ["assistant", { keepAssistant: true }, "assistant"],
    ["human", { keepAssistant: true }, "human"],
  ])("changes from the %s, by a key's reply with %o, to the %s", async (before, body, after) => {
    await set(app, "conversation", conversation.id, { handling_mode: before });
    await reply(tenant.live, body);
    expect(await read()).toMatchObject({ handlingMode: after, assigneeId: null });
  });

  test("is unchanged if a key replies: the assignee stays", async () => {
    await set(app, "conversation", conversation.id, { assignee_id: UNKNOWN_ID });
    await reply(tenant.live);
    expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: UNKNOWN_ID });
  });

  test("is the replying member if there was no assignee", async () => {
    await reply(agent);
    expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: agent.id });
  });

  test("is the previous assignee if another member replies, so that a colleague's reply takes no conversation away", async () => {
    await reply(agent);
    await reply(await tenant.owner());
    expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: agent.id });
  });

  test("is the assistant without an assignee if a member's reply keeps the assistant", async () => {
    await reply(agent, { keepAssistant: true });
    expect(await read()).toMatchObject({ handlingMode: "assistant", assigneeId: null });
  });
});

describe("a reply repeated with its clientMessageId", () => {
  test("returns the existing message and changes nothing", async () => {
    const first = await reply(agent, { clientMessageId: "r-1", keepAssistant: true });
    const before = [await read(), await messages()];
    expect(await reply(tenant.live, { clientMessageId: "r-1", body: "Other" })).toEqual(first);
    expect([await read(), await messages()]).toEqual(before);
  });

  test("is a separate message in another conversation, or without an id", async () => {
    const first = await reply(tenant.live, { clientMessageId: "r-1" });
    expect((await reply(tenant.live, { clientMessageId: null })).messageId).not.toBe(
      (await reply(tenant.live, { clientMessageId: null })).messageId,
    );
    conversation = await start(tenant.live, tenant.defaults.workspaceId);
    expect((await reply(tenant.live, { clientMessageId: "r-1" })).messageId).not.toBe(first.messageId);
  });
});
