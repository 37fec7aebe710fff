import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_ROLE } from "../../../src/platform/database/app-role.js";
import { recordIdentityEvent } from "../../../src/identity/events/identity-event.js";
import { COUNT_BATCH } from "../../../src/platform/outcomes/outcomes.queries.js";
import { PASSWORD, startApp, type TestApp } from "../../support/app.js";
import { learn } from "../learning/support.js";
import { assist } from "../assistant/support.js";
import { attach, makeFor, ownMember, pendingAction, rate, type Side, sideOf, signIn } from "./fixtures.js";
import { columnOf, tablesOf } from "./isolation.js";
import { retryKey } from "./probes.js";
import { run } from "../../support/sql.js";
import { connect } from "../../support/database.js";

// What the database enforces if a query of the application omits the tenant.
let app: TestApp;
/** A connection under the application's role, like those of the pool. */
let role: pg.Client;
let mine: Side;
let other: Side;
let walled: { table: string; column: string }[];
/** The value of a table's tenant column for a side. */
const of = new Map<Side, Record<string, string>>();

beforeAll(async () => {
  app = await startApp();
  role = await connect({ connectionString: app.db.url, options: `-c role=${APP_ROLE}` });
  for (const environment of ["live", "test"] as const) {
    const tenant = await app.tenant();
    const side = await sideOf(tenant, environment);
    of.set(side, { tenant_id: side.tenantId, organisation_id: tenant.tenantId });
    if (environment === "live") mine = side;
    else other = side;
    await fill(side);
  }
  walled = (await tablesOf((sql, values) => app.db.query(sql, values))).flatMap(({ name }) =>
    columnOf(name) ? [{ table: name, column: columnOf(name)! }] : [],
  );
});
afterAll(async () => {
  await role.end();
  await app.close();
});

/** Inserts a row into every table. */
async function fill(side: Side): Promise<void> {
  // One conversation, so that an update of all rows can fail only because of tenant isolation.
  const item = await makeFor({ name: "fill", resource: "attention-items" }, side);
  const conversationId = (await side.key.get(`/api/attention-items/${item}`, 200)).body.conversationId!;
  for (const resource of [
    "kb-entries",
    "sources",
    "policy-entries",
    "agents",
    "api-keys",
    "members",
    "channels",
    "contact-form-widgets",
    "outbox",
    "webhook-deliveries",
    "erasure-requests",
    "circuit-breakers",
  ])
    await makeFor({ name: "fill", resource }, side);
  await attach(side, conversationId);
  await makeFor({ name: "GET /api/conversations/{id}/participants", resource: "conversations" }, side);
  await makeFor({ name: "fill", resource: "labels" }, side);
  await makeFor({ name: "fill", resource: "tools" }, side);
  const procedureId = await makeFor({ name: "fill", resource: "procedures" }, side);
  await app.transaction(side.tenantId, (tx) =>
    run(
      tx,
      `insert into procedure_run (tenant_id, id, conversation_id, procedure_id, version, state, ending, ended_at)
      values (:tenant, gen_random_uuid(), :conversationId, :procedureId, 1, '{}', 'completed', now())`,
      { conversationId, procedureId },
    ),
  );
  await makeFor({ name: "DELETE /api/workspaces/{workspaceId}/logo", resource: "workspaces" }, side);
  for (const resource of ["assistant-tests", "runs"]) await makeFor({ name: "fill", resource }, side);
  await pendingAction(side, conversationId);
  await makeFor({ name: "fill", resource: "bulk-actions" }, side);
  await side.key.post("/api/accounts", { name: "Analytical Engines" }, 201);
  await side.owner.post(
    "/api/cases",
    {
      workspaceId: side.workspaceId,
      title: "New",
      conversationIds: [conversationId],
      typeId: await makeFor({ name: "fill", resource: "case-types" }, side),
    },
    201,
  );
  await side.key.patch(
    `/api/kb-entries/${await makeFor({ name: "fill", resource: "kb-entries" }, side)}`,
    { answer: "B" },
    200,
  );
  await side.key.patch(
    `/api/policy-entries/${await makeFor({ name: "fill", resource: "policy-entries" }, side)}`,
    { rule: "Another" },
    200,
  );
  await side.key.post(
    `/api/workspaces/${side.workspaceId}/policy-entries`,
    { title: "T", rule: "R", effect: "deny" },
    201,
  );
  await rate(side, conversationId);
  await side.key.put(`/api/workspaces/${side.workspaceId}/csat-config`, {}, 200);
  await side.key.put(`/api/workspaces/${side.workspaceId}/assistant`, {}, 200);
  await side.key.put(
    `/api/workspaces/${side.workspaceId}/breaker-settings`,
    { settings: [{ metric: "csat", threshold: 0.2 }] },
    200,
  );
  await side.key.post(
    `/api/conversations/${conversationId}/reply`,
    { body: "Hello", agentId: await makeFor({ name: "fill", resource: "agents" }, side) },
    200,
  );
  await app.transaction(side.tenantId, (tx) => tx.query(COUNT_BATCH, { limit: 100 }));
  // A run that ends with a hand-over, and one that waits.
  for (const body of ["Where is it?", "Hello?"]) {
    await side.key.post(`/api/conversations/${conversationId}/release`, {}, 200);
    await side.key.post(`/api/conversations/${conversationId}/messages`, { body }, 201);
    if (body !== "Hello?") await assist(app);
  }
  // The first one's answer is what people taught.
  await side.key.post(
    `/api/conversations/${conversationId}/reply`,
    { body: "Parcels leave our warehouse on each working day." },
    200,
  );
  await side.key.post(`/api/conversations/${conversationId}/resolve`, {}, 200);
  await learn(app);
  await side.key.post(`/api/conversations/${conversationId}/reopen`, {}, 200);
  await app.transaction(side.tenantId, (tx) =>
    run(
      tx,
      `insert into tool_call (tenant_id, id, conversation_id, run_id, tool, arguments, arguments_hash, effect, called)
      select r.tenant_id, gen_random_uuid(), r.conversation_id, r.id, 'add_note', '{}', 'one', 'write', true
      from assistant_run r where r.tenant_id = :tenant and r.conversation_id = :conversationId limit 1`,
      { conversationId },
    ),
  );
  const verification = `/api/conversations/${conversationId}/verification` as const;
  for (const answer of ["Ada", "wrong"]) {
    const { questionId } = (await side.key.post(`${verification}/questions`, {}, 200)).body.questions[0]!;
    await side.key.post(`${verification}/answers`, { questionId, answer }, 200);
  }
  await side.key.post(`${verification}/magic-links`, { channel: "email" }, 200);
  await side.key.post(`${verification}/codes`, { channel: "email" }, 200);
  await side.owner.put(`/api/conversations/${conversationId}/viewing`, { state: "viewing" }, 200);
  await side.owner.put(`/api/conversations/${conversationId}/draft`, { body: "It left our warehouse" }, 200);
  await side.owner.put("/api/me/preferences", { theme: "dark" }, 200);
  for (const resource of ["canned-replies", "views", "push-subscriptions", "suggestions"])
    await makeFor({ name: "fill", resource }, side);
  await side.key.post(`${verification}/eid-requests`, { scheme: "bank-id", mode: "link" }, 200);
  await app.transaction(side.tenantId, (tx) =>
    run(
      tx,
      `insert into eid_binding (tenant_id, contact_id, issuer, person) select :tenant, c.contact_id, 'https://eid.example.com', sha256(c.contact_id::text::bytea)
    from conversation c where c.tenant_id = :tenant and c.id = :conversationId`,
      { conversationId },
    ),
  );
  await app.transaction(side.tenantId, (tx) =>
    run(
      tx,
      `with received as (
      insert into received_message (tenant_id, channel_id, fingerprint, conversation_id, message_id) select c.tenant_id, c.channel_id, 'one', c.id, c.id from conversation c where c.tenant_id = :tenant and c.id = :conversationId
    ), floor as (
      insert into resource_change_floor (tenant_id, transaction_id, position) values (:tenant, 1, 1)
    ), delivery as (
      insert into mail_delivery (tenant_id, channel_id, content) select c.tenant_id, c.channel_id, 'one' from conversation c where c.tenant_id = :tenant and c.id = :conversationId
    ), token as (
      insert into mail_token (tenant_id, channel_id, token, content) select c.tenant_id, c.channel_id, 'one', 'one' from conversation c where c.tenant_id = :tenant and c.id = :conversationId
    ) insert into mailbox (tenant_id, channel_id) select c.tenant_id, c.channel_id from conversation c where c.tenant_id = :tenant and c.id = :conversationId`,
      { conversationId },
    ),
  );
  await app.transaction(side.tenantId, (tx) =>
    run(
      tx,
      `with day as (
      insert into report_day (tenant_id, workspace_id, kind, day, moments, channel, channel_keys, member, member_keys, label, label_keys,
        resolution, resolution_keys, handled_by, handled_by_keys)
      select c.tenant_id, c.workspace_id, 'opened', '2020-01-01', '', '', '[]', '', '[]', '', '[]', '', '[]', '', '[]'
      from conversation c where c.tenant_id = :tenant and c.id = :conversationId
    ) insert into report_day_change (tenant_id, workspace_id, day, id)
    select c.tenant_id, c.workspace_id, '2020-01-01', c.id from conversation c where c.tenant_id = :tenant and c.id = :conversationId`,
      { conversationId },
    ),
  );
  const { body: booked } = await side.key.get(
    `/api/calendar/bookings/${await makeFor({ name: "fill", resource: "bookings" }, side)}`,
    200,
  );
  await app.transaction(side.tenantId, (tx) =>
    run(
      tx,
      `with event as (
      insert into calendar_event (tenant_id, calendar_id, resource, etag) values (:tenant, :calendarId, 'one', '1') returning calendar_id, resource
    ), busy as (
      insert into calendar_busy (tenant_id, calendar_id, resource, starts_at, ends_at) select :tenant, calendar_id, resource, now(), now() + interval '1 hour' from event
    ) insert into calendar_write (tenant_id, booking_id, connection_id) select :tenant, :id, c.connection_id from calendar c where c.tenant_id = :tenant and c.id = :calendarId on conflict do nothing`,
      booked,
    ),
  );
  await side.key.patch(`/api/conversations/${conversationId}`, { labels: ["vip"] }, 200);
  await side.key.post("/api/contacts", { labels: ["vip"] }, 201);
  await side.key.post(`/api/conversations/${conversationId}/reply`, { body: "Hello" }, 200, { headers: retryKey() });
  const { body: channels } = await side.key.get(`/api/workspaces/${side.workspaceId}/channels`, 200);
  const chat = `/api/public/webchat/${channels.find(({ type }) => type === "webchat")!.address!}` as const;
  const { sessionToken } = (await app.client().post(`${chat}/sessions`, {}, 200)).body;
  await app.client(sessionToken).post(`${chat}/messages`, { body: "Hello", clientMessageId: "fill" }, 201);
  await app.transaction(side.tenantId, (tx) =>
    recordIdentityEvent(
      tx,
      { conversationId, transitionKey: "blocked" },
      { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: ["+4930901820"] },
    ),
  );
  await fillSignIns(side);
}

/** A mailed link, a second factor, recovery codes, and a sign-in that waits for the second factor. */
async function fillSignIns(side: Side): Promise<void> {
  // Links that prove an email are mailed on the live side only.
  const unproven = await signIn({ ...side, environment: "live" }, "agent");
  await unproven.post("/api/me/email-proof", undefined, 200);
  const { client } = await ownMember(side, "agent");
  await client.post("/api/me/second-factors/recovery-codes", undefined, 201);
  const login = { email: client.email, password: PASSWORD, environment: side.environment };
  await app.client().post("/api/auth/login", login, 200);
}

/** Runs the work under the role, with the side set or with none, and rolls it back. */
async function as<T>(side: Side | null, work: () => Promise<T>): Promise<T> {
  await role.query("begin");
  try {
    if (side) await role.query(`select set_config('app.tenant_id', $1, true)`, [side.tenantId]);
    return await work();
  } finally {
    await role.query("rollback");
  }
}
const attempt = async (sql: string, values: unknown[] = []): Promise<string> => {
  try {
    return `${(await role.query(sql, values)).rowCount} rows`;
  } catch (error) {
    return (error as Error).message;
  }
};
/** Tables that the application may insert into and read. */
const UNCHANGEABLE = [
  "resource_change",
  "identity_event",
  "erased_contact",
  "signing_key",
  "audit_entry",
  "security_event",
];
/** Tables that the application may not even insert into, because triggers do. */
const READ_ONLY = ["audit_entry", "security_event"];
const REFUSED = /^new row violates row-level security policy for table/;
const count = async (table: string, where = "true", values: unknown[] = []): Promise<number> =>
  Number(
    (await role.query<{ count: string }>(`select count(*) from "${table}" where ${where}`, values)).rows[0]!.count,
  );
/** Uses a savepoint for each table, so that an error in one does not affect the others. */
async function forEachTable(check: (table: string, column: string) => Promise<string | undefined>): Promise<string[]> {
  const wrong: string[] = [];
  for (const { table, column } of walled) {
    await role.query("savepoint one");
    const what = await check(table, column);
    if (what !== undefined) wrong.push(`${table}: ${what}`);
    await role.query("rollback to one");
  }
  return wrong;
}

test("both tenants have rows in every isolated table, so the tests below are meaningful", async () => {
  const empty: string[] = [];
  for (const { table, column } of walled) {
    for (const side of of.keys())
      if (!(await app.db.query(`select 1 from "${table}" where ${column} = $1`, [of.get(side)![column]])).length)
        empty.push(`${table} of ${side.environment}`);
  }
  expect(empty).toEqual([]);
});

describe("a connection under the application's role", () => {
  test("with a tenant set reads all of its rows in every table, and no other tenant's", async () => {
    for (const side of of.keys()) {
      expect(
        await as(side, () =>
          forEachTable(async (table, column) => {
            const value = of.get(side)![column];
            const [all, own] = [await count(table), await count(table, `${column} = $1`, [value])];
            const [{ n }] = (await app.db.query<{ n: string }>(
              `select count(*) as n from "${table}" where ${column} = $1`,
              [value],
            )) as [{ n: string }];
            return all === own && own === Number(n)
              ? undefined
              : `${all} rows seen, ${own} of them its own, which has ${n}`;
          }),
        ),
      ).toEqual([]);
    }
  });

  test("with no tenant set, also after a finished transaction, reads no rows in any table", async () => {
    const nothing = () => forEachTable(async (table) => ((await count(table)) === 0 ? undefined : "rows"));
    const fresh = await connect({ connectionString: app.db.url, options: `-c role=${APP_ROLE}` });
    for (const { table } of walled) expect((await fresh.query(`select * from "${table}"`)).rowCount, table).toBe(0);
    await fresh.end();
    await role.query(`begin; select set_config('app.tenant_id', '${mine.tenantId}', true); commit`);
    expect((await role.query(`select current_setting('app.tenant_id', true) as left`)).rows).toEqual([{ left: "" }]);
    expect(await as(null, nothing)).toEqual([]);
  });

  test("cannot insert a row of another tenant into any table", async () => {
    expect(
      await as(mine, () =>
        forEachTable(async (table, column) => {
          const reinsert = async (side: Side): Promise<string> => {
            const [{ row }] = (await app.db.query<{ row: object }>(
              `select to_jsonb(t) as row from "${table}" t where ${column} = $1 limit 1`,
              [of.get(side)![column]],
            )) as [{ row: object }];
            return attempt(...(await insertion(table, row)));
          };
          const foreign = await reinsert(other);
          if (READ_ONLY.includes(table))
            return foreign === `permission denied for table ${table}` ? undefined : foreign;
          await role.query("rollback to one");
          // The same insert for its own tenant reaches the primary key, so tenant isolation refused the other one.
          const own = await reinsert(mine);
          return REFUSED.test(foreign) && own.startsWith("duplicate key value")
            ? undefined
            : `${foreign}; its own: ${own}`;
        }),
      ),
    ).toEqual([]);
  });

  test("cannot assign one of its rows to another tenant", async () => {
    expect(
      await as(mine, () =>
        forEachTable(async (table, column) => {
          const answer = await attempt(`update "${table}" set ${column} = $1`, [of.get(other)![column]]);
          return REFUSED.test(answer) || (UNCHANGEABLE.includes(table) && answer.startsWith("permission denied"))
            ? undefined
            : answer;
        }),
      ),
    ).toEqual([]);
  });

  test("cannot update or delete another tenant's rows in any table", async () => {
    expect(
      await as(mine, () =>
        forEachTable(async (table, column) => {
          const theirs = of.get(other)![column];
          const updated = await attempt(`update "${table}" set ${column} = ${column} where ${column} = $1`, [theirs]);
          await role.query("rollback to one");
          const deleted = await attempt(`delete from "${table}" where ${column} = $1`, [theirs]);
          return [updated, deleted].every((answer) => answer === "0 rows" || answer.startsWith("permission denied"))
            ? undefined
            : `${updated}; ${deleted}`;
        }),
      ),
    ).toEqual([]);
  });

  test("can insert and read identity events, but cannot update or delete any, even its own tenant's", async () => {
    for (const sql of [
      "update identity_event set event_type = event_type",
      "delete from identity_event",
      "truncate identity_event",
    ]) {
      expect(await as(mine, () => attempt(sql)), sql).toBe("permission denied for table identity_event");
    }
  });
});

async function insertion(table: string, row: object): Promise<[string, unknown[]]> {
  const columns = await app.db.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
    where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => name).join(", ");
  return [
    `insert into "${table}" (${names}) select ${names} from jsonb_populate_record(null::"${table}", $1)`,
    [JSON.stringify(row)],
  ];
}

/** An attention item has one subject: setting another subject clears the old one. */
const SUBJECTS = ["conversation_id", "channel_id", "calendar_connection_id", "circuit_breaker_id", "assistant_test_id"];
const subjectsBeside = (table: string, columns: string[]): string[] =>
  table === "attention_item" && SUBJECTS.includes(columns[1]!)
    ? SUBJECTS.filter((name) => name !== columns[1]).map((name) => `"${name}" = null`)
    : [];

test("a row cannot reference another tenant's row, even without row-level security", async () => {
  const references = await app.db.query<{
    table: string;
    name: string;
    columns: string[];
    target: string;
    targetColumns: string[];
  }>(`select c.relname as table, f.conname as name, r.relname as target,
      array(select a.attname::text from unnest(f.conkey) with ordinality k (n, i) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by i) as columns,
      array(select a.attname::text from unnest(f.confkey) with ordinality k (n, i) join pg_attribute a on a.attrelid = r.oid and a.attnum = k.n order by i) as "targetColumns"
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid where f.contype = 'f' and cardinality(f.conkey) > 1`);
  const owner = await connect(app.db.url);
  const wrong: string[] = [];
  for (const { table, name, columns, target, targetColumns } of references) {
    const column = columnOf(table);
    const wall = targetColumns[0]! === "id" ? "tenant_id" : targetColumns[0]!;
    if (!column) continue;
    // Only the oldest row: several rows would violate unique keys, and an erased contact is refused for another reason.
    // All columns except the tenant column are copied from a row of the other tenant.
    const changes = [
      ...columns.slice(1).map((one, index) => `"${one}" = theirs."${targetColumns[index + 1]}"`),
      ...subjectsBeside(table, columns),
    ].join(", ");
    await owner.query("begin");
    try {
      const { rowCount } = await owner.query(
        `update "${table}" t set ${changes} from (select * from "${target}" where "${targetColumns[0]}" = $1 limit 1) theirs
        where t.ctid = (select ctid from "${table}" where ${column} = $2 order by ctid limit 1)`,
        [of.get(other)![wall], of.get(mine)![column]],
      );
      wrong.push(`${table}.${name} let ${rowCount} rows point at another tenant's ${target}`);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== "23503") wrong.push(`${table}.${name}: ${(error as Error).message}`);
    } finally {
      await owner.query("rollback");
    }
  }
  await owner.end();
  expect(references.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});
