import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { SnoozeJob } from "../../../src/conversations/actions/snooze.job.js";
import { runs } from "../../support/seed.js";
import { anId, DAY, newAgent, newWorkspace, set, start, UNKNOWN_ID, walk } from "./support.js";
import fc from "fast-check";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("replies", () => {
  let tenant: TestTenant;
  let agent: Client & { id: string };
  let conversation: Schemas["Conversation"];
  beforeAll(async () => {
    tenant = await app.tenant();
    agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
  });
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

    test("that resolves is a part of the summary that the resolution writes, and what comes next has its own", async () => {
      await reply(tenant.live, { body: "It left our warehouse this morning.", then: "resolve" });
      const resolved = await read();
      const [, { createdAt }] = (await messages()) as [unknown, Schemas["Message"]];
      expect(resolved).toMatchObject({
        status: "resolved",
        resolvedAt: createdAt,
        summary: "“Hello?” → “It left our warehouse this morning.”",
        waitingSince: null,
        unreadCount: 0,
      });
      await reply(tenant.live, { body: "One more thing.", then: "resolve" });
      expect((await read()).summary).toBe(resolved.summary);
      await tenant.live.post(path("/messages"), { body: "It never came." }, 201);
      expect(await read()).toMatchObject({ status: "open", resolvedAt: null });
      await reply(tenant.live, { body: "We send another.", then: "resolve" });
      expect((await read()).summary).toBe("“It never came.” → “We send another.”");
    });

    test("that snoozes opens the conversation when the time is over, and that waits when the contact writes", async () => {
      const until = new Date(Date.now() + DAY).toISOString();
      await reply(agent, { then: "snooze", snoozeUntil: until });
      expect(await read()).toMatchObject({ status: "snoozed", snoozedUntil: until, assigneeId: agent.id });
      await app.db.query("update snooze_due set due_at = now() - interval '1 second' where conversation_id = $1", [
        conversation.id,
      ]);
      await app.db.query("update conversation set snoozed_until = now() - interval '1 second' where id = $1", [
        conversation.id,
      ]);
      await app.app.get(SnoozeJob).tick();
      expect(await read()).toMatchObject({ status: "open", snoozedUntil: null });
      await reply(agent, { then: "pending" });
      expect(await read()).toMatchObject({ status: "pending", waitingSince: null });
      await tenant.live.post(path("/messages"), { body: "Blue." }, 201);
      expect(await read()).toMatchObject({ status: "open", waitingSince: expect.any(String) });
    });

    test.each([
      [{ then: "snooze" }, "Give snoozeUntil with then: snooze, and only then"],
      [{ snoozeUntil: "2099-01-01T00:00:00Z" }, "Give snoozeUntil with then: snooze, and only then"],
      [{ then: "pending", snoozeUntil: "2099-01-01T00:00:00Z" }, "Give snoozeUntil with then: snooze, and only then"],
      [{ then: "snooze", snoozeUntil: "2020-01-01T00:00:00Z" }, "snoozeUntil must be ahead of now"],
      [{ then: "closed" }, "then must be one of the following values: pending, snooze, resolve"],
    ])("with %j is 400, and nothing is written", async (body, error) => {
      expect((await tenant.live.post(path("/reply"), { body: "Yes!", ...body }, 400)).body).toEqual({ error });
      expect(await read()).toEqual(conversation);
    });

    test("that is repeated moves the conversation once", async () => {
      const body = { body: "Which colour?", then: "pending", clientMessageId: "once" };
      const first = await reply(tenant.live, body);
      await tenant.live.post(path("/messages"), { body: "Blue." }, 201);
      expect(await reply(tenant.live, body)).toEqual(first);
      expect((await read()).status).toBe("open");
    });

    test("that resolves as an agent names the key that resolved", async () => {
      const { workspaceId } = tenant.defaults;
      const agentId = (
        await tenant.live.post("/api/agents", { name: "Desk", instructions: "Help", workspaceIds: [workspaceId] }, 201)
      ).body.id;
      await reply(tenant.live, { agentId, then: "resolve" });
      const resolvedBy = (await tenant.live.get("/api/me", 200)).body.id;
      expect(await read()).toMatchObject({ status: "resolved", resolvedBy });
    });

    test("that snoozed is repeated after the time, and is the same reply", async () => {
      // A machine may be so busy that the time is over before the reply arrives: then one that is later.
      for (let lasts = 1_500; ; lasts *= 2) {
        const until = Date.now() + lasts;
        const body = { then: "snooze", snoozeUntil: new Date(until).toISOString(), clientMessageId: `late ${lasts}` };
        const first = await tenant.live.post(path("/reply"), { body: "Hello", ...body });
        if (first.status !== 200 && Date.now() >= until) continue;
        expect(first.status).toBe(200);
        await expect.poll(() => Date.now() > until).toBe(true);
        expect(await reply(tenant.live, body)).toEqual(first.body);
        return;
      }
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
});

describe("external ids", () => {
  // A caller that is restricted to one workspace names a contact or an account of another workspace by its externalId.
  let tenant: TestTenant;
  let owner: Client;
  let here: string;
  let there: string;
  let restricted: Client;
  beforeAll(async () => {
    tenant = await app.tenant();
    owner = await tenant.owner();
    here = tenant.defaults.workspaceId;
    there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: here } });
  });

  let serial = 0;
  /** A contact that appears only in the other workspace. */
  async function stranger() {
    const externalId = `stranger-${++serial}`;
    const { contactId } = await start(tenant.live, there, {
      contact: { externalId, name: "Grace Hopper", emails: [`${externalId}@example.com`] },
    });
    return { id: contactId, externalId };
  }
  const read = async (id: string, client: Client = tenant.live) => (await client.get(`/api/contacts/${id}`, 200)).body;

  describe("a contact out of reach is not taken by its externalId", () => {
    test("to start a conversation: the contact is a new one without externalId, and the stranger stays out of reach", async () => {
      const { id, externalId } = await stranger();
      const before = await read(id);
      for (const caller of [
        restricted,
        await keyFor(owner, { dataScope: { level: "workspace", workspaceId: here } }),
        await newAgent(owner, [here]),
      ]) {
        const { contactId } = await start(caller, here, { contact: { externalId, name: "Mine" } });
        expect(contactId).not.toBe(id);
        expect(await read(contactId, caller)).toMatchObject({ id: anId, externalId: null, name: "Mine", emails: [] });
        await caller.get(`/api/contacts/${id}`, 404);
        await caller.post(`/api/contacts/${contactId}/merge`, { sourceContactId: id }, 404);
        await caller.post(`/api/contacts/${id}/merge`, { sourceContactId: contactId }, 404);
        expect((await caller.get(`/api/contacts?externalId=${externalId}`, 200)).body).toEqual({ data: [] });
      }
      await restricted.post(`/api/contacts/${id}/erasure`, {}, 404);
      await restricted.delete(`/api/contacts/${id}`, 404);
      expect(await read(id)).toEqual(before);
    });

    test("to create a contact: 201 with externalId null", async () => {
      const { externalId } = await stranger();
      const { body } = await restricted.post("/api/contacts", { externalId, name: "Mine" }, 201);
      expect(body).toMatchObject({ externalId: null, name: "Mine" });
    });

    test("to change a contact: the other fields change, the externalId stays as it was", async () => {
      const { externalId } = await stranger();
      const own = (await restricted.post("/api/contacts", { externalId: `own-${externalId}`, name: "Mine" }, 201)).body;
      const { body } = await restricted.patch(`/api/contacts/${own.id}`, { externalId, name: "Renamed" }, 200);
      expect(body).toMatchObject({ id: own.id, externalId: own.externalId, name: "Renamed" });
      expect((await restricted.patch(`/api/contacts/${own.id}`, { externalId }, 200)).body.externalId).toBe(
        own.externalId,
      );
      expect((await restricted.patch(`/api/contacts/${own.id}`, { externalId: null }, 200)).body.externalId).toBeNull();
    });

    test("to import contacts: the lines become contacts without externalId", async () => {
      const { externalId } = await stranger();
      const mine = (await restricted.post("/api/contacts", { externalId: `mine-${externalId}` }, 201)).body;
      const lines = [
        { externalId, name: "Taken" },
        { externalId: `free-${externalId}` },
        { externalId: mine.externalId },
      ];
      const { body } = await restricted.post(
        "/api/contacts/import",
        new Blob([lines.map((line) => JSON.stringify(line)).join("\n")], { type: "application/x-ndjson" }),
        200,
      );
      expect(body).toMatchObject({
        imported: 2,
        lines: [
          { error: null, contactId: anId },
          { error: null, contactId: anId },
          { error: "A contact with this externalId exists already", contactId: null },
        ],
      });
      expect(await read(body.lines[0]!.contactId!, restricted)).toMatchObject({ externalId: null, name: "Taken" });
      expect(await read(body.lines[1]!.contactId!, restricted)).toMatchObject({ externalId: `free-${externalId}` });
    });
  });

  describe("a contact within reach", () => {
    test("is taken by its externalId, unchanged, and a repeat is 409", async () => {
      const { contactId } = await start(restricted, here, { contact: { externalId: "within", name: "Ada" } });
      expect((await start(restricted, here, { contact: { externalId: "within", name: "Other" } })).contactId).toBe(
        contactId,
      );
      expect((await read(contactId, restricted)).name).toBe("Ada");
      await restricted.post("/api/contacts", { externalId: "within" }, 409);
      const other = (await restricted.post("/api/contacts", {}, 201)).body;
      await restricted.patch(`/api/contacts/${other.id}`, { externalId: "within" }, 409);
      await restricted.patch(`/api/contacts/${contactId}`, { externalId: "within" }, 200);
    });

    test("is every contact of the tenant for a caller that is not restricted", async () => {
      const { id, externalId } = await stranger();
      expect((await start(tenant.live, here, { contact: { externalId } })).contactId).toBe(id);
      await tenant.live.post("/api/contacts", { externalId }, 409);
    });
  });

  test("an account out of reach is not told by its externalId: the account is created or changed without it", async () => {
    const theirs = (await tenant.live.post("/api/accounts", { name: "Theirs", externalId: "acc-theirs" }, 201)).body;
    const made = (await restricted.post("/api/accounts", { name: "Mine", externalId: theirs.externalId }, 201)).body;
    expect(made).toMatchObject({ name: "Mine", externalId: null });
    const { body } = await restricted.patch(
      `/api/accounts/${made.id}`,
      { name: "Ours", externalId: theirs.externalId },
      200,
    );
    expect(body).toMatchObject({ name: "Ours", externalId: null });
    await restricted.get(`/api/accounts/${theirs.id}`, 404);
    await restricted.patch(`/api/accounts/${made.id}`, { externalId: "acc-mine" }, 200);
    await restricted.post("/api/accounts", { name: "Again", externalId: "acc-mine" }, 409);
    await tenant.live.post("/api/accounts", { name: "Again", externalId: "acc-theirs" }, 409);
    expect((await walk(restricted, "/api/accounts")).map(({ id }) => id)).toEqual([made.id]);
  });
});

describe("counters", () => {
  let tenant: TestTenant;
  let agent: Client & { id: string };
  beforeAll(async () => {
    tenant = await app.tenant();
    agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
  });

  const STEPS = [
    "messages",
    "messages again",
    "reply",
    "reply again",
    "notes",
    "read",
    "resolve",
    "reopen",
    "snooze",
    "take-over",
    "release",
    "unassign",
  ] as const;
  type Step = (typeof STEPS)[number];

  /** An event: the message with this sequence number, or an action after it. */
  type Happened = { sequence: number } | { action: Step };

  async function play(client: Client, id: string, step: Step, n: number): Promise<void> {
    const path = `/api/conversations/${id}/`;
    switch (step) {
      case "messages":
        await client.post(`${path}messages`, { body: `in ${n}`, externalId: `in-${n}` }, 201);
        break;
      // A repeat of an earlier message, which must not be counted.
      case "messages again":
        await client.post(`${path}messages`, { body: "again", externalId: "in-first" }, 200);
        break;
      case "reply":
        await client.post(`${path}reply`, { body: `out ${n}`, keepAssistant: n % 2 === 0 }, 200);
        break;
      case "reply again":
        await client.post(`${path}reply`, { body: "again", clientMessageId: "out-first" }, 200);
        break;
      case "notes":
        await client.post(`${path}notes`, { body: `note ${n}` }, 201);
        break;
      case "snooze":
        await client.post(`${path}snooze`, { until: "2099-01-01T00:00:00Z" });
        break;
      case "take-over":
        await client.post(`${path}take-over`, { force: true }, 200);
        break;
      default:
        await client.post(path + step, undefined, 200);
    }
  }

  /** The expected counters, from the listed messages and the order of reads and resolves between them. */
  function recount(messages: Schemas["Message"][], happened: Happened[]): object {
    const shown = messages.filter(({ direction }) => direction !== "internal");
    let unreadCount = 0;
    let waitingSince: string | null = null;
    let firstReplyAt: string | null = null;
    for (const one of happened) {
      if ("action" in one) {
        if (one.action === "read" || one.action === "resolve") unreadCount = 0;
        if (one.action === "resolve") waitingSince = null;
        continue;
      }
      const { direction, createdAt } = messages[one.sequence - 1]!;
      if (direction === "inbound") {
        unreadCount++;
        waitingSince ??= createdAt;
      } else if (direction === "outbound") {
        unreadCount = 0;
        waitingSince = null;
        firstReplyAt ??= createdAt;
      }
    }
    return {
      messageCount: shown.length,
      lastMessagePreview: shown.at(-1)?.body ?? null,
      unreadCount,
      waitingSince,
      firstReplyAt,
    };
  }

  test("after any sequence of messages and actions, the counters match the messages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 14 }),
        fc.boolean(),
        async (steps, byKey) => {
          const client = byKey ? tenant.live : agent;
          const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
            message: { body: "first", externalId: "in-first" },
          });
          await tenant.live.post(
            `/api/conversations/${id}/reply`,
            { body: "first", clientMessageId: "out-first", keepAssistant: true },
            200,
          );
          const happened: Happened[] = [{ sequence: 1 }, { sequence: 2 }];
          let sequence = 2;
          for (const [n, step] of steps.entries()) {
            await play(client, id, step, n);
            if (["messages", "reply", "notes"].includes(step)) happened.push({ sequence: ++sequence });
            else happened.push({ action: step });
          }
          const messages = await walk(tenant.live, `/api/conversations/${id}/messages`);
          expect(messages.map((message) => message.sequence)).toEqual(messages.map((_, index) => index + 1));
          expect(messages).toHaveLength(sequence);
          expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body).toMatchObject(
            recount(messages, happened),
          );
        },
      ),
      { numRuns: runs(15, 40) },
    );
  });
});
