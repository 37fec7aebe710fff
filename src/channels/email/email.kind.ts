import type { Readable } from "node:stream";
import { Injectable } from "@nestjs/common";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import { MessageEntity } from "../../conversations/conversation.entity.js";
import { Config } from "../../platform/config/config.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { messageIdOf } from "../../platform/outbox/message-id.js";
import { TooSoon } from "../../platform/outbox/outbox.service.js";
import {
  ChannelError,
  type ChannelKind,
  type Delivery,
  type OpenChannel,
  type Parcel,
  type Refused,
  type Tested,
} from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { EmailCredentials, EmailSettings, type MailServerSettings, receives } from "./email.settings.js";
import { MailDomain } from "./domain/mail-domain.js";
import { explain } from "./mail-server-errors.js";
import { beginning, GraphInbox, graphValidity } from "./graph/graph-inbox.js";
import { GraphSender, MAX_GRAPH_MB } from "./graph/graph.sender.js";
import { type Inbox, lookIntoInbox, receiving } from "./imap-client.js";
import { type Beginning, noteBeginning, validityOf } from "./mailbox-progress.js";
import { DeliveryReports } from "./delivery-reports.js";
import { emailEnvelope, RECIPIENT_OF_EMAIL } from "./email-recipient.js";
import { type OutgoingMail, outgoingMail } from "./outgoing-mail.js";
import { addressing, refusedOf } from "./mail-addressing.js";
import { ReplyAddresses } from "./reply-addresses.js";
import { accountOf, MailboxLogins, signsIn } from "./sign-in/mailbox-logins.js";
import { ENDED } from "./sign-in/mailbox-tokens.js";
import { SignInCredentials } from "./sign-in/sign-in.settings.js";
import { SmtpTransports } from "./smtp-transports.js";
import { INBOUND_CREDENTIALS, type InboundSettings } from "./webhooks/inbound.settings.js";
import { MailWebhooksService } from "./webhooks/mail-webhooks.service.js";
import { LOOP_HEADER } from "./classify-mail.js";
import { ThreadIndexes } from "./thread-index.js";
import { placeFiles } from "./place-files.js";
import { composeLetter } from "../letter/compose.js";
import { contentIdOf } from "../letter/letter-html.js";
import { isLetter, type Letter } from "../letter/letter.js";
import { partsOf } from "../letter/letter-parts.js";

/** For each of the two servers, so that a test of both takes less than 10 seconds. */
const TRY_MS = 4_500;
/** Where Microsoft's mailboxes are read by IMAP: they are the same that Graph reads. */
const GRAPH_HOST = "outlook.office365.com";
/** Both ports of IMAP open the same mailboxes. Behind any other one there can be another server. */
const serverOf = ({ host, port }: MailServerSettings): string =>
  port === 143 || port === 993 ? host : `${host}:${port}`;

interface MailContent {
  text: string;
  html: string | undefined;
  attachments: { filename: string; contentType: string; content: Readable }[];
}

/** What a look into the mailbox finds. */
interface Found {
  exists: number;
  own?: Inbox["own"];
  /** Where reading begins. A server need not say where the next mail comes in: then the first look at the mailbox finds out. */
  first?: Beginning | undefined;
}

/** Email channels: SMTP to send and, if it is set, IMAP to receive. Or Microsoft Graph for both. */
@Injectable()
export class EmailKind implements ChannelKind {
  readonly type = "email";
  readonly addressed = "email";
  readonly settings = EmailSettings;
  readonly credentials = EmailCredentials;
  readonly hasWebhooks = true;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId) => emailEnvelope(tx, RECIPIENT_OF_EMAIL, conversationId),
    compose: composeLetter,
    prepare: async (tx, channel, parcel, mail) => {
      const outgoing = await outgoingMail(tx, channel, parcel, mail);
      return () => this.send(channel, parcel, mail, outgoing);
    },
    gaveUp: async (tx, { id, conversationId }, sentence) => {
      const message = await tx.findOne(MessageEntity, { id });
      await this.reports.gaveUp(tx, conversationId, sentence, message?.recipients?.forward !== undefined);
    },
  };
  constructor(
    kinds: ChannelKinds,
    private readonly transports: SmtpTransports,
    private readonly attachments: AttachmentsService,
    private readonly addresses: ReplyAddresses,
    private readonly logins: MailboxLogins,
    private readonly reports: DeliveryReports,
    private readonly indexes: ThreadIndexes,
    private readonly domain: MailDomain,
    private readonly graphSender: GraphSender,
    private readonly graphInbox: GraphInbox,
    private readonly webhooks: MailWebhooksService,
    private readonly config: Config,
  ) {
    kinds.plug(this);
  }

  /** Mails are proven to be from their senders only as far as nobody else can put them into the mailbox. */
  credentialsVouch(settings: object): boolean {
    return receives(settings);
  }

  settingsVouch(settings: object): string {
    const { imap, graph, inbound } = settings as EmailSettings;
    if (graph) return receives(settings) ? `graph${applicationOf(settings)}` : "";
    if (inbound) return `inbound ${JSON.stringify([inbound.provider, inbound.topicArn ?? null, bucketOf(inbound)])}`;
    return imap
      ? `${imap.host}:${imap.port} ${imap.security} ${imap.authenticatedBy ?? ""}${applicationOf(settings)}`
      : "";
  }

  /** An application that signs in as itself may open each mailbox that its permissions name. */
  boundTo(settings: object, address: string | null): string {
    const { smtp, imap, graph, inbound, signIn } = settings as EmailSettings;
    // The permissions of a token follow from what the channel does with Graph.
    const servers = graph
      ? `graph ${receives(settings)}`
      : [smtp, imap].map((server) => server && `${server.host}:${server.port}`).join(" ");
    // The secret of one provider proves nothing about another one.
    const provider = inbound ? ` ${JSON.stringify([inbound.provider, bucketOf(inbound)])}` : "";
    return servers + provider + applicationOf(settings) + (signIn?.grant === "client_credentials" ? ` ${address}` : "");
  }

  reads(channel: Pick<OpenChannel, "address" | "settings" | "credentials">): string | undefined {
    const { imap, graph } = channel.settings as EmailSettings;
    const server = graph ? receives(channel.settings) && GRAPH_HOST : imap && serverOf(imap);
    if (!server || (!signsIn(channel) && !channel.credentials)) return undefined;
    return `${accountOf(channel).toLowerCase()} ${server}`;
  }

  credentialsOf(settings: object): new () => object {
    const { signIn, inbound } = settings as EmailSettings;
    if (inbound) return INBOUND_CREDENTIALS[inbound.provider];
    return signIn ? SignInCredentials : EmailCredentials;
  }

  /** Some providers know the application without a secret. */
  credentialsOptional(settings: object): boolean {
    return (settings as EmailSettings).signIn?.grant === "code";
  }

  waitsFor({ settings, signIn }: Pick<OpenChannel, "settings" | "signIn">): string | undefined {
    if ((settings as EmailSettings).signIn?.grant !== "code") return undefined;
    if (signIn?.endedAt) return ENDED;
    return signIn?.account ? undefined : "Nobody has signed in to the mailbox yet";
  }

  /** What is in the inbox now is older than the channel. What arrives once it is active is taken in, although nobody reads it yet. */
  async provision(channel: OpenChannel): Promise<((tx: Tx) => Promise<void>) | void> {
    const first = (await this.tryBoth(channel))?.first;
    if (first) return (tx) => noteBeginning(tx, channel.id, first);
  }

  /** What the DNS says about the domain is worth knowing also where signing in fails. */
  async test(channel: OpenChannel): Promise<Tested> {
    const inbox = this.tryBoth(channel, channel.address!);
    const own = inbox.then((found) => found?.own).catch(() => undefined);
    const { inbound } = channel.settings as EmailSettings;
    const [works, mailDomain] = await Promise.all([
      inbox
        .then((found) => (inbound ? this.webhooks.test(channel, inbound) : sentence(found)))
        .catch((error: unknown) => {
          if (error instanceof ChannelError) return { ok: false, message: error.message };
          throw error;
        }),
      this.domain.check(channel.address!, channel.settings as EmailSettings, own),
    ]);
    return { ...works, mailDomain };
  }

  /**
   * @param sender whose newest mail is looked for
   * @returns the inbox, if the channel receives
   */
  private async tryBoth(channel: OpenChannel, sender?: string): Promise<Found | undefined> {
    const { imap, graph } = channel.settings as EmailSettings;
    if (graph) return this.tryGraph(channel);
    const [, found] = await Promise.all([
      this.transports.try(channel, TRY_MS),
      imap ? this.tryReceiving(channel, imap, sender) : undefined,
    ]);
    return found;
  }

  private async tryReceiving(channel: OpenChannel, imap: MailServerSettings, sender?: string): Promise<Found> {
    try {
      const { address } = await this.transports.addressOf(imap);
      const { exists, own, uidNext, uidValidity } = await this.logins.receive(channel, (login) =>
        lookIntoInbox(imap, address, login, TRY_MS, sender),
      );
      const validity = uidValidity && validityOf(imap, accountOf(channel), uidValidity);
      return { exists, own, first: uidNext && validity ? { validity, lastUid: uidNext - 1 } : undefined };
    } catch (error) {
      throw explain(error, receiving(imap));
    }
  }

  private async tryGraph(channel: OpenChannel): Promise<Found | undefined> {
    try {
      const [, found] = await Promise.all([
        this.graphSender.try(channel, TRY_MS),
        receives(channel.settings) ? this.graphInbox.look(channel, TRY_MS) : undefined,
      ]);
      if (!found) return undefined;
      const { exists, newest } = found;
      const deltaLink = beginning(channel, newest?.at);
      // The newest mail is older than the channel, and the link leads to it.
      const deltaRead = newest ? [newest.uid] : [];
      return { exists, first: { validity: graphValidity(channel), lastUid: 0, deltaLink, deltaRead } };
    } catch (error) {
      throw error instanceof TooSoon ? new ChannelError(error.message) : error;
    }
  }

  private async send(
    channel: OpenChannel,
    { id, conversationId }: Parcel,
    mail: Mail,
    { subject, references, inReplyTo, files, recipients }: OutgoingMail,
  ): Promise<{ refused: Refused[] } | undefined> {
    const { fromName, plusAddressing, graph } = channel.settings as EmailSettings;
    const sender = graph ? this.graphSender : this.transports;
    // A missing file is not an error of the mail server.
    const { text, html, attachments } = await this.content(channel, mail, files);
    try {
      return refusedOf(
        await sender.send(channel, {
          from: { name: fromName ?? "", address: channel.address! },
          ...addressing(mail.to, recipients, () =>
            plusAddressing
              ? this.addresses.of(channel.address!, { tenantId: channel.tenantId, conversationId, messageId: id })
              : undefined,
          ),
          subject,
          text,
          html,
          messageId: messageIdOf(id, channel.address!),
          ...(inReplyTo && { inReplyTo }),
          ...(references.length && { references }),
          attachments,
          ...calendarPart(mail),
          headers: {
            [LOOP_HEADER]: channel.address!,
            ...submittedHeader(mail),
            // For the third person, and for an organizer's calendar, a thread begins. See `outgoingMail`.
            ...(!recipients?.forward &&
              !recipients?.invitation && { "Thread-Index": this.indexes.of(channel.tenantId, conversationId) }),
          },
        }),
      );
    } finally {
      for (const { content } of attachments) content.destroy();
    }
  }

  /** The text of a mail in both parts, and its files: in the text, attached, or too large and so behind links. */
  private async content(channel: OpenChannel, mail: Mail, files: OutgoingMail["files"]): Promise<MailContent> {
    const { tenantId, settings } = channel;
    const { maxMessageMb, graph } = settings as EmailSettings;
    const maxMb = graph ? Math.min(maxMessageMb ?? MAX_GRAPH_MB, MAX_GRAPH_MB) : maxMessageMb;
    const placed = placeFiles(mail, files, maxMb, (id, until) => this.attachments.linkUntil({ tenantId, id }, until));
    const { text, html } = isLetter(mail)
      ? partsOf(withAddress(mail, this.config.publicUrl), placed)
      : { text: mail.body, html: undefined };
    const attachments = await Promise.all(
      placed.attached.map(async ({ id, fileName, contentType }) => ({
        filename: fileName,
        contentType,
        content: await this.attachments.bytes({ tenantId, id }),
        ...(placed.pictures.has(id) && { cid: contentIdOf(id), contentDisposition: "inline" as const }),
      })),
    );
    return { text, html, attachments };
  }
}

const sentence = (inbox: Found | undefined): Pick<Tested, "ok" | "message"> => ({
  ok: true,
  message: inbox
    ? `Signed in to send and to receive; the inbox holds ${inbox.exists} ${inbox.exists === 1 ? "mail" : "mails"}`
    : "Signed in to send; nothing is received here",
});

/** The logo of a workspace is on this server, and the mail names it by a whole address. */
function withAddress(mail: Letter, publicUrl: string): Letter {
  const { logo } = mail.letter;
  return logo
    ? { ...mail, letter: { ...mail.letter, logo: { ...logo, url: new URL(logo.url, publicUrl).href } } }
    : mail;
}

/** Only beside the text: as a file, too, calendars would show it twice. */
const calendarPart = (mail: Mail): object =>
  isLetter(mail) && mail.letter.calendar
    ? {
        alternatives: [
          {
            contentType: `text/calendar; charset=utf-8; method=${mail.letter.calendar.method}`,
            content: mail.letter.calendar.text,
          },
        ],
      }
    : {};

const submittedHeader = (mail: Mail): Record<string, string> =>
  isLetter(mail) && mail.letter.submitted ? { "Auto-Submitted": mail.letter.submitted } : {};

/** Where mails are stored that the credentials open. */
const bucketOf = ({ bucket, bucketRegion }: InboundSettings): (string | null)[] => [
  bucket ?? null,
  bucketRegion ?? null,
];

/** The application that signs in. Its settings decide who gets its secret and the tokens. */
function applicationOf(settings: object): string {
  const { signIn } = settings as EmailSettings;
  if (!signIn) return "";
  const { provider, grant, clientId, tenant, issuer, authorizeUrl, tokenUrl, userinfoUrl } = signIn;
  return ` ${JSON.stringify([provider, grant, clientId, tenant, issuer, authorizeUrl, tokenUrl, userinfoUrl].map((value) => value ?? null))}`;
}
