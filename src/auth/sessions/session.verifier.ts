import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  NotFoundException,
  type OnModuleInit,
} from "@nestjs/common";
import type { Environment, MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { ADMINS, type Role } from "../../platform/caller/scope.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { one } from "../../platform/database/statement.js";
import { ADMITTED } from "../members/members.service.js";
import { CredentialCache } from "../credential-cache.js";
import { ExternalIssuer } from "./external-issuer.js";
import { type AccessClaims, SessionTokens } from "./session-tokens.js";

interface Standing {
  tenantIds: string[];
  role: Role;
  workspaceIds: string[];
}
type Who = Omit<AccessClaims, "sessionId"> & { sessionId?: string };

const STANDING = one<Standing, { memberId: string; sessionId: string | null }>(
  "members.standing",
  { none: "it is the reach that is looked up" },
  `select array(select t.id from tenant t where t.organisation_id = m.organisation_id) as "tenantIds", m.role, array(select mw.workspace_id from member_workspace mw where mw.tenant_id = :tenant and mw.member_id = m.id) as "workspaceIds"
   from member m where m.organisation_id = (select t.organisation_id from tenant t where t.id = :tenant) and m.id = :memberId and ${ADMITTED}
     and (:sessionId::uuid is null or exists (select from member_session s where s.organisation_id = m.organisation_id and s.id = :sessionId
       and s.member_id = m.id and s.ended_at is null and s.expires_at > now()))`,
);

const NOTED_EACH_MS = 15_000;
// The tenant and, for the audit log, who acts are set for the same statement, and nobody is told: whom a member sees online is no part of a polled answer.
// Whoever comes with a token of an external issuer needs no invitation any more.
const SEEN = `with ctx as materialized (select set_config('app.tenant_id', $1, true) as tenant, set_config('app.actor', 'system', true), set_config('app.action', 'seen', true))
  update member m set last_seen_at = now(), invitation_hash = case when m.id = any($3::uuid[]) then null else m.invitation_hash end
  where (select tenant from ctx) is not null and m.organisation_id = (select t.organisation_id from tenant t where t.id = $1::uuid) and m.id = any($2::uuid[])
    and (m.last_seen_at is null or m.last_seen_at < now() - interval '1 minute')`;

/** Tells which member a session token is of, and what the member may reach now. */
@Injectable()
export class SessionVerifier implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("sessions");
  private readonly standings: CredentialCache<Standing>;
  /** Who made a request since it was noted last, by side; true with a token of an external issuer. */
  private seen = new Map<string, Map<string, boolean>>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly db: Database,
    changes: Changes,
    private readonly tokens: SessionTokens,
    private readonly external: ExternalIssuer,
  ) {
    this.standings = new CredentialCache(changes);
  }

  /** @returns null for a token that does not hold, or a session or member that has ended */
  async verify(token: string, environment: Environment): Promise<MemberCaller | null> {
    const who = this.external.claims(token)
      ? await this.externalMember(token, environment)
      : await this.tokens.verify(token);
    if (!who) return null;
    const standing = await this.standings.get(`${who.sessionId ?? ""} ${who.memberId} ${who.tenantId}`, () =>
      this.load(who),
    );
    if (!standing) return null;
    this.note(who);
    return { kind: "member", ...who, role: standing.role, reach: reachOf(standing) };
  }

  private note({ tenantId, memberId, sessionId }: Who): void {
    const members = this.seen.get(tenantId);
    if (members) members.set(memberId, sessionId === undefined);
    else this.seen.set(tenantId, new Map([[memberId, sessionId === undefined]]));
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.noteSeen(), NOTED_EACH_MS);
    this.timer.unref();
  }

  /** `lastSeenAt` of all who made a request lately, in one statement a side; it moves on once a minute. */
  async noteSeen(): Promise<void> {
    const { seen } = this;
    this.seen = new Map();
    try {
      for (const [tenantId, members] of seen) {
        const ids = [...members.keys()];
        await this.db.global(SEEN, [tenantId, ids, ids.filter((id) => members.get(id))]);
      }
    } catch (error) {
      this.log.warn(`who was seen not noted: ${(error as Error).message}`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noteSeen();
  }

  private async load(who: Who): Promise<Standing | null> {
    try {
      const found = await this.db.read(system("session", who.tenantId, who.environment), STANDING, {
        memberId: who.memberId,
        sessionId: who.sessionId ?? null,
      });
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
       from member_email e join tenant t on t.organisation_id = e.organisation_id and t.environment = $2 where e.email = $1`,
      [email, environment],
    );
    return row ? { ...row, environment } : null;
  }
}

function reachOf({ role, workspaceIds }: Standing): MemberCaller["reach"] {
  if (ADMINS.includes(role)) return { level: "tenant" };
  return { level: "workspaces", workspaceIds: role === "billing" ? [] : workspaceIds };
}
