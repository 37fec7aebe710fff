import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../knowledge/kb-entries/kb-entries.queries.js";
import { KbEntryEntity } from "../knowledge/kb-entries/kb-entry.entity.js";
import { sayTheSame } from "../knowledge/kb-entries/opposed.js";
import { EntrySearchService } from "../knowledge/review/entry-search.service.js";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { languageOf } from "../assistant/context/language.js";
import { type Lesson, lessonOf } from "./evidence.js";
import {
  ADD,
  ASSIGN,
  ENTRIES,
  type Evidence,
  type Facts,
  GET_FACTS,
  HOLD,
  HOLD_ALL,
  type Kept,
  type Known,
  RECENT,
  type Resolved,
  STRENGTHEN,
  TAKE_TURN,
} from "./learning.queries.js";
import { peopleIn } from "./people.js";
import { aboutTheSame, confidenceOf, proposalOf } from "./proposal.js";
import { MAX_TEXT } from "./redaction/redact.js";
import { LearningDueEntity } from "./learning.entity.js";

/** One person alone cannot teach anything. */
const MIN_PEOPLE = 2;

/** Makes proposals for the knowledge base from what people answered where the assistant could not. */
@Injectable()
export class LearningService {
  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
  ) {}

  /** What a resolved conversation teaches. All of it is one transaction, so it counts once. */
  learn(caller: SystemCaller, { id: conversationId, revision, ...range }: Resolved): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [held] = await tx.query(HOLD, { conversationId });
      if (held) {
        const [facts] = await tx.query(GET_FACTS, { conversationId, ...range, maxText: MAX_TEXT });
        const heldUntil = facts!.messages
          .flatMap((message) => message.heldUntil ?? [])
          .sort()
          .at(-1);
        if (heldUntil !== undefined) {
          await tx.update(LearningDueEntity, { conversationId }, { dueAt: new Date(heldUntil) });
          return;
        }
        await this.addAndSettle(tx, held.workspaceId, conversationId, facts!);
      }
      // What was resolved again meanwhile stays due.
      await tx.delete(LearningDueEntity, { conversationId, revision });
    });
  }

  private async addAndSettle(tx: Tx, workspaceId: string, conversationId: string, facts: Facts): Promise<void> {
    const lesson = lessonOf(facts);
    if (lesson) await this.add(tx, workspaceId, conversationId, lesson, facts);
    const [own] = await tx.query(RECENT, { workspaceId, conversationId });
    if (!own || own.entryId !== null) return;
    await tx.query(TAKE_TURN, { workspaceId });
    await this.settle(tx, workspaceId, own, lesson?.found ?? []);
  }

  private async add(
    tx: Tx,
    workspaceId: string,
    conversationId: string,
    { sequence, messageId, question, answer }: Lesson,
    { language, primaryLanguage }: Facts,
  ): Promise<void> {
    await tx.query(ADD, {
      id: uuid(),
      workspaceId,
      conversationId,
      sequence,
      messageId,
      question,
      answer,
      language: (await languageOf(answer)) ?? language ?? primaryLanguage,
    });
  }

  /** Finds what the evidence speaks for, or proposes it. Otherwise it waits for more. @param found what the assistant found */
  private async settle(tx: Tx, workspaceId: string, evidence: Kept, found: readonly string[]): Promise<void> {
    const pool = await tx.query(RECENT, { workspaceId, conversationId: null });
    const same = aboutTheSame(
      evidence,
      pool.filter(({ id }) => id !== evidence.id),
    );
    const rejected = same.find((one) => one.status === "rejected" && sayTheSame(one.answer, evidence.answer));
    if (rejected) {
      await tx.query(ASSIGN, { ids: [evidence.id], entryId: rejected.entryId! });
      return;
    }
    const [alike] = (await this.finder.alike(tx, workspaceId, [evidence])) as [
      Awaited<ReturnType<typeof this.finder.alike>>[number],
    ];
    const ids = [...alike.map(({ entry }) => entry.id), ...same.flatMap(({ entryId }) => entryId ?? []), ...found];
    const entries = new Map((await tx.query(ENTRIES, { workspaceId, ids })).map((entry) => [entry.id, entry]));
    const known = [...new Set(ids)].flatMap((id) => entries.get(id) ?? []);
    const isAsked = (id: string): boolean =>
      alike.some(({ entry }) => entry.id === id) || same.some(({ entryId }) => entryId === id);

    const waiting = known.find(({ id, status }) => status === "pending" && isAsked(id));
    if (waiting && (await this.strengthen(tx, workspaceId, waiting, evidence, pool))) return;
    const approved = known.filter(({ status }) => status === "approved");
    const agreeing = approved.find(({ answer }) => sayTheSame(answer, evidence.answer));
    if (agreeing && alike.some(({ entry }) => entry.id === agreeing.id)) {
      await this.strengthen(tx, workspaceId, agreeing, evidence, pool);
      return;
    }
    const contradicted = approved.find(({ id }) => alike.some(({ entry }) => entry.id === id));
    const open = [evidence, ...same.filter(({ entryId }) => entryId === null)];
    await this.propose(tx, workspaceId, open, agreeing ?? contradicted, alike[0]?.entry.id);
  }

  /** @returns whether the entry still waits or is approved */
  private async strengthen(
    tx: Tx,
    workspaceId: string,
    entry: Known,
    evidence: Kept,
    pool: readonly Kept[],
  ): Promise<boolean> {
    const group = [evidence, ...pool.filter(({ entryId }) => entryId === entry.id)];
    const strengthened = await tx.query(STRENGTHEN, {
      entryId: entry.id,
      evidence: JSON.stringify([namedIn(evidence)]),
      confidence: confidenceOf(entry.answer, group),
    });
    if (!strengthened.length) return false;
    await tx.query(ASSIGN, { ids: [evidence.id], entryId: entry.id });
    tx.changesWorkspace(workspaceId);
    return true;
  }

  private async propose(
    tx: Tx,
    workspaceId: string,
    open: readonly Evidence[],
    about: Known | undefined,
    alikeId: string | undefined,
  ): Promise<void> {
    if (peopleIn(open) < MIN_PEOPLE) return;
    const conversationIds = open.map(({ conversationId }) => conversationId);
    const there = new Set((await tx.query(HOLD_ALL, { conversationIds })).map(({ id }) => id));
    const group = open.filter(({ conversationId }) => there.has(conversationId));
    if (peopleIn(group) < MIN_PEOPLE) return;
    const { ends, replaces, reason, ...content } = proposalOf(group, about);
    const id = uuid();
    await tx.insert(KbEntryEntity, {
      ...content,
      id,
      workspaceId,
      status: "pending",
      source: "learning",
      evidence: group.map(namedIn),
      duplicateOfId: replaces ?? alikeId ?? null,
      replacesDuplicate: replaces !== null,
      validUntil: ends ? new Date() : null,
      changeReason: reason,
    });
    await tx.query(ASSIGN, { ids: group.map((one) => one.id), entryId: id });
    tx.changesWorkspace(workspaceId);
  }
}

const namedIn = ({ conversationId, messageId }: Evidence): { conversationId: string; messageId: string } => ({
  conversationId,
  messageId,
});
