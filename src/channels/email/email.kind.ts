import net from "node:net";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { createTransport, type Transporter } from "nodemailer";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import type { Tx } from "../../platform/database/transaction.js";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import type { Mail, Parcel } from "../../platform/outbox/outbox.service.js";
import { ChannelError, type ChannelKind, type Delivery, type OpenChannel } from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { EmailCredentials, EmailSettings, type MailServerSettings } from "./email.settings.js";
import { explain, explainDelivery } from "./mail-server-errors.js";
import { lookIntoInbox, receiving } from "./imap-client.js";
import { type OutgoingMail, outgoingMail } from "./outgoing-mail.js";
import { LOOP_HEADER } from "./classify-mail.js";

/** For each of the two servers: a test of both takes less than 10 seconds. */
const TRY_MS = 4_500;
const SEND_MS = 20_000;
const CONNECTIONS = 5;
/** Connections that nobody used for so long are closed. */
const IDLE_MS = 60_000;

interface Pool {
  revision: number;
  transport: Transporter;
  idle: NodeJS.Timeout;
}

/** Mailboxes: SMTP to send and, where it is given, IMAP to receive. */
@Injectable()
export class EmailKind implements ChannelKind, OnModuleDestroy {
  readonly type = "email";
  readonly addressed = "email";
  readonly settings = EmailSettings;
  readonly credentials = EmailCredentials;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId) => envelope(tx, conversationId),
    prepare: async (tx, channel, parcel, mail) => {
      const letter = await outgoingMail(tx, parcel, mail);
      return () => this.send(channel, parcel, mail, letter);
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

  boundTo(settings: object): string {
    const { smtp, imap } = settings as EmailSettings;
    return [smtp, imap].map((server) => server && `${server.host}:${server.port}`).join(" ");
  }

  async provision(channel: OpenChannel): Promise<void> {
    await this.test(channel);
  }

  async test(channel: OpenChannel): Promise<string> {
    const { imap } = channel.settings as EmailSettings;
    const [, mails] = await Promise.all([
      this.trySending(channel),
      imap ? this.tryReceiving(channel, imap) : undefined,
    ]);
    return mails === undefined
      ? "Signed in to send; nothing is received here"
      : `Signed in to send and to receive; the inbox holds ${mails} ${mails === 1 ? "mail" : "mails"}`;
  }

  private async trySending(channel: OpenChannel): Promise<void> {
    const { smtp } = channel.settings as EmailSettings;
    let transport: Transporter | undefined;
    try {
      transport = createTransport({
        ...(await this.target(smtp)),
        auth: login(channel),
        connectionTimeout: TRY_MS,
        greetingTimeout: TRY_MS,
        socketTimeout: TRY_MS,
      } as object);
      await transport.verify();
    } catch (error) {
      throw explain(error, sending(smtp));
    } finally {
      transport?.close();
    }
  }

  private async tryReceiving(channel: OpenChannel, imap: MailServerSettings): Promise<number> {
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
    { subject, chain, answers, automatic, files }: OutgoingMail,
  ): Promise<void> {
    const { smtp, fromName } = channel.settings as EmailSettings;
    // A file that is not there is no fault of the mail server's.
    const attachments = await Promise.all(
      files.map(async ({ id: file, fileName, contentType }) => ({
        filename: fileName,
        contentType,
        content: await this.attachments.bytes({ tenantId: channel.tenantId, id: file }),
      })),
    );
    try {
      const transport = await this.transport(channel);
      // The same Message-ID at each attempt: a mailbox that got it before can tell.
      await transport.sendMail({
        from: { name: fromName ?? "", address: channel.address! },
        to: { name: "", address: to },
        subject,
        text: body,
        messageId: `<${id}@parley>`,
        ...(answers && { inReplyTo: answers }),
        ...(chain.length && { references: chain }),
        attachments,
        headers: { [LOOP_HEADER]: channel.address!, ...(automatic && { "Auto-Submitted": "auto-replied" }) },
      });
    } catch (error) {
      const fault = explainDelivery(error, sending(smtp));
      // Perhaps its name leads elsewhere by now.
      if (fault instanceof ChannelError) this.drop(channel.id);
      throw fault;
    } finally {
      for (const { content } of attachments) content.destroy();
    }
  }

  /** Connections are kept: a message more costs no more than itself. */
  private async transport(channel: OpenChannel): Promise<Transporter> {
    const known = this.pools.get(channel.id);
    if (known?.revision === channel.revision) {
      known.idle.refresh();
      return known.transport;
    }
    const target = await this.target((channel.settings as EmailSettings).smtp);
    const made = this.pools.get(channel.id);
    if (made?.revision === channel.revision) return made.transport;
    this.drop(channel.id);
    const transport: Transporter = createTransport({
      ...target,
      auth: login(channel),
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: SEND_MS,
      greetingTimeout: SEND_MS,
      socketTimeout: SEND_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as object);
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

  /** The address of a server of the customer's that may be connected to. @throws ChannelError, OutboundError */
  async addressOf({ host, port, security }: MailServerSettings): Promise<{ address: string }> {
    const { address, allowed } = await this.outbound.addressOf(host, port);
    if (security === "none" && !allowed)
      throw new ChannelError("security: none is only for servers that the setting OUTBOUND_ALLOW names", true);
    return { address };
  }
}

const sending = ({ host, port }: MailServerSettings): string => `The mail server for sending (${host}:${port})`;

function login({ credentials }: OpenChannel): { user: string; pass: string } {
  const { username, password, smtpUsername, smtpPassword } = credentials as EmailCredentials;
  return { user: smtpUsername ?? username, pass: smtpPassword ?? password };
}

/** To the address that the contact wrote from, as long as it is one of theirs, or to their first one, in the conversation's own words; not to one who was deleted. */
async function envelope(tx: Tx, conversationId: string): Promise<Omit<Mail, "body"> | undefined> {
  const [row] = await tx.query<{ to: string | null; subject: string }>(
    `select coalesce(c.subject, b.name) as subject,
      (select p.value from contact_point p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id and k.deleted_at is null where p.tenant_id = c.tenant_id and p.contact_id = c.contact_id and p.kind = 'email'
        order by p.value is distinct from c.metadata ->> 'email', p.position limit 1) as to
    from conversation c join brand b on b.tenant_id = c.tenant_id and b.id = c.brand_id where c.tenant_id = :tenant and c.id = :conversationId`,
    { conversationId },
  );
  return row?.to == null ? undefined : { to: row.to, subject: row.subject };
}
