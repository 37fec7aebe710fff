import { ApiProperty } from "@nestjs/swagger";
import { RUN_OUTCOMES, type RunOutcome, STEP_TYPES, type StepType } from "../assistant.entity.js";

export class FoundEntryDto {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** The entry's question, as it was then. */
  question: string;
  /** How likely the entry answers the contact's question, 0 to 1. */
  confidence: number;
}

/** What can be decided about a call. */
const VERDICTS = ["allow", "deny", "escalate", "verify", "require_approval"] as const;

export class AgentStepDto {
  /** What it did: `retrieve` looked for entries, `send` wrote to the contact. */
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
  /** For `retrieve`: what follows from it. Null otherwise. */
  @ApiProperty({ enum: ["answer", "clarify", "hand_off"], nullable: true })
  decision: "answer" | "clarify" | "hand_off" | null;
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
  /** For `send`: the message. Null otherwise. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  messageId: string | null;
}

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
  /** When it ended. Null until then. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  endedAt: string | null;
  /**
   * How it ended. `clarified`: with a question back. `handed_off`: people handle the conversation. `failed`: the same, because
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
