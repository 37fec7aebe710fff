import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  IDENTITY_EVENT_TYPES,
  type IdentityEventType,
  type IdentityTransition,
  recordIdentityEvent,
} from "../../../src/identity/events/identity-event.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { anId, aTime, NOT_FOUND, noticeChange, set, start, UNKNOWN_ID } from "./support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("the log", () => {
  let tenant: TestTenant;
  let workspaceId: string;
  /** New for each test. */
  let conversation: Schemas["Conversation"];
  beforeAll(async () => {
    tenant = await app.tenant();
    ({ workspaceId } = tenant.defaults);
  });
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
      await change(
        `update identity_event set occurred_at = '2024-12-31T23:59:59.999Z' where id = $1`,
        before.at(-1)!.id,
      );
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
});

describe("the rules of the database", () => {
  // The fields that each type requires are checked twice: the database refuses an invalid row, and the compiler refuses code
  // that would write one.

  let tenant: TestTenant;
  let conversation: Schemas["Conversation"];
  beforeAll(async () => {
    tenant = await app.tenant();
    conversation = await start(tenant.live, tenant.defaults.workspaceId);
  });

  type Column =
    | "factor_category"
    | "factor_type"
    | "factor_bound_to_principal"
    | "scope_dimension"
    | "scope_values"
    | "evidence_ref";
  /** A required column: its valid value, and values that the type must not have. */
  type Rules = Partial<Record<Column, { right: () => unknown; wrong?: unknown[] }>>;

  const principal = { factor_bound_to_principal: { right: () => conversation.contactId } };
  const exactly = (value: unknown, ...wrong: unknown[]) => ({ right: () => value, wrong });
  const tool = { evidence_ref: exactly("tool:x", "tool:", "kbv:x", "x", "") };
  const factor: Rules = {
    ...principal,
    factor_category: exactly("knowledge", "memory", ""),
    factor_type: exactly("kba_dynamic"),
    evidence_ref: exactly("kbv:x"),
  };
  const question: Rules = { ...principal, ...tool, factor_category: exactly("knowledge", "possession", "inherence") };
  const eid: Rules = {
    ...principal,
    factor_category: exactly("possession", "knowledge", "inherence"),
    factor_type: exactly("eid_verified", "magic_link"),
    evidence_ref: exactly("eid:bankid", "eid:", "tool:x"),
  };
  const scope = (dimension: string, values: () => unknown, ...wrong: unknown[]): Rules => ({
    scope_dimension: exactly(dimension, "another"),
    scope_values: { right: () => JSON.stringify(values()), wrong: wrong.map((value) => JSON.stringify(value)) },
  });

  const RULES: Record<IdentityEventType, Rules> = {
    factor_added: factor,
    factor_failed: factor,
    kbv_question_asked: question,
    kbv_question_passed: question,
    kbv_question_failed: question,
    identity_locked_per_call: {
      ...principal,
      evidence_ref: exactly(
        "lockout:per_call:cap=3",
        "per_24h:cap=3",
        "lockout:per_call:cap=",
        "lockout:per_call:cap=x",
        "lockout:per_call:cap=3 ",
      ),
    },
    identity_locked_per_24h: {
      ...principal,
      evidence_ref: exactly("per_24h:cap=5", "lockout:per_call:cap=5", "per_24h:cap=", "x per_24h:cap=5"),
    },
    ani_blocked: scope("caller_ani", () => ["+4930901820"], null, [], {}, "+4930901820", [
      "+4930901820",
      "+442079460958",
    ]),
    assurance_level_reached: {
      ...principal,
      ...scope("assurance_level", () => ["identified"], null, [], ["none"], "identified", [
        "identified",
        "high-assurance",
      ]),
    },
    verification_not_configured: scope("workspace_id", () => [tenant.defaults.workspaceId], null, [], [UNKNOWN_ID]),
    verification_agent_context_used: { ...principal, ...tool },
    eid_approval_requested: eid,
    eid_link_issued: eid,
    eid_approval_granted: eid,
    eid_approval_denied: eid,
    eid_approval_expired: eid,
  };

  /** Inserts as the owner of the schema, to which row-level security and privileges do not apply. */
  const insert = (eventType: string, columns: Partial<Record<Column, unknown>>) =>
    app.db.query(
      `insert into identity_event (tenant_id, id, workspace_id, conversation_id, transition_key, event_type, ${Object.keys(columns).join(", ")})
   values ($1, gen_random_uuid(), $2, $3, gen_random_uuid()::text, $4, ${Object.keys(columns)
     .map((_, index) => `$${index + 5}`)
     .join(", ")})`,
      [tenant.tenantId, tenant.defaults.workspaceId, conversation.id, eventType, ...Object.values(columns)],
    );
  const complete = (rules: Rules): Partial<Record<Column, unknown>> =>
    Object.fromEntries(Object.entries(rules).map(([column, { right }]) => [column, right()]));
  const refused = (work: Promise<unknown>, what: string) =>
    expect(work, what).rejects.toThrow(/violates check constraint "identity_event_/);

  describe("the database", () => {
    test.each([...IDENTITY_EVENT_TYPES])(
      "accepts %s with its required fields, and refuses it without one of them or with a wrong one",
      async (eventType) => {
        const rules = RULES[eventType];
        await insert(eventType, complete(rules));
        for (const [column, { wrong = [] }] of Object.entries(rules)) {
          for (const value of [null, ...wrong])
            await refused(
              insert(eventType, { ...complete(rules), [column]: value }),
              `${eventType} with ${column} = ${JSON.stringify(value)}`,
            );
        }
      },
    );

    test.each(IDENTITY_EVENT_TYPES.filter((eventType) => !RULES[eventType].factor_category))(
      "refuses a factor category for %s, which has no factor",
      async (eventType) => {
        for (const category of ["knowledge", "possession", "inherence"])
          await refused(insert(eventType, { ...complete(RULES[eventType]), factor_category: category }), category);
      },
    );

    test("refuses an unknown type", async () => {
      for (const eventType of ["factor_removed", "", "FACTOR_ADDED"])
        await refused(insert(eventType, complete(factor)), eventType);
    });

    test("refuses the events that the compiler refuses", async () => {
      for (const transition of refusedByTheCompiler) {
        const { tenantId } = tenant;
        const bound =
          "factorBoundToPrincipal" in transition
            ? { ...transition, factorBoundToPrincipal: conversation.contactId }
            : transition;
        const work = app.transaction(tenantId, (tx) =>
          recordIdentityEvent(tx, { conversationId: conversation.id, transitionKey: randomUUID() }, bound),
        );
        await refused(work, JSON.stringify(transition));
      }
    });
  });

  const P = { factorBoundToPrincipal: UNKNOWN_ID };
  const K = { factorCategory: "knowledge" } as const;
  const E = { factorCategory: "possession", factorType: "eid_verified", evidenceRef: "eid:x" } as const;
  /** Checked by `tsc`: if the compiler accepted a case, its comment would be an error. */
  const refusedByTheCompiler: IdentityTransition[] = [
    // @ts-expect-error no category
    { eventType: "factor_added", ...P, factorType: "kba_dynamic", evidenceRef: "kbv:x" },
    // @ts-expect-error no type
    { eventType: "factor_added", ...P, ...K, evidenceRef: "kbv:x" },
    // @ts-expect-error no principal
    { eventType: "factor_failed", ...K, factorType: "kba_dynamic", evidenceRef: "kbv:x" },
    // @ts-expect-error no evidence
    { eventType: "factor_failed", ...P, ...K, factorType: "kba_dynamic" },
    // @ts-expect-error not a category
    { eventType: "factor_added", ...P, factorCategory: "memory", factorType: "kba_dynamic", evidenceRef: "kbv:x" },
    // @ts-expect-error a question is about knowledge
    { eventType: "kbv_question_asked", ...P, factorCategory: "possession", evidenceRef: "tool:x" },
    // @ts-expect-error no principal
    { eventType: "kbv_question_passed", ...K, evidenceRef: "tool:x" },
    // @ts-expect-error evidence of another form
    { eventType: "kbv_question_failed", ...P, ...K, evidenceRef: "kbv:x" },
    // @ts-expect-error the other lock's evidence
    { eventType: "identity_locked_per_call", ...P, evidenceRef: "per_24h:cap=3" },
    // @ts-expect-error no principal
    { eventType: "identity_locked_per_call", evidenceRef: "lockout:per_call:cap=3" },
    // @ts-expect-error the other lock's evidence
    { eventType: "identity_locked_per_24h", ...P, evidenceRef: "lockout:per_call:cap=3" },
    // @ts-expect-error a cap is a number
    { eventType: "identity_locked_per_24h", ...P, evidenceRef: "per_24h:cap=many" },
    // @ts-expect-error no number
    { eventType: "ani_blocked", scopeDimension: "caller_ani" },
    // @ts-expect-error another dimension
    { eventType: "ani_blocked", scopeDimension: "workspace_id", scopeValues: ["+4930901820"] },
    // @ts-expect-error about no factor
    { eventType: "ani_blocked", factorCategory: "knowledge", scopeDimension: "caller_ani", scopeValues: ["+49"] },
    // @ts-expect-error no level
    { eventType: "assurance_level_reached", ...P, scopeDimension: "assurance_level", scopeValues: [] },
    // @ts-expect-error not a level
    { eventType: "assurance_level_reached", ...P, scopeDimension: "assurance_level", scopeValues: ["none"] },
    // @ts-expect-error no principal
    { eventType: "assurance_level_reached", scopeDimension: "assurance_level", scopeValues: ["identified"] },
    // @ts-expect-error no workspace
    { eventType: "verification_not_configured", scopeDimension: "workspace_id", scopeValues: [] },
    // @ts-expect-error no principal
    { eventType: "verification_agent_context_used", evidenceRef: "tool:x" },
    // @ts-expect-error no evidence
    { eventType: "verification_agent_context_used", ...P },
    // @ts-expect-error no principal
    { eventType: "eid_approval_requested", ...E },
    // @ts-expect-error another factor
    { eventType: "eid_link_issued", ...P, ...E, factorType: "magic_link" },
    // @ts-expect-error another category
    { eventType: "eid_approval_granted", ...P, ...E, factorCategory: "knowledge" },
    // @ts-expect-error evidence of another form
    { eventType: "eid_approval_denied", ...P, ...E, evidenceRef: "tool:x" },
    // @ts-expect-error no factor
    { eventType: "eid_approval_expired", ...P, evidenceRef: "eid:x" },
    // @ts-expect-error not a type
    { eventType: "factor_removed", ...P, ...K, factorType: "kba_dynamic", evidenceRef: "kbv:x" },
  ];
});
