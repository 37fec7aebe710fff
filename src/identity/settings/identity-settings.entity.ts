import { Check, Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Int, TenantId, Text } from "../../platform/database/columns.js";
import type { FactorType } from "../events/identity-event.js";

/** How a workspace proves who is calling. A workspace without a row has the defaults of `PutIdentitySettingsDto`. */
@Entity("identity_settings")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("identity_settings_answers", "required_correct_answers between 1 and 10")
@Check("identity_settings_per_conversation", "max_wrong_per_conversation between 1 and 100")
@Check("identity_settings_per_identity", "max_wrong_per_identity24h between 1 and 100")
@Check("identity_settings_per_caller_id", "max_wrong_per_caller_id24h between 1 and 100")
@Check("identity_settings_magic_link", "magic_link_minutes between 1 and 60")
@Check("identity_settings_cool_off", "address_cool_off_hours between 0 and 8760")
@Check("identity_settings_lifetime", "factor_lifetime_minutes between 1 and 1440")
@Check(
  "identity_settings_factors",
  `cardinality(allowed_factors) > 0 and allowed_factors <@ array['kba_static', 'kba_dynamic', 'otp_email', 'otp_sms', 'magic_link', 'ani_match', 'eid_verified']`,
)
export class IdentitySettingsEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @Int() requiredCorrectAnswers: number;
  @Int() maxWrongPerConversation: number;
  @Int() maxWrongPerIdentity24h: number;
  @Int() maxWrongPerCallerId24h: number;
  @Int() magicLinkMinutes: number;
  @Column({ type: "boolean" }) requireLinkCode: boolean;
  @Int() addressCoolOffHours: number;
  @Int() factorLifetimeMinutes: number;
  @Text({ array: true }) allowedFactors: FactorType[];
  @Text({ nullable: true }) promptVersion: string | null;
}
