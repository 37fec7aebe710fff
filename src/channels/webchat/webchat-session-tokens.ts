import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { parse, stringify } from "uuid";
import { Config } from "../../platform/config/config.js";

/** Ids of tenant, channel and session; the number of the token; its expiry in seconds since 1970. A signature follows. */
const CONTENT_BYTES = 16 * 3 + 4 + 4;
const TAG_BYTES = 32;

export interface WebchatSessionToken {
  tenantId: string;
  channelId: string;
  sessionId: string;
  /** 1, 2, 3 …: each rotation gives the next one. */
  number: number;
  /** Seconds since 1970. */
  expires: number;
}

/** Signed tokens that name their session and their number in it. They are not stored. */
@Injectable()
export class WebchatSessionTokens {
  private readonly keys: Buffer[];

  constructor(config: Config) {
    this.keys = config.secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", "parley webchat session", 32)));
  }

  mint({ tenantId, channelId, sessionId, number, expires }: WebchatSessionToken): string {
    const content = Buffer.alloc(CONTENT_BYTES);
    [tenantId, channelId, sessionId].forEach((id, index) => content.set(parse(id), index * 16));
    content.writeUInt32BE(number, 48);
    content.writeUInt32BE(expires, 52);
    return Buffer.concat([content, tag(this.keys[0]!, content)]).toString("base64url");
  }

  /** @returns undefined if this server did not sign it */
  open(token: string): WebchatSessionToken | undefined {
    const bytes = Buffer.from(token, "base64url");
    // Base64 can write the same bytes in several ways; accept only our own.
    if (bytes.length !== CONTENT_BYTES + TAG_BYTES || bytes.toString("base64url") !== token) return undefined;
    const content = bytes.subarray(0, CONTENT_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(bytes.subarray(CONTENT_BYTES), tag(key, content)))) return undefined;
    const [tenantId, channelId, sessionId] = [0, 16, 32].map((at) => stringify(content, at)) as [
      string,
      string,
      string,
    ];
    return { tenantId, channelId, sessionId, number: content.readUInt32BE(48), expires: content.readUInt32BE(52) };
  }
}

const tag = (key: Buffer, content: Buffer): Buffer => createHmac("sha256", key).update(content).digest();
