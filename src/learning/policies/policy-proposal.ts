import { type Condition, faultOf } from "../../knowledge/policies/conditions.js";
import { peopleIn } from "../people.js";
import type { Rule } from "../../knowledge/policies/policy-entries.queries.js";

/** So many approvals, for so many contacts, make a rule. One person may have given them all: a person decides about the rule, too. */
export const MIN_APPROVALS = 20;
const MIN_CONTACTS = 5;
const MAX_PRIORITY = 1_000;
/** So many rules are named in the text of a proposal. */
const MAX_NAMED = 10;

/** What was decided about one call of the tool. */
export interface Decision {
  conversationId: string;
  contactId: string;
  /** See `Source`. */
  origin: string | null;
  /** The message that the agent worked on. Null if nobody knows any more. */
  messageId: string | null;
  approved: boolean;
  /** Whether a member decided, and not a key. */
  byPerson: boolean;
  /** An argument may have come out of a tool's answer. Such calls need approval under any policy. */
  tainted: boolean;
  /** The numbers among the arguments, by name. */
  values: Record<string, number>;
}

/** The range of an argument in which people approved everything. */
export interface Range {
  lowest: number;
  highest: number;
  approvals: Decision[];
  contacts: number;
}

/** The numeric arguments that the schema declares. A number out of a list of choices is not an amount. */
export function amountsOf({ properties = {} }: { properties?: Record<string, Record<string, unknown>> }): string[] {
  return Object.entries(properties)
    .filter(([, { type, enum: choices, const: only }]) => {
      const types = [type].flat();
      return choices === undefined && only === undefined && types.some((one) => one === "number" || one === "integer");
    })
    .map(([name]) => name);
}

/**
 * The range in which people approved every call: above the largest approved value, and from the smallest rejected value on,
 * nothing is known.
 * @returns undefined if too few were approved, or for too few contacts
 */
export function rangeOf(decisions: readonly Decision[], argument: string): Range | undefined {
  const about = decisions.filter(({ values }) => Object.hasOwn(values, argument));
  const valueOf = ({ values }: Decision): number => values[argument]!;
  const rejected = Math.min(...about.filter(({ approved }) => !approved).map(valueOf));
  const approvals = about.filter((one) => one.approved && one.byPerson && !one.tainted && valueOf(one) < rejected);
  const contacts = peopleIn(approvals);
  if (approvals.length < MIN_APPROVALS || contacts < MIN_CONTACTS) return undefined;
  // An amount below zero is another matter, unless people approved some.
  const lowest = Math.min(0, ...approvals.map(valueOf));
  return { lowest, highest: Math.max(...approvals.map(valueOf)), approvals, contacts };
}

/** The content of a new policy that waits for review. */
interface PolicyProposal {
  title: string;
  rule: string;
  conditions: Condition;
  priority: number;
  confidence: number;
}

/**
 * A rule that allows what people approved anyway. It goes before the rules that ask for approval, and stays behind those that
 * deny or escalate.
 * @param rules those about the tool that are in force
 * @returns undefined if no rule asks for approval (what an agent's guardrail asks for, no rule can allow), or if a rule that denies cannot be left in force
 */
export function policyProposalOf(
  tool: string,
  argument: string,
  { lowest, highest, approvals, contacts }: Range,
  rules: readonly Rule[],
): PolicyProposal | undefined {
  const asking = rules.filter(({ effect }) => effect === "require_approval");
  if (!asking.length) return undefined;
  const priority = Math.max(...asking.map((rule) => rule.priority)) + 1;
  if (priority > MAX_PRIORITY) return undefined;
  const stricter = rules.filter(
    (rule) => (rule.effect === "deny" || rule.effect === "escalate") && rule.priority < priority,
  );
  const exceptions = stricter.flatMap(({ conditions }) => (conditions ? [{ not: conditions }] : []));
  if (exceptions.length < stricter.length) return undefined;
  const field = `arguments.${argument}`;
  const conditions: Condition = {
    all: [{ field, op: "gte", value: lowest }, { field, op: "lte", value: highest }, ...exceptions],
  };
  if (faultOf(conditions) !== undefined) return undefined;
  const said = [
    `${tool} needs no approval if ${argument} is ${lowest} to ${highest}.`,
    `People approved all ${approvals.length} such calls, for ${contacts} contacts.`,
    `This rule goes before ${named(asking)}.`,
    ...(stricter.length ? [`It does not apply where ${named(stricter)} may apply.`] : []),
  ];
  return {
    title: `${tool}: ${argument} up to ${highest}`,
    rule: said.join("\n"),
    conditions,
    priority,
    // The rule of succession: of `n` calls, `n` were approved.
    confidence: Math.round(((approvals.length + 1) / (approvals.length + 2)) * 1_000) / 1_000,
  };
}

function named(rules: readonly Rule[]): string {
  const titles = rules.slice(0, MAX_NAMED).map(({ title }) => `“${title}”`);
  if (rules.length > MAX_NAMED) titles.push(`${rules.length - MAX_NAMED} more`);
  return titles.join(", ");
}
