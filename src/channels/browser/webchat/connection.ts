export interface Settings {
  title: string;
  /** A path on the server. */
  logoUrl: string | null;
  greeting: string | null;
  colour: string;
  position: "end" | "start";
  language: string;
  maxFileBytes: number;
  started: boolean;
  signed: boolean;
}
export interface File {
  id: string;
  fileName: string;
  contentType: string;
  size: number;
  width: number | null;
  height: number | null;
  url: string;
}
export interface Message {
  id: string;
  direction: "inbound" | "outbound";
  author: string | null;
  automated: boolean;
  body: string;
  bodyFormat: "text" | "markdown";
  /** Answers that the visitor can choose from, while it is the last message. */
  choices: string[];
  attachments: File[];
  clientMessageId: string | null;
  createdAt: string;
}
export interface Page {
  data: Message[];
  nextCursor?: string;
}

/** The server refused the request. If it cannot be reached or is down for a moment, the error is a `Lost`. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly retryAfter: number,
  ) {
    super(String(status));
  }
}
export class Lost extends Error {}

interface Held {
  token: string;
  /** Milliseconds since 1970. */ expires: number;
}
/** A token that expires within this time is not used for new requests. */
const SPARE_MS = 20_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
/** Heartbeats come every 15 s. After this long without one, the connection is dead. */
const SILENCE_MS = 40_000;

/**
 * All requests of one visitor to the server. The token is stored for the next page and other tabs. A signed visitor's
 * token is only kept in memory.
 */
export class Connection {
  settings?: Settings;
  /** The visitor has signed out. A token that is on its way is not stored: the next visitor would go on with it. */
  isOver = false;
  private held?: Held;
  private refreshing?: Promise<void>;
  private lastId?: string;
  private listening?: AbortController;
  private wake: () => void = () => undefined;

  constructor(
    readonly base: string,
    private readonly store: string,
    private readonly identity?: string,
  ) {}

  /** Continues the stored session or starts a new one. */
  open(): Promise<void> {
    return (this.refreshing ??= this.exclusively(() => this.refresh()).finally(() => {
      this.refreshing = undefined;
    }));
  }

  async call<T>(method: string, path: string, body?: object | FormData): Promise<T> {
    // Another tab or the previous page may have stored a newer token.
    const kept = this.read();
    if (kept) this.held = kept;
    if (!this.held || this.held.expires - SPARE_MS < Date.now()) await this.open();
    try {
      return await this.send<T>(method, path, body, this.held!.token);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      await this.open();
      return this.send<T>(method, path, body, this.held!.token);
    }
  }

  /**
   * Listens for messages and reconnects until `stop`. Calls `connected` for each connection, before the first message
   * of it. `connected` may load more messages.
   */
  async listen(on: {
    connected: () => Promise<void>;
    lost: () => void;
    message: (message: Message) => void;
    typing: (typing: boolean) => void;
    over: () => void;
  }): Promise<void> {
    if (this.listening) return;
    const stop = (this.listening = new AbortController());
    for (let pause = FIRST_PAUSE_MS; !stop.signal.aborted;) {
      try {
        await this.hear(
          stop.signal,
          async () => {
            await on.connected();
            pause = FIRST_PAUSE_MS;
          },
          on,
        );
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof Refused && error.status < 500 && error.status !== 429 && error.status !== 408) {
          on.over();
          return;
        }
        on.lost();
      }
      await this.pause(pause + Math.random() * pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  /** Ends a pause before a retry now. */
  hurry(): void {
    this.wake();
  }

  /** Closes the stream. A later `listen` continues from here. */
  close(): void {
    this.listening?.abort();
    this.listening = undefined;
    this.wake();
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, ms);
    });
  }

  private async hear(
    stopped: AbortSignal,
    connected: () => Promise<void>,
    tell: { message: (message: Message) => void; typing: (typing: boolean) => void },
  ): Promise<void> {
    if (!this.held || this.held.expires - SPARE_MS < Date.now()) await this.open();
    const cut = new AbortController();
    const abort = (): void => {
      cut.abort();
    };
    stopped.addEventListener("abort", abort);
    let silence = setTimeout(abort, SILENCE_MS);
    try {
      const response = await reach(`${this.base}/stream`, {
        signal: cut.signal,
        headers: {
          Authorization: `Bearer ${this.held!.token}`,
          ...(this.lastId === undefined ? {} : { "Last-Event-ID": this.lastId }),
        },
      });
      if (!response.ok) {
        // The token was replaced, or the server does not know the position to continue from.
        if (response.status === 401) {
          await this.open();
          return;
        }
        if (response.status === 400) {
          this.lastId = undefined;
          return;
        }
        throw refusal(response);
      }
      const reader = response.body!.getReader();
      const decoder = new TextDecoder();
      for (let text = ""; ;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(abort, SILENCE_MS);
        text += decoder.decode(value, { stream: true });
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          const field = (name: string): string | undefined =>
            block
              .split("\n")
              .find((line) => line.startsWith(`${name}: `))
              ?.slice(name.length + 2);
          const event = field("event");
          if (event === "ready") await connected();
          else if (event === "message") tell.message(JSON.parse(field("data")!) as Message);
          else if (event === "typing") tell.typing((JSON.parse(field("data")!) as { typing: boolean }).typing);
          this.lastId = field("id") ?? this.lastId;
        }
      }
    } finally {
      clearTimeout(silence);
      cut.abort();
      stopped.removeEventListener("abort", abort);
    }
  }

  private async refresh(): Promise<void> {
    const before = this.held;
    const kept = this.read();
    // Another tab has already done it.
    if (this.settings && kept && kept.token !== before?.token && kept.expires - SPARE_MS > Date.now()) {
      this.held = kept;
      return;
    }
    const token = (kept ?? before)?.token;
    try {
      await this.session(token, token ? undefined : this.identity);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401 || !token) throw error;
      // The session is too old, so start a new one. A signed visitor and an anonymous one must never be mixed up.
      this.forget();
      if (this.identity) throw error;
      this.lastId = undefined;
      await this.session();
    }
  }

  private async session(token?: string, identity?: string): Promise<void> {
    const { sessionToken, expiresIn, ...settings } = await this.send<
      Settings & { sessionToken: string; expiresIn: number }
    >("POST", "/sessions", identity ? { identity } : {}, token);
    this.settings = settings;
    this.held = { token: sessionToken, expires: Date.now() + expiresIn * 1_000 };
    if (!this.identity && !this.isOver) remember(this.store, JSON.stringify(this.held));
  }

  private async send<T>(method: string, path: string, body: object | FormData | undefined, token?: string): Promise<T> {
    const form = body instanceof FormData;
    const response = await reach(this.base + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body && !form ? { "Content-Type": "application/json" } : {}),
      },
      body: form ? body : body && JSON.stringify(body),
    });
    if (!response.ok) throw refusal(response);
    try {
      return await (response.json() as Promise<T>);
    } catch {
      throw new Lost();
    }
  }

  forget(): void {
    if (!this.identity) remember(this.store, null);
    this.held = undefined;
  }

  private read(): Held | undefined {
    if (this.identity) return undefined;
    try {
      return (JSON.parse(recall(this.store) ?? "null") as Held | null) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Runs the work in one tab at a time. */
  private exclusively(work: () => Promise<void>): Promise<void> {
    return this.identity || !("locks" in navigator) ? work() : navigator.locks.request(this.store, work);
  }
}

async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...options, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
  } catch {
    throw new Lost();
  }
}
const refusal = (response: Response): Error =>
  response.status >= 500 ? new Lost() : new Refused(response.status, Number(response.headers.get("Retry-After") ?? 0));

/** The browser may store nothing for us. Then each page starts a new session. */
export function recall(name: string, store = (): Storage => localStorage): string | null {
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}
export function remember(name: string, value: string | null, store = (): Storage => localStorage): void {
  try {
    if (value === null) store().removeItem(name);
    else store().setItem(name, value);
  } catch {
    /* see above */
  }
}
