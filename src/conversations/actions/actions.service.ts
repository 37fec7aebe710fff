import { BadRequestException, ConflictException, type HttpException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import type {
  AssignConversationDto,
  ChangeLabelsDto,
  ResolveConversationDto,
  SnoozeConversationDto,
  TakeOverConversationDto,
} from "./actions.dto.js";
import {
  ASSIGN,
  CHANGE_LABELS,
  MARK_READ,
  RELEASE,
  REOPEN,
  RESOLVE,
  SNOOZE,
  TAKE_OVER,
  UNASSIGN,
} from "./actions.queries.js";
import { MAX_LABELS } from "../conversations.dto.js";
import { applyChange, type ConversationChange, type Refusals } from "../conversation-change.js";

const notAble = (): HttpException =>
  new ConflictException(
    "The member does not work in this workspace: only owners, admins and its agents can be given a conversation",
  );
const notFree = (): HttpException =>
  new ConflictException("A colleague has the conversation; give force to take it over");
const notInFuture = (): HttpException => new BadRequestException("until must be ahead of now");
const isResolved = (): HttpException => new ConflictException("The conversation is resolved: reopen it first");
const tooMany = (): HttpException => new ConflictException(`A conversation has at most ${MAX_LABELS} labels`);

/**
 * Resolve, snooze, assign and other actions. If there is nothing to change, an action succeeds and changes nothing.
 */
@Injectable()
export class ActionsService {
  constructor(private readonly db: Database) {}

  resolve(caller: Caller, id: string, { resolution }: ResolveConversationDto): Promise<Json<Ok>> {
    return this.act(caller, RESOLVE, { id, resolution, by: callerId(caller) });
  }

  reopen(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, REOPEN, { id });
  }

  /** @throws BadRequestException (the time has passed), ConflictException (the conversation is resolved) */
  snooze(caller: Caller, id: string, { until }: SnoozeConversationDto): Promise<Json<Ok>> {
    return this.act(caller, SNOOZE, { id, until }, { inFuture: notInFuture, unresolved: isResolved });
  }

  read(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, MARK_READ, { id });
  }

  /** @throws BadRequestException (a label is in both), ConflictException (too many) */
  changeLabels(caller: Caller, id: string, { add = [], remove = [] }: ChangeLabelsDto): Promise<Json<Ok>> {
    if (add.some((label) => remove.includes(label)))
      throw new BadRequestException("add and remove must not have a label in common");
    return this.act(caller, CHANGE_LABELS, { id, add, remove }, { few: tooMany });
  }

  /** @throws ConflictException (a colleague has it, or the member does not work there), NotFoundException (conversation or member) */
  takeOver(caller: Caller, id: string, { force = false, memberId }: TakeOverConversationDto): Promise<Json<Ok>> {
    const self = selfOf(caller);
    return this.act(
      caller,
      TAKE_OVER,
      { id, force, memberId: memberId ?? self, self },
      { able: notAble, free: notFree },
    );
  }

  release(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, RELEASE, { id });
  }

  /** @throws ConflictException (the member does not work there), NotFoundException (conversation or member) */
  assign(caller: Caller, id: string, { memberId }: AssignConversationDto): Promise<Json<Ok>> {
    return this.act(caller, ASSIGN, { id, memberId, self: selfOf(caller) }, { able: notAble });
  }

  unassign(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, UNASSIGN, { id });
  }

  private act<Args>(
    caller: Caller,
    change: ConversationChange<Args>,
    args: Args & { id: string },
    refusals: Refusals = {},
  ): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await applyChange(tx, change, args, refusals);
      return ok();
    });
  }
}

const selfOf = (caller: Caller): string | null => (caller.kind === "member" ? caller.memberId : null);
