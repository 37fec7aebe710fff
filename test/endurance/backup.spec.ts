import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findTool } from "../../src/cli/backup/tools.js";
import { SECRET_KEY, startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Schemas } from "../support/api-types.js";
import { PG_BIN, startCluster, type TestCluster, WITHOUT_POSTGRES } from "../support/cluster.js";
import { connect, openedDatabase, type TestDatabase } from "../support/database.js";
import { eventually } from "../support/eventually.js";
import { type Bucket, startBucket } from "../support/s3/bucket.js";
import { download, upload } from "../server/attachments/support.js";
import { start, walk } from "../server/e2e/support.js";
import { pack, packedPast } from "../server/quality/packed-days.js";
import {
  allowTimeForProcesses,
  cleanUp,
  newFolder,
  type Outcome,
  parleyHere,
  type Settings,
} from "../server/process/support.js";

allowTimeForProcesses();

// A backup, a crash that leaves nothing of the database, and a restoration into another server, as on a managed PostgreSQL: nobody who
// works for Parley is a superuser.

/** A server with the logins of docs/operations.md, and an empty database. */
async function prepared(): Promise<{ cluster: TestCluster; db: TestDatabase; settings: Settings }> {
  const cluster = await startCluster();
  const admin = await connect(cluster.url("postgres"));
  await admin.query("create role parley login createrole password 'parley'");
  await admin.query("create role parley_backup login bypassrls in role pg_read_all_data password 'parley_backup'");
  await admin.query("create database parley owner parley");
  await admin.end();
  const [url, DATABASE_BACKUP_URL] = ["parley", "parley_backup"].map((login) => cluster.url(login, "parley")) as [
    string,
    string,
  ];
  const db = openedDatabase(`cluster_${cluster.port}`, url, url);
  return { cluster, db, settings: { DATABASE_URL: url, DATABASE_BACKUP_URL, SECRET_KEY } };
}

/** Numbers of transactions, so that those of the backup are in the future of the other server, and then in its past. */
const useUp = (db: TestDatabase): Promise<unknown> =>
  db.query("do $$ begin for n in 1..2000 loop perform pg_current_xact_id(); commit; end loop; end $$");

describe.skipIf(WITHOUT_POSTGRES)(`after a crash${WITHOUT_POSTGRES}`, () => {
  const folder = path.join(newFolder(), "backup");
  const attachments = newFolder();
  let before: Awaited<ReturnType<typeof prepared>>;
  let after: Awaited<ReturnType<typeof prepared>>;
  let bucket: Bucket;
  let app: TestApp;
  let live: TestTenant["live"];
  let tenantId: string;
  let kept: Schemas["Conversation"];
  let erased: Schemas["Conversation"];
  let lost: Schemas["Conversation"];
  let certificate: Schemas["ErasureCertificate"];
  let files: { kept: string; erased: string };
  let cursor: string;
  let made: Outcome;
  let restored: Outcome;
  let past: Awaited<ReturnType<typeof packedPast>>;
  let reported: unknown[];
  const attach = async (conversation: Schemas["Conversation"], text: string): Promise<string> => {
    const { id } = await upload(live, text);
    await live.post(`/api/conversations/${conversation.id}/reply`, { body: "Here", attachmentIds: [id] }, 200);
    return id;
  };
  const run = (args: string[], settings: Settings): Promise<Outcome> =>
    parleyHere(args, { ATTACHMENTS_DIR: attachments, ...settings });

  const { PATH } = process.env;
  beforeAll(async () => {
    process.env.PATH = `${PG_BIN}${path.delimiter}${PATH}`;
    [before, after] = await Promise.all([prepared(), prepared()]);
    bucket = await startBucket();
    expect(await run(["migrate"], before.settings)).toMatchObject({ code: 0 });
    app = await startApp({ ATTACHMENTS_DIR: attachments, DATABASE_APP_URL: undefined }, before.db);
    const tenant = await app.tenant("Kept Ltd");
    const { defaults } = tenant;
    ({ live, tenantId } = tenant);
    await useUp(before.db);
    kept = await start(live, defaults.workspaceId, { externalId: "kept", message: { body: "Hello" } });
    erased = await start(live, defaults.workspaceId, { externalId: "erased", message: { body: "Forget me" } });
    files = { kept: await attach(kept, "An invoice"), erased: await attach(erased, "A passport") };
    const superuser = await connect(before.cluster.url("postgres", "parley"));
    past = await packedPast(app, tenant, (sql, values) => superuser.query(sql, values));
    await superuser.end();
    reported = await past.figures(live);
    made = await run(["backup", folder], before.settings);
    expect(made.stderr).toBe("");
    // What comes after the backup is lost, but for the erasure.
    lost = await start(live, defaults.workspaceId, { externalId: "lost" });
    ({ certificate } = (await live.post(`/api/contacts/${erased.contactId}/erasure`, undefined, 200)).body);
    ({ cursor } = (await live.get("/api/changes?after=now", 200)).body);
    await app.close();
    await before.cluster.crash();
    await before.db.drop();
    restored = await run(["restore", folder], after.settings);
    expect(restored.stderr).toBe("");
    app = await startApp({ ATTACHMENTS_DIR: attachments, DATABASE_APP_URL: undefined }, after.db);
    live = app.client(live.token);
  });
  afterAll(async () => {
    process.env.PATH = PATH;
    await app.close();
    await after.db.drop();
    await bucket.close();
    await Promise.all([before.cluster.remove(), after.cluster.remove()]);
    await cleanUp();
  });

  test("the backup says what it has, and names the key that it does not have", () => {
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(/ has \d+ rows of \d+ tables, and 2 files of attachments, as of /);
    expect(made.stdout).toMatch(/opens with SECRET_KEY [\da-f]{8}\. No key/);
    const texts = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "latin1"));
    expect(texts.length).toBe(5);
    for (const text of texts) expect(text).not.toContain(SECRET_KEY);
  });

  test("the restoration compares every table, every file, the erasures and the epoch", () => {
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout.split("\n").map((line) => line.replace(/\d+ rows of \d+/, "N rows of M"))).toEqual([
      "ok       The backup is as it was written: the database, and 2 files",
      "ok       SECRET_KEY opens what is sealed in the backup",
      expect.stringMatching(/^ok {7}The database has the N rows of M tables as they were at /),
      "ok       The change feed has an epoch of its own: cursors from before are 410",
      "ok       1 files of the backup are where attachments are kept, with the same bytes",
      "ok       Erased again: the people of 1 erasures",
      "ok       1 erasures are known, and nobody of them is back",
      "",
    ]);
  });

  test("what was there at the backup is there, with its key and its file; what came later is not", async () => {
    const found = await walk(live, "/api/conversations");
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set([kept.id, erased.id, ...past.ids]));
    await live.get(`/api/conversations/${lost.id}`, 404);
    expect(await (await download(app, live, files.kept)).text()).toBe("An invoice");
  });

  test("reports say what they said, of days that were packed and of the one that is to be packed again", async () => {
    expect(await past.figures(live)).toEqual(reported);
    await pack(app);
    expect(await past.figures(live)).toEqual(reported);
  });

  test("who was erased since the backup is erased, and the certificate is the one that was given", async () => {
    await live.get(`/api/contacts/${erased.contactId}`, 404);
    const messages = await walk(live, `/api/conversations/${erased.id}/messages`);
    expect(JSON.stringify(messages)).not.toMatch(/Forget me|Here/);
    await live.get(`/api/attachments/${files.erased}`, 404);
    expect(fs.readdirSync(attachments, { recursive: true }).join()).not.toContain(files.erased);
    expect((await live.get(`/api/erasure-requests/${certificate.erasureId}`, 200)).body.certificate).toEqual(
      certificate,
    );
    expect((await live.post(`/api/contacts/${erased.contactId}/erasure`, undefined, 200)).body.certificate).toEqual(
      certificate,
    );
  });

  test("a cursor of the feed is 410, and a new one shows what happens from now on", async () => {
    await live.get(`/api/changes?after=${encodeURIComponent(cursor)}`, 410);
    const { body: now } = await live.get("/api/changes?after=now", 200);
    await live.post(`/api/conversations/${kept.id}/reply`, { body: "We are back" }, 200);
    for (let n = 0; n < 3; n++) await useUp(after.db);
    // The feed comes to a change once no older transaction is open.
    await eventually(async () => {
      const { body: then } = await live.get(`/api/changes?after=${encodeURIComponent(now.cursor)}`, 200);
      const ids = then.data.map(({ resourceId }) => resourceId);
      expect(ids).toContain(kept.id);
      expect(ids).not.toContain(erased.id);
    });
  });

  test("verify says what has changed since, and which file is gone", async () => {
    const first = await run(["verify", folder], after.settings);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^warning {2}The database has changed since: .*message \(/m);
    fs.rmSync(path.join(attachments, tenantId, files.kept.slice(-2), files.kept));
    const second = await run(["verify", folder], after.settings);
    expect(second.code).toBe(1);
    expect(second.stdout).toMatch(
      new RegExp(`^error +1 files of the backup are not where .*: ${tenantId}/${files.kept}$`, "m"),
    );
  });

  test("certificates that were kept elsewhere are replayed, and attachments go to S3 as well", async () => {
    const other = await prepared();
    try {
      const list = path.join(newFolder(), "erasures.jsonl");
      fs.writeFileSync(list, `${JSON.stringify({ id: certificate.erasureId, certificate })}\n`);
      const s3 = { ...bucket.settings, ATTACHMENTS_DIR: newFolder() };
      const settings = {
        ...other.settings,
        ...Object.fromEntries(Object.entries(s3).map(([name, value]) => [name, String(value as string | boolean)])),
      };
      const outcome = await run(["restore", folder, "--erasures", list], settings);
      expect(outcome).toMatchObject({ code: 0, stderr: "" });
      expect(outcome.stdout).toContain("Erased again: the people of 1 erasures");
      const names = await bucket.names();
      expect(names.sort()).toEqual([`${tenantId}/${files.kept}`, `erasures/${certificate.erasureId}`].sort());
      fs.writeFileSync(list, JSON.stringify({ ...certificate, contactIds: [kept.contactId] }));
      expect(await run(["restore", folder, "--erasures", list], settings)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/:1 is not the certificate of an erasure, or it was changed/),
      });
    } finally {
      await other.db.drop();
      await other.cluster.remove();
    }
  });

  const refused = async (args: string[], settings: Settings, says: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await run(args, settings);
    expect({ code, says: stdout + stderr }).toEqual({ code: 1, says: expect.stringMatching(says) });
  };

  test("a login that does not see all rows makes no backup", async () => {
    const { DATABASE_BACKUP_URL: _, ...settings } = after.settings;
    await refused(
      ["backup", path.join(newFolder(), "new")],
      settings,
      /hides rows from "parley".*create role parley_backup login bypassrls/,
    );
  });

  test("a folder with something in it gets no backup, and one without a manifest is none", async () => {
    await refused(["backup", folder], after.settings, /is not empty/);
    await refused(["restore", newFolder()], after.settings, /is no complete backup/);
  });

  test("a database with something in it, another key and a damaged backup are refused", async () => {
    await refused(["restore", folder], after.settings, /a database that is not empty .*create database/);
    const other = { ...after.settings, SECRET_KEY: "another secret for tests, of at least 32 characters" };
    await refused(["restore", folder], other, /error +The backup is sealed with the key [\da-f]{8}: set SECRET_KEY/);
    const damaged = path.join(newFolder(), "damaged");
    fs.cpSync(folder, damaged, { recursive: true });
    fs.appendFileSync(path.join(damaged, "database.dump"), "x");
    await refused(["restore", damaged], after.settings, /error +The backup is damaged: database\.dump/);
  });
});

test("a pg_dump that is older than the server is refused, and what to install is named", () => {
  expect(() => findTool("pg_dump", 99, "the database is PostgreSQL 99, and pg_dump must not be older")).toThrow(
    /^pg_dump (?:\d+ \(.*\) is too old|is not installed): the database is PostgreSQL 99.*postgresql-client-99/,
  );
});
