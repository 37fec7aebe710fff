import { listStatement } from "../../dist/src/conversations/conversation-list.queries.js";
import { id, KIND } from "../seed.mjs";

const PAGE = 1_000;
/** Full pages alone are compared, of as many rows; a contact has few conversations. */
const limitOf = (filters) => ("contactId" in filters ? 2 : 25);
/** A tenant, its first brand and that brand's first workspace; a contact and an assignee that have conversations there. */
const TENANT = id(KIND.tenant, 7);
const BRAND = id(KIND.brand, 13);
const WORKSPACE = id(KIND.workspace, 37);
const REACHES = {
  tenant: { brand: null, workspaces: null, where: "true" },
  brand: { brand: BRAND, workspaces: null, where: `brand_id = '${BRAND}'` },
  workspace: { brand: null, workspaces: [WORKSPACE], where: `workspace_id = '${WORKSPACE}'` },
};
const FILTERS = {
  none: {},
  workspaceId: { workspaceId: WORKSPACE },
  status: { status: ["open"] },
  assigneeId: { assigneeId: id(KIND.key, 8) },
  contactId: { contactId: id(KIND.contact, 6) },
  label: { label: "vip" },
  updatedSince: { updatedSince: "2026-02-01" },
  "workspaceId and label": { workspaceId: WORKSPACE, label: "vip" },
  "workspaceId and status": { workspaceId: WORKSPACE, status: ["open"] },
  "workspaceId and assigneeId": { workspaceId: WORKSPACE, assigneeId: id(KIND.key, 8) },
  "status and assigneeId": { status: ["open"], assigneeId: id(KIND.key, 8) },
  "status and contactId": { status: ["open"], contactId: id(KIND.contact, 6) },
};
const CONDITIONS = {
  workspaceId: (value) => `workspace_id = '${value}'`,
  status: ([value]) => `status = '${value}'`,
  assigneeId: (value) => `assignee_id = '${value}'`,
  contactId: (value) => `contact_id = '${value}'`,
  label: (value) => `labels @> array['${value}']`,
  updatedSince: (value) => `last_activity_at >= '${value}'`,
};

/** Buffers that PostgreSQL touches for a page, by EXPLAIN (ANALYZE, BUFFERS), of each list and kind of key; warm, the generic plan. */
export default {
  name: "pages",
  what: "a page’s cost: most buffers that page 1,000 of the larger database needs beyond page 1 of the smaller, one filter alone",
  against: "-",
  floor: "≤ 6",
  goal: "≤ 4",
  async measure({ databases, log }) {
    const table = [];
    for (const [level, reach] of Object.entries(REACHES)) {
      for (const [name, filters] of Object.entries(FILTERS)) {
        const cells = [];
        for (const { client } of databases) cells.push(await buffersOf(client, level, reach, filters));
        const all = cells.flat();
        // A contact has so few conversations of a state in one workspace that there is no full page to compare.
        if (cells.some((found) => !found.length)) continue;
        table.push({
          level,
          name,
          alone: !name.includes(" and "),
          cells,
          growth: Math.max(...all.map(({ buffers }) => buffers)) - all[0].buffers,
          times: Math.max(...all.map(({ buffers }) => buffers)) / all[0].buffers,
        });
      }
    }
    const alone = Math.max(...table.filter((row) => row.alone).map((row) => row.growth));
    const combined = Math.max(...table.filter((row) => !row.alone).map((row) => row.times));
    for (const { level, name, cells } of table)
      log(
        `pages ${level} ${name}: ${cells
          .flat()
          .map(({ page, buffers }) => `${buffers} (page ${page})`)
          .join(", ")}`,
      );
    return {
      ratio: alone,
      note: `combinations: at most ${combined.toFixed(1)} times`,
      details: details(table, databases),
    };
  },
};

/** Of page 1 and of page 1,000, or the last full one where there are fewer. */
async function buffersOf(client, level, reach, filters) {
  const where = [
    `tenant_id = '${TENANT}'`,
    reach.where,
    ...Object.entries(filters).map(([name, value]) => CONDITIONS[name](value)),
  ].join(" and ");
  const {
    rows: [{ count }],
  } = await client.query(`select count(*)::int as count from conversation where ${where}`);
  const limit = limitOf(filters);
  const page = Math.min(PAGE, Math.floor((count - 1) / limit));
  if (page < 1) return [];
  const first = await explain(client, listStatement(level, filters, false), {
    tenant: TENANT,
    ...reach,
    ...filters,
    limit,
  });
  if (page === 1) return [{ page: 1, buffers: first }];
  const {
    rows: [at],
  } = await client.query(
    `select last_activity_at::text as after0, id as after1 from conversation where ${where} order by last_activity_at desc, id desc offset ${(page - 1) * limit - 1} limit 1`,
  );
  return [
    { page: 1, buffers: first },
    {
      page,
      buffers: await explain(client, listStatement(level, filters, true), {
        tenant: TENANT,
        ...reach,
        ...filters,
        limit,
        ...at,
      }),
    },
  ];
}

async function explain(client, { text, slots }, values) {
  const literal = (value) =>
    value === null || value === undefined
      ? "null"
      : Array.isArray(value)
        ? `'{${value}}'`
        : typeof value === "number"
          ? String(value)
          : `'${value}'`;
  await client.query("begin");
  try {
    await client.query(`set local role parley_app; set local plan_cache_mode = force_generic_plan`);
    await client.query(`prepare page as ${text}`);
    const execute = `execute page(${slots.map((slot) => literal(slot?.name === undefined ? slot : values[slot.name])).join(", ")})`;
    await client.query(execute);
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${execute}`);
    const plan = rows[0]["QUERY PLAN"][0].Plan;
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  } finally {
    await client.query("rollback; deallocate all");
  }
}

function details(table, databases) {
  const head = databases.flatMap(({ conversations }) => [
    `${conversations.toLocaleString("en")}, page 1`,
    "page 1,000 or the last full one",
  ]);
  return [
    "| key | filter | " + head.join(" | ") + " |",
    `|---|---|${"---|".repeat(head.length)}`,
    ...table.map(
      ({ level, name, cells }) =>
        `| ${level} | ${name} | ${cells.map(([first, last = first]) => `${first.buffers} | ${last.page === PAGE ? last.buffers : `${last.buffers} (page ${last.page})`}`).join(" | ")} |`,
    ),
  ].join("\n");
}
