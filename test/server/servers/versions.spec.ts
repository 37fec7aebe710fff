import { afterAll, beforeAll, expect, test } from "vitest";
import { Homes } from "../../../src/platform/database/homes.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { connect, type TestDatabase } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import { type FurtherServer, furtherServer } from "../../support/servers.js";

// Servers are brought up to date one after the other. Two that differ do not serve together.

let second: FurtherServer;
let app: TestApp;
let here: TestTenant;
let there: TestTenant;
beforeAll(async () => {
  second = await furtherServer("second");
  app = await startApp({ DATABASE_SERVERS: [second.setting] });
  here = await app.tenant("Here");
  there = await app.tenant("There");
});
afterAll(async () => {
  await app.close();
  await second.drop();
});

/** What a newer version leaves in a database: a file of its schema that this one does not have. */
const upgrade = (db: TestDatabase): Promise<unknown> =>
  db.query("insert into schema_object (name, checksum) values ('newer', 'its checksum')");

/** The processes connect anew, as they do when a server has been restarted. */
async function disconnect({ url }: TestDatabase): Promise<void> {
  const owner = await connect(url);
  await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await owner.end();
}

const write = ({ live }: TestTenant, status: number): Promise<unknown> =>
  live.post("/api/accounts", { name: "Example" }, status);

test("a server with another schema than control is answered 503 until control has it, too; the others go on", async () => {
  const unknown = await keyFor(await there.owner());
  await write(there, 201);
  await upgrade(second);
  await disconnect(second);
  await eventually(() => write(there, 503));
  await write(here, 201);
  // Whose key this is, only the server that is left out knows: it is not refused.
  await unknown.get("/api/conversations", 503);
  await upgrade(app.db);
  await eventually(() => write(there, 201));
  await write(here, 201);
});

test("no new organisation goes where the schema is another one, although fewer are there", async () => {
  const homeOf = ({ tenantId }: TestTenant): Promise<string> => app.app.get(Homes).nameOf(tenantId);
  const more = [await app.tenant(), await app.tenant(), await app.tenant()];
  const homes = await Promise.all(more.map(homeOf));
  expect(homes).toContain("second");
  await second.query("delete from schema_object where name = 'newer'");
  await disconnect(second);
  await eventually(() => write(there, 503));
  for (let n = 0; n < 2; n++) {
    const made = await app.tenant();
    expect(await homeOf(made)).toBe("control");
    await write(made, 201);
  }
  await upgrade(second);
  await eventually(() => write(there, 201));
  expect(await homeOf(await app.tenant())).toBe("second");
});
