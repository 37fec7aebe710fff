import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { IsNull, Not, Raw } from "typeorm";
import { v7 as uuid } from "uuid";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import type { Role } from "../../platform/caller/scope.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { roleMissing } from "../access/role-missing.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { PendingSignInEntity } from "../second-factors/second-factor.entity.js";
import { SecondFactorsService } from "../second-factors/second-factors.service.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { assertGoodPassword } from "../sessions/password-rules.js";
import { hashPassword } from "../sessions/password.js";
import { SessionEnding } from "../sessions/session-ending.js";
import { mintOpaqueToken, readOpaqueToken } from "../sessions/session-tokens.js";
import { EmailProofService } from "./email-proof.service.js";
import { onLiveSide } from "./live-side.js";
import { ADD_EMAIL, LOCK_ADDRESS, REMOVE_EMAIL, REMOVE_IDENTITIES } from "./member-emails.queries.js";
import { MemberEntity, MemberLinkEntity, MemberSessionEntity } from "./member.entity.js";
import type { CreateMemberDto, MemberDto, MemberStatus, UpdateMemberDto } from "./members.dto.js";
import {
  ASSIGN_WORKSPACES,
  CANCEL_RELEASE,
  FORGET_PREFERENCES,
  GET_MEMBER,
  LIST_MEMBERS,
  LOCK_MEMBER,
  LOCK_OWNERS,
  QUEUE_RELEASE,
  UNASSIGN_WORKSPACES,
} from "./members.queries.js";

const INVITATION_DAYS = 7;
const INVITATION_EXPIRY = (): string => `now() + interval '${INVITATION_DAYS} days'`;

/** An invited member becomes active only by setting a password. */
const TRANSITIONS: Record<MemberStatus, readonly MemberStatus[]> = {
  invited: ["deactivated"],
  active: ["deactivated"],
  deactivated: ["active"],
};

export interface NewMember {
  email: string;
  name: string;
  role: Role;
  password?: string;
  /** Whoever runs the server says that the email is the member's. */
  proven?: boolean;
}

@Injectable()
export class MembersService {
  constructor(
    private readonly db: Database,
    private readonly outbox: OutboxService,
    private readonly config: Config,
    private readonly security: SecurityLogService,
    private readonly sessions: SessionEnding,
    private readonly secondFactors: SecondFactorsService,
    private readonly emails: EmailProofService,
  ) {}

  list(caller: Caller): Promise<Json<MemberDto[]>> {
    return this.db.read(caller, LIST_MEMBERS, {});
  }

  /**
   * @throws ForbiddenException: only an owner can add an owner
   * @throws ConflictException: the email belongs to another member
   * @throws NotFoundException: one of the workspaces does not exist
   */
  async create(caller: MemberCaller, body: CreateMemberDto): Promise<Json<MemberDto>> {
    if (body.role === "owner" && caller.role !== "owner") throw roleMissing(["owner"]);
    const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
    await this.reserveEmail(caller.organisationId, body);
    return this.db.transaction(caller, async (tx) => {
      const id = await this.add(tx, caller.organisationId, body, passwordHash);
      await this.assign(tx, caller.organisationId, id, body.workspaceIds ?? []);
      if (body.password !== undefined) await this.assertGoodPassword(tx, id, body.password);
      return (await tx.read(GET_MEMBER, { id })).created();
    });
  }

  /** For `add`, before its transaction. @throws ConflictException: a member of an organisation on another server has proven the email */
  async reserveEmail(organisationId: string, { email, proven }: Pick<NewMember, "email" | "proven">): Promise<void> {
    if (!(await this.emails.isFree(organisationId, email, proven)))
      throw new ConflictException("A member with this email exists already");
  }

  /** Adds a member within a transaction. Without a password, an invitation is mailed. */
  async add(
    tx: Tx,
    organisationId: string,
    { email, name, role, proven = false }: NewMember,
    passwordHash: string | null,
  ): Promise<string> {
    const id = uuid();
    const invitation = passwordHash === null ? mintOpaqueToken(organisationId, id) : undefined;
    await tx.insert(MemberEntity, {
      organisationId,
      id,
      email,
      name,
      role,
      passwordHash,
      invitationHash: invitation?.hash ?? null,
      invitationExpiresAt: invitation ? INVITATION_EXPIRY : null,
      invitationMailed: tx.caller.environment === "live",
    });
    const added = await tx.query(ADD_EMAIL, { organisationId, memberId: id, email, proven });
    if (!added.length) throw new ConflictException("A member with this email exists already");
    await this.security.record(tx, { type: "member_added", memberId: id, detail: { role } });
    if (invitation) await this.invite(tx, { email, name, role }, invitation.token);
    return id;
  }

  private async invite(
    tx: Tx,
    { email, name, role }: { email: string; name: string; role: string },
    token: string,
  ): Promise<void> {
    // Admins can read the captured mail of the test side, so one of them could accept the invitation and become an owner.
    if (role === "owner" && tx.caller.environment === "test")
      throw new ConflictException("Owners are invited on the live side: admins can read the mail of the test side");
    await this.outbox.mail(tx, {
      to: email,
      subject: "Your invitation to Parley",
      // Browsers do not send what follows the # to a server. The dashboard reads it there.
      body: `Hello ${name},\n\nyou are invited to Parley. Choose your password here within ${INVITATION_DAYS} days:\n\n${this.config.publicUrl}/invitation#${token}\n\nWithout a dashboard, send the token yourself:\n\ncurl -X POST ${this.config.publicUrl}/api/auth/password -H 'Content-Type: application/json' -d '{"token":"${token}","password":"…"}'\n`,
    });
  }

  /**
   * @throws NotFoundException
   * @throws ForbiddenException: only an owner can invite an owner
   * @throws ConflictException: the member has accepted an invitation or is deactivated
   */
  inviteAgain(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.assertMayChange(tx, caller, id);
      const { token, hash } = mintOpaqueToken(caller.organisationId, id);
      const [member] = await tx.updateReturning(
        MemberEntity,
        { id, invitationHash: Not(IsNull()), deactivatedAt: IsNull() },
        {
          invitationHash: hash,
          invitationExpiresAt: INVITATION_EXPIRY,
          invitationMailed: tx.caller.environment === "live",
          updatedAt: () => "now()",
        },
        ["email", "name", "role"],
      );
      if (!member) throw new ConflictException("Only a member who is invited can be invited again");
      await this.invite(tx, member, token);
      return ok();
    });
  }

  /**
   * @throws NotFoundException
   * @throws ForbiddenException: only an owner can change an owner, or make one
   * @throws ConflictException: the tenant would have no owner, or the transition is not allowed
   */
  update(
    caller: MemberCaller,
    id: string,
    { name, role, status, workspaceIds }: UpdateMemberDto,
  ): Promise<Json<MemberDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await this.assertMayChange(tx, caller, id, { role, leaves: status === "deactivated" });
      const becomes = status === before ? undefined : status;
      if (becomes && !TRANSITIONS[before].includes(becomes))
        throw new ConflictException("An invited member becomes active by setting a password");
      const deactivatedAt = becomes === "active" ? null : becomes === "deactivated" ? (): string => "now()" : undefined;
      await tx.update(MemberEntity, { id }, { name, role, deactivatedAt, updatedAt: () => "now()" });
      if (becomes === "deactivated") await this.endAccess(tx, id);
      if (becomes === "active") await tx.query(CANCEL_RELEASE, { id });
      if (workspaceIds) await this.assign(tx, caller.organisationId, id, workspaceIds);
      const fields = Object.entries({ name, role, status: becomes, workspaceIds }).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      if (fields.length)
        await this.security.record(tx, {
          type: "member_changed",
          memberId: id,
          detail: { fields, ...(role && { role }), ...(becomes && { status: becomes }) },
        });
      return tx.read(GET_MEMBER, { id });
    });
  }

  /** Ends the member's sessions, on every process within a second, and frees the email. */
  async remove(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    await this.db.transaction(caller, async (tx) => {
      await this.assertMayChange(tx, caller, id, { leaves: true });
      await tx.update(MemberEntity, { id }, { removedAt: () => "now()", passwordHash: null, invitationHash: null });
      await tx.query(REMOVE_EMAIL, { memberId: id });
      await tx.query(REMOVE_IDENTITIES, { memberId: id });
      await tx.delete(MemberLinkEntity, { memberId: id });
      await tx.query(FORGET_PREFERENCES, { memberId: id });
      await this.secondFactors.removeAll(tx, id);
      await this.endAccess(tx, id);
      await this.security.record(tx, { type: "member_removed", memberId: id });
    });
    return ok();
  }

  /**
   * For a member who lost their phone and the recovery codes. The member is told by mail.
   * @throws ConflictException: the member has none
   */
  async removeSecondFactors(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    await this.db.transaction(onLiveSide(caller), async (tx) => {
      await this.assertMayChange(tx, caller, id);
      if (!(await this.secondFactors.removeAll(tx, id))) throw new ConflictException("The member has no second factor");
      const { email, name } = (await tx.read(GET_MEMBER, { id })).parse();
      await this.outbox.mail(tx, {
        to: email,
        subject: "Your second factor for Parley was removed",
        body: `Hello ${name},\n\nan administrator removed your authenticator app, your passkeys and your recovery codes. You sign in with your password alone now. If you did not ask for this, talk to your administrator.\n`,
      });
    });
    return ok();
  }

  /** Ends all sessions of a member, on every process within a second. Only an owner ends an owner's. */
  async endSessions(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    await this.db.transaction(caller, async (tx) => {
      await this.assertMayChange(tx, caller, id);
      await this.sessions.endSessions(tx, id);
    });
    return ok();
  }

  /** Ends the sessions. A job takes the member's conversations off them, because there can be many. */
  private async endAccess(tx: Tx, id: string): Promise<void> {
    await tx.delete(MemberSessionEntity, { memberId: id });
    await tx.delete(PendingSignInEntity, { memberId: id });
    await tx.query(QUEUE_RELEASE, { id });
  }

  /**
   * Accepts an invitation with its token, once, and sets the first password. If the invitation was mailed, this proves the email.
   * @param password left out by members whom an external issuer signs in
   * @returns whether the token was valid
   * @throws BadRequestException: the password is easy to guess; the token stays valid
   * @throws ConflictException: another member has proven the email
   */
  async acceptInvitation(token: string, password: string | undefined, sender: Sender): Promise<boolean> {
    const secret = readOpaqueToken(token);
    if (!secret) return false;
    const { id, organisationId } = secret;
    const passwordHash = password === undefined ? null : await hashPassword(password);
    const caller = beginRequest(system("invitation", organisationId, "live"), "invitation", sender);
    return this.db.transaction(caller, async (tx) => {
      const [member] = await tx.updateReturning(
        MemberEntity,
        {
          id,
          invitationHash: secret.hash,
          invitationExpiresAt: Raw((column) => `${column} > now()`),
          removedAt: IsNull(),
          deactivatedAt: IsNull(),
        },
        { passwordHash, invitationHash: null, invitationExpiresAt: null, updatedAt: () => "now()" },
        ["invitationMailed"],
      );
      if (!member) return false;
      if (password !== undefined) await this.assertGoodPassword(tx, id, password);
      await this.security.record(tx, { type: "invitation_accepted", memberId: id, actorId: id });
      if (member.invitationMailed) await this.emails.prove(tx, organisationId, id);
      // Without a password and without a proven email, nothing would be left to sign in with.
      else if (password === undefined) throw new BadRequestException("password is missing");
      return true;
    });
  }

  /**
   * Locks all owners first, in one order: if two requests together would leave no owner, the second sees the effect of
   * the first. Owners who are invited or deactivated do not count as an owner who is left.
   * @returns the member's status
   */
  private async assertMayChange(
    tx: Tx,
    caller: MemberCaller,
    id: string,
    { role, leaves = false }: { role?: Role; leaves?: boolean } = {},
  ): Promise<MemberStatus> {
    const owners = await tx.query(LOCK_OWNERS);
    const [member] = await tx.query(LOCK_MEMBER, { id });
    if (!member) throw notFound();
    const activeOwners = owners.filter(({ status }) => status === "active").map((owner) => owner.id);
    const isOwner = owners.some((owner) => owner.id === id);
    if ((isOwner || role === "owner") && !activeOwners.includes(caller.memberId)) throw roleMissing(["owner"]);
    const stopsBeingOwner = leaves || (role !== undefined && role !== "owner");
    if (isOwner && stopsBeingOwner && activeOwners.every((owner) => owner === id))
      throw new ConflictException("This is the last owner: make another member an owner first");
    // Anyone who can read captured mail could accept the invitation and become an owner.
    if (role === "owner" && !isOwner && member.hasOpenInvitation)
      throw new ConflictException("An invited member can become an owner after accepting the invitation");
    return member.status;
  }

  private async assertGoodPassword(tx: Tx, memberId: string, password: string): Promise<void> {
    const [owner] = await tx.query(LOCK_ADDRESS, { memberId });
    await assertGoodPassword(password, owner!);
  }

  private async assign(tx: Tx, organisationId: string, memberId: string, workspaceIds: string[]): Promise<void> {
    await tx.query(UNASSIGN_WORKSPACES, { memberId });
    const assigned = await tx.query(ASSIGN_WORKSPACES, { memberId, organisationId, workspaceIds });
    if (assigned.length !== workspaceIds.length) throw notFound("workspace in workspaceIds");
  }
}
