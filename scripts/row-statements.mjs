// Checks that a raw statement does more than TypeORM would: one row of one table is read and written with `tx.find`, `tx.insert`,
// `tx.update` and `tx.delete`. Reads the text that PostgreSQL gets, so it runs after the build. `--list` prints each statement with its reason.
import "../dist/src/app.module.js";
import "../dist/src/demo/demo.queries.js";
import { getMetadataArgsStorage } from "typeorm";
import { columnOf, TENANT } from "../dist/src/platform/database/sql.js";
import { STATEMENTS } from "../dist/src/platform/database/statements.js";

const BOTH_KINDS = "one text makes the statements of entries and of policies";
const LEASE = "the end of the lease is compared as PostgreSQL wrote it";
/** Why a statement that TypeORM could make is written by hand. */
const REASONS = {
  "assistantTests.end": LEASE,
  "assistantTests.makeDue": "uses the database's clock",
  "assuranceJob.forget": LEASE,
  "channels.find": "hot: each reply reads its channel",
  "eidLinks.begin": "compares with the database's clock",
  "idempotency.find": "hot: each POST",
  "idempotency.store": "hot: each POST",
  "incoming.findNewestConversation": "hot: each message that comes in; reads one column of a wide row",
  "kb-entries.archive": BOTH_KINDS,
  "kb-entries.returnToReview": BOTH_KINDS,
  "messages.forgetSentDraft": "hot: each reply",
  "policy-entries.archive": BOTH_KINDS,
  "policy-entries.returnToReview": BOTH_KINDS,
  "sessions.endStolen": "hot: each refresh of a session",
  "surveys.takeDue": LEASE,
};

const COLUMN = String.raw`(?:[a-z]\w*\.)?[a-z_]\w*`;
const VALUE = String.raw`(?:\$\d+|''|\d+|true|false|null|now\(\)|clock_timestamp\(\))`;
const CONDITION = String.raw`(?:${COLUMN} (?:=|<>|<=?|>=?) (?:${VALUE}|any ?\(\$\d+\))|${COLUMN} is (?:not )?null|(?:not )?${COLUMN})`;
const several = (one, separator = ", ") => `${one}(?:${separator}${one})*`;
const TABLE = String.raw`(?<table>[a-z_]+)(?: (?:as )?(?!set|where|from|order|limit)[a-z]\w*)?`;
const WHERE = ` where (?<where>${several(CONDITION, " and ")})`;
const COLUMNS = String.raw`(?:1|${several(String.raw`${COLUMN}(?: as "?\w+"?)?`)})`;
const RETURNING = `(?: returning ${COLUMNS})?`;
/** What TypeORM's query builder makes, too. */
const PLAIN = [
  `select (?:${COLUMNS} )?from ${TABLE}${WHERE}(?: order by ${several(`${COLUMN}(?: desc| asc)?`)})?(?: limit (?<limit>${VALUE}))?`,
  `update ${TABLE} set ${several(`${COLUMN} = ${VALUE}`)}${WHERE}${RETURNING}`,
  `delete from ${TABLE}${WHERE}${RETURNING}`,
  String.raw`insert into ${TABLE} ?\(${several(COLUMN)}\) values \(${several(VALUE)}\)${RETURNING}`,
].map((pattern) => new RegExp(`^${pattern}$`));

/** Why a text is not plain: the first of these that it has. */
const NOT_PLAIN = [
  ["several rows", / in \(select\b/],
  [
    "several tables",
    /\b(?:with|join|union|using|lateral)\b|\bselect\b.*\bselect\b|^update .* set .* from\b|^insert .*\bselect\b|\bfrom \w+(?: \w+)?, /,
  ],
  ["takes a lock", / for (?:no key |key )?(?:update|share)\b/],
  ["written over what is there", / on conflict\b/],
  ["calls a function", /^select \w+\(/],
  ["computes in the database", /./],
];

/** Tables by their names, each with the columns of its keys beside the tenant. */
const { tables, columns, uniques, indices } = getMetadataArgsStorage();
const isOf = (entity, { target }) => entity === target || entity.prototype instanceof target;
const keys = new Map(
  tables.map(({ target, name }) => [
    name,
    [
      columns.filter((column) => isOf(target, column) && column.options.primary).map((column) => column.propertyName),
      ...[...uniques, ...indices.filter(({ unique, where }) => unique && !where)]
        .filter((key) => isOf(target, key) && Array.isArray(key.columns))
        .map((key) => key.columns),
    ]
      .map((names) => names.map(columnOf).filter((column) => column !== "tenant_id"))
      .filter(({ length }, index) => length || !index),
  ]),
);

const normal = (text) =>
  text
    .replace(/--[^\n]*/g, " ")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/::[a-z_]+(?:\[\])?/g, "")
    .replace(/\s+/g, " ")
    .replace(/\( /g, "(")
    .replace(/ \)/g, ")")
    .trim()
    // TypeORM's calls add the caller's reach.
    .replace(
      / and w\.deleted_at is null and \(\$\d+ is null or w\.brand_id = \$\d+\) and \(\$\d+ is null or w\.id = any\(\$\d+\)\)/g,
      "",
    )
    .replace(/ and exists \(select from workspace w where w\.id = \w+\.workspace_id and w\.tenant_id = \$\d+\)/g, "");

/** The reason that the text gives, or undefined if TypeORM would do. */
function reasonOf({ text, slots, givesRows }) {
  if (!givesRows) return "renders the answer";
  if (!slots.includes(TENANT)) return "beyond any tenant";
  const plain = normal(text);
  const found = PLAIN.map((pattern) => pattern.exec(plain)).find(Boolean);
  if (!found) return NOT_PLAIN.find(([, pattern]) => pattern.test(plain))[0];
  const { table, where, limit } = found.groups;
  if (where === undefined) return undefined;
  const conditions = where.split(" and ").map((condition) => condition.replace(/^(not )?\w+\./, "$1"));
  const given = new Set(conditions.flatMap((condition) => /^(\w+) = (?!any)/.exec(condition)?.[1] ?? []));
  const key = keys.get(table)?.find((names) => names.every((name) => given.has(name)));
  return key || limit === "1" ? undefined : "several rows";
}

const faults = [];
for (const statement of STATEMENTS.values()) {
  const { name, text } = statement;
  const reason = reasonOf(statement);
  if (process.argv.includes("--list")) console.log(`${name}: ${reason ?? REASONS[name] ?? "NONE " + normal(text)}`);
  if (reason && REASONS[name]) faults.push(`${name} needs no reason: ${reason}`);
  if (!reason && !REASONS[name]) faults.push(`${name} reads or writes one row of one table`);
}
for (const name of Object.keys(REASONS)) if (!STATEMENTS.has(name)) faults.push(`there is no statement ${name}`);
for (const fault of faults) console.error(fault);
if (faults.length)
  console.error("Use tx.find, tx.insert, tx.update or tx.delete, or say why not: scripts/row-statements.mjs");
process.exit(faults.length ? 1 : 0);
