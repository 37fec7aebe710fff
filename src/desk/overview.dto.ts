import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn } from "class-validator";
import { BookingDto } from "../calendar/bookings/bookings.dto.js";
import { CaseDto } from "../conversations/cases/cases.dto.js";
import { ConversationDto } from "../conversations/conversations.dto.js";
import { DraftDto } from "../conversations/drafts/drafts.dto.js";
import { MessageDto } from "../conversations/messages.dto.js";
import { ViewerDto } from "../conversations/viewing/viewing.dto.js";
import { IdentityEventsDto } from "../identity/events/identity-events.dto.js";
import { AssuranceDto } from "../identity/verification/verification.dto.js";
import { namedEnum } from "../platform/enums/named-enum.js";
import type { Page } from "../platform/http/json.js";
import { PageOf } from "../platform/http/openapi.js";
import { Optional, Several } from "../platform/http/validation.js";

export const PARTS = namedEnum("OverviewPart", "A part of the overview of a conversation.", [
  "conversation",
  "messages",
  "identityEvents",
  "assurance",
  "viewers",
  "draft",
  "otherConversations",
  "cases",
  "contactCases",
  "bookings",
]);
export type Part = (typeof PARTS)[number];

export class OverviewQueryDto {
  /** Only these parts. Repeat the parameter, or separate the parts with commas. Without it you get all that your role may read. */
  @ApiProperty({ enum: PARTS, isArray: true, required: false })
  @Optional()
  @Several()
  @IsIn(PARTS, { each: true })
  parts?: Part[];
}

/** The parts that were asked for. */
@ApiSchema({ description: "What an operator's screen shows of a conversation: the parts that were asked for." })
export class OverviewDto {
  @ApiProperty({ required: false })
  conversation?: ConversationDto;
  @PageOf(MessageDto)
  messages?: Page<MessageDto>;
  @ApiProperty({ required: false })
  identityEvents?: IdentityEventsDto;
  @ApiProperty({ required: false })
  assurance?: AssuranceDto;
  @PageOf(ViewerDto)
  viewers?: Page<ViewerDto>;
  /** Your draft. Observers have none. */
  @ApiProperty({ required: false })
  draft?: DraftDto;
  @PageOf(ConversationDto)
  otherConversations?: Page<ConversationDto>;
  @PageOf(CaseDto)
  cases?: Page<CaseDto>;
  @PageOf(CaseDto)
  contactCases?: Page<CaseDto>;
  @PageOf(BookingDto)
  bookings?: Page<BookingDto>;
}
