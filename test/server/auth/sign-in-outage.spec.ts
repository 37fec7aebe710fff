import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const signIn = async (password = PASSWORD): Promise<number> =>
  (await app.client().post("/api/auth/login", { email: tenant.ownerEmail, password, environment: "live" })).status;

// As on a full disk: what is there can be changed, and nothing can be added.
test("whoever tries again and again while the database stores nothing is not locked out behind it", async () => {
  await app.db.query(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await app.db.query("create trigger full_disk before insert on member_session execute function full_disk()");
  for (let n = 0; n < 15; n++) expect(await signIn()).toBe(503);
  await app.db.query("drop trigger full_disk on member_session");
  expect(await signIn()).toBe(200);
});

test("guesses count all the same", async () => {
  for (let n = 0; n < 10; n++) expect(await signIn("a guess that is wrong")).toBe(401);
  expect(await signIn("a guess that is wrong")).toBe(429);
});
