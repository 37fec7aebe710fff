import type { Pool } from "pg";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ConversationsService } from "../../src/conversations/conversations.service.js";
import { raise } from "../../src/conversations/attention/raise.js";
import { recordIdentityEvent } from "../../src/identity/events/identity-event.js";
import { Changes } from "../../src/platform/database/changes.js";
import { Homes } from "../../src/platform/database/homes.js";
import { Servers } from "../../src/platform/database/servers.js";
import { AnswerQueue } from "../../src/platform/database/read-engine/answer-queue.js";
import { keyFor, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { concurrently, on, SOON_MS, startTwo, type TwoNodes, undisturbed, until } from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let conversation: string;
let contact: string;
let entry: string;
let item: string;
let serial = 0;

beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
  conversation = await start("first");
  contact = (await tenant.live.get(`/api/conversations/${conversation}`)).body.contactId;
  entry = await pending();
  await attention("kb_gap");
  item = (await tenant.live.get("/api/attention-items", 200)).body.data[0]!.id;
});
afterAll(() => nodes?.close());

const start = async (externalId: string, workspaceId = tenant.defaults.workspaceId): Promise<string> =>
  (await tenant.live.post("/api/conversations", { workspaceId, externalId, contact: { name: externalId } })).body.id;
const attention = (type: "kb_gap" | "low_confidence", conversationId = conversation): Promise<void> =>
  nodes.a.transaction(tenant.tenantId, (tx) =>
    raise(tx, { conversationId, type, severity: "low", reason: "Nothing found" }),
  );
const pending = async (): Promise<string> =>
  (
    await tenant.live.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`,
      { question: "Why?", answer: "So.", status: "pending" },
      201,
    )
  ).body.id;

/**
 * How many named statements the node sends during `work`. All reads are named statements. The time at which a key was
 * last used is noted in the background, for no request.
 */
async function queriesOf(node: TestApp, work: () => Promise<unknown>): Promise<number> {
  const pools = node.app.get(Servers).all.map(({ pool }) => pool);
  let count = 0;
  const { run: original } = AnswerQueue.prototype;
  const queries = pools.map((pool) =>
    vi.spyOn(pool, "query").mockImplementation(function (this: Pool, ...args: unknown[]) {
      const { name } = args[0] as { name?: string };
      if (name && name !== "apiKeys.noteUse") count++;
      return pg.Pool.prototype.query.apply(this, args as never);
    }),
  );
  // Reads have a queue of their own.
  const run = vi.spyOn(AnswerQueue.prototype, "run").mockImplementation(function (this: AnswerQueue, ...args) {
    if (pools.includes((this as unknown as { pool: Pool }).pool)) count++;
    return original.apply(this, args);
  });
  try {
    await work();
    return count;
  } finally {
    for (const query of queries) query.mockRestore();
    run.mockRestore();
  }
}

const conditional = <P extends string>(client: Client, path: P, etag: string) =>
  client.get(path, undefined, { headers: { "if-none-match": etag } });
const etagOf = async (client: Client, path: string): Promise<string> =>
  (await client.get(path, 200)).headers.get("etag")!;

/** Reads that clients poll. */
const polled = (): string[] => {
  const workspace = `/api/workspaces/${tenant.defaults.workspaceId}`;
  return [
    "/api/conversations",
    "/api/conversations?status=open&limit=5",
    "/api/conversation-counts",
    "/api/labels",
    "/api/conversations?sort=waiting&status=open,pending",
    "/api/conversations?unread=true&assigneeId=none&handlingMode=assistant&channelType=api",
    `/api/conversations?workspaceId=${tenant.defaults.workspaceId}`,
    `/api/conversations/${conversation}`,
    `/api/conversations/${conversation}/messages`,
    `/api/conversations/${conversation}/messages?order=desc`,
    `/api/conversations/${conversation}/identity-events`,
    `/api/conversations/${conversation}/agent-activity`,
    `/api/conversations/${conversation}/pending-actions`,
    "/api/pending-actions",
    "/api/attention-items",
    `/api/attention-items?workspaceId=${tenant.defaults.workspaceId}`,
    `/api/attention-items/${item}`,
    "/api/contacts",
    `/api/contacts/${contact}`,
    "/api/workspaces",
    workspace,
    `${workspace}/channels`,
    "/api/brands",
    `${workspace}/kb-entries`,
    `${workspace}/kb-entries/pending`,
    `/api/kb-entries/${entry}`,
  ];
};

test("an unchanged poll returns 304 without a query", async () => {
  for (const path of polled())
    await undisturbed([nodes.a], async () => {
      const etag = await etagOf(tenant.live, path);
      expect((await conditional(tenant.live, path, etag)).status, path).toBe(304);
    });
  await undisturbed([nodes.a], async () => {
    const etag = await etagOf(tenant.live, "/api/conversations");
    expect(
      await queriesOf(nodes.a, async () => {
        for (let i = 0; i < 20; i++)
          expect((await conditional(tenant.live, "/api/conversations", etag)).status).toBe(304);
      }),
    ).toBe(0);
  });
});

test("forty concurrent polls after a change cost one query", async () => {
  // An answer is shared for a moment after it came. A busy machine needs longer for a crowd, so the moment lasts.
  const { setTimeout: original } = globalThis;
  const timers = vi
    .spyOn(globalThis, "setTimeout")
    .mockImplementation((work: () => void, ms?: number) => original(work, ms === 50 ? 60_000 : ms));
  await undisturbed([nodes.a], async () => {
    await etagOf(tenant.live, "/api/conversations");
    await tenant.live.post(`/api/conversations/${conversation}/notes`, { body: "a change" }, 201);
    // Opens the connections before the measurement.
    await concurrently(40, () => tenant.live.get("/healthz", 200));
    const bodies: string[] = [];
    expect(
      await queriesOf(nodes.a, async () => {
        bodies.push(
          ...(await concurrently(40, () => tenant.live.get("/api/conversations", 200))).map(({ text }) => text),
        );
      }),
    ).toBe(1);
    expect(new Set(bodies).size).toBe(1);
  }).finally(() => timers.mockRestore());
});

describe("an ETag changes", () => {
  const changes: [string, () => Promise<unknown>][] = [
    ["a reply", () => tenant.live.post(`/api/conversations/${conversation}/reply`, { body: "r" }, 200)],
    ["an inbound message", () => tenant.live.post(`/api/conversations/${conversation}/messages`, { body: "m" }, 201)],
    ["a note", () => tenant.live.post(`/api/conversations/${conversation}/notes`, { body: "n" }, 201)],
    ["a new conversation", () => start(`new ${++serial}`)],
    ["a new contact", () => tenant.live.post("/api/contacts", { name: "New" }, 201)],
    ["a proposed entry", () => pending()],
    ["an approved entry", () => tenant.live.post(`/api/kb-entries/${entry}/approve`, undefined, 200)],
    [
      "an identity event",
      () =>
        nodes.a.transaction(tenant.tenantId, (tx) =>
          recordIdentityEvent(
            tx,
            { conversationId: conversation, transitionKey: String(++serial) },
            {
              eventType: "kbv_question_asked",
              factorCategory: "knowledge",
              factorBoundToPrincipal: contact,
              evidenceRef: "tool:x",
            },
          ),
        ),
    ],
    ["an attention item", () => attention("low_confidence")],
    ["an attention item once more", () => attention("low_confidence")],
    ["a resolved attention item", () => tenant.live.post(`/api/attention-items/${item}/resolve`, undefined, 200)],
    [
      "a new workspace",
      async () => tenant.live.post("/api/workspaces", { name: "W", brandId: tenant.defaults.brandId }, 201),
    ],
    [
      "a deleted workspace",
      async () => {
        const { body } = await tenant.live.post(
          "/api/workspaces",
          { name: "W", brandId: tenant.defaults.brandId },
          201,
        );
        await start(`gone ${++serial}`, body.id);
        await tenant.live.delete(`/api/workspaces/${body.id}`, 200);
      },
    ],
    ["a new brand", () => owner.post("/api/brands", { name: "B" }, 201)],
  ];

  test("at once on the node of the change, and a moment later on the other: after a change of any kind", async () => {
    const callers = { a: tenant.live, b: on(nodes.b, tenant.live) };
    const paths = polled();
    /** What both nodes answered last. */
    const last = new Map<string, { text: string; etags: Record<"a" | "b", string> }>();
    const learn = async (path: string): Promise<void> => {
      const { text, headers } = await callers.a.get(path, 200);
      const etags = { a: headers.get("etag")!, b: await etagOf(callers.b, path) };
      last.set(path, { text, etags });
      // From the second time on, a poll may be answered before its handler.
      await conditional(callers.a, path, etags.a);
      await conditional(callers.b, path, etags.b);
    };
    for (const path of paths) await learn(path);
    for (const [what, change] of changes) {
      await change();
      const now = await Promise.all(paths.map((path) => conditional(callers.a, path, last.get(path)!.etags.a)));
      const changed: [path: string, text: string][] = [];
      for (const [n, path] of paths.entries()) {
        const { status, text } = now[n]!;
        // A request without If-None-Match is not cached, so its response is the expected one.
        const { text: expected } = await callers.a.get(path, 200);
        expect(status === 304 ? last.get(path)!.text : text, `${path} after ${what}`).toBe(expected);
        if (expected !== last.get(path)!.text) changed.push([path, expected]);
        // A new ETag for the same answer.
        else if (status === 200) await learn(path);
      }
      expect(changed.length, what).toBeGreaterThan(0);
      for (const [path, expected] of changed) {
        await until(
          async () => {
            const { status, text } = await conditional(callers.b, path, last.get(path)!.etags.b);
            return status === 200 && text === expected;
          },
          `${path} is new on the other node after ${what}`,
          SOON_MS,
        );
        await learn(path);
      }
    }
  });

  test("under writes on both nodes, for a client that reads its own write", async () => {
    await Promise.all(
      [nodes.a, nodes.b].map(async (node, n) => {
        const client = on(node, tenant.live);
        const id = await start(`writer ${n} ${++serial}`);
        let etag = await etagOf(client, `/api/conversations/${id}`);
        for (let i = 0; i < 10; i++) {
          const { body } = await client.post(`/api/conversations/${id}/reply`, { body: `${i}` }, 200);
          expect(body.ok).toBe(true);
          const answer = await conditional(client, `/api/conversations/${id}`, etag);
          expect(answer.status).toBe(200);
          expect(answer.body.lastMessagePreview).toBe(`${i}`);
          etag = answer.headers.get("etag")!;
        }
      }),
    );
  });
});

test("a notification after a manual change invalidates every node", async () => {
  const path = `/api/conversations/${conversation}`;
  const etags = [await etagOf(tenant.live, path), await etagOf(on(nodes.b, tenant.live), path)];
  await nodes.a.db.query(`select pg_notify('parley_changes', '*')`);
  await until(
    async () => (await conditional(tenant.live, path, etags[0]!)).status === 200,
    "the first looks again",
    SOON_MS,
  );
  await until(
    async () => (await conditional(on(nodes.b, tenant.live), path, etags[1]!)).status === 200,
    "the second looks again",
    SOON_MS,
  );
});

describe("an ETag is bound to its caller and its query", () => {
  test("a caller of another tenant or data scope, or with another query, gets its own response", async () => {
    const etag = await etagOf(tenant.live, "/api/conversations");
    const { body: other } = await tenant.live.post(
      "/api/workspaces",
      { name: "Other", brandId: tenant.defaults.brandId },
      201,
    );
    const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other.id } });
    const stranger = await nodes.a.tenant();
    const fresh = await etagOf(tenant.live, "/api/conversations");
    for (const [client, path] of [
      [restricted, "/api/conversations"],
      [stranger.live, "/api/conversations"],
      [tenant.test, "/api/conversations"],
      [tenant.live, "/api/conversations?limit=1"],
    ] as const) {
      for (const given of [etag, fresh]) expect((await conditional(client, path, given)).status).toBe(200);
    }
  });

  test("a revoked key, a key without the scope and a deleted workspace are refused before any 304", async () => {
    const key = await keyFor(owner);
    let etag = "";
    await undisturbed([nodes.a], async () => {
      etag = await etagOf(key, "/api/conversations");
      expect((await conditional(key, "/api/conversations", etag)).status).toBe(304);
    });
    await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200);
    expect((await conditional(key, "/api/conversations", etag)).status).toBe(401);
    const other = await keyFor(owner, { scopes: ["kb:read"] });
    expect(
      (await conditional(other, "/api/conversations", await etagOf(tenant.live, "/api/conversations"))).status,
    ).toBe(403);
  });
});

describe("a poll that was answered 304 before", () => {
  const path = "/api/conversations?limit=7";
  const known = (key: Client): Promise<string> =>
    undisturbed([nodes.a], async () => {
      const etag = await etagOf(key, path);
      for (let i = 0; i < 2; i++) expect((await conditional(key, path, etag)).status).toBe(304);
      return etag;
    });

  test("is answered the same, without its handler", async () => {
    const key = await keyFor(owner);
    const list = vi.spyOn(nodes.a.app.get(ConversationsService), "list");
    let answers: Awaited<ReturnType<typeof conditional>>[] = [];
    let etag = "";
    await undisturbed([nodes.a], async () => {
      list.mockClear();
      etag = await etagOf(key, path);
      answers = [];
      for (let i = 0; i < 3; i++) answers.push(await conditional(key, path, etag));
      expect(list).toHaveBeenCalledTimes(2);
    });
    list.mockRestore();
    const shown = answers.map(({ status, text, headers }) => {
      const { "x-request-id": id, date: _, ...rest } = Object.fromEntries(headers);
      expect(id).toBeTruthy();
      return { status, text, rest };
    });
    expect(shown[0]).toMatchObject({ status: 304, rest: { etag, "cache-control": "private, no-cache" } });
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });

  test("is refused once the key is revoked or has expired", async () => {
    const key = await keyFor(owner);
    const etag = await known(key);
    await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200);
    expect((await conditional(key, path, etag)).status).toBe(401);
    // A machine may be so busy that the key expires before the first answers: then one that lasts longer.
    let short: Client | undefined;
    let last: string | undefined;
    for (let lasts = 1_500; last === undefined; lasts *= 2) {
      const expiry = Date.now() + lasts;
      short = await keyFor(owner, { expiresAt: new Date(expiry).toISOString() });
      last = await known(short).catch((error: unknown) => {
        if (Date.now() < expiry) throw error;
        return undefined;
      });
    }
    await until(async () => (await conditional(short!, path, last)).status === 401, "the key has expired");
  });

  test("does nothing for another key, with another method, or behind another address", async () => {
    const etag = await known(await keyFor(owner));
    expect((await conditional(await keyFor(owner, { scopes: ["kb:read"] }), path, etag)).status).toBe(403);
    const data = { dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId } };
    expect((await conditional(await keyFor(owner, data), path, etag)).status).toBe(200);
    const key = await keyFor(owner);
    const own = await known(key);
    expect((await conditional(key, `${path}&limit=8`, own)).status).toBe(400);
    expect((await conditional(key, `${path}&access_token=x`, own)).status).toBe(401);
    expect((await key.send("POST", path, {}, undefined, { headers: { "if-none-match": own } })).status).toBe(400);
  });

  test("counts as a use of the key", async () => {
    const key = await keyFor(owner);
    let etag = await known(key);
    const usedAt = async () =>
      (await owner.get("/api/api-keys", 200)).body.find(({ id }: { id: string }) => id === key.id)!.lastUsedAt;
    await until(async () => (await usedAt()) !== null, "its use is noted");
    let before = await usedAt();
    await until(async () => {
      if ((await conditional(key, path, etag)).status === 304) return (await usedAt()) !== before;
      // The process did not hear the others for a moment. This was a use, too, so it begins again.
      etag = await known(key);
      before = await usedAt();
      return false;
    }, "its use is noted again");
  });
});

describe("while a process cannot receive changes", () => {
  const silence = () =>
    nodes.a.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parley changes'`,
    );

  test("it caches responses only for a moment, and polls are cheap again afterwards", async () => {
    const path = `/api/conversations/${conversation}`;
    for (let i = 0; i < 2; i++) {
      const etag = await etagOf(tenant.live, path);
      await silence();
      await on(nodes.b, tenant.live).post(`${path}/reply`, { body: `unheard ${i}` }, 200);
      // The connection takes a moment to end, and the node takes another moment to notice.
      const answer = await until(
        async () => {
          const polled = await conditional(tenant.live, path, etag);
          return polled.status === 200 && polled;
        },
        "the change is seen",
        SOON_MS,
      );
      expect((answer as { body: { lastMessagePreview: string } }).body.lastMessagePreview).toBe(`unheard ${i}`);
    }
    await until(async () => {
      const etag = await etagOf(tenant.live, "/api/conversations");
      return (await queriesOf(nodes.a, () => conditional(tenant.live, "/api/conversations", etag))) === 0;
    }, "the node hears again");
  });

  test("the versions expire when another process disappears, because it may have committed a change without a notification", async () => {
    const peer = await connect({ connectionString: nodes.a.db.url, application_name: "parley changes" });
    const { rows } = await peer.query<{ pid: number }>("select pg_backend_pid() as pid");
    const { pid } = rows[0]!;
    const { lines } = nodes.a.app.get<unknown>(Changes) as { lines: Map<string, { peers: Set<number> }> };
    const server = await nodes.a.app.get(Homes).nameOf(tenant.tenantId);
    const known = () => lines.get(server)!.peers;
    await until(async () => known().has(pid), "the node notices the peer");
    // The end of a peer of an earlier test may be noticed only now, and expire them, too.
    let etag = "";
    await until(async () => {
      etag = await etagOf(tenant.live, "/api/conversations");
      return (await conditional(tenant.live, "/api/conversations", etag)).status === 304;
    }, "the versions stand");
    await peer.end();
    await until(
      async () => (await etagOf(tenant.live, "/api/conversations")) !== etag,
      "the versions are new",
      SOON_MS,
    );
  });
});
