import { Injectable, UnauthorizedException } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Json } from "../../platform/http/json.js";
import { MemberEntity, MemberSessionEntity } from "../members/member.entity.js";
import { GET_MEMBER } from "../members/members.queries.js";
import { SecurityLog } from "../security-log/security-log.service.js";
import type { LoginDto, SessionDto } from "./sessions.dto.js";
import { verifyPassword } from "./password.js";
import { SignInLimits } from "./sign-in-limits.js";
import {
  ACCESS_SECONDS,
  type AccessClaims,
  mintOpaqueToken,
  readOpaqueToken,
  SessionTokens,
} from "./session-tokens.js";
import {
  END_STOLEN_SESSION,
  FIND_MEMBER_BY_EMAIL,
  GET_PASSWORD_HASH,
  ROTATE_REFRESH_TOKEN,
  SESSION_DAYS,
} from "./sessions.queries.js";

export interface SignedIn {
  session: Json<SessionDto>;
  refreshToken: string;
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly db: Database,
    private readonly tokens: SessionTokens,
    private readonly security: SecurityLog,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * @throws UnauthorizedException: the email or the password is wrong; both take the same time
   * @throws RetryLater: too many sign-ins have failed, see `SignInLimits`
   */
  async login({ email, password, environment = "live" }: LoginDto, sender: Sender): Promise<SignedIn> {
    const attempt = { email, environment, sender };
    await this.limits.count(attempt);
    const [known] = await this.db.global(FIND_MEMBER_BY_EMAIL, { email, environment });
    const caller = known && beginRequest(system("login", known.tenantId, environment), "login", sender);
    const stored = caller && (await this.db.read(caller, GET_PASSWORD_HASH, known)).parse();
    if (!(await verifyPassword(stored?.hash, password)) || !caller) {
      this.limits.failed(attempt);
      throw new UnauthorizedException();
    }
    await this.limits.forget(attempt);
    return this.db.transaction(caller, async (tx) => {
      const sessionId = uuid();
      const { token, hash } = mintOpaqueToken(known.organisationId, sessionId);
      await tx.insert(MemberSessionEntity, {
        organisationId: known.organisationId,
        id: sessionId,
        memberId: known.memberId,
        environment,
        refreshHash: hash,
        expiresAt: () => `now() + interval '${SESSION_DAYS} days'`,
      });
      const { memberId } = known;
      await this.security.record(tx, { type: "signed_in", memberId, actorId: memberId, detail: { sessionId } });
      return { session: await this.open(tx, { ...known, environment, sessionId }), refreshToken: token };
    });
  }

  /** Gives a new access token, and replaces the refresh token. */
  async refresh(presented: string | undefined): Promise<SignedIn> {
    const token = presented === undefined ? null : readOpaqueToken(presented);
    if (!token) throw new UnauthorizedException();
    const { id, organisationId, hash } = token;
    const next = mintOpaqueToken(organisationId, id);
    const signedIn = await this.db.transaction(system("refresh", organisationId, "live"), async (tx) => {
      const [session] = await tx.query(ROTATE_REFRESH_TOKEN, { id, hash, nextHash: next.hash });
      if (session) return { ...session, organisationId, sessionId: id };
      await tx.query(END_STOLEN_SESSION, { id, hash });
      return null;
    });
    if (!signedIn) throw new UnauthorizedException();
    const session = await this.db.transaction(system("refresh", signedIn.tenantId, signedIn.environment), (tx) =>
      this.open(tx, signedIn),
    );
    return { session, refreshToken: next.token };
  }

  private async open(tx: Tx, claims: AccessClaims): Promise<Json<SessionDto>> {
    await tx.update(MemberEntity, { id: claims.memberId }, { lastSeenAt: () => "now()" });
    const member = await tx.read(GET_MEMBER, { id: claims.memberId });
    return new Json(
      `{"accessToken":"${await this.tokens.sign(claims)}","expiresIn":${ACCESS_SECONDS},"member":${member.text}}`,
    );
  }

  /** Ends the session: every process refuses its access token within a second. The member is then offline. */
  async logout(caller: MemberCaller): Promise<void> {
    const { sessionId, memberId } = caller;
    await this.db.transaction(caller, async (tx) => {
      // Tokens of an external issuer have no session to end.
      if (sessionId !== undefined) {
        await tx.update(MemberSessionEntity, { id: sessionId, endedAt: IsNull() }, { endedAt: () => "now()" });
        await this.security.record(tx, { type: "session_ended", memberId, detail: { sessionId } });
      }
      await tx.update(MemberEntity, { id: memberId }, { presence: "offline" });
    });
  }
}
