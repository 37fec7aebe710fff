import { Injectable } from '@nestjs/common';
import type { Environment, MemberCaller } from '../../caller/caller.js';
import { system } from '../../caller/caller.js';
import { ADMINS, type Role } from '../../caller/scope.js';
import { Changes } from '../../database/changes.js';
import { Database } from '../../database/database.js';
import { one } from '../../database/statement.js';
import { NotFoundException } from '@nestjs/common';
import { StandingCache } from '../standing.js';
import { ExternalIssuer } from './external-issuer.js';
import { type AccessClaims, SessionTokens } from './session-tokens.js';

interface Standing { tenantIds: string[]; role: Role; workspaceIds: string[] }
type Who = Omit<AccessClaims, 'sessionId'> & { sessionId?: string };

const STANDING = one<Standing, { memberId: string; sessionId: string | null }>('members.standing', { none: 'it is the reach that is looked up' },
  `select array(select t.id from tenant t where t.organisation_id = m.organisation_id) as "tenantIds", m.role, array(select mw.workspace_id from member_workspace mw where mw.tenant_id = :tenant and mw.member_id = m.id) as "workspaceIds"
   from member m where m.organisation_id = (select t.organisation_id from tenant t where t.id = :tenant) and m.id = :memberId and m.removed_at is null
     and (:sessionId::uuid is null or exists (select from member_session s where s.organisation_id = m.organisation_id and s.id = :sessionId
       and s.member_id = m.id and s.ended_at is null and s.expires_at > now()))`);

/** Tells which member a session token is of, and what the member may reach now. */
@Injectable()
export class SessionVerifier {
  private readonly standings: StandingCache<Standing>;

  constructor(private readonly db: Database, changes: Changes, private readonly tokens: SessionTokens, private readonly external: ExternalIssuer) {
    this.standings = new StandingCache(changes);
  }

  /** @returns null for a token that does not hold, or a session or member that has ended */
  async verify(token: string, environment: Environment): Promise<MemberCaller | null> {
    const who = this.external.claims(token) ? await this.externalMember(token, environment) : await this.tokens.verify(token);
    if (!who) return null;
    const standing = await this.standings.get(`${who.sessionId ?? ''} ${who.memberId} ${who.tenantId}`, () => this.load(who));
    if (!standing) return null;
    return { kind: 'member', ...who, role: standing.role, reach: reachOf(standing) };
  }

  private async load(who: Who): Promise<Standing | null> {
    try {
      const found = await this.db.read(system('session', who.tenantId, who.environment), STANDING, { memberId: who.memberId, sessionId: who.sessionId ?? null });
      return found.parse();
    } catch (error) {
      if (error instanceof NotFoundException) return null;
      throw error;
    }
  }

  private async externalMember(token: string, environment: Environment): Promise<Who | null> {
    const email = await this.external.verifiedEmail(token);
    if (!email) return null;
    const [row] = await this.db.global<{ organisationId: string; memberId: string; tenantId: string }>(
      `select e.organisation_id as "organisationId", e.member_id as "memberId", t.id as "tenantId"
       from member_email e join tenant t on t.organisation_id = e.organisation_id and t.environment = $2 where e.email = $1`, [email, environment]);
    return row ? { ...row, environment } : null;
  }
}

function reachOf({ role, workspaceIds }: Standing): MemberCaller['reach'] {
  if (ADMINS.includes(role)) return { level: 'tenant' };
  return { level: 'workspaces', workspaceIds: role === 'billing' ? [] : workspaceIds };
}
