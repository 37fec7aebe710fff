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
const FEW = 10;
const WEEK_MS = 7 * 24 * 60 * 60_000;
/** The begin of the day a week ago, so that an unchanged answer stays the same for a day. */
const weekAgo = (): string => `${new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10)}T00:00:00Z`;

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
    const ofContact = { contactId, limit: FEW };
    const read: Record<Part, () => Json | Promise<Json>> = {
      conversation: () => conversation,
      messages: () => this.messages.list(caller, id, { order: "desc", limit: MESSAGES }),
      identityEvents: () => this.identityEvents.list(caller, id),
      assurance: () => this.verification.assurance(caller, id),
      viewers: () => this.viewing.list(caller, id, {}),
      draft: () => this.drafts.get(caller, id),
      otherConversations: () => this.conversations.list(caller, ofContact),
      cases: () => this.cases.list(caller, { conversationId: id, limit: FEW }),
      contactCases: () => this.cases.list(caller, ofContact),
      bookings: () => this.bookings.list(caller, { ...ofContact, from: weekAgo() }),
    };
    const answers = [];
    // One after the other: one request takes one connection of the pool.
    for (const part of parts) answers.push(`"${part}":${(await read[part]()).text}`);
    return new Json<OverviewDto>(`{${answers.join()}}`);
  }
}
