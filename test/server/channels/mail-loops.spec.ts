import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { eventually } from "../../support/eventually.js";
import { assist, ENTRIES, itemsOf, teach } from "../assistant/support.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { deliver, provision } from "./support.js";

const BOX = "support@example.com";
const QUESTION = ENTRIES.parcel.question;

let smtp: MailServer;
let imap: Dovecot;
let app: TestApp;
let tenant: TestTenant;
let ticking: NodeJS.Timeout;

/** Delivers a mail and waits until it has come in. @returns its conversation; undefined if it was dropped */
async function arrives(headers: Record<string, string>, body = QUESTION): Promise<string | undefined> {
  const all: Record<string, string> = {
    To: BOX,
    "Message-ID": `<${randomUUID()}@robot.example>`,
    Date: new Date().toUTCString(),
    ...headers,
  };
  const [{ uid } = { uid: "0" }] = await app.db.query<{ uid: string }>("select last_uid::text as uid from mailbox");
  imap.deliver(
    `${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n${body}\r\n`,
  );
  await eventually(async () =>
    expect(await app.db.query("select 1 from mailbox where last_uid > $1::bigint", [uid])).toHaveLength(1),
  );
  const [found] = await app.db.query<{ id: string }>(
    "select conversation_id as id from message where external_id = $1",
    [all["Message-ID"]],
  );
  return found?.id;
}

/** Who answers for our side. */
const OURS = {
  /** Says what the question asks for. In one conversation it never gives the same answer twice. */
  assistant: () => assist(app),
  /** Answers everything, as long as no person has the conversation. */
  key: async (id: string) => {
    const { body } = await tenant.live.get(`/api/conversations/${id}`, 200);
    if (body.handlingMode !== "assistant") return;
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Thank you", keepAssistant: true }, 200);
  },
};

/** Both sides answer everything, until one has nothing to say. @returns how often we have answered */
async function converse(
  from: string,
  ours: keyof typeof OURS,
  answer: (headers: Record<string, string>) => Record<string, string>,
): Promise<number> {
  let answers = 0;
  let headers: Record<string, string> = { Subject: "Hello" };
  for (;;) {
    smtp.delivered.length = 0;
    const id = await arrives({ From: from, ...headers });
    if (id !== undefined) await OURS[ours](id);
    await deliver(app);
    const sent = smtp.delivered.filter(({ to }) => to.includes(from)).at(-1);
    if (!sent) return answers;
    answers++;
    expect(answers).toBeLessThan(30);
    headers = answer(sent.headers);
  }
}

describe.skipIf(!DOVECOT)(`a program at the other end that answers every mail${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    smtp = await startMailServer();
    imap = await startDovecot();
    app = await startApp({ OUTBOUND_ALLOW: [new URL(smtp.url).host, `127.0.0.1:${imap.port}`], LOG_LEVEL: "error" });
    tenant = await app.tenant();
    const { workspaceId } = tenant.defaults;
    ticking = setInterval(() => void app.app.get(Mailboxes).tick(), 300);
    await tenant.live.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: true }, 200);
    await teach(tenant.live, workspaceId);
    const { hostname: host, port } = new URL(smtp.url);
    await (
      await tenant.owner()
    ).post(
      `/api/workspaces/${workspaceId}/channels`,
      {
        type: "email",
        name: "Support",
        address: BOX,
        credentials: { username: "support", password: PASSWORD },
        settings: {
          smtp: { host, port: Number(port), security: "none" },
          imap: { host: "127.0.0.1", port: imap.port, security: "none" },
        },
      },
      201,
    );
    await provision(app);
    await eventually(async () => expect(await app.db.query("select 1 from mailbox")).toHaveLength(1));
  });
  afterAll(async () => {
    clearInterval(ticking);
    await app?.close();
    await Promise.all([smtp?.close(), imap?.close()]);
  });

  test.each<[string, Record<string, string>]>([
    ["Auto-Submitted", { "Auto-Submitted": "auto-replied" }],
    ["X-Autoreply", { "X-Autoreply": "yes" }],
    ["X-Auto-Response-Suppress", { "X-Auto-Response-Suppress": "All" }],
    ["Precedence", { Precedence: "list" }],
    ["List-Id", { "List-Id": "Users <users.robot.example>" }],
    ["an empty sender", { "Return-Path": "<>" }],
  ])("gets one answer if it says what it is: %s", async (_, sign) => {
    const from = `${randomUUID()}@robot.example`;
    expect(
      await converse(from, "assistant", (ours) => ({
        Subject: `Re: ${ours.subject}`,
        "In-Reply-To": ours["message-id"]!,
        ...sign,
      })),
    ).toBe(1);
  });

  test.each<[string, keyof typeof OURS, (ours: Record<string, string>) => Record<string, string>]>([
    [
      "in the thread of an integration's answers",
      "key",
      (ours) => ({ Subject: `Re: ${ours.subject}`, "In-Reply-To": ours["message-id"]! }),
    ],
    ["in a new thread each time", "assistant", () => ({ Subject: "Hello again" })],
  ])("gets ten answers within the hour if it says nothing, and then people are asked: %s", async (_, ours, answer) => {
    const from = `${randomUUID()}@robot.example`;
    expect(await converse(from, ours, answer)).toBe(10);
    const last = (await arrives({ From: from, Subject: "And again" }))!;
    expect((await tenant.live.get(`/api/conversations/${last}`, 200)).body).toMatchObject({
      handlingMode: "human",
      status: "open",
    });
    expect(await itemsOf(tenant.live, last)).toMatchObject([
      { type: "handoff_requested", reason: expect.stringContaining("a program may write at the other end") },
    ]);
  });

  test("is no program if it is a group of our own that people write to", async () => {
    const list = { "List-Id": "<support.example.com>", Precedence: "list" };
    const id = (await arrives({ From: "grace@example.org", Subject: "To the group", ...list }))!;
    const { body: one } = await tenant.live.get(`/api/conversations/${id}`, 200);
    expect(one.metadata).toEqual({ email: "grace@example.org" });
    // As Google Groups writes the mails of a domain that others must not send for.
    const rewritten = { From: `"Grace via Support" <${BOX}>`, "Reply-To": "Grace <grace@example.org>" };
    const another = (await arrives({ ...rewritten, Subject: "Rewritten", ...list }))!;
    expect((await tenant.live.get(`/api/conversations/${another}`, 200)).body.contactId).toBe(one.contactId);
  });

  test("is no program, and none of ours, if a website writes it from our own address for whoever filled in its form", async () => {
    const form = { From: `"Website" <${BOX}>`, Subject: "Message from the website" };
    const id = (await arrives({ ...form, "Reply-To": "Lin <lin@example.org>" }))!;
    const { body: one } = await tenant.live.get(`/api/conversations/${id}`, 200);
    expect(one.metadata).toEqual({ email: "lin@example.org" });
    const { body: contact } = await tenant.live.get(`/api/contacts/${one.contactId}`, 200);
    expect(contact.name).toBe("Lin");
    // What we wrote ourselves came back.
    expect(await arrives(form)).toBeUndefined();
    expect(await arrives({ ...form, "Reply-To": BOX })).toBeUndefined();
    expect(await arrives({ ...form, "Reply-To": BOX.replace("@", "+r1@") })).toBeUndefined();
    expect(await arrives({ ...form, "Reply-To": "lin@example.org", "In-Reply-To": "<a@example.org>" })).toBeUndefined();
    expect(await arrives({ ...form, "Reply-To": "lin@example.org", "X-Loop": BOX })).toBeUndefined();
  });
});
