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
  isOwn,
  ownMember,
  send,
  sendGood,
  sharedIdFor,
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

/** By side and scopes. */
const keys = new Map<string, Promise<Client>>();
/** A key with these scopes, the same one each time. */
function keyOf({ environment, owner }: Side, scopes: Scope[]): Promise<Client> {
  const kind = [environment, ...scopes].join(" ");
  let key = keys.get(kind);
  if (!key) keys.set(kind, (key = keyFor(owner, { scopes })));
  return key;
}
/** A caller without permission for the route, with a valid credential. */
const lackingKey = (route: Route): Promise<Client> =>
  keyOf(
    sideFor(route),
    SCOPES.filter((scope) => (route.access === "any read" ? !isRead(scope) : scope !== route.scope)),
  );
const isRead = (scope: Scope): boolean => scope.endsWith(":read");
const shown = ({ status, text }: { status: number; text: string }): string => `${status} ${text}`;
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends each route a valid request of a caller without permission. It changes nothing, so routes share their ids. */
async function expectForbidden(routes: Route[], callerOf: (route: Route) => Promise<Client> | Client): Promise<void> {
  const requests = [];
  for (const route of routes) {
    const side = sideFor(route);
    const [caller, id] = [await callerOf(route), await sharedIdFor(route, side)];
    requests.push({ route, caller, request: { id, body: bodyFor(route, side) } });
  }
  const before = await snapshot(app.db);
  const wrong: string[] = [];
  for (const { route, caller, request } of requests) {
    const answer = shown(await send(caller, route, request));
    if (answer !== FORBIDDEN) wrong.push(`${route.name}: ${answer}`);
  }
  expect(wrong).toEqual([]);
  expect(await snapshot(app.db)).toEqual(before);
}

const ANY_READ = PROTECTED.filter(({ access }) => access === "any read");

test('every route returns exactly {error: "Forbidden"} to a key with all other scopes, or to any key if it requires a session, and changes nothing', () =>
  expectForbidden([...SCOPED, ...MEMBERS_ONLY, ...ANY_READ], lackingKey));

/** These answer with what another scope reads, too. */
const ALSO: Record<string, Scope[]> = { "GET /api/conversations/{id}/suggestions": ["kb:read"] };

test.each(each(SCOPED))("%s requires no other scope than its own", async (_, route) => {
  const side = sideFor(route);
  const answer = await sendGood(await keyOf(side, [route.scope!, ...(ALSO[route.name] ?? [])]), route, side);
  expect(answer.status, answer.text).toSatisfy(isSuccess);
});

test.each(each(ANY_READ))("%s accepts a key with any scope that reads", async (_, route) => {
  for (const scope of SCOPES.filter(isRead)) {
    const answer = await sendGood(await keyOf(sideFor(route), [scope]), route, sideFor(route));
    expect(answer.status, answer.text).toSatisfy(isSuccess);
  }
});

test.each(each(PROTECTED.filter(({ access }) => access === "any")))(
  "%s accepts a key with any scope",
  async (_, route) => {
    for (const scope of SCOPES) {
      const answer = await sendGood(await keyOf(sideFor(route), [scope]), route, sideFor(route));
      expect(answer.status, answer.text).toSatisfy(isSuccess);
    }
  },
);

describe.each(ROLES)("a session of role %s, which has no scopes,", (role) => {
  // The routes of three roles in turn have each route, and a key of its scope uses each above.
  const may = everyNth(PROTECTED, 3, ROLES.indexOf(role)).filter(({ roles }) => roles.includes(role));
  const mayNot = PROTECTED.filter(({ roles }) => !roles.includes(role));

  const isRestricted = role === "agent" || role === "observer";
  test.each(each(may.filter(({ name }) => !isRestricted || !OF_AUTHOR.has(name))))("can use %s", async (_, route) => {
    const { client, side } = await sessionFor(role, route);
    const answer = await sendGood(client, route, side);
    expect(answer.status, answer.text).toSatisfy(isSuccess);
  });

  if (!mayNot.length) return;
  test('gets exactly {error: "Forbidden"} on all other routes, and changes nothing', () =>
    expectForbidden(mayNot, (route) => sessions.get(`${role} ${environmentOf(route)}`)!));
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

test("every route checks the caller first: 401 and 403 come before 413, 415, 400 and 404", async () => {
  const wrong: string[] = [];
  for (const [turn, route] of PROTECTED.filter(({ access }) => access !== "any").entries()) {
    const lacking = await lackingKey(route);
    const good = bodyFor(route, sideFor(route));
    const faults: Record<string, (client: Client) => Promise<string>> = {
      ...Object.fromEntries(
        Object.entries(BROKEN)
          .filter(([, request]) => route.takesBody || !("body" in request))
          .map(([what, request]) => [
            what,
            async (client) => shown(await send(client, route, { id: uuid(), ...request })),
          ]),
      ),
      "an absent id": async (client) => shown(await send(client, route, { id: uuid(), body: good })),
      "a malformed id": async (client) => shown(await send(client, route, { id: "x", body: good })),
      ...(route.takesBody ? { "a body that is too large": (client) => announceBody(client, route, TOO_LARGE) } : {}),
    };
    const attempts = Object.entries(faults).flatMap(([what, attempt]) => [
      { what, attempt, client: lacking.as(undefined), expected: '401 {"error":"Unauthorized"}' },
      { what, attempt, client: lacking, expected: FORBIDDEN },
    ]);
    // Some of them on each route, others on the next one.
    for (const { what, attempt, client, expected } of everyNth(attempts, 3, turn)) {
      const answer = await attempt(client);
      if (answer !== expected) wrong.push(`${route.name}, ${what}: ${answer} and not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

test("every route checks the body before it looks up the id: a permitted caller gets 413, 415 or 400", async () => {
  const wrong: string[] = [];
  const some = PROTECTED.filter(({ takesBody, path }) => takesBody && !path.endsWith("/logout"));
  for (const [turn, route] of some.entries()) {
    const { owner } = sideFor(route);
    const id = uuid();
    const status = async (request: { body: unknown; headers?: Record<string, string> }): Promise<number> =>
      (await send(owner, route, { id, ...request })).status;
    const unreadable = route.takesFile ? 415 : 400;
    const attempts: [string, () => Promise<number>, number][] = [
      ["a body that is too large", async () => parseInt(await announceBody(owner, route, TOO_LARGE, id)), 413],
      ["a body of another type", () => status(BROKEN["a body of another type"]), 415],
      ["a body that is no JSON", () => status(BROKEN["a body that is no JSON"]), unreadable],
      ["a body with a NUL in it", () => status(BROKEN["a body with a NUL in it"]), unreadable],
    ];
    for (const [what, attempt, expected] of everyNth(attempts, 2, turn)) {
      const answer = await attempt();
      if (answer !== expected) wrong.push(`${route.name}, ${what}: ${answer} and not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

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
