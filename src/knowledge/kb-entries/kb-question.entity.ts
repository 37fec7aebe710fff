import { Column, Entity, ForeignKey, Index } from "typeorm";
import { Text } from "../../platform/database/columns.js";
import { IndexedText, Posting } from "../review/index.entity.js";

@Entity("kb_question")
@ForeignKey("kb_entry", ["tenantId", "entryId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("kb_question_by_embedding", ["tenantId", "workspaceId", "embedded"])
@Index("kb_question_by_model", ["tenantId", "model", "entryId", "n"])
export class KbQuestionEntity extends IndexedText {
  /** The vector that `model` gave: 32-bit floats, little-endian, of length 1. Null if the model gave none. */
  @Column({ type: "bytea", nullable: true }) vector: Buffer | null;
  /** The model that was asked, and its dimensions. Empty if none was asked. */
  @Text({ default: "" }) model: string;
  /** Greater for each vector that is stored, null without one. */
  @Column({ type: "bigint", nullable: true }) embedded: string | null;
}

@Entity("kb_posting")
export class KbPostingEntity extends Posting {}
