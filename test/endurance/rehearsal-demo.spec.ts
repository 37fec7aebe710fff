import { afterAll, beforeAll, expect, test } from "vitest";
import { fillDemo, prepareDemo } from "../../src/demo/demo.js";
import { EmbeddingsService } from "../../src/knowledge/kb-entries/embeddings.service.js";
import type { Schemas } from "../support/api-types.js";
import { startApp, type TestApp } from "../support/app.js";
import type { Client } from "../support/client.js";
import { played, rehearsed } from "../server/learning/rehearsal-support.js";

// The demo's month: what a rehearsal says before a change is what one says after it, and nothing else changes.

let app: TestApp;
let key: Client;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  const demo = (await prepareDemo(app.app, { beside: true }))!;
  await fillDemo(app.app, app.baseUrl, demo);
  key = app.client(demo.liveKey);
  owner = await key.as(undefined).login(demo.email, demo.password);
  workspaceId = (await key.get("/api/workspaces", 200)).body[0]!.id;
  const agent = { name: "Ada", role: "assistant", status: "active", workspaceIds: [workspaceId], instructions: "Help" };
  await key.post("/api/agents", agent, 201);
  await app.app.get(EmbeddingsService).run();
}, 180_000);
afterAll(() => app.close());

const changedIn = async ({ id }: Schemas["AssistantTestRun"]) =>
  (await owner.get(`/api/assistant-tests/runs/${id}/conversations?limit=100`, 200)).body.data.map(
    ({ conversationId, turn, before, after }) => ({ conversationId, turn, before, after }),
  );
const byId = <One extends { conversationId: string }>(all: One[]): One[] =>
  all.toSorted((a, b) => (a.conversationId < b.conversationId ? -1 : 1));

test("the demo's tests pass, and the numbers before a change are those after it", async () => {
  expect((await played(app, owner, workspaceId)).tests!.filter(({ passed }) => !passed)).toEqual([]);
  const pending = (await key.get(`/api/workspaces/${workspaceId}/kb-entries/pending`, 200)).body;
  const entries = pending.map(({ id }) => ({ kbEntryId: id }));
  const settings = { answerConfidence: 0.4, margin: 0.1, clarifyConfidence: 0.1 };
  const said = await rehearsed(app, owner, workspaceId, { entries, settings });
  expect(said.conversations!.changed).toBeGreaterThan(0);
  for (const { id } of pending) await key.post(`/api/kb-entries/${id}/approve`, {}, 200);
  await owner.put(`/api/workspaces/${workspaceId}/assistant`, settings, 200);
  await app.app.get(EmbeddingsService).run();
  const back = {
    entries: pending.map(({ id }) => ({ kbEntryId: id, ends: true })),
    settings: { answerConfidence: 0.9, margin: 0.5, clarifyConfidence: 0.2 },
  };
  const undone = await rehearsed(app, owner, workspaceId, back);
  expect(undone.conversations!.played).toBe(said.conversations!.played);
  expect(undone.conversations!.changed).toBe(said.conversations!.changed);
  const swapped = (await changedIn(undone)).map(({ before, after, ...one }) => ({
    ...one,
    before: after,
    after: before,
  }));
  expect(byId(swapped)).toEqual(byId(await changedIn(said)));
  const now = (await played(app, owner, workspaceId)).tests!.map(({ name, passed }) => ({ name, passed }));
  expect(now).toEqual(said.tests!.map(({ name, passed }) => ({ name, passed })));
});
