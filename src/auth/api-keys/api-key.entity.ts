import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import type { Scope } from "../../platform/caller/scope.js";
import { Id, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

// The brand and workspace have no foreign key, because a revoked key stays after its brand or workspace is deleted.
@Entity("api_key")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("api_key_recent", ["tenantId", "createdAt"])
@Check("api_key_data_scope", "brand_id is null or workspace_id is null")
@Check("api_key_scopes", "cardinality(scopes) > 0")
export class ApiKeyEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() name: string;
  /** The first characters of the key, so that people recognise it. */
  @Text() prefix: string;
  @Text({ array: true }) scopes: Scope[];
  @Uuid({ nullable: true }) brandId: string | null;
  @Uuid({ nullable: true }) workspaceId: string | null;
  @Time({ nullable: true }) expiresAt: Date | null;
  @Time({ nullable: true }) revokedAt: Date | null;
  @Uuid({ nullable: true }) createdBy: string | null;
  /** The first of the keys that rotations made out of one another. Null for a first one. */
  @Uuid({ nullable: true }) lineageId: string | null;
  @Now() createdAt: Date;
}

/** Finds a key by its SHA-256 before its tenant is known. */
@Entity("api_key_lookup")
@ForeignKey("api_key", ["tenantId", "apiKeyId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("api_key_lookup_key", ["tenantId", "apiKeyId"], { unique: true })
export class ApiKeyLookupEntity {
  @PrimaryColumn({ type: "bytea" }) hash: Buffer;
  @Uuid() tenantId: string;
  @Uuid() apiKeyId: string;
  @Column({ type: "timestamptz", precision: 3, nullable: true }) lastUsedAt: Date | null;
}
