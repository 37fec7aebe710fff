import { Global, Injectable, Module } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Coded, ERROR_HEADERS } from "./error-codes.js";
import { describeError, sendFailure } from "./errors.js";

/**
 * Whether pages of this origin may use the resource of this key. For an unknown key it returns true, so that the page
 * can read the error.
 */
type Judge = (key: string, origin: string) => Promise<boolean>;

/** What a refusal says to a page whose origin is not among the allowed ones. */
export const REFUSED_ORIGIN = {
  errorCode: "origin-refused",
  detail: "the page's origin is not among allowedOrigins",
} as const satisfies Coded;

const PLACE = /^(\/api\/public\/[\w-]+\/)([^/?]+)/;

/**
 * CORS for routes that other websites' pages call. The feature decides which pages, not the server's configuration.
 */
@Injectable()
export class PublicCors {
  private readonly judges = new Map<string, Judge>();

  /** @param under for example `/api/public/kb-widgets/`; the segment behind it, `:publicKey`, is the key */
  open(under: string, judge: Judge): void {
    this.judges.set(under, judge);
  }

  /**
   * Sets the CORS headers, and rejects requests from pages that are not allowed. Preflight requests are answered
   * here. A request without an `Origin` does not come from another page and goes through.
   */
  readonly hook = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    const { origin } = request.headers;
    if (origin === undefined) {
      next();
      return;
    }
    const [under, segment] =
      PLACE.exec(request.method === "OPTIONS" ? request.url : (request.routeOptions.url ?? ""))?.slice(1) ?? [];
    const judge = under !== undefined ? this.judges.get(under) : undefined;
    if (!judge) next();
    else {
      // The key as the route decoded it, however the URL spells it. A preflight has no route, and allows nothing by
      // itself.
      const { publicKey: key = segment! } = request.params as { publicKey?: string };
      judge(key, origin).then(
        (allowed) => {
          if (answered(request, reply, allowed)) next();
        },
        (error: unknown) => {
          sendFailure(reply, describeError(error));
        },
      );
    }
  };
}

/** @returns whether the request goes on to its route */
function answered({ method, headers }: FastifyRequest, reply: FastifyReply, allowed: boolean): boolean {
  void reply.header("Vary", "Origin");
  // By Helmet's default, browsers would hide the answer from other origins' pages.
  if (allowed)
    void reply.headers({
      "Access-Control-Allow-Origin": headers.origin,
      "Access-Control-Expose-Headers": ["Retry-After", "X-Request-Id", ...ERROR_HEADERS].join(", "),
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  if (method === "OPTIONS") {
    if (allowed)
      void reply.headers({
        "Access-Control-Allow-Methods": "GET, POST",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
        "Access-Control-Max-Age": "7200",
      });
    void reply.status(204).send();
    return false;
  }
  if (!allowed)
    sendFailure(reply, {
      status: 403,
      message: "Pages of this origin may not use the widget: it is not among its allowedOrigins",
      ...REFUSED_ORIGIN,
    });
  return allowed;
}

@Global()
@Module({ providers: [PublicCors], exports: [PublicCors] })
export class PublicCorsModule {}
