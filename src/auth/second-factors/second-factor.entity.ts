import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import type { Environment } from "../../platform/caller/caller.js";
import { Id, Int, Now, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const SECOND_FACTOR_TYPES = namedEnum("SecondFactorType", "A kind of second factor.", ["totp", "passkey"]);
export type SecondFactorType = (typeof SECOND_FACTOR_TYPES)[number];

/** What a member proves a sign-in with, beside the password: an authenticator app or a passkey. */
@Entity("second_factor")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Unique("second_factor_credential", ["organisationId", "credentialId"])
@Index("second_factor_of_member", ["organisationId", "memberId"])
@Index("second_factor_totp", ["organisationId", "memberId"], { unique: true, where: "type = 'totp'" })
@Check("second_factor_type", isOneOf("type", SECOND_FACTOR_TYPES))
@Check("second_factor_totp_secret", "(type = 'totp') = (sealed is not null)")
@Check("second_factor_passkey_key", "type = 'totp' or confirmed_at is null or public_key is not null")
export class SecondFactorEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() id: string;
  @Uuid() memberId: string;
  @Text() type: SecondFactorType;
  @Text() name: string;
  /** The secret of an authenticator app. */
  @Column({ type: "bytea", nullable: true }) sealed: Buffer | null;
  /** The time step of the last code that was accepted. No code is accepted twice. */
  @Int({ nullable: true }) lastStep: number | null;
  /** Wrong codes since `triesSince`. */
  @Int({ default: 0 }) tries: number;
  @Now() triesSince: Date;
  /** What a passkey that is being added has to sign. */
  @Text({ nullable: true }) challenge: string | null;
  /** The passkey's id and public key, in base64url. */
  @Text({ nullable: true }) credentialId: string | null;
  @Text({ nullable: true }) publicKey: string | null;
  @Column({ type: "bigint", default: 0 }) counter: string;
  @Column({ type: "text", array: true, default: [] }) transports: string[];
  /** Null until the member has shown that it works. Until then no sign-in asks for it. */
  @Time({ nullable: true }) confirmedAt: Date | null;
  @Time({ nullable: true }) lastUsedAt: Date | null;
  @Now() createdAt: Date;
}

/** A code for the day when the phone is lost. The code is not stored, only its SHA-256; it has 80 random bits. */
@Entity("recovery_code")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
export class RecoveryCodeEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @PrimaryColumn({ type: "uuid" }) memberId: string;
  @PrimaryColumn({ type: "text" }) hash: string;
  @Time({ nullable: true }) usedAt: Date | null;
  @Now() createdAt: Date;
}

/** A sign-in whose password was right and whose second factor is still to come. */
@Entity("pending_sign_in")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Index("pending_sign_in_of_member", ["organisationId", "memberId"])
@Index("pending_sign_in_by_age", ["organisationId", "expiresAt"])
export class PendingSignInEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() id: string;
  @Uuid() memberId: string;
  @Text() environment: Environment;
  @Text() tokenHash: string;
  /** What a passkey has to sign; null if the member has none. */
  @Text({ nullable: true }) challenge: string | null;
  @Int({ default: 0 }) tries: number;
  @Time() expiresAt: Date;
  @Now() createdAt: Date;
}
