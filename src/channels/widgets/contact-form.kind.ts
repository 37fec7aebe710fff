import { ConflictException, Injectable } from "@nestjs/common";
import { Not } from "typeorm";
import { system } from "../../platform/caller/caller.js";
import { ChannelError, type ChannelKind, type Delivery, type OpenChannel } from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { composeLetter } from "../letter/compose.js";
import { isLetter, type LetterFiles } from "../letter/letter.js";
import { partsOf } from "../letter/letter-parts.js";
import { emailEnvelope, RECIPIENT_OF_CONTACT_FORM } from "../email/email-recipient.js";
import { outgoingMail } from "../email/outgoing-mail.js";
import { placeFiles } from "../email/place-files.js";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { Mailer } from "../../platform/outbox/mailer.js";
import { ChannelEntity, type ChannelStatus } from "../../workspaces/channel.entity.js";

/** The settings are those of the widgets. */
class NoSettings {}

/** Contact forms. Replies are sent by email, from a mailbox of the workspace or, without one, from the service's own address. */
@Injectable()
export class ContactFormKind implements ChannelKind {
  readonly type = "contact_form";
  readonly settings = NoSettings;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId) => emailEnvelope(tx, RECIPIENT_OF_CONTACT_FORM, conversationId),
    through: (tx, channel) => this.through(tx, channel),
    compose: composeLetter,
    prepare: async (tx, channel, parcel, mail) => {
      const { tenantId } = channel;
      const { files } = await outgoingMail(tx, channel, parcel, mail);
      // The service's own mail has no files. As links they cost its server nothing.
      const placed = placeFiles(mail, files, 0, (id, until) => this.attachments.linkUntil({ tenantId, id }, until));
      return () => this.mailer.send(parcel.id, ...asSent(mail, placed));
    },
  };

  constructor(
    kinds: ChannelKinds,
    private readonly db: Database,
    private readonly mailer: Mailer,
    private readonly attachments: AttachmentsService,
  ) {
    kinds.plug(this);
  }

  async test(channel: OpenChannel): Promise<string> {
    const mailbox = await this.db.transaction(system("channels", channel.tenantId, channel.environment), (tx) => {
      tx.changesNothingVisible();
      return mailboxOf(tx, channel);
    });
    if (mailbox) return `Messages come in, and answers leave from ${mailbox.address!}`;
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

/** @returns the mail in both parts, and its headers */
function asSent(mail: Mail, files: LetterFiles): [Mail, Record<string, string>] {
  if (!isLetter(mail)) return [mail, {}];
  const { text, html } = partsOf(mail, files);
  const { submitted } = mail.letter;
  return [{ to: mail.to, subject: mail.subject, body: text, html }, submitted ? { "Auto-Submitted": submitted } : {}];
}

const NO_WAY =
  "Answers to contact forms leave by mail, and there is no way: connect a mailbox to the workspace, or set SMTP_URL on the server";

/** The workspace's first mailbox that is not disabled. While it is in error, messages wait for it. Each has an address (`validAddress`). */
function mailboxOf(tx: Tx, { workspaceId }: OpenChannel): Promise<ChannelEntity | null> {
  const usable = { workspaceId, type: "email", status: Not<ChannelStatus>("disabled") } as const;
  return tx.findOne(ChannelEntity, usable, { order: { createdAt: "ASC", id: "ASC" } });
}
