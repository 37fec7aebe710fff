import { afterAll, beforeAll, expect, test } from "vitest";
import { RouteAccess } from "../../src/auth/access/route-access.js";
import { ROLES } from "../../src/platform/caller/scope.js";
import { startApp, type TestApp } from "../support/app.js";
import { document, type Operation, operations } from "../support/contract.js";
import { missingFixtures } from "./fixtures.js";
import { each, inWords, PROTECTED, ROUTES, TABLE } from "./routes.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Not of the API: its documentation, and the answers to a browser's preflight requests. */
const BESIDE_THE_API = /^(GET|HEAD) \/(docs|openapi\.json|openapi\.yaml)(\/|$)|^OPTIONS \*$/;
const described = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
const errorOf = (operation: Operation, status: number): string | undefined =>
  (operation.responses[status]?.content?.["application/json"]?.schema as { $ref?: string } | undefined)?.$ref;

test("the application declares for each route exactly what the committed access table says", () => {
  const declared = app.app
    .get(RouteAccess)
    .routes()
    .map(({ method, path, access }) => [`${method} ${path.replace(/:(\w+)/g, "{$1}")}`, inWords(access)] as const);
  expect(declared.map(([name]) => name).sort()).toEqual([...new Set(declared.map(([name]) => name))].sort());
  expect(Object.fromEntries(declared)).toEqual(TABLE);
});

test("openapi.json tells for each operation exactly what the committed access table says", () => {
  const told = operations.map(
    (operation) =>
      [
        `${operation.method} ${operation.path}`,
        { access: operation["x-access"], scope: operation["x-required-scope"] },
      ] as const,
  );
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(ROUTES.map(({ name, access, scope }) => [name, { access, scope }])),
  );
});

test("the server answers on no path that neither the table nor the documentation accounts for", () => {
  const blank = (name: string): string => name.replace(/\{[^}]+\}/g, "{}");
  const expected = new Set(
    ROUTES.flatMap(({ name, method }) => [
      blank(name),
      ...(method === "GET" ? [blank(name).replace("GET", "HEAD")] : []),
    ]),
  );
  const served = servedRoutes(app.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false })).filter(
    (name) => !BESIDE_THE_API.test(name),
  );
  expect(served.sort()).toEqual([...expected].sort());
});

test("every route with an id or a body has a fixture, so that the generated tests cover it", () => {
  expect(missingFixtures(PROTECTED)).toEqual([]);
});

test("roles are ranked: whatever a role may, every role above it may too, and owners and admins may everything", () => {
  expect(
    PROTECTED.filter(({ roles }) => roles.length < 2 || roles.join() !== ROLES.slice(0, roles.length).join()).map(
      ({ name }) => name,
    ),
  ).toEqual([]);
});

/** Ids in their query name nothing that has to be there: what is gone is still in the log. */
const COMPARED_ONLY = ["GET /api/audit-log"];
test.each(each(ROUTES))(
  "openapi.json describes %s: its summary, its tag, its success and its errors",
  (name, route) => {
    const operation = described.get(name) as Operation & { summary?: string; tags?: string[] };
    expect(operation.summary).toMatch(/\w+ \w+/);
    expect(operation.tags).toHaveLength(1);
    expect(Object.keys(operation.responses).some((status) => status.startsWith("2"))).toBe(true);
    const idInRequest = route.resource !== undefined || (takesForeignId(operation) && !COMPARED_ONLY.includes(name));
    const errors = [
      503,
      ...(route.path.endsWith("z") ? [] : [429]),
      ...(route.access === "public" ? [] : [401]),
      ...(["public", "any"].includes(route.access) ? [] : [403]),
      ...(route.resource === undefined && !route.takesBody ? [] : [400]),
      ...(idInRequest ? [404] : []),
      ...(route.takesBody ? [413, 415] : []),
      // Whoever takes an Idempotency-Key; signing in and out does not.
      ...(route.method === "POST" && route.access !== "public" && !route.path.startsWith("/api/auth/")
        ? [409, 422]
        : []),
    ];
    expect(errors.filter((status) => errorOf(operation, status) !== "#/components/schemas/ErrorDto")).toEqual([]);
  },
);

/** Ids of other things in the query or the body: each may be absent, foreign or out of reach, which is 404. */
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

/** Fastify prints its routes as a tree, each line under what it continues; parameters' names differ between methods, so they are blanked. */
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
