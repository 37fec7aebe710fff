import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { roleMissing } from "../../auth/access/role-missing.js";
import { ADMINS } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { LOCK_SIDE } from "../desk.queries.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { SavedViewEntity } from "./view.entity.js";
import type { CreateViewDto, UpdateViewDto, ViewDto, ViewFilterDto } from "./views.dto.js";
import { COUNT_VIEWS, FIND_VIEW, FORGET_VIEWS_OF_REMOVED, GET_VIEW, LIST_VIEWS } from "./views.queries.js";

/** On each side of a tenant. */
const MAX_SHARED = 100;
/** Of one member, on each side. */
const MAX_OWN = 50;

/** Filters of the conversation list that members keep under a name. */
@Injectable()
export class ViewsService {
  constructor(private readonly db: Database) {}

  list(caller: MemberCaller, { limit = 25, cursor }: PagingDto): Promise<Json<Page<ViewDto>>> {
    return this.db.page(caller, LIST_VIEWS, { memberId: caller.memberId }, { limit, cursor });
  }

  /** @throws ForbiddenException (shared), NotFoundException (the workspace), ConflictException: there are too many */
  create(
    caller: MemberCaller,
    { name, filter, sort = "recent", shared = false, position = 0 }: CreateViewDto,
  ): Promise<Json<ViewDto>> {
    if (shared) assertShares(caller);
    const { memberId } = caller;
    return this.db.transaction(caller, async (tx) => {
      await this.assertWorkspace(tx, filter);
      await this.assertRoom(tx, memberId, shared);
      const id = uuid();
      await tx.insert(SavedViewEntity, { id, memberId, name, filter, sort, shared, position });
      return (await tx.read(GET_VIEW, { id, memberId })).created();
    });
  }

  /** @throws ForbiddenException (shared), NotFoundException, ConflictException: there are too many */
  update(caller: MemberCaller, id: string, { shared, ...changes }: UpdateViewDto): Promise<Json<ViewDto>> {
    if (shared) assertShares(caller);
    return this.db.transaction(caller, async (tx) => {
      const { memberId } = caller;
      const wasShared = await this.assertChangeable(tx, caller, id);
      await this.assertWorkspace(tx, changes.filter);
      const moves = shared !== undefined && shared !== wasShared;
      if (moves) await this.assertRoom(tx, memberId, shared);
      await tx.update(
        SavedViewEntity,
        { id },
        { ...changes, ...(moves && { shared, memberId }), updatedAt: () => "now()" },
      );
      return tx.read(GET_VIEW, { id, memberId });
    });
  }

  /** @throws ForbiddenException (shared), NotFoundException */
  delete(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.assertChangeable(tx, caller, id);
      await tx.delete(SavedViewEntity, { id });
      return ok();
    });
  }

  async forgetMember(tx: Tx, memberId: string): Promise<void> {
    await tx.query(FORGET_VIEWS_OF_REMOVED, { memberId });
  }

  /** Locks the view. @returns whether it is shared */
  private async assertChangeable(tx: Tx, caller: MemberCaller, id: string): Promise<boolean> {
    const [found] = await tx.query(FIND_VIEW, { id, memberId: caller.memberId });
    if (!found) throw notFound();
    if (found.shared) assertShares(caller);
    return found.shared;
  }

  private async assertWorkspace(tx: Tx, { workspaceId }: ViewFilterDto = {}): Promise<void> {
    if (workspaceId !== undefined) await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { field: "workspaceId" });
  }

  private async assertRoom(tx: Tx, memberId: string, shared: boolean): Promise<void> {
    await tx.query(LOCK_SIDE);
    const [count] = await tx.query(COUNT_VIEWS, { memberId });
    if (shared && count!.shared >= MAX_SHARED)
      throw new ConflictException(`There are ${MAX_SHARED} shared views already`);
    if (!shared && count!.own >= MAX_OWN) throw new ConflictException(`You have ${MAX_OWN} views already`);
  }
}

/** Everybody has a shared view before their eyes. */
function assertShares({ role }: MemberCaller): void {
  if (!ADMINS.includes(role)) throw roleMissing(ADMINS);
}
