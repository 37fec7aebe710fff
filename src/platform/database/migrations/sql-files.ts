import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type pg from "pg";

interface SqlFile {
  /** Its name without the folder and `.sql`: a file may move to another folder. */
  name: string;
  text: string;
  checksum: string;
}

/**
 * Applies the `.sql` files of functions and triggers that changed since they were last applied, all in one transaction
 * and in the given order. What was applied is recorded in `schema_object`. If nothing changed, no file is sent.
 * The caller holds the lock of the migrations.
 * @returns the names of the files that were applied
 * @throws an Error that names the file, and the line if PostgreSQL knows it; nothing is applied then
 */
export async function applySqlFiles(client: pg.ClientBase, files: readonly URL[]): Promise<string[]> {
  const current = files.map(read);
  const { rows } = await client.query<{ name: string; checksum: string }>("select name, checksum from schema_object");
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  refuseRemoved(current, applied);
  const changed = current.filter(({ name, checksum }) => applied.get(name) !== checksum);
  if (!changed.length) return [];
  await client.query("begin");
  try {
    for (const file of changed) await apply(client, file);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
  return changed.map(({ name }) => name);
}

function read(url: URL): SqlFile {
  const text = fs.readFileSync(url, "utf8");
  return {
    name: path.basename(url.pathname, ".sql"),
    text,
    checksum: createHash("sha256").update(text).digest("hex"),
  };
}

/** A removed file leaves its functions and triggers behind, at work and without a definition. A migration has to drop them. */
function refuseRemoved(current: SqlFile[], applied: Map<string, string>): void {
  const names = new Set(current.map(({ name }) => name));
  const removed = [...applied.keys()].filter((name) => !names.has(name));
  if (removed.length)
    throw new Error(
      `The database has functions or triggers of ${removed.map((name) => `${name}.sql`).join(", ")}, which this version does not have: ` +
        "a migration has to drop them and to delete their row of schema_object",
    );
}

async function apply(client: pg.ClientBase, { name, text, checksum }: SqlFile): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    const { message, position } = error as { message: string; position?: string };
    const line = position === undefined ? "" : `:${text.slice(0, Number(position)).split("\n").length}`;
    throw new Error(`${name}.sql${line} cannot be applied: ${message}`, { cause: error });
  }
  await client.query(
    "insert into schema_object (name, checksum) values ($1, $2) on conflict (name) do update set checksum = excluded.checksum, applied_at = now()",
    [name, checksum],
  );
}
