import { BadRequestException, Injectable, UnauthorizedException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Environment } from "../../platform/caller/caller.js";
import { system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Json } from "../../platform/http/json.js";
import { LOCK_ADDRESS } from "../members/member-emails.queries.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { SessionOpener, type SignedIn } from "../sessions/session-opener.js";
import { mintOpaqueToken, readOpaqueToken } from "../sessions/session-tokens.js";
import { SignInLimits } from "../sessions/sign-in-limits.js";
import { Passkeys } from "./passkeys.js";
import { hashOfRecoveryCode } from "./recovery-codes.js";
import { PendingSignInEntity } from "./second-factor.entity.js";
import type { CompleteSignInDto, Method, SecondFactorNeededDto } from "./second-factors.dto.js";
import { GET_METHODS, TRY_PENDING, USE_RECOVERY_CODE } from "./second-factors.queries.js";
import { Totp } from "./totp.js";

const PENDING_SECONDS = 300;

interface Member {
  organisationId: string;
  memberId: string;
  tenantId: string;
  environment: Environment;
}

/** The second half of a sign-in, for members who have a second factor. */
@Injectable()
export class SecondFactorSignIn {
  constructor(
    private readonly db: Database,
    private readonly totp: Totp,
    private readonly passkeys: Passkeys,
    private readonly opener: SessionOpener,
    private readonly limits: SignInLimits,
    private readonly security: SecurityLogService,
  ) {}

  /** After the right password. @returns null if the member has no second factor */
  async begin(tx: Tx, { organisationId, memberId, environment }: Member): Promise<Json<SecondFactorNeededDto> | null> {
    const [found] = await tx.query(GET_METHODS, { memberId });
    const { types, passkeys, recoveryCodes } = found!;
    if (!types.length) return null;
    const id = uuid();
    const { token, hash } = mintOpaqueToken(organisationId, id);
    const passkeyOptions = passkeys.length ? await this.passkeys.request(passkeys) : null;
    tx.changesNothingVisible();
    await tx.insert(PendingSignInEntity, {
      organisationId,
      id,
      memberId,
      environment,
      tokenHash: hash,
      challenge: passkeyOptions?.challenge ?? null,
      expiresAt: () => `now() + interval '${PENDING_SECONDS} seconds'`,
    });
    const methods: Method[] = [...types, ...(recoveryCodes ? (["recovery_code"] as const) : [])];
    return Json.of({ secondFactor: { token, expiresIn: PENDING_SECONDS, methods, passkeyOptions } });
  }

  /**
   * @throws UnauthorizedException: the token is not valid, or the second factor is wrong; the two look the same
   * @throws RetryLater: too many sign-ins have failed, or too many codes were wrong
   */
  async complete({ token, ...proof }: CompleteSignInDto, sender: Sender): Promise<SignedIn> {
    if (Object.values(proof).filter((one) => one !== undefined).length !== 1)
      throw new BadRequestException("Send exactly one of code, recoveryCode and passkey");
    const secret = readOpaqueToken(token);
    if (!secret) throw new UnauthorizedException();
    const { organisationId, id } = secret;
    const [pending] = await this.db.transaction(system("login", organisationId, "live"), async (tx) => {
      tx.changesNothingVisible();
      return tx.query(TRY_PENDING, { id, tokenHash: secret.hash });
    });
    if (!pending) throw new UnauthorizedException();
    const { tenantId, environment, challenge } = pending;
    const attempt = { email: pending.email, environment, sender };
    const member = { organisationId, memberId: pending.memberId, tenantId, environment };
    const caller = beginRequest(system("login", tenantId, environment), "login", sender);
    const signIn = async (tx: Tx): Promise<SignedIn | null> => {
      // Before any other row: whatever removes second factors or sign-ins under way locks the member first, too.
      await tx.query(LOCK_ADDRESS, member);
      if (!(await this.proves(tx, member, proof, challenge))) return null;
      // Of two right answers at the same time, one finds the row. What the other used is undone.
      if (!(await tx.delete(PendingSignInEntity, { id }))) throw new UnauthorizedException();
      return this.opener.start(tx, member, sender);
    };
    const signedIn = await this.limits.counted(attempt, () => this.db.transaction(caller, signIn));
    if (!signedIn) {
      this.limits.failed(attempt);
      throw new UnauthorizedException();
    }
    await this.limits.forget(attempt);
    return signedIn;
  }

  private async proves(
    tx: Tx,
    member: Member,
    { code, recoveryCode, passkey }: Omit<CompleteSignInDto, "token">,
    challenge: string | null,
  ): Promise<boolean> {
    const { memberId } = member;
    if (code !== undefined) return this.totp.accepts(tx, member, code, { confirmed: true });
    if (passkey !== undefined) return challenge !== null && this.passkeys.accepts(tx, memberId, passkey, challenge);
    const [used] = await tx.query(USE_RECOVERY_CODE, { memberId, hash: hashOfRecoveryCode(recoveryCode!) });
    if (!used) return false;
    await this.security.record(tx, { type: "recovery_code_used", memberId, actorId: memberId, detail: { ...used } });
    return true;
  }
}
