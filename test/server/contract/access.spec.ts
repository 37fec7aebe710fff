import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES } from "../../../src/platform/http/dashboard.js";
import { RouteAccess } from "../../../src/auth/access/route-access.js";
import { ROLES } from "../../../src/platform/caller/scope.js";
import { startApp, type TestApp } from "../../support/app.js";
import { answerOf, document, type Operation, operations } from "../../support/contract.js";
import { missingFixtures } from "./fixtures.js";
import { each, inWords, PROTECTED, ROUTES, TABLE } from "../../support/routes.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Routes outside the API: the files of the dashboard, the documentation, and responses to preflight requests. */
const BESIDE_THE_API = /^(GET|HEAD) \/(assets|docs|openapi\.json|openapi\.yaml)(\/|$)|^OPTIONS \*$/;
const described = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
const errorOf = (operation: Operation, status: number): string | undefined =>
  answerOf(operation, status)?.content?.["application/json"]?.schema.$ref;

test("every route declares exactly the access in the committed access table", () => {
  const declared = app.app
    .get(RouteAccess)
    .routes()
    .map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, "{$1}")}`, inWords(route)] as const);
  expect(declared.map(([name]) => name).sort()).toEqual([...new Set(declared.map(([name]) => name))].sort());
  expect(Object.fromEntries(declared)).toEqual(TABLE);
});

test("openapi.json documents every operation exactly as the committed access table", () => {
  const told = operations.map(
    (operation) =>
      [
        `${operation.method} ${operation.path}`,
        {
          access: operation["x-any-read-scope"] ? "any read" : operation["x-access"],
          scope: operation["x-required-scope"],
          needsRecentSignIn: operation["x-requires-recent-sign-in"] ?? false,
        },
      ] as const,
  );
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(
      ROUTES.map(({ name, access, scope, needsRecentSignIn }) => [name, { access, scope, needsRecentSignIn }]),
    ),
  );
});

test("the server has no path that is missing from both the table and the documentation", () => {
  const blank = (name: string): string => name.replace(/\{[^}]+\}/g, "{}");
  const expected = new Set(
    ROUTES.flatMap(({ name, method }) => [
      blank(name),
      ...(method === "GET" ? [blank(name).replace("GET", "HEAD")] : []),
    ]),
  );
  // The router prints a wildcard without the slash before it.
  for (const page of [...PAGES, "/service-worker.js"].map((path) => path.replace("/*", "*")))
    for (const method of ["GET", "HEAD"]) expected.add(`${method} ${page}`);
  const served = servedRoutes(app.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false })).filter(
    (name) => !BESIDE_THE_API.test(name),
  );
  expect(served.sort()).toEqual([...expected].sort());
});

test("every route with an id or a body has a fixture, so the generated tests cover it", () => {
  expect(missingFixtures(PROTECTED)).toEqual([]);
});

test("roles are ranked: each role has all permissions of the roles below it, and owners and admins have all permissions", () => {
  expect(
    PROTECTED.filter(({ roles }) => roles.length < 2 || roles.join() !== ROLES.slice(0, roles.length).join()).map(
      ({ name }) => name,
    ),
  ).toEqual([]);
});

/** Ids in the query of these routes may name deleted resources, because the log keeps them. */
const COMPARED_ONLY = ["GET /api/audit-log", "GET /api/security-log"];
test.each(each(ROUTES))(
  "openapi.json describes %s with its summary, tag, success response and errors",
  (name, route) => {
    const operation = described.get(name) as Operation & { summary?: string; tags?: string[] };
    expect(operation, "the route is not in openapi.json: npm run openapi").toBeDefined();
    expect(operation.summary).toMatch(/\w+ \w+/);
    expect(operation.tags).toHaveLength(1);
    // Where a browser only passes through, a redirect is the success.
    expect(Object.keys(operation.responses).some((status) => /^[23]/.test(status))).toBe(true);
    const idInRequest = route.resource !== undefined || (takesForeignId(operation) && !COMPARED_ONLY.includes(name));
    const errors = [
      ...(route.path === "/healthz" ? [] : [503]),
      ...(route.path.endsWith("z") ? [] : [429]),
      ...(route.access === "public" ? [] : [401]),
      ...(["public", "any"].includes(route.access) ? [] : [403]),
      ...(route.resource === undefined && !route.takesBody ? [] : [400]),
      ...(idInRequest ? [404] : []),
      ...(route.takesBody ? [413, 415] : []),
      // Routes that accept an Idempotency-Key. Signing in and out does not.
      ...(route.method === "POST" && route.access !== "public" && !route.path.startsWith("/api/auth/")
        ? [409, 422]
        : []),
    ];
    expect(errors.filter((status) => errorOf(operation, status) !== "#/components/schemas/ErrorResponse")).toEqual([]);
  },
);

/** Ids of other resources in the query or the body. Each may be absent, foreign or out of reach, which is 404. */
function takesForeignId({ parameters = [], requestBody }: Operation): boolean {
  return (
    parameters.some(({ in: place, schema }) => place === "query" && isUuid(schema)) ||
    holdsUuid(requestBody?.content["application/json"]?.schema)
  );
}
const isUuid = (schema: object): boolean => (schema as { format?: string }).format === "uuid";
function holdsUuid(schema: object | undefined): boolean {
  const { $ref, properties, items, allOf } = (schema ?? {}) as {
    $ref?: string;
    properties?: Record<string, object>;
    items?: object;
    allOf?: object[];
  };
  if ($ref) return holdsUuid(document.components.schemas[$ref.split("/").pop()!]);
  return [...Object.values(properties ?? {}), ...(items ? [items] : []), ...(allOf ?? [])].some(
    (one) => isUuid(one) || holdsUuid(one),
  );
}

/** Fastify prints its routes as a tree, with each line below its prefix. Parameter names differ between methods, so they are blanked. */
function servedRoutes(tree: string): string[] {
  const above: string[] = [];
  return tree
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => {
      const [, indent, part, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+) ?(?:\((.+)\))?$/.exec(line)!;
      const depth = indent!.length / 4;
      const path = (depth ? above[depth - 1] : "") + part!.replace(/:\w+(\|:\w+)*/g, "{}");
      above[depth] = path;
      return methods ? methods.split(", ").map((method) => `${method} ${path}`) : [];
    });
}
