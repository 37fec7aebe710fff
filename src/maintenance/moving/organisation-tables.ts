import type { ClientBase } from "pg";

/** Tables without a column that names a tenant or an organisation. Each server has its own rows. */
export const TABLES_OF_A_SERVER: Readonly<Record<string, string>> = {
  job_run: "when jobs of the installation last ran",
  home: "where organisations live: on control it counts, and elsewhere it is the door of the server",
  reservation: "what only one organisation on all servers may have: that stands on control",
  login_attempt: "sign-ins of anybody",
  rate_window: "requests of anybody",
  site_reading: "sites that are being read for anybody",
  migrations: "the schema",
  schema_object: "the schema",
};

/** Tables of an organisation that a move does not copy. The purge of the old server empties them all the same. */
export const NEVER_COPIED: Readonly<Record<string, string>> = {
  resource_change: "its numbers are those of the old server's transactions: `arrive` writes what is still to be read",
  resource_change_floor: "as resource_change",
};

/** One organisation, with the ids of both sides. */
export interface Organisation {
  id: string;
  name: string;
  sides: readonly string[];
}

/** A table with the rows of one organisation. */
export interface OrganisationTable {
  name: string;
  /** SQL for "is a row of the organisation". It fits a publication: plain columns and constants. */
  filter: string;
  columns: readonly string[];
  /** A row of the old server is known by these columns and no others, so `filter` must be about one of them. */
  identified: boolean;
  /** Whether its rows say up to where a job has read the feed. */
  follows: boolean;
}

interface CatalogueRow {
  name: string;
  columns: string[];
  identity: string[];
  whole: boolean;
}

/** The column that ties a row to its organisation. The sides of `tenant` are rows of their own. */
const OWNERS = ["tenant_id", "organisation_id"] as const;
const FOLLOWER = ["transaction_id", "position", "epoch"] as const;

const READ_CATALOGUE = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by 1) as columns,
    array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
      where i.indrelid = c.oid and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident end
      order by 1) as identity,
    c.relreplident = 'f' as whole
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`;

/**
 * Every table with rows of an organisation, from PostgreSQL's catalogue, so that a new table cannot be forgotten.
 * @throws an Error that names a table which is of no organisation and not known to be of the server
 */
export async function tablesOf(client: ClientBase, organisation: Organisation): Promise<OrganisationTable[]> {
  const { rows } = await client.query<CatalogueRow>(READ_CATALOGUE);
  return rows
    .filter(({ name }) => !(name in TABLES_OF_A_SERVER))
    .map(({ name, columns, identity, whole }) => {
      const column = name === "tenant" ? "id" : OWNERS.find((owner) => columns.includes(owner));
      if (!column)
        throw new Error(`the table ${name} has neither tenant_id nor organisation_id: say in TABLES_OF_A_SERVER why`);
      const ids = column === "organisation_id" ? [organisation.id] : organisation.sides;
      return {
        name,
        filter: `${column} in (${ids.map((id) => `'${id}'`).join(", ")})`,
        columns,
        identified: whole || identity.includes(column),
        follows: name !== "resource_change" && FOLLOWER.every((wanted) => columns.includes(wanted)),
      };
    });
}

export const isCopied = ({ name }: OrganisationTable): boolean => !(name in NEVER_COPIED);

/** What two copies of a row have in common: a follower's position is another one on each server. */
export const comparedColumns = ({ columns, follows }: OrganisationTable): readonly string[] =>
  follows ? columns.filter((column) => !(FOLLOWER as readonly string[]).includes(column)) : columns;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param id of the organisation, or of one of its sides */
export async function findOrganisation(client: ClientBase, id: string): Promise<Organisation | undefined> {
  if (!UUID.test(id)) return undefined;
  const { rows } = await client.query<{ id: string; organisation: string; name: string; environment: string }>(
    `select t.id, t.organisation_id as organisation, t.name, t.environment from tenant t
    where t.organisation_id = (select own.organisation_id from tenant own where own.id = $1)
    order by t.environment`,
    [id],
  );
  const live = rows.find(({ environment }) => environment === "live");
  return live && { id: live.organisation, name: live.name, sides: rows.map((side) => side.id) };
}
