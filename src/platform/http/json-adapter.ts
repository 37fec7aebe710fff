import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyReply } from "fastify";
import { requestOf } from "../caller/request-context.js";
import { etagOf, matches } from "./etag.js";
import { Json } from "./json.js";
import { Html, sendHtml } from "./html-page.js";
import type { Request } from "./request.js";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Fastify under Nest. It sends a `Json` or an HTML page as it is. */
export class JsonAdapter extends FastifyAdapter {
  override reply(
    response: Parameters<FastifyAdapter["reply"]>[0],
    body: unknown,
    status?: number,
  ): ReturnType<FastifyAdapter["reply"]> {
    if (body instanceof Json) return send(body, response as FastifyReply);
    if (body instanceof Html) return sendHtml(response as FastifyReply, body);
    return super.reply(response, body, status);
  }
}

/** A read has an ETag. If the caller already has the answer, the status is 304. */
function send(answer: Json, reply: FastifyReply): FastifyReply {
  const { method, headers, caller } = reply.request as Request;
  const idempotency = caller && requestOf(caller)?.idempotency;
  // A programming error: a POST must do its work in one `Database.transaction`, which claims the key.
  if (idempotency && !idempotency.claimed)
    throw new Error(`${idempotency.method} ${idempotency.path} does not honour its Idempotency-Key`);
  const isRead = method === "GET" || method === "HEAD";
  // Proxies must not store conversations. A client that polls revalidates by ETag. Nothing needs to store other answers.
  if (isRead) {
    const etag = answer.etag ?? etagOf(answer.json);
    if (answer.status === 304 || matches(headers["if-none-match"], etag)) return sendUnchanged(reply, etag);
    void reply.header("cache-control", "private, no-cache").header("etag", etag);
  } else void reply.header("cache-control", "private, no-store");
  // As bytes: Node would write a string with three times its length in memory, and count its bytes first.
  return reply.status(answer.status).type(JSON_TYPE).send(answer.bytes);
}

/** The caller has this answer already. */
export const sendUnchanged = (reply: FastifyReply, etag: string): FastifyReply =>
  reply.status(304).header("cache-control", "private, no-cache").header("etag", etag).send();
