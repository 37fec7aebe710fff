import { HttpException, Injectable, Logger } from "@nestjs/common";
import { AttachmentsService, type KeptFile } from "../../conversations/attachments/attachments.service.js";
import type { ProviderCaller } from "../../platform/caller/caller.js";
import { provider } from "../../platform/caller/request-context.js";
import { type MessageAuthentication, MessageEntity } from "../../conversations/conversation.entity.js";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../conversations/message-limits.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { describeError } from "../../platform/http/errors.js";
import type { OpenChannel } from "../channel-kind.js";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import type { EmailSettings } from "./email.settings.js";
import type { FetchedMail } from "./fetched-mail.js";
import { MailAuthentication } from "./mail-authentication.js";
import { MailParser } from "./mail-parser.js";
import { advance, beginAttempt, forgetAttempts } from "./mailbox-progress.js";
import { type DeliveryReport, ownMessageId } from "./delivery-report.js";
import {
  FIND_BLOCKED,
  FIND_BLOCKED_ADDRESS,
  FIND_FLOODED,
  FIND_FLOODED_BY_FORGERS,
  FIND_REPORTED,
  FIND_THREAD,
  type Thread,
} from "./incoming-mail.queries.js";
import { originalOf, type ParsedMessage, unreadable } from "./parsed-message.js";

/**
 * Mails from one sender through one channel. No person writes as many: beyond the limit two machines answer each other,
 * whatever the headers say.
 */
const MAX_MAILS_PER_HOUR = 60;
/** A mail that could not be parsed this often in the time and memory for it comes in without having been parsed. */
const MAX_ATTEMPTS = 2;
/** The newest messages of a conversation that count towards it. */
const LOOKBACK = 4 * MAX_MAILS_PER_HOUR;

/** Stores mails as messages, each once: the progress of the mailbox is recorded in the same transaction. */
@Injectable()
export class IncomingMailService {
  private readonly log = new Logger("mail");

  constructor(
    private readonly db: Database,
    private readonly incoming: IncomingMessagesService,
    private readonly messages: MessagesService,
    private readonly attachments: AttachmentsService,
    private readonly parser: MailParser,
    private readonly authentication: MailAuthentication,
  ) {}

  /**
   * @returns false if another process has the mailbox, or has stored the mail: then nothing was done
   * @throws TookTooLong, TookTooMuchMemory: fetch the mail again and call this again
   */
  async receive(channel: OpenChannel, holder: string, fetched: FetchedMail): Promise<boolean> {
    const caller = provider("receiveMail", channel);
    const attempt = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return beginAttempt(tx, channel.id, holder, fetched);
    });
    if (attempt === undefined) return false;
    const address = channel.address!;
    if (attempt > MAX_ATTEMPTS) {
      this.log.error(
        `a mail of channel ${channel.id} is stored without having been parsed: that failed ${MAX_ATTEMPTS} times`,
      );
      return this.store(channel, holder, fetched, await unreadable(fetched, address));
    }
    const { message, source } = await this.parser.parse(channel.tenantId, fetched, address);
    const mail = { ...fetched, source };
    try {
      return await this.store(channel, holder, mail, message).catch(async (error: unknown) => {
        // The cause is this mail, not the database. Store what is certain about it.
        if (![400, 500].includes(describeError(error).status)) throw error;
        this.log.error(`a mail of channel ${channel.id} is stored as unreadable: ${(error as Error).stack}`);
        return this.store(channel, holder, mail, await unreadable(mail, address));
      });
    } catch (error) {
      await this.db
        .transaction(caller, (tx) => {
          tx.changesNothingVisible();
          return forgetAttempts(tx, channel.id, fetched);
        })
        // It is parsed again all the same, up to the limit.
        .catch(() => undefined);
      throw error;
    }
  }

  private async store(
    channel: OpenChannel,
    holder: string,
    fetched: FetchedMail,
    mail: ParsedMessage,
  ): Promise<boolean> {
    const caller = provider("receiveMail", channel);
    const isMessage = mail.origin !== "ours" && mail.origin !== "report";
    const authentication = isMessage
      ? await this.authentication.of(
          channel.tenantId,
          fetched,
          mail.from.address,
          (channel.settings as EmailSettings).imap?.authenticatedBy,
        )
      : null;
    const { kept, missing } = isMessage ? await this.keep(caller, fetched, mail) : { kept: [], missing: [] };
    const body = bodyOf(mail, missing);
    let completed = false;
    let used = false;
    try {
      return await this.db.transaction(caller, async (tx) => {
        [completed, used] = [false, false];
        tx.changesNothingVisible();
        const mine = await advance(tx, channel.id, holder, fetched);
        if (mine)
          used =
            mail.origin === "report"
              ? await this.report(tx, channel, mail.report)
              : authentication !== null &&
                (await this.addToConversation(tx, channel, mail, authentication, body, kept));
        completed = true;
        return mine;
      });
    } finally {
      // If only the answer to the commit was lost, the rows of the files may exist. The daily cleanup then decides.
      if (!completed || !used) await this.attachments.discard(kept);
    }
  }

  /** Stores the mail's files, and the original mail if they and the text do not hold all of it. `missing` names what was refused. */
  private async keep(
    caller: ProviderCaller,
    fetched: FetchedMail,
    { files, moreFiles, keepOriginal, missing: before }: ParsedMessage,
  ): Promise<{ kept: KeptFile[]; missing: string[] }> {
    const kept: KeptFile[] = [];
    const missing = [...before];
    const keep = async (file: ParsedMessage["files"][number]): Promise<boolean> => {
      try {
        kept.push(await this.attachments.keep(caller, file));
        return true;
      } catch (error) {
        if (!(error instanceof HttpException)) throw error;
        missing.push(`${file.name || "A file without a name"}: ${error.message}`);
        return false;
      }
    };
    try {
      let refused = false;
      const most = keepOriginal ? MAX_ATTACHMENTS - 1 : MAX_ATTACHMENTS;
      const more = files.slice(most).length + moreFiles;
      for (const file of files.slice(0, most)) refused = !(await keep(file)) || refused;
      if (more) missing.push(`${more} more files are in the mail: a message has ${MAX_ATTACHMENTS} at most`);
      // The original would contain the refused files.
      if (keepOriginal && !refused) await keep(originalOf(fetched));
      return { kept, missing };
    } catch (error) {
      await this.attachments.discard(kept);
      throw error;
    }
  }

  /** @returns whether the files are part of a message now */
  private async addToConversation(
    tx: Tx,
    channel: OpenChannel,
    mail: ParsedMessage,
    authentication: MessageAuthentication,
    body: string,
    kept: readonly KeptFile[],
  ): Promise<boolean> {
    const { origin, externalId, from, subject, occurredAt } = mail;
    const forged = authentication.result === "fail";
    if (await this.incoming.find(tx, channel.id, [externalId])) return false;
    if (forged && (await tx.query(FIND_BLOCKED_ADDRESS, { address: from.address })).length) return false;
    // A mail that may be forged is nobody's: it joins no conversation and no contact.
    const thread = forged ? undefined : await this.threadOf(tx, channel, mail);
    const automatic = origin !== "person";
    const flooded = await this.flooded(tx, channel, from.address, forged);
    const asNote =
      thread && automatic
        ? { ...thread, why: "Automatic reply" }
        : flooded && {
            conversationId: thread?.conversationId ?? flooded,
            why: `More than ${MAX_MAILS_PER_HOUR} mails within an hour`,
          };
    if (!asNote && origin === "autoReply") return false;
    if (asNote && (await this.blocked(tx, asNote.conversationId))) return false;
    const attachmentIds = await this.attachments.add(tx, kept);
    let created: boolean;
    if (asNote) {
      // No person waits for an answer, so it does not reopen the conversation.
      ({ created } = await this.messages.noteWithin(tx, asNote.conversationId, {
        body: `${asNote.why} from ${from.address}:\n\n${body}`.slice(0, MAX_BODY),
        externalId,
        attachmentIds,
      }));
    } else {
      const received = await this.incoming.receive(tx, channel, {
        from: forged ? null : { kind: "email", value: from.address, name: from.name },
        authentication,
        senderProof: authentication.result === "pass" ? "channel" : "none",
        externalId,
        conversationId: thread?.conversationId ?? null,
        subject,
        body,
        occurredAt,
        attachmentIds,
        metadata: { email: from.address, ...(automatic && { automatic }) },
      });
      created = received?.created ?? false;
    }
    // Nothing of a blocked sender is kept. The files are removed like those of a deleted attachment.
    if (!created) await this.attachments.withdraw(tx, attachmentIds);
    return true;
  }

  /**
   * The conversation that the mail answers, found by a mail of ours or an earlier one of theirs. It must be a conversation of
   * the sender: who was sent a copy, or guessed an id, starts a conversation of their own.
   */
  private async threadOf(tx: Tx, channel: OpenChannel, { answers, from }: ParsedMessage): Promise<Thread | undefined> {
    for (const id of answers) {
      const own = ownMessageId(id);
      const answered = own
        ? await tx.findOne(MessageEntity, { id: own, direction: "outbound" })
        : await this.incoming.find(tx, channel.id, [id]);
      if (!answered) continue;
      const [thread] = await tx.query(FIND_THREAD, {
        conversationId: answered.conversationId,
        channelId: channel.id,
        workspaceId: channel.workspaceId,
        address: from.address,
      });
      if (thread) return thread;
    }
    return undefined;
  }

  /** @returns the newest conversation of a sender who writes more than a person does. Forgers count as one sender. */
  private async flooded(
    tx: Tx,
    { id: channelId, workspaceId }: OpenChannel,
    address: string,
    forged: boolean,
  ): Promise<string | undefined> {
    const maxPerHour = MAX_MAILS_PER_HOUR;
    const [newest] = forged
      ? await tx.query(FIND_FLOODED_BY_FORGERS, { channelId, workspaceId, maxPerHour })
      : await tx.query(FIND_FLOODED, { channelId, address, maxPerHour, lookback: LOOKBACK });
    return newest?.conversationId;
  }

  private async blocked(tx: Tx, conversationId: string): Promise<boolean> {
    return (await tx.query(FIND_BLOCKED, { conversationId })).length > 0;
  }

  /** Records what a mail server reports about a message of ours. The report itself is not stored as a message. */
  private async report(tx: Tx, channel: OpenChannel, report: DeliveryReport | undefined): Promise<false> {
    if (!report) return false;
    const { messageId, status, recipient, reason } = report;
    const [reported] = await tx.query(FIND_REPORTED, {
      messageId,
      channelId: channel.id,
      workspaceId: channel.workspaceId,
    });
    if (!reported || !(await this.messages.delivery(tx, messageId, status)) || status !== "failed") return false;
    const body = `The mail${recipient ? ` to ${recipient}` : ""} could not be delivered${reason ? `: ${reason}` : ""}`;
    await this.messages.noteWithin(tx, reported.conversationId, {
      body: body.replace(/[\0\s]+/g, " ").slice(0, 1_000),
    });
    return false;
  }
}

/** The text of the message. It says what is missing, so that nothing is lost silently. */
function bodyOf({ body, cutOff, keepOriginal }: ParsedMessage, missing: readonly string[]): string {
  const end = missing.map((note) => `[${note.replace(/[\0\r\n]+/g, " ").slice(0, 300)}]`).join("\n");
  const max = MAX_BODY - end.length - 200;
  const characters = [...body];
  const text =
    cutOff || characters.length > max
      ? `${characters.slice(0, max).join("")}\n\n[The text goes on${keepOriginal ? " in original.eml" : ""}]`
      : body;
  return [text || (end ? "" : "[The mail has no text]"), end].filter(Boolean).join("\n\n");
}
