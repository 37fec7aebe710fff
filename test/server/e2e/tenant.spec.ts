import { afterAll, beforeAll, expect, test } from "vitest";
import { AttachmentQuota } from "../../../src/conversations/attachments/attachment-quota.js";
import { system } from "../../../src/platform/caller/caller.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { type Client, fileForm } from "../../support/client.js";
import { aTime, newAgent } from "./support.js";

const GB = 1_073_741_824;

let app: TestApp;
let tenant: TestTenant;
let live: Client;
let sandbox: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Example Ltd");
  [live, sandbox] = [await tenant.owner(), await tenant.owner("test")];
});
afterAll(() => app.close());

const read = async (client: Client) => (await client.get("/api/tenant", 200)).body;

test("every member can read the tenant, and its outgoing webhooks are off at first", async () => {
  const agent = await newAgent(live, [tenant.defaults.workspaceId]);
  for (const client of [live, agent]) {
    expect(await read(client)).toEqual({
      id: tenant.tenantId,
      name: "Example Ltd",
      environment: "live",
      erasureKey: expect.stringContaining("PUBLIC KEY"),
      webhooksPreview: false,
      signInValidMinutes: 15,
      requireSecondFactor: false,
      attachmentBytes: 0,
      attachmentQuotaBytes: 10 * GB,
      createdAt: aTime,
    });
  }
  await agent.patch("/api/tenant", { name: "X" }, 403);
  await tenant.live.patch("/api/tenant", { name: "X" }, 403);
});

test("members see what the attachments of their side take up, and what they may", async () => {
  await tenant.live.post("/api/attachments", fileForm("Hello", "a.txt", "text/plain"), 201);
  expect(await read(live)).toMatchObject({ attachmentBytes: 5, attachmentQuotaBytes: 10 * GB });
  expect(await read(sandbox)).toMatchObject({ attachmentBytes: 0 });
  await app.app.get(AttachmentQuota).set(system("test", tenant.tenantId, "live"), 50);
  const quota = { attachmentBytes: 5, attachmentQuotaBytes: 50 * GB };
  expect(await read(live)).toMatchObject(quota);
  expect((await live.patch("/api/tenant", {}, 200)).body).toMatchObject(quota);
  await live.patch("/api/tenant", { attachmentQuotaBytes: 99 * GB }, 400);
  expect(await read(sandbox)).toMatchObject({ attachmentBytes: 0, attachmentQuotaBytes: 10 * GB });
});

test("both sides share the tenant's name, each side has its own settings, and no other field can be changed", async () => {
  const [before, other] = [await read(live), await app.tenant()];
  expect(
    (await sandbox.patch("/api/tenant", { name: " Renamed Ltd ", webhooksPreview: true }, 200)).body,
  ).toMatchObject({ id: tenant.testTenantId, name: "Renamed Ltd", webhooksPreview: true });
  expect(await read(live)).toEqual({ ...before, name: "Renamed Ltd" });
  expect((await live.patch("/api/tenant", { webhooksPreview: true }, 200)).body).toEqual({
    ...before,
    name: "Renamed Ltd",
    webhooksPreview: true,
  });
  expect((await live.patch("/api/tenant", {}, 200)).body).toMatchObject({ webhooksPreview: true });
  expect((await live.patch("/api/tenant", { webhooksPreview: false }, 200)).body).toMatchObject({
    name: "Renamed Ltd",
    webhooksPreview: false,
  });
  expect(await read(sandbox)).toMatchObject({ webhooksPreview: true });
  expect(await read(await other.owner())).toMatchObject({ name: other.name, webhooksPreview: false });
  for (const wrong of [
    { name: "" },
    { name: " " },
    { name: null },
    { name: "x".repeat(201) },
    { webhooksPreview: null },
    { webhooksPreview: "on" },
    { environment: "test" },
    { id: tenant.testTenantId },
  ]) {
    expect([wrong, (await live.patch("/api/tenant", wrong)).status]).toEqual([wrong, 400]);
  }
});
