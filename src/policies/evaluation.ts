import { explain } from './conditions.js';
import type { ConsideredRuleDto, EvaluationDto } from './evaluation.dto.js';
import type { Rule } from './policy-entries.queries.js';
import { DEMANDED_LEVELS, EFFECTS } from './policy-entry.entity.js';

/** Higher before lower priority, the strictest among equals, the oldest among those. */
const before = (one: ConsideredRuleDto, other: ConsideredRuleDto): number =>
  other.priority - one.priority || EFFECTS.indexOf(other.effect) - EFFECTS.indexOf(one.effect) || (one.id < other.id ? -1 : 1);

/** What the rules about a tool demand in this context. Where none applies, the use is allowed: which tools there are at all is said by the agent. */
export function evaluate(rules: readonly Rule[], context: Readonly<Record<string, unknown>>): EvaluationDto {
  const considered = rules.map(({ conditions, ...rule }) => ({ rule, finding: conditions ? explain(conditions, context) : { holds: true, why: ['It always applies'] } }));
  const [applying, notApplying] = [true, false].map((holds) => considered.filter(({ finding }) => finding.holds === holds).map(({ rule, finding }) => ({ ...rule, why: finding.why })).sort(before)) as [ConsideredRuleDto[], ConsideredRuleDto[]];
  const [first] = applying;
  const requiredAssuranceLevel = DEMANDED_LEVELS.findLast((level) => applying.some((rule) => rule.requiredAssuranceLevel === level)) ?? null;
  return {
    effect: first?.effect ?? 'allow', requiredAssuranceLevel, decidedBy: first?.id ?? null,
    reason: first ? `${first.title}: ${first.why.join('; ')}` : 'No rule about this tool applies',
    applying, notApplying,
  };
}
