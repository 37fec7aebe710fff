import { useSyncExternalStore } from "react";
import { parley } from "../api/parley.js";
import { page } from "../page.js";
import { environment } from "../session/session.js";
import { Hearing, type LiveState } from "./hearing.js";

/** How this tab hears of changes. */
const hearing = new Hearing({
  server: parley,
  page,
  channelOf: (name) => new BroadcastChannel(name),
  // Browsers have locks on secure pages only. Elsewhere each tab has a stream of its own.
  withLock: (name, signal, run) =>
    "locks" in navigator ? navigator.locks.request(name, { signal }, run) : Promise.resolve().then(run),
});

export const { isLeading, onEvent } = hearing;

/** Whether events tell what happens. */
export const isLive = (): boolean => hearing.state() === "up";

export const useLiveState = (): LiveState => useSyncExternalStore(hearing.watch, hearing.state);

/** Hears of changes until the signal ends it. */
export const listen = (memberId: string, signal: AbortSignal): void =>
  hearing.listen(`parley-live-${environment()}-${memberId}`, signal);
