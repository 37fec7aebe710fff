import { BadRequestException, ConflictException, type HttpException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import type { AssignDto, ResolveDto, SnoozeDto, TakeOverDto } from "./actions.dto.js";
import { ASSIGN, READ, RELEASE, REOPEN, RESOLVE, SNOOZE, TAKE_OVER, UNASSIGN } from "./actions.queries.js";
import { type Refusals, settle } from "./change.js";

const ABLE = (): HttpException =>
  new ConflictException(
    "The member does not work in this workspace: only owners, admins and its agents can be given a conversation",
  );
const FREE = (): HttpException => new ConflictException("A colleague has the conversation; give force to take it over");
const AHEAD = (): HttpException => new BadRequestException("until must be ahead of now");
const UNRESOLVED = (): HttpException => new ConflictException("The conversation is resolved: reopen it first");

/** What is done with a conversation. Each changes what there is to change; where that is nothing, it is done already. */
@Injectable()
export class ActionsService {
  constructor(private readonly db: Database) {}

  resolve(caller: Caller, id: string, { resolution }: ResolveDto): Promise<Json<Ok>> {
    return this.act(caller, RESOLVE, { id, resolution, by: callerId(caller) });
  }

  reopen(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, REOPEN, { id });
  }

  /** @throws BadRequestException (the time has passed), ConflictException (resolved) */
  snooze(caller: Caller, id: string, { until }: SnoozeDto): Promise<Json<Ok>> {
    return this.act(caller, SNOOZE, { id, until }, { ahead: AHEAD, unresolved: UNRESOLVED });
  }

  read(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, READ, { id });
  }

  /** @throws ConflictException (a colleague has it; the member does not work there), NotFoundException (also the member) */
  takeOver(caller: Caller, id: string, { force = false, memberId }: TakeOverDto): Promise<Json<Ok>> {
    const self = selfOf(caller);
    return this.act(caller, TAKE_OVER, { id, force, memberId: memberId ?? self, self }, { able: ABLE, free: FREE });
  }

  release(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, RELEASE, { id });
  }

  /** @throws ConflictException (the member does not work there), NotFoundException (also the member) */
  assign(caller: Caller, id: string, { memberId }: AssignDto): Promise<Json<Ok>> {
    return this.act(caller, ASSIGN, { id, memberId, self: selfOf(caller) }, { able: ABLE });
  }

  unassign(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.act(caller, UNASSIGN, { id });
  }

  private act(caller: Caller, statement: string, args: object, refusals: Refusals = {}): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await settle(tx, statement, args, refusals);
      return ok();
    });
  }
}

const selfOf = (caller: Caller): string | null => (caller.kind === "member" ? caller.memberId : null);
