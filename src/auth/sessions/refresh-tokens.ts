import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { parse, stringify } from "uuid";
import { Config } from "../../platform/config/config.js";

/** Ids of the organisation and the session, and the number of the token. A signature follows. */
const CONTENT_BYTES = 16 + 16 + 4;
const TAG_BYTES = 32;

export interface RefreshToken {
  organisationId: string;
  sessionId: string;
  /** 1, 2, 3 …: each refresh gives the next one. */
  number: number;
}

/**
 * Signed tokens that name their session and their number in it. They are not stored, and the same number is always the
 * same token. So the server can repeat an answer that was lost.
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: Buffer[];

  constructor(config: Config) {
    this.keys = config.secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", "parley refresh token", 32)));
  }

  mint({ organisationId, sessionId, number }: RefreshToken): string {
    const content = Buffer.alloc(CONTENT_BYTES);
    content.set(parse(organisationId), 0);
    content.set(parse(sessionId), 16);
    content.writeUInt32BE(number, 32);
    return Buffer.concat([content, tag(this.keys[0]!, content)]).toString("base64url");
  }

  /** @returns null if this server did not sign it */
  open(token: string): RefreshToken | null {
    const bytes = Buffer.from(token, "base64url");
    // Base64 can write the same bytes in several ways; accept only our own.
    if (bytes.length !== CONTENT_BYTES + TAG_BYTES || bytes.toString("base64url") !== token) return null;
    const content = bytes.subarray(0, CONTENT_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(bytes.subarray(CONTENT_BYTES), tag(key, content)))) return null;
    return {
      organisationId: stringify(content, 0),
      sessionId: stringify(content, 16),
      number: content.readUInt32BE(32),
    };
  }
}

const tag = (key: Buffer, content: Buffer): Buffer => createHmac("sha256", key).update(content).digest();
