import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AttachmentPresence } from "../../../src/conversations/attachments/attachment-presence.js";
import { attachmentsOf, SECRET_KEY, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { type Bucket, startBucket } from "../../support/s3/bucket.js";
import { allowTimeForProcesses, cleanUp, main, newFolder, parleyHere, startServer } from "./support.js";
import { upload } from "../attachments/support.js";

allowTimeForProcesses();

// A setting that is wrong looks like files that are gone.

let bucket: Bucket;
let app: TestApp;
let tenant: TestTenant;
/** Servers on the same database, by their settings. */
const servers = new Map<string, TestApp>();
beforeAll(async () => {
  bucket = await startBucket();
  app = await startApp(bucket.settings);
  servers.set(JSON.stringify(bucket.settings), app);
  tenant = await app.tenant("Filed Ltd");
});
afterAll(async () => {
  await cleanUp();
  for (const server of [...servers.values()].reverse()) await server.close();
  await bucket.close();
});

async function serverWith(settings: object): Promise<TestApp> {
  const name = JSON.stringify(settings);
  if (!servers.has(name)) servers.set(name, await startApp(settings, app.db));
  return servers.get(name)!;
}

/** What a server with these settings says of the files. */
async function look(settings: object): Promise<{ looked: number; missing: number; refusal?: string }> {
  const presence = (await serverWith(settings)).app.get(AttachmentPresence, { strict: false });
  const { looked, missing } = await presence.look();
  const refusal = await presence.assert().then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { looked, missing, refusal };
}

test("a bucket that is taken out of the settings is missed, also if files came since", async () => {
  expect(await look({})).toEqual({ looked: 0, missing: 0 });
  for (let n = 0; n < 5; n++) await upload(tenant.live, `In S3, ${n}`);
  expect(await look(bucket.settings)).toEqual({ looked: 5, missing: 0 });
  expect(await look({})).toEqual({
    looked: 5,
    missing: 5,
    refusal: expect.stringMatching(
      /^5 of 5 attachments .* are not in \S+: was ATTACHMENTS_DIR changed, or S3_BUCKET taken away\? Set it back/,
    ),
  });
  const onDisk = await serverWith({});
  for (let n = 0; n < 4; n++) await upload(onDisk.client(tenant.live.token), `On the disk, ${n}`);
  expect(await look({})).toMatchObject({ looked: 8, missing: 4, refusal: expect.any(String) });
  expect(await look({ ATTACHMENTS_MAY_BE_MISSING: true })).toMatchObject({ missing: 4, refusal: undefined });
  expect(await look({ ...bucket.settings, ATTACHMENTS_DIR: newFolder() })).toMatchObject({
    missing: 4,
    refusal: expect.stringContaining(
      `nor in the bucket ${bucket.settings.S3_BUCKET}: was S3_BUCKET or ATTACHMENTS_DIR`,
    ),
  });
});

test("one file that was lost keeps nobody from starting", async () => {
  const folder = attachmentsOf(app.db);
  const [file] = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  fs.rmSync(path.join(file!.parentPath, file!.name));
  expect(await look(bucket.settings)).toEqual({ looked: 8, missing: 1, refusal: undefined });
});

test("the start is refused in one line, and the doctor says the same", async () => {
  const settings = { DATABASE_URL: app.db.url, SECRET_KEY, ATTACHMENTS_DIR: newFolder(), PORT: 0 };
  const { code, stdout, stderr } = await main(settings).end();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^parley: 8 of 8 attachments that were looked for are not in [^\n]+\n$/);
  expect((await parleyHere(["doctor"], settings)).stdout).toMatch(/error +8 of 8 attachments that were looked for/);
  const server = await startServer({ ...settings, ATTACHMENTS_MAY_BE_MISSING: "true" });
  expect((await server.end("SIGTERM")).code).toBe(0);
});
