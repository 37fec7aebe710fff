import { get, httpLoad } from "../load.mjs";
import { oneLine, pgbench } from "../pgbench.mjs";
import { conversations } from "../plain.mjs";
import { BRANDS, idSql, KIND, rawKey, TENANTS, tenantOf, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;

/** A workspace's, a brand's and a tenant's key in turn. */
export const keysInTurn = () =>
  Array.from({ length: WORKSPACES }, (_, n) => [
    rawKey("w", n + 1),
    rawKey("b", (n % BRANDS) + 1),
    rawKey("t", (n % TENANTS) + 1),
  ]).flat();

/** GET /api/conversations, never asked before in this version of the data: `limit` stays, the key changes. */
export default {
  name: "list",
  what: "uncached list, 25 conversations, three kinds of key",
  against: "pgbench, plain rows of the same columns",
  floor: 0.3,
  goal: 0.5,
  prepare({ server }) {
    // `Cache-Control` does nothing to the server; what makes each an uncached read is that sharing is off for the run.
    this.requests = keysInTurn().map((key) => get("/api/conversations?limit=25", key));
    this.port = server.port;
    const tenantOfBrand = "((:b::int - 1) / 2 + 1)";
    this.scripts = [
      `\\set w random(1, ${WORKSPACES})\n${oneLine(conversations(idSql(KIND.tenant, tenantOf(":w::int")), `workspace_id = ${idSql(KIND.workspace, ":w")}`))};\n`,
      `\\set b random(1, ${BRANDS})\n${oneLine(conversations(idSql(KIND.tenant, tenantOfBrand), `brand_id = ${idSql(KIND.brand, ":b")}`))};\n`,
      `\\set t random(1, ${TENANTS})\n${oneLine(conversations(idSql(KIND.tenant, ":t"), "true"))};\n`,
    ];
  },
  ours(seconds) {
    return httpLoad({ port: this.port, connections: CONNECTIONS, seconds, requests: this.requests });
  },
  baseline(seconds, { url }) {
    return pgbench(url, this.scripts, { clients: CONNECTIONS, seconds });
  },
};
