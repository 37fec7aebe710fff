import { setTimeout as sleep } from "node:timers/promises";
import { Logger } from "@nestjs/common";
import type { ImapFlow, SearchObject } from "imapflow";
import { system } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { withTimeout } from "../../platform/outbound/with-timeout.js";
import { TooSoon } from "../../platform/outbox/outbox.service.js";
import { ChannelError, type OpenChannel } from "../channel-kind.js";
import type { ChannelsService } from "../channels.service.js";
import { BEGINNING_BYTES, MAX_MAIL_BYTES } from "./fetched-mail.js";
import type { EmailSettings, MailServerSettings } from "./email.settings.js";
import type { GraphInbox } from "./graph/graph-inbox.js";
import { GraphReader } from "./graph/graph-reader.js";
import { explain } from "./mail-server-errors.js";
import { memory } from "./mail-shares.js";
import { PIECE_BYTES, receiving, signIn } from "./imap-client.js";
import type { IncomingMailService } from "./incoming-mail.service.js";
import { accountOf, type MailboxLogins } from "./sign-in/mailbox-logins.js";
import {
  findProgress,
  noteFailure,
  noteSuccess,
  OVERLAP_MS,
  placeInMailbox,
  startReading,
  validityOf,
} from "./mailbox-progress.js";

const CONNECT_MS = 30_000;
const MAX_WAIT_SECONDS = 120;
const DAY_MS = 86_400_000;

export interface SessionParts {
  db: Database;
  channels: ChannelsService;
  mails: IncomingMailService;
  logins: MailboxLogins;
  graph: GraphInbox;
  addressOf: (server: MailServerSettings) => Promise<{ address: string }>;
  everyMs: { idle: number; poll: number };
  patience: Patience;
}

/** How long a server may take for one answer, however steadily it sends. A mail may take longer, by its size. */
export interface Patience {
  answerMs: number;
  bytesPerMs: number;
}

/**
 * Reads one mailbox as long as this process has its lease: connects, stores new mails, waits for more, and connects again after
 * an error.
 */
export class MailboxSession {
  private readonly log = new Logger("mail");
  private readonly stopping = new AbortController();
  private client: ImapFlow | undefined;
  /** When the server last said what is new, by the process's clock; before the first time, when the session began. */
  lookedAt = performance.now();
  /** Resolves when the session has ended and does nothing more. */
  readonly ended: Promise<void>;

  constructor(
    private readonly parts: SessionParts,
    private readonly tenantId: string,
    private readonly channelId: string,
    private readonly holder: string,
  ) {
    this.ended = this.run();
  }

  stop(): void {
    this.stopping.abort();
    this.client?.close();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopped;) {
      try {
        // Returns only when this process has lost the mailbox.
        return await this.connected(() => {
          failures = 0;
        });
      } catch (error) {
        if (this.stopped) return;
        await this.report(error);
        const seconds = Math.min(2 ** failures++, MAX_WAIT_SECONDS) * (0.75 + Math.random() / 2);
        await this.pause(Math.max(seconds, error instanceof TooSoon ? error.seconds : 0) * 1_000);
      } finally {
        this.client?.close();
        this.client = undefined;
      }
    }
  }

  private async report(error: unknown): Promise<void> {
    this.log.warn(`mailbox ${this.channelId} is read again later: ${(error as Error).message}`);
    const failure = error instanceof TooSoon ? new ChannelError(error.message) : error;
    if (!(failure instanceof ChannelError)) return;
    await this.transaction((tx) => noteFailure(tx, this.channelId, this.holder, failure)).catch((again: unknown) =>
      this.log.warn(`mailbox ${this.channelId}: ${(again as Error).message}`),
    );
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.parts.db.transaction(system("channels", this.tenantId, "live"), work);
  }

  private async connected(itWorks: () => void): Promise<void> {
    const { channel } = await this.transaction(async (tx) => {
      tx.changesNothingVisible();
      return this.parts.channels.open(tx, this.channelId);
    });
    let noted = false;
    const works = async (): Promise<void> => {
      if (noted) return;
      await this.transaction((tx) => noteSuccess(tx, this.channelId));
      noted = true;
      itWorks();
    };
    return (channel.settings as EmailSettings).graph
      ? this.readByGraph(channel, works)
      : this.readByImap(channel, works);
  }

  private readByGraph(channel: OpenChannel, works: () => Promise<void>): Promise<void> {
    const { graph: inbox, mails, everyMs } = this.parts;
    const reading = {
      inbox,
      mails,
      works,
      transaction: <T>(work: (tx: Tx) => Promise<T>) => this.transaction(work),
      stopping: this.stopping.signal,
      everyMs: () => everyMs.poll,
      looked: () => {
        this.lookedAt = performance.now();
      },
    };
    return new GraphReader(reading, channel, this.holder).read();
  }

  private async readByImap(channel: OpenChannel, works: () => Promise<void>): Promise<void> {
    const imap = (channel.settings as EmailSettings).imap!;
    const { answerMs, bytesPerMs } = this.parts.patience;
    // Errors of the mail server concern the channel; errors of the database do not. After an error the connection is closed.
    const ask: Ask = (work, bytes = 0) =>
      withTimeout(work(), answerMs + bytes / bytesPerMs, () =>
        Object.assign(new Error("timed out"), { code: "ETIMEDOUT" }),
      ).catch((error: unknown) => {
        throw explain(error, receiving(imap));
      });
    const { address } = await ask(() => this.parts.addressOf(imap));
    if (this.stopped) return;
    const client = await this.parts.logins.receive(channel, (login) => signIn(imap, address, login, CONNECT_MS));
    this.client = client;
    if (this.stopped) return;
    let news = true;
    let wake = (): void => undefined;
    client.on("exists", () => {
      news = true;
      wake();
    });
    client.on("close", () => wake());
    // Read only: unread mails stay unread.
    const { uidValidity, uidNext } = await ask(() => client.mailboxOpen("INBOX", { readOnly: true }));
    const validity = validityOf(imap, accountOf(channel), uidValidity);
    let uid = await this.begin(ask, client, validity, uidNext - 1);
    while (!this.stopped && uid !== undefined) {
      news = false;
      uid = await this.takeNew(ask, client, channel, validity, uid, works);
      this.lookedAt = performance.now();
      if (this.stopped || uid === undefined) return;
      if (!client.usable) throw new ChannelError(`${receiving(imap)} ended the connection`);
      // More mail came in meanwhile.
      if (news) continue;
      await new Promise<void>((resolve) => {
        const idles = client.capabilities.has("IDLE");
        const timer = setTimeout(resolve, idles ? this.parts.everyMs.idle : this.parts.everyMs.poll);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        this.stopping.signal.addEventListener("abort", wake, { once: true });
        // Ends when the server or a timeout of the connection ends it.
        if (idles)
          void client
            .idle()
            .catch(() => undefined)
            .then(wake);
      });
      this.stopping.signal.removeEventListener("abort", wake);
      wake = () => undefined;
    }
  }

  /** @returns the last UID that was read; undefined if this process has lost the mailbox */
  private async begin(ask: Ask, client: ImapFlow, validity: string, newest: number): Promise<number | undefined> {
    const progress = await this.transaction(async (tx) => {
      tx.changesNothingVisible();
      return findProgress(tx, this.channelId);
    });
    if (progress?.validity === validity) return progress.lastUid;
    // A new channel begins with the mails that arrive from now on.
    const lastUid =
      progress?.validity == null ? newest : await this.firstNewUid(ask, client, progress.newestAt, newest);
    const mine = await this.transaction((tx) => {
      tx.changesNothingVisible();
      return startReading(tx, this.channelId, this.holder, progress?.validity ?? null, { validity, lastUid });
    });
    return mine ? lastUid : undefined;
  }

  /** For a mailbox whose UIDs have changed: the UID before the first mail that may be new. Mails that were read are recognised by their Message-ID. */
  private async firstNewUid(ask: Ask, client: ImapFlow, newestAt: Date, newest: number): Promise<number> {
    const since = newestAt.getTime() - OVERLAP_MS;
    const uids = await ask(() => search(client, { since: new Date(since - DAY_MS) }));
    if (!uids.length) return newest;
    return ask(async () => {
      let first = newest;
      for await (const { uid, internalDate } of client.fetch(uids, { uid: true, internalDate: true }, { uid: true }))
        if (new Date(internalDate ?? 0).getTime() >= since) first = Math.min(first, uid - 1);
      return first;
    });
  }

  /** Stores the new mails. @returns the last UID that was read; undefined if this process has lost the mailbox */
  private async takeNew(
    ask: Ask,
    client: ImapFlow,
    channel: OpenChannel,
    validity: string,
    last: number,
    works: () => Promise<void>,
  ): Promise<number | undefined> {
    // Some servers show new mail only after they were asked.
    await ask(() => client.noop());
    // `*` matches the newest mail, even if it is an old one.
    const uids = (await ask(() => search(client, { uid: `${last + 1}:*` })))
      .filter((uid) => uid > last)
      .sort((a, b) => a - b);
    let taken = last;
    for (const uid of uids) {
      if (this.stopped) return undefined;
      if (!(await this.take(ask, client, channel, validity, uid))) return undefined;
      taken = uid;
      await works();
    }
    await works();
    return taken;
  }

  /** Fetches and stores a mail. @returns false if this process has lost the mailbox */
  private async take(
    ask: Ask,
    client: ImapFlow,
    channel: OpenChannel,
    validity: string,
    uid: number,
  ): Promise<boolean> {
    const head = await ask(() => fetchHead(client, uid));
    // It may have been deleted in the meantime.
    if (!head) return true;
    const large = head.size !== undefined && head.size > MAX_MAIL_BYTES;
    // Some servers give no size or a wrong one: then what follows the first bytes takes more memory.
    for (const most of large ? [BEGINNING_BYTES] : [Math.min(head.size ?? 0, MAX_MAIL_BYTES - 1) + 1, MAX_MAIL_BYTES]) {
      const taken = await memory.run(
        this.tenantId,
        async () => {
          const source = await ask(() => fetchSource(client, uid, most), most);
          if (!source) return true;
          if (!large && source.length === most && most < MAX_MAIL_BYTES) return undefined;
          const size = large ? head.size! : source.length;
          const { at } = head;
          const place = placeInMailbox(channel.id, this.holder, { validity, uid, at });
          return this.parts.mails.receive(channel, place, { at, source, size }, this.stopping.signal);
        },
        { size: most, signal: this.stopping.signal },
      );
      if (taken !== undefined) return taken;
    }
    throw new Error(`mail ${uid} is longer than it can be`);
  }
}

/** Sends a command, and waits for the answer. @param bytes of which the answer may have, and take longer */
type Ask = <T>(work: () => Promise<T>, bytes?: number) => Promise<T>;

async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await client.search(query, { uid: true });
  if (!uids) throw new Error("the server did not answer the search");
  return uids;
}

async function fetchHead(client: ImapFlow, uid: number): Promise<{ at: Date; size: number | undefined } | undefined> {
  const head = await client.fetchOne(String(uid), { uid: true, size: true, internalDate: true }, { uid: true });
  return head ? { at: new Date(head.internalDate ?? Date.now()), size: head.size } : gone(client);
}

/** The first `most` bytes of a mail. In pieces, so that the connection needs no memory for a large answer. */
async function fetchSource(client: ImapFlow, uid: number, most: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (let start = 0; start < most;) {
    const maxLength = Math.min(PIECE_BYTES, most - start);
    const mail = await client.fetchOne(String(uid), { uid: true, source: { start, maxLength } }, { uid: true });
    if (!mail || !mail.source) {
      if (!client.usable || !start) return gone(client);
      break;
    }
    const piece = mail.source.subarray(0, maxLength);
    pieces.push(piece);
    start += piece.length;
    if (piece.length < maxLength) break;
  }
  return Buffer.concat(pieces);
}

/** The mail does not exist, provided that the connection still does. */
function gone(client: ImapFlow): undefined {
  if (!client.usable) throw new Error("the connection ended");
  return undefined;
}
