import fs from "node:fs";
import path from "node:path";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import "../../../src/app.module.js";
import "../../../src/demo/demo.queries.js";
import { listAuditLog } from "../../../src/audit/audit-log.queries.js";
import { listSecurityLog } from "../../../src/auth/security-log/security-log.queries.js";
import { listBookings } from "../../../src/calendar/bookings/bookings.queries.js";
import {
  ACCOUNT_CHANGES,
  listStatement as listAccounts,
  updateStatement as updateAccount,
} from "../../../src/contacts/accounts.queries.js";
import { listStatement as listContacts } from "../../../src/contacts/contact-list.queries.js";
import { updateStatement as updateContact } from "../../../src/contacts/contacts.queries.js";
import { listStatement as listAttentionItems } from "../../../src/conversations/attention/attention-items.queries.js";
import { listStatement as listCases } from "../../../src/conversations/cases/cases.queries.js";
import { listStatement as listConversations } from "../../../src/conversations/conversation-list.queries.js";
import { CHANGEABLE, updateStatement as updateConversation } from "../../../src/conversations/conversations.queries.js";
import { KB_STATEMENTS } from "../../../src/knowledge/kb-entries/kb-entries.queries.js";
import { POLICY_STATEMENTS } from "../../../src/knowledge/policies/policy-entries.queries.js";
import { REPORT_GROUPS, REPORTS } from "../../../src/quality/reports/report-names.js";
import { rowsStatement } from "../../../src/quality/reports/report-rows.queries.js";
import { PACKED_GROUPS } from "../../../src/quality/reports/report-days.js";
import { daysStatement } from "../../../src/quality/reports/report-days.queries.js";
import { NAME_OF, type NamedGroup } from "../../../src/quality/reports/report-sources.js";
import { namesStatement } from "../../../src/quality/reports/reports.queries.js";
import { listScores } from "../../../src/quality/scores/scores.queries.js";
import { identifier, sql, TENANT } from "../../../src/platform/database/sql.js";
import { globalQuery, one, query, STATEMENTS } from "../../../src/platform/database/statements.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";
import { describeAll, SRC } from "./described.js";

let db: TestDatabase;
let client: Client;
beforeAll(async () => {
  db = await freshDatabase();
  client = await connect({ connectionString: db.url, options: "-c role=parley_app" });
});
afterAll(async () => {
  await client.end();
  await db.drop();
});

const NEEDS_NO_REACH = { unrestricted: "it never runs" };

/** None of these, each alone, each two, and all of them together. */
function someOf<T extends object>(all: T): Partial<T>[] {
  const entries = Object.entries(all);
  const pairs = entries.flatMap((one, n) => entries.slice(n).map((other) => Object.fromEntries([one, other])));
  return [{}, ...(pairs as Partial<T>[]), all];
}

/** Lists and updates have one statement for each set of filters or fields, built when it is first needed. */
function loadFamilies(): void {
  const filter = { workspaceId: "", status: "", assigneeId: "", contactId: "", conversationId: "", type: "" };
  const listed = {
    sort: "waiting" as const,
    workspaceId: "",
    status: ["open" as const],
    assigneeId: "",
    contactId: "",
    label: "",
    updatedSince: "",
    externalId: "",
    unread: true,
    handlingMode: "",
    channelType: "",
  };
  for (const continued of [false, true]) {
    for (const level of ["tenant", "brand", "workspace", "workspaces"] as const)
      for (const filters of someOf(listed)) listConversations(level, filters, continued);
    for (const filters of someOf(filter)) {
      listAttentionItems(filters, continued);
      listCases(filters, continued);
    }
    for (const filters of someOf({
      workspaceId: "",
      calendarId: "",
      conversationId: "",
      contactId: "",
      status: "",
      from: "",
      to: "",
    }))
      listBookings(filters, continued);
    for (const sort of ["recent", "lastSeen", "name"] as const)
      for (const filters of someOf({ workspaceId: "", label: "", accountId: "", blocked: true }))
        for (const restricted of [false, true]) listContacts(restricted, { ...filters, sort }, continued);
    for (const named of [{ ids: [""] }, { externalId: "" }, { blocked: false }])
      listContacts(false, { ...named, sort: "recent" }, continued);
    for (const sort of ["recent", "name"] as const)
      for (const filters of someOf({ externalId: "", industry: "", plan: "" }))
        listAccounts({ ...filters, sort }, continued);
    for (const filters of someOf({ workspaceId: "", entityType: "", entityId: "", metric: "" }))
      for (const restricted of [false, true]) listScores(filters, continued, restricted);
    for (const filters of someOf({ actorId: "", resourceType: "", resourceId: "", firstId: "", beforeId: "" }))
      listAuditLog(filters, continued);
    for (const filters of someOf({ type: "signed_in" as const, actorId: "", memberId: "" }))
      listSecurityLog(filters, continued);
  }
  for (const group of [undefined, "hourOfWeek", ...REPORT_GROUPS] as const) {
    for (const report of REPORTS) rowsStatement(report, group);
  }
  for (const report of REPORTS) for (const group of [undefined, ...PACKED_GROUPS]) daysStatement(report, group);
  for (const group of Object.keys(NAME_OF) as NamedGroup[]) namesStatement(group);
  for (const fields of someOf({
    externalId: "",
    name: "",
    language: "",
    labels: [],
    attributes: "{}",
    blocked: true,
    accountId: "",
  }))
    updateContact(fields);
  for (const fields of someOf(Object.fromEntries(Object.keys(ACCOUNT_CHANGES).map((name) => [name, ""]))))
    updateAccount(fields);
  for (const field of Object.keys(CHANGEABLE) as (keyof typeof CHANGEABLE)[]) updateConversation([field]);
  updateConversation(["subject", "priority"]);
  // Made when the application starts.
  for (const { changes, lines } of [KB_STATEMENTS, POLICY_STATEMENTS]) changes.import(Object.keys(lines));
}

/** Without what another test file registered in the same worker, possibly for its own table. */
const ours = () => [...STATEMENTS.values()].filter(({ name }) => !name.startsWith("test."));

test("the types of rows that are committed are PostgreSQL's", async () => {
  loadFamilies();
  const asking = await connect({ connectionString: db.url, options: "-c role=parley_app" });
  const described = await describeAll(
    asking,
    ours().filter(({ givesRows }) => givesRows),
  ).finally(() => asking.end());
  for (const [folder, types] of described) await expect(types).toMatchFileSnapshot(path.join(SRC, folder, "rows.d.ts"));
  const committed = fs
    .readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)rows\.d\.ts$/.test(file));
  expect(committed.filter((file) => !described.has(path.dirname(file)))).toEqual([]);
});

test("PostgreSQL prepares every statement as the application's role against the migrated schema", async () => {
  loadFamilies();
  const broken: string[] = [];
  for (const { name, text } of ours()) {
    try {
      await client.query(`prepare checked as ${text}`);
      await client.query("deallocate checked");
    } catch (error) {
      broken.push(`${name}: ${(error as Error).message}`);
    }
  }
  expect(broken).toEqual([]);
  expect(STATEMENTS.size).toBeGreaterThan(5);
});

test("a statement with a misspelled column is found before it runs", async () => {
  const { text } = query()(
    "test.misspelt",
    NEEDS_NO_REACH,
    () => sql`select c.subjcet from conversation c where c.tenant_id = ${TENANT}`,
  );
  STATEMENTS.delete("test.misspelt");
  await expect(client.query(`prepare checked as ${text}`)).rejects.toThrow("subjcet");
});

test.each([
  ["a condition", sql`select 1 from conversation c where c.id = ${TENANT}`],
  [
    "a condition on a joined table",
    sql`select 1 from workspace w join brand b on b.id = w.brand_id where w.tenant_id = ${TENANT}`,
  ],
  ["a condition on the second of two tables", sql`select 1 from workspace w, brand b where w.tenant_id = ${TENANT}`],
  [
    "a condition in a sub-select",
    sql`select 1 from workspace w where w.tenant_id = ${TENANT} and exists (select from brand b where b.id = w.brand_id)`,
  ],
  ["a condition of an update", sql`update conversation c set subject = ${TENANT} where c.id is not null`],
  ["a condition of a delete", sql`delete from conversation where id = ${TENANT}`],
  ["the column of an insert", sql`insert into brand (id, name) values (${TENANT}, 'x')`],
  ["the organisation of a member", sql`select 1 from member m where m.id = ${TENANT}`],
])("loading a statement without the tenant in %s fails", (_, body) => {
  expect(() => query()("test.no-tenant", NEEDS_NO_REACH, () => body)).toThrow(/test\.no-tenant reads or writes \w+/);
  expect(STATEMENTS.has("test.no-tenant")).toBe(false);
});

test.each([
  [
    "that does not bind the tenant",
    () => query()("test.x", NEEDS_NO_REACH, () => sql`select 1`),
    "does not bind the tenant",
  ],
  [
    "that says it keeps to the reach but does not",
    () => one("test.x", "restricted", () => sql`select c.id from conversation c where c.tenant_id = ${TENANT}`),
    "does not restrict itself",
  ],
  [
    "with an undefined value",
    () => query()("test.x", NEEDS_NO_REACH, () => sql`select ${undefined} where ${TENANT} is null`),
    "undefined",
  ],
  [
    "with a name that another has",
    () => query()("idempotency.find", NEEDS_NO_REACH, () => sql`select ${TENANT}`),
    "two statements",
  ],
  [
    "that writes to copies",
    () => globalQuery()("test.copies", "everywhere", () => sql`update api_key_lookup set last_used_at = now()`),
    "does not leave out STRANGERS",
  ],
  ["with a name that is no plain name", () => identifier("c; drop table x"), "not a plain name"],
])("loading a statement %s fails", (_, make, message) => {
  expect(make).toThrow(message);
  expect(STATEMENTS.has("test.x")).toBe(false);
});

test.each([
  ["extract", sql`select extract(epoch from c.created_at) from conversation c where c.tenant_id = ${TENANT}`],
  [
    "is distinct from",
    sql`select c.subject is distinct from c.summary from conversation c where c.tenant_id = ${TENANT}`,
  ],
  ["for update", sql`select 1 from conversation c where c.tenant_id = ${TENANT} for no key update of c`],
  [
    "a common table expression",
    sql`with held as (select c.id from conversation c where c.tenant_id = ${TENANT}) select h.id from held h`,
  ],
  ["a function", sql`select x from unnest(${TENANT}::uuid[]) as x`],
  [
    "on conflict do update",
    sql`insert into brand (tenant_id, id) values (${TENANT}, ${TENANT}) on conflict (tenant_id, id) do update set name = 'x'`,
  ],
])("a statement with %s loads", (_, body) => {
  query()("test.fine", NEEDS_NO_REACH, () => body);
  expect(STATEMENTS.delete("test.fine")).toBe(true);
});
