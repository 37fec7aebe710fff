import { randomUUID } from "node:crypto";
import { httpLoad, post } from "./load.mjs";
import { oneLine, pgbench } from "./pgbench.mjs";
import { id, idSql, KIND, rawKey, tenantOf, WORKSPACES } from "./seed.mjs";

const CONNECTIONS = 32;
const MANY = 20_000;
const BODY = "It left our warehouse this morning.";

/**
 * A part that appends a message with an Idempotency-Key to one of 20,000 conversations.
 *
 * @param about its name, what it is, its floor and its goal
 * @param route the last part of the route, such as `reply`
 * @param plain the same writes as SQL, given the tenant, the conversation and the body
 */
export const messagePart = (about, route, plain) => ({
  against: "pgbench, the three bare writes without triggers",
  ...about,
  async prepare({ server, client, sizes }) {
    this.port = server.port;
    this.most = sizes.conversations;
    const { rows } = await client.query(
      `select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w from (select (hashint4(g + 7) & 2147483647) % ${sizes.conversations} + 1 as n from generate_series(1, ${MANY}) g) s`,
    );
    this.targets = rows;
  },
  async ours(seconds) {
    // From another place in each round, as the baseline does: what the round before has brought into memory helps neither.
    const from = Math.floor(Math.random() * this.targets.length);
    const requests = [...this.targets.slice(from), ...this.targets.slice(0, from)].map(({ n, w }) =>
      post(
        `/api/conversations/${id(KIND.conversation, n)}/${route}`,
        rawKey("t", Math.ceil(w / 6)),
        { body: BODY },
        { "Idempotency-Key": randomUUID() },
      ),
    );
    return httpLoad({ port: this.port, connections: CONNECTIONS, seconds, requests });
  },
  async baseline(seconds, { url }) {
    // The same conversations.
    const n = `((hashint4(:g::int + 7) & 2147483647) % ${this.most} + 1)`;
    const w = `((hashint4(${n}) & 2147483647) % ${WORKSPACES} + 1)`;
    const sql = oneLine(plain(idSql(KIND.tenant, tenantOf(w)), idSql(KIND.conversation, n), `'${BODY}'`));
    return pgbench(url, [`\\set g random(1, ${MANY})\n${sql};\n`], {
      clients: CONNECTIONS,
      seconds,
      settings: "-c session_replication_role=replica",
    });
  },
});
