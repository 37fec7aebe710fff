import { Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import type { CaseStatus } from "./case.entity.js";

/**
 * What a case is found by. A trigger writes it, and only `search_cases` reads it, as the schema's owner (like the search
 * of conversations). The application's role has no rights on it.
 */
@Entity("case_entry")
@ForeignKey("support_case", ["tenantId", "id"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("case_entry_words", { synchronize: false })
@Index("case_entry_recent", ["tenantId", "at"])
export class CaseEntryEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Time() at: Date;
  @Text() status: CaseStatus;
  @Uuid({ nullable: true }) assigneeId: string | null;
  @Uuid({ nullable: true }) contactId: string | null;
  /**
   * The number with a `#`, and each word of the title and the fields once, in lower case and without accents, separated
   * by spaces. The index is on the result of `search_case_tokens`.
   */
  @Text() words: string;
}
