interface Action {
  button: string;
  text: string;
  subtext: string[];
}
export type Guidelines = Record<string, { subflows: Record<string, { instructions: string[]; actions: Action[] }> }>;
/** The actions that each subflow allows, by the subflow's unique name. */
export type AllowedActions = Record<string, string[]>;

const PROOF = "verify-identity";

/** ABCD names its subflows in two ways. The actions list them flow by flow, sorted by name, in the order of the guidelines. */
export function subflowsOf(
  guidelines: Guidelines,
  actions: AllowedActions,
): { flow: string; subflow: string; key: string; tools: string[] }[] {
  const keys = Object.keys(actions);
  const subflows = Object.keys(guidelines)
    .sort()
    .flatMap((flow) => Object.keys(guidelines[flow]!.subflows).map((subflow) => ({ flow, subflow })));
  if (keys.length !== subflows.length)
    throw new Error(`${subflows.length} subflows, but the actions of ${keys.length}`);
  return subflows.map((one, n) => ({ ...one, key: keys[n]!, tools: actions[keys[n]!]! }));
}

/**
 * A shop's policies as import lines. Each subflow is a procedure that allows its actions while the conversation is in it. Actions
 * after the proof of identity require verification. No action is allowed without a procedure.
 */
export function toPolicies(guidelines: Guidelines, actions: AllowedActions): string {
  const policies = subflowsOf(guidelines, actions).flatMap(({ flow, subflow, key, tools }) => {
    const {
      instructions: [opening, ...further],
      actions: steps,
    } = guidelines[flow]!.subflows[subflow]!;
    const rule = [
      opening,
      ...steps.flatMap(({ text, subtext }, n) => [`${n + 1}. ${text}`, ...subtext.map((line) => `- ${line}`)]),
      ...further,
    ]
      .filter(Boolean)
      .join("\n");
    const during = { category: flow, effect: "allow", conditions: { field: "subflow", op: "eq", value: key } };
    const proven = tools.includes(PROOF) ? tools.slice(tools.indexOf(PROOF) + 1) : [];
    return [
      { title: `${flow}: ${subflow}`, rule, tools, ...during },
      ...(proven.length
        ? [
            {
              title: `${flow}: ${subflow}, once identified`,
              rule: "Only after the customer has proved who they are.",
              tools: proven,
              requiredAssuranceLevel: "identified",
              ...during,
            },
          ]
        : []),
    ];
  });
  policies.push({
    title: "No action without a procedure",
    rule: "An action that no procedure has is not taken.",
    category: "General",
    effect: "deny",
    priority: 0,
  } as never);
  return policies.map((policy) => JSON.stringify(policy)).join("\n");
}
