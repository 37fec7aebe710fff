import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { requestOf } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { EntrySearch } from "../review/entry-search.service.js";
import type { EvaluatePolicyDto, PolicyEvaluationDto } from "./evaluation.dto.js";
import { evaluate, heldBack } from "./evaluation.js";
import type { PolicyEntryDto } from "./policy-entries.dto.js";
import { type PolicySaid, RULES_FOR, type RulesFor } from "./policy-entries.queries.js";

@Injectable()
export class EvaluationService {
  constructor(
    private readonly db: Database,
    private readonly finder: EntrySearch<PolicyEntryDto, PolicySaid>,
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
}
