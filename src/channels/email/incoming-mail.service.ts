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
import { ParticipantsService } from "../../conversations/participants/participants.service.js";
import { type IncomingMessage, IncomingMessagesService } from "../incoming-messages.service.js";
import type { EmailSettings } from "./email.settings.js";
import type { FetchedMail, MailPlace } from "./fetched-mail.js";
import { MailAuthentication } from "./mail-authentication.js";
import { MailParser } from "./mail-parser.js";
import { DeliveryReports } from "./delivery-reports.js";
import { FIND_BLOCKED, FIND_BLOCKED_ADDRESS } from "./incoming-mail.queries.js";
import { IncomingPeople } from "./incoming-people.js";
import { type Answered, IncomingThreads } from "./incoming-threads.js";
import { SameMail } from "./same-mail.js";
import { alertOfFlood, answeredTooOften, floodedIn, MAX_MAILS_PER_HOUR } from "./mail-loops.js";
import { storing } from "./mail-shares.js";
import { contentIdOf, originalOf, type ParsedMessage, unreadable } from "./parsed-message.js";

/** A mail that could not be parsed this often in the time and memory for it comes in without having been parsed. */
const MAX_ATTEMPTS = 2;

/** A mail whose turn has begun. */
interface Begun {
  fetched: FetchedMail;
  mail: ParsedMessage;
  wasParsed: boolean;
}

/** Stores mails as messages, each once: that it is in is recorded where it comes from, in the same transaction. */
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
    private readonly people: IncomingPeople,
    private readonly participants: ParticipantsService,
    private readonly reports: DeliveryReports,
    private readonly threads: IncomingThreads,
    private readonly sameMail: SameMail,
  ) {}

  /**
   * @param signal ends the wait for its turn. @throws its reason
   * @returns false if the mail is in already, or is another process's now: then nothing was done
   * @throws TookTooLong, TookTooMuchMemory: fetch the mail again and call this again
   */
  async receive(channel: OpenChannel, place: MailPlace, fetched: FetchedMail, signal?: AbortSignal): Promise<boolean> {
    const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
      storing.run(channel.tenantId, work, signal ? { signal } : {});
    const begun = await inTurn(() => this.begin(channel, place, fetched));
    if (!begun) return false;
    try {
      // It has no turn meanwhile: the name servers of a stranger may answer nothing, and hold up nobody else's mail.
      const authentication = await this.authenticate(channel, begun);
      return await inTurn(() => this.storeOrKeep(channel, place, begun, authentication));
    } catch (error) {
      if (begun.wasParsed)
        await this.db
          .transaction(provider("receiveMail", channel), (tx) => {
            tx.changesNothingVisible();
            return place.forget(tx);
          })
          // It is parsed again all the same, up to the limit.
          .catch(() => undefined);
      throw error;
    }
  }

  /** Parses a mail. @returns undefined if it is in already, or is another process's now */
  private async begin(channel: OpenChannel, place: MailPlace, fetched: FetchedMail): Promise<Begun | undefined> {
    const attempt = await this.db.transaction(provider("receiveMail", channel), (tx) => {
      tx.changesNothingVisible();
      return place.begin(tx);
    });
    if (attempt === undefined) return undefined;
    const address = channel.address!;
    if (attempt > MAX_ATTEMPTS) {
      this.log.error(
        `a mail of channel ${channel.id} is stored without having been parsed: that failed ${MAX_ATTEMPTS} times`,
      );
      return { fetched, mail: await unreadable(fetched, address), wasParsed: false };
    }
    const { message, source } = await this.parser.parse(channel.tenantId, fetched, address);
    return { fetched: { ...fetched, source }, mail: message, wasParsed: true };
  }

  /** What is known of the sender. Null for what is no message. */
  private async authenticate(
    channel: OpenChannel,
    { fetched, mail }: Pick<Begun, "fetched" | "mail">,
  ): Promise<MessageAuthentication | null> {
    if (mail.origin === "ours" || mail.origin === "report") return null;
    const { imap } = channel.settings as EmailSettings;
    return this.authentication.of(channel.tenantId, fetched, mail.from.address, imap?.authenticatedBy);
  }

  private async storeOrKeep(
    channel: OpenChannel,
    place: MailPlace,
    { fetched, mail, wasParsed }: Begun,
    authentication: MessageAuthentication | null,
  ): Promise<boolean> {
    try {
      return await this.store(channel, place, { fetched, mail }, authentication);
    } catch (error) {
      // The cause is this mail, not the database. Store what is certain about it.
      if (!wasParsed || ![400, 500].includes(describeError(error).status)) throw error;
      this.log.error(`a mail of channel ${channel.id} is stored as unreadable: ${(error as Error).stack}`);
      const bare = { fetched, mail: await unreadable(fetched, channel.address!) };
      return this.store(channel, place, bare, await this.authenticate(channel, bare));
    }
  }

  private async store(
    channel: OpenChannel,
    place: MailPlace,
    { fetched, mail }: Pick<Begun, "fetched" | "mail">,
    authentication: MessageAuthentication | null,
  ): Promise<boolean> {
    const caller = provider("receiveMail", channel);
    const { kept, missing } = authentication ? await this.keep(caller, fetched, mail) : { kept: [], missing: [] };
    const body = bodyOf(mail, missing);
    let completed = false;
    let used = false;
    try {
      return await this.db.transaction(caller, async (tx) => {
        [completed, used] = [false, false];
        tx.changesNothingVisible();
        const mine = await place.take(tx);
        if (mine)
          used =
            authentication !== null &&
            (await this.addToConversation(tx, channel, { ...mail, body }, authentication, { fetched, kept }));
        if (mine && mail.report) await this.reports.record(tx, channel, mail.report);
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
    { files, moreFiles, keepOriginal, formatted, missing: before }: ParsedMessage,
  ): Promise<{ kept: KeptFile[]; missing: string[] }> {
    const kept: KeptFile[] = [];
    const missing = [...before];
    const keep = async (file: ParsedMessage["files"][number], original?: "html" | "text"): Promise<boolean> => {
      try {
        kept.push(await this.attachments.keep(caller, { ...file, original }));
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
      if (keepOriginal && !refused) await keep(originalOf(fetched), formatted ? "html" : "text");
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
    { fetched, kept }: { fetched: FetchedMail; kept: readonly KeptFile[] },
  ): Promise<boolean> {
    const { origin, from, subject, body, occurredAt } = mail;
    const forged = authentication.result === "fail";
    const externalId = await this.newIdOf(tx, channel, mail, authentication, fetched);
    if (externalId === undefined) return false;
    if (forged && (await tx.query(FIND_BLOCKED_ADDRESS, { address: from.address })).length) return false;
    // A mail that may be forged is nobody's: it joins no conversation and no contact.
    const boxes = await this.sameMail.boxes(tx, channel, mail);
    const taken = forged ? undefined : await this.sameMail.taken(tx, boxes, mail, authentication);
    const near = boxes.filter(({ workspaceId }) => workspaceId === channel.workspaceId);
    if (taken && near.includes(taken.box)) {
      await this.sameMail.join(tx, near[0]!, taken, externalId);
      return false;
    }
    const thread = forged ? undefined : await this.threads.find(tx, near, mail, authentication);
    const automatic = origin !== "person";
    const asNote = noteOf(thread, {
      automatic,
      flooded: await floodedIn(tx, channel, { address: from.address, result: authentication.result, thread }),
    });
    if (!asNote && origin === "autoReply") return false;
    // Forged mails go to a conversation that may be of another forger.
    if (asNote && !forged && (await this.blocked(tx, asNote.conversationId))) return false;
    const attachmentIds = await this.attachments.add(tx, kept);
    let created: boolean;
    if (asNote) {
      // No person waits for an answer, so it does not reopen the conversation.
      ({ created } = await this.messages.noteWithin(tx, asNote.conversationId, {
        body: `${asNote.why} from ${from.address}:\n\n${body}`.slice(0, MAX_BODY),
        externalId,
        attachmentIds,
        ...(thread?.memberId && { mentions: [thread.memberId] }),
      }));
      if (created && asNote.isFlood) await alertOfFlood(tx, asNote.conversationId);
    } else {
      // Another mailbox may have put somebody else's mail with this id into the conversation, or a note is about it.
      const other = thread && (await tx.findOne(MessageEntity, { conversationId: thread.conversationId, externalId }));
      const isOther = other && !(await this.sameMail.isSame(tx, other.id, mail, authentication));
      const isProven = authentication.result === "pass";
      const isParticipant = thread?.as !== undefined;
      const bringsOthers =
        isProven && (!isParticipant || (await this.participants.takesPart(tx, thread.conversationId, from.address)));
      const participantId = isParticipant
        ? await this.participants.writer(tx, thread.conversationId, channel.workspaceId, from)
        : null;
      const recipients = await this.people.others(tx, mail);
      const received = await this.incoming.receive(tx, channel, {
        from: senderOf(mail, { forged, participantId }),
        authentication,
        // What a participant writes proves nothing about the contact.
        senderProof: isProven && !isParticipant ? "channel" : "none",
        participantId,
        recipients,
        externalId: isOther ? await contentIdOf(fetched) : externalId,
        conversationId: thread?.conversationId ?? null,
        subject,
        body,
        occurredAt,
        attachmentIds,
        forPeople: taken ? "elsewhere" : (await answeredTooOften(tx, channel, from.address)) ? "loop" : undefined,
        metadata: { email: from.address, ...(automatic && { automatic }) },
      });
      created = received?.created ?? false;
      if (created) await this.people.keep(tx, received!.conversationId, mail, recipients, bringsOthers);
      if (created && taken) await this.sameMail.link(tx, received!.conversationId, taken);
    }
    // Nothing of a blocked sender is kept. The files are removed like those of a deleted attachment.
    if (!created) await this.attachments.withdraw(tx, attachmentIds);
    return true;
  }

  /** What the mailbox knows the mail by. @returns undefined if it has taken the mail */
  private async newIdOf(
    tx: Tx,
    channel: OpenChannel,
    mail: ParsedMessage,
    authentication: MessageAuthentication,
    fetched: FetchedMail,
  ): Promise<string | undefined> {
    const known = await this.incoming.find(tx, [channel.id], [mail.externalId]);
    if (!known) return mail.externalId;
    if (await this.sameMail.isSame(tx, known.messageId, mail, authentication)) return undefined;
    const id = await contentIdOf(fetched);
    return (await this.incoming.find(tx, [channel.id], [id])) ? undefined : id;
  }

  private async blocked(tx: Tx, conversationId: string): Promise<boolean> {
    return (await tx.query(FIND_BLOCKED, { conversationId })).length > 0;
  }
}

/** Why a mail is kept as a note, and where; undefined if it is a message. */
function noteOf(
  thread: Answered | undefined,
  { automatic, flooded }: { automatic: boolean; flooded: string | undefined },
): { conversationId: string; why: string; isFlood?: boolean } | undefined {
  if (thread && automatic) return { ...thread, why: "Automatic reply" };
  if (flooded !== undefined)
    return {
      conversationId: thread?.conversationId ?? flooded,
      why: `More than ${MAX_MAILS_PER_HOUR} mails within an hour`,
      isFlood: true,
    };
  return thread?.as === "note" ? { ...thread, why: "Answer to a forwarded message" } : undefined;
}

function senderOf(
  { from: { address, name } }: ParsedMessage,
  { forged, participantId }: { forged: boolean; participantId: string | null },
): IncomingMessage["from"] {
  if (participantId !== null) return { contactId: participantId };
  return forged ? null : { kind: "email", value: address, name };
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
  return [text.trim() ? text : end ? "" : "[The mail has no text]", end].filter(Boolean).join("\n\n");
}
