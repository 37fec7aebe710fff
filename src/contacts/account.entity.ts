import { Column, Entity, ForeignKey, Index, Unique } from "typeorm";
import { Id, Now, TenantId, Text, Uuid } from "../platform/database/columns.js";

/** A company whose people write or call. The company that serves them is the tenant. */
@Entity("account")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Unique("account_external_id", ["tenantId", "externalId"])
@Index("account_recent", ["tenantId", "createdAt", "id"])
@Index("account_by_name", ["tenantId", "sortName", "id"])
@Index("account_recent_of_industry", ["tenantId", "industry", "createdAt", "id"])
@Index("account_by_name_of_industry", ["tenantId", "industry", "sortName", "id"])
@Index("account_recent_of_plan", ["tenantId", "plan", "createdAt", "id"])
@Index("account_by_name_of_plan", ["tenantId", "plan", "sortName", "id"])
export class AccountEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text({ nullable: true }) externalId: string | null;
  @Text() name: string;
  /** In lower case. */
  @Text({ array: true, default: () => `'{}'` }) domains: string[];
  @Text({ nullable: true }) industry: string | null;
  @Text({ nullable: true }) plan: string | null;
  @Column({ type: "jsonb", default: () => `'{}'` }) attributes: object;
  /** As of a contact. */
  @Text({ collation: "C", default: () => "chr(1114111)" }) sortName: string;
  /**
   * The key or member that created it. A restricted caller can see an account that it created before one of its
   * contacts appears in a workspace.
   */
  @Uuid({ nullable: true }) createdBy: string | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}
