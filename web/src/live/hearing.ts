import { CursorExpiredError } from "@parley/sdk/core";
import type { parley } from "../api/parley.js";
import type { Page } from "../page.js";
import type { Heard } from "./heard.js";
import { poll } from "./poll.js";

/** How the page hears of changes. `down`: it does not, so what is shown is asked for again every now and then. */
export type LiveState = "connecting" | "up" | "down";

/** What the tab with the stream tells the others. */
type TabMessage = { kind: "event"; event: Heard } | { kind: "state"; state: LiveState } | { kind: "ask" };

/** For this long, a broken stream or connection is nothing that a person needs to know. */
export const QUIET_MS = 1_500;
const RETRY_MS = 5_000;

/** What tabs tell each other. */
interface Channel {
  postMessage: (message: TabMessage) => void;
  onmessage: ((event: MessageEvent<TabMessage>) => void) | null;
  close: () => void;
}

/** What a tab needs to hear of changes. */
export interface Ears {
  server: Pick<typeof parley, "events" | "changes">;
  page: Page;
  channelOf: (name: string) => Channel;
  /** Runs this once no other tab has the lock, and keeps it until the signal ends it. */
  withLock: (name: string, signal: AbortSignal, run: () => Promise<void>) => Promise<unknown>;
}

/** How one tab hears of changes. */
export class Hearing {
  #state: LiveState = "connecting";
  #lastId: string | undefined;
  #leads = false;
  #hearers = new Set<(event: Heard) => void>();
  #watchers = new Set<() => void>();

  constructor(private readonly ears: Ears) {}

  state = (): LiveState => this.#state;

  /** Calls this whenever the state changes. */
  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Whether this tab has the stream, and does what only one tab of the browser does. */
  isLeading = (): boolean => this.#leads;

  /** Calls this with each event, until the function that it returns is called. */
  onEvent = (hearer: (event: Heard) => void): (() => void) => {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  };

  #setState(next: LiveState): void {
    if (this.#state === next) return;
    this.#state = next;
    for (const watcher of this.#watchers) watcher();
  }

  #hear(event: Heard): void {
    if (event.id !== undefined) this.#lastId = event.id;
    for (const hearer of this.#hearers) hearer(event);
  }

  /**
   * Hears of changes until the signal ends it. One tab of the browser has the stream, and tells the others: the one that holds a lock.
   * When it closes, the next tab gets the lock, and continues behind the last event that it heard.
   * @param name of the lock, and of what the tabs tell each other
   */
  listen(name: string, signal: AbortSignal): void {
    const channel = this.ears.channelOf(name);
    const tell = (message: TabMessage): void => channel.postMessage(message);
    channel.onmessage = ({ data }) => {
      if (data.kind === "ask") {
        if (this.#leads) tell({ kind: "state", state: this.#state });
      } else if (this.#leads) return;
      else if (data.kind === "state") this.#setState(data.state);
      else this.#hear(data.event);
    };
    signal.addEventListener("abort", () => {
      channel.close();
      this.#leads = false;
      this.#setState("connecting");
      this.#lastId = undefined;
    });
    tell({ kind: "ask" });

    const lead = async (): Promise<void> => {
      this.#leads = true;
      await this.#stream(
        signal,
        (event) => {
          if (event.type === "ready" && this.#lastId === undefined) this.#hear({ type: "begin", data: {} });
          this.#hear(event);
          tell({ kind: "event", event });
        },
        (next) => {
          this.#setState(next);
          tell({ kind: "state", state: next });
        },
      );
    };
    this.ears.withLock(name, signal, lead).catch(() => undefined);
  }

  /** Reads the stream, and again when it breaks. While it is down, it asks for changes instead. */
  async #stream(
    signal: AbortSignal,
    onEvent: (event: Heard) => void,
    stateIs: (state: LiveState) => void,
  ): Promise<void> {
    const { server, page } = this.ears;
    let polling: AbortController | undefined;
    /** Polling went on behind the position where the stream would continue. */
    let isPassed = false;
    const startPolling = (): void => {
      if (polling || signal.aborted) return;
      polling = new AbortController();
      void poll(
        server.changes,
        this.#lastId,
        (event) => {
          isPassed = true;
          if (event.type === "reset") this.#lastId = undefined;
          onEvent(event);
        },
        polling.signal,
      );
    };
    const stopPolling = (): void => {
      polling?.abort();
      polling = undefined;
    };
    signal.addEventListener("abort", stopPolling);

    while (!signal.aborted) {
      let down: ReturnType<typeof setTimeout> | undefined;
      let isOpen = false;
      const isDown = (): void => {
        stateIs("down");
        startPolling();
      };
      // The client connects again by itself. What takes longer than a moment is shown.
      const onConnection = (open: boolean): void => {
        isOpen = open;
        clearTimeout(down);
        if (open) {
          stopPolling();
          stateIs("up");
        } else down = setTimeout(isDown, QUIET_MS);
      };
      // Its waits grow to half a minute. A network that is back is tried at once.
      const attempt = new AbortController();
      const abort = (): void => attempt.abort();
      const retry = (): void => {
        if (isOpen) return;
        stopPolling();
        abort();
      };
      signal.addEventListener("abort", abort);
      const over = new AbortController();
      page.on("online", retry, over.signal);
      isPassed = false;
      onConnection(false);
      try {
        for await (const event of server.events.stream({
          lastEventId: this.#lastId,
          include: ["resource", "contact"],
          signal: attempt.signal,
          onConnection,
        })) {
          if (event.type === "ready" && isPassed) break;
          onEvent(event);
        }
      } catch (error) {
        if (attempt.signal.aborted) continue;
        if (error instanceof CursorExpiredError) {
          stopPolling();
          stateIs("down");
          this.#lastId = undefined;
          onEvent({ type: "reset", data: {} });
          continue;
        }
        isDown();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      } finally {
        clearTimeout(down);
        signal.removeEventListener("abort", abort);
        over.abort();
      }
    }
  }
}
