import { Inject, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { isAngry } from "../context/acts.js";
import type { Tx } from "../../platform/database/transaction.js";
import { escapeMarkdown } from "../../platform/markdown/escape.js";
import type { Context } from "../context/context.queries.js";
import { isMailed, ownWordsOf } from "../context/question.js";
import type { Spoken } from "../context/spoken.js";
import type { Why } from "../context/why.js";
import { canonical, isObject } from "../tools/argument-schema.js";
import { failureOf, ToolCalls, type ToolOutcome, type ToolRun, UNKNOWN } from "../tools/tool-calls.js";
import { VerificationDialogue } from "../tools/verification-dialogue.js";
import { Digressions } from "./digressions.js";
import { advance, type Did, type Digression, type Event, type Turn } from "./engine.js";
import type { Facts } from "./known.js";
import { corrects, wantsToStop } from "./phrases.js";
import type { ProcedureEnding } from "./procedure.entity.js";
import { type OpenRun, save, type SaveArgs } from "./procedure-runs.queries.js";
import { type Known, ProcedureStore } from "./procedure-store.js";
import { ProcedureReader, questionAt } from "./reading.js";
import { startIn } from "./starts.js";
import { begun, type State } from "./state.js";

export interface ProcedureTask {
  caller: SystemCaller;
  run: ToolRun & { sequence: number; attempts: number };
  /** Without proofs of identity. */
  context: Context;
  language: string;
  /** Whether the contact has written, and something else than the proof that they were asked for. */
  isNew: boolean;
  /** As `Date.now()` */
  deadline: number;
}
/** A step of the run's activity. */
interface ProcedureStep {
  type: "procedure";
  at: string;
  durationMs: number;
  detail: object;
}
/** What a run does for a procedure. */
export interface ProcedureResult {
  plan:
    | ({ action: "proceed"; asks: boolean; entryIds: string[]; choices: string[] } & Spoken)
    | { action: "hand_off"; why: Why; reason?: string; said?: Spoken }
    | { action: "wait"; for: "approval" | "verification"; said?: Spoken }
    | { action: "discard"; reason: string };
  steps: ProcedureStep[];
  /** To be kept with what is said. */
  saved: SaveArgs;
}
/** Thrown where the run has nothing to do any more. */
class Over extends Error {}

const WAITING = "The contact wants to stop or change it, and a colleague still decides about what they asked for";

const MEANWHILE = "The contact wants to stop, and a part of what they asked for was done";

/** Takes the steps of procedures: asks, calls and remembers. What comes next is the engine's; whether a tool is called is the gate's. */
@Injectable()
export class ProcedureRuns {
  constructor(
    private readonly store: ProcedureStore,
    private readonly tools: ToolCalls,
    @Inject(VerificationDialogue) private readonly dialogue: Pick<VerificationDialogue, "ask">,
    private readonly digressions: Digressions,
    private readonly reader: ProcedureReader,
  ) {}

  known({ caller, run }: Pick<ProcedureTask, "caller" | "run">): Promise<Known> {
    return this.store.known(caller, run);
  }

  /** Goes on with the procedure that the conversation is in. */
  async goOn(task: ProcedureTask, known: Known): Promise<ProcedureResult | undefined> {
    const { open } = known;
    if (!open) return undefined;
    const work = new Work(task, open, await this.factsOf(task, known, open));
    const text = task.isNew ? textAfter(task, open.state.read) : "";
    if (isAngry(text)) return work.ended({ action: "hand_off", why: "angry" }, "handed_over");
    return this.carryOut(work, () => this.first(work, known, text));
  }

  /** Begins one with a phrase of the message, with an entry that would answer it, or the one that the language model chose. */
  async begin(
    task: ProcedureTask,
    known: Known,
    by: { phrases: true } | { entryIds: readonly string[] } | { procedureId: string },
  ): Promise<ProcedureResult | undefined> {
    const text = textAfter(task, 0, true);
    const start =
      "phrases" in by
        ? startIn(known.starts, text)
        : known.starts.find(({ procedureId, startsWith }) =>
            "procedureId" in by
              ? procedureId === by.procedureId
              : startsWith.entries.some((id) => by.entryIds.includes(id.toLowerCase())),
          );
    return start && this.start(task, known, start, text, { unasked: "procedureId" in by });
  }

  private async start(
    task: ProcedureTask,
    known: Known,
    { procedureId }: Known["starts"][number],
    text: string,
    { leaves = null, unasked = false }: { leaves?: string | null; unasked?: boolean } = {},
  ): Promise<ProcedureResult | undefined> {
    const taken = await this.store.steps(task.caller, task.run, procedureId);
    if (!taken) return undefined;
    const state = { ...begun(taken.steps[0]!.id, firstRead(task)), unasked };
    const open: OpenRun = { ...taken, id: uuid(), state };
    const work = new Work(task, open, await this.factsOf(task, known, open), leaves);
    return this.carryOut(work, () => Promise.resolve(work.take({ kind: "began", text })));
  }

  private async factsOf(
    { caller, run, context, language }: ProcedureTask,
    { level, today }: Pick<Facts, "level" | "today">,
    { entries }: OpenRun,
  ): Promise<Facts> {
    const offered = await this.tools.offered(caller, run);
    const tools = offered.map(({ name, effect, publicFields = [] }) => [
      name,
      { changes: effect === "write", publicFields },
    ]);
    return {
      level,
      today,
      languages: [language, context.primaryLanguage],
      entries,
      tools: Object.fromEntries(tools) as Facts["tools"],
    };
  }

  /** The first turn: what the contact wrote, or what became of a call whose process has died or that waited. */
  private async first(work: Work, known: Known, text: string): Promise<Turn | ProcedureResult> {
    const { task, open } = work;
    const isNew = task.isNew && text !== "";
    const { calling } = open.state;
    const came = calling === null ? undefined : await this.cameOf(work, calling);
    if (came?.kind === "waits" && isNew && (wantsToStop(text) || corrects(text)))
      return work.ended({ action: "hand_off", why: "passedOn", reason: WAITING }, "handed_over");
    if (came?.kind === "escalated")
      return work.ended({ action: "hand_off", why: "passedOn", reason: came.reason }, "handed_over");
    if (came && came.kind !== "waits") {
      const turn = work.take(eventOf(came));
      // Nothing else is done for one who has written meanwhile that they do not want it.
      return isNew && turn.then.kind === "call" && wantsToStop(text)
        ? work.ended({ action: "hand_off", why: "passedOn", reason: MEANWHILE }, "handed_over")
        : turn;
    }
    // Otherwise the run goes on after its process died, and has read what the contact wrote.
    const isUnread = open.state.read < task.run.sequence;
    if (!isNew && task.isNew && isUnread) return work.take({ kind: "wrote", text });
    if (!isNew || came) return work.take({ kind: "resumed" });
    const turn = work.take({ kind: "wrote", text });
    if (turn.then.kind !== "unclear") return turn;
    const other = startIn(known.starts, text);
    if (other && other.procedureId !== open.procedureId) {
      const begun = await this.start(task, known, other, text, { leaves: open.id });
      if (begun) return begun;
    }
    const read = await this.readIn(work, text);
    return read ?? work.take({ kind: "digressed", text, ...(await this.digression(work, known, text)) });
  }

  /** What the language model makes of it, if there is one. Undefined: no answer to the question. */
  private async readIn(work: Work, text: string): Promise<Turn | undefined> {
    const { open, facts, task } = work;
    const question = questionAt(open.steps, open.state, facts);
    if (!question) return undefined;
    const { understood, off } = await this.reader.read(task, question, text);
    if (off !== null) throw new Over(off);
    const turn = understood && work.take({ kind: "understood", text, as: understood });
    return turn?.then.kind === "unclear" ? undefined : turn;
  }

  private async digression(
    { task, facts }: Work,
    { workspaceId }: Known,
    text: string,
  ): Promise<{ found?: Digression }> {
    const found = await this.digressions.answer(task.caller, { workspaceId, text, languages: facts.languages });
    return found ? { found } : {};
  }

  /** What is known of the call that the run was about to make. */
  private async cameOf(work: Work, calling: string): Promise<ToolOutcome | undefined> {
    const { task } = work;
    const { then } = work.look({ kind: "resumed" });
    if (then.kind !== "call") return undefined;
    const given = Object.entries(then.arguments);
    const made = (await this.tools.made(task.caller, task.run)).findLast(
      ({ runId, tool, arguments: values }) =>
        runId === calling &&
        tool === then.tool &&
        isObject(values) &&
        given.every(([name, value]) => canonical(values[name]) === canonical(value)),
    );
    if (!made) return undefined;
    const isUnknown = failureOf(made.outcome) === UNKNOWN;
    if (!isUnknown) return made.outcome;
    // The same run may make it again, where that is the same call. Nobody else can.
    if (calling === task.run.id || work.facts.tools[then.tool]?.changes !== true) return undefined;
    return { kind: "escalated", reason: `${then.tool}: ${UNKNOWN}` };
  }

  private async carryOut(work: Work, first: () => Promise<Turn | ProcedureResult>): Promise<ProcedureResult> {
    try {
      for (let next = await first(); ;) {
        if ("plan" in next) return next;
        const turn: Turn = next;
        const after = await this.follow(work, turn);
        if ("plan" in after) return after;
        next = work.take(after);
      }
    } catch (error) {
      if (error instanceof Over) return work.result({ action: "discard", reason: error.message }, null);
      throw error;
    }
  }

  /** @returns what the run does, or what the engine has to know */
  private async follow(work: Work, { then }: Turn): Promise<ProcedureResult | Event> {
    const { task } = work;
    switch (then.kind) {
      case "ask":
        return work.speak(true, null);
      case "end":
        return work.speak(false, then.ending);
      case "unclear":
        return { kind: "digressed", text: "" };
      case "hand_over":
        return work.ended({ action: "hand_off", why: then.why, reason: then.reason }, "handed_over");
      case "verify": {
        await this.note(work);
        const asked = await this.dialogue.ask(task.caller, task.run, then.level, work.telling());
        if (asked.kind === "asked") return work.wait("verification");
        return work.ended({ action: "hand_off", why: "passedOn", reason: asked.reason }, "handed_over");
      }
      case "call": {
        work.open.state.calling = task.run.id;
        await this.note(work);
        const { tool, arguments: values } = then;
        // The procedure says what goes into each argument, and no model.
        const { from } = work.open.state;
        const about = { tainted: false, deadline: task.deadline, since: from, ...work.telling() };
        const outcome = await this.tools.call(task.caller, task.run, { tool, arguments: values }, about);
        await this.note(work, false);
        if (outcome.kind === "waits") return work.wait(outcome.for);
        if (outcome.kind === "escalated")
          return work.ended({ action: "hand_off", why: "passedOn", reason: outcome.reason }, "handed_over");
        return eventOf(outcome);
      }
    }
  }

  /** Writes what was done, and how far the procedure is, before anything else happens. @throws Over */
  private async note(work: Work, saves = true): Promise<void> {
    const { caller, run } = work.task;
    const off = await this.store.note(caller, run, work.takeSteps(), saves ? work.saved(null, true) : null);
    if (off !== null) throw new Over(off);
  }
}

/** A procedure at work. */
class Work {
  private steps: ProcedureStep[] = [];
  private readonly said: string[];
  private readonly entryIds: string[];
  private readonly answers: Set<string>;
  private choices: string[] = [];

  constructor(
    readonly task: ProcedureTask,
    readonly open: OpenRun,
    readonly facts: Facts,
    private readonly leaves: string | null = null,
  ) {
    const { texts = [], answers = [], entryIds = [] } = open.state.unsaid ?? {};
    this.said = [...texts];
    this.answers = new Set(answers);
    this.entryIds = [...entryIds];
  }

  /** What would come of it. */
  look(event: Event): Turn {
    return advance(this.open.steps, this.open.state, event, this.facts);
  }

  take(event: Event): Turn {
    const began = Date.now();
    const turn = this.look(event);
    // Whatever else it is, it is said later.
    if (turn.then.kind === "unclear") return turn;
    this.open.state = {
      ...turn.state,
      read: this.task.run.sequence,
      calling: turn.then.kind === "call" ? turn.state.calling : null,
    };
    this.said.push(...turn.said);
    this.choices = turn.choices;
    this.entryIds.push(...turn.entryIds);
    for (const answer of turn.answers) this.answers.add(answer);
    this.steps.push(...turn.did.map((did) => this.stepOf(did, began)));
    return turn;
  }

  takeSteps(): ProcedureStep[] {
    const steps = this.steps;
    this.steps = [];
    return steps;
  }

  /** At the end of a turn the contact reads something, or people take over. */
  speak(asks: boolean, ending: ProcedureEnding | null): ProcedureResult {
    const said = this.spoken();
    const { entryIds, choices } = this;
    if (said) return this.result({ action: "proceed", ...said, asks, entryIds, choices }, ending);
    return this.ended(
      { action: "hand_off", why: "passedOn", reason: "The procedure has nothing to say" },
      "handed_over",
    );
  }

  ended(plan: Extract<ProcedureResult["plan"], { action: "hand_off" }>, ending: ProcedureEnding): ProcedureResult {
    const said = this.spoken();
    return this.result({ ...plan, ...(said && { said }) }, ending);
  }

  /** Until what it waits for has come. Mails announce no approval: what was said is told with what comes then. */
  wait(waitsFor: "approval" | "verification"): ProcedureResult {
    const said = this.spoken();
    const isKept = waitsFor === "approval" && isMailed(this.task.context.channelType);
    return this.result({ action: "wait", for: waitsFor, ...(said && !isKept && { said }) }, null, isKept);
  }

  /** Entries are Markdown. What the procedure says, with what the contact gave, is text. */
  spoken(): Spoken | undefined {
    const { said, answers } = this;
    const parts = answers.size ? said.map((text) => (answers.has(text) ? text : escapeMarkdown(text))) : said;
    const body = parts.join("\n\n").trim();
    return body ? { body, bodyFormat: answers.size ? "markdown" : "text" } : undefined;
  }

  /** What the contact is told before they are asked for proof of identity. `told` keeps that it was said. */
  telling(): { said: Spoken | undefined; told: (tx: Tx) => Promise<void> } {
    return { said: this.spoken(), told: (tx) => save(tx, this.saved(null, false)) };
  }

  result(plan: ProcedureResult["plan"], ending: ProcedureEnding | null, isUnsaid = false): ProcedureResult {
    return { plan, steps: this.takeSteps(), saved: this.saved(ending, isUnsaid) };
  }

  /** @param isUnsaid whether the contact is still to be told */
  saved(ending: ProcedureEnding | null, isUnsaid: boolean): SaveArgs {
    const { id, procedureId, version } = this.open;
    const { said, answers, entryIds } = this;
    const unsaid = isUnsaid && said.length ? { texts: said, answers: [...answers], entryIds } : undefined;
    const state: State = { ...this.open.state, unsaid };
    const { conversationId } = this.task.run;
    return { id, conversationId, procedureId, version, state: JSON.stringify(state), ending, leaves: this.leaves };
  }

  private stepOf({ step, type, did }: Did, began: number): ProcedureStep {
    const { procedureId } = this.open;
    const detail = { procedureId, procedureStep: step, stepType: type, did };
    return { type: "procedure", at: new Date(began).toISOString(), durationMs: Date.now() - began, detail };
  }
}

function eventOf(outcome: ToolOutcome): Event {
  const reason = failureOf(outcome);
  if (reason !== null) return { kind: "failed", reason };
  return outcome.kind === "result" ? { kind: "answered", value: outcome.value } : { kind: "resumed" };
}

/** The messages of the contact since the one that was read last, or since they got a reply. */
function readAfter({ context, run }: ProcedureTask, read: number, turn: boolean) {
  const before = context.messages.filter(({ sequence }) => sequence <= run.sequence);
  const replied = turn
    ? before.findLastIndex(({ direction, authorType }) => direction === "outbound" && authorType !== "system")
    : -1;
  return before.slice(replied + 1).filter(({ sequence, direction }) => direction === "inbound" && sequence > read);
}

/** With which message one begins that begins now. */
const firstRead = (task: ProcedureTask): number => readAfter(task, 0, true)[0]?.sequence ?? task.run.sequence;

/** What they say. */
function textAfter(task: ProcedureTask, read: number, turn = false): string {
  const { context } = task;
  return readAfter(task, read, turn)
    .map((message) => ownWordsOf(context, message).trim())
    .filter(Boolean)
    .join("\n")
    .slice(0, MAX_READ)
    .toWellFormed();
}
/** In characters. */
const MAX_READ = 2_000;
