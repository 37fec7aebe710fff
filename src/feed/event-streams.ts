import { PassThrough, type Readable } from "node:stream";
import { Injectable, Logger } from "@nestjs/common";
import { SessionVerifier } from "../auth/sessions/session.verifier.js";
import { type MemberCaller, system, type SystemCaller } from "../platform/caller/caller.js";
import { Config } from "../platform/config/config.js";
import { Changes, type Signal } from "../platform/database/changes.js";
import { isHomeSignal } from "../platform/database/homes.js";
import { Database } from "../platform/database/database.js";
import { OpenStreams, type OpenStream, readBy, send } from "../platform/http/open-streams.js";
import { Metrics } from "../platform/metrics/metrics.js";
import { eventsOf, type Included, type Occurrence } from "./event-types.js";
import { FEED_LAG, type Position } from "./feed.queries.js";
import { FeedService, type Occurrences } from "./feed.service.js";

const MAX_STREAMS = 10_000;
/** A member who opens more loses the oldest: a browser that went away without a word. */
const MAX_STREAMS_PER_MEMBER = 10;
/** Changes within this time are read together. */
const GATHER_MS = 2;
/** How often to look again for rows that an earlier transaction still holds back: twice as long each time. */
const MAX_HELD_MS = 250;
const ROWS = 1_000;
/** Of rows with what they are about, which can be long texts. */
const WHOLE_ROWS = 100;

interface Stream extends OpenStream {
  side: Side;
  member: MemberCaller;
  token: string;
  /** Everything up to here was sent, or was not for this member. */
  at: Position;
  included: readonly Included[];
  /** It still reads what it missed, by itself. */
  behind: boolean;
}
/** The streams of one side of a tenant. */
interface Side {
  caller: SystemCaller;
  streams: Set<Stream>;
  /** Up to where the side was read; undefined until the first stream has caught up. */
  at?: Position;
  /** Of the feed that its positions are in. Another server has another one. */
  epoch?: string;
  waiting?: NodeJS.Timeout;
  reading: boolean;
  again: boolean;
  /** Members' rights may have changed: each stream is checked before anything more is sent. */
  check: boolean;
  /** How many such checks run. */
  checking: number;
  heldMs: number;
}

/**
 * Sends what happens to open streams, in the order of the feed. All streams of a side share one read, which follows a
 * change on any process. Idle streams cost no query.
 */
@Injectable()
export class EventStreams {
  private readonly log = new Logger("events");
  private readonly sides = new Map<string, Side>();
  private readonly open: OpenStreams<Stream>;

  constructor(
    private readonly feed: FeedService,
    private readonly sessions: SessionVerifier,
    config: Config,
    changes: Changes,
    db: Database,
    metrics: Metrics,
  ) {
    metrics.gauge(
      "parley_event_streams_open",
      "Open streams of GET /api/events in this process",
      () => this.open.count,
    );
    const lag = metrics.shared(() => db.sweep(FEED_LAG));
    metrics.gauge(
      "parley_feed_lag_seconds",
      "For how long the oldest running transaction has held the change feed back",
      async () => Math.max(0, ...(await lag()).map(({ seconds }) => seconds)),
    );
    changes.onChange((tenantId, workspaceId) => {
      for (const side of tenantId === null ? this.sides.values() : [this.sides.get(tenantId)]) {
        if (!side) continue;
        if (workspaceId === null) side.check = true;
        this.readSoon(side);
      }
    });
    changes.onSignal((signal) => {
      if (!isHomeSignal(signal)) return this.pass(signal);
      for (const id of [signal.tenantId, signal.data.testId]) {
        const side = this.sides.get(id);
        if (side) this.readSoon(side);
      }
    });
    this.open = new OpenStreams(
      {
        all: MAX_STREAMS,
        ofTenant: config.EVENT_STREAMS_PER_TENANT,
        ofAddress: config.EVENT_STREAMS_PER_ADDRESS,
      },
      (stream) => {
        this.leave(stream);
      },
      // Sessions end and tokens expire without a change.
      (streams) => void this.verify(streams),
    );
  }

  /**
   * @param lastEventId the id of the last event that the client received; without it the stream begins now
   * @param included what each event carries besides ids and states
   * @throws RetryLater (too many streams), BadRequestException (not an id of ours), GoneException (no longer kept)
   */
  async listen(
    member: MemberCaller,
    token: string,
    address: string,
    lastEventId: string | undefined,
    included: readonly Included[],
  ): Promise<Readable> {
    const { tenantId } = member;
    const from = lastEventId === undefined ? undefined : this.feed.open(tenantId, lastEventId);
    const side = this.sideOf(member);
    const own = [...side.streams].filter((other) => other.member.memberId === member.memberId);
    const stream: Stream = {
      side,
      tenantId,
      member,
      token,
      address,
      out: new PassThrough(),
      at: ["0", "0"],
      included,
      behind: true,
    };
    this.open.open(stream, own.length >= MAX_STREAMS_PER_MEMBER ? own[0] : undefined);
    side.streams.add(stream);
    this.sides.set(tenantId, side);
    try {
      const { epoch, end } = await this.feed.end(side.caller);
      if (from && from.epoch !== epoch) throw this.feed.lost();
      stream.at = from?.position ?? end;
      // Refuses a position that is no longer kept before anything is sent.
      const missed = from && (await this.read(side, stream.at, isWhole(stream)));
      send(stream, `retry: 1000\nid: ${this.feed.minter(tenantId, epoch)(stream.at)}\nevent: ready\ndata: {}\n\n`);
      void this.catchUp(side, stream, missed);
    } catch (error) {
      stream.out.destroy();
      throw error;
    }
    return stream.out;
  }

  onModuleDestroy(): void {
    this.open.stop();
    for (const { waiting } of this.sides.values()) clearTimeout(waiting);
  }

  private sideOf({ tenantId, environment }: MemberCaller): Side {
    const caller = system("events", tenantId, environment);
    return (
      this.sides.get(tenantId) ?? {
        caller,
        streams: new Set(),
        reading: false,
        again: false,
        check: false,
        checking: 0,
        heldMs: GATHER_MS,
      }
    );
  }

  private leave(stream: Stream): void {
    const { side } = stream;
    side.streams.delete(stream);
    if (side.streams.size) return;
    clearTimeout(side.waiting);
    this.sides.delete(side.caller.tenantId);
  }

  /** Each member may have lost a role, a workspace or the session. */
  private async check(side: Side): Promise<void> {
    side.check = false;
    side.checking++;
    await this.verify(side.streams).finally(() => side.checking--);
  }

  private async verify(streams: Iterable<Stream>): Promise<void> {
    await Promise.all(
      [...streams].map(async (stream) => {
        const member = await this.sessions.verify(stream.token, stream.member.environment).catch(() => null);
        if (!member || !mayListen(member)) stream.out.end();
        else stream.member = member;
      }),
    );
  }

  private readSoon(side: Side, delay = GATHER_MS): void {
    if (this.open.stopped || !side.streams.size) return;
    if (side.reading) side.again = true;
    else
      side.waiting ??= setTimeout(() => {
        void this.readNew(side);
      }, delay);
  }

  /** Reads once for all streams that have caught up. */
  private async readNew(side: Side): Promise<void> {
    side.waiting = undefined;
    side.reading = true;
    side.again = false;
    let soon: number | undefined;
    try {
      if (side.check) await this.check(side);
      if (side.at) {
        const readsWhole = [...side.streams].some(isWhole);
        const found = await this.read(side, side.at, readsWhole);
        // A right that was lost before these rows were read must not be used to send them.
        if (side.check) await this.check(side);
        const current = [...side.streams].filter(({ behind }) => !behind);
        // It opened while the rows were read without what it wants.
        const lacking = readsWhole ? [] : current.filter(isWhole);
        this.broadcast(
          current.filter((stream) => !lacking.includes(stream)),
          found,
        );
        for (const stream of lacking) {
          stream.behind = true;
          void this.catchUp(side, stream);
        }
        side.at = found.next;
        if (found.unsettled) soon = side.heldMs = Math.min(side.heldMs * 2, MAX_HELD_MS);
        else side.heldMs = GATHER_MS;
        if (found.more) soon = 0;
      }
    } catch (error) {
      // The database is away. The clients reconnect and get what they missed.
      this.log.warn(`streams end because the feed cannot be read: ${(error as Error).message}`);
      for (const { out } of side.streams) out.end();
    } finally {
      side.reading = false;
      if (side.again) this.readSoon(side);
      else if (soon !== undefined) this.readSoon(side, soon);
    }
  }

  /** @throws GoneException */
  private async read(side: Side, after: Position, whole: boolean): Promise<Occurrences> {
    const found = await this.feed.occurrences(side.caller, after, whole ? WHOLE_ROWS : ROWS, whole);
    side.epoch ??= found.epoch;
    if (side.epoch !== found.epoch) throw this.feed.lost();
    return found;
  }

  /** Reads for one stream what it missed, until it is where the side is. */
  private async catchUp(side: Side, stream: Stream, missed?: Occurrences): Promise<void> {
    try {
      for (let found = missed; stream.behind && !stream.out.destroyed; found = undefined) {
        found ??= await this.read(side, stream.at, isWhole(stream));
        if (side.check) await this.check(side);
        this.broadcast([stream], found);
        if (found.more) {
          await readBy(stream);
          continue;
        }
        side.at ??= found.next;
        // Nothing is sent between here and the next read of the side, which begins at `side.at`.
        if (isBefore(stream.at, side.at)) continue;
        stream.behind = false;
      }
      this.readSoon(side);
    } catch (error) {
      this.log.warn(`a stream ends because the feed cannot be read: ${(error as Error).message}`);
      stream.out.end();
    }
  }

  private broadcast(streams: readonly Stream[], { rows, next, epoch }: Occurrences): void {
    if (!streams.length) return;
    const mint = this.feed.minter(streams[0]!.member.tenantId, epoch);
    for (const row of rows) {
      const texts = new Map<string, string>();
      for (const stream of streams) {
        if (!isBefore(stream.at, row.at) || !mayHear(stream.member, row)) continue;
        const kind = stream.included.join();
        const text = texts.get(kind) ?? textOf(row, stream.included, () => mint(row.at));
        texts.set(kind, text);
        if (text !== "") send(stream, text);
      }
    }
    for (const stream of streams) if (isBefore(stream.at, next)) stream.at = next;
  }

  /** Who is there, who is typing: not in the feed, so it has no id and is not sent again. */
  private pass({ tenantId, workspaceId, type, data }: Signal): void {
    const side = this.sides.get(tenantId);
    // Nothing is lost if it is not sent while rights are being checked.
    if (!side || side.check || side.checking) return;
    const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const stream of side.streams)
      if (workspaceId === null || isFor(stream.member, workspaceId)) send(stream, text);
  }
}

/** The events of a row together, so that only the last one carries its position. */
function textOf(row: Occurrences["rows"][number], included: readonly Included[], id: () => string): string {
  const events = eventsOf(row, included);
  return events
    .map(({ type, data }, at) => {
      const idLine = at === events.length - 1 ? `id: ${id()}\n` : "";
      return `${idLine}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    })
    .join("");
}

const isWhole = ({ included }: Stream): boolean => included.length > 0;

/** The role for billing reads no conversations. */
export const mayListen = ({ role, lacksSecondFactor }: MemberCaller): boolean =>
  role !== "billing" && !lacksSecondFactor;

const isFor = ({ reach }: MemberCaller, workspaceId: string | null): boolean =>
  reach.level === "tenant" ||
  (reach.level === "workspaces" && workspaceId !== null && reach.workspaceIds.includes(workspaceId));

const mayHear = (member: MemberCaller, { workspaceId, contactIn }: Occurrence): boolean =>
  isFor(member, workspaceId) || (contactIn ?? []).some((id) => isFor(member, id));

/** Compares numbers that JavaScript cannot hold exactly. */
function isBefore([transaction, position]: Position, [otherTransaction, otherPosition]: Position): boolean {
  const order = compare(transaction, otherTransaction);
  return order < 0 || (order === 0 && compare(position, otherPosition) < 0);
}
const compare = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
