import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ratedEntities } from "../../../src/quality/csat/rated-entities.js";
import { OutcomesService } from "../../../src/platform/outcomes/outcomes.service.js";
import { recordOutcomes } from "../../../src/platform/outcomes/record-outcomes.js";
import { wilson } from "../../../src/platform/outcomes/wilson.js";
import { newAgent, newWorkspace } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { runs } from "../../support/seed.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
});
afterAll(() => app.close());

interface Survey {
  workspaceId: string;
  channelId: string;
  memberId: string | null;
  agentIds: string[];
  kbEntryIds: string[];
  scale: 2 | 5 | 10;
  askedOn: string;
  score: number | null;
  ratedOn: string;
}

/** Inserts surveys and answers on past days, as sending and answering would. */
async function write(surveys: readonly Survey[]): Promise<void> {
  const outcomes = async (day: string, of: readonly Survey[], metric: "csat" | "csat_asked"): Promise<void> => {
    await tenant.transaction(tenant.tenantId, (tx) =>
      recordOutcomes(
        tx,
        of.flatMap((survey) =>
          ratedEntities(survey).map((whom) => ({
            ...whom,
            metric,
            scale: survey.scale,
            value: metric === "csat" ? survey.score! : 0,
            bad: false,
          })),
        ),
      ),
    );
    await app.db.query(`update outcome set at = $1 where at > now() - interval '1 minute'`, [`${day}T12:00:00Z`]);
  };
  for (const day of new Set(surveys.map(({ askedOn }) => askedOn)))
    await outcomes(
      day,
      surveys.filter(({ askedOn }) => askedOn === day),
      "csat_asked",
    );
  for (const day of new Set(surveys.map(({ ratedOn }) => ratedOn)))
    await outcomes(
      day,
      surveys.filter(({ ratedOn, score }) => ratedOn === day && score !== null),
      "csat",
    );
}

const DAYS = [
  "2026-01-01",
  "2026-01-31",
  "2026-02-01",
  "2026-02-02",
  "2026-02-08",
  "2026-02-09",
  "2026-02-28",
  "2026-03-01",
  "2026-03-31",
];
const weekOf = (day: string): string =>
  new Date(Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
/** The groups to which a survey belongs, on this day. */
const GROUPS: Record<string, (survey: Survey, day: string) => string[]> = {
  workspace: ({ workspaceId }) => [workspaceId],
  channel: ({ channelId }) => [channelId],
  member: ({ memberId }) => (memberId ? [memberId] : []),
  agent: ({ agentIds }) => agentIds,
  day: (_, day) => [day],
  week: (_, day) => [weekOf(day)],
  month: (_, day) => [`${day.slice(0, 7)}-01`],
};

type Statistics = Pick<Schemas["CsatStatistics"], "total" | "groups">;

/** Computed from the surveys themselves, one by one. */
function plainly(surveys: readonly Survey[], groupBy: string, from: string, to: string): Statistics {
  const isInPeriod = (day: string): boolean => day >= from && day <= to;
  const figures = (has: (survey: Survey, day: string) => boolean): Schemas["CsatFigures"] => {
    const asked = surveys.filter((survey) => isInPeriod(survey.askedOn) && has(survey, survey.askedOn)).length;
    const rated = surveys.filter(
      (survey) => survey.score !== null && isInPeriod(survey.ratedOn) && has(survey, survey.ratedOn),
    );
    const scales = [...new Set(rated.map(({ scale }) => scale))];
    const scale = scales.length > 1 ? 5 : (scales[0] ?? null);
    const distribution = ([2, 5, 10] as const)
      .flatMap((of) =>
        Array.from({ length: of }, (_, n) => ({
          score: n + 1,
          scale: of,
          count: rated.filter((one) => one.scale === of && one.score === n + 1).length,
        })),
      )
      .filter(({ count }) => count);
    return {
      asked,
      answered: rated.length,
      responseRate: asked ? Math.min(1, rated.length / asked) : null,
      scale,
      average: rated.length
        ? expect.closeTo(
            rated.reduce(
              (sum, one) => sum + (scales.length > 1 ? 1 + ((one.score! - 1) / (one.scale - 1)) * 4 : one.score!),
              0,
            ) / rated.length,
            9,
          )
        : null,
      satisfied: rated.length
        ? wilson(rated.filter(({ score, scale: of }) => ({ 2: 2, 5: 4, 10: 8 })[of] <= score!).length, rated.length)
        : null,
      distribution,
    };
  };
  const groups = [
    ...new Set(
      surveys.flatMap((survey) => [
        ...(isInPeriod(survey.askedOn) ? GROUPS[groupBy]!(survey, survey.askedOn) : []),
        ...(survey.score !== null && isInPeriod(survey.ratedOn) ? GROUPS[groupBy]!(survey, survey.ratedOn) : []),
      ]),
    ),
  ].map((group) => ({ group, ...figures((survey, day) => GROUPS[groupBy]!(survey, day).includes(group)) }));
  return { total: figures(() => true), groups: groups.sort((a, b) => (a.group < b.group ? -1 : 1)) };
}

const statistics = async (query: Record<string, string>, client = key) => {
  const { body } = await client.get(`/api/quality/csat?${new URLSearchParams(query).toString()}`, 200);
  return body;
};
const sorted = ({ total, groups }: Statistics): Statistics => ({
  total,
  groups: [...groups].sort((a, b) => (a.group < b.group ? -1 : 1)),
});

describe("the statistics equal a plain recount of the surveys", () => {
  test("by workspace, channel, member, agent, day, week and month, in any period, counted or not", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 0, max: 40 }),
        fc.nat(40),
        async (stream, count, folded) => {
          const pick = <T>(from: readonly T[]): T => from[stream.next().value! % from.length]!;
          const places = await Promise.all(
            [0, 1].map(async () => ({
              workspaceId: (await newWorkspace(key, tenant.defaults.brandId)).id,
              channels: [randomUUID(), randomUUID()],
            })),
          );
          const [members, agents] = [
            [randomUUID(), randomUUID(), null],
            [randomUUID(), randomUUID()],
          ];
          const surveys = Array.from({ length: count }, (): Survey => {
            const { workspaceId, channels } = pick(places);
            const scale = pick([2, 5, 10] as const);
            const first = stream.next().value! % DAYS.length;
            return {
              workspaceId,
              channelId: pick(channels),
              memberId: pick(members),
              agentIds: pick([[], agents.slice(0, 1), agents]),
              kbEntryIds: [],
              scale,
              askedOn: DAYS[first]!,
              score: pick([null, 1 + (stream.next().value! % scale)]),
              ratedOn: pick(DAYS.slice(first)),
            };
          });
          await write(surveys.slice(0, folded));
          await app.app.get(OutcomesService).countAll();
          await write(surveys.slice(folded));
          for (const groupBy of Object.keys(GROUPS)) {
            for (const { workspaceId } of places) {
              const [from, to] = [pick(DAYS), pick(DAYS)].sort() as [string, string];
              const found = await statistics({ workspaceId, groupBy, from, to });
              expect(sorted(found), `${groupBy} ${from} ${to}`).toEqual(
                plainly(
                  surveys.filter((one) => one.workspaceId === workspaceId),
                  groupBy,
                  from,
                  to,
                ),
              );
            }
          }
          for (const [filter, groupBy, entity] of [
            ["channelId", "day", places[0]!.channels[0]!],
            ["memberId", "week", members[0]!],
            ["agentId", "workspace", agents[0]!],
            ["memberId", "member", members[1]!],
          ] as const) {
            const mine = surveys.filter(
              (one) => one.channelId === entity || one.memberId === entity || one.agentIds.includes(entity),
            );
            const expected = plainly(mine, groupBy, DAYS[0]!, DAYS.at(-1)!);
            expect(
              sorted(await statistics({ [filter]: entity, groupBy, from: DAYS[0]!, to: DAYS.at(-1)! })),
              filter,
            ).toEqual(expected);
          }
        },
      ),
      { numRuns: runs(6, 20) },
    );
  });
});

describe("a caller", () => {
  test("sees only workspaces within their reach", async () => {
    const { id: brandId } = (await owner.post("/api/brands", { name: "Of its own" }, 201)).body;
    const here = (await newWorkspace(key, brandId)).id;
    const survey = (workspaceId: string): Survey => ({
      workspaceId,
      channelId: randomUUID(),
      memberId: null,
      agentIds: [],
      kbEntryIds: [],
      scale: 5,
      askedOn: DAYS[0]!,
      score: 5,
      ratedOn: DAYS[1]!,
    });
    await write([survey(here), survey(tenant.defaults.workspaceId)]);
    const period = { from: DAYS[0]!, to: DAYS[1]! };
    for (const client of [
      await newAgent(owner, [here]),
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: here } }),
      await keyFor(owner, { dataScope: { level: "brand", brandId } }),
    ]) {
      expect(await statistics(period, client)).toMatchObject({
        total: { asked: 1, answered: 1 },
        groups: [{ group: here }],
      });
      for (const groupBy of Object.keys(GROUPS))
        expect((await statistics({ ...period, groupBy }, client)).total, groupBy).toMatchObject({
          asked: 1,
          answered: 1,
        });
      await client.get(`/api/quality/csat?workspaceId=${tenant.defaults.workspaceId}`, 404);
    }
  });

  test.each([
    ["from=2026-02-30", /^from must be a day of the calendar/],
    ["from=2026-03-02&to=2026-03-01", /^to must not be before from/],
    ["from=2024-01-01&to=2026-01-02", /at most 732 days/],
    ["to=2026-13-01", /^to must be a day of the calendar/],
    ["groupBy=tool", /^groupBy must be one of/],
    [`channelId=${randomUUID()}&memberId=${randomUUID()}`, /^Only one of channelId, memberId and agentId/],
    [`channelId=${randomUUID()}&groupBy=member`, /^groupBy must not be member where channelId is given/],
  ])("gets an error that explains %s", async (query, sentence) => {
    expect((await key.get(`/api/quality/csat?${query}`, 400)).body.error).toMatch(sentence);
  });
});
