import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../caller/caller.js";
import { Database } from "../database/database.js";
import { type Sealer, Sealers } from "../database/seal.js";
import type { Tx } from "../database/transaction.js";
import { Json, type Page } from "../http/json.js";
import type { PagingDto } from "../http/paging.dto.js";
import type { Mail, NewOutboxEntry, OutboxKind, OutboxPayload } from "./outbox-kind.js";
import type { CapturedMessageDto, OutboundMessageDto, OutboxMessageDto, OutboxStatus } from "./outbox.dto.js";
import {
  ADD_ALL_CAPTURED,
  ADD_ALL_QUEUED,
  ADD_CAPTURED,
  ADD_CAPTURED_HELD,
  ADD_QUEUED,
  DELETE_SENT_TO,
  FIND_REFERENCES,
  LIST_MESSAGES,
  LIST_SENT_TO,
  MARK_SENT,
  RESUME_CHANNEL,
  RETRY_DEAD,
  type RetriedMessage,
  type SealedRow,
  WITHDRAW,
} from "./outbox.queries.js";
import { OutboxMessageEntity } from "./outbox.entity.js";

/** The name of `OwnMailKind`. */
export const OWN_MAIL = "mail";

/** The message can never be sent: a retry is of no use. */
export class Undeliverable extends Error {}
/** The receiver asks us to wait for this many seconds before the next attempt. */
export class TooSoon extends Error {
  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message);
  }
}

/** The hash of an address under each secret key, the newest first. */
export const recipientHashes = (sealer: Sealer, tenantId: string, address: string): Buffer[] =>
  sealer.hashes(`${tenantId} ${address.toLowerCase()}`);

/** Every outgoing message is stored here, in the transaction that causes it. On the test side it is never sent. */
@Injectable()
export class OutboxService {
  private readonly sealer: Sealer;
  private readonly kinds = new Map<string, OutboxKind<OutboxPayload>>();

  constructor(
    private readonly db: Database,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("outbox");
  }

  register<Payload extends OutboxPayload>(kind: OutboxKind<Payload>): void {
    if (this.kinds.has(kind.name)) throw new Error(`the outbox has two kinds called ${kind.name}`);
    // What is read back under this name was written under it.
    this.kinds.set(kind.name, kind);
  }

  kind(name: string): OutboxKind<OutboxPayload> {
    const kind = this.kinds.get(name);
    if (!kind) throw new Error(`the outbox has no kind called ${name}`);
    return kind;
  }

  get kindNames(): string[] {
    return [...this.kinds.keys()];
  }

  /** The names of the kinds whose entries can be sent now. */
  get availableKinds(): string[] {
    return [...this.kinds.values()].filter(({ available }) => available).map(({ name }) => name);
  }

  async mail(tx: Tx, mail: Mail): Promise<void> {
    const entry = { id: uuid(), channel: "email", channelId: null, conversationId: null, position: null };
    await this.add(tx, this.kind(OWN_MAIL), entry, mail);
  }

  /** @returns whether it will be sent: false on the test side */
  async add<Payload extends OutboxPayload>(
    tx: Tx,
    kind: OutboxKind<Payload>,
    entry: NewOutboxEntry,
    payload: Payload,
  ): Promise<boolean> {
    if (this.kind(kind.name) !== kind) throw new Error(`another outbox kind is called ${kind.name}`);
    const { tenantId, environment } = tx.caller;
    const live = environment === "live";
    await tx.query(live ? ADD_QUEUED : entry.holdSeconds ? ADD_CAPTURED_HELD : ADD_CAPTURED, {
      ...entry,
      kind: kind.name,
      status: live ? "queued" : "captured",
      sealed: this.sealer.seal(payload, tenantId + entry.id),
      recipient: this.recipients(tenantId, payload.to)[0],
    });
    return live;
  }

  /** Adds many entries that differ in nothing but their ids and payloads, in one statement. */
  async addAll<Payload extends OutboxPayload>(
    tx: Tx,
    kind: OutboxKind<Payload>,
    shared: Omit<NewOutboxEntry, "id">,
    entries: readonly { id: string; payload: Payload }[],
  ): Promise<void> {
    if (this.kind(kind.name) !== kind) throw new Error(`another outbox kind is called ${kind.name}`);
    const { tenantId, environment } = tx.caller;
    const live = environment === "live";
    await tx.query(live ? ADD_ALL_QUEUED : ADD_ALL_CAPTURED, {
      ...shared,
      kind: kind.name,
      status: live ? "queued" : "captured",
      ids: entries.map(({ id }) => id),
      sealed: entries.map(({ id, payload }) => this.sealer.seal(payload, tenantId + id)),
      recipients: entries.map(({ payload }) => this.recipients(tenantId, payload.to)[0]!),
    });
  }

  /** Takes back an entry that is held. @returns false if it is being sent, or was */
  async withdraw(tx: Tx, id: string): Promise<boolean> {
    return (await tx.query(WITHDRAW, { id })).length > 0;
  }

  /** The time is over for which an entry of the test side was held. */
  async captured(tx: Tx, id: string): Promise<void> {
    const entry = await tx.findOne(OutboxMessageEntity, { id, status: "captured" });
    if (entry) await this.kind(entry.kind).captured?.(tx, id);
  }

  private recipients(tenantId: string, address: string): Buffer[] {
    return recipientHashes(this.sealer, tenantId, address);
  }

  /** Messages to these addresses and in these conversations, oldest first, without their text. */
  async sentTo(
    caller: Caller,
    addresses: readonly string[],
    conversationIds: readonly string[],
  ): Promise<(OutboundMessageDto & { status: OutboxStatus | "captured" })[]> {
    const recipients = addresses.flatMap((address) => this.recipients(caller.tenantId, address));
    return (await this.db.read(caller, LIST_SENT_TO, { recipients, conversationIds }))
      .parse()
      .map((row) => this.envelopeOf(caller, row));
  }

  /** Deletes the messages to these addresses and in these conversations. */
  async erase(tx: Tx, addresses: readonly string[], conversationIds: readonly string[]): Promise<{ mails: number }> {
    const recipients = addresses.flatMap((address) => this.recipients(tx.caller.tenantId, address));
    const gone = await tx.query(DELETE_SENT_TO, { recipients, conversationIds });
    return { mails: gone.length };
  }

  unseal(tenantId: string, id: string, sealed: Buffer): OutboxPayload {
    return this.sealer.open<OutboxPayload>(sealed, tenantId + id);
  }

  /**
   * Records that the receiver has the message. The worker learns that from the receiver's answer, or a webhook reports it
   * first.
   * @returns whether it was not known before
   */
  async left(tx: Tx, id: string, reference: string | null): Promise<boolean> {
    return (await tx.query(MARK_SENT, { id, reference })).length > 0;
  }

  /** Returns the receiver's ids that belong to one of our messages. */
  async known(tx: Tx, references: readonly string[]): Promise<string[]> {
    return (await tx.query(FIND_REFERENCES, { references })).map(({ reference }) => reference);
  }

  /** Makes the messages that waited for this channel due now, with all their attempts before them. */
  async resume(tx: Tx, channelId: string): Promise<void> {
    await tx.query(RESUME_CHANNEL, { channelId });
  }

  /**
   * Queues a dead message again. A message with another status does not change.
   * @returns its status before; undefined if there is no such message
   */
  async retry(tx: Tx, id: string): Promise<RetriedMessage | undefined> {
    const [found] = await tx.query(RETRY_DEAD, { id });
    if (found?.status === "dead") await this.kind(found.kind).requeued?.(tx, id);
    return found;
  }

  /** Newest first, without their text. */
  async list(caller: Caller, status: OutboxStatus, paging: PagingDto): Promise<Json<Page<OutboxMessageDto>>> {
    return this.opened(caller, status, paging, (row) => this.envelopeOf(caller, row));
  }

  /** Messages with their text: those of the test side, or those that wait for a mail server. */
  contents(caller: Caller, status: "captured" | "queued", paging: PagingDto): Promise<Json<Page<CapturedMessageDto>>> {
    return this.opened(caller, status, paging, (row) => {
      const { id, channel, createdAt } = row;
      const { to, subject, body, html = null } = this.open(caller, row);
      return { id, channel, to, subject, body, html, createdAt };
    });
  }

  private async opened<T>(
    caller: Caller,
    status: string,
    { limit = 25, cursor }: PagingDto,
    show: (row: SealedRow) => T,
  ): Promise<Json<Page<T>>> {
    const { data, ...rest } = (await this.db.page(caller, LIST_MESSAGES, { status }, { limit, cursor })).parse();
    return Json.of({ data: data.map(show), ...rest });
  }

  private open({ tenantId }: Caller, { id, kind, sealed }: Pick<SealedRow, "id" | "kind" | "sealed">): Mail {
    return this.kind(kind).show(this.unseal(tenantId, id, Buffer.from(sealed, "base64")));
  }

  /** Adds recipient and subject. Both are null once the message was sent. */
  private envelopeOf<Row extends SealedRow<unknown>>(
    caller: Caller,
    { sealed, kind, ...row }: Row,
  ): Omit<Row, "sealed" | "kind"> & Pick<OutboundMessageDto, "to" | "subject"> {
    const { to, subject } = sealed ? this.open(caller, { id: row.id, kind, sealed }) : { to: null, subject: null };
    return { ...row, to, subject };
  }
}
