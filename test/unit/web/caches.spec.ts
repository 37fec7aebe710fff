import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Contact, Conversation, Message } from "../../../web/src/api/parley.js";
import { newQueryClient } from "../../../web/src/api/query-client.js";
import { fits, newestOf, readAgain } from "../../../web/src/api/lists.js";
import type { Thread } from "../../../web/src/api/queries.js";
import { type Filter, forMember, type SavedView, viewFilter, VIEWS } from "../../../web/src/api/views.js";
import { type After, backFrom, stepsOf, stepWith } from "../../../web/src/features/steps/steps.js";
import { arrange } from "../../../web/src/features/inbox/rows.js";
import { applyEvents } from "../../../web/src/live/apply.js";
import type { Heard } from "../../../web/src/live/heard.js";
import { TestPage } from "./support.js";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-05-04T12:00:00.000Z") }));
afterEach(() => void vi.useRealTimers());

const minute = (count: number): string =>
  new Date(Date.parse("2026-05-04T10:00:00.000Z") + count * 60_000).toISOString();
const conversation = (id: string, at: number, part: Partial<Conversation> = {}): Conversation =>
  ({
    id,
    status: "open",
    assigneeId: null,
    handlingMode: "human",
    channelType: "email",
    workspaceId: "w1",
    contactId: `contact of ${id}`,
    unreadCount: 0,
    labels: [],
    waitingSince: null,
    snoozedUntil: null,
    lastActivityAt: minute(at),
    updatedAt: minute(at),
    ...part,
  }) as Conversation;
const message = (sequence: number, part: Partial<Message> = {}): Message =>
  ({ id: `msg${sequence}`, sequence, body: `Text ${sequence}`, to: [], cc: [], ...part }) as Message;
interface Pages {
  pages: { data: Conversation[]; nextCursor?: string }[];
  pageParams: (string | undefined)[];
}

/** A page of m1 with what it has loaded, and how often each of it was read. */
function pageOf() {
  const client = newQueryClient();
  const reads: Record<string, number> = {};
  const answers = new Map<string, (value: unknown) => void>();
  /** Shows something, which has an answer. Each further read waits for one. */
  const show = async (queryKey: readonly string[], data: unknown, filter?: Filter): Promise<void> => {
    const name = queryKey.join(" ");
    client
      .getQueryCache()
      .build(client, {
        queryKey,
        meta: filter && { filter },
        queryFn: () => {
          reads[name] = (reads[name] ?? 0) + 1;
          return new Promise((resolve) => answers.set(name, resolve));
        },
      })
      .setData(data);
  };
  const list = (name: string, filter: Filter, pages: Conversation[][], hasMore = false): Promise<void> =>
    show(
      ["conversations", name],
      {
        pages: pages.map((data, i) => ({ data, ...((hasMore || i < pages.length - 1) && { nextCursor: `${i}` }) })),
        pageParams: pages.map((_, i) => (i === 0 ? undefined : `${i}`)),
      },
      filter,
    );
  const rows = (name: string): string[] =>
    client.getQueryData<Pages>(["conversations", name])!.pages.flatMap(({ data }) => data.map(({ id }) => id));
  const tell = applyEvents(client, "m1", { page: new TestPage(), isIdle: () => false });
  const event = (type: string, data: object): void => tell({ id: "1", type, data } as Heard);
  const updated = (now: Conversation, data: object = {}, type = "conversation.updated"): void =>
    event(type, { conversationId: now.id, resource: now, ...data });
  return { client, reads, answers, show, list, rows, tell, event, updated };
}
const OPEN: Filter = { status: ["open", "pending"] };

describe("which conversations a list has", () => {
  const row = conversation("c1", 1, { assigneeId: "m1", unreadCount: 2, labels: ["vip"], waitingSince: minute(1) });
  test.each<[Filter, boolean]>([
    [{}, true],
    [{ status: ["open"] }, true],
    [{ status: ["resolved"] }, false],
    [{ assigneeId: "m1" }, true],
    [{ assigneeId: "m2" }, false],
    [{ assigneeId: "none" }, false],
    [{ handlingMode: "human" }, true],
    [{ handlingMode: "assistant" }, false],
    [{ channelType: "sms" }, false],
    [{ workspaceId: "w2" }, false],
    [{ unread: true }, true],
    [{ unread: false }, false],
    [{ label: "vip" }, true],
    [{ label: "other" }, false],
    [{ sort: "waiting" }, true],
  ])("one with the filter %j has it: %s", (filter, expected) => {
    expect(fits(filter, row)).toBe(expected);
  });

  test("nobody's are those without an assignee, and nobody waits where an answer was given", () => {
    expect(fits({ assigneeId: "none" }, conversation("c1", 1))).toBe(true);
    expect(fits({ sort: "waiting" }, conversation("c1", 1))).toBe(false);
  });

  test("mine are those of whoever looks, also in a saved view", () => {
    const saved = { id: "v1", filter: { assigneeId: "me", label: "vip" }, sort: "waiting" } as unknown as SavedView;
    expect(forMember(viewFilter("mine"), "m1")).toEqual({ assigneeId: "m1", status: ["open", "pending"] });
    expect(forMember(viewFilter(saved), "m1")).toEqual({ assigneeId: "m1", label: "vip", sort: "waiting" });
    expect(forMember(viewFilter("all"), "m1")).toEqual({ status: ["open", "pending"] });
    expect(VIEWS.every((view) => viewFilter(view).status!.length > 0)).toBe(true);
  });
});

describe("an event about a conversation", () => {
  test("moves its row, changes what it says, or takes it out, without a request", async () => {
    const { list, rows, updated, client, reads } = pageOf();
    await list("all", OPEN, [[conversation("a", 3), conversation("b", 2), conversation("c", 1)]]);
    await list("resolved", { status: ["resolved"] }, [[]]);
    updated(conversation("c", 4));
    expect(rows("all")).toEqual(["c", "a", "b"]);
    updated({ ...conversation("a", 3), updatedAt: minute(5), labels: ["vip"] });
    expect(rows("all")).toEqual(["c", "a", "b"]);
    const [page] = client.getQueryData<Pages>(["conversations", "all"])!.pages;
    expect(page!.data[1]!.labels).toEqual(["vip"]);
    updated(conversation("a", 6, { status: "resolved" }));
    expect(rows("all")).toEqual(["c", "b"]);
    expect(rows("resolved")).toEqual(["a"]);
    updated(conversation("a", 7));
    expect([rows("all"), rows("resolved")]).toEqual([["a", "c", "b"], []]);
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toEqual({});
  });

  test("puts those who wait longest first where a list is sorted by that", async () => {
    const { list, rows, updated } = pageOf();
    const waiting = (id: string, at: number): Conversation => conversation(id, 9, { waitingSince: minute(at) });
    await list("waiting", { ...OPEN, sort: "waiting" }, [[waiting("a", 1), waiting("b", 3)]]);
    updated({ ...waiting("c", 2), updatedAt: minute(10) });
    expect(rows("waiting")).toEqual(["a", "c", "b"]);
    updated({ ...waiting("a", 1), waitingSince: null, updatedAt: minute(10) });
    expect(rows("waiting")).toEqual(["c", "b"]);
  });

  test("that is older than the row changes nothing", async () => {
    const { list, rows, updated } = pageOf();
    await list("all", OPEN, [[conversation("a", 3), conversation("b", 2)]]);
    updated(conversation("a", 1, { status: "resolved" }));
    expect(rows("all")).toEqual(["a", "b"]);
  });

  test("does not put a row behind the last one that is loaded, unless the list ends there", async () => {
    const { list, rows, updated, client } = pageOf();
    await list("all", OPEN, [[conversation("a", 9)], [conversation("b", 8)]], true);
    const [first] = client.getQueryData<Pages>(["conversations", "all"])!.pages;
    updated(conversation("z", 1));
    expect(rows("all")).toEqual(["a", "b"]);
    updated(conversation("m", 8.5));
    expect(rows("all")).toEqual(["a", "m", "b"]);
    // A page that nothing has changed is the same object, so that React draws nothing of it again.
    expect(client.getQueryData<Pages>(["conversations", "all"])!.pages[0]).toBe(first);
    await list("short", OPEN, [[conversation("a", 9)]]);
    updated(conversation("y", 2));
    expect(rows("short")).toEqual(["a", "y"]);
  });

  test("takes out one that is gone, and what left the list is known as it is now", async () => {
    const { list, rows, updated, event } = pageOf();
    const row = conversation("left", 3);
    await list("all", OPEN, [[row, conversation("b", 2)]]);
    const now = conversation("left", 4, { status: "resolved" });
    updated(now);
    expect(newestOf(row)).toBe(now);
    event("conversation.deleted", { conversationId: "b", resource: null });
    expect(rows("all")).toEqual([]);
  });

  test("changes the open conversation, unless that is newer, and the contact that the event brings", async () => {
    const { client, show, updated } = pageOf();
    await show(["conversation", "a"], conversation("a", 3));
    updated(conversation("a", 2, { status: "resolved" }));
    expect(client.getQueryData<Conversation>(["conversation", "a"])!.status).toBe("open");
    updated(conversation("a", 4, { status: "resolved" }), { contact: { id: "contact of a", name: "Ann" } });
    expect(client.getQueryData<Conversation>(["conversation", "a"])!.status).toBe("resolved");
    expect(client.getQueryData<Contact>(["contact", "contact of a"])!.name).toBe("Ann");
  });

  test("changes the counts of the views that it enters and leaves, but none that counts no further, and none below zero", async () => {
    const { client, show, updated } = pageOf();
    const of = (count: number, more = false) => ({ count, more });
    const counts = {
      mine: of(0),
      unassigned: of(5),
      waiting: of(2),
      open: of(99, true),
      snoozed: of(1),
      resolved: of(7),
    };
    await show(["counts"], counts);
    const before = conversation("a", 1, { waitingSince: minute(1) });
    await show(["conversation", "a"], before);
    updated(conversation("a", 2, { assigneeId: "m1", waitingSince: null }));
    const now = { ...counts, mine: of(1), unassigned: of(4), waiting: of(1) };
    expect(client.getQueryData(["counts"])).toEqual(now);
    updated(conversation("a", 3, { assigneeId: "m1", status: "snoozed" }));
    expect(client.getQueryData(["counts"])).toEqual({ ...now, mine: of(0), snoozed: of(2) });
    updated(conversation("new", 4, { assigneeId: "m1" }), {}, "conversation.created");
    expect(client.getQueryData(["counts"])).toMatchObject({ mine: of(1), open: of(99, true) });
    await show(["conversation", "b"], conversation("b", 1, { status: "snoozed" }));
    client.setQueryData(["counts"], { ...counts, snoozed: of(0), open: of(5) });
    updated(conversation("newer", 5), {}, "conversation.created");
    expect(client.getQueryData(["counts"])).toMatchObject({ open: of(6) });
    updated(conversation("b", 2, { status: "resolved" }));
    expect(client.getQueryData(["counts"])).toMatchObject({ snoozed: of(0), resolved: of(8) });
  });
});

describe("other events", () => {
  test("add a message behind the last one, change one that is there, and read the thread again where something is missing", async () => {
    const { client, show, event, reads } = pageOf();
    const thread = (): Message[] => client.getQueryData<Thread>(["thread", "c1"])!.messages;
    await show(["thread", "c1"], { messages: [message(1), message(2)], earlier: undefined });
    event("message.created", { conversationId: "c1", resource: message(3) });
    expect(thread().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    event("message.updated", { conversationId: "c1", resource: message(2, { deliveryStatus: "delivered" }) });
    expect(thread()[1]!.deliveryStatus).toBe("delivered");
    // Before what is loaded: it is seen when that is.
    event("message.updated", { conversationId: "c1", resource: message(0) });
    event("message.created", { conversationId: "c2", resource: message(9) });
    expect(client.getQueryState(["thread", "c1"])!.isInvalidated).toBe(false);
    event("message.created", { conversationId: "c1", resource: message(5) });
    expect(thread().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(client.getQueryState(["thread", "c1"])!.isInvalidated).toBe(true);
    expect(reads).toEqual({});
  });

  test("change a contact where it is loaded, unless that is newer", async () => {
    const { client, show, event } = pageOf();
    const ann = { id: "p1", name: "Ann", updatedAt: minute(2) };
    await show(["contact", "p1"], ann);
    await show(["contacts", "all"], { pages: [{ data: [ann, { id: "p2" }] }], pageParams: [undefined] });
    event("contact.updated", { contactId: "p1", resource: { ...ann, name: "Old", updatedAt: minute(1) } });
    expect(client.getQueryData(["contact", "p1"])).toEqual(ann);
    const now = { ...ann, name: "Ann Lee", updatedAt: minute(3) };
    event("contact.updated", { contactId: "p1", resource: now });
    expect(client.getQueryData(["contact", "p1"])).toEqual(now);
    expect(client.getQueryData(["contacts", "all"])).toMatchObject({ pages: [{ data: [now, { id: "p2" }] }] });
    event("contact.deleted", { contactId: "p1", resource: null });
    expect(client.getQueryState(["contact", "p1"])!.isInvalidated).toBe(true);
  });

  test("say who looks at a conversation, for as long as they do", async () => {
    const { client, show, event } = pageOf();
    await show(["members"], new Map([["m2", { id: "m2", name: "Bo" }]]));
    await show(["viewers", "c1"], []);
    const viewing = (state: string, until: string | null): void =>
      event("viewing.changed", { conversationId: "c1", memberId: "m2", state, until });
    viewing("typing", minute(121));
    expect(client.getQueryData(["viewers", "c1"])).toEqual([
      { memberId: "m2", name: "Bo", state: "typing", until: minute(121) },
    ]);
    viewing("left", null);
    expect(client.getQueryData(["viewers", "c1"])).toEqual([]);
  });

  test.each([
    ["attention_item.created", {}, ["attention"]],
    ["pending_action.updated", {}, ["pending-actions"]],
    ["kb_entry.updated", {}, ["knowledge"]],
    ["policy_entry.updated", {}, ["policies"]],
    ["presence.changed", {}, ["members"]],
    ["identity_event.created", { conversationId: "c1" }, ["identity-events c1", "assurance c1"]],
  ])("%s reads again what it is about, once however many come", async (type, data, expected) => {
    const { client, show, event } = pageOf();
    const keys = ["attention", "pending-actions", "knowledge", "policies", "members"].map((name) => [name]);
    keys.push(["identity-events", "c1"], ["assurance", "c1"], ["identity-events", "c2"]);
    for (const key of keys) await show(key, []);
    let again = 0;
    const invalidate = client.invalidateQueries.bind(client);
    client.invalidateQueries = (...args) => {
      again++;
      return invalidate(...args);
    };
    for (let i = 0; i < 100; i++) event(type, data);
    await vi.advanceTimersByTimeAsync(0);
    expect(keys.map((key) => key.join(" ")).filter((_, i) => client.getQueryState(keys[i]!)!.isInvalidated)).toEqual(
      expected,
    );
    expect(again).toBe(expected.length);
  });
});

describe("an answer that comes after an event", () => {
  test("that it did not know of yet gets what the event told", async () => {
    const { client, list, rows, updated, answers, show, event } = pageOf();
    await list("all", OPEN, [[conversation("a", 1)]]);
    await show(["thread", "c1"], { messages: [message(1)], earlier: undefined });
    const queries = [
      ["conversations", "all"],
      ["thread", "c1"],
    ].map((queryKey) => client.getQueryCache().find({ queryKey })!);
    vi.advanceTimersByTime(5);
    for (const query of queries) void query.fetch();
    await vi.advanceTimersByTimeAsync(5);
    updated(conversation("a", 3, { status: "resolved" }));
    updated(conversation("b", 4));
    event("message.created", { conversationId: "c1", resource: message(2) });
    // Both were written before the events.
    answers.get("conversations all")!({ pages: [{ data: [conversation("a", 2)] }], pageParams: [undefined] });
    answers.get("thread c1")!({ messages: [message(1)], earlier: undefined });
    await vi.advanceTimersByTimeAsync(0);
    expect(rows("all")).toEqual(["b"]);
    expect(client.getQueryData<Thread>(["thread", "c1"])!.messages).toHaveLength(2);
  });

  test("that was asked for after it stays as it is", async () => {
    const { client, list, rows, updated, answers, show } = pageOf();
    await list("all", OPEN, [[conversation("a", 1)]]);
    await show(["attention"], []);
    const [all, other] = [["conversations", "all"], ["attention"]].map((queryKey) =>
      client.getQueryCache().find({ queryKey })!,
    );
    void other!.fetch();
    vi.advanceTimersByTime(5);
    updated(conversation("b", 2));
    vi.advanceTimersByTime(5);
    void all!.fetch();
    await vi.advanceTimersByTimeAsync(5);
    answers.get("conversations all")!({ pages: [{ data: [conversation("a", 3)] }], pageParams: [undefined] });
    await vi.advanceTimersByTimeAsync(0);
    expect(rows("all")).toEqual(["a"]);
  });

  test("from before the begin is read again, and after missed events everything is; of long lists the first pages", async () => {
    const { client, list, tell, show } = pageOf();
    const invalidated = (...queryKey: string[]): boolean => client.getQueryState(queryKey)!.isInvalidated;
    await list("all", OPEN, [[conversation("a", 4)], [conversation("b", 3)], [conversation("c", 2)]]);
    await show(["labels"], []);
    tell({ type: "begin", data: {} });
    expect([invalidated("conversations", "all"), invalidated("labels")]).toEqual([true, false]);
    tell({ type: "reset", data: {} });
    expect(invalidated("labels")).toBe(true);
    expect(client.getQueryData<Pages>(["conversations", "all"])).toMatchObject({
      pages: [{ data: [{ id: "a" }] }, { data: [{ id: "b" }] }],
      pageParams: [undefined, "1"],
    });
    readAgain(client);
    expect(client.getQueryData<Pages>(["conversations", "all"])!.pages).toHaveLength(2);
  });
});

describe("rows that somebody points at", () => {
  const page = (...rows: Conversation[]) => ({ data: rows });
  const [a, b, c] = [conversation("held a", 3), conversation("held b", 2), conversation("held c", 9)];

  test("keep their places with what they say now, and what is new waits", () => {
    const held = [page(a, b)];
    const now = { ...b, labels: ["vip"] };
    const latest = [c, now, a];
    expect(arrange(held, [page(...latest)], latest)).toEqual({ rows: [a, now], waiting: 1 });
    expect(arrange(undefined, [page(...latest)], latest)).toEqual({ rows: latest, waiting: 0 });
  });

  test("are shown as they are while nothing but their end is new", () => {
    const first = page(a, b);
    const latest = [a, b, conversation("held d", 1)];
    expect(arrange([first], [first, page(latest[2]!)], latest).rows).toBe(latest);
    const changed = [{ ...a, labels: ["vip"] }, b];
    expect(arrange([first], [page(...changed)], changed).rows).toBe(changed);
  });
});

describe("what takes a step back", () => {
  const server = (done: unknown[]) =>
    new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...args: unknown[]) =>
            Promise.resolve(done.push([name, ...args])),
      },
    ) as Parameters<ReturnType<ReturnType<typeof stepsOf>["resolve"]>["run"]>[0];
  const before = conversation("a", 1, { assigneeId: "m2", labels: ["old", "kept"] });
  const pending: Conversation = { ...before, status: "pending" };
  const until = minute(500);

  test.each<
    [
      string,
      Conversation,
      (to: ReturnType<typeof stepsOf>) => ReturnType<ReturnType<typeof stepsOf>["resolve"]>,
      unknown[],
    ]
  >([
    ["resolve", before, (to) => to.resolve(), ["reopen", "a"]],
    ["snooze", before, (to) => to.snooze(minute(900)), ["reopen", "a"]],
    [
      "snooze for another time",
      { ...before, status: "snoozed", snoozedUntil: until },
      (to) => to.snooze(minute(900)),
      ["snooze", "a", { until }],
    ],
    ["snooze what waits for the contact", pending, (to) => to.snooze(minute(900)), ["wait", "a"]],
    ["wait", before, (to) => to.wait(), ["reopen", "a"]],
    [
      "wait while it is snoozed",
      { ...before, status: "snoozed", snoozedUntil: until },
      (to) => to.wait(),
      ["snooze", "a", { until }],
    ],
    ["reopen what waits for the contact", pending, (to) => to.reopen(), ["wait", "a"]],
    ["resolve what waits for the contact", pending, (to) => to.resolve(), ["reopen", "a"]],
    ["take over from a colleague", before, (to) => to.takeOver(), ["assign", "a", { memberId: "m2" }]],
    [
      "take over from the assistant",
      { ...before, handlingMode: "assistant", assigneeId: null },
      (to) => to.takeOver(),
      ["release", "a"],
    ],
    ["assign", before, (to) => to.assign("m3"), ["assign", "a", { memberId: "m2" }]],
    ["assign what was nobody's", { ...before, assigneeId: null }, (to) => to.assign("m3"), ["unassign", "a"]],
    ["release", before, (to) => to.release(), ["takeOver", "a", { force: false }]],
    [
      "labels",
      before,
      (to) => to.label({ add: ["new"], remove: ["old"] }),
      ["changeLabels", "a", { add: ["old"], remove: ["new"] }],
    ],
  ])("%s", async (_, from, step, expected) => {
    const done: unknown[] = [];
    await backFrom(step(stepsOf(from, "m1")), from, "m1")!.run(server(done));
    expect(done).toEqual([expected]);
  });

  test("a conversation that was opened again stays open: its contact would be asked for a rating again", () => {
    const resolved = conversation("a", 1, { status: "resolved" });
    expect(backFrom(stepsOf(resolved, "m1").reopen(), resolved, "m1")).toBeUndefined();
    // A reply can do these in any state.
    for (const step of [stepsOf(resolved, "m1").resolve(), stepsOf(resolved, "m1").wait()])
      expect(backFrom(step, resolved, "m1")).toBeUndefined();
  });

  test.each<[After, Partial<Conversation> | undefined]>([
    [{}, undefined],
    [{ then: "pending" }, { status: "pending", waitingSince: null, snoozedUntil: null }],
    [{ then: "resolve" }, { status: "resolved" }],
    [
      { then: "snooze", snoozeUntil: until },
      { status: "snoozed", snoozedUntil: until },
    ],
  ])("a reply that does something besides is shown as the step: %j", (after, shown) => {
    expect(stepWith(after, stepsOf(before, "m1"))?.change).toEqual(shown);
  });
});
