import { PassThrough, type Readable } from "node:stream";
import { BadRequestException, Injectable, Logger } from "@nestjs/common";
import { parse, stringify } from "uuid";
import { Changes } from "../../platform/database/changes.js";
import { RetryLater } from "../../platform/http/errors.js";
import type { Visit } from "./webchat-sessions.service.js";
import { WebchatThread } from "./webchat-thread.service.js";
import type { Heads } from "./webchat.queries.js";

const MOST_OF_SESSION = 5;
const MOST = 5_000;
const HEARTBEAT_MS = 15_000;
/** Changes of one workspace that come together are looked at together. */
const GATHER_MS = 25;
/** Whoever does not read what is sent is let go: they come back and go on from where they were. */
const MOST_UNREAD_BYTES = 1_000_000;
const ENTRY_BYTES = 20;

interface Stream {
  visit: Visit;
  heads: Heads;
  out: PassThrough;
  ends: number;
  busy: boolean;
}
interface Place {
  streams: Set<Stream>;
  waiting?: NodeJS.Timeout;
  looking: boolean;
  again: boolean;
}

/**
 * What is new in a thread, told as it comes. An idle stream costs no query: the streams of a workspace are looked after together,
 * in one query, when something changed there, on whichever process.
 */
@Injectable()
export class WebchatStreams {
  private readonly log = new Logger("webchat");
  private readonly places = new Map<string, Place>();
  private count = 0;
  private stopped = false;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    private readonly thread: WebchatThread,
    changes: Changes,
  ) {
    changes.onChange((tenantId, workspaceId) => {
      if (tenantId !== null && workspaceId !== null) this.lookSoon(`${tenantId} ${workspaceId}`);
      else
        for (const name of this.places.keys()) if (tenantId === null || name.startsWith(tenantId)) this.lookSoon(name);
    });
    this.heartbeat = setInterval(() => {
      this.beat();
    }, HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  /**
   * @param lastEventId where the reader was; without one it hears what comes from now on
   * @throws RetryLater: there are too many, BadRequestException: it is no id of ours
   */
  async open(visit: Visit, lastEventId: string | undefined): Promise<Readable> {
    const from = lastEventId === undefined ? undefined : headsOf(lastEventId);
    if (this.count >= MOST || this.stopped) throw new RetryLater("Too many streams are open: try again soon", 5);
    const place = this.placeOf(visit);
    const own = [...place.streams].filter((other) => other.visit.sessionId === visit.sessionId);
    if (own.length >= MOST_OF_SESSION) own[0]!.out.end();
    const stream: Stream = {
      visit,
      heads: {},
      out: new PassThrough(),
      ends: performance.now() + visit.remaining * 1_000,
      busy: true,
    };
    place.streams.add(stream);
    this.count++;
    stream.out.once("close", () => {
      this.close(stream);
    });
    // Whatever is committed from here on is seen, in what is read now or by the look that follows.
    try {
      stream.heads = from ?? (await this.thread.heads(visit));
    } catch (error) {
      stream.out.destroy();
      throw error;
    }
    stream.busy = false;
    stream.out.write(`retry: 1000\nid: ${idOf(stream.heads)}\nevent: ready\ndata: {}\n\n`);
    this.lookSoon(nameOf(visit));
    return stream.out;
  }

  /** Open streams would keep the server from closing. */
  onModuleDestroy(): void {
    this.stopped = true;
    clearInterval(this.heartbeat);
    for (const { streams, waiting } of this.places.values()) {
      clearTimeout(waiting);
      for (const { out } of streams) out.end();
    }
  }

  private placeOf(visit: Visit): Place {
    let place = this.places.get(nameOf(visit));
    if (!place) this.places.set(nameOf(visit), (place = { streams: new Set(), looking: false, again: false }));
    return place;
  }

  private close(stream: Stream): void {
    const place = this.placeOf(stream.visit);
    if (place.streams.delete(stream)) this.count--;
    if (!place.streams.size) this.places.delete(nameOf(stream.visit));
  }

  private beat(): void {
    for (const { streams } of this.places.values()) {
      for (const { out, ends } of streams) {
        if (ends <= performance.now() || out.writableLength > MOST_UNREAD_BYTES) out.end();
        else out.write(": \n\n");
      }
    }
  }

  private lookSoon(name: string): void {
    const place = this.places.get(name);
    if (!place || this.stopped) return;
    if (place.looking) place.again = true;
    else
      place.waiting ??= setTimeout(() => {
        void this.look(name, place);
      }, GATHER_MS);
  }

  private async look(name: string, place: Place): Promise<void> {
    place.waiting = undefined;
    place.looking = true;
    place.again = false;
    try {
      const streams = [...place.streams].filter(({ busy }) => !busy);
      if (streams.length) {
        const found = await this.thread.watch(streams[0]!.visit, [
          ...new Set(streams.map(({ visit }) => visit.sessionId)),
        ]);
        await Promise.all(
          streams.map(async (stream) => {
            const heads = found[stream.visit.sessionId];
            if (heads) await this.tell(stream, heads);
            else stream.out.end();
          }),
        );
      }
    } catch (error) {
      // The database is away: those who read come back, and are told what they missed.
      this.log.warn(`streams end, for their threads cannot be read: ${(error as Error).message}`);
      for (const { out } of place.streams) out.end();
    } finally {
      place.looking = false;
      if (place.again) this.lookSoon(name);
    }
  }

  private async tell(stream: Stream, heads: Heads): Promise<void> {
    for (const { message, conversationId, sequence } of await this.thread.newer(stream.visit, stream.heads, heads)) {
      stream.heads = { ...stream.heads, [conversationId]: sequence };
      if (stream.out.writable)
        stream.out.write(`id: ${idOf(stream.heads)}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);
    }
    // Notes are passed over.
    stream.heads = { ...stream.heads, ...heads };
  }
}

const nameOf = ({ caller: { tenantId }, workspaceId }: Visit): string => `${tenantId} ${workspaceId}`;

/** How far each conversation of the thread has come, in one word. */
function idOf(heads: Heads): string {
  const entries = Object.entries(heads);
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  entries.forEach(([id, sequence], at) => {
    bytes.set(parse(id), at * ENTRY_BYTES);
    bytes.writeUInt32BE(sequence, at * ENTRY_BYTES + 16);
  });
  return `0${bytes.toString("base64url")}`;
}

/** @throws BadRequestException */
function headsOf(id: string): Heads {
  const bytes = Buffer.from(id.slice(1), "base64url");
  const heads: Heads = {};
  try {
    if (bytes.length % ENTRY_BYTES || `0${bytes.toString("base64url")}` !== id) throw new Error();
    for (let at = 0; at < bytes.length; at += ENTRY_BYTES)
      heads[stringify(bytes, at)] = bytes.readUInt32BE(at + 16) & 0x7fffffff;
  } catch {
    throw new BadRequestException("Last-Event-ID is not one that this stream gave");
  }
  return heads;
}
