import { hashApiKey } from "../../dist/src/auth/api-keys/api-key.js";
import { get, httpLoad } from "../load.mjs";
import { id, idSql, KIND, rawKey } from "../seed.mjs";

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
const REPORTS = ["volume", "first-reply", "reply", "resolution", "backlog", "assistant", "busiest-hours"];
const GROUPED = ["member", "label"];

/** What each page of a report takes on a million conversations of one tenant. */
export default {
  name: "reports",
  what: `Reports on 1,000,000 conversations of one tenant and one year, with the period before: milliseconds of the slowest of ${REPORTS.length} reports over 90 days`,
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
    const server = await startServer(url);
    try {
      const ask = async (path) => {
        const requests = [get(path, rawKey("q", 0))];
        await httpLoad({ port: server.port, connections: 1, seconds: 1, requests });
        return httpLoad({ port: server.port, connections: 1, seconds, requests });
      };
      const lines = [];
      let other = 0;
      const measure = async (name, queries) => {
        const taken = [];
        for (const query of queries) {
          const result = await ask(query);
          taken.push(result.p50);
          other += result.other;
        }
        lines.push({ name, taken });
        log(`reports: ${name}: ${taken.map((ms) => ms.toFixed(0)).join(", ")} ms`);
      };
      const during = (days) => `from=${dayBefore(days - 1)}&to=${LAST_DAY}&timeZone=Europe/Berlin`;
      for (const report of REPORTS)
        await measure(
          report,
          PERIODS.map((days) => `/api/reports/${report}?${during(days)}`),
        );
      for (const group of GROUPED)
        await measure(
          `first-reply by ${group}`,
          PERIODS.map((days) => `/api/reports/first-reply?${during(days)}&groupBy=${group}`),
        );
      await measure(
        "the first 25 rows of reply",
        PERIODS.map((days) => `/api/reports/conversations?report=reply&from=${dayBefore(days - 1)}&to=${LAST_DAY}`),
      );
      const slowest = Math.max(...lines.slice(0, REPORTS.length).map(({ taken }) => taken[1]));
      const {
        rows: [{ replies }],
      } = await client.query("select count(*)::int as replies from reply_time");
      return {
        ratio: Math.round(slowest),
        p50: Math.round(slowest),
        note: `${size.toLocaleString("en")} conversations and ${replies.toLocaleString("en")} replies in ${WORKSPACES} workspaces; one connection; ${other} unexpected answers`,
        details: [
          `| report, by day | ${PERIODS.map((days) => `${days} days, ms`).join(" | ")} |`,
          `|---|${PERIODS.map(() => "---").join("|")}|`,
          ...lines.map(({ name, taken }) => `| ${name} | ${taken.map((ms) => ms.toFixed(0)).join(" | ")} |`),
        ].join("\n"),
      };
    } finally {
      server.process.kill();
      await client.end();
    }
  },
};

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
  await client.query("reset session_replication_role");
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
