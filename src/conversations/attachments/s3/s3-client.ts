import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { Config } from "../../../platform/config/config.js";
import { CredentialsSource } from "./credentials.js";
import { refused, S3Error } from "./s3-error.js";

const ATTEMPTS = 3;
/** The longest wait before the second attempt; twice as long before the third. */
const WAIT_MS = 400;
/** Connections to S3 at a time, in each process. Others wait for one. */
const CONNECTIONS = 50;
/** The longest answer that is not a file: a page of a list. */
const MAX_ANSWER_BYTES = 5_000_000;
/** The hash of no bytes. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** What it is for, in an error. */
  what: string;
  /** Of the bucket itself, if there is none. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { size: number; sha256: string; read(): Readable };
}

/**
 * Sends signed requests to one bucket. All of them may be repeated, and are. aws4fetch signs; Node's own client sends, because `fetch`
 * has no limit for a connection that stands still.
 */
export class S3Client {
  readonly bucket: string;
  readonly host: string;
  private readonly base: URL;
  private readonly region: string;
  private readonly credentials: CredentialsSource;
  private readonly idleMs: number;
  private readonly agent: http.Agent;
  /** Keys that signatures are made from, by day. */
  private readonly signingKeys = new Map<string, ArrayBuffer>();

  constructor(config: Config) {
    this.bucket = config.S3_BUCKET!;
    this.region = config.S3_REGION;
    this.base = new URL(config.S3_ENDPOINT ?? `https://s3.${this.region}.amazonaws.com`);
    this.host = this.base.host;
    if (config.S3_PATH_STYLE) this.base.pathname = `${this.base.pathname.replace(/\/$/, "")}/${this.bucket}`;
    else this.base.hostname = `${this.bucket}.${this.base.hostname}`;
    this.credentials = new CredentialsSource(config);
    this.idleMs = config.S3_TIMEOUT_SECONDS * 1_000;
    const options = { keepAlive: true, maxSockets: CONNECTIONS };
    this.agent = this.base.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
  }

  close(): void {
    this.agent.destroy();
  }

  /** @returns an answer of 2xx, whose body is still to be read. @throws S3Error */
  async send(request: S3Request): Promise<http.IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(request);
      } catch (error) {
        if (!(error instanceof S3Error)) throw error;
        const isStale = /^(ExpiredToken|InvalidToken)$/.test(error.code);
        if (isStale) this.credentials.forget();
        if (attempt === ATTEMPTS || !(error.isPassing || isStale)) throw error;
        await sleep(Math.random() * WAIT_MS * attempt);
      }
    }
  }

  /** The same for what is not a file. @returns the body, and the headers */
  async ask(request: S3Request): Promise<{ text: string; headers: http.IncomingHttpHeaders }> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.send(request);
      try {
        return { text: await textOf(response), headers: response.headers };
      } catch (error) {
        // It broke off in the middle.
        if (attempt === ATTEMPTS) throw this.unreachable(request.what, error as Error);
      }
    }
  }

  /** An address at which anybody may read a file for a time, with these headers. */
  async presign(key: string, seconds: number, query: Record<string, string>): Promise<string> {
    const url = this.urlOf({ key, query: { ...query, "X-Amz-Expires": String(seconds) } });
    const signer = new AwsV4Signer({
      ...(await this.credentials.get()),
      method: "GET",
      url: url.href,
      service: "s3",
      region: this.region,
      signQuery: true,
      cache: this.signingKeys,
    });
    const { url: signed } = await signer.sign();
    // It was signed with %20, and not everybody reads a + as a space.
    signed.search = signed.search.replaceAll("+", "%20");
    return signed.href;
  }

  private urlOf({ key, query = {} }: Pick<S3Request, "key" | "query">): URL {
    const url = new URL(this.base);
    url.pathname = key === undefined ? url.pathname : `${url.pathname.replace(/\/$/, "")}/${key}`;
    url.search = Object.entries(query)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join("&");
    return url;
  }

  private async attempt(request: S3Request): Promise<http.IncomingMessage> {
    const { method, what, body, headers } = request;
    const signed = await new AwsV4Signer({
      ...(await this.credentials.get()),
      method,
      url: this.urlOf(request).href,
      headers: { ...headers, "x-amz-content-sha256": body?.sha256 ?? EMPTY },
      service: "s3",
      region: this.region,
      cache: this.signingKeys,
    }).sign();
    let response: http.IncomingMessage;
    try {
      response = await this.transfer(signed.url, method, Object.fromEntries(signed.headers), body);
    } catch (error) {
      throw this.unreachable(what, error as Error);
    }
    const status = response.statusCode!;
    if (status >= 200 && status < 300) return response;
    const text = await textOf(response).catch(() => "");
    const region = response.headers["x-amz-bucket-region"]?.toString();
    const { host, bucket } = this;
    throw refused(what, { host, bucket }, { status, body: text, region });
  }

  private transfer(
    url: URL,
    method: string,
    headers: Record<string, string>,
    body: S3Request["body"],
  ): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { agent, idleMs } = this;
      const request = (url.protocol === "https:" ? https : http).request(url, {
        method,
        agent,
        headers: body ? { ...headers, "content-length": body.size } : headers,
      });
      request.setTimeout(idleMs, () =>
        request.destroy(Object.assign(new Error(`nothing moved for ${idleMs / 1_000} s`), { code: "ETIMEDOUT" })),
      );
      request.on("error", reject).once("response", (response) => {
        // It has answered before it read everything: nothing else can follow on this connection.
        if (!request.writableEnded) response.once("end", () => request.destroy());
        resolve(response);
      });
      if (body) pipeline(body.read(), request).catch(reject);
      else request.end();
    });
  }

  private unreachable(what: string, error: Error): S3Error {
    if (error instanceof S3Error) return error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const isSetUpWrongly = /CERT|SELF_SIGNED|ERR_TLS/.test(code);
    return new S3Error(`${what}: ${this.host} cannot be reached: ${message || code}`, 0, code, !isSetUpWrongly);
  }
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
