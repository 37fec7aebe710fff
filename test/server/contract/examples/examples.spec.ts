import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Environment } from "../../../../src/platform/caller/caller.js";
import { settled } from "../../feed/support.js";
import { startApp, type TestApp, type TestTenant } from "../../../support/app.js";
import { faultsOf, type Operation, operations } from "../../../support/contract.js";
import {
  bodyFor,
  canMake,
  environmentOf,
  idFor,
  isOwn,
  makeFor,
  ownMember,
  type Side,
  sideOf,
  urlOf,
} from "../fixtures.js";
import { PROTECTED } from "../../../support/routes.js";
import { Normal } from "./normal.js";
import { LEFT_OUT, LISTED, REQUESTS, type Sent } from "./requests.js";
import { shown, STREAMS } from "./streams.js";

// An example of request and answer for each operation, recorded from a real run and committed: openapi.json shows them.
// After a change that is meant: `npm run contract`.

interface Example {
  request?: unknown;
  status: number;
  answer: unknown;
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What these show includes the sign-ins of the organisation on both sides. */
const SHOW_BOTH = ["auditLog", "securityLog"];
type Sides = Partial<Record<Environment, Side>> & { live: Side };
const routeOf = ({ method, path }: Operation) => PROTECTED.find(({ name }) => name === `${method} ${path}`);
const environmentFor = (operation: Operation): Environment => {
  const route = routeOf(operation);
  return route ? environmentOf(route) : "live";
};

const groupOf = ({ operationId }: Operation): string => operationId.split(".")[0]!;
const jsonOf = (content: Record<string, { schema: object }> = {}) => content["application/json"]?.schema;

/** Each group has its own tenant, so that a change of one group leaves the examples of the others as they are. */
async function record(group: string, of: Operation[]): Promise<[string, Example][]> {
  const beganAt = Date.now();
  const tenant = await app.tenant("Analytical Engines");
  const sides: Sides = { live: await sideOf(tenant) };
  const needsTest = SHOW_BOTH.includes(group) || of.some((operation) => environmentFor(operation) === "test");
  if (needsTest) sides.test = await sideOf(tenant, "test");
  const { tenantId, brandId, workspaceId, channelId, ownerId, contactId } = sides.live;
  const normal = new Normal(group, [tenantId, brandId, workspaceId, channelId, ownerId, contactId], beganAt);
  const found: [string, Example][] = [];
  const failed: string[] = [];
  const reads = (operation: Operation) => operation.method === "GET";
  for (const operation of [...of.filter(reads), ...of.filter((one) => !reads(one))]) {
    const stream = STREAMS[operation.operationId];
    if (stream) {
      const answer = shown(await stream({ app, tenant, side: sides.live }), normal);
      found.push([operation.operationId, { status: 200, answer }]);
      continue;
    }
    const { client, method, url, body, headers } = await requestOf(operation, tenant, sides);
    const answer = await client.send(method, url, body, undefined, { headers });
    if (answer.status >= 300) failed.push(`${operation.operationId}: ${answer.status} ${answer.text}`);
    const isJson = body !== undefined && jsonOf(operation.requestBody?.content) !== undefined;
    const sent = typeof body === "string" ? (JSON.parse(body) as unknown) : body;
    found.push([
      operation.operationId,
      { ...(isJson && { request: normal.of(sent) }), status: answer.status, answer: normal.of(answer.body) },
    ]);
  }
  expect(failed).toEqual([]);
  return found;
}

/** What the fixtures send, and in its place what `REQUESTS` says. */
async function requestOf(operation: Operation, tenant: TestTenant, sides: Sides): Promise<Sent> {
  const { operationId, method, path } = operation;
  const route = routeOf(operation);
  const whole = sides[environmentFor(operation)]!;
  const special = await REQUESTS[operationId]?.({ app, tenant, side: whole });
  if (!route) return { client: app.client(), method, url: path, ...special };
  const { client, side } = isOwn(route)
    ? await ownMember(whole, "owner")
    : { client: route.access === "scope" ? whole.key : await tenant.owner(whole.environment), side: whole };
  if (method === "GET") await fill(operation, side);
  if (special?.url) return { client, method, url: special.url };
  const id = await idFor(route, side);
  return { client, method, url: urlOf(route, { id }), body: bodyFor(route, side), ...special };
}

/** Creates something for a list to show. */
async function fill({ operationId, path }: Operation, side: Side): Promise<void> {
  const resource = LISTED[operationId] ?? path.split("/").at(-1)!;
  if (canMake(resource)) await makeFor({ name: resource, resource }, side);
  if (operationId === "changes.list") await settled(app.db);
}

const WITH_EXAMPLE = operations.filter(({ operationId }) => !(operationId in LEFT_OUT));

test("each operation has an example, as the application answers today", async () => {
  const groups = [...new Set(WITH_EXAMPLE.map(groupOf))];
  const all: [string, Example][] = [];
  for (const group of groups)
    all.push(
      ...(await record(
        group,
        WITH_EXAMPLE.filter((operation) => groupOf(operation) === group),
      )),
    );
  all.sort(([a], [b]) => (a < b ? -1 : 1));
  await expect(`${JSON.stringify(Object.fromEntries(all), null, 1)}\n`).toMatchFileSnapshot(
    "../../../../docs/api/examples.json",
  );
}, 300_000);

describe("openapi.json", () => {
  it("shows an example of each request and answer of these operations, JSON or a stream", () => {
    const lacks = WITH_EXAMPLE.flatMap(({ operationId, requestBody, responses }) => {
      const answers = Object.entries(responses).filter(([status]) => Number(status) < 300);
      const body = requestBody?.content["application/json"];
      return [
        ...(body && !("example" in body) ? [`${operationId}: request`] : []),
        ...(answers.some(([, { content = {} }]) =>
          ["application/json", "text/event-stream"].some((type) => content[type] && "example" in content[type]),
        )
          ? []
          : [`${operationId}: answer`]),
      ];
    });
    expect(lacks).toEqual([]);
  });

  it("shows only examples that its schemas allow", () => {
    const shown = operations.flatMap(({ operationId, requestBody, responses }) =>
      [["request", requestBody] as const, ...Object.entries(responses)].flatMap(([place, described]) =>
        Object.values(described?.content ?? {})
          .filter((media) => "example" in media)
          .map(({ schema, example }) => ({ name: `${operationId} ${place}`, faults: faultsOf(schema, example) })),
      ),
    );
    expect(shown.filter(({ faults }) => faults)).toEqual([]);
    expect(shown.length).toBeGreaterThan(300);
  });

  it("every operation without an example exists", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(Object.keys(LEFT_OUT).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
