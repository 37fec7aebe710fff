import { Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Time, Uuid } from "../platform/database/columns.js";

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
