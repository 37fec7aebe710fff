import { randomUUID } from "node:crypto";
import { APPEND } from "../../dist/src/conversations/messages.queries.js";
import { httpLoad, post } from "../load.mjs";
import { inlined, pgbench } from "../pgbench.mjs";
import { id, idSql, KIND, rawKey, tenantOf, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;
const MANY = 20_000;

/** POST /api/conversations/{id}/reply with an Idempotency-Key, each to another conversation. */
export default {
  name: "reply",
  what: "reply with Idempotency-Key",
  against: "pgbench, the same work as one statement",
  floor: 0.55,
  goal: 0.8,
  async prepare({ server, client, sizes }) {
    this.port = server.port;
    this.most = sizes.conversations;
    const { rows } = await client.query(
      `select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w from (select (hashint4(g + 7) & 2147483647) % ${sizes.conversations} + 1 as n from generate_series(1, ${MANY}) g) s`,
    );
    this.targets = rows;
  },
  ours(seconds) {
    // From another place in each round, as the baseline does: what the round before has brought into memory helps neither.
    const from = Math.floor(Math.random() * this.targets.length);
    const requests = [...this.targets.slice(from), ...this.targets.slice(0, from)].map(({ n, w }) =>
      post(
        `/api/conversations/${id(KIND.conversation, n)}/reply`,
        rawKey("t", Math.ceil(w / 6)),
        { body: "It left our warehouse this morning." },
        { "Idempotency-Key": randomUUID() },
      ),
    );
    return httpLoad({ port: this.port, connections: CONNECTIONS, seconds, requests });
  },
  baseline(seconds, { url }) {
    // The same conversations.
    const n = `((hashint4(:g::int + 7) & 2147483647) % ${this.most} + 1)`;
    const w = `((hashint4(${n}) & 2147483647) % ${WORKSPACES} + 1)`;
    const values = {
      tenant: idSql(KIND.tenant, tenantOf(w)),
      conversationId: idSql(KIND.conversation, n),
      direction: `'outbound'`,
      authorType: `'api'`,
      id: "gen_random_uuid()",
      authorId: idSql(KIND.key, "1001"),
      body: `'It left our warehouse this morning.'`,
      bodyFormat: `'text'`,
      takeOver: "true",
    };
    const append = inlined(APPEND, values);
    const sql = append
      .replace(
        /^with /,
        `with ctx as materialized (select set_config('app.tenant_id', ${values.tenant}::text, true), set_config('app.actor', 'apiKey:' || ${idSql(KIND.key, "1001")}, true) as actor, set_config('app.action', 'Conversations.reply', true) as action), claim as (insert into idempotency_key (tenant_id, fingerprint, body_hash, status, response) select ${values.tenant}, decode(md5(random()::text), 'hex'), decode(md5(random()::text), 'hex'), 200, 'an answer' from ctx returning 1), `,
      )
      .replace("for update of c", "and exists (select from claim) for update of c");
    return pgbench(url, [`\\set g random(1, ${MANY})\n${sql};\n`], { clients: CONNECTIONS, seconds });
  },
};
