import { once } from "node:events";
import { afterAll, expect, test as one, vi } from "vitest";
import {
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  Parley,
  ParleyError,
  RateLimitedError,
  TimeoutError,
  UnauthenticatedError,
} from "../../../sdk/src/index.js";
import { half, hang, json, ok, reset, Scripted, stream } from "./support.js";
import { eventually } from "../../support/eventually.js";

// Servers that fail in the ways that servers and networks do.

/** Most of a test's time is the wait between two attempts. */
const test = one.concurrent;

/** Every timer that is set, by the client or anybody else. */
const timers = vi.spyOn(globalThis, "setTimeout");

const open: Scripted[] = [];
afterAll(async () => {
  timers.mockRestore();
  await Promise.all(open.map((server) => server.close()));
});
async function scripted(...turns: Parameters<typeof Scripted.start>): Promise<Scripted> {
  const server = await Scripted.start(...turns);
  open.push(server);
  return server;
}
const connect = ({ baseUrl }: Scripted, options: Partial<ConstructorParameters<typeof Parley>[0]> = {}): Parley =>
  new Parley({ baseUrl, apiKey: "svc_live_v1_key", ...options });
const ID = "01a2064a-6dc2-715b-bac0-1839970bcd3c";
const failure = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error,
  );

test.each([
  ["is reset", reset],
  ["breaks off in the answer", half],
  ["answers 500", json(500, { error: "Internal Server Error" })],
  ["answers 503", json(503, { error: "A dependency is down" })],
])("a reply whose connection %s is sent again, with the same key and body", async (_, failing) => {
  const server = await scripted(failing, failing, json(200, { ok: true, messageId: ID }));
  await connect(server).conversations.reply(ID, { body: "On its way." });
  expect(server.arrived.map(({ body }) => body)).toEqual(Array(3).fill('{"body":"On its way."}'));
  const keys = server.arrived.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
});

test("two replies have two keys, and your own key is used as it is", async () => {
  const server = await scripted(ok);
  const parley = connect(server);
  await parley.conversations.reply(ID, { body: "One" });
  await parley.conversations.reply(ID, { body: "Two" });
  await parley.conversations.reply(ID, { body: "Three" }, { idempotencyKey: "mine" });
  const [first, second, third] = server.arrived.map(({ headers }) => headers["idempotency-key"]);
  expect(first).not.toBe(second);
  expect(third).toBe("mine");
});

test("after two retries the failure is yours, with its status, request id and number of attempts", async () => {
  const server = await scripted(json(503, { error: "The database is down" }, { "x-request-id": "req-1" }));
  const error = await failure(connect(server).conversations.get(ID));
  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject({ status: 503, message: "The database is down", requestId: "req-1", attempts: 3 });
  expect(server.arrived).toHaveLength(3);
});

test("maxRetries: 0 sends once", async () => {
  const server = await scripted(reset);
  expect(await failure(connect(server, { maxRetries: 0 }).conversations.get(ID))).toBeInstanceOf(ConnectionError);
  expect(server.arrived).toHaveLength(1);
});

test("what may have happened and would happen twice is not sent again", async () => {
  const server = await scripted(reset);
  const parley = connect(server);
  expect(await failure(parley.auth.login({ email: "a@example.com", password: "x" }))).toBeInstanceOf(ConnectionError);
  expect(await failure(parley.conversations.update(ID, { subject: "Hello" }))).toBeInstanceOf(ConnectionError);
  expect(server.arrived.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
});

test("a 429 is repeated for every method, since it comes before everything else", async () => {
  const server = await scripted(json(429, { error: "Too many requests" }), ok);
  await connect(server).conversations.update(ID, { subject: "Hello" });
  expect(server.arrived).toHaveLength(2);
});

test.each([
  ["seconds", () => "1"],
  ["a date", () => new Date(Date.now() + 2_000).toUTCString()],
])("Retry-After in %s is waited for", async (_, after) => {
  // Counted from the answer, however late the machine gives it.
  const slowDown: typeof hang = (...turn) => json(429, { error: "Slow down" }, { "retry-after": after() })(...turn);
  const server = await scripted(slowDown, ok);
  await connect(server).conversations.get(ID);
  const [first, second] = server.arrived.map(({ at }) => at);
  // A date has whole seconds.
  expect(second! - first!).toBeGreaterThan(900);
});

test("a Retry-After of more than a minute is not waited for", async () => {
  const server = await scripted(json(429, { error: "Come back later" }, { "retry-after": "3600" }));
  const error = await failure(connect(server).conversations.get(ID));
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toMatchObject({ retryAfterMs: 3_600_000, attempts: 1 });
});

test("a timeout ends one attempt, and the next may succeed", async () => {
  const server = await scripted(hang, ok);
  await connect(server, { timeoutMs: 3_000 }).conversations.get(ID);
  expect(server.arrived).toHaveLength(2);
  const silent = await scripted(hang);
  const error = await failure(connect(silent).conversations.get(ID, { timeoutMs: 50 }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ attempts: 3, status: undefined });
});

test("a timeout covers the whole answer", async () => {
  const server = await scripted((_, response) => void response.writeHead(200).write("{"));
  expect(await failure(connect(server, { maxRetries: 0, timeoutMs: 200 }).conversations.get(ID))).toBeInstanceOf(
    TimeoutError,
  );
});

test("an abort ends a call and the wait before a retry, with the reason of the signal", async () => {
  const reason = new Error("we are closing");
  const isAsked = ({ arrived }: Scripted) => arrived.length === 1;
  // No other wait in this file is that long.
  const waits = () => timers.mock.calls.some(([, ms]) => ms === 31_000);
  for (const [turn, isTime] of [
    [hang, isAsked],
    [json(429, { error: "Slow down" }, { "retry-after": "31" }), waits],
  ] as const) {
    const server = await scripted(turn);
    const abort = new AbortController();
    const ended = failure(connect(server).conversations.get(ID, { signal: abort.signal }));
    await eventually(() => expect(isTime(server)).toBe(true));
    abort.abort(reason);
    expect(await ended).toBe(reason);
    expect(server.arrived).toHaveLength(1);
  }
  const server = await scripted(ok);
  expect(await failure(connect(server).conversations.get(ID, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(server.arrived).toHaveLength(0);
});

test("the first attempt may still be running under the key: its 409 is repeated, another 409 is not", async () => {
  const running = json(409, { error: "The first request with this Idempotency-Key is still running; try again" });
  const server = await scripted(reset, running, ok);
  await connect(server).conversations.reply(ID, { body: "Hello" });
  expect(server.arrived).toHaveLength(3);
  const other = await scripted(json(409, { error: "The workspace is archived" }));
  expect(await failure(connect(other).conversations.reply(ID, { body: "Hello" }))).toBeInstanceOf(ConflictError);
  expect(other.arrived).toHaveLength(1);
});

test.each([
  [400, InvalidError],
  [401, UnauthenticatedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, CursorExpiredError],
  [413, InvalidError],
  [415, InvalidError],
  [422, InvalidError],
])("%s has an error of its own, and is not repeated", async (status, type) => {
  const server = await scripted(json(status, { error: "A sentence" }));
  const error = await failure(connect(server).conversations.get(ID));
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ name: type.name, status, message: "A sentence" });
  expect(server.arrived).toHaveLength(1);
});

test("an answer of something that is no Parley is an error that says so", async () => {
  const server = await scripted((_, response) => void response.writeHead(200).end("<html>"));
  expect(await failure(connect(server).conversations.get(ID))).toMatchObject({
    message: expect.stringContaining("not JSON"),
    status: 200,
  });
  const proxy = await scripted((_, response) => void response.writeHead(404).end("<html>"));
  expect(await failure(connect(proxy).conversations.get(ID))).toMatchObject({
    message: "The server answered 404 Not Found",
  });
});

test("a redirect is not followed, since it would turn a POST into a GET", async () => {
  const target = await scripted(ok);
  const server = await scripted((_, response) => void response.writeHead(301, { location: target.baseUrl }).end());
  expect(await failure(connect(server).conversations.reply(ID, { body: "Hello" }))).toMatchObject({
    message: expect.stringContaining("baseUrl"),
  });
  expect(target.arrived).toHaveLength(0);
});

test("an expired token is renewed once, and the request is sent again", async () => {
  const server = await scripted(json(401, { error: "Unauthorized" }), ok);
  const asked: (string | undefined)[] = [];
  const getToken = (refused?: string): Promise<string> => {
    asked.push(refused);
    return Promise.resolve(refused ? "fresh" : "stale");
  };
  await connect(server, { apiKey: undefined, getToken }).auth.reauthenticate({ password: "x" });
  expect(asked).toEqual([undefined, "stale"]);
  expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual(["Bearer stale", "Bearer fresh"]);

  const refusing = await scripted(json(401, { error: "Unauthorized" }));
  const parley = connect(refusing, { apiKey: undefined, getToken });
  expect(await failure(parley.conversations.get(ID))).toBeInstanceOf(UnauthenticatedError);
  expect(refusing.arrived).toHaveLength(2);
  const same = connect(refusing, { apiKey: undefined, getToken: () => "stale" });
  await failure(same.conversations.get(ID));
  expect(refusing.arrived, "the same token is not tried again").toHaveLength(3);
});

test("an error of getToken is yours, unchanged", async () => {
  const server = await scripted(ok);
  const reason = new TypeError("signed out");
  const getToken = (): never => {
    throw reason;
  };
  expect(await failure(connect(server, { apiKey: undefined, getToken }).conversations.get(ID))).toBe(reason);
});

test("a getToken that does not come to an end is waited for no longer than a call may take, or until its signal is aborted", async () => {
  const server = await scripted(json(401, { error: "Unauthorized" }));
  const never = (): Promise<string> => new Promise(() => undefined);
  for (const getToken of [never, (refused?: string) => (refused === undefined ? "stale" : never())]) {
    const parley = connect(server, { apiKey: undefined, getToken, maxRetries: 0 });
    expect(await failure(parley.conversations.get(ID, { timeoutMs: 50 }))).toBeInstanceOf(TimeoutError);
    const end = new AbortController();
    const call = failure(parley.conversations.get(ID, { signal: end.signal }));
    const reason = new Error("The page was left");
    end.abort(reason);
    expect(await call).toBe(reason);
  }
});

test("public operations send no credential, so that getToken can use the client to sign in", async () => {
  const server = await scripted(ok);
  await connect(server).auth.login({ email: "a@example.com", password: "x" });
  expect(server.arrived[0]!.headers.authorization).toBeUndefined();
});

test("no error repeats the credential", () => {
  const attempt = (): Parley => new Parley({ baseUrl: "http://127.0.0.1:1", apiKey: "secret\nkey" });
  expect(attempt).toThrow("characters");
  expect(attempt).not.toThrow("secret");
});

test("an id that would lead elsewhere sends nothing", async () => {
  const server = await scripted(ok);
  const parley = connect(server);
  for (const id of ["..", ".", "", undefined as unknown as string])
    expect(await failure(parley.contacts.unlinkAccount(id))).toBeInstanceOf(TypeError);
  expect(server.arrived).toHaveLength(0);
  await parley.conversations.get("../me?x#y");
  expect(server.arrived[0]!.url).toBe("/api/conversations/..%2Fme%3Fx%23y");
});

test("a list stops at a server that answers the same page for ever", async () => {
  const server = await scripted(json(200, { data: [{ id: ID }], nextCursor: "same" }));
  const all = async (): Promise<void> => {
    for await (const conversation of connect(server).conversations.list()) expect(conversation.id).toBe(ID);
  };
  await expect(all()).rejects.toThrow("same page");
  expect(server.arrived).toHaveLength(2);
});

const page = (cursor: string, ids: string[] = [], hasMore = false, etag = `"${cursor}"`) =>
  json(200, { data: ids.map((id) => ({ cursor: id, type: "conversation.updated" })), cursor, hasMore }, { etag });

test("the feed is followed over outages, asks with the ETag while nothing changes, and tells each position once", async () => {
  const server = await scripted(
    page("c2", ["c1", "c2"], true),
    reset,
    json(503, { error: "Down" }, { "retry-after": "0" }),
    page("c2"),
    json(304, undefined),
    page("c3", ["c3"]),
  );
  const parley = connect(server, { maxRetries: 0 });
  const cursors: string[] = [];
  const seen: string[] = [];
  for await (const change of parley.changes.follow({
    after: "c0",
    intervalMs: 20,
    onCursor: (c) => void cursors.push(c),
  })) {
    seen.push(change.cursor);
    if (change.cursor === "c3") break;
  }
  expect(seen).toEqual(["c1", "c2", "c3"]);
  expect(cursors, "c3 was not finished").toEqual(["c2"]);
  expect(server.arrived.map(({ url, headers }) => [url.split("?")[1], headers["if-none-match"]])).toEqual([
    ["after=c0", undefined],
    ["after=c2", undefined],
    ["after=c2", undefined],
    ["after=c2", undefined],
    ["after=c2", '"c2"'],
    ["after=c2", '"c2"'],
  ]);
});

// By itself, since it looks at all timers.
one("while nothing changes, the feed is asked less and less often, down to half as often", async () => {
  const server = await scripted(page("c1"), json(304, undefined));
  const abort = new AbortController();
  const reason = new Error("enough");
  timers.mockClear();
  const following = connect(server).changes.follow({ after: "c1", intervalMs: 100, signal: abort.signal }).next();
  const ended = failure(following);
  // Not expect.poll(): Vitest allows it in concurrent tests only with an expect of their own.
  await eventually(() => expect(server.arrived.length).toBeGreaterThanOrEqual(9));
  abort.abort(reason);
  expect(await ended).toBe(reason);
  const waits = timers.mock.calls.map(([, ms]) => ms!).filter((ms) => ms >= 90 && ms <= 200);
  const most = [100, 125, 150, 175, 200, 200, 200, 200];
  // A tenth is left to chance.
  expect(waits.slice(0, 8).map((ms, i) => ms <= most[i]! && ms >= 0.9 * most[i]!)).toEqual(most.map(() => true));
  const passed = server.arrived.slice(1).map(({ at }, i) => at - server.arrived[i]!.at);
  for (const [i, ms] of passed.entries()) expect(ms).toBeGreaterThan(waits[i]! - 5);
});

test("a feed that no longer has the position ends with an error that says what to do", async () => {
  const server = await scripted(json(410, { error: "Read the resources again, and continue with a new cursor" }));
  const error = await failure(connect(server).changes.follow({ after: "old" }).next());
  expect(error).toBeInstanceOf(CursorExpiredError);
  expect(error).toMatchObject({ message: expect.stringContaining("Read the resources again") });
});

const event = (id: string, type = "message.created"): string => `id: ${id}\nevent: ${type}\ndata: {"sequence":1}\n\n`;

test("a stream that ends or falls silent is opened again behind the last event, with a new token if the old one ran out", async () => {
  const server = await scripted(
    stream([event("e1", "ready"), event("e2")], { ends: true }),
    stream([": heartbeat\n\n", "event: typing\ndata: {}\n\n", event("e3")]),
    json(401, { error: "Unauthorized" }),
    stream([event("e4")]),
  );
  const getToken = (refused?: string): string => (refused === undefined ? "token" : "fresh");
  const parley = connect(server, { apiKey: undefined, getToken });
  const heard: [string | undefined, string][] = [];
  for await (const { id, type } of parley.events.stream({ lastEventId: "e0", heartbeatMs: 3_000 })) {
    heard.push([id, type]);
    if (id === "e4") break;
  }
  expect(heard).toEqual([
    ["e1", "ready"],
    ["e2", "message.created"],
    [undefined, "typing"],
    ["e3", "message.created"],
    ["e4", "message.created"],
  ]);
  expect(server.arrived.map(({ headers }) => [headers["last-event-id"], headers.authorization])).toEqual([
    ["e0", "Bearer token"],
    ["e2", "Bearer token"],
    ["e3", "Bearer token"],
    ["e3", "Bearer fresh"],
  ]);
});

test("a server that ends each stream at once is asked less and less often", async () => {
  const server = await scripted(stream([event("e1", "ready")], { ends: true }));
  for await (const { type } of connect(server).events.stream()) {
    expect(type).toBe("ready");
    if (server.arrived.length === 4) break;
  }
  const [, , third, fourth] = server.arrived.map(({ at }) => at);
  expect(fourth! - third!).toBeGreaterThan(950);
});

test("heartbeats keep a stream open, and so does an event that takes long to process", async () => {
  const server = await scripted((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event("e1"));
    const beats = setInterval(() => response.write(": heartbeat\n\n"), 50);
    setTimeout(() => response.write(event("e2")), 6_000);
    response.on("close", () => clearInterval(beats));
  });
  for await (const { id } of connect(server).events.stream({ heartbeatMs: 2_000 })) {
    if (id === "e2") break;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
  expect(server.arrived).toHaveLength(1);
});

test("an error has the code and the detail of the answer", async () => {
  const server = await scripted((_, response) => {
    response.writeHead(403, { "x-error-code": "scope-missing", "x-error-detail": "needs contacts:read" });
    response.end('{"error":"Forbidden"}');
  });
  expect(await failure(connect(server).me.get())).toMatchObject({
    status: 403,
    message: "Forbidden",
    code: "scope-missing",
    detail: "needs contacts:read",
  });
});

test("a stream that is refused for good, or sends nonsense, ends", async () => {
  const server = await scripted(json(403, { error: "Forbidden" }));
  expect(await failure(connect(server).events.stream().next())).toBeInstanceOf(ForbiddenError);
  const gone = await scripted(json(410, { error: "Begin again" }));
  expect(await failure(connect(gone).events.stream({ lastEventId: "old" }).next())).toBeInstanceOf(CursorExpiredError);
  const flood = await scripted((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let i = 0; i < 40; i++) response.write("x".repeat(65_536));
  });
  expect(await failure(connect(flood).events.stream().next())).toMatchObject({
    message: expect.stringContaining("too long"),
  });
  expect(flood.arrived).toHaveLength(1);
});

test("an abort ends a stream at once, and its connection", async () => {
  let connectionClosed: Promise<unknown> | undefined;
  const server = await scripted((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event("e1"));
    connectionClosed = once(response, "close");
  });
  const abort = new AbortController();
  const events = connect(server).events.stream({ signal: abort.signal });
  await events.next();
  const reason = new Error("we are closing");
  setTimeout(() => abort.abort(reason), 50);
  expect(await failure(events.next())).toBe(reason);
  await connectionClosed;
});
