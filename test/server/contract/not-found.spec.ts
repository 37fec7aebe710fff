import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { startApp, type TestApp } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { inTurn } from "../../support/in-turn.js";
import { everyNth } from "../../support/sweep.js";
import { bodyFor, goesOutOfDate, idFor, send, sharedIdFor, snapshot } from "./fixtures.js";
import { fingerprint, foreignIds, makeWorld, retryKey, type World } from "./probes.js";
import { OF_AUTHOR, each, type Route, WITH_ID } from "../../support/routes.js";

const SCOPED = WITH_ID.filter(({ access }) => access === "scope");
/** A test here walks over all routes, and a whole sweep sends thousands of requests. */
const WALK_MS = 600_000;

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await startApp();
  world = await makeWorld(app);
});
afterAll(() => app.close());

type Headers = Record<string, string>;

/** What is sent with an id: nothing more, or what makes the request a retry (POST) or a poll (GET). One of them in turn. */
function waysOf({ method }: Route, turn: number): Headers[] {
  const ways = method === "POST" ? [{}, retryKey()] : method === "GET" ? [{}, { "if-none-match": "*" }] : [{}];
  return everyNth(ways, ways.length, turn);
}

/** Sends each id with a valid body to the route, and returns the answers that differ from the one to an absent id. */
async function different(
  client: Client,
  route: Route,
  ids: Record<string, string>,
  ways: Headers[],
  headers: Headers = {},
): Promise<string[]> {
  const body = bodyFor(route, world.live);
  const ask = async (id: string, sent: Headers): Promise<string> =>
    fingerprint(await send(client, route, { id, body, headers: { ...sent, ...headers } }));
  const absent = await ask(uuid(), {});
  if (!/^404 \{"error":"[^"]+"\}\n/.test(absent)) return [`${route.name}, an absent id: ${absent}`];
  const answers = Object.entries({ "another absent id": uuid(), ...ids }).flatMap(([why, id]) =>
    // A key that one retry has used would be refused to the next.
    ways.map(async (way) => [why, await ask(id, "idempotency-key" in way ? retryKey() : way)] as const),
  );
  return (await Promise.all(answers))
    .filter(([, answer]) => answer !== absent)
    .map(([why, answer]) => `${route.name}, ${why}: ${answer}`);
}

// Each route has its turn in one of the first two, and in the one about malformed ids.
test(
  "every route returns the same for an absent id, another tenant's, the other side's and a deleted one, and writes nothing",
  async () => {
    const tried: [Route, Record<string, string>][] = [];
    for (const route of everyNth(WITH_ID, 4)) tried.push([route, await foreignIds(route, world)]);
    // What follows a deletion.
    await app.app.get(Afterwards).finished();
    const before = await snapshot(app.db);
    const wrong: string[] = [];
    for (const [turn, [route, ids]] of tried.entries()) {
      if (route.access === "scope") wrong.push(...(await different(world.live.key, route, ids, waysOf(route, turn))));
      // No header can move a session to the tenant where the ids exist.
      const elsewhere = { "x-tenant-id": world.other.tenantId };
      wrong.push(...(await different(world.live.owner, route, ids, waysOf(route, turn + 1), elsewhere)));
    }
    expect(wrong).toEqual([]);
    expect(await snapshot(app.db)).toEqual(before);
  },
  WALK_MS,
);

test(
  "every route returns the same for an id out of reach as for an absent one, and writes nothing",
  async () => {
    const tried = [];
    // The body belongs to the id: an approval names what it approves.
    // What goes out of date is made last, and used first.
    const inOrder = everyNth(SCOPED, 4, 1).sort((a, b) => Number(goesOutOfDate(a)) - Number(goesOutOfDate(b)));
    for (const route of inOrder) {
      const id = (await idFor(route, world.live))!;
      const body = bodyFor(route, world.live);
      const etag = route.method === "GET" ? (await send(world.live.owner, route, { id })).headers.get("etag") : null;
      tried.push({ route, id, body, etag });
    }
    const before = await snapshot(app.db);
    const wrong: string[] = [];
    for (const [turn, { route, id, etag }] of tried.entries()) {
      const restricted = Object.values(world.restricted).filter(({ role }) => !role || route.roles.includes(role));
      expect(restricted.length).toBeGreaterThan(1);
      for (const client of everyNth(restricted, Math.min(restricted.length, 4), turn)) {
        wrong.push(...(await different(client, route, { "out of reach": id }, waysOf(route, turn))));
        // The ETag of a caller with access does not help.
        if (etag) wrong.push(...(await different(client, route, { "out of reach": id }, [{ "if-none-match": etag }])));
      }
    }
    expect(wrong).toEqual([]);
    expect(await snapshot(app.db)).toEqual(before);
    // The ids are valid: the owner succeeds with them.
    for (const { route, id, body } of tried.reverse()) {
      const { status, text } = await send(world.live.owner, route, { id, body });
      if (status >= 300) wrong.push(`${route.name}, the owner: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  },
  WALK_MS,
);

test(
  "every route accepts restricted callers within their reach",
  async () => {
    const within = { ...world.live, ...world.elsewhere };
    const wrong: string[] = [];
    for (const [turn, route] of SCOPED.filter(({ name }) => !OF_AUTHOR.has(name)).entries()) {
      const callers = Object.entries(world.restricted).filter(
        ([name, { role }]) =>
          !name.includes("none") &&
          (!role || route.roles.includes(role)) &&
          // A workspace that can be deleted is new, so only a caller of its brand reaches it.
          (!route.name.startsWith("DELETE /api/workspaces/") || name.includes("brand")),
      );
      for (const [name, client] of everyNth(callers, Math.min(callers.length, 2), turn)) {
        const id = await (route.method === "GET" ? sharedIdFor : idFor)(route, within);
        const { status, text } = await send(client, route, { id, body: bodyFor(route, within) });
        if (status >= 300) wrong.push(`${route.name}, ${name}: ${status} ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  },
  WALK_MS,
);

test("every route returns the same 404", async () => {
  const answers = await Promise.all(
    WITH_ID.map(
      async (route) => (await send(world.live.owner, route, { id: uuid(), body: bodyFor(route, world.live) })).text,
    ),
  );
  expect([...new Set(answers)]).toHaveLength(1);
});

const MALFORMED = [
  "1",
  "x",
  "null",
  "undefined",
  "%20",
  "%00",
  "..%2f..",
  "*",
  "%27%20or%20true",
  `${uuid()}0`,
  uuid().slice(1),
  uuid().replaceAll("-", ""),
  uuid().replace(/./, "g"),
  `%7B${uuid()}%7D`,
  `%20${uuid()}`,
  `${uuid()}%0a`,
];

test(
  "every route returns 400 with an explanation for a malformed id",
  async () => {
    const before = await snapshot(app.db);
    const wrong: string[] = [];
    // Some of them on each route, others on the next one.
    for (const [turn, route] of WITH_ID.entries()) {
      const body = bodyFor(route, world.live);
      for (const id of inTurn(MALFORMED, { few: 8, whole: 4 }, turn)) {
        const { status, text } = await send(world.live.owner, route, { id, body });
        if (status !== 400 || !/^\{"error":"[^"]{10,}"\}$/.test(text))
          wrong.push(`${route.name}, ${id}: ${status} ${text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await snapshot(app.db)).toEqual(before);
  },
  WALK_MS,
);

test.each(each(WITH_ID.filter(({ method }) => method === "GET")))(
  "%s accepts an id in capitals as the same id",
  async (_, route) => {
    const id = (await sharedIdFor(route, world.live))!;
    const [small, large] = [
      await send(world.live.owner, route, { id }),
      await send(world.live.owner, route, { id: id.toUpperCase() }),
    ];
    expect(small.status).toBe(200);
    // A download link expires at another second, and an earlier search is counted a moment later.
    const shown = ({ text }: Answer): string => text.replace(/"url":"[^"]+"/, "").replace(/"retrieved":\d+/g, "");
    expect(shown(large)).toBe(shown(small));
  },
);
