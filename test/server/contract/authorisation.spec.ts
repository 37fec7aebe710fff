import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import type { Environment } from "../../../src/platform/caller/caller.js";
import { type Role, ROLES, type Scope, SCOPES } from "../../../src/platform/caller/scope.js";
import { keyFor, startApp, type TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { everyNth } from "../../support/sweep.js";
import {
  bodyFor,
  environmentOf,
  idFor,
  isOwn,
  ownMember,
  send,
  sendGood,
  type Side,
  sideOf,
  signIn,
  snapshot,
  urlOf,
} from "./fixtures.js";
import { OF_AUTHOR, each, PROTECTED, type Route } from "../../support/routes.js";

const FORBIDDEN = '403 {"error":"Forbidden"}';
const SCOPED = PROTECTED.filter(({ access }) => access === "scope");
const MEMBERS_ONLY = PROTECTED.filter(({ access }) => access === "members" || access === "admins");

let app: TestApp;
let sides: Record<Environment, Side>;
const sessions = new Map<string, Client>();
beforeAll(async () => {
  app = await startApp();
  const tenant = await app.tenant();
  sides = { live: await sideOf(tenant), test: await sideOf(tenant, "test") };
  for (const role of ROLES)
    for (const environment of ["live", "test"] as const)
      sessions.set(`${role} ${environment}`, await signIn(sides[environment], role));
});
afterAll(() => app.close());

const sideFor = (route: Route): Side => sides[environmentOf(route)];
const sessionFor = async (role: Role, route: Route): Promise<{ client: Client; side: Side }> =>
  isOwn(route)
    ? ownMember(sideFor(route), role)
    : { client: sessions.get(`${role} ${environmentOf(route)}`)!, side: sideFor(route) };
/** A caller without permission for the route, with a valid credential. */
const lackingKey = (route: Route): Promise<Client> =>
  keyFor(sideFor(route).owner, {
    scopes: SCOPES.filter((scope) => (route.access === "any read" ? !isRead(scope) : scope !== route.scope)),
  });
const isRead = (scope: Scope): boolean => scope.endsWith(":read");
const shown = ({ status, text }: { status: number; text: string }): string => `${status} ${text}`;
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const ANY_READ = PROTECTED.filter(({ access }) => access === "any read");

// A sample: "checks the caller first" below refuses the same keys on every route.
test.each(each(everyNth([...SCOPED, ...MEMBERS_ONLY, ...ANY_READ], 3)))(
  '%s returns exactly {error: "Forbidden"} to a key with all other scopes, or to any key if it requires a session, and changes nothing',
  async (_, route) => {
    const side = sideFor(route);
    const key = await lackingKey(route);
    const request = { id: await idFor(route, side), body: bodyFor(route, side) };
    const before = await snapshot(app.db);
    expect(shown(await send(key, route, request))).toBe(FORBIDDEN);
    expect(await snapshot(app.db)).toEqual(before);
  },
);

test.each(each(SCOPED))("%s requires no other scope than its own", async (_, route) => {
  const side = sideFor(route);
  const answer = await sendGood(await keyFor(side.owner, { scopes: [route.scope!] }), route, side);
  expect(answer.status, answer.text).toSatisfy(isSuccess);
});

test.each(each(ANY_READ))("%s accepts a key with any scope that reads", async (_, route) => {
  for (const scope of SCOPES.filter(isRead)) {
    const answer = await sendGood(await keyFor(sideFor(route).owner, { scopes: [scope] }), route, sideFor(route));
    expect(answer.status, answer.text).toSatisfy(isSuccess);
  }
});

test.each(each(PROTECTED.filter(({ access }) => access === "any")))(
  "%s accepts a key with any scope",
  async (_, route) => {
    for (const scope of SCOPES) {
      const answer = await sendGood(await keyFor(sideFor(route).owner, { scopes: [scope] }), route, sideFor(route));
      expect(answer.status, answer.text).toSatisfy(isSuccess);
    }
  },
);

describe.each(ROLES)("a session of role %s, which has no scopes,", (role) => {
  // The routes of three roles in turn have each route, and a key of its scope uses each above.
  const may = everyNth(PROTECTED, 3, ROLES.indexOf(role)).filter(({ roles }) => roles.includes(role));
  const mayNot = PROTECTED.filter(({ roles }) => !roles.includes(role));

  test.each(each(may.filter(({ name }) => role !== "agent" || !OF_AUTHOR.has(name))))(
    "can use %s",
    async (_, route) => {
      const { client, side } = await sessionFor(role, route);
      const answer = await sendGood(client, route, side);
      expect(answer.status, answer.text).toSatisfy(isSuccess);
    },
  );

  if (!mayNot.length) return;
  test('gets exactly {error: "Forbidden"} on all other routes, and changes nothing', async () => {
    const requests = await Promise.all(
      mayNot.map(async (route) => ({
        route,
        request: { id: await idFor(route, sideFor(route)), body: bodyFor(route, sideFor(route)) },
      })),
    );
    const before = await snapshot(app.db);
    const wrong: string[] = [];
    for (const { route, request } of requests) {
      const answer = shown(await send((await sessionFor(role, route)).client, route, request));
      if (answer !== FORBIDDEN) wrong.push(`${route.name}: ${answer}`);
    }
    expect(wrong).toEqual([]);
    expect(await snapshot(app.db)).toEqual(before);
  });
});

test("a billing user gets an empty workspace list, and 403 on the other workspace routes", async () => {
  const billing = sessions.get("billing live")!;
  expect((await billing.get("/api/workspaces", 200)).text).toBe("[]");
  for (const route of PROTECTED.filter(
    ({ path, name }) => path.startsWith("/api/workspaces") && name !== "GET /api/workspaces",
  )) {
    expect(
      shown(await send(billing, route, { id: sides.live.workspaceId, body: bodyFor(route, sides.live) })),
      route.name,
    ).toBe(FORBIDDEN);
  }
});

/** A body size in bytes that every route refuses, file uploads included. */
const TOO_LARGE = 100_000_000;
/** Requests with one fault each besides the caller, in the order in which the server checks. */
const BROKEN = {
  "a body of another type": { body: "not json", headers: { "content-type": "text/plain" } },
  "a body that is no JSON": { body: '{"open":' },
  "a body with a NUL in it": { body: { body: "\0", name: "\0" } },
  "a body with fields that nobody knows": { body: { nobody: "knows" } },
  "a malformed query": { query: "?limit=0&limit=x&cursor=x" },
};

test.each(each(PROTECTED.filter(({ access }) => access !== "any")))(
  "%s checks the caller first: 401 and 403 come before 413, 415, 400 and 404",
  async (_, route) => {
    const lacking = await lackingKey(route);
    const wrong: string[] = [];
    const compare = (what: string, expected: string, answer: string): void => {
      if (answer !== expected) wrong.push(`${what}: ${answer}`);
    };
    for (const [client, expected] of [
      [lacking.as(undefined), '401 {"error":"Unauthorized"}'],
      [lacking, FORBIDDEN],
    ] as const) {
      for (const [what, request] of Object.entries(BROKEN)) {
        if ("body" in request && !route.takesBody) continue;
        compare(what, expected, shown(await send(client, route, { id: uuid(), ...request })));
      }
      compare(
        "an absent id",
        expected,
        shown(await send(client, route, { id: uuid(), body: bodyFor(route, sideFor(route)) })),
      );
      compare(
        "a malformed id",
        expected,
        shown(await send(client, route, { id: "x", body: bodyFor(route, sideFor(route)) })),
      );
      if (route.takesBody) compare("a body that is too large", expected, await announceBody(client, route, TOO_LARGE));
    }
    expect(wrong).toEqual([]);
  },
);

test.each(each(PROTECTED.filter(({ takesBody, path }) => takesBody && !path.endsWith("/logout"))))(
  "%s checks the body before it looks up the id: a permitted caller gets 413, 415 or 400",
  async (_, route) => {
    const { owner } = sideFor(route);
    const id = uuid();
    expect((await announceBody(owner, route, TOO_LARGE, id)).slice(0, 3)).toBe("413");
    expect((await send(owner, route, { id, ...BROKEN["a body of another type"] })).status).toBe(415);
    for (const body of [BROKEN["a body that is no JSON"], BROKEN["a body with a NUL in it"]])
      expect((await send(owner, route, { id, ...body })).status).toBe(route.takesFile ? 415 : 400);
  },
);

/** Announces the length of a body and sends none of it. A caller without access is refused before the body is read. */
function announceBody({ baseUrl, token }: Client, route: Route, length: number, id = uuid()): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      baseUrl + urlOf(route, { id }),
      {
        method: route.method,
        agent: false,
        headers: {
          "content-type": "application/json",
          "content-length": length,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => {
            resolve(`${response.statusCode} ${Buffer.concat(chunks).toString()}`);
            request.destroy();
          });
      },
    );
    request.on("error", reject).flushHeaders();
  });
}
