import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { DECISIONS } from "../context/decision.js";
import { type Action, ACTIONS } from "../model/reply.js";
import { DEEDS } from "../procedures/engine.js";
import { VERDICTS } from "../tools/tool-gate.js";
import {
  RUN_OUTCOMES,
  type RunOutcome,
  STEP_TYPES,
  type StepType,
  WAITS_FOR,
  type WaitsFor,
} from "../assistant.entity.js";

@ApiSchema({ description: "An entry that the assistant found, with how likely it answers." })
export class FoundEntryDto {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** The entry's question, as it was then. */
  question: string;
  /** The entry's language, ISO 639-1. */
  language: string;
  /** How likely the entry answers the contact's question, 0 to 1. */
  confidence: number;
}

@ApiSchema({ description: "One thing that the assistant did in a run." })
export class AgentStepDto {
  /** What it did: `retrieve` looked for entries, `model` asked the language model, `send` wrote to the contact. */
  @ApiProperty({ enum: STEP_TYPES })
  type: StepType;
  /** When it began. */
  @ApiProperty({ format: "date-time" })
  at: string;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** For `retrieve`: what was looked for. Null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  question: string | null;
  /** For `retrieve`: what was found, best first. Null otherwise. */
  @ApiProperty({ type: [FoundEntryDto], nullable: true })
  entries: FoundEntryDto[] | null;
  /** For `retrieve` without a language model: what follows from it. Null otherwise. */
  @ApiProperty({ enum: DECISIONS, nullable: true })
  decision: (typeof DECISIONS)[number] | null;
  /** For `policy` and `tool`: the tool. Null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  tool: string | null;
  /** For `policy` and `tool`: what the tool gets. Null otherwise. */
  @ApiProperty({ type: "object", additionalProperties: true, nullable: true })
  arguments: object | null;
  /** For `policy`: what was decided. `verify`: the contact has to prove who they are first. Null otherwise. */
  @ApiProperty({ enum: VERDICTS, nullable: true })
  effect: (typeof VERDICTS)[number] | null;
  /** For `policy`: why, in a sentence. Null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  /** For `tool`: why it was not done. Null if it was, and otherwise. */
  @ApiProperty({ type: String, nullable: true })
  failure: string | null;
  /** For `model`: the model that answered. Null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  model: string | null;
  /** For `model`: how many tokens it read. Null otherwise. */
  @ApiProperty({ type: Number, nullable: true })
  inputTokens: number | null;
  /** For `model`: how many tokens it wrote. Null otherwise. */
  @ApiProperty({ type: Number, nullable: true })
  outputTokens: number | null;
  /** For `model`: what it wants to do. What it may do is decided afterwards. Null if it did not answer, and otherwise. */
  @ApiProperty({ enum: ACTIONS, nullable: true })
  action: Action | null;
  /** For `model`: why its answer cannot be used. Null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
  /** For `procedure`: the procedure. Null otherwise. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  procedureId: string | null;
  /** For `procedure`: the step of it, by its id. Null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  procedureStep: string | null;
  /** For `procedure`: what happened at the step. Null otherwise. */
  @ApiProperty({ enum: DEEDS, nullable: true })
  did: (typeof DEEDS)[number] | null;
  /** For `send`: how many sentences of the language model were cut, because they rest on nothing that was retrieved. Null if none. */
  @ApiProperty({ type: Number, nullable: true })
  cutSentences: number | null;
  /** For `send`: the message. Null otherwise. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  messageId: string | null;
}

@ApiSchema({ description: "What the assistant did about one message of a contact." })
export class AgentRunDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The contact's message that it is about. */
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** The agent that answers. */
  @ApiProperty({ format: "uuid" })
  agentId: string;
  /** The version of the agent's instructions. */
  instructionsVersion: number;
  /** When it began. Null if it waits, or if a newer message came first. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  startedAt: string | null;
  /** What it waits for before it goes on: a person's decision about an action, or proof of who the contact is. Null if for nothing. */
  @ApiProperty({ enum: WAITS_FOR, nullable: true })
  waitsFor: WaitsFor | null;
  /** When it ended. Null until then. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  endedAt: string | null;
  /**
   * How it ended. `clarified`: with a question back. `small_talk`: with a greeting, what it is, or "you are welcome". `handed_off`: people handle the conversation. `failed`: the same, because
   * something went wrong. `superseded`: a newer message came before it began. `discarded`: nothing was to be said any more.
   * Null until then.
   */
  @ApiProperty({ enum: RUN_OUTCOMES, nullable: true })
  outcome: RunOutcome | null;
  /** Why it ended so, for people to read. Null if the outcome says it all. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  /** What it did, in this order. */
  @ApiProperty({ type: [AgentStepDto] })
  steps: AgentStepDto[];
}
