import { useEffect, useSyncExternalStore } from "react";
import { parley, type Schemas } from "../api/parley.js";
import { lastTouch } from "./idle.js";

type Presence = Schemas["Presence"];

/** Somebody who has touched no tab for this long is away. */
const AWAY_MS = 10 * 60_000;
const CHECK_MS = 30_000;
/** When any tab was touched last, so that one that nobody looks at says nothing else. */
const TOUCHED_KEY = "parley.touched";
/** What a member chose; missing while it follows what they do. Several members may share a browser. */
const keyOf = (memberId: string): string => `parley.presence.${memberId}`;

const chosenBy = (memberId: string): Presence | undefined =>
  (localStorage.getItem(keyOf(memberId)) as Presence | null) ?? undefined;

const listeners = new Set<() => void>();
/** Other tabs choose, too. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** Keeps what the member chose. `online` follows what they do. */
export function choosePresence(memberId: string, presence: Presence): void {
  if (presence === "online") localStorage.removeItem(keyOf(memberId));
  else localStorage.setItem(keyOf(memberId), presence);
  for (const listener of listeners) listener();
}

function followed(): Presence {
  const touched = Math.max(lastTouch(), Number(localStorage.getItem(TOUCHED_KEY)));
  localStorage.setItem(TOUCHED_KEY, String(touched));
  return Date.now() - touched > AWAY_MS ? "away" : "online";
}

/** Tells colleagues whether the member is there: as they chose, or by what they do. @returns what they chose */
export function usePresence(memberId: string | undefined): Presence | undefined {
  const chosen = useSyncExternalStore(subscribe, () => (memberId === undefined ? undefined : chosenBy(memberId)));
  useEffect(() => {
    if (memberId === undefined) return undefined;
    let told: Presence | undefined;
    const tell = (): void => {
      const now = chosen ?? followed();
      if (now === told) return;
      told = now;
      parley.me.setPresence({ presence: now }).catch(() => (told = undefined));
    };
    // Not among the requests that the first page waits for.
    const begin = setTimeout(tell, 3_000);
    const timer = setInterval(tell, CHECK_MS);
    return () => {
      clearTimeout(begin);
      clearInterval(timer);
    };
  }, [memberId, chosen]);
  return chosen;
}
