import { afterAll, beforeAll, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { newWorkspace, start } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { activityOf, ask, assist, ENTRIES, outcomesOf, teach } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
  await teach(key, tenant.defaults.workspaceId);
});
afterAll(() => app.close());

const asked = (body: string, workspaceId = tenant.defaults.workspaceId) =>
  start(key, workspaceId, { message: { body } });
const rows = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const table of ["assistant_run", "assistant_step", "assistant_due"])
    counts[table] = (await app.db.query(`select from ${table}`)).length;
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
