import { afterAll, beforeAll, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { start } from "../e2e/support.js";
import { startApp, type TestApp } from "../../support/app.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test("the daily run deletes bulk actions 30 days after the request, with what is left of them, and no others", async () => {
  const { live, defaults } = await app.tenant();
  await start(live, defaults.workspaceId);
  const ids: string[] = [];
  for (const age of ["30 days 1 second", "29 days 23 hours"]) {
    const body = { filter: { status: ["open"] }, action: { type: "read" } };
    const { id } = (await live.post("/api/bulk-actions", body, 201)).body;
    await app.db.query("update bulk_action set created_at = clock_timestamp() - $2::interval where id = $1", [id, age]);
    ids.push(id);
  }
  expect(await app.app.get(DailyService).runNow()).toMatchObject({ bulkActions: 1 });
  for (const table of ["bulk_action_item", "bulk_action_due"])
    expect(await app.db.query(`select action_id as id from ${table}`)).toEqual([{ id: ids[1] }]);
  expect(await app.db.query("select id from bulk_action")).toEqual([{ id: ids[1] }]);
});
