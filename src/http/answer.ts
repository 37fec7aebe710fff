import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Json } from './json.js';
import type { Request } from './request.js';

/** Sends a `Json` as it is; a read carries an ETag and is answered 304 where the caller has it already. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(map((answer: unknown) => (answer instanceof Json ? send(answer, http.getRequest(), http.getResponse()) : answer)));
  }
}

function send(answer: Json, request: Request, reply: FastifyReply): string | undefined {
  void reply.status(answer.status);
  // A browser or proxy may keep nothing of a conversation; a poller revalidates by ETag.
  void reply.header('Cache-Control', 'private, no-cache');
  if (request.method === 'GET' || request.method === 'HEAD') {
    const etag = `"${createHash('sha256').update(answer.text).digest('base64url').slice(0, 27)}"`;
    void reply.header('ETag', etag);
    if (matches(request.headers['if-none-match'], etag)) {
      void reply.status(304);
      return undefined;
    }
  }
  void reply.type('application/json; charset=utf-8');
  return answer.text;
}

function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
