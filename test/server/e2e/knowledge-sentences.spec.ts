import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingsService } from "../../../src/knowledge/kb-entries/embeddings.service.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { newWorkspace } from "./support.js";

// Without a server for embeddings: the model of sentences that comes with Parley.

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

async function filled(questions: readonly string[], assistant = true): Promise<string> {
  const of = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  if (assistant)
    await tenant.live.post(
      "/api/agents",
      { name: `Assistant of ${of}`, instructions: "Answer.", workspaceIds: [of] },
      201,
    );
  for (const question of questions)
    await tenant.live.post(`/api/workspaces/${of}/kb-entries`, { question, answer: "So." }, 201);
  await app.app.get(EmbeddingsService).run();
  return of;
}
const found = async (of: string, q: string): Promise<string[]> =>
  (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=${encodeURIComponent(q)}`, 200)).body.data.map(
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

test("where no assistant is on, questions get no vectors", async () => {
  const of = await filled(ENGLISH, false);
  const [{ vectors }] = (await app.db.query<{ vectors: number }>(
    "select count(vector)::int as vectors from kb_question where workspace_id = $1",
    [of],
  )) as [{ vectors: number }];
  expect(vectors).toBe(0);
  expect((await found(of, "shipping"))[0]).toBe("How much is shipping?");
});

test("what one workspace or its test data knows is found in no other", async () => {
  const of = await filled(ENGLISH);
  const other = await filled(["Who is the chairman?"]);
  expect(await found(of, "can you give me my money back")).not.toContain("Who is the chairman?");
  expect(await found(other, "can you give me my money back")).not.toContain("How do I get a refund?");
});
