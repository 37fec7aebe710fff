import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { BadRequestException } from "@nestjs/common";

import { coded } from "./error-codes.js";

const TAG_BYTES = 16;

/**
 * Opaque paging positions. A cursor is signed together with its query (list, tenant, filters, order), so a cursor that was
 * changed, made up or taken from another query is refused.
 */
export class Cursors {
  private readonly keys: Buffer[];

  /** @param secretKeys the first one signs, and all of them verify */
  constructor(secretKeys: readonly string[]) {
    this.keys = secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", "parley cursor", 32)));
  }

  mint(query: string, position: string): string {
    return `${Buffer.from(position).toString("base64url")}.${tag(this.keys[0]!, query, position).toString("base64url")}`;
  }

  /** @throws BadRequestException unless this query gave the cursor */
  open(query: string, cursor: string): unknown[] {
    const [body = "", signature = "", more] = cursor.split(".");
    const position = Buffer.from(body, "base64url").toString();
    const given = Buffer.from(signature, "base64url");
    // Base64 can write the same bytes in several ways. Only ours is accepted.
    const spelling = `${Buffer.from(position).toString("base64url")}.${given.toString("base64url")}`;
    if (
      more !== undefined ||
      spelling !== cursor ||
      given.length !== TAG_BYTES ||
      !this.keys.some((key) => timingSafeEqual(given, tag(key, query, position)))
    ) {
      throw coded(new BadRequestException("cursor is not one that this query gave"), "cursor-foreign");
    }
    return JSON.parse(position) as unknown[];
  }
}

const tag = (key: Buffer, query: string, position: string): Buffer =>
  createHmac("sha256", key).update(`${query}\n${position}`).digest().subarray(0, TAG_BYTES);
