import { afterAll, beforeAll, expect, test } from "vitest";
import { BODIES } from "../../unit/fuzz/bombs.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

async function post(
  body: string,
  path = "/api/contacts",
  type = "application/json",
): Promise<{ status: number; error: string; ms: number }> {
  const began = performance.now();
  const answer = await fetch(app.baseUrl + path, {
    method: "POST",
    headers: { "content-type": type, authorization: `Bearer ${tenant.live.token!}` },
    body,
  });
  const text = await answer.text();
  const error = text.startsWith("{") ? (JSON.parse(text) as { error: string }).error : text;
  return { status: answer.status, error, ms: performance.now() - began };
}
const keys = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(",");

test("an object with more than 1,000 properties is refused, at any depth, before anything compares them", async () => {
  expect(await post(`{${keys(1_001)}}`)).toMatchObject({ status: 400, error: "body has more than 1000 properties" });
  expect(await post(`{"metadata":{"a":[{${keys(1_001)}}]}}`)).toMatchObject({
    status: 400,
    error: "body.metadata.a[0] has more than 1000 properties",
  });
  expect((await post(`{"metadata":{"a":{${keys(1_000)}}}}`)).error).not.toContain("1000 properties");
});

test("a body of more than 20,000 values is refused before it is parsed; nothing else than values counts", async () => {
  const refused = { status: 413, error: "The body may hold at most 20000 values" };
  const list = (items: string[]): string => ` { "metadata" : { "a": [ ${items.join(" , ")} ] } } `;
  // The body, its metadata and the list are values too.
  for (const item of ["1", "{}", "[ ]", '","', '"\\",[{"', '{"a":[]}']) {
    const size = item === '{"a":[]}' ? 2 : 1;
    const most = Math.floor((20_000 - 3) / size);
    expect([item, await post(list(Array<string>(most + 1).fill(item)))]).toMatchObject([item, refused]);
    expect([item, (await post(list(Array<string>(most).fill(item)))).status]).toEqual([item, 400]);
  }
  expect(await post(BODIES["80,000 keys"]!)).toMatchObject(refused);
});

const SMALL: [string, string][] = [
  ["/api/auth/login", "application/json"],
  ["/api/auth/password-reset", "application/json"],
  ["/api/public/contact-form-widgets/pk_unknown/submissions", "application/json"],
  ["/api/public/verifications/x", "application/x-www-form-urlencoded"],
  ["/api/public/csat/x", "application/x-www-form-urlencoded"],
  ["/api/public/eid/start/x", "application/x-www-form-urlencoded"],
];
test.each(SMALL)("%s takes 16 kB, and other routes 1 MB", async (path, type) => {
  const body = (bytes: number): string =>
    type === "application/json" ? `{}${" ".repeat(bytes - 2)}` : "a".repeat(bytes);
  expect((await post(body(16_385), path, type)).status).toBe(413);
  expect((await post(body(16_384), path, type)).status).not.toBe(413);
  expect((await post(body(16_385))).status).not.toBe(413);
});

test("a body that is nested deeper than 32 levels is refused before it is parsed; brackets in texts do not count", async () => {
  const tooDeep = { status: 400, error: "body is nested deeper than 32 levels" };
  for (const name of ["500,000 open lists", "lists 250,000 deep", "objects 150,000 deep"])
    expect(await post(BODIES[name]!)).toMatchObject(tooDeep);
  const nested = (depth: number): string => `{"metadata":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  expect(await post(nested(33))).toMatchObject(tooDeep);
  expect((await post(nested(32))).error).not.toContain("deeper");
  const text = `\\"${"[{".repeat(100)}\\\\`;
  expect((await post(`{"metadata":{"a":"${text}"}}`)).error ?? "").not.toContain("deeper");
  expect((await post(`{"metadata":{"a":"${text}","b":${"[".repeat(40)}${"]".repeat(40)}}}`)).error).toBe(tooDeep.error);
});

test("a property with a name of more than 1,000 characters is refused, and not repeated in the error", async () => {
  expect(await post(BODIES["a key of 1 MB"]!)).toMatchObject({
    status: 400,
    error: "body has a property whose name has more than 1000 characters",
  });
  expect((await post(`{"metadata":{"${"a".repeat(1_000)}":1}}`)).error ?? "").not.toContain("characters");
});

test("any body of 1 MB is answered soon", async () => {
  for (const body of Object.values(BODIES)) {
    const { status, ms } = await post(body);
    expect(status).toBeLessThan(500);
    // Generous, because other tests run beside this one. Quadratic time takes minutes.
    expect(ms).toBeLessThan(30_000);
  }
});
