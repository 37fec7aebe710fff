import { ApiProperty } from "@nestjs/swagger";
import { PendingActionDto } from "../../assistant/pending-actions/pending-actions.dto.js";
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
  /** In order, notes included. */
  messages: MessageDto[];
}

export class ExportedCaseDto extends CaseDto {
  /** Oldest first. */
  events: CaseEventDto[];
}

export class ExportedMailDto extends OutboundMessageDto {
  /** `queued`: waits to be sent or retried. `dead`: given up. `captured`: on the test side, which sends nothing. */
  @ApiProperty({ enum: ["queued", "sent", "dead", "captured"] })
  status: OutboxStatus | "captured";
}

export class ContactExportDto {
  /** The person's contacts. The survivor of the merges comes first. */
  contacts: ContactDto[];
  /** Oldest first. */
  conversations: ExportedConversationDto[];
  /** Events of the person, oldest first. */
  identityEvents: IdentityEventDto[];
  /** Attention items of the person's conversations, oldest first. */
  attentionItems: AttentionItemDto[];
  /** What agents asked people to approve in the person's conversations, oldest first. */
  pendingActions: PendingActionDto[];
  /** The person's ratings of these conversations, oldest first. */
  csatRatings: CsatRatingDto[];
  /** Cases of the person, and cases without a contact that are about the person's conversations. Oldest first. */
  cases: ExportedCaseDto[];
  /**
   * Bookings of the person, and bookings without a contact from the person's conversations. Ordered by start time.
   */
  bookings: BookingDto[];
  /**
   * Mails that were sent or will be sent to the person's addresses or from the person's conversations, oldest first.
   * Their texts are not included: the texts from conversations are in the messages, and the service's own mails
   * contain links.
   */
  mails: ExportedMailDto[];
}
