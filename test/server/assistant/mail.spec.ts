import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { chatOf, Visitor } from "../webchat/support.js";
import { activityOf, assist, ENTRIES, itemsOf, messagesOf, outcomesOf, saidIn, teach } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
let mailbox: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
  ({ workspaceId } = tenant.defaults);
  await teach(key, workspaceId);
  const body = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: { host: "mail.example.com", port: 465, security: "tls" } },
    credentials: { username: "support", password: "secret" },
  };
  mailbox = (await (await tenant.owner()).post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body.id;
});
afterAll(() => app.close());

const mailed = async (body: string, more: object = {}): Promise<string> =>
  (
    await start(key, workspaceId, {
      channelId: mailbox,
      contact: { emails: ["ada@example.com"] },
      message: { body },
      ...more,
    })
  ).id;

test("on mail the contact's own text counts, not what it quotes, and the answer leaves like any reply", async () => {
  const id = await mailed(
    "Where is my parcel?\n\nOn Mon, 3 Nov 2025 at 10:00, Shop <shop@example.com> wrote:\n> When do I get my refund?\n> Within five days.",
  );
  await assist(app);
  expect((await activityOf(key, id))[0]!.steps[0]!.question).toBe("Where is my parcel?");
  expect(await messagesOf(key, id)).toMatchObject([{}, { body: ENTRIES.parcel.answer, deliveryStatus: "queued" }]);
  expect(await app.db.query("select status from outbox_message where conversation_id = $1", [id])).toEqual([
    { status: "queued" },
  ]);
});

test("the subject counts where the mail has no words, and a hand-over sends no mail", async () => {
  const id = await mailed("👇", { subject: "Where is my parcel?" });
  await assist(app);
  expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
  const unknown = await mailed("Do you sell bananas?");
  await assist(app);
  expect(await outcomesOf(key, unknown)).toEqual(["handed_off"]);
  expect(await saidIn(key, unknown)).toEqual([]);
});

test.each([
  [
    "a mail that is forwarded",
    "---------- Forwarded message ---------\nFrom: Eve <eve@example.org>\n\nWhere is my parcel?",
    {},
  ],
  ["a quote alone", "> Where is my parcel?", {}],
  ["a mail forwarded as an attachment", "", { subject: "Fwd: Where is my parcel?" }],
])("others' words are nobody's question: %s is handed over, and people are told why", async (_, body, more) => {
  const id = await mailed(body || "👇", more);
  await assist(app);
  expect(await activityOf(key, id)).toMatchObject([
    { outcome: "handed_off", reason: "The mail has no words of the contact's own", steps: [] },
  ]);
  expect(await saidIn(key, id)).toEqual([]);
});

test("what stands above a mail that is forwarded is the question", async () => {
  const id = await mailed("When do I get my refund?\n\nBegin forwarded message:\n\nFrom: Eve\n\nWhere is my parcel?");
  await assist(app);
  expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.refund.answer}`]);
});

test("a mail that a program sent is left alone", async () => {
  const id = await mailed("Where is my parcel?", { metadata: { automatic: true } });
  await assist(app);
  expect(await outcomesOf(key, id)).toEqual([]);
});

test("an answer that cannot be delivered is handed over", async () => {
  const id = await mailed("Where is my parcel?", { contact: { name: "No address" } });
  await assist(app);
  expect(await outcomesOf(key, id)).toEqual(["failed"]);
  expect(await itemsOf(key, id)).toMatchObject([
    { type: "handoff_requested", reason: "The assistant failed to answer: “Where is my parcel?”" },
  ]);
  expect(await messagesOf(key, id)).toHaveLength(1);
});

test("a visitor of the web chat reads the answer, and that a colleague takes over", async () => {
  const visitor = await Visitor.open(app.baseUrl, await chatOf(tenant));
  await visitor.write("Where is my parcel?");
  await assist(app);
  await visitor.write("Do you sell bananas?");
  await assist(app);
  expect(await visitor.read()).toEqual([
    "Where is my parcel?",
    ENTRIES.parcel.answer,
    "Do you sell bananas?",
    "I am passing this on to a colleague, who will reply to you here.",
  ]);
});
