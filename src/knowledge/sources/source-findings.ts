import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { KbEntryDto } from "../kb-entries/kb-entries.dto.js";
import type { KbSaid } from "../kb-entries/kb-entries.queries.js";
import { EntrySearchService } from "../review/entry-search.service.js";
import { type KnownSection, type Plan, planOf, type Proposed } from "./plan.js";
import type { Found } from "./readings.js";
import { NotRead, type Problem } from "./source-problem.js";
import { SourceEntity, SourceSectionEntity } from "./source.entity.js";
import {
  COUNT_FOUND,
  END_READING,
  KEEP_PAGES,
  KEEP_SECTIONS,
  KNOWN_SECTIONS,
  LOCK_ENTRIES,
  MAKE_DUE,
  PROPOSE,
  SAME_TEXTS,
  WITHDRAW,
} from "./sources.queries.js";
import { In } from "typeorm";

/** More are compared word for word only, as in an import: each costs a millisecond or two. */
const MAX_COMPARED = 1_000;
const BATCH = 500;

const REASONS = {
  new: null,
  edit: "The source says something else now",
  end: "The source no longer says this",
  withdrawn: "The source has changed since",
};

/** Makes proposals of what a reading found. */
@Injectable()
export class SourceFindings {
  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
  ) {}

  /** All of it is one transaction, of the reading whose turn it is: so whatever is read twice, or dies, counts once. */
  settle(caller: SystemCaller, { id, lease }: { id: string; lease: string }, found: Found | NotRead): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [mine] = await tx.query(END_READING, { id, lease });
      if (!mine || mine.deleted) return;
      tx.changesWorkspace(mine.workspaceId);
      if (mine.schedule !== "never") await tx.query(MAKE_DUE, { id, schedule: mine.schedule });
      if (found instanceof NotRead) {
        await tx.update(SourceEntity, { id }, { status: "failed", ...saidOf(found.problem), updatedAt: () => "now()" });
        return;
      }
      await this.propose(tx, id, mine, found);
      const pages = found.pages.filter(({ state }) => state !== "gone").length;
      const [counted] = await tx.query(COUNT_FOUND, { id });
      await tx.update(
        SourceEntity,
        { id },
        {
          status: "ready",
          ...saidOf(found.note),
          pages,
          failedPages: found.failed,
          found: counted!.count,
          lastReadAt: () => "now()",
          updatedAt: () => "now()",
        },
      );
    });
  }

  private async propose(
    tx: Tx,
    id: string,
    { workspaceId, language }: { workspaceId: string; language: string },
    { sections, isCovered, pages }: Found,
  ): Promise<void> {
    const statuses = new Map((await tx.query(LOCK_ENTRIES, { id })).map((entry) => [entry.id, entry.status]));
    const known = await tx.query(KNOWN_SECTIONS, { id });
    const plan = planOf({ known, found: sections, isCovered, statusOf: (entryId) => statuses.get(entryId) });
    await tx.query(WITHDRAW, { ids: plan.withdrawn, reason: REASONS.withdrawn });
    if (plan.forgotten.length) await tx.delete(SourceSectionEntity, { sourceId: id, key: In(plan.forgotten) });
    const kept = [...plan.kept, ...(await this.add(tx, id, workspaceId, language, plan.proposed))];
    for (let from = 0; from < kept.length; from += BATCH)
      await tx.query(KEEP_SECTIONS, { id, sections: JSON.stringify(kept.slice(from, from + BATCH)) });
    const read = pages.flatMap((page) =>
      page.state !== "gone" ? [{ url: page.url, etag: page.etag, lastModified: page.lastModified }] : [],
    );
    const gone = pages.flatMap(({ url, state }) => (state === "gone" ? [url] : []));
    await tx.query(KEEP_PAGES, { id, pages: JSON.stringify(read), gone });
  }

  /** @returns what is known of these sections from now on */
  private async add(
    tx: Tx,
    sourceId: string,
    workspaceId: string,
    language: string,
    proposed: Plan["proposed"],
  ): Promise<KnownSection[]> {
    const kept: KnownSection[] = [];
    const readAt = new Date().toISOString();
    for (let from = 0; from < proposed.length; from += BATCH) {
      const batch = proposed.slice(from, from + BATCH);
      const same = await this.sameTexts(tx, workspaceId, batch);
      const fresh = batch.filter((one, i) => one.kind === "new" && !same.has(i));
      const alike =
        proposed.length > MAX_COMPARED || !fresh.length
          ? []
          : await this.finder.alike(
              tx,
              workspaceId,
              fresh.map((one) => textOf(one)!),
            );
      const entries: object[] = [];
      for (const [i, one] of batch.entries()) {
        const there = same.get(i);
        const proposalId = uuid();
        kept.push(knownAs(one, there ?? { id: proposalId, status: "pending" }));
        if (there) continue;
        const place = one.kind === "end" ? undefined : one.section;
        entries.push({
          id: proposalId,
          base: one.kind === "new" ? null : one.entryId,
          question: place?.question ?? null,
          answer: place?.answer ?? null,
          language: place?.language ?? language,
          duplicateOfId: alike[fresh.indexOf(one)]?.[0]?.entry.id ?? null,
          reason: REASONS[one.kind],
          readFrom: {
            sourceId,
            url: addressOf(place?.url ?? (one as { known: KnownSection }).known.url),
            section: place?.section ?? "",
            readAt,
          },
        });
      }
      await tx.query(PROPOSE, { workspaceId, entries: JSON.stringify(entries) });
    }
    return kept;
  }

  /** An entry says this already, waits to, or was refused. */
  private async sameTexts(
    tx: Tx,
    workspaceId: string,
    batch: readonly Proposed[],
  ): Promise<Map<number, { id: string; status: string }>> {
    const texts = batch.flatMap((one, i) => {
      const text = textOf(one);
      return text ? [{ i, question: text.question, answer: text.answer }] : [];
    });
    if (!texts.length) return new Map();
    const rows = await tx.query(SAME_TEXTS, { workspaceId, texts: JSON.stringify(texts) });
    return new Map(rows.map(({ i, ...entry }) => [i, entry]));
  }
}

const saidOf = (problem: Problem | undefined) => ({
  error: problem?.sentence ?? null,
  errorCode: problem?.code ?? null,
  errorValue: problem?.value ?? null,
});

const textOf = (one: Proposed): { question: string; answer: string } | undefined =>
  one.kind === "end" ? undefined : one.section;
const addressOf = (url: string): string | null => (/^https?:/.test(url) ? url : null);

function knownAs(one: Proposed, { id, status }: { id: string; status: string }): KnownSection {
  const isInUse = status === "approved";
  const base =
    one.kind === "new" ? { entryId: null, entryDigest: null } : { entryId: one.entryId, entryDigest: one.entryDigest };
  if (one.kind === "end") return { ...one.known, ...base, digest: null, proposalId: id };
  const { key, url, digest } = one.section;
  return isInUse
    ? { key, url, digest, entryId: id, entryDigest: digest, proposalId: null }
    : { key, url, digest, ...base, proposalId: status === "pending" ? id : null };
}
