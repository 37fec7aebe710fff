import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMIT_PER_MINUTE: 100 });
});
afterAll(() => app.close());

const script = async (): Promise<string> =>
  /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(`${app.baseUrl}/`)).text())![1]!;

test.each(["/", "/inbox/all", "/settings/api-access", "/invitation"])(
  "%s is the page: nothing inline, nothing from elsewhere, asked for anew each time",
  async (path) => {
    const answer = await fetch(`${app.baseUrl}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /script-src 'self';style-src 'self';style-src-attr 'unsafe-inline';/,
    );
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style|https?:/);
    const again = await fetch(`${app.baseUrl}${path}`, { headers: { "If-None-Match": answer.headers.get("etag")! } });
    expect(again.status).toBe(304);
  },
);

test("files are compressed, kept forever, and do not count towards the rate limit", async () => {
  const answer = await fetch(`${app.baseUrl}${await script()}`, { headers: { "Accept-Encoding": "br" } });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(answer.headers.get("ratelimit-limit")).toBeNull();
});

test("a file that does not exist is 404, as JSON, and so is a compressed file under its own name", async () => {
  for (const path of ["/assets/nothing.js", `${await script()}.br`]) {
    const answer = await fetch(`${app.baseUrl}${path}`);
    expect([path, answer.status, await answer.json()]).toEqual([path, 404, { error: "Not found" }]);
  }
});

test("a mistyped address is 404: in a browser with the dashboard's page, for programs and under /api as JSON", async () => {
  const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const page = await fetch(`${app.baseUrl}/inbx?x=1`, { headers: BROWSER });
  expect([page.status, page.headers.get("vary"), await page.text()]).toEqual([
    404,
    "Accept",
    await (await fetch(`${app.baseUrl}/`)).text(),
  ]);
  expect(page.headers.get("content-security-policy")).toMatch(
    /script-src 'self';style-src 'self';style-src-attr 'unsafe-inline';/,
  );
  for (const [path, headers] of [
    ["/inbx", {}],
    ["/api", BROWSER],
    ["/api/inbx", BROWSER],
    ["/assets/nothing.js", BROWSER],
  ] as const) {
    const answer = await fetch(`${app.baseUrl}${path}`, { headers });
    expect([path, answer.status, await answer.json()]).toEqual([path, 404, { error: "Not found" }]);
  }
});
