import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { Database } from "../../platform/database/database.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import { RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { clientOf, RateLimiter } from "../../platform/http/rate-limit.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../../knowledge/review/entry-search.service.js";
import type { PublicAnswersDto, PublicKbWidgetDto } from "./public-widgets.dto.js";
import { PublicWidgetsService, visitorOf } from "./public-widgets.service.js";

/** Searches a minute of one address, over all processes. */
const MAX_PER_ADDRESS = 60;
/** Above this, searches of all addresses together compare words only, which costs no request to the embeddings server. */
const MAX_BY_MEANING = 1_200;
/** How many hits are filtered by confidence and language. */
const CANDIDATES = 20;

/** Searches the approved entries of a workspace for anyone. Shows only question and answer. */
@Injectable()
export class PublicSearchService implements OnModuleDestroy {
  private readonly ofAddress: RateLimiter;
  private readonly ofWidget: RateLimiter;

  constructor(
    db: Database,
    private readonly widgets: PublicWidgetsService,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
  ) {
    const lease = rateLease(db);
    this.ofAddress = new RateLimiter(MAX_PER_ADDRESS, lease);
    this.ofWidget = new RateLimiter(MAX_BY_MEANING, lease);
  }

  onModuleDestroy(): void {
    for (const limiter of [this.ofAddress, this.ofWidget]) limiter.stop();
  }

  async look(key: string): Promise<Json<PublicKbWidgetDto>> {
    const {
      language,
      settings: { title, colour, placeholder },
    } = await this.widgets.kb(key);
    return Json.of({ title, colour, language, placeholder });
  }

  /** @throws NotFoundException, RetryLater */
  async search(key: string, ip: string, q = ""): Promise<Json<PublicAnswersDto>> {
    const widget = await this.widgets.kb(key);
    const { allowed, resetSeconds } = await this.ofAddress.take(`kb ${widget.id} ${clientOf(ip)}`);
    if (!allowed) throw new RetryLater(`Too many searches: try again in ${resetSeconds} seconds`, resetSeconds);
    const { allowed: byMeaning } = await this.ofWidget.take(`kb ${widget.id}`);
    const { results, minConfidence } = widget.settings;
    const caller = visitorOf(widget, "publicWidgets.searchKb");
    const asked = { q, limit: CANDIDATES };
    const hits = (await this.finder.search(caller, widget.workspaceId, asked, byMeaning)).parse();
    const shown = hits
      .filter(({ entry, confidence }) => confidence >= minConfidence && entry.language === widget.language)
      .slice(0, results);
    return Json.of({ data: shown.map(({ entry: { question, answer } }) => ({ question, answer })) });
  }
}
