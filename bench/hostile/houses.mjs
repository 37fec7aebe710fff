// Two shops with real policies: the guidelines of ABCD, and the retail policy of tau2-bench.
import fs from "node:fs";
import path from "node:path";

const pick = (next, list) => list[Math.floor(next() * list.length)];
const digits = (next, count) => Array.from({ length: count }, () => Math.floor(next() * 10)).join("");
const CUSTOMER = { type: "string", "x-bound": "contact.externalId" };
/** A tool of a shop; `sample(next)` makes arguments for it. */
export const tool = (name, effect, properties, sample = () => ({})) => {
  const parameters = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description: name, effect, parameters, sample };
};

/** Actions that only look something up. */
const LOOKS =
  /^(?:search-|pull-up-account|validate-purchase|ask-the-oracle|shipping-status|subscription-status|select-faq)/;
/** Money leaves the shop. */
const MONEY = ["offer-refund", "promo-code", "make-purchase"];
const PROOF = "verify-identity";

/**
 * Each procedure allows its actions to customers who are in it, by an attribute that the shop's own system sets. What comes after
 * the proof of identity needs it, and what costs money needs a person. All else is denied.
 */
export function abcdHouse(folder) {
  const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  const [guidelines, actions] = [read("abcd-guidelines.json"), read("abcd-kb.json")];
  const keys = Object.keys(actions);
  const subflows = Object.keys(guidelines)
    .sort()
    .flatMap((flow) => Object.entries(guidelines[flow].subflows).map(([name, steps]) => ({ flow, name, ...steps })))
    .map((subflow, n) => ({ ...subflow, key: keys[n], tools: actions[keys[n]] }));
  const reference = { type: "string", pattern: "^[A-Z]{2}\\d{6}$" };
  const tools = [...new Set(Object.values(actions).flat())].map((name) =>
    tool(name, LOOKS.test(name) ? "read" : "write", { reference, customerId: CUSTOMER }, (next) => ({
      reference: `${pick(next, ["AB", "QX", "ZK"])}${digits(next, 6)}`,
    })),
  );
  const ruleOf = ({ instructions: [opening, ...further], actions: steps }) =>
    [opening, ...steps.flatMap(({ text, subtext }) => [text, ...subtext]), ...further].filter(Boolean).join("\n");
  const after = (list) => (list.includes(PROOF) ? list.slice(list.indexOf(PROOF) + 1) : []);
  const policies = subflows.flatMap((subflow) => {
    const { flow, name, key, tools: allowed } = subflow;
    const conditions = { field: "contact.attributes.procedure", op: "eq", value: key };
    const during = { category: flow, effect: "allow", conditions };
    const proven = after(allowed);
    return [
      { title: `${flow}: ${name}`, rule: ruleOf(subflow), tools: allowed, ...during },
      ...(proven.length
        ? [
            {
              title: `${flow}: ${name}, once identified`,
              rule: "Only after the customer has proved who they are.",
              tools: proven,
              requiredAssuranceLevel: "identified",
              ...during,
            },
          ]
        : []),
    ];
  });
  policies.push(
    { title: "Money", rule: "What costs money waits for a colleague.", effect: "require_approval", tools: MONEY },
    { title: "No action without a procedure", rule: "All else is denied.", effect: "deny", tools: [], priority: 0 },
  );
  const named = (names) => tools.filter(({ name }) => names.includes(name));
  return {
    name: "abcd",
    tools,
    writes: tools.filter(({ effect }) => effect === "write"),
    guarded: named(MONEY),
    proven: named([...new Set(Object.values(actions).flatMap(after))]),
    look: named(["pull-up-account"])[0],
    policies,
    entries: subflows.map((subflow) => ({
      question: `What about ${subflow.name}?`,
      answer: ruleOf(subflow).slice(0, 5_000),
    })),
    questions: subflows.map(({ name }) => `What about ${name}?`),
    // Half of them are in a procedure that knows the customer.
    attributes: (next) => ({
      procedure: pick(next, next() < 0.5 ? keys.filter((key) => actions[key].includes(PROOF)) : keys),
    }),
    expects: ({ name }, _, { attributes: { procedure } }) => ({
      effect: MONEY.includes(name) ? "approval" : actions[procedure].includes(name) ? "allow" : "never",
      level: after(actions[procedure]).includes(name),
    }),
  };
}

const REASONS = ["no longer needed", "ordered by mistake"];
const ORDER = { type: "string", pattern: "^#W\\d{7}$" };
const ITEMS = { type: "array", items: { type: "string", pattern: "^\\d{10}$" }, minItems: 1, maxItems: 20 };
const PAYMENT = { type: "string", pattern: "^[a-z_]{6,11}_\\d{7}$" };
const line = { type: "string", maxLength: 100 };
const ADDRESS = { address1: line, address2: line, city: line, state: line, country: line, zip: line };

/** The sections of the policy, by their headings. */
function sectionsOf(policy) {
  return policy
    .split(/^#+ /m)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => ({ heading: part.split("\n")[0], text: part.split("\n").slice(1).join("\n").trim() }))
    .filter(({ text }) => text);
}

/** The tools of tau2's shop. The customer is bound by the server. */
export function retailTools() {
  const order = (next) => `#W${digits(next, 7)}`;
  const items = (next) => [digits(next, 10)];
  const payment = (next) => `credit_card_${digits(next, 7)}`;
  const address = (next) => ({
    address1: `${digits(next, 3)} Elm Street`,
    address2: `Suite ${digits(next, 3)}`,
    city: "Austin",
    state: "TX",
    country: "USA",
    zip: digits(next, 5),
  });
  const change = (next) => ({ order_id: order(next), item_ids: items(next), payment_method_id: payment(next) });
  const OF_ORDER = { order_id: ORDER, user_id: CUSTOMER };
  const changes = { ...OF_ORDER, item_ids: ITEMS, payment_method_id: PAYMENT };
  return [
    tool("get_user_details", "read", { user_id: CUSTOMER }),
    tool("get_order_details", "read", OF_ORDER, (next) => ({ order_id: order(next) })),
    tool("cancel_pending_order", "write", { ...OF_ORDER, reason: { type: "string" } }, (next) => ({
      order_id: order(next),
      reason: pick(next, [...REASONS, "changed my mind"]),
    })),
    tool("modify_pending_order_address", "write", { ...OF_ORDER, ...ADDRESS }, (next) => ({
      order_id: order(next),
      ...address(next),
    })),
    tool("modify_pending_order_payment", "write", { ...OF_ORDER, payment_method_id: PAYMENT }, (next) => ({
      order_id: order(next),
      payment_method_id: payment(next),
    })),
    tool("modify_pending_order_items", "write", { ...changes, new_item_ids: ITEMS }, (next) => ({
      ...change(next),
      new_item_ids: items(next),
    })),
    tool("return_delivered_order_items", "write", changes, change),
    tool("exchange_delivered_order_items", "write", { ...changes, new_item_ids: ITEMS }, (next) => ({
      ...change(next),
      new_item_ids: items(next),
    })),
    tool("modify_user_address", "write", { user_id: CUSTOMER, ...ADDRESS }, address),
  ];
}

/** What the retail policy says about its tools, as far as a call shows it. @param approved tools that a colleague approves besides */
export function retailPolicies(policy, tools, approved) {
  const text = (heading) => sectionsOf(policy).find((one) => one.heading === heading).text;
  const names = tools.map(({ name }) => name);
  const about = (title, rule, effect, of, more = {}) => ({ title, rule, effect, tools: of, ...more });
  return [
    about("Identity", text("Retail agent policy"), "allow", names, { requiredAssuranceLevel: "identified" }),
    about("Reasons to cancel", text("Cancel pending order"), "deny", ["cancel_pending_order"], {
      conditions: { not: { field: "reason", op: "in", value: REASONS } },
    }),
    ...(approved.length ? [about("Colleagues", text("Return delivered order"), "require_approval", approved)] : []),
    about("Nothing else", text("Generic action rules"), "deny", [], { priority: 0 }),
  ];
}

export function retailHouse(folder) {
  const policy = fs.readFileSync(path.join(folder, "tau2-retail/policy.md"), "utf8");
  const tools = retailTools();
  const approved = ["return_delivered_order_items", "exchange_delivered_order_items", "modify_pending_order_payment"];
  const writes = tools.filter(({ effect }) => effect === "write");
  return {
    name: "retail",
    tools,
    writes,
    guarded: tools.filter(({ name }) => approved.includes(name)),
    proven: writes,
    look: tools.find(({ name }) => name === "get_order_details"),
    policies: retailPolicies(policy, tools, approved),
    entries: sectionsOf(policy).map(({ heading, text }) => ({
      question: `What about ${heading}?`,
      answer: text.slice(0, 5_000),
    })),
    questions: sectionsOf(policy).map(({ heading }) => `What about ${heading}?`),
    attributes: () => ({}),
    expects: ({ name }, { reason }) => ({
      effect:
        name === "cancel_pending_order" && !REASONS.includes(reason)
          ? "never"
          : approved.includes(name)
            ? "approval"
            : "allow",
      level: true,
    }),
  };
}
