import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_PERSONAL_DATA, PERSONAL_DATA } from "../../../src/privacy/personal-data.js";
import { freshDatabase, type TestDatabase, connect } from "../../support/database.js";
import { tablesOf } from "./isolation.js";

let db: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  db = await freshDatabase();
  owner = await connect(db.url);
});
afterAll(async () => {
  await owner.end();
  await db.drop();
});

test("every table has an owner that erases its personal data, or a reason why it has none", async () => {
  const tables = await tablesOf(async <Row>(sql: string) => (await owner.query(sql)).rows as Row[]);
  const listed = [...Object.keys(PERSONAL_DATA), ...Object.keys(NO_PERSONAL_DATA)];
  expect(listed.sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("every table that references a contact or a conversation holds personal data, unless it holds ids only", async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.confrelid in ('contact'::regclass, 'conversation'::regclass) order by 1`,
  );
  const others = rows.map(({ name }) => name).filter((name) => !(name in PERSONAL_DATA));
  expect(others).toEqual([
    "assistant_due",
    "assistant_time",
    "assurance_due",
    "case_conversation",
    "conversation_agent",
    "conversation_viewer",
    "erasure_request",
    "hand_over",
    "learning_due",
    "open_time",
    "received_message",
    "reply_time",
    "snooze_due",
    "unread_mention",
  ]);
  expect(rows.length).toBeGreaterThan(others.length + 10);
});

/** Text of erased rows that says nothing about the person. */
const KEPT: Record<string, readonly string[]> = {
  // The event is still to be deleted from the calendar, at its URL. An error of that is recorded without its text.
  booking: ["etag", "last_error", "status", "url"],
  contact: [],
  conversation: [
    "assurance_level",
    "channel_type",
    "handling_mode",
    "language",
    "priority",
    "resolution",
    "sender_proof",
    "status",
  ],
  support_case: ["priority", "status"],
};

test("in rows that an erasure empties, every text is emptied by their check, or says nothing about the person", async () => {
  const { rows } = await owner.query<{ name: string; definition: string; texts: string[] }>(
    `select c.relname as name, pg_get_constraintdef(k.oid) as definition, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
      order by 1
    ) as texts
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.conname = c.relname || '_erased' order by 1`,
  );
  const kept = rows.map(({ name, definition, texts }) => [
    name,
    texts.filter((text) => !new RegExp(`\\b${text}\\b`).test(definition)),
  ]);
  expect(Object.fromEntries(kept)).toEqual(KEPT);
});

test("docs/privacy.md names each field that an erasure empties in a conversation", async () => {
  const { rows } = await owner.query<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'conversation_erased'",
  );
  const columns = [...rows[0]!.definition.matchAll(/\((\w+) (?:IS NULL|=)/g)].map(([, column]) => column!);
  const fields = columns
    .filter((column) => column !== "redacted_at")
    .map((column) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  expect(fields.length).toBeGreaterThan(6);
  const told = fs.readFileSync("docs/privacy.md", "utf8").split("\n## Deleting instead\n")[0]!;
  expect(fields.filter((field) => !told.includes(`\`${field}\``))).toEqual([]);
});

test.each(Object.entries(PERSONAL_DATA))("the owner of %s, src/%s, has code for it", (table, folder) => {
  const names = fs.readdirSync(path.join("src", folder)).filter((name) => /\.(ts|sql)$/.test(name));
  const code = names
    .filter((name) => !name.endsWith(".entity.ts"))
    .map((name) => fs.readFileSync(path.join("src", folder, name), "utf8"))
    .join("\n");
  // Versions are deleted with their entries by the review workflow's statement, which both kinds of entries share.
  expect(code).toMatch(new RegExp(`\\b${table.replace(/_version$/, "")}\\b`));
});
