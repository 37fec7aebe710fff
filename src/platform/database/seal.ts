import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { Config } from "../config/config.js";

const NONCE = 12;
const TAG = 16;
/** The prefix of a value that names its key. Values from before keys had ids start with their nonce. */
const FORMAT = Buffer.from("pk\x01");
const KEY_ID = 4;

const derive = (secretKey: string, name: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", secretKey, "", `parley ${name}`, bytes));

/** An id of a master key. It reveals nothing else about the key. */
export const keyId = (secretKey: string): Buffer => derive(secretKey, "key id", KEY_ID);

interface Key {
  id: Buffer;
  seal: Buffer;
  hash: Buffer;
}

/**
 * AES-256-GCM. The cipher text is bound to its context, such as the id of its row: it cannot be opened in another row.
 * The first master key seals and all of them open, so that you can change keys while the server runs.
 */
export class Sealer {
  private readonly keys: [Key, ...Key[]];

  constructor(secretKeys: readonly string[], purpose: string) {
    this.keys = secretKeys.map((key) => ({
      id: keyId(key),
      seal: derive(key, purpose),
      hash: derive(key, `${purpose} hash`),
    })) as [Key, ...Key[]];
  }

  /** format (3 bytes), key id (4), nonce (12), tag (16), cipher text. Format and key id are authenticated too. */
  seal(value: unknown, context: string): Buffer {
    const [{ id, seal }] = this.keys;
    const head = Buffer.concat([FORMAT, id]);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", seal, nonce).setAAD(Buffer.concat([head, Buffer.from(context)]));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
  }

  /** A keyed hash for finding a row by a sealed value. Without the key, it does not reveal the value. */
  hash(text: string): Buffer {
    return this.hashes(text)[0]!;
  }

  /** The hash under each key, newest key first. An older key may have made the stored hash. */
  hashes(text: string): Buffer[] {
    return this.keys.map(({ hash }) => createHmac("sha256", hash).update(text).digest());
  }

  /** @throws Error if the bytes were changed, belong to another context, or were sealed under an unknown key */
  open<T>(sealed: Buffer, context: string): T {
    const head = sealed.subarray(0, FORMAT.length + KEY_ID);
    const key = sealed.subarray(0, FORMAT.length).equals(FORMAT)
      ? this.keys.find(({ id }) => id.equals(head.subarray(FORMAT.length)))
      : undefined;
    if (key) return unseal(key, sealed.subarray(head.length), Buffer.concat([head, Buffer.from(context)])) as T;
    let refused: unknown;
    for (const older of this.keys) {
      try {
        return unseal(older, sealed, Buffer.from(context)) as T;
      } catch (error) {
        refused = error;
      }
    }
    throw refused;
  }
}

function unseal(key: Key, sealed: Buffer, vouched: Buffer): unknown {
  const decipher = createDecipheriv("aes-256-gcm", key.seal, sealed.subarray(0, NONCE))
    .setAAD(vouched)
    .setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString());
}

/** The prefix of values that are sealed under this key. They do not have to be sealed again. */
export const sealedUnder = (secretKey: string): Buffer => Buffer.concat([FORMAT, keyId(secretKey)]);

/** Makes sealers with the installation's keys. What is sealed for one purpose cannot be opened for another. */
@Injectable()
export class Sealers {
  constructor(private readonly config: Config) {}

  for(purpose: string): Sealer {
    return new Sealer(this.config.secretKeys, purpose);
  }
}
