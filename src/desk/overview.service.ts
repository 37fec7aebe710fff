import { Injectable } from "@nestjs/common";
import { BookingsService } from "../calendar/bookings/bookings.service.js";
import { CasesService } from "../conversations/cases/cases.service.js";
import { ConversationsService } from "../conversations/conversations.service.js";
import { DraftsService } from "../conversations/drafts/drafts.service.js";
import { MessagesService } from "../conversations/messages.service.js";
import { ViewingService } from "../conversations/viewing/viewing.service.js";
import { IdentityEventsService } from "../identity/events/identity-events.service.js";
import { VerificationService } from "../identity/verification/verification.service.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import { outsideRequest } from "../platform/caller/request-context.js";
import { DESK } from "../platform/caller/scope.js";
import { Json } from "../platform/http/json.js";
import { type OverviewDto, type Part, PARTS } from "./overview.dto.js";

const MESSAGES = 50;
const OF_CONTACT = 10;

/** What an operator's screen shows of a conversation. Each part is the answer of its own route. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
    private readonly identityEvents: IdentityEventsService,
    private readonly verification: VerificationService,
    private readonly viewing: ViewingService,
    private readonly drafts: DraftsService,
    private readonly cases: CasesService,
    private readonly bookings: BookingsService,
  ) {}

  async get(
    member: MemberCaller,
    id: string,
    parts: readonly Part[] = PARTS.filter((part) => part !== "draft" || DESK.includes(member.role)),
  ): Promise<Json<OverviewDto>> {
    // Each part is whole, whatever the request's `If-None-Match` says.
    const caller = outsideRequest(member);
    const conversation = await this.conversations.get(caller, id);
    const { contactId } = conversation.parse();
    const ofContact = { contactId, limit: OF_CONTACT };
    const read: Record<Part, () => Json | Promise<Json>> = {
      conversation: () => conversation,
      messages: () => this.messages.list(caller, id, { order: "desc", limit: MESSAGES }),
      identityEvents: () => this.identityEvents.list(caller, id),
      assurance: () => this.verification.assurance(caller, id),
      viewers: () => this.viewing.list(caller, id, {}),
      draft: () => this.drafts.get(caller, id),
      otherConversations: () => this.conversations.list(caller, ofContact),
      cases: () => this.cases.list(caller, ofContact),
      bookings: () => this.bookings.list(caller, ofContact),
    };
    const answers = [];
    // One after the other: one request takes one connection of the pool.
    for (const part of parts) answers.push(`"${part}":${(await read[part]()).text}`);
    return new Json<OverviewDto>(`{${answers.join()}}`);
  }
}
