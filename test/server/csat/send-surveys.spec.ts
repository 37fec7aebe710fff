import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SendSurveysJob } from "../../../src/quality/csat/survey/send-surveys.job.js";
import { newAgent, newWorkspace } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { chatOf, Visitor } from "../webchat/support.js";
import { newForm, send } from "../widgets/support.js";
import {
  announcedIn,
  asked,
  configure,
  type Conversation,
  decide,
  LINK,
  linkOf,
  messagesOf,
  resolve,
  talk,
} from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Parcels & Co");
  owner = await tenant.owner();
  key = tenant.live;
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  await configure(owner, workspaceId);
});

const read = async ({ path }: Conversation) => (await key.get(path, 200)).body;
const surveys = (conversation: Conversation) =>
  app.db.query("select * from csat_survey where conversation_id = $1", [conversation.id]);
const dueOf = (conversation: Conversation) =>
  app.db.query<{ seconds: number }>(
    "select *, extract(epoch from due_at - now())::int as seconds from csat_due where conversation_id = $1",
    [conversation.id],
  );
const wasAsked = async (conversation: Conversation): Promise<boolean> =>
  (await announcedIn(key, conversation)).length > 0;

describe("a resolved conversation", () => {
  test("sends its contact a survey link after the delay, and does not change otherwise", async () => {
    await configure(owner, workspaceId, { delayMinutes: 30 });
    const conversation = await talk(key, workspaceId);
    await key.post(`${conversation.path}/release`, {}, 200);
    await resolve(key, conversation);
    const before = await read(conversation);
    const [{ seconds }] = (await dueOf(conversation)) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(29 * 60);
    await app.db.query(`update csat_due set due_at = now() + interval '1 minute'`);
    await app.app.get(SendSurveysJob).tick();
    expect(await wasAsked(conversation)).toBe(false);
    await decide(app);
    const [message] = await announcedIn(key, conversation);
    expect(message).toMatchObject({ direction: "outbound", authorType: "system", authorId: null });
    expect(message!.body).toMatch(
      /^How satisfied are you with the help you got from Parcels & Co\?\n\nhttp\S+\/api\/public\/csat\/[\w-]{64}$/,
    );
    const { lastActivityAt, updatedAt, messageCount, ...after } = await read(conversation);
    // The preview is still what the contact or the team said last.
    expect(before).toMatchObject(after);
    expect(messageCount).toBe(before.messageCount + 1);
    expect(lastActivityAt > before.lastActivityAt).toBe(true);
    expect(updatedAt).toBe(lastActivityAt);
    expect(await dueOf(conversation)).toEqual([]);
    await decide(app);
    expect(await announcedIn(key, conversation)).toHaveLength(1);
  });

  test("without a reply still counts as unanswered after its survey", async () => {
    const conversation = await talk(key, workspaceId);
    await resolve(key, conversation);
    await app.db.query(
      "update conversation set first_reply_at = null, unread_count = 3, waiting_since = now() where id = $1",
      [conversation.id],
    );
    const { firstReplyAt, unreadCount, waitingSince } = await read(conversation);
    await decide(app);
    expect(await wasAsked(conversation)).toBe(true);
    expect(await read(conversation)).toMatchObject({
      firstReplyAt,
      unreadCount,
      waitingSince,
      status: "resolved",
      handlingMode: "human",
    });
  });

  test("sends and stores no survey while surveys are off", async () => {
    await configure(owner, workspaceId, { enabled: false });
    const conversation = await talk(key, workspaceId);
    await resolve(key, conversation);
    expect(await dueOf(conversation)).toEqual([]);
  });

  test("sends a survey however it is resolved", async () => {
    const conversation = await talk(key, workspaceId);
    await app.db.query(`update conversation set status = 'resolved', resolved_at = now() where id = $1`, [
      conversation.id,
    ]);
    expect(await dueOf(conversation)).toHaveLength(1);
  });
});

describe("no survey is sent", () => {
  const NEVER: Record<string, (conversation: Conversation) => Promise<unknown>> = {
    "about spam": () => Promise.resolve(),
    "about a duplicate": () => Promise.resolve(),
    "who was blocked": ({ contactId }) => key.patch(`/api/contacts/${contactId}`, { blocked: true }, 200),
    "who was erased": ({ contactId }) => owner.post(`/api/contacts/${contactId}/erasure`, {}),
    "who was deleted": ({ contactId }) => key.delete(`/api/contacts/${contactId}`, 200),
    "whose contact was merged into another": async ({ contactId }) =>
      key.post(`/api/contacts/${(await talk(key, workspaceId)).contactId}/merge`, { sourceContactId: contactId }, 200),
    "whom another contact was merged into": async ({ contactId }) =>
      key.post(`/api/contacts/${contactId}/merge`, { sourceContactId: (await talk(key, workspaceId)).contactId }, 200),
    "in an archived workspace": () => owner.patch(`/api/workspaces/${workspaceId}`, { status: "archived" }, 200),
    "in a deleted workspace": () => owner.delete(`/api/workspaces/${workspaceId}`, 200),
    "whose conversation was reopened": ({ path }) => key.post(`${path}/reopen`, {}, 200),
    "who wrote again": ({ path }) => key.post(`${path}/messages`, { body: "One more thing" }, 201),
    "once it is switched off": () => configure(owner, workspaceId, { enabled: false }),
  };
  test.each(Object.entries(NEVER))("%s", async (name, happens) => {
    const conversation = await talk(key, workspaceId);
    await resolve(
      key,
      conversation,
      name === "about spam" ? "spam" : name === "about a duplicate" ? "duplicate" : "answered",
    );
    await happens(conversation);
    await decide(app);
    expect(await surveys(conversation)).toEqual([]);
    expect(
      await app.db.query(
        `select 1 from message where conversation_id = $1 and author_type = 'system' and direction = 'outbound'`,
        [conversation.id],
      ),
    ).toEqual([]);
    expect(await app.db.query("select 1 from csat_due where conversation_id = $1", [conversation.id])).toEqual([]);
  });

  test("without a message from us", async () => {
    const conversation = await talk(key, workspaceId, { reply: null });
    await resolve(key, conversation);
    await decide(app);
    expect(await surveys(conversation)).toEqual([]);
  });

  test("without a message from the contact", async () => {
    const { contactId } = await talk(key, workspaceId);
    const { id } = (await key.post("/api/conversations/compose", { workspaceId, contactId, body: "News" }, 201)).body;
    const conversation: Conversation = { id, contactId, path: `/api/conversations/${id}` };
    await resolve(key, conversation);
    await decide(app);
    expect(await surveys(conversation)).toEqual([]);
  });

  test("twice after reopening and resolving again: one survey, after the last delay", async () => {
    await configure(owner, workspaceId, { delayMinutes: 10 });
    const conversation = await talk(key, workspaceId);
    await resolve(key, conversation);
    await app.db.query(`update csat_due set due_at = now() - interval '1 second' where conversation_id = $1`, [
      conversation.id,
    ]);
    await key.post(`${conversation.path}/reopen`, {}, 200);
    await resolve(key, conversation);
    const [{ seconds }] = (await dueOf(conversation)) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(9 * 60);
    await decide(app);
    expect(await announcedIn(key, conversation)).toHaveLength(1);
  });
});

describe("a contact is asked at most once within the configured days", () => {
  test("in a workspace, for any of their conversations, and again when the days are over", async () => {
    await configure(owner, workspaceId, { askOncePerDays: 14 });
    const first = await asked(app, key, workspaceId);
    const again = async (): Promise<boolean> => {
      const conversation = await talk(key, workspaceId, { contactId: first.contactId });
      await resolve(key, conversation);
      await decide(app);
      return wasAsked(conversation);
    };
    expect(await again()).toBe(false);
    await app.db.query(
      `update csat_survey set asked_at = now() - interval '14 days' + interval '1 minute' where conversation_id = $1`,
      [first.id],
    );
    expect(await again()).toBe(false);
    await app.db.query(
      `update csat_survey set asked_at = now() - interval '14 days 1 minute' where conversation_id = $1`,
      [first.id],
    );
    expect(await again()).toBe(true);
    expect(await again()).toBe(false);
  });

  test("in each workspace separately", async () => {
    await configure(owner, workspaceId, { askOncePerDays: 14 });
    const { contactId } = await asked(app, key, workspaceId);
    const { id: other } = await newWorkspace(key, tenant.defaults.brandId);
    await configure(owner, other, { askOncePerDays: 14 });
    expect((await asked(app, key, other, { contactId })).link).toBeTruthy();
  });

  test("after a merge, counting the surveys of both contacts", async () => {
    await configure(owner, workspaceId, { askOncePerDays: 14 });
    const source = await asked(app, key, workspaceId);
    const { contactId } = await talk(key, workspaceId);
    await key.post(`/api/contacts/${contactId}/merge`, { sourceContactId: source.contactId }, 200);
    const conversation = await talk(key, workspaceId, { contactId });
    await resolve(key, conversation);
    await decide(app);
    expect(await wasAsked(conversation)).toBe(false);
  });
});

describe("the question", () => {
  const questionOf = async (body: Record<string, unknown>, language?: string): Promise<string> => {
    const conversation = await talk(key, workspaceId, body);
    if (language) await key.patch(conversation.path, { language }, 200);
    await resolve(key, conversation);
    await decide(app);
    return (await announcedIn(key, conversation))[0]!.body.split("\n")[0]!;
  };

  test("is in the language of the conversation, the contact or the workspace, or English; the workspace's own question first", async () => {
    expect(await questionOf({}, "de")).toBe("Wie zufrieden sind Sie mit der Hilfe von Parcels & Co?");
    expect(await questionOf({ contact: { name: "Ada", language: "fr" } })).toBe(
      "Êtes-vous satisfait de l’aide apportée par Parcels & Co ?",
    );
    await owner.patch(`/api/workspaces/${workspaceId}`, { primaryLanguage: "nl" }, 200);
    expect(await questionOf({}, "tr")).toBe("Hoe tevreden bent u over de hulp van Parcels & Co?");
    await configure(owner, workspaceId, { questions: { tr: " Nasıldık? ", de: "Und?" } });
    expect(await questionOf({}, "tr")).toBe("Nasıldık?");
    expect(await questionOf({}, "de")).toBe("Und?");
    expect(await questionOf({}, "pl")).toBe("Jak oceniasz pomoc ze strony Parcels & Co?");
    await owner.patch(`/api/workspaces/${workspaceId}`, { primaryLanguage: "fi" }, 200);
    expect(await questionOf({})).toBe("How satisfied are you with the help you got from Parcels & Co?");
  });
});

describe("the link", () => {
  test("is visible only to the key that delivers it: in no list, search, export or table, and to no member", async () => {
    const conversation = await asked(app, key, workspaceId);
    const token = conversation.link.split("/").at(-1)!;
    const agent = await newAgent(owner, [workspaceId]);
    for (const member of [owner, agent]) {
      expect((await announcedIn(member, conversation))[0]!.body).toMatch(/\n\n\[survey link\]$/);
      for (const path of [
        `${conversation.path}/messages?order=desc`,
        conversation.path,
        `/api/conversations?workspaceId=${workspaceId}`,
        `/api/quality/csat/ratings?workspaceId=${workspaceId}`,
      ])
        expect((await member.get(path, 200)).text).not.toContain(token);
    }
    for (const path of [`/api/contacts/${conversation.contactId}/export`, "/api/audit-log"])
      expect((await owner.get(path, 200)).text).not.toContain(token);
    expect(await tablesWith(app.db, token)).toEqual({});
    // For a conversation on another channel, the key does not receive the link.
    await app.db.query(
      `update channel set type = 'webchat', fetched = false where id = (select channel_id from conversation where id = $1)`,
      [conversation.id],
    );
    expect((await announcedIn(key, conversation))[0]!.body).toMatch(/\[survey link\]$/);
  });

  test("is not inserted into messages that quote its placeholder", async () => {
    const conversation = await talk(key, workspaceId, {
      message: { body: "See [survey link]" },
      reply: "What [survey link]?",
    });
    expect((await messagesOf(key, conversation)).map(({ body }) => body)).toEqual([
      "See [survey link]",
      "What [survey link]?",
    ]);
  });
});

describe("it is sent through the customer's channel", () => {
  test("web chat: the visitor gets the link in their thread, also by server-sent events", async () => {
    const { workspaceId: chats } = tenant.defaults;
    await configure(owner, chats);
    const visitor = await Visitor.open(app.baseUrl, await chatOf(tenant));
    await visitor.write("Hello");
    const { id, contactId } = (await key.get(`/api/conversations?workspaceId=${chats}&limit=1`, 200)).body.data[0]!;
    const conversation: Conversation = { id, contactId, path: `/api/conversations/${id}` };
    await key.post(`${conversation.path}/reply`, { body: "Hello to you" }, 200);
    const listening = await visitor.listen();
    await resolve(key, conversation);
    await decide(app);
    const shown = (await visitor.read()).at(-1)!;
    expect(shown).toMatch(LINK);
    await listening.until(() => listening.texts.includes(shown));
    listening.close();
    const {
      body: {
        data: [newest],
      },
    } = await visitor.client.get<{ data: object[] }>(`${visitor.chat.path}/messages`, 200);
    expect(newest).not.toHaveProperty("announced");
    for (const client of [key, owner])
      expect((await announcedIn(client, conversation))[0]!.body).toMatch(/\[survey link\]$/);
    expect((await app.client().get(LINK.exec(shown)![1]!, 200)).text).toContain("How satisfied");
  });

  test("mail: to the address they wrote from, through the mailbox", async () => {
    const { workspaceId: side } = tenant.testDefaults;
    const testOwner = await tenant.owner("test");
    await configure(testOwner, side);
    const { id: channelId } = (
      await testOwner.post(
        `/api/workspaces/${side}/channels`,
        {
          type: "email",
          name: "Mailbox",
          address: "help@example.com",
          settings: { smtp: { host: "smtp.invalid", port: 465 } },
          credentials: { username: "u", password: "p" },
        },
        201,
      )
    ).body;
    await app.db.query(`update channel set status = 'active' where id = $1`, [channelId]);
    const conversation = await talk(tenant.test, side, { channelId, subject: "Lost parcel" });
    await resolve(tenant.test, conversation);
    await decide(app);
    const [mail] = (await testOwner.get("/api/captured-messages", 200)).body.data;
    expect(mail).toMatchObject({ channel: "email", subject: "Lost parcel" });
    expect(mail!.body).toMatch(LINK);
    for (const client of [tenant.test, testOwner])
      expect((await announcedIn(client, conversation))[0]).toMatchObject({
        deliveryStatus: "sent",
        body: expect.stringMatching(/\[survey link\]$/),
      });
    expect((await app.client().get(LINK.exec(mail!.body)![1]!, 200)).text).toContain("How satisfied");
  });

  test("SMS: to their number", async () => {
    const { workspaceId: side } = tenant.testDefaults;
    const testOwner = await tenant.owner("test");
    await configure(testOwner, side);
    const { id: channelId } = (
      await testOwner.post(
        `/api/workspaces/${side}/channels`,
        {
          type: "sms",
          name: "Texts",
          address: "+4930901820",
          settings: {},
          credentials: { accountSid: "AC1", authToken: "x" },
        },
        201,
      )
    ).body;
    await app.db.query(`update channel set status = 'active' where id = $1`, [channelId]);
    const conversation = await talk(tenant.test, side, {
      channelId,
      contact: { name: "Ada", phones: ["+4915112345678"] },
    });
    await resolve(tenant.test, conversation);
    await decide(app);
    const [sms] = (await testOwner.get("/api/captured-messages", 200)).body.data;
    expect(sms).toMatchObject({ channel: "sms", to: "+4915112345678" });
    expect(sms!.body).toMatch(LINK);
  });

  test("a contact form: by mail, like its replies", async () => {
    const { workspaceId: side } = tenant.testDefaults;
    const testOwner = await tenant.owner("test");
    await configure(testOwner, side);
    await send(app.client(), await newForm(testOwner, side), { email: "form@example.com" });
    const { id, contactId } = (await tenant.test.get(`/api/conversations?workspaceId=${side}&limit=1`, 200)).body
      .data[0]!;
    const conversation: Conversation = { id, contactId, path: `/api/conversations/${id}` };
    await tenant.test.post(`${conversation.path}/reply`, { body: "Here" }, 200);
    await resolve(tenant.test, conversation);
    await decide(app);
    const [mail] = (await testOwner.get("/api/captured-messages", 200)).body.data;
    expect(mail!.to).toBe("form@example.com");
    expect(mail!.body).toMatch(LINK);
  });

  test("a survey that cannot be sent is stored as such, and does not block the next one", async () => {
    await configure(owner, workspaceId, { askOncePerDays: 14 });
    const ways: [string, string][] = [
      ["voice", "A call cannot be answered in writing"],
      ["email", "The contact has no email address"],
    ];
    for (const [before, [type, reason]] of ways.entries()) {
      const conversation = await talk(key, workspaceId, { contact: { name: "Ada" } });
      const channel = {
        type,
        name: type,
        ...(type === "voice"
          ? { address: "+4930901820", settings: {}, credentials: { accountSid: "AC1", authToken: "x" } }
          : {
              address: "help@example.com",
              settings: { smtp: { host: "smtp.invalid", port: 465 } },
              credentials: { username: "u", password: "p" },
            }),
      };
      const { id: channelId } = (await owner.post(`/api/workspaces/${workspaceId}/channels`, channel, 201)).body;
      await app.db.query(`update channel set status = 'active' where id = $1`, [channelId]);
      await app.db.query("update conversation set channel_id = $2, delivers = true where id = $1", [
        conversation.id,
        channelId,
      ]);
      await resolve(key, conversation);
      await decide(app);
      expect(await surveys(conversation)).toMatchObject([{ not_sent: expect.stringContaining(reason) }]);
      expect(await announcedIn(key, conversation)).toEqual([]);
      expect(await read(conversation)).toMatchObject({ messageCount: 2 });
      expect((await key.get(`/api/quality/csat?workspaceId=${workspaceId}`, 200)).body.total.asked).toBe(before);
      expect((await asked(app, key, workspaceId, { contactId: conversation.contactId })).link).toBeTruthy();
    }
  });

  test("no survey is sent through a disabled channel", async () => {
    const conversation = await talk(key, workspaceId);
    await resolve(key, conversation);
    await app.db.query(
      `update channel set status = 'disabled' where id = (select channel_id from conversation where id = $1)`,
      [conversation.id],
    );
    await decide(app);
    expect(await surveys(conversation)).toMatchObject([{ not_sent: "The channel does not work, or is disabled" }]);
    expect(await announcedIn(key, conversation)).toEqual([]);
  });
});

test("the assignee, the agents and the cited entries are stored when the contact is asked", async () => {
  const agent = await newAgent(owner, [workspaceId]);
  const conversation = await talk(key, workspaceId);
  await agent.post(`${conversation.path}/reply`, { body: "Mine" }, 200);
  const [platform] = await app.db.query<{ id: string }>(
    `select id from agent where tenant_id = $1 and kind = 'platform' limit 1`,
    [tenant.tenantId],
  );
  await app.db.query(
    `update message set author_type = 'assistant', author_id = $2 where conversation_id = $1 and author_type = 'api'`,
    [conversation.id, platform!.id],
  );
  await key.post(`${conversation.path}/unassign`, {}, 200);
  await resolve(key, conversation);
  await decide(app);
  expect(await surveys(conversation)).toMatchObject([
    { member_id: agent.id, agent_ids: [platform!.id], kb_entry_ids: [] },
  ]);
  expect(await linkOf(key, conversation)).toBeTruthy();
});
