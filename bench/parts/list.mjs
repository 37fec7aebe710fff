import { listStatement } from "../../dist/src/conversations/conversations.queries.js";
import { get, httpLoad } from "../load.mjs";
import { pgbench, script } from "../pgbench.mjs";
import { BRANDS, idSql, KIND, rawKey, TENANTS, tenantOf, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;

/** GET /api/conversations, never asked before in this version of the data: `limit` stays, the key changes. */
export default {
  name: "list",
  what: "uncached list, 25 conversations, three kinds of key",
  against: "pgbench, the same statements",
  floor: 0.45,
  goal: 0.6,
  async prepare({ server }) {
    const keys = [];
    for (let n = 0; n < WORKSPACES; n++)
      keys.push(rawKey("w", n + 1), rawKey("b", (n % BRANDS) + 1), rawKey("t", (n % TENANTS) + 1));
    // `Cache-Control` does nothing to the server; what makes each an uncached read is that sharing is off for the run.
    this.requests = keys.map((key) => get("/api/conversations?limit=25", key));
    this.port = server.port;
    const limit = "25";
    this.scripts = [
      script(
        listStatement("workspaces", {}, false),
        { tenant: idSql(KIND.tenant, tenantOf(":w::int")), workspaces: `array[${idSql(KIND.workspace, ":w")}]`, limit },
        `\\set w random(1, ${WORKSPACES})`,
      ),
      script(
        listStatement("brand", {}, false),
        { tenant: idSql(KIND.tenant, "((:b::int - 1) / 2 + 1)"), brand: idSql(KIND.brand, ":b"), limit },
        `\\set b random(1, ${BRANDS})`,
      ),
      script(
        listStatement("tenant", {}, false),
        { tenant: idSql(KIND.tenant, ":t"), limit },
        `\\set t random(1, ${TENANTS})`,
      ),
    ];
  },
  ours(seconds) {
    return httpLoad({ port: this.port, connections: CONNECTIONS, seconds, requests: this.requests });
  },
  baseline(seconds, { url }) {
    return pgbench(url, this.scripts, { clients: CONNECTIONS, seconds });
  },
};
