import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import type { DemandedLevel } from "../../conversations/assurance-level.js";
import { Id, Int, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";
import type { Condition } from "../policies/conditions.js";
import type { Effect } from "../policies/policy-entry.entity.js";

export const AGENT_KINDS = namedEnum("AgentKind", "Who defines an agent.", {
  platform: "Parley; it is read-only",
  custom: "you",
});
export type AgentKind = (typeof AGENT_KINDS)[number];
export const AGENT_STATUSES = namedEnum("AgentStatus", "Whether an agent answers.", ["active", "paused"]);
export type AgentStatus = (typeof AGENT_STATUSES)[number];
/** What happens to a sentence of a language model that rests on nothing it was given. */
export const UNSUPPORTED_SENTENCES = namedEnum(
  "UnsupportedSentences",
  "What happens to a sentence of a language model that rests on nothing it was given.",
  { cut: "it is left out", hand_off: "nothing is sent, and people take over" },
);
export type UnsupportedSentences = (typeof UNSUPPORTED_SENTENCES)[number];
export const WORDINGS = namedEnum("Wording", "Whose words a language model answers in.", {
  quotes: "sentences of entries and public fields of tools, letter for letter, and nothing else",
  own: "its own, compared with the sources word by word: some false sentences pass",
});
export type Wording = (typeof WORDINGS)[number];

/** A rule that limits an agent in every workspace. The policies of a workspace apply in addition. */
export interface Guardrail {
  name: string;
  tools: string[];
  effect: Exclude<Effect, "allow">;
  conditions: Condition | null;
  requiredAssuranceLevel: DemandedLevel | null;
}

/** The definition of an assistant. */
@Entity("agent")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("agent_of_platform", ["tenantId", "role"], { unique: true, where: `kind = 'platform'` })
@Check("agent_kind", isOneOf("kind", AGENT_KINDS))
@Check("agent_status", isOneOf("status", AGENT_STATUSES))
@Check("agent_unsupported_sentences", isOneOf("unsupported_sentences", UNSUPPORTED_SENTENCES))
@Check("agent_wording", isOneOf("wording", WORDINGS))
export class AgentEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() kind: AgentKind;
  @Text() name: string;
  @Text() role: string;
  @Text({ default: "active" }) status: AgentStatus;
  /** Same as in the newest version of the instructions. */
  @Text() instructions: string;
  @Int({ default: 1 }) instructionsVersion: number;
  @Text({ array: true, default: () => `'{}'` }) tools: string[];
  @Column({ type: "jsonb", default: () => `'[]'` }) guardrails: Guardrail[];
  @Text({ default: "cut" }) unsupportedSentences: UnsupportedSentences;
  @Text({ default: "quotes" }) wording: Wording;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** The workspaces of a custom agent. A platform agent works in all workspaces and has no rows here. */
@Entity("agent_workspace")
@ForeignKey("agent", ["tenantId", "agentId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("agent_workspace_by_workspace", ["tenantId", "workspaceId"])
export class AgentWorkspaceEntity {
  @TenantId() tenantId: string;
  @Id() agentId: string;
  @Id() workspaceId: string;
}

/** One version of an agent's instructions. */
@Entity("agent_instructions")
@ForeignKey("agent", ["tenantId", "agentId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class AgentInstructionsEntity {
  @TenantId() tenantId: string;
  @Id() agentId: string;
  @PrimaryColumn({ type: "integer" }) version: number;
  @Text() instructions: string;
  @Uuid({ nullable: true }) changedBy: string | null;
  @Text({ nullable: true }) reason: string | null;
  @Now() createdAt: Date;
}
