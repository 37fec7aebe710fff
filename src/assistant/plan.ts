import type { StepType } from "./assistant.entity.js";
import type { Option } from "./context.queries.js";

/** An entry that a search found. */
export interface Found extends Option {
  /** How likely it answers the question, 0 to 1. */
  confidence: number;
}

/** Why a conversation is handed over. */
export type Why = "unsure" | "nothingFound" | "wantsPerson" | "failed";

/** What a run has decided to do. */
export type Plan =
  | { action: "answer"; entry: Found; body: string }
  | { action: "clarify"; entries: readonly [Found, Found]; body: string }
  | { action: "hand_off"; why: Why }
  | { action: "discard"; reason: string };

/** A step as it is stored. `detail` has what the API shows of it besides. */
export interface Step {
  type: StepType;
  at: string;
  durationMs: number;
  detail: object;
}

/** What a run has found out and decided. */
export interface Thought {
  question: string;
  /** The contact's language, as far as it is known; the workspace's otherwise. */
  language: string;
  found: readonly Found[];
  plan: Plan;
  steps: Step[];
}
