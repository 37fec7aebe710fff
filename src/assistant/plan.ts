import type { BodyFormat } from "../conversations/conversation.entity.js";
import type { CitationDto } from "../conversations/messages.dto.js";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { Hit } from "../knowledge/review/search.queries.js";
import type { StepType, WaitsFor } from "./assistant.entity.js";
import type { Option } from "./context/context.queries.js";
import type { Why } from "./context/why.js";
import type { SaveArgs } from "./procedures/procedure-runs.queries.js";
import type { Spoken } from "./context/spoken.js";

/** An entry of a search, with how likely it answers the question. */
export type KbHit = Hit<KbEntryDto>;

/** The same as it is recorded. */
export interface Found extends Option {
  language: string;
  /** How likely it answers the question, 0 to 1. */
  confidence: number;
}

/** What a step of type `retrieve` records: all that its decision rests on, but the thresholds. */
export interface Retrieved {
  question: string;
  language: string;
  /** Whether the contact had been asked back before, and may not be asked again. */
  clarified: boolean;
  /** Whether the contact chose the entry when they were asked back: then it answers, with any confidence. */
  chosen?: boolean;
  entries: Found[];
}

/** What a run has decided to do. */
export type Plan =
  /** In Markdown, as entries are. `cutSentences`: how many the language model wrote besides, that rest on nothing retrieved. */
  | { action: "answer"; body: string; citations: CitationDto[]; confidence: number; cutSentences?: number }
  /** Small talk: a greeting, what it is, "you are welcome". It is a reply: what is snoozed stays so. */
  | { action: "converse"; body: string }
  /** `options`: the entries that the contact is asked about, one or two. `choices`: answers that the contact can choose from. */
  | { action: "clarify"; body: string; options: Option[]; choices?: readonly string[] }
  /** A step of a procedure says or asks something. `entryIds`: the entries among it. */
  | ({ action: "proceed"; asks: boolean; entryIds: readonly string[]; choices: readonly string[] } & Spoken)
  /** `reason`: what is recorded besides, for people to read. `said`: what the contact is told before that. */
  | { action: "hand_off"; why: Why; reason?: string; said?: Spoken }
  /** The contact has what they need. */
  | { action: "resolve" }
  /** The run goes on once that has come. `said`: what the contact is told before they are asked to wait. */
  | { action: "wait"; for: WaitsFor; said?: Spoken }
  | { action: "discard"; reason: string };

/** What the contact reads of it. */
export type Saying = Extract<Plan, { action: "answer" | "proceed" | "clarify" | "converse" }>;
export function formatOf(plan: Saying): BodyFormat {
  if (plan.action === "answer") return "markdown";
  return plan.action === "proceed" ? plan.bodyFormat : "text";
}

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
  /** Those that are not written yet. */
  steps: Step[];
  /** How far a procedure is, once the plan is carried out. */
  procedure?: SaveArgs;
}

export const foundOf = ({ entry: { id, question, language }, confidence }: KbHit): Found => ({
  kbEntryId: id,
  question,
  language,
  confidence,
});
