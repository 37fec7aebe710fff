import { BadRequestException, ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { requestOf } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { Totp } from "../second-factors/totp.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { verifyPassword } from "./password.js";
import type { ReauthenticateDto } from "./sessions.dto.js";
import { GET_OWN_PASSWORD, RENEW_SIGN_IN } from "./sessions.queries.js";
import { SignInLimits } from "./sign-in-limits.js";

/** Members prove again who they are, before something that a stolen token alone must not be enough for. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly db: Database,
    private readonly limits: SignInLimits,
    private readonly totp: Totp,
    private readonly security: SecurityLogService,
  ) {}

  /**
   * @throws UnauthorizedException: the password or the code is wrong, or the session has ended
   * @throws ConflictException: an external issuer signed the member in
   * @throws RetryLater: too many sign-ins have failed, or too many codes were wrong
   */
  async renew(caller: MemberCaller, { password, code }: ReauthenticateDto): Promise<Json<Ok>> {
    const { sessionId, memberId, environment } = caller;
    if ((password === undefined) === (code === undefined))
      throw new BadRequestException("Send either password or code");
    if (sessionId === undefined) throw new ConflictException("Sign in again at your sign-in provider");
    const [member] = await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      return tx.query(GET_OWN_PASSWORD, { memberId });
    });
    if (!member) throw new UnauthorizedException();
    const attempt = { email: member.email, environment, sender: requestOf(caller)!.sender! };
    const renew = async (tx: Tx, passwordFits: boolean): Promise<Json<Ok> | null> => {
      const fits = code === undefined ? passwordFits : await this.totp.accepts(tx, caller, code, { confirmed: true });
      if (!fits || !(await tx.query(RENEW_SIGN_IN, { memberId, sessionId })).length) return null;
      const by = code === undefined ? "password" : "totp";
      await this.security.record(tx, { type: "reauthenticated", memberId, detail: { sessionId, by } });
      return ok();
    };
    const renewed = await this.limits.counted(attempt, async () => {
      const passwordFits = password !== undefined && (await verifyPassword(member.passwordHash, password));
      return this.db.transaction(caller, (tx) => renew(tx, passwordFits));
    });
    if (!renewed) {
      this.limits.failed(attempt);
      throw new UnauthorizedException();
    }
    await this.limits.forget(attempt);
    return renewed;
  }
}
