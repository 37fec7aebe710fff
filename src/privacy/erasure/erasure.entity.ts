import { Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Now, TenantId, Time, Uuid } from "../../platform/database/columns.js";

/** An erasure that was carried out, with its certificate. It names ids and counts, nothing of the person. */
@Entity("erasure_request")
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("erasure_request_of_contact", ["tenantId", "contactId"], { unique: true })
export class ErasureRequestEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** The one that the person's other contacts were merged into. */
  @Uuid() contactId: string;
  /** Null only within the transaction that erases. */
  @Column({ type: "jsonb", nullable: true }) certificate: object | null;
  @Now() createdAt: Date;
}

/** The tombstone of a contact, by which late writers are refused and leftovers found. It does not point at the contact: it holds without one. */
@Entity("erased_contact")
@ForeignKey("erasure_request", ["tenantId", "erasureId"], ["tenantId", "id"])
@Index("erased_contact_by_erasure", ["tenantId", "erasureId"])
export class ErasedContactEntity {
  @TenantId() tenantId: string;
  /** The contact's. */
  @Id() id: string;
  @Uuid() erasureId: string;
  @Time({ default: () => "now()" }) erasedAt: Date;
}
