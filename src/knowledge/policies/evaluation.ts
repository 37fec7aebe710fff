import { explain } from "./conditions.js";
import type { ConsideredRuleDto, EvaluationDto } from "./evaluation.dto.js";
import type { Held, Rule } from "./policy-entries.queries.js";
import { DEMANDED_LEVELS, type Effect, EFFECTS } from "./policy-entry.entity.js";

/** Higher before lower priority, the strictest among equals, the oldest among those. */
const before = (one: ConsideredRuleDto, other: ConsideredRuleDto): number =>
  other.priority - one.priority ||
  EFFECTS.indexOf(other.effect) - EFFECTS.indexOf(one.effect) ||
  (one.id < other.id ? -1 : 1);

/**
 * What the rules about a tool demand in this context. A rule of which the context does not tell whether it applies counts for the stricter
 * side: it applies unless it allows, and the assurance that it demands is demanded. Where none applies, the use is allowed: which tools there
 * are at all is said by the agent.
 */
export function evaluate(rules: readonly Rule[], context: Readonly<Record<string, unknown>>): EvaluationDto {
  const considered = rules.map(({ conditions, ...rule }) => ({
    rule,
    ...(conditions ? explain(conditions, context) : { holds: true, why: ["It always applies"] }),
  }));
  const [applying, notApplying] = [true, false].map((applies) =>
    considered
      .filter(({ rule, holds }) => (holds ?? rule.effect !== "allow") === applies)
      .map(({ rule, why }) => ({ ...rule, why }))
      .sort(before),
  ) as [ConsideredRuleDto[], ConsideredRuleDto[]];
  const possible = considered.filter(({ holds }) => holds !== false);
  const [first] = applying;
  const requiredAssuranceLevel =
    DEMANDED_LEVELS.findLast((level) => possible.some(({ rule }) => rule.requiredAssuranceLevel === level)) ?? null;
  return {
    effect: first?.effect ?? "allow",
    requiredAssuranceLevel,
    decidedBy: first?.id ?? null,
    reason: first ? `${first.title}: ${first.why.join("; ")}` : "No rule about this tool applies",
    circuitBreakers: [],
    applying,
    notApplying,
  };
}

/** The same where circuit breakers hold the agent or the tool back, or the agent is paused: at least as strict as that. */
export function heldBack(evaluation: EvaluationDto, { paused, breakers }: Held): EvaluationDto {
  const circuitBreakers = breakers.map(({ id }) => id);
  const stopped = breakers.find(({ action }) => action === "pause_assistant");
  const [effect, reason]: [Effect, string] = paused
    ? ["deny", "The agent is paused"]
    : stopped
      ? ["deny", `The agent is paused in this workspace by the circuit breaker ${stopped.id}`]
      : breakers[0]
        ? ["require_approval", `The circuit breaker ${breakers[0].id} of the ${breakers[0].entityType} has tripped`]
        : ["allow", ""];
  if (EFFECTS.indexOf(effect) <= EFFECTS.indexOf(evaluation.effect)) return { ...evaluation, circuitBreakers };
  return { ...evaluation, effect, reason, decidedBy: null, circuitBreakers };
}
