import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { requestOf } from "../../platform/caller/request-context.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { inTurns } from "../../platform/database/turns.js";
import { Cursors } from "../../platform/http/cursor.js";
import { Json, type Page } from "../../platform/http/json.js";
import type { FoundConversationDto, SearchConversationsDto, SnippetDto } from "./search.dto.js";
import { type Found, type Hit, SEARCH, type SearchArgs } from "./search.queries.js";
import { Highlighter } from "./snippets.js";

@Injectable()
export class SearchService {
  private readonly cursors: Cursors;
  private readonly inTurn = inTurns();

  constructor(
    private readonly db: Database,
    config: Config,
  ) {
    this.cursors = new Cursors(config.secretKeys);
  }

  /** Closest first, then by recent activity. */
  async search(
    caller: Caller,
    { limit = 25, cursor, ...filters }: SearchConversationsDto,
  ): Promise<Json<Page<FoundConversationDto>>> {
    const question = JSON.stringify([
      "conversations.search",
      caller.tenantId,
      filters.query,
      filters.workspaceId ?? null,
      filters.status ?? null,
    ]);
    const [after0, after1, after2] =
      cursor === undefined ? [] : (this.cursors.open(question, cursor) as [number, string, string]);
    const args: SearchArgs = { ...filters, contacts: seesContacts(caller), limit, after0, after1, after2 };
    const answer = (found: Found): Json<Page<FoundConversationDto>> => this.page(found, limit, question);
    // A search changes nothing, but a repeated POST with the same Idempotency-Key must get the same answer.
    if (requestOf(caller)?.idempotency)
      return this.db.transaction(caller, async (tx) => answer((await tx.read(SEARCH, args)).parse()));
    return answer((await this.inTurn(() => this.db.read(caller, SEARCH, args))).parse());
  }

  private page({ terms, hits }: Found, limit: number, question: string): Json<Page<FoundConversationDto>> {
    const data = hits
      .slice(0, limit)
      .map((hit) => ({ conversation: hit.conversation, snippets: snippetsOf(hit, terms) }));
    const last = hits[limit - 1];
    if (hits.length <= limit || !last) return Json.of({ data });
    return Json.of({
      data,
      nextCursor: this.cursors.mint(
        question,
        JSON.stringify([last.class, last.conversation.lastActivityAt, last.conversation.id]),
      ),
    });
  }
}

/**
 * A key without the scope for contacts cannot search by them. Otherwise it could guess names and addresses letter by
 * letter.
 */
const seesContacts = (caller: Caller): boolean => caller.kind !== "apiKey" || caller.scopes.includes("contacts:read");

function snippetsOf({ conversation, near, contact, messageId, body }: Hit, terms: readonly string[]): SnippetDto[] {
  const highlighter = new Highlighter(terms, near);
  const texts: [SnippetDto["field"], string | null, string | null][] = [
    ["subject", null, conversation.subject],
    ...contact.map((value) => ["contact", null, value] as ["contact", null, string]),
    ["message", messageId, body],
  ];
  return texts.flatMap(([field, id, text]) => {
    const parts = text === null ? undefined : highlighter.extract(text);
    return parts ? [{ field, messageId: id, parts }] : [];
  });
}
