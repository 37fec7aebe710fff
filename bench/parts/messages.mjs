import { get, httpLoad } from "../load.mjs";
import { oneLine, pgbench } from "../pgbench.mjs";
import { messages } from "../plain.mjs";
import { id, idSql, KIND, rawKey, tenantOf, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;
const MANY = 20_000;
const EACH = 26;

/** GET /api/conversations/{id}/messages over conversations taken at random. */
export default {
  name: "messages",
  what: "messages of one conversation (25)",
  against: "pgbench, plain rows of the same columns",
  floor: 0.3,
  goal: 0.5,
  async prepare({ server, client, sizes, log }) {
    this.port = server.port;
    const chosen = `select (hashint4(g + 3) & 2147483647) % ${sizes.conversations} + 1 as n from generate_series(1, ${MANY}) g`;
    const w = `((hashint4(n) & 2147483647) % ${WORKSPACES} + 1)`;
    if (!(await client.query("select from pg_class where relname = 'bench_messages'")).rowCount) {
      log(`${MANY * EACH} messages`);
      // Without triggers: the search index is not what is measured here.
      await client.query("begin; set local session_replication_role = replica");
      await client.query(
        `insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, author_id, body, delivery_status, occurred_at, created_at)
        select ${idSql(KIND.tenant, tenantOf(w))}, ${idSql(KIND.message, `n * ${EACH} + s`)}, ${idSql(KIND.conversation, "n")}, 1000000 + s,
          case s % 2 when 1 then 'inbound' else 'outbound' end, case s % 2 when 1 then 'contact' else 'member' end, ${idSql(KIND.contact, "n")},
          'Message ' || s || ' of conversation ' || n || ', which is as long as messages often are: about a hundred and twenty characters.', 'delivered',
          timestamptz '2026-01-01' + s * interval '1 minute', timestamptz '2026-01-01' + s * interval '1 minute'
        from (select distinct n from (${chosen}) c) c cross join generate_series(1, ${EACH}) s`,
      );
      await client.query("create table bench_messages ()");
      await client.query("commit");
      await client.query("vacuum analyze message");
    }
    const { rows } = await client.query(`select n, ${w} as w from (${chosen}) c`);
    this.requests = rows.map(({ n, w }) =>
      get(`/api/conversations/${id(KIND.conversation, n)}/messages?limit=25`, rawKey("t", Math.ceil(w / 6))),
    );
    const n = `((hashint4(:g::int + 3) & 2147483647) % ${sizes.conversations} + 1)`;
    const place = `((hashint4(${n}) & 2147483647) % ${WORKSPACES} + 1)`;
    this.scripts = [
      `\\set g random(1, ${MANY})\n${oneLine(messages(idSql(KIND.tenant, tenantOf(place)), idSql(KIND.conversation, n)))};\n`,
    ];
  },
  ours(seconds) {
    // From another place in each round, as the baseline does: what the round before has brought into memory helps neither.
    const from = Math.floor(Math.random() * MANY);
    const requests = [...this.requests.slice(from), ...this.requests.slice(0, from)];
    return httpLoad({ port: this.port, connections: CONNECTIONS, seconds, requests });
  },
  baseline(seconds, { url }) {
    return pgbench(url, this.scripts, { clients: CONNECTIONS, seconds });
  },
};
