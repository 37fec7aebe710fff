import { generateKeyPairSync, sign } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import type { Tx } from "../../platform/database/transaction.js";
import { SigningKeyEntity } from "./signing-key.entity.js";

/** Signs in a tenant's name. The private key is decrypted only to sign, and never leaves the process. */
@Injectable()
export class SigningKeysService {
  private readonly sealer: Sealer;

  constructor(sealers: Sealers) {
    this.sealer = sealers.for("signing key");
  }

  async sign(tx: Tx, bytes: Buffer): Promise<Buffer> {
    await this.ensure(tx);
    const { id, sealed } = await tx.findOrThrow(SigningKeyEntity, {});
    return sign(null, bytes, this.sealer.open<string>(sealed, tx.caller.tenantId + id));
  }

  /** Makes the tenant's key unless there is one. If two requests do so at the same time, one key is kept. */
  async ensure(tx: Tx): Promise<void> {
    if (await tx.findOne(SigningKeyEntity, {})) return;
    const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const id = uuid();
    const sealed = this.sealer.seal(privateKey, tx.caller.tenantId + id);
    await tx.insertOrIgnore(SigningKeyEntity, { id, publicKey, sealed });
  }
}
