import { Check, Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Int, TenantId, Text } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const SOURCE_TYPES = namedEnum("VerificationSourceType", "Where the answers to questions come from.", {
  contact_attributes: "the contact's attributes",
  http: "a system of yours that Parley asks",
});
export type SourceType = (typeof SOURCE_TYPES)[number];

export interface StoredQuestion {
  key: string;
  prompt: string;
  /** Of a source of type `contact_attributes`. */
  attribute: string | null;
  /** Of a source of type `http`. */
  path: string | null;
}

/** Where the right answers to a workspace's questions come from. */
@Entity("verification_source")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("verification_source_type", isOneOf("type", SOURCE_TYPES))
@Check("verification_source_http", `(type = 'http') = (url is not null) and (type = 'http' or sealed is null)`)
export class VerificationSourceEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  /** Identity events name it in `evidenceRef` as `tool:<name>`. */
  @PrimaryColumn({ type: "text" }) name: string;
  @Int() position: number;
  @Text() type: SourceType;
  @Column({ type: "jsonb" }) questions: StoredQuestion[];
  @Text({ nullable: true }) url: string | null;
  /** `SourceCredentialsDto`, encrypted. */
  @Column({ type: "bytea", nullable: true }) sealed: Buffer | null;
}
