import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { ago, HOUR, newAgent, set, start } from "./support.js";

// Checks every action in every state against a small model: the resulting status, handler and assignee, or the refusal.
// Fields that the model does not mention must stay unchanged.

let app: TestApp;
let tenant: TestTenant;
let me: Client & { id: string };
let colleague: Client & { id: string };
let id: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  const owner = await tenant.owner();
  [me, colleague] = [
    await newAgent(owner, [tenant.defaults.workspaceId]),
    await newAgent(owner, [tenant.defaults.workspaceId]),
  ];
  ({ id } = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } }));
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

const send = (client: Client, action: string, body?: object): Promise<Answer> =>
  client.post(`/api/conversations/${id}/${action}`, body);
type Model = (state: State) => Partial<State> | 409;
const taken =
  (by: "me" | "colleague", force = false): Model =>
  ({ assignee }) =>
    assignee === null || assignee === by || force ? { handlingMode: "human", assignee: by } : 409;

/** Each action, and the change of state that it makes. */
const MOVES: Record<string, [() => Promise<Answer>, Model]> = {
  "a member resolves": [() => send(me, "resolve", { resolution: "answered" }), () => ({ status: "resolved" })],
  "a key resolves, saying nothing": [() => send(tenant.live, "resolve"), () => ({ status: "resolved" })],
  "a member reopens": [() => send(me, "reopen"), () => ({ status: "open" })],
  "a member snoozes until the same time": [
    () => send(me, "snooze", { until: UNTIL }),
    ({ status }) => (status === "resolved" ? 409 : { status: "snoozed" }),
  ],
  "a member takes over": [() => send(me, "take-over"), taken("me")],
  "a member takes over by force": [() => send(me, "take-over", { force: true }), taken("me", true)],
  "a key takes over": [() => send(tenant.live, "take-over"), () => ({ handlingMode: "human" })],
  "a key takes over for a member": [
    () => send(tenant.live, "take-over", { memberId: colleague.id }),
    taken("colleague"),
  ],
  "a key takes over for a member by force": [
    () => send(tenant.live, "take-over", { memberId: colleague.id, force: true }),
    taken("colleague", true),
  ],
  "a member releases": [
    () => send(me, "release"),
    ({ handlingMode }) => (handlingMode === "human" ? { handlingMode: "assistant", assignee: null } : {}),
  ],
  "a member assigns to a colleague": [
    () => send(me, "assign", { memberId: colleague.id }),
    () => ({ assignee: "colleague" }),
  ],
  "a key assigns to a member": [() => send(tenant.live, "assign", { memberId: me.id }), () => ({ assignee: "me" })],
  "a member unassigns": [() => send(me, "unassign"), () => ({ assignee: null })],
  "the contact writes": [() => send(tenant.live, "messages", { body: "And?" }), () => ({ status: "open" })],
  "a member replies": [
    () => send(me, "reply", { body: "Yes" }),
    ({ assignee }) => ({ handlingMode: "human", assignee: assignee ?? "me" }),
  ],
  "a member replies and keeps the assistant": [
    () => send(me, "reply", { body: "Yes", keepAssistant: true }),
    () => ({}),
  ],
  "a key replies": [() => send(tenant.live, "reply", { body: "Yes" }), () => ({ handlingMode: "human" })],
  "a key replies and keeps the assistant": [
    () => send(tenant.live, "reply", { body: "Yes", keepAssistant: true }),
    () => ({}),
  ],
  "a member notes": [() => send(me, "notes", { body: "Hm" }), () => ({})],
  "a member marks as read": [() => send(me, "read"), () => ({})],
};
/** These actions always change other fields, in every state. */
const ALWAYS = /writes|replies/;

const idOf = (assignee: State["assignee"]): string | null =>
  assignee === null ? null : { me, colleague }[assignee].id;
/** Sets the conversation to the state, an hour ago and with nothing unread. */
async function bring({ status, handlingMode, assignee }: State): Promise<Schemas["Conversation"]> {
  const resolved = status === "resolved";
  await set(app, "conversation", id, {
    status,
    handling_mode: handlingMode,
    assignee_id: idOf(assignee),
    unread_count: 0,
    last_activity_at: ago(HOUR),
    updated_at: ago(HOUR),
    snoozed_until: status === "snoozed" ? UNTIL : null,
    waiting_since: resolved ? null : ago(HOUR),
    resolved_at: resolved ? ago(HOUR) : null,
    resolved_by: resolved ? colleague.id : null,
    resolution: resolved ? "duplicate" : null,
  });
  return read();
}
const read = async () => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const stateOf = ({ status, handlingMode, assigneeId }: Schemas["Conversation"]): object => ({
  status,
  handlingMode,
  assigneeId,
});

describe.each(Object.entries(MOVES))("%s", (name, [move, model]) => {
  test.each(
    STATES.map(
      (state) =>
        [
          `${state.status}, ${state.handlingMode}, ${state.assignee ? `of ${state.assignee}` : "of nobody"}`,
          state,
        ] as const,
    ),
  )("in a conversation that is %s", async (_, state) => {
    const before = await bring(state);
    const answer = await move();
    const after = await read();
    const becomes = model(state);
    if (becomes === 409) {
      expect([answer.status, after]).toEqual([409, before]);
      return;
    }
    expect(answer.status).toBeLessThan(300);
    const { assignee, ...rest } = { ...state, ...becomes };
    expect(stateOf(after)).toEqual({ ...rest, assigneeId: idOf(assignee) });
    // A change updates both times. Without a change, everything stays the same.
    if (ALWAYS.test(name) || JSON.stringify(stateOf(after)) !== JSON.stringify(stateOf(before))) {
      expect(after.lastActivityAt > before.lastActivityAt).toBe(true);
      expect(after.updatedAt).toBe(after.lastActivityAt);
    } else {
      expect(after).toEqual(before);
    }
    expectWhole(after, before);
  });
});

/** Checks that the fields of the current status are set, and those of other statuses are not. */
function expectWhole(after: Schemas["Conversation"], before: Schemas["Conversation"]): void {
  const resolved = after.status === "resolved";
  expect([after.snoozedUntil !== null, after.resolvedAt !== null, after.resolvedBy !== null]).toEqual([
    after.status === "snoozed",
    resolved,
    resolved,
  ]);
  if (!resolved) expect(after.resolution).toBeNull();
  if (resolved) expect(after.waitingSince).toBeNull();
  if (resolved && before.status === "resolved")
    expect([after.resolvedAt, after.resolvedBy, after.resolution]).toEqual([
      before.resolvedAt,
      before.resolvedBy,
      before.resolution,
    ]);
}

test("snoozing again with another time moves the end of the snooze", async () => {
  await bring({ status: "snoozed", handlingMode: "assistant", assignee: null });
  expect((await send(me, "snooze", { until: LATER })).status).toBe(200);
  expect(await read()).toMatchObject({ status: "snoozed", snoozedUntil: LATER });
});
