import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  IDENTITY_EVENT_TYPES,
  type IdentityTransition,
  recordIdentityEvent,
} from "../../../src/identity/events/identity-event.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { aTime, anId, noticeChange, NOT_FOUND, set, start, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
/** New for each test. */
let conversation: Schemas["Conversation"];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());
beforeEach(async () => {
  conversation = await start(tenant.live, workspaceId);
});

const read = async () =>
  (await tenant.live.get(`/api/conversations/${conversation.id}/identity-events`, 200)).body.events;
const record = (
  transition: IdentityTransition,
  where: { transitionKey?: string; promptVersion?: string; conversationId?: string } = {},
  tenantId = tenant.tenantId,
) =>
  app.transaction(tenantId, (tx) =>
    recordIdentityEvent(tx, { conversationId: conversation.id, transitionKey: randomUUID(), ...where }, transition),
  );

/** One transition of each type, with the fields that the specification requires. */
function transitions(): IdentityTransition[] {
  const bound = { factorBoundToPrincipal: conversation.contactId };
  const eid = {
    ...bound,
    factorCategory: "possession",
    factorType: "eid_verified",
    evidenceRef: "eid:bankid",
  } as const;
  const question = { ...bound, factorCategory: "knowledge", evidenceRef: "tool:contact_attributes" } as const;
  return [
    {
      eventType: "factor_added",
      ...bound,
      factorCategory: "knowledge",
      factorType: "kba_dynamic",
      evidenceRef: "kbv:contact_attributes",
    },
    {
      eventType: "factor_failed",
      ...bound,
      factorCategory: "possession",
      factorType: "magic_link",
      evidenceRef: `magic_link:${UNKNOWN_ID}`,
    },
    { eventType: "kbv_question_asked", ...question },
    { eventType: "kbv_question_passed", ...question },
    { eventType: "kbv_question_failed", ...question },
    { eventType: "identity_locked_per_call", ...bound, evidenceRef: "lockout:per_call:cap=3" },
    { eventType: "identity_locked_per_24h", ...bound, evidenceRef: "per_24h:cap=5" },
    { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: ["+4930901820"] },
    {
      eventType: "assurance_level_reached",
      ...bound,
      scopeDimension: "assurance_level",
      scopeValues: ["high-assurance"],
    },
    { eventType: "verification_not_configured", scopeDimension: "workspace_id", scopeValues: [workspaceId] },
    { eventType: "verification_agent_context_used", ...bound, evidenceRef: "tool:crm_lookup" },
    { eventType: "eid_approval_requested", ...eid },
    { eventType: "eid_link_issued", ...eid },
    { eventType: "eid_approval_granted", ...eid },
    { eventType: "eid_approval_denied", ...eid },
    { eventType: "eid_approval_expired", ...eid },
  ];
}

describe("recording", () => {
  test("each of the 16 types is returned, oldest first, with exactly the fields of the specification", async () => {
    expect(transitions().map(({ eventType }) => eventType)).toEqual([...IDENTITY_EVENT_TYPES]);
    expect(IDENTITY_EVENT_TYPES).toHaveLength(16);
    for (const transition of transitions()) expect(await record(transition)).toBe(true);
    const absent = {
      factorCategory: null,
      factorType: null,
      factorBoundToPrincipal: null,
      scopeDimension: null,
      scopeValues: null,
      evidenceRef: null,
      promptVersion: null,
    };
    const common = {
      id: anId,
      tenantId: tenant.tenantId,
      conversationId: conversation.id,
      occurredAt: aTime,
      createdAt: aTime,
    };
    expect(await read()).toEqual(transitions().map((transition) => ({ ...absent, ...common, ...transition })));
  });

  test("keeps the version of the prompt, if there was one", async () => {
    await record(transitions()[2]!, { promptVersion: "specialist-7" });
    expect(await read()).toMatchObject([{ promptVersion: "specialist-7" }]);
  });

  test("orders events by the database's clock, and events of the same millisecond by the order of writing", async () => {
    const written = transitions();
    await app.transaction(tenant.tenantId, async (tx) => {
      for (const transition of written)
        await recordIdentityEvent(tx, { conversationId: conversation.id, transitionKey: randomUUID() }, transition);
    });
    const before = await read();
    expect(before.map(({ eventType }) => eventType)).toEqual(written.map(({ eventType }) => eventType));
    expect(before.map(({ occurredAt }) => occurredAt)).toEqual(before.map(({ occurredAt }) => occurredAt).toSorted());
    const change = async (sql: string, id: string): Promise<void> => {
      await app.db.query(sql, [id]);
      await noticeChange(app, tenant.tenantId);
    };
    await change(
      `update identity_event set occurred_at = '2025-01-01T00:00:00Z' where conversation_id = $1`,
      conversation.id,
    );
    expect((await read()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await change(`update identity_event set occurred_at = '2024-12-31T23:59:59.999Z' where id = $1`, before.at(-1)!.id);
    expect((await read())[0]).toMatchObject({ id: before.at(-1)!.id, occurredAt: "2024-12-31T23:59:59.999Z" });
  });

  test("recording the same transition again writes nothing, and the event stays unchanged", async () => {
    const [first, second] = transitions();
    expect(await record(first!, { transitionKey: "once" })).toBe(true);
    const before = await read();
    expect(await record(first!, { transitionKey: "once" })).toBe(false);
    expect(await record(second!, { transitionKey: "once", promptVersion: "later" })).toBe(false);
    expect(await read()).toEqual(before);
  });

  test("two tenants can use the same transition key", async () => {
    const other = await app.tenant();
    const theirs = await start(other.live, other.defaults.workspaceId);
    const transition: IdentityTransition = {
      eventType: "ani_blocked",
      scopeDimension: "caller_ani",
      scopeValues: ["+4930901820"],
    };
    expect(await record(transition, { transitionKey: "everybodys" })).toBe(true);
    expect(await record(transition, { transitionKey: "everybodys", conversationId: theirs.id }, other.tenantId)).toBe(
      true,
    );
  });

  test("is rolled back with the change that it records", async () => {
    await expect(
      app.transaction(tenant.tenantId, async (tx) => {
        await recordIdentityEvent(
          tx,
          { conversationId: conversation.id, transitionKey: randomUUID() },
          transitions()[0]!,
        );
        throw new Error("the change failed");
      }),
    ).rejects.toThrow("the change failed");
    expect(await read()).toEqual([]);
  });

  test("writes nothing for a conversation of another tenant", async () => {
    const other = await app.tenant();
    expect(
      await record(
        { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: ["+4930901820"] },
        {},
        other.tenantId,
      ),
    ).toBe(false);
    expect(await read()).toEqual([]);
  });

  test("binds only to contacts of the same tenant", async () => {
    const other = await app.tenant();
    const { contactId } = await start(other.live, other.defaults.workspaceId);
    for (const factorBoundToPrincipal of [contactId, UNKNOWN_ID]) {
      await expect(
        record({ eventType: "verification_agent_context_used", factorBoundToPrincipal, evidenceRef: "tool:x" }),
      ).rejects.toThrow("foreign key");
    }
  });
});

describe("reading", () => {
  test("returns an empty list for a conversation without events, and 404 for an unknown one", async () => {
    expect((await tenant.live.get(`/api/conversations/${conversation.id}/identity-events`, 200)).body).toEqual({
      events: [],
    });
    expect((await tenant.live.get(`/api/conversations/${UNKNOWN_ID}/identity-events`, 404)).body).toEqual(NOT_FOUND);
  });

  test("returns all events of this conversation, and no others", async () => {
    const neighbour = await start(tenant.live, workspaceId, { contactId: conversation.contactId });
    await record(transitions()[0]!, { conversationId: neighbour.id });
    await app.db.query(
      `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key)
      select $1, gen_random_uuid(), $2, $3, 'ani_blocked', 'caller_ani', to_jsonb(array['+' || n]), n::text from generate_series(1, 1500) n`,
      [tenant.tenantId, workspaceId, conversation.id],
    );
    expect((await read()).map(({ scopeValues }) => scopeValues![0])).toEqual(
      Array.from({ length: 1_500 }, (_, n) => `+${n + 1}`),
    );
  });

  test("works with a member's session, and in an archived workspace", async () => {
    await record(transitions()[0]!);
    await set(app, "workspace", workspaceId, { status: "archived" });
    try {
      expect(
        (await (await tenant.owner()).get(`/api/conversations/${conversation.id}/identity-events`, 200)).body.events,
      ).toHaveLength(1);
    } finally {
      await set(app, "workspace", workspaceId, { status: "active" });
    }
  });
});
