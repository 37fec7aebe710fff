import { ConflictException } from "@nestjs/common";
import { columnOf } from "../../platform/database/sql.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import type { Query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import type { Fields } from "./entry-lines.js";
import { type Changes, changesOf, type Kind, type Lists, readsOf } from "./entries.queries.js";
import type {
  ApproveEntryDto,
  EditEntryDto,
  ListEntriesDto,
  PendingDto,
  RejectEntryDto,
  ReviewedEntryDto,
} from "./reviewed-entry.dto.js";

/**
 * The workflow that all kinds of reviewed entries share: pending, then approved or rejected; approved, then archived.
 * Make one a kind, because its statements have names.
 */
export class ReviewWorkflow<Entry extends ReviewedEntryDto, Version> {
  readonly reads: ReturnType<typeof readsOf<Entry, Version>>;
  readonly changes: Changes;
  /** The fields of a line of an import or export. */
  readonly lines: Fields;

  constructor(
    private readonly db: Database,
    { reads, changes, lines }: ReviewStatements<Entry, Version>,
  ) {
    this.reads = reads;
    this.changes = changes;
    this.lines = lines;
  }

  /** Newest first. */
  list(
    caller: Caller,
    workspaceId: string,
    { status, limit = 25, cursor }: ListEntriesDto,
  ): Promise<Json<Page<Entry>>> {
    return this.db.page(caller, pageOf(this.reads.list, status, cursor), { workspaceId, status }, { limit, cursor });
  }

  /** Newest first, with only the fields of a line. */
  export(
    caller: Caller,
    workspaceId: string,
    { status, limit, cursor }: ListEntriesDto & { limit: number },
  ): Promise<Json<Page<object>>> {
    return this.db.page(caller, pageOf(this.reads.export, status, cursor), { workspaceId, status }, { limit, cursor });
  }

  /** Oldest first. */
  pending(
    caller: Caller,
    workspaceId: string,
    { limit = 500, sourceId }: PendingDto & { sourceId?: string },
  ): Promise<Json<Entry[]>> {
    return this.db.read(caller, this.reads.pending, { workspaceId, limit, sourceId });
  }

  get(caller: Caller, id: string): Promise<Json<Entry>> {
    return this.db.read(caller, this.reads.get, { id });
  }

  /** Newest first. */
  versions(caller: Caller, id: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<Version>>> {
    return this.db.page(caller, this.reads.versions, { id }, { limit, cursor });
  }

  /** @throws NotFoundException, ConflictException: the entry is no longer pending, or no longer the version that was read */
  approve(caller: Caller, id: string, { ifVersion }: ApproveEntryDto): Promise<Json<Ok>> {
    return this.review(caller, { id, status: "approved", reason: null, ifVersion: ifVersion ?? null });
  }

  /** @throws NotFoundException, ConflictException: the entry is no longer pending, or no longer the version that was read */
  reject(caller: Caller, id: string, { reason, ifVersion }: RejectEntryDto): Promise<Json<Ok>> {
    return this.review(caller, { id, status: "rejected", reason: reason ?? null, ifVersion: ifVersion ?? null });
  }

  private review(
    caller: Caller,
    verdict: { id: string; status: "approved" | "rejected"; reason: string | null; ifVersion: number | null },
  ): Promise<Json<Ok>> {
    const args = { ...verdict, by: callerId(caller) };
    return this.move(caller, `Only a pending entry can be ${verdict.status}`, this.changes.review, args, ok);
  }

  /** @throws NotFoundException, ConflictException: the entry is not approved */
  archive(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.move(caller, "Only an approved entry can be archived", this.changes.archive, { id }, ok);
  }

  /** Sends an approved entry back to be reviewed. Until then searches do not find it. Does nothing if it is not approved. */
  async returnToReview(tx: Tx, id: string): Promise<void> {
    await tx.query(this.changes.returnToReview, { id });
  }

  /**
   * Edits a pending entry and keeps the version before.
   * @throws NotFoundException, ConflictException: it is no longer pending, or no longer the version that was read
   */
  edit(caller: Caller, id: string, { reason, ifVersion, ...changes }: EditEntryDto): Promise<Json<Entry>> {
    const columns = Object.fromEntries(
      Object.entries(changes)
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [columnOf(field), value]),
    );
    const args = {
      id,
      changes: JSON.stringify(columns),
      reason: reason ?? null,
      by: callerId(caller),
      ifVersion: ifVersion ?? null,
    };
    return this.move(caller, "Only a pending entry can be edited", this.changes.edit, args, (tx) =>
      tx.read(this.reads.get, { id }),
    );
  }

  /** @param change gives a row if the entry was in the state that the move needs */
  private move<T, Args extends { id: string; ifVersion?: number | null }>(
    caller: Caller,
    refusal: string,
    change: Query<Args, { workspaceId: string }>,
    args: Args,
    answer: (tx: Tx) => T | Promise<T>,
  ): Promise<T> {
    return this.db.transaction(caller, async (tx) => {
      const [moved] = await tx.query<Args, { workspaceId: string }>(change, args);
      if (!moved) {
        const { status, version } = (await tx.read(this.reads.get, { id: args.id })).parse();
        // Without a version, what refused the move is the state that the entry had a moment ago.
        if (status === "pending" && args.ifVersion != null && args.ifVersion !== version)
          throw new ConflictException(`This entry was edited after you read it. It is now version ${version}`);
        throw new ConflictException(`${refusal}; this one is ${status}`);
      }
      tx.changesWorkspace(moved.workspaceId);
      return answer(tx);
    });
  }

  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [entry] = await tx.query(this.changes.lock, { id });
      if (!entry) throw notFound();
      tx.changesWorkspace(entry.workspaceId);
      await tx.query(this.changes.forgetDuplicates, { ids: [id] });
      await tx.query(this.changes.delete, { ids: [id] });
      return ok();
    });
  }
}

/** The statements of one kind, made once when its file loads. */
const pageOf = <Item>({ all, ofStatus }: Lists<Item>, status?: string, cursor?: string): Lists<Item>["all"]["first"] =>
  (status === undefined ? all : ofStatus)[cursor === undefined ? "first" : "next"];

export interface ReviewStatements<Entry, Version> {
  reads: ReturnType<typeof readsOf<Entry, Version>>;
  changes: Changes;
  lines: Fields;
}
export const reviewStatements = <Entry, Version>(kind: Kind<Entry>): ReviewStatements<Entry, Version> => ({
  reads: readsOf<Entry, Version>(kind),
  changes: changesOf(kind),
  lines: kind.lines,
});
