import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { DEMANDED_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { Id, Int, TenantId, Text } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";
import { IndexedText, Posting } from "../review/index.entity.js";
import {
  CONFIDENCE_CHECK,
  ReviewedEntry,
  ReviewedEntryVersion,
  SOURCE_CHECK,
  STATUS_CHECK,
} from "../review/reviewed-entry.entity.js";
import type { Condition } from "./conditions.js";

/** Mildest first. */
export const EFFECTS = namedEnum("PolicyDecision", "What the policies decide.", [
  "allow",
  "require_approval",
  "escalate",
  "deny",
]);
export type Effect = (typeof EFFECTS)[number];

@Entity("policy_entry")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("policy_entry", ["tenantId", "duplicateOfId"], ["tenantId", "id"])
@Index("policy_entry_of_workspace", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("policy_entry_by_status", ["tenantId", "workspaceId", "status", "createdAt", "id"])
@Index("policy_entry_duplicates", ["tenantId", "duplicateOfId"], { where: "duplicate_of_id is not null" })
@Index("policy_entry_learned", ["tenantId", "workspaceId", "learnedFrom"], {
  unique: true,
  where: "learned_from is not null",
})
@Check("policy_entry_status", STATUS_CHECK)
@Check("policy_entry_source", SOURCE_CHECK)
@Check("policy_entry_confidence", CONFIDENCE_CHECK)
@Check("policy_entry_effect", isOneOf("effect", EFFECTS))
@Check("policy_entry_level", isOneOf("required_assurance_level", DEMANDED_LEVELS))
@Check("policy_entry_priority", "priority between 0 and 1000")
export class PolicyEntryEntity extends ReviewedEntry {
  @Text() title: string;
  @Text() rule: string;
  @Text({ nullable: true }) category: string | null;
  @Text() effect: Effect;
  /** An empty list means all tools. */
  @Text({ array: true, default: () => `'{}'` }) tools: string[];
  @Column({ type: "jsonb", nullable: true }) conditions: Condition | null;
  @Text({ nullable: true }) requiredAssuranceLevel: DemandedLevel | null;
  @Int({ default: 100 }) priority: number;
  /** The tool and the argument that decisions of people proposed it for. Nothing is proposed about them again. */
  @Text({ nullable: true }) learnedFrom: string | null;
}

@Entity("policy_entry_version")
@ForeignKey("policy_entry", ["tenantId", "entryId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class PolicyEntryVersionEntity extends ReviewedEntryVersion {}

/** A title, or a line of a rule. */
@Entity("policy_text")
@ForeignKey("policy_entry", ["tenantId", "entryId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class PolicyTextEntity extends IndexedText {}

@Entity("policy_posting")
export class PolicyPostingEntity extends Posting {}

/** The tools that an approved rule is about. `*` means all tools. Written by triggers on `policy_entry`. */
@Entity("policy_tool")
@ForeignKey("policy_entry", ["tenantId", "entryId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("policy_tool_of_entry", ["tenantId", "entryId"])
export class PolicyToolEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "text" }) tool: string;
  @Id() entryId: string;
}
