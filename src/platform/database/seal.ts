import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const NONCE = 12;
const TAG = 16;
/** Begins what is sealed under a key that it names. What was sealed before keys had names begins with its nonce. */
const FORMAT = Buffer.from("pk\x01");
const KEY_ID = 4;

const derive = (secretKey: string, name: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", secretKey, "", `parley ${name}`, bytes));

/** Tells master keys apart, and nothing else about them. */
const keyId = (secretKey: string): Buffer => derive(secretKey, "key id", KEY_ID);

interface Key {
  id: Buffer;
  seal: Buffer;
  hash: Buffer;
}

/**
 * AES-256-GCM, bound to the row that it stands in: moved to another row it does not open. It seals under the first of the
 * master keys and opens under all of them, so that the keys can change while everything runs.
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

  /** format (3 bytes), key id (4), nonce (12), tag (16), cipher text; format and key id are vouched for too */
  seal(value: unknown, row: string): Buffer {
    const [{ id, seal }] = this.keys;
    const head = Buffer.concat([FORMAT, id]);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", seal, nonce).setAAD(Buffer.concat([head, Buffer.from(row)]));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
  }

  /** Keyed hash: finds a row by something that is sealed in it, and tells nobody without the key what that is. */
  hash(text: string): Buffer {
    return this.hashes(text)[0]!;
  }

  /** The same under each key, the newest first: for what may have been hashed under an older one. */
  hashes(text: string): Buffer[] {
    return this.keys.map(({ hash }) => createHmac("sha256", hash).update(text).digest());
  }

  /** @throws Error where the bytes were changed, belong to another row, or the key is none of ours */
  open<T>(sealed: Buffer, row: string): T {
    const head = sealed.subarray(0, FORMAT.length + KEY_ID);
    const key = sealed.subarray(0, FORMAT.length).equals(FORMAT)
      ? this.keys.find(({ id }) => id.equals(head.subarray(FORMAT.length)))
      : undefined;
    if (key) return unseal(key, sealed.subarray(head.length), Buffer.concat([head, Buffer.from(row)])) as T;
    let refused: unknown;
    for (const older of this.keys) {
      try {
        return unseal(older, sealed, Buffer.from(row)) as T;
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

/** What is sealed under this key, and need not be sealed anew, begins with these bytes. */
export const sealedUnder = (secretKey: string): Buffer => Buffer.concat([FORMAT, keyId(secretKey)]);
