import type { Schemas } from "../support/api-types.js";
import type { TestDatabase } from "../support/database.js";
import { until } from "../race/support.js";
import type { Client } from "../support/client.js";

export type Change = Schemas["ChangeDto"];

/**
 * Waits until everything that was committed so far can be read. The test files share one PostgreSQL, and a transaction that
 * runs in any of them holds the feed back.
 */
export async function settled(db: TestDatabase): Promise<void> {
  const [now] = await db.query<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
  await until(
    () => db.query("select 1 where pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= $1::bigint", [now!.next]),
    "all earlier transactions have ended",
    60_000,
  );
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

export interface Heard {
  id: string | undefined;
  type: string;
  data: Record<string, unknown>;
}

/** An open stream of `GET /api/events`, and what was heard on it. */
export class EventStream {
  readonly heard: Heard[] = [];
  /** The id of the last event that had one. */
  lastId = "";
  ended = false;
  comments = 0;
  private readonly stop = new AbortController();
  private wake: () => void = () => undefined;

  static async open({ baseUrl, token }: Client, lastEventId?: string): Promise<EventStream> {
    const stream = new EventStream();
    const response = await fetch(`${baseUrl}/api/events`, {
      signal: stream.stop.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
    });
    if (response.status !== 200) throw new Error(`events: ${response.status} ${await response.text()}`);
    void stream.run(response.body!);
    await stream.until(() => stream.lastId !== "");
    return stream;
  }

  get types(): string[] {
    return this.heard.map(({ type }) => type);
  }

  close(): void {
    this.stop.abort();
  }

  async until(condition: () => boolean, ms = 20_000): Promise<void> {
    const deadline = Date.now() + ms;
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`heard only ${JSON.stringify(this.heard)}`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 50);
      });
    }
  }

  private async run(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = "";
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          this.note(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } catch {
      /* The connection broke off. */
    }
    this.ended = true;
    this.wake();
  }

  private note(block: string): void {
    const field = (name: string): string | undefined =>
      block
        .split("\n")
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 2);
    const type = field("event");
    if (block.startsWith(":")) this.comments++;
    const id = field("id");
    if (id !== undefined) this.lastId = id;
    if (type !== undefined && type !== "ready")
      this.heard.push({ id, type, data: JSON.parse(field("data")!) as Record<string, unknown> });
    this.wake();
  }
}
