import { ConflictException, Injectable } from "@nestjs/common";
import { system } from "../../platform/caller/caller.js";
import { ChannelError, type ChannelKind, type Delivery, type OpenChannel } from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Mailer } from "../../platform/outbox/mailer.js";
import type { Mail } from "../../platform/outbox/outbox.service.js";

/** They are those of the widgets. */
class NoSettings {}

interface Mailbox {
  id: string;
  address: string;
}

/** Contact forms: what is answered leaves by mail, from the workspace's mailbox or, without one, from the service's own. */
@Injectable()
export class ContactFormKind implements ChannelKind {
  readonly type = "contact_form";
  readonly settings = NoSettings;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId) => envelope(tx, conversationId),
    through: (tx, channel) => this.through(tx, channel),
    prepare: (_, __, { id }, mail) => Promise.resolve(() => this.mailer.send(id, mail)),
  };

  constructor(
    kinds: ChannelKinds,
    private readonly db: Database,
    private readonly mailer: Mailer,
  ) {
    kinds.plug(this);
  }

  async test(channel: OpenChannel): Promise<string> {
    const mailbox = await this.db.transaction(system("channels", channel.tenantId, channel.environment), (tx) => {
      tx.unseen();
      return mailboxOf(tx, channel);
    });
    if (mailbox) return `Messages come in, and answers leave from ${mailbox.address}`;
    if (this.mailer.available || channel.environment === "test")
      return "Messages come in, and answers leave from the service's own address: with a mailbox in the workspace they would leave from there";
    throw new ChannelError(NO_WAY);
  }

  private async through(tx: Tx, channel: OpenChannel): Promise<string | undefined> {
    const mailbox = await mailboxOf(tx, channel);
    // On the test side nothing leaves.
    if (!mailbox && !this.mailer.available && channel.environment === "live") throw new ConflictException(NO_WAY);
    return mailbox?.id;
  }
}

const NO_WAY =
  "Answers to contact forms leave by mail, and there is no way: connect a mailbox to the workspace, or set SMTP_URL on the server";

/** The first that is not disabled; while it does not work, what is to leave through it waits. */
async function mailboxOf(tx: Tx, { workspaceId }: OpenChannel): Promise<Mailbox | undefined> {
  const [mailbox] = await tx.query<Mailbox>(
    `select id, address from channel where tenant_id = :tenant and workspace_id = :workspaceId and type = 'email' and status <> 'disabled' order by created_at, id limit 1`,
    { workspaceId },
  );
  return mailbox;
}

/** To the address that was written in the form, if it is still the contact's, in the conversation's own words. */
async function envelope(tx: Tx, conversationId: string): Promise<Omit<Mail, "body"> | undefined> {
  const [row] = await tx.query<{ to: string | null; subject: string }>(
    `select coalesce(c.subject, b.name) as subject,
      (select p.value from contact_point p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id and k.deleted_at is null where p.tenant_id = c.tenant_id and p.contact_id = c.contact_id and p.kind = 'email'
        order by p.value is distinct from c.metadata #>> '{contactForm,email}', p.position limit 1) as to
    from conversation c join brand b on b.tenant_id = c.tenant_id and b.id = c.brand_id where c.tenant_id = :tenant and c.id = :conversationId`,
    { conversationId },
  );
  return row?.to == null ? undefined : { to: row.to, subject: row.subject };
}
