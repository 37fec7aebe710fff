import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { PendingActionDto } from "../../assistant/pending-actions/pending-actions.dto.js";
import { AttentionItemDto } from "../../conversations/attention/attention-items.dto.js";
import { BookingDto } from "../../calendar/bookings/bookings.dto.js";
import { CaseDto, CaseEventDto } from "../../conversations/cases/cases.dto.js";
import { ContactDto } from "../../contacts/contacts.dto.js";
import { ConversationDto } from "../../conversations/conversations.dto.js";
import { MessageDto } from "../../conversations/messages.dto.js";
import { ParticipantDto } from "../../conversations/participants/participants.dto.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { CsatRatingDto } from "../../quality/csat/ratings/ratings.dto.js";
import { IdentityEventDto } from "../../identity/events/identity-events.dto.js";
import { OutboundMessageDto, type OutboxStatus } from "../../platform/outbox/outbox.dto.js";

const MAIL_STATUSES = namedEnum("ExportedMailStatus", "How far a mail got.", ["queued", "sent", "dead", "captured"]);

@ApiSchema({ description: "A conversation with its messages, in an export." })
export class ExportedConversationDto extends ConversationDto {
  /** In order, notes included. */
  messages: MessageDto[];
}

@ApiSchema({ description: "A conversation of somebody else that the person takes part in, in an export." })
export class ExportedParticipationDto extends ParticipantDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** What the person wrote there, oldest first. */
  messages: MessageDto[];
}

@ApiSchema({ description: "A case with its events, in an export." })
export class ExportedCaseDto extends CaseDto {
  /** Oldest first. */
  events: CaseEventDto[];
}

@ApiSchema({ description: "A mail to the person, in an export." })
export class ExportedMailDto extends OutboundMessageDto {
  /** `queued`: waits to be sent or retried. `dead`: given up. `captured`: on the test side, which sends nothing. */
  @ApiProperty({ enum: MAIL_STATUSES })
  status: OutboxStatus | "captured";
}

@ApiSchema({ description: "The file `person.json` of an export: all data about a person." })
export class ContactExportDto {
  /** The person's contacts. The survivor of the merges comes first. */
  contacts: ContactDto[];
  /** Oldest first. */
  conversations: ExportedConversationDto[];
  /** Events of the person, oldest first. */
  identityEvents: IdentityEventDto[];
  /** The conversations of others that the person takes part in. */
  participations: ExportedParticipationDto[];
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
