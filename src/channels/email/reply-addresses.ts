import { timingSafeEqual } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import { withoutTag } from "../../conversations/participants/addresses.js";
import { isOwn } from "./mail-headers.js";

const TAG_BYTES = 16;
/** What stands before the @ of an address. */
const MAX_LOCAL = 64;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const TAG = /^[a-z2-7]{26}$/;

/** The message of ours that is answered. An id belongs to one side of one tenant, so a tag is of no use on another. */
export interface Answered {
  tenantId: string;
  conversationId: string;
  messageId: string;
}

/**
 * The address that an answer to one message of ours goes to, `box+TAG@example.com`. Only who got the mail knows the tag. It is in
 * letters that survive a server which writes addresses in lower case.
 */
@Injectable()
export class ReplyAddresses {
  private readonly sealer: Sealer;

  constructor(sealers: Sealers) {
    this.sealer = sealers.for("reply address");
  }

  /** @returns undefined if the address would be too long */
  of(box: string, answered: Answered): string | undefined {
    const at = box.lastIndexOf("@");
    const local = `${box.slice(0, at)}+${encoded(this.tags(answered)[0]!)}`;
    return local.length <= MAX_LOCAL ? local + box.slice(at) : undefined;
  }

  /** Whether one of these addresses is of this mailbox and was made for an answer to this message. */
  prove(addresses: readonly string[], box: string, answered: Answered): boolean {
    const given = addresses
      .filter((address) => address !== withoutTag(address) && isOwn(withoutTag(address), box))
      .map((address) => address.slice(address.indexOf("+") + 1, address.lastIndexOf("@")))
      .filter((tag) => TAG.test(tag));
    if (!given.length) return false;
    const right = this.tags(answered).map((tag) => Buffer.from(encoded(tag)));
    return given.some((tag) => right.some((one) => timingSafeEqual(one, Buffer.from(tag))));
  }

  /** Under each key, the newest first. */
  private tags({ tenantId, conversationId, messageId }: Answered): Buffer[] {
    return this.sealer.hashes([tenantId, conversationId, messageId].join(" ")).map((tag) => tag.subarray(0, TAG_BYTES));
  }
}

/** Base32 without padding. */
function encoded(bytes: Buffer): string {
  let text = "";
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    held += 8;
    for (; held >= 5; held -= 5) text += ALPHABET[(bits >> (held - 5)) & 31];
    bits &= (1 << held) - 1;
  }
  return held ? text + ALPHABET[(bits << (5 - held)) & 31] : text;
}
