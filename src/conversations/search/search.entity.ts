import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

// Both are written by triggers and read by `search_conversations` alone, as the schema's owner: under row-level security
// PostgreSQL would not let the operators of words into an index. The application's role has no right on them.

/** The words of a message, or (`id` is the conversation's own) of a conversation's subject and contact. */
@Entity("search_entry")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("search_entry_words", { synchronize: false })
export class SearchEntryEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  @Uuid() workspaceId: string;
  @Time() at: Date;
  /** Each once, folded, with spaces between; those of a contact behind an @. The index is on what `search_tokens` makes of them. */
  @Text() words: string;
}

/** A word of the tenant's and its slips: what it looks like with a letter left out. It goes with the text that it was first seen in. */
@Entity("search_word")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("search_word_of_conversation", ["tenantId", "conversationId"])
@Index("search_word_slips", ["slips"], { type: "gin" })
export class SearchWordEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "text", collation: "C" }) word: string;
  @Uuid() conversationId: string;
  @Uuid() entryId: string;
  @Column({ type: "bigint", array: true }) slips: string[];
}
