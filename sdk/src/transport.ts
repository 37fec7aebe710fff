import { ConnectionError, errorOf, isTemporary, ParleyError, RateLimitedError, TimeoutError } from "./errors.js";
import type { Answer, ParleyOptions, RequestOptions } from "./types.js";
import { backoff, onAbort, pause, unlessAborted } from "./waiting.js";

/** A longer `Retry-After` is not waited for: you get the error, with the time in it. */
const LONGEST_WAIT_MS = 60_000;
/** What a header can hold. Anything else would be repeated in the error of `fetch`, with the credential. */
const TOKEN = /^[\x21-\x7e]+$/;

/** One call, ready to be sent. */
export interface Outgoing extends RequestOptions {
  method: string;
  path: string;
  query?: object;
  body?: unknown;
  /** The content type of a body that is text. Others say what they are. */
  type?: string;
  /** What is expected: JSON unless it says otherwise. */
  expects?: "text" | "file";
  /** Takes no credential. */
  open?: boolean;
  /** Whether the effect is the same if the call arrives twice. */
  repeatable: boolean;
}

/** Sends requests: with the credential, within a time limit, and again where that is safe. */
export class Transport {
  readonly #base: string;

  constructor(readonly options: ParleyOptions) {
    const url = new URL(options.baseUrl);
    this.#base = (url.origin + url.pathname).replace(/\/$/, "");
    if (options.apiKey !== undefined) checkToken(options.apiKey);
    if (options.apiKey !== undefined && options.getToken) throw new TypeError("Give apiKey or getToken, not both");
  }

  /** @throws ParleyError; the reason of the signal */
  async send(call: Outgoing): Promise<Answer<unknown>> {
    const { maxRetries = 2 } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(call);
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
        error.attempts = attempt;
        if (attempt > maxRetries || !mayRepeat(call, error, attempt)) throw error;
        const asked = error.retryAfterMs ?? 0;
        if (asked > LONGEST_WAIT_MS) throw error;
        await pause(Math.max(asked, backoff(attempt - 1)), call.signal);
      }
    }
  }

  /** Sends a request once, and again only if the server refused the token. Redirects are not followed: they would turn POST into GET. */
  async fetch(call: Omit<Outgoing, "repeatable">, signal: AbortSignal): Promise<Response> {
    const { fetch: send = globalThis.fetch, credentials, getToken } = this.options;
    const token = call.open ? undefined : await this.#token(signal);
    // No Request object: in Node.js its signal is no longer followed once the object has been collected.
    const request = (bearer: string | undefined): Promise<Response> => {
      const init = {
        method: call.method,
        headers: this.#headers(call, bearer),
        body: encode(call) as string,
        redirect: "manual",
        signal,
        ...(credentials && { credentials }),
      } satisfies RequestInit;
      return send(this.#base + call.path + queryString(call.query), init).catch(lost(call));
    };
    const response = await request(token);
    if (response.status !== 401 || token === undefined || !getToken) return response;
    const fresh = await this.#token(signal, token);
    if (fresh === token) return response;
    await response.body?.cancel();
    return request(fresh);
  }

  async #attempt(call: Outgoing): Promise<Answer<unknown>> {
    call.signal?.throwIfAborted();
    const { timeoutMs = this.options.timeoutMs ?? 30_000 } = call;
    const controller = new AbortController();
    const late = new TimeoutError(`${call.method} ${call.path}: no answer within ${timeoutMs} ms`);
    const timer = setTimeout(() => controller.abort(late), timeoutMs);
    const forget = onAbort(call.signal, (reason) => controller.abort(reason));
    try {
      const response = await this.fetch(call, controller.signal);
      if (!response.ok && response.status !== 304) throw await errorOf(response).catch(lost(call));
      return {
        status: response.status,
        headers: response.headers,
        requestId: response.headers.get("x-request-id") ?? undefined,
        data: response.status === 304 ? undefined : await read(call, response),
      };
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** The time and the signal of the call also end the wait for a token. */
  async #token(signal: AbortSignal, refused?: string): Promise<string | undefined> {
    const { apiKey, getToken } = this.options;
    return getToken ? checkToken(await unlessAborted(getToken(refused), signal)) : apiKey;
  }

  #headers(call: Omit<Outgoing, "repeatable">, token: string | undefined): Headers {
    const headers = new Headers({ accept: "application/json" });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (call.body !== undefined && !isOwnType(call.body)) headers.set("content-type", call.type ?? "application/json");
    if (call.idempotencyKey !== undefined) headers.set("idempotency-key", call.idempotencyKey);
    for (const [name, value] of Object.entries({ ...this.options.headers, ...call.headers })) headers.set(name, value);
    return headers;
  }
}

/** 429 comes before everything else, so nothing happened. After other failures the effect may be there. */
function mayRepeat({ repeatable, idempotencyKey }: Outgoing, error: ParleyError, attempt: number): boolean {
  if (error instanceof RateLimitedError) return true;
  // The first attempt may still be running under this key.
  if (error.status === 409 && idempotencyKey !== undefined && attempt > 1) return true;
  return repeatable && isTemporary(error);
}

function checkToken(token: string): string {
  if (!TOKEN.test(token)) throw new TypeError("The credential has characters that no credential has");
  return token;
}

function queryString(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, Parameter][])
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null)
        search.append(name, each instanceof Date ? each.toISOString() : String(each));
  const text = search.toString();
  return text && `?${text}`;
}
type Parameter = string | number | boolean | Date | null | undefined | (string | number)[];

/** Whether `fetch` derives the content type from the body. */
const isOwnType = (body: unknown): boolean => body instanceof FormData || (body instanceof Blob && body.type !== "");

const encode = ({ body, type }: Pick<Outgoing, "body" | "type">): unknown =>
  type === undefined && body !== undefined ? JSON.stringify(body) : body;

const lost =
  ({ method, path }: Pick<Outgoing, "method" | "path">) =>
  (cause: unknown): never => {
    throw new ConnectionError(`${method} ${path}: the connection failed`, { cause });
  };

async function read(call: Outgoing, response: Response): Promise<unknown> {
  if (call.expects === "file") return response.blob().catch(lost(call));
  const text = await response.text().catch(lost(call));
  if (call.expects === "text") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new ParleyError(`${call.method} ${call.path}: the answer is not JSON, so baseUrl is not that of a Parley`, {
      status: response.status,
      requestId: response.headers.get("x-request-id") ?? undefined,
    });
  }
}
