import fs from "node:fs";
import path from "node:path";
import type { INestApplicationContext } from "@nestjs/common";
import pLimit from "p-limit";
import type { ClientBase } from "pg";
import { AttachmentStore } from "../../conversations/attachments/attachment-store.js";
import { printOf } from "../../conversations/attachments/print.js";
import { system } from "../../platform/caller/caller.js";
import type { Config } from "../../platform/config/config.js";
import { APP_ROLE } from "../../platform/database/app-role.js";
import { withClient } from "../../platform/database/checked-connection.js";
import { connectionOf, libpqEnvironment } from "../../platform/database/connections.js";
import { Database } from "../../platform/database/database.js";
import { RECORD_RUN, SIDES } from "../../maintenance/daily.service.js";
import type { Certificate } from "../../privacy/erasure/certificate.js";
import { certificateIn, ErasureJournal } from "../../privacy/erasure/erasure-journal.js";
import { ErasureService } from "../../privacy/erasure/erasure.service.js";
import { readConfig } from "../../startup.js";
import { StartupError } from "../../startup-error.js";
import { withServices } from "../commands.js";
import { error, fine, type Finding } from "../doctor/finding.js";
import { EPOCH_NOW, withDatabase } from "./backup.js";
import { DUMP, fileIn, type Manifest, readManifest, type StoredFile } from "./manifest.js";
import { differing, printOwnTables, rowsIn } from "./tables.js";
import { findTool, runTool } from "./tools.js";
import { filesIn, ofBackup, ofEpoch, ofErasures, ofFiles, ofKeys, report, RESTORE, type Restored } from "./verify.js";

const AT_A_TIME = 4;
/** Longer ago than Parley exists. */
const ALL_TIME = "100 years";

/**
 * Restores a backup into an empty database, and the attachments to where the settings say. Then it erases again whom the journal of
 * erasures names, or the certificates of `erasuresFile`, one a line.
 * @returns whether all is as in the backup
 */
export async function restore(folder: string, erasuresFile: string | undefined): Promise<boolean> {
  const config = readConfig();
  const manifest = readManifest(folder);
  const certificates = erasuresFile === undefined ? [] : certificatesIn(erasuresFile);
  const before = [...(await ofBackup(folder, manifest)), ofKeys(config, manifest)];
  if (before.some(({ level }) => level === "error")) return report(before);
  const findings = await withDatabase(
    config,
    (name, url) =>
      withClient(connectionOf(name, url, config), (client) => fill(client, { config, name, url, folder, manifest })),
    "restore",
  );
  await withServices(async (app) => {
    await restoreFiles(app.get(AttachmentStore), folder);
    const replayed = await replay(app, certificates);
    findings.push(await ofFiles(app, folder), ...(await ofReplay(app, replayed)));
    await note(app, config, { backup: manifest.id, replayed });
  });
  return report([...before, ...findings]);
}

/**
 * Erases again whom the journal and the file name, after a restoration by other means.
 * @returns whether nobody of them is left
 */
export async function replayErasures(erasuresFile: string | undefined): Promise<boolean> {
  const certificates = erasuresFile === undefined ? [] : certificatesIn(erasuresFile);
  const findings: Finding[] = [];
  await withServices(async (app) => {
    findings.push(...(await ofReplay(app, await replay(app, certificates))));
  });
  return report(findings);
}

interface Target {
  config: Config;
  name: string;
  url: string;
  folder: string;
  manifest: Manifest;
}

/** The database, whole or not at all. Servers that start meanwhile wait for it as for migrations. */
async function fill(client: ClientBase, target: Target): Promise<Finding[]> {
  const { config, url, folder, manifest } = target;
  await client.query("select pg_advisory_lock(hashtext('parley migrate'))");
  const server = await assertEmpty(client, target);
  const tool = findTool(
    "pg_restore",
    Math.max(server, manifest.database.server),
    `the database is PostgreSQL ${server}`,
  );
  await ensureRole(client);
  const env = await libpqEnvironment(url, config.DATABASE_PASSWORD_COMMAND);
  const args = [
    "--no-owner",
    "--schema=public",
    "--single-transaction",
    "--exit-on-error",
    `--dbname=${env.PGDATABASE}`,
  ];
  await runTool(tool, [...args, path.join(folder, DUMP)], env);
  // The schema itself is there already, so the dump's right to it is left out.
  await client.query(`grant usage on schema public to ${APP_ROLE}`);
  const changed = differing(await printOwnTables(client), manifest.database.tables);
  // Its numbers are those of another server's transactions. Readers begin anew in any case.
  await client.query("truncate resource_change, resource_change_floor");
  await client.query("analyze");
  const { rows } = await client.query<{ epoch: string }>(`select ${EPOCH_NOW} as epoch`);
  const { tables } = manifest.database;
  return [
    changed.length
      ? error(`Tables are not as in the backup: ${changed.join(", ")}`)
      : fine(
          `The database has the ${rowsIn(tables)} rows of ${Object.keys(tables).length} tables as they were at ${manifest.at}`,
        ),
    ofEpoch(rows[0]!.epoch, manifest),
  ];
}

/** @returns the major version of the server */
async function assertEmpty(client: ClientBase, { name, manifest }: Target): Promise<number> {
  const { rows } = await client.query<{ server: number; table: string | null }>(
    `select current_setting('server_version_num')::int / 10000 as server,
      (select relname::text from pg_class where relnamespace = 'public'::regnamespace limit 1) as "table"`,
  );
  const { server, table } = rows[0]!;
  if (table !== null)
    throw new StartupError(
      `${name} leads to a database that is not empty (it has ${table}): make a new one with create database, and let DATABASE_URL lead there`,
    );
  if (server < manifest.database.server)
    throw new StartupError(`The backup is of PostgreSQL ${manifest.database.server}, and ${name} leads to ${server}`);
  return server;
}

/** The dump grants rights to the application's role, which belongs to the server and not to the database. */
async function ensureRole(client: ClientBase): Promise<void> {
  await client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE} nologin; end if;
    if not (select rolsuper from pg_roles where rolname = current_user) and not pg_has_role(current_user, '${APP_ROLE}', 'usage') then
      execute format('grant ${APP_ROLE} to %I', current_user);
    end if;
  end $$`);
}

/** Files that are there already are left alone. */
async function restoreFiles(store: AttachmentStore, folder: string): Promise<void> {
  const inTurn = pLimit({ concurrency: AT_A_TIME });
  const running = new Set<Promise<void>>();
  for await (const file of filesIn(folder)) {
    const one = inTurn(() => restoreFile(store, folder, file)).finally(() => running.delete(one));
    running.add(one);
    if (running.size >= 2 * AT_A_TIME) await Promise.race(running);
  }
  await Promise.all(running);
}

async function restoreFile(store: AttachmentStore, folder: string, file: StoredFile): Promise<void> {
  if ((await printOf(store, file))?.sha256 === file.sha256) return;
  await store.put(file, fs.createReadStream(fileIn(folder, file)) as AsyncIterable<Buffer>);
}

async function ofReplay(app: INestApplicationContext, replayed: number): Promise<Finding[]> {
  return [fine(`Erased again: the people of ${replayed} erasures`), await ofErasures(app)];
}

/** @returns of how many erasures somebody was back */
async function replay(app: INestApplicationContext, given: readonly Certificate[]): Promise<number> {
  const [erasures, journal] = [app.get(ErasureService), app.get(ErasureJournal)];
  const sides = new Map((await app.get(Database).all(SIDES)).map(({ id, environment }) => [id, environment]));
  const one = async (certificate: Certificate): Promise<number> => {
    const environment = sides.get(certificate.tenantId);
    if (!environment) return 0;
    return Number(await erasures.replay(system("erasure again", certificate.tenantId, environment), certificate));
  };
  let replayed = 0;
  for await (const id of journal.ids()) replayed += await one(await journal.read(id));
  for (const certificate of given) replayed += await one(certificate);
  // Where the journal is new, or older than the certificates.
  for (const [id, environment] of sides)
    await erasures.completeJournal(system("erasure again", id, environment), ALL_TIME);
  return replayed;
}

function certificatesIn(file: string): Certificate[] {
  const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line, index) => {
    const certificate = certificateIn(line);
    if (!certificate)
      throw new StartupError(`${file}:${index + 1} is not the certificate of an erasure, or it was changed`);
    return certificate;
  });
}

/** For `parley verify`: how the tables are after the erasures. */
async function note(app: INestApplicationContext, config: Config, restored: Omit<Restored, "tables">): Promise<void> {
  const tables = await withDatabase(
    config,
    (name, url) => withClient(connectionOf(name, url, config), printOwnTables),
    "restore",
  );
  const result: Restored = { ...restored, tables };
  const run = { job: RESTORE, started: new Date().toISOString(), result: JSON.stringify(result) };
  await app.get(Database).global(RECORD_RUN, run);
}
