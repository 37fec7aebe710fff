import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentOf, makeFor, sharedIdFor, type Side, sideOf } from "../contract/fixtures.js";
import { type Route, ROUTES, withName } from "../../support/routes.js";
import { startApp, type TestApp } from "../../support/app.js";
import { type Operation, operations } from "../../support/contract.js";
import { everyNth } from "../../support/sweep.js";
import { sample, type Schema } from "./bad-values.js";
import { ask, faults, type RawAnswer } from "./http.js";

let app: TestApp;
let live: Side;
let testSide: Side;
beforeAll(async () => {
  app = await startApp();
  const tenant = await app.tenant();
  live = await sideOf(tenant);
  testSide = await sideOf(tenant, "test");
});
afterAll(() => app.close());

interface Target {
  name: string;
  operation: Operation;
  route: Route;
  query: { name: string; schema: Schema }[];
}
const targets: Target[] = operations.map((operation) => {
  const name = `${operation.method} ${operation.path}`;
  return {
    name,
    operation,
    route: ROUTES.find((route) => route.name === name)!,
    query: (operation.parameters ?? []).filter((one) => one.in === "query"),
  };
});
const each = (some: Target[]): [string, Target][] => some.map((target) => [target.name, target]);
/** A page may be opened with any query that a provider adds, and always answers with a page, or leads to one. */
const isPage = ({ name, operation: { responses } }: Target): boolean =>
  responses["200"]?.content?.["text/html"] !== undefined ||
  ["GET /api/auth/external/callback", "GET /api/public/channels/sign-in/callback"].includes(name);
// The route with a visitor's session has the same query class as every list; test/server/webchat pages through it. The query
// of a channel's webhook is signed.
const withQuery = targets.filter(
  (target) =>
    target.query.length &&
    !isPage(target) &&
    !/^\/api\/(public\/webchat|webhooks\/channels)\//.test(target.operation.path),
);
const withId = targets.filter(({ route }) => route.resource !== undefined);
const paged = withQuery.filter(({ query }) => query.some(({ name }) => name === "cursor"));

const sideFor = ({ route }: Target): Side => (environmentOf(route) === "test" ? testSide : live);
const send = (path: string, method = "GET", side = live): Promise<RawAnswer> =>
  ask(app.baseUrl, { method, path, headers: { authorization: `Bearer ${side.owner.token}` } });
const pathOf = async (target: Target): Promise<string> =>
  withName(target.operation.path).replace(/\{[^}]+\}/, (await sharedIdFor(target.route, sideFor(target))) ?? "x");

/** Each request is refused, with 400 by default, and the server keeps working. */
async function expectAllRefused(
  paths: string[],
  { status = 400, method = "GET", side = live }: { status?: number | null; method?: string; side?: Side } = {},
): Promise<void> {
  const wrong: string[] = [];
  for (const path of paths) {
    const answer = await send(path, method, side);
    const found = faults(answer);
    if (!found.length && status !== null && answer.status !== status)
      found.push(`answered ${answer.status} ${answer.text}`);
    wrong.push(...found.map((fault) => `${path.slice(0, 200)}: ${fault}`));
  }
  expect(wrong).toEqual([]);
  expect((await send("/readyz")).status).toBe(200);
}

/** Escapes that do not decode to text: truncated, without digits, invalid UTF-8, NUL in one byte and in two. */
const ESCAPES = ["%", "%z", "%zz", "%4", "%ff", "%c3%28", "%ed%a0%80", "%c0%80", "%e0%a4", "x%00", "%00"];

/** Values, as written in the URL, that the parameter does not allow. */
function badParameters({ type, format, enum: list, minLength, maxLength, maximum = 0, items }: Schema): string[] {
  if (type === "array") return [...badParameters({ ...items, enum: undefined }), "", "nonsense", "__proto__", ","];
  if (type === "number" || type === "integer")
    return [
      "",
      "x",
      "-1",
      "0",
      "1.5",
      String(maximum + 1),
      "1e400",
      "9e99",
      "9223372036854775808",
      "NaN",
      "Infinity",
      "null",
      "true",
      "[]",
      "1,2",
      "1%002",
      ...ESCAPES,
    ];
  return [
    ...ESCAPES,
    ...(minLength ? [""] : []),
    ...(maxLength ? ["x".repeat(maxLength + 1)] : []),
    ...(list ? ["", "nonsense", "__proto__", "toString", list.join()] : []),
    ...(format === "uuid" ? ["", "x", "1", "%7B%7D", "'%20or%201=1--", "01890000-0000-7000-8000-00000000000g"] : []),
    ...(format === "date-time"
      ? ["", "yesterday", "1767225600", "2026-02-30T00:00:00Z", "2026-01-01%2000:00:00", "999999-01-01T00:00:00Z"]
      : []),
  ];
}
const goodParameter = (name: string, schema: Schema): string =>
  name === "limit" ? "2" : name === "cursor" ? "x" : encodeURIComponent(String(sample(schema)));

test.each(each(withQuery))(
  "%s refuses every invalid value of every parameter with a helpful message",
  async (_, target) => {
    const path = await pathOf(target);
    const all = target.query.flatMap(({ name, schema }) =>
      badParameters(schema).map((value) => `${path}?${name}=${value}`),
    );
    await expectAllRefused(everyNth(all, 5, withQuery.indexOf(target)), {
      method: target.route.method,
      side: sideFor(target),
    });
  },
);

test.each(each(withQuery))("%s accepts each parameter once, as a plain value", async (_, target) => {
  const path = await pathOf(target);
  await expectAllRefused(
    target.query.flatMap(({ name, schema }) => {
      const good = goodParameter(name, schema);
      return [
        // A list may be repeated.
        ...(schema.type === "array" ? [] : [`${name}=${good}&${name}=${good}`]),
        `${name}=${good}&${name}=`,
        `${name}[]=${good}`,
        `${name}[0]=${good}`,
        `${name}[$ne]=${good}`,
        `${name}.x=${good}`,
      ].map((query) => `${path}?${query}`);
    }),
    { method: target.route.method, side: sideFor(target) },
  );
});

test.each(each(withQuery))("%s refuses an unknown parameter", async (_, target) => {
  const path = await pathOf(target);
  await expectAllRefused(
    [
      "nonsense=1",
      "tenantId=1",
      "Limit=1",
      "__proto__=1",
      "constructor=1",
      "__proto__[admin]=1",
      "constructor[prototype][admin]=1",
      "%00=1",
    ].map((query) => `${path}?${query}`),
    { method: target.route.method, side: sideFor(target) },
  );
});

describe("a cursor", () => {
  const base64url = (text: string): string => Buffer.from(text).toString("base64url");
  const TAG = base64url("sixteen bytes ..");
  const forged = [
    "x",
    ".",
    "..",
    "a.b",
    "a.b.c",
    TAG,
    `.${TAG}`,
    `${TAG}.`,
    `${base64url("[]")}.${TAG}`,
    `${base64url("null")}.${TAG}`,
    `${base64url('["2026-01-01T00:00:00.000Z","01890000-0000-7000-8000-000000000000"]')}.${TAG}`,
    base64url('{"id":1}'),
    `${base64url("['; drop table message--")}.${TAG}`,
    `${base64url("[1e400]")}.${TAG}`,
    `${"A".repeat(1_970)}.${TAG}`,
    "01890000-0000-7000-8000-000000000000",
    "0",
    "25",
    "null",
    "%F0%9F%98%80",
  ];

  test.each(each(paged))("that %s did not issue is refused", async (_, target) => {
    const path = await pathOf(target);
    await expectAllRefused(
      everyNth(forged, 3, paged.indexOf(target)).map((cursor) => `${path}?cursor=${cursor}`),
      { side: sideFor(target) },
    );
  });

  test("with one changed character, or used with another filter, is refused; it works with another limit", async () => {
    for (let n = 0; n < 3; n++) await makeFor({ name: "a conversation", resource: "conversations" }, live);
    const path = `/api/conversations?workspaceId=${live.workspaceId}`;
    const { nextCursor } = JSON.parse((await send(`${path}&limit=1`)).text) as { nextCursor: string };
    expect((await send(`${path}&limit=2&cursor=${nextCursor}`)).status).toBe(200);
    // The last character of each part may hold unused bits.
    const changed = [...nextCursor]
      .map((character, at) => nextCursor.slice(0, at) + (character === "A" ? "B" : "A") + nextCursor.slice(at + 1))
      .filter((_, at) => ![nextCursor.indexOf(".") - 1, nextCursor.length - 1].includes(at));
    expect(changed.length).toBeGreaterThan(50);
    await expectAllRefused([
      ...changed.map((cursor) => `${path}&cursor=${cursor}`),
      `/api/conversations?cursor=${nextCursor}`,
      `${path}&status=open&cursor=${nextCursor}`,
    ]);
  });
});

describe("a path", () => {
  const ids = [
    ...ESCAPES,
    "x",
    "%20",
    "%2e%2e%2f%2e%2e%2fme",
    "..%5c..",
    "null",
    "undefined",
    "__proto__",
    "%7Bid%7D",
    "1'%20or%20'1'='1",
    "%F0%9F%98%80",
    "01890000-0000-7000-8000-000000000000%0a",
    "01890000-0000-7000-8000-000000000000%00",
    "%7B01890000-0000-7000-8000-000000000000%7D",
    "urn:uuid:01890000-0000-7000-8000-000000000000",
    "x".repeat(501),
    "x".repeat(5_000),
    "9".repeat(400),
    "a/".repeat(300),
  ];
  test.each(each(withId))("of %s with a malformed id is refused with a helpful message", async (_, target) => {
    // Some of them on each route, others on the next one.
    await expectAllRefused(
      everyNth(ids, 6, withId.indexOf(target)).map((id) => target.operation.path.replace(/\{[^}]+\}/, () => id)),
      { method: target.operation.method, status: null },
    );
  });

  test("without a route is 404, whatever it contains", async () => {
    await expectAllRefused(
      [
        "//",
        "/inboxes",
        "/assets/",
        "/assets/nothing.js",
        "/assets/..%2findex.html",
        "/api",
        "/api/",
        "/api/nothing",
        "/api//contacts",
        "/.env",
        "/api/contacts;x=1",
        "/%2e%2e/%2e%2e/etc/passwd",
        `/${"x/".repeat(2_000)}`,
      ],
      { status: 404 },
    );
    await expectAllRefused(
      ["/docs/%2e%2e/%2e%2e/package.json", "/docs/..%2f..%2fpackage.json", "/docs/%2e%2e%5cpackage.json", "/docs/%00"],
      { status: null },
    );
  });
});
