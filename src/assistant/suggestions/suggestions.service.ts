import { ConflictException, ForbiddenException, Injectable, type OnModuleInit } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { roleMissing } from "../../auth/access/role-missing.js";
import { EntriesCited } from "../../conversations/conversation-events.js";
import { CITE } from "../../conversations/messages.queries.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../../knowledge/kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../../knowledge/review/entry-search.service.js";
import type { Caller } from "../../platform/caller/caller.js";
import { rolesFor, type Scope } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { coded } from "../../platform/http/error-codes.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { recordOutcomes } from "../../platform/outcomes/record-outcomes.js";
import { ALL_OF_CONTEXT, type Context, GET_CONTEXT } from "../context/context.queries.js";
import { partsOf } from "../context/parts.js";
import { hasWords, questionOf, saidBefore, turnOf, withoutProofs } from "../context/question.js";
import { languageIn } from "../context/spoken.js";
import type { Difference } from "../context/polarity.js";
import { differenceFrom, fresh, HITS, inLanguages, thatCount } from "../judgement.js";
import { type DraftSentence, AnswerDraftsService } from "../model/answer-drafts.service.js";
import type { KbHit } from "../plan.js";
import type { SuggestionsDto } from "./suggestions.dto.js";
import type { SuggestionOutcome } from "./suggestion.entity.js";
import {
  ADD_SUGGESTIONS,
  END_CITED,
  END_SUGGESTION,
  GET_SUGGESTIONS,
  LIST_IGNORED,
  MAX_SUGGESTIONS,
  type Suggested,
} from "./suggestions.queries.js";

/** What is less likely to answer is noise. A person reads on where the assistant would ask back. */
const SUGGEST_FROM = 0.01;

/** A hit, and how what was written differs from what the entry answers, where the hit is best. */
interface Fitting extends KbHit {
  warning: Difference | undefined;
}

/** Which approved entries fit what a contact wrote last, for the person who answers. Nothing of it is sent by itself. */
@Injectable()
export class SuggestionsService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly search: EntrySearchService<KbEntryDto, KbSaid>,
    private readonly drafts: AnswerDraftsService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.handle(EntriesCited, (tx, cited) => this.endCited(tx, cited));
  }

  /** @param withDraft also lets the language model write one, which nothing keeps */
  async get(caller: Caller, conversationId: string, withDraft = false): Promise<Json<SuggestionsDto>> {
    assertScope(caller, "kb:read");
    if (withDraft) assertScope(caller, "conversations:write");
    const suggested = await this.suggested(caller, conversationId);
    const canDraft = this.drafts.configured;
    const draft = withDraft && canDraft ? await this.draft(caller, conversationId, suggested.sequence) : undefined;
    return Json.of({ ...suggested, canDraft, draft: draft ?? null });
  }

  /**
   * One statement, unless nothing is suggested for the message yet. Where nothing fits, the next call looks again: an entry may
   * have been approved meanwhile.
   */
  private async suggested(caller: Caller, conversationId: string): Promise<Suggested> {
    const known = (await this.db.read(caller, GET_SUGGESTIONS, { conversationId })).parse();
    const { sequence, suggestions } = known;
    if (sequence === null || suggestions.length) return known;
    const context = await this.context(caller, conversationId);
    const { workspaceId, messages } = context;
    const { hits } = await this.fitting(caller, context, sequence, inLanguages);
    if (!hits.length) return known;
    const fromSequence = turnOf(messages, sequence)[0]?.sequence ?? sequence;
    const { made, now } = await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const ignored = (await tx.query(LIST_IGNORED, { conversationId, fromSequence })).map((one) => one.kbEntryId);
      const rows = hits.filter(({ entry }) => !ignored.includes(entry.id)).slice(0, MAX_SUGGESTIONS);
      const added = await tx.query(ADD_SUGGESTIONS, { conversationId, sequence, suggestions: asRows(rows) });
      return { made: added, now: await tx.read(GET_SUGGESTIONS, { conversationId }) };
    });
    this.search.count(
      caller,
      workspaceId,
      made.map(({ kbEntryId }) => kbEntryId),
    );
    return now.parse();
  }

  private async draft(
    caller: Caller,
    conversationId: string,
    sequence: number | null,
  ): Promise<DraftSentence[] | undefined> {
    if (sequence === null) return undefined;
    const context = await this.context(caller, conversationId);
    const { hits, language } = await this.fitting(caller, context, sequence, thatCount);
    return hits.length ? this.drafts.write(caller, context, language, hits.slice(0, HITS)) : undefined;
  }

  private async context(caller: Caller, conversationId: string): Promise<Context> {
    const [context] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(GET_CONTEXT, { conversationId, ...ALL_OF_CONTEXT });
    });
    if (!context) throw notFound();
    return withoutProofs(context, false);
  }

  /** @throws NotFoundException, ConflictException: it has another outcome */
  async end(caller: Caller, id: string, outcome: SuggestionOutcome): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [ended] = await tx.query(END_SUGGESTION, { id, outcome });
      if (!ended) throw notFound();
      if (ended.outcome !== outcome) throw new ConflictException(`The suggestion was ${ended.outcome} before`);
      if (!ended.isNew || outcome === "ignored") return ok();
      const { workspaceId, kbEntryId } = ended;
      tx.changesWorkspace(workspaceId);
      await tx.query(CITE, { messageId: null, workspaceId, citations: "[]", ids: [kbEntryId] });
      await recordUse(tx, workspaceId, [{ kbEntryId, outcome }]);
      return ok();
    });
  }

  /** In the transaction of the reply, which has counted the answer. */
  private async endCited(tx: Tx, { messageId, conversationId, workspaceId, kbEntryIds }: EntriesCited): Promise<void> {
    const ended = await tx.query(END_CITED, { messageId, conversationId, kbEntryIds });
    await recordUse(tx, workspaceId, ended);
  }

  /**
   * Best first: the entries that a search finds, of all that was written and of each part of it. What the contact has read already
   * is left out.
   * @param chosen which of them. A person is also shown what may mean the opposite; a model is not
   */
  private async fitting(
    caller: Caller,
    context: Context,
    sequence: number,
    chosen: typeof thatCount<KbHit>,
  ): Promise<{ hits: Fitting[]; language: string }> {
    const question = questionOf(context, sequence);
    const language = await languageIn(context, sequence);
    if (!hasWords(question)) return { hits: [], language };
    const languages = [language, context.primaryLanguage];
    const { whole, searched } = partsOf(question);
    const found = await Promise.all(
      [whole, ...searched].map(async (text) =>
        chosen((await this.search.look(caller, context.workspaceId, text, HITS)).parse(), text, languages).map(
          (hit) => ({ ...hit, warning: differenceFrom(hit.entry, text) }),
        ),
      ),
    );
    const best = new Map<string, Fitting>();
    for (const hit of found.flat())
      if (hit.confidence > (best.get(hit.entry.id)?.confidence ?? SUGGEST_FROM)) best.set(hit.entry.id, hit);
    const hits = fresh([...best.values()], saidBefore(context, sequence));
    return { hits: hits.sort((a, b) => b.confidence - a.confidence), language };
  }
}

/** What the route needs besides its own scope. */
function assertScope(caller: Caller, scope: Scope): void {
  if (caller.kind === "member" && !rolesFor(scope).includes(caller.role)) throw roleMissing(rolesFor(scope));
  if (caller.kind === "apiKey" && !caller.scopes.includes(scope))
    throw coded(new ForbiddenException(), "scope-missing", `needs ${scope}`);
}

/** An answer that went out as it stands was good. Neither another wording nor another entry says that this one is bad. */
const recordUse = (
  tx: Tx,
  workspaceId: string,
  ended: readonly { kbEntryId: string; outcome: SuggestionOutcome | null }[],
): Promise<void> =>
  recordOutcomes(
    tx,
    ended
      .filter(({ outcome }) => outcome === "used")
      .map(({ kbEntryId: entityId }) => ({
        ...{ workspaceId, entityType: "kb_entry", entityId, metric: "answer" },
        ...{ scale: 1, value: 0, bad: false },
      })),
  );

const asRows = (hits: readonly Fitting[]): string =>
  JSON.stringify(
    hits.map(({ entry: { id, version }, confidence, warning }) => ({
      id: uuid(),
      kb_entry_id: id,
      version,
      confidence,
      warning,
    })),
  );
