import { Injectable } from "@nestjs/common";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { Config } from "../../platform/config/config.js";
import type { Tx } from "../../platform/database/transaction.js";
import { SecondFactorEntity } from "./second-factor.entity.js";
import { type Methods, USE_PASSKEY } from "./second-factors.queries.js";

type KnownPasskey = Methods["passkeys"][number];

export interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: string;
  transports: string[];
}

/** The library needs 4 MB, so it is read when the first passkey is used. */
const webauthn = () => import("@simplewebauthn/server");

/** Passkeys (WebAuthn). They belong to the host of `PUBLIC_URL`. */
@Injectable()
export class Passkeys {
  private readonly host: string;
  private readonly origins: string[];

  constructor({ publicUrl, CORS_ORIGINS }: Config) {
    const { hostname, origin } = new URL(publicUrl);
    this.host = hostname;
    this.origins = [origin, ...CORS_ORIGINS.map((allowed) => new URL(allowed).origin)];
  }

  /** What the browser makes a new passkey with. A passkey that the member has is not made again. */
  async creation(
    member: { id: string; email: string; name: string },
    known: readonly KnownPasskey[],
  ): Promise<{ challenge: string }> {
    return (await webauthn()).generateRegistrationOptions({
      rpName: "Parley",
      rpID: this.host,
      userID: new Uint8Array(Buffer.from(member.id)),
      userName: member.email,
      userDisplayName: member.name,
      attestationType: "none",
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      excludeCredentials: known.map(({ id }) => ({ id })),
    });
  }

  /** @returns null if the browser's answer does not prove a new passkey for this challenge */
  async created(answer: object, challenge: string): Promise<NewPasskey | null> {
    try {
      const { verified, registrationInfo } = await (
        await webauthn()
      ).verifyRegistrationResponse({
        response: answer as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origins,
        expectedRPID: this.host,
        requireUserVerification: false,
      });
      if (!verified) return null;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString("base64url"),
        counter: String(counter),
        transports: transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
      };
    } catch {
      // The library throws for everything that is not as it should be.
      return null;
    }
  }

  /** What the browser signs in with. */
  async request(known: readonly KnownPasskey[]): Promise<{ challenge: string }> {
    return (await webauthn()).generateAuthenticationOptions({
      rpID: this.host,
      userVerification: "preferred",
      allowCredentials: known.map(({ id, transports }) => ({ id, transports: transports as never })),
    });
  }

  /** Whether a passkey of the member's signed this challenge. A copy of the passkey is noticed by its counter. */
  async accepts(tx: Tx, memberId: string, answer: object, challenge: string): Promise<boolean> {
    const { id: credentialId } = answer as { id?: unknown };
    if (typeof credentialId !== "string") return false;
    const passkey = await tx.findOne(SecondFactorEntity, { memberId, type: "passkey", credentialId });
    if (!passkey?.confirmedAt || passkey.publicKey === null) return false;
    const before = Number(passkey.counter);
    const after = await this.counterOf(answer, challenge, { id: credentialId, publicKey: passkey.publicKey, before });
    return after !== null && (await tx.query(USE_PASSKEY, { id: passkey.id, before, after })).length === 1;
  }

  /** @returns the passkey's counter; null if the answer is not a valid one of this passkey for this challenge */
  private async counterOf(
    answer: object,
    challenge: string,
    { id, publicKey, before }: { id: string; publicKey: string; before: number },
  ): Promise<number | null> {
    try {
      const { verified, authenticationInfo } = await (
        await webauthn()
      ).verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origins,
        expectedRPID: this.host,
        requireUserVerification: false,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: before },
      });
      return verified ? authenticationInfo.newCounter : null;
    } catch {
      return null;
    }
  }
}
