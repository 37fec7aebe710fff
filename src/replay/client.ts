import { setTimeout as sleep } from "node:timers/promises";

/** A request that was refused, or that failed after the last try. The message is one sentence for people. */
export class RequestError extends Error {
  /** `status` is null if there was no answer. */
  constructor(
    message: string,
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface ApiClientOptions {
  /** The server's URL, for example `http://localhost:3000`. It may have a path. */
  baseUrl: string;
  /** An API key. */
  key: string;
  /** How often a request is tried if the server is unavailable. Default 8. */
  tries?: number;
  /** The first pause between two tries, in milliseconds. It doubles with each try, up to 10 s. Default 250. */
  backoffMs?: number;
  /** Called when a request has to wait, with the pause in milliseconds and the reason. */
  onWait?: (ms: number, reason: string) => void;
}

export interface Answer<T> {
  status: number;
  body: T;
}

const MAX_BACKOFF_MS = 10_000;
const TIMEOUT_MS = 30_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The public API over HTTP. Failed requests are sent again, so use it only for requests that are safe to repeat. If
 * the server answers 429, all requests share one pause. When `signal` is aborted, no new request starts and every
 * pause ends (AbortError). A running request still gets its answer.
 */
export class ApiClient {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #options: ApiClientOptions;
  /** No requests before this time, because the server answered 429. In milliseconds of `performance.now()`. */
  #quietUntil = 0;

  /** @throws RequestError if the URL or the key cannot be used */
  constructor(options: ApiClientOptions) {
    const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new RequestError(`not an http(s) address: ${options.baseUrl}`, null);
    // Checked here, because fetch would repeat the whole key in its error.
    if (!/^[\x21-\x7e]+$/.test(options.key)) throw new RequestError("the API key has characters that no key has", null);
    this.#base = (url.origin + url.pathname).replace(/(?<!\/)\/+$/, "");
    this.#headers = { authorization: `Bearer ${options.key}`, accept: "application/json" };
    this.#options = options;
  }

  /** @throws RequestError; AbortError if `signal` stopped it */
  get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
    return this.#send<T>("GET", path, { headers: this.#headers }, signal);
  }

  /** @throws RequestError; AbortError if `signal` stopped it */
  post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer<T>> {
    const headers = { ...this.#headers, "content-type": "application/json" };
    return this.#send<T>("POST", path, { headers, body: JSON.stringify(body) }, signal);
  }

  async #send<T>(method: string, path: string, init: RequestInit, signal?: AbortSignal): Promise<Answer<T>> {
    const { tries = 8, onWait } = this.#options;
    let failures = 0;
    let refusals = 0;
    for (;;) {
      await this.#quiet(signal);
      signal?.throwIfAborted();
      const result = await this.#attempt(method, path, init);
      const what = `${method} ${path}: ${result.status ?? "no answer"} ${result.error}`.trimEnd();
      if (result.status === 429) {
        // Does not count as a try: the server works and says when to come back.
        const pause = result.retryAfterMs || this.#backoff(++refusals);
        this.#quietUntil = Math.max(this.#quietUntil, performance.now() + pause);
        onWait?.(pause, what);
      } else if (result.status === null || result.status >= 500) {
        failures += 1;
        if (failures >= tries)
          throw new RequestError(`${what} (tried ${tries} times)`, result.status, { cause: result.cause });
        const pause = Math.max(this.#backoff(failures), result.retryAfterMs);
        onWait?.(pause, what);
        await pauseFor(pause, signal);
      } else if (result.status >= 200 && result.status < 300) {
        return { status: result.status, body: parse<T>(result.text, `${method} ${this.#base}${path}`, result.status) };
      } else {
        throw new RequestError(what, result.status);
      }
    }
  }

  /** Sends one request. Network errors are returned as a result too. */
  async #attempt(method: string, path: string, init: RequestInit) {
    try {
      // Report a 3xx instead of following it. A redirect would turn POST into GET.
      const response = await fetch(this.#base + path, {
        ...init,
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      const retryAfterMs = retryAfter(response.headers.get("retry-after"));
      return { status: response.status, text, error: response.ok ? "" : errorSentence(text, response), retryAfterMs };
    } catch (error) {
      return {
        status: null,
        text: "",
        error: `from ${this.#base} (${networkReason(error)})`,
        retryAfterMs: 0,
        cause: error,
      };
    }
  }

  async #quiet(signal?: AbortSignal): Promise<void> {
    // Another request may extend the pause while this one sleeps.
    for (let ms; (ms = this.#quietUntil - performance.now()) > 0;) await pauseFor(ms, signal);
  }

  /**
   * Doubles with each failure. Half of it is random, so that requests that failed together are not retried together.
   */
  #backoff(failures: number): number {
    const ms = Math.min((this.#options.backoffMs ?? 250) * 2 ** (failures - 1), MAX_BACKOFF_MS);
    return ms / 2 + Math.random() * (ms / 2);
  }
}

async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  // Node would fire a longer timer immediately.
  await sleep(Math.min(Math.ceil(ms), MAX_TIMER_MS), undefined, { signal });
}

function parse<T>(text: string, what: string, status: number): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new RequestError(`${what}: ${status}, but not JSON; is this a Parley server?`, status, { cause });
  }
}

/** The server's `{error}`. For other bodies, such as a proxy's page, the status text. */
function errorSentence(text: string, { status, statusText, headers }: Response): string {
  if (status >= 300 && status < 400) return `redirects to ${headers.get("location") ?? "nowhere"}`;
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    /* not ours */
  }
  return statusText;
}

/** Seconds or an HTTP date, in milliseconds from now; 0 without one. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

/** fetch only says "fetch failed". Its cause has the details. */
function networkReason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
