import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Server } from "node:net";
import type { LookupAddress } from "node:dns";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isPublic } from "../../../src/platform/outbound/public-address.js";
import { OutboundClient, OutboundError } from "../../../src/platform/outbound/outbound.client.js";
import { type NameServer, startNameServer } from "./name-server.js";

// Over two thousand attempts to make the server call an address behind the firewall, with canaries that count
// connections.

const CANARIES = ["127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.254", "::1"];
const INNER = [
  ...CANARIES.filter(net.isIPv4),
  "0.0.0.0",
  "10.0.0.1",
  "172.16.5.4",
  "192.168.1.1",
  "169.254.169.254",
  "100.100.100.200",
];
const PUBLIC = ["8.8.8.8", "1.1.1.1", "2606:4700::1111"];
let port: number;
let hits = 0;
let names: NameServer;
let redirects: http.Server;
const servers: Server[] = [];
let attempts = 0;

beforeAll(async () => {
  for (const host of CANARIES) {
    const canary = net.createServer((socket) => {
      hits++;
      socket.destroy();
    });
    servers.push(canary);
    await new Promise<void>((resolve) => {
      canary.listen(port ?? 0, host, resolve);
    });
    port ??= (canary.address() as AddressInfo).port;
  }
  redirects = http.createServer((request, response) => {
    const [, status, location] = request.url!.split("/");
    response
      .writeHead(Number(status), { location: decodeURIComponent(location!), "content-type": "application/json" })
      .end("{}");
  });
  servers.push(redirects);
  await new Promise<void>((resolve) => {
    redirects.listen(0, "127.0.0.3", resolve);
  });
  names = await startNameServer(answer);
});
afterAll(() => {
  names.close();
  for (const server of servers) server.close();
});

/** `<kind>-<n>-<address with dashes>.test`: the records of such a name. */
function answer(name: string, times: number): { addresses?: string[]; alias?: string } {
  const [, kind = "", hex = ""] = /^([a-z]+)-\d+-([\da-f]+)\.test$/.exec(name) ?? [];
  const inner = Buffer.from(hex, "hex").toString();
  switch (kind) {
    case "plain":
      return { addresses: [inner] };
    case "first":
      return { addresses: [inner, ...PUBLIC] };
    case "last":
      return { addresses: [...PUBLIC, inner] };
    case "alias":
      return { alias: `plain-0-${hex}.test` };
    case "chain":
      return { alias: `alias-0-${hex}.test` };
    // Public at the first query, private at the second.
    case "rebind":
      return { addresses: [times === 1 ? PUBLIC[0]! : inner] };
    default:
      return {};
  }
}
let serial = 0;
const nameOf = (kind: string, address: string): string =>
  `${kind}-${serial++}-${Buffer.from(address).toString("hex")}.test`;

const parts = (address: string): number[] => address.split(".").map(Number);
const number = (address: string): number => parts(address).reduce((all, part) => all * 256 + part, 0);
const octal = (value: number, zeros = 1): string => `${"0".repeat(zeros)}${value.toString(8)}`;
const hex = (value: number, zeros = 0): string => `0x${"0".repeat(zeros)}${value.toString(16)}`;
const wide = (text: string): string => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const escaped = (text: string): string => [...text].map((char) => `%${char.codePointAt(0)!.toString(16)}`).join("");

/** The ways to write an IPv4 address in a URL. */
function spellings(address: string): string[] {
  const [a, b, c, d] = parts(address) as [number, number, number, number];
  const base = [
    address,
    `${address}.`,
    wide(address),
    escaped(address),
    address.replaceAll(".", "。"),
    address.replaceAll(".", "．"),
    address.replaceAll(".", "%2e"),
    String(number(address)),
    hex(number(address)),
    hex(number(address), 8),
    hex(number(address)).toUpperCase().replace("0X", "0x"),
    octal(number(address)),
    octal(number(address), 7),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${hex(a)}.${b * 65_536 + c * 256 + d}`,
    `${octal(a)}.${hex(b)}.${c * 256 + d}`,
  ];
  // Each of the four parts in each of four notations.
  const ways = [
    String,
    (value: number) => octal(value),
    (value: number) => hex(value),
    (value: number) => octal(value, 4),
  ];
  for (let mix = 0; mix < 64; mix++)
    base.push([a, b, c, d].map((value, at) => ways[(mix >> (at * 2)) & 3]!(value)).join("."));
  return [...new Set(base)];
}

/** The ways to write an IPv4 address as, or embed it in, an IPv6 address. */
function carriers(address: string): string[] {
  const [high, low] = [number(address) >>> 16, number(address) & 0xffff].map((half) => half.toString(16)) as [
    string,
    string,
  ];
  const full = (text: string): string => text.padStart(4, "0");
  return [
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:FFFF:${full(high)}:${full(low)}`.toUpperCase(),
    `::FFFF:${address}`,
    `::${address}`,
    `::${high}:${low}`,
    `2002:${high}:${low}::`,
    `2002:${high}:${low}::1`,
    `2002:${full(high)}:${full(low)}:0:0:0:0:1`,
    `64:ff9b::${address}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `0064:ff9b:0:0:0:0:${full(high)}:${full(low)}`,
    `2001:0:${high}:${low}::`,
    `2001::${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `fe80::5efe:${address}`,
    `fc00::${high}:${low}`,
    `fec0::${high}:${low}`,
  ];
}

const NOT_CALLED = /^The host has no public address$|^The URL must/;

/** No canary was called, and the error reveals only that the address is not allowed. */
async function refused(client: OutboundClient, url: string, sentence = NOT_CALLED): Promise<void> {
  attempts++;
  const error: unknown = await client.exchange(url, { timeoutMs: 5_000 }).then(
    ({ text }) => new Error(`answered: ${text}`),
    (thrown: unknown) => thrown,
  );
  expect(error, url).toBeInstanceOf(OutboundError);
  expect((error as Error).message, url).toMatch(sentence);
  expect(hits, url).toBe(0);
}

test("a private address is not called in any notation", async () => {
  const client = new OutboundClient([], names.lookup);
  for (const address of INNER) {
    for (const host of [...spellings(address), ...carriers(address).map((carrier) => `[${carrier}]`)])
      await refused(client, `https://${host}:${port}/`);
    for (const host of [address, `[::ffff:${address}]`])
      for (const scheme of ["http", "HTTP", "ftp", "gopher", "ws", "wss"])
        await refused(client, `${scheme}://${host}:${port}/`);
    for (const host of [
      `8.8.8.8@${address}`,
      `user:8.8.8.8@${address}`,
      `8.8.8.8%00.${address}`,
      `${address}%23.example.com`,
    ])
      await refused(client, `https://${host}:${port}/`);
  }
  for (const host of [
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000::0001]",
    "[::1%25lo]",
    "[fe80::1%25eth0]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
  ])
    await refused(new OutboundClient([]), `https://${host}:${port}/`);
  expect(attempts).toBeGreaterThan(1_000);
});

test("a private address is not called through a name: alone, among public ones, by aliases, in either family", async () => {
  const client = new OutboundClient([], names.lookup);
  const before = attempts;
  for (const address of INNER) {
    for (const kind of ["plain", "first", "last", "alias", "chain"])
      await refused(client, `https://${nameOf(kind, address)}:${port}/`);
    for (const carrier of carriers(address).filter(net.isIPv6))
      for (const kind of ["plain", "last"]) await refused(client, `https://${nameOf(kind, carrier)}:${port}/`);
  }
  await refused(client, `https://${nameOf("plain", "::1")}:${port}/`);
  expect(attempts - before).toBeGreaterThan(400);
  expect(names.asked.size, "the name server was really asked").toBeGreaterThan(800);
});

test("a private address is not called as a mail server", async () => {
  const client = new OutboundClient([], names.lookup);
  for (const address of INNER) {
    for (const host of [
      ...spellings(address).slice(0, 17),
      ...carriers(address),
      nameOf("plain", address),
      nameOf("last", address),
      nameOf("chain", address),
    ]) {
      attempts++;
      await expect(client.addressOf(host, port), host).rejects.toBeInstanceOf(OutboundError);
    }
  }
  expect(hits).toBe(0);
});

test("a private address is not called by DNS rebinding: a name is resolved only once", async () => {
  const called: LookupAddress[] = [];
  vi.spyOn(https, "request").mockImplementation(((_url: URL, options: https.RequestOptions) => {
    for (let times = 0; times < 3; times++)
      options.lookup!("ignored", { all: true }, (_, found) => {
        called.push(...(found as unknown as LookupAddress[]));
      });
    throw new Error("far enough");
  }) as unknown as typeof https.request);
  try {
    const client = new OutboundClient([], names.lookup);
    for (const address of INNER) {
      for (let n = 0; n < 10; n++) {
        const name = nameOf("rebind", address);
        await refused(client, `https://${name}:${port}/`, /^The server cannot be reached$/);
        // A second query would return the private address.
        expect(await names.lookup(name)).toEqual([{ address, family: 4 }]);
        expect((await client.addressOf(nameOf("rebind", address), port)).address).toBe(PUBLIC[0]);
      }
    }
    expect(called).toHaveLength(INNER.length * 10 * 3);
    for (const { address } of called) expect(isPublic(address)).toBe(true);
  } finally {
    vi.restoreAllMocks();
  }
});

test("a private address is not called through a redirect by an allowed server", async () => {
  const host = `127.0.0.3:${(redirects.address() as AddressInfo).port}`;
  const client = new OutboundClient([host], names.lookup);
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    for (const address of CANARIES) {
      const url = net.isIPv6(address) ? `[${address}]` : address;
      for (const to of [
        `http://${url}:${port}/`,
        `https://${url}:${port}/`,
        `//${url}:${port}/`,
        `http://${host}@${url}:${port}/`,
        `http://${nameOf("plain", address)}:${port}/`,
      ])
        await refused(
          client,
          `http://${host}/${status}/${encodeURIComponent(to)}`,
          /^The server answered with a redirect, which is not followed$/,
        );
    }
  }
});

test("more than two thousand attempts reached no canary", async () => {
  expect(attempts).toBeGreaterThanOrEqual(2_000);
  expect(hits).toBe(0);
  // The canaries work: they count a connection.
  await new Promise<void>((resolve) => {
    net
      .connect(port, "127.0.0.2")
      .on("error", () => undefined)
      .on("close", () => resolve());
  });
  expect(hits).toBe(1);
});
