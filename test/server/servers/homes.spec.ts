import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { system } from "../../../src/platform/caller/caller.js";
import { loadConfig } from "../../../src/platform/config/load-config.js";
import { furtherConnectionsOf } from "../../../src/platform/database/connections.js";
import { Database } from "../../../src/platform/database/database.js";
import { Homes } from "../../../src/platform/database/homes.js";
import { Servers } from "../../../src/platform/database/servers.js";
import { TenantEntity } from "../../../src/workspaces/tenants/tenant.entity.js";
import { SECRET_KEY, startApp, type TestApp } from "../../support/app.js";
import { connect } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import { type FurtherServer, furtherServer } from "../../support/servers.js";

// An organisation lives on one of several servers: see docs/decisions/0122-many-primaries.md.

let second: FurtherServer;
let app: TestApp;
beforeAll(async () => {
  second = await furtherServer("second");
  app = await startApp({ DATABASE_SERVERS: [second.setting], DATABASE_WAIT_SECONDS: 5 });
});
afterAll(async () => {
  await app.close();
  await second.drop();
});

interface Organisation {
  id: string;
  testId: string;
}
const setHome = ({ id, testId }: Organisation, server: string, state = "open", other: string | null = null) =>
  app.db.query("select set_home($1, $2, $3, $4, $5)", [id, testId, server, state, other]);
const newOrganisation = async (server: string): Promise<Organisation> => {
  const made = { id: uuid(), testId: uuid() };
  if (server !== "control") await setHome(made, server);
  return made;
};
/** Makes the row of a side, where its organisation lives. */
const addTenant = ({ id }: Organisation, side: { id: string; environment: "live" | "test" }): Promise<void> =>
  app.app
    .get(Database)
    .transaction(system("test", side.id, side.environment), (tx) =>
      tx.insert(TenantEntity, { organisationId: id, name: "An organisation", ...side }),
    );
const tenantsOn = async (db: Pick<FurtherServer, "query">, { id }: Organisation): Promise<string[]> =>
  (await db.query<{ id: string }>("select id from tenant where organisation_id = $1 order by environment", [id])).map(
    (row) => row.id,
  );

test("both sides of an organisation are on its server, and without a row that is control", async () => {
  for (const server of ["control", "second"]) {
    const made = await newOrganisation(server);
    await addTenant(made, { id: made.id, environment: "live" });
    await addTenant(made, { id: made.testId, environment: "test" });
    const [here, elsewhere] = server === "second" ? [second, app.db] : [app.db, second];
    expect(await tenantsOn(here, made)).toEqual([made.id, made.testId]);
    expect(await tenantsOn(elsewhere, made)).toEqual([]);
  }
});

test("a process hears where an organisation went", async () => {
  const homes = app.app.get(Homes);
  const made = await newOrganisation("second");
  expect((await homes.of(made.testId)).name).toBe("second");
  await setHome(made, "control");
  await eventually(async () => expect((await homes.of(made.testId)).name).toBe("control"));
});

test("requests wait while their organisation moves, and go where it went", async () => {
  const made = await newOrganisation("control");
  await setHome(made, "control", "moving", "second");
  const added = addTenant(made, { id: made.id, environment: "live" });
  await setHome(made, "second", "purging", "control");
  await added;
  expect(await tenantsOn(second, made)).toEqual([made.id]);
});

test("requests of an organisation that moves for too long are answered 503", async () => {
  const made = await newOrganisation("control");
  await setHome(made, "control", "moving", "second");
  await expect(addTenant(made, { id: made.id, environment: "live" })).rejects.toMatchObject({ status: 503 });
});

test("a process that did not hear writes nothing where an organisation has left", async () => {
  const made = await newOrganisation("second");
  await addTenant(made, { id: made.id, environment: "live" });
  // The door is closed, and control says nothing about it yet.
  await second.query("select set_home($1, $2, 'second', 'moving', 'control')", [made.id, made.testId]);
  await expect(addTenant(made, { id: made.testId, environment: "test" })).rejects.toMatchObject({ status: 503 });
  const late = addTenant(made, { id: made.testId, environment: "test" });
  await app.db.query("select set_home($1, $2, 'control', 'purging', 'second')", [made.id, made.testId]);
  await late;
  expect(await tenantsOn(second, made)).toEqual([made.id]);
  expect(await tenantsOn(app.db, made)).toEqual([made.testId]);
});

test("an organisation does not leave before its transactions have ended, and none begins meanwhile", async () => {
  const made = await newOrganisation("second");
  const client = await connect(second.url);
  const other = await connect(second.url);
  try {
    await client.query("begin");
    expect((await client.query("select hold_home($1, 'second') as here", [made.id])).rows).toEqual([{ here: true }]);
    let left = false;
    const leaving = other
      .query("select set_home($1, $2, 'second', 'moving', 'control')", [made.id, made.testId])
      .then(() => (left = true));
    const hold = () => second.query("select hold_home($1, 'second') as here", [made.id]);
    await eventually(async () => expect(await hold()).toEqual([{ here: false }]));
    expect(left).toBe(false);
    await client.query("commit");
    await leaving;
    expect(await hold()).toEqual([{ here: false }]);
  } finally {
    await client.end();
    await other.end();
  }
});

test("jobs leave out what is a copy, and what is about to leave", async () => {
  const homes = app.app.get(Homes);
  const servers = app.app.get(Servers);
  const made = await newOrganisation("control");
  const strange = async (): Promise<string[]> => {
    const on = [];
    for (const server of servers.all) if ((await homes.strangersOn(server)).includes(made.testId)) on.push(server.name);
    return on;
  };
  for (const [server, state, other, expected] of [
    ["control", "copying", "second", ["second"]],
    ["control", "draining", "second", ["control", "second"]],
    ["control", "moving", "second", ["control", "second"]],
    ["second", "purging", "control", ["control"]],
    ["second", "open", null, []],
  ] as const) {
    await setHome(made, server, state, other);
    await eventually(async () => expect(await strange()).toEqual(expected));
  }
});

test.each([
  ["postgres://db2/parley", "must be name=postgres"],
  ["control=postgres://db2/parley", "control is DATABASE_URL"],
  ["eu2=mysql://db2/parley", "must be name=postgres"],
  ["eu2=postgres://a/parley,eu2=postgres://b/parley", "a name twice"],
  ["eu2=postgres://a:5432,b:5432/parley", "must be name=postgres"],
])("DATABASE_SERVERS=%s is refused: %s", (value, says) => {
  const settings = { SECRET_KEY, DATABASE_URL: "postgres://u:p@localhost/parley", DATABASE_SERVERS: value };
  expect(() => loadConfig(settings)).toThrow(says);
});

test("a further server takes the users of the other URLs, and needs DATABASE_URL", () => {
  const config = loadConfig({
    SECRET_KEY,
    DATABASE_URL: "postgres://owner:one@localhost/parley",
    DATABASE_APP_URL: "postgres://server:two@localhost/parley",
    DATABASE_SERVERS: "eu2=postgres://db2/parley, eu3=postgres://other:three@db3:6000/parley",
  });
  const [eu2, eu3] = furtherConnectionsOf(config);
  expect(eu2!.owner).toMatchObject({ host: "db2", user: "owner", password: "one" });
  expect(eu2!.app).toMatchObject({ host: "db2", user: "server", password: "two" });
  expect(eu3!.owner).toMatchObject({ host: "db3", port: 6000, user: "other", password: "three" });
  expect(eu3!.app).toMatchObject({ host: "db3", user: "server", password: "two" });
  expect(() => loadConfig({ SECRET_KEY, DATABASE_SERVERS: "eu2=postgres://db2/parley" })).toThrow("DATABASE_URL");
});
