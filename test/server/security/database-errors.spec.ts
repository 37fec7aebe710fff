import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checked, Instant } from "../../../src/platform/http/validation.js";
import { start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { ask } from "./http.js";

let app: TestApp;
let tenant: TestTenant;
let path: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  path = `/api/conversations/${(await start(tenant.live, tenant.defaults.workspaceId)).id}/messages`;
});
afterAll(() => app.close());

/** The message's insert fails with this error of PostgreSQL, which quotes the row. */
async function withError(code: string, constraint: string): Promise<{ status: number; text: string; log: string }> {
  await app.db.query(`create function broken() returns trigger language plpgsql as $$ begin
    raise exception 'value is wrong: "%"', new.body
      using errcode = '${code}', constraint = '${constraint}', detail = new.body, hint = new.body; end $$`);
  await app.db.query("create trigger a_broken before insert on message for each row execute function broken()");
  let log = "";
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    log += String(chunk);
    return true;
  });
  try {
    const { status, text } = await ask(app.baseUrl, {
      method: "POST",
      path,
      headers: {
        authorization: `Bearer ${tenant.live.token}`,
        "content-type": "application/json",
        "x-request-id": `try-${code}`,
      },
      body: '{"body":"a-private-word"}',
    });
    return { status, text, log };
  } finally {
    spy.mockRestore();
    await app.db.query("drop function broken cascade");
  }
}

describe("an error of the database", () => {
  test.each([
    "22001",
    "22003",
    "22007",
    "22021",
    "22P02",
    "22P05",
    "23502",
    "23503",
    "23514",
    "42601",
    "42703",
    "54000",
    "P0001",
    "XX000",
  ])(
    "that nobody foresaw (%s) is 500, with its cause and the request's id in the log and without the text",
    async (code) => {
      const { status, text, log } = await withError(code, "some_check");
      expect([status, text]).toEqual([500, '{"error":"Internal Server Error"}']);
      expect(log).toContain(`request try-${code}: ${code} value is wrong`);
      expect(log).toContain("constraint some_check");
      expect(log).toContain("function broken()");
      expect(log).not.toContain("a-private-word");
    },
  );

  test.each([
    ["23505", "any_key", 409, "Something with the same unique value exists already"],
    ["23514", "conversation_erased", 409, "The contact was erased: nothing can be added"],
    ["23514", "contact_blocked", 409, "The contact is blocked: its messages are not taken"],
    ["23514", "workspace_archived", 409, "The workspace is archived: it can be read, not written to"],
    ["57014", "", 503, "The service is temporarily unavailable; try again"],
    ["53100", "", 503, "The service is temporarily unavailable; try again"],
  ])("that is foreseen (%s, %s) is %i", async (code, constraint, expected, error) => {
    const { status, text } = await withError(code, constraint);
    expect([status, JSON.parse(text)]).toEqual([expected, { error }]);
  });
});

describe("a time", () => {
  class Probe {
    @Instant() at: string;
  }
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, "0"));
  const year = fc.oneof(
    fc.integer({ min: 0, max: 9_999 }).map((n) => String(n).padStart(4, "0")),
    fc.constantFrom("0000", "0001", "9999", "10000", "+012026", "-0001"),
  );
  const day = fc.oneof(
    fc.tuple(year, two(13), two(32)).map((parts) => parts.join("-")),
    fc.tuple(year, two(53)).map(([y, week]) => `${y}-W${week}-1`),
    fc.tuple(year, fc.integer({ min: 1, max: 366 })).map(([y, n]) => `${y}-${String(n).padStart(3, "0")}`),
    fc.constantFrom("20260102", "2026", "2026-01"),
  );
  const clock = fc.oneof(
    fc.tuple(two(24), two(60), two(61)).map((parts) => `T${parts.join(":")}`),
    fc.tuple(two(24), two(59)).map((parts) => `T${parts.join(":")}`),
    fc.constantFrom("", "T10", "T1030", "T10:30:00.123456789", "T10:30:00,5", "T10.5", "T24:00:00", "T23:59:60"),
  );
  const zone = fc.oneof(
    fc.constantFrom("", "Z", "z", "+00:00", "+0530", "+05", "-99:99", "+23:59", "+15:59", "+16:00"),
    fc.tuple(fc.constantFrom("+", "-"), two(23), two(59)).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );

  test("that is taken is one that PostgreSQL can keep and the server can read, between the years 1 and 9999", async () => {
    const given = fc.sample(fc.tuple(day, clock, zone), { seed: 46, numRuns: 6_000 }).map((parts) => parts.join(""));
    const taken = given.flatMap((at) => {
      try {
        return [checked(Probe, { at }).at];
      } catch {
        return [];
      }
    });
    expect(taken.length).toBeGreaterThan(200);
    const rows = await app.db.query<{ at: string; year: number }>(
      `select a as at, extract(year from a::timestamptz at time zone 'UTC')::int as year from unnest($1::text[]) a`,
      [taken],
    );
    expect(rows.filter(({ year: of }) => of < 1 || of > 9_999)).toEqual([]);
    expect(taken.filter((at) => Number.isNaN(Date.parse(at)))).toEqual([]);
  });

  test.each(["0000-01-01T00:00:00Z", "2026-W01-1", "2026-001", "+012026-01-01T00:00:00Z", "2026-01-01T23:59:60Z"])(
    "%s is refused with a sentence",
    async (occurredAt) => {
      const { body } = await tenant.live.post<{ error: string }>(path, { body: "Hello", occurredAt }, 400);
      expect(body.error).toMatch(/^occurredAt must be a (time between the years 1 and 9999|valid ISO 8601)/);
    },
  );
});
