import { Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Now, TenantId, Time, Uuid } from "../../platform/database/columns.js";

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

/**
 * The tombstone of a contact. Late writes are refused because of it, and leftovers are found by it. It has no foreign
 * key to the contact, so that it also works without one.
 */
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
