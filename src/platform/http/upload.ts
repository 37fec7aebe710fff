import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { Multipart } from "@fastify/multipart";
import {
  applyDecorators,
  BadRequestException,
  HttpException,
  PayloadTooLargeException,
  SetMetadata,
  UnsupportedMediaTypeException,
} from "@nestjs/common";
import { ApiBody, ApiConsumes } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import type { Request } from "./request.js";
import { idempotencyKey, noteIdempotencyKey } from "./idempotency-key.js";

/** The name of the only field of an upload. */
const FIELD = "file";
/** The size limit of the multipart framing around the file. */
const FRAMING_BYTES = 65_536;
/** How many bytes of a file's start are examined. Cameras put previews of this size before an image's dimensions. */
export const HEAD_BYTES = 262_144;
/** How long an upload may take. */
export const MAX_UPLOAD_MS = 600_000;

/** The route reads its body itself. */
export const READS_BODY = "parley:reads-body";
/** The route reads its body as a stream: `multipart/form-data` with one file. */
export const TakesFile = (description: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(READS_BODY, true),
    ApiConsumes("multipart/form-data"),
    ApiBody({
      schema: {
        type: "object",
        required: [FIELD],
        properties: { [FIELD]: { type: "string", format: "binary", description } },
      },
    }),
  );

export interface ReceivedFile {
  /** The file name that the sender gave. */
  name: string | undefined;
  /** The content type that the sender declared. */
  type: string;
  /** Bytes. */
  size: number;
  head: Buffer;
}

/**
 * Passes the file's bytes to `keep` as they arrive, so that the whole file is never in memory.
 * @throws PayloadTooLargeException, UnsupportedMediaTypeException, BadRequestException. Then remove what `keep` has
 * stored.
 */
export async function receiveFile(
  request: Request,
  reply: FastifyReply,
  maxBytes: number,
  keep: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReceivedFile> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + FRAMING_BYTES) throw tooLarge(maxBytes);
  if (!request.isMultipart())
    throw new UnsupportedMediaTypeException(
      `The body must be multipart/form-data with one file, in the field ${FIELD}`,
    );
  const key = idempotencyKey(request);
  return readingBody(request, reply, MAX_UPLOAD_MS, async () => {
    const { bodyHash, ...file } = await readFile(request, maxBytes, keep);
    noteIdempotencyKey(request, key, () => bodyHash);
    return file;
  });
}

/** Gives the body of a request this long to arrive. If `read` fails, the answer does not wait for the rest of it. */
export async function readingBody<T>(
  { raw }: Request,
  reply: FastifyReply,
  ms: number,
  read: () => Promise<T>,
): Promise<T> {
  const { socket } = raw;
  deadlines.set(socket, performance.now() + ms);
  try {
    return await read();
  } catch (error) {
    if (!raw.readableEnded) {
      void reply.header("Connection", "close");
      raw.unpipe().resume();
    }
    throw error;
  } finally {
    deadlines.delete(socket);
  }
}

async function readFile(
  request: Request,
  maxBytes: number,
  keep: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReceivedFile & { bodyHash: Buffer }> {
  const parts = request.parts({
    limits: { fieldNameSize: 100, fieldSize: 1_000, parts: 3, headerPairs: 20, fileSize: Infinity },
  });
  const digest = createHash("sha256");
  let file: ReceivedFile | undefined;
  for (let part = await next(parts); part; part = await next(parts)) {
    if (part.type !== "file" || part.fieldname !== FIELD)
      throw new BadRequestException(
        `property ${part.fieldname} should not exist: the body holds one file, in the field ${FIELD}`,
      );
    if (file) throw new BadRequestException("One file at a time");
    file = { name: part.filename, type: part.mimetype, size: 0, head: Buffer.alloc(0) };
    digest.update(JSON.stringify([part.filename, part.mimetype]));
    await keep(arriving(part.file, file, maxBytes, (chunk) => digest.update(chunk)));
  }
  if (!file?.size) throw new BadRequestException(file ? "The file is empty" : `${FIELD} must be a file`);
  return { ...file, bodyHash: digest.digest() };
}

async function next(parts: AsyncIterator<Multipart>): Promise<Multipart | undefined> {
  try {
    const result = await parts.next();
    return result.done ? undefined : result.value;
  } catch (error) {
    throw broken(error);
  }
}

async function* arriving(
  stream: AsyncIterable<Buffer>,
  file: ReceivedFile,
  maxBytes: number,
  note: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  const head: Buffer[] = [];
  try {
    for await (const chunk of stream) {
      if (file.size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - file.size));
      file.size += chunk.length;
      if (file.size > maxBytes) throw tooLarge(maxBytes);
      note(chunk);
      yield chunk;
    }
  } catch (error) {
    throw broken(error);
  }
  file.head = Buffer.concat(head);
}

export const tooLarge = (maxBytes: number): PayloadTooLargeException =>
  new PayloadTooLargeException(`The file may hold at most ${Math.floor(maxBytes / 1_048_576)} MB`);
const broken = (error: unknown): HttpException =>
  error instanceof HttpException
    ? error
    : new BadRequestException("The body broke off, or is not well-formed multipart/form-data");

/** The deadline of the body that arrives on a connection. */
const deadlines = new WeakMap<Socket, number>();

/**
 * Whether a body that has more time arrives on the connection. Calls `refuse` when that time is
 * over.
 */
export function hasMoreTime(socket: Socket, refuse: () => void): boolean {
  const deadline = deadlines.get(socket);
  if (deadline === undefined || deadline <= performance.now()) return false;
  setTimeout(() => {
    if (deadlines.get(socket) === deadline) refuse();
  }, deadline - performance.now()).unref();
  return true;
}
