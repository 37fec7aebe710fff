import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../../../platform/database/transaction.js";
import { ChannelError, type OpenChannel } from "../../channel-kind.js";
import { BEGINNING_BYTES, MAX_MAIL_BYTES } from "../fetched-mail.js";
import type { IncomingMailService } from "../incoming-mail.service.js";
import { memory } from "../mail-shares.js";
import { findProgress, moveOn, OVERLAP_MS, placeInMailbox, startReading } from "../mailbox-progress.js";
import { GRAPH } from "./graph.client.js";
import { beginning, type GraphInbox, type GraphMail, graphValidity } from "./graph-inbox.js";

/** Most mails are smaller. Graph does not say the size of a mail, so a larger one is fetched twice. */
const FIRST_BYTES = 4 * 1_048_576;

export interface GraphReading {
  inbox: GraphInbox;
  mails: IncomingMailService;
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  stopping: AbortSignal;
  /** How often it asks for what is new. */
  everyMs: () => number;
  /** The mailbox can be read. */
  works: () => Promise<void>;
  /** Graph said what is new. */
  looked: () => void;
}

/** Where reading goes on, and what of there has been read. */
interface Place {
  link: string;
  read: ReadonlySet<number>;
}

/**
 * Reads a mailbox by Microsoft Graph. A link says where reading goes on. It is stored once all mails that it led to are, and each of
 * these is noted with its message until then: after a crash the link leads to them again, in whatever order.
 */
export class GraphReader {
  private readonly validity: string;
  /** Since the last time that all was read. */
  private newestAt: Date | null = null;

  constructor(
    private readonly reading: GraphReading,
    private readonly channel: OpenChannel,
    private readonly holder: string,
  ) {
    this.validity = graphValidity(channel);
  }

  /** Returns only when this process has lost the mailbox. @throws ChannelError, TooSoon */
  async read(): Promise<void> {
    const { inbox, stopping, everyMs, works, looked } = this.reading;
    let place = await this.begin();
    for (let isFresh = false; place && !stopping.aborted;) {
      const page = await this.ask(inbox.page(this.channel, place.link));
      if (!page) {
        if (isFresh) throw new ChannelError(`${GRAPH} does not say what is new`);
        isFresh = true;
        place = await this.beginAgain();
        continue;
      }
      isFresh = false;
      if (!(await this.takeAll(page.mails, place.read))) return;
      place = await this.moveOn(place, page.link, page.isLast);
      await works();
      if (!page.isLast) continue;
      looked();
      await sleep(everyMs(), undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  private async begin(): Promise<Place | undefined> {
    const progress = await this.progress();
    if (progress?.validity === this.validity && progress.deltaLink !== null)
      return { link: progress.deltaLink, read: progress.deltaRead };
    if (progress?.validity != null) return this.start(progress.validity, { since: since(progress.newestAt) });
    // A new channel begins with the mails that arrive from now on.
    const { newest } = await this.ask(this.reading.inbox.look(this.channel));
    return this.start(null, { since: newest?.at, read: newest && newest.uid });
  }

  /** From a while before the newest mail that was read. Those that were read are recognised by their Message-ID. */
  private async beginAgain(): Promise<Place | undefined> {
    const progress = await this.progress();
    return progress && this.start(progress.validity, { since: since(progress.newestAt) });
  }

  private async start(
    before: string | null,
    { since: from, read }: { since: Date | undefined; read?: number | undefined },
  ): Promise<Place | undefined> {
    const first = {
      validity: this.validity,
      lastUid: 0,
      deltaLink: beginning(this.channel, from),
      deltaRead: read === undefined ? [] : [read],
    };
    const mine = await this.reading.transaction((tx) => {
      tx.changesNothingVisible();
      return startReading(tx, this.channel.id, this.holder, before, first);
    });
    return mine ? { link: first.deltaLink, read: new Set(first.deltaRead) } : undefined;
  }

  private progress(): ReturnType<typeof findProgress> {
    return this.reading.transaction(async (tx) => {
      tx.changesNothingVisible();
      return findProgress(tx, this.channel.id);
    });
  }

  /** @returns false if this process has lost the mailbox */
  private async takeAll(mails: readonly GraphMail[], read: Place["read"]): Promise<boolean> {
    for (const mail of mails) {
      if (this.reading.stopping.aborted) return false;
      if (this.newestAt === null || mail.at > this.newestAt) this.newestAt = mail.at;
      if (read.has(mail.uid)) continue;
      if (!(await this.take(mail))) return false;
      await this.reading.works();
    }
    return true;
  }

  /** Fetches and stores a mail. @returns false if this process has lost the mailbox */
  private async take({ id, uid, at }: GraphMail): Promise<boolean> {
    const { tenantId } = this.channel;
    const { inbox, mails, stopping: signal } = this.reading;
    for (const most of [FIRST_BYTES, MAX_MAIL_BYTES]) {
      const taken = await memory.run(
        tenantId,
        async () => {
          const source = await this.ask(inbox.source(this.channel, id, most));
          // It may have been deleted in the meantime.
          if (!source) return true;
          const goesOn = source.length === most;
          if (goesOn && most < MAX_MAIL_BYTES) return undefined;
          const place = placeInMailbox(this.channel.id, this.holder, { validity: this.validity, uid, at });
          const fetched = {
            at,
            ...(goesOn
              ? { source: source.subarray(0, BEGINNING_BYTES), size: MAX_MAIL_BYTES + 1 }
              : { source, size: source.length }),
          };
          return mails.receive(this.channel, place, fetched, signal);
        },
        { size: most, signal },
      );
      if (taken !== undefined) return taken;
    }
    throw new Error("a mail is longer than it can be");
  }

  private async moveOn({ link: before }: Place, link: string, isLast: boolean): Promise<Place | undefined> {
    // The mails of several pages are in no order: until the last one, older ones may be missing.
    const newestAt = isLast ? this.newestAt : null;
    if (isLast) this.newestAt = null;
    const { validity, holder } = this;
    const mine = await this.reading.transaction((tx) => {
      tx.changesNothingVisible();
      return moveOn(tx, { channelId: this.channel.id, holder, validity, before, link, newestAt });
    });
    return mine ? { link, read: new Set() } : undefined;
  }

  /** Waits for an answer, unless the session is stopped. */
  private async ask<T>(work: Promise<T>): Promise<T> {
    const { stopping } = this.reading;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(stopping.reason as Error);
      if (stopping.aborted) stop();
      stopping.addEventListener("abort", stop, { once: true });
      work.then(resolve, reject).finally(() => stopping.removeEventListener("abort", stop));
    });
  }
}

const since = (newestAt: Date): Date => new Date(newestAt.getTime() - OVERLAP_MS);
