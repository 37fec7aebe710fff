import type { Page } from "../../../web/src/page.js";

/** A page whose browser is the test. */
export class TestPage implements Page {
  isVisible = true;
  isOnline = true;
  #events = new EventTarget();

  on: Page["on"] = (event, run, signal) => this.#events.addEventListener(event, run, signal && { signal });

  happens(event: Parameters<Page["on"]>[0]): void {
    this.#events.dispatchEvent(new Event(event));
  }

  show(isVisible: boolean): void {
    this.isVisible = isVisible;
    this.happens("visibilitychange");
  }

  connect(isOnline: boolean): void {
    this.isOnline = isOnline;
    if (isOnline) this.happens("online");
  }
}

export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: Record<string, unknown> | undefined;
  signal: AbortSignal | undefined;
}
type Reply = [status: number, body?: unknown, headers?: Record<string, string>] | Response | "lost" | Promise<Response>;

/** The network of a client: what it asks, and what the test lets it answer. */
export class Network {
  readonly requests: Request[] = [];
  answer: (request: Request) => Reply = () => "lost";

  fetch: typeof fetch = async (input, init = {}) => {
    init.signal?.throwIfAborted();
    const { pathname, searchParams } = new URL(input as string);
    const body = init.body ? (JSON.parse(init.body as string) as Record<string, unknown>) : undefined;
    const request = {
      method: init.method ?? "GET",
      path: pathname.replace(/^\/api/, ""),
      query: searchParams,
      headers: new Headers(init.headers),
      body,
      signal: init.signal ?? undefined,
    };
    this.requests.push(request);
    const reply = this.answer(request);
    if (reply === "lost") throw new TypeError("fetch failed");
    if (!Array.isArray(reply)) return reply;
    const [status, data, headers] = reply;
    return new Response(data === undefined ? null : JSON.stringify(data), { status, headers });
  };

  /** The requests of a method and a path, oldest first. */
  of(method: string, path: string): Request[] {
    return this.requests.filter((one) => one.method === method && one.path === path);
  }
}
