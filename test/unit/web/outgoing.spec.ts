import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientOf } from "../../../web/src/api/client.js";
import { newQueryClient } from "../../../web/src/api/query-client.js";
import { arrivalOf, Outbox, type Outgoing } from "../../../web/src/features/thread/outbox.js";
import { sendOptionOf, SEND_OPTIONS } from "../../../web/src/features/thread/send-options.js";
import { keysOf } from "../../../web/src/keyboard/shortcuts.js";
import { Network, TestPage } from "./support.js";

const NOW = Date.parse("2026-05-04T10:00:00.000Z");
const REPLIES = "/conversations/c1/reply";
const NOTES = "/conversations/c1/notes";

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const outgoing = (key: string, part: Partial<Outgoing> = {}): Outgoing => ({
  key,
  environment: "live",
  memberId: "m1",
  conversationId: "c1",
  kind: "reply",
  body: `Text of ${key}`,
  files: [],
  mentions: [],
  draftUpdatedAt: undefined,
  ifLastSequence: 7,
  holdSeconds: 10,
  at: new Date(NOW).toISOString(),
  ...part,
});

/** A tab of a browser. Another one begins with the same disk after a reload. */
function tabOf(network: Network, kept = new Map<string, Outgoing>()) {
  const page = new TestPage();
  const member: { id: string | undefined } = { id: "m1" };
  const ended = new AbortController();
  const restored: unknown[] = [];
  const outbox = new Outbox({
    server: clientOf("live", { baseUrl: "https://parley.test", fetch: network.fetch }).conversations,
    disk: {
      set: async (key, one) => void kept.set(key, one),
      remove: async (key) => void kept.delete(key),
      readAll: async () => [...kept],
    },
    page,
    session: { signedInAs: () => member.id, environment: () => "live", signal: () => ended.signal },
    restoreDraft: async (...args) => void restored.push(args),
  });
  return { outbox, page, member, kept, ended, restored };
}
const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 1_000);

const enter = (part: object = {}, held?: string) =>
  ({
    key: "Enter",
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    nativeEvent: { isComposing: false },
    getModifierState: (name: string) => name === held,
    ...part,
  }) as Parameters<typeof sendOptionOf>[0];

describe("the keys in the field of a reply", () => {
  test.each(["ctrlKey", "metaKey"])("each way to send has its own, with %s", (mod) => {
    const options = [{}, { altKey: true }, { shiftKey: true }, { altKey: true, shiftKey: true }].map((more) =>
      sendOptionOf(enter({ [mod]: true, ...more }), false),
    );
    expect(options).toEqual(["send", "pending", "resolve", "snooze"]);
    expect(new Set(SEND_OPTIONS.map(({ name }) => keysOf(name).join())).size).toBe(SEND_OPTIONS.length);
  });

  test("Enter alone sends only if the member chose so, and Shift and Enter begins a new line", () => {
    expect([sendOptionOf(enter(), false), sendOptionOf(enter(), true)]).toEqual([undefined, "send"]);
    for (const more of [{ shiftKey: true }, { altKey: true }]) expect(sendOptionOf(enter(more), true)).toBeUndefined();
  });

  test("nothing is sent by another key, by the Enter that ends a composition, or while AltGr is still down", () => {
    const with_ = { ctrlKey: true, altKey: true };
    expect(sendOptionOf(enter({ ...with_, key: "e" }), true)).toBeUndefined();
    expect(sendOptionOf(enter({ ...with_, nativeEvent: { isComposing: true } }), true)).toBeUndefined();
    // Safari says it by this code alone.
    expect(sendOptionOf(enter({ ...with_, keyCode: 229 }), true)).toBeUndefined();
    expect(sendOptionOf(enter(with_, "AltGraph"), true)).toBeUndefined();
  });
});

describe("what is sent", () => {
  let network: Network;
  beforeEach(() => void (network = new Network()));

  test("a reply goes out with its key, what its author has read, how long it is held, and the draft that it was", async () => {
    network.answer = () => [202, { messageId: "msg1" }];
    const { outbox } = tabOf(network);
    const files = [{ id: "f1", name: "a.pdf" }];
    expect(await outbox.send(outgoing("k1", { files, draftUpdatedAt: "2026-05-04T09:59:00.000Z" }))).toBe("msg1");
    const [request] = network.requests;
    expect(request!.path).toBe(REPLIES);
    expect(request!.headers.get("idempotency-key")).toBe("k1");
    expect(request!.body).toEqual({
      body: "Text of k1",
      bodyFormat: "markdown",
      attachmentIds: ["f1"],
      draftUpdatedAt: "2026-05-04T09:59:00.000Z",
      ifLastSequence: 7,
      holdSeconds: 10,
      clientMessageId: "k1",
    });
  });

  test.each<[object]>([
    [{}],
    [{ then: "pending" }],
    [{ then: "resolve" }],
    [{ then: "snooze", snoozeUntil: "2026-05-04T11:00:00.000Z" }],
  ])("a reply says what becomes of its conversation, also after a reload without a connection: %j", async (after) => {
    const { outbox, kept } = tabOf(network);
    void outbox.send(outgoing("k1", { after }));
    await seconds(1);
    // What is on the disk of a browser is copied there.
    const later = new Map([...kept].map(([key, one]) => [key, JSON.parse(JSON.stringify(one)) as Outgoing]));
    const again = new Network();
    again.answer = () => [202, { messageId: "msg1" }];
    await tabOf(again, later).outbox.sendUnsent("m1", () => undefined);
    await seconds(0);
    for (const { body } of [...network.requests, ...again.requests])
      expect({ then: body!.then, snoozeUntil: body!.snoozeUntil }).toEqual(after);
    expect([network.requests.length > 0, again.requests.length]).toEqual([true, 1]);
  });

  test("a reply that waits for longer than its conversation should sleep is sent all the same, and the conversation stays awake", async () => {
    const after = { then: "snooze" as const, snoozeUntil: new Date(NOW + 30_000).toISOString() };
    const { outbox } = tabOf(network);
    const sending = outbox.send(outgoing("k1", { after }));
    await seconds(60);
    network.answer = ({ body }) => (body!.then ? [400, { error: "Too late." }] : [202, { messageId: "msg1" }]);
    await seconds(15);
    expect(await sending).toBe("msg1");
    const [last, before] = network.requests.toReversed();
    // The server knows the message by this, if it has it already. Another body under the same key would be refused.
    expect(last!.body).toEqual({ ...before!.body, then: undefined, snoozeUntil: undefined });
    expect(last!.body!.clientMessageId).toBe("k1");
    expect(last!.headers.get("idempotency-key")).toBe("k1-awake");
  });

  test("a reply that is refused for another reason stays refused, whatever becomes of its conversation", async () => {
    const after = { then: "snooze" as const, snoozeUntil: new Date(NOW + 30_000).toISOString() };
    network.answer = () => [400, { error: "No." }];
    await expect(tabOf(network).outbox.send(outgoing("k1", { after }))).rejects.toMatchObject({ status: 400 });
    expect(network.requests).toHaveLength(1);
  });

  test("a note goes out with those whom it names, and neither waits nor minds what is new", async () => {
    network.answer = () => [201, { id: "msg1" }];
    const { outbox } = tabOf(network);
    expect(await outbox.send(outgoing("k1", { kind: "note", mentions: ["m2"] }))).toBe("msg1");
    const [request] = network.of("POST", NOTES);
    expect(request!.headers.get("idempotency-key")).toBe("k1");
    expect(request!.body).toEqual({ body: "Text of k1", mentions: ["m2"] });
    await outbox.send(outgoing("k2", { kind: "note" }));
    expect(network.of("POST", NOTES)[1]!.body).toEqual({ body: "Text of k2" });
  });

  test("is on the disk before the server hears of it, and not any more after the answer", async () => {
    const { outbox, kept } = tabOf(network);
    let onDisk: string[] = [];
    network.answer = () => {
      onDisk = [...kept.keys()];
      return [202, { messageId: "msg1" }];
    };
    await outbox.send(outgoing("k1"));
    expect(onDisk).toEqual(["k1"]);
    expect(kept.size).toBe(0);
  });

  test("is sent also if the disk is full", async () => {
    network.answer = () => [202, { messageId: "msg1" }];
    const { outbox, kept } = tabOf(network);
    kept.set = () => {
      throw new Error("QuotaExceededError");
    };
    expect(await outbox.send(outgoing("k1"))).toBe("msg1");
  });

  test("is on the screen from the beginning until the thread has it, first by its key and then by the message's id", async () => {
    let answer!: (response: Response) => void;
    network.answer = ({ path }) =>
      new Promise<Response>((resolve) => {
        if (path === REPLIES) answer = resolve;
      });
    const { outbox } = tabOf(network);
    let changes = 0;
    const forget = outbox.subscribe(() => changes++);
    const sending = outbox.send(outgoing("k1"));
    void outbox.send(outgoing("k2", { conversationId: "c2", kind: "note" }));
    await seconds(0);
    expect(changes).toBe(2);
    const shown = outbox.messagesOf("c1");
    expect(shown).toMatchObject([{ id: "k1", direction: "outbound", deliveryStatus: "queued", authorId: "m1" }]);
    // What React compares stays the same while nothing changes.
    expect(outbox.messagesOf("c1")).toBe(shown);
    expect(outbox.messagesOf("c2")).toMatchObject([{ id: "k2", direction: "internal", bodyFormat: "text" }]);
    answer(Response.json({ messageId: "msg1" }));
    expect(await sending).toBe("msg1");
    expect(outbox.messagesOf("c1")).toMatchObject([{ id: "msg1" }]);
    forget();
    changes = 0;
    outbox.forget("k1");
    expect(outbox.messagesOf("c1")).toEqual([]);
    expect(changes).toBe(0);
  });

  test.each(["lost", [500, { error: "No." }], [503, { error: "No." }], [429, { error: "Later." }]] as const)(
    "is sent again under the same key until there is an answer, if it was %j",
    async (failure) => {
      network.answer = () => failure as "lost";
      const { outbox, kept } = tabOf(network);
      const sending = outbox.send(outgoing("k1"));
      await seconds(90);
      const tried = network.requests.length;
      expect(tried).toBeGreaterThan(5);
      expect(kept.has("k1")).toBe(true);
      network.answer = () => [202, { messageId: "msg1" }];
      await seconds(20);
      expect(await sending).toBe("msg1");
      expect(new Set(network.requests.map(({ headers }) => headers.get("idempotency-key")))).toEqual(new Set(["k1"]));
      expect(network.requests).toHaveLength(tried + 1);
    },
  );

  test("is sent at once when the connection is back", async () => {
    const { outbox, page } = tabOf(network);
    const sending = outbox.send(outgoing("k1"));
    // By now it waits for 15 seconds between attempts.
    await seconds(60);
    network.answer = () => [202, { messageId: "msg1" }];
    page.connect(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(await sending).toBe("msg1");
  });

  test.each([400, 403, 404, 409])(
    "that the server refuses with %i is not sent again, and is on no disk",
    async (status) => {
      network.answer = () => [status, { error: "No." }];
      const { outbox, kept } = tabOf(network);
      const refused = expect(outbox.send(outgoing("k1"))).rejects.toMatchObject({ status });
      await seconds(60);
      await refused;
      expect(network.requests).toHaveLength(1);
      expect(kept.size).toBe(0);
    },
  );

  test("never goes out in the name of somebody else: it waits until its author is signed in again", async () => {
    network.answer = () => [202, { messageId: "msg1" }];
    const { outbox, member, kept } = tabOf(network);
    member.id = "m2";
    const sending = outbox.send(outgoing("k1"));
    await seconds(60);
    member.id = undefined;
    await seconds(60);
    expect(network.requests).toEqual([]);
    expect(kept.has("k1")).toBe(true);
    member.id = "m1";
    await seconds(15);
    expect(await sending).toBe("msg1");
  });

  test("is broken off with the session in which it began", async () => {
    network.answer = ({ signal }) =>
      new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason as Error)));
    const { outbox, ended } = tabOf(network);
    const over = new Error("The session is over");
    const broken = expect(outbox.send(outgoing("k1"))).rejects.toBe(over);
    await seconds(1);
    ended.abort(over);
    await broken;
  });
});

describe("what an earlier visit left unsent", () => {
  test("of this member and this side is sent under its own key, in its order; the rest stays", async () => {
    const network = new Network();
    const kept = new Map(
      [
        outgoing("k1"),
        outgoing("k2", { kind: "note" }),
        outgoing("k3", { memberId: "m2" }),
        outgoing("k4", { environment: "test" }),
      ].map((one) => [one.key, one]),
    );
    network.answer = ({ path }) => (path === NOTES ? [201, { id: "msg2" }] : [202, { messageId: "msg1" }]);
    const { outbox } = tabOf(network, kept);
    await outbox.sendUnsent("m1", () => undefined);
    await seconds(0);
    expect(network.requests.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["k1", "k2"]);
    expect([...kept.keys()]).toEqual(["k3", "k4"]);
    expect(outbox.messagesOf("c1")).toEqual([]);
  });

  test("is not sent a second time while it is on its way", async () => {
    const network = new Network();
    const { outbox } = tabOf(network);
    network.answer = () => new Promise<Response>(() => undefined);
    void outbox.send(outgoing("k1"));
    await seconds(0);
    await outbox.sendUnsent("m1", () => undefined);
    await seconds(0);
    expect(network.requests).toHaveLength(1);
  });

  test("and is refused becomes part of the draft again, and that is said", async () => {
    const network = new Network();
    const files = [{ id: "f1", name: "a.pdf" }];
    const kept = new Map([["k1", outgoing("k1", { kind: "note", body: "Beware", files })]]);
    network.answer = () => [403, { error: "No." }];
    const { outbox, restored } = tabOf(network, kept);
    const said: unknown[] = [];
    await outbox.sendUnsent("m1", (error, id) => said.push([(error as { status: number }).status, id]));
    await seconds(0);
    expect(restored).toEqual([["m1", "c1", { mode: "note", text: "Beware", files }]]);
    expect(said).toEqual([[403, "c1"]]);
    expect(kept.size).toBe(0);
  });
});

describe("the arrival of what was sent", () => {
  const thread = ["thread", "c1"];
  const has = (...ids: string[]) => ({ messages: ids.map((id) => ({ id })), earlier: undefined });

  /** A thread that reads as the test says, and how often it was read. */
  async function read(answers: object[]) {
    const client = newQueryClient();
    let reads = 0;
    await client.prefetchQuery({ queryKey: thread, queryFn: () => answers[Math.min(reads++, answers.length - 1)]! });
    return { client, reads: () => reads };
  }

  test("by an event needs no request", async () => {
    const { client, reads } = await read([has("msg0")]);
    let isThere = false;
    const arrival = arrivalOf(client, "c1", "msg1", { isLive: () => true, page: new TestPage() });
    void arrival.then(() => (isThere = true));
    await seconds(1);
    expect(isThere).toBe(false);
    client.setQueryData(thread, has("msg0", "msg1"));
    await vi.advanceTimersByTimeAsync(0);
    expect(isThere).toBe(true);
    expect(reads()).toBe(1);
  });

  test("without an event within a moment, the thread is read", async () => {
    const { client, reads } = await read([has("msg0"), has("msg0", "msg1")]);
    const arrival = arrivalOf(client, "c1", "msg1", { isLive: () => true, page: new TestPage() });
    await seconds(1.4);
    expect(reads()).toBe(1);
    await seconds(0.1);
    await arrival;
    expect(reads()).toBe(2);
  });

  test("while nothing is live, the thread is read at once, and six times at most", async () => {
    const { client, reads } = await read([has("msg0")]);
    const arrival = arrivalOf(client, "c1", "msg1", { isLive: () => false, page: new TestPage() });
    await vi.advanceTimersByTimeAsync(0);
    expect(reads()).toBe(2);
    await seconds(120);
    await arrival;
    expect(reads()).toBe(7);
  });
});
