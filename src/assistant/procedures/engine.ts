import { ASSURANCE_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import type { Step, StepOf } from "./definition.js";
import { Effort, TooMuch } from "./effort.js";
import { type Facts, isFailure, Known } from "./known.js";
import { asksWhy, corrects, hesitates, wantsToStop } from "./phrases.js";
import { namesIn } from "./scope.js";
import { codesOf, yesOrNo } from "./slots.js";
import type { Filled, Meant, State } from "./state.js";
import { repairsIn } from "./texts.js";
import { argumentOf, holds, rendered } from "./values.js";

export type Event =
  | { kind: "began"; text: string }
  | { kind: "wrote"; text: string }
  /** What the tool of the step answered. */
  | { kind: "answered"; value: unknown }
  /** The tool was not used, or failed. */
  | { kind: "failed"; reason: string }
  /** Nothing was written that counts: the contact has proven who they are, or the process before has died. */
  | { kind: "resumed" }
  /** What the contact wrote is no answer. `found`: what answers it, if it asks something. */
  | { kind: "digressed"; text: string; found?: Digression }
  /** What the language model read in it. */
  | { kind: "understood"; text: string; as: Understood };

/** What a contact may mean by what no pattern reads. A yes is never among it: only the contact's own word is one. */
export type Understood =
  /** `value`: in a form that the step's patterns read. */
  { means: "value"; step: string; value: string } | { means: "no" } | { means: "why" } | { means: "stop" };

/** An approved entry that answers what the contact asks meanwhile. */
export interface Digression {
  entryId: string;
  answer: string;
}

export const DEEDS = namedEnum("ProcedureDeed", "What happened at a step of a procedure.", {
  asked: "the contact was asked",
  filled: "they gave the value",
  corrected: "they gave another value than before",
  understood: "the language model read a value, and they were asked whether they mean it",
  explained: "they were told what it is needed for",
  digressed: "they asked something else, and an entry answered",
  unclear: "they wrote what is no answer",
  said: "they were told something",
  checked: "they have proven who they are",
  called: "the tool was called",
  failed: "the tool was not used, or failed",
  confirmed: "they said yes",
  refused: "they said no",
  branched: "it went on by what is known",
  cancelled: "they wanted to stop",
  handed_over: "people took over",
  ended: "the procedure came to its end",
});
/** What a step did, for the record. */
export interface Did {
  step: string;
  type: Step["type"];
  did: (typeof DEEDS)[number];
}
type Then =
  | { kind: "ask" }
  | { kind: "call"; step: string; tool: string; arguments: Record<string, unknown> }
  | { kind: "verify"; level: DemandedLevel }
  /** The message may ask something else: the state is as before. Say by `digressed` what was found. */
  | { kind: "unclear" }
  | { kind: "hand_over"; why: "passedOn" | "unsure"; reason: string }
  | { kind: "end"; ending: "completed" | "cancelled" };
export interface Turn {
  state: State;
  /** What the contact is told, in this order. */
  said: string[];
  /** The entries among it, and their answers as they are in `said`. */
  entryIds: string[];
  answers: string[];
  /** Answers to the last question that the contact can choose from. */
  choices: string[];
  did: Did[];
  then: Then;
}

/** So often a question is asked again before people take over. */
const MAX_UNCLEAR = 2;
/** More steps than that between two questions: something is wrong with the procedure. */
const MAX_TAKEN = 400;

/** Takes the steps of a procedure from one event until it needs another. It knows nothing but what it is given, and does nothing. */
export function advance(
  steps: readonly Step[],
  before: State,
  event: Event,
  facts: Facts,
  effort: Effort = new Effort(),
): Turn {
  return new Walk(steps, structuredClone(before), facts, effort).after(event);
}

/** More than these, or longer ones, are read in the text. */
const MAX_CHOICES = 10;
const MAX_CHOICE_CHARACTERS = 120;

/** What the contact can choose with one touch: not where they may name several, and not what reads the same twice. */
function choicesIn({ slot }: StepOf<"ask">, choices: readonly { label: string }[]): string[] {
  const labels = choices.map(({ label }) => label);
  const isOffered =
    slot.kind === "choice" &&
    !slot.many &&
    labels.length <= MAX_CHOICES &&
    new Set(labels).size === labels.length &&
    labels.every(({ length }) => length <= MAX_CHOICE_CHARACTERS);
  return isOffered ? labels : [];
}

const inWords = (text: string): string => text.replace(/\s+/g, " ").trim();

class Walk {
  private readonly said: string[] = [];
  private readonly entryIds: string[] = [];
  private readonly answers: string[] = [];
  private choices: string[] = [];
  private readonly did: Did[] = [];
  private readonly known: Known;
  /** The message that was read now: it may answer the next questions, too. */
  private now = "";
  private readonly texts;

  constructor(
    private readonly steps: readonly Step[],
    private readonly state: State,
    private readonly facts: Facts,
    private readonly effort: Effort,
  ) {
    this.known = new Known(steps, state, facts, effort);
    this.texts = repairsIn(...facts.languages);
  }

  after(event: Event): Turn {
    const then = this.within(() => this.react(event));
    const { state, said, entryIds, answers, choices, did } = this;
    return { state, said, entryIds, answers, choices, did, then };
  }

  private within(react: () => Then): Then {
    try {
      return react();
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return this.handOver("The values are too long to go on with");
    }
  }

  private react(event: Event): Then {
    switch (event.kind) {
      case "began":
        this.state.heard = event.text;
        return this.go();
      case "resumed":
        return this.state.open ? this.repeat() : this.go();
      case "wrote":
        return this.read(event.text);
      case "digressed":
        return this.digress(event);
      case "understood":
        return this.understand(event.as, event.text);
      case "answered":
        return this.learn(event.value);
      case "failed":
        return this.fail(event.reason);
    }
  }

  private get step(): Step {
    return this.known.byId.get(this.state.at)!;
  }

  private note(did: Did["did"], { id, type }: Step = this.step): void {
    this.did.push({ step: id, type, did });
  }

  // The steps, one after the other

  private go(): Then {
    for (let n = 0; n < MAX_TAKEN; n++) {
      const then = this.take(this.step);
      if (then) return then;
    }
    return this.handOver("The procedure does not come to an end");
  }

  private take(step: Step): Then | undefined {
    switch (step.type) {
      case "say":
        return this.say(step);
      case "ask":
        return this.ask(step);
      case "confirm":
        this.question(rendered(step.text, this.known.scope()), this.texts.yesOrNo);
        return { kind: "ask" };
      case "require_level":
        if (ASSURANCE_LEVELS.indexOf(this.facts.level) < ASSURANCE_LEVELS.indexOf(step.level))
          return { kind: "verify", level: step.level };
        this.note("checked");
        return this.moveOn(step);
      case "call":
        return this.call(step);
      case "branch": {
        this.note("branched");
        const found = step.cases.find(({ when }) => holds(when, this.known.scope()));
        return this.moveOn(step, found?.next);
      }
      case "hand_over":
        if (step.text !== undefined) this.said.push(rendered(step.text, this.known.scope()));
        return this.handOver("The procedure hands over");
      case "end":
        return this.end("completed");
    }
  }

  private moveOn(step: Step, target?: string): Then | undefined {
    const { state } = this;
    state.path.push(step.id);
    if (state.open) state.unasked = false;
    Object.assign(state, { open: false, unclear: 0, doubts: false, meant: null });
    const next = target ?? step.next ?? this.steps[this.steps.indexOf(step) + 1]?.id;
    if (next === undefined) return this.end("completed");
    state.at = next;
    return undefined;
  }

  private end(ending: "completed" | "cancelled"): Then {
    this.note(ending === "completed" ? "ended" : "cancelled");
    return { kind: "end", ending };
  }

  private handOver(reason: string, why: "passedOn" | "unsure" = "passedOn"): Then {
    this.note("handed_over");
    return { kind: "hand_over", why, reason };
  }

  private say(step: StepOf<"say">): Then | undefined {
    const { text, entryId } = step;
    if (entryId !== undefined) {
      const answer = this.facts.entries[entryId.toLowerCase()];
      if (answer === undefined) return this.handOver(`The entry of the step ${step.id} is not approved any more`);
      this.cite(entryId, answer);
    } else this.said.push(rendered(text!, this.known.scope()));
    this.note("said");
    return this.moveOn(step);
  }

  private cite(entryId: string, answer: string): void {
    this.said.push(answer);
    this.answers.push(answer);
    this.entryIds.push(entryId);
  }

  private call(step: StepOf<"call">): Then | undefined {
    const done = this.state.results[step.id];
    const times = this.known.timesOf(step);
    if (
      times === undefined
        ? done !== undefined
        : ((done as unknown[] | undefined) ?? []).length >= times || isFailure(done)
    )
      return this.moveOn(step, isFailure(done) ? step.otherwise : undefined);
    if (this.state.unasked && this.facts.tools[step.tool]?.changes !== false)
      return this.handOver(`A language model began it, and it calls ${step.tool} before it asks anything`);
    const scope = this.known.scope(step);
    const given = Object.entries(step.arguments).map(([name, value]) => [name, argumentOf(value, scope)] as const);
    const args = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    return { kind: "call", step: step.id, tool: step.tool, arguments: args };
  }

  private learn(value: unknown): Then {
    const step = this.step as StepOf<"call">;
    const { state } = this;
    const known = value ?? null;
    state.results[step.id] =
      step.each === undefined ? known : [...((state.results[step.id] as unknown[]) ?? []), known];
    this.weigh();
    if (this.facts.tools[step.tool]?.changes) Object.assign(state, { changed: true, confirmed: null });
    this.note("called");
    return this.go();
  }

  private fail(reason: string): Then {
    const step = this.step as StepOf<"call">;
    this.note("failed");
    if (step.otherwise === undefined) return this.handOver(`${step.tool}: ${reason}`);
    this.state.results[step.id] = { error: reason };
    this.state.path.push(step.id);
    this.state.at = step.otherwise;
    return this.go();
  }

  // Questions

  private ask(step: StepOf<"ask">): Then | undefined {
    const { state } = this;
    // A way back asks anew.
    const again = state.path.includes(step.id);
    if (again) {
      this.known.forget(step.id);
      state.path = state.path.slice(0, state.path.indexOf(step.id));
    }
    if (this.known.isFilled(step)) return this.moveOn(step);
    const choices = this.known.choicesOf(step);
    if (step.slot.kind === "choice" && !choices.length)
      return this.handOver(`There is nothing to choose from at the step ${step.id}`);
    // What the contact has said already is not asked.
    const given = again || step.each !== undefined ? undefined : this.givenFor(step);
    if (given && this.keep(step, given)) return this.moveOn(step);
    this.askFor(step, choices);
    return { kind: "ask" };
  }

  private askFor(step: StepOf<"ask">, choices: readonly { label: string }[]): void {
    const list = choices.map(({ label }, n) => `${n + 1}. ${label}`);
    const text = [rendered(step.text, this.known.scope(step)), ...list].join("\n");
    this.question(text, step.slot.kind === "yes_no" ? this.texts.yesOrNo : choicesIn(step, choices));
  }

  private givenFor(step: StepOf<"ask">): Filled | undefined {
    return [this.now, this.state.heard]
      .map((text) => (text ? this.known.readOf(step, text, true) : undefined))
      .find((given) => given && !this.known.isKnown(given));
  }

  private question(text: string, choices: string[]): void {
    this.said.push(text);
    this.choices = choices;
    if (!this.state.open) this.note("asked");
    this.state.open = true;
  }

  private repeat(): Then {
    const step = this.step;
    const { doYouMean, whatElse, yesOrNo } = this.texts;
    if (this.state.meant) this.question(doYouMean(this.state.meant.filled.label), yesOrNo);
    else if (this.state.doubts) this.question(whatElse, []);
    else if (step.type === "ask") this.askFor(step, this.known.choicesOf(step));
    else if (step.type === "confirm") this.question(rendered(step.text, this.known.scope()), yesOrNo);
    return { kind: "ask" };
  }

  /** @returns false if it must not have this value: the contact is told */
  private keep(step: StepOf<"ask">, filled: Filled): boolean {
    const { slots } = this.state;
    const before = slots[step.id];
    slots[step.id] = step.each === undefined ? filled : [...((before as Filled[] | undefined) ?? []), filled];
    this.weigh();
    // The value that is checked is that of this time.
    const scope = this.known.scope(step, { id: step.id, filled });
    if (step.check && !holds(step.check, scope)) {
      this.said.push(rendered(step.wrong ?? this.texts.notUnderstood, scope));
      if (before === undefined) delete slots[step.id];
      else slots[step.id] = before;
      return false;
    }
    this.note("filled", step);
    return true;
  }

  /** All that is known is copied and written with each event. */
  private weigh(): void {
    const { slots, results } = this.state;
    this.effort.spend(JSON.stringify([slots, results]).length);
  }

  // What the contact writes

  private read(text: string): Then {
    const { state, step } = this;
    if (wantsToStop(text)) return this.stop();
    if (!state.open) return this.reconsider(text);
    if (asksWhy(text)) return this.explain();
    const agreed = state.meant && this.agree(state.meant, text);
    if (agreed) return agreed;
    if (step.type === "confirm") return this.decide(step, text);
    const marked = corrects(text);
    const corrected = marked ? this.known.correctionIn(text, true) : undefined;
    if (corrected) return this.correct(...corrected);
    const asks = step.type === "ask" && /[?？؟]/u.test(text) && !codesOf(step.slot, text).length;
    const then = asks ? undefined : this.fill(text);
    if (then) return then;
    const meant = this.known.correctionIn(text, false);
    return meant ? this.correct(...meant) : { kind: "unclear" };
  }

  /** The contact wrote again before the tool was called: what they agreed to is asked anew, unless they say yes again. */
  private reconsider(text: string): Then {
    const confirmed = this.state.confirmed;
    const corrected = corrects(text) ? this.known.correctionIn(text, true) : undefined;
    if (corrected) return this.correct(...corrected);
    if (confirmed === null || yesOrNo(text) === "yes") return this.go();
    this.state.path = this.state.path.slice(0, this.state.path.indexOf(confirmed));
    Object.assign(this.state, { at: confirmed, confirmed: null });
    return this.go();
  }

  private stop(): Then {
    this.said.push(this.state.changed ? this.texts.stoppedLater : this.texts.stopped);
    return this.end("cancelled");
  }

  private explain(): Then {
    const step = this.step as StepOf<"ask" | "confirm">;
    this.note("explained");
    this.said.push(step.why === undefined ? this.texts.noReason : rendered(step.why, this.known.scope()));
    return this.repeat();
  }

  private decide(step: StepOf<"confirm">, text: string): Then {
    const { state } = this;
    const answer = yesOrNo(text);
    if (state.doubts) return this.doubted(answer, text);
    if (answer === "yes") {
      this.note("confirmed");
      state.confirmed = step.id;
      return this.moveOn(step) ?? this.go();
    }
    if (answer === "no") return this.refuse(step);
    const corrected = this.known.correctionIn(text, true);
    return corrected ? this.correct(...corrected) : { kind: "unclear" };
  }

  private refuse(step: StepOf<"confirm">): Then {
    const { state } = this;
    this.note("refused");
    if (step.otherwise !== undefined) return this.moveOn(step, step.otherwise) ?? this.go();
    state.doubts = true;
    return this.repeat();
  }

  /** They were asked what should be different. A yes to that agrees to nothing yet: they are asked again. */
  private doubted(answer: ReturnType<typeof yesOrNo>, text: string): Then {
    if (answer === "no") return this.stop();
    if (answer !== "yes") return this.amend(text);
    this.state.doubts = false;
    return this.repeat();
  }

  /** The contact says what should be different: a value, or which one. */
  private amend(text: string): Then {
    const corrected = this.known.correctionIn(text, true);
    if (corrected) return this.correct(...corrected);
    const words = namesIn(text);
    const named = this.known.filledSteps().find(({ id }) => namesIn(id).every((word) => words.includes(word)));
    if (!named) return { kind: "unclear" };
    if (this.known.isDoneBy(named.id)) return this.tooLate(named);
    this.known.forget(named.id);
    // Their first message has the value that they do not want.
    this.state.heard = "";
    this.backTo(named);
    return this.go();
  }

  private fill(text: string): Then | undefined {
    const step = this.step as StepOf<"ask">;
    const filled = hesitates(text) ? undefined : this.known.readOf(step, text, false);
    if (!filled) return undefined;
    if (step.slot.kind !== "text") this.now = text;
    return this.fillWith(step, filled);
  }

  private fillWith(step: StepOf<"ask">, filled: Filled): Then {
    if (!this.keep(step, filled)) return this.again();
    if (!this.known.isFilled(step)) {
      Object.assign(this.state, { open: false, unclear: 0, meant: null });
      return this.go();
    }
    return this.moveOn(step) ?? this.go();
  }

  // What the language model reads

  /** The contact is asked whether they mean the value, so that no model fills in anything. */
  private understand(as: Understood, text: string): Then {
    const { step } = this;
    switch (as.means) {
      case "stop":
        return this.stop();
      case "why":
        return this.explain();
      case "no":
        // Where a no leads to another step, only the contact's own word does.
        return step.type === "confirm" && step.otherwise === undefined && !this.state.doubts
          ? this.refuse(step)
          : { kind: "unclear" };
      case "value": {
        const meant = this.meantBy(as, text);
        if (!meant) return { kind: "unclear" };
        this.state.meant = meant;
        this.note("understood", this.known.byId.get(meant.step));
        return this.repeat();
      }
    }
  }

  /** A value of the step that is asked for, or another one than before of a step that was. */
  private meantBy({ step: id, value }: Extract<Understood, { means: "value" }>, text: string): Meant | undefined {
    const step = [this.step, ...this.known.filledSteps()].find((one) => one.id === id);
    if (step?.type !== "ask") return undefined;
    // Words stand for themselves: nobody else chooses them.
    if (step.slot.kind === "text" && !inWords(text).includes(inWords(value))) return undefined;
    const filled = this.known.readOf(step, value, false);
    const before = id === this.state.at ? undefined : (this.state.slots[id] as Filled);
    return filled && JSON.stringify(filled.value) !== JSON.stringify(before?.value) ? { step: id, filled } : undefined;
  }

  private agree({ step: id, filled }: Meant, text: string): Then | undefined {
    const answer = yesOrNo(text);
    if (answer === undefined) return undefined;
    this.state.meant = null;
    if (answer === "no") return this.again();
    const step = this.known.byId.get(id) as StepOf<"ask">;
    return id === this.state.at ? this.fillWith(step, filled) : this.correct(step, filled);
  }

  private digress({ text, found }: Extract<Event, { kind: "digressed" }>): Then {
    if (found) {
      this.note("digressed");
      this.cite(found.entryId, found.answer);
      return this.repeat();
    }
    const filled = this.step.type === "ask" ? this.fill(text) : undefined;
    if (filled) return filled;
    this.said.push(this.texts.notUnderstood);
    return this.again();
  }

  private again(): Then {
    this.note("unclear");
    if (++this.state.unclear > MAX_UNCLEAR)
      return this.handOver(`The contact does not answer the step ${this.state.at}`, "unsure");
    return this.repeat();
  }

  // Corrections

  private correct(step: StepOf<"ask">, filled: Filled): Then {
    if (this.known.isDoneBy(step.id)) return this.tooLate(step);
    const { slots } = this.state;
    const before = slots[step.id]!;
    this.known.forget(step.id);
    if (!this.keep(step, filled)) {
      slots[step.id] = before;
      return this.again();
    }
    this.did.pop();
    this.note("corrected", step);
    this.backTo(step);
    return this.go();
  }

  private tooLate(step: Step): Then {
    return this.handOver(`The contact corrects ${step.id}, after something was done with it`);
  }

  private backTo(step: Step): void {
    const { state } = this;
    const from = state.path.indexOf(step.id);
    if (from >= 0) state.path = state.path.slice(0, from);
    Object.assign(state, { at: step.id, open: false, unclear: 0, doubts: false, meant: null, confirmed: null });
  }
}
