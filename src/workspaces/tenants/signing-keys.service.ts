import { generateKeyPairSync, sign } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { Config } from "../../platform/config/config.js";
import type { Tx } from "../../platform/database/transaction.js";
import { Sealer } from "../../platform/database/seal.js";

interface KeyRow {
  id: string;
  sealed: Buffer;
}

/** What a tenant vouches for. The private key is opened for the moment of signing and leaves the process never. */
@Injectable()
export class SigningKeysService {
  private readonly sealer: Sealer;

  constructor(config: Config) {
    this.sealer = new Sealer(config.secretKeys, "signing key");
  }

  async sign(tx: Tx, bytes: Buffer): Promise<Buffer> {
    await this.ensure(tx);
    const [key] = await tx.query<KeyRow>("select id, sealed from signing_key where tenant_id = :tenant");
    return sign(null, bytes, this.sealer.open<string>(key!.sealed, tx.caller.tenantId + key!.id));
  }

  /** Of two that make the first key at once, one makes it. */
  async ensure(tx: Tx): Promise<void> {
    if ((await tx.query("select 1 from signing_key where tenant_id = :tenant")).length) return;
    const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const id = uuid();
    await tx.query(
      "insert into signing_key (tenant_id, id, public_key, sealed) values (:tenant, :id, :publicKey, :sealed) on conflict (tenant_id) do nothing",
      { id, publicKey, sealed: this.sealer.seal(privateKey, tx.caller.tenantId + id) },
    );
  }
}
