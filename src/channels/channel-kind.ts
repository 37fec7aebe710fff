import type { IncomingHttpHeaders } from "node:http";
import type { Environment } from "../platform/caller/caller.js";
import type { Tx } from "../platform/database/transaction.js";
import type { Mail, Parcel, Send } from "../platform/outbox/outbox.service.js";
import type { ChannelStatus, ChannelType } from "../workspaces/channel.entity.js";

/** A channel as it is worked with: its credentials opened. */
export interface OpenChannel {
  tenantId: string;
  environment: Environment;
  id: string;
  workspaceId: string;
  name: string;
  address: string | null;
  settings: object;
  /** Opened when they are asked for. @throws ChannelError */
  readonly credentials: object | null;
  status: ChannelStatus;
  /** Counts what was set anew. */
  revision: number;
}

/**
 * That a channel does not work, in a sentence that an operator understands and that tells nothing of the network that we
 * stand in. Any other error of a delivery concerns that message alone; `Undeliverable` says that it is final.
 */
export class ChannelError extends Error {
  /** @param lasting as long as nothing is set anew, it is of no use to try again */
  constructor(
    sentence: string,
    readonly lasting = false,
  ) {
    super(sentence);
  }
}

/** What is particular to one type of channel. It is plugged in with `ChannelKinds.plug`. */
export interface ChannelKind {
  readonly type: ChannelType;
  /** What stands in `address`; without it there is none. */
  readonly addressed?: "email" | "phone";
  /** A class with validators: what it does not name is refused. */
  readonly settings: new () => object;
  /** The same for credentials; without it there are none. */
  readonly credentials?: new () => object;
  /** It works without them too. */
  readonly credentialsOptional?: true;
  /** Where credentials go. They are kept for these settings as long as this stays the same: nobody shall collect them by naming another server. */
  boundTo?(settings: object): string;
  /**
   * Makes ready what stands at the other end, in half a minute; until it has, nothing leaves through the channel. It is called again
   * after a failure, and to see whether what was broken works. Without it a channel is active at once.
   * @throws ChannelError
   */
  provision?(channel: OpenChannel): Promise<void>;
  /**
   * Tries what can be tried without an effect.
   * @returns what works, in a sentence for an operator
   * @throws ChannelError
   */
  test(channel: OpenChannel): Promise<string>;
  /** How messages leave; without it they wait to be fetched. */
  readonly deliver?: Delivery;
  /** Why nothing that is written can leave; then it is not taken. */
  readonly mute?: string;
  /**
   * Takes what the other end sends to `/api/webhooks/channels/{id}`; without it there is no such address. Whatever state the channel is in.
   * @throws UnauthorizedException: it is not signed by whoever has the channel's credentials
   */
  receive?(channel: OpenChannel, webhook: Webhook): Promise<Answer>;
}

/** A request of the other end's. */
export interface Webhook {
  /** Scheme, host and port, as the other end sees them. */
  base: string;
  /** From the path on, letter by letter. */
  path: string;
  query: Readonly<Record<string, string | undefined>>;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
export interface Answer {
  type: string;
  text: string;
}

export interface Delivery {
  /**
   * The channel of the workspace through which messages leave instead, if there is one: with its status, and from its address.
   * @throws ConflictException: there is no way at all
   */
  through?(tx: Tx, channel: OpenChannel): Promise<string | undefined>;
  /**
   * Whom a message goes to and what it is called, in the transaction of the reply.
   * @returns undefined where the contact has no address of the kind
   * @throws ConflictException: it can never leave
   */
  envelope(
    tx: Tx,
    conversationId: string,
    message: { body: string; attachmentIds: readonly string[] },
  ): Promise<Omit<Mail, "body"> | undefined>;
  /**
   * Reads, in a transaction, what is needed beside the mail. What it returns sends the message, under an id that is the same at each attempt:
   * the parcel's.
   * @param triedAt when it was first tried, if it was before
   * @throws ChannelError, Undeliverable, TooSoon (what it returns)
   */
  prepare(tx: Tx, channel: OpenChannel, parcel: Parcel, mail: Mail, triedAt: Date | null): Promise<Send>;
  /** In the transaction that notes that a message was given up. */
  gaveUp?(tx: Tx, parcel: Parcel, sentence: string): Promise<void>;
}
