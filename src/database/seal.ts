import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM, bound to the row that it stands in: moved to another row it does not open. */
export class Sealer {
  private readonly key: Buffer;
  private readonly hashKey: Buffer;

  constructor(secretKey: string, purpose: string) {
    const derive = (name: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', `parley ${name}`, 32));
    this.key = derive(purpose);
    this.hashKey = derive(`${purpose} hash`);
  }

  /** nonce (12 bytes), tag (16 bytes), cipher text */
  seal(value: unknown, row: string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(row));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]);
  }

  /** Keyed hash: finds a row by something that is sealed in it, and tells nobody without the key what that is. */
  hash(text: string): Buffer {
    return createHmac('sha256', this.hashKey).update(text).digest();
  }

  /** @throws Error where the bytes were changed, belong to another row, or the key is another */
  open<T>(sealed: Buffer, row: string): T {
    const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, NONCE)).setAAD(Buffer.from(row)).setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
    return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString()) as T;
  }
}
