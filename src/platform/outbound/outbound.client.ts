import { type LookupAddress } from "node:dns";
import dns from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import net, { isIP } from "node:net";
import { isPublic } from "./public-address.js";

const MOST_BYTES = 1024 * 1024;
/** A file may be kept elsewhere than where it is asked for. */
const MOST_REDIRECTS = 3;
const TIMEOUT_MS = 10_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

interface Common {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** For the whole of it, from the name's resolution to the last byte; 10 seconds by default. */
  timeoutMs?: number;
}
export interface OutboundRequest extends Common {
  /** Sent as JSON. */
  body?: unknown;
}
export interface OutboundExchange extends Common {
  /** Sent as it is. */
  content?: string;
}
/** Whatever the server said, but for a redirect. */
export interface OutboundAnswer {
  status: number;
  type: string;
  text: string;
  /** Seconds that it wants to be left alone for. */
  retryAfter?: number;
}
export interface OutboundFile {
  type: string;
  bytes: Buffer;
}
export interface OutboundDav extends Omit<OutboundExchange, "method"> {
  method: "GET" | "PUT" | "DELETE" | "PROPFIND" | "REPORT";
  maxBytes?: number;
  /** Whether the request, with all its headers, goes on to where a redirect leads. */
  follows: (target: URL) => boolean;
}
export interface OutboundDavAnswer extends OutboundAnswer {
  /** Where it came from in the end. */
  url: string;
  etag?: string;
}

/** Why a call to the outside came to nothing, in a sentence that anyone may read: it tells nothing about the network that we stand in. */
export class OutboundError extends Error {}

const UNREACHABLE = "The server cannot be reached";
/** The same for a name that nobody knows: whether an inner name exists is not told. */
const NOT_PUBLIC = "The host has no public address";

/** All addresses of a name. */
type Lookup = (host: string) => Promise<LookupAddress[]>;

/**
 * The one client for everything that leaves for an address which a tenant chose. It calls https on the public internet and
 * nothing else, whatever a name resolves to, but for the hosts that the setting OUTBOUND_ALLOW names.
 */
export class OutboundClient {
  /** @param allow `host:port`, as OUTBOUND_ALLOW has them */
  constructor(
    private readonly allow: readonly string[],
    private readonly lookup: Lookup = (host) => dns.lookup(host, { all: true }),
  ) {}

  /**
   * @returns the JSON of a 2xx answer
   * @throws OutboundError for whatever stands against it
   */
  async fetchJson(url: string, { body, headers, ...request }: OutboundRequest = {}): Promise<unknown> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const { bytes } = await this.call(
      url,
      {
        ...request,
        content,
        headers: { ...headers, ...(content !== undefined && { "content-type": "application/json" }) },
      },
      refusalOfJson,
    );
    return parse(bytes.toString());
  }

  /**
   * For protocols that say something with every status.
   * @returns the answer, whatever its status
   * @throws OutboundError for a redirect, and where there is no whole answer
   */
  async exchange(url: string, request: OutboundExchange = {}): Promise<OutboundAnswer> {
    const { status, type, retryAfter, bytes } = await this.call(url, request, () => undefined);
    return { status, type, retryAfter, text: bytes.toString() };
  }

  /**
   * A file, wherever it is kept: redirects are followed, each as if it had been the address, and without the headers once they leave the server.
   * @throws OutboundError for whatever stands against it
   */
  download(
    url: string,
    { maxBytes, headers, timeoutMs = TIMEOUT_MS }: Omit<Common, "method"> & { maxBytes: number },
  ): Promise<OutboundFile> {
    return within(timeoutMs, async (signal) => {
      const { origin } = this.target(url);
      let target = this.target(url);
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const addresses = await inTime(this.addresses(target), signal);
        const { type, bytes, location } = await exchange(
          target,
          addresses,
          { headers: { accept: "*/*", ...(target.origin === origin && headers) } },
          refusalOfFile,
          signal,
          { most: maxBytes, follows: true },
        );
        if (location === undefined) return { type, bytes };
        target = this.target(URL.canParse(location, target.href) ? new URL(location, target).href : "");
      }
      throw new OutboundError("The server redirects too often");
    });
  }

  /**
   * For WebDAV, which has methods of its own: a redirect is followed with the same method and content, as often as a file's.
   * @returns the answer, whatever its status
   * @throws OutboundError: there is no whole answer
   */
  dav(
    url: string,
    { timeoutMs = TIMEOUT_MS, maxBytes = MOST_BYTES, follows, ...request }: OutboundDav,
  ): Promise<OutboundDavAnswer> {
    return within(timeoutMs, async (signal) => {
      let target = this.target(url);
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const addresses = await inTime(this.addresses(target), signal);
        const { location, bytes, ...answer } = await exchange(target, addresses, request, () => undefined, signal, {
          most: maxBytes,
          follows: true,
        });
        if (location === undefined) return { ...answer, url: target.href, text: bytes.toString() };
        target = this.target(URL.canParse(location, target.href) ? new URL(location, target).href : "");
        if (!follows(target)) throw new OutboundError("The server redirects to another one");
      }
      throw new OutboundError("The server redirects too often");
    });
  }

  private call(
    url: string,
    { timeoutMs = TIMEOUT_MS, ...request }: OutboundExchange,
    refusal: Refusal,
  ): Promise<Answered> {
    return within(timeoutMs, async (signal) => {
      const target = this.target(url);
      const addresses = await inTime(this.addresses(target), signal);
      return exchange(target, addresses, request, refusal, signal);
    });
  }

  /**
   * Of a server that is spoken to in another protocol than HTTP: the address to connect to, so that its name is not resolved again.
   * @returns also whether it is one of OUTBOUND_ALLOW, which may be spoken to without TLS
   * @throws OutboundError
   */
  async addressOf(host: string, port: number): Promise<{ address: string; allowed: boolean }> {
    const name = net.isIPv6(host) ? `[${host}]` : host;
    const url = `https://${name}:${port}`;
    const target = URL.canParse(url) ? new URL(url) : null;
    if (!target || target.hostname !== name) throw new OutboundError(NOT_PUBLIC);
    const [first] = await inTime(this.addresses(target), AbortSignal.timeout(TIMEOUT_MS));
    return { address: first!.address, allowed: this.allows(target) };
  }

  /** Reads a URL as it will be called, before it is kept. @throws OutboundError: it would not be */
  target(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : null;
    if (!target || (target.protocol !== "https:" && target.protocol !== "http:"))
      throw new OutboundError("The URL must begin with https:// and name a host");
    if (target.username || target.password) throw new OutboundError("The URL must not hold a user name or a password");
    if (target.protocol === "http:" && !this.allows(target))
      throw new OutboundError("The URL must begin with https:// and name a host");
    return target;
  }

  private allows({ hostname, port, protocol }: URL): boolean {
    return this.allow.includes(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
  }

  /** Those of the host that may be called; one that may not be spoils them all. */
  private async addresses(target: URL): Promise<LookupAddress[]> {
    // By now the URL's parser has read the decimal, octal and hexadecimal ways to write an IPv4 address.
    const host = target.hostname.replace(/^\[|\]$/g, "");
    const family = isIP(host);
    const addresses = family ? [{ address: host, family }] : await this.lookup(host).catch(() => []);
    if (!addresses.length || !(this.allows(target) || addresses.every(({ address }) => isPublic(address))))
      throw new OutboundError(NOT_PUBLIC);
    return addresses;
  }
}

/** Why an answer is not read any further, by what stands before its body. */
type Refusal = (status: number, type: string) => string | undefined;

const refusalOfJson: Refusal = (status, type) =>
  status < 200 || status > 299
    ? `The server answered with status ${status}`
    : JSON_TYPE.test(type)
      ? undefined
      : "The server answered with something else than JSON";

const refusalOfFile: Refusal = (status) =>
  status < 200 || status > 299 ? `The server answered with status ${status}` : undefined;

interface Answered {
  status: number;
  type: string;
  etag?: string;
  retryAfter?: number;
  bytes: Buffer;
  /** Of a redirect that is followed. */ location?: string;
}

/** The answer, if it is not too long. Connects to the addresses that were checked: the name is not resolved again. */
function exchange(
  target: URL,
  addresses: LookupAddress[],
  { method = "GET", headers, content }: Omit<OutboundExchange, "method"> & { method?: string },
  refusal: Refusal,
  signal: AbortSignal,
  { most = MOST_BYTES, follows = false } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = (target.protocol === "https:" ? https : http).request(target, {
      method,
      signal,
      // A connection of its own: one that is kept was made to an address that was checked for another URL.
      agent: false,
      lookup: (_host, { all }, done) => {
        if (all) done(null, addresses);
        else done(null, addresses[0]!.address, addresses[0]!.family);
      },
      headers: {
        accept: "application/json",
        ...headers,
        "user-agent": "Parley",
        ...(content !== undefined && { "content-length": Buffer.byteLength(content) }),
      },
    });
    const refuse = (sentence: string): void => {
      reject(new OutboundError(sentence));
      request.destroy();
    };
    request.on("error", reject);
    request.on("response", (response) => {
      const {
        statusCode: status = 0,
        headers: { "content-type": type = "", "retry-after": wait, etag, location },
      } = response;
      if (status >= 300 && status < 400 && location !== undefined) {
        if (!follows) return refuse("The server answered with a redirect, which is not followed");
        resolve({ status, type, location, bytes: Buffer.alloc(0) });
        return void request.destroy();
      }
      const refused = refusal(status, type);
      if (refused !== undefined) return refuse(refused);
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if ((bytes += chunk.length) > most)
          refuse(`The server answered with more than ${Math.floor(most / MOST_BYTES)} MiB`);
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status,
          type,
          etag,
          retryAfter: /^\d{1,6}$/.test(wait ?? "") ? Number(wait) : undefined,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    request.end(content);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OutboundError("The server answered with something else than JSON");
  }
}

/** @throws OutboundError alone: of any other error the text may hold an inner address */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw new OutboundError("The server did not answer in time");
    throw error instanceof OutboundError ? error : new OutboundError(UNREACHABLE);
  }
}

/** A resolver cannot be told to stop; it is left behind. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new OutboundError("The server did not answer in time")), {
      once: true,
    });
    work.then(resolve, reject);
  });
}
