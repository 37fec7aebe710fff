import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { newWorkspace } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { answered, learn, pendingIn, taught } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
});

const QUESTION = "Do you deliver to Iceland?";
const REPLY = "We deliver to Iceland within 9 days.";
const teaches = (lesson: Partial<Parameters<typeof taught>[3]> = {}) =>
  taught(app, key, workspaceId, { question: QUESTION, replies: [REPLY], ...lesson });
const rows = async (): Promise<number[]> =>
  Promise.all(
    ["learning_evidence", "learning_due"].map(async (table) => (await app.db.query(`select from ${table}`)).length),
  );
const erase = (contactId: string) => key.post(`/api/contacts/${contactId}/erasure`, {}, 200);

test("an erasure removes what the contact contributed, also where it waits", async () => {
  const { contactId } = await teaches({
    question: "Zanzibar pineapples?",
    replies: ["Pineapples of Zanzibar are out."],
  });
  await learn(app);
  const other = await answered(app, key, workspaceId, {
    question: "Zanzibar mangos?",
    replies: ["No mangos of Zanzibar."],
  });
  await key.post(`/api/conversations/${other.id}/resolve`, {}, 200);
  expect(Object.keys(await tablesWith(app.db, "Zanzibar"))).toEqual(expect.arrayContaining(["learning_evidence"]));
  await erase(contactId);
  await erase(other.contactId);
  expect(await tablesWith(app.db, "Zanzibar")).toEqual({});
  await learn(app);
  expect(await rows()).toEqual([0, 0]);
});

test("a proposal that rests on an erased contact goes, and is made anew from what enough others said", async () => {
  const own = await teaches({ question: "Do you, kind people of Tuvalu, deliver to Iceland?" });
  const others = [await teaches(), await teaches()];
  await learn(app);
  const [before] = await pendingIn(key, workspaceId);
  expect(before!.evidenceCount).toBe(3);
  await erase(own.contactId);
  expect(await pendingIn(key, workspaceId)).toEqual([]);
  await learn(app);
  const [proposed, ...more] = await pendingIn(key, workspaceId);
  expect(more).toEqual([]);
  expect(proposed!.evidence.map(({ conversationId }) => conversationId).sort()).toEqual(
    others.map(({ id }) => id).sort(),
  );
  expect(await tablesWith(app.db, "Tuvalu")).toEqual({});
  await erase(others[0]!.contactId);
  await learn(app);
  expect(await pendingIn(key, workspaceId), "one is left").toEqual([]);
  await teaches();
  await learn(app);
  expect(await pendingIn(key, workspaceId)).toMatchObject([{ evidenceCount: 2 }]);
});

test("an approved entry stays when a contact is erased, without the evidence", async () => {
  const [one] = [await teaches(), await teaches()];
  await learn(app);
  const id = (await pendingIn(key, workspaceId))[0]!.id;
  await key.post(`/api/kb-entries/${id}/approve`, {}, 200);
  await erase(one.contactId);
  await learn(app);
  expect((await key.get(`/api/kb-entries/${id}`, 200)).body).toMatchObject({ status: "approved", evidenceCount: 1 });
  expect(await pendingIn(key, workspaceId)).toEqual([]);
});

test("a proposal that a person deletes is not made again from the same evidence", async () => {
  await teaches();
  await teaches();
  await learn(app);
  const id = (await pendingIn(key, workspaceId))[0]!.id;
  await key.delete(`/api/kb-entries/${id}`, 200);
  await teaches();
  await learn(app);
  expect(await pendingIn(key, workspaceId)).toEqual([]);
});

test("evidence is kept for 90 days", async () => {
  const [old, young] = [await teaches(), await teaches({ question: "Do you repair kayaks?", replies: ["In Kiel."] })];
  await learn(app);
  const age = (id: string, days: number) =>
    app.db.query(
      `update learning_evidence set created_at = now() - make_interval(days => $2) + interval '1 minute' where conversation_id = $1`,
      [id, days],
    );
  await age(old.id, 91);
  await age(young.id, 90);
  expect(await app.app.get(DailyService).runNow()).toMatchObject({ learningEvidence: 1 });
});

test("a deleted workspace takes its evidence along", async () => {
  const before = await rows();
  await teaches();
  await teaches();
  await learn(app);
  await teaches();
  await key.delete(`/api/workspaces/${workspaceId}`, 200);
  for (let i = 0; i < 3; i++) await app.app.get(PurgeWorkspacesJob).tick();
  expect(await rows()).toEqual(before);
});
