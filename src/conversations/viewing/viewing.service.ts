import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { roleMissing } from "../../auth/access/role-missing.js";
import { DESK } from "../../platform/caller/scope.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import type { ViewerState } from "./conversation-viewer.entity.js";
import { type ViewingChanged, viewingChanged } from "./viewing-changed.js";
import type { ViewerDto } from "./viewing.dto.js";
import { FORGET_VIEWERS, HOLD, LEAVE, LIST_VIEWERS } from "./viewing.queries.js";

/** Which members look at a conversation, and which of them are typing. */
@Injectable()
export class ViewingService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly changes: Changes,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(FORGET_VIEWERS, { conversationIds });
    });
  }

  /** @throws ForbiddenException: an observer cannot reply, so nobody must wait for what an observer types */
  set(caller: MemberCaller, conversationId: string, state: ViewerState | "left"): Promise<Json<Ok>> {
    if (state === "typing" && !DESK.includes(caller.role)) throw roleMissing(DESK);
    return this.db.transaction(caller, async (tx) => {
      // No list that is polled shows it, and a dashboard sends it every few seconds.
      tx.changesNothingVisible();
      const changed = await (state === "left"
        ? this.leave(tx, caller, conversationId)
        : this.hold(tx, caller, conversationId, state));
      if (changed) tx.afterCommit(() => this.changes.signal(viewingChanged(caller.tenantId, changed)));
      return Json.of<Ok>({ ok: true });
    });
  }

  list(
    caller: MemberCaller,
    conversationId: string,
    { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<ViewerDto>>> {
    return this.db.page(caller, LIST_VIEWERS, { conversationId, memberId: caller.memberId }, { limit, cursor });
  }

  private async hold(
    tx: Tx,
    { memberId }: MemberCaller,
    conversationId: string,
    state: ViewerState,
  ): Promise<ViewingChanged> {
    const [held] = await tx.query(HOLD, { conversationId, memberId, state });
    if (!held) throw notFound();
    return { conversationId, memberId, state, ...held };
  }

  /** @returns undefined if the member was not there */
  private async leave(tx: Tx, { memberId }: MemberCaller, conversationId: string): Promise<ViewingChanged | undefined> {
    const [found] = await tx.query(LEAVE, { conversationId, memberId });
    if (!found) throw notFound();
    const { workspaceId, left } = found;
    return left ? { conversationId, workspaceId, memberId, state: "left", until: null } : undefined;
  }
}
