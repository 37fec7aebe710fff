import type { SystemCaller } from "../platform/caller/caller.js";
import type { Context } from "./context/context.queries.js";
import type { KbHit, Plan } from "./plan.js";
import type { Begun } from "./runs.queries.js";

/** The message of a contact that the model works on. */
export interface ModelTask {
  caller: SystemCaller;
  run: Begun;
  context: Context;
  question: string;
  language: string;
  /** What the contact asks, searched in the knowledge base. */
  retrieve: () => Promise<KbHit[]>;
  /** What is done without a language model. */
  byDefault: () => Promise<{ plan: Plan; hits: KbHit[]; chosen?: boolean }>;
  /** Those that may begin. */
  procedures: readonly { procedureId: string; name: string }[];
  /** Whether the contact was answered before, so that they may have what they need. */
  answered: boolean;
  /** As `Date.now()`. */
  deadline: number;
}

/** The contact wants what a procedure does. */
export interface Begin {
  action: "begin";
  procedureId: string;
}

/** The language model of the installation, if it has one. */
export abstract class LanguageModel {
  abstract readonly configured: boolean;

  /** @returns what to do, and what was found. All steps are written. It always ends before the deadline, but for a tool's answer. */
  abstract think(task: ModelTask): Promise<{ plan: Plan | Begin; hits: readonly KbHit[] }>;
}
