import { createHash } from "node:crypto";
import { HttpException, UnauthorizedException } from "@nestjs/common";
import { isEmail } from "class-validator";
import { errors, jwtVerify } from "jose";
import { stringify } from "uuid";

/** A signature may be valid for an hour at most, so that an old one is of no use to its finder. */
const MAX_IDENTITY_SECONDS = 3_600;

/** Who a visitor is, signed by the customer's server. */
export interface VisitorIdentity {
  externalId: string;
  name: string | null;
  email: string | undefined;
}

/** @throws UnauthorizedException: something is wrong with it; the answer does not say what */
export async function verifyIdentity(jwt: string, secret: string | undefined): Promise<VisitorIdentity> {
  if (secret === undefined) throw new UnauthorizedException();
  try {
    const {
      payload: { sub, exp, iat, name, email },
    } = await jwtVerify(jwt, new TextEncoder().encode(secret), {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "exp"],
      clockTolerance: 5,
    });
    const now = Date.now() / 1_000;
    if (!isText(sub, 255) || exp! > now + MAX_IDENTITY_SECONDS || (iat !== undefined && iat > now + 60))
      throw new UnauthorizedException();
    if ((name !== undefined && !isText(name, 200)) || (email !== undefined && !isEmail(email)))
      throw new UnauthorizedException();
    return { externalId: sub, name: name ?? null, email: (email as string | undefined)?.toLowerCase() };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof HttpException) throw new UnauthorizedException();
    throw error;
  }
}

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === "string" &&
  value.trim().length > 0 &&
  value.length <= maxLength &&
  !value.includes("\0") &&
  value.isWellFormed();

/** The visitor id of a signed visitor: a UUID that is the same on all of their devices. */
export const visitorIdOf = (channelId: string, externalId: string): string =>
  stringify(
    createHash("sha256")
      .update(`${channelId} ${externalId}`)
      .digest()
      .subarray(0, 16)
      .map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x80 : at === 8 ? (byte & 0x3f) | 0x80 : byte)),
  );
