import { ConflictException, ForbiddenException, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Caller, MemberCaller } from '../../caller/caller.js';
import { system } from '../../caller/caller.js';
import type { Role } from '../../caller/scope.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { list, one, projection, time } from '../../database/statement.js';
import type { Tx } from '../../database/transaction.js';
import { notFound } from '../../http/errors.js';
import { Json, type Ok, ok } from '../../http/json.js';
import { Outbox } from '../../outbox/outbox.service.js';
import { hashPassword } from '../sessions/password.js';
import { mintRowSecret, readRowSecret } from '../sessions/session-tokens.js';
import type { CreateMemberDto, MemberDto, UpdateMemberDto } from './members.dto.js';

const INVITATION_DAYS = 7;

const MEMBER = projection<MemberDto>({
  id: 'm.id',
  email: 'm.email',
  name: 'm.name',
  role: 'm.role',
  workspaceIds: `array(select mw.workspace_id from member_workspace mw join workspace w on w.tenant_id = mw.tenant_id and w.id = mw.workspace_id and w.deleted_at is null
    where mw.tenant_id = :tenant and mw.member_id = m.id order by mw.workspace_id)`,
  status: `case when m.invitation_hash is not null then 'invited' else 'active' end`,
  presence: 'm.presence',
  lastSeenAt: time('m.last_seen_at'),
});
const OURS = 'm.organisation_id = (select t.organisation_id from tenant t where t.id = :tenant)';
const COLLEAGUES = { none: 'members see their colleagues' };
const LIST = list<MemberDto>('members.list', COLLEAGUES, `select ${MEMBER} from member m where ${OURS} and m.removed_at is null order by m.created_at, m.id`);
export const GET_MEMBER = one<MemberDto, { id: string }>('members.get', COLLEAGUES, `select ${MEMBER} from member m where ${OURS} and m.id = :id and m.removed_at is null`);

export interface NewMember { email: string; name: string; role: Role; password?: string }

@Injectable()
export class MembersService {
  constructor(private readonly db: Database, private readonly outbox: Outbox, private readonly config: Config) {}

  list(caller: Caller): Promise<Json<MemberDto[]>> {
    return this.db.read(caller, LIST, {});
  }

  /** @throws ForbiddenException (an owner made by another), ConflictException (the email is taken), NotFoundException (a workspace) */
  async create(caller: MemberCaller, body: CreateMemberDto): Promise<Json<MemberDto>> {
    if (body.role === 'owner' && caller.role !== 'owner') throw new ForbiddenException();
    const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
    return this.db.transaction(caller, async (tx) => {
      const id = await this.add(tx, caller.organisationId, body, passwordHash);
      await this.assign(tx, caller.organisationId, id, body.workspaceIds ?? []);
      return (await tx.read(GET_MEMBER, { id })).created();
    });
  }

  /** Adds a member within a transaction; one without a password is invited by mail. */
  async add(tx: Tx, organisationId: string, { email, name, role }: NewMember, passwordHash: string | null): Promise<string> {
    const id = uuid();
    const invitation = passwordHash === null ? mintRowSecret(organisationId, id) : undefined;
    await tx.query(`insert into member (organisation_id, id, email, name, role, password_hash, invitation_hash, invitation_expires_at)
      values (:organisationId, :id, :email, :name, :role, :passwordHash, :invitationHash, case when :invitationHash::text is null then null else now() + make_interval(days => :days) end)`,
    { organisationId, id, email, name, role, passwordHash, invitationHash: invitation?.hash, days: INVITATION_DAYS });
    const [mine] = await tx.query('insert into member_email (email, organisation_id, member_id) values (:email, :organisationId, :id) on conflict do nothing returning email',
      { email, organisationId, id });
    if (!mine) throw new ConflictException('A member with this email exists already');
    if (invitation) await this.invite(tx, { email, name }, invitation.token);
    return id;
  }

  private async invite(tx: Tx, { email, name }: { email: string; name: string }, token: string): Promise<void> {
    await this.outbox.mail(tx, {
      to: email,
      subject: 'Your invitation to Parley',
      // The dashboard reads the token behind the #, which browsers send to no server.
      body: `Hello ${name},\n\nyou are invited to Parley. Choose your password here within ${INVITATION_DAYS} days:\n\n${this.config.publicUrl}/invitation#${token}\n\nWithout a dashboard, send the token yourself:\n\ncurl -X POST ${this.config.publicUrl}/api/auth/password -H 'Content-Type: application/json' -d '{"token":"${token}","password":"…"}'\n`,
    });
  }

  /** @throws ForbiddenException (an owner changed by another), ConflictException (the last owner), NotFoundException */
  update(caller: MemberCaller, id: string, body: UpdateMemberDto): Promise<Json<MemberDto>> {
    return this.db.transaction(caller, async (tx) => {
      await this.mayChange(tx, caller, id, body.role ?? 'unchanged');
      await tx.query(`update member m set name = coalesce(:name, m.name), role = coalesce(:role, m.role), updated_at = now() where ${OURS} and m.id = :id`,
        { id, name: body.name, role: body.role });
      if (body.workspaceIds) await this.assign(tx, caller.organisationId, id, body.workspaceIds);
      return tx.read(GET_MEMBER, { id });
    });
  }

  /** Ends the member's sessions, on every process within a second, and frees the email. */
  async remove(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    await this.db.transaction(caller, async (tx) => {
      await this.mayChange(tx, caller, id, 'removed');
      await tx.query(`update member m set removed_at = now(), password_hash = null, invitation_hash = null where ${OURS} and m.id = :id`, { id });
      await tx.query('delete from member_email where organisation_id = :organisationId and member_id = :id', { id, organisationId: caller.organisationId });
      await tx.query('delete from member_session where organisation_id = :organisationId and member_id = :id', { id, organisationId: caller.organisationId });
    });
    return ok();
  }

  /** Sets the first password, with the token of an invitation, once. */
  async acceptInvitation(token: string, password: string): Promise<boolean> {
    const secret = readRowSecret(token);
    if (!secret) return false;
    const passwordHash = await hashPassword(password);
    return this.db.transaction(system('invitation', secret.organisationId, 'live'), async (tx) => {
      const done = await tx.query(`update member m set password_hash = :passwordHash, invitation_hash = null, invitation_expires_at = null, updated_at = now()
        where ${OURS} and m.id = :id and m.invitation_hash = :hash and m.invitation_expires_at > now() and m.removed_at is null returning m.id`, { ...secret, passwordHash });
      return done.length === 1;
    });
  }

  /** All owners are locked first, in one order: of two requests at once that would leave none, the second finds the first's result. */
  private async mayChange(tx: Tx, caller: MemberCaller, id: string, to: Role | 'removed' | 'unchanged'): Promise<void> {
    const owners = await tx.query<{ id: string }>(`select m.id from member m where ${OURS} and m.role = 'owner' and m.removed_at is null order by m.id for update`);
    const [member] = await tx.query(`select m.id from member m where ${OURS} and m.id = :id and m.removed_at is null for update`, { id });
    if (!member) throw notFound();
    const isOwner = owners.some((owner) => owner.id === id);
    if ((isOwner || to === 'owner') && caller.role !== 'owner') throw new ForbiddenException();
    if (isOwner && to !== 'owner' && to !== 'unchanged' && owners.length === 1) throw new ConflictException('The last owner stays: make somebody else an owner first');
  }

  private async assign(tx: Tx, organisationId: string, memberId: string, workspaceIds: string[]): Promise<void> {
    await tx.query('delete from member_workspace where tenant_id = :tenant and member_id = :memberId', { memberId });
    const assigned = await tx.query(`insert into member_workspace (tenant_id, member_id, workspace_id, organisation_id)
      select w.tenant_id, :memberId, w.id, :organisationId from workspace w where w.tenant_id = :tenant and w.id = any(:workspaceIds::uuid[]) and w.deleted_at is null returning workspace_id`,
    { memberId, organisationId, workspaceIds });
    if (assigned.length !== workspaceIds.length) throw notFound();
  }
}

