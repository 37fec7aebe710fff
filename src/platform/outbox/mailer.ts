import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { Transporter } from "nodemailer";
import { Config } from "../config/config.js";
import { messageIdOf } from "./message-id.js";
import type { Mail } from "./outbox-kind.js";

const TIMEOUT_MS = 20_000;
const NO_TLS =
  "The mail server of SMTP_URL has no TLS that can be trusted. If it is on a network that you trust, end SMTP_URL with ?requireTLS=false";

/** Sends the service's own mail, such as invitations, through the server of SMTP_URL, over TLS unless the URL says otherwise. */
@Injectable()
export class Mailer implements OnModuleDestroy {
  private transport?: Promise<Transporter>;

  constructor(private readonly config: Config) {}

  get available(): boolean {
    return this.config.SMTP_URL !== undefined;
  }

  /**
   * Signs in, and sends nothing.
   * @throws Error: SMTP_URL is not set, or the server lets nobody in
   */
  async try(): Promise<void> {
    await (await this.open()).verify().catch(inPlainWords);
  }

  /** @throws Error: SMTP_URL is not set, or the server refuses the mail */
  async send(id: string, { to, subject, body, html }: Mail, headers: Record<string, string> = {}): Promise<void> {
    const transport = await this.open();
    await transport
      .sendMail({
        from: this.config.MAIL_FROM,
        to: { name: "", address: to },
        subject,
        text: body,
        html,
        messageId: messageIdOf(id, this.config.MAIL_FROM),
        headers,
      })
      .catch(inPlainWords);
  }

  private open(): Promise<Transporter> {
    const { SMTP_URL } = this.config;
    if (SMTP_URL === undefined) throw new Error("The server has no mail server of its own (SMTP_URL)");
    return (this.transport ??= connect(SMTP_URL));
  }

  async onModuleDestroy(): Promise<void> {
    (await this.transport)?.close();
  }
}

function inPlainWords(error: unknown): never {
  throw (error as { code?: string }).code === "ETLS" ? new Error(NO_TLS, { cause: error }) : error;
}

async function connect(url: string): Promise<Transporter> {
  // Loaded for the first mail: it needs 2 MB.
  const { createTransport } = await import("nodemailer");
  // What the URL says wins, such as `?requireTLS=false`.
  return createTransport({
    url,
    requireTLS: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as object);
}
