import { LIST_IDENTITY_EVENTS } from "../../dist/src/identity/events/identity-events.service.js";
import { get, httpLoad } from "../load.mjs";
import { pgbench, script } from "../pgbench.mjs";
import { id, idSql, KIND, rawKey, tenantOf, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;
const MANY = 20_000;

/** GET /api/conversations/{id}/identity-events over conversations taken at random. */
export default {
  name: "events",
  what: "identity events of one conversation (20)",
  against: "pgbench, the same statement",
  floor: 0.45,
  goal: 0.6,
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
      script(
        LIST_IDENTITY_EVENTS,
        { tenant: idSql(KIND.tenant, tenantOf(w)), conversationId: idSql(KIND.conversation, n) },
        `\\set g random(1, ${MANY})`,
      ),
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
