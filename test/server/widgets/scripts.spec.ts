import fs from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../../src/platform/config/root.js";
import { startApp, type TestApp } from "../../support/app.js";

const FOLDER = new URL("dist/widgets/", ROOT);
const FILES = fs.readdirSync(FOLDER);
const MAX_BYTES = 30_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test.each(FILES)("%s is one script of less than 30 kB gzipped, without eval", (file) => {
  const script = fs.readFileSync(new URL(file, FOLDER), "utf8");
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(MAX_BYTES);
  expect(script).not.toMatch(/\b(eval|Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b\s*[(=]/);
  expect(script).not.toMatch(/\bimport\s*\(|\brequire\(/);
});

test.each(FILES)(
  "%s loads on any origin, compressed as the browser supports it, and is revalidated by its ETag",
  async (file) => {
    const url = `${app.baseUrl}/widgets/${file}`;
    const script = fs.readFileSync(new URL(file, FOLDER), "utf8");
    const first = await fetch(url);
    expect(first.status).toBe(200);
    expect(await first.text()).toBe(script);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    expect((await fetch(url, { headers: { "if-none-match": first.headers.get("etag")! } })).status).toBe(304);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    for (const [accepted, encoding] of [
      ["br, gzip", "br"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = await fetch(url, { headers: { "accept-encoding": accepted } });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(await answer.text()).toBe(script);
    }
  },
);

test.each(["nothing.js", "..%2fopenapi.json", "%2e%2e%2f", ".built", `${"x".repeat(400)}`])(
  "there is no script %s",
  async (file) => {
    expect((await fetch(`${app.baseUrl}/widgets/${file}`)).status).toBe(404);
  },
);
