import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_ROLE } from "../../../src/platform/database/app-role.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { copyConversations, insertEvents, newPlace } from "../maintenance/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, start, UNKNOWN_ID, walk } from "./support.js";
import { connect } from "../../support/database.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ownerId: string;
let keyId: string;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ({ workspaceId } = tenant.defaults);
  ownerId = (await owner.get("/api/me", 200)).body.id;
  keyId = (await tenant.live.get("/api/me", 200)).body.id;
});
afterAll(() => app.close());

const log = (query = "") => walk<Schemas["AuditEntry"]>(owner, `/api/audit-log${query}`);
/** The entries that the work wrote, oldest first. */
async function during(work: () => Promise<unknown>) {
  const before = new Set((await log()).map(({ id }) => id));
  await work();
  return (await log()).filter(({ id }) => !before.has(id)).reverse();
}

describe("an audit entry", () => {
  test("names the actor, the operation, the resource and the workspace", async () => {
    let conversation!: Schemas["Conversation"];
    const entries = await during(async () => {
      conversation = await start(tenant.live, workspaceId, { message: { body: "Hello" } });
    });
    const common = {
      id: anId,
      at: aTime,
      actor: { kind: "apiKey", id: keyId },
      action: "conversations.start",
      change: "created",
      fields: [],
      counts: null,
    };
    const within = { workspaceId, conversationId: conversation.id };
    expect(entries).toEqual([
      {
        ...common,
        resourceType: "contact",
        resourceId: conversation.contactId,
        workspaceId: null,
        conversationId: null,
      },
      { ...common, resourceType: "conversation", resourceId: conversation.id, ...within },
      { ...common, resourceType: "message", resourceId: anId, ...within },
    ]);
  });

  test("is not written for a change of counters and times alone", async () => {
    const { id } = await start(tenant.live, workspaceId);
    const reply = (body: string) => tenant.live.post(`/api/conversations/${id}/reply`, { body }, 200);
    await reply("The first one takes over from the assistant");
    const entries = await during(() => reply("Hello"));
    expect(entries.map(({ resourceType, change }) => [resourceType, change])).toEqual([["message", "created"]]);
  });

  test("names the changed fields but not their values, and omits counters and timestamps", async () => {
    const { id } = await start(tenant.live, workspaceId, { subject: "Zebrastreifen" });
    const agent = await newAgent(owner, [workspaceId]);
    const entries = await during(() =>
      agent.post(`/api/conversations/${id}/reply`, { body: "Streng vertraulich" }, 200),
    );
    expect(
      entries
        .map(({ actor, action, change, resourceType, fields }) => [
          resourceType,
          actor.id,
          action,
          change,
          fields.sort(),
        ])
        .sort(),
    ).toEqual([
      ["conversation", agent.id, "conversations.reply", "updated", ["assigneeId", "handlingMode"]],
      ["message", agent.id, "conversations.reply", "created", []],
    ]);
    const further = await during(() =>
      agent.post(`/api/conversations/${id}/reply`, { body: "Streng vertraulich" }, 200),
    );
    expect(further.map(({ resourceType }) => resourceType)).toEqual(["message"]);
    const [{ found }] = (await app.db.query<{ found: number }>(
      `select count(*)::int as found from audit_entry e where e::text ~ 'vertraulich|Zebra'`,
    )) as [{ found: number }];
    expect(found).toBe(0);
  });

  test("is the same for a single statement and for a transaction", async () => {
    const { id } = await start(tenant.live, workspaceId);
    const told = async (headers: object, externalId: object) =>
      (
        await during(() =>
          tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello", ...externalId }, 201, {
            headers: { ...headers },
          }),
        )
      ).map(({ actor, action, resourceType }) => [actor, action, resourceType]);
    expect(await told({}, {})).toEqual([[{ kind: "apiKey", id: keyId }, "conversations.receive", "message"]]);
    const replies = await during(async () => {
      await tenant.live.post(`/api/conversations/${id}/reply`, { body: "One" }, 200, {
        headers: { "idempotency-key": "audit-1" },
      });
      await tenant.live.post(`/api/conversations/${id}/reply`, { body: "One" }, 200, {
        headers: { "idempotency-key": "audit-1" },
      });
    });
    expect(replies.filter(({ resourceType }) => resourceType === "message")).toHaveLength(1);
  });

  test("is not written for a request that changes nothing or fails", async () => {
    const { id } = await start(tenant.live, workspaceId);
    expect(
      await during(async () => {
        await tenant.live.post(`/api/conversations/${UNKNOWN_ID}/reply`, { body: "Hello" }, 404);
        await tenant.live.post("/api/api-keys", { name: "x", scopes: ["kb:read"] }, 403);
        await tenant.live.get(`/api/conversations/${id}`, 200);
        await owner.patch(`/api/members/${ownerId}`, { name: "Owner" }, 200);
      }),
    ).toEqual([]);
  });

  test("is written once for a resource, however many of its parts change", async () => {
    const created = await during(() =>
      tenant.live.post(
        "/api/contacts",
        { name: "Ada", emails: ["a@example.com", "b@example.com"], phones: ["+4930901820"] },
        201,
      ),
    );
    expect(created.map(({ resourceType, change }) => [resourceType, change])).toEqual([["contact", "created"]]);
    const more = await Promise.all(
      [1, 2].map(async () => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id),
    );
    const agent = await newAgent(owner, [workspaceId]);
    const assigned = await during(() => owner.patch(`/api/members/${agent.id}`, { workspaceIds: more }, 200));
    expect(assigned).toMatchObject([
      {
        actor: { kind: "member", id: ownerId },
        action: "members.update",
        change: "updated",
        resourceType: "member",
        resourceId: agent.id,
        fields: ["workspaceIds"],
      },
    ]);
  });

  test("of a sign-in or sign-out names the member", async () => {
    const entries = await during(async () => {
      const again = await tenant.owner();
      await again.post("/api/auth/logout", undefined, 200);
    });
    expect(entries).toMatchObject([
      { actor: { kind: "member", id: ownerId }, action: "login", change: "created", resourceType: "session" },
      {
        actor: { kind: "member", id: ownerId },
        action: "auth.logout",
        change: "updated",
        resourceType: "session",
        fields: ["endedAt"],
      },
    ]);
  });

  test("of a member's change on the test side is in the live side's log, and all other entries are on their own side", async () => {
    const onTest = await tenant.owner("test");
    const agent = await newAgent(owner, []);
    const mine = await during(async () => {
      await onTest.patch(`/api/members/${agent.id}`, { name: "Renamed" }, 200);
      await onTest.post("/api/brands", { name: "Test brand" }, 201);
    });
    expect(mine).toMatchObject([{ action: "members.update", resourceId: agent.id, fields: ["name"] }]);
    const [theirs] = (await onTest.get("/api/audit-log?limit=1", 200)).body.data;
    expect(theirs).toMatchObject({
      action: "brands.create",
      resourceType: "brand",
      actor: { kind: "member", id: ownerId },
    });
  });
});

describe("a bulk operation writes one entry with counts", () => {
  test("for a deleted workspace: who deleted it, and the number of rows", async () => {
    const gone = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const place = await newPlace(tenant.live, gone);
    await copyConversations(
      app.db,
      place,
      Array.from({ length: 20 }, () => 1),
    );
    await insertEvents(app.db, place, [new Date(), new Date(), new Date()]);
    const entries = await during(async () => {
      await owner.delete(`/api/workspaces/${gone}`, 200);
      await app.app.get(PurgeWorkspacesJob).run();
    });
    expect(entries).toMatchObject([
      {
        actor: { kind: "member", id: ownerId },
        action: "workspaces.delete",
        change: "updated",
        resourceType: "workspace",
        resourceId: gone,
        fields: ["deletedAt"],
      },
      {
        actor: { kind: "system", id: null },
        action: "purge",
        change: "deleted",
        resourceType: "workspace",
        resourceId: gone,
        counts: { conversations: 21, messages: 21, identityEvents: 3 },
      },
    ]);
  });

  test("for an erased person: who erased it, and the counts of the certificate", async () => {
    const { contactId } = await start(tenant.live, workspaceId, {
      contact: { name: "Ada", emails: ["erase@example.com"] },
      message: { body: "Hello" },
    });
    let erased!: Schemas["Erasure"];
    const entries = await during(async () => {
      erased = (await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200)).body;
    });
    expect(entries).toMatchObject([
      {
        actor: { kind: "member", id: ownerId },
        action: "contacts.erase",
        change: "deleted",
        resourceType: "contact",
        resourceId: contactId,
        fields: [],
        counts: erased.erased,
      },
    ]);
  });

  test("for a deleted contact: who deleted it, and the number of rows when it is purged", async () => {
    const { contactId } = await start(tenant.live, workspaceId, {
      contact: { name: "Ada", externalId: "gone", emails: ["gone@example.com"] },
    });
    const entries = await during(async () => {
      await owner.delete(`/api/contacts/${contactId}`, 200);
      await app.db.query(`update contact set deleted_at = now() - interval '30 days' where id = $1`, [contactId]);
      await app.app.get(DailyService).runNow();
    });
    expect(entries).toMatchObject([
      {
        actor: { kind: "member", id: ownerId },
        action: "contacts.delete",
        change: "updated",
        resourceType: "contact",
        resourceId: contactId,
        fields: ["externalId", "deletedAt"],
      },
      {
        actor: { kind: "system", id: null },
        action: "purge",
        change: "deleted",
        resourceType: "contact",
        resourceId: null,
        fields: [],
        counts: { contacts: 1, identityEvents: 0 },
      },
    ]);
  });

  test("for retention: identity events after their retention time, and audit entries after 24 months", async () => {
    const place = await newPlace(tenant.live, workspaceId);
    await insertEvents(app.db, place, [new Date("2020-01-01"), new Date("2020-01-02")]);
    const old = await log();
    const months = async (id: string, interval: string): Promise<void> => {
      await app.db.query(
        `update audit_entry set at = now() - interval '${interval}', id = audit_id(now() - interval '${interval}') where id = $1`,
        [id],
      );
    };
    await months(old.at(-1)!.id, "24 months 1 minute");
    await months(old.at(-2)!.id, "23 months 27 days");
    const entries = await during(() => app.app.get(DailyService).runNow());
    const counted = entries.filter(({ action }) => action === "sweep");
    expect(counted).toMatchObject([
      {
        actor: { kind: "system", id: null },
        change: "deleted",
        resourceType: "identityEvent",
        resourceId: null,
        workspaceId,
        counts: { identityEvents: 2 },
      },
      {
        actor: { kind: "system", id: null },
        change: "deleted",
        resourceType: "auditEntry",
        counts: { auditEntries: 1 },
      },
    ]);
  });

  test("for an unlock: the member and the lock types", async () => {
    await owner.put(
      `/api/workspaces/${workspaceId}/identity-settings`,
      { requiredCorrectAnswers: 1, maxWrongPerConversation: 2, maxWrongPerIdentity24h: 5 },
      200,
    );
    await owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      {
        sources: [
          {
            name: "crm",
            type: "contact_attributes",
            questions: [{ key: "name", prompt: "Your name?", attribute: "name" }],
          },
        ],
      },
      200,
    );
    const { id } = await start(tenant.live, workspaceId);
    for (let n = 0; n < 2; n++) {
      const { body } = await tenant.live.post(`/api/conversations/${id}/verification/questions`, {}, 200);
      await tenant.live.post(
        `/api/conversations/${id}/verification/answers`,
        { questionId: body.questions[0]!.questionId, answer: "wrong" },
        200,
      );
    }
    const entries = await during(async () => {
      await owner.post(`/api/conversations/${id}/verification/unlock`, undefined, 200);
      await owner.post(`/api/conversations/${id}/verification/unlock`, undefined, 200);
    });
    expect(entries).toMatchObject([
      {
        actor: { kind: "member", id: ownerId },
        action: "verification.unlock",
        change: "updated",
        resourceType: "conversation",
        resourceId: id,
        conversationId: id,
        workspaceId,
        fields: ["locks.conversation"],
        counts: { wrongAnswersForgiven: 2 },
      },
    ]);
  });
});

describe("the audit log is append-only:", () => {
  test("the application's role cannot change or delete an entry, or insert one without the triggers", async () => {
    const role = await connect({ connectionString: app.db.url, options: `-c role=${APP_ROLE}` });
    for (const sql of [
      "update audit_entry set action = action",
      "delete from audit_entry",
      "truncate audit_entry",
      "insert into audit_entry select * from audit_entry",
      "alter table brand disable trigger audit_insert",
    ]) {
      await expect(role.query(sql), sql).rejects.toThrow(/permission denied|must be owner/);
    }
    await role.end();
  });

  test("a change under the application's role without an actor is refused", async () => {
    const role = await connect({ connectionString: app.db.url, options: `-c role=${APP_ROLE}` });
    await role.query(`begin; select set_config('app.tenant_id', '${tenant.tenantId}', true)`);
    await expect(role.query(`update brand set name = name || '!'`)).rejects.toThrow(
      /null value in column "actor_kind"/,
    );
    await role.end();
  });

  test("owners and admins can read it", async () => {
    const agent = await newAgent(owner, [workspaceId]);
    for (const client of [tenant.live, agent]) expect((await client.get("/api/audit-log")).status).toBe(403);
  });
});

describe("the list", () => {
  test("is newest first, supports all filters in combination, and is complete at every page size", async () => {
    const other = await app.tenant();
    const admin = await other.owner();
    const { workspaceId: place } = other.defaults;
    const { id: adminId } = (await admin.get("/api/me", 200)).body;
    const limited = await keyFor(admin);
    for (let n = 0; n < 4; n++) await start(n % 2 ? limited : other.live, place, { message: { body: `${n}` } });
    await admin.post("/api/brands", { name: "Another" }, 201);
    const all = await walk(admin, "/api/audit-log");
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    const [from, to] = [all[12]!.at, all[2]!.at];
    const resourceId = all.find(({ resourceType }) => resourceType === "conversation")!.resourceId;
    const filters: [string, (entry: Schemas["AuditEntry"]) => boolean][] = [
      ["", () => true],
      [`actorId=${limited.id}`, ({ actor }) => actor.id === limited.id],
      [
        `actorId=${adminId}&resourceType=brand`,
        ({ actor, resourceType }) => actor.id === adminId && resourceType === "brand",
      ],
      ["resourceType=message", ({ resourceType }) => resourceType === "message"],
      ["resourceType=conversation", ({ resourceType }) => resourceType === "conversation"],
      ["resourceType=nothing", () => false],
      [`resourceId=${resourceId}`, (entry) => entry.resourceId === resourceId],
      [`from=${from}`, ({ at }) => at >= from],
      [`to=${to}`, ({ at }) => at < to],
      [
        `from=${from}&to=${to}&resourceType=message`,
        ({ at, resourceType }) => at >= from && at < to && resourceType === "message",
      ],
    ];
    expect(all.filter(({ at }) => at >= from && at < to).length).toBeGreaterThan(3);
    for (const [filter, wanted] of filters) {
      for (const limit of filter ? [7] : [1, 7, 100])
        expect([filter, limit, await walk(admin, `/api/audit-log?${filter}`, limit)]).toEqual([
          filter,
          limit,
          all.filter(wanted),
        ]);
    }
  });
});
