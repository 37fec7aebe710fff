import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger } from "@nestjs/common";
import type { ImapFlow, SearchObject } from "imapflow";
import pLimit from "p-limit";
import { system } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ChannelError, type OpenChannel } from "../channel-kind.js";
import type { ChannelsService } from "../channels.service.js";
import { type FetchedMail, BEGINNING_BYTES, MAX_MAIL_BYTES } from "./fetched-mail.js";
import type { EmailCredentials, EmailSettings, MailServerSettings } from "./email.settings.js";
import { explain } from "./mail-server-errors.js";
import { receiving, signIn } from "./imap-client.js";
import type { IncomingMail } from "./incoming-mail.service.js";
import { findProgress, noteFailure, noteSuccess, startReading } from "./mailbox-progress.js";

const CONNECT_MS = 30_000;
const MAX_WAIT_SECONDS = 120;
/** Mails that this process parses at once, over all mailboxes: each may be large. */
const parsing = pLimit(4);
/** When the UIDs of a mailbox have changed, reading goes on this long before the newest mail that was read: servers do not sort to the minute. */
const OVERLAP_MS = 600_000;
const DAY_MS = 86_400_000;

export interface SessionParts {
  db: Database;
  channels: ChannelsService;
  mails: IncomingMail;
  addressOf: (server: MailServerSettings) => Promise<{ address: string }>;
  everyMs: { idle: number; poll: number };
}

/**
 * Reads one mailbox as long as this process has its lease: connects, stores new mails, waits for more, and connects again after
 * an error.
 */
export class MailboxSession {
  private readonly log = new Logger("mail");
  private readonly stopping = new AbortController();
  private client: ImapFlow | undefined;
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
        await this.pause(Math.min(2 ** failures++, MAX_WAIT_SECONDS) * 1_000 * (0.75 + Math.random() / 2));
      } finally {
        this.client?.close();
        this.client = undefined;
      }
    }
  }

  private async report(error: unknown): Promise<void> {
    this.log.warn(`mailbox ${this.channelId} is read again later: ${(error as Error).message}`);
    if (!(error instanceof ChannelError)) return;
    await this.transaction((tx) => noteFailure(tx, this.channelId, this.holder, error)).catch((again: unknown) =>
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
    const imap = (channel.settings as EmailSettings).imap!;
    const credentials = channel.credentials as EmailCredentials;
    // Errors of the mail server concern the channel; errors of the database do not.
    const ask = <T>(work: () => Promise<T>): Promise<T> =>
      work().catch((error: unknown) => {
        throw explain(error, receiving(imap));
      });
    const { address } = await ask(() => this.parts.addressOf(imap));
    if (this.stopped) return;
    const client = await signIn(imap, address, credentials, CONNECT_MS);
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
    const validity = `${createHash("sha256")
      .update(JSON.stringify([imap.host, imap.port, credentials.username]))
      .digest("hex")
      .slice(0, 16)}:${uidValidity}`;
    let uid = await this.begin(ask, client, validity, uidNext - 1);
    await this.transaction((tx) => noteSuccess(tx, this.channelId));
    itWorks();
    while (!this.stopped && uid !== undefined) {
      news = false;
      uid = await this.takeNew(ask, client, channel, validity, uid);
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
    const recent = (await ask(() => client.fetchAll(uids, { uid: true, internalDate: true }, { uid: true }))).filter(
      ({ internalDate }) => new Date(internalDate ?? 0).getTime() >= since,
    );
    return recent.reduce((first, { uid }) => Math.min(first, uid - 1), newest);
  }

  /** Stores the new mails. @returns the last UID that was read; undefined if this process has lost the mailbox */
  private async takeNew(
    ask: Ask,
    client: ImapFlow,
    channel: OpenChannel,
    validity: string,
    last: number,
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
      const mine = await parsing(async () => {
        const fetched = await ask(() => fetchMail(client, validity, uid));
        // It may have been deleted in the meantime.
        return !fetched || this.parts.mails.receive(channel, this.holder, fetched);
      });
      if (!mine) return undefined;
      taken = uid;
    }
    return taken;
  }
}

type Ask = <T>(work: () => Promise<T>) => Promise<T>;

async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await client.search(query, { uid: true });
  if (!uids) throw new Error("the server did not answer the search");
  return uids;
}

async function fetchMail(client: ImapFlow, validity: string, uid: number): Promise<FetchedMail | undefined> {
  const head = await client.fetchOne(String(uid), { uid: true, size: true, internalDate: true }, { uid: true });
  if (!head) return gone(client);
  const large = (head.size ?? 0) > MAX_MAIL_BYTES;
  const mail = await client.fetchOne(
    String(uid),
    { uid: true, source: large ? { maxLength: BEGINNING_BYTES } : { maxLength: MAX_MAIL_BYTES } },
    { uid: true },
  );
  if (!mail || !mail.source) return gone(client);
  const { source } = mail;
  // Some servers do not give the size. Then the source is the whole mail.
  return {
    validity,
    uid,
    at: new Date(head.internalDate ?? Date.now()),
    source,
    size: large ? head.size! : source.length,
  };
}

/** The mail does not exist, provided that the connection still does. */
function gone(client: ImapFlow): undefined {
  if (!client.usable) throw new Error("the connection ended");
  return undefined;
}
