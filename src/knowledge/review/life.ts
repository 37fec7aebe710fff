import { ConflictException } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import { inReach } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import { columnOf, contentOf, type Kind, readsOf } from "./entries.queries.js";
import type { EditEntryDto, ListEntriesDto, PendingDto, RejectDto, ReviewedEntryDto } from "./reviewed-entry.dto.js";

/** The life that all kinds of reviewed entries have: pending, then approved or rejected; approved, then archived. */
export class Life<Entry extends ReviewedEntryDto, Version> {
  readonly reads: ReturnType<typeof readsOf<Entry, Version>>;
  private readonly table: string;
  private readonly editing: string;

  constructor(
    private readonly db: Database,
    kind: Kind<Entry>,
  ) {
    this.reads = readsOf<Entry, Version>(kind);
    this.table = kind.table;
    const columns = kind.content.map(columnOf);
    this.editing = `with before as (
        select r as entry from ${kind.table} r where r.tenant_id = :tenant and r.id = :id and r.status = 'pending' and ${inReach("r")} for update
      ), kept as (
        insert into ${kind.table}_version (tenant_id, entry_id, version, content, changed_by, reason, created_at)
        select r.tenant_id, r.id, r.version, ${contentOf(kind.content)}, r.changed_by, r.change_reason, r.updated_at
        from before cross join lateral (select (before.entry).*) r
      )
      update ${kind.table} r set (${columns.join(", ")}) = (select ${columns.map((column) => `n.${column}`).join(", ")} from jsonb_populate_record(b.entry, :changes::jsonb) n),
        version = r.version + 1, changed_by = :by, change_reason = :reason, updated_at = now()
      from before b where r.tenant_id = (b.entry).tenant_id and r.id = (b.entry).id returning r.workspace_id as "workspaceId"`;
  }

  /** Newest first. */
  list(
    caller: Caller,
    workspaceId: string,
    { status, limit = 25, cursor }: ListEntriesDto,
  ): Promise<Json<Page<Entry>>> {
    return this.db.page(caller, this.reads.list, { workspaceId, status }, { limit, cursor });
  }

  /** Oldest first. */
  pending(caller: Caller, workspaceId: string, { limit = 500 }: PendingDto): Promise<Json<Entry[]>> {
    return this.db.read(caller, this.reads.pending, { workspaceId, limit });
  }

  get(caller: Caller, id: string): Promise<Json<Entry>> {
    return this.db.read(caller, this.reads.get, { id });
  }

  versions(caller: Caller, id: string): Promise<Json<Version[]>> {
    return this.db.read(caller, this.reads.versions, { id });
  }

  /** @throws NotFoundException, ConflictException: it is no longer pending */
  approve(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.review(caller, id, "approved", null);
  }

  /** @throws NotFoundException, ConflictException: it is no longer pending */
  reject(caller: Caller, id: string, { reason }: RejectDto): Promise<Json<Ok>> {
    return this.review(caller, id, "rejected", reason ?? null);
  }

  /** One conditional update decides: of any number at once, one wins. */
  private review(
    caller: Caller,
    id: string,
    status: "approved" | "rejected",
    reason: string | null,
  ): Promise<Json<Ok>> {
    return this.move(
      caller,
      id,
      `Only a pending entry can be ${status}`,
      `update ${this.table} r set status = :status, rejection_reason = :reason, reviewed_by = :by, reviewed_at = now(), updated_at = now()
      where r.tenant_id = :tenant and r.id = :id and r.status = 'pending' and ${inReach("r")} returning r.workspace_id as "workspaceId"`,
      { status, reason, by: callerId(caller) },
      ok,
    );
  }

  /** @throws NotFoundException, ConflictException: it is not approved */
  archive(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.move(
      caller,
      id,
      "Only an approved entry can be archived",
      `update ${this.table} r set status = 'archived', updated_at = now()
      where r.tenant_id = :tenant and r.id = :id and r.status = 'approved' and ${inReach("r")} returning r.workspace_id as "workspaceId"`,
      {},
      ok,
    );
  }

  /** Sends an approved entry back to be reviewed: until then it is not found. One that is not approved stays as it is. */
  async reconsider(tx: Tx, id: string): Promise<void> {
    await tx.query(
      `update ${this.table} set status = 'pending', reviewed_by = null, reviewed_at = null, updated_at = now() where tenant_id = :tenant and id = :id::uuid and status = 'approved'`,
      { id },
    );
  }

  /** The version before is kept. @throws NotFoundException, ConflictException: it is no longer pending */
  edit(caller: Caller, id: string, { reason, ...changes }: EditEntryDto): Promise<Json<Entry>> {
    const columns = Object.fromEntries(
      Object.entries(changes)
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [columnOf(field), value]),
    );
    return this.move(
      caller,
      id,
      "Only a pending entry can be edited",
      this.editing,
      { changes: JSON.stringify(columns), reason: reason ?? null, by: callerId(caller) },
      (tx) => tx.read(this.reads.get, { id }),
    );
  }

  /** @param sql gives the entry's workspace where the entry was as the move wants it, and nothing otherwise */
  private move<T>(
    caller: Caller,
    id: string,
    refusal: string,
    sql: string,
    args: object,
    answer: (tx: Tx) => T | Promise<T>,
  ): Promise<T> {
    return this.db.transaction(caller, async (tx) => {
      const [moved] = await tx.query<{ workspaceId: string }>(sql, { id, ...args });
      if (!moved)
        throw new ConflictException(
          `${refusal}; this one is ${(await tx.read(this.reads.get, { id })).parse().status}`,
        );
      tx.within(moved.workspaceId);
      return answer(tx);
    });
  }

  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [entry] = await tx.query<{ workspaceId: string }>(
        `select r.workspace_id as "workspaceId" from ${this.table} r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")} for update`,
        { id },
      );
      if (!entry) throw notFound();
      tx.within(entry.workspaceId);
      await tx.query(
        `update ${this.table} set duplicate_of_id = null where tenant_id = :tenant and duplicate_of_id = :id`,
        { id },
      );
      await tx.query(`delete from ${this.table} where tenant_id = :tenant and id = :id`, { id });
      return ok();
    });
  }
}
