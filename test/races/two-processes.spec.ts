import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowTimeForProcesses } from "../server/process/support.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant, withoutAssistant } from "../support/app.js";
import { Client } from "../support/client.js";
import { type Process, startProcess } from "./processes.js";
import { concurrently, SOON_MS, until } from "./support.js";
import { connect } from "../support/database.js";
import type { Schemas } from "../support/api-types.js";
import { runs } from "../support/seed.js";

allowTimeForProcesses();

const WRITERS = 6;
const ROUNDS = runs(4, 25);
/** Requests that each of two callers sends after the first refusal. */
const AFTERWARDS = 5;

let app: TestApp;
let tenant: TestTenant;
/** The change is made on the application of this process and must reach the other one. */
let other: Process;
let owner: Client;

beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  other = await startProcess(app.db);
  owner = await tenant.owner();
});
afterAll(async () => {
  await other?.stop();
  await app?.close();
});

const at = ({ baseUrl }: { baseUrl: string }, { token }: Client): Client => new Client(baseUrl, token);

interface Case {
  /** The caller whose access changes. */
  client: Client;
  change: () => Promise<unknown>;
  /** The request that is repeated: 200 while access is allowed. */
  path: string;
  refused: number;
}

/**
 * Keeps sending requests to the other process, until it refuses and for a while longer. No request that began after the first
 * refusal is accepted.
 * @returns when the last accepted request began, in milliseconds from the response to the change
 */
async function lastAcceptedAfter({ client, change, path, refused }: Case): Promise<number> {
  const asked = at(other, client);
  const accepted = [{ began: performance.now(), status: (await asked.get(path, 200)).status }];
  let firstRefusal = Infinity;
  let answered = Infinity;
  const asking = [1, 2].map(async () => {
    for (let left = AFTERWARDS; left > 0 && performance.now() < answered + 2 * SOON_MS;) {
      const began = performance.now();
      const { status } = await asked.get(path);
      if (status === 200) {
        expect(began, "accepted after a refusal").toBeLessThan(firstRefusal);
        accepted.push({ began, status });
      } else {
        expect(status).toBe(refused);
        firstRefusal = Math.min(firstRefusal, performance.now());
        left--;
      }
    }
  });
  await change();
  answered = performance.now();
  await Promise.all(asking);
  expect(firstRefusal, "it was refused in the end").toBeLessThan(Infinity);
  return Math.max(...accepted.map(({ began }) => began)) - answered;
}

async function member(role: string): Promise<{ id: string; client: Client }> {
  const email = `${randomUUID()}@example.com`;
  const { body } = await owner.post(
    "/api/members",
    { email, name: role, role, workspaceIds: [tenant.defaults.workspaceId], password: PASSWORD },
    201,
  );
  return { id: body.id, client: await owner.login(email, PASSWORD) };
}

const CASES: [string, () => Promise<Case>][] = [
  [
    "a key that is revoked",
    async () => {
      const key = await keyFor(owner);
      return {
        client: key,
        change: () => owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200),
        path: "/api/workspaces",
        refused: 401,
      };
    },
  ],
  [
    "a key that is rotated without overlap",
    async () => {
      const key = await keyFor(owner);
      return {
        client: key,
        change: () => owner.post(`/api/api-keys/${key.id}/rotate`, { overlapHours: 0 }, 201),
        path: "/api/workspaces",
        refused: 401,
      };
    },
  ],
  [
    "a key whose workspace is deleted",
    async () => {
      const { id } = (
        await owner.post("/api/workspaces", { name: "Short-lived", brandId: tenant.defaults.brandId }, 201)
      ).body;
      const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: id } });
      return { client: key, change: () => owner.delete(`/api/workspaces/${id}`, 200), path: "/api/me", refused: 401 };
    },
  ],
  [
    "a member who is removed",
    async () => {
      const { id, client } = await member("agent");
      return { client, change: () => owner.delete(`/api/members/${id}`, 200), path: "/api/workspaces", refused: 401 };
    },
  ],
  [
    "a member who is deactivated",
    async () => {
      const { id, client } = await member("agent");
      return {
        client,
        change: () => owner.patch(`/api/members/${id}`, { status: "deactivated" }, 200),
        path: "/api/workspaces",
        refused: 401,
      };
    },
  ],
  [
    "a key that loses a scope",
    async () => {
      const key = await keyFor(owner);
      return {
        client: key,
        change: () => owner.patch(`/api/api-keys/${key.id}`, { scopes: ["kb:read"] }, 200),
        path: "/api/workspaces",
        refused: 403,
      };
    },
  ],
  [
    "a session that is signed out",
    async () => {
      const { client } = await member("agent");
      return {
        client,
        change: () => client.post("/api/auth/logout", undefined, 200),
        path: "/api/workspaces",
        refused: 401,
      };
    },
  ],
  [
    "an admin who becomes an observer",
    async () => {
      const { id, client } = await member("admin");
      return {
        client,
        change: () => owner.patch(`/api/members/${id}`, { role: "observer" }, 200),
        path: "/api/api-keys",
        refused: 403,
      };
    },
  ],
  [
    "an agent who is taken off a workspace",
    async () => {
      const { id, client } = await member("agent");
      return {
        client,
        change: () => owner.patch(`/api/members/${id}`, { workspaceIds: [] }, 200),
        path: `/api/workspaces/${tenant.defaults.workspaceId}`,
        refused: 404,
      };
    },
  ],
];

describe.concurrent("within a second of a change on one process, another busy process refuses", () => {
  let stopped = false;
  let load: Promise<void>[];
  beforeAll(() => {
    const others = at(other, tenant.live);
    load = Array.from({ length: 3 }, async () => {
      while (!stopped) await others.get("/api/conversations", 200);
    });
  });
  afterAll(async () => {
    stopped = true;
    await Promise.all(load);
  });

  test.each(CASES)("%s", async (_, prepare) => {
    expect(await lastAcceptedAfter(await prepare())).toBeLessThanOrEqual(SOON_MS);
  });
});

describe("with many writers and pollers on two processes", () => {
  let polled: TestTenant;
  let nodes: { baseUrl: string }[];
  beforeAll(async () => {
    polled = await app.tenant();
    await withoutAssistant(polled);
    nodes = [app, other];
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
    const { workspaceId, brandId } = polled.defaults;
    const owner = await polled.owner();
    const tokens = [
      polled.live.token!,
      (await keyFor(owner, { dataScope: { level: "brand", brandId } })).key,
      (await keyFor(owner, { dataScope: { level: "workspace", workspaceId } })).key,
    ];
    const stale: string[] = [];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const { id } = (
          await polled.live.post("/api/conversations", { workspaceId, contact: {}, message: { body: "0" } }, 201)
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
    const onTest = polled.test;
    for (let round = 0; round < runs(4, 10); round++) {
      await polled.live.post(
        "/api/conversations",
        { workspaceId: polled.defaults.workspaceId, contact: {}, message: { body: `ours ${round}` } },
        201,
      );
      const node = nodes[round % 2]!;
      const { headers } = await new Client(node.baseUrl, polled.live.token).get(LIST, 200);
      const asked = await Promise.all(
        [polled.live, stranger.live, onTest, polled.live, stranger.live].map(async ({ token }) => {
          const { status, body } = await new Client(node.baseUrl, token).get(LIST, undefined, {
            headers: token === polled.live.token ? {} : { "if-none-match": headers.get("etag")! },
          });
          return [
            status,
            token === polled.live.token,
            ((body?.data ?? []) as { lastMessagePreview: string }[]).map(
              ({ lastMessagePreview }) => lastMessagePreview,
            ),
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
});

test("revocation still works within a second while the process receives no changes from others, and it reconnects afterwards", async () => {
  const listening = `from pg_stat_activity where datname = current_database() and application_name = 'parley changes'`;
  const listeners = async (): Promise<number> => (await app.db.query(`select 1 ${listening}`)).length;
  // One of them may have connected anew a moment ago.
  await until(async () => (await listeners()) === 2, "both processes listen");
  const revoked = await CASES[0]![1]();
  // No new connections are possible from here on, so the pools must suffice.
  await Promise.all(
    [app, other].map((node) => concurrently(8, () => at(node, tenant.live).get("/api/workspaces", 200))),
  );
  const database = await connect(app.db.url);
  try {
    await database.query("update pg_database set datallowconn = false where datname = current_database()");
    await database.query(`select pg_terminate_backend(pid) ${listening}`);
    expect(await lastAcceptedAfter(revoked)).toBeLessThanOrEqual(SOON_MS);
    // On this connection: one of the pool may have been idle for so long that it was closed.
    expect((await database.query(`select 1 ${listening}`)).rows).toEqual([]);
  } finally {
    await database.query("update pg_database set datallowconn = true where datname = current_database()");
    await database.end();
  }
  await until(async () => (await listeners()) === 2, "both processes listen again");
});
