import { Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Id, Now, Text } from "../../platform/database/columns.js";

/** How a member wants the dashboard, on both sides. */
@Entity("member_preferences")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
export class MemberPreferencesEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() memberId: string;
  /** `PreferencesDto`. Fields that were added since have their defaults. */
  @Column({ type: "jsonb", default: () => `'{}'` }) value: object;
  /** Markdown below the member's mails. */
  @Text({ nullable: true }) signature: string | null;
  @Now() updatedAt: Date;
}
