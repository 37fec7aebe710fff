import { BadRequestException } from "@nestjs/common";
import { type Fields, GrowingBytes, type Wanted, wholeOf } from "./growing-bytes.js";

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST] = Buffer.from('"\\:,{[}]');
const [LETTER_U] = Buffer.from("u");
/** What stands behind a backslash, and what it means. */
const ESCAPES = new Map([...'"\\/bfnrt'].map((letter, n) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(n)]));
const MAX_KEY_BYTES = 100;
const NONE = -1;
/** White space in JSON is this and less. */
const SPACE = 0x20;
const NOT_JSON = "The body is not a JSON object";

/**
 * Reads strings of a JSON object while it arrives, and keeps nothing else of it: a mail of 35 MB comes with its files a second
 * time. What it passes over it does not check, so it takes more than JSON.
 */
export class JsonStrings {
  private readonly found: Record<string, GrowingBytes> = {};
  private depth = 0;
  private inString = false;
  /** How much of an escape is still to come: of its letter, or of its hexadecimal digits. */
  private escape = 0;
  private code = 0;
  /** The first half of a pair that stands for one character. */
  private high = 0;
  /** At the top: what comes next is a key. */
  private isKey = false;
  private readonly key = new GrowingBytes(MAX_KEY_BYTES, "The name of a field");
  private name = "";
  /** What the string that is being read is kept in, if it is kept. */
  private into: GrowingBytes | undefined;
  private hasEnded = false;

  constructor(private readonly wanted: Wanted) {}

  /** @throws BadRequestException, PayloadTooLargeException */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;)
      at = this.inString ? this.readString(chunk, at) : this.readSign(chunk[at]!, at);
  }

  /** @throws BadRequestException: the object has not ended */
  async end(): Promise<Fields> {
    if (!this.hasEnded) throw new BadRequestException(NOT_JSON);
    return await wholeOf(this.found);
  }

  /** @returns where it goes on */
  private readSign(sign: number, at: number): number {
    if (sign <= SPACE) return at + 1;
    if (this.hasEnded || (this.depth === 0 && sign !== OPEN_OBJECT)) throw new BadRequestException(NOT_JSON);
    if (sign === QUOTE) this.beginString();
    else if (sign === OPEN_OBJECT || sign === OPEN_LIST) this.isKey = ++this.depth === 1;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) this.hasEnded = --this.depth === 0;
    else if (this.depth === 1 && sign === COMMA) this.isKey = true;
    else if (this.depth === 1 && sign === COLON) this.isKey = false;
    return at + 1;
  }

  private beginString(): void {
    this.inString = true;
    this.into = undefined;
    if (this.depth !== 1) return;
    if (this.isKey) {
      this.key.clear();
      this.into = this.key;
    } else if (Object.hasOwn(this.wanted, this.name)) {
      this.into = this.found[this.name] = new GrowingBytes(this.wanted[this.name]!, this.name);
    }
  }

  private endString(): void {
    this.inString = false;
    this.addCode(NONE);
    if (this.into === this.key) this.name = this.key.toString();
    this.into = undefined;
  }

  private readString(chunk: Buffer, from: number): number {
    if (this.escape) return this.readEscape(chunk[from]!, from);
    let at = from;
    while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at++;
    if (at > from) {
      this.addCode(NONE);
      this.into?.add(chunk, from, at);
    }
    if (at === chunk.length) return at;
    if (chunk[at] === QUOTE) this.endString();
    else this.escape = 1;
    return at + 1;
  }

  private readEscape(byte: number, at: number): number {
    if (this.escape > 1) {
      const digit = parseInt(String.fromCharCode(byte), 16);
      if (Number.isNaN(digit)) throw new BadRequestException(NOT_JSON);
      this.code = this.code * 16 + digit;
      if (--this.escape === 1) {
        this.escape = 0;
        this.addCode(this.code);
      }
    } else if (byte === LETTER_U) {
      this.escape = 5;
      this.code = 0;
    } else {
      const meaning = ESCAPES.get(byte);
      if (meaning === undefined) throw new BadRequestException(NOT_JSON);
      this.escape = 0;
      this.addCode(NONE);
      this.into?.addByte(meaning);
    }
    return at + 1;
  }

  /** A UTF-16 code unit, which may be half of a character; `NONE` if something else follows. */
  private addCode(code: number): void {
    const { high } = this;
    this.high = 0;
    if (high && code >= 0xdc00 && code < 0xe000) return this.into?.add(Buffer.from(String.fromCharCode(high, code)));
    // Half a character stands for nothing.
    if (high) this.into?.add(Buffer.from("\ufffd"));
    if (code >= 0xd800 && code < 0xdc00) this.high = code;
    else if (code !== NONE) this.into?.add(Buffer.from(String.fromCharCode(code)));
  }
}
