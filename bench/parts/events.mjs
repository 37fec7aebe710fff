import { get, httpLoad } from "../load.mjs";
import { oneLine, pgbench } from "../pgbench.mjs";
import { identityEvents } from "../plain.mjs";
import { id, idSql, KIND, rawKey, tenantOf, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;
const MANY = 20_000;

/** GET /api/conversations/{id}/identity-events over conversations taken at random. */
export default {
  name: "events",
  what: "identity events of one conversation (20)",
  against: "pgbench, plain rows of the same columns",
  floor: 0.3,
  goal: 0.5,
  async prepare({ server, client, sizes }) {
    this.port = server.port;
    const most = Math.floor(sizes.events / 20);
    const { rows } = await client.query(
      `select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w from (select (hashint4(g) & 2147483647) % ${most} + 1 as n from generate_series(1, ${MANY}) g) s`,
    );
    this.requests = rows.map(({ n, w }) =>
      get(`/api/conversations/${id(KIND.conversation, n)}/identity-events`, rawKey("t", Math.ceil(w / 6))),
    );
    // The same conversations.
    const n = `((hashint4(:g::int) & 2147483647) % ${most} + 1)`;
    const w = `((hashint4(${n}) & 2147483647) % ${WORKSPACES} + 1)`;
    this.scripts = [
      `\\set g random(1, ${MANY})\n${oneLine(identityEvents(idSql(KIND.tenant, tenantOf(w)), idSql(KIND.conversation, n)))};\n`,
    ];
  },
  ours(seconds) {
    // From another place in each round, as the baseline does: what the round before has brought into memory helps neither.
    const from = Math.floor(Math.random() * MANY);
    return httpLoad({
      port: this.port,
      connections: CONNECTIONS,
      seconds,
      requests: [...this.requests.slice(from), ...this.requests.slice(0, from)],
    });
  },
  baseline(seconds, { url }) {
    return pgbench(url, this.scripts, { clients: CONNECTIONS, seconds });
  },
};
