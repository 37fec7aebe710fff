import { Check, Column, Entity, PrimaryColumn, Unique } from "typeorm";
import { type Environment, ENVIRONMENTS } from "../../platform/caller/caller.js";
import { Now, Text, Uuid } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";

/** One side, live or test, of a tenant. Every other row names the side that it belongs to as its `tenant_id`. */
@Entity("tenant")
@Check("tenant_environment", isOneOf("environment", ENVIRONMENTS))
@Check("tenant_sign_in_valid_minutes", "sign_in_valid_minutes between 5 and 1440")
@Unique("tenant_sides", ["organisationId", "environment"])
@Unique("tenant_organisation", ["id", "organisationId"])
export class TenantEntity {
  @PrimaryColumn({ type: "uuid" }) id: string;
  /** The id of the live side, on both sides. Members belong to it. */
  @Uuid() organisationId: string;
  @Text() environment: Environment;
  @Text() name: string;
  /** The organisation's id at the authentication provider. Set only on the live side. */
  @Text({ nullable: true, unique: true }) externalId: string | null;
  /** Whether this side may use outgoing webhooks while they are a preview. */
  @Column({ type: "boolean", default: false }) webhooksPreview: boolean;
  /** For how long a sign-in is enough for keys, members, exports and erasures. Both sides have the same value. */
  @Column({ type: "smallint", default: 15 }) signInValidMinutes: number;
  /** Whether members must have a second factor. Both sides have the same value. */
  @Column({ type: "boolean", default: false }) requireSecondFactor: boolean;
  @Now() createdAt: Date;
}
