import { Injectable } from "@nestjs/common";
import type { Tx } from "../database/transaction.js";
import { Mailer } from "./mailer.js";
import type { Mail, OutboxEntry, OutboxKind, Send } from "./outbox-kind.js";
import { OutboxService, OWN_MAIL } from "./outbox.service.js";

/** The service's own mail, such as invitations and magic links, through its own mail server. */
@Injectable()
export class OwnMailKind implements OutboxKind<Mail> {
  readonly name = OWN_MAIL;

  constructor(
    outbox: OutboxService,
    private readonly mailer: Mailer,
  ) {
    outbox.register(this);
  }

  get available(): boolean {
    return this.mailer.available;
  }

  show(mail: Mail): Mail {
    return mail;
  }

  prepare(_tx: Tx, { id }: OutboxEntry, mail: Mail): Promise<Send> {
    return Promise.resolve(() => this.mailer.send(id, mail, { "Auto-Submitted": "auto-generated" }));
  }
}
