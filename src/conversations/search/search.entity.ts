import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

// Triggers write both tables, and only `search_conversations` reads them, as the schema's owner. Under row-level
// security, PostgreSQL could not use the index for the text search operators. The application's role has no rights on
// them.

/** The words of a message, or of a conversation's subject and contact (then `id` is the conversation's). */
@Entity("search_entry")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("search_entry_words", { synchronize: false })
export class SearchEntryEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  @Uuid() workspaceId: string;
  @Time() at: Date;
  /**
   * Each word once, in lower case and without accents, separated by spaces. Words of a contact start with @. The
   * index is on the result of `search_tokens`.
   */
  @Text() words: string;
}

/**
 * A word of the tenant with its variants with one letter left out, for typos. It is removed with the text that it was
 * first seen in.
 */
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
