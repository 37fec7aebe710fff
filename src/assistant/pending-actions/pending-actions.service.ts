import { ConflictException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { LOCK_CONVERSATION } from "../tools/tool-calls.queries.js";
import { ActionCheck, type Standing } from "./action-check.js";
import { FollowUp } from "./follow-up.js";
import { ActionApproved } from "./pending-action-events.js";
import { PendingActionsJob } from "./pending-actions.job.js";
import type { PendingActionDto } from "./pending-actions.dto.js";
import {
  type Action,
  APPROVE,
  CLOSE,
  FIND_ACTION,
  GET_PENDING_ACTION,
  IS_REQUESTED_BY,
  SETTLE_ATTENTION,
} from "./pending-actions.queries.js";
import { PendingActionEntity } from "../tools/tool.entity.js";

const CHANGED = "The action is not what you have looked at: read it again";
const EXPIRED = "The action has expired";

/** What people decide about the calls of agents. */
@Injectable()
export class PendingActionsService {
  constructor(
    private readonly db: Database,
    private readonly check: ActionCheck,
    private readonly followUp: FollowUp,
    private readonly job: PendingActionsJob,
    private readonly events: DomainEvents,
  ) {}

  /**
   * @param hash of the action as the approver has seen it
   * @throws NotFoundException, ConflictException (see the operation)
   */
  async approve(caller: Caller, id: string, hash: string): Promise<Json<PendingActionDto>> {
    const by = callerId(caller)!;
    try {
      return await this.db.transaction(caller, async (tx) => {
        const action = await this.find(tx, id);
        assertPending(action);
        if ((await tx.query(IS_REQUESTED_BY, { id, by })).length)
          throw new ConflictException("Nobody approves what they requested");
        if (action.argumentsHash !== hash) throw new ConflictException(CHANGED);
        const standing = await this.check.standing(tx, action);
        if (standing.kind === "denied") throw new ConflictException(`It cannot be carried out now: ${standing.reason}`);
        if (standing.checked.hash !== hash) throw new Changed(againOf(standing));
        if (!(await tx.query(APPROVE, { id, hash, by })).length) throw new ConflictException(CHANGED);
        await tx.query(SETTLE_ATTENTION, { conversationId: action.conversationId, by });
        await this.events.publish(tx, new ActionApproved(action.workspaceId, action.tool));
        tx.afterCommit(() => this.job.wake());
        return tx.read(GET_PENDING_ACTION, { id });
      });
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      // In a transaction of its own, because the refusal rolls back the request's.
      await this.db.separateTransaction(caller, async (tx) => {
        const { workspaceId } = await this.find(tx, id);
        tx.changesWorkspace(workspaceId);
        const seen = { id, status: "pending", argumentsHash: hash } as const;
        await tx.update(PendingActionEntity, seen, { ...error.again, updatedAt: () => "clock_timestamp()" });
      });
      throw error;
    }
  }

  /** @throws NotFoundException, ConflictException (it is decided, or has expired) */
  reject(caller: Caller, id: string, reason: string | null): Promise<Json<PendingActionDto>> {
    return this.db.transaction(caller, async (tx) => {
      const action = await this.find(tx, id);
      assertPending(action);
      const by = callerId(caller);
      if (!(await tx.query(CLOSE, { id, status: "rejected", by, reason })).length) throw new ConflictException(EXPIRED);
      await tx.query(SETTLE_ATTENTION, { conversationId: action.conversationId, by });
      await this.followUp.refused(tx, action, "rejected", reason);
      return tx.read(GET_PENDING_ACTION, { id });
    });
  }

  /** Locks its conversation, as every change of it does. */
  private async find(tx: Tx, id: string): Promise<Action> {
    const [found] = await tx.query(FIND_ACTION, { id });
    if (!found) throw notFound();
    await tx.query(LOCK_CONVERSATION, { conversationId: found.conversationId });
    // Again: it may have changed while this transaction waited.
    const [action] = await tx.query(FIND_ACTION, { id });
    if (!action) throw notFound();
    tx.changesWorkspace(action.workspaceId);
    return action;
  }
}

/** What a person has to look at is not what they have seen, nor is it decided as it was. */
type Again = Pick<PendingActionEntity, "argumentsHash" | "guardrail" | "requiredAssuranceLevel" | "policyEntryIds">;

/** The tool, the contact or the policies have changed since the action was written. */
class Changed extends ConflictException {
  constructor(readonly again: Again) {
    super(CHANGED);
  }
}

function againOf({ checked, verdict }: Extract<Standing, { kind: "allowed" }>): Again {
  const { effect, reason, requiredAssuranceLevel, policyEntryIds } = verdict;
  const guardrail = effect === "allow" ? `Nothing asks for an approval any more: ${reason}` : reason;
  return { argumentsHash: checked.hash, guardrail, requiredAssuranceLevel, policyEntryIds };
}

/** @throws ConflictException */
function assertPending({ status, expired }: Action): void {
  if (status !== "pending") throw new ConflictException(`The action is ${status} already`);
  if (expired) throw new ConflictException(EXPIRED);
}
