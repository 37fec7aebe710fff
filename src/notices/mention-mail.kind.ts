import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { Config } from "../platform/config/config.js";
import type { Tx } from "../platform/database/transaction.js";
import { plainText } from "../platform/markdown/plain-text.js";
import { Mailer } from "../platform/outbox/mailer.js";
import type { Mail, OutboxEntry, OutboxKind, OutboxPayload, Send } from "../platform/outbox/outbox-kind.js";
import { OutboxService } from "../platform/outbox/outbox.service.js";
import { MENTION_MAIL, type MentionMail } from "./notices.queries.js";
import { textsIn } from "./texts.js";
import { wantsOf } from "./wants.js";

const MAX_NAME = 100;
/** Of each note, so much is in the mail. */
const MAX_LINES = 3;
const MAX_TEXT = 300;
const MAX_NOTES = 3;

/** Where a member is named. The text of the mail is made when it is sent, and is kept nowhere. */
interface Payload extends OutboxPayload {
  memberId: string;
  conversationId: string;
  sequence: number;
}

/** Mails to members who were named in a note and have not read it. */
@Injectable()
export class MentionMailKind implements OutboxKind<Payload> {
  readonly name = "mention-mail";

  constructor(
    private readonly outbox: OutboxService,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {
    outbox.register(this);
  }

  get available(): boolean {
    return this.mailer.available;
  }

  async enqueue(tx: Tx, to: string, mention: Omit<Payload, "to">): Promise<void> {
    const entry = { id: uuid(), channel: "email", channelId: null, conversationId: null, position: null };
    await this.outbox.add(tx, this, entry, { to, ...mention });
  }

  show({ to }: Payload): Mail {
    return { to, subject: this.name, body: "" };
  }

  async prepare(tx: Tx, { id }: OutboxEntry, { to, ...mention }: Payload): Promise<Send> {
    const [found] = await tx.query(MENTION_MAIL, mention);
    if (found?.email !== to || !wantsOf(found.preferences).notifications.mailMentions) return () => Promise.resolve();
    const mail = mailOf(found, mention.conversationId, this.config.publicUrl);
    return () => this.mailer.send(id, mail, { "Auto-Submitted": "auto-generated" });
  }
}

const inLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();

/** The first lines of a note, as a quote. */
function quoted(body: string): string {
  const lines = plainText(body)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const text = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_TEXT).toWellFormed();
  const isWhole = lines.length <= MAX_LINES && text.length < MAX_TEXT;
  return `${text}${isWhole ? "" : " …"}`.replace(/^/gm, "> ");
}

function mailOf(found: MentionMail, conversationId: string, publicUrl: string): Mail {
  const { mail, nameless } = textsIn(wantsOf(found.preferences).language);
  const contact = inLine(found.contact ?? nameless);
  const shown = found.notes.slice(0, MAX_NOTES);
  const left = found.notes.length - shown.length;
  return {
    to: found.email,
    subject: mail.subject(contact),
    body: `${[
      mail.greeting(inLine(found.memberName)),
      mail.unread(contact),
      ...shown.map(({ author, body }) => `${mail.wrote(inLine(author ?? "Parley"))}\n${quoted(body)}`),
      ...(left > 0 ? [mail.more(left)] : []),
      `${publicUrl}/inbox/all/${conversationId}`,
      mail.turnOff(`${publicUrl}/settings/preferences`),
    ].join("\n\n")}\n`,
  };
}
