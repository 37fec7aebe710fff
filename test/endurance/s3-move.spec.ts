import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { AttachmentMoveService } from "../../src/conversations/attachments/attachment-move.service.js";
import { SECRET_KEY, startApp, type TestApp, type TestTenant } from "../support/app.js";
import { eventually } from "../support/eventually.js";
import { type Bucket, startBucket } from "../support/s3/bucket.js";
import { type FaultyProxy, startProxy } from "../support/s3/faults.js";
import { start } from "../server/e2e/support.js";
import { allowTimeForProcesses, cleanUp, parleyHere, type Settings, startCommand } from "../server/process/support.js";
import { download, filesOf, upload } from "../server/attachments/support.js";

allowTimeForProcesses();

let bucket: Bucket;
let proxy: FaultyProxy;
let onDisk: TestApp;
let inS3: TestApp;
let backToDisk: TestApp;
let tenant: TestTenant;
let settings: Settings;
beforeAll(async () => {
  bucket = await startBucket();
  proxy = await startProxy(bucket.endpoint, bucket.secrets);
  onDisk = await startApp();
  tenant = await onDisk.tenant();
  const s3 = { ...bucket.settings, S3_ENDPOINT: proxy.endpoint, S3_TIMEOUT_SECONDS: 100 };
  inS3 = await startApp(s3, onDisk.db);
  backToDisk = await startApp({ ...s3, ATTACHMENT_STORE: "disk" }, onDisk.db);
  settings = {
    ...Object.fromEntries(Object.entries(s3).map(([name, value]) => [name, String(value as string | boolean)])),
    SECRET_KEY,
    DATABASE_URL: onDisk.db.url,
    ATTACHMENTS_DIR: onDisk.config.attachmentsDir,
    LOG_LEVEL: "error",
  };
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await cleanUp();
  await inS3.close();
  await backToDisk.close();
  await onDisk.close();
  await proxy.close();
  await bucket.close();
});

const move = (to: string, more: Settings = {}) =>
  parleyHere(["attachments", "move", "--to", to], { ...settings, ATTACHMENT_STORE: to, ...more });

async function someFiles(app: TestApp, count: number): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (let n = 0; n < count; n++) {
    const text = `The text of file ${n}. `.repeat(1_000);
    files.set((await upload(app.client(tenant.live.token), text)).id, text);
  }
  return files;
}

async function expectAll(app: TestApp, files: Map<string, string>): Promise<void> {
  const found = new Map<string, string>();
  for (const id of files.keys()) found.set(id, await (await download(app, tenant.live, id)).text());
  expect(found).toEqual(files);
}

// A process that was killed may leave an empty file among those on their way.
const storedOnDisk = (): string[] => filesOf(onDisk).filter((file) => !file.includes("/incoming/"));

test("a move that is killed at two places goes on, and each file can be read at any time", async () => {
  const files = await someFiles(onDisk, 12);
  const before = (await bucket.names()).length;

  // In the middle of a copy, and once a copy is complete and the original is still there.
  for (const [method, skipped] of [
    ["PUT", 5],
    ["GET", 8],
  ] as const) {
    let count = 0;
    let hung = false;
    proxy.fault = (request) => {
      if (!request.url.includes(tenant.tenantId) || request.method !== method || ++count <= skipped) return undefined;
      hung = true;
      return "hang";
    };
    const run = startCommand(["attachments", "move", "--to", "s3"], settings);
    await eventually(() => expect(hung, run.output().stderr).toBe(true));
    expect((await run.end("SIGKILL")).signal).toBe("SIGKILL");
    proxy.heal();
    await expectAll(inS3, files);
    expect(storedOnDisk().length).toBeGreaterThan(0);
  }

  const { code, stdout, stderr } = await move("s3");
  // A move that takes long says how far it is.
  expect([code, stderr, stdout]).toEqual([
    0,
    expect.stringMatching(/^(?:\d+ of \d+ files moved, 0 GB\n)*$/),
    expect.stringMatching(/^Files moved to s3: \d+, 0 GB\.\n$/),
  ]);
  expect([storedOnDisk(), (await bucket.names()).length]).toEqual([[], before + files.size]);
  await expectAll(inS3, files);
  expect((await move("s3")).stdout).toBe("Files moved to s3: 0, 0 GB.\n");
});

test("files move back to the disk, those that were stored in S3 meanwhile, too", async () => {
  const files = await someFiles(inS3, 3);
  await expectAll(backToDisk, files);
  expect((await move("disk")).code).toBe(0);
  expect((await bucket.names()).filter((name) => name.startsWith(tenant.tenantId))).toEqual([]);
  await expectAll(backToDisk, files);
  await expectAll(onDisk, files);
});

test("a file that is read while it moves is read to its end", async () => {
  const files = await someFiles(onDisk, 1);
  const [[id, text]] = [...files] as [[string, string]];
  const opened = await download(inS3, tenant.live, id);
  await inS3.app.get(AttachmentMoveService).moveTo("s3", () => undefined);
  expect(await opened.text()).toBe(text);
});

test("an erasure during a copy waits for it, and nothing of the file is left in either store", async () => {
  const { id } = await upload(onDisk.client(tenant.live.token));
  const { id: conversationId, contactId } = await start(tenant.live, tenant.defaults.workspaceId);
  await tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: "See", attachmentIds: [id] }, 201);
  let release = (): void => undefined;
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  let copying = false;
  proxy.fault = ({ method, url }) => {
    if (method !== "PUT" || !url.endsWith(id)) return undefined;
    copying = true;
    return released;
  };
  const moving = inS3.app.get(AttachmentMoveService).moveTo("s3", () => undefined);
  await eventually(() => expect(copying).toBe(true));
  let erased = false;
  // By another process than the one that moves, which has a lock and a transaction of its own.
  const erasing = backToDisk
    .client(tenant.live.token)
    .post(`/api/contacts/${contactId}/erasure`, undefined, 200)
    .then(() => (erased = true));
  await eventually(async () => {
    const waiting = await onDisk.db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });
  expect(erased).toBe(false);
  release();
  await moving;
  await erasing;
  expect((await bucket.names()).filter((name) => name.endsWith(id))).toEqual([]);
  expect(storedOnDisk().filter((file) => file.endsWith(id))).toEqual([]);
});

test("a file that is damaged on the way, or was before, stays where it is, and the command says so", async () => {
  const files = await someFiles(onDisk, 2);
  const [damaged] = [...files.keys()];
  await onDisk.db.query("update attachment set size = 3 where id = $1", [damaged]);
  const { code, stdout, stderr } = await move("s3");
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Files moved to s3: 1,/)]);
  expect(stderr).toContain(
    `These files are not as long as when they were stored, and stay where they are: ${tenant.tenantId}/${damaged}`,
  );
  expect(storedOnDisk().length).toBe(1);
});

test("a move stops when S3 does not answer, says why, and loses nothing", async () => {
  const files = await someFiles(onDisk, 2);
  proxy.fault = ({ method }) => (method === "PUT" ? { status: 503 } : undefined);
  const { code, stderr } = await move("s3");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/answered 503 SlowDown: m\. Run it again to go on\n$/)]);
  proxy.heal();
  await expectAll(inS3, files);
});

test("the command refuses what it cannot do", async () => {
  expect((await move("tape", { ATTACHMENT_STORE: "s3" })).stderr).toContain("--to must be s3 or disk");
  expect((await move("s3", { ATTACHMENT_STORE: "disk" })).stderr).toContain(
    "New files go to disk: give all servers ATTACHMENT_STORE=s3 first",
  );
  const none = Object.fromEntries(Object.keys(bucket.settings).map((name) => [name, ""]));
  expect((await move("disk", { ...none, ATTACHMENT_STORE: "disk" })).stderr).toContain("There is no S3_BUCKET");
});
