import net from "node:net";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { SendMailOptions, SentMessageInfo, Transporter } from "nodemailer";
import { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { ChannelError, type OpenChannel } from "../channel-kind.js";
import type { EmailCredentials, EmailSettings, MailServerSettings } from "./email.settings.js";
import { explain, explainDelivery, LoginRefused } from "./mail-server-errors.js";
import { MailboxLogins, passwordFor, signsIn } from "./sign-in/mailbox-logins.js";

const SEND_MS = 20_000;
const CONNECTIONS = 5;
/** Unused connections are closed after this time. */
const IDLE_MS = 60_000;

interface Pool {
  revision: number;
  transport: Transporter;
  idle: NodeJS.Timeout;
  /** The token that the server got last. */
  token?: string;
}

/** Connections to the servers for sending. They are pooled, one pool for each channel. */
@Injectable()
export class SmtpTransports implements OnModuleDestroy {
  /** By channel. */
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly outbound: OutboundClient,
    private readonly logins: MailboxLogins,
  ) {}

  onModuleDestroy(): void {
    for (const id of [...this.pools.keys()]) this.drop(id);
  }

  /** Signs in and sends nothing. @throws ChannelError */
  async try(channel: OpenChannel, timeoutMs: number): Promise<void> {
    const smtp = smtpOf(channel);
    await this.logins.send(channel, async (login) => {
      let transport: Transporter | undefined;
      try {
        transport = await connect({
          ...(await this.target(smtp)),
          ...timeouts(timeoutMs),
          auth: "pass" in login ? login : { type: "OAuth2", ...login },
        });
        await transport.verify();
      } catch (error) {
        throw explain(error, sending(smtp));
      } finally {
        transport?.close();
      }
    });
  }

  /** @throws ChannelError, Undeliverable */
  async send(channel: OpenChannel, mail: SendMailOptions): Promise<SentMessageInfo> {
    let pool: Pool | undefined;
    try {
      pool = await this.pool(channel);
      return await pool.transport.sendMail(mail);
    } catch (error) {
      const failure = explainDelivery(error, sending(smtpOf(channel)));
      // The name of the server may have another address by now.
      if (failure instanceof ChannelError) this.drop(channel.id);
      if (failure instanceof LoginRefused && signsIn(channel))
        throw await this.afterRefusal(channel, failure, pool?.token);
      throw failure;
    }
  }

  /** A refused token is renewed for the next attempt. Whether the server refuses that one too, the check of the channel finds out. */
  private async afterRefusal(channel: OpenChannel, refusal: LoginRefused, token?: string): Promise<ChannelError> {
    try {
      await this.logins.token(channel, token);
      return new ChannelError(refusal.ofToken(channel.address!));
    } catch (error) {
      if (error instanceof ChannelError) return error;
      throw error;
    }
  }

  private async pool(channel: OpenChannel): Promise<Pool> {
    const { id, revision } = channel;
    const known = this.pools.get(id);
    if (known?.revision === revision) {
      known.idle.refresh();
      return known;
    }
    const transport = await connect({
      ...(await this.target(smtpOf(channel))),
      ...timeouts(SEND_MS),
      auth: signsIn(channel) ? this.tokenAuth(channel) : passwordFor(channel.credentials as EmailCredentials, "smtp"),
      pool: true,
      maxConnections: CONNECTIONS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // Another mail may have come first. Ours has not connected yet.
    const made = this.pools.get(id);
    if (made?.revision === revision) return made;
    this.drop(id);
    const idle = setTimeout(() => {
      if (this.pools.get(id)?.transport === transport) this.drop(id);
    }, IDLE_MS).unref();
    const pool = { revision, transport, idle };
    this.pools.set(id, pool);
    return pool;
  }

  /** A pool outlives a token, so each of its connections asks for one. */
  private tokenAuth(channel: OpenChannel): object {
    return {
      type: "OAuth2",
      user: channel.address!,
      provisionCallback: (
        _: string,
        again: boolean,
        done: (error: unknown, token?: string, until?: number) => void,
      ) => {
        const refused = again ? this.pools.get(channel.id)?.token : undefined;
        this.logins.token(channel, refused).then(
          (token) => {
            const pool = this.pools.get(channel.id);
            if (pool) pool.token = token;
            // It counts as over at once, so that the next connection asks again.
            done(null, token, 1);
          },
          (error: unknown) => done(error),
        );
      },
    };
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

const smtpOf = ({ settings }: OpenChannel): MailServerSettings => (settings as EmailSettings).smtp!;

const timeouts = (ms: number): object => ({ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms });

const sending = ({ host, port }: MailServerSettings): string => `The mail server for sending (${host}:${port})`;

async function connect(options: object): Promise<Transporter> {
  // Loaded for the first mail: it needs 2 MB.
  const { createTransport } = await import("nodemailer");
  return createTransport(options);
}
