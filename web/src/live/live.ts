import { CursorExpiredError, type ParleyEvent } from "@parley/sdk/core";
import { useSyncExternalStore } from "react";
import { parley } from "../api/parley.js";
import { environment } from "../session/session.js";

/** How the page hears of changes. `down`: it does not, so what is shown is asked for again every now and then. */
export type LiveState = "connecting" | "up" | "down";
/**
 * `begin`: what happens from now on is told. What was read before may have changed since. `reset`: events were missed that nobody
 * tells again, so everything on the page has to be read again.
 */
export type Heard = ParleyEvent | { type: "begin" | "reset"; id?: undefined; data: Record<string, never> };

/** What the tab with the stream tells the others. */
type Told = { kind: "event"; event: Heard } | { kind: "state"; state: LiveState } | { kind: "ask" };

/** For this long a broken stream is nothing that a person needs to know. */
const QUIET_MS = 1_500;
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

/** Reads the stream, and again when it breaks. */
async function stream(
  signal: AbortSignal,
  told: (event: Heard) => void,
  stateIs: (state: LiveState) => void,
): Promise<void> {
  while (!signal.aborted) {
    // The client connects again by itself. What takes longer than a moment is shown.
    let down: ReturnType<typeof setTimeout> | undefined;
    try {
      const onConnection = (open: boolean): void => {
        clearTimeout(down);
        if (open) stateIs("up");
        else down = setTimeout(() => stateIs("down"), QUIET_MS);
      };
      onConnection(false);
      for await (const event of parley.events.stream({
        lastEventId: lastId,
        include: ["resource", "contact"],
        signal,
        onConnection,
      }))
        told(event);
    } catch (error) {
      if (signal.aborted) return;
      stateIs("down");
      if (error instanceof CursorExpiredError) {
        lastId = undefined;
        told({ type: "reset", data: {} });
      } else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } finally {
      clearTimeout(down);
    }
  }
}
