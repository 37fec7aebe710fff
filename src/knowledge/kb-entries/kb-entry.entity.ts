import { Check, Column, Entity, ForeignKey, Index } from "typeorm";
import { Text } from "../../platform/database/columns.js";
import {
  CONFIDENCE_CHECK,
  ReviewedEntry,
  ReviewedEntryVersion,
  SOURCE_CHECK,
  STATUS_CHECK,
} from "../review/reviewed-entry.entity.js";

/** A place in a source. `url`: null for a file. */
export interface ReadFrom {
  sourceId: string;
  url: string | null;
  section: string;
  readAt: string;
}

@Entity("kb_entry")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"])
@ForeignKey("kb_entry", ["tenantId", "duplicateOfId"], ["tenantId", "id"])
@Index("kb_entry_of_workspace", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("kb_entry_by_status", ["tenantId", "workspaceId", "status", "createdAt", "id"])
@Index("kb_entry_duplicates", ["tenantId", "duplicateOfId"], { where: "duplicate_of_id is not null" })
@Check("kb_entry_status", STATUS_CHECK)
@Check("kb_entry_source", SOURCE_CHECK)
@Check("kb_entry_confidence", CONFIDENCE_CHECK)
export class KbEntryEntity extends ReviewedEntry {
  @Text() question: string;
  @Text() answer: string;
  @Text({ array: true, default: () => `'{}'` }) alternateQuestions: string[];
  @Text() language: string;
  @Text({ array: true, default: () => `'{}'` }) labels: string[];
  /** Approving it archives the entry `duplicateOfId`. */
  @Column({ type: "boolean", default: false }) replacesDuplicate: boolean;
  /** Where a source read it. Null if none did. */
  @Column({ type: "jsonb", nullable: true }) readFrom: ReadFrom | null;
}

@Entity("kb_entry_version")
@ForeignKey("kb_entry", ["tenantId", "entryId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class KbEntryVersionEntity extends ReviewedEntryVersion {}
