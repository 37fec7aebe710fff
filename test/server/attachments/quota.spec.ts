import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AttachmentCleanupService } from "../../../src/conversations/attachments/attachment-cleanup.service.js";
import { AttachmentsService } from "../../../src/conversations/attachments/attachments.service.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { system } from "../../../src/platform/caller/caller.js";
import { start } from "../e2e/support.js";
import { startTwo, type TwoNodes } from "../../races/support.js";
import { startApp, type TestTenant } from "../../support/app.js";
import { fileForm } from "../../support/client.js";
import { filesOf, rows, upload } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo({ LOG_LEVEL: "error" });
});
afterAll(() => nodes.close());
beforeEach(async () => {
  tenant = await nodes.a.tenant();
});

const KB = 1_024;
const file = (bytes: number) => fileForm("a".repeat(bytes), "a.txt", "text/plain");
const allow = (bytes: number): Promise<unknown> =>
  nodes.a.db.query(
    `insert into attachment_usage (tenant_id, quota_bytes) values ($1, $2)
     on conflict (tenant_id) do update set quota_bytes = excluded.quota_bytes`,
    [tenant.tenantId, bytes],
  );
const used = async (): Promise<number> =>
  Number(
    (
      await nodes.a.db.query<{ bytes: string }>("select bytes from attachment_usage where tenant_id = $1", [
        tenant.tenantId,
      ])
    )[0]!.bytes,
  );

describe("a tenant's quota", () => {
  test("is not exceeded by uploads that come at the same time, on two processes", async () => {
    await allow(50 * KB);
    const before = [await rows(nodes.a), filesOf(nodes.a).length];
    const clients = [tenant.live, nodes.b.client(tenant.live.token)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => clients[n % 2]!.post("/api/attachments", file(10 * KB))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(15);
    for (const { status, body } of refused)
      expect([status, body]).toEqual([
        413,
        { error: expect.stringMatching(/^The attachments of this tenant may take up/) },
      ]);
    expect(await used()).toBe(50 * KB);
    expect([await rows(nodes.a), filesOf(nodes.a).length]).toEqual([before[0]! + 5, before[1]! + 5]);
  });

  test("is another tenant's own, and 10 GB unless the server says otherwise", async () => {
    await allow(1 * KB);
    const other = await nodes.a.tenant();
    await upload(other.live, "a".repeat(2 * KB));
    const { body } = await tenant.live.post("/api/attachments", file(2 * KB), 413);
    expect(body).toEqual({ error: expect.stringMatching(/quota|may take up/) });
    const small = await startApp({ ATTACHMENT_QUOTA_GB: 1 }, nodes.a.db);
    try {
      await nodes.a.db.query("update attachment_usage set bytes = 1073741824 where tenant_id = $1", [other.tenantId]);
      const { body: full } = await small.client(other.live.token).post("/api/attachments", file(KB), 413);
      expect(full).toEqual({ error: expect.stringContaining("may take up 1 GB together") });
      // The other node has 10 GB for it.
      await upload(other.live, "a");
    } finally {
      await small.close();
    }
  });

  test("gets back what is deleted with its conversation, withdrawn, or never attached", async () => {
    const { id, contactId } = await start(tenant.live, tenant.defaults.workspaceId);
    const attached = await upload(tenant.live, "a".repeat(3 * KB));
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Here", attachmentIds: [attached.id] }, 200);
    await upload(tenant.live, "a".repeat(5 * KB));
    expect(await used()).toBe(8 * KB);
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await used()).toBe(5 * KB);
    await nodes.a.app
      .get(AttachmentCleanupService)
      .removeUnattached(system("test", tenant.tenantId, "live"), "0 seconds");
    expect(await used()).toBe(0);
    const attachments = nodes.a.app.get(AttachmentsService);
    const caller = system("test", tenant.tenantId, "live");
    const kept = await attachments.keep(caller, { name: "a", type: "text/plain", bytes: Buffer.alloc(7 * KB, "a") });
    expect(await used()).toBe(7 * KB);
    await attachments.discard([kept]);
    expect(await used()).toBe(0);
  });

  test("refuses a file of a channel, which the message survives", async () => {
    await allow(KB);
    const attachments = nodes.a.app.get(AttachmentsService);
    await expect(
      attachments.keep(system("test", tenant.tenantId, "live"), {
        name: "a",
        type: "text/plain",
        bytes: Buffer.alloc(2 * KB, "a"),
      }),
    ).rejects.toMatchObject({ status: 413 });
    expect(await used()).toBe(0);
  });

  test("is counted again by the daily run", async () => {
    await upload(tenant.live, "a".repeat(2 * KB));
    await nodes.a.db.query("update attachment_usage set bytes = 999999 where tenant_id = $1", [tenant.tenantId]);
    expect(await nodes.a.app.get(DailyService).runNow()).toBeDefined();
    expect(await used()).toBe(2 * KB);
  });
});

test("/readyz warns before the disk is full, and when it is, and the process stays ready", async () => {
  const { bavail, bsize } = fs.statfsSync(os.tmpdir());
  const free = (bavail * bsize) / 1_048_576;
  const notMadeYet = path.join(os.tmpdir(), randomUUID(), "attachments");
  for (const [settings, answer] of [
    [{ MIN_FREE_DISK_MB: 1 }, { ok: true }],
    [{ MIN_FREE_DISK_MB: Math.floor(free * 0.7) }, { ok: true, warnings: [expect.stringContaining("nearly full")] }],
    [{ MIN_FREE_DISK_MB: Math.floor(free * 2) }, { ok: true, warnings: [expect.stringContaining("are refused")] }],
    // A file is where a folder above should be.
    [
      { ATTACHMENTS_DIR: path.join(import.meta.filename, "attachments") },
      { ok: true, warnings: [expect.stringContaining("cannot be used")] },
    ],
  ] as const) {
    const node = await startApp({ ATTACHMENTS_DIR: notMadeYet, ...settings, LOG_LEVEL: "error" }, nodes.a.db);
    try {
      expect((await node.client().get("/readyz", 200)).body).toEqual(answer);
    } finally {
      await node.close();
    }
  }
  expect(fs.existsSync(path.dirname(notMadeYet))).toBe(false);
});

test("on a nearly full disk no file is taken in, and messages are", async () => {
  const full = await startApp({ MIN_FREE_DISK_MB: 1_000_000_000, LOG_LEVEL: "error" }, nodes.a.db);
  try {
    const before = [await rows(full), filesOf(full).length];
    const client = full.client(tenant.live.token);
    expect((await client.post("/api/attachments", file(KB), 507)).body).toEqual({
      error: "The server has no room for files at the moment. Everything else works",
    });
    expect([await rows(full), filesOf(full).length]).toEqual(before);
    const { id } = await start(client, tenant.defaults.workspaceId);
    await client.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200);
  } finally {
    await full.close();
  }
});
