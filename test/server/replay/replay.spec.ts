import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/replay/client.js";
import { firstActiveWorkspace, replay, ReplayError, type ReplayOptions } from "../../../src/replay/replay.js";
import { dialogueLine, FakeParley, KEY, WORKSPACE } from "./fake-parley.js";

let server: FakeParley;
beforeEach(async () => {
  server = await new FakeParley().listen();
});
afterEach(() => server.close());

const LINES = Array.from({ length: 12 }, (_, n) => dialogueLine(n + 1, 5 + n));
const TURNS = LINES.map((_, n) => 5 + n).reduce((sum, turns) => sum + turns, 0);

const play = (options: Partial<ReplayOptions> = {}) =>
  replay({
    lines: LINES,
    client: new ApiClient({ baseUrl: server.baseUrl, key: KEY, backoffMs: 1 }),
    workspaceId: WORKSPACE,
    ...options,
  });
const sum = (messages: Record<string, { sent: number; skipped: number }>, what: "sent" | "skipped") =>
  Object.values(messages).reduce((total, kind) => total + kind[what], 0);

/** Every conversation has exactly its dialogue's turns, in order. */
function expectComplete() {
  for (const line of LINES) {
    const { id, turns } = JSON.parse(line) as { id: number; turns: { i: number; from: string }[] };
    const path: Record<string, string> = { customer: "messages", operator: "reply", system: "notes" };
    const there = server.conversations
      .get(`star-${id}`)!
      .messages.map((message) => `${message.externalId ?? message.clientMessageId} ${message.path}`);
    expect(there).toEqual(turns.map(({ i, from }) => `${i} ${path[from]}`));
  }
  expect(server.conversations.size).toBe(LINES.length);
}

describe("playing", () => {
  it("sends every turn once and in order: conversations in parallel, turns in sequence", async () => {
    const summary = await play({ concurrency: 4 });
    expectComplete();
    expect(summary).toMatchObject({ dialogues: 12, conversations: { created: 12, existing: 0 }, stopped: false });
    expect([sum(summary.messages, "sent"), sum(summary.messages, "skipped")]).toEqual([TURNS, 0]);
    expect(server.most.inConversation).toBe(1);
    expect(server.most.inAll).toBeGreaterThan(1);
    expect(server.most.inAll).toBeLessThanOrEqual(4);
  });

  it("a second run sends no message and changes nothing", async () => {
    await play();
    const before = server.snapshot();
    server.requests.length = 0;
    server.pageSize = 4;
    const summary = await play();
    expect(server.snapshot()).toBe(before);
    expect(summary).toMatchObject({ dialogues: 12, conversations: { created: 0, existing: 12 } });
    expect([sum(summary.messages, "sent"), sum(summary.messages, "skipped")]).toEqual([0, TURNS]);
    expect(server.requests.filter((request) => request.startsWith("POST"))).toEqual(
      Array(12).fill("POST /api/conversations"),
    );
  });

  it("two concurrent clients create no duplicates", async () => {
    await Promise.all([play(), play()]);
    expectComplete();
  });

  it("a missing message is added, and nothing else", async () => {
    await play();
    server.conversations.get("star-3")!.messages.splice(1, 1);
    const summary = await play();
    expect(sum(summary.messages, "sent")).toBe(1);
    expect(summary.messages.operator.sent).toBe(1);
    expect(server.conversations.get("star-3")!.messages).toHaveLength(7);
  });

  it("completes a conversation that was resolved meanwhile, and keeps a complete one resolved", async () => {
    await play();
    server.conversations.get("star-3")!.messages.splice(3);
    for (const conversation of server.conversations.values()) conversation.status = "resolved";
    await play();
    expectComplete();
    expect(
      [...server.conversations.values()].filter(({ status }) => status === "open").map(({ externalId }) => externalId),
    ).toEqual(["star-3"]);
  });

  it("with a limit plays only the file's first dialogues", async () => {
    expect(await play({ limit: 5 })).toMatchObject({ dialogues: 5 });
    expect([...server.conversations.keys()].sort()).toEqual(["star-1", "star-2", "star-3", "star-4", "star-5"]);
  });

  it("uses the first active workspace", async () => {
    const client = new ApiClient({ baseUrl: server.baseUrl, key: KEY });
    expect(await firstActiveWorkspace(client)).toBe(WORKSPACE);
    server.fault = () => ({ status: 200, body: [{ id: "x", status: "archived" }] });
    await expect(firstActiveWorkspace(client)).rejects.toThrow("no active workspace");
    server.fault = () => ({ status: 200, body: { hello: "world" } });
    await expect(firstActiveWorkspace(client)).rejects.toThrow("is this a Parley server?");
  });
});

describe("a failing server", () => {
  it("that refuses or drops every third request, or loses its response: still complete, without duplicates", async () => {
    let n = 0;
    const faults = [{ status: 503 }, "drop", "lose", { status: 429, headers: { "retry-after": "0" } }] as const;
    server.fault = () => (++n % 3 === 0 ? faults[(n / 3) % faults.length] : undefined);
    const summary = await play();
    expectComplete();
    expect(sum(summary.messages, "sent") + sum(summary.messages, "skipped")).toBe(TURNS);
  });

  it("that rejects a request stops the replay with the dialogue's id; the next run completes it", async () => {
    server.fault = ({ path, body }) =>
      path.endsWith("/notes") && body.externalId === "16"
        ? { status: 400, body: { error: "body is too long" } }
        : undefined;
    const error: unknown = await play({ concurrency: 1 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ReplayError);
    const id = server.conversations.get("star-2")!.id;
    expect((error as Error).message).toBe(`dialogue 2: POST /api/conversations/${id}/notes: 400 body is too long`);
    expect(server.conversations.size).toBe(2);

    server.fault = () => undefined;
    await play();
    expectComplete();
  });

  it("that rejects a request gets no new dialogues", async () => {
    let refusedAt = Infinity;
    server.fault = ({ body }) => {
      if (server.requests.length < 20 || body.clientMessageId === undefined || refusedAt < Infinity) return undefined;
      refusedAt = server.requests.length;
      return { status: 403, body: { error: "Forbidden" } };
    };
    await expect(play({ concurrency: 4 })).rejects.toThrow("403 Forbidden");
    // Each of the three others may have sent one more request before the response arrived.
    expect(server.requests.length).toBeLessThanOrEqual(refusedAt + 2 * 3);
  });

  it("that stays unreachable stops the replay with the dialogue's id", async () => {
    server.fault = ({ path }) => (path.endsWith("/reply") ? { status: 503 } : undefined);
    const client = new ApiClient({ baseUrl: server.baseUrl, key: KEY, tries: 2, backoffMs: 1 });
    await expect(play({ client })).rejects.toThrow(/^dialogue \d+: POST .*\/reply: 503 .*\(tried 2 times\)$/);
  });
});

describe("an invalid file", () => {
  it("stops the replay with the line's number, before the line is sent", async () => {
    const lines = [LINES[0]!, "", LINES[1]!.replace('"customer"', '"robot"'), LINES[2]!];
    await expect(play({ lines, concurrency: 1 })).rejects.toThrow(
      "line 3: turns[0].from must be customer, operator or system",
    );
    expect([...server.conversations.keys()]).toEqual(["star-1"]);
  });

  it("with a repeated id is refused, with both lines", async () => {
    await expect(play({ lines: [LINES[0]!, LINES[0]!], concurrency: 1 })).rejects.toThrow(
      "line 2: id 1 is also on line 1",
    );
  });

  it("that cannot be read gives the file's own error", async () => {
    const lines = (async function* () {
      yield LINES[0]!;
      throw new Error("disk gone");
    })();
    await expect(play({ lines })).rejects.toThrow("disk gone");
  });

  it("is read only as far as it is played", async () => {
    let read = 0;
    const lines = (function* () {
      for (const line of LINES) {
        read += 1;
        yield line;
      }
    })();
    await play({ lines, limit: 2, concurrency: 1 });
    expect(read).toBe(2);
  });
});

describe("stopping", () => {
  it("at any request leaves exactly what the summary says, and the next run completes it", async () => {
    for (const after of [0, 1, 20, 60]) {
      await server.close();
      server = await new FakeParley().listen();
      const stop = new AbortController();
      if (after === 0) stop.abort();
      server.fault = () => {
        if (server.requests.length >= after) stop.abort();
        return undefined;
      };
      const summary = await play({ signal: stop.signal, concurrency: 3 });
      expect(summary.stopped).toBe(true);
      expect(sum(summary.messages, "sent")).toBe(
        [...server.conversations.values()].reduce((total, { messages }) => total + messages.length, 0),
      );
      // Dialogues in progress are completed, and no other begins.
      expect(server.requests.length).toBeLessThanOrEqual(after + 3);

      server.fault = () => undefined;
      await play();
      expectComplete();
    }
  });

  it("for a custom reason works in the same way", async () => {
    expect(await play({ signal: AbortSignal.abort("enough") })).toMatchObject({ stopped: true, dialogues: 0 });
    expect(server.requests).toEqual([]);
  });

  it("reports its progress", async () => {
    const seen: number[] = [];
    await play({ onProgress: ({ messages }) => seen.push(sum(messages, "sent")) });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(TURNS);
  });
});
