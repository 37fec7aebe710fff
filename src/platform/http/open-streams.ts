import type { PassThrough, Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { RetryLater } from "./errors.js";
import type { Request } from "./request.js";

/** Each stream has a heartbeat every 15 seconds. Each second has its share of the streams, so that thousands do not beat at once. */
const SHARES = 15;
const SHARE_MS = 1_000;
/** A client that does not read is disconnected. It reconnects and continues where it was. */
const MAX_UNREAD_BYTES = 1_000_000;
/** Half of it: whoever sends much at once waits until the client has read. */
const MUCH_UNREAD_BYTES = MAX_UNREAD_BYTES / 2;

/** An open stream of server-sent events. */
export interface OpenStream {
  readonly tenantId: string;
  /** Of the client, as requests are counted. */
  readonly address: string;
  readonly out: PassThrough;
}
interface Limits {
  all: number;
  ofTenant: number;
  ofAddress: number;
}

/** The open streams of one kind: their limits, their heartbeats, and their end. */
export class OpenStreams<Stream extends OpenStream> {
  private readonly streams = new Set<Stream>();
  private readonly shares = Array.from({ length: SHARES }, () => new Set<Stream>());
  /** How many are open, by tenant and by address. */
  private readonly counts = new Map<string, number>();
  private readonly heartbeat: NodeJS.Timeout;
  private opened = 0;
  private beats = 0;
  stopped = false;

  /**
   * @param leave is called once when a stream has ended
   * @param beat is called with the streams that have a heartbeat
   */
  constructor(
    private readonly limits: Limits,
    private readonly leave: (stream: Stream) => void,
    beat: (streams: ReadonlySet<Stream>) => void,
  ) {
    this.heartbeat = setInterval(() => {
      const share = this.shares[this.beats++ % SHARES]!;
      for (const stream of share) send(stream, ": \n\n");
      if (share.size) beat(share);
    }, SHARE_MS);
    this.heartbeat.unref();
  }

  get count(): number {
    return this.streams.size;
  }

  /**
   * @param leaves a stream that ends to make room for this one
   * @throws RetryLater
   */
  open(stream: Stream, leaves?: Stream): void {
    const { all, ofTenant, ofAddress } = this.limits;
    const { tenantId, address } = stream;
    const isFull =
      this.count - (leaves ? 1 : 0) >= all ||
      this.countOf(tenantId) - (leaves ? 1 : 0) >= ofTenant ||
      this.countOf(address) - (leaves?.address === address ? 1 : 0) >= ofAddress;
    if (isFull || this.stopped) throw new RetryLater("Too many streams are open: try again soon", 5);
    leaves?.out.end();
    const share = this.shares[this.opened++ % SHARES]!;
    this.streams.add(stream);
    share.add(stream);
    this.add(stream, 1);
    stream.out.once("close", () => {
      this.streams.delete(stream);
      share.delete(stream);
      this.add(stream, -1);
      this.leave(stream);
    });
  }

  /** Open streams would keep the server from closing. */
  stop(): void {
    this.stopped = true;
    clearInterval(this.heartbeat);
    for (const { out } of this.streams) out.end();
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private add({ address, tenantId }: Stream, more: number): void {
    for (const key of [tenantId, address]) {
      const count = this.countOf(key) + more;
      if (count) this.counts.set(key, count);
      else this.counts.delete(key);
    }
  }
}

/** The id of the last event that a reconnecting client received. */
export function lastEventIdOf({ headers }: Request): string | undefined {
  const id = headers["last-event-id"];
  return Array.isArray(id) ? id[0] : id;
}

/** Answers with a stream of server-sent events. Proxies must not gather them. */
export function answerWith(out: Readable, reply: FastifyReply): void {
  void reply
    .headers({ "Cache-Control": "no-store", "X-Accel-Buffering": "no", Connection: "close" })
    .type("text/event-stream; charset=utf-8")
    .send(out);
}

/** Sends text to a stream, or ends it if its client does not read. */
export function send({ out }: Pick<OpenStream, "out">, text: string): void {
  if (!out.writable) return;
  if (out.writableLength > MAX_UNREAD_BYTES) out.destroy();
  else out.write(text);
}

/** Waits until the client has read, if much is unread. */
export async function readBy({ out }: Pick<OpenStream, "out">): Promise<void> {
  if (out.writableLength <= MUCH_UNREAD_BYTES || out.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      out.off("drain", done).off("close", done);
      resolve();
    };
    out.on("drain", done).on("close", done);
  });
}
