import { hash } from "node:crypto";
import {
  BadRequestException,
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Injectable,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import secureJson from "secure-json-parse";
import { requestOf } from "../caller/request-context.js";
import type { Request } from "./request.js";
import { idempotencyKey, noteIdempotencyKey } from "./idempotency-key.js";
import { TAKES_TEXT, type TextBody } from "./text-body.js";
import { declaredBy, refuseProperties } from "./undeclared.js";
import { READS_BODY } from "./upload.js";

const MAX_BODY_BYTES = 1_048_576;
/** What anybody may send before they have signed in, or through a form on a public page. */
const MAX_FORM_BYTES = 16_384;
const MAX_VALUES = 20_000;
const MAX_DEPTH = 32;
/** In one object. An error names each that should not be there. */
const MAX_KEYS = 1_000;
/** Errors name the property that they are about. */
const MAX_KEY_LENGTH = 1_000;
/** Names that an object has without being given them. */
const UNNAMEABLE = Object.getOwnPropertyNames(Object.prototype);

/** Methods that do nothing without a body. */
const CHANGES = new Set(["PATCH", "PUT"]);
const MISSING = "The body is missing";
/** To ignore it would overwrite what the caller wanted to keep. */
const IF_MATCH = "If-Match is not supported, so nothing was changed: send the request without it";

/** For `@RouteConfig`: the route accepts a form, and reads its fields from the `rawBody`. */
export const FORM = { form: true } as const;
/** For `@RouteConfig`: the body is no larger than what people type into a form. */
export const SMALL = { small: true } as const;

/**
 * Reads the body after the access guard, so that a caller without credentials learns nothing about what is wrong with a
 * body and costs no parsing. It is a guard too, because an interceptor would cost every poll as much as its answer. Text
 * that PostgreSQL cannot store unchanged is refused here.
 */
@Injectable()
export class BodyReader implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    checkQuery(request);
    // Mail programs and providers add parameters to public addresses. Only what a known caller sends is all meant for Parley.
    const declared = request.caller && declaredBy(context);
    if (declared && !declared.query) refuseProperties(request.query);
    if (request.method !== "GET" && request.method !== "HEAD") {
      refuseEncoded(request);
      if (declared && request.headers["if-match"] !== undefined) throw new BadRequestException(IF_MATCH);
      // The route reads it itself.
      return (
        this.reflector.get<true | undefined>(READS_BODY, context.getHandler()) ??
        this.read(request, this.reflector.get<TextBody | undefined>(TAKES_TEXT, context.getHandler())).then(() => {
          if (declared && !declared.body) refuseProperties(request.body);
          return true;
        })
      );
    }
    const read = request.caller && requestOf(request.caller);
    if (read) read.ifNoneMatch = request.headers["if-none-match"];
    return true;
  }

  private async read(request: Request, text: TextBody | undefined): Promise<void> {
    const bytes = await readBytes(request, text?.maxBytes ?? (isSmall(request) ? MAX_FORM_BYTES : MAX_BODY_BYTES));
    request.rawBody = bytes;
    if (!bytes.length && CHANGES.has(request.method)) throw new BadRequestException(MISSING);
    if (text) assertType(request, text.types);
    request.body =
      bytes.length && !text && !isForm(request) ? parse(bytes, request.headers["content-type"]) : undefined;
    checkText(request.body, "body");
    noteIdempotencyKey(request, idempotencyKey(request), () =>
      hash("sha256", text ? bytes : (JSON.stringify(request.body) ?? ""), "buffer"),
    );
  }
}

const isSmall = ({ routeOptions: { url = "", config } }: Request): boolean =>
  url.startsWith("/api/auth/") || "small" in config;

const isForm = ({ routeOptions, headers }: Request): boolean =>
  "form" in routeOptions.config && /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "");

/** No body is ever decompressed: a small one could become a huge one, and signatures cover the bytes as they came. */
function refuseEncoded({ headers }: Request): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new UnsupportedMediaTypeException("Content-Encoding is not supported: send the body as it is");
}

function assertType({ headers }: Request, types: readonly string[]): void {
  if (!types.includes((headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase()))
    throw new UnsupportedMediaTypeException(`The body must be sent as Content-Type: ${types.join(" or ")}`);
}

/** Refuses what the query parser would accept unchanged, or silently leave out. */
function checkQuery({ url, query }: Request): void {
  const from = url.indexOf("?");
  if (from < 0) return;
  try {
    decodeURIComponent(url.slice(from + 1));
  } catch {
    throw new BadRequestException("query contains an escape that is not UTF-8");
  }
  checkText(query, "query");
  for (const name of UNNAMEABLE) {
    if (Object.hasOwn(query as object, name)) throw new BadRequestException(`property ${name} should not exist`);
  }
}

/** @throws PayloadTooLargeException, BadRequestException */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.raw as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpException) throw error;
    throw new BadRequestException("The body broke off");
  }
  return Buffer.concat(chunks);
}

const tooLarge = (maxBytes: number) => new PayloadTooLargeException(`The body may hold at most ${maxBytes} bytes`);

function parse(bytes: Buffer, contentType = ""): unknown {
  if (!/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType)) {
    throw new UnsupportedMediaTypeException("The body must be JSON, sent as Content-Type: application/json");
  }
  return parseJson(bytes, "body");
}

/**
 * A JSON object that is cheap to read.
 * @param what names it in the error message
 * @throws BadRequestException, PayloadTooLargeException
 */
export function parseJson(bytes: Buffer, what: string): object {
  assertCheap(bytes);
  return parseObject(decode(bytes, what), what);
}

/** Before anything is built from it: half a million open lists take as long as a thousand ordinary bodies. */
function assertCheap(bytes: Buffer): void {
  let depth = 0;
  let values = 1;
  let isFirst = false;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at]!;
    if (inString) {
      if (sign === BACKSLASH) at++;
      else if (sign === QUOTE) inString = false;
      continue;
    }
    if (sign <= SPACE) continue;
    const closes = sign === CLOSE_LIST || sign === CLOSE_OBJECT;
    // Each value of a list or an object but the first comes after a comma.
    if (sign === COMMA || (isFirst && !closes)) values++;
    if (values > MAX_VALUES) throw new PayloadTooLargeException(`The body may hold at most ${MAX_VALUES} values`);
    isFirst = sign === OPEN_LIST || sign === OPEN_OBJECT;
    if (isFirst && ++depth > MAX_DEPTH) throw tooDeep("body");
    if (closes) depth--;
    inString = sign === QUOTE;
  }
}
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = Buffer.from('"\\[]{},');
/** White space in JSON is this and less. */
const SPACE = 0x20;
const tooDeep = (where: string) => new BadRequestException(`${where} is nested deeper than ${MAX_DEPTH} levels`);

/** @param what names the text in the error message */
export function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequestException(`The ${what} is not valid UTF-8`);
  }
}

export function parseObject(text: string, what: string): object {
  let body: unknown;
  try {
    body = secureJson.parse(text, undefined, { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    const why =
      error instanceof SyntaxError && /forbidden prototype/.test(error.message)
        ? "it has a key __proto__ or constructor.prototype"
        : (error as Error).message;
    throw new BadRequestException(`The ${what} is not acceptable JSON: ${why}`);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new BadRequestException(`The ${what} must be a JSON object`);
  return body;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, and dropping them would change the text. */
export function checkText(value: unknown, where: string, depth = 0): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new BadRequestException(`${where} contains a NUL character`);
    if (!value.isWellFormed()) throw new BadRequestException(`${where} contains half of a surrogate pair`);
  } else if (value !== null && typeof value === "object") {
    if (depth === MAX_DEPTH) throw tooDeep(where);
    const entries = Object.entries(value);
    if (entries.length > MAX_KEYS && !Array.isArray(value))
      throw new BadRequestException(`${where} has more than ${MAX_KEYS} properties`);
    for (const [key, inner] of entries) {
      if (key.length > MAX_KEY_LENGTH)
        throw new BadRequestException(`${where} has a property whose name has more than ${MAX_KEY_LENGTH} characters`);
      checkText(key, where, depth + 1);
      checkText(inner, Array.isArray(value) ? `${where}[${key}]` : `${where}.${key}`, depth + 1);
    }
  } else if (typeof value === "number" && !Number.isFinite(value)) {
    throw new BadRequestException(`${where} is a number out of range`);
  }
}
