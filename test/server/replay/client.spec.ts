import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiClient, type ApiClientOptions, RequestError } from "../../../src/replay/client.js";
import { FakeParley, KEY } from "./fake-parley.js";

let server: FakeParley;
beforeEach(async () => {
  server = await new FakeParley().listen();
});
afterEach(() => server.close());

const clientOf = (options: Partial<ApiClientOptions> = {}) =>
  new ApiClient({ baseUrl: server.baseUrl, key: KEY, backoffMs: 1, ...options });
/** The next responses that replace the server's own. */
const next = (...faults: ReturnType<FakeParley["fault"]>[]) => {
  server.fault = () => faults.shift();
};

describe("retries", () => {
  it.each([
    ["a 503", { status: 503 }],
    ["a 502", { status: 502 }],
    ["a cut connection", "drop" as const],
    ["a lost answer", "lose" as const],
  ])("%s is retried until it succeeds", async (_, fault) => {
    next(fault, fault, fault);
    expect((await clientOf().get("/api/workspaces")).status).toBe(200);
    expect(server.requests).toHaveLength(4);
  });

  it("end after the last attempt, with the status and the server's message", async () => {
    server.fault = () => ({ status: 503, body: { error: "database is down" } });
    await expect(clientOf({ tries: 3 }).get("/api/workspaces")).rejects.toThrow(
      "GET /api/workspaces: 503 database is down (tried 3 times)",
    );
    expect(server.requests).toHaveLength(3);
  });

  it("to an unreachable server end with an error that has its address", async () => {
    const { baseUrl } = server;
    await server.close();
    try {
      const error: unknown = await clientOf({ tries: 2 })
        .get("/api/workspaces")
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RequestError);
      expect(error).toMatchObject({
        status: null,
        message: `GET /api/workspaces: no answer from ${baseUrl} (ECONNREFUSED) (tried 2 times)`,
      });
    } finally {
      await server.listen();
    }
  });

  it("after 429 wait as long as it says, and so do all other requests", async () => {
    const waits: number[] = [];
    next({ status: 429, headers: { "retry-after": "1" } });
    const client = clientOf({ onWait: (ms) => waits.push(ms) });
    const started = performance.now();
    await client.get("/api/workspaces");
    expect(performance.now() - started).toBeGreaterThan(990);
    expect(waits).toEqual([1000]);

    const arrived: number[] = [];
    const refusals = [{ status: 429, headers: { "retry-after": "1" } }];
    server.fault = () => {
      arrived.push(performance.now());
      return refusals.shift();
    };
    const first = client.get("/api/workspaces");
    await expect.poll(() => waits.length).toBe(2);
    const second = client.get("/api/workspaces");
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    const [refused, ...later] = arrived;
    expect(later.map((at) => at - refused! > 990)).toEqual([true, true]);
  });

  it("after 429 do not count: it may occur more often than there are attempts", async () => {
    next(...Array.from({ length: 9 }, () => ({ status: 429, headers: { "retry-after": "0" } })));
    expect((await clientOf({ tries: 2 }).get("/api/workspaces")).status).toBe(200);
  });

  it.each([400, 401, 403, 404, 409, 422])("do not follow %i", async (status) => {
    next({ status, body: { error: "a reason" } });
    await expect(clientOf().post("/api/conversations", {})).rejects.toMatchObject({
      status,
      message: `POST /api/conversations: ${status} a reason`,
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("abort", () => {
  it("ends a pause at once", async () => {
    const stop = new AbortController();
    next({ status: 429, headers: { "retry-after": "3600" } });
    const request = clientOf({ onWait: () => setTimeout(() => stop.abort(), 10) }).get("/api/workspaces", stop.signal);
    await expect(request).rejects.toMatchObject({ name: "AbortError" });
  });

  it("lets the current request finish", async () => {
    const stop = new AbortController();
    server.fault = () => {
      stop.abort();
      return undefined;
    };
    expect((await clientOf().get("/api/workspaces", stop.signal)).status).toBe(200);
    await expect(clientOf().get("/api/workspaces", stop.signal)).rejects.toMatchObject({ name: "AbortError" });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a wrong address or key", () => {
  it.each(["localhost:3000", "ftp://localhost", "nowhere", ""])("%j is refused as a base url", (baseUrl) => {
    expect(() => clientOf({ baseUrl })).toThrow("not an http(s) address");
  });

  it("the path of the base url is kept, with or without a trailing slash", async () => {
    for (const slash of ["", "/", "//"])
      await clientOf({ baseUrl: `${server.baseUrl}/proxy${slash}` })
        .get("/api/workspaces")
        .catch(() => {});
    expect(server.requests).toEqual(Array(3).fill("GET /proxy/api/workspaces"));
  });

  it("a key that is invalid in a header is refused, and not repeated in the error", () => {
    expect(() => clientOf({ key: "svc_live_v1_secret\nx" })).toThrow(/^(?!.*secret).*API key/s);
  });

  it("a redirect is reported, and not followed with the key", async () => {
    next({ status: 301, headers: { location: "https://elsewhere.example/" } });
    await expect(clientOf().post("/api/conversations", {})).rejects.toThrow(
      "301 redirects to https://elsewhere.example/",
    );
  });

  it("a response that is not JSON asks whether this is Parley; an error response that is not JSON is reported by its status", async () => {
    next({ status: 200, text: "<html>" }, { status: 403, text: "<html>" });
    await expect(clientOf().get("/api/workspaces")).rejects.toThrow(
      /^GET http.*\/api\/workspaces: 200, but not JSON; is this a Parley server\?$/,
    );
    await expect(clientOf().get("/api/workspaces")).rejects.toThrow(/^GET \/api\/workspaces: 403 Forbidden$/);
  });
});
