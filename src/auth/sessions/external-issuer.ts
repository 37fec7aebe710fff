import { Injectable, ServiceUnavailableException } from "@nestjs/common";
import { isEmail } from "class-validator";
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import { Config } from "../../platform/config/config.js";

const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const TIMEOUT_MS = 5_000;
/** jose's codes for a key set that cannot be loaded or is invalid. Any other code means that the token is invalid. */
const KEYS_MISSING = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

export interface VerifiedToken {
  issuer: string;
  /** The account's id at the issuer. */
  subject: string;
  /** In lower case; null if the issuer has not verified it. */
  email: string | null;
  /** When the member signed in: milliseconds since 1970. */
  signedInAt: number;
}

/** Verifies tokens of the configured OpenID Connect provider with the keys that it publishes. */
@Injectable()
export class ExternalIssuer {
  private keys?: Promise<JWTVerifyGetKey>;

  constructor(private readonly config: Config) {}

  /** Whether the token names this issuer. It is not verified yet. */
  claims(token: string): boolean {
    const { OIDC_ISSUER } = this.config;
    if (!OIDC_ISSUER) return false;
    try {
      return decodeJwt(token).iss === OIDC_ISSUER;
    } catch {
      return false;
    }
  }

  /**
   * @returns null if the token is invalid
   * @throws ServiceUnavailableException while the provider's keys cannot be loaded
   */
  async verify(token: string): Promise<VerifiedToken | null> {
    const { OIDC_ISSUER, OIDC_AUDIENCE } = this.config;
    try {
      const keys = await (this.keys ??= this.discovered());
      const { payload } = await jwtVerify(token, keys, {
        issuer: OIDC_ISSUER,
        audience: OIDC_AUDIENCE,
        algorithms: ALGORITHMS,
        requiredClaims: ["exp", "sub"],
      });
      return verifiedFrom(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError && !KEYS_MISSING.has(error.code)) return null;
      throw new ServiceUnavailableException("The sign-in provider cannot be reached; try again");
    }
  }

  /** Repeats the discovery after a failure. Once it succeeded, the keys are kept through later failures. */
  private discovered(): Promise<JWTVerifyGetKey> {
    const keys = discover(this.config.OIDC_ISSUER!);
    keys.catch(() => {
      this.keys = undefined;
    });
    return keys;
  }
}

/** What the claims of a token say, whose signature, issuer, audience and time have been verified. */
export function verifiedFrom(claims: JWTPayload): VerifiedToken {
  const isVerified = claims.email_verified === true && typeof claims.email === "string" && isEmail(claims.email);
  return {
    issuer: claims.iss!,
    subject: claims.sub!,
    email: isVerified ? (claims.email as string).toLowerCase() : null,
    signedInAt: signedInAt(claims),
  };
}

/** `auth_time` says when the member signed in. An issuer that leaves it out vouches with the time of the token. */
function signedInAt({ auth_time: authTime, iat }: JWTPayload): number {
  if (authTime !== undefined) return typeof authTime === "number" ? authTime * 1_000 : -Infinity;
  return iat === undefined ? -Infinity : iat * 1_000;
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "error",
  });
  if (!response.ok) throw new Error(`discovery answered ${response.status}`);
  const { issuer: named, jwks_uri } = (await response.json()) as { issuer?: string; jwks_uri?: string };
  if (named !== issuer || !jwks_uri) throw new Error("discovery names another issuer");
  return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: TIMEOUT_MS });
}
