import { isTemporary } from "./errors.js";
import type { Transport } from "./transport.js";
import type { Answer, Result } from "./types.js";
import { backoff, pause } from "./waiting.js";

type ChangesPage = Result<"changes.list">;
/** One change. Store its `cursor` when you have processed it: `after` that, you miss nothing. A resource that changes again comes again. */
export type Change = ChangesPage["data"][number];

/** Where to begin, what to follow, and how often to ask. */
export interface FollowOptions {
  /** The cursor that you stored last, or `now`. Without it, the feed begins with the oldest change that is kept. */
  after?: string;
  /** Only these, separated by commas: resources, such as `conversation`, or types, such as `message.created`. */
  types?: string;
  /** Only what is in this workspace. */
  workspaceId?: string;
  /** How many changes one request reads, 1 to 500. By default 100. */
  limit?: number;
  /** How long to wait after a change, in milliseconds. While nothing changes, the wait grows to twice as much. By default 15,000. */
  intervalMs?: number;
  /** Ends it, with the reason of the signal. */
  signal?: AbortSignal;
  /**
   * Called with each position when all before it has been taken, also if nothing there was for you. Store it, and give it as
   * `after` when you start again.
   */
  onCursor?: (cursor: string) => void | Promise<void>;
}

/** Asks for changes again and again. Outages are waited out. @throws ParleyError that time does not mend, such as CursorExpiredError */
export async function* followChanges(
  transport: Transport,
  { after, intervalMs = 15_000, signal, onCursor, ...filters }: FollowOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let cursor = after;
  let etag: string | undefined;
  let wait = intervalMs;
  for (let failures = 0; ;) {
    let answer: Answer<ChangesPage | undefined>;
    try {
      answer = (await transport.send({
        method: "GET",
        path: "/api/changes",
        query: { ...filters, after: cursor },
        headers: etag === undefined ? undefined : { "if-none-match": etag },
        signal,
        repeatable: true,
      })) as Answer<ChangesPage | undefined>;
      failures = 0;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await pause(Math.max(error.retryAfterMs ?? 0, backoff(failures++)), signal);
      continue;
    }
    const { data: page } = answer;
    if (page) {
      yield* page.data;
      // The ETag is that of a request with this cursor.
      etag = page.cursor === cursor ? (answer.headers.get("etag") ?? undefined) : undefined;
      if (page.cursor !== cursor) await onCursor?.((cursor = page.cursor));
      if (page.data.length) wait = intervalMs;
      if (page.hasMore) continue;
    }
    // Not exactly, so that clients that started together do not stay together.
    await pause(wait * (0.9 + Math.random() / 10), signal);
    wait = Math.min(wait + intervalMs / 4, 2 * intervalMs);
  }
}
