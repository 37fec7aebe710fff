import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AttachmentQuota } from "../../../src/conversations/attachments/attachment-quota.js";
import { system } from "../../../src/platform/caller/caller.js";
import { awayFromMidnight } from "../../support/clock.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { type Client, fileForm } from "../../support/client.js";
import { aTime, newAgent, newWorkspace, NOT_FOUND, start, walk } from "./support.js";
import type { Schemas } from "../../support/api-types.js";
import { ConsumptionService } from "../../../src/conversations/consumption/consumption.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { sideOf, signIn } from "../contract/fixtures.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("a tenant", () => {
  const GB = 1_073_741_824;

  let tenant: TestTenant;
  let live: Client;
  let sandbox: Client;
  beforeAll(async () => {
    tenant = await app.tenant("Example Ltd");
    [live, sandbox] = [await tenant.owner(), await tenant.owner("test")];
  });

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
});

describe("its sides", () => {
  let tenant: TestTenant;
  interface Side {
    client: Client;
    workspaceId: string;
    brandId: string;
    conversation: Schemas["Conversation"];
    entry: { id: string };
    channelId: string;
  }
  let sides: [live: Side, test: Side];
  beforeAll(async () => {
    tenant = await app.tenant();
    sides = [await fill(tenant.live, tenant.defaults), await fill(tenant.test, tenant.testDefaults)];
  });

  /** The same content on both sides. Values chosen by the client are identical. */
  async function fill(
    client: Client,
    { workspaceId, brandId }: { workspaceId: string; brandId: string },
  ): Promise<Side> {
    const conversation = await start(client, workspaceId, {
      externalId: "same",
      contact: { externalId: "same", emails: ["same@example.com"] },
      message: { body: "Hello", externalId: "same" },
    });
    await client.post(`/api/conversations/${conversation.id}/reply`, { body: "Hi", clientMessageId: "same" }, 200);
    const { body: entry } = await client.post(
      `/api/workspaces/${workspaceId}/kb-entries`,
      { question: "Q", answer: "A", status: "pending" },
      201,
    );
    const { body: channels } = await client.get(`/api/workspaces/${workspaceId}/channels`, 200);
    return { client, workspaceId, brandId, conversation, entry, channelId: channels[0]!.id };
  }

  /** Everything that a side returns. */
  async function content({ client, workspaceId, conversation }: Side): Promise<{ id: string }[]> {
    const lists = [
      "/api/conversations",
      "/api/contacts",
      `/api/conversations/${conversation.id}/messages`,
      `/api/workspaces/${workspaceId}/kb-entries`,
    ];
    const arrays = [
      "/api/workspaces",
      "/api/brands",
      `/api/workspaces/${workspaceId}/channels`,
      `/api/workspaces/${workspaceId}/kb-entries/pending`,
    ];
    return [
      ...(await Promise.all(lists.map((path) => walk<{ id: string }>(client, path)))).flat(),
      ...(await Promise.all(arrays.map(async (path) => (await client.get<{ id: string }[]>(path, 200)).body))).flat(),
    ];
  }

  test("the two sides share externalIds and no ids", async () => {
    const [live, sandbox] = await Promise.all(
      sides.map(async (side) => new Set((await content(side)).map(({ id }) => id))),
    );
    expect(live!.size).toBeGreaterThanOrEqual(9);
    expect(sandbox!.size).toBe(live!.size);
    expect([...live!].filter((id) => sandbox!.has(id))).toEqual([]);
  });

  test("no id of one side works on the other, in a path or in a body", async () => {
    for (const [here, there] of [sides, sides.toReversed()] as [Side, Side][]) {
      const { client } = here;
      const {
        conversation: { id, contactId },
        workspaceId,
        entry,
        channelId,
      } = there;
      const paths = [
        `/api/conversations/${id}`,
        `/api/conversations/${id}/messages`,
        `/api/conversations/${id}/identity-events`,
        `/api/contacts/${contactId}`,
        `/api/workspaces/${workspaceId}`,
        `/api/workspaces/${workspaceId}/channels`,
        `/api/workspaces/${workspaceId}/kb-entries`,
        `/api/kb-entries/${entry.id}`,
        `/api/conversations?workspaceId=${workspaceId}`,
      ];
      for (const path of paths) expect((await client.get(path, 404)).body, path).toEqual(NOT_FOUND);
      const bodies = [
        { workspaceId, contact: {} },
        { workspaceId: here.workspaceId, contactId },
        { workspaceId: here.workspaceId, contact: {}, channelId },
      ];
      for (const body of bodies) expect((await client.post("/api/conversations", body, 404)).body).toEqual(NOT_FOUND);
      for (const kind of ["messages", "reply", "notes"])
        await client.post(`/api/conversations/${id}/${kind}`, { body: "Hello" }, 404);
      expect((await client.get(`/api/conversations?contactId=${contactId}`, 200)).body).toEqual({ data: [] });
    }
  });

  test("an owner signed in on one side sees only that side", async () => {
    for (const [environment, mine, other] of [
      ["live", ...sides],
      ["test", ...sides.toReversed()],
    ] as ["live" | "test", Side, Side][]) {
      const owner = await tenant.owner(environment);
      expect((await owner.get("/api/workspaces", 200)).body.map(({ id }) => id)).toEqual([mine.workspaceId]);
      expect((await walk(owner, "/api/conversations")).map(({ id }) => id)).toEqual([mine.conversation.id]);
      expect((await owner.get(`/api/conversations/${other.conversation.id}`, 404)).body).toEqual(NOT_FOUND);
    }
  });

  test("the sides share only members: a write on one side leaves the other byte for byte unchanged", async () => {
    const [live, sandbox] = sides;
    const before = JSON.stringify(await content(live));
    await sandbox.client.post(`/api/conversations/${sandbox.conversation.id}/messages`, { body: "More" }, 201);
    await sandbox.client.post(`/api/kb-entries/${sandbox.entry.id}/approve`, undefined, 200);
    await start(sandbox.client, sandbox.workspaceId, { contact: { externalId: "only-here" } });
    expect(JSON.stringify(await content(live))).toBe(before);
    const members = async (environment: "live" | "test") =>
      (await (await tenant.owner(environment)).get("/api/members", 200)).body.map(({ id, email }) => ({
        id,
        email,
      }));
    expect(await members("test")).toEqual(await members("live"));
  });
});

describe("its consumption", () => {
  let tenant: TestTenant;
  let owner: Client;
  let workspaceId: string;
  // It is asked for today's, or this month's.
  beforeEach(awayFromMidnight);

  const fresh = async (): Promise<void> => {
    tenant = await app.tenant();
    owner = await tenant.owner();
    ({ workspaceId } = tenant.defaults);
  };
  const today = (): string => new Date().toISOString().slice(0, 10);
  const counts = (inbound: number, outbound: number) => ({ inbound, outbound, total: inbound + outbound });
  /** No language model is set up. */
  const tokens = { input: 0, output: 0, total: 0 };
  const consumption = async (client: Client, query = "") =>
    (await client.get(`/api/consumption?from=${today()}${query}`, 200)).body;

  /** A conversation with this many messages in each direction, and a note. */
  async function talk(inbound: number, outbound: number, place = workspaceId) {
    const conversation = await start(tenant.live, place);
    for (let n = 0; n < inbound; n++)
      await tenant.live.post(`/api/conversations/${conversation.id}/messages`, { body: "Hello" }, 201);
    for (let n = 0; n < outbound; n++)
      await tenant.live.post(`/api/conversations/${conversation.id}/reply`, { body: "Hello" }, 200, {
        headers: { "idempotency-key": `${conversation.id} ${n}`.replace(" ", "-") },
      });
    await tenant.live.post(`/api/conversations/${conversation.id}/notes`, { body: "Hello" }, 201);
    return conversation;
  }

  describe("consumption", () => {
    beforeAll(fresh);

    test("is exact when a message is answered, by day, workspace and conversation, without notes and repeats", async () => {
      const other = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
      const { id } = await talk(3, 2);
      await talk(1, 0, other);
      await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200, {
        headers: { "idempotency-key": `${id}-0` },
      });
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello", externalId: "x" }, 201);
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello", externalId: "x" }, 200);
      expect(await consumption(tenant.live)).toEqual({
        from: today(),
        to: today(),
        messages: counts(5, 2),
        tokens,
        days: [{ day: today(), messages: counts(5, 2), tokens }],
        workspaces: [
          { workspaceId, messages: counts(4, 2), tokens },
          { workspaceId: other, messages: counts(1, 0), tokens },
        ],
      });
      expect(await consumption(tenant.live, `&workspaceId=${other}`)).toMatchObject({
        messages: counts(1, 0),
        workspaces: [{ workspaceId: other }],
      });
      expect((await tenant.live.get(`/api/conversations/${id}/consumption`, 200)).body).toEqual({
        conversationId: id,
        messages: counts(4, 2),
        tokens,
        days: [{ day: today(), messages: counts(4, 2), tokens }],
      });
      expect(await consumption(tenant.test)).toMatchObject({ messages: counts(0, 0), workspaces: [] });
    });

    test("has every day of the range, and covers the current month by default; aggregating past days changes no number", async () => {
      const day = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10);
      for (const slot of [1, 2, 3])
        await app.db.query(
          "insert into consumption (tenant_id, day, workspace_id, slot, inbound, outbound) values ($1, $2, $3, $4, 10, 1)",
          [tenant.tenantId, day(3), workspaceId, slot],
        );
      const read = async () => (await tenant.live.get(`/api/consumption?from=${day(4)}&to=${day(2)}`, 200)).body;
      const before = await read();
      expect(before).toMatchObject({
        messages: counts(30, 3),
        days: [
          { day: day(4), messages: counts(0, 0) },
          { day: day(3), messages: counts(30, 3) },
          { day: day(2), messages: counts(0, 0) },
        ],
      });
      for (let n = 0; n < 2; n++) await app.app.get(ConsumptionService).fold(system("sweep", tenant.tenantId, "live"));
      expect(await read()).toEqual(before);
      expect(
        await app.db.query("select slot, inbound, outbound from consumption where tenant_id = $1 and day = $2", [
          tenant.tenantId,
          day(3),
        ]),
      ).toEqual([{ slot: 0, inbound: 30, outbound: 3 }]);
      const month = (await tenant.live.get("/api/consumption", 200)).body;
      expect([month.from, month.to, month.days.length]).toEqual([
        `${today().slice(0, 8)}01`,
        today(),
        Number(today().slice(8)),
      ]);
    });

    test.each([
      "from=2026-02-30",
      "from=yesterday",
      "from=2026-01-02&to=2026-01-01",
      "from=2025-01-01&to=2026-01-02",
      "to=2026-1-1",
    ])("refuses %s", async (query) => {
      expect((await tenant.live.get(`/api/consumption?${query}`, 400)).body.error).toMatch(/^(from|to) /);
    });

    test("is readable by billing users and owners, also by workspace; billing users read nothing else of a workspace", async () => {
      const billing = await signIn(await sideOf(tenant), "billing");
      expect(await consumption(billing)).toEqual(await consumption(owner));
      expect(await consumption(billing, `&workspaceId=${workspaceId}`)).toEqual(
        await consumption(owner, `&workspaceId=${workspaceId}`),
      );
      const { id } = await start(tenant.live, workspaceId);
      for (const path of [
        `/api/conversations/${id}/consumption`,
        "/api/conversations",
        `/api/workspaces/${workspaceId}`,
      ])
        expect((await billing.get(path)).status).toBe(403);
    });

    test("of restricted keys and agents covers only their workspaces", async () => {
      const there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
      await talk(2, 0, there);
      for (const client of [
        await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there } }),
        await newAgent(owner, [there]),
      ]) {
        expect(await consumption(client)).toMatchObject({
          messages: counts(2, 0),
          workspaces: [{ workspaceId: there }],
        });
        expect((await client.get(`/api/consumption?workspaceId=${workspaceId}`, 404)).body).toEqual(NOT_FOUND);
      }
      expect(await consumption(await newAgent(owner, []))).toMatchObject({ messages: counts(0, 0), workspaces: [] });
    });
  });

  describe("consumption stays counted", () => {
    beforeAll(fresh);

    test("after the person is erased", async () => {
      const { id, contactId } = await talk(2, 1);
      const before = await consumption(owner);
      const own = (await owner.get(`/api/conversations/${id}/consumption`, 200)).body;
      await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
      expect(await consumption(owner)).toEqual(before);
      expect((await owner.get(`/api/conversations/${id}/consumption`, 200)).body).toEqual(own);
    });

    test("in the organisation's total after the workspace is deleted, while the workspace itself is omitted", async () => {
      const gone = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
      await talk(4, 0, gone);
      const { messages, workspaces } = await consumption(owner);
      const agent = await newAgent(owner, [gone, workspaceId]);
      await owner.delete(`/api/workspaces/${gone}`, 200);
      const look = async () => {
        expect(await consumption(owner)).toMatchObject({
          messages,
          workspaces: workspaces.filter((one) => one.workspaceId !== gone),
        });
        expect((await consumption(agent)).messages.total).toBe(messages.total - 4);
        await owner.get(`/api/consumption?workspaceId=${gone}`, 404);
      };
      await look();
      await app.app.get(PurgeWorkspacesJob).run();
      await look();
    });
  });

  test("forty concurrent messages in one workspace are all counted", async () => {
    await fresh();
    const conversations = await Promise.all(Array.from({ length: 10 }, () => start(tenant.live, workspaceId)));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        tenant.live.post(
          `/api/conversations/${conversations[n % 10]!.id}/${n % 2 ? "reply" : "messages"}`,
          { body: "Hello" },
          n % 2 ? 200 : 201,
        ),
      ),
    );
    expect((await consumption(owner)).messages).toEqual(counts(20, 20));
  });
});
