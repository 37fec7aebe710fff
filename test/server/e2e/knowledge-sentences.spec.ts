import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingsService } from "../../../src/knowledge/kb-entries/embeddings.service.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newWorkspace } from "./support.js";

// Without a server for embeddings: the model of sentences that comes with Parley.

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

/** A workspace without an agent of its own. */
async function filled(questions: readonly string[], client = tenant.live): Promise<string> {
  const [brand] = (await client.get("/api/brands", 200)).body;
  const of = (await newWorkspace(client, brand!.id)).id;
  for (const question of questions)
    await client.post(`/api/workspaces/${of}/kb-entries`, { question, answer: "So." }, 201);
  await app.app.get(EmbeddingsService).run();
  return of;
}
const found = async (of: string, q: string, client: Client = tenant.live): Promise<string[]> =>
  (await client.get(`/api/workspaces/${of}/kb-entries/search?q=${encodeURIComponent(q)}`, 200)).body.data.map(
    ({ entry }) => entry.question,
  );

const ENGLISH = [
  "What are your opening hours?",
  "How do I get a refund?",
  "How much is shipping?",
  "I forgot my password",
];
const GERMAN = [
  "Wie sind die Öffnungszeiten?",
  "Was kostet der Versand?",
  "Ich habe mein Passwort vergessen",
  "Der Artikel ist beschädigt angekommen",
];

test("a paraphrase without a common word finds its entry, in English, in German and from one language to the other", async () => {
  const [english, german] = [await filled(ENGLISH), await filled(GERMAN)];
  expect((await found(english, "can you give me my money back"))[0]).toBe("How do I get a refund?");
  expect((await found(german, "Die Vase war kaputt"))[0]).toBe("Der Artikel ist beschädigt angekommen");
  expect((await found(english, "Ich habe mein Passwort vergessen"))[0]).toBe("I forgot my password");
});

test("what an answer says finds its entry, and makes none sure enough for an answer; a changed answer counts anew", async () => {
  const of = await filled([]);
  const create = async (question: string, answer: string, status = "approved"): Promise<string> =>
    (await tenant.live.post(`/api/workspaces/${of}/kb-entries`, { question, answer, status }, 201)).body.id;
  await create("Are you in town?", "Our showroom is open on Saturdays from ten to six.");
  await create("Are you on the phone?", "Our number is 040 1234, and calls are free.");
  await create("Do you plan anything new?", "We shall bring out a blue lamp in spring.");
  await app.app.get(EmbeddingsService).run();
  const q = "until when may I visit you at the weekend";
  expect((await found(of, q))[0]).toBe("Are you in town?");
  const [first] = (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=${q}`, 200)).body.data;
  expect(first!.confidence).toBeLessThan(0.9);
  const draft = await create("Are you abroad?", "Not yet.", "pending");
  await app.app.get(EmbeddingsService).run();
  await tenant.live.patch(`/api/kb-entries/${draft}`, { answer: "In Vienna." }, 200);
  await app.app.get(EmbeddingsService).run();
  expect(
    await app.db.query("select said from kb_question where entry_id = $1 and n = 0 and vector is not null", [draft]),
  ).toEqual([{ said: "In Vienna." }]);
});

test("words that mean something alike count, whatever the language of the workspace", async () => {
  const of = await filled(["My card was swallowed by the machine", "My card was stolen", "ключ шлюза"]);
  expect((await found(of, "Someone robbed my card"))[0]).toBe("My card was stolen");
  expect((await found(of, "ключ от шлюза"))[0]).toBe("ключ шлюза");
});

test("the very words of an entry with one question are sure enough for an answer, and a mere paraphrase is not", async () => {
  const of = await filled(ENGLISH);
  const confidence = async (q: string): Promise<number> =>
    (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=${encodeURIComponent(q)}`, 200)).body.data[0]!
      .confidence;
  for (const question of ENGLISH) expect(await confidence(question)).toBeGreaterThanOrEqual(0.9);
  expect(await confidence("can you give me my money back")).toBeLessThan(0.9);
});

test("a typing mistake in the one word that matters is no obstacle", async () => {
  const of = await filled(ENGLISH);
  expect((await found(of, "forgt my pasword"))[0]).toBe("I forgot my password");
  expect((await found(of, "shiping costs"))[0]).toBe("How much is shipping?");
});

test("texts in letters that the model does not know are searched by their words", async () => {
  const of = await filled([...ENGLISH, "كيف أستعيد كلمة المرور"]);
  expect((await found(of, "كلمة المرور"))[0]).toBe("كيف أستعيد كلمة المرور");
});

test("new questions get vectors while the assistant is off, too: tests tell what it will do", async () => {
  const of = await filled(ENGLISH);
  await tenant.live.patch(`/api/workspaces/${of}`, { assistantEnabled: false }, 200);
  await tenant.live.post(`/api/workspaces/${of}/kb-entries`, { question: "Can I pay by card?", answer: "Yes." }, 201);
  await app.app.get(EmbeddingsService).run();
  expect((await found(of, "Nehmt ihr Kreditkarten?"))[0]).toBe("Can I pay by card?");
});

test("what one workspace knows is found in no other by its meaning, and a restricted key reads no other's vectors", async () => {
  const of = await filled(ENGLISH);
  const other = await filled(["Who is the chairman?", "How are deposits reimbursed?"]);
  const q = "can you give me my money back";
  const key = await keyFor(await tenant.owner(), { dataScope: { level: "workspace", workspaceId: other } });
  // The process has both lists now.
  expect((await found(of, q))[0]).toBe("How do I get a refund?");
  expect(await found(other, q, key)).toEqual(["How are deposits reimbursed?", "Who is the chairman?"]);
  expect((await key.get(`/api/workspaces/${of}/kb-entries/search?q=money%20back`)).status).toBe(404);
  expect((await found(of, "money back"))[0]).toBe("How do I get a refund?");
});

test("the live and the test side share no vectors: the same question finds the own entry on each", async () => {
  const q = "can you give me my money back";
  const live = await filled(["How do I get a refund?"]);
  const sandbox = await filled(["When are deposits reimbursed?"], tenant.test);
  expect([await found(live, q), await found(sandbox, q, tenant.test)]).toEqual([
    ["How do I get a refund?"],
    ["When are deposits reimbursed?"],
  ]);
  for (const [client, of] of [
    [tenant.live, sandbox],
    [tenant.test, live],
  ] as const)
    expect((await client.get(`/api/workspaces/${of}/kb-entries/search?q=refund`)).status).toBe(404);
  const lists = await app.db.query<{ sides: number }>(
    `select count(distinct tenant_id)::int as sides from kb_question where workspace_id = any($1) and vector is not null`,
    [[live, sandbox]],
  );
  expect(lists).toEqual([{ sides: 2 }]);
});
