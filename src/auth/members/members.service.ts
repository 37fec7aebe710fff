import { ConflictException, ForbiddenException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import type { Role } from "../../platform/caller/scope.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { list, one, projection, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";
import { hashPassword } from "../sessions/password.js";
import { mintOpaqueToken, readOpaqueToken } from "../sessions/session-tokens.js";
import type { CreateMemberDto, MemberDto, MemberStatus, UpdateMemberDto } from "./members.dto.js";

const INVITATION_DAYS = 7;

/** What of a member `m` says that they may sign in. */
export const ADMITTED = "m.removed_at is null and m.deactivated_at is null";
/** A dashboard that is gone says nothing more: whoever was not seen for so long is offline. */
const PRESENCE = `case when m.deactivated_at is null and m.last_seen_at > now() - interval '5 minutes' then m.presence else 'offline' end`;
const STATUS = `case when m.deactivated_at is not null then 'deactivated' when m.invitation_hash is not null then 'invited' else 'active' end`;
/** Into `active` an invited member comes by a password alone. */
const MOVES: Record<MemberStatus, readonly MemberStatus[]> = {
  invited: ["deactivated"],
  active: ["deactivated"],
  deactivated: ["active"],
};

const MEMBER = projection<MemberDto>({
  id: "m.id",
  email: "m.email",
  name: "m.name",
  role: "m.role",
  workspaceIds: `array(select mw.workspace_id from member_workspace mw join workspace w on w.tenant_id = mw.tenant_id and w.id = mw.workspace_id and w.deleted_at is null
    where mw.tenant_id = :tenant and mw.member_id = m.id order by mw.workspace_id)`,
  status: STATUS,
  presence: PRESENCE,
  lastSeenAt: time("m.last_seen_at"),
});
const OURS = "m.organisation_id = (select t.organisation_id from tenant t where t.id = :tenant)";
const COLLEAGUES = { none: "members see their colleagues" };
const LIST = list<MemberDto>(
  "members.list",
  COLLEAGUES,
  `select ${MEMBER} from member m where ${OURS} and m.removed_at is null order by m.created_at, m.id`,
);
export const GET_MEMBER = one<MemberDto, { id: string }>(
  "members.get",
  COLLEAGUES,
  `select ${MEMBER} from member m where ${OURS} and m.id = :id and m.removed_at is null`,
);

export interface NewMember {
  email: string;
  name: string;
  role: Role;
  password?: string;
}

@Injectable()
export class MembersService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly config: Config,
  ) {}

  list(caller: Caller): Promise<Json<MemberDto[]>> {
    return this.db.read(caller, LIST, {});
  }

  /** @throws ForbiddenException (an owner made by another), ConflictException (the email is taken), NotFoundException (a workspace) */
  async create(caller: MemberCaller, body: CreateMemberDto): Promise<Json<MemberDto>> {
    if (body.role === "owner" && caller.role !== "owner") throw new ForbiddenException();
    const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
    return this.db.transaction(caller, async (tx) => {
      const id = await this.add(tx, caller.organisationId, body, passwordHash);
      await this.assign(tx, caller.organisationId, id, body.workspaceIds ?? []);
      return (await tx.read(GET_MEMBER, { id })).created();
    });
  }

  /** Adds a member within a transaction; one without a password is invited by mail. */
  async add(
    tx: Tx,
    organisationId: string,
    { email, name, role }: NewMember,
    passwordHash: string | null,
  ): Promise<string> {
    const id = uuid();
    const invitation = passwordHash === null ? mintOpaqueToken(organisationId, id) : undefined;
    await tx.query(
      `insert into member (organisation_id, id, email, name, role, password_hash, invitation_hash, invitation_expires_at)
      values (:organisationId, :id, :email, :name, :role, :passwordHash, :invitationHash, case when :invitationHash::text is null then null else now() + make_interval(days => :days) end)`,
      { organisationId, id, email, name, role, passwordHash, invitationHash: invitation?.hash, days: INVITATION_DAYS },
    );
    const [mine] = await tx.query(
      "insert into member_email (email, organisation_id, member_id) values (:email, :organisationId, :id) on conflict do nothing returning email",
      { email, organisationId, id },
    );
    if (!mine) throw new ConflictException("A member with this email exists already");
    if (invitation) await this.invite(tx, { email, name, role }, invitation.token);
    return id;
  }

  private async invite(
    tx: Tx,
    { email, name, role }: { email: string; name: string; role: string },
    token: string,
  ): Promise<void> {
    // Mail of the test side is captured, where admins read it: one of them could become an owner by it.
    if (role === "owner" && tx.caller.environment === "test")
      throw new ConflictException("Owners are invited on the live side: admins can read the mail of the test side");
    await this.outbox.mail(tx, {
      to: email,
      subject: "Your invitation to Parley",
      // The dashboard reads the token behind the #, which browsers send to no server.
      body: `Hello ${name},\n\nyou are invited to Parley. Choose your password here within ${INVITATION_DAYS} days:\n\n${this.config.publicUrl}/invitation#${token}\n\nWithout a dashboard, send the token yourself:\n\ncurl -X POST ${this.config.publicUrl}/api/auth/password -H 'Content-Type: application/json' -d '{"token":"${token}","password":"…"}'\n`,
    });
  }

  /** @throws NotFoundException, ForbiddenException (an owner, by another), ConflictException (there is nothing to accept any more) */
  inviteAgain(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.mayChange(tx, caller, id);
      const { token, hash } = mintOpaqueToken(caller.organisationId, id);
      const [member] = await tx.query<{ email: string; name: string; role: string }>(
        `update member m set invitation_hash = :hash, invitation_expires_at = now() + make_interval(days => :days), updated_at = now()
        where ${OURS} and m.id = :id and ${STATUS} = 'invited' returning m.email, m.name, m.role`,
        { id, hash, days: INVITATION_DAYS },
      );
      if (!member) throw new ConflictException("Only a member who is invited can be invited again");
      await this.invite(tx, member, token);
      return ok();
    });
  }

  /** @throws ForbiddenException (an owner, by another), ConflictException (the last owner; a move that there is not), NotFoundException */
  update(
    caller: MemberCaller,
    id: string,
    { name, role, status, workspaceIds }: UpdateMemberDto,
  ): Promise<Json<MemberDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await this.mayChange(tx, caller, id, { role, leaves: status === "deactivated" });
      const moves = status !== undefined && status !== before;
      if (moves && !MOVES[before].includes(status))
        throw new ConflictException("An invited member becomes active by setting a password");
      await tx.query(
        `update member m set name = coalesce(:name, m.name), role = coalesce(:role, m.role), updated_at = now(),
          deactivated_at = case :status::text when 'active' then null when 'deactivated' then coalesce(m.deactivated_at, now()) else m.deactivated_at end
        where ${OURS} and m.id = :id`,
        { id, name, role, status },
      );
      if (moves && status === "deactivated") await this.showOut(tx, caller.organisationId, id);
      if (moves && status === "active")
        await tx.query(
          "delete from release_queue where member_id = :id and tenant_id in (select t.id from tenant t where t.organisation_id = :organisationId)",
          { id, organisationId: caller.organisationId },
        );
      if (workspaceIds) await this.assign(tx, caller.organisationId, id, workspaceIds);
      return tx.read(GET_MEMBER, { id });
    });
  }

  /** Ends the member's sessions, on every process within a second, and frees the email. */
  async remove(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    await this.db.transaction(caller, async (tx) => {
      await this.mayChange(tx, caller, id, { leaves: true });
      await tx.query(
        `update member m set removed_at = now(), password_hash = null, invitation_hash = null where ${OURS} and m.id = :id`,
        { id },
      );
      await tx.query("delete from member_email where organisation_id = :organisationId and member_id = :id", {
        id,
        organisationId: caller.organisationId,
      });
      await this.showOut(tx, caller.organisationId, id);
    });
    return ok();
  }

  /** Ends the sessions, and leaves it to the release to take the member's conversations, however many, off them. */
  private async showOut(tx: Tx, organisationId: string, id: string): Promise<void> {
    await tx.query("delete from member_session where organisation_id = :organisationId and member_id = :id", {
      id,
      organisationId,
    });
    await tx.query(
      `insert into release_queue (tenant_id, member_id) select t.id, :id from tenant t where t.organisation_id = :organisationId
      on conflict (tenant_id, member_id) do update set queued_at = excluded.queued_at`,
      { id, organisationId },
    );
  }

  /** Sets the first password, with the token of an invitation, once. */
  async acceptInvitation(token: string, password: string): Promise<boolean> {
    const secret = readOpaqueToken(token);
    if (!secret) return false;
    const passwordHash = await hashPassword(password);
    return this.db.transaction(system("invitation", secret.organisationId, "live"), async (tx) => {
      const done = await tx.query(
        `update member m set password_hash = :passwordHash, invitation_hash = null, invitation_expires_at = null, updated_at = now()
        where ${OURS} and m.id = :id and m.invitation_hash = :hash and m.invitation_expires_at > now() and ${ADMITTED} returning m.id`,
        { ...secret, passwordHash },
      );
      return done.length === 1;
    });
  }

  /**
   * All owners are locked first, in one order: of two requests at once that would leave none, the second finds the first's
   * result. An owner who never accepted the invitation, or is deactivated, does not keep the tenant from being without one.
   * @returns the member's status
   */
  private async mayChange(
    tx: Tx,
    caller: MemberCaller,
    id: string,
    { role, leaves = false }: { role?: Role; leaves?: boolean } = {},
  ): Promise<MemberStatus> {
    const owners = await tx.query<{ id: string; status: MemberStatus }>(
      `select m.id, ${STATUS} as status from member m where ${OURS} and m.role = 'owner' and m.removed_at is null order by m.id for update`,
    );
    const [member] = await tx.query<{ status: MemberStatus; unaccepted: boolean }>(
      `select ${STATUS} as status, m.invitation_hash is not null as unaccepted from member m where ${OURS} and m.id = :id and m.removed_at is null for update`,
      { id },
    );
    if (!member) throw notFound();
    // Whoever asks is signed in, if perhaps by an external issuer and without ever having accepted an invitation.
    const able = owners
      .filter((owner) => owner.status === "active" || (owner.status === "invited" && owner.id === caller.memberId))
      .map((owner) => owner.id);
    const isOwner = owners.some((owner) => owner.id === id);
    if ((isOwner || role === "owner") && !able.includes(caller.memberId)) throw new ForbiddenException();
    if (isOwner && (leaves || (role !== undefined && role !== "owner")) && able.every((owner) => owner === id))
      throw new ConflictException("The last owner stays: make somebody else an owner first");
    // Whoever could read the invitation where it was captured would become an owner by it.
    if (role === "owner" && !isOwner && member.unaccepted)
      throw new ConflictException("Somebody who is invited can be made an owner once they have accepted");
    return member.status;
  }

  private async assign(tx: Tx, organisationId: string, memberId: string, workspaceIds: string[]): Promise<void> {
    await tx.query("delete from member_workspace where tenant_id = :tenant and member_id = :memberId", { memberId });
    const assigned = await tx.query(
      `insert into member_workspace (tenant_id, member_id, workspace_id, organisation_id)
      select w.tenant_id, :memberId, w.id, :organisationId from workspace w where w.tenant_id = :tenant and w.id = any(:workspaceIds::uuid[]) and w.deleted_at is null returning workspace_id`,
      { memberId, organisationId, workspaceIds },
    );
    if (assigned.length !== workspaceIds.length) throw notFound();
  }
}
