import { vi } from "vitest";
import { FeedService, type Occurrences } from "../../../src/feed/feed.service.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestDatabase } from "../../support/database.js";
import { until } from "../../races/support.js";
import type { Client } from "../../support/client.js";
import { type SentEvent, ServerSentEvents } from "../../support/server-sent-events.js";

export type Change = Schemas["Change"];

/** Ten times as long as the longest transaction of any test file. */
const SETTLED_MS = 300_000;

/**
 * Waits until everything that was committed so far can be read. The test files share one PostgreSQL, and a transaction that
 * runs in any of them holds the feed back.
 */
export async function settled(db: Pick<TestDatabase, "query">): Promise<void> {
  const [now] = await db.query<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
  await until(
    () => db.query("select 1 where pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= $1::bigint", [now!.next]),
    "all earlier transactions have ended",
    SETTLED_MS,
  );
}

const MAX_HELD = 10;

/** Does the work. @returns what came of it, and whether a transaction held the feed back from a stream meanwhile */
async function watched<T>(work: () => Promise<T>): Promise<[outcome: PromiseSettledResult<T>, isHeld: boolean]> {
  const read = vi.spyOn(FeedService.prototype, "occurrences");
  try {
    const [outcome] = await Promise.allSettled([work()]);
    const found = await Promise.allSettled(read.mock.results.map(({ value }) => value as Promise<Occurrences>));
    return [outcome, found.some((one) => one.status === "fulfilled" && one.value.unsettled)];
  } finally {
    read.mockRestore();
  }
}

/**
 * Repeats the work until no transaction of another file held the feed back from a stream. If one does, the stream may hear a
 * transaction in two parts: what changed last in it comes later, as an update of its own. All other rounds must succeed.
 */
export async function unheld(work: () => Promise<void>): Promise<void> {
  for (let round = 0; ; round++) {
    const [outcome, isHeld] = await watched(work);
    if (outcome.status === "fulfilled") return;
    if (!isHeld || round === MAX_HELD) throw outcome.reason;
  }
}

/** The same, for what is looked at later. */
export async function heardWhole<T>(work: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    const [outcome, isHeld] = await watched(work);
    if (isHeld && round < MAX_HELD) continue;
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}

/** Everything behind a position, in as many requests as it takes. */
export async function follow(
  client: Client,
  after?: string,
  query = "limit=500",
): Promise<{ changes: Change[]; cursor: string }> {
  const changes: Change[] = [];
  let cursor = after;
  for (;;) {
    const { body } = await client.get(
      `/api/changes?${query}${cursor === undefined ? "" : `&after=${encodeURIComponent(cursor)}`}`,
      200,
    );
    const page = body;
    changes.push(...page.data);
    cursor = page.cursor;
    if (!page.hasMore) return { changes, cursor };
  }
}

/** The types of changes, in order. */
export const typesOf = (changes: readonly Change[]): string[] => changes.map(({ type }) => type);

/** An open stream of `GET /api/events`, and what was heard on it. */
export class EventStream extends ServerSentEvents {
  readonly heard: SentEvent[] = [];

  static async open(client: Client, lastEventId?: string, query = ""): Promise<EventStream> {
    const stream = new EventStream();
    await stream.connect(client, `/api/events${query}`, lastEventId);
    return stream;
  }

  get types(): string[] {
    return this.heard.map(({ type }) => type);
  }

  protected note(event: SentEvent): void {
    if (event.type !== "ready") this.heard.push(event);
  }
}
