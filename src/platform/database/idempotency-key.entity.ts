import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { Now, TenantId, Text } from "./columns.js";

/**
 * A POST that was carried out under an `Idempotency-Key`, and its answer. It has no foreign key to the tenant: all
 * requests of a tenant would lock that one row.
 */
@Entity("idempotency_key")
@Index("idempotency_key_by_age", ["tenantId", "createdAt"])
export class IdempotencyKeyEntity {
  @TenantId() tenantId: string;
  /** SHA-256 of caller, method, path and key. */
  @PrimaryColumn({ type: "bytea" }) fingerprint: Buffer;
  @Column({ type: "bytea" }) bodyHash: Buffer;
  @Column({ type: "smallint", nullable: true }) status: number | null;
  /** Null where the answer held a secret. */
  @Text({ nullable: true }) response: string | null;
  @Now() createdAt: Date;
}
