import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { get, httpLoad } from "../load.mjs";
import { id, KIND, rawKey, WORKSPACES } from "../seed.mjs";

const POLLERS = 100;
const TIMES = 20;
/** Idle connections of PostgreSQL report what they did after ten seconds. */
const COUNTED_LATE_MS = 11_000;

/** A hundred pollers with what one change has made stale, all at once. */
export default {
  name: "crowd",
  what: "100 pollers at once after one change, of the same reach, on one process (queries)",
  against: "-",
  floor: "≤ 1",
  goal: "1",
  async measure({ server, client, sizes }) {
    const {
      rows: [{ n, w }],
    } = await client.query(
      `select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w from (select ${sizes.conversations} as n) s`,
    );
    const scans = async () =>
      Number(
        (
          await client.query(
            `select idx_scan from pg_stat_user_indexes where indexrelname = 'conversation_recent_in_workspace'`,
          )
        ).rows[0].idx_scan,
      );
    const authorization = `Bearer ${rawKey("w", w)}`;
    await sleep(COUNTED_LATE_MS);
    const before = await scans();
    let other = 0;
    for (let i = 0; i < TIMES; i++) {
      const response = await fetch(
        `http://127.0.0.1:${server.port}/api/conversations/${id(KIND.conversation, n)}/reply`,
        {
          method: "POST",
          headers: { authorization, "content-type": "application/json", "idempotency-key": randomUUID() },
          body: '{"body":"To all"}',
        },
      );
      await response.arrayBuffer();
      // One request on each of a hundred connections.
      const result = await httpLoad({
        port: server.port,
        connections: POLLERS,
        seconds: 0.05,
        once: true,
        requests: [get("/api/conversations?limit=25", rawKey("w", w), { "If-None-Match": '"stale"' })],
      });
      if (result.count !== POLLERS) throw new Error(`${result.count} answers for ${POLLERS} polls`);
      other += result.other;
    }
    await sleep(COUNTED_LATE_MS);
    return {
      ratio: Number((((await scans()) - before) / TIMES).toFixed(2)),
      note: `${TIMES} changes, ${TIMES * POLLERS} answers, ${other} not 200`,
    };
  },
};
