import { Check, Column, Entity, ForeignKey, Index, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const SUGGESTION_OUTCOMES = namedEnum("SuggestionOutcome", "What a person made of a suggestion.", {
  used: "the reply has its answer as it stands",
  edited: "the reply is based on it, in other words",
  ignored: "it does not fit",
});
export type SuggestionOutcome = (typeof SUGGESTION_OUTCOMES)[number];

export const SUGGESTION_WARNINGS = namedEnum("SuggestionWarning", "Why an entry may not answer what was written.", {
  opposite: "the contact may mean the opposite",
  complaint: "the contact complains about it",
});

/** An entry that was suggested for what a contact wrote. Made when the suggestions are read for the first time. */
@Entity("suggestion")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("kb_entry", ["tenantId", "kbEntryId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("suggestion_of_message", ["tenantId", "conversationId", "sequence", "kbEntryId"])
@Index("suggestion_of_entry", ["tenantId", "kbEntryId"])
@Index("suggestion_by_age", ["tenantId", "createdAt"])
@Check("suggestion_outcome", isOneOf("outcome", SUGGESTION_OUTCOMES))
@Check("suggestion_warning", isOneOf("warning", SUGGESTION_WARNINGS))
@Check("suggestion_ended", "(outcome is null) = (ended_at is null)")
export class SuggestionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  /** Of the contact's last message, which the suggestion is for. */
  @Int() sequence: number;
  @Uuid() kbEntryId: string;
  /** The version of the entry that was suggested. */
  @Int() version: number;
  /** As the search has it. With a warning it puts the suggestions in order, and says nothing more. */
  @Column({ type: "double precision" }) confidence: number;
  @Text({ nullable: true }) warning: (typeof SUGGESTION_WARNINGS)[number] | null;
  /** Null until somebody did something with it. */
  @Text({ nullable: true }) outcome: SuggestionOutcome | null;
  @Time({ nullable: true }) endedAt: Date | null;
  @Now() createdAt: Date;
}
