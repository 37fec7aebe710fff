import { BadRequestException, ConflictException, type HttpException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import type {
  AssignConversationDto,
  AssigneeDto,
  ChangeLabelsDto,
  ResolveConversationDto,
  SnoozeConversationDto,
  TakeOverConversationDto,
} from "./actions.dto.js";
import {
  ASSIGN,
  CHANGE_LABELS,
  FIND_ASSIGNEE_BY_EMAIL,
  LIST_ASSIGNEES,
  MARK_READ,
  MARK_UNREAD,
  RELEASE,
  REOPEN,
  RESOLVE,
  SNOOZE,
  TAKE_OVER,
  UNASSIGN,
  WAIT,
} from "./actions.queries.js";
import { MAX_LABELS } from "../conversations.dto.js";
import { applyChange } from "../conversation-change.js";

const notAble = (): HttpException =>
  new ConflictException(
    "The member does not work in this workspace: only owners, admins and its agents can be given a conversation",
  );
/** Also where the address is a colleague's who works elsewhere: who is a member is not for everybody who assigns. */
const nobodyAt = (): HttpException =>
  new ConflictException(
    "No member who can be given this conversation has this email: GET /api/workspaces/{workspaceId}/assignees lists who can",
  );
const notFree = (): HttpException =>
  new ConflictException("A colleague has the conversation; give force to take it over");
const notInFuture = (): HttpException => new BadRequestException("until must be ahead of now");
const isResolved = (): HttpException => new ConflictException("The conversation is resolved: reopen it first");
const tooMany = (): HttpException => new ConflictException(`A conversation has at most ${MAX_LABELS} labels`);

/** One of the actions that a bulk action does, with what its own operation takes. */
export type Action =
  | ({ type: "resolve" } & ResolveConversationDto)
  | { type: "reopen" }
  | { type: "wait" }
  | ({ type: "snooze" } & SnoozeConversationDto)
  | { type: "assign"; memberId: string }
  | { type: "unassign" }
  | { type: "read" }
  | { type: "unread" }
  | ({ type: "label" } & ChangeLabelsDto);

/**
 * Resolve, snooze, assign and other actions. If there is nothing to change, an action succeeds and changes nothing.
 */
@Injectable()
export class ActionsService {
  constructor(private readonly db: Database) {}

  /** Does an action within a transaction, as its caller. @throws what the operation throws */
  within(tx: Tx, id: string, action: Action): Promise<void> {
    switch (action.type) {
      case "resolve":
        return applyChange(tx, RESOLVE, { id, resolution: action.resolution, by: callerId(tx.caller) });
      case "reopen":
        return applyChange(tx, REOPEN, { id });
      case "wait":
        return applyChange(tx, WAIT, { id }, { unresolved: isResolved });
      case "snooze":
        return applyChange(tx, SNOOZE, { id, until: action.until }, { inFuture: notInFuture, unresolved: isResolved });
      case "assign":
        return applyChange(tx, ASSIGN, { id, memberId: action.memberId, self: selfOf(tx.caller) }, { able: notAble });
      case "unassign":
        return applyChange(tx, UNASSIGN, { id });
      case "read":
        return applyChange(tx, MARK_READ, { id });
      case "unread":
        return applyChange(tx, MARK_UNREAD, { id });
      case "label": {
        const { add = [], remove = [] } = action;
        return applyChange(tx, CHANGE_LABELS, { id, add, remove }, { few: tooMany });
      }
    }
  }

  /** @throws BadRequestException (the time has passed, a label is in both), ConflictException (see the operations), NotFoundException */
  act(caller: Caller, id: string, action: Action): Promise<Json<Ok>> {
    if (action.type === "label") assertDistinct(action);
    return this.change(caller, (tx) => this.within(tx, id, action));
  }

  /** @throws BadRequestException, ConflictException (nobody like that works there), NotFoundException (the conversation, the member's id) */
  assign(caller: Caller, id: string, { memberId, email }: AssignConversationDto): Promise<Json<Ok>> {
    if ((memberId === undefined) === (email === undefined))
      throw new BadRequestException("Give either memberId or email");
    return this.change(caller, async (tx) =>
      this.within(tx, id, { type: "assign", memberId: memberId ?? (await this.assigneeAt(tx, id, email!)) }),
    );
  }

  private async assigneeAt(tx: Tx, conversationId: string, email: string): Promise<string> {
    const [found] = await tx.query(FIND_ASSIGNEE_BY_EMAIL, { conversationId, email });
    if (!found) throw notFound();
    if (found.memberId === null) throw nobodyAt();
    return found.memberId;
  }

  /** By name. @throws NotFoundException: the workspace is out of reach */
  listAssignees(
    caller: Caller,
    workspaceId: string,
    { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<AssigneeDto>>> {
    return this.db.page(caller, LIST_ASSIGNEES, { workspaceId }, { limit, cursor });
  }

  /** @throws ConflictException (a colleague has it, or the member does not work there), NotFoundException (conversation or member) */
  takeOver(caller: Caller, id: string, { force = false, memberId }: TakeOverConversationDto): Promise<Json<Ok>> {
    const self = selfOf(caller);
    return this.change(caller, (tx) =>
      applyChange(tx, TAKE_OVER, { id, force, memberId: memberId ?? self, self }, { able: notAble, free: notFree }),
    );
  }

  release(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.change(caller, (tx) => applyChange(tx, RELEASE, { id }));
  }

  private change(caller: Caller, work: (tx: Tx) => Promise<void>): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await work(tx);
      return ok();
    });
  }
}

const selfOf = (caller: Caller): string | null => (caller.kind === "member" ? caller.memberId : null);

/** @throws BadRequestException: a label is to be added and removed */
export function assertDistinct({ add = [], remove = [] }: ChangeLabelsDto): void {
  if (add.some((label) => remove.includes(label)))
    throw new BadRequestException("add and remove must not have a label in common");
}
