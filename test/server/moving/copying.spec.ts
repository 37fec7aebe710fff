import { afterAll, beforeAll, expect, test } from "vitest";
import { connectionsOf } from "../../../src/platform/database/connections.js";
import { countRows, differences, fingerprint, rowsOf } from "../../../src/maintenance/moving/fingerprint.js";
import {
  findOrganisation,
  isCopied,
  NEVER_COPIED,
  type Organisation,
  type OrganisationTable,
  TABLES_OF_A_SERVER,
  tablesOf,
} from "../../../src/maintenance/moving/organisation-tables.js";
import { purge } from "../../../src/maintenance/moving/purge.js";
import {
  addressOf,
  drained,
  progressOf,
  publish,
  subscribe,
  unpublish,
  unsubscribe,
} from "../../../src/maintenance/moving/replication.js";
import { startApp, type TestApp } from "../../support/app.js";
import { makeWorld, type World } from "../contract/probes.js";
import { ROUTES } from "../../support/routes.js";
import { idFor } from "../contract/fixtures.js";
import { until } from "../process/support.js";
import { type Cluster, startCluster } from "./clusters.js";

let old: Cluster;
let other: Cluster;
let app: TestApp;
let world: World;
let organisation: Organisation;
let tables: OrganisationTable[];
beforeAll(async () => {
  [old, other] = await Promise.all([startCluster(), startCluster()]);
  app = await startApp({}, old);
  world = await makeWorld(app);
  for (const route of ROUTES) await idFor(route, world.live);
  organisation = (await findOrganisation(old.client, world.live.tenantId))!;
  tables = await tablesOf(old.client, organisation);
});
afterAll(async () => {
  await app?.close();
  await Promise.all([old?.drop(), other?.drop()]);
});

test("the tables of an organisation are all tables but those of a server, and the lists name no table that is gone", async () => {
  const rows = await old.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  );
  const all = rows.map(({ name }) => name);
  expect([...tables.map(({ name }) => name), ...Object.keys(TABLES_OF_A_SERVER)].sort()).toEqual(all);
  expect(Object.keys(NEVER_COPIED).filter((name) => !all.includes(name))).toEqual([]);
});

test("rows are copied while they are written, with those of no other organisation", async () => {
  console.log(Object.keys(await countRows(old.client, tables)).length, "of", tables.length, tables.filter((t) => !t.identified).map((t) => t.name), tables.filter((t) => t.follows).map((t) => t.name));
  let t = performance.now();
  const lap = (what: string) => { console.log(what, Math.round(performance.now() - t)); t = performance.now(); };
  await publish(old.client, organisation, tables);
  lap("publish");
  await subscribe(other.client, organisation, await addressOf(connectionsOf({}, old.url).owner));
  lap("subscribe");
  await until(
    async () => {
      const { tables: all, copied } = await progressOf(other.client, organisation);
      return all > 0 && copied === all;
    },
    () => "all was copied",
  );
  lap("copied");
  await world.live.key.post("/api/conversations", { workspaceId: world.live.workspaceId }, 201);
  await world.live.owner.patch("/api/tenant", { name: "Renamed" }, 200);
  lap("writes");
  expect(await drained({ source: old.client, target: other.client }, organisation, performance.now() + 60_000)).toBe(true);
  lap("drained");
  const [here, there] = [await fingerprint(old.client, tables), await fingerprint(other.client, tables)];
  lap("fingerprint");
  expect(differences(here, there)).toEqual([]);
  expect(rowsOf(there)).toBeGreaterThan(100);
  const [{ others }] = (await other.query("select count(*)::int as others from tenant where organisation_id <> $1", [organisation.id])) as [{ others: number }];
  expect(others).toBe(0);
  await unsubscribe(other.client, organisation);
  await unpublish(old.client, organisation);
  lap("ended");
  await purge(other.client, tables);
  lap("purge");
  expect(await countRows(other.client, tables)).toEqual({});
  expect(rowsOf(await fingerprint(old.client, tables))).toBe(rowsOf(here));
  expect(tables.filter(isCopied).length).toBe(Object.keys(here).length);
});
