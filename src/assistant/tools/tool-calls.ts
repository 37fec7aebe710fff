import type { SystemCaller } from "../../platform/caller/caller.js";
import type { Spoken } from "../context/spoken.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { ToolEffect } from "./tool.entity.js";

/** A tool as the model is told about it. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: object;
  effect: ToolEffect;
  /** Arguments that the server fills in, whatever the model says. */
  bound?: readonly string[];
  /** Paths of the values in its answer that the contact may read. None by default. */
  publicFields?: readonly string[];
}

/** What came of a call. */
export type ToolOutcome =
  /** What the tool answered: the model is told. */
  | { kind: "result"; value: unknown }
  /** It was not called: the arguments are wrong, or the policies deny it. The model is told once. */
  | { kind: "refused"; reason: string }
  /** It is called later, once a person approved it or the contact has verified who they are. The run ends. */
  | { kind: "waits"; for: "approval" | "verification"; pendingActionId: string | null }
  /** People take over. */
  | { kind: "escalated"; reason: string };

/** What a run wants to call. Whom and what it is about is bound by the server. */
export interface ToolRequest {
  tool: string;
  arguments: unknown;
}

/** A call of this conversation since its last resolution. */
export interface MadeCall extends ToolRequest {
  runId: string;
  outcome: ToolOutcome;
}

/** The run that calls. */
export interface ToolRun {
  id: string;
  conversationId: string;
  agentId: string;
  /** As this process has begun it: if another one has begun it anew, nothing is called any more. */
  attempts?: number;
}

/** A step of the run's activity, as it is stored. */
export interface ToolStep {
  type: "policy" | "tool";
  at: string;
  durationMs: number;
  detail: object;
}

export interface CallAbout {
  /** An argument may come out of a tool's answer. */
  tainted: boolean;
  /** The message, by its sequence number, since which was said what the call rests on. Without it, the last one decides. */
  since?: number | null;
  /** As `Date.now()`. Then the call is given up, and what it did is unknown if it changes something. */
  deadline?: number;
  /** What the contact is told before they are asked for proof of identity, if the call needs it. */
  said?: Spoken | undefined;
  /** Keeps, in the transaction that asks for the proof, that this was told. */
  told?: (tx: Tx) => Promise<void>;
}

/** Decides about the calls that a model asks for, and makes them. */
export abstract class ToolCalls {
  /** The tools that the run's agent lists and that exist. Ask before any text of the contact is read. */
  abstract offered(caller: SystemCaller, run: ToolRun): Promise<OfferedTool[]>;

  /**
   * The calls of the conversation since its last resolution, oldest first: those of a process that died, and those that were
   * approved meanwhile. The model is told about them as if it had just made them.
   */
  abstract made(caller: SystemCaller, run: ToolRun): Promise<MadeCall[]>;

  /**
   * Writes what was decided, and what came of it, as steps of the run's activity, also if the run is over by then.
   */
  abstract call(caller: SystemCaller, run: ToolRun, request: ToolRequest, about: CallAbout): Promise<ToolOutcome>;
}

/** Nobody knows what came of a call. */
export const UNKNOWN = "It is not known whether it was carried out";

/** Why it was not done. Null if it was, or waits. */
export function failureOf(outcome: ToolOutcome): string | null {
  switch (outcome.kind) {
    case "result": {
      const { error } = (outcome.value ?? {}) as { error?: unknown };
      return typeof error === "string" ? error : null;
    }
    case "waits":
      return null;
    default:
      return outcome.reason;
  }
}
