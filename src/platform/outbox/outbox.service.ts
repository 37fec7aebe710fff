import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../caller/caller.js";
import { Config } from "../config/config.js";
import { Database } from "../database/database.js";
import { Sealer } from "../database/seal.js";
import { list, page, time } from "../database/statement.js";
import type { Tx } from "../database/transaction.js";
import { Json, type Page } from "../http/json.js";
import type { PagingDto } from "../http/paging.dto.js";
import type { CapturedMessageDto, OutboundMessageDto, OutboxMessageDto, OutboxStatus } from "./outbox.dto.js";

/** What leaves, in plain text. */
export interface Mail {
  to: string;
  subject: string;
  body: string;
}

/** A conversation's message that leaves through a channel. */
export interface Parcel {
  /** The message's. */
  id: string;
  /** The kind of the channel. */
  channel: string;
  channelId: string;
  conversationId: string;
  /** Where it stands in the conversation. */
  position: number;
}

/** Sends a parcel. @returns the receiver's own id of it, where it gives one */
export type Send = () => Promise<string | void>;

/** Carries parcels: the outbox knows when, the carrier how. */
export interface Carrier {
  /**
   * Reads, in the transaction that takes a parcel up, what it needs to send it.
   * @param triedAt when it was first taken up, if it was before: perhaps it arrived
   * @returns what sends it, within half a minute; undefined where the channel is not active: the parcel waits until `resume`
   */
  prepare(tx: Tx, parcel: Parcel, mail: Mail, triedAt: Date | null): Promise<Send | undefined>;
  /** In the transaction that notes what became of an attempt. */
  settle(tx: Tx, parcel: Parcel, outcome: "sent" | "postponed" | "dead", error?: unknown): Promise<void>;
}

/** That it cannot be sent, however often it is tried. */
export class Undeliverable extends Error {}
/** That the receiver does not want to be asked again before so many seconds. */
export class TooSoon extends Error {
  constructor(
    sentence: string,
    readonly seconds: number,
  ) {
    super(sentence);
  }
}

interface SealedRow<Status = OutboxStatus> extends Omit<OutboundMessageDto, "to" | "subject"> {
  status: Status;
  sealed: string;
}
/** What is known of a message `r` without opening it. */
const ROW = `r.id, r.channel, r.channel_id as "channelId", r.conversation_id as "conversationId", r.status, r.attempts, r.last_error as "lastError", encode(r.sealed, 'base64') as sealed,
      ${time("r.created_at")} as "createdAt", ${time("r.sent_at")} as "sentAt"`;

const MESSAGES = page<SealedRow, { status: string; limit: number; after0?: string; after1?: string }>(
  "outbox.list",
  { none: "only for owners, admins and whoever runs the server" },
  {
    rows: `select m.* from outbox_message m where m.tenant_id = :tenant and m.status = :status
        and (:after0::timestamptz is null or (m.created_at, m.id) < (:after0::timestamptz, :after1::uuid))
      order by m.created_at desc, m.id desc limit :limit + 1`,
    position: [time("r.created_at"), "r.id"],
    item: ROW,
  },
);

/** What went to a person: to an address, in whichever capacity its owner got it, or in a conversation. */
const THEIRS = `select id from outbox_message where tenant_id = :tenant and recipient = any(:recipients::bytea[])
        union select id from outbox_message where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[])`;
const SENT_TO = list<
  SealedRow<OutboxStatus | "captured">,
  { recipients: readonly Buffer[]; conversationIds: readonly string[] }
>(
  "outbox.sent-to",
  { none: "the export of a person is for owners and admins" },
  `select ${ROW} from outbox_message r where r.tenant_id = :tenant and r.id in (${THEIRS}) order by r.created_at, r.id`,
);

const ADD = (queued: string): string => `with message as (
    insert into outbox_message (tenant_id, id, channel, status, sealed, recipient, channel_id, conversation_id, position)
    values (:tenant, :id::uuid, :channel, :status, :sealed, :recipient, :channelId::uuid, :conversationId::uuid, :position::int)
    returning *
  ) ${queued}`;
const QUEUE = `insert into outbox_queue (tenant_id, id, channel_id, conversation_id, position) select tenant_id, id, channel_id, conversation_id, position from message`;

/** Under each key, the newest first. */
export const recipientHashes = (sealer: Sealer, tenantId: string, address: string): Buffer[] =>
  sealer.hashes(`${tenantId} ${address.toLowerCase()}`);

/** Everything that leaves for the outside is written here, in the transaction that causes it; on the test side it stays here. */
@Injectable()
export class Outbox {
  private readonly sealer: Sealer;
  private carrier?: Carrier;

  constructor(
    private readonly db: Database,
    config: Config,
  ) {
    this.sealer = new Sealer(config.secretKeys, "outbox");
  }

  /** For the feature above this one that knows channels. */
  carriedBy(carrier: Carrier): void {
    this.carrier = carrier;
  }

  get carries(): Carrier {
    if (!this.carrier) throw new Error("a parcel without anybody to carry it");
    return this.carrier;
  }

  async mail(tx: Tx, mail: Mail): Promise<void> {
    await this.add(tx, { id: uuid(), channel: "email" }, mail);
  }

  /** @returns whether it will leave; on the test side it does not, and can be read at once */
  leave(tx: Tx, parcel: Parcel, mail: Mail): Promise<boolean> {
    return this.add(tx, parcel, mail);
  }

  private async add(tx: Tx, parcel: Pick<Parcel, "id" | "channel"> & Partial<Parcel>, mail: Mail): Promise<boolean> {
    const { tenantId, environment } = tx.caller;
    const live = environment === "live";
    const sealed = this.sealer.seal(mail, tenantId + parcel.id);
    await tx.query(ADD(live ? QUEUE : "select from message"), {
      ...parcel,
      status: live ? "queued" : "captured",
      sealed,
      recipient: this.recipients(tenantId, mail.to)[0],
    });
    return live;
  }

  private recipients(tenantId: string, address: string): Buffer[] {
    return recipientHashes(this.sealer, tenantId, address);
  }

  /** What was sent, or waits to be sent, to these addresses and in these conversations, oldest first, without what it says. */
  async sentTo(
    caller: Caller,
    addresses: readonly string[],
    conversationIds: readonly string[],
  ): Promise<(OutboundMessageDto & { status: OutboxStatus | "captured" })[]> {
    const recipients = addresses.flatMap((address) => this.recipients(caller.tenantId, address));
    return (await this.db.read(caller, SENT_TO, { recipients, conversationIds }))
      .parse()
      .map((row) => this.envelopeOf(caller, row));
  }

  /** Deletes the same. */
  async erase(tx: Tx, addresses: readonly string[], conversationIds: readonly string[]): Promise<{ mails: number }> {
    const recipients = addresses.flatMap((address) => this.recipients(tx.caller.tenantId, address));
    const gone = await tx.query(
      `delete from outbox_message where tenant_id = :tenant and id in (${THEIRS}) returning 1`,
      { recipients, conversationIds },
    );
    return { mails: gone.length };
  }

  unseal(tenantId: string, id: string, sealed: Buffer): Mail {
    return this.sealer.open<Mail>(sealed, tenantId + id);
  }

  /**
   * The receiver has it: whoever learns it first, from its answer or by other ways, notes it.
   * @returns whether that was news
   */
  async left(tx: Tx, id: string, reference: string | null): Promise<boolean> {
    // Nobody reads it any more, and it may hold a link.
    const news = await tx.query(
      `with gone as (delete from outbox_queue where tenant_id = :tenant and id = :id)
      update outbox_message set status = 'sent', sent_at = now(), last_error = null, sealed = '', reference = coalesce(reference, :reference::text)
      where tenant_id = :tenant and id = :id and status in ('queued', 'dead') returning 1`,
      { id, reference },
    );
    return news.length > 0;
  }

  /** Those of the receiver's ids that are known already. */
  async known(tx: Tx, references: readonly string[]): Promise<string[]> {
    return (
      await tx.query<{ reference: string }>(
        "select reference from outbox_message where tenant_id = :tenant and reference = any(:references::text[])",
        { references },
      )
    ).map(({ reference }) => reference);
  }

  /** What waits because its channel was not active is due now, with all its attempts before it. */
  async resume(tx: Tx, channelId: string): Promise<void> {
    await tx.query(
      `with due as (
        update outbox_queue set due_at = clock_timestamp() where tenant_id = :tenant and channel_id = :channelId and due_at = 'infinity' returning tenant_id, id
      ) update outbox_message m set attempts = 0 from due where m.tenant_id = due.tenant_id and m.id = due.id`,
      { channelId },
    );
  }

  /**
   * Puts what was given up back into the queue, once.
   * @returns the status that it had; undefined where there is no such message
   */
  async retry(
    tx: Tx,
    id: string,
  ): Promise<{ status: OutboxStatus | "captured"; conversationId: string | null } | undefined> {
    const [found] = await tx.query<{ status: OutboxStatus | "captured"; conversationId: string | null }>(
      `with known as (
        select * from outbox_message where tenant_id = :tenant and id = :id for update
      ), message as (
        update outbox_message m set status = 'queued', attempts = 0 from known k where m.tenant_id = k.tenant_id and m.id = k.id and k.status = 'dead' returning m.*
      ), queued as (${QUEUE})
      select status, conversation_id as "conversationId" from known`,
      { id },
    );
    return found;
  }

  /** Newest first, without what they say. */
  async list(caller: Caller, status: OutboxStatus, paging: PagingDto): Promise<Json<Page<OutboxMessageDto>>> {
    return this.opened(caller, status, paging, (row) => this.envelopeOf(caller, row));
  }

  /** What would have left from the test side, or waits for a mail server, with what it says. */
  contents(caller: Caller, status: "captured" | "queued", paging: PagingDto): Promise<Json<Page<CapturedMessageDto>>> {
    return this.opened(caller, status, paging, ({ id, channel, createdAt, sealed }) => {
      const { to, subject, body } = this.open(caller, id, sealed);
      return { id, channel, to, subject, body, createdAt };
    });
  }

  private async opened<T>(
    caller: Caller,
    status: string,
    { limit = 25, cursor }: PagingDto,
    show: (row: SealedRow) => T,
  ): Promise<Json<Page<T>>> {
    const { data, ...rest } = (await this.db.page(caller, MESSAGES, { status }, { limit, cursor })).parse();
    return Json.of({ data: data.map(show), ...rest });
  }

  private open({ tenantId }: Caller, id: string, sealed: string): Mail {
    return this.unseal(tenantId, id, Buffer.from(sealed, "base64"));
  }

  /** To whom and about what it is. Nothing is kept of what was sent. */
  private envelopeOf<Row extends SealedRow<unknown>>(
    caller: Caller,
    { sealed, ...row }: Row,
  ): Omit<Row, "sealed"> & Pick<OutboundMessageDto, "to" | "subject"> {
    const { to, subject } = sealed ? this.open(caller, row.id, sealed) : { to: null, subject: null };
    return { ...row, to, subject };
  }
}
