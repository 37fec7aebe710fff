import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sameAnswer } from "../../../src/identity/answers/same-answer.js";
import { newWorkspace } from "../e2e/support.js";
import { concurrently, copyOf } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Answer } from "../../support/client.js";
import { everyNth } from "../../support/sweep.js";
import { type Dialogue, dialogues, type Key, SOURCE } from "./bank-dialogues.js";
import { type Event, Model, type Workspace } from "./verification-model.js";

/** test/unit/identity/bank-dialogues.spec.ts plays all of them on the model alone. */
const PLAYED = everyNth(dialogues, 5);

let app: TestApp;
let tenant: TestTenant;
let workspace: Workspace;
/** Everything that the process logged, and everything that the API answered. */
let log = "";
let answered = "";
let spies: { mockRestore(): void }[];
beforeAll(async () => {
  spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk: string | Uint8Array) => {
      log += Buffer.from(chunk as Uint8Array).toString();
      return true;
    }),
  );
  app = await startApp({ LOG_LEVEL: "debug" });
  tenant = await app.tenant();
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const owner = await tenant.owner();
  await owner.put(`/api/workspaces/${id}/verification-sources`, { sources: [SOURCE] }, 200);
  const { body: settings } = await owner.get(`/api/workspaces/${id}/identity-settings`, 200);
  workspace = { id, settings, sources: [{ name: "bank", type: "contact_attributes", prompts: SOURCE.questions }] };
});
afterAll(async () => {
  await app.close();
  for (const spy of spies) spy.mockRestore();
});

/** Plays one dialogue. Every answer of the API and every event must match the comparison and the rules of verification. */
async function play({ record, answers }: Dialogue): Promise<void> {
  const { name, ...attributes } = record;
  const {
    body: { id, contactId },
  } = await tenant.live.post("/api/conversations", { workspaceId: workspace.id, contact: { name, attributes } }, 201);
  const model = new Model();
  const conversation = { id, workspace, contactId, callerId: null };
  model.conversations.push(conversation);
  const path = `/api/conversations/${id}` as const;
  const send = async <Result extends object>(step: string, body: object): Promise<Answer<Result>> => {
    const answer = await tenant.live.post<Result>(`${path}/verification/${step}`, body);
    answered += answer.text;
    return answer;
  };
  /** The bank chose the order, so this asks all questions and answers the one of the dialogue. */
  const questionFor = async (key: Key): Promise<ReturnType<Model["ask"]>["questions"][number] | undefined> => {
    const open = (): ReturnType<Model["ask"]>["questions"][number] | undefined =>
      model.questions.find((one) => one.key === key && !one.answered);
    for (const count of [5, 1]) {
      if (open()) break;
      const expected = model.ask(conversation, count);
      const { status, body } = await send<Schemas["AskedQuestions"]>("questions", { count });
      expect(status).toBe(expected.status);
      expected.questions.forEach((question, n) => Object.assign(question, { id: body.questions[n]!.questionId }));
    }
    return open();
  };

  for (const [turn, key, words] of answers) {
    const question = await questionFor(key);
    if (!question) continue;
    const onFile = record[key];
    const expected = model.answer(conversation, question, onFile !== undefined && sameAnswer(onFile, words, "en"));
    const answer = await send<Schemas["AnswerResult"]>("answers", { questionId: question.id, answer: words });
    expect([turn, answer.status]).toEqual([turn, expected.status]);
    if (expected.body) expect(answer.body).toEqual(expected.body);
  }
  const events = await tenant.live.get(`${path}/identity-events`, 200);
  const assurance = await tenant.live.get(`${path}/assurance`, 200);
  const attention = await tenant.live.get(`/api/attention-items?conversationId=${id}`, 200);
  answered += events.text + assurance.text + attention.text;
  expect(
    events.body.events.map((event): Event => ({
      conversation: event.conversationId,
      type: event.eventType,
      category: event.factorCategory,
      factor: event.factorType,
      principal: event.factorBoundToPrincipal,
      dimension: event.scopeDimension,
      values: event.scopeValues,
      evidence: event.evidenceRef,
      prompt: event.promptVersion,
    })),
  ).toEqual(model.events);
  expect(assurance.body.level).toBe(model.assurance(conversation).level);
}

test(
  "what people answered is taken as it comes: each answer and event is right, and nothing of it stands anywhere",
  { timeout: 180_000 },
  async () => {
    const queue = PLAYED.values();
    await concurrently(8, async () => {
      for (const dialogue of queue) await play(dialogue);
    });

    const copies = await copyOf(app.db);
    for (const spy of spies) spy.mockRestore();

    // The record itself is in the contact; the search indexes its name, and lists are in its order.
    const {
      contact: _,
      search_entry: __,
      search_word: ___,
      directory_entry: ____,
      contact_workspace: _____,
      ...others
    } = copies;
    const places: Record<string, string> = { ...others, "the log": log, "an answer of the API": answered };
    // A few digits can also be a number of milliseconds, or of an event.
    const needles = new Set(
      PLAYED.flatMap(({ record, answers }) => [
        ...Object.values(record),
        ...answers.map(([, , words]) => words.trim()).filter((words) => words.length >= 10 || /\d{4}/.test(words)),
      ]).filter((needle) => !/^\d{1,4}$/.test(needle)),
    );
    expect(needles.size).toBeGreaterThan(50);
    expect(
      Object.entries(places).flatMap(([place, text]) =>
        [...needles].filter((needle) => stands(needle, text)).map((needle) => `${place}: ${needle}`),
      ),
    ).toEqual([]);
    expect(
      [...needles].filter((needle) => stands(needle, copies.contact!)).length,
      "the search finds what is there",
    ).toBeGreaterThan(10);
  },
);

/** Only as a separate word, because the four digits of a PIN are part of many ids. */
function stands(needle: string, text: string): boolean {
  const word = /[\p{L}\p{N}_.-]/u;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    if (!word.test(text[at - 1] ?? " ") && !word.test(text[at + needle.length] ?? " ")) return true;
  }
  return false;
}
