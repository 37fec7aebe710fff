import { identifier, joined, sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, type Query, query } from "../platform/database/statements.js";
import type { Environment } from "../platform/caller/caller.js";

/** A column with encrypted values, in terms of its table. */
export interface SealedColumnShape {
  table: string;
  column: string;
  /** The column with the tenant. Members belong to the organisation, whose id the live side has. */
  owner?: "organisation_id";
  /** The columns that name a row, beside the tenant. */
  key: readonly string[];
  /** A column with a keyed hash of the value. */
  hash?: { column: string; type: "bytea" | "text" };
}

/** Its statements are named after the table; a second column of it has its own. */
const nameOf = ({ table, column }: SealedColumnShape): string => (column === "tokens" ? `${table} ${column}` : table);

const WHOLE_SIDE = { unrestricted: "only the command line rotates keys, for a whole side of a tenant" };

export const LIST_SIDES = globalQuery<NoArgs, { id: string; environment: Environment }>()(
  "rotateKeys.sides",
  "everywhere",
  () => sql`select id, environment from tenant order by created_at, id`,
);

/** The columns of the key as text, and the encrypted value in hexadecimal. */
export type SealedRow = Record<string, string> & { old: string };

/** `newest`: what every value begins with that is encrypted under the newest master key. */
export type FindOutdated = Query<{ newest: Buffer; skip: number; batch: number }, SealedRow>;

export const findOutdated = (shape: SealedColumnShape): FindOutdated =>
  query<{ newest: Buffer; skip: number; batch: number }, SealedRow>()(
    `rotateKeys.find ${nameOf(shape)}`,
    WHOLE_SIDE,
    ({ newest, skip, batch }) => {
      const { table, column, owner, key } = shape;
      const sealed = identifier(column);
      const names = key.map((name) => identifier(name));
      return sql`
      select ${joined(
        names.map((name) => sql`${name}::text`),
        ", ",
      )}, encode(${sealed}, 'hex') as old
      from ${identifier(table)}
      where ${identifier(owner ?? "tenant_id")} = ${TENANT} and length(${sealed}) > 0
        and substring(${sealed} from 1 for length(${newest}::bytea)) <> ${newest}
      order by ${joined(names, ", ")}
      offset ${skip}::int limit ${batch}::int`;
    },
  );

/** `rows`: JSON of the keys, with the old value, the new one, and the new hash. Gives a row for each row that still had the old value. */
export type ReplaceSealed = Query<{ rows: string }, unknown>;

export const replaceSealed = (shape: SealedColumnShape): ReplaceSealed =>
  query<{ rows: string }>()(`rotateKeys.replace ${nameOf(shape)}`, WHOLE_SIDE, ({ rows }) => {
    const { table, column, owner, key, hash } = shape;
    const sealed = identifier(column);
    const keyColumns = key.map((name) => sql`${identifier(name)} ${identifier(name.endsWith("id") ? "uuid" : "text")}`);
    const sameRow = key.map((name) => sql`t.${identifier(name)} = r.${identifier(name)}`);
    const newHash = hash?.type === "bytea" ? sql`decode(r.hash, 'hex')` : sql`r.hash`;
    return sql`
      update ${identifier(table)} t
      set ${sealed} = decode(r.new, 'hex')${hash ? sql`, ${identifier(hash.column)} = ${newHash}` : sql``}
      from jsonb_to_recordset(${rows}::jsonb) as r (${joined(keyColumns, ", ")}, old text, new text, hash text)
      where t.${identifier(owner ?? "tenant_id")} = ${TENANT} and ${joined(sameRow, " and ")} and t.${sealed} = decode(r.old, 'hex')
      returning 1`;
  });

/** The application's role cannot change signing keys, so a function of the owner replaces them. */
export const REPLACE_SIGNING_KEYS: ReplaceSealed = query<{ rows: string }>()(
  "rotateKeys.replaceSigningKeys",
  WHOLE_SIDE,
  ({ rows }) => sql`
    select from jsonb_to_recordset(${rows}::jsonb) as r (id uuid, old text, new text)
    where reseal_signing_key(${TENANT}, r.id, decode(r.old, 'hex'), decode(r.new, 'hex'))`,
);
