import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { sendFailure } from "../../platform/http/errors.js";
import { matches } from "../../platform/http/etag.js";
import type { Request } from "../../platform/http/request.js";
import type { AttachmentStore } from "./attachment-store.js";
import type { Linked } from "./attachments.service.js";
import { isInline } from "../../platform/pictures/picture-size.js";
import { disposition } from "./file-name.js";

/** Whatever the file contains, it runs no scripts, loads nothing and has no origin. */
const POLICY = `default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`;

/** Sends a file, or the part that a player asks for. The bytes of an id never change. */
export async function sendFile(
  { method, headers }: Request,
  reply: FastifyReply,
  { tenantId, id, fileName, contentType, size, width, height }: Linked,
  store: AttachmentStore,
): Promise<void> {
  const etag = `"${id}"`;
  void reply.headers({
    "Cache-Control": "private, no-cache",
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    // A page of another origin may display it, because the URL is the permission.
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
  if (matches(headers["if-none-match"], etag)) return void reply.status(304).send();
  const range = (headers["if-range"] ?? etag) === etag ? rangeOf(headers.range, size) : undefined;
  if (range === "unsatisfiable") {
    void reply.header("Content-Range", `bytes */${size}`);
    sendFailure(reply, { status: 416, message: `The file has ${size} bytes: the range is not among them` });
    return;
  }
  const sentAs = { contentType, disposition: disposition(fileName, isInline(contentType, width, height)) };
  const elsewhere = method === "HEAD" ? undefined : await store.addressOf({ tenantId, id }, sentAs);
  if (elsewhere) return void reply.header("Cache-Control", "private, no-store").redirect(elsewhere, 307);
  // Without a body, Fastify would send a length of 0.
  const body = method === "HEAD" ? Readable.from([]) : await store.get({ tenantId, id }, range);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) void reply.status(206).header("Content-Range", `bytes ${start}-${end}/${size}`);
  void reply
    .type(contentType)
    .headers({
      "Content-Disposition": sentAs.disposition,
      "Content-Length": end - start + 1,
    })
    .send(body);
}

/** Reads one byte range. For several or invalid ranges the whole file is sent, as RFC 9110 allows. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (!from && !to)) return undefined;
  const start = from ? Number(from) : Math.max(size - Number(to), 0);
  const end = from && to ? Math.min(Number(to), size - 1) : size - 1;
  if (from && to && Number(to) < Number(from)) return undefined;
  return start > end ? "unsatisfiable" : { start, end };
}
