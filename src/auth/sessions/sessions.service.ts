import { Injectable, UnauthorizedException } from "@nestjs/common";
import { IsNull, Not } from "typeorm";
import type { Environment, MemberCaller } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { MemberEntity, MemberSessionEntity } from "../members/member.entity.js";
import { announcePresence } from "../members/presence-changed.js";
import { LOCK_ADDRESS } from "../members/member-emails.queries.js";
import { SecondFactorSignIn } from "../second-factors/second-factor-sign-in.js";
import type { SecondFactorNeededDto } from "../second-factors/second-factors.dto.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { deviceName } from "./device.js";
import { findMembers } from "./find-members.js";
import { firstMatch } from "./password.js";
import { RefreshTokens } from "./refresh-tokens.js";
import { SessionOpener, type SignedIn } from "./session-opener.js";
import type { LoginDto } from "./sessions.dto.js";
import { type Attempt, SignInLimits } from "./sign-in-limits.js";
import {
  END_STOLEN_SESSION,
  type Candidate,
  GET_PASSWORD_HASH,
  MAX_CANDIDATES,
  ROTATE_REFRESH_TOKEN,
} from "./sessions.queries.js";

@Injectable()
export class SessionsService {
  constructor(
    private readonly db: Database,
    private readonly opener: SessionOpener,
    private readonly refreshTokens: RefreshTokens,
    private readonly security: SecurityLogService,
    private readonly limits: SignInLimits,
    private readonly secondFactors: SecondFactorSignIn,
    private readonly changes: Changes,
  ) {}

  /**
   * @returns a session, or what a member with a second factor has to do next
   * @throws UnauthorizedException: the email or the password is wrong; both take the same time
   * @throws RetryLater: too many sign-ins have failed, see `SignInLimits`
   */
  login(
    { email, password, environment = "live" }: LoginDto,
    sender: Sender,
  ): Promise<SignedIn | Json<SecondFactorNeededDto>> {
    const attempt = { email, environment, sender };
    return this.limits.counted(attempt, () => this.signIn(attempt, password));
  }

  private async signIn(attempt: Attempt, password: string): Promise<SignedIn | Json<SecondFactorNeededDto>> {
    const { email, environment, sender } = attempt;
    const candidates = await findMembers(this.db, email, environment);
    const stored = await Promise.all(candidates.map((candidate) => this.passwordOf(candidate, environment)));
    const match = await firstMatch(stored, MAX_CANDIDATES, password);
    const known = candidates[match];
    if (!known) {
      this.limits.failed(attempt);
      throw new UnauthorizedException();
    }
    const caller = beginRequest(system("login", known.tenantId, environment), "login", sender);
    const member = { ...known, environment };
    const answer = await this.db.transaction(caller, async (tx) => {
      // A reset may have replaced the password since, and has ended all sessions.
      const [locked] = await tx.query(LOCK_ADDRESS, known);
      if (!locked || locked.passwordHash !== stored[match]) throw new UnauthorizedException();
      return (await this.secondFactors.begin(tx, member)) ?? this.opener.start(tx, member, sender);
    });
    // Whoever only knows the password does not get the tries back that a second factor counts.
    if (answer instanceof Json) await this.limits.passwordWasRight(attempt);
    else await this.limits.forget(attempt);
    return answer;
  }

  private async passwordOf(candidate: Candidate, environment: Environment): Promise<string | null> {
    const caller = system("login", candidate.tenantId, environment);
    return (await this.db.read(caller, GET_PASSWORD_HASH, candidate)).parse().hash;
  }

  /**
   * Gives a new access token and the next refresh token. A repeat gets the same refresh token again, because the answer may
   * have been lost; see `ROTATE_REFRESH_TOKEN`.
   */
  async refresh(presented: string | undefined, environment: Environment, sender: Sender): Promise<SignedIn> {
    const token = presented === undefined ? null : this.refreshTokens.open(presented);
    if (!token) throw new UnauthorizedException();
    const { sessionId, organisationId, number } = token;
    const device = deviceName(sender.userAgent);
    const rotation = {
      id: sessionId,
      environment,
      number,
      device,
      address: sender.address,
      ...this.opener.longestHours,
    };
    const caller = beginRequest(system("refresh", organisationId, "live"), "refresh", sender);
    const claims = await this.db.transaction(caller, async (tx) => {
      const [session] = await tx.query(ROTATE_REFRESH_TOKEN, rotation);
      if (session) return { ...session, organisationId, sessionId };
      const [stolen] = await tx.query(END_STOLEN_SESSION, { id: sessionId, number });
      if (stolen) await this.security.record(tx, { type: "refresh_token_reused", ...stolen, detail: { sessionId } });
      return null;
    });
    if (!claims) throw new UnauthorizedException();
    return this.db.transaction(system("refresh", claims.tenantId, claims.environment), (tx) =>
      this.opener.tokensFor(tx, claims),
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
      if (await tx.update(MemberEntity, { id: memberId, presence: Not("offline") }, { presence: "offline" }))
        await announcePresence(tx, this.changes, { memberId, presence: "offline" });
    });
  }
}
