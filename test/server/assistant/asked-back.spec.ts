import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingsService } from "../../../src/knowledge/kb-entries/embeddings.service.js";
import { startApp, type TestApp } from "../../support/app.js";
import { start } from "../e2e/support.js";
import { assist, saidIn, teach } from "./support.js";

// What a contact is asked back where the meaning of their words finds an entry, and no word of it is said.

let app: TestApp;
let first: (body: string) => Promise<string[]>;
beforeAll(async () => {
  app = await startApp();
  const { live: key, defaults } = await app.tenant();
  const { workspaceId } = defaults;
  await teach(key, workspaceId, [
    { question: "Which payment methods do you accept?", answer: "Visa, Klarna, PayPal and payment by invoice." },
    { question: "The item arrived damaged", answer: "Please send us photos of the damage." },
    { question: "How do I care for leather shoes?", answer: "With a soft brush, and with wax once a month." },
  ]);
  await app.app.get(EmbeddingsService).run();
  first = async (body) => {
    const { id } = await start(key, workspaceId, { message: { body } });
    await assist(app);
    return await saidIn(key, id);
  };
});
afterAll(() => app.close());

test("whether they mean the entry whose answer names what they ask for", async () => {
  expect(await first("can you take klarna?")).toEqual([
    "assistant: Do you mean “Which payment methods do you accept”?",
  ]);
  expect((await first("can you take seashells?"))[0]).toContain("I am passing this on to a colleague");
});

test("whether they mean it, after a word about what they complain of", async () => {
  expect(await first("The bicycle I received was damaged during delivery. I'm quite frustrated.")).toEqual([
    "assistant: I am sorry about that. Do you mean “The item arrived damaged”?",
  ]);
});
