import type { ClientBase } from "pg";
import { EPOCH, isSameLineage } from "../../feed/feed.queries.js";
import { render } from "../../platform/database/sql.js";
import type { Organisation, OrganisationTable } from "./organisation-tables.js";

interface Ends {
  source: ClientBase;
  target: ClientBase;
}

/** A row of the feed, as the source has it. Its numbers are texts, because JavaScript cannot hold them. */
type FeedRow = Record<string, unknown> & { transaction_id: string; position: string };

interface Follower {
  table: string;
  transaction_id: string;
  position: string;
}

const { text: EPOCH_TEXT } = render(EPOCH);
const epochOf = async (client: ClientBase): Promise<string> =>
  (await client.query<{ epoch: string }>(`select ${EPOCH_TEXT} as epoch`)).rows[0]!.epoch;

/** No sequence of the target may give a number that a copied row has. */
export async function raiseSequences({ source, target }: Ends): Promise<void> {
  const { rows } = await source.query<{ name: string; value: string }>(
    `select s.sequencename as name, s.last_value::text as value from pg_sequences s
    where s.schemaname = 'public' and s.last_value is not null`,
  );
  for (const { name, value } of rows)
    await target.query(
      `select setval($1::text::regclass, greatest($2::bigint,
        coalesce((select s.last_value from pg_sequences s where s.schemaname = 'public' and s.sequencename = $1::text), 1)))`,
      [name, value],
    );
}

/**
 * Begins the organisation's feed on the target. Cursors of before end there: their numbers are those of the source. What jobs such as
 * the one for webhooks have not read yet is written anew behind the beginning, so that they read each change once. May be repeated
 * until the target serves the organisation.
 */
export async function beginFeed(
  ends: Ends,
  { sides }: Organisation,
  tables: readonly OrganisationTable[],
): Promise<void> {
  const epochs = { source: await epochOf(ends.source), target: await epochOf(ends.target) };
  await ends.target.query("begin");
  try {
    for (const side of sides) await beginFeedOf(ends, side, tables, epochs);
    await ends.target.query("commit");
  } catch (error) {
    await ends.target.query("rollback");
    throw error;
  }
}

async function beginFeedOf(
  { source, target }: Ends,
  side: string,
  tables: readonly OrganisationTable[],
  epochs: { source: string; target: string },
): Promise<void> {
  await target.query("delete from resource_change where tenant_id = $1", [side]);
  // Also for an organisation that comes back to a server where its cursors once were valid.
  const { rows: beginning } = await target.query<{ transaction_id: string; position: string }>(
    `insert into resource_change_floor as f (tenant_id, transaction_id, position)
    values ($1, pg_current_xact_id()::text::bigint, nextval('resource_change_position'))
    on conflict (tenant_id) do update set transaction_id = excluded.transaction_id, position = excluded.position
    returning f.transaction_id::text, f.position::text`,
    [side],
  );
  const followers: Follower[] = [];
  for (const { name } of tables.filter(({ follows }) => follows)) {
    const { rows } = await source.query<Follower & { epoch: string }>(
      `select $2 as "table", transaction_id::text, position::text, epoch from ${name} where tenant_id = $1`,
      [side, name],
    );
    followers.push(...rows.filter(({ epoch }) => isSameLineage(epoch, epochs.source)));
  }
  const places = await copyUnread(source, target, side, followers);
  for (const { table, ...read } of followers) {
    const last = places.findLast(({ was }) => isReached(was, read))?.is ?? beginning[0]!;
    // Whoever has a lease reads with the old position, and finds that it has changed.
    await target.query(
      `update ${table} set transaction_id = $2, position = $3, epoch = $4, due_at = clock_timestamp(), claimed = false
      where tenant_id = $1`,
      [side, last.transaction_id, last.position, epochs.target],
    );
  }
}

type Place = Pick<FeedRow, "transaction_id" | "position">;

/** Writes the rows that one of the followers has not read yet. @returns where each of them was, and where it is now */
async function copyUnread(
  source: ClientBase,
  target: ClientBase,
  side: string,
  followers: readonly Follower[],
): Promise<{ was: Place; is: Place }[]> {
  const places: { was: Place; is: Place }[] = [];
  if (!followers.length) return places;
  const { rows } = await source.query<FeedRow>(
    `select c.tenant_id, c.transaction_id::text, c.position::text, c.at::text, c.change, c.resource_type, c.resource_id, c.workspace_id,
      c.conversation_id, c.state::text
    from resource_change c
    where c.tenant_id = $1 and exists (
      select from unnest($2::bigint[], $3::bigint[]) as f (transaction_id, position)
      where (c.transaction_id, c.position) > (f.transaction_id, f.position))
    order by c.transaction_id, c.position`,
    [side, followers.map((follower) => follower.transaction_id), followers.map(({ position }) => position)],
  );
  for (const { transaction_id, position, ...row } of rows) {
    const names = Object.keys(row);
    const { rows: written } = await target.query<Place>(
      `insert into resource_change (transaction_id, position, written_by, ${names.join(", ")})
      values (pg_current_xact_id()::text::bigint, nextval('resource_change_position'), pg_current_xact_id()::text::bigint,
        ${names.map((_, index) => `$${index + 1}`).join(", ")})
      returning transaction_id::text, position::text`,
      Object.values(row),
    );
    places.push({ was: { transaction_id, position }, is: written[0]! });
  }
  return places;
}

function isReached(place: Place, by: Place): boolean {
  const [one, other] = [place, by].map(({ transaction_id, position }) => [BigInt(transaction_id), BigInt(position)]);
  return one![0]! < other![0]! || (one![0] === other![0] && one![1]! <= other![1]!);
}
