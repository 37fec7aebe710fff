import { describe, expect, test } from "vitest";
import type { Condition, Step } from "../../../../src/assistant/procedures/definition.js";
import { reactionOf } from "../../../../src/assistant/context/acts.js";
import type { Language } from "../../../../src/assistant/context/languages.js";
import { TEXTS } from "../../../../src/assistant/context/texts.js";
import { advance, type Event, type Turn, type Understood } from "../../../../src/assistant/procedures/engine.js";
import type { Facts } from "../../../../src/assistant/procedures/known.js";
import { questionAt } from "../../../../src/assistant/procedures/reading.js";
import { yesOrNo } from "../../../../src/assistant/procedures/slots.js";
import { begun, type State } from "../../../../src/assistant/procedures/state.js";
import { leastCost } from "../../../support/cost.js";

// What follows from what a contact writes while a procedure is taken. Nothing here knows a database, or a tool.

const STEPS: Step[] = [
  {
    id: "order_id",
    type: "ask",
    text: "Which order?",
    why: "The number tells me which order.",
    slot: { kind: "pattern", pattern: "#W0000000" },
  },
  { id: "order", type: "call", tool: "get_order", arguments: { orderId: "{order_id}" }, otherwise: "unknown" },
  {
    id: "open",
    type: "branch",
    cases: [{ when: [{ value: "order.status", op: "equals", to: "pending" }], next: "items" }],
    next: "not_open",
  },
  {
    id: "items",
    type: "ask",
    text: "Which items?",
    slot: { kind: "choice", from: "order.items", value: "id", label: "{item.name}", many: true },
  },
  {
    id: "reason",
    type: "ask",
    text: "Why?",
    slot: {
      kind: "choice",
      options: [
        { value: "unneeded", label: "No longer needed" },
        { value: "mistake", label: "Ordered by mistake", synonyms: ["mistake", "versehen"] },
      ],
    },
  },
  { id: "sure", type: "confirm", text: "Shall I cancel {items} of {order_id}?" },
  {
    id: "cancelled",
    type: "call",
    tool: "cancel",
    arguments: { orderId: "{order_id}", items: "{items}", reason: "{reason}" },
  },
  { id: "done", type: "say", text: "Cancelled: {items}. {cancelled.reference}{cancelled.secret}" },
  { id: "end", type: "end" },
  { id: "not_open", type: "say", text: "It is {order.status}.", next: "end" },
  { id: "unknown", type: "say", text: "There is no order {order_id}.", next: "order_id" },
];
const FACTS: Facts = {
  level: "none",
  languages: ["en", "en"],
  today: "2026-11-29",
  entries: {},
  tools: {
    get_order: { changes: false, publicFields: ["status", "items.name"] },
    cancel: { changes: true, publicFields: ["reference"] },
  },
};
const ITEMS = [
  { id: "k", name: "Mechanical keyboard" },
  { id: "t", name: "Thermostat" },
  { id: "s", name: "Shirt" },
];
const ORDER = { status: "pending", items: ITEMS };

/** Plays messages and answers of tools; the shop is a script. */
class Play {
  state: State;
  turn!: Turn;
  readonly calls: [tool: string, args: unknown][] = [];
  said: string[] = [];

  constructor(
    readonly steps: readonly Step[] = STEPS,
    readonly answers: Record<string, unknown> = { order: ORDER, cancelled: { reference: "R1", secret: "S" } },
    readonly facts: Facts = FACTS,
  ) {
    this.state = begun(steps[0]!.id);
  }

  on(event: Event): this {
    this.turn = advance(this.steps, this.state, event, this.facts);
    if (this.turn.then.kind === "unclear") return this;
    this.state = this.turn.state;
    this.said.push(...this.turn.said);
    const { then } = this.turn;
    if (then.kind !== "call") return this;
    this.calls.push([then.tool, then.arguments]);
    const answer = this.answers[then.step];
    return this.on(answer === undefined ? { kind: "failed", reason: "gone" } : { kind: "answered", value: answer });
  }

  begin(text: string): this {
    this.said = [];
    return this.on({ kind: "began", text });
  }

  write(text: string): this {
    this.said = [];
    this.on({ kind: "wrote", text });
    return this.turn.then.kind === "unclear" ? this.on({ kind: "digressed", text }) : this;
  }

  /** The model read it. */
  understand(text: string, as: Understood): this {
    this.said = [];
    return this.on({ kind: "understood", text, as });
  }

  get last(): string {
    return this.said.join("\n");
  }
}
const atTheEnd = (): Play =>
  new Play().begin("I want to cancel my order").write("#W1234567").write("the keyboard").write("by mistake");

describe("a procedure", () => {
  test("asks for one value after the other, calls, and says what became of it", () => {
    const play = new Play().begin("I want to cancel my order");
    expect(play.last).toBe("Which order?");
    expect(play.write("it is w1234567").last).toBe("Which items?\n1. Mechanical keyboard\n2. Thermostat\n3. Shirt");
    expect(play.write("1 and 3").last).toContain("Why?");
    expect(play.write("Ordered by mistake").last).toBe("Shall I cancel Mechanical keyboard; Shirt of #W1234567?");
    expect(play.calls).toHaveLength(1);
    expect(play.write("yes please").turn.then).toEqual({ kind: "end", ending: "completed" });
    expect(play.calls.at(-1)).toEqual(["cancel", { orderId: "#W1234567", items: ["k", "s"], reason: "mistake" }]);
  });

  test("offers what can be chosen with one touch, and a yes and a no, in the contact's language", () => {
    const option = (label: string, value: string | number = label) => ({ value, label });
    const slot = { kind: "choice" as const, options: [option("Monthly"), option("Yearly")] };
    const steps: Step[] = [
      { id: "plan", type: "ask", text: "Which plan?", slot },
      { id: "gift", type: "ask", text: "Is it a gift?", slot: { kind: "yes_no" } },
      { id: "days", type: "ask", text: "Which days?", slot: { ...slot, many: true } },
      { id: "sure", type: "confirm", text: "Shall I?" },
    ];
    const play = new Play(steps, {}, { ...FACTS, languages: ["de", "en"] }).begin("I want another plan");
    expect(play.turn.choices).toEqual(["Monthly", "Yearly"]);
    expect(play.write("What?").turn.choices, "again").toEqual(["Monthly", "Yearly"]);
    expect(play.write("Yearly").turn.choices).toEqual(["Ja", "Nein"]);
    expect(play.write("Nein").turn.choices, "they may name both").toEqual([]);
    expect(play.write("Monthly").turn.choices).toEqual(["Ja", "Nein"]);
    expect(play.write("Nein").turn.choices, "what should be different").toEqual([]);
    const twice = { ...slot, options: [option("Blue", 1), option("Blue", 2)] };
    expect(
      new Play([{ id: "plan", type: "ask", text: "Which?", slot: twice }], {}).begin("I want one").turn.choices,
      "the same words",
    ).toEqual([]);
  });

  test.each(Object.keys(TEXTS) as Language[])("understands the yes and the no that it offers: %s", (language) => {
    const { yes, no } = TEXTS[language];
    expect([yes, no].map((text) => yesOrNo(text))).toEqual(["yes", "no"]);
    expect([yes, no].map((text) => reactionOf(text))).toEqual(["yes", "no"]);
  });

  test("tells the contact of a tool's answer only what the tool makes public", () => {
    expect(atTheEnd().write("yes").last).toBe("Cancelled: Mechanical keyboard. R1");
  });

  test("does not ask for what the contact has said already", () => {
    const play = new Play().begin("Please cancel my order #W1234567, it was a mistake");
    expect(play.last).toContain("Which items?");
    expect(play.write("all").last).toContain("Shall I cancel");
  });

  test("branches by an answer, and goes another way if the tool fails", () => {
    expect(new Play(STEPS, { order: { status: "shipped" } }).begin("#W1234567").last).toBe("It is shipped.");
    const gone = new Play(STEPS, {}).begin("#W1234567");
    expect(gone.last).toBe("There is no order #W1234567.\nWhich order?");
    expect(gone.write("#W7654321").calls.at(-1)).toEqual(["get_order", { orderId: "#W7654321" }]);
  });

  test("calls nothing that changes something unless the contact says yes", () => {
    for (const text of ["no", "hm", "yes?", "maybe later", "what does it cost?"]) {
      const play = atTheEnd().write(text);
      expect(play.calls.map(([tool]) => tool)).toEqual(["get_order"]);
      expect(play.turn.then.kind).toBe("ask");
    }
  });
});

describe("what the contact mends", () => {
  test("a value that was wrong is set anew, and what rests on it is asked again", () => {
    const play = new Play().begin("cancel").write("#W1234567").write("shirt").write("no, I meant #W7654321");
    expect(play.calls.map(([, args]) => args)).toEqual([{ orderId: "#W1234567" }, { orderId: "#W7654321" }]);
    expect(play.last).toContain("Which items?");
    expect(play.state.slots).not.toHaveProperty("items");
  });

  test("a value on which nothing rests leaves the others as they are", () => {
    const play = atTheEnd().write("sorry, no longer needed");
    expect(play.state.slots.reason).toMatchObject({ value: "unneeded" });
    expect(play.last).toContain("Shall I cancel Mechanical keyboard of #W1234567?");
    expect(play.calls).toHaveLength(1);
  });

  test("after a no, the contact says what should be different: by its name, or by the value", () => {
    const named = atTheEnd().write("no");
    expect(named.last).toBe("What should be different?");
    expect(named.write("the items").last).toContain("Which items?");
    expect(atTheEnd().write("no").write("the thermostat").state.slots.items).toMatchObject({ value: ["t"] });
    expect(atTheEnd().write("no").write("no").turn.then).toEqual({ kind: "end", ending: "cancelled" });
  });

  test("a value of the first message that should be different is asked for, and not read there again", () => {
    const play = new Play()
      .begin("cancel my order #W1234567, I ordered it by mistake")
      .write("the keyboard")
      .write("no");
    expect(play.last).toBe("What should be different?");
    expect(play.write("the order id").last).toBe("Which order?");
    expect(play.write("#W7654321").calls.map(([, args]) => args)).toEqual([
      { orderId: "#W1234567" },
      { orderId: "#W7654321" },
    ]);
    expect(play.last).toContain("Which items?");
    play.write("the keyboard").write("no");
    expect(play.write("the reason").last).toContain("Why?");
  });

  test("a yes after a no is asked for again, and does nothing before", () => {
    const play = atTheEnd().write("no").write("yes");
    expect(play.last).toContain("Shall I cancel Mechanical keyboard of #W1234567?");
    expect(play.calls).toHaveLength(1);
    play.write("yes");
    expect(play.calls).toHaveLength(2);
    const misread = atTheEnd().understand("by all means", { means: "no" }).write("yes");
    expect(misread.last).toContain("Shall I cancel Mechanical keyboard of #W1234567?");
  });

  test.each([
    "never mind",
    "Forget it.",
    "Oh, I changed my mind, I don't need it",
    "vergessen Sie es",
    "laissez tomber",
    "olvídelo",
    "lasci stare",
    "laat maar",
    "deixa pra lá",
  ])("“%s” stops it", (text) => {
    for (const play of [new Play().begin("cancel my order"), atTheEnd()]) {
      expect(play.write(text).turn.then).toEqual({ kind: "end", ending: "cancelled" });
      expect(play.last).toContain("Nothing was changed");
    }
  });

  test.each([
    "what do you need it for?",
    "Why?",
    "wofür brauchen Sie das?",
    "pourquoi ?",
    "¿para qué?",
    "a cosa serve?",
    "waarom?",
    "para quê?",
  ])("“%s” is answered, and the question asked again", (text) => {
    expect(new Play().begin("cancel").write(text).last).toBe("The number tells me which order.\nWhich order?");
  });

  test("a question is answered by an entry, and the open one is asked again", () => {
    const play = new Play().begin("cancel").write("#W1234567");
    play.said = [];
    play.on({ kind: "wrote", text: "When do you deliver?" });
    expect(play.turn.then.kind).toBe("unclear");
    play.on({ kind: "digressed", text: "", found: { entryId: "e", answer: "In three days." } });
    expect(play.last).toMatch(/^In three days\.\nWhich items\?/);
    expect(play.turn.entryIds).toEqual(["e"]);
  });

  test("who does not answer is asked twice more, and then people take over", () => {
    const play = new Play().begin("cancel").write("hm");
    expect(play.last).toBe("I am sorry, I did not understand that.\nWhich order?");
    expect(play.write("well").write("so").turn.then).toMatchObject({ kind: "hand_over", why: "unsure" });
  });

  test("what was done is not done again: who corrects it gets a person", () => {
    const steps: Step[] = [
      ...STEPS.slice(0, 7),
      { id: "again", type: "ask", text: "Anything else?", slot: { kind: "text" } },
    ];
    const play = new Play(steps).begin("cancel").write("#W1234567").write("shirt").write("mistake").write("yes");
    expect(play.write("no, I meant #W7654321").turn.then).toMatchObject({ kind: "hand_over" });
    expect(play.calls.filter(([tool]) => tool === "cancel")).toHaveLength(1);
  });

  test("who writes again before the tool is called is asked again what they agreed to", () => {
    const play = atTheEnd();
    const agreed = advance(STEPS, play.state, { kind: "wrote", text: "yes" }, FACTS);
    expect(agreed.then.kind).toBe("call");
    const wrote = (text: string): Turn => advance(STEPS, agreed.state, { kind: "wrote", text }, FACTS);
    expect(wrote("hm, wait").said.join()).toContain("Shall I cancel");
    expect(wrote("never mind").then).toEqual({ kind: "end", ending: "cancelled" });
    expect(wrote("no, I meant #W7654321").then).toMatchObject({ arguments: { orderId: "#W7654321" } });
    expect(wrote("yes").then).toMatchObject({ kind: "call", tool: "cancel" });
  });
});

describe("what a language model reads", () => {
  const value = (step: string, said: string) => ({ means: "value", step, value: said }) as const;
  const atItems = (): Play => new Play().begin("cancel").write("#W1234567");

  test("counts once the contact has said yes to it, and not before", () => {
    const play = atItems().understand("the clicky thing for my desk", value("items", "1"));
    expect(play.last).toBe("Do you mean “Mechanical keyboard”?");
    expect([play.turn.then.kind, play.state.slots]).toEqual(["ask", expect.not.objectContaining({ items: {} })]);
    expect(play.write("yes").last).toContain("Why?");
    expect(play.state.slots.items).toMatchObject({ value: ["k"] });
  });

  test("is forgotten when the contact says no, or names something else", () => {
    const play = atItems().understand("the clicky thing", value("items", "1"));
    expect(play.write("no").last).toContain("Which items?");
    expect(play.state.slots).not.toHaveProperty("items");
    const other = atItems().understand("the clicky thing", value("items", "1")).write("the thermostat");
    expect(other.state.slots.items).toMatchObject({ value: ["t"] });
    expect(other.last).toContain("Why?");
  });

  test("is asked again where the contact says something else, and what it is needed for is still told", () => {
    const play = new Play().begin("cancel").understand("the one from W 123 45 67", value("order_id", "#W1234567"));
    expect(play.write("why?").last).toBe("The number tells me which order.\nDo you mean “#W1234567”?");
    expect(play.write("hm").last).toContain("Do you mean “#W1234567”?");
    expect(play.write("yes").calls).toEqual([["get_order", { orderId: "#W1234567" }]]);
  });

  test("can be another value than before, and a yes to that is no yes to the change", () => {
    const play = atTheEnd().understand("it is rather that I have no use for it", value("reason", "1"));
    expect(play.last).toBe("Do you mean “No longer needed”?");
    play.write("yes");
    expect(play.state.slots.reason).toMatchObject({ value: "unneeded" });
    expect(play.last).toContain("Shall I cancel Mechanical keyboard of #W1234567?");
    expect(play.calls.map(([tool]) => tool)).toEqual(["get_order"]);
  });

  test.each([
    ["an option that there is not", "the fourth", value("items", "4")],
    ["a step that there is not", "keyboard", value("cancelled", "R1")],
    ["a step that was not asked yet", "a mistake", value("reason", "2")],
    ["the value that it has", "W1234567, I said", value("order_id", "#W1234567")],
    ["a no to a question that is none", "I would rather not say", { means: "no" } as const],
  ])("is nothing where it is %s", (_, text, as) => {
    expect(atItems().on({ kind: "understood", text, as }).turn.then.kind).toBe("unclear");
  });

  test("are words of the contact's own, where words are asked for", () => {
    const steps: Step[] = [{ id: "street", type: "ask", text: "Which street?", slot: { kind: "text" } }];
    const text = "Is it fine if you bring it to 12  Oak Street?";
    const read = (said: string): Play => new Play(steps).begin("").understand(text, value("street", said));
    expect(read("12 Oak Street").last).toBe("Do you mean “12 Oak Street”?");
    expect(read("13 Oak Street").turn.then.kind).toBe("unclear");
  });

  test("is never a yes; a no, a stop and a why are what they are", () => {
    const read = (as: Understood): Play => atTheEnd().understand("by all means", as);
    expect(read({ means: "no" }).last).toBe("What should be different?");
    expect(read({ means: "stop" }).turn.then).toEqual({ kind: "end", ending: "cancelled" });
    expect(read({ means: "why" }).last).toContain("Shall I cancel");
    const as = { kind: "understood", text: "by all means", as: value("sure", "yes") } as const;
    expect(atTheEnd().on(as).turn.then.kind).toBe("unclear");
  });
});

test("whatever a language model reads, nothing is called, no value changes, and no step is left, but that the contact is asked or it stops", () => {
  const keeps: Step[] = [
    ...STEPS.slice(0, 5),
    { id: "keep", type: "confirm", text: "Shall it stay as it is?", otherwise: "cancelled" },
    { id: "end", type: "end" },
    ...STEPS.slice(6, 8),
  ];
  const written = ["cancel my order", "#W1234567", "the keyboard", "by mistake", "no", "the shirt"];
  const meanings: Understood[] = [
    ...(["no", "why", "stop"] as const).map((means) => ({ means })),
    ...keeps.flatMap(({ id }) =>
      ["1", "2", "all", "yes", "no", "#W7654321", "mistake"].map(
        (value) => ({ means: "value", step: id, value }) as const,
      ),
    ),
  ];
  for (const steps of [STEPS, keeps])
    for (let length = 1; length <= written.length; length++) {
      const play = new Play(steps).begin(written[0]!);
      for (const text of written.slice(1, length)) if (play.turn.then.kind === "ask") play.write(text);
      if (play.turn.then.kind !== "ask") continue;
      const { at, slots, results } = play.state;
      for (const as of meanings) {
        const turn = advance(steps, play.state, { kind: "understood", text: "1 2 all mistake", as }, FACTS);
        expect(["ask", "unclear", "end"], JSON.stringify(as)).toContain(turn.then.kind);
        expect(turn.state).toMatchObject({ at, slots, results });
      }
    }
});

test("a step is taken for each of several values", () => {
  const steps: Step[] = [
    {
      id: "cities",
      type: "ask",
      text: "Which?",
      slot: { kind: "choice", many: true, options: ["Rome", "Oslo"].map((label) => ({ value: label, label })) },
    },
    { id: "fares", type: "call", tool: "fares", arguments: { to: "{each}" }, each: "cities" },
    {
      id: "class",
      type: "ask",
      each: "cities",
      text: "Which class to {each}?",
      slot: { kind: "choice", from: "fares.classes", value: "id", label: "{item.name}" },
    },
    { id: "book", type: "call", tool: "book", arguments: { cities: "{cities}", classes: "{class}" } },
  ];
  const facts: Facts = {
    ...FACTS,
    tools: { fares: { changes: false, publicFields: ["classes"] }, book: { changes: true, publicFields: [] } },
  };
  const play = new Play(
    steps,
    {
      fares: {
        classes: [
          { id: 1, name: "first" },
          { id: 2, name: "second" },
        ],
      },
      book: {},
    },
    facts,
  );
  expect(play.begin("").write("Rome and Oslo").last).toContain("Which class to Rome?");
  expect(play.write("second").last).toContain("Which class to Oslo?");
  play.write("1");
  expect(play.calls).toEqual([
    ["fares", { to: "Rome" }],
    ["fares", { to: "Oslo" }],
    ["book", { cities: ["Rome", "Oslo"], classes: [2, 1] }],
  ]);
});

test("a level is waited for, and what was said before is not asked after it", () => {
  const steps: Step[] = [{ id: "who", type: "require_level", level: "identified" }, ...STEPS];
  const first = advance(steps, begun("who"), { kind: "began", text: "cancel #W1234567" }, FACTS);
  expect(first.then).toEqual({ kind: "verify", level: "identified" });
  const then = advance(steps, first.state, { kind: "resumed" }, { ...FACTS, level: "identified" }).then;
  expect(then).toMatchObject({ kind: "call", tool: "get_order", arguments: { orderId: "#W1234567" } });
});

test("a value that must not be is told, and asked for again", () => {
  const steps: Step[] = [
    {
      id: "nights",
      type: "ask",
      text: "How many nights?",
      slot: { kind: "number", min: 1 },
      check: [{ value: "nights", op: "less", to: 15 }],
      wrong: "{nights} are too many.",
    },
  ];
  const play = new Play(steps, {}).begin("").write("twenty or 20");
  expect(play.last).toBe("20 are too many.\nHow many nights?");
  expect(play.write("12").turn.then.kind).toBe("end");
});

test("what the language model would have to read, and is too long, it does not read", () => {
  const facts: Facts = { ...FACTS, tools: { get_order: { changes: false, publicFields: ["a"] } } };
  const asks = Array.from({ length: 9 }, (_, n): Step => ({
    id: `q${n}`,
    type: "ask",
    text: `{o.a}?`.repeat(n < 8 ? 3 : 1),
    slot: { kind: "text" },
  }));
  const steps: Step[] = [{ id: "o", type: "call", tool: "get_order", arguments: {} }, ...asks];
  const play = new Play(steps, { o: { a: "x".repeat(60_000) } }, facts).begin("");
  for (let n = 0; n < 8; n++) play.write("this");
  expect(play.turn.then.kind).toBe("ask");
  expect(questionAt(steps, play.state, facts)).toBeUndefined();
});

describe("what a tool answered and a procedure names too often is for people", () => {
  const order = (answer: unknown): unknown => ({ a: answer, list: Array.from({ length: 20_000 }, (_, n) => n) });
  const facts: Facts = { ...FACTS, tools: { get_order: { changes: false, publicFields: ["a", "list"] } } };
  const call: Step = { id: "o", type: "call", tool: "get_order", arguments: {} };
  const many = "{o.a}".repeat(400);
  const say = (text: string): Step[] => Array.from({ length: 30 }, (_, n) => ({ id: `s${n}`, type: "say", text }));
  const asks = (n: number, when: Condition): Step => ({
    id: `b${n}`,
    type: "branch",
    cases: [{ when: [when], next: "z" }],
  });
  const isIn: Condition = { value: "o.a", op: "one_of", to: "{o.list}" };
  const [filter, pick]: [Step, Step] = [
    {
      id: "pick",
      type: "ask",
      text: "Which?",
      slot: { kind: "choice", from: "o.list", label: "{item}", where: Array<Condition>(10).fill(isIn) },
    },
    {
      id: "pick",
      type: "ask",
      text: "Which?",
      slot: { kind: "choice", from: "o.list", label: many },
    },
  ];
  test.each<[string, Step[]]>([
    ["in what is said", say(many)],
    [
      "in an argument",
      [{ id: "c", type: "call", tool: "get_order", arguments: { all: Array<string>(20).fill(many) } }],
    ],
    ["as arguments", [{ id: "c", type: "call", tool: "get_order", arguments: { all: Array<string>(50).fill("{o}") } }]],
    ["in conditions", Array.from({ length: 40 }, (_, n) => asks(n, isIn))],
    ["in choices", [filter]],
    ["in how choices are called", [pick]],
  ])("%s", (_, rest) => {
    const steps = [call, ...rest, { id: "z", type: "end" } as const];
    const first = advance(steps, begun("o"), { kind: "began", text: "" }, facts);
    let turn: Turn | undefined;
    const look = (): void => {
      turn = advance(steps, first.state, { kind: "answered", value: order("x".repeat(60_000)) }, facts);
    };
    expect(leastCost(look, 90)).toBeLessThan(90);
    expect(turn!.then).toEqual({
      kind: "hand_over",
      why: "passedOn",
      reason: "The values are too long to go on with",
    });
  });
});

test("what a model takes for an address is asked about without links in it", () => {
  const steps: Step[] = [{ id: "to", type: "ask", text: "Where to?", slot: { kind: "email" } }];
  const as: Understood = { means: "value", step: "to", value: "https://evil.example/pay@example.com" };
  const play = new Play(steps, {}).begin("").understand("my usual one", as);
  expect(play.turn.then.kind).toBe("unclear");
  expect(play.said).toEqual([]);
});

test("what a contact writes is said again without its links: nobody knows whose address the answer goes to", () => {
  const steps: Step[] = [
    { id: "name", type: "ask", text: "What is your name?", slot: { kind: "text" } },
    { id: "sure", type: "confirm", text: "Shall I note {name}?" },
    { id: "noted", type: "call", tool: "cancel", arguments: { name: "{name}" } },
  ];
  const play = new Play(steps, {})
    .begin("I have a new name")
    .write("Win at https://evil.example/now or www.evil.example");
  expect(play.last).toMatch(/^Shall I note Win at\s+or/);
  expect(play.last).not.toMatch(/evil/);
  expect(play.write("yes").calls).toEqual([
    ["cancel", { name: "Win at https://evil.example/now or www.evil.example" }],
  ]);
});
