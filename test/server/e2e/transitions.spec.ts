import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIFECYCLE, type LifecycleEvent } from "../../../src/conversations/lifecycle/lifecycle.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { ago, HOUR, newAgent, noticeChange, start } from "./support.js";

// Checks every action in every state against a small model: the resulting status, handler and assignee, or the refusal.
// Fields that the model does not mention must stay unchanged.

let app: TestApp;
let tenant: TestTenant;
let me: Client & { id: string };
let colleague: Client & { id: string };
/** A conversation for each state. */
let ids: string[];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  const owner = await tenant.owner();
  [me, colleague] = [
    await newAgent(owner, [tenant.defaults.workspaceId]),
    await newAgent(owner, [tenant.defaults.workspaceId]),
  ];
  ids = await Promise.all(
    STATES.map(async () => (await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } })).id),
  );
});
afterAll(() => app.close());

interface State {
  status: "open" | "pending" | "snoozed" | "resolved";
  handlingMode: "assistant" | "human";
  assignee: null | "me" | "colleague";
}
const STATES: State[] = (["open", "pending", "snoozed", "resolved"] as const).flatMap((status) =>
  (["assistant", "human"] as const).flatMap((handlingMode) =>
    ([null, "me", "colleague"] as const).map((assignee) => ({ status, handlingMode, assignee })),
  ),
);
const UNTIL = "2099-01-01T00:00:00.000Z";
const LATER = "2099-02-01T00:00:00.000Z";

const send = (id: string, client: Client, action: string, body?: object): Promise<Answer> =>
  client.post(`/api/conversations/${id}/${action}`, body);
type Model = (state: State) => Partial<State> | 409;
const taken =
  (by: "me" | "colleague", force = false): Model =>
  ({ assignee }) =>
    assignee === null || assignee === by || force ? { handlingMode: "human", assignee: by } : 409;

/** Each action, and the change of state that it makes. */
const MOVES: Record<string, [(id: string) => Promise<Answer>, Model]> = {
  "a member resolves": [(id) => send(id, me, "resolve", { resolution: "answered" }), () => ({ status: "resolved" })],
  "a key resolves, saying nothing": [(id) => send(id, tenant.live, "resolve"), () => ({ status: "resolved" })],
  "a member reopens": [(id) => send(id, me, "reopen"), () => ({ status: "open" })],
  "a member snoozes until the same time": [
    (id) => send(id, me, "snooze", { until: UNTIL }),
    ({ status }) => (status === "resolved" ? 409 : { status: "snoozed" }),
  ],
  "a member takes over": [(id) => send(id, me, "take-over"), taken("me")],
  "a member takes over by force": [(id) => send(id, me, "take-over", { force: true }), taken("me", true)],
  "a key takes over": [(id) => send(id, tenant.live, "take-over"), () => ({ handlingMode: "human" })],
  "a key takes over for a member": [
    (id) => send(id, tenant.live, "take-over", { memberId: colleague.id }),
    taken("colleague"),
  ],
  "a key takes over for a member by force": [
    (id) => send(id, tenant.live, "take-over", { memberId: colleague.id, force: true }),
    taken("colleague", true),
  ],
  "a member releases": [
    (id) => send(id, me, "release"),
    ({ handlingMode }) => (handlingMode === "human" ? { handlingMode: "assistant", assignee: null } : {}),
  ],
  "a member assigns to a colleague": [
    (id) => send(id, me, "assign", { memberId: colleague.id }),
    () => ({ assignee: "colleague" }),
  ],
  "a key assigns to a member": [
    (id) => send(id, tenant.live, "assign", { memberId: me.id }),
    () => ({ assignee: "me" }),
  ],
  "a member unassigns": [(id) => send(id, me, "unassign"), () => ({ assignee: null })],
  "the contact writes": [(id) => send(id, tenant.live, "messages", { body: "And?" }), () => ({ status: "open" })],
  "a member replies": [
    (id) => send(id, me, "reply", { body: "Yes" }),
    ({ assignee }) => ({ handlingMode: "human", assignee: assignee ?? "me" }),
  ],
  "a member replies and keeps the assistant": [
    (id) => send(id, me, "reply", { body: "Yes", keepAssistant: true }),
    () => ({}),
  ],
  "a key replies": [(id) => send(id, tenant.live, "reply", { body: "Yes" }), () => ({ handlingMode: "human" })],
  "a key replies and keeps the assistant": [
    (id) => send(id, tenant.live, "reply", { body: "Yes", keepAssistant: true }),
    () => ({}),
  ],
  "a member waits for the contact": [
    (id) => send(id, me, "wait"),
    ({ status }) => (status === "resolved" ? 409 : { status: "pending" }),
  ],
  "a key waits for the contact": [
    (id) => send(id, tenant.live, "wait"),
    ({ status }) => (status === "resolved" ? 409 : { status: "pending" }),
  ],
  "a member replies and waits": [
    (id) => send(id, me, "reply", { body: "Which colour?", then: "pending" }),
    ({ assignee }) => ({ status: "pending", handlingMode: "human", assignee: assignee ?? "me" }),
  ],
  "a member replies and snoozes": [
    (id) => send(id, me, "reply", { body: "We look into it", then: "snooze", snoozeUntil: LATER }),
    ({ assignee }) => ({ status: "snoozed", handlingMode: "human", assignee: assignee ?? "me" }),
  ],
  "a member replies and resolves": [
    (id) => send(id, me, "reply", { body: "Done", then: "resolve" }),
    ({ assignee }) => ({ status: "resolved", handlingMode: "human", assignee: assignee ?? "me" }),
  ],
  "a key replies, keeps the assistant and waits": [
    (id) => send(id, tenant.live, "reply", { body: "Which colour?", then: "pending", keepAssistant: true }),
    () => ({ status: "pending" }),
  ],
  "a key replies, keeps the assistant and snoozes": [
    (id) => send(id, tenant.live, "reply", { body: "Soon", then: "snooze", snoozeUntil: LATER, keepAssistant: true }),
    () => ({ status: "snoozed" }),
  ],
  "a key replies, keeps the assistant and resolves": [
    (id) => send(id, tenant.live, "reply", { body: "Done", then: "resolve", keepAssistant: true }),
    () => ({ status: "resolved" }),
  ],
  "a member notes": [(id) => send(id, me, "notes", { body: "Hm" }), () => ({})],
  "a member marks as read": [(id) => send(id, me, "read"), () => ({})],
  "a member marks as unread": [(id) => send(id, me, "unread"), () => ({})],
};
/** These actions always change other fields, in every state. */
const ALWAYS = /writes|replies|unread/;

const idOf = (assignee: State["assignee"]): string | null =>
  assignee === null ? null : { me, colleague }[assignee].id;
const nameOf = ({ status, handlingMode, assignee }: State): string =>
  `${status}, ${handlingMode}, ${assignee ? `of ${assignee}` : "of nobody"}`;
/** Sets each conversation to its state, an hour ago and with nothing unread. */
async function bring(states: readonly State[]): Promise<Schemas["Conversation"][]> {
  await app.db.query(
    `update conversation set
       status = s.status, handling_mode = s.mode, assignee_id = s.assignee, unread_count = 0,
       last_activity_at = $5::timestamptz, updated_at = $5::timestamptz,
       snoozed_until = case when s.status = 'snoozed' then $6::timestamptz end,
       waiting_since = case when s.status <> 'resolved' then $5::timestamptz end,
       resolved_at = case when s.status = 'resolved' then $5::timestamptz end,
       resolved_by = case when s.status = 'resolved' then $7::uuid end,
       resolution = case when s.status = 'resolved' then 'duplicate' end
     from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) s (id, status, mode, assignee)
     where conversation.id = s.id`,
    [
      ids.slice(0, states.length),
      states.map(({ status }) => status),
      states.map(({ handlingMode }) => handlingMode),
      states.map(({ assignee }) => idOf(assignee)),
      ago(HOUR),
      UNTIL,
      colleague.id,
    ],
  );
  await noticeChange(app, tenant.tenantId);
  return read();
}
/** All conversations, in the order of their states. */
const read = async (): Promise<Schemas["Conversation"][]> => {
  const { data } = (await tenant.live.get("/api/conversations?limit=100", 200)).body;
  return ids.map((id) => data.find((one) => one.id === id)!);
};
const stateOf = ({ status, handlingMode, assigneeId }: Schemas["Conversation"]): object => ({
  status,
  handlingMode,
  assigneeId,
});

test.each(Object.entries(MOVES))("%s, in a conversation of every state", async (name, [move, model]) => {
  const before = await bring(STATES);
  const answers = await Promise.all(ids.map((id) => move(id)));
  const after = await read();
  for (const [n, state] of STATES.entries()) {
    const where = `in a conversation that is ${nameOf(state)}`;
    expectMove(name, where, model(state), state, { answer: answers[n]!, before: before[n]!, after: after[n]! });
  }
});

function expectMove(
  name: string,
  where: string,
  becomes: Partial<State> | 409,
  state: State,
  { answer, before, after }: { answer: Answer; before: Schemas["Conversation"]; after: Schemas["Conversation"] },
): void {
  if (becomes === 409) {
    expect([answer.status, after], where).toEqual([409, before]);
    return;
  }
  expect(answer.status, where).toBeLessThan(300);
  const { assignee, ...rest } = { ...state, ...becomes };
  expect(stateOf(after), where).toEqual({ ...rest, assigneeId: idOf(assignee) });
  // A change updates both times. Without a change, everything stays the same.
  if (ALWAYS.test(name) || JSON.stringify(stateOf(after)) !== JSON.stringify(stateOf(before))) {
    expect(after.lastActivityAt > before.lastActivityAt, where).toBe(true);
    expect(after.updatedAt, where).toBe(after.lastActivityAt);
  } else {
    expect(after, where).toEqual(before);
  }
  expectWhole(where, after, before);
}

/** Checks that the fields of the current status are set, and those of other statuses are not. */
function expectWhole(where: string, after: Schemas["Conversation"], before: Schemas["Conversation"]): void {
  const resolved = after.status === "resolved";
  expect([after.snoozedUntil !== null, after.resolvedAt !== null, after.resolvedBy !== null], where).toEqual([
    after.status === "snoozed",
    resolved,
    resolved,
  ]);
  if (!resolved) expect(after.resolution, where).toBeNull();
  if (resolved) expect(after.waitingSince, where).toBeNull();
  if (after.status === "pending" && before.status !== "pending") expect(after.waitingSince, where).toBeNull();
  if (resolved && before.status === "resolved")
    expect([after.resolvedAt, after.resolvedBy, after.resolution], where).toEqual([
      before.resolvedAt,
      before.resolvedBy,
      before.resolution,
    ]);
}

/** The events that no request makes, or not alone, and where they are tested. */
const ELSEWHERE: Partial<Record<LifecycleEvent, string>> = {
  replyIsCancelled: "test/server/e2e/replies.spec.ts",
  snoozeEnds: "test/server/e2e/actions.spec.ts",
  assistantResolves: "test/server/assistant",
  handOver: "test/server/assistant",
  spam: "test/server/channels",
  erase: "test/server/e2e/erasure.spec.ts",
};
/** Which actions make each of the other events happen. */
const ACTIONS: Partial<Record<LifecycleEvent, RegExp>> = {
  contactWrites: /^the contact writes/,
  reply: /keeps the assistant$/,
  replyTakesOver: /^a (member|key) replies$/,
  replyThenWait: /replies.* waits$/,
  replyThenSnooze: /replies.* snoozes$/,
  replyThenResolve: /replies.* resolves$/,
  wait: /^a (member|key) waits/,
  snooze: /^a member snoozes/,
  resolve: /^a (member|key) resolves/,
  reopen: /reopens$/,
  takeOver: /takes over/,
  release: /releases$/,
  assign: /assigns to/,
  unassign: /unassigns$/,
  read: /marks as read$/,
  unread: /marks as unread$/,
};
test.each(Object.keys(LIFECYCLE) as LifecycleEvent[])("%s is tried in every state, or tested elsewhere", (event) => {
  const actions = Object.keys(MOVES).filter((name) => ACTIONS[event]?.test(name));
  expect(ELSEWHERE[event] ? fs.existsSync(ELSEWHERE[event]) : actions.length > 0).toBe(true);
});

test("snoozing again with another time moves the end of the snooze", async () => {
  const [first] = ids;
  await bring([{ status: "snoozed", handlingMode: "assistant", assignee: null }]);
  expect((await send(first!, me, "snooze", { until: LATER })).status).toBe(200);
  expect((await read())[0]).toMatchObject({ status: "snoozed", snoozedUntil: LATER });
});
