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
import { FIND_MEMBER_BY_EMAIL, GET_MEMBER_CREDENTIAL, type MemberCredential, NOTE_SEEN } from "./sessions.queries.js";

/** Whom a token names. Tokens of an external issuer name no session. */
type Claims = Omit<AccessClaims, "sessionId"> & { sessionId?: string };

const NOTE_SEEN_EVERY_MS = 15_000;

/** From a session token to its member, with the role and the workspaces that the member has now. */
@Injectable()
export class SessionVerifier implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("sessions");
  private readonly cache: CredentialCache<MemberCredential>;
  /** The members who made a request since the last note, by tenant. True if the token was of an external issuer. */
  private seen = new Map<string, Map<string, boolean>>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly db: Database,
    changes: Changes,
    private readonly tokens: SessionTokens,
    private readonly external: ExternalIssuer,
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
    return { kind: "member", ...claims, role: credential.role, reach: reachOf(credential) };
  }

  private note({ tenantId, memberId, sessionId }: Claims): void {
    const members = this.seen.get(tenantId);
    if (members) members.set(memberId, sessionId === undefined);
    else this.seen.set(tenantId, new Map([[memberId, sessionId === undefined]]));
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.noteSeen(), NOTE_SEEN_EVERY_MS);
    this.timer.unref();
  }

  /** Sets `lastSeenAt` of everyone who made a request lately, with one statement for each tenant and at most once a minute. */
  async noteSeen(): Promise<void> {
    const { seen } = this;
    this.seen = new Map();
    try {
      for (const [tenantId, members] of seen) {
        const memberIds = [...members.keys()];
        const signedInExternally = memberIds.filter((id) => members.get(id));
        await this.db.global(NOTE_SEEN, { tenantId, memberIds, signedInExternally });
      }
    } catch (error) {
      this.log.warn(`who was seen was not recorded: ${(error as Error).message}`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noteSeen();
  }

  private async load({ tenantId, environment, memberId, sessionId }: Claims): Promise<MemberCredential | null> {
    try {
      const caller = system("session", tenantId, environment);
      return (await this.db.read(caller, GET_MEMBER_CREDENTIAL, { memberId, sessionId: sessionId ?? null })).parse();
    } catch (error) {
      if (error instanceof NotFoundException) return null;
      throw error;
    }
  }

  private async externalMember(token: string, environment: Environment): Promise<Claims | null> {
    const email = await this.external.verifiedEmail(token);
    if (!email) return null;
    const [row] = await this.db.global(FIND_MEMBER_BY_EMAIL, { email, environment });
    return row ? { ...row, environment } : null;
  }
}

function reachOf({ role, workspaceIds }: MemberCredential): MemberCaller["reach"] {
  if (ADMINS.includes(role)) return { level: "tenant" };
  return { level: "workspaces", workspaceIds: role === "billing" ? [] : workspaceIds };
}
