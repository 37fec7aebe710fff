import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { assist, ENTRIES, messagesOf, outcomesOf, teach } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let path: `/api/workspaces/${string}/assistant`;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
  path = `/api/workspaces/${tenant.defaults.workspaceId}/assistant`;
  await teach(key, tenant.defaults.workspaceId);
});
afterAll(() => app.close());

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
  expect(await outcomesOf(key, id)).toEqual(["handed_off"]);
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
    after: { answer: 0, clarify: 0, hand_off: 2 },
    changed: [
      { conversationId: known, messageId: (await messagesOf(key, known))[0]!.id, from: "answer", to: "hand_off" },
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
