import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { requestOf } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { EntrySearchService } from "../review/entry-search.service.js";
import type { EvaluatePolicyDto, PolicyEvaluationDto } from "./evaluation.dto.js";
import type { Tx } from "../../platform/database/transaction.js";
import { doneFieldsIn } from "./conditions.js";
import { type DoneField, nested } from "./done.js";
import { evaluate, heldBack, stricter } from "./evaluation.js";
import type { PolicyEntryDto } from "./policy-entries.dto.js";
import { type PolicySaid, type Rule, RULES_FOR, type RulesFor } from "./policy-entries.queries.js";

@Injectable()
export class EvaluationService {
  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearchService<PolicyEntryDto, PolicySaid>,
  ) {}

  /** Changes nothing. With an `Idempotency-Key` the first answer is stored, as for every POST. */
  evaluate(
    caller: Caller,
    workspaceId: string,
    { tool, agentId, context = {} }: EvaluatePolicyDto,
  ): Promise<Json<PolicyEvaluationDto>> {
    const args = { workspaceId, tool, agentId };
    const answer = (found: Json<RulesFor>): Json<PolicyEvaluationDto> => {
      const { rules, ...held } = found.parse();
      const evaluation = heldBack(evaluate(rules, context), held);
      this.finder.count(
        caller,
        workspaceId,
        evaluation.applying.map(({ id }) => id),
      );
      return Json.of(evaluation);
    };
    if (!requestOf(caller)?.idempotency) return this.db.read(caller, RULES_FOR, args).then(answer);
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return answer(await tx.read(RULES_FOR, args));
    });
  }

  /**
   * The same for a call that an agent is about to make, in the transaction that decides about it. The agent's guardrails apply
   * besides, and the stricter counts.
   * @throws NotFoundException: the agent does not work in the workspace
   */
  async decide(
    tx: Tx,
    { workspaceId, tool, agentId, guardrails, context: known, done, counts = true }: CallToDecide,
  ): Promise<PolicyEvaluationDto> {
    const { rules, ...held } = (await tx.read(RULES_FOR, { workspaceId, tool, agentId })).parse();
    const fields = doneFieldsIn([...rules, ...guardrails].map(({ conditions }) => conditions));
    const context = fields.length ? { ...known, done: nested(fields, await done(fields)) } : known;
    const evaluation = evaluate(rules, context);
    if (counts)
      this.finder.count(
        tx.caller,
        workspaceId,
        evaluation.applying.map(({ id }) => id),
      );
    return heldBack(stricter(evaluation, evaluate(guardrails, context)), held);
  }
}

interface CallToDecide {
  workspaceId: string;
  tool: string;
  agentId: string;
  guardrails: readonly Rule[];
  context: Readonly<Record<string, unknown>>;
  /**
   * What was done for the contact before, with this call. It holds until the end of the transaction: nobody else counts meanwhile.
   * Undefined where that cannot be said.
   */
  done: (fields: readonly DoneField[]) => Promise<(number | undefined)[]>;
  /** Whether the policies are used: it is not only looked at what they would say. */
  counts?: boolean;
}
