import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { undisturbed } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { ask, type RawAnswer, type RawRequest } from "./http.js";

let app: TestApp;
let tenant: TestTenant;
/** Every kind of response, and how to cause it. */
let kinds: Record<string, RawRequest>;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  const authorization = `Bearer ${tenant.live.token}`;
  const json = { authorization, "content-type": "application/json" };
  const post = (body: string, headers = {}): RawRequest => ({
    method: "POST",
    path: "/api/contacts",
    headers: { ...json, ...headers },
    body,
  });
  await tenant.live.post("/api/contacts", { name: "Once", externalId: "taken" }, 201, {
    headers: { "idempotency-key": "once" },
  });
  kinds = {
    "200 of a probe": { path: "/healthz" },
    "200 of a read": { path: "/api/workspaces", headers: { authorization } },
    "200 to HEAD": { method: "HEAD", path: "/api/workspaces", headers: { authorization } },
    "201": post('{"name":"Ada"}'),
    "201 sent again": post('{"name":"Once","externalId":"taken"}', { "idempotency-key": "once" }),
    "304": { path: "/api/workspaces", headers: { authorization, "if-none-match": "*" } },
    "400": post('{"name":1}'),
    "400 of a path that cannot be read": { path: "/api/contacts/%zz", headers: { authorization } },
    "401": { path: "/api/workspaces" },
    "403": { path: "/api/members", headers: { authorization } },
    "404": { path: "/api/contacts/01890000-0000-7000-8000-000000000000", headers: { authorization } },
    "404 of a path that leads nowhere": { path: "/nothing" },
    "409": post('{"externalId":"taken"}'),
    "413": post(" ".repeat(1_048_577)),
    "415": post("x", { "content-type": "text/plain" }),
    "422": post('{"name":"Other"}', { "idempotency-key": "once" }),
    "200 of the documentation": { path: "/docs" },
    "200 of openapi.json": { path: "/openapi.json" },
  };
});
afterAll(() => app.close());

async function expectOfEveryAnswer(
  check: (answer: RawAnswer) => unknown,
  headers: Record<string, string> = {},
): Promise<void> {
  const wrong: Record<string, unknown> = {};
  for (const [kind, request] of Object.entries(kinds)) {
    const answer = await ask(app.baseUrl, { ...request, headers: { ...request.headers, ...headers } });
    expect([kind, answer.status]).toEqual([kind, Number(kind.slice(0, 3))]);
    const fault = check(answer);
    if (fault) wrong[kind] = fault;
  }
  expect(wrong).toEqual({});
}

describe("X-Request-Id", () => {
  test("is on every response, with a new value each time", async () => {
    const seen = new Set<unknown>();
    await expectOfEveryAnswer(
      ({ headers }) =>
        !/^[\da-f-]{36}$/.test(String(headers["x-request-id"])) || seen.size === seen.add(headers["x-request-id"]).size,
    );
    expect(seen.size).toBe(Object.keys(kinds).length);
  });

  test("is the caller's value if it is valid", async () => {
    for (const id of ["req-1", "a", "A.b:c_d-9", "x".repeat(128)])
      await expectOfEveryAnswer(({ headers }) => headers["x-request-id"] !== id && headers["x-request-id"], {
        "x-request-id": id,
      });
  });

  test("is generated if the caller's value could be misread in a log or a header", async () => {
    for (const id of [
      "",
      " ",
      "a b",
      "x".repeat(129),
      "<script>",
      '{"a":1}',
      "é",
      "a\tb",
      "a;b",
      "a,b",
      "../x",
      "${jndi:x}",
    ]) {
      const { headers } = await ask(app.baseUrl, { path: "/healthz", headers: { "x-request-id": id } });
      expect([id, headers["x-request-id"]]).toEqual([
        id,
        expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
      ]);
    }
    const twice = await ask(app.baseUrl, { path: "/healthz", headers: { "x-request-id": ["one", "two"] } });
    expect(twice.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });
});

describe("every response", () => {
  test("forbids sniffing, framing, scripts from elsewhere and referrers, and requires https", async () => {
    await expectOfEveryAnswer(({ headers }) => {
      const policy = String(headers["content-security-policy"]);
      const missing = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"].filter(
        (rule) => !policy.includes(rule),
      );
      return [
        ...missing,
        ...[
          ["x-content-type-options", /^nosniff$/],
          ["x-frame-options", /^(SAMEORIGIN|DENY)$/],
          ["referrer-policy", /^no-referrer$/],
          ["strict-transport-security", /^max-age=31536000; includeSubDomains$/],
          ["cross-origin-resource-policy", /^same-origin$/],
        ]
          .filter(([name, form]) => !(form as RegExp).test(String(headers[name as string])))
          .map(([name]) => name),
      ].join();
    });
  });

  test("names neither the software that made it nor its version", async () => {
    await expectOfEveryAnswer(({ headers }) =>
      Object.entries(headers)
        .filter(
          ([name, value]) =>
            ["server", "x-powered-by", "via"].includes(name) || /fastify|nest|node|express/i.test(String(value)),
        )
        .join(),
    );
  });

  test("of the API is excluded from shared caches, and has a content type", async () => {
    for (const [kind, request] of Object.entries(kinds).filter(
      ([kind, { path }]) => path.startsWith("/api/") && /^20/.test(kind),
    )) {
      const { headers } = await ask(app.baseUrl, request);
      expect([kind, headers["cache-control"], headers["content-type"]]).toEqual([
        kind,
        request.method === "POST" ? "private, no-store" : "private, no-cache",
        "application/json; charset=utf-8",
      ]);
    }
  });

  test("that is an error is only {error}, in JSON", async () => {
    await expectOfEveryAnswer(
      ({ status, headers, text }) =>
        status >= 400 &&
        (!/^application\/json/.test(String(headers["content-type"])) || !/^\{"error":"[^"]+"\}$/.test(text)) &&
        text,
    );
  });

  test("that is an error has a code, and no other has one", async () => {
    const codes: Record<number, unknown> = {};
    await expectOfEveryAnswer(({ status, headers }) => {
      if (status >= 400) codes[status] = headers["x-error-code"];
      return status < 400 && (headers["x-error-code"] ?? headers["x-error-detail"]);
    });
    expect(codes).toEqual({
      400: "bad-request",
      401: "unauthorized",
      403: "members-only",
      404: "not-found",
      409: "conflict",
      413: "too-large",
      415: "unsupported-type",
      422: "idempotency-key-reused",
    });
  });

  test("to HEAD equals the one to GET without its body, including the length, also for 304", async () => {
    const authorization = `Bearer ${tenant.live.token}`;
    for (const path of [
      "/api/workspaces",
      "/api/contacts",
      "/api/me",
      `/api/workspaces/${tenant.defaults.workspaceId}`,
      "/healthz",
    ])
      // Where the node does not hear of changes, the ETag is another one.
      await undisturbed([app], async () => {
        const [get, head] = [
          await ask(app.baseUrl, { path, headers: { authorization } }),
          await ask(app.baseUrl, { method: "HEAD", path, headers: { authorization } }),
        ];
        const { date: _, "x-request-id": __, ...common } = get.headers;
        expect([head.status, head.text]).toEqual([get.status, ""]);
        expect(head.headers).toMatchObject(common);
        const again = await ask(app.baseUrl, {
          method: "HEAD",
          path,
          headers: { authorization, "if-none-match": get.headers.etag! },
        });
        expect([again.status, again.text]).toEqual([304, ""]);
      });
  });
});

describe("a browser on another origin", () => {
  const ORIGIN = "https://console.example.com";
  const preflight = (node: TestApp, origin: string, method: string): Promise<RawAnswer> =>
    ask(node.baseUrl, {
      method: "OPTIONS",
      path: "/api/contacts",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type,idempotency-key,if-none-match,x-environment",
      },
    });
  const corsHeaders = ({ headers }: RawAnswer): string[] =>
    Object.keys(headers).filter((name) => name.startsWith("access-control-"));

  test("has no access by default: no response carries a CORS header", async () => {
    await expectOfEveryAnswer((answer) => corsHeaders(answer).join(), { origin: ORIGIN });
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const answer = await preflight(app, ORIGIN, method);
      expect([method, corsHeaders(answer)]).toEqual([method, []]);
    }
  });

  describe("with CORS_ORIGINS", () => {
    let open: TestApp;
    beforeAll(async () => {
      open = await startApp({ CORS_ORIGINS: [ORIGIN, "http://localhost:5173"] }, app.db);
    });
    afterAll(() => open.close());

    test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])(
      "may use %s from a listed origin: the preflight allows it, with all headers that the API accepts",
      async (method) => {
        for (const origin of [ORIGIN, "http://localhost:5173"]) {
          const { status, headers } = await preflight(open, origin, method);
          expect(status).toBeLessThan(300);
          expect(headers["access-control-allow-origin"]).toBe(origin);
          expect(headers["access-control-allow-credentials"]).toBe("true");
          expect(String(headers["access-control-allow-methods"]).split(/,\s*/)).toContain(method);
          expect(String(headers["access-control-allow-headers"]).toLowerCase().split(/,\s*/)).toEqual(
            expect.arrayContaining([
              "authorization",
              "content-type",
              "idempotency-key",
              "if-none-match",
              "x-environment",
            ]),
          );
          expect(headers.vary).toMatch(/\borigin\b/i);
        }
      },
    );

    test("can read responses, including errors, and the headers it needs", async () => {
      const headers = { origin: ORIGIN, authorization: `Bearer ${tenant.live.token}` };
      for (const path of ["/api/contacts", "/api/contacts/x", "/nothing"]) {
        const answer = await ask(open.baseUrl, { path, headers });
        expect([path, answer.headers["access-control-allow-origin"]]).toEqual([path, ORIGIN]);
        expect(String(answer.headers["access-control-expose-headers"])).toMatch(
          /X-Request-Id.*X-Error-Code, X-Error-Detail/,
        );
        // A cached response to one origin must not be used for another.
        expect(answer.headers.vary).toMatch(/\borigin\b/i);
      }
    });

    test.each([
      "https://evil.example",
      "https://console.example.com.evil.example",
      "https://evil.example/https://console.example.com",
      "http://console.example.com",
      "https://console.example.com:8443",
      "https://CONSOLE.example.com.",
      "null",
      "",
    ])("has no access from an unlisted origin (%s)", async (origin) => {
      const answers = [
        ...(await Promise.all(["GET", "POST", "PATCH", "DELETE"].map((method) => preflight(open, origin, method)))),
        await ask(open.baseUrl, {
          path: "/api/contacts",
          headers: { origin, authorization: `Bearer ${tenant.live.token}` },
        }),
      ];
      for (const { headers } of answers) expect(headers["access-control-allow-origin"]).toBeUndefined();
    });
  });
});
