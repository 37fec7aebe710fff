import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../src/platform/database/sql.js";
import { wilson, wilsonSql } from "../../../src/platform/outcomes/wilson.js";
import { freshDatabase, type TestDatabase } from "../../support/database.js";

const sample = fc.integer({ min: 1, max: 100_000 }).chain((total) => fc.tuple(fc.nat(total), fc.constant(total)));

describe("the Wilson interval in SQL", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase();
  });
  afterAll(() => db.drop());

  test("is the same to four digits", async () => {
    const samples = fc.sample(sample, 500).concat([
      [0, 1],
      [1, 1],
      [0, 100_000],
      [100_000, 100_000],
    ]);
    const { share, low, high } = wilsonSql(sql`s.k`, sql`s.n`);
    const rows = await db.query<{
      share: number;
      low: number;
      high: number;
    }>(`select ${share.sql} as share, ${low.sql} as low, ${high.sql} as high
      from jsonb_array_elements(${pg.escapeLiteral(JSON.stringify(samples))}::jsonb) with ordinality as e (pair, n) cross join lateral (select (pair->>0)::int as k, (pair->>1)::int as n) s order by e.n`);
    for (const [n, row] of rows.entries()) {
      const ours = wilson(...samples[n]!);
      for (const end of ["share", "low", "high"] as const) expect(row[end]).toBeCloseTo(ours[end], 3.9);
    }
  });
});
