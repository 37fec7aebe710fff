import { setTimeout as sleep } from "node:timers/promises";

/** A request that was refused, or still failed after the last try; the message is one sentence for people. */
export class RequestError extends Error {
  /** `status` is null when no answer came at all. */
  constructor(
    message: string,
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface ApiClientOptions {
  /** Where the server is, for example `http://localhost:3000`; a path in it is kept. */
  baseUrl: string;
  /** An API key. */
  key: string;
  /** How often a request is tried when the server is unavailable; default 8. */
  tries?: number;
  /** The first pause between two tries in milliseconds, doubled for each further one up to 10 s; default 250. */
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
 * The public API over HTTP. Failed requests are sent again, so use it only for what may be repeated.
 * All requests share one pause when the server answers 429. An aborted `signal` starts no request and ends
 * every pause (AbortError), but a request that is under way is answered first.
 */
export class ApiClient {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #options: ApiClientOptions;
  /** The server asked for quiet until then; milliseconds of `performance.now()`. */
  #quietUntil = 0;

  /** @throws RequestError when the address or the key can not be used. */
  constructor(options: ApiClientOptions) {
    const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new RequestError(`not an http(s) address: ${options.baseUrl}`, null);
    // Checked here, because fetch would repeat the whole key in its error.
    if (!/^[\x21-\x7e]+$/.test(options.key)) throw new RequestError("the API key has characters that no key has", null);
    this.#base = (url.origin + url.pathname).replace(/\/+$/, "");
    this.#headers = { authorization: `Bearer ${options.key}`, accept: "application/json" };
    this.#options = options;
  }

  /** @throws RequestError, or AbortError when `signal` stopped it. */
  get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
    return this.#send<T>("GET", path, { headers: this.#headers }, signal);
  }

  /** @throws RequestError, or AbortError when `signal` stopped it. */
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
        // Not counted as a try: the server is well and says when to come back.
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

  /** One request; what goes wrong below HTTP is a result like any other. */
  async #attempt(method: string, path: string, init: RequestInit) {
    try {
      // A followed redirect would turn POST into GET: a 3xx is reported instead.
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
    // Another request may prolong the pause while this one sleeps.
    for (let ms; (ms = this.#quietUntil - performance.now()) > 0;) await pauseFor(ms, signal);
  }

  /** Doubled each time; half of it by chance, so that requests that failed together do not come back together. */
  #backoff(failures: number): number {
    const ms = Math.min((this.#options.backoffMs ?? 250) * 2 ** (failures - 1), MAX_BACKOFF_MS);
    return ms / 2 + Math.random() * (ms / 2);
  }
}

async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  // A longer timer would fire at once.
  await sleep(Math.min(Math.ceil(ms), MAX_TIMER_MS), undefined, { signal });
}

function parse<T>(text: string, what: string, status: number): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new RequestError(`${what}: ${status}, but not JSON; is this a Parley server?`, status, { cause });
  }
}

/** The server's `{error}`; of anything else in its place (a proxy's page), the status text. */
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

/** fetch says only "fetch failed"; its cause knows more. */
function networkReason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
