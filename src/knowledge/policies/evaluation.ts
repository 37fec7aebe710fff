import { DEMANDED_LEVELS } from "../../conversations/assurance-level.js";
import { explain } from "./conditions.js";
import type { ConsideredRuleDto, PolicyEvaluationDto } from "./evaluation.dto.js";
import type { Held, Rule } from "./policy-entries.queries.js";
import { type Effect, EFFECTS } from "./policy-entry.entity.js";

/** By priority, highest first. Among equal priorities by strictness, then oldest first. */
const before = (one: ConsideredRuleDto, other: ConsideredRuleDto): number =>
  other.priority - one.priority ||
  EFFECTS.indexOf(other.effect) - EFFECTS.indexOf(one.effect) ||
  (one.id < other.id ? -1 : 1);

/**
 * What the rules about a tool require in this context. If the context does not tell whether a rule applies, the
 * stricter side counts: the rule applies unless it allows the use, and its assurance level is required. If no rule
 * applies, the use is allowed, because the agent's own list of tools limits what it can use.
 */
export function evaluate(rules: readonly Rule[], context: Readonly<Record<string, unknown>>): PolicyEvaluationDto {
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

/** The policies' decision, or what the agent's guardrails demand where that is stricter. */
export function stricter(policies: PolicyEvaluationDto, guardrails: PolicyEvaluationDto): PolicyEvaluationDto {
  const levels = [policies.requiredAssuranceLevel, guardrails.requiredAssuranceLevel];
  const requiredAssuranceLevel = DEMANDED_LEVELS.findLast((level) => levels.includes(level)) ?? null;
  if (EFFECTS.indexOf(guardrails.effect) <= EFFECTS.indexOf(policies.effect))
    return { ...policies, requiredAssuranceLevel };
  return { ...policies, requiredAssuranceLevel, effect: guardrails.effect, reason: guardrails.reason, decidedBy: null };
}

/** Adds tripped circuit breakers and a paused agent. The result is at least as strict as they require. */
export function heldBack(evaluation: PolicyEvaluationDto, { paused, breakers }: Held): PolicyEvaluationDto {
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
