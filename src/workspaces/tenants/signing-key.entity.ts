import { Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Now, TenantId, Text } from "../../platform/database/columns.js";

/** The Ed25519 key pair that a side of a tenant signs with. It is made when it is first needed. */
@Entity("signing_key")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("signing_key_of_tenant", ["tenantId"], { unique: true })
export class SigningKeyEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** PEM. */
  @Text() publicKey: string;
  /** The private key (PEM), encrypted with the master key. */
  @Column({ type: "bytea" }) sealed: Buffer;
  @Now() createdAt: Date;
}
