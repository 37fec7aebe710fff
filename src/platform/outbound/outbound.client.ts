import { type LookupAddress } from "node:dns";
import dns from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import net, { isIP } from "node:net";
import { NoTracing, type Tracing } from "../tracing/tracing.js";
import { isPublic } from "./public-address.js";

const MAX_BYTES = 1024 * 1024;
/** Servers often redirect a download to where the file is stored. */
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 10_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

interface Common {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** For the whole request, from the resolution of the name to the last byte. Default: 10 seconds. */
  timeoutMs?: number;
}
export interface OutboundRequest extends Common {
  /** Sent as JSON. */
  body?: unknown;
}
export interface OutboundExchange extends Common {
  /** Sent unchanged. */
  content?: string | Buffer;
  /** Takes any answer as it is, also a redirect, and reads no more of it than this. By default redirects and long answers are refused. */
  excerptBytes?: number;
}
/** An answer with any status except a redirect. */
export interface OutboundAnswer {
  status: number;
  type: string;
  text: string;
  /** Seconds to wait, from `Retry-After`. */
  retryAfter?: number;
}
/** The same, unchanged. */
export type OutboundBytes = Omit<OutboundAnswer, "text"> & { bytes: Buffer };
export interface OutboundFile {
  type: string;
  bytes: Buffer;
}
export interface OutboundDav extends Omit<OutboundExchange, "method"> {
  method: "GET" | "PUT" | "DELETE" | "PROPFIND" | "REPORT";
  maxBytes?: number;
  /** Whether to follow a redirect to this target. The request keeps all its headers. */
  follows: (target: URL) => boolean;
}
export interface OutboundDavAnswer extends OutboundAnswer {
  /** The address after redirects. */
  url: string;
  etag?: string;
}
export interface OutboundPage extends Omit<OutboundDavAnswer, "text"> {
  lastModified?: string;
  bytes: Buffer;
}

/** Why a request failed. The message is safe to show to anyone: it reveals nothing about the internal network. */
export class OutboundError extends Error {}

const UNREACHABLE = "The server cannot be reached";
/** Also for unknown names, so that the message does not reveal which internal names exist. */
const NOT_PUBLIC = "The host has no public address";

/** All addresses of a name. */
type Lookup = (host: string) => Promise<LookupAddress[]>;

/**
 * The only client for addresses that a tenant chooses. It calls only https on the public internet, whatever a name resolves
 * to, and the hosts in the setting OUTBOUND_ALLOW.
 */
export class OutboundClient {
  /**
   * Look-ups that are under way, by name. Node.js does only a few at a time. So a name that is not answered gets one look-up, however
   * many requests wait for it.
   */
  private readonly underway = new Map<string, Promise<LookupAddress[]>>();

  /** @param allow `host:port`, as in OUTBOUND_ALLOW */
  constructor(
    private readonly allow: readonly string[],
    private readonly lookup: Lookup = (host) => dns.lookup(host, { all: true }),
    private readonly tracing: Tracing = new NoTracing(),
  ) {}

  /**
   * @returns the JSON of a 2xx answer
   * @throws OutboundError
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
   * For protocols in which every status has a meaning.
   * @returns the answer, whatever its status
   * @throws OutboundError for a redirect, and if there is no complete answer (but see `excerptBytes`)
   */
  async exchange(url: string, request: OutboundExchange = {}): Promise<OutboundAnswer> {
    const { bytes, ...answer } = await this.exchangeBytes(url, request);
    return { ...answer, text: bytes.toString() };
  }

  /** As `exchange`, for an answer that need not be text. */
  async exchangeBytes(url: string, request: OutboundExchange = {}): Promise<OutboundBytes> {
    const { status, type, retryAfter, bytes } = await this.call(url, request, () => undefined);
    return { status, type, retryAfter, bytes };
  }

  /**
   * Downloads a file. Follows redirects and checks the address of each. Once a redirect leads to another server, the
   * headers are left out.
   * @throws OutboundError
   */
  download(
    url: string,
    { maxBytes, headers, timeoutMs = TIMEOUT_MS }: Omit<Common, "method"> & { maxBytes: number },
  ): Promise<OutboundFile> {
    return withTimeout(timeoutMs, async (signal) => {
      const { origin } = this.target(url);
      let target = this.target(url);
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const addresses = await this.addresses(target);
        const { type, bytes, location } = await exchange(
          target,
          addresses,
          { headers: { accept: "*/*", ...(target.origin === origin && headers) } },
          refusalOfFile,
          signal,
          { maxBytes, follows: true },
        );
        if (location === undefined) return { type, bytes };
        target = this.target(URL.canParse(location, target.href) ? new URL(location, target).href : "");
      }
      throw new OutboundError("The server redirects too often");
    });
  }

  /**
   * For WebDAV and its methods. Follows redirects with the same method and content, as often as for a download.
   * @returns the answer, whatever its status
   * @throws OutboundError if there is no complete answer
   */
  async dav(url: string, { timeoutMs, maxBytes, follows, ...request }: OutboundDav): Promise<OutboundDavAnswer> {
    const { bytes, ...answer } = await this.following(url, request, { timeoutMs, maxBytes, follows });
    return { ...answer, text: bytes.toString() };
  }

  /**
   * Reads a page of a site. Follows redirects and checks the address of each, as for a download.
   * @param follows whether to follow a redirect to this target
   * @param reads whether to read the body of an answer with this type
   * @returns the answer, whatever its status; without a body where it is not read
   * @throws OutboundError if there is no complete answer
   */
  page(
    url: string,
    {
      headers,
      reads,
      ...options
    }: {
      headers: Record<string, string>;
      follows: (target: URL) => boolean;
      reads: (type: string, url: URL) => boolean;
      maxBytes: number;
      timeoutMs?: number;
    },
  ): Promise<OutboundPage> {
    return this.following(url, { headers }, { ...options, reads });
  }

  private following(
    url: string,
    request: Parameters<typeof exchange>[2],
    {
      timeoutMs = TIMEOUT_MS,
      maxBytes = MAX_BYTES,
      follows,
      reads,
    }: {
      timeoutMs?: number | undefined;
      maxBytes?: number | undefined;
      follows: (target: URL) => boolean;
      reads?: (type: string, url: URL) => boolean;
    },
  ): Promise<Omit<Answered, "location"> & { url: string }> {
    return withTimeout(timeoutMs, async (signal) => {
      let target = this.target(url);
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const addresses = await this.addresses(target);
        const { location, ...answer } = await exchange(target, addresses, request, () => undefined, signal, {
          maxBytes,
          follows: true,
          ...(reads && { reads: (type: string) => reads(type, target) }),
        });
        if (location === undefined) return { ...answer, url: target.href };
        target = this.target(URL.canParse(location, target.href) ? new URL(location, target).href : "");
        if (!follows(target)) throw new OutboundError("The server redirects to another one");
      }
      throw new OutboundError("The server redirects too often");
    });
  }

  /** The address may hold whatever a tenant wrote into it, so no trace has it. */
  private step<T>(method: string | undefined, work: () => Promise<T>): Promise<T> {
    return this.tracing.step("outbound request", { "http.request.method": method ?? "GET" }, work);
  }

  private call(
    url: string,
    { timeoutMs = TIMEOUT_MS, excerptBytes, ...request }: OutboundExchange,
    refusal: Refusal,
  ): Promise<Answered> {
    return this.step(request.method, () =>
      withTimeout(timeoutMs, async (signal) => {
        const target = this.target(url);
        const addresses = await this.addresses(target);
        const limit = excerptBytes === undefined ? {} : { maxBytes: excerptBytes, cuts: true };
        return exchange(target, addresses, request, refusal, signal, limit);
      }),
    );
  }

  /**
   * The address of a server for a protocol other than HTTP. Connect to it, so that the name is not resolved again.
   * @returns also whether the server is in OUTBOUND_ALLOW, so that TLS is not required
   * @throws OutboundError
   */
  async addressOf(host: string, port: number): Promise<{ address: string; allowed: boolean }> {
    const name = net.isIPv6(host) ? `[${host}]` : host;
    const url = `https://${name}:${port}`;
    const target = URL.canParse(url) ? new URL(url) : null;
    if (!target || target.hostname !== name) throw new OutboundError(NOT_PUBLIC);
    const [first] = await untilTimeout(this.addresses(target), AbortSignal.timeout(TIMEOUT_MS));
    return { address: first!.address, allowed: this.allows(target) };
  }

  /**
   * As `target`, for a URL whose host is called later: refuses an address that is written as numbers and not public. A name is
   * resolved at each request.
   */
  registrable(url: string): URL {
    const target = this.target(url);
    const host = hostOf(target);
    if (isIP(host) && !this.allows(target) && !isPublic(host)) throw new OutboundError(NOT_PUBLIC);
    return target;
  }

  /** Checks a URL before it is stored. @throws OutboundError if a request to it would be refused */
  target(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : null;
    if (!target || (target.protocol !== "https:" && target.protocol !== "http:"))
      throw new OutboundError("The URL must begin with https:// and name a host");
    if (target.username || target.password) throw new OutboundError("The URL must not hold a user name or a password");
    if (target.protocol === "http:" && !this.allows(target))
      throw new OutboundError(
        "The URL must begin with https://: http is only for servers that the setting OUTBOUND_ALLOW names",
      );
    return target;
  }

  private allows({ hostname, port, protocol }: URL): boolean {
    return this.allow.includes(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
  }

  /** @returns nothing if the name has no address */
  private lookedUp(host: string): Promise<LookupAddress[]> {
    let found = this.underway.get(host);
    if (!found) {
      found = this.lookup(host)
        .catch(() => [])
        .finally(() => this.underway.delete(host));
      this.underway.set(host, found);
    }
    return found;
  }

  /** The addresses of the host. If one of them may not be called, none may. */
  private async addresses(target: URL): Promise<LookupAddress[]> {
    const host = hostOf(target);
    const family = isIP(host);
    const addresses = family ? [{ address: host, family }] : await this.lookedUp(host);
    if (!addresses.length || !(this.allows(target) || addresses.every(({ address }) => isPublic(address))))
      throw new OutboundError(NOT_PUBLIC);
    return addresses;
  }
}

/** The URL parser has already normalised decimal, octal and hexadecimal IPv4 addresses. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Why an answer is refused, by its status and type, before its body is read. */
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
  lastModified?: string;
  retryAfter?: number;
  bytes: Buffer;
  /** Set for a redirect that is to be followed. */
  location?: string;
}

/** Sends one request. It connects to the addresses that were checked; the name is not resolved again. */
function exchange(
  target: URL,
  addresses: LookupAddress[],
  { method = "GET", headers, content }: Omit<OutboundExchange, "method"> & { method?: string },
  refusal: Refusal,
  signal: AbortSignal,
  {
    maxBytes = MAX_BYTES,
    follows = false,
    cuts = false,
    reads = () => true,
  }: { maxBytes?: number; follows?: boolean; cuts?: boolean; reads?: (type: string) => boolean } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = (target.protocol === "https:" ? https : http).request(target, {
      method,
      signal,
      // A new connection: an open one goes to an address that was checked for another URL.
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
    // Node neither answers nor fails for it.
    request.on("upgrade", ({ statusCode }) => refuse(`The server answered with status ${statusCode}`));
    request.on("response", (response) => {
      const {
        statusCode: status = 0,
        headers: { "content-type": type = "", "retry-after": wait, etag, location, "last-modified": lastModified },
      } = response;
      if (status >= 300 && status < 400 && location !== undefined && !cuts) {
        if (!follows) return refuse("The server answered with a redirect, which is not followed");
        resolve({ status, type, location, bytes: Buffer.alloc(0) });
        return void request.destroy();
      }
      const refused = refusal(status, type);
      if (refused !== undefined) return refuse(refused);
      const chunks: Buffer[] = [];
      let bytes = 0;
      const answered = (): void =>
        resolve({
          status,
          type,
          etag,
          lastModified,
          retryAfter: secondsToWait(wait),
          bytes: Buffer.concat(chunks).subarray(0, maxBytes),
        });
      if (!reads(type)) {
        answered();
        return void request.destroy();
      }
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if ((bytes += chunk.length) <= maxBytes) return;
        if (!cuts) return refuse(`The server answered with more than ${Math.floor(maxBytes / MAX_BYTES)} MiB`);
        answered();
        request.destroy();
      });
      response.on("error", reject);
      response.on("end", answered);
    });
    request.end(content);
  });
}

/** `Retry-After` is a number of seconds or a date, which always ends in GMT. */
function secondsToWait(wait = ""): number | undefined {
  if (/^\d{1,6}$/.test(wait)) return Number(wait);
  const until = wait.length < 40 && wait.endsWith(" GMT") ? Date.parse(wait) : NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OutboundError("The server answered with something else than JSON");
  }
}

/** @throws only OutboundError: the text of other errors may contain an internal address */
async function withTimeout<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await untilTimeout(work(signal), signal);
  } catch (error) {
    if (signal.aborted) throw new OutboundError("The server did not answer in time");
    throw error instanceof OutboundError ? error : new OutboundError(UNREACHABLE);
  }
}

/** Stops waiting at the timeout. A name resolution cannot be stopped, so it is ignored. */
function untilTimeout<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new OutboundError("The server did not answer in time")), {
      once: true,
    });
    work.then(resolve, reject);
  });
}
