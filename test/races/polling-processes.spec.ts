import { afterAll, beforeAll, expect, test } from "vitest";
import type { Schemas } from "../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant, withoutAssistant } from "../support/app.js";
import { Client } from "../support/client.js";
import { type Process, startProcess } from "./processes.js";
import { SOON_MS } from "./support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { runs } from "../support/seed.js";

allowTimeForProcesses();

// Two processes, this one and another, with several writers and pollers on both. The test looks for stale responses.

const WRITERS = 6;
const ROUNDS = runs(4, 25);
let app: TestApp;
let tenant: TestTenant;
let other: Process;
let nodes: { baseUrl: string }[];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  await withoutAssistant(tenant);
  other = await startProcess(app.db);
  nodes = [app, other];
});
afterAll(async () => {
  await other?.stop();
  await app.close();
});

const LIST = "/api/conversations?limit=100";
type Preview = Pick<Schemas["Conversation"], "id" | "lastMessagePreview">;
const previewIn = (data: Preview[], id: string): number =>
  Number(data.find((one) => one.id === id)!.lastMessagePreview);

/** Polls as an integration does: sends the ETag of its last response, and keeps that response while it gets 304. */
class Poller {
  private etag?: string;
  private data: Preview[] = [];

  constructor(private readonly client: Client) {}

  async poll(): Promise<Preview[]> {
    const { status, body, headers } = await this.client.get(
      LIST,
      undefined,
      this.etag ? { headers: { "if-none-match": this.etag } } : {},
    );
    expect(status).toBeOneOf([200, 304]);
    if (status === 200) {
      this.etag = headers.get("etag")!;
      this.data = body.data;
    }
    return this.data;
  }
}

test("a poller sees its own committed write at once on the same process, and soon on the other, under many writes", async () => {
  const { workspaceId, brandId } = tenant.defaults;
  const owner = await tenant.owner();
  const tokens = [
    tenant.live.token!,
    (await keyFor(owner, { dataScope: { level: "brand", brandId } })).key,
    (await keyFor(owner, { dataScope: { level: "workspace", workspaceId } })).key,
  ];
  const stale: string[] = [];
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const { id } = (
        await tenant.live.post("/api/conversations", { workspaceId, contact: {}, message: { body: "0" } }, 201)
      ).body;
      const token = tokens[writer % tokens.length]!;
      const [here, there] = writer % 2 ? [nodes[1]!, nodes[0]!] : [nodes[0]!, nodes[1]!];
      const [mine, theirs] = [
        new Poller(new Client(here.baseUrl, token)),
        new Poller(new Client(there.baseUrl, token)),
      ];
      const client = new Client(here.baseUrl, token);
      for (let round = 1; round <= ROUNDS; round++) {
        // A change in a single statement, and a change in a transaction.
        if (round % 2)
          await client.post(`/api/conversations/${id}/reply`, { body: String(round) }, 200, {
            headers: { "idempotency-key": `${writer}-${round}` },
          });
        else await client.post(`/api/conversations/${id}/messages`, { body: String(round) }, 201);
        const written = Date.now();
        if (previewIn(await mine.poll(), id) !== round)
          stale.push(`writer ${writer}, round ${round}: the own write was not seen`);
        while (previewIn(await theirs.poll(), id) !== round) {
          if (Date.now() - written > SOON_MS) {
            stale.push(`writer ${writer}, round ${round}: not seen on the other process`);
            break;
          }
        }
      }
    }),
  );
  expect(stale).toEqual([]);
});

test("a caller never gets a 304 or a shared response for another caller's concurrent request", async () => {
  const stranger = await app.tenant();
  await withoutAssistant(stranger);
  await stranger.live.post(
    "/api/conversations",
    { workspaceId: stranger.defaults.workspaceId, contact: {}, message: { body: "theirs" } },
    201,
  );
  const onTest = tenant.test;
  for (let round = 0; round < runs(4, 10); round++) {
    await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: {}, message: { body: `ours ${round}` } },
      201,
    );
    const node = nodes[round % 2]!;
    const { headers } = await new Client(node.baseUrl, tenant.live.token).get(LIST, 200);
    const asked = await Promise.all(
      [tenant.live, stranger.live, onTest, tenant.live, stranger.live].map(async ({ token }) => {
        const { status, body } = await new Client(node.baseUrl, token).get(LIST, undefined, {
          headers: token === tenant.live.token ? {} : { "if-none-match": headers.get("etag")! },
        });
        return [
          status,
          token === tenant.live.token,
          ((body?.data ?? []) as { lastMessagePreview: string }[]).map(({ lastMessagePreview }) => lastMessagePreview),
        ] as const;
      }),
    );
    for (const [status, own, previews] of asked) {
      expect(status).toBe(200);
      if (!own) expect(previews.filter((preview) => preview !== "theirs")).toEqual([]);
      else expect(previews).not.toContain("theirs");
    }
  }
});
