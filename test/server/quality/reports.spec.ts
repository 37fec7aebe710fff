import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect } from "../../support/database.js";
import { runs } from "../../support/seed.js";
import { DAY_KINDS } from "../../../src/quality/reports/report-days.entity.js";
import { ReportDaysJob } from "../../../src/quality/reports/report-days.job.js";
import { assist, teach } from "../assistant/support.js";
import { newAgent, newWorkspace, NOT_FOUND, start, walk } from "../e2e/support.js";

type Report = Schemas["Report"];
type Name = Report["report"];

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  workspaceId = (await newWorkspace(owner, tenant.defaults.brandId)).id;
});
afterAll(() => app.close());

const report = async (client: Client, name: Name, query: Record<string, string> = {}): Promise<Report> =>
  (await client.get(`/api/reports/${name}?${new URLSearchParams(query).toString()}`, 200)).body as Report;
const rows = (client: Client, query: Record<string, string>, limit = 100) =>
  walk<Schemas["ReportRow"]>(client, `/api/reports/conversations?${new URLSearchParams(query).toString()}`, limit);

describe("what people do", () => {
  const count = async (name: Name): Promise<number> => (await report(owner, name, { workspaceId })).total.count;
  const counts = async () => {
    const [volume, first, reply, resolution, backlog] = await Promise.all(
      (["volume", "first-reply", "reply", "resolution", "backlog"] as const).map(count),
    );
    return { volume, first, reply, resolution, backlog };
  };

  test("counts when it happens, and not after it was taken back", async () => {
    const { id } = await start(tenant.live, workspaceId, { message: { body: "Hello?" } });
    expect(await counts()).toEqual({ volume: 1, first: 0, reply: 0, resolution: 0, backlog: 1 });
    const reply = (body: object = {}) =>
      tenant.live.post(`/api/conversations/${id}/reply`, { body: "Yes", ...body }, 200);
    await reply();
    await reply();
    expect(await counts()).toEqual({ volume: 1, first: 1, reply: 1, resolution: 0, backlog: 1 });
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Thanks" }, 201);
    await reply({ then: "resolve" });
    expect(await counts()).toEqual({ volume: 1, first: 1, reply: 2, resolution: 1, backlog: 0 });
    await tenant.live.post(`/api/conversations/${id}/reopen`, undefined, 200);
    expect(await counts()).toEqual({ volume: 1, first: 1, reply: 2, resolution: 0, backlog: 1 });
    await tenant.live.post(`/api/conversations/${id}/resolve`, { resolution: "escalated" }, 200);
    expect(await counts()).toEqual({ volume: 1, first: 1, reply: 2, resolution: 1, backlog: 0 });
    const { groups } = await report(owner, "resolution", { workspaceId, groupBy: "resolution" });
    expect(groups).toMatchObject([{ group: "escalated", count: 1 }]);
  });

  test("stays counted after a merge and an erasure, without a trace of the contact", async () => {
    const before = await counts();
    const made = await start(tenant.live, workspaceId, { message: { body: "Hello?" } });
    await tenant.live.post(`/api/conversations/${made.id}/reply`, { body: "Yes", then: "resolve" }, 200);
    const after = {
      ...before,
      volume: before.volume! + 1,
      first: before.first! + 1,
      reply: before.reply! + 1,
      resolution: before.resolution! + 1,
    };
    expect(await counts()).toEqual(after);
    const { body: other } = await tenant.live.post("/api/contacts", { name: "Ada" }, 201);
    await owner.post(`/api/contacts/${other.id}/merge`, { sourceContactId: made.contactId }, 200);
    expect(await counts()).toEqual(after);
    await owner.post(`/api/contacts/${other.id}/erasure`, undefined, 200);
    expect(await counts()).toEqual(after);
  });

  test("is not seen from other workspaces or the other side", async () => {
    const elsewhere = await newWorkspace(owner, tenant.defaults.brandId);
    const restricted = await newAgent(owner, [elsewhere.id]);
    expect((await report(restricted, "volume")).total.count).toBe(0);
    expect(await rows(restricted, { report: "volume" })).toEqual([]);
    expect((await report(tenant.test, "volume")).total.count).toBe(0);
    for (const path of [
      `/api/reports/volume?workspaceId=${workspaceId}`,
      `/api/reports/conversations?report=volume&workspaceId=${workspaceId}`,
    ] as const)
      expect((await restricted.get(path, 404)).body).toEqual(NOT_FOUND);
  });
});

describe("what the assistant does", () => {
  let place: string;
  beforeAll(async () => {
    place = (await newWorkspace(owner, tenant.defaults.brandId)).id;
    await teach(tenant.live, place);
  });
  const figures = async (name: Name) => {
    const { count, share } = (await report(owner, name, { workspaceId: place })).total;
    return { count, share };
  };
  /** As if its seven days had passed. */
  const wait = (id: string) =>
    app.db.query(
      "update assistant_time set settled_at = settled_at - interval '168 hours' where conversation_id = $1",
      [id],
    );
  const asked = async (body: string) => {
    const made = await start(tenant.live, place, { message: { body } });
    await assist(app);
    return made;
  };

  test("counts where it answered, until a person replies", async () => {
    const { id } = await asked("Where is my parcel?");
    expect(await figures("automation")).toEqual({ count: 1, share: 1 });
    expect(await figures("containment"), "the seven days are not over").toEqual({ count: 0, share: null });
    await wait(id);
    expect(await figures("containment")).toEqual({ count: 1, share: 1 });
    await owner.post(`/api/conversations/${id}/reply`, { body: "It left." }, 200);
    expect(await figures("automation")).toEqual({ count: 1, share: 0 });
    expect(await figures("containment"), "the reply came after the seven days").toEqual({ count: 1, share: 1 });
  });

  test("is counted anew after its next answer, in a conversation that is open again", async () => {
    const before = await figures("containment");
    const { id } = await asked("When do I get my refund?");
    await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await wait(id);
    expect((await figures("containment")).count).toBe(before.count + 1);
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "How do I change the card I pay with?" }, 201);
    await assist(app);
    expect(await figures("containment"), "seven days begin again").toEqual(before);
  });

  test("stays counted after a merge and an erasure", async () => {
    const made = await asked("Do you sell bananas?");
    const other = await asked("Where is my parcel?");
    await wait(other.id);
    const all = async () => [
      await figures("automation"),
      await figures("containment"),
      await figures("hand-over"),
      (await report(owner, "hand-over", { workspaceId: place, groupBy: "reason" })).groups.map(({ group }) => group),
    ];
    const before = await all();
    expect(before[3]).toEqual(["nothing_found"]);
    await owner.post(`/api/contacts/${made.contactId}/merge`, { sourceContactId: other.contactId }, 200);
    expect(await all()).toEqual(before);
    await owner.post(`/api/contacts/${made.contactId}/erasure`, undefined, 200);
    expect(await all()).toEqual(before);
  });
});

const pack = () => app.app.get(ReportDaysJob).run();
const changedDays = async (tenantId: string): Promise<number> =>
  (await app.db.query("select from report_day_change where tenant_id = $1", [tenantId])).length;

describe("random conversations", () => {
  const FROM = "2026-01-05";
  const TO = "2026-03-31";
  const LABELS = ["vip", "refund", "=1+1"];
  /** The same at each run. */
  let state = 20260105;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]!;
  let side: TestTenant;
  let workspaces: { id: string; brandId: string; channelId: string }[];
  let members: string[];
  let client: Client;
  let contactId: string;

  beforeAll(async () => {
    side = await app.tenant();
    client = await side.owner();
    const made = [await newWorkspace(client, side.defaults.brandId), await newWorkspace(client, side.defaults.brandId)];
    members = [
      (
        await newAgent(
          client,
          made.map(({ id }) => id),
        )
      ).id,
      (
        await newAgent(
          client,
          made.map(({ id }) => id),
        )
      ).id,
    ];
    workspaces = await Promise.all(
      made.map(async ({ id, brandId }) => ({
        id,
        brandId,
        channelId: (await client.get(`/api/workspaces/${id}/channels`, 200)).body[0]!.id,
      })),
    );
    const { body: contact } = await side.live.post("/api/contacts", { name: "Ada" }, 201);
    for (let n = 0; n < 200; n++) await live(contact.id);
    contactId = contact.id;
  });

  const at = (minutes: number): string =>
    new Date(Date.parse("2025-12-15T00:00:00Z") + minutes * 60_000 + random(60_000)).toISOString();

  /** A conversation of some weeks in the past: what is written is what the API would have written then. */
  async function live(contactId: string): Promise<void> {
    const { id: workspace, brandId, channelId } = pick(workspaces);
    let minutes = random(110 * 1_440);
    const [row] = await app.db.query<{ id: string }>(
      `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, labels, assignee_id, created_at, updated_at, last_activity_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, $8, $8) returning id`,
      [
        side.tenantId,
        workspace,
        brandId,
        channelId,
        contactId,
        LABELS.filter(() => random(2) === 0),
        random(2) ? pick(members) : null,
        at(minutes),
      ],
    );
    const { id } = row!;
    let sequence = 0;
    let waiting: string | null = null;
    let first = true;
    let status = "open";
    const change = (set: string, values: unknown[]) =>
      app.db.query(`update conversation set ${set} where tenant_id = $1 and id = $2`, [side.tenantId, id, ...values]);
    const say = async (
      direction: string,
      author: string,
      authorId: string | null,
      time: string,
      since: string | null,
    ) =>
      app.db.query(
        `insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, author_id, body, delivery_status, occurred_at, created_at, waited_since)
         values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, 'x', 'sent', $7, $7, $8)`,
        [side.tenantId, id, ++sequence, direction, author, authorId, time, since],
      );
    /** The assistant is on, and ends with what it does. */
    const consider = async (of: number, time: string) => {
      const [run] = await app.db.query<{ id: string }>(
        `insert into assistant_run (tenant_id, id, workspace_id, conversation_id, message_id, sequence, agent_id, instructions_version, created_at)
         values ($1, gen_random_uuid(), $2, $3, gen_random_uuid(), $4, gen_random_uuid(), 1, $5) returning id`,
        [side.tenantId, workspace, id, of, time],
      );
      const outcome = pick(["answered", "answered", "clarified", "handed_off", "failed", null]);
      const why = outcome === "failed" ? "failed" : outcome === "handed_off" ? pick(["unsure", "wants_person"]) : null;
      if (outcome !== null)
        await app.db.query(
          "update assistant_run set outcome = $3, ended_at = $4, hand_over_reason = $5 where tenant_id = $1 and id = $2",
          [side.tenantId, run!.id, outcome, time, why],
        );
    };
    for (let turns = random(6); turns >= 0; turns--) {
      const time = at((minutes += random(3_000)));
      const what = random(status === "resolved" ? 3 : 4);
      if (what < 2) {
        await say("inbound", "contact", null, time, null);
        if (random(3)) await consider(sequence, time);
        waiting ??= time;
        status = "open";
        await change(
          "waiting_since = coalesce(waiting_since, $3), status = 'open', resolved_at = null, resolution = null, updated_at = $3",
          [time],
        );
      } else if (what === 2) {
        const [author, authorId] = pick([
          ["member", pick(members)],
          ["assistant", null],
          ["api", null],
        ] as const);
        if (first) await change("first_reply_at = $3", [time]);
        if (author !== "assistant") await change("handling_mode = 'human', updated_at = $3", [time]);
        await say("outbound", author, authorId, time, waiting);
        if (author === "assistant") await change("assisted = true, updated_at = $3", [time]);
        first = false;
        waiting = null;
        await change("waiting_since = null", []);
        // It is cancelled before it leaves.
        if (random(8) === 0)
          await app.db.query(
            "update message set direction = 'internal', delivery_status = 'cancelled', waited_since = null where tenant_id = $1 and conversation_id = $2 and sequence = $3",
            [side.tenantId, id, sequence],
          );
      } else {
        waiting = null;
        status = "resolved";
        await change("waiting_since = null, status = 'resolved', resolved_at = $3, resolution = $4, updated_at = $3", [
          time,
          pick(["answered", "spam"]),
        ]);
        if (random(3) === 0) await survey(id, workspace, channelId, contactId, at(minutes + 60));
      }
    }
  }

  const survey = (conversationId: string, workspace: string, channelId: string, contactId: string, time: string) => {
    const scale = pick([2, 5, 10]);
    return app.db.query(
      `insert into csat_survey (tenant_id, id, workspace_id, conversation_id, contact_id, channel_id, member_id, agent_ids, kb_entry_ids, scale, low_score_threshold, question, question_language, language, asked_at, expires_at, score, rated_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, '{}', '{}', $7, 1, 'How was it?', 'en', 'en', $8, $8, $9, $8)`,
      [side.tenantId, workspace, conversationId, contactId, channelId, pick(members), scale, time, 1 + random(scale)],
    );
  };

  /** The statements of docs/reports.md, by report. */
  const STATEMENTS = Object.fromEntries(
    [
      ...fs.readFileSync("docs/reports.md", "utf8").matchAll(/^`([a-z-]+)`[^\n]*(?:\n[^\n]+)*\n\n```sql\n([^`]+)```/gm),
    ].map(([, name, text]) => [
      name!,
      text!
        .replace(/:tenant/g, "$1")
        .replace(/:since/g, "$2::timestamptz")
        .replace(/:until/g, "$3::timestamptz"),
    ]),
  ) as Record<Name, string>;
  type Plain = { count: string; median?: number; p90?: number; mean?: string; share?: string };
  const plain = async (name: Name, { start, end }: { start: string; end: string }) => {
    const [row] = await app.db.query<Plain>(STATEMENTS[name], [side.tenantId, start, end]);
    const rounded = (value?: number | string | null) =>
      value === null || value === undefined ? null : Math.round(Number(value));
    return {
      count: Number(row!.count),
      median: rounded(row!.median),
      p90: rounded(row!.p90),
      mean: rounded(row!.mean),
      share: row!.share === null || row!.share === undefined ? null : expect.closeTo(Number(row!.share), 9),
    };
  };

  /** Every report, with these groupings, and by the hour in a zone whose days begin at a quarter of an hour. */
  const everything = async (...groupings: (typeof GROUPS)[number][]): Promise<Report[]> => {
    const by = { from: FROM, to: TO, interval: "month", timeZone: "America/New_York" };
    const all = [
      report(client, "busiest-hours", by),
      report(client, "reply", { from: "2026-02-27", to: "2026-03-29", interval: "hour", timeZone: "Asia/Kathmandu" }),
    ];
    for (const groupBy of groupings) {
      for (const name of COUNTED) all.push(report(client, name, { ...by, groupBy }));
      // Much of what is open was opened before the days that are asked for.
      all.push(report(client, "backlog", { ...by, from: "2026-03-20", groupBy }));
    }
    return Promise.all(all);
  };
  const COUNTED = [
    "volume",
    "reply",
    "resolution",
    "backlog",
    "assistant",
    "automation",
    "containment",
    "hand-over",
    "csat",
  ] as const;
  const GROUPS = ["workspace", "channel", "member", "label", "brand", "resolution", "handledBy"] as const;

  test("reports say the same before the days are packed and afterwards, and no day is left", async () => {
    const before = await everything(...GROUPS);
    await pack();
    expect(
      await app.db.query("select distinct kind from report_day where tenant_id = $1", [side.tenantId]),
    ).toHaveLength(DAY_KINDS.length);
    expect(await changedDays(side.tenantId)).toBe(0);
    expect(await everything(...GROUPS)).toEqual(before);
  });

  /** What changes about the past: each of them is a change that the API can make. */
  const CHANGES: readonly [what: string, shownBy: (typeof GROUPS)[number], change: (id: string) => Promise<unknown>][] =
    [
      ["label", "label", (id) => of(id, "labels = $3", [LABELS.filter(() => random(2) === 0)])],
      ["assignee", "member", (id) => of(id, "assignee_id = $3", [random(3) ? pick(members) : null])],
      [
        "handling",
        "handledBy",
        (id) => of(id, "handling_mode = case handling_mode when 'human' then 'assistant' else 'human' end", []),
      ],
      [
        "reopening",
        "resolution",
        (id) => of(id, "status = 'open', resolved_at = null, resolution = null, updated_at = now()", []),
      ],
      [
        "resolution",
        "resolution",
        (id) =>
          of(
            id,
            "status = 'resolved', resolved_at = coalesce(resolved_at, now()), resolution = 'abandoned', updated_at = now()",
            [],
          ),
      ],
      ["cancellation", "member", (id) => inIt(id, "update message set waited_since = null")],
      ["rating", "member", (id) => inIt(id, "update csat_survey set score = 1 + (score % scale)")],
      [
        "reply of a person",
        "channel",
        (id) =>
          app.db.query(
            `insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, author_id, body, delivery_status, occurred_at, created_at)
       select $1, gen_random_uuid(), $2, coalesce(max(sequence), 0) + 1, 'outbound', 'member', $3, 'x', 'sent', now(), now()
       from message where tenant_id = $1 and conversation_id = $2`,
            [side.tenantId, id, members[0]],
          ),
      ],
      [
        "deletion",
        "brand",
        async (id) => {
          for (const table of ["csat_survey", "assistant_run", "message"]) await inIt(id, `delete from ${table}`);
          await app.db.query("delete from conversation where tenant_id = $1 and id = $2", [side.tenantId, id]);
        },
      ],
      ["beginning", "workspace", () => live(contactId)],
    ];
  /** Two of them at one time would be a mistake of the test. */
  const ALONE: readonly string[] = ["reply of a person", "deletion", "beginning"];
  const inIt = (id: string, statement: string) =>
    app.db.query(`${statement} where tenant_id = $1 and conversation_id = $2`, [side.tenantId, id]);
  const of = (id: string, set: string, values: unknown[]) =>
    app.db.query(`update conversation set ${set} where tenant_id = $1 and id = $2`, [side.tenantId, id, ...values]);
  const conversations = async (): Promise<string[]> =>
    (
      await app.db.query<{ id: string }>("select id from conversation where tenant_id = $1 order by created_at, id", [
        side.tenantId,
      ])
    ).map(({ id }) => id);

  /** As if nothing was packed. */
  const fromRows = async (...groupings: (typeof GROUPS)[number][]): Promise<Report[]> => {
    await app.db.query("update report_day_until set until = '1900-01-01' where tenant_id = $1", [side.tenantId]);
    const all = await everything(...groupings);
    await app.db.query("delete from report_day_until where tenant_id = $1", [side.tenantId]);
    return all;
  };

  test.each(CHANGES)(
    "a late %s is counted at once, and the same when its days are packed again",
    async (_, shownBy, change) => {
      await pack();
      const before = await everything(shownBy);
      const all = await conversations();
      for (let n = 0; n < 12; n++) await change(pick(all));
      expect(await changedDays(side.tenantId)).toBeGreaterThan(0);
      const counted = await everything(shownBy);
      expect(counted).not.toEqual(before);
      await pack();
      expect(await changedDays(side.tenantId)).toBe(0);
      expect(await everything(shownBy)).toEqual(counted);
      expect(await fromRows(shownBy)).toEqual(counted);
    },
  );

  test("what commits while days are packed is counted: neither the day before nor the change is lost", async () => {
    await pack();
    const all = await conversations();
    const label = async (id: string) => of(id, "labels = $3", [[`race ${random(1000)}`]]);
    for (let n = 0; n < 5; n++) await label(pick(all));
    const [{ workspace_id: workspace, day } = {} as { workspace_id: string; day: string }] = await app.db.query<{
      workspace_id: string;
      day: string;
    }>(
      "select c.workspace_id, c.day::text from report_day_change c join report_day d using (tenant_id, workspace_id, day) where c.tenant_id = $1 order by 1, 2 limit 1",
      [side.tenantId],
    );
    const holder = await connect(app.db.url);
    const writer = await connect(app.db.url);
    try {
      // Packing comes to this row after it has read, and waits.
      await holder.query("begin");
      await holder.query("select from report_day where tenant_id = $1 and workspace_id = $2 and day = $3 for update", [
        side.tenantId,
        workspace,
        day,
      ]);
      const packing = pack();
      const isWaiting = async () =>
        (
          await app.db.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).length > 0;
      await expect.poll(isWaiting).toBe(true);
      const [victim] = await app.db.query<{ id: string }>(
        "select conversation_id as id from open_time where tenant_id = $1 and workspace_id = $2 and (opened_at at time zone 'UTC')::date = $3 limit 1",
        [side.tenantId, workspace, day],
      );
      await label(victim?.id ?? pick(all));
      await holder.query("commit");
      await packing;
      // The other order: it is written before the days are packed, and commits afterwards.
      await writer.query("begin");
      await writer.query("update conversation set labels = '{late}' where tenant_id = $1 and id = $2", [
        side.tenantId,
        pick(all),
      ]);
      await pack();
      await writer.query("commit");
    } finally {
      await holder.end();
      await writer.end();
    }
    expect(await changedDays(side.tenantId)).toBeGreaterThan(0);
    const counted = await everything("label", "resolution");
    expect(counted).toEqual(await fromRows("label", "resolution"));
  });

  test("many changes while days are packed over and over leave what the rows say", async () => {
    const all = await conversations();
    let done = false;
    const packing = (async () => {
      while (!done) await pack();
    })();
    const changes = CHANGES.filter(([what]) => !ALONE.includes(what)).map(([, , change]) => change);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < runs(20, 40); n++) await pick(changes)(pick(all));
      }),
    );
    done = true;
    await packing;
    const counted = await everything(...GROUPS);
    expect(counted).toEqual(await fromRows(...GROUPS));
  });

  describe.each(["while days have changed", "when all are packed"])("%s", (state) => {
    beforeAll(async () => {
      await pack();
      const all = await conversations();
      if (state === "while days have changed")
        for (let n = 0; n < 10; n++) await of(pick(all), "labels = $3", [LABELS.filter(() => random(2) === 0)]);
      expect((await changedDays(side.tenantId)) > 0).toBe(state === "while days have changed");
    });

    test.each([
      "volume",
      "first-reply",
      "reply",
      "resolution",
      "backlog",
      "assistant",
      "automation",
      "containment",
      "hand-over",
      "csat",
    ] as const)(
      "%s is what its statement in docs/reports.md gives, in each interval, and has as many rows",
      async (name) => {
        for (const interval of ["month", "week"] as const) {
          const got = await report(client, name, { from: FROM, to: TO, interval, timeZone: "Europe/Berlin" });
          expect(got.total).toEqual(await plain(name, got));
          expect(got.total.count).toBeGreaterThan(4);
          for (const { start, end, previous: _, ...figures } of got.intervals) {
            expect({ start, ...figures }).toEqual({ start, ...(await plain(name, { start, end })) });
            const behind = await rows(client, { report: name, from: start, to: end }, interval === "month" ? 7 : 100);
            expect(behind).toHaveLength(figures.count);
            expect(new Set(behind.map((row) => JSON.stringify(row))).size).toBe(figures.count);
          }
        }
      },
    );

    test("busiest-hours is what its statement gives", async () => {
      const got = await report(client, "busiest-hours", { from: FROM, to: TO });
      const hours = await app.db.query<{ hour: string; count: string }>(STATEMENTS["busiest-hours"], [
        side.tenantId,
        got.start,
        got.end,
      ]);
      expect(Object.fromEntries(got.groups.map(({ group, count }) => [group, count]))).toEqual(
        Object.fromEntries(hours.map(({ hour, count }) => [hour, Number(count)])),
      );
      const [{ group, count }] = got.groups as [Schemas["ReportGroup"]];
      expect(await rows(client, { report: "busiest-hours", from: got.start, to: got.end, group })).toHaveLength(count);
    });

    test("the previous period is what the report of those days says", async () => {
      for (const name of ["volume", "reply", "backlog"] as const) {
        const now = await report(client, name, { from: "2026-02-10", to: "2026-02-19", groupBy: "channel" });
        const then = await report(client, name, { from: "2026-01-31", to: "2026-02-09", groupBy: "channel" });
        expect(now.previous).toEqual(then.total);
        expect(now.intervals.map(({ previous }) => previous.count)).toEqual(then.intervals.map(({ count }) => count));
        for (const { group, previous } of now.groups)
          expect(previous.count).toBe(then.groups.find((one) => one.group === group)?.count ?? 0);
      }
    });

    test("hand-overs are those of each reason that its statement gives", async () => {
      const got = await report(client, "hand-over", { from: FROM, to: TO, groupBy: "reason" });
      const reasons = await app.db.query<{ reason: string; count: number }>(
        `select r.hand_over_reason as reason, count(*)::int as count from assistant_run r
       where r.tenant_id = $1 and r.hand_over_reason is not null and r.ended_at >= $2 and r.ended_at < $3 group by 1`,
        [side.tenantId, got.start, got.end],
      );
      expect(Object.fromEntries(got.groups.map(({ group, count }) => [group, count]))).toEqual(
        Object.fromEntries(reasons.map(({ reason, count }) => [reason, count])),
      );
      expect(reasons.length).toBe(3);
      const behind = await rows(client, {
        report: "hand-over",
        from: got.start,
        to: got.end,
        groupBy: "reason",
        group: "unsure",
      });
      expect(new Set(behind.map(({ reason }) => reason))).toEqual(new Set(["unsure"]));
      expect((await client.get("/api/reports/volume?groupBy=reason", 400)).body).toEqual({
        error: "Only hand-over is grouped by reason",
      });
    });

    test.each([
      "volume",
      "reply",
      "resolution",
      "backlog",
      "assistant",
      "automation",
      "containment",
      "hand-over",
      "csat",
    ] as const)("the groups of %s have as many rows as they say", async (name) => {
      for (const groupBy of GROUPS) {
        const got = await report(client, name, { from: FROM, to: TO, interval: "month", groupBy });
        const sum = got.groups.reduce((all, { count }) => all + count, 0);
        if (groupBy === "label") expect(sum).toBeGreaterThan(got.total.count);
        else expect(sum).toBe(got.total.count);
        for (const { group, count } of got.groups.slice(0, 3)) {
          const filters = { report: name, from: got.start, to: got.end, groupBy, group };
          expect(await rows(client, filters)).toHaveLength(count);
        }
      }
    });
  });

  test("the rows come as a CSV file, which a spreadsheet does not run", async () => {
    await client.patch(`/api/workspaces/${workspaces[0]!.id}`, { name: '=HYPERLINK("http://x")' }, 200);
    const query = `report=resolution&from=${FROM}T00:00:00Z&to=${TO}T00:00:00Z`;
    const response = await fetch(`${app.baseUrl}/api/reports/conversations?${query}`, {
      headers: { accept: "text/csv", authorization: `Bearer ${client.token}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="resolution.csv"');
    const lines = (await response.text()).trimEnd().split("\r\n");
    const behind = await rows(client, { report: "resolution", from: `${FROM}T00:00:00Z`, to: `${TO}T00:00:00Z` });
    expect(lines).toHaveLength(behind.length + 1);
    expect(lines[0]).toMatch(/^at,conversationId,seconds/);
    expect(lines.join("\n")).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(lines.join("\n")).not.toMatch(/,"?=/);
  });
});

test.each([
  ["timeZone=Nowhere", "timeZone must be an IANA time zone, such as Europe/Berlin"],
  ["from=2026-01-01&to=2027-02-05", "from and to must be at most 400 days apart, both included"],
  ["from=2026-01-01&to=2026-02-01&interval=hour", "by hour, from and to must be at most 31 days apart, both included"],
  ["from=2026-02-30", "from must be a day of the calendar"],
  ["to=9999-12-31", "to must be a day between the years 1900 and 9998"],
  ["from=0000-01-05&to=0000-01-06", "to must be a day between the years 1900 and 9998"],
  ["from=1899-12-31&to=1900-01-01", "from must be a day between the years 1900 and 9998"],
  ["interval=year", "interval must be one of the following values: hour, day, week, month"],
] as const)("?%s is refused: %s", async (query, error) => {
  expect((await owner.get(`/api/reports/volume?${query}`, 400)).body).toEqual({ error });
});

test("the rows of a report are those of at most 400 days, as the report is", async () => {
  const refused = "from and to must be at most 400 days apart";
  for (const query of [
    "from=2001-01-02T00:00:00Z",
    "from=2025-01-01T00:00:00Z&to=2026-02-06T00:00:00Z",
    "to=9999-12-30T00:00:00Z&from=2025-01-01T00:00:00Z",
  ])
    expect((await owner.get(`/api/reports/conversations?${query}`, 400)).body).toEqual({ error: refused });
  // The days of a report, in a time zone whose clocks were set back on two of them.
  const { start, end } = await report(owner, "volume", {
    from: "2024-10-01",
    to: "2025-11-04",
    timeZone: "Europe/Berlin",
  });
  await owner.get(`/api/reports/conversations?from=${start}&to=${end}`, 200);
  await owner.get("/api/reports/conversations?to=2001-01-02T00:00:00Z", 200);
});

test("a report that does not exist, and a key without the scope, are refused", async () => {
  await owner.get("/api/reports/profit", 400);
  const poor = await keyFor(owner, { scopes: ["conversations:read"] });
  await poor.get("/api/reports/volume", 403);
});
