import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import type { ClientBase } from "pg";
import { type AttachmentStore } from "../../conversations/attachments/attachment-store.js";
import { openStore } from "../../conversations/attachments/open-store.js";
import { openFile, Print } from "../../conversations/attachments/print.js";
import { EPOCH } from "../../feed/feed.queries.js";
import type { Config } from "../../platform/config/config.js";
import { withClient } from "../../platform/database/checked-connection.js";
import { connectionOf, libpqEnvironment, ownerUrl } from "../../platform/database/connections.js";
import { startEmbeddedPostgres } from "../../platform/database/embedded/embedded.js";
import { readConfig } from "../../startup.js";
import { StartupError } from "../../startup-error.js";
import {
  DUMP,
  fileIn,
  FILES,
  keysOf,
  type Manifest,
  newId,
  sha256Of,
  type StoredFile,
  writeManifest,
} from "./manifest.js";
import { printTables, rowsIn } from "./tables.js";
import { findTool, runTool } from "./tools.js";

const AT_A_TIME = 4;
const BATCH = 1_000;
export const EPOCH_NOW = EPOCH.text;

/** Writes a backup of the database and of the attachments into an empty folder, beside running servers. */
export async function backup(folder: string): Promise<void> {
  const config = readConfig();
  prepareFolder(folder);
  const manifest = await withDatabase(config, async (name, url) =>
    withClient(connectionOf(name, url, config), (client) => copyAll(client, { config, name, url, folder })),
  );
  writeManifest(folder, manifest);
  const { attachments, database, keys } = manifest;
  console.log(
    [
      `${folder} has ${rowsIn(database.tables)} rows of ${Object.keys(database.tables).length} tables, and ${attachments.files} files of attachments, as of ${manifest.at}.`,
      ...(attachments.missing.length
        ? [`Missing already, although the database names them: ${attachments.missing.length} files, see manifest.json.`]
        : []),
      `It opens with SECRET_KEY ${keys.SECRET_KEY}${keys.SECRET_KEYS_OLD.map((id) => ` and ${id} of SECRET_KEYS_OLD`).join("")}. No key and no setting is in it: keep them somewhere else.`,
    ].join("\n"),
  );
}

function prepareFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (fs.readdirSync(folder).length) throw new StartupError(`${folder} is not empty`);
  } catch (error) {
    throw error instanceof StartupError
      ? error
      : new StartupError(`${folder} cannot be used: ${(error as Error).message}`);
  }
}

/** @param work gets the setting and the connection string of a login that may read everything */
export async function withDatabase<T>(
  config: Config,
  work: (setting: string, url: string) => Promise<T>,
  purpose: "read" | "restore" = "read",
): Promise<T> {
  const { DATABASE_BACKUP_URL, DATABASE_DIRECT_URL, DATABASE_URL } = config;
  if (DATABASE_BACKUP_URL && purpose === "read") return work("DATABASE_BACKUP_URL", DATABASE_BACKUP_URL);
  if (DATABASE_URL)
    return work(DATABASE_DIRECT_URL ? "DATABASE_DIRECT_URL" : "DATABASE_URL", ownerUrl(config, DATABASE_URL));
  const server = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, mode: "adopt" });
  try {
    return await work("The embedded database", server.url());
  } finally {
    await server.stop();
  }
}

interface Source {
  config: Config;
  name: string;
  url: string;
  folder: string;
}

/** All of it as it is in one snapshot. Attachments are never changed, so their files are as of then, too. */
async function copyAll(client: ClientBase, { config, name, url, folder }: Source): Promise<Manifest> {
  const { server } = await assertReadsAll(client, name);
  const tool = findTool("pg_dump", server, `the database is PostgreSQL ${server}, and pg_dump must not be older`);
  await client.query("begin transaction isolation level repeatable read, read only");
  const { rows } = await client.query<{ snapshot: string; epoch: string; at: Date }>(
    `select pg_export_snapshot() as snapshot, ${EPOCH_NOW} as epoch, now() as at`,
  );
  const { snapshot, epoch, at } = rows[0]!;
  const dump = path.join(folder, DUMP);
  const args = ["--format=custom", "--no-owner", "--schema=public", `--snapshot=${snapshot}`, `--file=${dump}`];
  const dumping = runTool(tool, args, await libpqEnvironment(url, config.DATABASE_PASSWORD_COMMAND));
  const [, tables] = await Promise.all([dumping, printTables(client)]);
  fs.chmodSync(dump, 0o600);
  const attachments = await copyFiles(client, await openStore(config), folder);
  await client.query("commit");
  return {
    format: 1,
    id: newId(),
    at: at.toISOString(),
    database: { server, sha256: await sha256Of(dump), epoch, tables },
    attachments,
    keys: keysOf(config),
  };
}

/** @throws StartupError where a dump would lack rows, or there is nothing to dump */
export async function assertReadsAll(client: ClientBase, name: string): Promise<{ server: number }> {
  const { rows } = await client.query<{ server: number; all: boolean; login: string; there: boolean }>(
    `select current_setting('server_version_num')::int / 10000 as server, current_user::text as login,
      (select r.rolsuper or r.rolbypassrls from pg_roles r where r.rolname = current_user) as all,
      to_regclass('public.migrations') is not null as there`,
  );
  const { server, all, login, there } = rows[0]!;
  if (!there) throw new StartupError(`${name} leads to a database without Parley's tables`);
  if (!all)
    throw new StartupError(
      `${name}: row-level security hides rows from "${login}". Let a superuser run ` +
        "create role parley_backup login bypassrls in role pg_read_all_data password '…', and set DATABASE_BACKUP_URL to this login",
    );
  return { server };
}

async function copyFiles(client: ClientBase, store: AttachmentStore, folder: string): Promise<Manifest["attachments"]> {
  const list = fs.createWriteStream(path.join(folder, FILES), { mode: 0o600 });
  const found = { files: 0, bytes: 0, missing: [] as string[] };
  const inTurn = pLimit(AT_A_TIME);
  for await (const batch of attachmentsOf(client)) {
    const copied = await inTurn.map(batch, (key) => copyFile(store, folder, key));
    batch.forEach(({ tenantId, id }, index) => {
      const file = copied[index];
      if (!file) return found.missing.push(`${tenantId}/${id}`);
      list.write(`${JSON.stringify(file)}\n`);
      found.bytes += file.size;
      return found.files++;
    });
  }
  await new Promise<void>((resolve, reject) => list.once("error", reject).end(resolve));
  return { ...found, sha256: await sha256Of(path.join(folder, FILES)) };
}

type Key = Pick<StoredFile, "tenantId" | "id">;
async function* attachmentsOf(client: ClientBase): AsyncGenerator<Key[]> {
  let [tenantId, id] = Array<string>(2).fill("00000000-0000-0000-0000-000000000000");
  for (;;) {
    const { rows } = await client.query<Key>(
      `select tenant_id as "tenantId", id from attachment where (tenant_id, id) > ($1::uuid, $2::uuid)
      order by tenant_id, id limit ${BATCH}`,
      [tenantId, id],
    );
    if (!rows.length) return;
    yield rows;
    ({ tenantId, id } = rows.at(-1)!);
  }
}

/** Undefined if it is not there: it was removed meanwhile, or is lost. */
async function copyFile(store: AttachmentStore, folder: string, key: Key): Promise<StoredFile | undefined> {
  const bytes = await openFile(store, key);
  if (!bytes) return undefined;
  const file = fileIn(folder, key);
  await fs.promises.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const print = new Print();
  await pipeline(print.of(bytes), fs.createWriteStream(file, { mode: 0o600, flush: true }));
  return { ...key, size: print.size, sha256: print.sha256 };
}
