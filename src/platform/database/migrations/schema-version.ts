import fs from "node:fs";
import type { ClientBase } from "pg";
import { ROOT } from "../../config/root.js";

/** What the comment of the table `schema_object` begins with. The version follows that brought the schema up to date. */
const READY_FOR = "Parley ";

export const VERSION = (JSON.parse(fs.readFileSync(new URL("package.json", ROOT), "utf8")) as { version: string })
  .version;

/** The version that brought the schema up to date last; undefined if none did. */
export async function schemaVersion(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description(to_regclass('schema_object'), 'pg_class') as comment",
  );
  const comment = rows[0]?.comment;
  return comment?.startsWith(READY_FOR) ? comment.slice(READY_FOR.length) : undefined;
}

/** Whether a newer version has brought the schema up to date, which this one leaves as it is. */
export async function isReadyForNewer(client: ClientBase): Promise<boolean> {
  const version = await schemaVersion(client);
  return version !== undefined && isNewer(version, VERSION);
}

/** The caller holds the lock of the migrations. */
export async function noteVersion(client: ClientBase): Promise<void> {
  if ((await schemaVersion(client)) === VERSION) return;
  await client.query(`comment on table schema_object is '${READY_FOR}${VERSION}'`);
}

/** Of what stands behind a hyphen nothing is known: it counts as the same version. */
function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split("-", 1)[0]!.split(".").map(Number));
  const n = a!.findIndex((part, i) => part !== b![i]);
  return n >= 0 && a![n]! > (b![n] ?? 0);
}
