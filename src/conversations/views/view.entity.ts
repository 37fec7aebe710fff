import { Check, Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Int, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";
import { type Sort, SORTS } from "../conversations.dto.js";

/** A filter of the conversation list with a name: one member's own, or shared with everybody. */
@Entity("saved_view")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("saved_view_of_member", ["tenantId", "memberId"])
@Index("saved_view_shared", ["tenantId"], { where: "shared" })
@Check("saved_view_sort", isOneOf("sort", SORTS))
export class SavedViewEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** Whose it is. Of a shared one: who shared it. */
  @Uuid() memberId: string;
  @Column({ type: "boolean" }) shared: boolean;
  @Text() name: string;
  /** `ViewFilterDto`. */
  @Column({ type: "jsonb" }) filter: object;
  @Text() sort: Sort;
  @Int() position: number;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}
