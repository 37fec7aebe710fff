import { hashApiKey } from "../../dist/src/auth/api-keys/api-key.js";
import { get, httpLoad } from "../load.mjs";
import { id, idSql, KIND, rawKey } from "../seed.mjs";

const CONNECTIONS = 8;
/** `--requests` sets another number, for a try. */
const RATINGS = 1_000_000;
const DAYS = 730;
const WORKSPACES = 50;
const MEMBERS = 200;
const AGENTS = 5;
const TENANT = 1;
const FIRST_WORKSPACE = 10_001;
const SURVEY = "b";
const MEMBER = "c";
const AGENT = "d";
const LAST_DAY = "2026-10-31";

const dayBefore = (days) => new Date(Date.parse(LAST_DAY) - days * 86_400_000).toISOString().slice(0, 10);
const workspaceId = id(KIND.workspace, FIRST_WORKSPACE);
/** What is asked, and the same counted from the ratings themselves. */
const KINDS = [
  {
    name: "one workspace, 30 days, by day",
    days: 30,
    query: `groupBy=day&workspaceId=${workspaceId}`,
    by: "rated_at::date",
    where: `and workspace_id = '${workspaceId}'`,
  },
  {
    name: "one workspace, 2 years, by month",
    days: DAYS,
    query: `groupBy=month&workspaceId=${workspaceId}`,
    by: `date_trunc('month', rated_at)`,
    where: `and workspace_id = '${workspaceId}'`,
  },
  {
    name: "all workspaces, 90 days, by workspace",
    days: 90,
    query: "groupBy=workspace",
    by: "workspace_id",
    where: "",
  },
  { name: "all workspaces, 90 days, by member", days: 90, query: "groupBy=member", by: "member_id", where: "" },
  { name: "all workspaces, 2 years, by agent", days: DAYS, query: "groupBy=agent", by: "agent_ids[1]", where: "" },
  {
    name: "all workspaces, 2 years, by month",
    days: DAYS,
    query: "groupBy=month",
    by: `date_trunc('month', rated_at)`,
    where: "",
  },
];

/** What is counted in less is no slower from the ratings: a request by itself takes a millisecond, and the plain statement is sent without one. */
const WORTH_MS = 5;

/** Statistics from the counts, against the same from the ratings. */
export default {
  name: "csat",
  what: `CSAT statistics on 1,000,000 ratings of two years: times faster than counting the ratings, the least of the questions that take those more than ${WORTH_MS} ms`,
  against: "-",
  floor: "≥ 2",
  goal: "≥ 5",
  async measure({ openDatabase, startServer, seconds, requests: size = RATINGS, log }) {
    const { client, url } = await openDatabase(
      `bench_csat${size === RATINGS ? "" : `_${size}`}`,
      { conversations: 0, events: 0 },
      (fresh) => ratings(fresh, size, log),
    );
    await giveKey(client);
    const server = await startServer(url);
    try {
      const rows = [];
      for (const kind of KINDS) {
        const requests = [
          get(`/api/quality/csat?${kind.query}&from=${dayBefore(kind.days - 1)}&to=${LAST_DAY}`, rawKey("q", 0)),
        ];
        await httpLoad({ port: server.port, connections: 1, seconds: 1, requests });
        const rounds = [];
        for (let round = 0; round < 5; round++) {
          const ours = await httpLoad({ port: server.port, connections: 1, seconds: seconds / 2, requests });
          rounds.push({ ours, plain: await plainly(client, kind, seconds / 2) });
        }
        const median = (of) => rounds.map(of).sort((a, b) => a - b)[2];
        const crowd = await httpLoad({ port: server.port, connections: CONNECTIONS, seconds, requests });
        rows.push({
          name: kind.name,
          ours: median(({ ours }) => ours.p50),
          plain: median(({ plain }) => plain),
          ratio: median(({ ours, plain }) => plain / ours.p50),
          p99: crowd.p99,
          other: crowd.other,
        });
        log(`csat: ${kind.name}: ${rows.at(-1).ours.toFixed(1)} ms against ${rows.at(-1).plain.toFixed(1)} ms`);
      }
      const least = rows.filter(({ plain }) => plain > WORTH_MS).reduce((a, b) => (a.ratio < b.ratio ? a : b));
      const {
        rows: [{ counts }],
      } = await client.query("select count(*)::int as counts from outcome_count");
      return {
        ratio: Number(least.ratio.toFixed(1)),
        p50: Number(Math.max(...rows.map(({ ours }) => ours)).toFixed(1)),
        p99: Number(Math.max(...rows.map(({ p99 }) => p99)).toFixed(1)),
        note: `${size.toLocaleString("en")} ratings in ${WORKSPACES} workspaces, ${MEMBERS} members, ${counts.toLocaleString("en")} daily counts; the slowest of six questions, ${CONNECTIONS} connections for the p99; ${rows.reduce((sum, { other }) => sum + other, 0)} unexpected answers`,
        details: [
          "| question | ours p50 ms | plain ms | times faster | p99 ms of 8 |",
          "|---|---|---|---|---|",
          ...rows.map(
            (row) =>
              `| ${row.name} | ${row.ours.toFixed(1)} | ${row.plain.toFixed(1)} | ${row.ratio.toFixed(1)} | ${row.p99.toFixed(1)} |`,
          ),
        ].join("\n"),
      };
    } finally {
      server.process.kill();
      await client.end();
    }
  },
};

/** Milliseconds, the median. What is sent besides, and whatever else the answer of ours has, is left out. */
async function plainly(client, { days, by, where }, seconds) {
  const times = [];
  const text = `select ${by} as "group", scale, score, count(*) from csat_survey where tenant_id = $1 ${where} and rated_at >= $2 and rated_at < $3::date + 1 group by 1, 2, 3`;
  for (const until = performance.now() + seconds * 1_000; performance.now() < until || times.length < 3;) {
    const started = performance.now();
    await client.query(text, [id(KIND.tenant, TENANT), dayBefore(days - 1), LAST_DAY]);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** Four members work in each workspace, and each agent in all; two of five who are asked answer, four of five of them content. The counts are what folding them one by one would have left. */
async function ratings(client, size, log) {
  const tenant = id(KIND.tenant, TENANT);
  const pick = (salt) => `(hashint4(n + ${salt}) & 2147483647)`;
  await client.query(
    `insert into workspace (tenant_id, id, brand_id, name) select $1, ${idSql(KIND.workspace, `${FIRST_WORKSPACE} + n`)}, $2, 'Of ratings ' || n from generate_series(0, ${WORKSPACES - 1}) n`,
    [tenant, id(KIND.brand, 1)],
  );
  // Conversations and contacts are nothing that is read here.
  await client.query("set session_replication_role = replica");
  for (let from = 1; from <= size; from += 100_000) {
    log(`ratings ${from - 1} of ${size}`);
    await client.query(
      `insert into csat_survey (tenant_id, id, workspace_id, conversation_id, contact_id, channel_id, member_id, agent_ids, kb_entry_ids, scale, low_score_threshold, question, question_language, language, asked_at, expires_at, score, rated_at)
      select $1, ${idSql(SURVEY, "n")}, ${idSql(KIND.workspace, `${FIRST_WORKSPACE} + w`)}, ${idSql(KIND.conversation, "n")}, ${idSql(KIND.contact, "n")}, ${idSql(KIND.channel, `${FIRST_WORKSPACE} + w`)}, ${idSql(MEMBER, `w * 4 + ${pick(5)} % 4`)},
        array[${idSql(AGENT, `${pick(7)} % ${AGENTS}`)}], '{}', 5, 2, 'How did we do?', 'en', 'en', t, t + interval '30 days', (array[1, 2, 3, 4, 4, 5, 5, 5, 5, 5])[${pick(11)} % 10 + 1], t
      from (select n, ${pick(3)} % ${WORKSPACES} as w, $2::date + 1 - ((${pick(13)} % ${DAYS * 1440}) + 1) * interval '1 minute' as t from generate_series(${from}, least(${from + 99_999}, ${size})) n) s`,
      [tenant, LAST_DAY],
    );
  }
  log("their counts");
  await client.query(`insert into outcome_count (tenant_id, workspace_id, metric, entity_type, day, entity_id, scale, value, total, bad)
    select tenant_id, workspace_id, m.metric, e.type, (rated_at at time zone 'UTC')::date, e.id, scale, m.value, case m.metric when 'csat' then count(*) else ceil(count(*) * 2.5) end, count(*) filter (where m.metric = 'csat' and score <= low_score_threshold)
    from csat_survey cross join lateral (values ('workspace', workspace_id::text), ('channel', channel_id::text), ('member', member_id::text), ('agent', agent_ids[1]::text)) e (type, id)
      cross join lateral (values ('csat', score), ('csat_asked', 0)) m (metric, value)
    group by 1, 2, 3, 4, 5, 6, 7, 8`);
  await client.query(`insert into rating_month (tenant_id, workspace_id, metric, entity_type, month, entity_id, scale, value, total)
    select tenant_id, workspace_id, metric, entity_type, date_trunc('month', day)::date, entity_id, scale, value, sum(total) from outcome_count where metric in ('csat', 'csat_asked') group by 1, 2, 3, 4, 5, 6, 7, 8`);
  await client.query("reset session_replication_role");
}

async function giveKey(client) {
  const raw = rawKey("q", 0);
  await client.query(
    `insert into api_key (tenant_id, id, name, prefix, scopes) values ($1, $2, 'bench csat', $3, array['quality:read']) on conflict do nothing`,
    [id(KIND.tenant, TENANT), id(KIND.key, 920), raw.slice(0, 16)],
  );
  await client.query(
    `insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3) on conflict do nothing`,
    [hashApiKey(raw), id(KIND.tenant, TENANT), id(KIND.key, 920)],
  );
}
