import { afterAll, beforeAll, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { type Desk, person, press, sendLink, testDesk } from "../e2e/magic-links-support.js";
import { startApp, type TestApp } from "../../support/app.js";

let app: TestApp;
let desk: Desk;
beforeAll(async () => {
  app = await startApp();
  desk = await testDesk(app, await app.tenant());
});
afterAll(() => app.close());

test("the daily run deletes links a day after they expired, used or not, and no others; their events remain", async () => {
  const people = [await person(desk), await person(desk), await person(desk)];
  const links = [await sendLink(desk, people[0]!), await sendLink(desk, people[1]!), await sendLink(desk, people[2]!)];
  await press(app, links[0]!.token);
  const age = (index: number, interval: string): Promise<unknown> =>
    app.db.query("update magic_link set expires_at = clock_timestamp() - $2::interval where id = $1", [
      links[index]!.linkId,
      interval,
    ]);
  await age(0, "1 day 1 second");
  await age(1, "1 day 1 second");
  await age(2, "23 hours 59 minutes");
  expect(await app.app.get(DailyService).runNow()).toMatchObject({ magicLinks: 2 });
  expect(await app.db.query("select id from magic_link")).toEqual([{ id: links[2]!.linkId }]);
  expect(
    await app.db.query("select event_type as type from identity_event where conversation_id = $1 order by written", [
      people[0]!.id,
    ]),
  ).toEqual([{ type: "factor_added" }, { type: "assurance_level_reached" }]);
  expect((await press(app, links[1]!.token)).status).toBe(404);
  expect(await app.db.query("select from identity_event where conversation_id = $1", [people[1]!.id])).toEqual([]);
});

test("the same holds for one-time codes", async () => {
  const people = [await person(desk), await person(desk)];
  const ids: string[] = [];
  for (const { path } of people)
    ids.push((await desk.key.post(`${path}/verification/codes`, { channel: "email" }, 200)).body.codeId);
  for (const [n, interval] of ["1 day 1 second", "23 hours 59 minutes"].entries())
    await app.db.query("update one_time_code set expires_at = clock_timestamp() - $2::interval where id = $1", [
      ids[n],
      interval,
    ]);
  expect(await app.app.get(DailyService).runNow()).toMatchObject({ oneTimeCodes: 1 });
  expect(await app.db.query("select id from one_time_code")).toEqual([{ id: ids[1] }]);
});
