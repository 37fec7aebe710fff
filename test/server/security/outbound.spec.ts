import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { OutboundClient, OutboundError, type OutboundRequest } from "../../../src/platform/outbound/outbound.client.js";
import { closedPort } from "../../support/ports.js";
import { CERTIFICATE, PRIVATE_KEY } from "./certificate.js";

const NOT_PUBLIC = "The host has no public address";
const UNREACHABLE = "The server cannot be reached";
const LATE = "The server did not answer in time";
const INSECURE = "The URL must begin with https://: http is only for servers that the setting OUTBOUND_ALLOW names";
const NOT_HTTPS = "The URL must begin with https:// and name a host";

const servers: Server[] = [];
async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
afterAll(() => {
  for (const server of servers) {
    if (server instanceof http.Server) server.closeAllConnections();
    server.close();
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

const never = (): never => {
  throw new Error("a name was resolved");
};
const resolving =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: net.isIP(address) }));

/** The message of the refusal. */
async function refusal(client: OutboundClient, url: string, request?: OutboundRequest): Promise<string> {
  const error: unknown = await client.fetchJson(url, { timeoutMs: 5_000, ...request }).then(
    (json) => new Error(`answered ${JSON.stringify(json)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutboundError);
  expect(Object.keys(error as object)).toEqual([]);
  expect((error as Error).cause).toBeUndefined();
  return (error as Error).message;
}

/** A server on loopback whose name is allowed. */
async function allowed(answer: RequestListener): Promise<{ client: OutboundClient; url: string }> {
  const host = `127.0.0.1:${await listen(http.createServer(answer))}`;
  return { client: new OutboundClient([host], never), url: `http://${host}/` };
}
const json = (response: ServerResponse, text: string, type = "application/json"): void => {
  response.writeHead(200, { "content-type": type }).end(text);
};

describe("an address outside the public internet", () => {
  let port: number;
  let connections = 0;
  beforeAll(async () => {
    port = await listen(
      net.createServer((socket) => {
        connections++;
        socket.destroy();
      }),
      "::",
    );
  });
  afterEach(() => {
    expect(connections).toBe(0);
  });

  const SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.1.",
    "１２７.０.０.１",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    // What another reader takes for a name before the address, or after it.
    "127.0.0.1\\@8.8.8.8",
    "127.0.0.1?@8.8.8.8",
    "127.0.0.1#@8.8.8.8",
    "12\t7.0.\n0.1",
    "00000000177.0x0000.0.0x00000001",
    "[0:0:0:0:0:ffff:127.0.0.1]",
  ];
  test.each(SPELLINGS)("is refused as %s, without a DNS query or a connection", async (host) => {
    expect(await refusal(new OutboundClient([], never), `https://${host}:${port}/`)).toBe(NOT_PUBLIC);
  });

  const SPECIAL = [
    "0.0.0.1",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:8.8.8.8",
    "::10.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:a9fe:a9fe::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
  ];
  test.each(SPECIAL)("is refused if a name resolves to it: %s", async (address) => {
    expect(await refusal(new OutboundClient([], resolving(address)), `https://tool.example:${port}/`)).toBe(NOT_PUBLIC);
    expect(
      await refusal(
        new OutboundClient([], resolving("8.8.8.8", address, "2606:4700::1111")),
        `https://tool.example:${port}/`,
      ),
    ).toBe(NOT_PUBLIC);
  });

  test("is refused with the same message as an unknown name", async () => {
    for (const lookup of [
      async () => {
        throw new Error("getaddrinfo ENOTFOUND db.internal");
      },
      resolving(),
    ]) {
      expect(await refusal(new OutboundClient([], lookup), "https://db.internal/")).toBe(NOT_PUBLIC);
    }
    for (const name of ["localhost", "LOCALHOST", "nobody.invalid"])
      expect(await refusal(new OutboundClient([]), `https://${name}:${port}/`)).toBe(NOT_PUBLIC);
  });

  test("is refused even if another host, port or spelling of it is allowed", async () => {
    const client = new OutboundClient(
      [`127.0.0.1:${port - 1}`, `localhost:${port}`, `evil.example:${port}`, "127.0.0.1:443", `x127.0.0.1:${port}`],
      resolving("127.0.0.1"),
    );
    for (const host of ["127.0.0.1", "[::1]", "tool.example", "localhost.", "sub.localhost", "evil.example.com"])
      expect(await refusal(client, `https://${host}:${port}/`)).toBe(NOT_PUBLIC);
    expect(await refusal(client, `https://localhost@127.0.0.1:${port}/`)).toMatch(/user name/);
  });
});

test("a name that nobody answers for is asked for once at a time, however many wait for it", async () => {
  let asked = 0;
  const answers: (() => void)[] = [];
  const client = new OutboundClient([], () => {
    asked++;
    return new Promise((resolve) => answers.push(() => resolve([{ address: "8.8.8.8", family: 4 }])));
  });
  const waiting = Array.from({ length: 5 }, () => client.addressOf("mail.example", 25));
  const another = client.addressOf("other.example", 25);
  expect(asked).toBe(2);
  for (const answer of answers) answer();
  await Promise.all([...waiting, another]);
  const later = client.addressOf("mail.example", 25);
  expect(asked).toBe(3);
  answers.at(-1)!();
  expect(await later).toMatchObject({ address: "8.8.8.8" });
});

test("public addresses of a name are called, in either family", async () => {
  const request = vi.spyOn(https, "request").mockImplementation(() => {
    throw new Error("called");
  });
  for (const address of [
    "1.1.1.1",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450::1",
    "2001:4860:4860::8888",
  ]) {
    request.mockClear();
    expect([
      address,
      await refusal(new OutboundClient([], resolving(address)), "https://tool.example/"),
      request.mock.calls.length,
    ]).toEqual([address, UNREACHABLE, 1]);
    expect(
      await refusal(new OutboundClient([], never), `https://${address.includes(":") ? `[${address}]` : address}/`),
    ).toBe(UNREACHABLE);
    expect(request).toHaveBeenCalledTimes(2);
  }
});

describe("a URL", () => {
  test.each([
    ["http://tool.example/", INSECURE],
    ["http://8.8.8.8/", INSECURE],
    ["http://localhost/", INSECURE],
    ["HTTP://tool.example/", INSECURE],
    ["ftp://tool.example/", NOT_HTTPS],
    ["file:///etc/passwd", NOT_HTTPS],
    ["gopher://tool.example/", NOT_HTTPS],
    ["data:application/json,{}", NOT_HTTPS],
    ["javascript:1", NOT_HTTPS],
    ["//tool.example/", NOT_HTTPS],
    ["tool.example", NOT_HTTPS],
    ["https://", NOT_HTTPS],
    ["", NOT_HTTPS],
    ["https://[::1", NOT_HTTPS],
    ["https://256.256.256.256/", NOT_HTTPS],
    ["https://user@tool.example/", "The URL must not hold a user name or a password"],
    ["https://user:secret@tool.example/", "The URL must not hold a user name or a password"],
    ["https://:secret@tool.example/", "The URL must not hold a user name or a password"],
  ])("%s is refused before anything is resolved", async (url, sentence) => {
    expect(await refusal(new OutboundClient([], never), url)).toBe(sentence);
  });
});

describe("an allowed server", () => {
  test("receives the request, and its JSON is returned", async () => {
    const seen: { method?: string; url?: string; headers: IncomingMessage["headers"]; body: string }[] = [];
    const { client, url } = await allowed((request, response) => {
      let body = "";
      request
        .on("data", (chunk: Buffer) => {
          body += chunk.toString();
        })
        .on("end", () => {
          seen.push({ method: request.method, url: request.url, headers: request.headers, body });
          json(response, '{"plan":"gold","näme":["é"]}', "application/vnd.tool+json; charset=utf-8");
        });
    });
    expect(
      await client.fetchJson(`${url}who?x=1#here`, {
        method: "POST",
        headers: { Authorization: "Bearer t" },
        body: { name: "Ünn" },
      }),
    ).toEqual({ plan: "gold", näme: ["é"] });
    expect(await client.fetchJson(url)).toEqual({ plan: "gold", näme: ["é"] });
    expect(seen).toMatchObject([
      {
        method: "POST",
        url: "/who?x=1",
        headers: {
          host: new URL(url).host,
          authorization: "Bearer t",
          "content-type": "application/json",
          accept: "application/json",
        },
        body: '{"name":"Ünn"}',
      },
      { method: "GET", url: "/", body: "" },
    ]);
  });

  test("is called at the addresses that were resolved, with one query", async () => {
    const port = await listen(
      http.createServer((request, response) => json(response, JSON.stringify(request.headers.host))),
    );
    const lookup = vi.fn(resolving("127.0.0.1"));
    const client = new OutboundClient([`tool.example:${port}`], lookup);
    expect(await client.fetchJson(`http://TOOL.example:${port}/`)).toBe(`tool.example:${port}`);
    expect(lookup.mock.calls).toEqual([["tool.example"]]);
    lookup.mockImplementation(resolving("::1", "127.0.0.1"));
    expect(await client.fetchJson(`http://tool.example:${port}/`)).toBe(`tool.example:${port}`);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  test("must prove its name by its certificate over https", async () => {
    const port = await listen(
      https.createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_, response) => json(response, '"safe"')),
    );
    const client = new OutboundClient(
      [`tool.example:${port}`, `other.example:${port}`, `127.0.0.1:${port}`],
      resolving("127.0.0.1"),
    );
    for (const host of ["tool.example", "127.0.0.1"])
      expect(await refusal(client, `https://${host}:${port}/`)).toBe(UNREACHABLE);
    const { request } = https;
    vi.spyOn(https, "request").mockImplementation((url, options) => request(url, { ...options, ca: CERTIFICATE }));
    expect(await client.fetchJson(`https://tool.example:${port}/`)).toBe("safe");
    for (const host of ["other.example", "127.0.0.1"])
      expect(await refusal(client, `https://${host}:${port}/`)).toBe(UNREACHABLE);
  });

  test("is not followed to its redirects", async () => {
    let hits = 0;
    const inner = await listen(
      http.createServer((_, response) => {
        hits++;
        json(response, "1");
      }),
    );
    for (const status of [301, 302, 303, 307, 308]) {
      const { client, url } = await allowed((_, response) => {
        response
          .writeHead(status, { location: `http://127.0.0.1:${inner}/`, "content-type": "application/json" })
          .end("{}");
      });
      expect(await refusal(client, url)).toBe("The server answered with a redirect, which is not followed");
    }
    expect(hits).toBe(0);
  });

  test("is read only up to 1 MiB, however long its response is", async () => {
    let closed!: Promise<void>;
    const { client, url } = await allowed((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('"');
      const more = setInterval(() => {
        response.write("x".repeat(100_000));
      }, 1);
      closed = new Promise((resolve) => {
        response.on("close", () => {
          clearInterval(more);
          resolve();
        });
      });
    });
    expect(await refusal(client, url)).toBe("The server answered with more than 1 MiB");
    await closed;
    const full = await allowed((_, response) => json(response, JSON.stringify("x".repeat(1024 * 1024 - 2))));
    expect(await full.client.fetchJson(full.url)).toHaveLength(1024 * 1024 - 2);
    const over = await allowed((_, response) => json(response, JSON.stringify("x".repeat(1024 * 1024 - 1))));
    expect(await refusal(over.client, over.url)).toBe("The server answered with more than 1 MiB");
  });

  test("has one time limit for everything: resolving, answering and finishing", async () => {
    const silent = await allowed(() => undefined);
    const dripping = await allowed((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = setInterval(() => {
        response.write(" ");
      }, 20);
      response.on("close", () => {
        clearInterval(more);
      });
    });
    const unresolved = {
      client: new OutboundClient([], () => new Promise(() => undefined)),
      url: "https://tool.example/",
    };
    const deaf = await listen(net.createServer());
    const speechless = { client: new OutboundClient([`127.0.0.1:${deaf}`]), url: `https://127.0.0.1:${deaf}/` };
    for (const { client, url } of [silent, dripping, unresolved, speechless]) {
      const began = performance.now();
      expect(await refusal(client, url, { timeoutMs: 300 })).toBe(LATE);
      expect(performance.now() - began).toBeLessThan(60_000);
    }
  });

  test.each([
    [
      "no JSON",
      (response: ServerResponse) => json(response, "<html>"),
      "The server answered with something else than JSON",
    ],
    ["nothing", (response: ServerResponse) => json(response, ""), "The server answered with something else than JSON"],
    [
      "another type",
      (response: ServerResponse) => json(response, "{}", "text/html"),
      "The server answered with something else than JSON",
    ],
    [
      "a type that only begins alike",
      (response: ServerResponse) => json(response, "{}", "application/jsonp"),
      "The server answered with something else than JSON",
    ],
    [
      "compressed bytes",
      (response: ServerResponse) => {
        response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(Buffer.from([31, 139]));
      },
      "The server answered with something else than JSON",
    ],
    [
      "an error",
      (response: ServerResponse) => {
        response.writeHead(500, { "content-type": "application/json" }).end('{"error":"10.0.0.1 is down"}');
      },
      "The server answered with status 500",
    ],
    [
      "half of it",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write("{");
        setTimeout(() => {
          response.destroy();
        }, 20);
      },
      UNREACHABLE,
    ],
    [
      "another protocol",
      (response: ServerResponse) => {
        response.socket!.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
      },
      "The server answered with status 101",
    ],
    [
      "an end",
      (response: ServerResponse) => {
        response.destroy();
      },
      UNREACHABLE,
    ],
  ])("and answers with %s is reported with that status only", async (_, answer, sentence) => {
    const { client, url } = await allowed((_request, response) => {
      answer(response);
    });
    expect(await refusal(client, url)).toBe(sentence);
  });

  test("that is down is reported as unreachable, without its address", async () => {
    const port = await closedPort();
    expect(await refusal(new OutboundClient([`127.0.0.1:${port}`]), `http://127.0.0.1:${port}/`)).toBe(UNREACHABLE);
  });

  test("receives no header injected through a credential", async () => {
    const { client, url } = await allowed((_, response) => json(response, "1"));
    expect(await refusal(client, url, { headers: { authorization: "Bearer x\r\nX-Admin: 1" } })).toBe(UNREACHABLE);
  });
});
