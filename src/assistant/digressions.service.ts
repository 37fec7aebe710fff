import { Injectable } from "@nestjs/common";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../knowledge/review/entry-search.service.js";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Thresholds } from "./context/decision.js";
import { hasWords } from "./context/question.js";
import { decideIn, HITS, thatCount } from "./judgement.js";
import type { KbHit } from "./plan.js";
import { type Asked, Digressions } from "./procedures/digressions.js";
import type { Digression } from "./procedures/engine.js";
import { GET_SETTINGS } from "./context/thresholds.queries.js";

/** Answers with an entry, as sure as for any other message. */
@Injectable()
export class DigressionsService extends Digressions {
  constructor(
    private readonly search: EntrySearchService<KbEntryDto, KbSaid>,
    private readonly db: Database,
  ) {
    super();
  }

  async answer(caller: Caller, about: Asked): Promise<Digression | undefined> {
    const { workspaceId, text } = about;
    if (!hasWords(text)) return undefined;
    const found = (await this.search.search(caller, workspaceId, { q: text, limit: HITS })).parse() as KbHit[];
    return answerIn(found, about, (await this.db.read(caller, GET_SETTINGS, { workspaceId })).parse());
  }
}

/** What answers it for sure, of what was found. */
export function answerIn(
  found: readonly KbHit[],
  { text, languages }: Asked,
  thresholds: Thresholds,
): Digression | undefined {
  if (!hasWords(text)) return undefined;
  const [language, primaryLanguage] = languages;
  const hits = thatCount(found, text, [language, primaryLanguage]);
  const decision = decideIn(hits, { thresholds, primaryLanguage }, { language, clarified: true });
  if (decision.action !== "answer") return undefined;
  const { id: entryId, answer } = decision.hit.entry;
  return { entryId, answer };
}
