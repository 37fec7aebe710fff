import { hashApiKey } from "../../dist/src/auth/api-keys/api-key.js";
import { clusterOf, cpuOf } from "../cpu.mjs";
import { get, httpLoad } from "../load.mjs";
import { id, idSql, KIND, rawKey, SECRET_KEY } from "../seed.mjs";

/** `--requests` sets another number, for a try. */
const CONVERSATIONS = 1_000_000;
const WORKSPACES = 6;
const MEMBERS = 20;
const TENANT = 1;
const DAYS = 365;
const LAST_DAY = "2026-10-31";
const LIMIT_MS = 300;

const dayBefore = (days) => new Date(Date.parse(LAST_DAY) - days * 86_400_000).toISOString().slice(0, 10);
const PERIODS = [30, 90, DAYS];
const REPORTS = [
  "volume",
  "first-reply",
  "reply",
  "resolution",
  "backlog",
  "assistant",
  "automation",
  "containment",
  "hand-over",
  "csat",
  "busiest-hours",
];
/** The other groupings cost as much as the first, or less. */
const GROUPS = ["member", "label", "resolution"];
/** The days at the end that are not packed yet, as on any day. */
const OPEN_DAYS = 3;

/** What each page of any report takes on a million conversations of one tenant. */
export default {
  name: "reports",
  what: `Reports on 1,000,000 conversations of one tenant and one year, with the period before: milliseconds of the slowest of ${REPORTS.length} reports over 90 days, with whichever grouping`,
  against: "-",
  floor: `≤ ${LIMIT_MS}`,
  goal: `≤ ${LIMIT_MS}`,
  async measure({ openDatabase, startServer, seconds, requests: size = CONVERSATIONS, log }) {
    const { client, url } = await openDatabase(
      `bench_reports${size === CONVERSATIONS ? "" : `_${size}`}`,
      { conversations: 0, events: 0 },
      (fresh) => conversations(fresh, size, log),
    );
    await giveKey(client);
    await pack(client, url, log);
    const server = await startServer(url);
    try {
      const ask = async (path) => {
        const requests = [get(path, rawKey("q", 0))];
        await httpLoad({ port: server.port, connections: 1, seconds: 1, requests });
        const before = used();
        const result = await httpLoad({ port: server.port, connections: 1, seconds, requests });
        return { ...result, processor: (used() - before) / result.count };
      };
      const lines = [];
      const cluster = await clusterOf(client);
      const used = () => (cluster() + cpuOf(server.process.pid)) / 1_000;
      let other = 0;
      const measure = async (name, queries) => {
        const taken = [];
        for (const query of queries) {
          const result = await ask(query);
          taken.push({ ms: result.p50, processor: result.processor });
          other += result.other;
        }
        lines.push({ name, taken });
        log(`reports: ${name}: ${taken.map(shown).join(", ")} ms`);
      };
      const during = (days) => `from=${dayBefore(days - 1)}&to=${LAST_DAY}&timeZone=Europe/Berlin`;
      for (const report of REPORTS)
        await measure(
          report,
          PERIODS.map((days) => `/api/reports/${report}?${during(days)}`),
        );
      for (const report of REPORTS.filter((name) => name !== "busiest-hours"))
        for (const group of GROUPS)
          await measure(
            `${report} by ${group}`,
            PERIODS.map((days) => `/api/reports/${report}?${during(days)}&groupBy=${group}`),
          );
      const slowest = Math.max(...lines.map(({ taken }) => taken[1].ms));
      await measure(
        "the first 25 rows of reply",
        PERIODS.map((days) => `/api/reports/conversations?report=reply&from=${dayBefore(days - 1)}&to=${LAST_DAY}`),
      );
      const {
        rows: [{ replies }],
      } = await client.query("select count(*)::int as replies from reply_time");
      return {
        ratio: Math.round(slowest),
        p50: Math.round(slowest),
        note: `${size.toLocaleString("en")} conversations and ${replies.toLocaleString("en")} replies in ${WORKSPACES} workspaces; one connection; ${other} unexpected answers. In brackets: processor time of the server and PostgreSQL for a request`,
        details: [
          `| report, by day | ${PERIODS.map((days) => `${days} days, ms`).join(" | ")} |`,
          `|---|${PERIODS.map(() => "---").join("|")}|`,
          ...lines.map(({ name, taken }) => `| ${name} | ${taken.map(shown).join(" | ")} |`),
        ].join("\n"),
      };
    } finally {
      server.process.kill();
      await client.end();
    }
  },
};

const shown = ({ ms, processor }) => `${ms.toFixed(0)} (${processor.toFixed(0)})`;

/** What the triggers would have left of them. Each is resolved after some hours, and was answered twice. */
async function conversations(client, size, log) {
  const pick = (salt) => `(hashint4(n + ${salt}) & 2147483647)`;
  // Conversations themselves are nothing that is read here.
  await client.query("set session_replication_role = replica");
  const rows = `select n, ${idSql(KIND.conversation, "n")} as id, ${idSql(KIND.workspace, `${pick(3)} % ${WORKSPACES} + 1`)} as w,
    ${idSql(KIND.channel, `${pick(3)} % ${WORKSPACES} + 1`)} as ch, ${idSql(KIND.key, `${pick(5)} % ${MEMBERS}`)} as m,
    ${pick(7)} % 3 = 0 as assisted, $2::date + 1 - interval '${DAYS} days' + n * interval '${DAYS} days' / ${size} as t`;
  for (let from = 1; from <= size; from += 100_000) {
    log(`conversations ${from - 1} of ${size}`);
    const made = `${rows} from generate_series(${from}, least(${from + 99_999}, ${size})) n`;
    const values = [id(KIND.tenant, TENANT), LAST_DAY];
    await client.query(
      `insert into open_time (tenant_id, conversation_id, number, workspace_id, channel_id, started_at, opened_at, closed_at, seconds, member_id, handled_by, assisted, resolution)
      select $1, id, 1, w, ch, t, t, case when ${pick(11)} % 10 > 0 then t + s * interval '1 second' else 'infinity' end,
        case when ${pick(11)} % 10 > 0 then s end, m, case when assisted then 'assistant' else 'people' end, assisted, 'answered'
      from (select *, exp(8 + 5 * (${pick(13)} % 1000) / 1000.0)::int as s from (${made}) c) c`,
      values,
    );
    await client.query(
      `insert into reply_time (tenant_id, conversation_id, sequence, workspace_id, channel_id, at, seconds, first, member_id, handled_by)
      select $1, id, 2 * k, w, ch, t + k * s * interval '1 second', s, k = 1, m, case when assisted then 'assistant' else 'people' end
      from (select *, exp(3 + 7 * (${pick("17 + k")} % 1000) / 1000.0)::int as s from (${made}) c cross join generate_series(1, 2) k) c`,
      values,
    );
    await client.query(
      `insert into conversation_label (tenant_id, conversation_id, label, workspace_id, last_activity_at)
      select $1, id, 'label ' || ${pick(19)} % 10, w, t from (${made}) c where ${pick(23)} % 5 = 0`,
      values,
    );
  }
  await client.query(
    `insert into assistant_time (tenant_id, conversation_id, workspace_id, channel_id, began_at, answered_sequence, settled_at, replied, replied_at)
    select tenant_id, conversation_id, workspace_id, channel_id, started_at,
      case when answered then 1 end, case when answered then started_at + interval '168 hours' end,
      replied, case when answered and replied then started_at + interval '1 hour' end
    from (
      select o.*, hashtext(conversation_id::text) % 3 <> 0 as answered, hashtext(conversation_id::text) % 2 = 0 as replied
      from open_time o where assisted
    ) o`,
  );
  await client.query(
    `insert into hand_over (tenant_id, conversation_id, sequence, workspace_id, channel_id, at, reason)
    select tenant_id, conversation_id, 1, workspace_id, channel_id, started_at + interval '1 minute',
      (array['nothing_found', 'unsure', 'wants_person', 'angry'])[1 + abs(hashtext(conversation_id::text)) % 4]
    from open_time where assisted and hashtext(conversation_id::text) % 2 = 0`,
  );
  await client.query(
    `insert into csat_survey (tenant_id, id, workspace_id, conversation_id, contact_id, channel_id, member_id, agent_ids, kb_entry_ids, scale, low_score_threshold, question, question_language, language, asked_at, expires_at, score, rated_at)
    select tenant_id, conversation_id, workspace_id, conversation_id, conversation_id, channel_id, member_id, '{}', '{}',
      5, 2, 'How was it?', 'en', 'en', closed_at, closed_at, 1 + abs(hashtext(conversation_id::text)) % 5, closed_at + interval '1 hour'
    from open_time where closed_at < 'infinity' and abs(hashtext(conversation_id::text)) % 10 < 3`,
  );
  await client.query("reset session_replication_role");
}

/** As the job leaves them. The server's own job keeps off: what is packed stays as on the last day. */
async function pack(client, url, log) {
  const { createApp } = await import("../../dist/src/app.js");
  const { Config } = await import("../../dist/src/platform/config/config.js");
  const { ReportDaysJob } = await import("../../dist/src/quality/reports/report-days.job.js");
  const config = Object.assign(new Config(), { SECRET_KEY, LOG_LEVEL: "error", DATABASE_URL: url });
  const app = await createApp(config, url, { jobs: false });
  await app.init();
  const began = performance.now();
  await app.get(ReportDaysJob).run();
  log(`reports: packed in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  await app.close();
  await client.query("select pg_advisory_lock(hashtext('parley report days'))");
  await client.query("update report_day_until set until = $1::date - $2::int where tenant_id = $3", [
    LAST_DAY,
    OPEN_DAYS - 1,
    id(KIND.tenant, TENANT),
  ]);
  await client.query("vacuum analyze report_day");
}

async function giveKey(client) {
  const raw = rawKey("q", 0);
  await client.query(
    `insert into api_key (tenant_id, id, name, prefix, scopes) values ($1, $2, 'bench reports', $3, array['quality:read']) on conflict do nothing`,
    [id(KIND.tenant, TENANT), id(KIND.key, 920), raw.slice(0, 16)],
  );
  await client.query(
    `insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3) on conflict do nothing`,
    [hashApiKey(raw), id(KIND.tenant, TENANT), id(KIND.key, 920)],
  );
}
