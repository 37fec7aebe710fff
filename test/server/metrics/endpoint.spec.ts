import net from "node:net";
import os from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../../../src/platform/config/config.js";
import { MetricsEndpoint } from "../../../src/platform/metrics/metrics-endpoint.js";
import { ask } from "../security/http.js";
import { startApp, type TestApp } from "../../support/app.js";
import { parseExposition } from "./exposition.js";
import { Scrape, TOKEN } from "./support.js";

const get = (baseUrl: string, authorization?: string, path = "/metrics") =>
  ask(baseUrl, { path, headers: authorization === undefined ? {} : { authorization } });
const UNAUTHORIZED = { status: 401, text: '{"error":"Unauthorized"}' };

/** An application for the tests of a group. */
function started(settings: Partial<Config>): () => TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(settings);
  });
  afterAll(() => app.close());
  return () => app;
}

test("without METRICS_PORT and METRICS_TOKEN the path does not exist", async () => {
  const { baseUrl, app, close } = await startApp();
  const [metrics, nothing] = [await get(baseUrl, `Bearer ${TOKEN}`), await get(baseUrl, undefined, "/nothing")];
  expect([metrics.status, metrics.text]).toEqual([404, '{"error":"Not found"}']);
  const steady = ({ "x-request-id": _, date: __, ...headers }: typeof metrics.headers) => headers;
  expect({ ...metrics, headers: steady(metrics.headers) }).toEqual({ ...nothing, headers: steady(nothing.headers) });
  expect((await ask(baseUrl, { method: "POST", path: "/metrics" })).status).toBe(404);
  expect(app.get(MetricsEndpoint).address).toBeUndefined();
  await close();
});

describe("with METRICS_TOKEN", () => {
  const node = started({ METRICS_TOKEN: TOKEN, RATE_LIMIT_PER_MINUTE: 3 });

  test("the main port serves it to whoever sends exactly this token as a bearer token, and to nobody else", async () => {
    const { baseUrl } = node();
    const good = await get(baseUrl, `Bearer ${TOKEN}`);
    expect(good).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
    });
    expect(parseExposition(good.text).size).toBeGreaterThan(40);
    const wrong = [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Bearer ${TOKEN.toUpperCase()}`,
      `Bearer ${TOKEN} x`,
      `Basic ${TOKEN}`,
      TOKEN,
    ];
    for (const authorization of wrong)
      expect([authorization, await get(baseUrl, authorization)]).toEqual([
        authorization,
        expect.objectContaining(UNAUTHORIZED),
      ]);
    expect(await get(baseUrl, undefined, `/metrics?access_token=${TOKEN}`)).toMatchObject(UNAUTHORIZED);
  });

  test("a key of a tenant does not open it", async () => {
    const { keys } = await node().tenant();
    expect(await get(node().baseUrl, `Bearer ${keys!.live}`)).toMatchObject(UNAUTHORIZED);
  });

  test("it does not count towards the rate limit, and refused requests are counted", async () => {
    const { baseUrl } = node();
    for (let n = 0; n < 10; n++) {
      const { status, headers } = await get(baseUrl, `Bearer ${TOKEN}`);
      expect([status, headers["ratelimit-limit"]]).toEqual([200, undefined]);
    }
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await get(baseUrl, undefined, "/api/me")).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const scrape = await Scrape.of(node());
    expect(scrape.value("parley_http_too_many_requests_total")).toBe(2);
    expect(scrape.value("parley_http_requests_total", { route: "/api/me", status: "4xx" })).toBe(5);
  });
});

describe("with METRICS_PORT", () => {
  const node = started({ METRICS_PORT: 0 });
  const own = (): string => `http://localhost:${node().app.get(MetricsEndpoint).address!.port}`;

  test("it is on that port alone", async () => {
    expect((await get(node().baseUrl, `Bearer ${TOKEN}`)).status).toBe(404);
    const { status, text, headers } = await get(own());
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(parseExposition(text).size).toBeGreaterThan(40);
    expect((await get(own(), undefined, "/metrics?x=1")).status).toBe(200);
    for (const path of ["/", "/healthz", "/api/me", "/metrics/", "/openapi.json"])
      expect([path, await get(own(), undefined, path)]).toMatchObject([
        path,
        { status: 404, text: '{"error":"Not found"}' },
      ]);
    expect(await ask(own(), { method: "POST", path: "/metrics", body: "x" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
    expect(await ask(own(), { method: "HEAD", path: "/metrics" })).toMatchObject({ status: 200, text: "" });
  });

  const outside = Object.values(os.networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address;
  const reaches = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = net.connect(port, outside);
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });

  test("only this machine reaches it by default", async (context) => {
    if (!outside) context.skip("this machine has no address but loopback");
    const { address, port } = node().app.get(MetricsEndpoint).address!;
    expect(["127.0.0.1", "::1"]).toContain(address);
    expect(await reaches(port)).toBe(false);
  });

  test("a port that is taken stops the start, and the error names the setting", async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, "127.0.0.1", resolve);
    });
    const { port } = taken.address() as net.AddressInfo;
    await expect(startApp({ METRICS_PORT: port, METRICS_HOST: "127.0.0.1" })).rejects.toThrow(/METRICS_PORT/);
    taken.close();
  });

  test("METRICS_HOST opens it, a METRICS_TOKEN is asked for there, too, and the main port stays closed; it closes with the server, and does not wait for a scraper that keeps its connection", async () => {
    const host = outside ?? "127.0.0.1";
    const other = await startApp({ METRICS_PORT: 0, METRICS_HOST: host, METRICS_TOKEN: TOKEN });
    const { port } = other.app.get(MetricsEndpoint).address!;
    const there = `http://${host}:${port}`;
    if (outside) expect(await reaches(port)).toBe(true);
    expect((await get(other.baseUrl, `Bearer ${TOKEN}`)).status).toBe(404);
    expect(await get(there)).toMatchObject(UNAUTHORIZED);
    expect(await get(there, "Bearer x")).toMatchObject(UNAUTHORIZED);
    expect((await get(there, `Bearer ${TOKEN}`)).status).toBe(200);

    const scraper = net.connect(port, host);
    await new Promise((resolve) => scraper.once("connect", resolve));
    scraper.on("error", () => undefined);
    // It would wait for ever.
    await other.close();
    await expect(get(there)).rejects.toThrow(/ECONNREFUSED/);
  });
});
