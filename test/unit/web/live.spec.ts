import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientOf } from "../../../web/src/api/client.js";
import type { Heard } from "../../../web/src/live/heard.js";
import { Hearing, type LiveState } from "../../../web/src/live/hearing.js";
import { paced } from "../../../web/src/live/pace.js";
import { Network, type Request, TestPage } from "./support.js";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-05-04T10:00:00.000Z") }));
afterEach(() => void vi.useRealTimers());
const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 1_000);

/** What the tabs of one browser share: channels, and locks that one tab holds and others wait for. */
class Browser {
  #channels = new Map<string, Set<{ onmessage: ((message: MessageEvent) => void) | null }>>();
  #locks = new Map<string, Promise<unknown>>();

  channelOf = (name: string) => {
    const all = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, all);
    const channel = {
      onmessage: null as ((message: MessageEvent) => void) | null,
      postMessage: (told: unknown) => {
        const data: unknown = structuredClone(told);
        for (const other of all) if (other !== channel) other.onmessage?.({ data } as MessageEvent);
      },
      close: () => void all.delete(channel),
    };
    all.add(channel);
    return channel;
  };

  withLock = (name: string, signal: AbortSignal, run: () => Promise<void>): Promise<unknown> => {
    const before = this.#locks.get(name) ?? Promise.resolve();
    const held = before.then(() => (signal.aborted ? undefined : run()));
    this.#locks.set(
      name,
      held.catch(() => undefined),
    );
    return held;
  };
}

/** The server's events and its feed, as its clients hear of them. */
class Feed {
  readonly network = new Network();
  /** What happened, with the position of each. */
  readonly happened: { id: string; type: string; resourceId: string }[] = [];
  mode: "up" | "refused" | "busy" | "lost" = "up";
  /** Positions before this one are known no more. */
  forgottenBefore = 0;
  #streams: ReadableStreamDefaultController<Uint8Array>[] = [];

  constructor() {
    this.network.answer = (request) => this.#answer(request);
  }

  #answer({ path, query, headers, signal }: Request): ReturnType<Network["answer"]> {
    if (this.mode === "lost") return "lost";
    if (path === "/changes") {
      const after = query.get("after")!;
      if (Number(after) < this.forgottenBefore) return [410, { error: "The feed no longer has that." }];
      const from = after === "now" ? this.happened.length : Number(after);
      const data = this.happened.slice(from).map(({ id, type, resourceId }) => ({
        cursor: id,
        type,
        workspaceId: null,
        resourceType: type.split(".")[0],
        resourceId,
        resource: { id: resourceId },
      }));
      return [200, { data, cursor: String(this.happened.length), hasMore: false }];
    }
    if (this.mode === "refused") return [403, { error: "No." }];
    if (this.mode === "busy") return [503, { error: "Later." }];
    const last = headers.get("last-event-id");
    if (last !== null && Number(last) < this.forgottenBefore) return [410, { error: "The feed no longer has that." }];
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#streams.push(stream);
        signal!.addEventListener("abort", () => {
          this.#streams = this.#streams.filter((one) => one !== stream);
          stream.error(signal!.reason);
        });
      },
    });
    this.#send({ type: "ready", id: String(this.happened.length) }, this.#streams.slice(-1));
    if (last !== null) for (const one of this.happened.slice(Number(last))) this.#send(one, this.#streams.slice(-1));
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #send({ id, type, resourceId }: { id: string; type: string; resourceId?: string }, to = this.#streams): void {
    const data = JSON.stringify(resourceId === undefined ? {} : { [`${type.split(".")[0]}Id`]: resourceId });
    for (const stream of to) stream.enqueue(new TextEncoder().encode(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`));
  }

  happens(resourceId: string, type = "conversation.updated"): void {
    const one = { id: String(this.happened.length + 1), type, resourceId };
    this.happened.push(one);
    this.#send(one);
  }

  /** The connections break. */
  breaks(mode: Feed["mode"]): void {
    this.mode = mode;
    const broken = this.#streams;
    this.#streams = [];
    for (const stream of broken) stream.error(new TypeError("network error"));
  }

  beats(): void {
    for (const stream of this.#streams) stream.enqueue(new TextEncoder().encode(": beat\n\n"));
  }

  get asked(): string[] {
    return this.network.requests.map(({ path }) => path);
  }
}

function tabOf(feed: Feed, browser = new Browser()) {
  const page = new TestPage();
  const hearing = new Hearing({
    server: clientOf("live", { baseUrl: "https://parley.test", fetch: feed.network.fetch }),
    page,
    ...browser,
  });
  const heard: string[] = [];
  hearing.onEvent(({ type, data }: Heard) =>
    heard.push(type.includes(".") ? (data as Record<string, string>).conversationId! : type),
  );
  const states: LiveState[] = [];
  hearing.watch(() => states.push(hearing.state()));
  const end = new AbortController();
  hearing.listen("parley-live-m1", end.signal);
  return { hearing, heard, states, page, close: () => end.abort() };
}

describe("a page hears", () => {
  test("by the stream, and is told when it begins", async () => {
    const feed = new Feed();
    const { hearing, heard, close } = tabOf(feed);
    expect(hearing.state()).toBe("connecting");
    await seconds(0);
    expect(hearing.state()).toBe("up");
    feed.happens("c1");
    feed.happens("c2");
    await seconds(0);
    expect(heard).toEqual(["begin", "ready", "c1", "c2"]);
    expect(feed.asked).toEqual(["/events"]);
    expect(feed.network.requests[0]!.query.get("include")).toBe("resource,contact");
    close();
    expect(hearing.state()).toBe("connecting");
    expect(hearing.isLeading()).toBe(false);
  });

  test("nothing of a short break, and what happened meanwhile once it is over", async () => {
    const feed = new Feed();
    const { heard, states, close } = tabOf(feed);
    await seconds(0);
    feed.breaks("up");
    feed.happens("c1");
    await seconds(1);
    expect(heard).toEqual(["begin", "ready", "ready", "c1"]);
    expect(states).toEqual(["up"]);
    expect(feed.asked).toEqual(["/events", "/events"]);
    expect(feed.network.requests[1]!.headers.get("last-event-id")).toBe("0");
    close();
  });

  test("by polling, while the stream is refused, and by the stream once it is back, nothing twice and nothing never", async () => {
    const feed = new Feed();
    const { heard, states, close } = tabOf(feed);
    await seconds(0);
    feed.happens("c1");
    await seconds(0);
    feed.breaks("refused");
    feed.happens("c2");
    await seconds(2);
    expect(states).toEqual(["up", "down"]);
    await seconds(20);
    expect(heard).toEqual(["begin", "ready", "c1", "c2"]);
    feed.happens("c3");
    await seconds(20);
    expect(heard.at(-1)).toBe("c3");
    feed.mode = "up";
    await seconds(31);
    expect(states).toEqual(["up", "down", "up"]);
    feed.happens("c4");
    await seconds(1);
    expect(heard.filter((one) => one.startsWith("c"))).toEqual(["c1", "c2", "c3", "c4"]);
    const polled = feed.network.of("GET", "/changes").length;
    feed.beats();
    await seconds(25);
    expect(feed.network.of("GET", "/changes")).toHaveLength(polled);
    close();
  });

  test("nothing twice from a stream that comes back by itself at a place that polling has passed", async () => {
    const feed = new Feed();
    const { heard, states, close } = tabOf(feed);
    await seconds(0);
    feed.breaks("busy");
    feed.happens("c1");
    await seconds(40);
    expect(states).toEqual(["up", "down"]);
    expect(heard.at(-1)).toBe("c1");
    feed.mode = "up";
    await seconds(31);
    feed.happens("c2");
    await seconds(1);
    expect(states).toEqual(["up", "down", "up"]);
    expect(heard.filter((one) => one.startsWith("c"))).toEqual(["c1", "c2"]);
    close();
  });

  test("by polling, when the stream is silent for half a minute", async () => {
    const feed = new Feed();
    const { states, close } = tabOf(feed);
    await seconds(0);
    feed.network.answer = () => new Promise<Response>(() => undefined);
    await seconds(29);
    expect(states).toEqual(["up"]);
    await seconds(4);
    expect(states).toEqual(["up", "down"]);
    expect(feed.network.of("GET", "/changes")).toHaveLength(1);
    close();
  });

  test("again at once when the connection is back", async () => {
    const feed = new Feed();
    const { states, heard, page, close } = tabOf(feed);
    await seconds(0);
    feed.breaks("lost");
    // By now the client waits for half a minute.
    await seconds(120);
    expect(states).toEqual(["up", "down"]);
    feed.happens("c1");
    feed.mode = "up";
    page.connect(true);
    await seconds(0);
    expect(states).toEqual(["up", "down", "up"]);
    expect(heard.at(-1)).toBe("c1");
    close();
  });

  test("that it has missed something, if the server has forgotten its place, and then what happens from now on", async () => {
    const feed = new Feed();
    const { heard, states, close } = tabOf(feed);
    await seconds(0);
    feed.happens("c1");
    await seconds(0);
    feed.breaks("up");
    feed.happens("c2");
    feed.forgottenBefore = 2;
    await seconds(1);
    expect(heard.slice(0, 4)).toEqual(["begin", "ready", "c1", "reset"]);
    expect(states.at(-1)).toBe("up");
    feed.happens("c3");
    await seconds(1);
    expect(heard.at(-1)).toBe("c3");
    expect(heard).not.toContain("c2");
    close();
  });
});

describe("of several tabs", () => {
  test("one has the stream, and the others hear by it and know its state", async () => {
    const feed = new Feed();
    const browser = new Browser();
    const first = tabOf(feed, browser);
    await seconds(0);
    const second = tabOf(feed, browser);
    await seconds(0);
    expect([first, second].map(({ hearing }) => hearing.isLeading())).toEqual([true, false]);
    expect(second.hearing.state()).toBe("up");
    feed.happens("c1");
    await seconds(0);
    expect(second.heard).toEqual(["c1"]);
    feed.breaks("refused");
    await seconds(2);
    expect(second.states).toEqual(["up", "down"]);
    expect(feed.network.of("GET", "/events").length).toBeGreaterThan(0);
    first.close();
    second.close();
  });

  test("the next one takes over from one that was closed, and continues behind what it has heard", async () => {
    const feed = new Feed();
    const browser = new Browser();
    const first = tabOf(feed, browser);
    await seconds(0);
    const second = tabOf(feed, browser);
    feed.happens("c1");
    await seconds(0);
    first.close();
    feed.happens("c2");
    await seconds(1);
    expect(second.hearing.isLeading()).toBe(true);
    feed.happens("c3");
    await seconds(0);
    expect(second.heard.filter((one) => one.startsWith("c"))).toEqual(["c1", "c2", "c3"]);
    expect(second.heard).not.toContain("begin");
    expect(feed.network.of("GET", "/events").at(-1)!.headers.get("last-event-id")).toBe("1");
    expect(first.heard).toEqual(["begin", "ready", "c1"]);
    second.close();
  });
});

describe("a run that is paced", () => {
  const pace = { burst: 2, workingMs: 10_000, idleMs: 40_000 };

  test("runs at once, no more often than allowed, and once for all calls that had to wait", () => {
    let runs = 0;
    const call = paced(() => runs++, pace, { page: new TestPage(), isIdle: () => false });
    for (let i = 0; i < 5; i++) call();
    expect(runs).toBe(2);
    vi.advanceTimersByTime(9_999);
    expect(runs).toBe(2);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(3);
    vi.advanceTimersByTime(60_000);
    expect(runs).toBe(3);
    for (let i = 0; i < 5; i++) call();
    expect(runs).toBe(5);
  });

  test("runs less often while nobody touches the page", () => {
    let runs = 0;
    const call = paced(() => runs++, pace, { page: new TestPage(), isIdle: () => true });
    for (let i = 0; i < 3; i++) call();
    vi.advanceTimersByTime(39_999);
    expect(runs).toBe(2);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(3);
  });

  test("waits in the background until the page is in front again", () => {
    let runs = 0;
    const page = new TestPage();
    const call = paced(() => runs++, pace, { page, isIdle: () => false });
    page.show(false);
    for (let i = 0; i < 3; i++) call();
    vi.advanceTimersByTime(60_000);
    expect(runs).toBe(0);
    page.show(true);
    expect(runs).toBe(1);
  });
});
