import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import type { Environment } from "../../platform/caller/caller.js";
import { type Role, ROLES } from "../../platform/caller/scope.js";
import { Id, Int, Now, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const PRESENCES = namedEnum("Presence", "Whether a member is at their desk.", ["online", "away", "offline"]);
export type Presence = (typeof PRESENCES)[number];

/** A person of the tenant who signs in. Members are shared by the two sides, so they belong to the organisation. */
@Entity("member")
@ForeignKey("tenant", ["organisationId"], ["id"])
@Check("member_role", isOneOf("role", ROLES))
@Check("member_presence", isOneOf("presence", PRESENCES))
export class MemberEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() id: string;
  @Text() email: string;
  @Text() name: string;
  @Text() role: Role;
  /** argon2id. Null while the member is invited, or if an external issuer signs the member in. */
  @Text({ nullable: true }) passwordHash: string | null;
  @Text({ nullable: true }) invitationHash: string | null;
  @Time({ nullable: true }) invitationExpiresAt: Date | null;
  /**
   * Whether the invitation was mailed, so that accepting it proves the email. Admins can read the captured mail of the test
   * side.
   */
  @Column({ type: "boolean", default: false }) invitationMailed: boolean;
  /** What the member set last. What is shown is in members.queries.ts. */
  @Text({ default: "offline" }) presence: Presence;
  @Time({ nullable: true }) lastSeenAt: Date | null;
  /** Set while the member is deactivated and cannot sign in. */
  @Time({ nullable: true }) deactivatedAt: Date | null;
  @Time({ nullable: true }) removedAt: Date | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/**
 * Finds a member by email before the tenant is known. A proven email belongs to one member of one tenant. An email that nobody
 * has proven may be a member's in several tenants.
 */
@Entity("member_email")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Index("member_email_of_tenant", ["organisationId", "email"], { unique: true })
@Index("member_email_proven", ["email"], { unique: true, where: "proven_at is not null" })
@Index("member_email_known", ["email"])
export class MemberEmailEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @PrimaryColumn({ type: "uuid" }) memberId: string;
  @Text() email: string;
  /** When the member followed a link that was mailed to the address. */
  @Time({ nullable: true }) provenAt: Date | null;
  @Now() createdAt: Date;
}

/** The account of a member at an external issuer. Once it is bound, the email of the issuer's tokens does not matter. */
@Entity("member_identity")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Index("member_identity_of_member", ["organisationId", "memberId", "issuer"], { unique: true })
export class MemberIdentityEntity {
  @PrimaryColumn({ type: "text" }) issuer: string;
  @PrimaryColumn({ type: "text" }) subject: string;
  @Uuid() organisationId: string;
  @Uuid() memberId: string;
  @Now() createdAt: Date;
}

export type LinkPurpose = "email_proof" | "password_reset";

/** A link that was mailed to a member. It works once, and until a newer one for the same purpose is mailed. */
@Entity("member_link")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Index("member_link_of_member", ["organisationId", "memberId", "createdAt"])
@Index("member_link_by_age", ["organisationId", "expiresAt"])
@Check("member_link_purpose", `purpose in ('email_proof', 'password_reset')`)
export class MemberLinkEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() id: string;
  @Uuid() memberId: string;
  @Text() purpose: LinkPurpose;
  /** SHA-256 of the token. */
  @Text() hash: string;
  @Time() expiresAt: Date;
  /** When it was used or replaced. */
  @Time({ nullable: true }) endedAt: Date | null;
  @Now() createdAt: Date;
}

/** A workspace of one side that an agent or observer is assigned to. */
@Entity("member_workspace")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@ForeignKey("tenant", ["tenantId", "organisationId"], ["id", "organisationId"])
@Index("member_workspace_of_member", ["organisationId", "memberId"])
@Index("member_workspace_of_workspace", ["tenantId", "workspaceId"])
export class MemberWorkspaceEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) memberId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @Uuid() organisationId: string;
}

/** A sign-in. Its refresh token changes with each use. Using one that was replaced earlier ends the session. */
@Entity("member_session")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Index("member_session_of_member", ["organisationId", "memberId"])
@Index("member_session_by_age", ["organisationId", "expiresAt"])
export class MemberSessionEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() id: string;
  @Uuid() memberId: string;
  @Text() environment: Environment;
  /** The number of the newest refresh token. */
  @Int({ default: 1 }) refreshNumber: number;
  /** The newest refresh token whose access token was used. Until it is, the client may not have received it. */
  @Int({ default: 0 }) usedNumber: number;
  /** When the refresh token was last changed. */
  @Now() rotatedAt: Date;
  /** When the member last proved who they are: by signing in, or again before something sensitive. */
  @Now() authenticatedAt: Date;
  /** Whether the external provider vouched for the member. Then it also asks for a second factor. */
  @Column({ type: "boolean", default: false }) external: boolean;
  /** The browser and the system, or the program, that used the session last. */
  @Text() device: string;
  @Text() address: string;
  /** Where the member signed in from: the /24 of an IPv4 address, the /64 of an IPv6 address. */
  @Text() network: string;
  /** To about a minute. */
  @Now() lastUsedAt: Date;
  @Time() expiresAt: Date;
  @Time({ nullable: true }) endedAt: Date | null;
  @Now() createdAt: Date;
}

/**
 * The members of all tenants who were removed or deactivated and may still be assigned to conversations on this side. Jobs
 * claim them, so it holds only ids and times.
 */
@Entity("release_queue")
export class ReleaseQueueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) memberId: string;
  @Now() queuedAt: Date;
}

/**
 * Sign-ins in a window of 15 minutes: of one email from one client address, from one address, and failed ones of one email.
 * All as hashes. The first two are counted before the password is checked.
 */
@Entity("login_attempt")
export class LoginAttemptEntity {
  @PrimaryColumn({ type: "text" }) subject: string;
  @Int() attempts: number;
  @Time() startedAt: Date;
}
