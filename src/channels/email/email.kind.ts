import net from "node:net";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { Transporter } from "nodemailer";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { ChannelError, type ChannelKind, type Delivery, type OpenChannel, type Parcel } from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { EmailCredentials, EmailSettings, type MailServerSettings } from "./email.settings.js";
import { explain, explainDelivery } from "./mail-server-errors.js";
import { type Inbox, lookIntoInbox, receiving } from "./imap-client.js";
import { noteFirstUid, validityOf } from "./mailbox-progress.js";
import { emailEnvelope, RECIPIENT_OF_EMAIL } from "./email-recipient.js";
import { type OutgoingMail, outgoingMail } from "./outgoing-mail.js";
import { LOOP_HEADER } from "./classify-mail.js";

/** For each of the two servers, so that a test of both takes less than 10 seconds. */
const TRY_MS = 4_500;
const SEND_MS = 20_000;
const CONNECTIONS = 5;
/** Unused connections are closed after this time. */
const IDLE_MS = 60_000;

interface Pool {
  revision: number;
  transport: Transporter;
  idle: NodeJS.Timeout;
}

/** Email channels: SMTP to send and, if it is set, IMAP to receive. */
@Injectable()
export class EmailKind implements ChannelKind, OnModuleDestroy {
  readonly type = "email";
  readonly addressed = "email";
  readonly settings = EmailSettings;
  readonly credentials = EmailCredentials;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId) => emailEnvelope(tx, RECIPIENT_OF_EMAIL, conversationId),
    prepare: async (tx, channel, parcel, mail) => {
      const outgoing = await outgoingMail(tx, parcel, mail);
      return () => this.send(channel, parcel, mail, outgoing);
    },
  };
  /** Open connections, by channel. */
  private readonly pools = new Map<string, Pool>();

  constructor(
    kinds: ChannelKinds,
    private readonly outbound: OutboundClient,
    private readonly attachments: AttachmentsService,
  ) {
    kinds.plug(this);
  }

  onModuleDestroy(): void {
    for (const id of [...this.pools.keys()]) this.drop(id);
  }

  /** Mails are proven to be from their senders only as far as nobody else can put them into the mailbox. */
  credentialsVouch(settings: object): boolean {
    return Boolean((settings as EmailSettings).imap);
  }

  settingsVouch(settings: object): string {
    const { imap } = settings as EmailSettings;
    return imap ? `${imap.host}:${imap.port} ${imap.security} ${imap.authenticatedBy ?? ""}` : "";
  }

  boundTo(settings: object): string {
    const { smtp, imap } = settings as EmailSettings;
    return [smtp, imap].map((server) => server && `${server.host}:${server.port}`).join(" ");
  }

  /** What is in the inbox now is older than the channel. What arrives once it is active is taken in, although nobody reads it yet. */
  async provision(channel: OpenChannel): Promise<((tx: Tx) => Promise<void>) | void> {
    const { uidNext, uidValidity } = (await this.tryBoth(channel)) ?? {};
    // A server need not say where the next mail comes in. Then the first look at the mailbox finds out.
    if (!uidNext || !uidValidity) return;
    const { imap } = channel.settings as EmailSettings;
    const validity = validityOf(imap!, channel.credentials as EmailCredentials, uidValidity);
    return (tx) => noteFirstUid(tx, channel.id, { validity, lastUid: uidNext - 1 });
  }

  async test(channel: OpenChannel): Promise<string> {
    const inbox = await this.tryBoth(channel);
    return inbox
      ? `Signed in to send and to receive; the inbox holds ${inbox.exists} ${inbox.exists === 1 ? "mail" : "mails"}`
      : "Signed in to send; nothing is received here";
  }

  /** @returns the inbox, if the channel receives */
  private async tryBoth(channel: OpenChannel): Promise<Inbox | undefined> {
    const { imap } = channel.settings as EmailSettings;
    const [, inbox] = await Promise.all([
      this.trySending(channel),
      imap ? this.tryReceiving(channel, imap) : undefined,
    ]);
    return inbox;
  }

  private async trySending(channel: OpenChannel): Promise<void> {
    const { smtp } = channel.settings as EmailSettings;
    let transport: Transporter | undefined;
    try {
      transport = await connect({
        ...(await this.target(smtp)),
        auth: login(channel),
        connectionTimeout: TRY_MS,
        greetingTimeout: TRY_MS,
        socketTimeout: TRY_MS,
      });
      await transport.verify();
    } catch (error) {
      throw explain(error, sending(smtp));
    } finally {
      transport?.close();
    }
  }

  private async tryReceiving(channel: OpenChannel, imap: MailServerSettings): Promise<Inbox> {
    try {
      const { address } = await this.addressOf(imap);
      return await lookIntoInbox(imap, address, channel.credentials as EmailCredentials, TRY_MS);
    } catch (error) {
      throw explain(error, receiving(imap));
    }
  }

  private async send(
    channel: OpenChannel,
    { id }: Parcel,
    { to, body }: Mail,
    { subject, references, inReplyTo, automatic, files }: OutgoingMail,
  ): Promise<void> {
    const { smtp, fromName } = channel.settings as EmailSettings;
    // Outside of the `try`: a missing file is not an error of the mail server.
    const attachments = await Promise.all(
      files.map(async ({ id: file, fileName, contentType }) => ({
        filename: fileName,
        contentType,
        content: await this.attachments.bytes({ tenantId: channel.tenantId, id: file }),
      })),
    );
    try {
      const transport = await this.transport(channel);
      // The same Message-ID at each attempt, so that a mailbox recognises a repeat.
      await transport.sendMail({
        from: { name: fromName ?? "", address: channel.address! },
        to: { name: "", address: to },
        subject,
        text: body,
        messageId: `<${id}@parley>`,
        ...(inReplyTo && { inReplyTo }),
        ...(references.length && { references }),
        attachments,
        headers: { [LOOP_HEADER]: channel.address!, ...(automatic && { "Auto-Submitted": "auto-replied" }) },
      });
    } catch (error) {
      const failure = explainDelivery(error, sending(smtp));
      // The name of the server may have another address by now.
      if (failure instanceof ChannelError) this.drop(channel.id);
      throw failure;
    } finally {
      for (const { content } of attachments) content.destroy();
    }
  }

  /** Connections are pooled, one pool for each channel. */
  private async transport(channel: OpenChannel): Promise<Transporter> {
    const known = this.pools.get(channel.id);
    if (known?.revision === channel.revision) {
      known.idle.refresh();
      return known.transport;
    }
    const transport = await connect({
      ...(await this.target((channel.settings as EmailSettings).smtp)),
      auth: login(channel),
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: SEND_MS,
      greetingTimeout: SEND_MS,
      socketTimeout: SEND_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // Another mail may have come first. Ours has not connected yet.
    const made = this.pools.get(channel.id);
    if (made?.revision === channel.revision) return made.transport;
    this.drop(channel.id);
    const idle = setTimeout(() => {
      if (this.pools.get(channel.id)?.transport === transport) this.drop(channel.id);
    }, IDLE_MS).unref();
    this.pools.set(channel.id, { revision: channel.revision, transport, idle });
    return transport;
  }

  private drop(id: string): void {
    const pool = this.pools.get(id);
    if (!pool) return;
    clearTimeout(pool.idle);
    this.pools.delete(id);
    pool.transport.close();
  }

  private async target(server: MailServerSettings): Promise<object> {
    const { host, port, security } = server;
    const { address } = await this.addressOf(server);
    return {
      host: address,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: { servername: net.isIP(host) ? undefined : host },
    };
  }

  /** The IP address of a customer's server, if we may connect to it. @throws ChannelError, OutboundError */
  async addressOf({ host, port, security }: MailServerSettings): Promise<{ address: string }> {
    const { address, allowed } = await this.outbound.addressOf(host, port);
    if (security === "none" && !allowed)
      throw new ChannelError("security: none is only for servers that the setting OUTBOUND_ALLOW names", true);
    return { address };
  }
}

async function connect(options: object): Promise<Transporter> {
  // Loaded for the first mail: it needs 2 MB.
  const { createTransport } = await import("nodemailer");
  return createTransport(options);
}

const sending = ({ host, port }: MailServerSettings): string => `The mail server for sending (${host}:${port})`;

function login({ credentials }: OpenChannel): { user: string; pass: string } {
  const { username, password, smtpUsername, smtpPassword } = credentials as EmailCredentials;
  return { user: smtpUsername ?? username, pass: smtpPassword ?? password };
}
