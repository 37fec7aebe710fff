import { buffer } from "node:stream/consumers";
import { ConflictException, Injectable } from "@nestjs/common";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import type { ReplySentDto } from "../../conversations/messages.dto.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { keepNamed, recipientsOf } from "../../conversations/participants/recipients.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { type Invitation, type InvitationAnswer, MAX_INVITATION_BYTES } from "../ics/invitation.js";
import { CalendarParser } from "../providers/calendar-parser.js";
import type { InvitationDto } from "./invitations.dto.js";
import { FIND_INVITATION, type StoredInvitation } from "./invitations.queries.js";

/** Invitations that came with mails, and what is answered. They are read from the file each time, as mails are. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly db: Database,
    private readonly attachments: AttachmentsService,
    private readonly messages: MessagesService,
    private readonly parser: CalendarParser,
  ) {}

  /** @throws NotFoundException (no calendar file came with the message), ConflictException (it cannot be read) */
  async get(caller: Caller, id: string): Promise<Json<InvitationDto>> {
    const stored = await this.find(caller, id);
    const invitation = await this.read(caller, stored, await this.fileOf(caller, stored));
    return Json.of<InvitationDto>({
      ...invitation,
      answer: stored.answer,
      answerable: isAnswerable(stored, invitation),
    });
  }

  /**
   * Sends the answer from the mailbox. The same answer again is not sent again.
   * @throws NotFoundException, ConflictException (it cannot be read or answered, or somebody else has just answered)
   */
  async answer(caller: Caller, id: string, answer: InvitationAnswer): Promise<Json<ReplySentDto>> {
    const found = await this.find(caller, id);
    const ics = await this.fileOf(caller, found);
    const invitation = await this.read(caller, found, ics);
    if (!isAnswerable(found, invitation)) throw new ConflictException("This calendar file cannot be answered");
    const { organizer, title } = invitation;
    const text = await this.parser
      .read(caller.tenantId, "invitationReply", {
        ics,
        timezone: found.timeZone,
        reply: { guest: { name: found.fromName, address: found.mailbox! }, answer, now: new Date() },
      })
      .catch(unreadable);
    return this.db.transaction(caller, async (tx) => {
      const [stored] = await tx.query(FIND_INVITATION, { id });
      if (!stored) throw notFound();
      if (stored.answer === answer) return Json.of<ReplySentDto>({ ok: true, messageId: stored.answerId! });
      const { conversationId } = stored;
      const named = await recipientsOf(tx, conversationId, { to: [organizer!.address], cc: [] }, { toAll: false });
      const recipients = { to: named!.to, cc: [], invitation: { messageId: id, answer } };
      const subject = `${SAID[answer]}: ${title || "Invitation"}`;
      const { messageId, created } = await this.messages.mailedNoteWithin(
        tx,
        conversationId,
        // The next answer has another number, so of two at the same time one is written.
        { body: subject, recipients, clientMessageId: `invitation:${id}:${stored.answers}` },
        { subject, body: subject, calendar: { method: "REPLY", text } },
      );
      if (!created) throw new ConflictException("Somebody else has just answered. Look at their answer first");
      await keepNamed(tx, conversationId, recipients);
      return Json.of<ReplySentDto>({ ok: true, messageId });
    });
  }

  private async find(caller: Caller, id: string): Promise<StoredInvitation> {
    const [stored] = await this.db.separateTransaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(FIND_INVITATION, { id });
    });
    if (!stored) throw notFound();
    if (stored.size > MAX_INVITATION_BYTES) throw new ConflictException("The calendar file has more than 256 kB");
    return stored;
  }

  private async fileOf({ tenantId }: Caller, { fileId }: StoredInvitation): Promise<string> {
    return (await buffer(await this.attachments.bytes({ tenantId, id: fileId }))).toString("utf8");
  }

  private read({ tenantId }: Caller, { timeZone }: StoredInvitation, ics: string): Promise<Invitation> {
    return this.parser.read(tenantId, "invitation", { ics, timezone: timeZone }).catch(unreadable);
  }
}

/** As calendars begin the subjects of answers, in English. */
const SAID = { accepted: "Accepted", declined: "Declined", tentative: "Tentative" };

const isAnswerable = ({ mailbox }: StoredInvitation, { method, organizer }: Invitation): boolean =>
  method === "request" && organizer !== null && mailbox !== null && organizer.address !== mailbox;

function unreadable(cause: unknown): never {
  throw new ConflictException("The calendar file cannot be read", { cause });
}
