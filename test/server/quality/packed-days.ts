import { expect } from "vitest";
import { ReportDaysJob } from "../../../src/quality/reports/report-days.job.js";
import { dayAfter } from "../../../src/platform/http/days.js";
import type { TestApp, TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { start } from "../e2e/support.js";

type Query = (sql: string, values: unknown[]) => Promise<unknown>;

/** Packs what reports count of finished days. */
export const pack = (node: TestApp): Promise<void> => node.app.get(ReportDaysJob).run();

const DAYS = 10;
const REPORTS = ["volume", "first-reply", "reply", "resolution", "backlog"] as const;
const GROUPINGS = ["", "&groupBy=label", "&groupBy=resolution", "&groupBy=channel"] as const;

/**
 * Makes conversations ten days ago, and packs these days. What is open has got a label since, so its day is to be packed again.
 * @param query runs a statement as a role that sees the rows of all tenants
 * @returns what reports say of days until yesterday, and a change of it
 */
export async function packedPast(node: TestApp, { live, tenantId, defaults }: TestTenant, query: Query) {
  const make = async (labels: string[]): Promise<string> => {
    const { id } = await start(live, defaults.workspaceId, { message: { body: "Where is my parcel?" } });
    await live.patch(`/api/conversations/${id}`, { labels }, 200);
    await live.post(`/api/conversations/${id}/reply`, { body: "On its way." }, 200);
    return id;
  };
  const ids = [await make(["vip"]), await make([]), await make(["vip", "parcel"])] as const;
  const label = (text: string): Promise<unknown> =>
    live.patch(`/api/conversations/${ids[0]}`, { labels: ["vip", text] }, 200);
  await live.post(`/api/conversations/${ids[1]}/resolve`, {}, 200);
  await live.post(`/api/conversations/${ids[2]}/resolve`, { resolution: "escalated" }, 200);
  await live.post(`/api/conversations/${ids[2]}/reopen`, undefined, 200);
  const earlier = (column: string): string => `${column} = ${column} - interval '${DAYS} days'`;
  for (const [table, ...columns] of [
    ["open_time", "started_at", "opened_at", "closed_at"],
    ["reply_time", "at"],
  ])
    await query(
      `update ${table} set ${columns.map(earlier).join(", ")} where tenant_id = $1 and conversation_id = any($2)`,
      [tenantId, ids],
    );
  await query(`update conversation set ${earlier("created_at")} where tenant_id = $1 and id = any($2)`, [
    tenantId,
    ids,
  ]);
  await pack(node);
  await label("late");
  const today = new Date().toISOString().slice(0, 10);
  const during = `workspaceId=${defaults.workspaceId}&from=${dayAfter(today, -2 * DAYS)}&to=${dayAfter(today, -1)}`;
  const figures = (client: Client): Promise<unknown[]> =>
    Promise.all(
      REPORTS.flatMap((name) => GROUPINGS.map((by) => `/api/reports/${name}?${during}${by}` as const)).map(
        async (path) => (await client.get(path, 200)).body,
      ),
    );
  const [volume] = (await figures(live)) as [{ total: { count: number } }];
  expect(volume.total.count).toBe(ids.length);
  return { ids, figures, label };
}
