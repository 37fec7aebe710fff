import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MentionMailsJob } from "../../../src/notices/mention-mails.job.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { newAgent, newWorkspace, start } from "../e2e/support.js";
import { attempt, notice, tenMinutesLater, timeIn } from "./support.js";

let mail: MailServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ada: Client & { id: string; email: string };
let conversationId: string;
beforeAll(async () => {
  mail = await startMailServer();
  app = await startApp({ SMTP_URL: mail.url, PUBLIC_URL: "https://parley.example" });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});
beforeEach(async () => {
  tenant = await app.tenant();
  owner = await tenant.owner();
  const email = `ada-${randomUUID()}@example.com`;
  const { body } = await owner.post(
    "/api/members",
    { email, name: "Ada", role: "agent", workspaceIds: [tenant.defaults.workspaceId], password: PASSWORD },
    201,
  );
  ada = Object.assign(await app.client().login(email, PASSWORD), { id: body.id, email });
  await wants(ada);
  conversationId = (await start(tenant.live, tenant.defaults.workspaceId, { contact: { name: "Elena" } })).id;
  await notice(app);
  mail.delivered.length = 0;
});
afterEach(async () => {
  await app.db.query("delete from outbox_message");
  await app.db.query("delete from unread_mention");
  await app.db.query("delete from notice_due");
});

const wants = (member: Client, more: object = {}) =>
  member.put("/api/me/preferences", { notifications: { mailMentions: true }, ...more }, 200);
const name = (body: string, by = owner, memberIds = [ada.id]) =>
  by.post(`/api/conversations/${conversationId}/notes`, { body, mentions: memberIds }, 201);
const mails = () =>
  mail.delivered.map(({ to, headers, body }) => ({
    to,
    subject: headers.subject,
    body: body.replaceAll("\r\n", "\n"),
  }));
const waiting = (): Promise<{ seconds: number }[]> =>
  app.db.query("select extract(epoch from due_at - now())::float8 as seconds from unread_mention");

test("a mention that nobody read for ten minutes is mailed once: who, about whom, the first lines of the note, and where", async () => {
  await name("@Ada, please look at **this**\nsecond line\n\nthird line\nfourth line");
  await notice(app);
  const [due] = await waiting();
  expect(due!.seconds).toBeGreaterThan(540);
  expect(due!.seconds).toBeLessThan(601);
  await app.app.get(MentionMailsJob).tick();
  await attempt(app);
  expect(mails()).toEqual([]);
  await tenMinutesLater(app);
  await tenMinutesLater(app);
  expect(mails()).toEqual([
    {
      to: [ada.email],
      subject: "You are named in a note about Elena",
      body: `Hello Ada,

you are named in a note about Elena, and have not read it yet.

Owner wrote:
> @Ada, please look at this
> second line
> third line …

https://parley.example/inbox/all/${conversationId}

You get this mail because you asked for it. Turn it off in your preferences: https://parley.example/settings/preferences
`,
    },
  ]);
});

test("a process whose clock is an hour ahead mails as well, and a mention of when PostgreSQL's was waits no longer", async () => {
  await name("@Ada, please");
  // The feed has not been read when the clock goes back.
  await app.db.query("update resource_change set at = at + interval '1 hour' where state ? 'mentions'");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7_200_000 });
  try {
    await notice(app);
  } finally {
    vi.useRealTimers();
  }
  const [due] = await waiting();
  expect(due?.seconds).toBeLessThan(601);
});

test("several mentions in one conversation make one mail", async () => {
  for (const n of [1, 2, 3, 4, 5]) await name(`Note ${n}`);
  await tenMinutesLater(app);
  expect(mails()).toHaveLength(1);
  expect(mails()[0]!.body).toContain(
    "> Note 1\n\nOwner wrote:\n> Note 2\n\nOwner wrote:\n> Note 3\n\n2 more notes name you.",
  );
});

test("it is in the member's language, if there are texts in it", async () => {
  await wants(ada, { language: "de" });
  await name("Schau mal");
  await tenMinutesLater(app);
  await wants(ada, { language: "ja" });
  await name("Look");
  await tenMinutesLater(app);
  expect(mail.sources.join("\n")).toContain("genannt");
  expect(mails().map(({ body }) => body.slice(0, 10))).toEqual(["Hallo Ada,", "Hello Ada,"]);
});

describe("nobody is mailed", () => {
  test("who has not asked for it, who was not named, and who wrote it", async () => {
    const [grace, me] = [
      await newAgent(owner, [tenant.defaults.workspaceId]),
      (await owner.get("/api/me", 200)).body.id,
    ];
    await wants(owner);
    await name("@Grace and I", owner, [grace.id, me]);
    await tenMinutesLater(app);
    expect(mails()).toEqual([]);
    expect((await grace.get("/api/me/preferences", 200)).body.notifications.mailMentions).toBe(false);
  });

  test("who opened the conversation since, or has it open", async () => {
    await name("Look");
    await notice(app);
    await ada.put(`/api/conversations/${conversationId}/viewing`, { state: "viewing" }, 200);
    // A dashboard says it again and again.
    await app.db.query("update conversation_viewer set until = now() + interval '1 hour'");
    await tenMinutesLater(app);
    await name("And now");
    await tenMinutesLater(app);
    expect(mails()).toEqual([]);
    await ada.put(`/api/conversations/${conversationId}/viewing`, { state: "left" }, 200);
    await name("And after you left");
    await tenMinutesLater(app);
    expect(mails()).toHaveLength(1);
  });

  test("who answered since", async () => {
    await name("Look");
    await notice(app);
    await name("Done", ada, []);
    await tenMinutesLater(app);
    expect(mails()).toEqual([]);
  });

  test.each(["is deactivated", "lost the workspace", "turned it off"])(
    "who %s, even if the mail is on its way",
    async (what) => {
      const leave = async (): Promise<unknown> =>
        what === "is deactivated"
          ? owner.patch(`/api/members/${ada.id}`, { status: "deactivated" }, 200)
          : what === "turned it off"
            ? ada.put("/api/me/preferences", {}, 200)
            : owner.patch(
                `/api/members/${ada.id}`,
                { workspaceIds: [(await newWorkspace(owner, tenant.defaults.brandId)).id] },
                200,
              );
      await name("Look");
      await notice(app);
      await app.db.query("update unread_mention set due_at = now() - interval '1 second'");
      await app.app.get(MentionMailsJob).tick();
      await leave();
      await attempt(app);
      expect(mails()).toEqual([]);
    },
  );

  test("if the person it is about was erased", async () => {
    await name("Look at what Elena wrote");
    await notice(app);
    const { contactId } = (await owner.get(`/api/conversations/${conversationId}`, 200)).body;
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    await tenMinutesLater(app);
    expect(mails()).toEqual([]);
  });

  test("in quiet hours: the mail comes at their end", async () => {
    await wants(ada, {
      quietHours: { from: timeIn("Asia/Tokyo", -60), to: timeIn("Asia/Tokyo", 90), timeZone: "Asia/Tokyo" },
    });
    await name("Look");
    await tenMinutesLater(app);
    expect(mails()).toEqual([]);
    const [due] = await waiting();
    expect(due!.seconds).toBeGreaterThan(87 * 60);
    expect(due!.seconds).toBeLessThan(91 * 60);
    await wants(ada);
    await tenMinutesLater(app);
    expect(mails()).toHaveLength(1);
  });
});

test("two processes mail it once", async () => {
  const second = await startApp(app.config, app.db);
  await name("Look");
  await Promise.all([notice(app), notice(second)]);
  await app.db.query("update unread_mention set due_at = now() - interval '1 second'");
  await Promise.all([app, second].map((one) => one.app.get(MentionMailsJob).tick()));
  await attempt(app, second);
  await second.close();
  expect(mails()).toHaveLength(1);
});
