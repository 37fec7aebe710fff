import fs from "node:fs";
import type { ClientBase } from "pg";
import { countRows, differences, type Fingerprint, fingerprint, rowsOf } from "../maintenance/moving/fingerprint.js";
import { readHome, writeHome, type WrittenHome } from "../maintenance/moving/homes.js";
import { type End, MovingRefused, named, withEnds } from "../maintenance/moving/ends.js";
import { Move } from "../maintenance/moving/move.js";
import { findOrganisation, type Organisation, tablesOf } from "../maintenance/moving/organisation-tables.js";
import { CONTROL } from "../platform/config/values.js";
import { type Connections, connectionsOf, furtherConnectionsOf } from "../platform/database/connections.js";
import { readConfig } from "../startup.js";
import { StartupError } from "../startup-error.js";

// Where organisations live, and how they move. Each server is asked as the owner of its tables.

export interface OrganisationOptions {
  json?: boolean;
  abort?: boolean;
  "purge-now"?: boolean;
  "source-url"?: string;
  with?: string;
  save?: string;
}

/** Control first. */
function servers(): Connections[] {
  const config = readConfig();
  if (!config.DATABASE_URL)
    throw new StartupError(
      "Organisations live on the servers of DATABASE_URL and DATABASE_SERVERS, and both are not set",
    );
  return [connectionsOf(config, config.DATABASE_URL), ...furtherConnectionsOf(config)];
}

const onServers = <T>(work: (ends: readonly End[]) => Promise<T>): Promise<T> =>
  withEnds(servers(), work).catch((error: Error) => {
    throw error instanceof MovingRefused ? new StartupError(error.message) : error;
  });

/** The organisation, where it lives, and its row on control. */
async function find(
  ends: readonly End[],
  id: string,
): Promise<{ organisation: Organisation; home: WrittenHome | undefined; at: End }> {
  for (const end of ends) {
    const organisation = await findOrganisation(end.client, id);
    if (!organisation) continue;
    const home = await readHome(ends[0]!.client, organisation);
    return { organisation, home, at: named(ends, home?.server ?? CONTROL) };
  }
  throw new StartupError(`No server has an organisation "${id}"`);
}

interface Listed {
  id: string;
  name: string;
  server: string;
  state: string;
  other?: string;
  since?: string;
}

export const listOrganisations = ({ json }: OrganisationOptions): Promise<void> =>
  onServers(async (ends) => {
    const listed: Listed[] = [];
    for (const end of ends) {
      const { rows } = await end.client.query<{ id: string; name: string }>(
        "select organisation_id as id, name from tenant where environment = 'live' order by created_at",
      );
      for (const { id, name } of rows) {
        const home = await readHome(ends[0]!.client, { id, name, sides: [] });
        if ((home?.server ?? CONTROL) !== end.name) continue;
        const { state, other, since } = home ?? { state: "open", other: null, since: null };
        listed.push({ id, name, server: end.name, state, ...(other !== null && { other, since: timeOf(since) }) });
      }
    }
    if (json) return console.log(JSON.stringify(listed));
    for (const { id, name, server, state, other, since } of listed)
      console.log([id, server, other === undefined ? state : `${state} (${other}, since ${since})`, name].join("  "));
    for (const end of ends) {
      const { rows } = await end.client.query<{ bytes: string }>(
        "select pg_database_size(current_database()) as bytes",
      );
      const count = listed.filter(({ server }) => server === end.name).length;
      console.log(`${end.name}: ${count} organisations, ${(Number(rows[0]!.bytes) / 1_073_741_824).toFixed(1)} GB`);
    }
  });

const timeOf = (since: Date | number | null): string =>
  since instanceof Date ? since.toISOString() : "a move that was not compared";

/** Says where an organisation lives whose rows are there already, such as after a server was restored. */
export const placeOrganisation = (id: string, server: string): Promise<void> =>
  onServers(async (ends) => {
    const target = named(ends, server);
    const { home } = await find(ends, id);
    if (home && home.state !== "open")
      throw new StartupError(`It is being moved to or from ${home.other}: end that first`);
    const organisation = await findOrganisation(target.client, id);
    if (!organisation) throw new StartupError(`${server} has no rows of it: move it instead`);
    for (const { client } of [...ends].reverse())
      await writeHome(client, organisation, { server, state: "open", other: null });
    console.log(`${organisation.name} lives on ${server}.`);
  });

export const moveOrganisation = (id: string, server: string, options: OrganisationOptions): Promise<void> =>
  onServers(async (ends) => {
    const target = named(ends, server);
    const { organisation, home, at } = await find(ends, id);
    const source = at === target && home?.other != null ? named(ends, home.other) : at;
    if (source === target) throw new StartupError(`${organisation.name} lives on ${server}`);
    const move = new Move({
      control: ends[0]!.client,
      source,
      target,
      organisation,
      sourceAddress: options["source-url"],
      log: (line) => console.log(line),
    });
    if (options.abort) return move.abort();
    if (!options["purge-now"] || at !== target) await move.run();
    if (options["purge-now"]) await move.purgeOld();
  });

/** @returns whether the organisation is where it should be, whole and nowhere else */
export const verifyOrganisation = (id: string, options: OrganisationOptions): Promise<boolean> =>
  onServers(async (ends) => {
    const { organisation, home, at } = await find(ends, id);
    const here = await read(at.client, organisation);
    const faults = await strays(ends, organisation, at, home);
    console.log(`${organisation.name} lives on ${at.name}: ${Object.keys(here).length} tables, ${rowsOf(here)} rows`);
    if (options.save !== undefined) fs.writeFileSync(options.save, `${JSON.stringify(here)}\n`);
    if (options.with !== undefined) {
      const there = fs.existsSync(options.with)
        ? (JSON.parse(fs.readFileSync(options.with, "utf8")) as Fingerprint)
        : await read(named(ends, options.with).client, organisation);
      faults.push(...differences(here, there).map((line) => `not as ${options.with}: ${line}`));
    }
    for (const fault of faults) console.log(fault);
    return faults.length === 0;
  });

const read = async (client: ClientBase, organisation: Organisation): Promise<Fingerprint> => {
  const tables = await tablesOf(client, organisation);
  await client.query("begin isolation level repeatable read read only");
  try {
    return await fingerprint(client, tables);
  } finally {
    await client.query("rollback");
  }
};

/** Rows on servers where the organisation does not live. Those that a move keeps for a day are none. */
async function strays(
  ends: readonly End[],
  organisation: Organisation,
  at: End,
  home: WrittenHome | undefined,
): Promise<string[]> {
  const faults: string[] = [];
  for (const end of ends.filter((one) => one !== at && one.name !== home?.other)) {
    const counted = await countRows(end.client, await tablesOf(end.client, organisation));
    for (const [table, rows] of Object.entries(counted)) faults.push(`${end.name} has ${rows} rows of it in ${table}`);
  }
  return faults;
}
