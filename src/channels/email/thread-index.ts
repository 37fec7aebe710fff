import { createCipheriv, createDecipheriv } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { type Sealer, Sealers } from "../../platform/database/seal.js";

/** When the conversation began, and its id. Outlook adds five bytes for each answer. */
const TIME_BYTES = 6;
const ID_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + ID_BYTES;
/** Milliseconds from 1601, where Windows begins to count, to 1970. */
const EPOCH_MS = 11_644_473_600_000n;
const UUID = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/;

/**
 * `Thread-Index`, by which Outlook knows a thread. Some Exchange servers keep it where they drop `In-Reply-To` and `References`. Ours
 * holds the conversation's id, encrypted: one block, so that an index which somebody makes up is the id of no conversation.
 */
@Injectable()
export class ThreadIndexes {
  private readonly sealer: Sealer;

  constructor(sealers: Sealers) {
    this.sealer = sealers.for("thread index");
  }

  of(tenantId: string, conversationId: string): string {
    const id = Buffer.from(conversationId.replaceAll("-", ""), "hex");
    // A UUID of version 7 begins with its time.
    const began = (BigInt(id.readUIntBE(0, 6)) + EPOCH_MS) * 10_000n;
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(began);
    const cipher = createCipheriv("aes-256-ecb", this.keys(tenantId)[0]!, null).setAutoPadding(false);
    const sealed = Buffer.concat([cipher.update(id), cipher.final()]);
    return Buffer.concat([time.subarray(0, TIME_BYTES), sealed]).toString("base64");
  }

  /** The ids of conversations that an index may be of: one for each key. All but one of them do not exist. */
  conversationsOf(tenantId: string, index: string): string[] {
    const bytes = Buffer.from(index, "base64");
    if (bytes.length < HEAD_BYTES) return [];
    return this.keys(tenantId).map((key) => {
      const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      const id = Buffer.concat([decipher.update(bytes.subarray(TIME_BYTES, HEAD_BYTES)), decipher.final()]);
      return UUID.exec(id.toString("hex"))!.slice(1).join("-");
    });
  }

  /** Of a tenant: an index is of no use on another. The newest first. */
  private keys(tenantId: string): Buffer[] {
    return this.sealer.hashes(tenantId);
  }
}
