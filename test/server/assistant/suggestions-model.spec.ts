import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { start } from "../e2e/support.js";
import { inOwnWords, quotes, replies, says, type ScriptedModel, startModel } from "./model-support.js";
import { ENTRIES, saidIn, teach } from "./support.js";
import { awayFromMidnight } from "../../support/clock.js";

const { parcel } = ENTRIES;

let model: ScriptedModel;
let app: TestApp;
let tenant: TestTenant;
let key: Client;
let path: `/api/conversations/${string}/suggestions`;
let parcelId: string;
beforeAll(async () => {
  model = await startModel();
  app = await startApp({ ...model.settings, ASSISTANT_DAY_TOKENS: 200 });
});
afterAll(async () => {
  await app.close();
  model.close();
});
beforeEach(async () => {
  tenant = await app.tenant();
  key = tenant.live;
  const { workspaceId } = tenant.defaults;
  [parcelId] = (await teach(key, workspaceId)) as [string];
  const { id } = await start(key, workspaceId, { message: { body: parcel.question } });
  await key.post(`/api/conversations/${id}/take-over`, {}, 200);
  path = `/api/conversations/${id}/suggestions`;
  model.script(quotes(["E1.1"]));
});

const drafted = async (): Promise<Schemas["Suggestions"]> => (await key.get(`${path}?draft=true`, 200)).body;

test("a draft names the entry that each of its sentences comes from, and is not sent", async () => {
  expect(await drafted()).toMatchObject({
    canDraft: true,
    draft: [{ text: parcel.answer, kbEntryId: parcelId }],
    suggestions: [{ kbEntryId: parcelId }],
  });
  expect(await saidIn(key, path.split("/")[3]!)).toEqual([]);
});

test("no draft is written unless somebody asks for it", async () => {
  expect((await key.get(path, 200)).body).toMatchObject({ canDraft: true, draft: null });
  expect(model.requests).toEqual([]);
});

test("in the model's own words, what no entry says is cut, and courtesy names no entry", async () => {
  await inOwnWords(app);
  model.script(replies({ text: `Hello! ${parcel.answer} We give you 500 euros.`, confidence: 0.3 }));
  const { draft } = await drafted();
  expect(draft!.map(({ text }) => text).join("")).toBe(`Hello! ${parcel.answer}`);
  expect(draft!.find(({ text }) => text.includes("tracking"))!.kbEntryId).toBe(parcelId);
  model.script(replies({ text: "We give you 500 euros." }));
  expect((await drafted()).draft).toBeNull();
});

test("a model that fails, or says something else, leaves the suggestions", async () => {
  for (const turn of [says("No idea"), { nonsense: true }, quotes([], { action: "hand_off" })]) {
    model.script(turn);
    expect(await drafted()).toMatchObject({ draft: null, suggestions: [{ kbEntryId: parcelId }] });
  }
});

test("what may mean the opposite is suggested to the person, and not told to the model", async () => {
  const { workspaceId } = tenant.defaults;
  const [cancelId] = await teach(key, workspaceId, [
    { question: "How do I cancel my order?", answer: "Under Orders, press Cancel." },
  ]);
  const { id } = await start(key, workspaceId, { message: { body: "Please do NOT cancel my order!" } });
  await key.post(`/api/conversations/${id}/take-over`, {}, 200);
  path = `/api/conversations/${id}/suggestions`;
  const { suggestions } = await drafted();
  expect(suggestions.map(({ kbEntryId }) => kbEntryId)).toContain(cancelId);
  expect(JSON.stringify(model.requests)).not.toContain("press Cancel");
});

test("its tokens count for the workspace, and no model is asked once they are used up", async () => {
  await awayFromMidnight();
  await drafted();
  await drafted();
  const { body } = await key.get("/api/consumption", 200);
  expect(body.tokens).toEqual({ input: 200, output: 40, total: 240 });
  expect(model.requests).toHaveLength(2);
  expect(await drafted()).toMatchObject({ draft: null, suggestions: [{ kbEntryId: parcelId }] });
  expect(model.requests).toHaveLength(2);
});

test("who may not reply gets no draft", async () => {
  const reader = await keyFor(await tenant.owner(), { scopes: ["conversations:read", "kb:read"] });
  await reader.get(path, 200);
  await reader.get(`${path}?draft=true`, 403);
});
