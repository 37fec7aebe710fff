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

async function post(body: string): Promise<{ status: number; error: string; ms: number }> {
  const began = performance.now();
  const answer = await fetch(`${app.baseUrl}/api/contacts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tenant.live.token!}` },
    body,
  });
  const { error } = (await answer.json()) as { error: string };
  return { status: answer.status, error, ms: performance.now() - began };
}
const keys = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(",");

test("an object with more than 1,000 properties is refused, at any depth, before anything compares them", async () => {
  expect(await post(BODIES["80,000 keys"]!)).toMatchObject({
    status: 400,
    error: "body has more than 1000 properties",
  });
  expect(await post(`{"metadata":{"a":[{${keys(1_001)}}]}}`)).toMatchObject({
    status: 400,
    error: "body.metadata.a[0] has more than 1000 properties",
  });
  expect((await post(`{"metadata":{"a":{${keys(1_000)}}}}`)).error).not.toContain("1000 properties");
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
    expect(ms).toBeLessThan(5_000);
  }
});
