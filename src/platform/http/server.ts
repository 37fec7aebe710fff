import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import cors from "@fastify/cors";
import multipart from "@fastify/multipart";
import { Logger } from "@nestjs/common";
import type { FastifyAdapter } from "@nestjs/platform-fastify";
import helmet from "helmet";
import type { FastifyError, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import type { Config } from "../config/config.js";
import { addressBehind } from "./client-address.js";
import { ASSETS } from "./dashboard.js";
import { METHODS, Paths } from "./paths.js";
import { JSON_TYPE, JsonAdapter } from "./json-adapter.js";
import { ERROR_HEADERS, errorHeaders } from "./error-codes.js";
import { describeError, sendFailure } from "./errors.js";
import type { PublicCors } from "./public-cors.js";
import { clientOf, type RateLimiter, type Verdict } from "./rate-limit.js";
import { hasMoreTime } from "./upload.js";

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Probes and metrics do not count towards the rate limit. */
const UNCOUNTED = new Set(["/healthz", "/readyz", "/metrics"]);
/** Nor do the dashboard's files: many operators share one address, and each page needs several files. */
const isUncounted = (url: string): boolean => url.startsWith(ASSETS) || UNCOUNTED.has(url.split("?", 1)[0]!);

/** The beginning of an HTTP request, whatever its method. */
const REQUEST_LINE = /^[A-Z-]{1,30} \S+ HTTP\/1\.[01]\r\n/;

/** With Node's defaults, a slow client could hold a connection for minutes. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 60_000;
/** How often these timeouts are checked. */
const CHECK_MS = 5_000;
/** How often a server that stops closes the connections that have become idle. */
const IDLE_CHECK_MS = 50;

/** Fastify, with everything that applies to all answers, including requests without a route. */
export function createAdapter(config: Config, limiter: () => RateLimiter | undefined): FastifyAdapter {
  const open = opener(config, limiter);
  const adapter = new JsonAdapter({
    trustProxy: config.TRUSTED_PROXIES.length ? config.TRUSTED_PROXIES : false,
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    http: { requireHostHeader: false, connectionsCheckingInterval: CHECK_MS },
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 500 },
    // Errors before a route is found do not reach Nest's filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      open(request, reply, () => {
        sendFailure(reply, { status: error.statusCode ?? 400, message: error.message });
      });
    },
    clientErrorHandler: refuseConnection,
  });
  const { server } = adapter.getInstance();
  server.headersTimeout = HEADERS_MS;
  closeIdleWhenStopping(adapter);
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    response
      .writeHead(417, {
        ...SECURITY_HEADERS,
        ...errorHeaders(417),
        "Content-Type": JSON_TYPE,
        "X-Request-Id": randomUUID(),
        Connection: "close",
      })
      .end(JSON.stringify({ error: "The server does not meet what Expect asks for" }));
  });
  return adapter;
}

/**
 * When the server stops, Node closes the connections that are idle at that moment. It would wait for those that become
 * idle later, and for those that have not been used yet, until their clients close them. Browsers open connections in
 * advance.
 */
function closeIdleWhenStopping(adapter: FastifyAdapter): void {
  const { server } = adapter.getInstance();
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage) => unused.delete(socket));
  adapter.getInstance().addHook("preClose", (done) => {
    const close = (): void => {
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    };
    const timer = setInterval(close, IDLE_CHECK_MS);
    server.once("close", () => {
      clearInterval(timer);
    });
    close();
    done();
  });
}

export async function installPlugins(
  adapter: FastifyAdapter,
  config: Config,
  limiter: () => RateLimiter | undefined,
  origins: PublicCors,
  polls: { readonly hook: onRequestHookHandler },
): Promise<void> {
  const fastify = adapter.getInstance();
  const open = opener(config, limiter);
  // The body is read after the guard (see `body-reader.ts`). Here Fastify must only not refuse it.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, _payload, done) => {
    done(null);
  });
  // Before everything else: a request over the limit learns nothing more.
  fastify.addHook("onRequest", open);
  fastify.addHook("onRequest", origins.hook);
  await fastify.register(multipart);
  if (config.CORS_ORIGINS.length) {
    await fastify.register(cors, {
      origin: config.CORS_ORIGINS,
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      credentials: true,
      maxAge: 600,
      exposedHeaders: [
        "ETag",
        "Retry-After",
        "X-Request-Id",
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
        "Idempotency-Replayed",
        ...ERROR_HEADERS,
      ],
    });
  }
  // After CORS, so that pages of other origins can read these answers, too.
  const paths = new Paths();
  fastify.addHook("onRoute", paths.note);
  fastify.addHook("onRequest", paths.hook);
  fastify.addHook("onRequest", polls.hook);
  if (config.LOG_LEVEL === "info" || config.LOG_LEVEL === "debug") logRequests(adapter);
}

/** What comes first: it sets the headers of every answer, and refuses requests that may not go on. */
function opener(
  { TRUSTED_PROXIES }: Config,
  limiter: () => RateLimiter | undefined,
): (request: FastifyRequest, reply: FastifyReply, next: () => void) => void {
  const addressOf = TRUSTED_PROXIES.length ? addressBehind(TRUSTED_PROXIES) : undefined;
  return (request, reply, next) => {
    // Fastify takes whatever `X-Forwarded-For` says for an address, and ignores it where no route is looked for.
    if (addressOf) Object.defineProperty(request, "ip", { value: addressOf(request.raw) });
    open(limiter(), request, reply, next);
  };
}

function open(limiter: RateLimiter | undefined, request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  void reply.headers(SECURITY_HEADERS).header("x-request-id", request.id);
  // Node would refuse it too, but without an error message.
  if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
    void reply.header("Connection", "close");
    sendFailure(reply, { status: 400, message: "The Host header is missing" });
    return;
  }
  if (limiter) limit(limiter, request, reply, next);
  else next();
}

/**
 * Helmet's headers, computed once. Helmet computes them for each request, which costs more than routing. Their names,
 * and those of the other headers of every answer, are in lower case, as Fastify wants them.
 */
const SECURITY_HEADERS: Record<string, string> = securityHeaders();

function securityHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: [`'none'`],
        scriptSrc: [`'self'`],
        styleSrc: [`'self'`, `'unsafe-inline'`],
        imgSrc: [`'self'`, "data:"],
        connectSrc: [`'self'`],
        fontSrc: [`'self'`],
        baseUri: [`'none'`],
        formAction: [`'self'`],
        frameAncestors: [`'none'`],
        upgradeInsecureRequests: null,
      },
    },
  })({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/** Counts the request. It goes on if it is within the limit, otherwise it is answered here. */
function limit(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (isUncounted(request.url)) {
    next();
    return;
  }
  const judge = ({ allowed, remaining, resetSeconds }: Verdict): void => {
    void reply.headers({
      "ratelimit-limit": limiter.limit,
      "ratelimit-remaining": remaining,
      "ratelimit-reset": resetSeconds,
    });
    if (allowed) next();
    else refuse(limiter, request, reply, resetSeconds);
  };
  const verdict = limiter.take(clientOf(request.ip));
  // Nearly every verdict is there at once. To wait for a promise costs more than to count.
  if (!(verdict instanceof Promise)) judge(verdict);
  else
    verdict.then(judge, (error: unknown) => {
      // Without the count, every request is refused.
      const failure = describeError(error);
      void reply.header("Retry-After", "1");
      sendFailure(reply, { ...failure, status: failure.status === 500 ? 503 : failure.status });
    });
}

function refuse({ limit }: RateLimiter, { url }: FastifyRequest, reply: FastifyReply, resetSeconds: number): void {
  // So that a page of another origin can read how long to wait.
  if (url.startsWith("/api/public/"))
    void reply.headers({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": ["Retry-After", ...ERROR_HEADERS].join(", "),
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  void reply.header("Retry-After", resetSeconds);
  sendFailure(reply, {
    status: 429,
    message: `Too many requests: at most ${limit} a minute. Try again in ${resetSeconds} seconds`,
  });
}

/** Logs one line for each request with these fields only: no path (it has ids and tokens), no body, no headers. */
function logRequests(adapter: FastifyAdapter): void {
  const log = new Logger("request");
  adapter.getInstance().addHook("onResponse", (request, reply, done) => {
    log.log(
      JSON.stringify({
        id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      }),
    );
    done();
  });
}

const beginningOf = (packet: unknown): string =>
  Buffer.isBuffer(packet) ? packet.subarray(0, 20_000).toString("latin1") : "";

/** Answers a connection that does not speak HTTP, or is too slow, before closing it. */
function refuseConnection(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  if (
    error.code === "ERR_HTTP_REQUEST_TIMEOUT" &&
    hasMoreTime(socket, () => {
      refuseConnection(error, socket);
    })
  )
    return;
  const [status, reason, message]: [number, string, string] =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? [408, "Request Timeout", "The request took too long to arrive"]
      : error.code === "HPE_HEADER_OVERFLOW"
        ? [431, "Request Header Fields Too Large", "The headers are too large"]
        : error.code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(beginningOf(error.rawPacket))
          ? [405, "Method Not Allowed", "The request's method is none that HTTP knows"]
          : [400, "Bad Request", "This is not a valid HTTP request"];
  const body = JSON.stringify({ error: message });
  const headers = Object.entries({
    ...SECURITY_HEADERS,
    ...errorHeaders(status),
    "Content-Type": JSON_TYPE,
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": randomUUID(),
    Connection: "close",
    ...(status === 405 && { Allow: METHODS }),
  });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}
