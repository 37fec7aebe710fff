import { ApiProperty } from "@nestjs/swagger";
import { AttentionItemDto } from "../../conversations/attention/attention-items.dto.js";
import { BookingDto } from "../../calendar/bookings/bookings.dto.js";
import { CaseDto, CaseEventDto } from "../../conversations/cases/cases.dto.js";
import { ContactDto } from "../../contacts/contacts.dto.js";
import { ConversationDto } from "../../conversations/conversations.dto.js";
import { MessageDto } from "../../conversations/messages.dto.js";
import { CsatRatingDto } from "../../quality/csat/ratings/ratings.dto.js";
import { IdentityEventDto } from "../../identity/events/identity-events.dto.js";
import { OutboundMessageDto, type OutboxStatus } from "../../platform/outbox/outbox.dto.js";

export class ExportedConversationDto extends ConversationDto {
  /** In their order, notes included. */
  messages: MessageDto[];
}

export class ExportedCaseDto extends CaseDto {
  /** Oldest first. */
  events: CaseEventDto[];
}

export class ExportedMailDto extends OutboundMessageDto {
  /** `queued`: it waits to be sent, or to be tried again. `dead`: it was given up. `captured`: it is of the test side, from which nothing leaves. */
  @ApiProperty({ enum: ["queued", "sent", "dead", "captured"] })
  status: OutboxStatus | "captured";
}

export class ContactExportDto {
  /** The person's contacts: the survivor of the merges first. */
  contacts: ContactDto[];
  /** Oldest first. */
  conversations: ExportedConversationDto[];
  /** What is bound to the person, oldest first. */
  identityEvents: IdentityEventDto[];
  /** Of the person's conversations, oldest first. */
  attentionItems: AttentionItemDto[];
  /** How they rated those conversations, oldest first. */
  csatRatings: CsatRatingDto[];
  /** Those that name the person, and those that name nobody and are about the person's conversations; oldest first. */
  cases: ExportedCaseDto[];
  /** Those that name the person, and those that name nobody and are of the person's conversations; by their beginning. */
  bookings: BookingDto[];
  /**
   * What left, or is to leave, for the person's addresses and from the person's conversations, oldest first. Without what it says: of
   * conversations that is in their messages, and mails of the service's own hold links.
   */
  mails: ExportedMailDto[];
}
