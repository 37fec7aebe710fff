import type { Multipart } from "@fastify/multipart";
import { BadRequestException, HttpException, PayloadTooLargeException } from "@nestjs/common";
import type { Request } from "../../../platform/http/request.js";
import { type Fields, GrowingBytes, type Wanted, wholeOf } from "./growing-bytes.js";

const [PERCENT, PLUS, AMPERSAND, EQUALS] = Buffer.from("%+&=");
const SPACE = 0x20;
const DIGITS = new Map([..."0123456789abcdefABCDEF"].map((digit) => [digit.charCodeAt(0), parseInt(digit, 16)]));
const MAX_NAME_BYTES = 100;
/** Parts or fields of one form: each costs more than its bytes, and anybody may send one. Mailgun sends one for each header, of which some come twice. */
const MAX_PARTS = 200;
/** Nobody reads the other fields. */
const MAX_OTHER_BYTES = 1_000;

/** Reads fields of a form while it arrives. Their bytes are as they came, because a mail need not be text. */
export class UrlEncodedFields {
  private readonly found: Record<string, GrowingBytes> = {};
  private readonly name = new GrowingBytes(MAX_NAME_BYTES, "The name of a field");
  private into: GrowingBytes | undefined = this.name;
  private inName = true;
  private fields = 1;
  /** How many hexadecimal digits of an escape are still to come. */
  private escape = 0;
  private code = 0;

  constructor(private readonly wanted: Wanted) {}

  /** @throws BadRequestException, PayloadTooLargeException */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.escape) this.addDigit(byte);
      else if (byte === PERCENT) this.escape = 2;
      else if (byte === AMPERSAND) this.beginName();
      else if (byte === EQUALS && this.inName) this.beginValue();
      else this.into?.addByte(byte === PLUS ? SPACE : byte);
    }
  }

  end(): Promise<Fields> {
    return wholeOf(this.found);
  }

  private addDigit(byte: number): void {
    const digit = DIGITS.get(byte);
    if (digit === undefined) throw new BadRequestException("The body is not a form");
    // What came before is the first digit, or of an escape that has ended.
    this.code = ((this.code << 4) | digit) & 0xff;
    if (--this.escape === 0) this.into?.addByte(this.code);
  }

  private beginName(): void {
    if (++this.fields > MAX_PARTS) throw new PayloadTooLargeException("The form has too many fields");
    this.inName = true;
    this.name.clear();
    this.into = this.name;
  }

  private beginValue(): void {
    const name = this.name.toString();
    this.inName = false;
    if (Object.hasOwn(this.found, name)) throw new BadRequestException(`${name} comes twice`);
    this.into = Object.hasOwn(this.wanted, name)
      ? (this.found[name] = new GrowingBytes(this.wanted[name]!, name))
      : undefined;
  }
}

/**
 * Reads fields of `multipart/form-data` while they arrive, whether they come as files or not.
 * @throws BadRequestException, PayloadTooLargeException
 */
export async function multipartFields(request: Request, wanted: Wanted): Promise<Fields> {
  const found: Record<string, Buffer> = {};
  const parts = request.parts({
    limits: {
      fieldNameSize: MAX_NAME_BYTES,
      fieldSize: MAX_OTHER_BYTES,
      parts: MAX_PARTS,
      headerPairs: 20,
      fileSize: Infinity,
    },
    // As a file, it arrives in pieces and as bytes.
    isPartAFile: (name) => name !== undefined && Object.hasOwn(wanted, name),
  });
  try {
    for await (const part of parts as AsyncIterable<Multipart>) {
      if (part.type !== "file") continue;
      const max = Object.hasOwn(wanted, part.fieldname) ? wanted[part.fieldname] : undefined;
      if (max !== undefined && Object.hasOwn(found, part.fieldname))
        throw new BadRequestException(`${part.fieldname} comes twice`);
      const bytes = max === undefined ? undefined : new GrowingBytes(max, part.fieldname);
      for await (const chunk of part.file as AsyncIterable<Buffer>) bytes?.add(chunk);
      if (bytes) found[part.fieldname] = await bytes.whole();
    }
  } catch (error) {
    if (error instanceof HttpException) throw error;
    if ((error as { statusCode?: number }).statusCode === 413)
      throw new PayloadTooLargeException("The form has too many parts");
    throw new BadRequestException("The body broke off, or is not well-formed multipart/form-data");
  }
  return found;
}
