import { hashApiKey } from "../../dist/src/auth/api-keys/api-key.js";
import { get, httpLoad } from "../load.mjs";
import { id, idSql, KIND, rawKey } from "../seed.mjs";

const CONNECTIONS = 8;
/** All of one tenant; `--requests` sets another size, for a try. */
const CONTACTS = 100_000;
const QUESTIONS = 800;
const TENANT = 1;
/** 2,400 full names: in the whole tenant about forty people share each. */
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
  "Abigail",
  "Bartholomew",
  "Cornelia",
  "Dominique",
  "Emmanuel",
  "Frederik",
  "Giuseppina",
  "Hannelore",
  "Ibrahim",
  "Joaquín",
  "Kristoffer",
  "Leopold",
  "Magdalena",
  "Nathaniel",
  "Ottilie",
  "Philippa",
  "Quentin",
  "Rosalind",
  "Sebastian",
  "Theodora",
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
  "Abernathy",
  "Bergström",
  "Castellano",
  "Delacroix",
  "Eisenhower",
  "Fitzgerald",
  "Grünewald",
  "Hernández",
  "Ingebrigtsen",
  "Jankowski",
  "Kaltenbrunner",
  "Lindqvist",
  "Montgomery",
  "Nakamura",
  "Oppenheimer",
  "Papadopoulos",
  "Quackenbush",
  "Rasmussen",
  "Stavrou",
  "Thorvaldsen",
  "Uzun",
  "Vandenberg",
  "Wojciechowski",
  "Xavier",
  "Yamamoto",
  "Zimmermann",
  "Achterberg",
  "Blumenthal",
  "Czerny",
  "Dostoevskaya",
  "Engelhardt",
  "Farquharson",
  "Giannopoulos",
  "Haraldsen",
  "Iturralde",
  "Johansson",
  "Kirchner",
  "Lagerlöf",
  "Mastroianni",
  "Nowakowska",
];

export default {
  name: "contacts",
  what: "search for contacts among 100,000 of one tenant: p99 in ms of 8 connections",
  against: "-",
  floor: "≤ 40",
  goal: "≤ 20",
  async measure({ openDatabase, startServer, seconds, requests: size = CONTACTS, log }) {
    const { client, url } = await openDatabase(
      `bench_contacts${size === CONTACTS ? "" : `_${size}`}`,
      { conversations: 0, events: 0 },
      (fresh) => people(fresh, size, log),
    );
    await giveKeys(client);
    const server = await startServer(url);
    try {
      const kinds = await questions(client, size);
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
        details.push(
          `| ${name} | ${await found(server, requests)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${other} |`,
        );
      }
      const sizes = [];
      for (const name of [
        "contact",
        "contact_point",
        "contact_workspace",
        "directory_entry",
        "directory_entry_grams",
      ]) {
        sizes.push(
          `${name} ${(Number((await client.query("select pg_relation_size($1) as bytes", [name])).rows[0].bytes) / 2 ** 20).toFixed(0)} MB`,
        );
      }
      return {
        ratio: Number(at(({ p99 }) => p99).toFixed(1)),
        ours: Math.round(at(({ rate }) => rate)),
        p50: Number(at(({ p50 }) => p50).toFixed(1)),
        p99: Number(at(({ p99 }) => p99).toFixed(1)),
        note: `${size.toLocaleString("en")} contacts, half of the questions with a key of one workspace of six; ${runs.reduce((sum, { other }) => sum + other, 0)} unexpected answers`,
        details: `${["| question | finds something | p50 ms | p99 ms | unexpected |", "|---|---|---|---|---|", ...details].join("\n")}\n\n${sizes.join(", ")}`,
      };
    } finally {
      server.process.kill();
      await client.end();
    }
  },
};

/** All of the first tenant, each with an email and every second one with a phone; two of three appear in one of its workspaces. */
async function people(client, size, log) {
  const tenant = id(KIND.tenant, TENANT);
  await client.query("delete from contact where tenant_id = $1", [tenant]);
  await client.query("delete from directory_entry where tenant_id = $1", [tenant]);
  for (let from = 1; from <= size; from += 10_000) {
    log(`contacts ${from - 1} of ${size}`);
    const until = Math.min(from + 9_999, size);
    await client.query(
      `with made as (
        select n, ${idSql(KIND.contact, "n")} as id, ($2::text[])[h % 40 + 1] as name, ($3::text[])[h / 40 % 60 + 1] as surname, timestamptz '2025-01-01' + n * interval '1 minute' as at
        from generate_series(${from}, ${until}) n cross join lateral (select hashint4(n) & 2147483647 as h) h
      ), contacts as (
        insert into contact (tenant_id, id, external_id, name, created_at, updated_at) select $1, id, 'CRM-' || 1000000 + n, name || ' ' || surname, at, at from made
      ) insert into contact_point (tenant_id, id, contact_id, kind, value, position)
        select $1, gen_random_uuid(), id, 'email', lower(translate(search_fold(surname), ' ', '')) || n || '@' || (array['example.com', 'mail.example.org', 'firma.example.net'])[n % 3 + 1], 0 from made
        union all select $1, gen_random_uuid(), id, 'phone', '+49' || 300000000 + (hashint4(n + 3) & 2147483647) % 600000000, 1 from made where n % 2 = 0`,
      [tenant, NAMES, SURNAMES],
    );
  }
  log("where they appear");
  await client.query(
    `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, subject, last_activity_at, created_at)
    select $1, ${idSql(KIND.conversation, "n")}, w.id, w.brand_id, (select ch.id from channel ch where ch.tenant_id = $1 and ch.workspace_id = w.id), ${idSql(KIND.contact, "n")}, null, now(), now()
    from generate_series(1, ${size}) n join workspace w on w.tenant_id = $1 and w.id = ${idSql(KIND.workspace, "(hashint4(n + 5) & 2147483647) % 6 + 1")} where n % 3 > 0`,
    [tenant],
  );
}

/** One of the whole tenant, one of a single workspace. */
async function giveKeys(client) {
  for (const [n, workspace] of [
    [0, null],
    [1, id(KIND.workspace, 1)],
  ]) {
    const raw = rawKey("c", n);
    await client.query(
      `insert into api_key (tenant_id, id, name, prefix, scopes, workspace_id) values ($1, $2, 'bench contacts', $3, array['contacts:read'], $4) on conflict do nothing`,
      [id(KIND.tenant, TENANT), id(KIND.key, 910 + n), raw.slice(0, 16), workspace],
    );
    await client.query(
      `insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3) on conflict do nothing`,
      [hashApiKey(raw), id(KIND.tenant, TENANT), id(KIND.key, 910 + n)],
    );
  }
}

/** Taken from what there is, by kind and key; the same at every run. */
async function questions(client, size) {
  const { rows } = await client.query(
    `select k.name, k.external_id as own, max(p.value) filter (where p.kind = 'email') as email, max(p.value) filter (where p.kind = 'phone') as phone
    from (select distinct ${idSql(KIND.contact, `(hashint4(g) & 2147483647) % ${size} + 1`)} as id from generate_series(1, ${QUESTIONS}) g) q
    join contact k on k.tenant_id = $1 and k.id = q.id join contact_point p on p.tenant_id = k.tenant_id and p.contact_id = k.id group by k.id, k.name, k.external_id order by k.id`,
    [id(KIND.tenant, TENANT)],
  );
  const phones = rows.filter(({ phone }) => phone);
  const swapped = (word) => word.replace(/^(..)(.)(.)/, "$1$3$2");
  const KINDS = {
    "a name": [rows, ({ name }) => name],
    "a surname": [rows, ({ name }) => name.split(" ")[1]],
    "the beginnings of a name": [
      rows,
      ({ name }) =>
        name
          .split(" ")
          .map((part) => part.slice(0, 3))
          .join(" "),
    ],
    "a typing mistake": [
      rows,
      ({ name }) =>
        name
          .split(" ")
          .map((part, n) => (n ? swapped(part) : part))
          .join(" "),
    ],
    "a part of a phone": [
      phones,
      ({ phone }, n) => (n % 2 ? phone.slice(-7) : `0${phone.slice(3, 6)} ${phone.slice(6, 9)}-${phone.slice(9)}`),
    ],
    "a part of an email": [rows, ({ email }, n) => (n % 2 ? email.split("@")[0] : email.slice(2))],
    "an own id": [rows, ({ own }) => own],
    "nothing there": [rows, (_, n) => `zyx${n.toString(36)}qv`],
  };
  return Object.entries(KINDS).flatMap(([name, [of, question]]) =>
    [
      ["the whole tenant", 0],
      ["one workspace", 1],
    ].map(([reach, key]) => ({
      name: `${name}, ${reach}`,
      requests: of.map((row, n) =>
        get(`/api/contacts/search?q=${encodeURIComponent(question(row, n))}`, rawKey("c", key)),
      ),
    })),
  );
}

/** The share of a few of these questions that has an answer. */
async function found({ port }, requests) {
  const asked = requests
    .slice(0, 25)
    .map((request) => [/^GET (\S+)/.exec(request)[1], /authorization: (.+)\r/i.exec(request)[1]]);
  const answers = await Promise.all(
    asked.map(
      async ([path, authorization]) =>
        (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })).json()).data.length,
    ),
  );
  return `${Math.round((answers.filter((count) => count > 0).length / asked.length) * 100)} %`;
}
