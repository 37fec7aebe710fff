import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { createTransport, type Transporter } from "nodemailer";
import { Config } from "../config/config.js";
import type { Mail } from "./outbox.service.js";

const TIMEOUT_MS = 20_000;

/** The service's own mail server. */
@Injectable()
export class Mailer implements OnModuleDestroy {
  private readonly transport?: Transporter;

  constructor(private readonly config: Config) {
    if (config.SMTP_URL)
      this.transport = createTransport(config.SMTP_URL, {
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
      } as object);
  }

  get available(): boolean {
    return this.transport !== undefined;
  }

  /** @throws Error: there is none, or it does not take it */
  async send(id: string, { to, subject, body }: Mail, headers: Record<string, string> = {}): Promise<void> {
    if (!this.transport) throw new Error("The server has no mail server of its own (SMTP_URL)");
    // The same Message-ID at each attempt: a mailbox that got it before can tell.
    await this.transport.sendMail({
      from: this.config.MAIL_FROM,
      to: { name: "", address: to },
      subject,
      text: body,
      messageId: `<${id}@parley>`,
      headers,
    });
  }

  onModuleDestroy(): void {
    this.transport?.close();
  }
}
