import { CursorExpiredError, type ParleyEvent } from "@parley/sdk/core";
import { useSyncExternalStore } from "react";
import { parley } from "../api/parley.js";
import { environment } from "../session/session.js";
import { poll } from "./poll.js";

/** How the page hears of changes. `down`: it does not, so what is shown is asked for again every now and then. */
export type LiveState = "connecting" | "up" | "down";
/**
 * `begin`: what happens from now on is told. What was read before may have changed since. `reset`: events were missed that nobody
 * tells again, so everything on the page has to be read again.
 */
export type Heard = ParleyEvent | { type: "begin" | "reset"; id?: string; data: Record<string, never> };

/** What the tab with the stream tells the others. */
type Told = { kind: "event"; event: Heard } | { kind: "state"; state: LiveState } | { kind: "ask" };

/** For this long, a broken stream or connection is nothing that a person needs to know. */
export const QUIET_MS = 1_500;
const RETRY_MS = 5_000;

const hearers = new Set<(event: Heard) => void>();
const watchers = new Set<() => void>();
let state: LiveState = "connecting";
let lastId: string | undefined;
let leads = false;

/** Whether this tab has the stream, and does what only one tab of the browser does. */
export const isLeading = (): boolean => leads;

function setState(next: LiveState): void {
  if (state === next) return;
  state = next;
  for (const watcher of watchers) watcher();
}

function hear(event: Heard): void {
  if (event.id !== undefined) lastId = event.id;
  for (const hearer of hearers) hearer(event);
}

/** Calls this with each event, until the function that it returns is called. */
export function onEvent(hearer: (event: Heard) => void): () => void {
  hearers.add(hearer);
  return () => hearers.delete(hearer);
}

/** Whether events tell what happens. */
export const isLive = (): boolean => state === "up";

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );

/**
 * Hears of changes until the signal ends it. One tab of the browser has the stream, and tells the others: the one that holds a lock.
 * When it closes, the next tab gets the lock, and continues behind the last event that it heard.
 */
export function listen(memberId: string, signal: AbortSignal): void {
  const name = `parley-live-${environment()}-${memberId}`;
  const channel = new BroadcastChannel(name);
  const tell = (told: Told): void => channel.postMessage(told);
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind === "ask") {
      if (leads) tell({ kind: "state", state });
    } else if (leads) return;
    else if (data.kind === "state") setState(data.state);
    else hear(data.event);
  };
  signal.addEventListener("abort", () => {
    channel.close();
    leads = false;
    setState("connecting");
    lastId = undefined;
  });
  tell({ kind: "ask" });

  const lead = async (): Promise<void> => {
    leads = true;
    await stream(
      signal,
      (event) => {
        if (event.type === "ready" && lastId === undefined) hear({ type: "begin", data: {} });
        hear(event);
        tell({ kind: "event", event });
      },
      (next) => {
        setState(next);
        tell({ kind: "state", state: next });
      },
    );
  };
  // Browsers have locks on secure pages only. Elsewhere each tab has a stream of its own.
  const leading = "locks" in navigator ? navigator.locks.request(name, { signal }, lead) : Promise.resolve().then(lead);
  leading.catch(() => undefined);
}

/** Reads the stream, and again when it breaks. While it is down, it asks for changes instead. */
async function stream(
  signal: AbortSignal,
  told: (event: Heard) => void,
  stateIs: (state: LiveState) => void,
): Promise<void> {
  let polling: AbortController | undefined;
  /** Polling went on behind the place where the stream would continue. */
  let isPassed = false;
  const startPolling = (): void => {
    if (polling || signal.aborted) return;
    polling = new AbortController();
    void poll(
      lastId,
      (event) => {
        isPassed = true;
        if (event.type === "reset") lastId = undefined;
        told(event);
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
    addEventListener("online", retry);
    isPassed = false;
    onConnection(false);
    try {
      for await (const event of parley.events.stream({
        lastEventId: lastId,
        include: ["resource", "contact"],
        signal: attempt.signal,
        onConnection,
      })) {
        if (event.type === "ready" && isPassed) break;
        told(event);
      }
    } catch (error) {
      if (attempt.signal.aborted) continue;
      if (error instanceof CursorExpiredError) {
        stopPolling();
        stateIs("down");
        lastId = undefined;
        told({ type: "reset", data: {} });
        continue;
      }
      isDown();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } finally {
      clearTimeout(down);
      signal.removeEventListener("abort", abort);
      removeEventListener("online", retry);
    }
  }
}
