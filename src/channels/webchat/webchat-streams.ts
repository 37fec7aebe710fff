import { PassThrough, type Readable } from "node:stream";
import { BadRequestException, Injectable, Logger } from "@nestjs/common";
import { parse, stringify } from "uuid";
import { Config } from "../../platform/config/config.js";
import { isViewingChanged, type ViewingChanged } from "../../conversations/viewing/viewing-changed.js";
import { Changes, type Signal } from "../../platform/database/changes.js";
import { OpenStreams, type OpenStream, send } from "../../platform/http/open-streams.js";
import { Metrics } from "../../platform/metrics/metrics.js";
import { TypingMembers } from "./typing-members.js";
import type { Visit } from "./webchat-sessions.service.js";
import { MAX_NEWER, WebchatThreadService } from "./webchat-thread.service.js";
import type { Heads } from "./webchat.queries.js";

const MAX_STREAMS_PER_SESSION = 5;
const MAX_STREAMS = 5_000;
/** Changes of one workspace within this time are read together. */
const GATHER_MS = 25;
const ENTRY_BYTES = 20;

interface Stream extends OpenStream {
  visit: Visit;
  /** The conversations of the thread, as the database says. `heads` may begin with what the client says. */
  conversations: ReadonlySet<string>;
  heads: Heads;
  ends: number;
  busy: boolean;
}
interface WorkspaceStreams {
  streams: Set<Stream>;
  waiting?: NodeJS.Timeout;
  reading: boolean;
  again: boolean;
  typing: TypingMembers;
}

/**
 * Sends new messages of a thread to open streams. An idle stream costs no query: when something changes in a workspace, on any
 * process, one query reads the threads of all its streams.
 */
@Injectable()
export class WebchatStreams {
  private readonly log = new Logger("webchat");
  private readonly groups = new Map<string, WorkspaceStreams>();
  private readonly open: OpenStreams<Stream>;

  constructor(
    private readonly thread: WebchatThreadService,
    config: Config,
    changes: Changes,
    metrics: Metrics,
  ) {
    metrics.gauge("parley_webchat_streams_open", "Open streams of the web chat in this process", () => this.open.count);
    changes.onChange((tenantId, workspaceId) => {
      if (tenantId !== null && workspaceId !== null) this.readSoon(`${tenantId} ${workspaceId}`);
      else
        for (const name of this.groups.keys()) if (tenantId === null || name.startsWith(tenantId)) this.readSoon(name);
    });
    changes.onSignal((signal) => {
      if (isViewingChanged(signal)) this.showTyping(signal);
    });
    this.open = new OpenStreams(
      {
        all: MAX_STREAMS,
        ofTenant: config.WEBCHAT_STREAMS_PER_TENANT,
        ofAddress: config.WEBCHAT_STREAMS_PER_ADDRESS,
      },
      (stream) => {
        this.leave(stream);
      },
      (streams) => {
        this.endExpired(streams);
      },
    );
  }

  /**
   * @param lastEventId the last event that the client received; without it the stream begins now
   * @throws RetryLater (too many streams), BadRequestException (not an id of ours)
   */
  async listen(visit: Visit, address: string, lastEventId: string | undefined): Promise<Readable> {
    const from = lastEventId === undefined ? undefined : headsOf(lastEventId);
    const own = [...(this.groups.get(nameOf(visit))?.streams ?? [])].filter(
      (other) => other.visit.sessionId === visit.sessionId,
    );
    const stream: Stream = {
      visit,
      tenantId: visit.caller.tenantId,
      address,
      conversations: new Set(),
      heads: {},
      out: new PassThrough(),
      ends: performance.now() + visit.remaining * 1_000,
      busy: true,
    };
    this.open.open(stream, own.length >= MAX_STREAMS_PER_SESSION ? own[0] : undefined);
    this.groupOf(visit).streams.add(stream);
    // A change that commits from here on is found: by this read, or by the one that follows the change.
    try {
      stream.heads = from ?? (await this.thread.heads(visit));
      // Someone may type before the first read has ended. What the client names is not to be trusted.
      if (!from) stream.conversations = new Set(Object.keys(stream.heads));
    } catch (error) {
      stream.out.destroy();
      throw error;
    }
    stream.busy = false;
    send(stream, `retry: 1000\nid: ${idOf(stream.heads)}\nevent: ready\ndata: {}\n\n`);
    this.readSoon(nameOf(visit));
    return stream.out;
  }

  onModuleDestroy(): void {
    this.open.stop();
    for (const { waiting } of this.groups.values()) clearTimeout(waiting);
  }

  private groupOf(visit: Visit): WorkspaceStreams {
    let group = this.groups.get(nameOf(visit));
    if (!group) {
      group = { streams: new Set(), reading: false, again: false, typing: new TypingMembers() };
      this.groups.set(nameOf(visit), group);
    }
    return group;
  }

  private leave(stream: Stream): void {
    const group = this.groupOf(stream.visit);
    group.streams.delete(stream);
    if (!group.streams.size) this.groups.delete(nameOf(stream.visit));
  }

  private endExpired(streams: Iterable<Stream>): void {
    for (const { visit, out, ends } of streams) {
      this.groupOf(visit).typing.prune();
      if (ends <= performance.now()) out.end();
    }
  }

  private showTyping({ tenantId, workspaceId, data }: Signal<ViewingChanged>): void {
    const group = this.groups.get(`${tenantId} ${workspaceId}`);
    const streams = [...(group?.streams ?? [])].filter(({ conversations }) => conversations.has(data.conversationId));
    if (!group || !streams.length) return;
    const sign = group.typing.note(data);
    if (!sign) return;
    for (const stream of streams) send(stream, `event: typing\ndata: ${JSON.stringify(sign)}\n\n`);
  }

  private readSoon(name: string): void {
    const group = this.groups.get(name);
    if (!group || this.open.stopped) return;
    if (group.reading) group.again = true;
    else
      group.waiting ??= setTimeout(() => {
        void this.readNew(name, group);
      }, GATHER_MS);
  }

  private async readNew(name: string, group: WorkspaceStreams): Promise<void> {
    group.waiting = undefined;
    group.reading = true;
    group.again = false;
    try {
      const streams = [...group.streams].filter(({ busy }) => !busy);
      if (streams.length) {
        const found = await this.thread.watch(streams[0]!.visit, [
          ...new Set(streams.map(({ visit }) => visit.sessionId)),
        ]);
        await Promise.all(
          streams.map(async (stream) => {
            const heads = found[stream.visit.sessionId];
            if (!heads) stream.out.end();
            // The rest comes in its turn: others wait for their messages.
            else if (await this.push(stream, heads)) group.again = true;
          }),
        );
      }
    } catch (error) {
      // The database is away. The clients reconnect and get what they missed.
      this.log.warn(`streams end because their threads cannot be read: ${(error as Error).message}`);
      for (const { out } of group.streams) out.end();
    } finally {
      group.reading = false;
      if (group.again) this.readSoon(name);
    }
  }

  /** @returns whether there is more to read */
  private async push(stream: Stream, heads: Heads): Promise<boolean> {
    stream.conversations = new Set(Object.keys(heads));
    const found = await this.thread.newer(stream.visit, stream.heads, heads);
    for (const { message, conversationId, sequence } of found) {
      // Of two at the same moment, the later one may be the first by its number.
      stream.heads = { ...stream.heads, [conversationId]: Math.max(sequence, stream.heads[conversationId] ?? 0) };
      send(stream, `id: ${idOf(stream.heads)}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);
    }
    if (found.length === MAX_NEWER) return stream.out.writable;
    // Notes are skipped.
    stream.heads = { ...stream.heads, ...heads };
    return false;
  }
}

const nameOf = ({ caller: { tenantId }, workspaceId }: Visit): string => `${tenantId} ${workspaceId}`;

/** The heads of the thread, encoded as an event id. */
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
