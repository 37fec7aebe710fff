import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectionsOf } from "../../src/platform/database/connections.js";
import { countRows, differences, fingerprint, rowsOf } from "../../src/maintenance/moving/fingerprint.js";
import {
  findOrganisation,
  NEVER_COPIED,
  type Organisation,
  type OrganisationTable,
  TABLES_OF_A_SERVER,
  tablesOf,
} from "../../src/maintenance/moving/organisation-tables.js";
import type { End } from "../../src/maintenance/moving/ends.js";
import { assertMovable } from "../../src/maintenance/moving/preflight.js";
import { APP_ROLE } from "../../src/platform/database/app-role.js";
import { purge } from "../../src/maintenance/moving/purge.js";
import {
  addressOf,
  drained,
  progressOf,
  publish,
  subscribe,
  unpublish,
  unsubscribe,
} from "../../src/maintenance/moving/replication.js";
import { keyFor, startApp, type TestApp } from "../support/app.js";
import { connect, freshDatabase, type TestDatabase } from "../support/database.js";
import { start } from "../server/e2e/support.js";
import { makeWorld, type World } from "../server/contract/probes.js";
import { ROUTES } from "../support/routes.js";
import { idFor } from "../server/contract/fixtures.js";
import { until } from "../server/process/support.js";
import { twoServers, type TwoServers } from "./clusters.js";

let servers: TwoServers;
let app: TestApp;
let world: World;
let organisation: Organisation;
let tables: OrganisationTable[];
beforeAll(async () => {
  servers = await twoServers();
  app = await startApp({}, servers.control);
  world = await makeWorld(app);
  // Rows in as many tables as the routes can make.
  for (const route of ROUTES) await idFor(route, world.live);
  organisation = (await findOrganisation(servers.control.client, world.live.tenantId))!;
  tables = await tablesOf(servers.control.client, organisation);
});
afterAll(async () => {
  await app?.close();
  await servers?.drop();
});

test("the tables of an organisation are all tables but those of a server, and the lists name no table that is gone", async () => {
  const rows = await servers.control.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  );
  const all = rows.map(({ name }) => name);
  expect([...tables.map(({ name }) => name), ...Object.keys(TABLES_OF_A_SERVER)].sort()).toEqual(all);
  expect(Object.keys(NEVER_COPIED).filter((name) => !all.includes(name))).toEqual([]);
});

test("a table without a column of its owner is refused until somebody says why", async () => {
  const { client } = servers.control;
  await client.query("begin");
  try {
    await client.query("create table forgotten (id uuid primary key)");
    await expect(tablesOf(client, organisation)).rejects.toThrow("the table forgotten has neither");
  } finally {
    await client.query("rollback");
  }
});

test("rows are copied while they are written and deleted, with those of no other organisation", async () => {
  const [source, target] = [servers.control.client, servers.second.client];
  await publish(source, organisation, tables);
  await subscribe(target, organisation, await addressOf(connectionsOf({}, servers.control.url).owner));
  await until(
    async () => {
      const { tables: all, copied } = await progressOf(target, organisation);
      return all > 0 && copied === all;
    },
    () => "all was copied",
  );
  // A table whose primary key is not about the tenant, changed and deleted.
  const key = await keyFor(world.live.owner);
  await source.query("update api_key_lookup set last_used_at = now()");
  await source.query("delete from api_key_lookup where api_key_id = $1", [key.id]);
  await start(world.live.key, world.live.workspaceId);
  await world.live.owner.patch("/api/tenant", { name: "Renamed" }, 200);
  // It notes now and then which keys and sessions were used: what is compared is at rest.
  await app.close();
  expect(await drained({ source, target }, organisation, performance.now() + 60_000)).toBe(true);

  const [here, there] = [await fingerprint(source, tables), await fingerprint(target, tables)];
  expect(differences(here, there)).toEqual([]);
  expect(Object.values(there).filter(({ rows }) => rows > 0).length).toBeGreaterThan(70);
  for (const table of ["tenant", "message", "api_key_lookup"])
    expect(
      await target.query(`select from ${table} where not (${tables.find(({ name }) => name === table)!.filter})`),
    ).toMatchObject({ rowCount: 0 });

  // Without what triggers would change with it.
  await target.query("set session_replication_role = replica");
  await target.query("update message set body = body || '!' where id = (select id from message limit 1)");
  await target.query("delete from contact_point where ctid = (select ctid from contact_point limit 1)");
  const rows = here.contact_point!.rows;
  expect(differences(here, await fingerprint(target, tables))).toEqual([
    `contact_point: ${rows} and ${rows - 1} rows`,
    `message: ${here.message!.rows} rows, with other contents`,
  ]);
});

test("copying goes on after a connection broke, and is refused while a row is in the way", async () => {
  const [source, target] = [servers.control.client, servers.second.client];
  const slot = `parley_move_${organisation.id.replaceAll("-", "")}`;
  const copied = () => drained({ source, target }, organisation, performance.now() + 60_000);
  const sender = async (): Promise<number | null> => {
    const { rows } = await source.query<{ pid: number | null }>(
      "select active_pid as pid from pg_replication_slots where slot_name = $1",
      [slot],
    );
    return rows[0]!.pid;
  };
  const first = await sender();
  await source.query("select pg_terminate_backend($1)", [first]);
  expect(await copied()).toBe(true);
  expect(await sender()).not.toBe(first);

  // Each server has a row of its own with one key.
  const id = randomUUID();
  const insert = `insert into message select m.* from message o,
    jsonb_populate_record(o, jsonb_build_object('id', $1::uuid, 'sequence', 99999)) m where o.tenant_id = $2 order by o.id limit 1`;
  for (const client of [target, source]) {
    await client.query("set session_replication_role = replica");
    await client.query(insert, [id, world.live.tenantId]);
    await client.query("reset session_replication_role");
  }
  await expect(copied()).rejects.toThrow("The target could not apply a change");
});

test("the purge deletes all rows of the organisation, and no other row", async () => {
  const { client } = servers.control;
  await unsubscribe(servers.second.client, organisation);
  await unpublish(client, organisation);
  const other = (await findOrganisation(client, world.other.tenantId))!;
  const others = await tablesOf(client, other);
  const before = await fingerprint(client, others);
  await purge(client, tables);
  expect(await countRows(client, tables)).toEqual({});
  expect(differences(before, await fingerprint(client, others))).toEqual([]);
  expect(rowsOf(before)).toBeGreaterThan(20);
});

describe("before anything begins, a move says what is missing", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase();
  });
  afterAll(() => db.drop());

  test("wal_level, and what the owners may not do", async () => {
    const owner = await connect(db.url);
    const app = await connect(db.serverUrl);
    try {
      const end = (name: string, client: ClientBase): End => ({ name, client, owner: {} });
      await expect(assertMovable(end("old", owner), end("new", servers.second.client))).rejects.toThrow(
        "old has wal_level = replica, and a move needs logical",
      );
      await app.query(`set role ${APP_ROLE}`);
      await expect(assertMovable(end("old", app), end("new", app))).rejects.toThrow(
        /REPLICATION and BYPASSRLS[^]*does not own its tables[^]*pg_create_subscription and BYPASSRLS/,
      );
      await expect(
        assertMovable(end("old", servers.control.client), end("new", servers.second.client)),
      ).resolves.toBeUndefined();
    } finally {
      await Promise.all([owner.end(), app.end()]);
    }
  });
});
