import { Injectable } from "@nestjs/common";
import type { Tx } from "../../platform/database/transaction.js";
import { type Bound, GET_BOUND } from "../tools/tool-calls.queries.js";
import { type Checked, ToolGate, type Verdict } from "../tools/tool-gate.js";
import type { Action } from "./pending-actions.queries.js";

/** How an action stands now. */
export type Standing =
  /** It may be carried out. Its hash may have changed, and why a person is asked. */
  | { kind: "allowed"; bound: Bound; checked: Checked; verdict: Verdict }
  /** Not any more, and why. */
  | { kind: "denied"; reason: string };

/** Decides again about an action that was decided about before: the tool, the policies or the contact may have changed. */
@Injectable()
export class ActionCheck {
  constructor(private readonly gate: ToolGate) {}

  /** The conversation must be locked. */
  async standing(tx: Tx, action: Action): Promise<Standing> {
    const { id: actionId, conversationId, agentId, tool, tainted } = action;
    const [bound] = await tx.query(GET_BOUND, { conversationId, agentId, tool, runId: null });
    if (!bound) return { kind: "denied", reason: "The agent does not exist any more" };
    if (bound.workspaceOff !== null) return { kind: "denied", reason: bound.workspaceOff };
    const checked = this.gate.check(tx.caller.tenantId, tool, action.arguments, bound);
    if (typeof checked === "string") return { kind: "denied", reason: checked };
    const verdict = await this.gate.decide(tx, tool, checked, bound, tainted, { actionId });
    const { effect, reason, requiredAssuranceLevel } = verdict;
    if (effect === "deny" || effect === "escalate") return { kind: "denied", reason };
    if (effect === "verify")
      return {
        kind: "denied",
        reason: `This needs the assurance level ${requiredAssuranceLevel!}; the conversation has reached ${bound.level}`,
      };
    return { kind: "allowed", bound, checked, verdict };
  }
}
