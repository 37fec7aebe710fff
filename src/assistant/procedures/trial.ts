import { setImmediate } from "node:timers/promises";
import type { Asked } from "./digressions.js";
import type { Step } from "./definition.js";
import { Effort } from "./effort.js";
import { advance, type Digression, type Event, type Turn } from "./engine.js";
import type { Facts } from "./known.js";
import type { ProcedureCallDto, ProcedureStepDidDto, TriedProcedureDto, TryProcedureDto } from "./procedures.dto.js";
import { begun, type State } from "./state.js";
import { failureOf } from "../tools/tool-calls.js";

interface Tried {
  workspaceId: string;
  primaryLanguage: string;
  steps: Step[];
  today: string;
  tools: { name: string; changes: boolean; publicFields: string[] }[];
  entries: Record<string, string>;
}
type Answer = (about: Asked) => Promise<Digression | undefined>;

/** Plays what a contact writes against a procedure. The tools answer what the body says. */
export async function tried(
  { workspaceId, primaryLanguage, steps, today, tools, entries }: Tried,
  { messages, results = {}, level = "none", language }: TryProcedureDto,
  answer: Answer,
): Promise<TriedProcedureDto> {
  const languages = [language ?? primaryLanguage, primaryLanguage] as const;
  const facts: Facts = {
    level,
    languages,
    today,
    entries,
    tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])),
  };
  const played = new Played(steps, facts, results);
  for (const [n, message] of messages.entries()) {
    // Others have their turn between two messages.
    await setImmediate();
    if (played.then?.kind === "end" || played.then?.kind === "hand_over") break;
    const turn = played.read(n === 0 ? { kind: "began", text: message } : { kind: "wrote", text: message }, message);
    if (turn.then.kind !== "unclear") continue;
    const found = await answer({ workspaceId, text: message, languages });
    played.read({ kind: "digressed", text: message, ...(found && { found }) }, message);
  }
  return played.outcome();
}

/** Of all messages. */
const MAX_EFFORT = 4_000_000;

class Played {
  private readonly turns: TriedProcedureDto["turns"] = [];
  private readonly effort = new Effort(MAX_EFFORT);
  private state: State;
  then: Turn["then"] | undefined;

  constructor(
    private readonly steps: readonly Step[],
    private readonly facts: Facts,
    private readonly results: Record<string, unknown>,
  ) {
    this.state = begun(steps[0]!.id);
  }

  /** Until the contact has to write again. */
  read(event: Event, message: string): Turn {
    const said: string[] = [];
    const did: ProcedureStepDidDto[] = [];
    const calls: ProcedureCallDto[] = [];
    for (let next = event; ;) {
      const turn = advance(this.steps, this.state, next, this.facts, this.effort);
      if (turn.then.kind === "unclear") return turn;
      this.state = turn.state;
      this.then = turn.then;
      said.push(...turn.said);
      did.push(...turn.did);
      if (turn.then.kind !== "call") {
        this.turns.push({ message, says: said.join("\n\n") || null, did, calls });
        return turn;
      }
      const { kind: _, ...call } = turn.then;
      calls.push(call);
      next = this.answerOf(call.step);
    }
  }

  private answerOf(step: string): Event {
    const given = Object.hasOwn(this.results, step) ? this.results[step] : null;
    const isRepeated = this.steps.some(({ id, ...rest }) => id === step && "each" in rest && rest.each !== undefined);
    const before = this.state.results[step];
    const value: unknown =
      isRepeated && Array.isArray(given) ? given[Array.isArray(before) ? before.length : 0] : given;
    const reason = failureOf({ kind: "result", value });
    return reason === null ? { kind: "answered", value } : { kind: "failed", reason };
  }

  outcome(): TriedProcedureDto {
    const { then, state } = this;
    const values = Object.entries(state.slots).map(
      ([id, filled]) => [id, [filled].flat().map(({ value }) => value)] as const,
    );
    return {
      turns: this.turns,
      values: Object.fromEntries(values.map(([id, all]) => [id, Array.isArray(state.slots[id]) ? all : all[0]])),
      ending: then?.kind === "end" ? then.ending : then?.kind === "hand_over" ? "handed_over" : null,
      waitsAt: then?.kind === "ask" || then?.kind === "verify" ? state.at : null,
      reason: then?.kind === "hand_over" ? then.reason : null,
    };
  }
}
