import { Check, Column, Entity, Index } from "typeorm";
import type { Caller } from "../platform/caller/caller.js";
import { Id, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";

export const AUDIT_CHANGES = namedEnum("AuditChange", "What happened to a resource.", [
  "created",
  "updated",
  "deleted",
]);
export type AuditChange = (typeof AUDIT_CHANGES)[number];

/** One change, without its content. Only triggers write entries. The rows that an entry names may be gone. */
@Entity("audit_entry")
@Index("audit_entry_of_actor", ["tenantId", "actorId", "id"])
@Index("audit_entry_of_resource", ["tenantId", "resourceId", "id"])
// Most entries are about messages, so a query for them reads the primary key.
@Index("audit_entry_of_type", ["tenantId", "resourceType", "id"], { where: `resource_type <> 'message'` })
@Check("audit_entry_change", isOneOf("change", AUDIT_CHANGES))
export class AuditEntryEntity {
  @TenantId() tenantId: string;
  /** A UUID of version 7. The log is ordered by it. */
  @Id() id: string;
  @Time() at: Date;
  @Text() actorKind: Caller["kind"];
  @Uuid({ nullable: true }) actorId: string | null;
  @Text() action: string;
  @Text() change: AuditChange;
  @Text() resourceType: string;
  @Uuid({ nullable: true }) resourceId: string | null;
  @Uuid({ nullable: true }) workspaceId: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Text({ array: true, default: () => `'{}'` }) fields: string[];
  @Column({ type: "jsonb", nullable: true }) counts: object | null;
}
