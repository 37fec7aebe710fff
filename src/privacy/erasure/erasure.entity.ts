import { Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Now, TenantId, Uuid } from "../../platform/database/columns.js";

/** A completed erasure with its certificate. It holds ids and counts, but no personal data. */
@Entity("erasure_request")
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("erasure_request_of_contact", ["tenantId", "contactId"], { unique: true })
export class ErasureRequestEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** The survivor of the person's contacts. */
  @Uuid() contactId: string;
  /** Null only inside the transaction that erases. */
  @Column({ type: "jsonb", nullable: true }) certificate: object | null;
  @Now() createdAt: Date;
}
