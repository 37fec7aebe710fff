import fs from "node:fs";
import path from "node:path";
import readline from "node:readline/promises";
import type { INestApplicationContext } from "@nestjs/common";
import { AttachmentCleanupService } from "../../conversations/attachments/attachment-cleanup.service.js";
import { AttachmentStore } from "../../conversations/attachments/attachment-store.js";
import { printOf } from "../../conversations/attachments/print.js";
import { system } from "../../platform/caller/caller.js";
import type { Config } from "../../platform/config/config.js";
import { withClient } from "../../platform/database/checked-connection.js";
import { connectionOf } from "../../platform/database/connections.js";
import { ErasureJournal } from "../../privacy/erasure/erasure-journal.js";
import { ErasureService } from "../../privacy/erasure/erasure.service.js";
import { readConfig } from "../../startup.js";
import { withServices } from "../commands.js";
import { error, fine, type Finding, warning } from "../doctor/finding.js";
import { assertReadsAll, EPOCH_NOW, withDatabase } from "./backup.js";
import { DUMP, fileIn, FILES, keysOf, type Manifest, readManifest, sha256Of, type StoredFile } from "./manifest.js";
import { differing, printTables, rowsIn, type TablePrint } from "./tables.js";

/** What a restoration notes in the table of runs. */
export interface Restored {
  backup: string;
  tables: Record<string, TablePrint>;
  replayed: number;
}
export const RESTORE = "restore";

/**
 * Compares a backup with itself, and this installation with the backup.
 * @returns whether there is no error
 */
export async function verify(folder: string): Promise<boolean> {
  const manifest = readManifest(folder);
  const findings = [...(await ofBackup(folder, manifest)), ofKeys(readConfig(), manifest)];
  findings.push(...(await ofDatabase(readConfig(), manifest)));
  await withServices(async (app) => {
    findings.push(await ofFiles(app, folder), await ofErasures(app));
  });
  return report(findings);
}

export function report(findings: readonly Finding[]): boolean {
  for (const { level, says } of findings) console.log(`${level.padEnd(8)} ${says}`);
  return !findings.some(({ level }) => level === "error");
}

/** Whether the backup is as it was written. */
export async function ofBackup(folder: string, { database, attachments }: Manifest): Promise<Finding[]> {
  const damaged: string[] = [];
  const compare = async (name: string, sha256: string): Promise<void> => {
    const file = path.join(folder, name);
    if (!fs.existsSync(file) || (await sha256Of(file)) !== sha256) damaged.push(name);
  };
  await compare(DUMP, database.sha256);
  await compare(FILES, attachments.sha256);
  if (!damaged.includes(FILES))
    for await (const file of filesIn(folder)) await compare(path.relative(folder, fileIn(folder, file)), file.sha256);
  return damaged.length
    ? [error(`The backup is damaged: ${damaged.slice(0, 10).join(", ")}${damaged.length > 10 ? " and others" : ""}`)]
    : [fine(`The backup is as it was written: the database, and ${attachments.files} files`)];
}

export function ofKeys(config: Config, { keys }: Manifest): Finding {
  const { SECRET_KEY, SECRET_KEYS_OLD } = keysOf(config);
  const missing = [keys.SECRET_KEY, ...keys.SECRET_KEYS_OLD].filter(
    (id) => ![SECRET_KEY, ...SECRET_KEYS_OLD].includes(id),
  );
  return missing.length
    ? error(
        `The backup is sealed with the key ${missing.join(", ")}: set SECRET_KEY to it, or add it to SECRET_KEYS_OLD`,
      )
    : fine("SECRET_KEY opens what is sealed in the backup");
}

export async function* filesIn(folder: string): AsyncGenerator<StoredFile> {
  const lines = readline.createInterface({ input: fs.createReadStream(path.join(folder, FILES)) });
  for await (const line of lines) yield JSON.parse(line) as StoredFile;
}

/** Whether the database has what the backup has, or what a restoration made of it. */
export function ofDatabase(config: Config, manifest: Manifest): Promise<Finding[]> {
  return withDatabase(config, (name, url) =>
    withClient(connectionOf(name, url, config), async (client) => {
      await assertReadsAll(client, name);
      await client.query("begin transaction isolation level repeatable read, read only");
      const tables = await printTables(client);
      const { rows } = await client.query<{ epoch: string; restored: Restored | null }>(
        `select ${EPOCH_NOW} as epoch, (select result from job_run where name = '${RESTORE}') as restored`,
      );
      await client.query("commit");
      const { epoch, restored } = rows[0]!;
      return [ofTables(tables, manifest, restored), ofEpoch(epoch, manifest)];
    }),
  );
}

function ofTables(
  tables: Record<string, TablePrint>,
  { id, database, at }: Manifest,
  restored: Restored | null,
): Finding {
  const all = `${rowsIn(database.tables)} rows of ${Object.keys(database.tables).length} tables`;
  const changed = differing(tables, database.tables);
  if (!changed.length) return fine(`The database has the ${all} as they were at ${at}`);
  const since = restored?.backup === id ? differing(tables, restored.tables) : changed;
  if (!since.length)
    return fine(`The database has the ${all}, but for what ${restored!.replayed} erasures since ${at} took out again`);
  return warning(
    `The database has changed since: ${since
      .slice(0, 10)
      .map((name) => `${name} (${database.tables[name]?.rows ?? 0} rows, now ${tables[name]?.rows ?? 0})`)
      .join(", ")}${since.length > 10 ? " and others" : ""}`,
  );
}

export const ofEpoch = (epoch: string, { database }: Manifest): Finding =>
  epoch === database.epoch
    ? error(
        "The change feed has the epoch of the backup, so cursors from before look valid: this is the database that was backed up, or a copy of its files (docs/upgrading.md)",
      )
    : fine("The change feed has an epoch of its own: cursors from before are 410");

/** Whether the store has each file of the backup that the database still names. */
export async function ofFiles(app: INestApplicationContext, folder: string): Promise<Finding> {
  const [store, upkeep] = [app.get(AttachmentStore), app.get(AttachmentCleanupService)];
  const absent = new Map<string, string[]>();
  let there = 0;
  for await (const file of filesIn(folder)) {
    if ((await printOf(store, file))?.sha256 === file.sha256) there++;
    else absent.set(file.tenantId, [...(absent.get(file.tenantId) ?? []), file.id]);
  }
  const missing: string[] = [];
  for (const [tenantId, ids] of absent)
    for (const id of await upkeep.known(system("verify", tenantId, "live"), ids)) missing.push(`${tenantId}/${id}`);
  return missing.length
    ? error(
        `${missing.length} files of the backup are not where attachments are kept: ${missing.slice(0, 5).join(", ")}`,
      )
    : fine(`${there} files of the backup are where attachments are kept, with the same bytes`);
}

/** Whether everybody who was erased still is. */
export async function ofErasures(app: INestApplicationContext): Promise<Finding> {
  const [journal, erasures] = [app.get(ErasureJournal), app.get(ErasureService)];
  let [known, back] = [0, 0];
  for await (const id of journal.ids()) {
    const certificate = await journal.read(id);
    known++;
    back += (await erasures.back(system("verify", certificate.tenantId, "live"), certificate)).length;
  }
  return back
    ? error(`${back} people who were erased are back: run \`parley erasure replay\``)
    : fine(`${known} erasures are known, and nobody of them is back`);
}
