import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { parse, stringify } from "uuid";
import { Config } from "../../platform/config/config.js";
import type { FileKey } from "./attachment-store.js";

/** Tenant, id and the expiry in seconds since 1970. The signature follows. */
const CONTENT_BYTES = 16 + 16 + 4;
const TAG_BYTES = 32;
const PATH = "/api/public/attachments/";

interface Link extends FileKey {
  expires: number;
}

/** URLs that let anyone download one file until they expire. */
@Injectable()
export class Links {
  private readonly keys: Buffer[];

  constructor(private readonly config: Config) {
    this.keys = config.secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", "parley attachment link", 32)));
  }

  urlOf({ tenantId, id, expires }: Link): string {
    const content = Buffer.alloc(CONTENT_BYTES);
    content.set(parse(tenantId), 0);
    content.set(parse(id), 16);
    content.writeUInt32BE(expires, 32);
    return `${this.config.publicUrl}${PATH}${Buffer.concat([content, tag(this.keys[0]!, content)]).toString("base64url")}`;
  }

  /** @returns undefined if the token was not made here */
  open(token: string): Link | undefined {
    const bytes = Buffer.from(token, "base64url");
    // Base64 can write the same bytes in several ways. Only ours is accepted.
    if (bytes.length !== CONTENT_BYTES + TAG_BYTES || bytes.toString("base64url") !== token) return undefined;
    const content = bytes.subarray(0, CONTENT_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(bytes.subarray(CONTENT_BYTES), tag(key, content)))) return undefined;
    return { tenantId: stringify(content, 0), id: stringify(content, 16), expires: content.readUInt32BE(32) };
  }
}

const tag = (key: Buffer, content: Buffer): Buffer => createHmac("sha256", key).update(content).digest();
