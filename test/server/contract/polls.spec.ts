import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { document, resolved } from "../../support/contract.js";
import { each, type Route, ROUTES } from "../../support/routes.js";
import { bodyFor, idFor, type Side, send, sideOf } from "./fixtures.js";

let app: TestApp;
let tenant: TestTenant;
let live: Side;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  live = await sideOf(tenant);
});
afterAll(() => app.close());

const needsQuery = ({ parameters = [] }: { parameters?: object[] }): boolean =>
  parameters
    .map((one) => resolved(one) as { in: string; required?: boolean })
    .some((one) => one.in === "query" && one.required);
/** The reads of API keys that can be polled. */
const READS = ROUTES.filter(({ method, path, access }) => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  return method === "GET" && access === "scope" && operation?.responses[304] && !needsQuery(operation);
});
/** A write that shows in the answer: to the same path, or to what the list has. */
const writeTo = ({ path }: Route): Route | undefined =>
  ["PATCH", "PUT", "POST"].flatMap((method) => ROUTES.filter((one) => one.method === method && one.path === path))[0];

test.each(each(READS))(
  "%s: as long as the ETag is the same, so is the answer, also after a write",
  async (_, route) => {
    const id = await idFor(route, live);
    const read = async () => {
      const { status, text, headers } = await send(live.key, route, { id });
      expect(status).toBe(200);
      return { text, etag: headers.get("etag") };
    };
    const before = await read();
    expect(before.etag).toBeTruthy();
    const unchanged = await send(live.key, route, { id, headers: { "if-none-match": before.etag! } });
    // What a job has changed in the meantime has another ETag.
    if (unchanged.status !== 304) expect(unchanged.headers.get("etag")).not.toBe(before.etag);
    const write = writeTo(route);
    if (write) {
      const { status } = await send(write.access === "scope" ? live.key : live.owner, write, {
        id,
        body: bodyFor(write, live),
      });
      expect(status, write.name).toBeLessThan(300);
    }
    const after = await read();
    if (after.etag === before.etag) expect(after.text).toBe(before.text);
  },
);
