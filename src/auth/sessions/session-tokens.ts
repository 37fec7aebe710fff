import { hash, hkdfSync, randomBytes } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { jwtVerify, SignJWT } from "jose";
import { parse, stringify } from "uuid";
import type { Environment } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";

/** Seconds that an access token is valid. */
export const ACCESS_SECONDS = 900;
const ISSUER = "parley";

export interface AccessClaims {
  memberId: string;
  organisationId: string;
  tenantId: string;
  environment: Environment;
  sessionId: string;
  /** The number of the refresh token that came with it. */
  number: number;
}

/**
 * A token of 64 bytes: the ids of the organisation and of the row that it belongs to, and 32 random bytes. The row stores
 * its SHA-256.
 */
export interface OpaqueToken {
  organisationId: string;
  id: string;
  hash: string;
}

/** Signs and verifies access tokens (JWT). */
@Injectable()
export class SessionTokens {
  private readonly keys: Uint8Array[];

  constructor(config: Config) {
    this.keys = config.secretKeys.map((key) => new Uint8Array(hkdfSync("sha256", key, "", "parley session", 32)));
  }

  sign({ memberId, organisationId, tenantId, environment, sessionId, number }: AccessClaims): Promise<string> {
    return new SignJWT({ org: organisationId, tid: tenantId, env: environment, sid: sessionId, num: number })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER)
      .setSubject(memberId)
      .setIssuedAt()
      .setExpirationTime(`${ACCESS_SECONDS}s`)
      .sign(this.keys[0]!);
  }

  /** @returns null for a token that we did not sign, that was changed, or that has expired */
  async verify(token: string): Promise<AccessClaims | null> {
    for (const key of this.keys) {
      const claims = await claimsOf(token, key);
      if (claims) return claims;
    }
    return null;
  }
}

async function claimsOf(token: string, key: Uint8Array): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      algorithms: ["HS256"],
      requiredClaims: ["sub", "exp"],
    });
    return {
      memberId: payload.sub!,
      organisationId: payload.org as string,
      tenantId: payload.tid as string,
      environment: payload.env as Environment,
      sessionId: payload.sid as string,
      number: payload.num as number,
    };
  } catch {
    return null;
  }
}

/** For invitations and links: the token to send, and the hash to store. */
export function mintOpaqueToken(organisationId: string, id: string): { token: string; hash: string } {
  const token = Buffer.concat([parse(organisationId), parse(id), randomBytes(32)]).toString("base64url");
  return { token, hash: sha256(token) };
}

/** Reads what the token says. The caller compares the hash with the row's. @returns null for anything that is no such token */
export function readOpaqueToken(token: string): OpaqueToken | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 64 || bytes.toString("base64url") !== token) return null;
  try {
    return {
      organisationId: stringify(bytes.subarray(0, 16)),
      id: stringify(bytes.subarray(16, 32)),
      hash: sha256(token),
    };
  } catch {
    return null;
  }
}

const sha256 = (text: string): string => hash("sha256", text);
