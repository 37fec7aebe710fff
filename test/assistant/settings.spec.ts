import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { assist, messagesOf, outcomesOf, teach } from "./support.js";

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

test("thresholds that contradict each other or are no shares are refused", async () => {
  for (const body of [{ margin: 1.1 }, { answerConfidence: -1 }, { answerConfidence: 0.2, clarifyConfidence: 0.5 }]) {
    expect((await key.put(path, body)).status).toBe(400);
    expect((await key.post(`${path}/preview`, body)).status).toBe(400);
  }
});
