import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { startApp, type TestApp } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";
import { everyNth } from "../../support/sweep.js";
import { bodyFor, idFor, send, snapshot } from "./fixtures.js";
import { fingerprint, foreignIds, makeWorld, retryKey, type World } from "./probes.js";
import { OF_AUTHOR, each, type Route, WITH_ID } from "../../support/routes.js";

const SCOPED = WITH_ID.filter(({ access }) => access === "scope");

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await startApp();
  world = await makeWorld(app);
});
afterAll(() => app.close());

/** Sends the id with a valid body to the route: once plainly, and once as a retry (POST) or a poll (GET). */
function probe(client: Client, route: Route, id: string, headers: Record<string, string> = {}): Promise<string[]> {
  const variants = [headers];
  if (route.method === "POST") variants.push({ ...headers, ...retryKey() });
  if (route.method === "GET") variants.push({ "if-none-match": "*", ...headers });
  const body = bodyFor(route, world.live);
  return Promise.all(variants.map(async (sent) => fingerprint(await send(client, route, { id, body, headers: sent }))));
}

async function expectAlike(
  client: Client,
  route: Route,
  ids: Record<string, string>,
  headers?: Record<string, string>,
): Promise<void> {
  const answers = await Promise.all(
    Object.entries({ absent: uuid(), ...ids }).map(
      async ([why, id]) => [why, await probe(client, route, id, headers)] as const,
    ),
  );
  const absent = answers[0]![1][0]!;
  expect(absent).toMatch(/^404 \{"error":"[^"]+"\}\n/);
  const different = answers.flatMap(([why, all]) => all.filter((one) => one !== absent).map((one) => [why, one]));
  expect(different).toEqual([]);
}

// Each route has its turn in one of these three.
test.each(each(everyNth(WITH_ID, 2)))(
  "%s returns the same for an absent id, another tenant's, the other side's and a deleted one, and writes nothing",
  async (_, route) => {
    const ids = await foreignIds(route, world);
    // What follows a deletion.
    await app.app.get(Afterwards).finished();
    const before = await snapshot(app.db);
    if (route.access === "scope") await expectAlike(world.live.key, route, ids);
    // No header can move a session to the side where the ids exist.
    await expectAlike(world.live.owner, route, ids, { "x-environment": "test", "x-tenant-id": world.other.tenantId });
    expect(await snapshot(app.db)).toEqual(before);
  },
);

test.each(each(everyNth(SCOPED, 2)))(
  "%s returns the same for an id out of reach as for an absent one, and writes nothing",
  async (_, route) => {
    const id = (await idFor(route, world.live))!;
    const etag = route.method === "GET" ? (await send(world.live.owner, route, { id })).headers.get("etag") : null;
    const before = await snapshot(app.db);
    const restricted = Object.values(world.restricted).filter(({ role }) => !role || route.roles.includes(role));
    expect(restricted).not.toEqual([]);
    await Promise.all(
      restricted.map(async (client) => {
        await expectAlike(client, route, { "out of reach": id });
        // The ETag of a caller with access does not help.
        if (etag) await expectAlike(client, route, { "out of reach": id }, { "if-none-match": etag });
      }),
    );
    expect(await snapshot(app.db)).toEqual(before);
    // The id is valid: the owner succeeds with it.
    expect((await send(world.live.owner, route, { id, body: bodyFor(route, world.live) })).status).toBeLessThan(300);
  },
);

const WITHIN_REACH = SCOPED.filter(({ name }) => !OF_AUTHOR.has(name));
test.each(each(WITHIN_REACH))("%s accepts restricted callers within their reach", async (_, route) => {
  const within = { ...world.live, ...world.elsewhere };
  for (const [name, client] of Object.entries(world.restricted)) {
    if (name.includes("none") || (client.role && !route.roles.includes(client.role))) continue;
    // A workspace that can be deleted is new, so only a caller of its brand reaches it.
    if (route.name.startsWith("DELETE /api/workspaces/") && !name.includes("brand")) continue;
    expect(
      (await send(client, route, { id: await idFor(route, within), body: bodyFor(route, within) })).status,
      name,
    ).toBeLessThan(300);
  }
});

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

test.each(each(everyNth(WITH_ID, 2, 1)))("%s returns 400 with an explanation for a malformed id", async (_, route) => {
  const before = await snapshot(app.db);
  const wrong: Record<string, string> = {};
  await Promise.all(
    MALFORMED.map(async (id) => {
      const { status, text } = await send(world.live.owner, route, { id, body: bodyFor(route, world.live) });
      if (status !== 400 || !/^\{"error":"[^"]{10,}"\}$/.test(text)) wrong[id] = `${status} ${text}`;
    }),
  );
  expect(wrong).toEqual({});
  expect(await snapshot(app.db)).toEqual(before);
});

test.each(each(WITH_ID.filter(({ method }) => method === "GET")))(
  "%s accepts an id in capitals as the same id",
  async (_, route) => {
    const id = (await idFor(route, world.live))!;
    const [small, large] = [
      await send(world.live.owner, route, { id }),
      await send(world.live.owner, route, { id: id.toUpperCase() }),
    ];
    // A download link expires at another second.
    const shown = ({ text }: Answer): string => text.replace(/"url":"[^"]+"/, "");
    expect(shown(large)).toBe(shown(small));
  },
);
