import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  NotFoundException,
  type OnModuleInit,
} from "@nestjs/common";
import type { Environment, MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { ADMINS } from "../../platform/caller/scope.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { CredentialCache } from "../credential-cache.js";
import { ExternalIssuer } from "./external-issuer.js";
import { type AccessClaims, SessionTokens } from "./session-tokens.js";
import { ExternalMembers } from "./external-members.js";
import {
  GET_MEMBER_CREDENTIAL,
  type MemberCredential,
  NOTE_SEEN,
  NOTE_SESSIONS_USED,
  type UsedSession,
} from "./sessions.queries.js";

/** Whom a token names. Tokens of an external issuer name no session, and say themselves when the member signed in. */
type Claims = Omit<AccessClaims, "sessionId" | "number"> &
  ({ sessionId: string; number: number } | { sessionId?: undefined; signedInAt: number });

/** `recentUntil`: on the monotonic clock of this process, in milliseconds; null for tokens of an external issuer. */
type CachedMember = MemberCredential & { recentUntil: number | null };

const NOTE_SEEN_EVERY_MS = 15_000;

/** From a session token to its member, with the role and the workspaces that the member has now. */
@Injectable()
export class SessionVerifier implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("sessions");
  private readonly cache: CredentialCache<CachedMember>;
  /** The members who made a request since the last note, by tenant. */
  private seen = new Map<string, Set<string>>();
  /** The sessions that were used since the last note, by tenant, with the newest number of their tokens. */
  private used = new Map<string, Map<string, number>>();
  private noting: Promise<void> = Promise.resolve();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly db: Database,
    changes: Changes,
    private readonly tokens: SessionTokens,
    private readonly external: ExternalIssuer,
    private readonly members: ExternalMembers,
  ) {
    this.cache = new CredentialCache(changes);
  }

  /** @returns null for an invalid token, an ended session, and a member who was removed or deactivated */
  async verify(token: string, environment: Environment): Promise<MemberCaller | null> {
    const claims = this.external.claims(token)
      ? await this.externalMember(token, environment)
      : await this.tokens.verify(token);
    if (!claims) return null;
    const cacheKey = `${claims.sessionId ?? ""} ${claims.memberId} ${claims.tenantId}`;
    const credential = await this.cache.get(cacheKey, () => this.load(claims));
    if (!credential) return null;
    this.note(claims);
    const { memberId, organisationId, tenantId, sessionId } = claims;
    return {
      kind: "member",
      memberId,
      organisationId,
      tenantId,
      environment: claims.environment,
      sessionId,
      role: credential.role,
      reach: reachOf(credential),
      signedInRecently: isRecent(claims, credential),
      lacksSecondFactor: sessionId !== undefined && credential.lacksSecondFactor,
    };
  }

  private note(claims: Claims): void {
    const { tenantId, memberId, sessionId } = claims;
    within(this.seen, tenantId, () => new Set()).add(memberId);
    if (sessionId === undefined) return;
    const sessions = within(this.used, tenantId, () => new Map<string, number>());
    sessions.set(sessionId, Math.max(sessions.get(sessionId) ?? 0, claims.number));
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.noteSeen(), NOTE_SEEN_EVERY_MS);
    this.timer.unref();
  }

  /**
   * Records who made a request lately and with which session, with two statements for each tenant. `lastSeenAt` and
   * `lastUsedAt` change at most once a minute. All that was seen is recorded when it returns, also what an earlier call is
   * still writing.
   */
  noteSeen(): Promise<void> {
    return (this.noting = this.noting.then(() => this.record()));
  }

  private async record(): Promise<void> {
    const { seen, used } = this;
    this.seen = new Map();
    this.used = new Map();
    try {
      for (const [tenantId, members] of seen) {
        await this.db.globalOf(tenantId, NOTE_SEEN, { tenantId, memberIds: [...members] });
      }
      for (const [tenantId, sessions] of used) {
        const rows: UsedSession[] = [...sessions].map(([id, number]) => ({ id, number }));
        await this.db.globalOf(tenantId, NOTE_SESSIONS_USED, { tenantId, used: JSON.stringify(rows) });
      }
    } catch (error) {
      this.log.warn(`who was seen was not recorded: ${(error as Error).message}`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noteSeen();
  }

  private async load({ tenantId, environment, memberId, sessionId }: Claims): Promise<CachedMember | null> {
    const now = performance.now();
    try {
      const caller = system("session", tenantId, environment);
      const args = { memberId, sessionId: sessionId ?? null };
      const credential = (await this.db.read(caller, GET_MEMBER_CREDENTIAL, args)).parse();
      const { recentMs, signedInMsAgo } = credential;
      return { ...credential, recentUntil: signedInMsAgo === null ? null : now + recentMs - signedInMsAgo };
    } catch (error) {
      if (error instanceof NotFoundException) return null;
      throw error;
    }
  }

  private async externalMember(token: string, environment: Environment): Promise<Claims | null> {
    const verified = await this.external.verify(token);
    const member = verified && (await this.members.find(verified, environment));
    if (!member) return null;
    const { organisationId, memberId, tenantId } = member;
    return { organisationId, memberId, tenantId, environment, signedInAt: verified.signedInAt };
  }
}

/** What is kept for this tenant. */
function within<T>(kept: Map<string, T>, tenantId: string, make: () => T): T {
  let found = kept.get(tenantId);
  if (!found) kept.set(tenantId, (found = make()));
  return found;
}

const isRecent = (claims: Claims, { recentUntil, recentMs }: CachedMember): boolean =>
  claims.sessionId === undefined
    ? Date.now() - claims.signedInAt < recentMs
    : recentUntil !== null && performance.now() < recentUntil;

export function reachOf({ role, workspaceIds }: MemberCredential): MemberCaller["reach"] {
  if (ADMINS.includes(role)) return { level: "tenant" };
  return { level: "workspaces", workspaceIds: role === "billing" ? [] : workspaceIds };
}
