import { Injectable } from "@nestjs/common";
import { BookingsService } from "../../calendar/bookings/bookings.service.js";
import { ActionsService } from "../../conversations/actions/actions.service.js";
import { LabelEntity } from "../../conversations/labels/label.entity.js";
import { MessagesService } from "../../conversations/messages.service.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../../knowledge/review/entry-search.service.js";
import type { Hit } from "../../knowledge/review/search.queries.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { BuiltIn } from "./built-in.js";
import type { Bound } from "./tool-calls.queries.js";
import type { ToolOutcome } from "./tool-calls.js";

/** Entries that a search gives. */
const MAX_FOUND = 5;

/** What `search_knowledge` finds. */
export interface FoundKnowledge {
  kbEntryId: string;
  question: string;
  answer: string;
  language: string;
  /** How likely it answers the question, 0 to 1. */
  confidence: number;
}

/** The platform's own tools, at work. */
@Injectable()
export class BuiltInToolsService {
  constructor(
    private readonly db: Database,
    private readonly search: EntrySearchService<KbEntryDto, KbSaid>,
    private readonly bookings: BookingsService,
    private readonly actions: ActionsService,
    private readonly messages: MessagesService,
  ) {}

  /**
   * @param key the same for each attempt of the same call
   * @throws HttpException: it cannot be done, and why
   */
  async use(
    caller: SystemCaller,
    tool: Exclude<BuiltIn, "ask_verification">,
    values: Record<string, unknown>,
    bound: Bound,
    key: string,
  ): Promise<ToolOutcome> {
    const { conversationId, workspaceId } = bound;
    const { query, reason, body, label, calendarId, title, startsAt, endsAt } = values as Record<string, string>;
    switch (tool) {
      case "search_knowledge":
        return done(await this.find(caller, workspaceId, query!));
      case "hand_off":
        return { kind: "escalated", reason: reason! };
      case "set_label":
        return this.label(caller, conversationId, label!);
      case "add_note":
        await this.db.transaction(caller, (tx) =>
          this.messages.noteWithin(tx, conversationId, { body: body!, externalId: `tool:${key}` }),
        );
        return done({ ok: true });
      case "propose_booking": {
        const booking = { calendarId: calendarId!, title: title!, startsAt: startsAt!, endsAt: endsAt! };
        const made = await this.bookings.create(caller, { ...booking, conversationId, status: "tentative" });
        const { id, status } = made.parse();
        return done({ bookingId: id, status });
      }
    }
  }

  private async find(caller: SystemCaller, workspaceId: string, q: string): Promise<{ entries: FoundKnowledge[] }> {
    const hits = (await this.search.search(caller, workspaceId, { q, limit: MAX_FOUND })).parse();
    return {
      entries: (hits as (Hit<KbEntryDto> & { confidence: number })[]).map(({ entry, confidence }) => ({
        kbEntryId: entry.id,
        question: entry.question,
        answer: entry.answer,
        language: entry.language,
        confidence,
      })),
    };
  }

  private async label(caller: SystemCaller, conversationId: string, label: string): Promise<ToolOutcome> {
    return this.db.transaction(caller, async (tx) => {
      if (!(await tx.findOne(LabelEntity, { name: label })))
        return { kind: "refused", reason: "There is no label with this name" };
      await this.actions.within(tx, conversationId, { type: "label", add: [label] });
      return done({ ok: true });
    });
  }
}

const done = (value: unknown): ToolOutcome => ({ kind: "result", value });
