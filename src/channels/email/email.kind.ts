import type { Readable } from "node:stream";
import { Injectable } from "@nestjs/common";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import { MessageEntity } from "../../conversations/conversation.entity.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
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
import { EmailCredentials, EmailSettings, type MailServerSettings } from "./email.settings.js";
import { MailDomain } from "./domain/mail-domain.js";
import { explain } from "./mail-server-errors.js";
import { type Inbox, lookIntoInbox, receiving } from "./imap-client.js";
import { noteFirstUid, validityOf } from "./mailbox-progress.js";
import { DeliveryReports } from "./delivery-reports.js";
import { emailEnvelope, RECIPIENT_OF_EMAIL } from "./email-recipient.js";
import { type OutgoingMail, outgoingMail } from "./outgoing-mail.js";
import { addressing, refusedOf } from "./mail-addressing.js";
import { ReplyAddresses } from "./reply-addresses.js";
import { accountOf, MailboxLogins } from "./sign-in/mailbox-logins.js";
import { ENDED } from "./sign-in/mailbox-tokens.js";
import { SignInCredentials } from "./sign-in/sign-in.settings.js";
import { SmtpTransports } from "./smtp-transports.js";
import { LOOP_HEADER } from "./classify-mail.js";
import { ThreadIndexes } from "./thread-index.js";
import { placeFiles } from "./place-files.js";
import { composeLetter } from "../letter/compose.js";
import { contentIdOf } from "../letter/letter-html.js";
import { isLetter } from "../letter/letter.js";
import { partsOf } from "../letter/letter-parts.js";

/** For each of the two servers, so that a test of both takes less than 10 seconds. */
const TRY_MS = 4_500;
interface MailContent {
  text: string;
  html: string | undefined;
  attachments: { filename: string; contentType: string; content: Readable }[];
}

/** Email channels: SMTP to send and, if it is set, IMAP to receive. */
@Injectable()
export class EmailKind implements ChannelKind {
  readonly type = "email";
  readonly addressed = "email";
  readonly settings = EmailSettings;
  readonly credentials = EmailCredentials;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId) => emailEnvelope(tx, RECIPIENT_OF_EMAIL, conversationId),
    compose: composeLetter,
    prepare: async (tx, channel, parcel, mail) => {
      const outgoing = await outgoingMail(tx, parcel, mail);
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
  ) {
    kinds.plug(this);
  }

  /** Mails are proven to be from their senders only as far as nobody else can put them into the mailbox. */
  credentialsVouch(settings: object): boolean {
    return Boolean((settings as EmailSettings).imap);
  }

  settingsVouch(settings: object): string {
    const { imap } = settings as EmailSettings;
    return imap
      ? `${imap.host}:${imap.port} ${imap.security} ${imap.authenticatedBy ?? ""}${applicationOf(settings)}`
      : "";
  }

  /** An application that signs in as itself may open each mailbox that its permissions name. */
  boundTo(settings: object, address: string | null): string {
    const { smtp, imap, signIn } = settings as EmailSettings;
    const servers = [smtp, imap].map((server) => server && `${server.host}:${server.port}`).join(" ");
    return servers + applicationOf(settings) + (signIn?.grant === "client_credentials" ? ` ${address}` : "");
  }

  credentialsOf(settings: object): new () => object {
    return (settings as EmailSettings).signIn ? SignInCredentials : EmailCredentials;
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
    const { uidNext, uidValidity } = (await this.tryBoth(channel)) ?? {};
    // A server need not say where the next mail comes in. Then the first look at the mailbox finds out.
    if (!uidNext || !uidValidity) return;
    const { imap } = channel.settings as EmailSettings;
    const validity = validityOf(imap!, accountOf(channel), uidValidity);
    return (tx) => noteFirstUid(tx, channel.id, { validity, lastUid: uidNext - 1 });
  }

  /** What the DNS says about the domain is worth knowing also where signing in fails. */
  async test(channel: OpenChannel): Promise<Tested> {
    const inbox = this.tryBoth(channel, channel.address!);
    const own = inbox.then((found) => found?.own).catch(() => undefined);
    const [works, mailDomain] = await Promise.all([
      inbox.then(sentence).catch((error: unknown) => {
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
  private async tryBoth(channel: OpenChannel, sender?: string): Promise<Inbox | undefined> {
    const { imap } = channel.settings as EmailSettings;
    const [, inbox] = await Promise.all([
      this.transports.try(channel, TRY_MS),
      imap ? this.tryReceiving(channel, imap, sender) : undefined,
    ]);
    return inbox;
  }

  private async tryReceiving(channel: OpenChannel, imap: MailServerSettings, sender?: string): Promise<Inbox> {
    try {
      const { address } = await this.transports.addressOf(imap);
      return await this.logins.receive(channel, (login) => lookIntoInbox(imap, address, login, TRY_MS, sender));
    } catch (error) {
      throw explain(error, receiving(imap));
    }
  }

  private async send(
    channel: OpenChannel,
    { id, conversationId }: Parcel,
    mail: Mail,
    { subject, references, inReplyTo, files, recipients }: OutgoingMail,
  ): Promise<{ refused: Refused[] } | undefined> {
    const { fromName, plusAddressing } = channel.settings as EmailSettings;
    // A missing file is not an error of the mail server.
    const { text, html, attachments } = await this.content(channel, mail, files);
    try {
      return await this.transports.send(channel, async (transport) =>
        refusedOf(
          await transport.sendMail({
            from: { name: fromName ?? "", address: channel.address! },
            ...addressing(mail.to, recipients, () =>
              plusAddressing
                ? this.addresses.of(channel.address!, { tenantId: channel.tenantId, conversationId, messageId: id })
                : undefined,
            ),
            subject,
            text,
            html,
            // The same at each attempt, so that a mailbox recognises a repeat.
            messageId: `<${id}@parley>`,
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
        ),
      );
    } finally {
      for (const { content } of attachments) content.destroy();
    }
  }

  /** The text of a mail in both parts, and its files: in the text, attached, or too large and so behind links. */
  private async content(channel: OpenChannel, mail: Mail, files: OutgoingMail["files"]): Promise<MailContent> {
    const { tenantId, settings } = channel;
    const placed = placeFiles(mail, files, (settings as EmailSettings).maxMessageMb, (id, until) =>
      this.attachments.linkUntil({ tenantId, id }, until),
    );
    const { text, html } = isLetter(mail) ? partsOf(mail, placed) : { text: mail.body, html: undefined };
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

const sentence = (inbox: Inbox | undefined): Pick<Tested, "ok" | "message"> => ({
  ok: true,
  message: inbox
    ? `Signed in to send and to receive; the inbox holds ${inbox.exists} ${inbox.exists === 1 ? "mail" : "mails"}`
    : "Signed in to send; nothing is received here",
});

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

/** The application that signs in. Its settings decide who gets its secret and the tokens. */
function applicationOf(settings: object): string {
  const { signIn } = settings as EmailSettings;
  if (!signIn) return "";
  const { provider, grant, clientId, tenant, issuer, authorizeUrl, tokenUrl, userinfoUrl } = signIn;
  return ` ${JSON.stringify([provider, grant, clientId, tenant, issuer, authorizeUrl, tokenUrl, userinfoUrl].map((value) => value ?? null))}`;
}
