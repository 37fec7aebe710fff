import { Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Id, Now } from "../../platform/database/columns.js";

/** How a member wants the dashboard, on both sides. */
@Entity("member_preferences")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
export class MemberPreferencesEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() memberId: string;
  /** `PreferencesDto`. Fields that were added since have their defaults. */
  @Column({ type: "jsonb" }) value: object;
  @Now() updatedAt: Date;
}
