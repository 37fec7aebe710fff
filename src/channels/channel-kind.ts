import type { IncomingHttpHeaders } from "node:http";
import type { Environment } from "../platform/caller/caller.js";
import type { Tx } from "../platform/database/transaction.js";
import type { Mail, Send } from "../platform/outbox/outbox-kind.js";
import type { Outgoing } from "./letter/compose.js";
import type { Letter } from "./letter/letter.js";
import type { MailDomainDto } from "../workspaces/channel.dto.js";
import type { ChannelEntity, ChannelSignIn, ChannelStatus, ChannelType } from "../workspaces/channel.entity.js";

/** A channel to work with: its credentials are open. */
export interface OpenChannel {
  tenantId: string;
  environment: Environment;
  id: string;
  workspaceId: string;
  name: string;
  address: string | null;
  settings: object;
  /** Opened when they are first read. @throws ChannelError */
  readonly credentials: object | null;
  signIn: ChannelSignIn | null;
  status: ChannelStatus;
  /** Goes up with each change of address, settings or credentials. */
  revision: number;
}

/**
 * The channel does not work. The message is for an operator, and reveals nothing about our own network. Any other error of a
 * delivery concerns that one message; `Undeliverable` says that a retry is of no use.
 */
export class ChannelError extends Error {
  /** @param lasting a retry is of no use until an operator changes something */
  constructor(
    message: string,
    readonly lasting = false,
  ) {
    super(message);
  }
}

/** A recipient whom the other end refused, while it took the message for others. `Send` returns them as `refused`. */
export interface Refused {
  address: string;
  reason: string;
}

/** A conversation's message that leaves through a channel. */
export interface Parcel {
  /** The message's. */
  id: string;
  /** The type of the channel. */
  channel: string;
  channelId: string;
  conversationId: string;
  /** Where the message is in the conversation. */
  position: number;
}

/** What is particular to one type of channel. Register it with `ChannelKinds.plug`. */
export interface ChannelKind {
  readonly type: ChannelType;
  /** What `address` holds. Without it the channel has no address. */
  readonly addressed?: "email" | "phone";
  /** A class with validators. Unknown fields are refused. */
  readonly settings: new () => object;
  /** The same for credentials. Without it the channel has none. */
  readonly credentials?: new () => object;
  /** The credentials of a channel with these settings, where they differ from `credentials`. */
  credentialsOf?(settings: object): new () => object;
  /** The channel also works without credentials. */
  credentialsOptional?(settings: object): boolean;
  /** What a person has to do before the channel can be set up, such as to sign in; undefined if nothing. */
  waitsFor?(channel: Pick<ChannelEntity, "settings" | "signIn">): string | undefined;
  /**
   * Whether whoever has the credentials says who a contact is, in the whole tenant. Then only a caller that reaches the whole
   * tenant may store them, or change the address that they are for.
   */
  credentialsVouch?(settings: object): boolean;
  /** What of the settings decides the same. Only such a caller may change it. */
  settingsVouch?(settings: object): string;
  /**
   * The servers that get the credentials, and what the credentials open if the address decides that. When this changes, stored
   * credentials are deleted, so that nobody can collect them by pointing the channel at a server of their own, or open something
   * else with them.
   */
  boundTo?(settings: object, address: string | null): string;
  /** The mailbox that the channel reads, if it reads one. Two channels that read the same one would both take in each mail, and answer it twice. */
  reads?(channel: Pick<OpenChannel, "address" | "settings" | "credentials">): string | undefined;
  /**
   * Sets up the other end, within 30 seconds. Until it succeeds, nothing is sent through the channel. It is called again
   * after a failure, and to find out whether a channel in error works again. Without it a channel is active at once.
   * @returns what to record in the transaction that makes the channel active, if anything
   * @throws ChannelError
   */
  provision?(channel: OpenChannel): Promise<((tx: Tx) => Promise<void>) | void>;
  /**
   * Tests the channel without any effect on the other end.
   * @returns what works, in a sentence for an operator; or also what fails, if there is more to tell
   * @throws ChannelError
   */
  test(channel: OpenChannel): Promise<string | Tested>;
  /** How messages are sent. Without it they wait until they are fetched. */
  readonly deliver?: Delivery;
  /** Why replies are refused, for channels that cannot send any. */
  readonly mute?: string;
  /**
   * API keys fetch our messages and pass them on to the contact, so they read what only the contact may. A conversation that
   * an integration starts without naming a channel uses the workspace's first one of these.
   */
  readonly fetched?: true;
  /** Each workspace has a channel of this kind from its beginning, under this name. */
  readonly inEveryWorkspace?: string;
  /** What contacts reach a channel at, where it follows from its ids and nobody sets it. */
  publicAddress?(tenantId: string, channelId: string): string;
  /** Webhooks of these channels come to an address of their own, which names the channel. */
  readonly hasWebhooks?: true;
  /**
   * Handles a request to `/api/webhooks/channels/{id}`, whatever the channel's status. Without it that address is a 401.
   * @throws UnauthorizedException: the request is not signed with the channel's credentials
   */
  receive?(channel: OpenChannel, webhook: Webhook): Promise<Answer>;
}

/** How a test ended. */
export interface Tested {
  ok: boolean;
  message: string;
  mailDomain: MailDomainDto | null;
}

/** A request from a provider. */
export interface Webhook {
  /** Scheme, host and port as the provider sees them. */
  base: string;
  /** Path and query, exactly as they came. */
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
   * Another channel of the workspace that messages are sent through, if there is one. Its status and its address count.
   * @throws ConflictException: there is no way to send
   */
  through?(tx: Tx, channel: OpenChannel): Promise<string | undefined>;
  /**
   * Recipient and subject of a message, in the transaction of the reply.
   * @returns undefined if the contact has no address of this kind
   * @throws ConflictException: the message can never be sent
   */
  envelope(
    tx: Tx,
    conversationId: string,
    message: { body: string; attachmentIds: readonly string[] },
  ): Promise<Omit<Mail, "body"> | undefined>;
  /**
   * The text of a message and what goes with it, such as a signature, in the transaction of the reply. Without it, only the text
   * leaves, and without Markdown's marks.
   */
  compose?(tx: Tx, outgoing: Outgoing): Promise<Pick<Letter, "body" | "letter">>;
  /**
   * Reads what else the message needs. The function that it returns sends the message; it uses the same id, the parcel's,
   * at each attempt.
   * @param triedAt when it was first tried, if it was
   * @throws ChannelError, Undeliverable, TooSoon: by the function that it returns
   */
  prepare(tx: Tx, channel: OpenChannel, parcel: Parcel, mail: Mail, triedAt: Date | null): Promise<Send>;
  /** Called in the transaction that records that the outbox gave up on a message. */
  gaveUp?(tx: Tx, parcel: Parcel, error: string): Promise<void>;
}
