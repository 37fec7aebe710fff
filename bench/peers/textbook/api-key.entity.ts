import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from "typeorm";

@Entity("api_key")
export class ApiKey {
  @PrimaryColumn({ name: "tenant_id", type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  @Column({ type: "text", array: true }) scopes: string[];
  @Column({ name: "brand_id", type: "uuid", nullable: true }) brandId: string | null;
  @Column({ name: "workspace_id", type: "uuid", nullable: true }) workspaceId: string | null;
  @Column({ name: "expires_at", type: "timestamptz", nullable: true }) expiresAt: Date | null;
  @Column({ name: "revoked_at", type: "timestamptz", nullable: true }) revokedAt: Date | null;
}

@Entity("api_key_lookup")
export class ApiKeyLookup {
  @PrimaryColumn({ type: "bytea" }) hash: Buffer;
  @Column({ name: "tenant_id", type: "uuid" }) tenantId: string;
  @Column({ name: "api_key_id", type: "uuid" }) apiKeyId: string;

  @ManyToOne(() => ApiKey)
  @JoinColumn([
    { name: "tenant_id", referencedColumnName: "tenantId" },
    { name: "api_key_id", referencedColumnName: "id" },
  ])
  apiKey: ApiKey;
}
