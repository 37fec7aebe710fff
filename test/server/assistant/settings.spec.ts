import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { activityOf, ask, assist, ENTRIES, itemsOf, messagesOf, outcomesOf, saidIn, teach } from "./support.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { tablesWith } from "../../races/support.js";
import { chatOf, Visitor } from "../webchat/support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("settings", () => {
  let tenant: TestTenant;
  let key: Client;
  let path: `/api/workspaces/${string}/assistant`;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
    path = `/api/workspaces/${tenant.defaults.workspaceId}/assistant`;
    await teach(key, tenant.defaults.workspaceId);
  });

  const asked = async (body: string): Promise<string> =>
    (await start(key, tenant.defaults.workspaceId, { message: { body } })).id;

  /** Not word for word what an entry answers. */
  const REPHRASED = "How can I change the card that I pay with?";

  test("the thresholds of a workspace decide, and what is left out has its default", async () => {
    const defaults = (await key.get(path, 200)).body;
    const strict = { ...defaults, answerConfidence: 1 };
    expect((await key.put(path, { answerConfidence: 1 }, 200)).body).toEqual(strict);
    expect((await key.get(path, 200)).body).toEqual(strict);
    const id = await asked(REPHRASED);
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["clarified"]);
    expect(await saidIn(key, id)).toEqual([`assistant: Do you mean “${ENTRIES.card.question.slice(0, -1)}”?`]);
    expect((await key.put(path, {}, 200)).body).toEqual(defaults);
    const again = await asked(REPHRASED);
    await assist(app);
    expect(await outcomesOf(key, again)).toEqual(["answered"]);
  });

  test("a preview says what other thresholds would have decided, and changes nothing", async () => {
    await app.db.query("delete from assistant_run");
    const known = await asked(REPHRASED);
    await asked("Do you sell bananas?");
    await assist(app);
    const before = (await key.get(path, 200)).body;
    expect((await key.post(`${path}/preview`, { answerConfidence: 1 }, 200)).body).toEqual({
      questions: 2,
      before: { answer: 1, clarify: 0, hand_off: 1 },
      after: { answer: 0, clarify: 1, hand_off: 1 },
      changed: [
        { conversationId: known, messageId: (await messagesOf(key, known))[0]!.id, from: "answer", to: "clarify" },
      ],
    });
    expect((await key.post(`${path}/preview`, {}, 200)).body.changed).toEqual([]);
    expect((await key.get(path, 200)).body).toEqual(before);
  });

  test("a preview with the present thresholds decides as the runs did: in several languages, before and after a question back", async () => {
    await app.db.query("delete from assistant_run");
    const { id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId);
    const cancel = (what: string, language: string, question: string): object => ({
      question,
      answer: `${language}: ${what}.`,
      language,
    });
    await teach(key, workspaceId, [
      ...Object.values(ENTRIES),
      cancel("order", "en", "How do I cancel my order?"),
      cancel("visit", "en", "How do I cancel my visit?"),
      cancel("order", "de", "Wie storniere ich meine Bestellung?"),
      cancel("visit", "de", "Wie storniere ich meinen Besuch?"),
      cancel("parcel", "de", "Wo ist mein Paket?"),
      cancel("parcel", "fr", "Où est mon colis ?"),
    ]);
    const german = { name: "Ada", language: "de" };
    for (const [contact, ...turns] of [
      [{ name: "Ada" }, REPHRASED, "How do I cancel?", "How can I cancel?"],
      [{ name: "Ada" }, "How do I cancel?", "the visit", "Do you sell bananas?"],
      [german, "Wo ist mein Paket?", "Wie storniere ich?", "Wie kann ich stornieren?"],
      [german, "How do I cancel?", REPHRASED],
      [{ name: "Ada" }, "Où est mon colis ?"],
      [{ name: "Ada", language: "fr" }, "Where is my parcel?"],
    ] as [object, ...string[]][]) {
      const { id } = await start(key, workspaceId, { contact, message: { body: turns[0] } });
      await assist(app);
      for (const body of turns.slice(1)) {
        await key.post(`/api/conversations/${id}/messages`, { body }, 201);
        await assist(app);
      }
    }
    const steps = await app.db.query<{ decision: "answer" | "clarify" | "hand_off" }>(
      `select s.detail ->> 'decision' as decision from assistant_step s
       join assistant_run r on r.tenant_id = s.tenant_id and r.id = s.run_id
     where s.type = 'retrieve' and r.workspace_id = $1`,
      [workspaceId],
    );
    const did = { answer: 0, clarify: 0, hand_off: 0 };
    for (const { decision } of steps) did[decision]++;
    expect(did.answer && did.clarify && did.hand_off, "all kinds").toBeGreaterThan(1);
    const { body } = await key.post(`/api/workspaces/${workspaceId}/assistant/preview`, {}, 200);
    expect(body).toEqual({ questions: steps.length, before: did, after: did, changed: [] });
  });

  test("thresholds that contradict each other or are no shares are refused", async () => {
    for (const body of [{ margin: 1.1 }, { answerConfidence: -1 }, { answerConfidence: 0.2, clarifyConfidence: 0.5 }]) {
      expect((await key.put(path, body)).status).toBe(400);
      expect((await key.post(`${path}/preview`, body)).status).toBe(400);
    }
  });
});

describe("privacy", () => {
  let tenant: TestTenant;
  let key: Client;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
    await teach(key, tenant.defaults.workspaceId);
  });

  const asked = (body: string, workspaceId = tenant.defaults.workspaceId) =>
    start(key, workspaceId, { message: { body } });
  const rows = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of ["assistant_run", "assistant_step", "assistant_due"])
      counts[table] = (await app.db.query(`select from ${table} where tenant_id = $1`, [tenant.tenantId])).length;
    return counts;
  };

  test("an erasure removes what the assistant noted, also of a run that waits", async () => {
    const { id, contactId } = await asked("Do you sell Lovelace bananas?");
    await assist(app);
    await key.post(`/api/conversations/${id}/release`, {}, 200);
    await ask(key, id, "Or Lovelace apples?");
    expect(Object.keys(await tablesWith(app.db, "Lovelace"))).toEqual(expect.arrayContaining(["assistant_step"]));
    await key.post(`/api/contacts/${contactId}/erasure`, {}, 200);
    expect(await tablesWith(app.db, "Lovelace")).toEqual({});
    await assist(app);
    expect(await activityOf(key, id)).toEqual([]);
    expect(await rows()).toEqual({ assistant_run: 0, assistant_step: 0, assistant_due: 0 });
  });

  test("activity is kept for 90 days", async () => {
    const [old, young] = [await asked(ENTRIES.parcel.question), await asked(ENTRIES.parcel.question)];
    await assist(app);
    const age = (id: string, days: number) =>
      app.db.query(
        `update assistant_run set created_at = now() - make_interval(days => $2) + interval '1 minute' where conversation_id = $1`,
        [id, days],
      );
    await age(old.id, 91);
    await age(young.id, 90);
    const open = await asked(ENTRIES.parcel.question);
    await age(open.id, 91);
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ assistantRuns: 2 });
    expect([await outcomesOf(key, old.id), await outcomesOf(key, young.id)]).toEqual([[], ["answered"]]);
    expect(await outcomesOf(key, open.id), "one that is not over quotes the contact as well").toEqual([]);
    await assist(app);
  });

  test("a deleted workspace takes its activity along", async () => {
    const before = await rows();
    const { id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId);
    await asked("Do you sell bananas?", workspaceId);
    await assist(app);
    await asked("Do you sell apples?", workspaceId);
    await key.delete(`/api/workspaces/${workspaceId}`, 200);
    await app.app.get(PurgeWorkspacesJob).tick();
    await app.app.get(PurgeWorkspacesJob).tick();
    expect(await rows()).toEqual(before);
  });
});

describe("mail", () => {
  let tenant: TestTenant;
  let key: Client;
  let workspaceId: string;
  let mailbox: string;
  beforeAll(async () => {
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

  /** Below each mail of the assistant stands that no person wrote it. */
  const marked = (answer: string): string => `${answer}\n\n— Automated assistant`;
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
    expect(await messagesOf(key, id)).toMatchObject([
      {},
      { body: marked(ENTRIES.parcel.answer), deliveryStatus: "queued" },
    ]);
    expect(await app.db.query("select status from outbox_message where conversation_id = $1", [id])).toEqual([
      { status: "queued" },
    ]);
  });

  test("an answer is Markdown, as its entry is, and so leaves as formatted text", async () => {
    await teach(key, workspaceId, [
      { question: "Do you deliver to islands?", answer: "We **do**:\n\n- [by ship](https://example.com/ship)" },
    ]);
    const id = await mailed("Do you deliver to islands?");
    await assist(app);
    expect((await messagesOf(key, id))[1]).toMatchObject({
      body: marked("We **do**:\n\n- [by ship](https://example.com/ship)"),
      bodyFormat: "markdown",
    });
  });

  test("the subject counts where the mail has no words, and a hand-over sends no mail", async () => {
    const id = await mailed("👇", { subject: "Where is my parcel?" });
    await assist(app);
    expect(await saidIn(key, id)).toEqual([`assistant: ${marked(ENTRIES.parcel.answer)}`]);
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
    expect(await saidIn(key, id)).toEqual([`assistant: ${marked(ENTRIES.refund.answer)}`]);
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
      "I do not know the answer to that. I am passing this on to a colleague, who will reply to you here.",
    ]);
    // No person wrote that either.
    const { data } = (await visitor.client.get(`${visitor.chat.path}/messages`, 200)).body;
    expect(data.map(({ automated }) => automated)).toEqual([true, false, true, false]);
  });
});
