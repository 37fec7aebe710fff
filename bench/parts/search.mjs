import fs from "node:fs";
import { APPEND } from "../../dist/src/conversations/messages.queries.js";
import { httpLoad, post } from "../load.mjs";
import { inlined, pgbench } from "../pgbench.mjs";
import { id, idSql, KIND, rawKey } from "../seed.mjs";

const CONNECTIONS = 8;
const CONVERSATIONS = 100_000;
const PER_CONVERSATION = 10;
const QUESTIONS = 600;
const NAMES = [
  "Anna",
  "Björn",
  "Chloé",
  "Dmitri",
  "Elif",
  "François",
  "Grace",
  "Håkon",
  "Inés",
  "Jürgen",
  "Katarzyna",
  "Łukasz",
  "Mehmet",
  "Nguyen",
  "Olga",
  "Paolo",
  "Rita",
  "Søren",
  "Tomáš",
  "Wei",
];
const SURNAMES = [
  "Almeida",
  "Becker",
  "Chen",
  "Dubois",
  "Eriksen",
  "Fischer",
  "García",
  "Hoffmann",
  "Ivanov",
  "Jansen",
  "Kowalski",
  "Lefebvre",
  "Müller",
  "Novák",
  "Okafor",
  "Petrov",
  "Quintero",
  "Rossi",
  "Schneider",
  "Tanaka",
];

/** What a company's own words look like: 20,000 of them, of two to four syllables. */
const PRODUCTS = Array.from({ length: 20_000 }, (_, n) => {
  const syllables = [
    "ba",
    "cor",
    "del",
    "fi",
    "gra",
    "hum",
    "jo",
    "kel",
    "lu",
    "mar",
    "nev",
    "or",
    "pin",
    "qua",
    "ris",
    "sto",
    "tam",
    "ul",
    "ver",
    "wex",
    "yor",
    "zan",
  ];
  let word = "";
  for (let rest = n + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
});

/** The sentences of the demo's dialogues and knowledge base. */
function sentences() {
  const demo = (name) => fs.readFileSync(new URL(`../../demo/${name}`, import.meta.url), "utf8");
  const dialogues = demo("star-excerpt.ndjson")
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).turns.flatMap(({ text }) => (text ? [text] : [])));
  const entries = [...demo("kb.json").matchAll(/"(?:question|answer)":\s*"([^"]+)"/g)].map(([, text]) => text);
  return [...new Set([...dialogues, ...entries])].sort();
}

export default {
  name: "search",
  what: "search over a million messages: p99 in ms of 8 connections",
  against: "-",
  floor: "≤ 40",
  goal: "≤ 25",
  async measure({ openDatabase, startServer, seconds, log }) {
    const { client, url } = await openDatabase("bench_search", { conversations: CONVERSATIONS, events: 0 }, (fresh) =>
      messages(fresh, log),
    );
    const server = await startServer(url);
    try {
      const kinds = await questions(client);
      const plan = {
        port: server.port,
        connections: CONNECTIONS,
        requests: kinds.flatMap(({ requests }) => requests).sort((a, b) => (a < b ? -1 : 1)),
      };
      await httpLoad({ ...plan, seconds: 5 });
      const runs = [];
      for (let round = 0; round < 5; round++) runs.push(await httpLoad({ ...plan, seconds }));
      const at = (of) => runs.map(of).sort((a, b) => a - b)[2];
      const details = [];
      for (const { name, requests } of kinds) {
        const { p50, p99, other } = await httpLoad({ ...plan, requests, seconds: 3 });
        details.push(`| ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${other} |`);
      }
      const cost = await costOfReply(client, url);
      const size = async (name) =>
        Number((await client.query(`select pg_relation_size($1) as bytes`, [name])).rows[0].bytes) / 2 ** 20;
      const sizes = [];
      for (const name of ["message", "search_entry", "search_entry_words", "search_word", "search_word_slips"])
        sizes.push(`${name} ${(await size(name)).toFixed(0)} MB`);
      return {
        ratio: Number(at(({ p99 }) => p99).toFixed(1)),
        ours: Math.round(at(({ rate }) => rate)),
        p50: Number(at(({ p50 }) => p50).toFixed(1)),
        p99: Number(at(({ p99 }) => p99).toFixed(1)),
        note: `a reply's statement with the index against without: ${cost.toFixed(2)}; ${runs.reduce((sum, { other }) => sum + other, 0)} unexpected answers`,
        details: `${["| question | p50 ms | p99 ms | unexpected |", "|---|---|---|---|", ...details].join("\n")}\n\n${sizes.join(", ")}`,
      };
    } finally {
      server.process.kill();
      await client.end();
    }
  },
};

/** All of the first tenant: the others' conversations move to it, and are spread over two years. */
async function messages(client, log) {
  const first = id(KIND.tenant, 1);
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
  );
  await client.query("create temporary table sentence (n serial primary key, text text)");
  await client.query("insert into sentence (text) select unnest($1::text[])", [sentences()]);
  await client.query("create temporary table product (n serial primary key, text text)");
  await client.query("insert into product (text) select unnest($1::text[])", [PRODUCTS]);
  const {
    rows: [{ count }],
  } = await client.query("select count(*)::int from sentence");
  await client.query(`update tenant set created_at = now() - interval '2 years'`);
  await client.query(
    `update contact set tenant_id = $1, name = ($2::text[])[(hashint4(right(id::text, 6)::int) & 2147483647) % 20 + 1] || ' ' || ($3::text[])[(hashint4(right(id::text, 6)::int + 7) & 2147483647) % 20 + 1]
    where right(id::text, 6) ~ '^[0-9]+$'`,
    [first, NAMES, SURNAMES],
  );
  await client.query("delete from contact where tenant_id <> $1", [first]);
  await client.query("create temporary table person as select row_number() over (order by id) as n, id from contact");
  await client.query("analyze person, sentence, product");
  await client.query(
    `update conversation c set tenant_id = $1, workspace_id = w.id, brand_id = w.brand_id, channel_id = (select ch.id from channel ch where ch.tenant_id = $1 and ch.workspace_id = w.id), subject = s.text, created_at = t, updated_at = t, last_activity_at = t,
      contact_id = p.id
    from (select c.id, ('x' || right(c.id::text, 8))::bit(32)::int as n, now() - interval '2 years' + ('x' || right(c.id::text, 8))::bit(32)::int * interval '2 years' / ${CONVERSATIONS} as t from conversation c) i
      join workspace w on w.tenant_id = $1 and w.id = ${idSql(KIND.workspace, "(hashint4(i.n + 3) & 2147483647) % 6 + 1")} join sentence s on s.n = (hashint4(i.n + 5) & 2147483647) % ${count} + 1 join person p on p.n = (hashint4(i.n) & 2147483647) % (select count(*) from person) + 1
    where c.id = i.id`,
    [first],
  );
  for (let from = 1; from <= CONVERSATIONS; from += 10_000) {
    log(`messages of conversations ${from - 1} of ${CONVERSATIONS}`);
    await client.query(
      `insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, body, delivery_status, occurred_at, created_at)
      select $1, ${idSql(KIND.message, `(c.n - 1) * ${PER_CONVERSATION} + k`)}, c.id, k, case when k % 2 = 1 then 'inbound' else 'outbound' end, case when k % 2 = 1 then 'contact' else 'api' end,
        s.text || case when h % 4 = 0 then ' My order is ' || 100000 + h % 800000 || '.' when h % 4 = 1 then ' Best regards, ' || ($2::text[])[h % 20 + 1] || ' ' || ($3::text[])[h / 20 % 20 + 1] when h % 4 = 2 then ' It is about my ' || p.text || ' ' || q.text || '.' else ' ' || z.text end,
        'delivered', c.created_at + k * interval '1 minute', c.created_at + k * interval '1 minute'
      from (select c.*, ('x' || right(c.id::text, 8))::bit(32)::int as n from conversation c where c.id between ${idSql(KIND.conversation, from)} and ${idSql(KIND.conversation, from + 9_999)}) c
        cross join generate_series(1, ${PER_CONVERSATION}) k cross join lateral (select hashint4(c.n * ${PER_CONVERSATION} + k) & 2147483647 as h, hashint4(-(c.n * ${PER_CONVERSATION} + k)) & 2147483647 as i) h
        -- Some words are said often, most of them hardly ever.
        join product p on p.n = floor(${PRODUCTS.length} ^ (i / 2147483648.0)) join product q on q.n = floor(${PRODUCTS.length} ^ (h / 2147483648.0))
        join sentence s on s.n = i % ${count} + 1 join sentence z on z.n = i / ${count} % ${count} + 1`,
      [first, NAMES, SURNAMES],
    );
  }
  // As the triggers would have done; the big index afterwards.
  const {
    rows: [{ def }],
  } = await client.query(`select indexdef as def from pg_indexes where indexname = 'search_entry_words'`);
  await client.query("drop index search_entry_words");
  log("the words of subjects and contacts");
  await client.query(`select search_head(tenant_id, id) from conversation`);
  log("the words of messages");
  await client.query(
    `select search_add(m.tenant_id, m.conversation_id, m.id, c.workspace_id, m.created_at, search_words(m.body), '{}') from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id order by m.created_at`,
  );
  log("their index");
  await client.query(def);
  await client.query("reset all");
}

/** Taken from what there is, by kind; the same at every run. */
async function questions(client) {
  const { rows } =
    await client.query(`select (array_agg(m.body order by m.sequence))[1] as body, (array_agg(m.body order by m.sequence))[2] as other, o.name
    from (select ${idSql(KIND.conversation, `(hashint4(g) & 2147483647) % ${CONVERSATIONS} + 1`)} as id from generate_series(1, ${QUESTIONS}) g) p
    join conversation c on c.id = p.id join contact o on o.id = c.contact_id join message m on m.conversation_id = c.id group by c.id, o.name order by c.id`);
  const words = (text) => text.match(/[a-z]{4,}/gi) ?? ["hello"];
  const pick = (list, n) => list[(n * 7) % list.length];
  const KINDS = {
    "one word": ({ body }, n) => pick(words(body), n),
    "a beginning": ({ body }, n) => pick(words(body), n).slice(0, 3),
    "two words": ({ body }, n) => `${pick(words(body), n)} ${pick(words(body), n + 1)}`,
    "two words of different messages": ({ body, other }, n) => `${pick(words(body), n)} ${pick(words(other), n)}`,
    "a phrase": ({ body }) => body.split(" ").slice(0, 6).join(" "),
    "a number": (_, n) => `${100_000 + ((n * 7_919) % 800_000)}`,
    "a name": ({ name }) => name,
    "a name and a word": ({ name, body }, n) => `${name} ${pick(words(body), n)}`,
    "a typing mistake": ({ body }, n) => pick(words(body), n).replace(/^(..)(.)(.)/, "$1$3$2"),
    "nothing there": (_, n) => `zyx${n.toString(36)}qv`,
  };
  const names = Object.keys(KINDS);
  return names.map((name, kind) => ({
    name,
    requests: rows
      .filter((_, n) => n % names.length === kind)
      .map((row, n) =>
        post("/api/conversations/search", [rawKey("t", 1), rawKey("b", 1 + (n % 2)), rawKey("w", 1 + (n % 6))][n % 3], {
          query: KINDS[name](row, n).slice(0, 400),
          ...(n % 5 === 0 && { status: "open" }),
        }),
      ),
  }));
}

/** Replies of usual length, each to another conversation, in turns with and without the triggers: the median of the ratios. */
async function costOfReply(client, url) {
  const n = `((hashint4(:g::int + 7) & 2147483647) % ${CONVERSATIONS} + 1)`;
  const values = {
    tenant: `'${id(KIND.tenant, 1)}'::uuid`,
    conversationId: idSql(KIND.conversation, n),
    direction: `'outbound'`,
    authorType: `'api'`,
    id: "gen_random_uuid()",
    authorId: idSql(KIND.key, "1001"),
    body: `'Thank you for waiting. Your parcel left our warehouse this morning and should arrive on Thursday; its number is ' || :g || '.'`,
    bodyFormat: `'text'`,
    takeOver: "true",
  };
  const append = inlined(APPEND, values)
    .replace(
      /^with /,
      `with ctx as materialized (select set_config('app.tenant_id', ${values.tenant}::text, true) as tenant), `,
    )
    .replace("where true and", "where (select tenant from ctx) is not null and");
  const script = `\\set g random(1, 1000000)\n${append};\n`;
  const ratios = [];
  const {
    rows: [{ began }],
  } = await client.query("select now() as began");
  for (let round = 0; round < 5; round++) {
    await client.query("alter table message enable trigger search");
    const withIndex = await pgbench(url, [script], { clients: CONNECTIONS, seconds: 4 });
    await client.query("alter table message disable trigger search");
    const without = await pgbench(url, [script], { clients: CONNECTIONS, seconds: 4 });
    ratios.push(withIndex.rate / without.rate);
  }
  await client.query("alter table message enable trigger search");
  // The next run finds what this one found.
  await client.query("delete from message where created_at >= $1", [began]);
  await client.query("vacuum message, search_entry");
  return ratios.sort((a, b) => a - b)[2];
}
