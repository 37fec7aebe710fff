import { Check, Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Int, TenantId, Text } from "../../platform/database/columns.js";

export const SOURCE_TYPES = ["contact_attributes", "http"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Where the right answers of a workspace's questions come from. */
@Entity("verification_source")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("verification_source_type", `type in ('contact_attributes', 'http')`)
@Check("verification_source_http", `(type = 'http') = (url is not null) and (type = 'http' or sealed is null)`)
export class VerificationSourceEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  /** It stands in the events' evidence as `tool:<name>`. */
  @PrimaryColumn({ type: "text" }) name: string;
  @Int() position: number;
  @Text() type: SourceType;
  @Column({ type: "jsonb" }) questions: object;
  @Text({ nullable: true }) url: string | null;
  /** The credentials. */
  @Column({ type: "bytea", nullable: true }) sealed: Buffer | null;
}
