import { randomUUID } from "node:crypto";
import http from "node:http";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { ask, faults, type RawAnswer, speak } from "./http.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const goesOn = async (): Promise<void> => {
  expect((await tenant.live.get("/api/me")).status).toBe(200);
};
const HOST = "Host: localhost\r\n";

describe("a request that is not HTTP", () => {
  const MALFORMED: [string, string | Buffer][] = [
    ["garbage", "GARBAGE\r\n\r\n"],
    ["bytes at random", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0xff, 0x00, 0x0d, 0x0a, 0x0d, 0x0a])],
    ["a method in lower case", `get /api/me HTTP/1.1\r\n${HOST}\r\n`],
    ["a version that is none", `GET /api/me HTTP/9.9\r\n${HOST}\r\n`],
    ["a space in the path", `GET /api/a b HTTP/1.1\r\n${HOST}\r\n`],
    ["a NUL in the path", `GET /api/\0 HTTP/1.1\r\n${HOST}\r\n`],
    ["a header without a colon", `GET /api/me HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
    ["a space before the colon", `GET /api/me HTTP/1.1\r\n${HOST}X-A : 1\r\n\r\n`],
    ["a NUL in a header", `GET /api/me HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`],
    ["no Host", "GET /api/me HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["two lengths", `POST /api/contacts HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ["a negative length", `POST /api/contacts HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n{}`],
    ["a length that is none", `POST /api/contacts HTTP/1.1\r\n${HOST}Content-Length: 0x2\r\n\r\n{}`],
    [
      "a length beyond all bounds",
      `POST /api/contacts HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n{}`,
    ],
    [
      "a length beside chunks",
      `POST /api/contacts HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["an encoding that is none", `POST /api/contacts HTTP/1.1\r\n${HOST}Transfer-Encoding: x\r\n\r\n{}`],
  ];
  test.each(MALFORMED)("(%s) is refused with 400 and {error}, and the connection is closed", async (_, bytes) => {
    const answer = await speak(app.baseUrl, bytes);
    expect(answer && faults(answer)).toEqual([]);
    expect(answer!.status).toBe(400);
    await goesOn();
  });

  test("is also refused in the middle of a body", async () => {
    const bytes = `POST /api/contacts HTTP/1.1\r\n${HOST}Authorization: Bearer ${tenant.live.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"na"\r\nnonsense\r\n`;
    const answer = await speak(app.baseUrl, bytes);
    expect(answer && faults(answer)).toEqual([]);
    await goesOn();
  });

  describe("a method", () => {
    const METHODS = ["PUT", "PATCH", "TRACE", "PROPFIND", "LINK", "QUERY", "SEARCH", "OPTIONS"];
    const tried = async (method: string, path: string) => {
      const answer = await speak(
        app.baseUrl,
        `${method} ${path} HTTP/1.1\r\n${HOST}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect([method, answer && faults(answer)]).toEqual([method, []]);
      return [answer!.status, answer!.headers.allow];
    };

    test.each(METHODS)("that a path does not take is refused with 405 and Allow: %s", async (method) => {
      expect(await tried(method, "/api/workspaces?limit=1")).toEqual([405, "GET, HEAD, POST"]);
      expect(await tried(method, `/api/brands/${tenant.defaults.brandId}`)).toEqual(
        method === "PATCH" ? [401, undefined] : [405, "PATCH"],
      );
      await goesOn();
    });

    test("that only the path beside it takes is refused, too: a word is no id", async () => {
      for (const method of ["GET", "PATCH", "DELETE", "OPTIONS"])
        expect([method, ...(await tried(method, "/api/contacts/import"))]).toEqual([method, 405, "POST"]);
      expect(await tried("OPTIONS", "/api/contacts/search?q=a")).toEqual([405, "GET, HEAD"]);
      expect(await tried("DELETE", `/api/contacts/${randomUUID()}`)).toEqual([401, undefined]);
    });

    test.each(METHODS)("is refused with 404 where there is no path: %s", async (method) => {
      expect(await tried(method, "/api/nothing")).toEqual([404, undefined]);
      expect(await tried(method, "/api/workspaces/x/y/z")).toEqual([404, undefined]);
    });

    test.each(["BREW", "FOO", "CONNECTED"])(
      "that HTTP does not know is refused with 405 and Allow: %s",
      async (method) => {
        expect(await tried(method, "/api/workspaces")).toEqual([405, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]);
        await goesOn();
      },
    );
  });

  test("is answered with the headers of every answer", async () => {
    const answer = await speak(app.baseUrl, "GARBAGE\r\n\r\n");
    expect(answer!.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
  });

  test("an unsupported expectation is refused with {error}", async () => {
    const expecting = await speak(
      app.baseUrl,
      `GET /api/me HTTP/1.1\r\n${HOST}Expect: the-impossible\r\nConnection: close\r\n\r\n`,
    );
    expect(expecting && faults(expecting)).toEqual([]);
    await goesOn();
  });

  test("a body that breaks off changes nothing", async () => {
    const before = await tenant.live.get("/api/contacts", 200);
    for (const framing of [
      'Content-Length: 100\r\n\r\n{"name":"cut"}',
      'Transfer-Encoding: chunked\r\n\r\ne\r\n{"name":"cut"}\r\n',
    ]) {
      const { hostname, port } = new URL(app.baseUrl);
      await new Promise<void>((resolve) => {
        const socket = net.connect(Number(port), hostname, () => {
          socket.end(
            `POST /api/contacts HTTP/1.1\r\n${HOST}Authorization: Bearer ${tenant.live.token}\r\nContent-Type: application/json\r\n${framing}`,
          );
        });
        socket
          .resume()
          .on("error", () => undefined)
          .on("close", () => resolve());
      });
    }
    await goesOn();
    expect((await tenant.live.get("/api/contacts", 200)).body).toEqual(before.body);
  });
});

describe("headers", () => {
  test("that are too many or too long are refused with 431 and {error}", async () => {
    for (const headers of [
      `X-A: ${"x".repeat(20_000)}\r\n`,
      `X-A: ${"x".repeat(50)}\r\n`.repeat(1_000),
      `Authorization: Bearer ${"x".repeat(20_000)}\r\n`,
      `Cookie: parley_refresh=${"x".repeat(20_000)}\r\n`,
    ]) {
      const answer = await speak(app.baseUrl, `GET /api/me HTTP/1.1\r\n${HOST}${headers}\r\n`);
      expect(answer && faults(answer)).toEqual([]);
      expect(answer!.status).toBe(431);
    }
    const path = await speak(app.baseUrl, `GET /api/${"x".repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`);
    expect(path && faults(path)).toEqual([]);
    await goesOn();
  });

  test("with an Idempotency-Key that is empty, over 255 characters or not visible ASCII are refused with 400", async () => {
    for (const key of ["x".repeat(256), "", " ", "a b", "é", '"quoted key"', "a\tb"]) {
      const answer = await ask(app.baseUrl, {
        method: "POST",
        path: "/api/contacts",
        headers: {
          authorization: `Bearer ${tenant.live.token}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: '{"name":"Ada"}',
      });
      expect([key, answer.status, faults(answer)]).toEqual([key, 400, []]);
    }
    await tenant.live.post("/api/contacts", { name: "Ada" }, 201, { headers: { "idempotency-key": "x".repeat(255) } });
  });

  test("with unexpected ranges, validators, encodings, languages and upgrades do no harm", async () => {
    const odd = {
      "if-none-match": `${'"x",'.repeat(1_000)}W/"`,
      "if-modified-since": "nonsense",
      range: "bytes=-1",
      accept: ";;;",
      "accept-encoding": "\u00ff",
      "accept-language": "x".repeat(1_000),
      "x-forwarded-for": "'; drop table message --",
      forwarded: "for=_gazonk",
      "x-http-method-override": "DELETE",
      connection: "upgrade",
      upgrade: "websocket",
      te: "x",
      cookie: "parley_refresh=%zz; a; =; __proto__=1",
    };
    for (const [name, value] of Object.entries(odd)) {
      const { status } = await ask(app.baseUrl, {
        path: "/api/contacts",
        headers: {
          authorization: `Bearer ${tenant.live.token}`,
          [name]: value,
          ...(name === "upgrade" ? { connection: "upgrade" } : {}),
        },
      });
      expect([name, status]).toEqual([name, 200]);
    }
  });
});

describe("a body of 100 MB", () => {
  /** Much more than the system takes in before the server reads. */
  const TOTAL = 100 * 1_048_576;
  const PIECE = Buffer.alloc(65_536, 0x20);

  /** Sends the body in pieces until the server has answered and closed. Returns the number of bytes sent. */
  function pour(headers: http.OutgoingHttpHeaders): Promise<{ answer: RawAnswer; sent: number }> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(app.baseUrl);
      let [sent, answered] = [0, false];
      const request = http.request(
        {
          hostname,
          port,
          method: "POST",
          path: "/api/contacts",
          agent: false,
          headers: { "content-type": "application/json", ...headers },
        },
        (response) => {
          answered = true;
          let text = "";
          response
            .on("data", (chunk) => {
              text += chunk;
            })
            .on("end", () =>
              resolve({ answer: { status: response.statusCode!, headers: response.headers, text }, sent }),
            );
        },
      );
      // After its response, the server may close before all is sent.
      request.on("error", (error) => {
        if (!answered) reject(error);
      });
      const more = (): void => {
        if (answered || sent >= TOTAL) {
          request.end();
          return;
        }
        sent += PIECE.length;
        // The pauses between the pieces let the client see the response as soon as it arrives.
        request.write(PIECE, () => setTimeout(more, 1));
      };
      more();
    });
  }

  test.each([
    ["announced by its length", { "content-length": TOTAL }],
    ["in chunks, of which nobody says how many come", {}],
  ])("(%s) is refused with 413 before it is read completely, and the connection closes", async (_, headers) => {
    const { answer, sent } = await pour({ ...headers, authorization: `Bearer ${tenant.live.token}` });
    expect(faults(answer)).toEqual([]);
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe("close");
    expect(sent).toBeLessThan(TOTAL / 2);
    await goesOn();
  });

  test("is not read at all without permission to send one", async () => {
    const { answer } = await pour({ authorization: "Bearer nonsense" });
    expect([answer.status, answer.text]).toEqual([401, '{"error":"Unauthorized"}']);
    await goesOn();
  });

  test("a body of 1 MiB is read, and one with one byte more is refused", async () => {
    const contact = (size: number): string => `{"name":"Ada"${" ".repeat(size - 14)}}`;
    const send = (body: string): Promise<RawAnswer> =>
      ask(app.baseUrl, {
        method: "POST",
        path: "/api/contacts",
        headers: { authorization: `Bearer ${tenant.live.token}`, "content-type": "application/json" },
        body,
      });
    expect((await send(contact(1_048_576))).status).toBe(201);
    const { status } = await send(contact(1_048_577));
    expect(status).toBe(413);
  });
});

describe("a slow client", () => {
  test("has ten seconds for its headers and thirty for its whole request, and the server checks often enough to enforce both", () => {
    const server = app.app.getHttpServer() as http.Server & { connectionsCheckingInterval?: number };
    expect(server.headersTimeout).toBe(10_000);
    expect(server.requestTimeout).toBe(30_000);
    expect(server.keepAliveTimeout).toBe(60_000);
    // Node checks for overdue connections only at this interval, whatever the timeouts are.
    expect(server.connectionsCheckingInterval).toBeLessThanOrEqual(5_000);
  });
});
