import { Injectable } from "@nestjs/common";
import { Secret, TOTP } from "otpauth";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import type { Tx } from "../../platform/database/transaction.js";
import { RetryLater } from "../../platform/http/errors.js";
import { COUNT_CODE, type CountedCode, MAX_WRONG_CODES, USE_CODE } from "./second-factors.queries.js";

const PERIOD_SECONDS = 30;
/** The purpose of the seal. */
export const TOTP_SEAL = "second factors";
/** What the seal of a secret is bound to. */
export const totpSealContext = (organisationId: string, id: string): string => organisationId + id;

/** What every authenticator app understands: SHA-1, 6 digits, 30 seconds. */
const appOf = (secret: Secret, email = ""): TOTP =>
  new TOTP({ issuer: "Parley", label: email, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS, secret });

interface Member {
  organisationId: string;
  memberId: string;
}

/** Authenticator apps. */
@Injectable()
export class Totp {
  private readonly sealer: Sealer;

  constructor(sealers: Sealers) {
    this.sealer = sealers.for(TOTP_SEAL);
  }

  /** A new secret of 160 bits, to show once and to store. */
  make(organisationId: string, id: string, email: string): { secret: string; url: string; sealed: Buffer } {
    const secret = new Secret({ size: 20 });
    const sealed = this.sealer.seal(secret.base32, totpSealContext(organisationId, id));
    return { secret: secret.base32, url: appOf(secret, email).toString(), sealed };
  }

  /**
   * Whether the code is the app's now, or half a minute ago or ahead, and was not used before. It counts the try.
   * @param confirmed false while the member adds the app
   * @throws RetryLater: too many codes were wrong; passkeys and recovery codes still work
   */
  async accepts(tx: Tx, member: Member, code: string, which: { confirmed: boolean }): Promise<boolean> {
    const app = await this.count(tx, member, which);
    return app !== undefined && this.uses(tx, member, app, code);
  }

  /**
   * Counts a try, which must be committed even if the code is wrong.
   * @returns undefined if the member has no such app
   * @throws RetryLater
   */
  async count(tx: Tx, { memberId }: Member, { confirmed }: { confirmed: boolean }): Promise<CountedCode | undefined> {
    const [app] = await tx.query(COUNT_CODE, { memberId, confirmed });
    if (app && app.tries > MAX_WRONG_CODES)
      throw new RetryLater("Too many wrong codes; use a passkey or a recovery code, or wait", Math.max(app.wait, 1));
    return app;
  }

  /** Whether the code is right. If it is, it is used, and the app is confirmed. */
  async uses(tx: Tx, { organisationId }: Member, app: CountedCode, code: string): Promise<boolean> {
    const secret = Secret.fromBase32(this.sealer.open<string>(app.sealed, totpSealContext(organisationId, app.id)));
    const now = Date.now();
    const steps = appOf(secret).validate({ token: code, window: 1, timestamp: now });
    if (steps === null) return false;
    const step = Math.floor(now / 1_000 / PERIOD_SECONDS) + steps;
    return (await tx.query(USE_CODE, { id: app.id, step })).length === 1;
  }
}
